"""Pictures in the page, as SVG: intervals beside ratios, samples beside cells, and the run's figures.

Colours are the page's own (CSS variables): a picture is readable in the light, in the dark and on paper.
"""

import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

import matplotlib as mpl
from markupsafe import Markup

from actorbench.drawing.figure_files import STYLE, draw_figure
from actorbench.estimates import Estimate, Ratio
from actorbench.experiment import Experiment
from actorbench.results import Results
from actorbench.sides import side_of

INTERVAL_SIZE = (180, 20)  # px
SAMPLES_SIZE = (200, 44)  # px
_MARGIN = 5.0
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_ALLOWED = {"svg", "g", "defs", "path", "use", "clipPath", "rect", "text", "tspan", "style"}
_PAGE_COLOURS = {
    "#ffffff": "var(--page)",
    "#000000": "var(--ink)",
    "#dddddd": "var(--line)",
    "#eeeeee": "var(--band)",
    "#555555": "var(--soft)",
    "#0072b2": "var(--blue)",
}


@dataclass(frozen=True)
class RatioScale:
    """A logarithmic axis that holds 1 and every interval shown together."""

    low: float
    high: float

    def x(self, ratio: float) -> float:
        """Give the place of a ratio, in px."""
        width = INTERVAL_SIZE[0] - 2 * _MARGIN
        return _MARGIN + width * (log(ratio) - log(self.low)) / (log(self.high) - log(self.low))


def scale_for(ratios: Sequence[Ratio]) -> RatioScale:
    """Find the axis for ratios shown together; at least a tenth to each side of 1."""
    ends = [end for one in ratios for end in (one.ratio, one.low, one.high) if end]
    reach = max([log(1.1), *(abs(log(end)) for end in ends)])
    return RatioScale(exp(-reach), exp(reach))


def interval_picture(ratio: Ratio, scale: RatioScale) -> Markup:
    """Draw a ratio with its interval; the dashed line is 1."""
    width, height = INTERVAL_SIZE
    middle = height / 2
    parts = [f'<line x1="{scale.x(1):.1f}" x2="{scale.x(1):.1f}" y1="0" y2="{height}" class="one"/>']
    if ratio.low and ratio.high:
        low, high = scale.x(ratio.low), scale.x(ratio.high)
        parts.append(f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{middle}" y2="{middle}" class="bar"/>')
    parts.append(f'<circle cx="{scale.x(ratio.ratio):.1f}" cy="{middle}" r="3.5" class="dot"/>')
    return _picture(width, height, "interval", "the ratio and its interval; dashed: 1", parts)


def samples_picture(values: Sequence[float], estimate: Estimate | None) -> Markup:
    """Draw a cell's samples in the order of rounds, lowest at the bottom; band: interval, line: median."""
    width, height = SAMPLES_SIZE
    ends = [*values]
    if estimate and estimate.low is not None and estimate.high is not None:
        ends += [estimate.low, estimate.high]
    low, high = min(ends), max(ends)

    def y(value: float) -> float:
        share = 0.5 if high == low else (value - low) / (high - low)
        return height - _MARGIN - share * (height - 2 * _MARGIN)

    parts = []
    if estimate and estimate.low is not None and estimate.high is not None:
        top, bottom = y(estimate.high), y(estimate.low)
        parts.append(
            f'<rect x="0" width="{width}" y="{top:.1f}" height="{max(1.0, bottom - top):.1f}" class="band"/>'
        )
    if estimate:
        middle = y(estimate.value)
        parts.append(f'<line x1="0" x2="{width}" y1="{middle:.1f}" y2="{middle:.1f}" class="one"/>')
    step = (width - 2 * _MARGIN) / max(1, len(values) - 1)
    radius = 3 if len(values) <= 30 else 1.5
    parts += [
        f'<circle cx="{_MARGIN + number * step:.1f}" cy="{y(value):.1f}" r="{radius}" class="dot"/>'
        for number, value in enumerate(values)
    ]
    what = "the samples in the order of rounds; band: interval; line: median"
    return _picture(width, height, "samples", what, parts)


def figure_picture(results: Results, experiment: Experiment, name: str) -> Markup:
    """Draw a figure for the page; `name` sets its ids apart from other figures'."""
    file = io.BytesIO()
    with mpl.rc_context(fname=STYLE):
        draw_figure(side_of(results, experiment), for_page=True).savefig(
            file, format="svg", transparent=True, metadata={"Date": None}
        )
    return page_svg(file.getvalue(), name)


def page_svg(source: bytes, name: str) -> Markup:
    """Fit matplotlib's SVG into the page: known elements only, ids of its own, and the page's colours."""
    ET.register_namespace("", _SVG)
    ET.register_namespace("xlink", _XLINK)
    root = ET.fromstring(source)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.removeprefix(f"{{{_SVG}}}") not in _ALLOWED:
                parent.remove(child)
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            if key.lower().startswith("on"):
                del element.attrib[key]
            else:
                element.set(key, _fitted(key, value, name))
    for key in ("width", "height"):
        root.attrib.pop(key, None)
    root.set("role", "img")
    return Markup(ET.tostring(root, encoding="unicode"))


def _fitted(key: str, value: str, name: str) -> str:
    if key == "id":
        return f"{name}-{value}"
    if key == f"{{{_XLINK}}}href":
        return f"#{name}-{value.removeprefix('#')}"
    for colour, variable in _PAGE_COLOURS.items():
        value = value.replace(colour, variable)
    return re.sub(r"url\(#", f"url(#{name}-", value)


def _picture(width: int, height: int, kind: str, what: str, parts: Sequence[str]) -> Markup:
    inside = "".join(parts)
    return Markup(
        f'<svg class="{kind}" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img"'
        f' aria-label="{what}">{inside}</svg>'
    )

"""What stands around the panels of every figure: title and legend above, caption below."""

import textwrap
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import ScaledTranslation

CAPTION_WIDTH = 100  # characters
LEGEND_LINE = 16  # points
TITLE_GAP = 10  # points
CAPTION_GAP = 36  # points


def put_title(
    figure: Figure, title: str, ends: tuple[Axes, Axes], handles: Mapping[str, Any], *, columns: int
) -> None:
    """Put the title over the uppermost panels, of the first and last of them, and the legend between."""
    left, right = (axes.get_position() for axes in ends)
    middle, top = (left.x0 + right.x1) / 2, left.y1
    over_panels = TITLE_GAP * 2 if ends[0].get_title() else 0
    columns = min(columns, max(1, len(handles)))
    if handles:
        figure.legend(
            handles.values(),
            handles.keys(),
            loc="lower center",
            bbox_to_anchor=(middle, top),
            bbox_transform=figure.transFigure + _up(figure, over_panels),
            ncols=columns,
        )
    rise = over_panels + TITLE_GAP + LEGEND_LINE * ceil(len(handles) / columns)
    figure.text(
        middle,
        top,
        title,
        transform=figure.transFigure + _up(figure, rise),
        ha="center",
        va="bottom",
        fontsize=mpl.rcParams["axes.titlesize"],
    )


def put_caption(figure: Figure, text: str, *, gap: float = CAPTION_GAP) -> None:
    """Put the caption below the labels of the lowest panels, so many points under these."""
    bottom = min(axes.get_position().y0 for axes in figure.axes)
    below = figure.transFigure + _up(figure, -gap)
    figure.text(0.5, bottom, text, transform=below, ha="center", va="top", fontsize=7)


def folded(lines: Sequence[str], panels: int = 1) -> str:
    """Fold the lines of a caption to the width of so many panels side by side."""
    return "\n".join(part for line in lines for part in textwrap.wrap(line, CAPTION_WIDTH * panels))


def _up(figure: Figure, points: float) -> ScaledTranslation:
    return ScaledTranslation(0, points / 72, figure.dpi_scale_trans)

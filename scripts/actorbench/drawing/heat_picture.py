"""A heat map, by matplotlib: a number in each cell, hatched where it was not told apart."""

from itertools import accumulate, pairwise
from math import log

from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, LogNorm
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

from actorbench.heat import BETTER_COLOUR, MIDDLE_COLOUR, WORSE_COLOUR, HeatMap, Spot

HATCHED = "not told apart"
SPOT_SIZE = (0.8, 0.36)  # inches
NO_RATIO = "#eeeeee"
_HATCH = {"hatch": "////", "edgecolor": "#999999", "linewidth": 0.0}
_MARKS = (0.25, 0.5, 0.7, 1, 1.4, 2, 4)
_NEAR_MARKS = (0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2)
_MARK_SIZE = 0.15  # inches that a mark of the scale takes
_LONGEST = 9  # letters that stand in a cell at full size


def draw_heat_map(axes: Axes, shown: HeatMap) -> None:
    """Draw a heat map, the first line at the top; above each group are its name and the headings."""
    places = places_of(shown)
    heads = [(place - 1, group) for place, group in zip(places, shown.begun, strict=True) if group]
    for down, spots in zip(places, shown.spots, strict=True):
        for across, spot in enumerate(spots):
            _draw_spot(axes, spot, across, down)
    axes.set_xlim(-0.5, len(shown.headings) - 0.5)
    axes.set_ylim(places[-1] + 0.5, -0.5)
    axes.set_yticks(places, shown.labels)
    for place, group in heads:
        axes.text(-0.6, place, group, ha="right", va="center", fontweight="bold")
        for across, heading in enumerate(shown.headings):
            text = heading.replace(", ", ",\n", 1)
            axes.text(across, place, text, ha="center", va="center", fontsize=6.5, linespacing=0.9)
    if heads:
        axes.set_xticks([])
    else:
        columns = range(len(shown.headings))
        axes.set_xticks(columns, shown.headings, rotation=30, ha="right", rotation_mode="anchor")
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)


def places_of(shown: HeatMap) -> list[int]:
    """Where each line stands, from the top: a line is left for the head of each group."""
    return [down + heads for down, heads in enumerate(accumulate(group != "" for group in shown.begun))]


def draw_scale(figure: Figure, axes: Axes, shown: HeatMap, label: str) -> None:
    """Draw the scale of colours right of a heat map."""
    colours = LinearSegmentedColormap.from_list("diverging", [BETTER_COLOUR, MIDDLE_COLOUR, WORSE_COLOUR])
    scale = ScalarMappable(LogNorm(1 / shown.reach, shown.reach), colours)
    extend = "both" if shown.is_cut else "neither"
    bar = figure.colorbar(scale, ax=axes, pad=0.04, fraction=0.06, aspect=14, label=label, extend=extend)
    assert bar.solids is not None
    bar.solids.set(rasterized=False, edgecolor="face")  # PGF would need TeX to place an image
    marks = _MARKS if shown.reach > max(_NEAR_MARKS) else _NEAR_MARKS
    places = [mark for mark in marks if abs(log(mark)) <= log(shown.reach) * 1.001]
    inch = 2 * log(shown.reach) / ((places_of(shown)[-1] + 1) * SPOT_SIZE[1])
    if min(log(above / below) for below, above in pairwise(places)) < _MARK_SIZE * inch:
        places = [places[0], 1, places[-1]]
    bar.ax.yaxis.set_major_locator(FixedLocator(places))
    bar.ax.yaxis.set_minor_locator(NullLocator())
    bar.ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    bar.ax.grid(visible=False)


def hatched_handle() -> dict[str, Patch]:
    """What the legend shows of cells that were not told apart."""
    return {HATCHED: Patch(facecolor=MIDDLE_COLOUR, **_HATCH)}  # type: ignore[arg-type]


def _draw_spot(axes: Axes, spot: Spot, across: int, down: int) -> None:
    place = (across - 0.5, down - 0.5)
    colour = NO_RATIO if spot.shade is None else spot.colour
    axes.add_patch(Rectangle(place, 1, 1, facecolor=colour, edgecolor=MIDDLE_COLOUR, linewidth=1.5))
    box = None
    if spot.is_undecided:
        axes.add_patch(Rectangle(place, 1, 1, facecolor="none", **_HATCH))  # type: ignore[arg-type]
        box = {"facecolor": colour, "edgecolor": "none", "boxstyle": "round,pad=0.15"}
    size = 9.0 if len(spot.text) <= _LONGEST else 6.0
    text = spot.text.replace(" ", "\n", 1) if len(spot.text) > _LONGEST else spot.text
    ink = "#555555" if spot.shade is None else spot.ink
    axes.text(
        across, down, text, ha="center", va="center", fontsize=size, color=ink, bbox=box, linespacing=0.9
    )

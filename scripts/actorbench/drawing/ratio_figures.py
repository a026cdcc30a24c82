"""Figures of ratios: grids as heat maps, contests as intervals in a row. A panel a run, or a contest."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from actorbench.best_tables import Contested, contested_of
from actorbench.drawing.frame import folded, put_caption, put_title
from actorbench.drawing.heat_picture import SPOT_SIZE, draw_heat_map, draw_scale, hatched_handle, places_of
from actorbench.drawing.rank_picture import IN, LINE_HEIGHT, OUT, YARDSTICK, draw_contest
from actorbench.experiment import Experiment
from actorbench.groups import means_note, means_of
from actorbench.heat import HeatMap, heat_map
from actorbench.notes import context_note
from actorbench.ratios import compare_rows, correction
from actorbench.results import Results
from actorbench.sides import Side

RANK_WIDTH = 5.0  # inches
PANEL_REST = 0.75  # inches of a panel beside its lines
LABEL_GAP = 8  # points
MOST_HEIGHT = 60  # inches of all panels; no format takes endless ones


def draw_ratio_figure(sides: Sequence[Side]) -> Figure:
    """Draw an experiment of kind "grid" or "best" in the style that is set, with title and caption."""
    if sides[0].experiment.kind == "grid":
        return _draw_grids(sides)
    shown = [contested_of(side.results, side.experiment) for side in sides]
    lines = [line for side in sides for line in _told(side, context_note(side.results, side.experiment))]
    return draw_contests(shown, [side.title for side in sides], [how_of_best(shown[0]), *lines])


def how_of_ratios(results: Results, experiment: Experiment) -> str:
    """How the numbers of a figure of kind "grid" or "best" come about."""
    if experiment.kind == "grid":
        rows = compare_rows(results, experiment)
        how = "median ratio of candidate / base in the same round; hatched: not told apart"
        return "; ".join([f"{how} (sign test at 5 %, {correction(rows)})", *means_note(results, rows)])
    return how_of_best(contested_of(results, experiment))


def how_of_best(shown: Contested) -> str:
    """How the intervals of a contest come about."""
    how = shown.notes[0].removeprefix("ratio: ")
    intervals = f"with 95 % intervals of each alone ({shown.method.value})"
    return f"{how}, {intervals}; right: medians; {shown.verdicts_note}"


def heat_map_of(results: Results, experiment: Experiment) -> HeatMap:
    """Make the heat map of an experiment of kind "grid"."""
    rows = compare_rows(results, experiment)
    return heat_map(rows, means_of(results, rows))


def draw_contests(shown: Sequence[Contested], titles: Sequence[str], lines: Sequence[str]) -> Figure:
    """Draw contests, those of each one below each other; `lines` are the caption's."""
    panels = [
        (one, contest, title) for one, title in zip(shown, titles, strict=True) for contest in one.contests
    ]
    every = [PANEL_REST + LINE_HEIGHT * len(contest.options) for _, contest, _ in panels]
    heights = [height for height, end in zip(every, accumulate(every), strict=True) if end <= MOST_HEIGHT]
    heights = heights or every[:1]
    cut = [f"drawn: the first {len(heights)} of {len(panels)}; the table has all"]
    panels, cut = panels[: len(heights)], cut if len(heights) < len(panels) else []
    figure = Figure(figsize=(RANK_WIDTH, sum(heights)))
    grid = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)
    figure.subplots_adjust(hspace=PANEL_REST * len(panels) / (sum(heights) - PANEL_REST * len(panels)))
    for axes, (one, contest, title) in zip(grid[:, 0], panels, strict=True):
        yardstick = one.yardstick(contest)
        name = one.reference or "the first"
        draw_contest(axes, contest, yardstick, name)
        if title:
            axes.set_title(f"{title}: {contest.label}", fontsize=9.5)
    handles: dict[str, Any] = {}
    for axes in figure.axes:
        handles |= dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    ordered = {label: handles[label] for label in (IN, OUT, YARDSTICK) if label in handles}
    put_title(figure, shown[0].title, (figure.axes[0], figure.axes[0]), ordered, columns=1)
    leads = [line for one in shown for line in one.lead]
    put_caption(figure, folded([*cut, *leads[: len(heights)], *lines]))
    return figure


def _draw_grids(sides: Sequence[Side]) -> Figure:
    maps = [heat_map_of(side.results, side.experiment) for side in sides]
    widest = max(len(one.headings) for one in maps)
    longest = max(places_of(one)[-1] + 1 for one in maps)
    size = (SPOT_SIZE[0] * widest * 1.1 * len(maps), SPOT_SIZE[1] * longest)
    figure = Figure(figsize=size)
    panels = figure.subplots(1, len(maps), squeeze=False)[0]
    figure.subplots_adjust(left=0, right=1, bottom=0, top=1, wspace=0.6)
    for axes, shown, side in zip(panels, maps, sides, strict=True):
        draw_heat_map(axes, shown)
        draw_scale(figure, axes, shown, "candidate / base, logarithmic")
        if side.title:
            axes.set_xlabel(side.title)
    how = how_of_ratios(sides[0].results, sides[0].experiment)
    notes = [sides[0].experiment.note] if sides[0].experiment.note else []
    contexts = [line for side in sides for line in _told(side, context_note(side.results, side.experiment))]
    top = (panels[0], panels[-1])
    hatched = hatched_handle() if any(one.has_undecided for one in maps) else {}
    put_title(figure, sides[0].experiment.title, top, hatched, columns=1)
    put_caption(figure, folded([how, *notes, *contexts], len(sides)), gap=_under(panels))
    return figure


def _under(panels: Sequence[Axes]) -> float:
    """How far, in points, the labels reach below the panels, and a little more."""
    lowest = [axes.get_tightbbox() for axes in panels]
    reach = max(axes.get_window_extent().y0 - box.y0 for axes, box in zip(panels, lowest, strict=True) if box)
    return float(reach) * 72 / panels[0].figure.dpi + LABEL_GAP


def _told(side: Side, line: str) -> list[str]:
    return [f"{side.title}: {line}" if side.title else line]

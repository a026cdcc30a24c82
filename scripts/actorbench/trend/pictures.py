"""The pictures of a trend: a figure a measure, a panel a cell, commits from left to right."""

from math import ceil
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from actorbench.drawing.figure_files import STYLE, save_figure
from actorbench.drawing.frame import folded
from actorbench.measure import Measure
from actorbench.trend.courses import Course, Trend
from actorbench.trend.steps import how
from actorbench.trend.tables import READING_NOTE, SHORT_NAME, change_text

PANEL_SIZE = (6.4, 2.3)  # inches
COLUMNS = 2
MOST_NAMES = 40  # of commits that stand below a panel
MARGIN = 0.12  # of the values' range, above and below; there the steps' changes stand
LEAST_RANGE = 0.06  # of the values, so that what is nearly the same does not look rough
VALUE: dict[str, Any] = {
    "color": "#0072B2",
    "marker": "o",
    "markersize": 4,
    "linewidth": 0,
    "elinewidth": 1.1,
    "capsize": 2.5,
}
LEVEL: dict[str, Any] = {"color": "#000000", "linewidth": 1.1, "linestyle": "-", "alpha": 0.6}
STEP: dict[str, Any] = {"color": "#D55E00", "linewidth": 1.2, "linestyle": (0, (4, 2))}


def write_pictures(trend: Trend, folder: Path) -> list[Path]:
    """Draw every measure of a trend, a file a format; raises UserError."""
    with mpl.rc_context(fname=STYLE):
        drawn = {measure.name: draw_trend(trend, measure) for measure in trend.measures}
        return [path for name, figure in drawn.items() for path in save_figure(figure, folder, name)]


def draw_trend(trend: Trend, measure: Measure) -> Figure:
    """Draw a measure's courses in the style that is set."""
    courses = [course for course in trend.courses if course.measure == measure]
    columns = min(COLUMNS, len(courses))
    rows = ceil(len(courses) / columns)
    width, height = PANEL_SIZE
    figure = Figure(figsize=(width * columns, height * rows + 1.2), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False)
    for number, axes in enumerate(axes for row in grid for axes in row):
        if number >= len(courses):
            axes.set_visible(False)
            continue
        _draw_course(axes, courses[number], len(trend.commits))
        _name_commits(axes, trend, shown=number + columns >= len(courses))
    figure.suptitle(f"{measure.heading[:1].upper()}{measure.heading[1:]} over commits, on {trend.machine}")
    figure.supxlabel(_caption(trend, columns), fontsize=7)
    return figure


def _draw_course(axes: Axes, course: Course, commits: int) -> None:
    places = [one.place for one in course.readings]
    middles = [one.median for one in course.readings]
    below = [max(0.0, one.median - one.low) for one in course.readings]
    above = [max(0.0, one.high - one.median) for one in course.readings]
    axes.errorbar(places, middles, yerr=[below, above], **VALUE)
    for first, last, mean in course.levels:
        axes.plot([first - 0.4, last + 0.4], [mean, mean], marker="", **LEVEL)
    low = min(one.low for one in course.readings)
    high = max(one.high for one in course.readings)
    room = max(high - low, LEAST_RANGE * high) * MARGIN
    spare = max(0.0, LEAST_RANGE * high - (high - low)) / 2
    axes.set_ylim(low - spare - room, high + spare + 2 * room)
    for step in course.steps:
        place = course.readings[step.place].place
        axes.axvline(place - 0.5, **STEP)
        axes.annotate(
            change_text(step),
            (place - 0.5, 1),
            xycoords=axes.get_xaxis_transform(),
            xytext=(3, -2),
            textcoords="offset points",
            va="top",
            fontsize=8.5,
            color=STEP["color"],
        )
    axes.set_xlim(-0.7, commits - 0.3)
    axes.set_title(course.cell, fontsize=9.5)
    axes.set_ylabel(course.measure.unit or course.measure.label)


def _name_commits(axes: Axes, trend: Trend, *, shown: bool) -> None:
    every = ceil(len(trend.commits) / MOST_NAMES)
    places = range(0, len(trend.commits), every)
    names = [trend.commits[place].name[:SHORT_NAME] for place in places]
    axes.set_xticks(
        places, names if shown else [""] * len(names), rotation=90, fontsize=7.5, family="monospace"
    )


def _caption(trend: Trend, columns: int) -> str:
    days = f"commits of {trend.commits[0].day} to {trend.commits[-1].day}, oldest first"
    lines = [
        f"{READING_NOTE}; axes do not begin at 0",
        f"lines: means between steps; {how(trend.least)}",
        "; ".join([days, *trend.notes]),
    ]
    return folded(lines, columns)

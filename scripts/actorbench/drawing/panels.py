"""Panels: a figure's parts, one a run and measure; panels of the same measure have the same axes."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from actorbench.boxes import Box, boxes_of
from actorbench.curves import Axis, Curve, Point, axis_of, curves_of, label_of, measures_of
from actorbench.experiment import Experiment
from actorbench.sides import Side

MOST_EVEN = 100  # times the first place


@dataclass(frozen=True)
class Across:
    """What is on x, workers mostly: its name, and the ends in any panel of the figure.

    `step` is the way between the nearest two places: a distance or, if x is logarithmic, a ratio.
    """

    name: str
    first: int
    last: int
    step: float
    logarithmic: bool

    def beside(self, x: int, steps: float) -> float:
        """Find the place that is so many steps, or a part of one, from x."""
        return float(x * self.step**steps if self.logarithmic else x + steps * self.step)

    @property
    def label(self) -> str:
        """Its name, and how it goes on."""
        return f"{self.name}, logarithmic" if self.logarithmic else self.name


def across_of(experiment: Experiment, places: Sequence[int]) -> Across:
    """Find the x that holds the places, from the least on: even, unless that would press small ones together.

    Workers are always even, as the sources have them.
    """
    first, last = min(places, default=1), max(places, default=1)
    if experiment.over and last > MOST_EVEN * first:
        ratio = min(right / left for left, right in pairwise(places))
        return Across(experiment.x_label, first, last, ratio, logarithmic=True)
    step = min((right - left for left, right in pairwise(places)), default=1)
    return Across(experiment.x_label, first, last, step, logarithmic=False)


@dataclass(frozen=True)
class Panel:
    """Curves, or boxes; `suffix` tells the panel's file from that of the figure's others."""

    title: str
    suffix: str
    label: str
    cpus: int
    curves: tuple[Curve, ...]
    boxes: tuple[Box, ...]
    axis: Axis
    across: Across

    @property
    def is_empty(self) -> bool:
        """Whether nothing was measured of it."""
        return not any(curve.points for curve in self.curves) and not any(box.count for box in self.boxes)


def panels_of(sides: Sequence[Side]) -> list[list[Panel]]:
    """Lay out the panels of an experiment of kind "lines" or "boxes": measures down, runs across."""
    experiment = sides[0].experiment
    measures = measures_of(experiment)
    limit = experiment.limit_under(sides[0].results.head.preset)
    curves: dict[tuple[int, int], list[Curve]] = {}
    boxes: dict[tuple[int, int], list[Box]] = {}
    for row, measure in enumerate(measures):
        for column, side in enumerate(sides):
            is_lines = experiment.kind == "lines"
            curves[row, column] = curves_of(side.results, side.experiment, measure) if is_lines else []
            boxes[row, column] = [] if is_lines else boxes_of(side.results, side.experiment, measure)
    places = sorted({point.x for some in curves.values() for curve in some for point in curve.points})
    rows = []
    for row, measure in enumerate(measures):
        together = [
            curve
            for column in range(len(sides))
            for curve in [*curves[row, column], _as_curve(boxes[row, column])]
        ]
        axis = axis_of(together, limit if row == 0 else None)
        rows.append(
            [
                Panel(
                    title=side.title,
                    suffix=_suffix(measure.name if len(measures) > 1 else "", column, len(sides)),
                    label=label_of(experiment, measure, axis),
                    cpus=side.results.head.cpus,
                    curves=tuple(curves[row, column]),
                    boxes=tuple(boxes[row, column]),
                    axis=axis,
                    across=across_of(experiment, places),
                )
                for column, side in enumerate(sides)
            ]
        )
    return rows


def _as_curve(boxes: Sequence[Box]) -> Curve:
    """What the boxes ask of an axis."""
    ends = [(box.quartiles[0], box.quartiles[2], box.quartiles[-1]) for box in boxes if box.count]
    return Curve("", tuple(Point(0, median, low, high) for low, median, high in ends), ())


def _suffix(measure: str, column: int, columns: int) -> str:
    run = f"-{column + 1}" if columns > 1 else ""
    return (f"-{measure}" if measure else "") + run

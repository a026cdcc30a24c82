"""Curves: what a figure of kind "lines" shows, one line a series, and as CSV for gnuplot."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from actorbench.cell import x_of
from actorbench.experiment import Experiment
from actorbench.measure import MEASURES, Measure
from actorbench.results import Results
from actorbench.rules import level_text
from actorbench.stealing import is_to_steal, samples_without
from actorbench.system import OURS

MOST_LINEAR = 30  # times the smallest value


@dataclass(frozen=True)
class Point:
    """A cell of a curve: median, mean or ratio and, where it may be stated, interval, at its place on x.

    `without_steal` counts the samples that had no steal, of a series that is to steal.
    """

    x: int
    value: float
    low: float | None
    high: float | None
    without_steal: int = 0


@dataclass(frozen=True)
class Curve:
    """A series over x; `missing` gives the places without a value, and why each has none."""

    label: str
    points: tuple[Point, ...]
    missing: tuple[tuple[int, str], ...]
    is_ideal: bool = False  # computed from another's values, not measured


@dataclass(frozen=True)
class Axis:
    """The axis of a measure, for all curves that are to be compared by eye; `limit` cuts it."""

    logarithmic: bool
    bottom: float
    top: float
    limit: float | None

    def leaving(self, curve: Curve) -> list[Point]:
        """The points that lie beyond the limit."""
        return [point for point in curve.points if self.limit is not None and point.value > self.limit]


def curves_of(results: Results, experiment: Experiment, measure: Measure) -> list[Curve]:
    """Take a measure's curves of an experiment of kind "lines" out of a run; ideal ones come last.

    A simulated run has none of other systems, which are not simulated.
    """
    curves = []
    for series in experiment.series:
        if results.head.simulated and series.setting.system != OURS:
            continue
        points, missing = [], []
        for cell in results.resolver.cells(experiment, series.setting):
            without = samples_without(results, cell) if is_to_steal(series.setting) else 0
            point: Point | None = None
            x = x_of(experiment, cell)
            if experiment.speedup:
                why = results.speedup_trouble(cell)
                if ratio := results.speedup(cell, measure):
                    point = Point(x, ratio.ratio, ratio.low, ratio.high, without)
            else:
                why = results.result(cell).trouble or "not in the record"
                if one := results.estimate(cell, measure, experiment.estimate):
                    point = Point(x, one.value, one.low, one.high, without)
            if point and x:
                points.append(point)
            else:
                missing.append((x, why))
        curves.append(Curve(series.label, tuple(points), tuple(missing)))
    is_first = measure.name == experiment.measures[0]
    return curves + (_ideal_curves(experiment, curves) if is_first else [])


def _ideal_curves(experiment: Experiment, curves: list[Curve]) -> list[Curve]:
    return [
        Curve(
            ideal.label,
            tuple(
                Point(point.x, ideal.of(point.value, point.x), None, None)
                for curve in curves
                if curve.label == ideal.base
                for point in curve.points
            ),
            (),
            is_ideal=True,
        )
        for ideal in experiment.ideals
    ]


def quantity_of(experiment: Experiment, measure: Measure) -> str:
    """What a figure of kind "lines" shows, with its unit or its base."""
    return (
        f"speed-up ({measure.label} of 1 worker / {measure.label})" if experiment.speedup else measure.heading
    )


def axis_of(curves: Sequence[Curve], limit: float | None = None) -> Axis:
    """Find the axis that holds the curves: from 0 on, unless that would press the small ones into a line."""
    points = [point for curve in curves for point in curve.points if limit is None or point.value <= limit]
    leaves = any(point.value > limit for curve in curves for point in curve.points) if limit else False
    values = [point.value for point in points if point.value > 0]
    ends = [point.high or point.value for point in points]
    # The interval of a mean may reach below 0, which a logarithmic axis does not.
    lows = [point.value if point.low is None else point.low for point in points if point.value > 0]
    starts = [low for low in [*lows, *values] if low > 0]
    logarithmic = bool(values) and max(ends) > MOST_LINEAR * min(values)
    top = max(ends, default=1.0) * (1.25 if logarithmic else 1.08)
    if limit is not None and (leaves or top > limit):
        top = limit
    bottom = min(starts) * 0.8 if logarithmic else 0.0
    return Axis(logarithmic, bottom, top or 1.0, limit if leaves else None)


def label_of(experiment: Experiment, measure: Measure, axis: Axis) -> str:
    """The label of the axis."""
    cut = f", cut at {axis.limit:g}" if axis.limit is not None else ""
    return quantity_of(experiment, measure) + (", logarithmic" if axis.logarithmic else "") + cut


def how_of(results: Results, experiment: Experiment) -> str:
    """How the numbers of a figure of kind "lines" or "boxes" come about."""
    if experiment.speedup:
        return (
            "speed-up over 1 worker of the same series: medians of the ratios within the rounds,"
            " with exact 95 % intervals (sign test)"
        )
    if experiment.kind == "boxes":
        return "box: quartiles and median of the samples; ends: the smallest and the largest sample"
    kind, level = experiment.estimate, level_text(results.head.confidence)
    return f"{kind}s with {level} intervals ({results.method(kind).value})"


def curves_csv(curves: Sequence[Curve], x_label: str = "workers") -> str:
    """Write curves as columns: x, such as workers, then value, low and high of each; a missing one is empty.

    Then comes a column for each curve that has points with samples without a steal: their values.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    heads = [[curve.label, f"{curve.label} low", f"{curve.label} high"] for curve in curves]
    marked = marked_curves(curves)
    marks = [f"{curve.label} without a steal" for curve in marked]
    writer.writerow([x_label, *(name for head in heads for name in head), *marks])
    for x in sorted({point.x for curve in curves for point in curve.points}):
        line: list[float | str] = [x]
        for curve in curves:
            point = _point_at(curve, x)
            line += ["", "", ""] if point is None else _numbers(point)
        for curve in marked:
            point = _point_at(curve, x)
            line.append(point.value if point and point.without_steal else "")
        writer.writerow(line)
    return text.getvalue()


def marked_curves(curves: Sequence[Curve]) -> list[Curve]:
    """The curves with a point that had samples without a steal."""
    return [curve for curve in curves if any(point.without_steal for point in curve.points)]


def measures_of(experiment: Experiment) -> list[Measure]:
    """The measures that a figure or table shows."""
    return [MEASURES[name] for name in experiment.measures]


def _point_at(curve: Curve, x: int) -> Point | None:
    return next((one for one in curve.points if one.x == x), None)


def _numbers(point: Point) -> list[float | str]:
    low = point.value if point.low is None else point.low
    high = point.value if point.high is None else point.high
    return [point.value, low, high]

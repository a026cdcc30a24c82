"""Curves: what a figure of kind "lines" shows, one line a series, and as CSV for gnuplot."""

import csv
import io
from dataclasses import dataclass

from actorbench.experiment import Experiment
from actorbench.measure import MEASURES
from actorbench.results import Results

MOST_LINEAR = 30  # times the smallest median


@dataclass(frozen=True)
class Point:
    """A cell of a curve: median and, where it may be stated, interval."""

    workers: int
    median: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Curve:
    """A series over workers; `missing` gives the worker counts without a value, and why each has none."""

    label: str
    points: tuple[Point, ...]
    missing: tuple[tuple[int, str], ...]


def curves_of(results: Results, experiment: Experiment) -> list[Curve]:
    """Take the curves of an experiment of kind "lines" out of a run."""
    measure = MEASURES[experiment.measure]
    curves = []
    for series in experiment.series:
        points, missing = [], []
        for cell in results.resolver.cells(experiment, series.setting):
            point: Point | None = None
            if experiment.speedup:
                why = results.speedup_trouble(cell)
                if ratio := results.speedup(cell, measure):
                    point = Point(cell.workers or 0, ratio.ratio, ratio.low, ratio.high)
            else:
                why = results.result(cell).trouble or "not in the record"
                if one := results.estimate(cell, measure):
                    point = Point(cell.workers or 0, one.median, one.low, one.high)
            if point and cell.workers:
                points.append(point)
            else:
                missing.append((cell.workers or 0, why))
        curves.append(Curve(series.label, tuple(points), tuple(missing)))
    return curves


def quantity_of(experiment: Experiment) -> str:
    """What a figure of kind "lines" shows, with its unit or its base."""
    measure = MEASURES[experiment.measure]
    return (
        f"speed-up ({measure.label} of 1 worker / {measure.label})" if experiment.speedup else measure.heading
    )


def is_logarithmic(curves: list[Curve]) -> bool:
    """Whether the medians lie so far apart that a linear axis would press the small ones into a line."""
    medians = [point.median for curve in curves for point in curve.points if point.median > 0]
    return bool(medians) and max(medians) > MOST_LINEAR * min(medians)


def label_of(experiment: Experiment, curves: list[Curve]) -> str:
    """The label of the axis."""
    return quantity_of(experiment) + (", logarithmic" if is_logarithmic(curves) else "")


def how_of(experiment: Experiment) -> str:
    """How the numbers of a figure of kind "lines" come about."""
    if experiment.speedup:
        return (
            "speed-up over 1 worker of the same series: medians of the ratios within the rounds,"
            " with exact 95 % intervals (sign test)"
        )
    return "medians with 95 % bootstrap intervals"


def curves_csv(curves: list[Curve]) -> str:
    """Write curves as columns: workers, then median, low and high of each; a missing value is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    heads = [[curve.label, f"{curve.label} low", f"{curve.label} high"] for curve in curves]
    writer.writerow(["workers", *(name for head in heads for name in head)])
    for workers in sorted({point.workers for curve in curves for point in curve.points}):
        line: list[float | str] = [workers]
        for curve in curves:
            point = next((one for one in curve.points if one.workers == workers), None)
            line += ["", "", ""] if point is None else _numbers(point)
        writer.writerow(line)
    return text.getvalue()


def _numbers(point: Point) -> list[float | str]:
    low = point.median if point.low is None else point.low
    high = point.median if point.high is None else point.high
    return [point.median, low, high]

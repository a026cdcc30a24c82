"""Figures as files, by matplotlib, in the thesis' layout: a line a series, workers on x, error bars."""

import textwrap
from math import ceil, nan
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, StrMethodFormatter

from actorbench.curves import Curve, Point, curves_csv, curves_of, how_of, is_logarithmic, label_of
from actorbench.drawing.pgf import write_pgf
from actorbench.errors import UserError
from actorbench.experiment import Experiment
from actorbench.results import Results
from actorbench.store import write_whole
from actorbench.tables import claim_notes, context_note

STYLE = Path(__file__).parent / "actorbench.mplstyle"
FORMATS = ("svg", "pdf", "png", "pgf")
CAPTION_WIDTH = 100  # characters
PAGE_SIZE = (4.4, 3.1)  # inches; letters are then large enough on a phone
LEGEND_LINE = 16  # points
SIDESTEP = 0.05  # workers by which neighbouring series are set apart, so that their error bars show


def write_figure(results: Results, experiment: Experiment, folder: Path) -> list[Path]:
    """Draw an experiment of kind "lines" into the folder, once in each format; raises UserError."""
    with mpl.rc_context(fname=STYLE):
        figure = draw_figure(results, experiment)
        paths = [folder / f"{experiment.id}.{suffix}" for suffix in FORMATS]
        try:
            folder.mkdir(exist_ok=True)
            for path in paths:
                if path.suffix == ".pgf":
                    write_pgf(figure, path)
                else:
                    figure.savefig(path)
        except OSError as error:
            raise UserError(f"{error.filename}: cannot be written: {error.strerror}") from error
    return paths


def write_data(results: Results, experiment: Experiment, folder: Path) -> Path:
    """Write what gnuplot draws the figure from, as CSV, into the folder; raises UserError."""
    path = folder / f"{experiment.id}.csv"
    try:
        folder.mkdir(exist_ok=True)
        write_whole(path, curves_csv(curves_of(results, experiment)))
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}") from error
    return path


def draw_figure(results: Results, experiment: Experiment, *, for_page: bool = False) -> Figure:
    """Draw an experiment of kind "lines" in the style that is set; for a page, narrow and without caption."""
    curves = curves_of(results, experiment)
    figure = Figure(figsize=PAGE_SIZE if for_page else None)
    legend_columns = min(2 if for_page else 4, max(1, len(curves)))
    axes = figure.add_subplot()
    for number, curve in enumerate(curves):
        _draw_curve(axes, curve, (number - (len(curves) - 1) / 2) * SIDESTEP)
    axes.set_title(experiment.title, pad=10 + LEGEND_LINE * ceil(len(curves) / legend_columns))
    axes.set_xlabel("workers")
    axes.set_ylabel(label_of(experiment, curves))
    _set_limits(axes, curves)
    _mark_oversubscribed(axes, results.head.cpus)
    if any(curve.points for curve in curves):
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=legend_columns)
    else:
        axes.text(0.5, 0.5, "nothing measured", ha="center", transform=axes.transAxes)
    if not for_page:
        figure.text(0.5, -0.02, _caption(results, experiment, curves), ha="center", va="top", fontsize=7)
    return figure


def _draw_curve(axes: Axes, curve: Curve, shift: float) -> None:
    """Draw a line with its error bars; it breaks where a value is missing."""
    gaps = [Point(workers, nan, None, None) for workers, _ in curve.missing]
    points = sorted([*curve.points, *gaps], key=lambda point: point.workers)
    below = [0.0 if point.low is None else point.median - point.low for point in points]
    above = [0.0 if point.high is None else point.high - point.median for point in points]
    axes.errorbar(
        [point.workers + shift for point in points],
        [point.median for point in points],
        yerr=[below, above],
        label=curve.label,
        markerfacecolor="white",
        markeredgewidth=1.5,
    )


def _set_limits(axes: Axes, curves: list[Curve]) -> None:
    """Start y at 0 unless it is logarithmic, and leave half a worker at each end of x."""
    workers = sorted({point.workers for curve in curves for point in curve.points})
    if not workers:
        return
    if is_logarithmic(curves):
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    else:
        axes.set_ylim(0, 1.08 * max(point.high or point.median for curve in curves for point in curve.points))
    axes.set_xlim(workers[0] - 0.5, workers[-1] + 0.5)
    if len(workers) <= 12:
        axes.set_xticks(workers)
    else:
        axes.xaxis.set_major_locator(MaxNLocator(nbins=12, integer=True))


def _mark_oversubscribed(axes: Axes, cpus: int) -> None:
    right = axes.get_xlim()[1]
    if right > cpus + 1:
        axes.axvspan(cpus + 0.5, right, color="#eeeeee", zorder=0)
        axes.text(
            (cpus + 0.5 + right) / 2,
            0.02,
            "oversubscribed",
            ha="center",
            fontsize=8,
            color="#555555",
            transform=axes.get_xaxis_transform(),
        )


def _caption(results: Results, experiment: Experiment, curves: list[Curve]) -> str:
    lines = [f"{how_of(experiment)}; {context_note(results, experiment)}"]
    lines += claim_notes(results, experiment)
    if results.resolver.preset.intervals_under_floor:
        lines.append("intervals of 5 samples are under the floor of 6 for 95 %")
    missing = [f"{curve.label} at {workers}: {why}" for curve in curves for workers, why in curve.missing]
    if missing:
        lines.append("no value: " + "; ".join(missing))
    return "\n".join(part for line in lines for part in textwrap.wrap(line, CAPTION_WIDTH))

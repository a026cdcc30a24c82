"""A panel of curves, by matplotlib, in the thesis' layout: a line a series, error bars."""

from collections.abc import Mapping
from math import nan

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from actorbench.curves import Curve, Point
from actorbench.drawing.panels import Across, Panel

SIDESTEP = 0.05  # of a step of x by which neighbouring series are set apart, so that their error bars show
IDEAL = {"color": "#777777", "linestyle": (0, (5, 3)), "linewidth": 1.2, "marker": ""}
WITHOUT_STEAL = {"color": "#000000", "marker": "x", "markersize": 8, "markeredgewidth": 1.2, "linestyle": ""}
WITHOUT_STEAL_LABEL = "a sample without a steal"
WORKERS = "workers"  # what x is, unless an experiment says otherwise
PLAIN = "{x:g}"  # numbers, where matplotlib would write powers as formulas
LEAVING_STEP = 30  # points between the values of series that leave at the same place

Styles = Mapping[str, Mapping[str, object]]


def draw_lines(axes: Axes, panel: Panel, styles: Styles) -> None:
    """Draw a panel's curves, each in the style of its label, with axes and marks."""
    measured = [curve for curve in panel.curves if not curve.is_ideal]
    shifts = [(number - (len(measured) - 1) / 2) * SIDESTEP for number in range(len(measured))]
    for curve, shift in zip(measured, shifts, strict=True):
        _draw_curve(axes, panel.across, curve, shift, styles[curve.label])
    for curve in panel.curves:
        if curve.is_ideal:
            _draw_ideal(axes, curve)
    _set_limits(axes, panel)
    left_at: dict[int, int] = {}
    for curve, shift in zip(measured, shifts, strict=True):
        _mark_without_steal(axes, panel.across, curve, shift)
        _mark_leaving(axes, panel, curve, shift, str(styles[curve.label]["color"]), left_at)
    if panel.across.name == WORKERS:
        _mark_oversubscribed(axes, panel.cpus)
    if panel.is_empty:
        axes.text(0.5, 0.5, "nothing measured", ha="center", transform=axes.transAxes)


def _draw_curve(axes: Axes, across: Across, curve: Curve, shift: float, style: Mapping[str, object]) -> None:
    """Draw a line with its error bars; it breaks where a value is missing."""
    gaps = [Point(x, nan, None, None) for x, _ in curve.missing]
    points = sorted([*curve.points, *gaps], key=lambda point: point.x)
    below = [0.0 if point.low is None else point.value - point.low for point in points]
    above = [0.0 if point.high is None else point.high - point.value for point in points]
    axes.errorbar(
        [across.beside(point.x, shift) for point in points],
        [point.value for point in points],
        yerr=[below, above],
        label=curve.label,
        markerfacecolor="white",
        markeredgewidth=1.5,
        **style,  # type: ignore[arg-type]
    )


def _draw_ideal(axes: Axes, curve: Curve) -> None:
    axes.plot(
        [point.x for point in curve.points],
        [point.value for point in curve.points],
        label=curve.label,
        zorder=1.5,
        **IDEAL,  # type: ignore[arg-type]
    )


def _mark_without_steal(axes: Axes, across: Across, curve: Curve, shift: float) -> None:
    """Cross the points of cells that had samples without a steal, in a series that is to steal."""
    marked = [point for point in curve.points if point.without_steal]
    if marked:
        axes.plot(
            [across.beside(point.x, shift) for point in marked],
            [point.value for point in marked],
            label=WITHOUT_STEAL_LABEL,
            zorder=4,
            **WITHOUT_STEAL,  # type: ignore[arg-type]
        )


def _mark_leaving(
    axes: Axes, panel: Panel, curve: Curve, shift: float, colour: str, left_at: dict[int, int]
) -> None:
    """Put an arrow and the value where a line leaves; values at the same place stand below each other."""
    for point in panel.axis.leaving(curve):
        number = left_at.setdefault(point.x, 0)
        left_at[point.x] += 1
        place = (panel.across.beside(point.x, shift), panel.axis.top)
        axes.plot(*place, marker="^", color=colour, markersize=7, clip_on=False, zorder=5)
        axes.annotate(
            f"{point.value:.4g}",
            place,
            xytext=(9, -2 - number * LEAVING_STEP),
            textcoords="offset points",
            ha="center",
            va="top",
            rotation=90,
            fontsize=8,
            color=colour,
            bbox={"facecolor": "#ffffff", "edgecolor": "none", "alpha": 0.8, "pad": 0.8},
            zorder=5,
        )


def _set_limits(axes: Axes, panel: Panel) -> None:
    """Set the axes as the panel says, with half a step at each end of x."""
    if panel.is_empty:
        return
    if panel.axis.logarithmic:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(PLAIN)
    axes.set_ylim(panel.axis.bottom, panel.axis.top)
    across = panel.across
    places = sorted({point.x for curve in panel.curves for point in curve.points})
    if across.logarithmic:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(_short)
    elif len(places) <= 12:
        axes.set_xticks(places)
    else:
        axes.xaxis.set_major_locator(MaxNLocator(nbins=12, integer=True))
    axes.set_xlim(across.beside(across.first, -0.5), across.beside(across.last, 0.5))


def _short(number: float, _place: float) -> str:
    """Write a number of an axis of x, where large ones stand close to each other: 100, 10k, 1M."""
    for unit, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= unit:
            return f"{number / unit:g}{sign}"
    return f"{number:g}"


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

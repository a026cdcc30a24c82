"""The table of coverages: methods down, numbers of samples across."""

from collections.abc import Sequence

from actorbench.coverage.simulating import CHANCE, SHAPES, Count
from actorbench.rules import level_text
from actorbench.table import Column, Table

WIDTHS = (10, 20)  # the numbers of samples whose widths are shown
TITLES = {
    "median": "Intervals of a median",
    "pairs": "Intervals of a median of ratios within the rounds",
    "ratio": "Intervals of a ratio of two medians, measured apart",
    "group": "Intervals of a geometric mean of 7 ratios within the rounds",
    "mean": "Intervals of a mean",
}


def coverage_table(counts: Sequence[Count], statistic: str) -> Table:
    """Show a statistic's coverages, those of all levels in one cell; raises KeyError for an unknown one."""
    shown = [one for one in counts if one.statistic == statistic]
    levels = list(dict.fromkeys(one.level for one in shown))
    numbers = list(dict.fromkeys(one.samples for one in shown))
    found = {(one.shape, one.method, one.samples, one.level): one for one in shown}
    rows = [
        [
            shape,
            method,
            *(" ".join(_text(found[shape, method, number, level]) for level in levels) for number in numbers),
            *(f"{found[shape, method, number, levels[0]].width or 0:.2f}" for number in WIDTHS),
        ]
        for shape, method in dict.fromkeys((one.shape, one.method) for one in shown)
    ]
    stated = ", ".join(map(level_text, levels))
    says = "; ".join(f"{name}: {SHAPES[name].says}" for name in dict.fromkeys(one.shape for one in shown))
    notes = [
        f"share (%) of the intervals that hold the truth, where {stated} are stated; in (): so short of it as"
        f" chance gives in {CHANCE:.0%} of such simulations; -: so few samples have no such interval",
        f"width: the median of upper less lower end, in parts of the truth, at {level_text(levels[0])}",
        says,
        f"simulated, {shown[0].trials:,} trials of {shown[0].resamples:,} resamples",
    ]
    columns = [Column("samples", numeric=False), Column("method", numeric=False)]
    columns += [Column(f"n = {number}") for number in numbers]
    columns += [Column(f"width, n = {number}") for number in WIDTHS]
    return Table(f"{TITLES[statistic]}: coverage at {stated}", columns, rows, notes)


def _text(count: Count) -> str:
    if count.share is None:
        return "-"
    text = f"{100 * count.share:.1f}"
    return f"({text})" if count.is_short else text

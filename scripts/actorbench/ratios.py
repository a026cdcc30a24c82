"""Ratios: the rows of every table that sets one cell against another, with their verdicts.

A verdict is the sign test's, corrected by Holm's method over the rows of the table: "not told apart" means
that the samples do not show a difference, not that there is none. A target is met, or not met, only if the
whole interval says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from actorbench.cell import Cell
from actorbench.estimates import CONFIDENCE, Ratio, holm
from actorbench.experiment import Experiment, Reading
from actorbench.measure import MEASURES, Measure
from actorbench.results import Results
from actorbench.rules import samples_needed
from actorbench.stealing import compared_steals
from actorbench.text import counted


@dataclass(frozen=True)
class Row:
    """A comparison of two cells; `adjusted` is Holm's p-value, `trouble` why there is no ratio.

    `steals` says how often each side stole that steals, if the comparison is about stealing.
    """

    reading: Reading
    label: str
    candidate: Cell
    base: Cell
    ratio: Ratio | None
    trouble: str | None
    steals: str
    adjusted: float = 1.0

    @property
    def measure(self) -> Measure:
        """What is compared."""
        return MEASURES[self.reading.measure]

    @property
    def direction(self) -> str:
        """What the ratio divides by what, and which side of 1 is good."""
        quantity = self.measure.label
        if self.reading.speedup:
            return f"speed-up: {quantity} of base / of candidate; over 1 is faster"
        return (
            f"{quantity} of candidate / of base; under 1 is {verdict_word(self.measure.name, smaller=True)}"
        )

    @property
    def verdict(self) -> str:
        """faster, slower (less, more for memory and CPU time), not told apart, or why nothing can be said."""
        if self.ratio is None:
            return self.trouble or "not measured"
        return verdict_of(self.ratio, self.adjusted, self.measure.name, speedup=self.reading.speedup)

    @property
    def target(self) -> str:
        """The row's target and whether it is met; empty without a target."""
        wanted = []
        for name, bound in (("at least", self.reading.at_least), ("at most", self.reading.at_most)):
            if bound is not None:
                wanted.append(f"{name} {bound:g}: {self._met(name == 'at least', bound)}")
        return "; ".join(wanted)

    def _met(self, at_least: bool, bound: float) -> str:
        if self.ratio is None or self.ratio.low is None or self.ratio.high is None:
            return "undecided"
        if self.ratio.low <= bound <= self.ratio.high and self.ratio.low < self.ratio.high:
            return "undecided"
        return "met" if (self.ratio.ratio >= bound) == at_least or self.ratio.ratio == bound else "not met"


def verdict_of(ratio: Ratio, adjusted: float, measure: str, *, speedup: bool = False) -> str:
    """Say what a ratio tells of a measure, given by its name; `adjusted` is its p-value by Holm's method."""
    if ratio.low is None:
        return "too few samples"
    if adjusted > 1 - CONFIDENCE or ratio.ratio == 1:
        return "not told apart"
    return verdict_word(measure, smaller=(ratio.ratio > 1) == speedup)


def verdict_word(measure: str, *, smaller: bool) -> str:
    """Say what a smaller or larger value of a measure means."""
    better, worse = ("faster", "slower") if measure == "time_per_operation" else ("less", "more")
    return better if smaller else worse


def compare_rows(results: Results, experiment: Experiment) -> list[Row]:
    """Compare what the experiment asks to compare, one row a pair of cells, in the order of the file.

    The p-values are corrected over all of them.
    """
    return corrected(
        [
            _row(results, comparison.reading, candidate, base, several=len(pairs) > 1)
            for comparison in experiment.comparisons
            for pairs in [results.resolver.pairs(experiment, comparison)]
            for candidate, base in pairs
        ]
    )


def corrected(rows: Sequence[Row]) -> list[Row]:
    """Correct the p-values of a table's rows for each other, by Holm's method."""
    adjusted = iter(holm([row.ratio.p_value for row in rows if row.ratio]))
    return [replace(row, adjusted=next(adjusted)) if row.ratio else row for row in rows]


def correction(rows: Sequence[Row]) -> str:
    """Say for how many comparisons the verdicts are corrected: all of a table."""
    count = sum(row.ratio is not None for row in rows)
    return f"corrected for the {counted(count, 'comparison')} of this table by Holm's method"


def reach_note(rows: Sequence[Row]) -> list[str]:
    """Say so if there are too few rounds to tell any row apart, beside so many others."""
    counts = [row.ratio.count for row in rows if row.ratio]
    if not counts or max(counts) >= (needed := samples_needed(len(counts))):
        return []
    return [f"{len(counts)} comparisons need {needed} samples a cell before any can be told apart"]


def by_direction(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """Group rows that are read in the same way, each group in the order of the file."""
    ordered = sorted(rows, key=lambda row: row.direction)
    groups = {direction: list(group) for direction, group in groupby(ordered, key=lambda row: row.direction)}
    first_seen = dict.fromkeys(row.direction for row in rows)
    return [(direction, groups[direction]) for direction in first_seen]


def _row(results: Results, reading: Reading, candidate: Cell, base: Cell, *, several: bool) -> Row:
    above, below = (base, candidate) if reading.speedup else (candidate, base)
    label = reading.label
    if several and candidate.workers is not None:
        label += f", {workers_text(candidate.workers)}"
    if results.is_oversubscribed(candidate) or results.is_oversubscribed(base):
        label += " (oversubscribed)"
    steals = compared_steals({"candidate": (results, candidate), "base": (results, base)})
    if candidate == base:
        return Row(reading, label, candidate, base, None, "the same cell here", steals)
    trouble = results.result(candidate).trouble or results.result(base).trouble
    ratio = results.ratio(above, below, MEASURES[reading.measure])
    return Row(reading, label, candidate, base, ratio, trouble, steals)


def workers_text(workers: int) -> str:
    """Write a number of workers as in "1 worker"."""
    return counted(workers, "worker")

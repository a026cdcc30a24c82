"""Comparisons: the rows of a table of ratios, with their verdicts.

A verdict is the sign test's, corrected by Holm's method over the rows of the table: "not told apart" means
that the samples do not show a difference, not that there is none. A target is met, or not met, only if the
whole interval says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from actorbench.cell import Cell
from actorbench.estimates import CONFIDENCE, Ratio, holm
from actorbench.experiment import Comparison, Experiment
from actorbench.measure import MEASURES
from actorbench.results import Results
from actorbench.rules import samples_needed
from actorbench.stealing import STEALS_NOTE, compared_steals


@dataclass(frozen=True)
class Row:
    """A comparison of two cells; `adjusted` is Holm's p-value, `trouble` why there is no ratio.

    `steals` says how often each side stole that steals, if the comparison is about stealing.
    """

    comparison: Comparison
    label: str
    candidate: Cell
    base: Cell
    ratio: Ratio | None
    trouble: str | None
    steals: str
    adjusted: float = 1.0

    @property
    def is_test(self) -> bool:
        """Whether two cells are compared: with a ratio, of more than one cell."""
        return self.ratio is not None and self.candidate != self.base

    @property
    def direction(self) -> str:
        """What the ratio divides by what, and which side of 1 is good."""
        quantity = MEASURES[self.comparison.measure].label
        if self.comparison.speedup:
            return f"speed-up: {quantity} of base / of candidate; over 1 is faster"
        good = "faster" if self._is_time() else "less"
        return f"{quantity} of candidate / of base; under 1 is {good}"

    @property
    def verdict(self) -> str:
        """faster, slower (less, more for memory and CPU time), not told apart, or why nothing can be said."""
        if self.ratio is None:
            return self.trouble or "not measured"
        if self.candidate == self.base:
            return "the same cell here"
        if self.ratio.low is None:
            return "too few samples"
        if not told_apart(self.ratio, self.adjusted):
            return "not told apart"
        return verdict_word(
            self.comparison.measure, smaller=(self.ratio.ratio > 1) == self.comparison.speedup
        )

    @property
    def target(self) -> str:
        """The row's target and whether it is met; empty without a target."""
        wanted = []
        for name, bound in (("at least", self.comparison.at_least), ("at most", self.comparison.at_most)):
            if bound is not None:
                wanted.append(f"{name} {bound:g}: {self._met(name == 'at least', bound)}")
        return "; ".join(wanted)

    def _is_time(self) -> bool:
        return self.comparison.measure == "time_per_operation"

    def _met(self, at_least: bool, bound: float) -> str:
        if self.ratio is None or self.ratio.low is None or self.ratio.high is None:
            return "undecided"
        if self.ratio.low <= bound <= self.ratio.high and self.ratio.low < self.ratio.high:
            return "undecided"
        return "met" if (self.ratio.ratio >= bound) == at_least or self.ratio.ratio == bound else "not met"


def told_apart(ratio: Ratio, adjusted: float) -> bool:
    """Whether a ratio differs from 1 at the 5 % level, by its p-value corrected for the others shown."""
    return ratio.low is not None and adjusted <= 1 - CONFIDENCE and ratio.ratio != 1


def verdict_word(measure: str, *, smaller: bool) -> str:
    """Say what a smaller or larger value of a measure means."""
    better, worse = ("faster", "slower") if measure == "time_per_operation" else ("less", "more")
    return better if smaller else worse


def compare_rows(results: Results, experiment: Experiment) -> list[Row]:
    """Compare what the experiment asks to compare, one row a pair of cells, in the order of the file.

    The p-values are corrected over all of them.
    """
    rows = [
        _row(results, comparison, candidate, base, several=len(pairs) > 1)
        for comparison in experiment.comparisons
        for pairs in [results.resolver.pairs(experiment, comparison)]
        for candidate, base in pairs
    ]
    tested = [row for row in rows if row.is_test]
    p_values = holm([row.ratio.p_value for row in tested if row.ratio])
    adjusted = dict(zip(map(id, tested), p_values, strict=True))
    return [replace(row, adjusted=adjusted[id(row)]) if id(row) in adjusted else row for row in rows]


def correction(rows: Sequence[Row]) -> str:
    """Say for how many comparisons the verdicts are corrected: all of a table."""
    count = sum(row.is_test for row in rows)
    return f"corrected for the {count} comparison{'s' if count != 1 else ''} of this table by Holm's method"


def reach_note(rows: Sequence[Row]) -> list[str]:
    """Say so if there are too few rounds to tell any row apart, beside so many others."""
    return reach_lines([row.ratio.count for row in rows if row.ratio and row.is_test])


def reach_lines(counts: Sequence[int]) -> list[str]:
    """Say so if the pairs of each of some comparisons are too few for one of so many to be told apart."""
    if not counts or max(counts) >= (needed := samples_needed(len(counts))):
        return []
    return [f"{len(counts)} comparisons need {needed} samples a cell before any can be told apart"]


def by_direction(rows: list[Row]) -> list[tuple[str, list[Row]]]:
    """Group rows that are read in the same way, each group in the order of the file."""
    ordered = sorted(rows, key=lambda row: row.direction)
    groups = {direction: list(group) for direction, group in groupby(ordered, key=lambda row: row.direction)}
    first_seen = dict.fromkeys(row.direction for row in rows)
    return [(direction, groups[direction]) for direction in first_seen]


def steals_note(rows: Sequence[Row]) -> list[str]:
    """Explain the steals of a table, if a row of it has some."""
    return [STEALS_NOTE] if any(row.steals for row in rows) else []


def _row(results: Results, comparison: Comparison, candidate: Cell, base: Cell, *, several: bool) -> Row:
    measure = MEASURES[comparison.measure]
    above, below = (base, candidate) if comparison.speedup else (candidate, base)
    label = comparison.label
    if several and candidate.workers is not None:
        label += f", {workers_text(candidate.workers)}"
    if results.is_oversubscribed(candidate) or results.is_oversubscribed(base):
        label += " (oversubscribed)"
    trouble = results.result(candidate).trouble or results.result(base).trouble
    steals = compared_steals({"candidate": (results, candidate), "base": (results, base)})
    return Row(comparison, label, candidate, base, results.ratio(above, below, measure), trouble, steals)


def workers_text(workers: int) -> str:
    """Write a number of workers as in "1 worker"."""
    return "1 worker" if workers == 1 else f"{workers} workers"

"""What the gate decides: per cell and measure, and over all.

Base, candidate and null arm (the base, built a second time) are measured in the same rounds. A cell is
flagged if its ratio to the base is over 1 at the 5 % level (exact sign test, corrected by Holm over all cells
and measures gated together) and its median over 1 + delta, with delta the larger of a threshold (5 %) and the
95th percentile of the cell's own A/A history, but never more than the user allows. A flagged cell is measured
again in a fresh batch, and fails only if it is flagged again. If the null arm moves as far, in either
direction, or the history knows of noise beyond delta, nothing can be concluded (statistics rules, "The
gate"). Memory is decided like time.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf, isfinite
from typing import TypeVar

from actorbench.counts.changes import Change
from actorbench.errors import EXIT_BENCHMARK_FAILED, EXIT_INCONCLUSIVE, EXIT_OK, EXIT_REGRESSION
from actorbench.estimates import CONFIDENCE, Ratio, holm, paired_ratio
from actorbench.gate.power import smallest_found
from actorbench.measure import MEASURES, Measure

GATED = ("time_per_operation", "peak_memory")
THRESHOLD = 0.05
FEWEST_PAIRS = 20

Pairs = Sequence[tuple[float, float]]
Name = TypeVar("Name", bound=Hashable)


class Verdict(Enum):
    """What the gate says of a cell's measure, and over all."""

    PASS = "PASS"
    FAIL = "FAIL"
    INCONCLUSIVE = "INCONCLUSIVE"
    BROKEN = "BROKEN"  # a benchmark failed, or a side did not build

    @property
    def exit_status(self) -> int:
        """The exit status that the verdict over all ends the driver with."""
        return {
            Verdict.PASS: EXIT_OK,
            Verdict.FAIL: EXIT_REGRESSION,
            Verdict.INCONCLUSIVE: EXIT_INCONCLUSIVE,
            Verdict.BROKEN: EXIT_BENCHMARK_FAILED,
        }[self]


@dataclass(frozen=True)
class Batch:
    """One batch's ratios to the base; the p-values are Holm's, over all that the batch tested."""

    candidate: Ratio
    null: Ratio
    candidate_p: float
    null_p: float
    flagged: bool
    null_flagged: bool


@dataclass(frozen=True)
class Line:
    """A cell's measure: what was found, the verdict, and why in a few words.

    `delta` is the fraction that a median must exceed to be flagged; `smallest` the slow-down, as a fraction,
    that would have been found in 9 of 10 tries, None where that can't be said. A measure that is timed has
    batches of pairs, one that is counted a change.
    """

    cell: str
    command: str
    measure: Measure
    delta: float
    batches: tuple[Batch, ...]
    smallest: float | None
    verdict: Verdict
    reason: str
    oversubscribed: bool = False
    change: Change | None = None


@dataclass(frozen=True)
class Outcome:
    """All that a gate found. `base` and `candidate` are as the user named them, with the commit."""

    run: str
    base: str
    candidate: str
    lines: tuple[Line, ...]
    notes: tuple[str, ...]
    budget_s: float
    spent_s: float

    @property
    def verdict(self) -> Verdict:
        """The verdict over all: a failed benchmark before a regression, before what is inconclusive."""
        found = {line.verdict for line in self.lines}
        order = (Verdict.BROKEN, Verdict.FAIL, Verdict.INCONCLUSIVE, Verdict.PASS)
        return next((verdict for verdict in order if verdict in found), Verdict.BROKEN)

    def of(self, verdict: Verdict) -> list[Line]:
        """The lines of a verdict."""
        return [line for line in self.lines if line.verdict is verdict]


@dataclass(frozen=True)
class Values:
    """A batch's pairs (arm, base) of one cell and measure, in the order of rounds."""

    candidate: Pairs
    null: Pairs


def judge_batch(values: Mapping[Name, Values], deltas: Mapping[Name, float]) -> dict[Name, Batch]:
    """Judge the cells and measures of one batch together; the names are the caller's."""
    candidates = {name: paired_ratio(*zip(*one.candidate, strict=True)) for name, one in values.items()}
    nulls = {name: paired_ratio(*zip(*one.null, strict=True)) for name, one in values.items()}
    candidate_p = _adjusted(candidates)
    null_p = _adjusted(nulls)
    return {
        name: Batch(
            candidate=candidates[name],
            null=nulls[name],
            candidate_p=candidate_p[name],
            null_p=null_p[name],
            flagged=_over(candidates[name].ratio, candidate_p[name], deltas[name]),
            null_flagged=_over(nulls[name].ratio, null_p[name], deltas[name])
            or _over(1 / nulls[name].ratio, null_p[name], deltas[name]),
        )
        for name in values
    }


@dataclass(frozen=True)
class Limits:
    """What a verdict is held against, as fractions.

    `delta` is what a median must exceed 1 by, `tail` the noise that the history knows of. `find` is what a
    PASS must rule out, `smallest` what would have been found (None: not known), `remedy` how to find more.
    """

    delta: float
    tail: float = 0.0
    find: float = inf
    smallest: float | None = 0.0
    remedy: str = ""

    @property
    def hides(self) -> bool:
        """Whether no change at all has moved this cell by more than delta."""
        return self.tail > self.delta

    @property
    def is_blind(self) -> bool:
        """Whether what is to be found could have been missed."""
        return self.smallest is None or self.smallest > self.find


def decide(first: Batch, again: Batch | None, limits: Limits) -> tuple[Verdict, str]:
    """Give the verdict of a cell's measure after one batch or two, and why."""
    if first.candidate.count < FEWEST_PAIRS:
        return (
            Verdict.INCONCLUSIVE,
            f"{first.candidate.count} pairs fitted the budget, {FEWEST_PAIRS} are needed",
        )
    if first.null_flagged:
        return Verdict.INCONCLUSIVE, f"the base differs from itself: {first.null.ratio:.3f}"
    if not first.flagged:
        return _passed(limits, "")
    if again is None or again.candidate.count < FEWEST_PAIRS:
        return Verdict.INCONCLUSIVE, "flagged, and the budget left no time to confirm it"
    if again.null_flagged:
        return Verdict.INCONCLUSIVE, f"flagged, then the base differed from itself: {again.null.ratio:.3f}"
    if not again.flagged:
        return _passed(
            limits, f"flagged at {first.candidate.ratio:.3f}, and not again: {again.candidate.ratio:.3f}"
        )
    twice = f"flagged twice: {first.candidate.ratio:.3f}, then {again.candidate.ratio:.3f}"
    if min(first.candidate.ratio, again.candidate.ratio) <= 1 + limits.tail:
        return Verdict.INCONCLUSIVE, f"{twice}; but {_noise_text(limits)}"
    return Verdict.FAIL, twice


def detectable(values: Values, delta: float, *, again: int, tests: int, seed: int) -> float | None:
    """Give the smallest slow-down that the noise of these pairs lets be found in 9 of 10 tries.

    `again` are the pairs of the fresh batch.
    """
    if len(values.candidate) < FEWEST_PAIRS:
        return None
    counts = (len(values.candidate), again)
    return smallest_found([values.candidate, values.null], delta, counts=counts, tests=tests, seed=seed)


def measures() -> list[Measure]:
    """The measures that are gated."""
    return [MEASURES[name] for name in GATED]


def _passed(limits: Limits, reason: str) -> tuple[Verdict, str]:
    """Pass what would have been seen had it been there."""
    if limits.hides:
        return Verdict.INCONCLUSIVE, _noise_text(limits)
    if limits.is_blind:
        known = limits.smallest is not None and isfinite(limits.smallest)
        found = f"{100 * (limits.smallest or 0):.1f} %" if known else "nothing"
        asked = f"{100 * limits.find:.1f} %"
        return Verdict.INCONCLUSIVE, f"would find {found}, not the {asked} asked for; {limits.remedy}"
    return Verdict.PASS, reason


def _noise_text(limits: Limits) -> str:
    seen, most = (f"{100 * fraction:.1f} %" for fraction in (limits.tail, limits.delta))
    return f"here no change at all has moved it by {seen}, over the {most} allowed (--most-delta)"


def _over(ratio: float, p_value: float, delta: float) -> bool:
    return ratio > 1 + delta and p_value <= 1 - CONFIDENCE


def _adjusted(ratios: Mapping[Name, Ratio]) -> dict[Name, float]:
    return dict(zip(ratios, holm([ratio.p_value for ratio in ratios.values()]), strict=True))

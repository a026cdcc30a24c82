"""Statements: what a bound comes to, round by round.

A bound of any kind is one statement or several, of the form "the median over the rounds of a number is at
most (at least) a border", the number being computed from samples of one round alone. A round agrees or does
not, and the count of those that do is binomial: each statement has the exact sign test (Conover, Practical
Nonparametric Statistics, section 3.4), whatever the samples' distribution. A bound holds if all its
statements do.

Arrays are the values of a cell, one a round; those given together are of the same rounds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from actorbench.estimates import interval_rank, median

Values = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
Agreeing = np.ndarray[tuple[Any, ...], np.dtype[np.bool]]


@dataclass(frozen=True)
class Statement:
    """A statement with which `agreeing` of `count` agree; `middle` is the median of its number.

    `low` and `high` are the exact 95 % interval of that median, None for too few. It takes `rounds` rounds to
    agree once or not.
    """

    says: str
    unit: str
    middle: float
    low: float | None
    high: float | None
    count: int
    agreeing: int
    rounds: int = 1


def at_most(says: str, numbers: Values, border: float, *, unit: str = "", strict: bool = False) -> Statement:
    """State that the median of the numbers is at most the border, or under it."""
    agrees = numbers < border if strict else numbers <= border
    return stated(f"{says} {'under' if strict else 'at most'} {border:.4g}", numbers, agrees, unit)


def at_least(says: str, numbers: Values, border: float, *, unit: str = "", strict: bool = False) -> Statement:
    """State that the median of the numbers is at least the border, or over it."""
    agrees = numbers > border if strict else numbers >= border
    return stated(f"{says} {'over' if strict else 'at least'} {border:.4g}", numbers, agrees, unit)


def stated(says: str, numbers: Values, agrees: Agreeing, unit: str = "") -> Statement:
    """State something of numbers, of which each agrees or does not."""
    ordered = np.sort(numbers)
    rank = interval_rank(len(ordered))
    low, high = (float(ordered[rank - 1]), float(ordered[-rank])) if rank else (None, None)
    middle = float(median(ordered)) if len(ordered) else float("nan")
    return Statement(says, unit, middle, low, high, len(ordered), int(np.count_nonzero(agrees)))


def bounded(
    says: str, numbers: Values, least: float | None, most: float | None, unit: str = ""
) -> list[Statement]:
    """State one or both bounds of numbers: a ratio, a counter, a share of one counter in another."""
    found = [] if least is None else [at_least(says, numbers, least, unit=unit)]
    return found + ([] if most is None else [at_most(says, numbers, most, unit=unit)])


def same(says: str, ratios: Values, within: float) -> list[Statement]:
    """State that a ratio is 1 within a fraction to both sides: two one-sided tests.

    Schuirmann, J. Pharmacokinetics and Biopharmaceutics 15 (1987); here of signs, on a logarithmic axis.
    """
    return bounded(says, ratios, 1 / (1 + within), 1 + within)


def all_same(cells: Mapping[str, Values], within: float) -> list[Statement]:
    """State that cells are the same within a fraction: each pair of them."""
    return [
        one
        for (left, above), (right, below) in combinations(cells.items(), 2)
        for one in same(f"{left} / {right}", above / below, within)
    ]


def gap(cells: Mapping[str, Values], within: float, unit: str) -> list[Statement]:
    """State that no two cells are further apart than so much, in their unit: each pair, both ways."""
    return [
        one
        for (left, above), (right, below) in combinations(cells.items(), 2)
        for one in bounded(f"{left} less {right}", above - below, -within, within, unit)
    ]


def order(groups: Sequence[Mapping[str, Values]], factors: Sequence[float]) -> list[Statement]:
    """State that each cell of a group takes more than each of the group before, by over a factor."""
    return [
        at_least(f"{later} / {earlier}", above / below, factor, strict=True)
        for (first, second), factor in zip(pairwise(groups), factors, strict=True)
        for earlier, below in first.items()
        for later, above in second.items()
    ]


def trend(
    label: str,
    by_workers: Mapping[int, Values],
    shape: str,
    *,
    within: float,
    most: float | None = None,
    bottom: int | None = None,
) -> list[Statement]:
    """State the shape of a curve over workers (at least two counts, ascending), each of one unit.

    falls, rises: from the first count to the last, and by no step more than `within` to the other side;
    `most` bounds what the last is of the first. flat: every count as the first, within. bottoms: falls up to
    `bottom`, after which no count is faster by more than `within`.
    """
    counts = list(by_workers)

    def ratio(later: int, earlier: int) -> tuple[str, Values]:
        return f"{label}: {later} / {earlier} workers", by_workers[later] / by_workers[earlier]

    if shape == "flat":
        return [one for count in counts[1:] for one in same(*ratio(count, counts[0]), within)]
    if shape == "bottoms":
        assert bottom is not None
        falling = {count: by_workers[count] for count in counts if count <= bottom}
        lowest = max(falling)
        after = [at_least(*ratio(count, lowest), 1 / (1 + within)) for count in counts if count > bottom]
        return trend(label, falling, "falls", within=within) + after
    ends = ratio(counts[-1], counts[0])
    steps = [ratio(later, earlier) for earlier, later in pairwise(counts)] if len(counts) > 2 else []
    if shape == "falls":
        found = [at_most(*ends, 1, strict=True)]
        return found + [at_most(*step, 1 + within) for step in steps]
    found = [at_least(*ends, 1, strict=True)] + ([] if most is None else [at_most(*ends, most)])
    return found + [at_least(*step, 1 / (1 + within)) for step in steps]


def spread(
    says: str, above: Values, below: Values, least: float | None, most: float | None
) -> list[Statement]:
    """State how many times as spread the logarithms of one cell are as those of another.

    Each two rounds that follow each other, none used twice, give each cell's difference, whatever its
    median; the ratio of both cells' differences has the ratio of their spreads for its median, where both are
    distributed alike but for their scale. Halves the number of rounds, and needs no estimate of a median.
    """
    tiny = np.finfo(float).tiny  # samples that are the same differ by nothing
    upper, lower = (_differences(one) + tiny for one in (above, below))
    return [replace(one, rounds=2) for one in bounded(says, upper / lower, least, most)]


def share(
    says: str, fast: Values, without: Values, whole: Values, least: float | None, most: float | None
) -> list[Statement]:
    """State what share of the gain of `fast` over `whole` is lost in `without`, and that there is a gain.

    The share is (without - fast) / (whole - fast); a round agrees by the differences, which needs no division
    by a gain that may be next to nothing.
    """
    gain, part = whole - fast, without - fast
    found = [at_least(f"{says}: the whole gain, as a ratio,", whole / fast, 1, strict=True)]
    shares = part / np.where(gain == 0, np.finfo(float).tiny, gain)
    if least is not None:
        found.append(stated(f"{says}: share at least {least:.4g}", shares, part >= least * gain))
    if most is not None:
        found.append(stated(f"{says}: share at most {most:.4g}", shares, part <= most * gain))
    return found


def cases(
    says: str, ratios: Sequence[Sequence[Values]], least: float | None, most: float | None
) -> list[Statement]:
    """State in what share of some cases all of a case's ratios are over 1: so many of some benchmarks."""
    over = [np.all([values > 1 for values in one], axis=0) for one in ratios]
    shares = np.asarray(np.mean(over, axis=0), dtype=float)
    return bounded(f"{says}: share of {len(ratios)} cases", shares, least, most)


def _differences(values: Values) -> Values:
    """Give how far apart the logarithms of each two values are that follow each other, none used twice."""
    pairs = np.log(values[: len(values) // 2 * 2]).reshape(-1, 2)
    return np.asarray(np.abs(pairs[:, 1] - pairs[:, 0]))

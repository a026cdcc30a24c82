"""The power of the gate: which slow-down it would have found, and how many pairs it takes to find one.

A slow-down shifts every log-ratio alike. The shift that flags a batch is the one that lifts its median over 1
+ delta and enough of its pairs over 1 for the sign test; it must do so in two batches running, since a
flagged cell is confirmed. Holm's correction is taken at its strictest, as if no other cell differed.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, exp, log, log1p, sqrt

import numpy as np
from scipy import stats

from actorbench.estimates import CONFIDENCE

CERTAINTY = 0.9  # a slow-down counts as found if it is in 9 of 10 tries
PLANNED = 0.99  # pairs are planned for more, since disturbances come in swarms
OUTLYING = 3.0  # spreads; a pair farther off than that was disturbed
RESAMPLES = 2000
MEDIAN_LOSS = 1.2533  # the error of a median over that of a mean, for normal noise: sqrt(pi / 2)
MOST_PAIRS = 200


def smallest_found(
    arms: Sequence[Sequence[tuple[float, float]]],
    delta: float,
    *,
    counts: tuple[int, int],
    tests: int,
    seed: int,
) -> float:
    """Give the slow-down, as a fraction, found with CERTAINTY at the noise of these pairs of values.

    Each arm's log-ratios are centred on their median and pooled: their scatter is the noise, their centres
    are not. `counts` are the pairs of both batches, `tests` the number of comparisons corrected together.
    """
    logs = [np.log([top / bottom for top, bottom in arm]) for arm in arms]
    noise = np.concatenate([values - np.median(values) for values in logs])
    rng = np.random.default_rng(seed)
    needed = [_shift_needed(noise, count, delta, tests, rng) for count in counts]
    shift = float(np.quantile(np.maximum(*needed), CERTAINTY, method="higher"))
    return exp(max(0.0, shift)) - 1


def pairs_to_find(
    arms: Sequence[Sequence[tuple[float, float]]], delta: float, find: float, *, tests: int, seed: int
) -> int | None:
    """Give the pairs of each batch, an even number, that find a slow-down of `find` with CERTAINTY.

    By the noise of these pairs, as `smallest_found` takes it; None if MOST_PAIRS are not enough.
    """

    def finds(count: int) -> bool:
        return smallest_found(arms, delta, counts=(count, count), tests=tests, seed=seed) <= find

    low, high = 0, MOST_PAIRS // 2
    if not finds(2 * high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if finds(2 * middle) else (middle, high)
    return 2 * high


def pairs_wanted(
    spread: float, delta: float, find: float, *, tests: int, fewest: int, outliers: float = 0.0
) -> int:
    """Give the pairs a batch needs to find a slow-down of `find` as surely as PLANNED; MOST_PAIRS if more.

    `spread` is the standard deviation of one pair's log-ratio, taken as normal but for a share of
    `outliers`, half of which point the other way whatever the slow-down; `delta` and `find` are fractions.
    Over-estimates the spread's effect a little: the two conditions are asked for separately.
    """
    one_batch = sqrt(PLANNED)
    margin = log1p(find) - log1p(delta)
    if margin <= 0:
        return MOST_PAIRS
    quantile = float(stats.norm.ppf(one_batch))
    by_median = ceil((quantile * MEDIAN_LOSS * spread / margin) ** 2)
    under = float(stats.norm.cdf(-log1p(find) / spread)) if spread > 0 else 0.0
    under += outliers / 2
    for count in range(max(fewest, by_median), MOST_PAIRS):
        if stats.binom.cdf(most_contrary(count, tests), count, under) >= one_batch:
            return count + count % 2
    return MOST_PAIRS


@lru_cache(maxsize=1024)
def most_contrary(count: int, tests: int) -> int:
    """How many of `count` pairs may point the other way if the sign test is still to tell; -1 if none."""
    level = (1 - CONFIDENCE) / tests / 2
    most = int(stats.binom.ppf(level, count, 0.5))
    return most if stats.binom.cdf(most, count, 0.5) <= level else most - 1


def spread_of(pairs: Sequence[tuple[float, float]]) -> float:
    """The standard deviation of one pair's log-ratio, by the quartiles, so that outliers don't count."""
    low, high = np.percentile(_logs(pairs), [25, 75])
    return float((high - low) / 1.349)


def outliers_of(pairs: Sequence[tuple[float, float]]) -> float:
    """The share of pairs that lie farther from their median than OUTLYING spreads: disturbed ones."""
    logs = np.asarray(_logs(pairs))
    return float(np.mean(np.abs(logs - np.median(logs)) > OUTLYING * spread_of(pairs)))


def _logs(pairs: Sequence[tuple[float, float]]) -> list[float]:
    return [log(top / bottom) for top, bottom in pairs]


def _shift_needed(
    noise: np.ndarray[tuple[int], np.dtype[np.float64]],
    count: int,
    delta: float,
    tests: int,
    rng: np.random.Generator,
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    drawn = np.sort(rng.choice(noise, size=(RESAMPLES, count)), axis=1)
    rank = most_contrary(count, tests)
    if rank < 0:
        return np.full(RESAMPLES, np.inf)
    by_median = log1p(delta) - np.median(drawn, axis=1)
    by_sign = -drawn[:, rank]
    needed: np.ndarray[tuple[int], np.dtype[np.float64]] = np.maximum(by_median, by_sign)
    return needed

"""Estimates: medians, means and ratios with intervals, out of samples.

The rules (statistics rules, "Estimates"): one process gives one value and no value is dropped. A cell is its
median with the exact interval between two of its samples in order of size, which holds for data of any shape;
no bootstrap covers what it states for a median of so few samples (docs/intervals.md). Only the thesis' preset
draws the thesis' percentile bootstrap. Where a source draws means, it is its mean with Student's interval.
Two cells of the same rounds are compared in pairs: the median of the log-ratios, exponentiated, with the same
interval as a median, which is that of the sign test. Two cells measured apart are compared by the ratio of
their medians, with its percentile bootstrap interval, which does cover; so does that of the geometric mean of
several ratios, for which whole rounds are resampled. Several comparisons shown together are corrected by
Holm's method. Fewer than 6 samples allow no 95 % statement; 10 are wanted to display one.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from typing import Any

import numpy as np
from scipy import stats

from actorbench import rules
from actorbench.rules import MEAN, MEDIAN

CONFIDENCE = rules.CONFIDENCE
RESAMPLES = 10_000
ENOUGH = rules.ENOUGH
THESIS_SAMPLES = 5

_Array = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]


class Method(Enum):
    """What drew an interval, as captions name it."""

    ORDER = "order statistics"
    SIGN = "sign test"
    STUDENT = "Student's t"
    BOOTSTRAP = "percentile bootstrap"


class Standing(Enum):
    """What the number of samples allows to say."""

    ENOUGH = "enough samples"
    FEW = "few samples"
    UNDER_FLOOR = "under the floor"
    TOO_FEW = "too few samples"


@dataclass(frozen=True)
class Estimate:
    """A median or mean of `count` samples; `low` and `high` are None where no interval may be stated."""

    value: float
    low: float | None
    high: float | None
    count: int
    standing: Standing


@dataclass(frozen=True)
class Ratio:
    """A ratio of `count` pairs, or of arms of at least `count`; `p_value` is two-sided, against 1."""

    ratio: float
    low: float | None
    high: float | None
    count: int
    standing: Standing
    p_value: float

    @property
    def inverse(self) -> "Ratio":
        """The other cell over this: the interval of a median of log-ratios turns round with it."""
        low, high = (None if end is None else 1 / end for end in (self.high, self.low))
        return replace(self, ratio=1 / self.ratio, low=low, high=high)


def standing(count: int, *, as_thesis: bool = False, confidence: float = CONFIDENCE) -> Standing:
    """Rate a number of samples; `as_thesis` is the thesis preset's leave to show 5."""
    if count < rules.fewest(confidence):
        return Standing.UNDER_FLOOR if as_thesis and count >= THESIS_SAMPLES else Standing.TOO_FEW
    return Standing.ENOUGH if count >= ENOUGH else Standing.FEW


def estimate(
    values: Sequence[float],
    *,
    seed: int,
    name: str,
    as_thesis: bool = False,
    confidence: float = CONFIDENCE,
    kind: str = MEDIAN,
) -> Estimate:
    """Estimate the median, or mean, of the values (at least one), each from one process.

    `confidence` is over 95 % where the samples were looked at more than once. `as_thesis` draws the interval
    as the thesis does, by the percentile bootstrap, also of 5 samples: `seed` is the run's and `name` tells
    this estimate from the run's others, so that each has its own resamples and a run gives the same again.
    """
    array = np.asarray(values, dtype=float)
    value = float(np.mean(array) if kind == MEAN else np.median(array))
    rated = standing(len(values), as_thesis=as_thesis, confidence=confidence)
    if rated is Standing.TOO_FEW:
        return Estimate(value, None, None, len(values), rated)
    if kind == MEAN:
        low, high = mean_interval(array, confidence=confidence)
    elif as_thesis:
        rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
        low, high = bootstrap_interval(array, rng, confidence=confidence)
    else:
        low, high = order_interval(array, confidence=confidence)
    return Estimate(value, float(low), float(high), len(values), rated)


def order_interval(values: _Array, *, confidence: float = CONFIDENCE) -> tuple[_Array, _Array]:
    """Give low and high of the median along the last axis: two of the values themselves.

    Exact for values of any one distribution, and at least as sure where they drift. Raises ValueError for
    fewer values than the confidence needs.
    """
    count = values.shape[-1]
    rank = interval_rank(count, confidence)
    if rank is None:
        raise ValueError(f"{count} values allow no interval with a confidence of {confidence}")
    ordered = np.sort(values, axis=-1)
    return ordered[..., rank - 1], ordered[..., count - rank]


def bootstrap_interval(
    values: _Array, rng: np.random.Generator, *, confidence: float = CONFIDENCE
) -> tuple[_Array, _Array]:
    """Give low and high of the median along the last axis, by the percentile bootstrap."""
    interval = stats.bootstrap(
        (values,),
        median,
        axis=-1,
        n_resamples=RESAMPLES,
        confidence_level=confidence,
        method="percentile",
        rng=rng,
    ).confidence_interval
    return np.asarray(interval.low), np.asarray(interval.high)


def mean_interval(values: _Array, *, confidence: float = CONFIDENCE) -> tuple[_Array, _Array]:
    """Give low and high of the mean along the last axis, by Student's t (at least 2 values)."""
    mean = values.mean(axis=-1)
    reach = stats.sem(values, axis=-1) * stats.t.ppf((1 + confidence) / 2, values.shape[-1] - 1)
    return mean - reach, mean + reach


def paired_ratio(numerators: Sequence[float], denominators: Sequence[float]) -> Ratio:
    """Compare two cells measured in the same rounds: value i of each (over 0) is from the same round.

    Raises ValueError if the two differ in length or are empty.
    """
    if len(numerators) != len(denominators) or not numerators:
        raise ValueError("paired values must be as many on both sides, and at least one")
    logs = np.log(np.asarray(numerators, dtype=float) / np.asarray(denominators, dtype=float))
    ratio, rated = float(np.exp(np.median(logs))), standing(len(logs))
    if rated is Standing.TOO_FEW:
        return Ratio(ratio, None, None, len(logs), rated, sign_test(logs))
    low, high = np.exp(order_interval(logs))
    return Ratio(ratio, float(low), float(high), len(logs), rated, sign_test(logs))


def unpaired_ratio(
    numerators: Sequence[float], denominators: Sequence[float], *, seed: int, name: str
) -> Ratio:
    """Compare two cells measured apart: the ratio of the medians, each arm resampled on its own.

    The interval is the percentile bootstrap's. The p-value is its inversion: twice the smaller share of
    resampled ratios on either side of 1, themselves counted among the resamples (Davison & Hinkley,
    Bootstrap Methods and their Application, 1997, section 4.2.5).
    """
    above, below = np.asarray(numerators, dtype=float), np.asarray(denominators, dtype=float)
    ratio = float(np.median(above) / np.median(below))
    count = min(len(above), len(below))
    rated = standing(count)
    if rated is Standing.TOO_FEW:
        return Ratio(ratio, None, None, count, rated, 1.0)
    found = stats.bootstrap(
        (above, below),
        ratio_of_medians,
        n_resamples=RESAMPLES,
        confidence_level=CONFIDENCE,
        method="percentile",
        vectorized=True,
        rng=np.random.default_rng([seed, zlib.crc32(name.encode())]),
    )
    ratios = found.bootstrap_distribution
    beyond = min(int((ratios <= 1).sum()), int((ratios >= 1).sum()))
    return Ratio(
        ratio=ratio,
        low=float(found.confidence_interval.low),
        high=float(found.confidence_interval.high),
        count=count,
        standing=rated,
        p_value=min(1.0, 2 * (1 + beyond) / (len(ratios) + 1)),
    )


def mean_ratio(logs: _Array, *, seed: int, name: str) -> Ratio:
    """Give the geometric mean of ratios, each the median over the same rounds, with the percentile bootstrap.

    `logs` holds their logarithms, a row a ratio and a column a round. Rounds are resampled whole, for all
    ratios at once: what slows a round down slows all of it. The ratios themselves are not resampled, for they
    are those of a suite, not drawn from others. The p-value is that of `unpaired_ratio`. The digits are
    those that all processors agree on: in its last ones a logarithm differs from kind to kind.
    """
    count = logs.shape[-1]
    mean, rated = _agreed(np.exp(median(logs).mean())), standing(count)
    if rated is Standing.TOO_FEW:
        return Ratio(mean, None, None, count, rated, 1.0)
    means = resampled_means(logs, np.random.default_rng([seed, zlib.crc32(name.encode())]))
    low, high = np.exp(np.quantile(means, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2]))
    beyond = min(int((means <= 0).sum()), int((means >= 0).sum()))
    p_value = min(1.0, 2 * (1 + beyond) / (len(means) + 1))
    return Ratio(mean, _agreed(low), _agreed(high), count, rated, p_value)


def _agreed(value: float) -> float:
    return float(f"{value:.9g}")


def resampled_means(logs: _Array, rng: np.random.Generator, resamples: int = RESAMPLES) -> _Array:
    """Give the mean of the rows' medians for each resample of the columns."""
    count = logs.shape[-1]
    drawn = rng.integers(0, count, (resamples, count))
    return np.asarray(median(logs[:, drawn]).mean(axis=0))


def median(values: _Array, axis: int = -1) -> _Array:
    """Give the median along an axis: of many short rows sorting finds it sooner than `np.median`."""
    count = values.shape[axis]
    middle = np.sort(values, axis=axis).take([(count - 1) // 2, count // 2], axis=axis)
    return np.asarray(middle.mean(axis=axis))


def ratio_of_medians(above: _Array, below: _Array, axis: int = -1) -> _Array:
    """Divide the medians along an axis."""
    return median(above, axis) / median(below, axis)


@cache
def interval_rank(count: int, confidence: float = CONFIDENCE) -> int | None:
    """Find the rank k such that the k-th smallest and k-th largest of `count` values enclose the median.

    They do so with at least this probability, whatever the distribution, since the number of values below
    the median is binomial (Conover, Practical Nonparametric Statistics, section 3.2); None if even smallest
    and largest do not.
    """
    tail = (1 - confidence) / 2
    rank = int(stats.binom.ppf(tail, count, 0.5))
    if stats.binom.cdf(rank, count, 0.5) <= tail:
        rank += 1
    return rank or None


def sign_test(logs: Sequence[float] | np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """Give the two-sided exact p-value against a median of 0; ties count against a difference."""
    values = np.asarray(logs)
    fewer = int(min((values <= 0).sum(), (values >= 0).sum()))
    return min(1.0, 2 * _share_of_coins(fewer, len(values)))


@cache
def _share_of_coins(heads: int, coins: int) -> float:
    """How often at most so many of the coins fall on heads."""
    return float(stats.binom.cdf(heads, coins, 0.5))


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for being looked at together (Holm, Scand. J. Statistics 6, 1979)."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, p_values[index] * (len(p_values) - place)))
        adjusted[index] = largest
    return adjusted

"""The methods that are compared: each draws intervals of a median, a ratio of two medians, or a mean.

A method gets one array of samples, two for a ratio of two medians, or one for each ratio of a group: trials
by samples. It prepares what all levels share, and gives a function of the level that draws the intervals, low
and high of each trial. What the driver uses is called as the driver calls it; the bootstraps that scipy has
are scipy's.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import stats

from actorbench.estimates import (
    mean_interval,
    median,
    order_interval,
    ratio_of_medians,
    resampled_means,
)
from actorbench.rules import fewest

Values = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
Interval = tuple[Values, Values]
Drawn = Callable[[float], Interval | None]  # None if the method has none of that level
Prepare = Callable[[tuple[Values, ...], np.random.Generator, int], Drawn]


def by_scipy(method: str, statistic: Callable[..., Any]) -> Prepare:
    """The percentile or the BCa bootstrap (Efron, J. American Statistical Association 82, 1987)."""

    def prepare(samples: tuple[Values, ...], rng: np.random.Generator, resamples: int) -> Drawn:
        asked: dict[str, Any] = {
            "data": samples,
            "statistic": statistic,
            "vectorized": True,
            "axis": -1,
            "method": method,
        }
        shared = stats.bootstrap(**asked, n_resamples=resamples, rng=rng)

        def drawn(level: float) -> Interval:
            found = stats.bootstrap(**asked, n_resamples=0, bootstrap_result=shared, confidence_level=level)
            low, high = found.confidence_interval
            return np.asarray(low), np.asarray(high)

        return drawn

    return prepare


def studentised(samples: tuple[Values, ...], rng: np.random.Generator, resamples: int) -> Drawn:
    """The bootstrap-t of the logarithms' medians (Davison & Hinkley, Bootstrap Methods, 1997, 5.2.1).

    The error of a median is Maritz' and Jarrett's, in the samples and in each resample.
    """
    logs = [np.log(one) for one in samples]
    resampled = [_resampled(one, rng, resamples) for one in logs]
    within = _bootstrap_t(_difference(logs), _difference(resampled))

    def drawn(level: float) -> Interval:
        low, high = within(level)
        return np.exp(low), np.exp(high)

    return drawn


def studentised_mean(samples: tuple[Values, ...], rng: np.random.Generator, resamples: int) -> Drawn:
    """The bootstrap-t of the mean, with the usual error of a mean (Davison & Hinkley, 5.2.1)."""
    (values,) = samples
    return _bootstrap_t(_mean(values), _mean(_resampled(values, rng, resamples)))


def smoothed(samples: tuple[Values, ...], rng: np.random.Generator, resamples: int) -> Drawn:
    """The percentile interval of resamples with normal noise (Silverman & Young, Biometrika 74, 1987).

    The logarithms are resampled; the noise has the width of Silverman's rule of thumb for a density.
    """
    medians = []
    for logs in map(np.log, samples):
        drawn_anew = _resampled(logs, rng, resamples)
        drawn_anew += _bandwidth(logs)[:, None, None] * rng.standard_normal(drawn_anew.shape)
        medians.append(median(drawn_anew))
    middles = medians[0] if len(medians) == 1 else medians[0] - medians[1]

    def drawn(level: float) -> Interval:
        low, high = np.exp(np.quantile(middles, [(1 - level) / 2, (1 + level) / 2], axis=-1))
        return low, high

    return drawn


def order_statistics(samples: tuple[Values, ...], _rng: np.random.Generator, _resamples: int) -> Drawn:
    """The exact interval of the median; of a ratio that of each arm, put together as Zou & Donner do.

    Statistics in Medicine 27 (2008), equation 1, of the logarithms.
    """

    def drawn(level: float) -> Interval | None:
        if min(one.shape[-1] for one in samples) < fewest(level):
            return None
        if len(samples) == 1:
            return order_interval(samples[0], confidence=level)
        (above, (low, high)), (below, (least, most)) = (
            (median(one), order_interval(one, confidence=level)) for one in map(np.log, samples)
        )
        down, up = np.hypot(above - low, most - below), np.hypot(high - above, below - least)
        return np.exp(above - below - down), np.exp(above - below + up)

    return drawn


def student(samples: tuple[Values, ...], _rng: np.random.Generator, _resamples: int) -> Drawn:
    """Student's interval of the mean."""
    (values,) = samples
    return lambda level: mean_interval(values, confidence=level)


def whole_rounds(samples: tuple[Values, ...], rng: np.random.Generator, resamples: int) -> Drawn:
    """The percentile bootstrap of a geometric mean of medians, by resamples of the rounds that all share."""
    logs = np.log(np.stack(samples, axis=1))
    means = np.stack([resampled_means(trial, rng, resamples) for trial in logs])

    def drawn(level: float) -> Interval:
        low, high = np.exp(np.quantile(means, [(1 - level) / 2, (1 + level) / 2], axis=-1))
        return low, high

    return drawn


def _of_medians(statistic: Callable[..., Any]) -> dict[str, Prepare]:
    return {
        "percentile bootstrap": by_scipy("percentile", statistic),
        "BCa bootstrap": by_scipy("BCa", statistic),
        "studentised bootstrap": studentised,
        "smoothed bootstrap": smoothed,
        "order statistics": order_statistics,
    }


# By statistic: of the samples, of the ratios of the same rounds, of two arms, of a group of ratios of the
# same rounds, and of the samples' mean.
METHODS: Mapping[str, Mapping[str, Prepare]] = {
    "median": _of_medians(median),
    "pairs": _of_medians(median),
    "ratio": _of_medians(ratio_of_medians),
    "group": {"percentile bootstrap": whole_rounds},
    "mean": {
        "percentile bootstrap": by_scipy("percentile", np.mean),
        "BCa bootstrap": by_scipy("BCa", np.mean),
        "studentised bootstrap": studentised_mean,
        "Student's t": student,
    },
}


def median_error(values: Values) -> Values:
    """The standard error of the median along the last axis: that of all possible resamples.

    Maritz & Jarrett, J. American Statistical Association 73 (1978). Of an even number of values it is that of
    the mean of both middle ones, each weighed as if it were the median.
    """
    count = values.shape[-1]
    edges = np.arange(count + 1) / count
    middles = {(count + 1) // 2, count // 2 + 1}
    weights = np.mean([np.diff(stats.beta.cdf(edges, k, count - k + 1)) for k in middles], axis=0)
    ordered = np.sort(values, axis=-1)
    squares = (ordered**2) @ weights - (ordered @ weights) ** 2
    return np.asarray(np.sqrt(np.maximum(squares, 0)))


def _bootstrap_t(found: Interval, resampled: Interval) -> Callable[[float], Interval]:
    """Draw intervals from an estimate and its error, and those of the resamples."""
    (centre, error), (centres, errors) = found, resampled
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = (centres - centre[:, None]) / errors

    def drawn(level: float) -> Interval:
        low, high = np.nanquantile(scaled, [(1 - level) / 2, (1 + level) / 2], axis=-1)
        return centre - high * error, centre - low * error

    return drawn


def _difference(logs: Sequence[Values]) -> Interval:
    """The median of one arm, or the difference of two, with its error."""
    medians = [median(one) for one in logs]
    errors = [median_error(one) for one in logs]
    if len(logs) == 1:
        return medians[0], errors[0]
    return medians[0] - medians[1], np.hypot(*errors)


def _mean(values: Values) -> Interval:
    return values.mean(axis=-1), np.asarray(stats.sem(values, axis=-1))


def _resampled(values: Values, rng: np.random.Generator, resamples: int) -> Values:
    """Draw resamples of each row: rows by resamples by values."""
    rows, count = values.shape
    drawn = rng.integers(0, count, (rows, resamples, count))
    return np.take_along_axis(values[:, None, :], drawn, axis=-1)


def _bandwidth(values: Values) -> Values:
    """Silverman, Density Estimation (1986), equation 3.31, of each row."""
    lower, upper = np.percentile(values, [25, 75], axis=-1)
    spread = np.minimum(values.std(axis=-1, ddof=1), (upper - lower) / 1.34)
    return np.asarray(0.9 * spread * values.shape[-1] ** -0.2)

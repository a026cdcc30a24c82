"""The simulation: draws samples of which the truth is known, and counts the intervals that hold it.

    PYTHONPATH=scripts .venv/bin/python -m actorbench.coverage.simulating

(`make coverage`) takes some minutes, and writes docs/coverage.csv, a line a count.
"""

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import exp, log

import numpy as np
from scipy import stats

from actorbench.coverage.methods import METHODS, Values
from actorbench.csv_rows import write_rows
from actorbench.project import find_project
from actorbench.rules import CONFIDENCE
from actorbench.stopping import make_goal
from actorbench.store import write_whole

FILE_NAME = "coverage.csv"
COUNTS = (5, 6, 7, 10, 13, 20, 31)
COMPARISONS = 50  # of a table
TRIALS = 1000
RESAMPLES = 2000
CHANCE = 0.01
BATCH = 50  # trials; bounds the memory
SEED = 16
GROUP = 7  # ratios in a group, as in the smallest of plots/savina
ARMS = {"median": 1, "pairs": 2, "ratio": 2, "group": 2 * GROUP, "mean": 1}  # by statistic


def levels() -> tuple[float, float, float]:
    """The confidence of an interval alone, at each look of a sweep with --precision, and of a wide table.

    A sweep looks 7 times; Holm's method asks 99.9 % of the surest of 50 comparisons.
    """
    goal = make_goal(None, 0.02, None)
    assert goal is not None
    return CONFIDENCE, goal.confidence, 1 - (1 - CONFIDENCE) / COMPARISONS


@dataclass(frozen=True)
class Shape:
    """What samples look like: how trials by samples are drawn, their median, and by number their mean.

    The number is in the mean since a drift goes the same way in more or fewer steps.
    """

    says: str
    draw: Callable[[np.random.Generator, int, int], Values]
    median: float
    mean: Callable[[int], float]


def _skewed(rng: np.random.Generator, trials: int, count: int) -> Values:
    return 1 + rng.exponential(1, (trials, count))


def _drifting(rng: np.random.Generator, trials: int, count: int) -> Values:
    return _way(count) * rng.lognormal(0, _NOISE, (trials, count))


def _way(count: int) -> Values:
    return np.exp(np.linspace(-0.2, 0.2, count))


def _bimodal(slow: float, rng: np.random.Generator, trials: int, count: int) -> Values:
    size = (trials, count)
    return np.where(rng.random(size) < slow, 3.0, 1.0) * rng.lognormal(0, _NARROW, size)


def _two_modes(says: str, slow: float) -> Shape:
    """Samples of which a share (under a half) takes three times as long."""
    median = exp(_NARROW * float(stats.norm.ppf(0.5 / (1 - slow))))
    mean = (1 + 2 * slow) * exp(_NARROW**2 / 2)
    return Shape(f"{says} take three times as long", partial(_bimodal, slow), median, lambda _: mean)


_NARROW = 0.05  # the spread of each mode, of the logarithms
_NOISE = 0.2  # likewise, of what drifts
SHAPES: Mapping[str, Shape] = {
    "skewed": Shape(
        "a least time, and as much again on the average, exponential", _skewed, 1 + log(2), lambda _: 2.0
    ),
    "bimodal": _two_modes("2 in 10", 0.2),
    "nearly even modes": _two_modes("9 in 20", 0.45),
    "drifting": Shape(
        "slower by half from the first sample to the last, with noise of 20 %",
        _drifting,
        1.0,
        lambda count: float(_way(count).mean()) * exp(_NOISE**2 / 2),
    ),
}


@dataclass(frozen=True)
class Count:
    """How many of `trials` intervals held the truth, and how wide they were; None where there are none such.

    `width` is the median of the widths, in parts of the truth.
    """

    statistic: str
    shape: str
    method: str
    samples: int
    level: float
    trials: int
    resamples: int
    held: int | None
    width: float | None

    @property
    def share(self) -> float | None:
        """The share of intervals that held the truth."""
        return None if self.held is None else self.held / self.trials

    @property
    def is_short(self) -> bool:
        """Whether fewer held it than stated: so few as chance gives in CHANCE of such simulations."""
        return self.held is not None and bool(stats.binom.cdf(self.held, self.trials, self.level) < CHANCE)


def truth_of(statistic: str, shape: str, count: int) -> float:
    """What an interval of a statistic is to hold; both arms of a ratio are alike."""
    if ARMS[statistic] > 1:
        return 1.0
    return SHAPES[shape].mean(count) if statistic == "mean" else SHAPES[shape].median


def simulate(
    statistic: str, shape: str, method: str, count: int, *, trials: int = TRIALS, resamples: int = RESAMPLES
) -> list[Count]:
    """Count for each level; the samples are the same for all methods, and always."""
    truth, methods = truth_of(statistic, shape, count), METHODS[statistic]
    held: dict[float, list[int]] = {level: [] for level in levels()}
    widths: dict[float, list[Values]] = {level: [] for level in levels()}
    for batch in range(trials // BATCH):
        drawn_from = [SEED, list(SHAPES).index(shape), count, batch]
        rng = np.random.default_rng(drawn_from)
        samples = tuple(SHAPES[shape].draw(rng, BATCH, count) for _ in range(ARMS[statistic]))
        if statistic in ("pairs", "group"):
            samples = tuple(above / below for above, below in zip(samples[::2], samples[1::2], strict=True))
        chance = np.random.default_rng([*drawn_from, list(methods).index(method)])
        drawn = methods[method](samples, chance, resamples)
        for level in levels():
            if interval := drawn(level):
                low, high = interval
                held[level].append(int(np.sum((low <= truth) & (high >= truth))))
                widths[level].append((high - low) / truth)
    return [
        Count(
            statistic,
            shape,
            method,
            count,
            level,
            trials,
            resamples,
            sum(held[level]) if held[level] else None,
            round(float(np.nanmedian(widths[level])), 3) if widths[level] else None,
        )
        for level in levels()
    ]


def cases() -> list[tuple[str, str, str, int]]:
    """Everything that is simulated: statistic, shape, method and number of samples."""
    return [
        (statistic, shape, method, count)
        for statistic, methods in METHODS.items()
        for shape in SHAPES
        for method in methods
        for count in COUNTS
    ]


def _simulated(asked: tuple[str, str, str, int]) -> list[Count]:
    warnings.simplefilter("ignore")  # what an interval of equal values can't be divided by: it holds nothing
    return simulate(*asked)


def _all_counts() -> Iterator[Count]:
    with ProcessPoolExecutor() as pool:
        for number, counts in enumerate(pool.map(_simulated, cases()), start=1):
            print(f"\r{number} of {len(cases())} simulated", end="", file=sys.stderr, flush=True)
            yield from counts
    print(file=sys.stderr)


if __name__ == "__main__":
    write_whole(find_project().docs / FILE_NAME, write_rows(Count, _all_counts()))

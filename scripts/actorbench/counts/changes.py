"""Changes: whether a count has moved between two sides, and what change would have been seen.

Runs of instructions differ by some millionths, runs in other schedules by a few percent: both are samples.
The sides are compared by the ratios of each run of the one to each run of the other: their median, and the
exact interval of the rank-sum test (Hodges and Lehmann, "Estimates of location based on rank tests", 1963),
which holds whatever the runs' distribution. Of too few runs for a level it is all that was seen, and what
they moved by must speak for itself.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from math import comb, exp, log
from statistics import NormalDist, median

from actorbench.counts.counting import Count

DELTA = 0.01  # of a ratio: the smallest change that counts
LEAST = 0.01  # events an operation: what is less is not of each message, and counts as this
CONFIDENCE = 0.999  # that of all counts looked at together none has moved by chance
POWER = 0.9


@dataclass(frozen=True)
class Change:
    """A candidate against its base; `delta` is the smallest change that counts, `level` the interval's."""

    base: Count
    candidate: Count
    delta: float = DELTA
    level: float = CONFIDENCE

    @cached_property
    def _ratios(self) -> list[float]:
        below = [max(LEAST, value) for value in self.base.values]
        above = [max(LEAST, value) for value in self.candidate.values]
        return sorted(one / other for one in above for other in below)

    @property
    def ratio(self) -> float:
        """Candidate over base."""
        return median(self._ratios)

    @property
    def low(self) -> float:
        """The interval's lower end."""
        return self._ratios[self._cut]

    @property
    def high(self) -> float:
        """The interval's upper end."""
        return self._ratios[-1 - self._cut]

    @property
    def _cut(self) -> int:
        return ratios_cut(len(self.base.values), len(self.candidate.values), self.level)

    @property
    def moved(self) -> int:
        """1 if the candidate takes more, -1 if it takes less, 0 if neither is sure and large enough."""
        if self.low > 1 and self.ratio >= 1 + self.delta:
            return 1
        return -(self.high < 1 and self.ratio <= 1 / (1 + self.delta))

    @property
    def smallest(self) -> float:
        """The smallest increase that the runs let be found in 9 of 10 tries, as a fraction."""
        width = max(log(Change(side, side, level=self.level).high) for side in (self.base, self.candidate))
        # The interval ends so many standard errors from the ratio, which is off by `more` in 1 of 10 tries.
        ends, more = NormalDist().inv_cdf(0.5 + self.level / 2), NormalDist().inv_cdf(POWER)
        by_interval, by_delta = width * (1 + more / ends), log(1 + self.delta) + width * more / ends
        return exp(max(by_interval, by_delta)) - 1


def level_of(lines: int, confidence: float = CONFIDENCE) -> float:
    """Give the level of each of so many intervals that all hold together with a confidence (Bonferroni)."""
    return 1 - (1 - confidence) / max(1, lines)


@cache
def ratios_cut(base: int, candidate: int, level: float) -> int:
    """How many of the sorted ratios of so many runs lie outside of the interval, at each of its ends.

    0 if the runs are too few for the level. By the exact distribution of the rank sum: `ways[u]` is in how
    many orders of all runs u of the ratios are under 1.
    """
    most = base * candidate
    ways = [1] + [0] * most
    for one in range(1, candidate + 1):
        for u in range(most, base + one - 1, -1):
            ways[u] -= ways[u - base - one]
        for u in range(one, most + 1):
            ways[u] += ways[u - one]
    left, cut = (1 - level) / 2 * comb(base + candidate, base), 0
    while (left := left - ways[cut]) >= 0:
        cut += 1
    return max(0, cut - 1)

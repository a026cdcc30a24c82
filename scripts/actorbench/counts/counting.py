"""Counting: events an operation, by the difference of two amounts of work.

What a program does once, to start and to end, is the same under both amounts, and falls out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from statistics import median

from actorbench.errors import OneLineError


class CountError(OneLineError):
    """A program could not be counted: it failed, or what counts it did."""


@dataclass(frozen=True)
class Tally:
    """What one process did: its operations, and the events counted, by measure."""

    operations: int
    events: Mapping[str, int]


@dataclass(frozen=True)
class Work:
    """A program under two amounts of work: two command lines, without --json."""

    less: tuple[str, ...]
    more: tuple[str, ...]


# Counts the events of a command that prints a record, in the run of that number. Raises CountError.
Counter = Callable[[Sequence[str], int], Tally]


@dataclass(frozen=True)
class Count:
    """The events of one measure an operation, a value a run."""

    values: tuple[float, ...]

    @property
    def value(self) -> float:
        """The median over the runs."""
        return median(self.values)

    @property
    def spread(self) -> float:
        """The distance from the least to the most, as a fraction of the median."""
        width = max(self.values) - min(self.values)
        return width and (width / self.value if self.value else inf)


def tally_pairs(counter: Counter, work: Work, runs: range) -> list[tuple[Tally, Tally]]:
    """Count both amounts of a work in the runs of these numbers; raises CountError."""
    pairs = [(counter(work.less, run), counter(work.more, run)) for run in runs]
    for less, more in pairs:
        if more.operations <= less.operations:
            raise CountError(f"{more.operations} operations are not more than {less.operations}")
    return pairs


def counts_of(pairs: Sequence[tuple[Tally, Tally]]) -> dict[str, Count]:
    """Give each measure's events an operation, by the difference of the two amounts."""
    return {
        measure: Count(
            tuple(
                (more.events[measure] - less.events[measure]) / (more.operations - less.operations)
                for less, more in pairs
            )
        )
        for measure in pairs[0][0].events
    }


def count(counter: Counter, work: Work, runs: int) -> dict[str, Count]:
    """Count a work so many times: each measure's events an operation; raises CountError."""
    return counts_of(tally_pairs(counter, work, range(1, runs + 1)))

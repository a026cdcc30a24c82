"""Reach: how many rounds the comparisons of a table need before any of them can be told apart.

The sign test's smallest p-value halves with each round, and Holm's method multiplies the smallest of a table
by the number of its comparisons: this is known before anything is measured.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from actorbench.cell import Cell, Resolver
from actorbench.experiment import Experiment
from actorbench.rules import samples_needed


@dataclass(frozen=True)
class Need:
    """What an experiment compares, and the rounds that this needs."""

    experiment: str
    comparisons: int

    @property
    def rounds(self) -> int:
        """The fewest rounds with which one of the comparisons can be told apart."""
        return samples_needed(self.comparisons)


def needs_of(resolver: Resolver, experiments: Sequence[Experiment], cells: Collection[Cell]) -> list[Need]:
    """Count what each experiment compares of the cells; one that compares nothing is left out."""
    found = []
    for experiment in experiments:
        pairs = [pair for _, *pair in resolver.all_pairs(experiment)]
        count = sum(above in cells and below in cells and above != below for above, below in pairs)
        if count:
            found.append(Need(experiment.id, count))
    return found


def shortage_lines(needs: Sequence[Need], rounds: int) -> list[str]:
    """Warn of each experiment whose comparisons need more than so many rounds."""
    return [
        f"warning: {need.experiment}: {need.comparisons} comparisons need {need.rounds} samples a cell"
        f" before any can be told apart, {rounds} are planned: --samples {need.rounds}"
        for need in needs
        if need.rounds > rounds
    ]

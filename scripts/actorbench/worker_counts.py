"""Worker counts: what "1..all" and "all" stand for in a run, by what was asked and what the machine has."""

from collections.abc import Sequence
from dataclasses import dataclass

from actorbench.text import counted

# Thesis, "Performance": 1 to 48 cores; its figures have these points.
THESIS = "thesis"
THESIS_COUNTS = (1, 2, 4, 8, 16, 24, 32, 48)
MOST_IN_FULL = 8  # CPUs up to which every count is measured


@dataclass(frozen=True)
class WorkerCounts:
    """The counts, ascending, and in a few words why these; "" where they need no reason."""

    counts: tuple[int, ...]
    why: str = ""


def worker_counts(asked: Sequence[int] | str | None, cpus: int) -> WorkerCounts:
    """Choose the counts for a machine with so many CPUs; `asked` is a list, "thesis", or None for all."""
    if asked == THESIS:
        if cpus >= THESIS_COUNTS[-1]:
            return WorkerCounts(THESIS_COUNTS, "the thesis' counts")
        fitting = tuple(count for count in THESIS_COUNTS if count <= cpus)
        why = f"the thesis' counts up to the {counted(cpus, 'CPU')} here"
        return (
            WorkerCounts(fitting, why)
            if cpus in fitting
            else WorkerCounts((*fitting, cpus), f"{why}, and all")
        )
    if asked is not None:
        return WorkerCounts(tuple(int(count) for count in asked))
    if cpus <= MOST_IN_FULL:
        return WorkerCounts(tuple(range(1, cpus + 1)))
    doubled = [2**power for power in range(cpus.bit_length()) if 2**power < cpus]
    return WorkerCounts(
        (*doubled, cpus), f"of 1 to {cpus} the powers of two, and all; --workers takes others"
    )

"""History: the A/A noise that each cell has shown on this machine, results/history/<machine>.jsonl.

Each gate adds a line a cell and measure, of its null arm: the base against itself, unless that was flagged.
From the lines of past gates come the delta that a cell must exceed to be flagged, and the number of pairs
that it takes. Lines are only ever added, each complete in itself and known by its gate, so that the histories
of several clones merge by union (.gitattributes) in any order; a line that is there twice counts once.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np

from actorbench.histories import add_entries, read_entries
from actorbench.machine.facts import Facts
from actorbench.project import Project

FOLDER = "history"
NEWEST = 200  # gates that are looked back on
TAIL = 0.95
MOST = 1e9  # beyond which a number was never measured


@dataclass(frozen=True)
class Entry:
    """The null arm of one cell and measure in one gate.

    `spread` is of one pair's log-ratio, `outliers` the share of pairs that were disturbed (power.py).
    """

    gate: str
    seed: int
    cell: str
    measure: str
    pairs: int
    ratio: float
    spread: float
    outliers: float
    commit: str

    @property
    def identity(self) -> tuple[str, int, str, str]:
        """What makes two lines the same."""
        return (self.gate, self.seed, self.cell, self.measure)


@dataclass(frozen=True)
class Noise:
    """What the history says of a cell's measure: `gates` is how many were looked at."""

    gates: int
    tail: float  # the 95th percentile of the distance from 1, as a fraction
    spread: float  # the median scatter of one pair
    outliers: float  # the mean share of disturbed pairs

    def to_json(self) -> dict[str, Any]:
        """Write it as JSON, for the store."""
        return asdict(self)


def history_file(project: Project, facts: Facts) -> Path:
    """Name the history of the machine."""
    return project.results / FOLDER / f"{facts.machine}.jsonl"


def read_history(path: Path) -> list[Entry]:
    """Read a history, oldest first, each line once; none if there is no file. Raises UserError."""
    return read_entries(path, _entry)


def add_to_history(path: Path, entries: Iterable[Entry]) -> None:
    """Append what is not there yet, in one write; raises UserError."""
    add_entries(path, _entry, entries)


def noise_of(entries: Iterable[Entry], cell: str, measure: str) -> Noise | None:
    """Sum up the newest gates of a cell and measure; None if there is none.

    With fewer than 20 gates the 95th percentile is the largest distance seen.
    """
    ours = [entry for entry in entries if (entry.cell, entry.measure) == (cell, measure)][-NEWEST:]
    if not ours:
        return None
    distances = [abs(log(entry.ratio)) for entry in ours]
    return Noise(
        gates=len(ours),
        tail=exp(float(np.quantile(distances, TAIL, method="higher"))) - 1,
        spread=float(np.median([entry.spread for entry in ours])),
        outliers=float(np.mean([entry.outliers for entry in ours])),
    )


def _entry(document: Mapping[str, Any]) -> Entry:
    entry = Entry(
        gate=str(document["gate"]),
        seed=int(document["seed"]),
        cell=str(document["cell"]),
        measure=str(document["measure"]),
        pairs=int(document["pairs"]),
        ratio=float(document["ratio"]),
        spread=float(document["spread"]),
        outliers=float(document["outliers"]),
        commit=str(document["commit"]),
    )
    if not (1 / MOST < entry.ratio < MOST and 0 <= entry.spread < MOST):
        raise ValueError("'ratio' must be over 0 and 'spread' at least 0, and neither beyond belief")
    return entry

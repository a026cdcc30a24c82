"""The calibration before a sweep with a budget: what a sample of each cell costs here, by a small one.

A small sample does a tenth of the cell's work, or more where that would be too short to tell; a command of
the user's own does all of its work. The record says how long the work took, the driver how long the process
did: the rest is what a sample costs whatever its amount (start-up, a managed runtime's warm-up, tear-down).
"""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from actorbench.amounts import SHORTEST_S, SMALLEST_SHARE, Cost
from actorbench.cell import Cell
from actorbench.plan import Slot
from actorbench.progress import ProgressDisplay
from actorbench.project import Project
from actorbench.sample import Sample, remove_copies, take_sample
from actorbench.stop import stop_on_signals

MOST_GROWTH = 10.0


@dataclass(frozen=True)
class Calibration:
    """What was learnt: the cells' costs, but for those that failed; `seconds` in all; every small sample."""

    costs: dict[Cell, Cost]
    seconds: float
    samples: tuple[Sample, ...]

    @property
    def driver_share(self) -> float:
        """What the driver itself adds to the samples' time, over their time."""
        inside = sum(sample.wall_ns for sample in self.samples) / 1e9
        return max(0.0, self.seconds / inside - 1) if inside else 0.0

    def to_json(self) -> dict[str, Any]:
        """Write the calibration as JSON, for the store: the small samples are no samples of the run."""
        return {"seconds": self.seconds, "samples": [sample.to_json() for sample in self.samples]}


def calibrate(
    project: Project, cells: Sequence[Cell], timeout_s: float, seed: int, display: ProgressDisplay
) -> Calibration:
    """Take small samples of the cells, in random order; the display counts the cells.

    Raises StoppedError if the user asks to stop meanwhile. The caller holds the lock (lock.py).
    """
    start = time.monotonic()
    chance = random.Random(f"calibration/{seed}")
    costs: dict[Cell, Cost] = {}
    samples: list[Sample] = []
    with stop_on_signals() as stop, display:
        remove_copies(project)
        for done, cell in enumerate(chance.sample(cells, len(cells)), start=1):
            scale = cell.scale if cell.own else cell.scale * SMALLEST_SHARE
            while True:
                slot = Slot(0, len(samples), replace(cell, scale=scale))
                sample = take_sample(project, slot, timeout_s, chance, stop)
                samples.append(sample)
                if sample.record is None or not sample.ok:
                    break
                work_s = sample.record.elapsed_ns / 1e9
                costs[cell] = Cost(sample.wall_ns / 1e9 - work_s, work_s / scale)
                if work_s >= SHORTEST_S or scale >= cell.scale:
                    break
                growth = 1.5 * SHORTEST_S / work_s if work_s > 0 else MOST_GROWTH
                scale = min(cell.scale, scale * min(max(growth, 2.0), MOST_GROWTH))
            display.sample_taken(sample, (time.monotonic() - start) / done * (len(cells) - done))
    return Calibration(costs, time.monotonic() - start, tuple(samples))

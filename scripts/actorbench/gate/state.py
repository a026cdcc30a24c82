"""What the store of a gate holds: its cells, the stages planned, and the pairs of each.

All that a gate decides is computed from this, so that a resumed gate goes on as it would have gone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from actorbench.cell import Cell
from actorbench.gate.affording import OVERHEAD_S, confirming_pairs
from actorbench.gate.cells import ARMS, NULL, GateCell
from actorbench.gate.deciding import (
    FEWEST_PAIRS,
    GATED,
    Batch,
    Limits,
    Pairs,
    Values,
    detectable,
    judge_batch,
)
from actorbench.gate.history import Noise
from actorbench.gate.power import pairs_to_find
from actorbench.measure import MEASURES
from actorbench.sample import Sample
from actorbench.store import Head

TRIAL, FIRST, AGAIN = "trial", "first", "again"
TIME = GATED[0]


@dataclass(frozen=True)
class GateState:
    """A gate's run, its head, and the samples taken so far."""

    run: str
    head: Head
    samples: tuple[Sample, ...]

    @property
    def gate(self) -> dict[str, Any]:
        """The entry "gate" of the head."""
        found: dict[str, Any] = self.head.document["gate"]
        return found

    @property
    def is_timed(self) -> bool:
        """Whether time and memory are judged."""
        return bool(self.gate.get("is_timed", True))

    @cached_property
    def cells(self) -> list[GateCell]:
        """The gate's cells, in the order of the table."""
        plan = self.head.plan
        found = []
        for entry in self.gate["cells"]:
            base, candidate, null = (plan.cells[index] for index in entry["arms"])
            found.append(GateCell(entry["name"], (base, candidate, null)))
        return found

    @cached_property
    def by_slot(self) -> dict[tuple[str, int], Sample]:
        """The samples, by the arm's key and the round."""
        return {(sample.key, sample.round): sample for sample in self.samples}

    def failures(self) -> Iterator[tuple[str, str, Sample]]:
        """The failed samples, each with the cell's name and the arm's, the newest of an arm last."""
        names = {
            arm.key: (cell.name, name)
            for cell in self.cells
            for arm, name in zip(cell.arms, ARMS, strict=True)
        }
        for sample in self.samples:
            if sample.failure is not None:
                yield *names[sample.key], sample

    def trouble(self, cell: GateCell) -> str | None:
        """Why the cell can't be judged, in one line: the first failure of one of its arms, and its log."""
        for name, arm, sample in self.failures():
            if name == cell.name and sample.failure is not None:
                failure = sample.failure
                log = f"results/{self.run}/{failure_log(name, arm)}"
                side = "base, second build" if arm == NULL else arm
                return f"{side}: {failure.kind}: {failure.reason}; {log}"
        return None

    def measures(self, cell: GateCell) -> list[str]:
        """What is gated of the cell: not a measure that its records never tell (0 bytes)."""
        keys = {arm.key for arm in cell.arms}
        records = [sample.record for sample in self.samples if sample.key in keys and sample.record]
        return [name for name in GATED if not records or any(MEASURES[name].read(one) for one in records)]

    def rounds_of(self, stage: str) -> range | None:
        """The rounds of a stage; None if it was not planned."""
        for entry in self.gate["stages"]:
            if entry["name"] == stage:
                return range(*entry["rounds"])
        return None

    def values(self, cell: GateCell, measure: str, stage: str) -> Values:
        """The pairs of a stage."""
        base, candidate, null = cell.arms
        return Values(self._pairs(candidate, base, measure, stage), self._pairs(null, base, measure, stage))

    def _pairs(self, above: Cell, below: Cell, measure: str, stage: str) -> Pairs:
        read = MEASURES[measure].read
        found = []
        for number in self.rounds_of(stage) or ():
            samples = (self.by_slot.get((above.key, number)), self.by_slot.get((below.key, number)))
            values = [read(one.record) if one and one.ok and one.record else None for one in samples]
            if values[0] and values[1]:
                found.append((values[0], values[1]))
        return found

    def limits(self, cell: GateCell, measure: str) -> Limits:
        """What the verdict is held against.

        A median must exceed 1 by the threshold, or by the tail of the cell's own A/A history if that is more
        and the user allows it.
        """
        noise = self.noise(cell, measure)
        tail, threshold = noise.tail if noise else 0.0, float(self.gate["threshold"])
        most = max(threshold, float(self.gate.get("most_delta", threshold)))
        return Limits(min(max(threshold, tail), most), tail)

    def noise(self, cell: GateCell, measure: str) -> Noise | None:
        """What the history knew of the cell's noise when the gate began; None if nothing."""
        known = self.gate["noise"].get(cell.name, {}).get(measure)
        return Noise(**known) if known else None

    def cost_s(self, cell: GateCell) -> float:
        """What one round of the cell has taken so far, in seconds."""
        keys = {arm.key for arm in cell.arms}
        walls = [sample.wall_ns / 1e9 for sample in self.samples if sample.key in keys]
        return len(keys) * (sum(walls) / len(walls) + OVERHEAD_S) if walls else 0.0

    def spent_s(self, *, before_again: bool = False) -> float:
        """What all samples have taken, in seconds; or those before the fresh batch."""
        end = self.rounds_of(AGAIN) if before_again else None
        counted = [one for one in self.samples if end is None or one.round < end.start]
        return sum(sample.wall_ns / 1e9 + OVERHEAD_S for sample in counted)

    def batch(self, stage: str) -> dict[tuple[str, str], Batch]:
        """Judge a stage, by cell and measure; cells with trouble, or without pairs, are left out.

        The fresh batch tests only the measures that the first has flagged.
        """
        flagged = {name for name, one in self.batch(FIRST).items() if one.flagged} if stage == AGAIN else None
        values = {
            (cell.name, measure): (found, self.limits(cell, measure).delta)
            for cell in self.cells
            if self.trouble(cell) is None
            for measure in GATED
            if flagged is None or (cell.name, measure) in flagged
            if (found := self.values(cell, measure, stage)).candidate and found.null
        }
        return judge_batch(
            {name: found for name, (found, _) in values.items()},
            {name: delta for name, (_, delta) in values.items()},
        )

    @property
    def find(self) -> float:
        """The slow-down that a PASS must rule out, as a fraction."""
        return float(self.gate["find"])

    @property
    def tests(self) -> int:
        """How many comparisons are corrected together."""
        return len(self.cells) * len(GATED)

    def smallest(self, cell: GateCell, measure: str) -> float | None:
        """The slow-down that would have been found in 9 of 10 tries, had the cell alone been flagged."""
        values = self.values(cell, measure, FIRST)
        count, name = len(values.candidate), cell.name
        left_s = self.gate["budget_s"] - self.spent_s(before_again=True)
        afforded = confirming_pairs({name: count}, {name: self.cost_s(cell)}, left_s)
        # Where no time is left to confirm a flag, the cell is not decided, and passes nothing.
        again = afforded.get(name, FEWEST_PAIRS)
        delta = self.limits(cell, measure).delta
        return detectable(values, delta, again=again, tests=self.tests, seed=self.head.seed)

    def needed(self, cell: GateCell, measure: str) -> int | None:
        """The pairs that each batch needs to find what is asked for, by the noise seen; None if too many."""
        values, delta = self.values(cell, measure, FIRST), self.limits(cell, measure).delta
        arms = [values.candidate, values.null]
        return pairs_to_find(arms, delta, self.find, tests=self.tests, seed=self.head.seed)

    def is_oversubscribed(self, cell: GateCell) -> bool:
        """Whether the cell ran more workers than there are CPUs."""
        return (cell.base.workers or 1) > self.head.cpus


def failure_log(cell: str, arm: str) -> str:
    """Name the file in the run's folder that keeps what an arm of a cell said when it failed."""
    return f"failed-{cell}-{arm}.log"

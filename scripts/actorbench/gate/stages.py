"""What the store of a gate says: how far it is, what is to be measured next, and the outcome.

All is computed from the run's head and its samples, so that a resumed gate goes on as it would have gone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from actorbench.cell import Cell
from actorbench.gate.cells import ARMS, NULL, GateCell
from actorbench.gate.deciding import (
    FEWEST_PAIRS,
    GATED,
    Batch,
    Limits,
    Line,
    Outcome,
    Pairs,
    Values,
    Verdict,
    decide,
    detectable,
    judge_batch,
)
from actorbench.gate.history import Entry, Noise
from actorbench.gate.planning import OVERHEAD_S, confirming_pairs, first_pairs, topping_pairs
from actorbench.gate.power import MOST_PAIRS, outliers_of, pairs_wanted, spread_of
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

    def spent_s(self) -> float:
        """What all samples have taken, in seconds."""
        return sum(sample.wall_ns / 1e9 + OVERHEAD_S for sample in self.samples)

    def is_oversubscribed(self, cell: GateCell) -> bool:
        """Whether the cell ran more workers than there are CPUs."""
        return (cell.base.workers or 1) > self.head.cpus


def failure_log(cell: str, arm: str) -> str:
    """Name the file in the run's folder that keeps what an arm of a cell said when it failed."""
    return f"failed-{cell}-{arm}.log"


def next_pairs(state: GateState) -> tuple[str, dict[str, int]]:
    """Give the stage that comes next, and each cell's pairs in it; none if nothing is left to do."""
    cells = {cell.name: cell for cell in state.cells if state.trouble(cell) is None}
    cost_s = {name: state.cost_s(cell) for name, cell in cells.items()}
    left_s = state.gate["budget_s"] - state.spent_s()
    if not cells:
        return TRIAL, {}
    if state.rounds_of(FIRST) is None:
        wanted = {name: _wanted(state, cell) for name, cell in cells.items()}
        return FIRST, first_pairs(wanted, cost_s, left_s)
    short = {name: missing for name, cell in cells.items() if (missing := _missing(state, cell)) > 0}
    if short and state.rounds_of(AGAIN) is None:
        topped = topping_pairs(short, cost_s, left_s)
        if topped:
            return FIRST, topped
    if state.rounds_of(AGAIN) is None:
        flagged = {name: count for name, count in _flagged(state).items() if name in cells}
        return AGAIN, confirming_pairs(flagged, cost_s, left_s)
    return AGAIN, {}


def judge(state: GateState) -> Outcome:
    """Give the outcome of what was measured; notes say what a reader must know of how."""
    first = _batch(state, FIRST)
    again = _batch(state, AGAIN)
    lines: list[Line] = []
    for cell in state.cells:
        trouble = state.trouble(cell)
        if trouble is not None:
            lines.append(_line(state, cell, TIME, (), Verdict.BROKEN, trouble))
            continue
        for measure in state.measures(cell):
            one, two = first.get((cell.name, measure)), again.get((cell.name, measure))
            if one is None:
                lines.append(_line(state, cell, measure, (), Verdict.INCONCLUSIVE, "not measured"))
                continue
            limits = state.limits(cell, measure)
            verdict, reason = decide(one, two if two and one.flagged else None, limits)
            batches = (one, two) if two and one.flagged else (one,)
            lines.append(_line(state, cell, measure, batches, verdict, reason))
    return Outcome(
        run=state.run,
        base=state.gate["base"],
        candidate=state.gate["candidate"],
        lines=tuple(lines),
        notes=tuple(_notes(state)),
        budget_s=float(state.gate["budget_s"]),
        spent_s=state.spent_s(),
    )


def null_entries(state: GateState) -> list[Entry]:
    """What the gate adds to the history: the null arms of its first batch, where pairs were enough.

    One that was flagged stays out: what made the base differ from itself must not excuse a candidate.
    """
    batch = {
        name: one
        for name, one in _batch(state, FIRST).items()
        if one.null.count >= FEWEST_PAIRS and not one.null_flagged
    }
    return [
        Entry(
            gate=state.run,
            seed=state.head.seed,
            cell=cell.identity,
            measure=measure,
            pairs=batch[cell.name, measure].null.count,
            ratio=round(batch[cell.name, measure].null.ratio, 6),
            spread=round(spread_of(state.values(cell, measure, FIRST).null), 6),
            outliers=round(outliers_of(state.values(cell, measure, FIRST).null), 6),
            commit=state.gate["commit"],
        )
        for cell in state.cells
        for measure in GATED
        if (cell.name, measure) in batch
    ]


def _wanted(state: GateState, cell: GateCell) -> int:
    """The pairs that fit the machine's noise; all that the budget affords if it is not known yet."""
    noise, delta, find = state.noise(cell, TIME), state.limits(cell, TIME).delta, float(state.gate["find"])
    if noise is None:
        return MOST_PAIRS
    if find <= delta:  # which no number of pairs would find
        return FEWEST_PAIRS
    return pairs_wanted(
        noise.spread,
        delta,
        find,
        tests=len(state.cells) * len(GATED),
        fewest=FEWEST_PAIRS,
        outliers=noise.outliers,
    )


def _missing(state: GateState, cell: GateCell) -> int:
    """How many pairs the first batch of the cell lacks to say anything."""
    return FEWEST_PAIRS - len(state.values(cell, TIME, FIRST).candidate)


def _flagged(state: GateState) -> dict[str, int]:
    """The cells to be confirmed, with as many pairs as the first batch had; the worst first."""
    batch = _batch(state, FIRST)
    worst: dict[str, float] = {}
    counts: dict[str, int] = {}
    for (name, _), one in batch.items():
        if one.flagged and not one.null_flagged and one.candidate.count >= FEWEST_PAIRS:
            worst[name] = max(worst.get(name, 0.0), one.candidate.ratio)
            counts[name] = one.candidate.count
    return {name: counts[name] for name in sorted(worst, key=lambda name: -worst[name])}


def _batch(state: GateState, stage: str) -> Mapping[tuple[str, str], Batch]:
    """Judge a stage; cells with trouble, or without pairs, are left out.

    The fresh batch tests only the measures that the first has flagged.
    """
    measured = {
        (cell.name, measure): (state.values(cell, measure, stage), state.limits(cell, measure).delta)
        for cell in state.cells
        if state.trouble(cell) is None
        for measure in GATED
    }
    present = {name: one for name, one in measured.items() if one[0].candidate and one[0].null}
    if stage == AGAIN:
        first = _batch(state, FIRST)
        present = {name: one for name, one in present.items() if name in first and first[name].flagged}
    return judge_batch(
        {name: values for name, (values, _) in present.items()},
        {name: delta for name, (_, delta) in present.items()},
    )


def _line(
    state: GateState,
    cell: GateCell,
    measure: str,
    batches: tuple[Batch, ...],
    verdict: Verdict,
    reason: str,
) -> Line:
    delta = state.limits(cell, measure).delta
    smallest = None
    if batches:
        values = state.values(cell, measure, FIRST)
        smallest = detectable(values, delta, tests=len(state.cells) * len(GATED), seed=state.head.seed)
    return Line(
        cell=cell.name,
        command=cell.command,
        measure=MEASURES[measure],
        delta=delta,
        batches=batches,
        smallest=smallest,
        verdict=verdict,
        reason=reason,
        oversubscribed=state.is_oversubscribed(cell),
    )


def _notes(state: GateState) -> list[str]:
    looked = [noise["gates"] for cell in state.gate["noise"].values() for noise in cell.values()]
    noise = f"A/A history: {min(looked)} to {max(looked)} gates" if looked else "A/A history: none yet"
    notes = [f"{noise}; seed {state.head.seed}"]
    untold = {name for cell in state.cells for name in GATED if name not in state.measures(cell)}
    notes += [f"not gated, since the records say 0: {MEASURES[name].label}" for name in sorted(untold)]
    notes += [f"warning: {doubt}" for doubt in state.head.document["doubts"]]
    return notes

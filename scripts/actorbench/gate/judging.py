"""What the samples of a gate mean: each cell's lines, the outcome, and what the history learns of it."""

from collections.abc import Sequence
from dataclasses import replace

from actorbench.experiment import DEFAULT_CONFIG
from actorbench.gate.cells import GateCell
from actorbench.gate.deciding import FEWEST_PAIRS, GATED, Batch, Limits, Line, Outcome, Verdict, decide
from actorbench.gate.history import Entry
from actorbench.gate.power import MOST_PAIRS, outliers_of, spread_of
from actorbench.gate.state import AGAIN, FIRST, TIME, TRIAL, GateState
from actorbench.measure import MEASURES
from actorbench.medians import Median, Tracked, medians_of
from actorbench.own.command import SYSTEM, unverified_note


def judge(state: GateState, counted: Sequence[Line] = ()) -> Outcome:
    """Give the outcome of what was measured and counted; notes say what a reader must know of how."""
    first, again = state.batch(FIRST), state.batch(AGAIN)
    lines: list[Line] = []
    for cell in state.cells if state.is_timed else ():
        trouble = state.trouble(cell)
        if trouble is not None:
            lines.append(_line(state, cell, TIME, (), Verdict.BROKEN, trouble))
            continue
        for measure in state.measures(cell):
            one, two = first.get((cell.name, measure)), again.get((cell.name, measure))
            if one is None:
                lines.append(_line(state, cell, measure, (), Verdict.INCONCLUSIVE, "not measured"))
                continue
            limits = _with_power(state, cell, measure)
            verdict, reason = decide(one, two, limits)
            batches = (one, two) if two else (one,)
            lines.append(_line(state, cell, measure, batches, verdict, reason))
    lines += counted
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
        for name, one in state.batch(FIRST).items()
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


def candidate_medians(state: GateState) -> list[Median]:
    """What the gate adds to the medians: its candidate's, of all but the trial; of commands none."""
    trial = state.rounds_of(TRIAL) or range(0)
    samples = [sample for sample in state.samples if sample.round not in trial]
    tracked = [
        Tracked(cell.candidate, cell.identity, commit)
        for cell in state.cells
        if (commit := cell.candidate.commit) and cell.candidate.build in (DEFAULT_CONFIG, SYSTEM)
    ]
    return medians_of(state.run, state.head, samples, tracked)


def _with_power(state: GateState, cell: GateCell, measure: str) -> Limits:
    """Give the limits of a cell's measure, with what would have been found, and what it would take to."""
    limits = replace(state.limits(cell, measure), find=state.find, smallest=state.smallest(cell, measure))
    if not limits.is_blind:
        return limits
    needed = state.needed(cell, measure)
    remedy = f"by this noise that takes more than {MOST_PAIRS} pairs"
    if needed is not None:
        seconds = 2 * needed * state.cost_s(cell)
        remedy = f"by this noise that takes 2 batches of {needed} pairs, {seconds:.0f} s (--budget)"
    return replace(limits, remedy=remedy)


def _line(
    state: GateState,
    cell: GateCell,
    measure: str,
    batches: tuple[Batch, ...],
    verdict: Verdict,
    reason: str,
) -> Line:
    return Line(
        cell=cell.name,
        command=cell.command,
        measure=MEASURES[measure],
        delta=state.limits(cell, measure).delta,
        batches=batches,
        smallest=state.smallest(cell, measure) if batches else None,
        verdict=verdict,
        reason=reason,
        oversubscribed=state.is_oversubscribed(cell),
    )


def _notes(state: GateState) -> list[str]:
    if not state.is_timed:
        return [f"to be found: {100 * state.find:.1f} %; seed {state.head.seed}", *_count_notes(state)]
    looked = [noise["gates"] for cell in state.gate["noise"].values() for noise in cell.values()]
    noise = f"A/A history: {min(looked)} to {max(looked)} gates" if looked else "A/A history: none yet"
    notes = [f"to be found: {100 * state.find:.1f} %; {noise}; seed {state.head.seed}"]
    untold = {name for cell in state.cells for name in GATED if name not in state.measures(cell)}
    notes += _count_notes(state)
    notes += [f"not gated, since the records say 0: {MEASURES[name].label}" for name in sorted(untold)]
    notes += unverified_note([arm.own for cell in state.cells for arm in cell.arms])
    notes += [f"warning: {doubt}" for doubt in state.head.document["doubts"]]
    return notes


def _count_notes(state: GateState) -> list[str]:
    notes: list[str] = state.gate.get("counts", {}).get("notes", [])
    return notes

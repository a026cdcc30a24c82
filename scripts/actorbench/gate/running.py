"""A gate run: measured in stages, each planned from what the store holds, so that it can be resumed.

The stages are a trial of one round, in which every arm is checked and timed and which no ratio counts; the
first batch; and a fresh batch of what the first has flagged. A gate is a run like any other, with an entry
"gate" in its `run.json`, and its verdict in `gate.json`, `gate.md` and `junit.xml`.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from actorbench.counts.changes import DELTA
from actorbench.errors import UserError
from actorbench.gate.arms import Commands, Commits, RevisionError
from actorbench.gate.cells import NULL, GateCell
from actorbench.gate.count_store import CountStore
from actorbench.gate.counts import Rules, choose_counts, count_lines, take_counts, wishes
from actorbench.gate.deciding import GATED, Line, Outcome, Verdict
from actorbench.gate.history import Noise, add_to_history, history_file, noise_of, read_history
from actorbench.gate.judging import candidate_medians, judge, null_entries
from actorbench.gate.outputs import write_outputs
from actorbench.gate.stages import next_pairs
from actorbench.gate.state import FIRST, TRIAL, GateState, failure_log
from actorbench.launch import plain_head
from actorbench.machine.facts import Facts, facts_from_json, read_facts
from actorbench.machine.sources import Sources
from actorbench.measure import MEASURES
from actorbench.medians import add_medians
from actorbench.own.command import missing
from actorbench.plan import Plan, draw_blocks
from actorbench.project import Project
from actorbench.store import Head, Run, create_run
from actorbench.suite import COMMAND
from actorbench.sweep import InterruptedSweepError, sweep

ALL, TIMED, COUNTED = "all", "time", "counts"  # the measures that a gate judges
DEFAULT_BUDGET_S = 60.0


@dataclass(frozen=True)
class Settings:
    """What the user can set: the budget, the threshold and the slow-down to be found as fractions.

    `most_delta` is what the threshold may grow to where the machine's noise is larger; None for no more.
    `count_delta` is the threshold of counts. `measures` are all, or time (and memory), or counts.
    """

    budget_s: float = DEFAULT_BUDGET_S
    threshold: float = 0.05
    find: float = 0.10
    most_delta: float | None = None
    timeout_s: float | None = None
    seed: int | None = None
    measures: str = ALL
    count_delta: float = DELTA
    keeps_history: bool = True
    arguments: Sequence[str] = ()

    @property
    def sample_timeout_s(self) -> float:
        """How long a sample may take: a quarter of the budget, but 5 to 60 seconds."""
        return self.timeout_s or min(60.0, max(5.0, self.budget_s / 4))


def start_gate(project: Project, sides: Commits | Commands, settings: Settings, console: Console) -> Run:
    """Build what is compared, and write the run's head; the samples are still to be taken.

    Raises UserError; and BrokenGateError, with the outcome, if a side does not build.
    """
    facts = read_facts(Sources.of_this_machine(project.root))
    seed = int.from_bytes(os.urandom(4)) if settings.seed is None else settings.seed
    cells = sides.cells(facts.usable_cpus)
    arms = [arm for cell in cells for arm in cell.arms]
    is_timed = settings.measures != COUNTED
    rounds = draw_blocks(
        {cell.name: [arms.index(arm) for arm in cell.arms] for cell in cells},
        dict.fromkeys((cell.name for cell in cells), int(is_timed)),
        f"{seed}/{TRIAL}",
    )
    base, candidate = sides.shown
    gate = {
        "base": base,
        "candidate": candidate,
        "commit": sides.commit,
        "budget_s": settings.budget_s,
        "threshold": settings.threshold,
        "most_delta": settings.most_delta or settings.threshold,
        "find": settings.find,
        "keeps_history": settings.keeps_history,
        "cells": [{"name": cell.name, "arms": [arms.index(arm) for arm in cell.arms]} for cell in cells],
        "noise": _noise(project, facts, cells),
        "stages": [{"name": TRIAL, "rounds": [0, len(rounds)]}],
        "is_timed": is_timed,
    }
    document = plain_head(
        project,
        facts,
        arguments=settings.arguments,
        seed=seed,
        timeout_s=settings.sample_timeout_s,
        plan=Plan(tuple(arms), rounds),
    )
    document["gate"] = gate

    def tell(line: str) -> None:
        console.print(line, soft_wrap=True)

    try:
        sides.build(project, tell, null=is_timed)
        _require_own(project, cells)
        if settings.measures != TIMED:
            gate["counts"] = choose_counts(project, cells, settings.count_delta, tell, alone=not is_timed)
    except RevisionError as error:
        gate["unbuilt"] = str(error)
        run = create_run(project, "gate", document)
        log = run.folder / f"build-{error.side}.log"
        _keep(log, error.output)
        raise BrokenGateError(_broken_build(run, str(error), log.name)) from error
    return create_run(project, "gate", document)


class BrokenGateError(Exception):
    """A side does not build, so there is nothing to measure; the outcome says so."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.lines[0].reason)
        self.outcome = outcome


def carry_on(project: Project, run: Run, console: Console, *, retry_failed: bool = False) -> Outcome:
    """Take what is missing of every stage, decide, and keep the verdict and the history.

    `retry_failed` takes failed samples again, so that their cells are measured after all.
    Raises InterruptedSweepError as `sweep` does, and UserError; the same command goes on with what is there.
    """
    state = read_state(run)
    _require_builds(project, state)
    if state.is_timed:
        _take_samples(project, run, console, retry_failed=retry_failed)
    state = read_state(run)
    outcome = judge(state, _count(project, run, state, console, retry_failed=retry_failed))
    write_outputs(outcome, run.folder)
    _keep_failures(run, state)
    if state.gate["keeps_history"] and state.is_timed:
        if warning := add_medians(project, state.head, candidate_medians(state)):
            console.print(warning, soft_wrap=True)
        facts = facts_from_json(state.head.document["machine"])
        add_to_history(history_file(project, facts), null_entries(state))
    return outcome


def _take_samples(project: Project, run: Run, console: Console, *, retry_failed: bool) -> None:
    """Take what is missing of every stage; raises InterruptedSweepError and UserError."""
    while True:
        sweep(project, run, console, groups=_groups(read_state(run)), retry_failed=retry_failed)
        retry_failed = False
        state = read_state(run)
        stage, pairs = next_pairs(state)
        if not pairs:
            return
        told = f"flagged, measured again: {', '.join(pairs)};"
        if stage == FIRST:
            told = "the first batch"
            if state.rounds_of(FIRST) is not None:
                told = f"more pairs, too few or too noisy so far: {', '.join(pairs)};"
        counts = sorted(set(pairs.values()))
        span = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        console.print(f"{told} {span} pairs a cell", soft_wrap=True)
        _add_stage(run, state, stage, pairs)


def _count(
    project: Project, run: Run, state: GateState, console: Console, *, retry_failed: bool
) -> list[Line]:
    """Count what is still to be counted, and judge it all; raises InterruptedSweepError and UserError."""
    chosen = state.gate.get("counts")
    if chosen is None:
        return []
    cells = [cell for cell in state.cells if state.trouble(cell) is None]
    wanted = list(wishes(project, cells, chosen))
    rules = Rules.of(wanted, chosen["delta"], state.find)
    store = CountStore(run, retry_failed=retry_failed)
    console.print(f"counting: {', '.join(dict.fromkeys(wish.cell.name for wish in wanted))}", soft_wrap=True)
    try:
        take_counts(project, store, wanted, rules, state.head.seed)
    except KeyboardInterrupt:
        raise InterruptedSweepError from None
    return count_lines(wanted, store.kept, rules)


def read_state(run: Run) -> GateState:
    """Read a gate's head and samples from the store; raises UserError if the run is no gate."""
    head = run.head()
    if "gate" not in head.document:
        raise UserError(f"run {run.name} is no gate: {COMMAND} sweep --resume {run.name} goes on with it")
    return GateState(run.name, head, tuple(run.samples()))


def _require_builds(project: Project, state: GateState) -> None:
    """Raise UserError if there is nothing to measure: a gate that did not build, or builds that are gone."""
    anew = "start the gate anew"
    if "unbuilt" in state.gate:
        raise UserError(f"run {state.run} can't go on: {state.gate['unbuilt']}: {anew}")
    for arm in state.head.plan.cells:
        if arm.arm == NULL and not state.is_timed:
            continue
        place = arm.own.checkout if arm.own else str(arm.program)
        if not (project.build / place).exists():
            raise UserError(f"run {state.run} can't go on: build/{place} is gone: {anew}")


def _require_own(project: Project, cells: Sequence[GateCell]) -> None:
    """Raise UserError if a program or folder of the base's own commands is missing."""
    for cell in cells:
        own = cell.base.own_filled()
        if own and (problem := missing(own, cell.base.folder(project))):
            raise UserError(f"cell '{cell.name}': {problem}")


def _groups(state: GateState) -> dict[str, str]:
    """The cell that each arm belongs to: once one has failed, the others say nothing."""
    return {arm.key: cell.name for cell in state.cells for arm in cell.arms}


def _add_stage(run: Run, state: GateState, stage: str, pairs: dict[str, int]) -> Head:
    plan = state.head.plan
    arms = {cell["name"]: cell["arms"] for cell in state.gate["cells"]}
    fresh = draw_blocks(arms, pairs, f"{state.head.seed}/{stage}/{len(plan.rounds)}")
    end = len(plan.rounds) + len(fresh)
    known = {entry["name"]: entry for entry in state.gate["stages"]}
    # A batch that is topped up is the last of the plan, so that its rounds stay together.
    start = known[stage]["rounds"][0] if stage in known else len(plan.rounds)
    known[stage] = {"name": stage, "rounds": [start, end]}
    stages = list(known.values())
    extended = Plan(plan.cells, (*plan.rounds, *fresh))
    gate = state.gate | {"stages": stages}
    return run.rewrite(state.head, {"plan": extended.to_json(), "gate": gate})


def _noise(project: Project, facts: Facts, cells: Sequence[GateCell]) -> dict[str, dict[str, Any]]:
    """Sum up the history, as it is before the gate, for each cell and measure that has one."""
    entries = read_history(history_file(project, facts))
    found: dict[str, dict[str, Any]] = {}
    for cell in cells:
        known: dict[str, Noise | None] = {name: noise_of(entries, cell.identity, name) for name in GATED}
        found[cell.name] = {name: noise.to_json() for name, noise in known.items() if noise}
    return found


def _keep_failures(run: Run, state: GateState) -> None:
    """Write what failed samples said into files of their own, one an arm of a cell."""
    for cell, arm, sample in state.failures():
        failure = sample.failure
        if failure is not None:
            text = f"{sample.key}\n{failure.kind}: {failure.reason}\n"
            text += f"---- stdout\n{failure.stdout}\n---- stderr\n{failure.stderr}\n"
            _keep(run.folder / failure_log(cell, arm), text)


def _keep(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise UserError(f"results/{path.parent.name}/{path.name}: cannot be written: {error}") from error


def _broken_build(run: Run, reason: str, log: str) -> Outcome:
    state = read_state(run)
    measure = MEASURES[GATED[0]]
    line = Line("build", "", measure, 0.0, (), None, Verdict.BROKEN, f"{reason}; results/{run.name}/{log}")
    outcome = replace(judge(state), lines=(line,))
    write_outputs(outcome, run.folder)
    return outcome

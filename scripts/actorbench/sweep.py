"""The sweep: takes every sample of a run's plan that the store does not hold yet."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rich.console import Console

from actorbench.disturbance import LIMITS, MOST_REPEATS, between, marked, read_counters
from actorbench.errors import UserError
from actorbench.handover import HandOvers
from actorbench.machine.facts import facts_from_json, read_facts
from actorbench.machine.host import this_host
from actorbench.machine.sources import Sources
from actorbench.plan import Slot
from actorbench.process import StoppedError
from actorbench.progress import Pace, progress_display
from actorbench.project import Project
from actorbench.sample import ROUND_VOIDED, Sample, remove_copies, take_sample
from actorbench.simulated.sampling import DESCRIPTION_FILE, simulate_all
from actorbench.stop import StopRequest, stop_on_signals
from actorbench.stopping import complete_rounds, given_up, look
from actorbench.store import Head, Run
from actorbench.suite import COMMAND
from actorbench.text import counted


class InterruptedSweepError(Exception):
    """The user stopped the sweep; what was taken is in the store."""


def sweep(
    project: Project,
    run: Run,
    console: Console,
    *,
    groups: Mapping[str, str] | None = None,
    retry_failed: bool = False,
    rounds: range | None = None,
) -> None:
    """Take the samples that are missing, in the plan's order; with `rounds`, from 0, of these alone.

    A cell that has failed MOST_FAILURES times (stopping.py) is given up: a deadlock would take the time limit
    again and again. `groups` names the group of a cell, by its key, where a cell is worth nothing once
    another of its group has failed: the rest of such a group is not taken. `retry_failed` takes failed
    samples again, and what was given up.
    Raises InterruptedSweepError on SIGINT, SIGTERM or SIGHUP, after the sample in flight has been ended;
    UserError if the disk takes no more. The caller holds the lock (lock.py).
    """
    remove_copies(project)
    head = run.head()
    taken = [sample for sample in run.samples() if not (retry_failed and sample.failure)]
    if not head.simulated and missing_slots(head, taken):
        require_same_machine(project, run, head)
    # Not before: on another machine a job may be writing that line.
    if warning := run.put_tail_aside():
        console.print(f"warning: {warning}", soft_wrap=True)
    with stop_on_signals() as stop:
        try:
            take = _simulate_missing if head.simulated else _take_missing
            take(project, run, head, taken, console, stop, groups or {}, rounds)
        except StoppedError:
            raise InterruptedSweepError from None


def require_same_machine(project: Project, run: Run, head: Head) -> None:
    """Raise UserError if the run was planned for another machine, or CPUs of this one are gone.

    Its samples would be of two machines.
    """
    where = head.elsewhere
    if where and where["host"] != this_host():
        raise UserError(
            f"run {run.name} is of machine {where['host']}, and this is {this_host()}: samples of two"
            f" machines are never mixed; go on with: {COMMAND} sweep --resume {run.name} --on {where['on']}"
        )
    before = facts_from_json(head.document.get("machine", {})).values
    planned = before["cpus_allowed"]
    now = read_facts(Sources.of_this_machine(project.root))
    if before["cpu_model"] is not None and before["cpu_model"] != now.values["cpu_model"]:
        raise UserError(
            f"run {run.name} was planned for another CPU, {before['cpu_model']}: resume it there; samples"
            " of two machines are never mixed"
        )
    allowed = now.values["cpus_allowed"]
    gone = (
        sorted(set(planned) - set(allowed)) if isinstance(planned, list) and isinstance(allowed, list) else []
    )
    if gone or now.usable_cpus < head.cpus:
        named = f"CPU {', '.join(map(str, gone))} is gone" if gone else f"{now.usable_cpus} can be used now"
        raise UserError(
            f"run {run.name} was planned for {counted(head.cpus, 'CPU')}, and {named}: bring them back"
            " (affinity, cgroup quota, CPUs offline) and resume, or start a new run; what was taken is kept"
        )


def missing_slots(
    head: Head, taken: Sequence[Sample], voided: Sequence[Sample] = (), rounds: range | None = None
) -> list[Slot]:
    """The planned samples that were not taken, in the plan's order, those of voided rounds last.

    A failed sample was taken, and a cell that was given up lacks none. With `rounds` only those of these.
    """
    done, ended = {(sample.key, sample.round) for sample in taken}, given_up(taken)
    tries = rounds_voided(voided)
    missing = [
        slot
        for slot in head.plan.slots()
        if slot.cell.key not in ended
        and (slot.cell.key, slot.round) not in done
        and (rounds is None or slot.round in rounds)
    ]
    return sorted(missing, key=lambda slot: tries[slot.round])


def rounds_voided(voided: Sequence[Sample]) -> Counter[int]:
    """Count how often each round was voided: once for each sample that was itself disturbed."""
    return Counter(sample.round for sample in voided if sample.voided != ROUND_VOIDED)


def _take_missing(
    project: Project,
    run: Run,
    head: Head,
    taken: list[Sample],
    console: Console,
    stop: StopRequest,
    groups: Mapping[str, str],
    rounds: range | None,
) -> None:
    taken = list(taken)
    whole = complete_rounds(head.plan, taken)
    if all(sample.round < whole for sample in taken):
        head = _look(run, head, taken, console)
    voided = run.voided()
    slots = _worthwhile(missing_slots(head, taken, voided, rounds), taken, groups)
    if not slots:
        return
    if head.voids_disturbed:
        console.print(f"rounds with disturbed samples are voided and taken again: {LIMITS}", soft_wrap=True)
    sources = Sources.of_this_machine(project.root)
    # A gate compares short samples with those right beside them: what the probe takes is worth more in pairs.
    handovers = HandOvers(project, stop, cpus=1 if groups else head.cpus)
    pace = Pace()
    for sample in taken:
        pace.learn(sample.key, sample.wall_ns / 1e9)
    with progress_display(console, len(taken) + len(slots), len(taken)) as display:
        display.show(pace.time_left(slots))
        while slots:
            slot, slots = slots[0], slots[1:]
            repeats_left = head.voids_disturbed and rounds_voided(voided)[slot.round] < MOST_REPEATS
            handovers.begin()
            before = read_counters(sources)
            sample = take_sample(project, slot, head.timeout_s, _chance(head.seed, slot), stop)
            seen = between(before, read_counters(sources), wall_ns=sample.wall_ns, cpus=head.cpus)
            seen = replace(seen, handover_ns=handovers.end())
            far = handovers.far(seen.handover_ns)
            sample = marked(sample, seen, slot, cpus=head.cpus, repeats_left=repeats_left, far=far)
            _append(run, sample)
            if sample.voided is not None:
                taken = [one for one in taken if one.round != sample.round or one.failure is not None]
                voided = run.voided()
                slots = _worthwhile(missing_slots(head, taken, voided, rounds), taken, groups)
                display.done, display.planned = len(taken), len(taken) + len(slots)
                console.print(
                    f"round {sample.round + 1} voided ({sample.voided}): {sample.key}", soft_wrap=True
                )
                continue
            taken.append(sample)
            pace.learn(sample.key, sample.wall_ns / 1e9)
            ends_round = not slots or slots[0].round > slot.round
            if ends_round:
                head = _look(run, head, taken, console)
            if ends_round or sample.failure is not None:
                slots = _worthwhile(missing_slots(head, taken, voided, rounds), taken, groups)
            display.planned = len(taken) + len(slots)
            display.sample_taken(sample, pace.time_left(slots))


def _simulate_missing(
    project: Project,
    run: Run,
    head: Head,
    taken: list[Sample],
    console: Console,
    stop: StopRequest,
    groups: Mapping[str, str],
    rounds: range | None,
) -> None:
    """Take the samples of a simulated machine, several at once."""
    taken, pace = list(taken), Pace()
    slots = missing_slots(head, taken, rounds=rounds)

    def worthwhile(slot: Slot) -> bool:
        return slot.cell.key not in given_up(taken) and bool(_worthwhile([slot], taken, groups))

    description = run.folder / DESCRIPTION_FILE
    with progress_display(console, len(taken) + len(slots), len(taken)) as display:
        for sample in simulate_all(project, slots, description, head.timeout_s, stop, worthwhile):
            _append(run, sample)
            taken.append(sample)
            pace.learn(sample.key, sample.wall_ns / 1e9)
            display.sample_taken(sample, pace.time_left(missing_slots(head, taken, rounds=rounds)))


def _worthwhile(slots: Sequence[Slot], taken: Sequence[Sample], groups: Mapping[str, str]) -> list[Slot]:
    """Leave out what belongs to a group that has failed."""
    lost = {groups[sample.key] for sample in taken if sample.failure is not None and sample.key in groups}
    return [slot for slot in slots if groups.get(slot.cell.key) not in lost]


def _look(run: Run, head: Head, taken: list[Sample], console: Console) -> Head:
    """After a round, see whether a goal changes the plan, and say so."""
    if head.goal is None:
        return head
    decision = look(head.plan, head.goal, taken, head.seed)
    for line in decision.lines:
        console.print(line, soft_wrap=True)
    return run.replan(head, decision)


def _chance(seed: int, slot: Slot) -> random.Random:
    """Give each slot its own source of chance, so that a resumed sweep draws what it would have drawn."""
    return random.Random(f"{seed}/{slot.round}/{slot.cell.key}")


def _append(run: Run, sample: Sample) -> None:
    try:
        run.append(sample)
    except OSError as error:
        why = error.strerror or str(error)
        raise UserError(
            f"results/{run.name}/samples.jsonl: cannot be written: {why}; nothing taken before is lost,"
            f" go on with: {COMMAND} sweep --resume {run.name}"
        ) from error

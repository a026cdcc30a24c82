"""`actorbench sweep --on`: has other machines measure, a run each, and shows the runs side by side."""

import os
import re
import shutil
from collections.abc import Sequence
from typing import cast

import click
from rich.console import Console

from actorbench.catalogue import find_experiments
from actorbench.cli.options import SweepOptions, hold_lock, refuse_others
from actorbench.cli.requesting import request_of
from actorbench.cli.showing import print_tables, print_together
from actorbench.cli.telling import print_failed, print_head
from actorbench.elsewhere.engine import Engine, Jobs
from actorbench.elsewhere.errand import Errand, as_asked, errands_together, find_errand, named_from
from actorbench.elsewhere.slurm import Slurm
from actorbench.elsewhere.ssh import Ssh
from actorbench.elsewhere.watching import watch
from actorbench.errors import EXIT_BENCHMARK_FAILED, EXIT_INTERRUPTED, EXIT_OK, UserError, choices
from actorbench.launch import label_of, propose, start_run
from actorbench.machine.host import this_host
from actorbench.project import Project
from actorbench.store import Run, new_folder
from actorbench.suite import COMMAND
from actorbench.sweep import InterruptedSweepError, missing_slots

ENGINES: dict[str, type[Engine]] = {"slurm": Slurm, "ssh": Ssh}
# What a sweep on other machines can't do, and why.
MEANINGLESS = {
    "budget": "a calibration is of one machine, and amounts would differ",
    "precision": "intervals are looked at after whole rounds in order, and jobs may be lost in between",
    "machine": "what is simulated here is the same everywhere",
    "dry_run": "it tells of this machine",
    "wait": "jobs wait for each other in any case",
    "rounds": "that is what its jobs say",
}


def sweep_elsewhere(
    context: click.Context, experiments: tuple[str, ...], asked: SweepOptions, on: str, console: Console
) -> int:
    """Submit what is missing, watch, and show what came of it; returns the exit status."""
    project: Project = context.obj
    name, _, named = on.partition(":")
    if name not in ENGINES or (name == "ssh" and not named and asked["resume"] is None):
        raise UserError(f"--on '{on}': is none of slurm, slurm:NODE,NODE and ssh:HOST,HOST")
    for option, why in MEANINGLESS.items():
        if context.params.get(option):
            raise UserError(f"--on: --{option.replace('_', '-')} makes no sense with it: {why}")
    engine = ENGINES[name]()
    if asked["resume"] is not None:
        refuse_others(context, "resume", "goes on with the recorded plan", allowed={"on", "retry_failed"})
        errands = _errands_of(project, engine, asked["resume"], named)
        at_work = engine.look(errands)
    else:
        errands = _new_errands(project, engine, named, experiments, asked)
        at_work = [Jobs() for _ in errands]
    again = f"{COMMAND} sweep --resume {errands[0].folder.name} --on {name}"
    is_new = asked["resume"] is None
    _submit(engine, errands, at_work, console, again, retry_failed=asked["retry_failed"], is_new=is_new)
    console.print(f"the jobs go on without this command; to watch them again: {again}", soft_wrap=True)
    try:
        watch(engine, errands, console)
    except InterruptedSweepError:
        console.print(f"the jobs go on; watch them with: {again}", soft_wrap=True)
        console.print(f"end them with: {engine.how_to_end(errands)}", soft_wrap=True)
        return EXIT_INTERRUPTED
    return _show(project, errands, console, again)


def _new_errands(
    project: Project, engine: Engine, named: str, experiments: tuple[str, ...], asked: SweepOptions
) -> list[Errand]:
    """Make a run's folder, with an errand, for each machine; raises UserError for what can't be measured."""
    if asked["seed"] is None:  # the same order on each machine
        asked = {**asked, "seed": int.from_bytes(os.urandom(4))}
    request = request_of(find_experiments(project, list(experiments)), asked, machine=None)
    proposal = propose(project, request, to_run=engine.shares_files)
    rounds = max(proposal.cells.values())
    machines = list(dict.fromkeys(engine.machines(named)))
    folders = [
        new_folder(project, f"{label_of(request)}-{_in_names(machine.partition(':')[0])}")
        for machine in machines
    ]
    options = {**asked, "experiments": named_from(project.root, experiments)}
    errands = [
        Errand(folder, engine.name, machine, folders[0].name, rounds, engine.most_jobs, options)
        for folder, machine in zip(folders, machines, strict=True)
    ]
    for errand in errands:
        errand.write()
    return errands


def _errands_of(project: Project, engine: Engine, name: str, named: str) -> list[Errand]:
    """Find the errands of a run's sweep, those on the machines named if some are; raises UserError."""
    errand = find_errand(project, name)
    if errand is None or errand.on != engine.name:
        how = f"with --on {errand.on}" if errand else "without --on"
        raise UserError(f"run '{name}' was not started with --on {engine.name}, but {how}, if it is there")
    errands = errands_together(project, errand)
    wanted = engine.machines(named) if named else [one.machine for one in errands]
    known = [one.machine for one in errands]
    for machine in wanted:
        if machine not in known:
            raise UserError(f"--on: '{machine}' is no machine of this sweep (choices: {choices(known)})")
    return [one for one in errands if one.machine in wanted]


def _submit(
    engine: Engine,
    errands: Sequence[Errand],
    at_work: Sequence[Jobs],
    console: Console,
    again: str,
    *,
    retry_failed: bool,
    is_new: bool,
) -> None:
    """Submit the jobs that take what is missing, but for those that are still there; raises UserError.

    Nothing is left of a new sweep of which nothing could be submitted.
    """
    submitted = False
    for errand, jobs in zip(errands, at_work, strict=True):
        try:
            if not jobs.known:
                raise UserError(f"--on {engine.name}: no answer about {errand.machine}: nothing is submitted")
            missing = [job for job in errand.jobs_missing(retry_failed=retry_failed) if job not in jobs.left]
            missing = [] if retry_failed and jobs.left else missing
            if missing:
                engine.submit(errand, missing, retry_failed=retry_failed)
        except UserError as error:
            if submitted or not is_new:
                raise UserError(f"{error}; go on with: {again}") from error
            for unsubmitted in errands:
                shutil.rmtree(unsubmitted.folder, ignore_errors=True)
            raise
        submitted = True
        console.print(f"{errand.machine}: run {errand.folder.name}, {_counted(missing)}", soft_wrap=True)


def _counted(submitted: Sequence[int]) -> str:
    count = len(submitted)
    return f"{count} job{'' if count == 1 else 's'} submitted" if count else "nothing to submit"


def _show(project: Project, errands: Sequence[Errand], console: Console, again: str) -> int:
    """Print what each machine has taken, with what is missing and why; returns the exit status."""
    from actorbench.medians import keep_medians

    shown: list[Run] = []
    is_short = has_failed = False
    for errand in errands:
        if errand.is_planned:
            head, taken = errand.taken()
            print_head(errand.run, head, console)
            missing = len(missing_slots(head, taken))
            shown += [errand.run] if taken else []
            has_failed |= print_failed(errand.run, head, console, "sweep")
            if not missing and (warning := keep_medians(project, errand.run)):
                console.print(warning, soft_wrap=True)
            lacks = f"{missing} of {head.plan.size} samples" if missing else ""
        else:
            lacks = "everything, even the plan"
        if lacks:
            is_short = True
            words = errand.last_words() or "none said anything"
            console.print(
                f"{errand.machine} lacks {lacks}, and has no job left; the last one said: {words}",
                soft_wrap=True,
            )
    if len(shown) > 1:
        print_together(shown, console)
        runs = " ".join(f"--run {run.name}" for run in shown)
        console.print(f"draw the figures, a panel a machine, with: {COMMAND} figures {runs}", soft_wrap=True)
    elif shown:
        print_tables(shown[0], console)
        console.print(f"draw the figures with: {COMMAND} figures --run {shown[0].name}", soft_wrap=True)
    if is_short:
        console.print(f"go on with: {again}", soft_wrap=True)
        return EXIT_INTERRUPTED
    return EXIT_BENCHMARK_FAILED if has_failed else EXIT_OK


def run_of_errand(project: Project, errand: Errand, console: Console, *, wait: bool) -> Run:
    """Plan an errand's run, on the machine that it is for, and hold the run's lock; raises UserError."""
    asked = cast(SweepOptions, as_asked(errand.asked))
    request = request_of(find_experiments(project, errand.asked["experiments"]), asked, machine=None)
    proposal = propose(project, request)
    hold_lock(project, wait=wait, run=errand.folder)
    if not errand.is_planned:
        for line in proposal.shortages:
            console.print(line, soft_wrap=True)
        where = {"on": errand.on, "machine": errand.machine, "host": this_host()}
        start_run(project, proposal, folder=errand.folder, elsewhere=where)
    return errand.run


def _in_names(machine: str) -> str:
    """Write a machine's name such that it can be part of a folder's."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", machine)

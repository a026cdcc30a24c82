"""`actorbench sweep`: measures experiments; and how `actorbench figures` measures, too."""

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Unpack

import click
from rich.console import Console

from actorbench.catalogue import find_experiments
from actorbench.cli.dry_run import show_dry_run
from actorbench.cli.options import SweepOptions, asked_preset, hold_lock, refuse_others, sweep_options
from actorbench.cli.showing import print_tables
from actorbench.errors import EXIT_BENCHMARK_FAILED, EXIT_INTERRUPTED, EXIT_OK, UserError
from actorbench.experiment import Experiment
from actorbench.launch import Request, calibrated, propose, start_run
from actorbench.machine.facts import facts_from_json
from actorbench.process import StoppedError
from actorbench.progress import progress_display
from actorbench.project import Project
from actorbench.simulated.description import Machine, find_machine
from actorbench.stopping import MOST_FAILURES, given_up
from actorbench.store import Head, Run, find_run
from actorbench.suite import COMMAND
from actorbench.sweep import InterruptedSweepError, rounds_voided
from actorbench.sweep import sweep as take_samples
from actorbench.table import make_console


@click.command()
@click.argument("experiments", nargs=-1)
@sweep_options
@click.pass_context
def sweep(context: click.Context, /, experiments: tuple[str, ...], **asked: Unpack[SweepOptions]) -> int:
    """Measure EXPERIMENTS (ids of plots/, or TOML files) as one interleaved plan, and print the tables."""
    project: Project = context.obj
    console = make_console()
    if asked["resume"] is None and not experiments:
        raise UserError(f"sweep needs an experiment: an id that {COMMAND} list shows, or a TOML file")
    run = open_run(context, partial(find_experiments, project, list(experiments)), asked, console)
    if run is None:
        return EXIT_OK
    status = carry_out(project, run, console, command="sweep", retry_failed=asked["retry_failed"])
    if status != EXIT_INTERRUPTED:
        print_tables(run, console)
        console.print(f"draw the figures with: {COMMAND} figures --run {run.name}", soft_wrap=True)
    return status


def open_run(
    context: click.Context,
    find: Callable[[], Sequence[Experiment]],
    asked: SweepOptions,
    console: Console,
    *,
    beside_resume: Collection[str] = (),
) -> Run | None:
    """Start a new run of the experiments that `find` gives, or find the run to resume; raises UserError.

    None if nothing is to be measured (--dry-run). `beside_resume` are options that fit --resume.
    """
    project: Project = context.obj
    if asked["resume"] is not None:
        allowed = {"retry_failed", "wait", *beside_resume}
        refuse_others(context, "resume", "goes on with the recorded plan", allowed=allowed)
        run = find_run(project, asked["resume"])
        hold_lock(project, wait=asked["wait"])
        return run
    if asked["retry_failed"]:
        raise UserError("--retry-failed is for a run that has failed samples: --resume names it")
    machine = asked_machine(project, asked)
    request = Request(
        experiments=find(),
        preset=asked_preset(asked),
        samples=asked["samples"],
        workers=asked["workers"],
        seed=asked["seed"],
        timeout_s=asked["timeout"],
        only=asked["only"],
        budget_s=asked["budget"],
        precision=asked["precision"],
        void_disturbed=asked["void_disturbed"],
        pin=asked["pin"],
        machine=machine,
        arguments=sys.argv[1:],
    )
    if asked["void_disturbed"] and (asked["budget"] or asked["precision"]):
        raise UserError("--void-disturbed repeats rounds after the plan, which --budget and --precision end")
    if not request.experiments:
        raise UserError("no experiment in plots/")
    proposal = propose(project, request)
    if asked["dry_run"]:
        show_dry_run(project, proposal, console)
        return None
    hold_lock(project, wait=asked["wait"])
    if proposal.follows_budget:
        count = len(proposal.cells)
        console.print(f"calibrating: a small sample of each of {count} cells", soft_wrap=True)
        try:
            proposal = calibrated(project, proposal, progress_display(console, count, 0))
        except StoppedError:
            raise click.Abort from None
    for line in (*proposal.told, *proposal.shortages):
        console.print(line, soft_wrap=True)
    return start_run(project, proposal)


def asked_machine(project: Project, asked: Mapping[str, object]) -> Machine | None:
    """Find the machine that is to be simulated; raises UserError for what makes no sense with one."""
    if asked["machine"] is None:
        return None
    for name in ("budget", "precision", "void_disturbed"):
        if asked.get(name):
            raise UserError(f"--machine: nothing is timed, so --{name.replace('_', '-')} means nothing")
    return find_machine(project, str(asked["machine"]))


def carry_out(
    project: Project, run: Run, console: Console, *, command: str, retry_failed: bool = False
) -> int:
    """Take the samples that are missing, telling what goes on; returns the exit status."""
    from actorbench.medians import keep_medians

    head = run.head()
    _print_head(run, head, console)
    try:
        take_samples(project, run, console, retry_failed=retry_failed)
    except InterruptedSweepError:
        _print_interrupted(run, console, command)
        return EXIT_INTERRUPTED
    if warning := keep_medians(project, run):
        console.print(warning, soft_wrap=True)
    voided = run.voided()
    if voided:
        disturbed = sum(rounds_voided(voided).values())
        console.print(
            f"{disturbed} samples were disturbed, and their rounds taken again;"
            f" results/{run.name}/samples.jsonl keeps the {len(voided)} that do not count",
            soft_wrap=True,
        )
    samples = run.samples()
    failed = {sample.key: sample.failure for sample in samples if sample.failure}
    if failed:
        ended = given_up(samples)
        console.print(f"{len(failed)} of {len(head.plan.cells)} cells failed and have no estimate:")
        for key, failure in sorted(failed.items()):
            rest = f"; given up after {MOST_FAILURES} failures" if key in ended else ""
            console.print(f"  {key}: {failure.kind}: {failure.reason}{rest}", soft_wrap=True)
        again = f"{COMMAND} {command} --resume {run.name} --retry-failed"
        console.print(f"take them again with: {again}", soft_wrap=True)
    return EXIT_BENCHMARK_FAILED if failed else EXIT_OK


def _print_head(run: Run, head: Head, console: Console) -> None:
    values = dict(facts_from_json(head.document["machine"]).shown())
    told = ("CPU", "CPUs allowed (affinity)", "kernel", "compiler", "commit", "working tree")
    console.print(f"run {run.name}", style="bold")
    console.print("; ".join(f"{label} {values[label]}" for label in told), soft_wrap=True)
    for doubt in head.document["doubts"]:
        console.print(f"warning: {doubt}", soft_wrap=True)
    for system, why in head.skipped.items():
        console.print(f"skipped: {system}: {why}", soft_wrap=True)
    plan = head.plan
    workers = ",".join(map(str, head.workers))
    workers += f" ({head.workers_why})" if head.workers_why else ""
    workers += f", --pin {head.pin}" if head.pin else ""
    console.print(
        f"{len(plan.cells)} cells, {plan.size} samples in {len(plan.rounds)} rounds, preset {head.preset},"
        f" seed {head.seed}, workers {workers}",
        soft_wrap=True,
    )


def _print_interrupted(run: Run, console: Console, command: str) -> None:
    # Counted from the store, which is what a resumed run will find.
    head, samples = run.head(), run.samples()
    taken: dict[str, int] = {}
    for sample in samples:
        taken[sample.key] = taken.get(sample.key, 0) + 1
    planned: dict[str, int] = {}
    for slot in head.plan.slots():
        planned[slot.cell.key] = planned.get(slot.cell.key, 0) + 1
    complete = sum(taken.get(key, 0) >= count for key, count in planned.items())
    console.print(
        f"interrupted: {len(samples)} of {head.plan.size} samples taken, {complete} of {len(planned)} cells"
        f" complete, kept in results/{run.name}",
        soft_wrap=True,
    )
    console.print(f"go on with: {COMMAND} {command} --resume {run.name}", soft_wrap=True)

"""`actorbench sweep`: measures experiments, and what it shares with `actorbench figures`."""

import re
import sys
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, TypedDict, Unpack

import click
from click.core import ParameterSource
from rich.console import Console

from actorbench.catalogue import find_experiments
from actorbench.cli.dry_run import show_dry_run
from actorbench.cpu_order import PINS
from actorbench.errors import EXIT_BENCHMARK_FAILED, EXIT_INTERRUPTED, EXIT_OK, UserError
from actorbench.experiment import Experiment
from actorbench.launch import DEFAULT_TIMEOUT_S, Request, calibrated, propose, start_run
from actorbench.lock import measuring_lock
from actorbench.machine.facts import facts_from_json
from actorbench.process import StoppedError
from actorbench.progress import progress_display
from actorbench.project import Project
from actorbench.simulated.description import Machine, find_machine
from actorbench.stopping import MOST_FAILURES, given_up
from actorbench.store import Head, Run, find_run
from actorbench.sweep import InterruptedSweepError, rounds_voided
from actorbench.sweep import sweep as take_samples
from actorbench.table import make_console
from actorbench.worker_counts import THESIS

MOST_WORKERS = 4096


class SweepOptions(TypedDict):
    """The options of `sweep_options`, as click hands them over."""

    preset: str
    samples: int | None
    workers: tuple[int, ...] | str | None
    pin: str | None
    machine: str | None
    seed: int | None
    only: str | None
    timeout: float
    budget: float | None
    precision: float | None
    void_disturbed: bool
    resume: str | None
    retry_failed: bool
    wait: bool
    dry_run: bool


def parse_workers(_context: click.Context, _parameter: click.Parameter, text: str | None) -> object:
    """Read "1,2,4", or "thesis", for --workers."""
    if text is None or text == THESIS:
        return text
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() and 1 <= int(part) <= MOST_WORKERS for part in parts):
        raise click.BadParameter(
            f"'{text}' is not a list of whole numbers from 1 to {MOST_WORKERS}, as in 1,2,4, nor {THESIS}"
        )
    return tuple(sorted({int(part) for part in parts}))


def parse_span(_context: click.Context, _parameter: click.Parameter, text: str | None) -> object:
    """Read "90s", "30m" or "2h" for --budget, in seconds; a number alone is seconds."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)([smh]?)", text, re.ASCII)
    seconds = float(match[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[match[2]] if match else 0
    if seconds <= 0:
        raise click.BadParameter(f"'{text}' is not a time over 0, as in 90s, 30m or 2h")
    return seconds


def parse_fraction(_context: click.Context, _parameter: click.Parameter, text: str | None) -> object:
    """Read "2%" or "0.02" for --precision, as a fraction."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,3}(?:\.\d{1,6})?)(%?)", text, re.ASCII)
    fraction = float(match[1]) / (100 if match[2] else 1) if match else 0
    if not 0 < fraction < 1:
        raise click.BadParameter(f"'{text}' is not a fraction over 0 % and under 100 %, as in 2% or 0.02")
    return fraction


wait_option = click.option("--wait", is_flag=True, help="Wait for another command that is measuring.")


def hold_lock(project: Project, *, wait: bool) -> None:
    """Hold the lock until the command ends; raises UserError if another holds it, unless it may wait."""
    click.get_current_context().with_resource(measuring_lock(project, wait=wait))


def sweep_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that decide what is measured, and how."""
    options = [
        click.option("--preset", default="quick", show_default=True, help="Amount of work and samples."),
        click.option("--samples", type=click.IntRange(1, 10000), help="Samples a cell, not the preset's."),
        click.option(
            "--workers",
            "--cores",
            "workers",
            callback=parse_workers,
            help='What "1..all" stands for, as in 1,2,4, or "thesis" (1 2 4 8 16 24 32 48, up to all CPUs).',
        ),
        click.option(
            "--pin",
            type=click.Choice(("none", *PINS)),
            help="The plan of CPUs, in place of the experiments'.",
        ),
        click.option(
            "--machine",
            metavar="NAME|WORDS",
            help='Simulate this machine, as `./actorbench machine` lists them, or "pack:4 numa:2 core:8".',
        ),
        click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Of order, padding and bootstrap."),
        click.option("--only", metavar="SUBSTR", help="Measure only cells whose command contains this."),
        click.option(
            "--timeout",
            type=click.FloatRange(0, 10**6, min_open=True),
            default=DEFAULT_TIMEOUT_S,
            show_default=True,
            help="Seconds that a sample may take.",
        ),
        click.option(
            "--budget",
            callback=parse_span,
            metavar="TIME",
            help="Whole rounds that fit, as in 30m; the preset says whether amounts are made smaller for it.",
        ),
        click.option(
            "--precision",
            callback=parse_fraction,
            metavar="FRACTION",
            help="Stop when each interval's half-width is under this, as in 2%; at most --samples, or 100.",
        ),
        click.option(
            "--void-disturbed",
            is_flag=True,
            help="Void rounds that steal, throttling or other work has disturbed, and take them again.",
        ),
        click.option("--resume", metavar="RUN", help="Go on with an interrupted run, by its own plan."),
        click.option(
            "--retry-failed",
            is_flag=True,
            help="With --resume: take failed samples again, and go on with cells that were given up.",
        ),
        wait_option,
        click.option(
            "--dry-run",
            is_flag=True,
            help="Say what would be measured, and how long it takes; measure nothing.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@click.argument("experiments", nargs=-1)
@sweep_options
@click.pass_context
def sweep(context: click.Context, /, experiments: tuple[str, ...], **asked: Unpack[SweepOptions]) -> int:
    """Measure EXPERIMENTS (ids of plots/, or TOML files) as one interleaved plan, and print the tables."""
    project: Project = context.obj
    console = make_console()
    if asked["resume"] is None and not experiments:
        raise UserError("sweep needs an experiment: an id that ./actorbench list shows, or a TOML file")
    run = open_run(context, partial(find_experiments, project, list(experiments)), asked, console)
    if run is None:
        return EXIT_OK
    status = carry_out(project, run, console, command="sweep", retry_failed=asked["retry_failed"])
    if status != EXIT_INTERRUPTED:
        from actorbench.cli.figures import print_tables

        print_tables(run, console)
        console.print(f"draw the figures with: ./actorbench figures --run {run.name}", soft_wrap=True)
    return status


def open_run(
    context: click.Context, find: Callable[[], Sequence[Experiment]], asked: SweepOptions, console: Console
) -> Run | None:
    """Start a new run of the experiments that `find` gives, or find the run to resume; raises UserError.

    None if nothing is to be measured (--dry-run).
    """
    project: Project = context.obj
    if asked["resume"] is not None:
        refuse_others(context, "resume", "goes on with the recorded plan", allowed={"retry_failed", "wait"})
        run = find_run(project, asked["resume"])
        hold_lock(project, wait=asked["wait"])
        return run
    if asked["retry_failed"]:
        raise UserError("--retry-failed is for a run that has failed samples: --resume names it")
    machine = asked_machine(project, asked)
    request = Request(
        experiments=find(),
        preset=asked["preset"],
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


def asked_machine(project: Project, asked: SweepOptions) -> Machine | None:
    """Find the machine that is to be simulated; raises UserError for what makes no sense with one."""
    if asked["machine"] is None:
        return None
    for name in ("budget", "precision", "void_disturbed"):
        if asked[name]:
            raise UserError(f"--machine: nothing is timed, so --{name.replace('_', '-')} means nothing")
    return find_machine(project, asked["machine"])


def refuse_others(context: click.Context, name: str, why: str, *, allowed: Collection[str] = ()) -> None:
    """Raise UserError if another option, but those allowed, or an experiment is given beside `name`."""
    for parameter in context.params:
        if parameter in allowed:
            continue
        given = context.get_parameter_source(parameter) is ParameterSource.COMMANDLINE
        if parameter != name and given and context.params[parameter]:
            shown = "an experiment" if parameter == "experiments" else f"--{parameter.replace('_', '-')}"
            raise UserError(f"--{name} {why}: it can't be given together with {shown}")


def carry_out(
    project: Project, run: Run, console: Console, *, command: str, retry_failed: bool = False
) -> int:
    """Take the samples that are missing, telling what goes on; returns the exit status."""
    head = run.head()
    _print_head(run, head, console)
    try:
        take_samples(project, run, console, retry_failed=retry_failed)
    except InterruptedSweepError:
        _print_interrupted(run, console, command)
        return EXIT_INTERRUPTED
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
        again = f"./actorbench {command} --resume {run.name} --retry-failed"
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
    console.print(f"go on with: ./actorbench {command} --resume {run.name}", soft_wrap=True)

"""`actorbench sweep`: measures experiments; and how `actorbench figures` measures, too."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Unpack

import click
from rich.console import Console

from actorbench.catalogue import find_experiments
from actorbench.cli.dry_run import show_dry_run
from actorbench.cli.elsewhere import run_of_errand, sweep_elsewhere
from actorbench.cli.options import SweepOptions, hold_lock, parse_rounds, refuse_others, sweep_options
from actorbench.cli.requesting import asked_machine, request_of
from actorbench.cli.showing import print_tables
from actorbench.cli.telling import print_failed, print_head, print_interrupted
from actorbench.elsewhere.errand import find_errand
from actorbench.errors import EXIT_BENCHMARK_FAILED, EXIT_INTERRUPTED, EXIT_OK, UserError
from actorbench.experiment import Experiment
from actorbench.launch import Selection, calibrated, propose, start_run
from actorbench.process import StoppedError
from actorbench.progress import progress_display
from actorbench.project import Project
from actorbench.store import Run, find_run
from actorbench.suite import COMMAND
from actorbench.sweep import InterruptedSweepError, rounds_voided
from actorbench.sweep import sweep as take_samples
from actorbench.table import make_console
from actorbench.text import counted


@click.command()
@click.argument("experiments", nargs=-1)
@sweep_options
@click.option(
    "--on",
    metavar="ENGINE",
    help="Let other machines measure, a run each: slurm, slurm:NODE,NODE or ssh:HOST,HOST.",
)
@click.option(
    "--rounds",
    callback=parse_rounds,
    metavar="FIRST-LAST",
    help="With --resume: only these rounds of the plan, counted from 1, as the jobs of --on do.",
)
@click.pass_context
def sweep(
    context: click.Context,
    /,
    experiments: tuple[str, ...],
    on: str | None,
    rounds: range | None,
    **asked: Unpack[SweepOptions],
) -> int:
    """Measure EXPERIMENTS (ids of plots/, or TOML files) as one interleaved plan, and print the tables."""
    project: Project = context.obj
    console = make_console()
    if asked["resume"] is None and not experiments:
        raise UserError(f"sweep needs an experiment: an id that {COMMAND} list shows, or a TOML file")
    if on is not None:
        return sweep_elsewhere(context, experiments, asked, on, console)
    if rounds is not None and asked["resume"] is None:
        raise UserError("--rounds is for a run that has a plan: --resume names it")
    errand = find_errand(project, asked["resume"]) if rounds and asked["resume"] else None
    run: Run | None
    if errand and not errand.is_planned:
        run = run_of_errand(project, errand, console, wait=asked["wait"])
    else:
        find = partial(find_experiments, project, list(experiments))
        run = open_run(context, find, asked, console, beside_resume={"rounds"})
    if run is None:
        return EXIT_OK
    again = asked["retry_failed"]
    status = carry_out(project, run, console, command="sweep", retry_failed=again, rounds=rounds)
    if status != EXIT_INTERRUPTED and rounds is None:
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
    selects: Selection | None = None,
) -> Run | None:
    """Start a new run of the experiments that `find` gives, or find the run to resume; raises UserError.

    None if nothing is to be measured (--dry-run). `beside_resume` are options that fit --resume; `selects`
    says which of the experiments' cells are measured, if not all.
    """
    project: Project = context.obj
    if asked["resume"] is not None:
        allowed = {"retry_failed", "wait", *beside_resume}
        refuse_others(context, "resume", "goes on with the recorded plan", allowed=allowed)
        errand = find_errand(project, asked["resume"])
        if errand and not errand.is_planned:
            again = f"{COMMAND} sweep --resume {errand.folder.name} --on {errand.on}"
            raise UserError(f"{errand.machine} has not planned this run yet; go on with: {again}")
        run = find_run(project, asked["resume"])
        # Other machines may measure in the same checkout, each a run of its own.
        hold_lock(project, wait=asked["wait"], run=run.folder if errand else None)
        return run
    request = replace(request_of(find(), asked, asked_machine(project, asked)), selects=selects)
    proposal = propose(project, request)
    if asked["dry_run"]:
        show_dry_run(project, proposal, console)
        return None
    hold_lock(project, wait=asked["wait"])
    if proposal.follows_budget:
        count = len(proposal.cells)
        console.print(f"calibrating: a small sample of each of {counted(count, 'cell')}", soft_wrap=True)
        try:
            proposal = calibrated(project, proposal, progress_display(console, count, 0))
        except StoppedError:
            raise click.Abort from None
    for line in (*proposal.told, *proposal.shortages):
        console.print(line, soft_wrap=True)
    return start_run(project, proposal)


def carry_out(
    project: Project,
    run: Run,
    console: Console,
    *,
    command: str,
    retry_failed: bool = False,
    rounds: range | None = None,
) -> int:
    """Take the samples that are missing (of `rounds`), telling what goes on; returns the exit status."""
    head = run.head()
    print_head(run, head, console)
    try:
        take_samples(project, run, console, retry_failed=retry_failed, rounds=rounds)
    except InterruptedSweepError:
        print_interrupted(run, console, command)
        return EXIT_INTERRUPTED
    if rounds is None:
        from actorbench.medians import keep_medians

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
    return EXIT_BENCHMARK_FAILED if print_failed(run, head, console, command) else EXIT_OK

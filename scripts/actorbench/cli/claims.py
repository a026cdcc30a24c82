"""`actorbench claims`: the ledger of what the sources claim, by what was measured."""

from functools import partial
from typing import TYPE_CHECKING, Unpack

import click
from rich.console import Console

from actorbench.catalogue import find_experiments
from actorbench.cli.options import SweepOptions, sweep_options
from actorbench.cli.sweeping import carry_out, open_run
from actorbench.errors import EXIT_INTERRUPTED, EXIT_OK, UserError, choices
from actorbench.ledger.claims import load_claims, pick_claims
from actorbench.machine.facts import Facts, read_facts
from actorbench.machine.sources import Sources
from actorbench.peers.building import built_systems
from actorbench.project import Project
from actorbench.store import find_run
from actorbench.table import make_console

if TYPE_CHECKING:
    from actorbench.ledger.showing import Ledger


@click.command()
@click.argument("names", nargs=-1, metavar="[CLAIMS]...")
@click.option(
    "--why", is_flag=True, help="Show the experiments, the numbers and the rule behind each verdict."
)
@click.option("--measure", is_flag=True, help="Measure first what is missing; the options below say how.")
@click.option(
    "--run",
    "run_names",
    metavar="RUN",
    multiple=True,
    help="Judge by this run; may be given again. If absent: the newest of each machine.",
)
@sweep_options
@click.pass_context
def claims(
    context: click.Context,
    /,
    names: tuple[str, ...],
    *,
    why: bool,
    measure: bool,
    run_names: tuple[str, ...],
    **asked: Unpack[SweepOptions],
) -> int:
    """Judge the sources' CLAIMS (such as T9; all if none is named) by what was measured.

    Reproduced, not reproduced, undecided (and what more samples would take), or cannot be decided here (and
    what is missing). --dry-run says what --measure would measure; --machine judges by the runs of that
    simulated machine alone.
    """
    from actorbench.ledger.showing import ledger_table, why_tables
    from actorbench.ledger.stored import experiments_missing

    project: Project = context.obj
    console = make_console()
    machine = asked["machine"] or ""
    wanted = [one.id for one in pick_claims(load_claims(project.claims), names)]
    if not wanted:
        raise UserError("plots/claims holds no claim")
    facts = read_facts(Sources.of_this_machine(project.root))
    ledgers = find_ledgers(project, run_names, facts, machine)
    judged = [one for one in ledgers[0].judged if one.claim.id in wanted]
    missing = experiments_missing(judged, facts)
    status = EXIT_OK
    if measure or asked["dry_run"]:
        if run_names or machine:
            raise UserError("--measure measures on this machine: --run and --machine judge what was measured")
        status = _measure(context, missing, asked, console)
        if asked["dry_run"] or status == EXIT_INTERRUPTED:
            return status
        ledgers = find_ledgers(project, (), facts)
    elif missing and not run_names and not machine:
        console.print(
            f"not measured yet: {', '.join(missing)}; ./actorbench claims --measure --budget 30m measures it",
            soft_wrap=True,
        )
    if why:
        for ledger in ledgers:
            for table in why_tables(ledger, wanted):
                table.print(console)
    else:
        ledger_table(ledgers, wanted).print(console)
    return status


def find_ledgers(
    project: Project, run_names: tuple[str, ...], facts: Facts, machine: str = ""
) -> "list[Ledger]":
    """Judge all claims by the runs named, or the newest of this machine, which is first, and simulated ones.

    All claims are judged, whichever are shown: no verdict depends on what is asked for. Raises UserError.
    """
    from actorbench.ledger.showing import ledgers_of, named_machine
    from actorbench.ledger.stored import searches_on_record, simulated_machines, stored_runs
    from actorbench.results import load_results

    every, searches = load_claims(project.claims), searches_on_record(project)
    if run_names:
        return ledgers_of(every, [load_results(find_run(project, name)) for name in run_names], searches)
    simulated = simulated_machines(project)
    if machine and machine not in simulated:
        raise UserError(f"no run on a simulated machine '{machine}' (choices: {choices(simulated)})")
    names = [machine] if machine else ["", *simulated]
    runs = [one for name in names for one in stored_runs(project, every, facts, name)]
    here = "" if machine else named_machine(facts, facts.usable_cpus)
    return ledgers_of(every, runs, searches, here)


def _measure(context: click.Context, missing: list[str], asked: SweepOptions, console: Console) -> int:
    """Measure what is missing in one run; returns the exit status."""
    from actorbench.ledger.stored import rounds_wanted

    project: Project = context.obj
    if asked["resume"] or asked["retry_failed"]:
        raise UserError("a run is resumed by ./actorbench sweep --resume RUN, and claims judges it then")
    experiments = find_experiments(project, missing)
    if left := [one.id for one in experiments if one.wants_peers and not built_systems(project)]:
        console.print(f"left out, as no peer is built (make peers): {', '.join(left)}", soft_wrap=True)
        experiments = [one for one in experiments if one.id not in left]
    if not experiments:
        console.print("nothing is missing that can be measured here")
        return EXIT_OK
    samples = asked["samples"] or rounds_wanted(len(load_claims(project.claims)))
    run = open_run(context, partial(list, experiments), {**asked, "samples": samples}, console)
    return EXIT_OK if run is None else carry_out(project, run, console, command="sweep")

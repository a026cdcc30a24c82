"""`actorbench claims`: the ledger of what the sources claim, by what was measured."""

import shlex
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Unpack

import click
from rich.console import Console

from actorbench.catalogue import find_experiments
from actorbench.cli.options import SweepOptions, sweep_options
from actorbench.cli.sweeping import carry_out, open_run
from actorbench.errors import EXIT_INTERRUPTED, EXIT_OK, UserError, choices
from actorbench.launch import Selection
from actorbench.ledger.claims import load_claims, pick_claims
from actorbench.machine.facts import Facts, read_facts
from actorbench.machine.sources import Sources
from actorbench.peers.building import built_systems
from actorbench.project import Project
from actorbench.simulated.description import Machine, find_machine
from actorbench.store import find_run
from actorbench.suite import COMMAND
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
    what is missing). --dry-run says what --measure would measure: what no run has, or too few
    rounds for any verdict; with --samples what fewer rounds left undecided. --machine judges by the runs of
    that simulated machine alone; with --measure it simulates what is missing of what such a machine may
    decide.
    """
    from actorbench.ledger.asking import cells_asked
    from actorbench.ledger.showing import ledger_table, why_tables
    from actorbench.ledger.stored import (
        cpus_of,
        experiments_of,
        least_rounds,
        parts_missing,
        parts_to_decide,
    )

    project: Project = context.obj
    console = make_console()
    every = load_claims(project.claims)
    wanted = [one.id for one in pick_claims(every, names)]
    if not wanted:
        raise UserError("plots/claims holds no claim")
    measures = measure or asked["dry_run"]
    if measures and run_names:
        raise UserError("--measure measures what is missing: --run judges what was measured")
    if asked["resume"] and not measures:
        raise UserError("--resume goes on with a measurement: give it together with --measure")
    facts = read_facts(Sources.of_this_machine(project.root))
    simulated = find_machine(project, asked["machine"]) if measures and asked["machine"] else None
    name = simulated.name if simulated else _judged_machine(project, asked["machine"])
    ledgers = find_ledgers(project, run_names, facts, name)
    rounds = asked["samples"] or least_rounds(len(every))
    built = {system.name for system in built_systems(project)}
    decided = parts_to_decide([one for one in ledgers[0].judged if one.claim.id in wanted], facts, simulated)
    missing = parts_missing(decided, rounds, built)
    status = EXIT_OK
    if measures:
        able = [part for part in missing if built.issuperset(part.bound.needs.peers)]
        if left := [name for name in experiments_of(missing) if name not in experiments_of(able)]:
            console.print(f"left out, as its peers are not built: {', '.join(left)}", soft_wrap=True)
        bounds = [part.bound for part in parts_to_decide(ledgers[0].judged, facts, simulated)]
        selects = partial(cells_asked, bounds, cpus_of(facts, simulated))
        status = _measure(context, experiments_of(able), selects, simulated, asked, console)
        if asked["dry_run"] or status == EXIT_INTERRUPTED:
            return status
        ledgers = find_ledgers(project, (), facts, name)
    elif missing and not run_names and not name:
        told = f"not measured yet: {', '.join(experiments_of(missing))}"
        console.print(f"{told}; {COMMAND} claims --measure --budget 30m measures it", soft_wrap=True)
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

    With a simulated machine's name by its runs alone. All claims are judged, whichever are shown: no verdict
    depends on what is asked for. Raises UserError.
    """
    from actorbench.ledger.showing import ledgers_of, named_machine, simulated_name
    from actorbench.ledger.stored import searches_on_record, simulated_machines, stored_runs
    from actorbench.results import load_results

    every, searches = load_claims(project.claims), searches_on_record(project)
    if run_names:
        return ledgers_of(every, [load_results(find_run(project, name)) for name in run_names], searches)
    names = [machine] if machine else ["", *simulated_machines(project)]
    runs = [one for name in names for one in stored_runs(project, every, facts, name)]
    here = simulated_name(machine) if machine else named_machine(facts, facts.usable_cpus)
    return ledgers_of(every, runs, searches, here)


def _judged_machine(project: Project, asked: str | None) -> str:
    """Name the simulated machine asked for, of which there has to be a run; "" for none. Raises UserError."""
    from actorbench.ledger.stored import simulated_machines

    if asked is None:
        return ""
    known, name = simulated_machines(project), asked
    if name not in known:
        with suppress(UserError):
            name = find_machine(project, asked).name
    if name not in known:
        raise UserError(f"no run on a simulated machine '{asked}' (choices: {choices(known)})")
    return name


def _measure(
    context: click.Context,
    missing: list[str],
    selects: Selection,
    simulated: Machine | None,
    asked: SweepOptions,
    console: Console,
) -> int:
    """Measure, or simulate, the selected cells of what is missing in one run, or go on with one.

    Returns the exit status.
    """
    from actorbench.ledger.stored import rounds_wanted

    project: Project = context.obj
    experiments = find_experiments(project, missing)
    if not experiments and not asked["resume"]:
        console.print(f"nothing is missing that can be {'simulated' if simulated else 'measured here'}")
        return EXIT_OK
    samples = asked["samples"] or rounds_wanted(len(load_claims(project.claims)))
    run = open_run(
        context,
        partial(list, experiments),
        {**asked, "samples": samples},
        console,
        beside_resume={"names", "why", "measure", "machine"},
        selects=selects,
    )
    machine = f" --machine {shlex.quote(str(asked['machine']))}" if simulated else ""
    if run is None:
        return EXIT_OK
    again = asked["retry_failed"]
    return carry_out(project, run, console, command=f"claims --measure{machine}", retry_failed=again)

"""`actorbench instructions`: what a message of a built program costs in events that hardly vary."""

import json
import shlex
import sys
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from actorbench.cli.options import hold_lock, parse_workers, wait_option
from actorbench.design import DESIGNS
from actorbench.errors import EXIT_BENCHMARK_FAILED, EXIT_OK, UserError
from actorbench.launch import DEFAULT_TIMEOUT_S
from actorbench.machine.facts import read_facts
from actorbench.machine.sources import Sources
from actorbench.machine.versions import tool_versions
from actorbench.project import Project
from actorbench.store import create_run
from actorbench.table import make_console

if TYPE_CHECKING:
    from actorbench.counts.subjects import Subject

LINE_WORKERS = (2, 4, 8, 16)
HOW = {
    "callgrind": "of all threads in user space, by callgrind",
    "perf": "of all threads in user space, by the processor's counter",
    "explorer": "atomic operations only, in replayed schedules, a seed a run",
}


class InstructionsOptions(TypedDict):
    """The options of `instructions`, as click hands them over."""

    workloads: tuple[str, ...]
    design: tuple[str, ...]
    lines: bool
    workers: tuple[int, ...] | str | None
    common: str
    by: str | None
    runs: int | None
    timeout: float
    as_json: bool
    wait: bool


@click.command()
@click.argument("workloads", nargs=-1, metavar="[WORKLOAD]...")
@click.option("--design", type=click.Choice(DESIGNS), multiple=True, help="Only this; repeatable.")
@click.option("--lines", is_flag=True, help="Of several workers, lines that change hands and atomics.")
@click.option("--workers", callback=parse_workers, help="Worker counts of --lines; 2,4,8,16 if absent.")
@click.option("--with", "common", default="", metavar="OPTIONS", help="Options of the programs.")
@click.option("--by", type=click.Choice(["callgrind", "perf"]), help="[default: perf where it is permitted]")
@click.option("--runs", type=click.IntRange(1, 1000), help="Of each. [default: 2, by perf 5, of --lines 10]")
@click.option(
    "--timeout",
    type=click.FloatRange(0, 10**6, min_open=True),
    default=DEFAULT_TIMEOUT_S,
    show_default=True,
    help="Seconds that a program may take.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print what is kept, as JSON; the table goes to stderr."
)
@wait_option
@click.pass_obj
def instructions(project: Project, /, **asked: Unpack[InstructionsOptions]) -> int:
    """Count what a message costs in events that hardly vary: of WORKLOAD, or of all that are counted.

    The programs are those of build/; `gate` counts two commits, and says what moved.

    \b
    Instructions, one worker:             instructions executor --design worker-centric
    Lines that change hands, 2 workers:   instructions --lines --workers 2 executor
    """  # noqa: D301 - \b is the sign by which click keeps lines apart
    from actorbench.counts.outputs import count_table
    from actorbench.counts.subjects import AS_BUILT
    from actorbench.counts.taking import RUNS, count_subject, make_counter

    by, why = _by(asked)
    runs = range(1, 1 + (asked["runs"] or RUNS[by]))
    make_counter(project, by, asked["timeout"])
    subjects = _subjects(project, asked)
    hold_lock(project, wait=asked["wait"])
    counted = [
        count_subject(project, subject, AS_BUILT, by, runs, timeout_s=asked["timeout"])
        for subject in subjects
    ]
    sources = Sources.of_this_machine(project.root)
    kept = {
        "kind": "counts",
        "arguments": sys.argv[1:],
        "by": by,
        "machine": read_facts(sources).values,
        "versions": tool_versions(sources),
        "counted": [one.to_json() for one in counted],
    }
    run = create_run(project, "lines" if asked["lines"] else "instructions", kept)
    if asked["as_json"]:
        click.echo(json.dumps(kept))
    console = make_console(stderr=asked["as_json"])
    notes = [
        f"{HOW[by]}; by the difference of two amounts of work; median and spread; runs of each: {len(runs)}",
        *([f"not by perf: {why}"] if why else []),
        f"all counts: {project.shown(run.folder / 'run.json')}",
    ]
    count_table(counted, notes).print(console)
    return EXIT_BENCHMARK_FAILED if any(one.trouble for one in counted) else EXIT_OK


def _by(asked: InstructionsOptions) -> tuple[str, str]:
    """Name the counter, and why it is not perf; raises UserError where options do not go together."""
    from actorbench.counts.taking import choose_counter

    if asked["lines"] and asked["by"] is not None:
        raise UserError("--by is for instructions: leave it out beside --lines")
    if not asked["lines"] and asked["workers"] is not None:
        raise UserError("instructions are counted with one worker: --workers is for --lines")
    if asked["lines"]:
        return "explorer", ""
    if asked["by"] is not None:
        return asked["by"], ""
    choice = choose_counter()
    return choice.by, choice.why


def _subjects(project: Project, asked: InstructionsOptions) -> "list[Subject]":
    """Say what is to be counted; raises UserError."""
    from actorbench.counts.counters import MOST_WORKERS
    from actorbench.counts.subjects import Subject, countable

    workers: tuple[int, ...] = (1,)
    if asked["lines"]:
        chosen = asked["workers"] or LINE_WORKERS
        if isinstance(chosen, str) or max(chosen) > MOST_WORKERS:
            raise UserError(f"--workers of --lines are whole numbers from 1 to {MOST_WORKERS}, as in 2,4")
        workers = chosen
    try:
        options = tuple(shlex.split(asked["common"]))
    except ValueError as error:
        raise UserError(f"'{asked['common']}' is no list of options: {error}") from error
    return [
        Subject(workload, design, number, options)
        for design in dict.fromkeys(asked["design"] or DESIGNS)
        for workload in countable(project, asked["workloads"])
        for number in workers
    ]

"""`actorbench bisect`: finds the commit that made a cell slower, by the gate's rule."""

from functools import partial
from typing import TYPE_CHECKING, Unpack

import click
from rich.console import Console

from actorbench.cli.gating import MeasuringOptions, gate_options, settings_of
from actorbench.cli.options import hold_lock, refuse_others
from actorbench.errors import EXIT_INTERRUPTED, UserError
from actorbench.project import Project
from actorbench.store import find_run
from actorbench.suite import COMMAND
from actorbench.sweep import InterruptedSweepError
from actorbench.table import make_console

if TYPE_CHECKING:
    from actorbench.bisecting.looks import Bisection


class BisectOptions(MeasuringOptions):
    """The options of `bisect`, as click hands them over."""

    resume: str | None


@click.command()
@click.argument("base", metavar="[BASE]", required=False)
@click.argument("head", metavar="[HEAD]", default="HEAD")
@partial(gate_options, budget="10m")
@click.option("--resume", metavar="RUN", help="Go on with an interrupted bisection.")
@click.pass_context
def bisect(context: click.Context, /, base: str | None, head: str, **asked: Unpack[BisectOptions]) -> int:
    """Find the commit after BASE, up to HEAD, that has made a cell slower, or take more memory.

    \b
    bisect v1.0 HEAD --cells worker-static-1 --budget 10m

    HEAD is held against BASE first; what is worst there is followed. Each step is a gate with its share of
    the budget, over the first parents of HEAD; commits that can't be built or measured are skipped.

    Ends with 0 (found), 3 (not found, or not sure), 4 (a benchmark failed), or 2 (wrong usage).
    """  # noqa: D301 - \b is the sign by which click keeps lines apart
    from actorbench.bisecting.looks import read_bisection
    from actorbench.bisecting.running import start_bisection
    from actorbench.gate.cells import commit_entries

    project: Project = context.obj
    console = make_console()
    if asked["resume"] is not None:
        refuse_others(context, "resume", "goes on with the recorded commits", allowed={"wait"})
        bisection = read_bisection(find_run(project, asked["resume"]))
        hold_lock(project, wait=asked["wait"])
    elif base is None:
        raise UserError("bisect needs a BASE that was not slow yet, such as HEAD~10")
    else:
        entries = commit_entries(project, asked["cells_file"], asked["cells"])
        settings = settings_of(asked)
        hold_lock(project, wait=asked["wait"])
        bisection = start_bisection(project, base, head, entries, settings)
    return _carry_out(project, bisection, console)


def _carry_out(project: Project, bisection: "Bisection", console: Console) -> int:
    from actorbench.bisecting.running import carry_on_bisection
    from actorbench.bisecting.telling import answer, looks_table

    name = bisection.run.name
    first = f"{bisection.commits[0].name} to {bisection.commits[-1].name}"
    console.print(f"run {name}: {len(bisection.commits)} commits, {first}", soft_wrap=True)
    try:
        bisection = carry_on_bisection(project, bisection, console)
    except (InterruptedSweepError, KeyboardInterrupt):
        console.print(
            f"interrupted, kept in results/{name}; go on with: {COMMAND} bisect --resume {name}",
            soft_wrap=True,
        )
        return EXIT_INTERRUPTED
    console.print()
    looks_table(bisection).print(console)
    lines, status = answer(bisection)
    for line in lines:
        console.print(line, soft_wrap=True)
    return status

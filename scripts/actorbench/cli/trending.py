"""`actorbench trend`: what commit after commit has cost on a machine, drawn, with its steps."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict, Unpack

import click
from rich.console import Console

from actorbench.cli.options import hold_lock, parse_fraction, parse_span, refuse_others, wait_option
from actorbench.cli.sweeping import carry_out
from actorbench.commits import DEEPENED, Commit, first_parents, is_shallow, resolve_commit
from actorbench.errors import EXIT_INTERRUPTED, EXIT_OK, UserError
from actorbench.launch import DEFAULT_TIMEOUT_S
from actorbench.machine.facts import facts_from_json, read_facts
from actorbench.machine.sources import Sources
from actorbench.project import Project
from actorbench.store import Run, find_run, write_whole
from actorbench.table import make_console
from actorbench.text import counted

FOLDER = "trend"  # of results/: what was drawn last


class TrendOptions(TypedDict):
    """The options of `trend`, as click hands them over."""

    machine: str | None
    since: str | None
    touching: tuple[str, ...]
    least: float
    measure: int | None
    budget: float
    cells_file: Path | None
    timeout: float
    seed: int | None
    resume: str | None
    retry_failed: bool
    wait: bool


@click.command()
@click.argument("cells", nargs=-1)
@click.option("--machine", metavar="NAME", help="Of another machine than this: a name in results/history.")
@click.option("--since", metavar="REV", help="Commits after this one.")
@click.option("--touching", metavar="PATH", multiple=True, help="Commits that change PATH; repeatable.")
@click.option(
    "--least", callback=parse_fraction, default="2%", show_default=True, help="Steps over this are told."
)
@click.option(
    "--measure", type=click.IntRange(1, 10000), metavar="N", help="First measure the last N commits."
)
@click.option("--budget", callback=parse_span, default="10m", show_default=True, help="Of --measure.")
@click.option(
    "--cells-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="What --measure measures. [default: plots/gate.toml]",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, 10**6, min_open=True),
    default=DEFAULT_TIMEOUT_S,
    show_default=True,
    help="Seconds that a sample may take.",
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Of order, padding and intervals.")
@click.option("--resume", metavar="RUN", help="Go on with a run of --measure, or show it alone.")
@click.option("--retry-failed", is_flag=True, help="With --resume: take failed samples again.")
@wait_option
@click.pass_context
def trend(context: click.Context, /, cells: tuple[str, ...], **asked: Unpack[TrendOptions]) -> int:
    """Draw what commit after commit has cost, and say at which the cost of a cell has changed.

    \b
    What gates and sweeps have kept:      trend
    Two cells, since a release:           trend worker-static-1 worker-executor-all --since v1.0
    The last 20 commits, measured now:    trend --measure 20 --budget 10m

    CELLS are names of plots/gate.toml, or parts of the commands of sweeps; without, all that have a name.
    Commits are the first parents of HEAD. The commits of --measure are built, and measured in turn.
    """  # noqa: D301 - \b is the sign by which click keeps lines apart
    project: Project = context.obj
    console = make_console()
    if asked["resume"] is not None:
        run: Run | None = _resumed(context, asked)
    elif asked["retry_failed"]:
        raise UserError("--retry-failed is for a run that has failed samples: --resume names it")
    else:
        run = _started(project, cells, asked, console) if asked["measure"] is not None else None
    status = EXIT_OK
    if run is not None:
        status = carry_out(project, run, console, command="trend", retry_failed=asked["retry_failed"])
    if status != EXIT_INTERRUPTED:
        _show(project, run, cells, asked, console)
    return status


def _resumed(context: click.Context, asked: TrendOptions) -> Run:
    from actorbench.trend.measuring import require_builds

    allowed = {"cells", "least", "retry_failed", "wait"}
    refuse_others(context, "resume", "goes on with the recorded commits", allowed=allowed)
    run = find_run(context.obj, str(asked["resume"]))
    require_builds(context.obj, run)
    hold_lock(context.obj, wait=asked["wait"])
    return run


def _started(project: Project, cells: Sequence[str], asked: TrendOptions, console: Console) -> Run:
    from actorbench.gate.cells import commit_entries
    from actorbench.trend.measuring import start_measuring

    if asked["machine"] is not None:
        raise UserError("--measure measures on this machine: leave --machine out")
    entries = commit_entries(project, asked["cells_file"], cells)
    commits = _line(project, asked)
    wanted, is_part = asked["measure"] or 0, asked["since"] is not None or bool(asked["touching"])
    if len(commits) < wanted and not is_part and is_shallow(project):
        held = f"this shallow clone has {counted(len(commits), 'commit')} of the {wanted} of --measure"
        raise UserError(f"{held}: {DEEPENED}")
    hold_lock(project, wait=asked["wait"])
    return start_measuring(
        project,
        commits,
        entries,
        console,
        budget_s=asked["budget"],
        timeout_s=asked["timeout"],
        seed=asked["seed"],
        arguments=sys.argv[1:],
    )


def _line(project: Project, asked: TrendOptions) -> list[Commit]:
    """Give the first parents of HEAD that are asked for, oldest first; raises UserError if there are none."""
    since = asked["since"]
    found = first_parents(
        project,
        resolve_commit(project, "HEAD"),
        after="" if since is None else resolve_commit(project, since),
        count=asked["measure"],
        touching=asked["touching"],
    )
    if not found:
        raise UserError("no first parent of HEAD is after --since, and changes what --touching names")
    return found


def _show(
    project: Project, run: Run | None, cells: Sequence[str], asked: TrendOptions, console: Console
) -> None:
    """Print the tables, and draw the pictures: of one run alone, or of all that was kept."""
    from actorbench.medians import read_medians
    from actorbench.trend.courses import trend_of
    from actorbench.trend.pictures import write_pictures
    from actorbench.trend.tables import trend_tables

    facts = read_facts(Sources.of_this_machine(project.root))
    if run is not None:
        facts = facts_from_json(run.document()["machine"])
    machine = asked["machine"] or facts.machine
    medians = [one for one in read_medians(project, machine) if run is None or one.run == run.name]
    found = trend_of(medians, _line(project, asked), cells, machine=machine, least=asked["least"])
    tables = trend_tables(found)
    console.print()
    for table in tables:
        table.print(console)
    folder = project.results / FOLDER if run is None else run.folder
    pictures = write_pictures(found, folder / "figures")
    path = folder / "tables.md"
    try:
        write_whole(path, "\n".join(table.markdown() for table in tables))
    except OSError as error:
        raise UserError(f"{project.shown(path)}: cannot be written: {error.strerror}") from error
    for picture in (one for one in pictures if one.suffix == ".png"):
        console.print(f"figure: {project.shown(picture)} (also SVG, PDF, PGF)", soft_wrap=True)
    console.print(f"tables: {project.shown(path)}", soft_wrap=True)

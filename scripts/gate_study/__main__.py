"""`scripts/gate-study`: campaigns of gates, and what moves their counts."""

import sys
from typing import TYPE_CHECKING, Unpack

import click

from actorbench.cli import run_command_line
from actorbench.cli.gating import MeasuringOptions, gate_options, settings_of
from actorbench.cli.options import hold_lock, wait_option
from actorbench.commits import resolve_commit
from actorbench.errors import EXIT_OK, UserError
from actorbench.gate.cells import commit_entries
from actorbench.project import Project, find_project
from actorbench.table import make_console

if TYPE_CHECKING:
    from gate_study.store import Asked


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.pass_context
def study(context: click.Context) -> None:
    """Run many whole gates of a commit, and show how often they alarm for nothing, and what they find."""
    context.obj = find_project()


@study.command()
@click.option("--base", metavar="REV", default="HEAD", show_default=True, help="The commit.")
@click.option("--gates", type=click.IntRange(1, 10000), default=60, show_default=True, help="How many.")
@click.option("--loaded", is_flag=True, help="Have a process load one CPU by turns beside them.")
@gate_options
@click.pass_obj
def aa(project: Project, /, base: str, gates: int, loaded: bool, **asked: Unpack[MeasuringOptions]) -> int:
    """Hold a commit against itself: each FAIL is a false alarm."""
    from gate_study.campaigns import run_campaign
    from gate_study.store import Kind

    kind = Kind.LOADED if loaded else Kind.AA
    return run_campaign(project, kind, _asked(project, base, gates, asked), make_console())


@study.command("self-test")
@click.option("--base", metavar="REV", default="HEAD", show_default=True, help="The commit.")
@click.option(
    "--tries", type=click.IntRange(1, 1000), default=20, show_default=True, help="Of each slow-down."
)
@click.option("--slow", metavar="CELL", help="What is 5, 10 and 20 % slower. [default: the first cell]")
@gate_options
@click.pass_obj
def self_test(
    project: Project, /, base: str, tries: int, slow: str | None, **asked: Unpack[MeasuringOptions]
) -> int:
    """Slow every send of the candidate by a calibrated delay, and count how often that is found."""
    from gate_study.campaigns import run_campaign
    from gate_study.store import Kind

    asked_for = _asked(project, base, tries, asked, slow=slow)
    return run_campaign(project, Kind.SELF_TEST, asked_for, make_console())


@study.command()
@click.argument("what", type=click.Choice(["instructions", "lines"]))
@click.option("--base", metavar="REV", default="HEAD", show_default=True, help="The commit.")
@click.option("--tries", type=click.IntRange(1, 1000), default=20, show_default=True, help="How many.")
@gate_options
@click.pass_obj
def planted(project: Project, /, what: str, base: str, tries: int, **asked: Unpack[MeasuringOptions]) -> int:
    """Plant a hundredth of a message's instructions, or a line that changes hands, and count who finds it."""
    from gate_study.campaigns import run_campaign
    from gate_study.store import Kind

    asked["measures"] = "counts"
    kind = Kind.INSTRUCTIONS if what == "instructions" else Kind.LINES
    return run_campaign(project, kind, _asked(project, base, tries, asked), make_console())


@study.command()
@click.option("--runs", type=click.IntRange(2, 1000), default=10, show_default=True, help="Of each.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of what is varied.")
@wait_option
@click.pass_obj
def moves(project: Project, runs: int, seed: int, wait: bool) -> int:
    """Count the instructions of build/ under other conditions, and show what moves them."""
    from actorbench.counts.counters import CALLGRIND
    from actorbench.experiment import DEFAULT_CONFIG
    from actorbench.gate.cells import ArmConfigs, commit_cells
    from actorbench.gate.counts import wishes
    from gate_study.moves import moves_table

    console = make_console(stderr=True)
    cells = commit_cells(
        commit_entries(project, None, ()), ArmConfigs(DEFAULT_CONFIG, DEFAULT_CONFIG, DEFAULT_CONFIG), 1
    )
    chosen = {"instructions": CALLGRIND, "lines": False}
    subjects = [wish.subject for wish in wishes(project, cells, chosen)]
    hold_lock(project, wait=wait)
    table = moves_table(project, subjects, runs, seed, console.print)
    click.echo(table.markdown())
    return EXIT_OK


@study.command()
@click.argument("name", metavar="CAMPAIGN")
@click.pass_obj
def show(project: Project, name: str) -> int:
    """Go on with an interrupted campaign, or make the tables and pictures of a finished one again."""
    from gate_study.campaigns import resume_campaign

    hold_lock(project, wait=False)
    return resume_campaign(project, name, make_console())


def _asked(
    project: Project, base: str, count: int, asked: MeasuringOptions, *, slow: str | None = None
) -> "Asked":
    """Find what was asked for, and hold the lock; raises UserError."""
    from gate_study.store import Asked

    entries = commit_entries(project, asked["cells_file"], asked["cells"])
    names = [entry["name"] for entry in entries]
    if slow is not None and slow not in names:
        raise UserError(f"--slow: no cell '{slow}' (choices: {', '.join(names)})")
    commit = resolve_commit(project, base)
    hold_lock(project, wait=asked["wait"])
    return Asked(base, commit, entries, settings_of(asked), count, slow or names[0])


def main(arguments: list[str]) -> int:
    """Run a command line; returns the exit status."""
    return run_command_line(study, "gate-study", arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

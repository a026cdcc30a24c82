"""`actorbench doctor`: what the machine is, and what about it makes numbers doubtful."""

import click
from rich.console import Console

from actorbench.errors import EXIT_OK, EXIT_USAGE, UserError
from actorbench.machine.doubts import find_doubts
from actorbench.machine.facts import read_facts
from actorbench.machine.sources import Sources
from actorbench.machine.tuning import Tuned, fix, restore, saved_state, state_file
from actorbench.machine.versions import tool_versions
from actorbench.project import Project
from actorbench.suite import COMMAND
from actorbench.table import Column, Table, make_console


@click.command()
@click.option("--fix", "fixing", is_flag=True, help="Set what measuring wants; what was found is saved.")
@click.option("--restore", "restoring", is_flag=True, help="Put the settings back that --fix found.")
@click.pass_obj
def doctor(project: Project, fixing: bool, restoring: bool) -> int:
    """Describe the machine, and warn of what makes its numbers doubtful.

    Without --fix and --restore it changes nothing.
    """
    console = make_console()
    sources = Sources.of_this_machine(project.root)
    if fixing and restoring:
        raise UserError("doctor --fix and --restore are opposites: give one of them")
    if restoring:
        return _told(console, restore(sources, saved_state(sources)), "there is nothing to put back")
    if fixing:
        state = state_file(sources)
        status = _told(console, fix(sources, state), "there is nothing that --fix can change here")
        if state.exists():
            console.print(f"the settings found are kept in {state}", soft_wrap=True)
            console.print(f"put them back with: {COMMAND} doctor --restore", soft_wrap=True)
        return status
    facts = read_facts(sources)
    columns = [Column("", numeric=False), Column("", numeric=False)]
    Table("Machine", columns, facts.shown()).print(console)
    versions = [(name, version or "missing") for name, version in tool_versions(sources).items()]
    Table("Tools", columns, versions).print(console)
    doubts = find_doubts(facts)
    for doubt in doubts:
        console.print(f"warning: {doubt.line}", soft_wrap=True)
    if not doubts:
        console.print("nothing found that makes numbers doubtful")
    return EXIT_OK


def _told(console: Console, outcome: Tuned, otherwise: str) -> int:
    for line in outcome.lines or (otherwise,):
        console.print(line, soft_wrap=True)
    if not outcome.permitted:
        console.print("not all was permitted: run it as root (sudo), or ask who runs the machine")
    return EXIT_OK if outcome.permitted else EXIT_USAGE

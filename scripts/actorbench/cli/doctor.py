"""`actorbench doctor`: what the machine is, and what about it makes numbers doubtful."""

import click

from actorbench.machine.doubts import find_doubts
from actorbench.machine.facts import read_facts
from actorbench.machine.sources import Sources
from actorbench.machine.versions import tool_versions
from actorbench.project import Project
from actorbench.table import Column, Table, make_console


@click.command()
@click.pass_obj
def doctor(project: Project) -> None:
    """Describe the machine, and warn of what makes its numbers doubtful. Changes nothing."""
    console = make_console()
    sources = Sources.of_this_machine(project.root)
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

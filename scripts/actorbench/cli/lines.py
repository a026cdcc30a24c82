"""`actorbench lines`: which lines change hands in a program, on a simulated machine."""

import click

from actorbench.design import DEFAULT_DESIGN
from actorbench.errors import EXIT_OK
from actorbench.project import Project
from actorbench.simulated.description import find_machine
from actorbench.table import make_console


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("program")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("--machine", "name", default="host", show_default=True, help="The machine, as for sweep.")
@click.option("--design", default=DEFAULT_DESIGN, show_default=True, help="Whose program.")
@click.pass_obj
def lines(project: Project, program: str, arguments: tuple[str, ...], name: str, design: str) -> int:
    """Simulate PROGRAM with its ARGUMENTS (after --); show which code lines take lines from each other."""
    from actorbench.simulated.lines import lines_table, watch

    record, found = watch(project, find_machine(project, name), design, program, arguments)
    shown = " ".join([design, program, *arguments])
    lines_table(f"Lines that change hands: {shown}", record, found).print(make_console())
    return EXIT_OK

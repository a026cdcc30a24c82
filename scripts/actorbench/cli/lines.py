"""`actorbench lines`: which lines change hands in a program, on a simulated machine."""

import json

import click

from actorbench.design import DEFAULT_DESIGN, DESIGNS
from actorbench.errors import EXIT_OK
from actorbench.project import Project
from actorbench.simulated.description import find_machine
from actorbench.suite import COMMAND
from actorbench.table import make_console


@click.command()
@click.argument("program")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--machine",
    "name",
    metavar="NAME|WORDS",
    default="host",
    show_default=True,
    help=f'The machine, as for sweep: one of `{COMMAND} machine`, or "pack:4 numa:2 core:8".',
)
@click.option("--design", type=click.Choice(DESIGNS), default=DEFAULT_DESIGN, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print all of them as JSON; the table goes to stderr.")
@click.pass_obj
def lines(
    project: Project, program: str, arguments: tuple[str, ...], name: str, design: str, as_json: bool
) -> int:
    """Simulate PROGRAM with its ARGUMENTS (after --); show which lines of memory change hands.

    \b
    lines executor --machine thesis-intel -- --workers 8 --scale 0.01

    Each row: the field (type.field) that one code line writes and another then asks for, how often, and what
    it costs to bring the line over.
    """  # noqa: D301 - \b is the sign by which click keeps lines apart
    from actorbench.simulated.lines import handovers_table, watch

    watched = watch(project, find_machine(project, name), design, program, arguments)
    if as_json:
        click.echo(json.dumps(watched.to_json()))
    shown = " ".join([design, program, *arguments])
    table = handovers_table(f"Lines that change hands: {shown}", watched)
    table.print(make_console(stderr=as_json))
    return EXIT_OK

"""`actorbench machine`: the machines that can be simulated; makes and validates the host's description."""

from pathlib import Path

import click

from actorbench.cli.options import hold_lock, wait_option
from actorbench.errors import EXIT_OK, UserError
from actorbench.project import Project
from actorbench.simulated.description import find_machine, machine_names
from actorbench.table import Column, Table, make_console


@click.command()
@click.argument("name", required=False)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--calibrate", is_flag=True, help="Measure this machine, and write it into the host's description."
)
@click.option("--validate", is_flag=True, help="Hold the host's description against measurements.")
@click.option(
    "--samples", type=click.IntRange(1, 100), default=5, show_default=True, help="Of each, to validate."
)
@click.option("--only", default="", metavar="SUBSTR", help="Validate only cells whose command contains this.")
@wait_option
@click.pass_context
def machine(
    context: click.Context,
    /,
    name: str | None,
    file: Path | None,
    *,
    calibrate: bool,
    validate: bool,
    samples: int,
    only: str,
    wait: bool,
) -> int:
    """List the machines that can be simulated; with NAME and FILE, write what a simulated program reads."""
    project: Project = context.obj
    if calibrate + validate + (name is not None) > 1:
        raise UserError("machine: one of NAME FILE, --calibrate and --validate")
    if calibrate or validate:
        hold_lock(project, wait=wait)
    if calibrate:
        return _calibrate(project)
    if validate:
        return _validate(project, samples, only)
    if name is None:
        return _list(project)
    if file is None:
        raise UserError("machine: NAME needs a FILE to write")
    try:
        file.write_text(find_machine(project, name).flat(), encoding="utf-8")
    except OSError as error:
        raise UserError(f"{file}: cannot be written: {error.strerror}") from error
    return EXIT_OK


def _list(project: Project) -> int:
    rows = []
    for name in machine_names(project):
        one = find_machine(project, name)
        rows.append([name, one.title, str(one.cores), str(one.units), one.synthetic])
    columns = [Column("machine", numeric=False), Column("title", numeric=False), Column("cores")]
    columns += [Column("threads"), Column("topology", numeric=False)]
    notes = ['any other: --machine "pack:4 numa:2 core:8", or a file beside these (docs/machine.md)']
    Table("Machines that can be simulated", columns, rows, notes).print(make_console())
    return EXIT_OK


def _calibrate(project: Project) -> int:
    from actorbench.simulated.calibrating import measured_numbers, probe, rewrite_host

    numbers = measured_numbers(probe(project))
    shown = rewrite_host(project, numbers)
    console = make_console()
    for key, value in numbers.items():
        console.print(f"{key:24} {value}")
    console.print(f"written into {shown}; what no probe measures stands there as before", soft_wrap=True)
    return EXIT_OK


def _validate(project: Project, samples: int, only: str) -> int:
    import tempfile

    from actorbench.simulated.validating import PARTS, cells_to_check, check, keep, validation_table

    console = make_console()
    host = find_machine(project, "host")
    checked = []
    with tempfile.TemporaryDirectory() as folder:
        flat = Path(folder, "machine.txt")
        flat.write_text(host.flat(), encoding="utf-8")
        for part in PARTS:
            for command, workers in cells_to_check(project, part, only):
                one = check(project, part, command, workers, samples, flat)
                console.print(f"{one.ratio:6.2f}  {command} --workers {workers}", soft_wrap=True)
                checked.append(one)
    if not checked:
        raise UserError(f"--only: no cell's command contains '{only}'")
    validation_table(checked).print(console)
    if only:
        console.print("not kept: only a validation of all cells is")
    else:
        console.print(f"kept: {keep(project, checked, host.title)}", soft_wrap=True)
    return EXIT_OK

"""`actorbench machine`: the machines that can be simulated; makes and validates the host's description."""

import tempfile
from datetime import UTC, datetime
from pathlib import Path

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

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
@click.option("--costs", is_flag=True, help="Show what simulating takes of the host, by workers.")
@click.option(
    "--rounds",
    type=click.IntRange(1, 100),
    default=12,
    show_default=True,
    help="Of samples of the host, to validate.",
)
@click.option("--only", default="", metavar="SUBSTR", help="Validate only cells whose command contains this.")
@click.option(
    "--measured",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Take the host's samples from this file, and measure only what it lacks.",
)
@click.option("--markdown", is_flag=True, help="Print the table as Markdown; all else goes to stderr.")
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
    rounds: int,
    costs: bool,
    only: str,
    measured: Path | None,
    markdown: bool,
    wait: bool,
) -> int:
    """List the machines that can be simulated; with NAME and FILE, write what a simulated program reads."""
    project: Project = context.obj
    if calibrate + validate + costs + (name is not None) > 1:
        raise UserError("machine: one of NAME FILE, --calibrate, --validate and --costs")
    if markdown and not (validate or costs):
        raise UserError("machine: --markdown needs --validate or --costs")
    if calibrate or costs:
        hold_lock(project, wait=wait)
    if calibrate:
        return _calibrate(project)
    if validate:
        return _validate(project, rounds, only, measured, markdown=markdown, wait=wait)
    if costs:
        return _costs(project, markdown=markdown)
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


def _show(table: Table, *, markdown: bool) -> None:
    if markdown:
        click.echo(table.markdown(), nl=False)
    else:
        table.print(make_console())


def _validate(
    project: Project, rounds: int, only: str, file: Path | None, *, markdown: bool, wait: bool
) -> int:
    from actorbench.simulated import validating

    console = make_console(stderr=markdown)
    host = find_machine(project, "host")
    cells = validating.cells_to_check(project, only)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    file = file or project.results / validating.FOLDER / f"{stamp}.jsonl"
    console.print(f"what is measured is kept; --measured {file} goes on with it", soft_wrap=True)
    samples = validating.lacking(cells, rounds, file)
    if samples:
        hold_lock(project, wait=wait)
    checked = []
    # Redrawn after each sample only: a redrawing thread would take CPU from what is measured.
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        tempfile.TemporaryDirectory() as folder,
        Progress(*columns, console=console, auto_refresh=False) as bar,
    ):
        task = bar.add_task("measured", total=len(samples))
        for _ in validating.measure(project, samples, file):
            bar.update(task, advance=1, refresh=True)
        flat = Path(folder, "machine.txt")
        flat.write_text(host.flat(), encoding="utf-8")
        measured = [one for one in validating.read_measured(file) if one.round < rounds]
        task = bar.add_task("simulated", total=len(cells))
        for one in validating.simulate(project, cells, measured, flat):
            checked.append(one)
            bar.update(task, advance=1, refresh=True)
    _show(validating.validation_table(checked), markdown=markdown)
    if only:
        console.print("not kept: only a validation of all cells is")
    else:
        console.print(f"kept: {validating.keep(project, checked, host.title)}", soft_wrap=True)
    return EXIT_OK


def _costs(project: Project, *, markdown: bool) -> int:
    from actorbench.simulated.costing import COMMANDS, MACHINE, WORKERS, cost_of, costs_table

    one = find_machine(project, MACHINE)
    with tempfile.TemporaryDirectory() as folder:
        flat = Path(folder, "machine.txt")
        flat.write_text(one.flat(), encoding="utf-8")
        costs = [cost_of(project, flat, command, count) for command in COMMANDS for count in WORKERS]
    _show(costs_table(one, costs), markdown=markdown)
    return EXIT_OK

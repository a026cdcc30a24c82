"""`actorbench export` and `actorbench import`: runs for other tools, and what other tools measured."""

import shutil
import sys
from pathlib import Path

import click

from actorbench.cli.options import Listed
from actorbench.errors import UserError
from actorbench.hyperfine import EXPORT_NAME, read_export
from actorbench.project import Project
from actorbench.store import WHOLE_KIND, create_run, find_run, write_output
from actorbench.table import make_console


@click.command("export")
@click.argument("run_name", metavar="RUN", type=Listed())
@click.option(
    "--format",
    "name",
    type=click.Choice(["pyperf", "google-benchmark", "csv"]),
    required=True,
    help="Whose format; csv has one row a sample.",
)
@click.option("--output", metavar="FILE", type=click.Path(path_type=Path), help="Not the standard output.")
@click.pass_obj
def export_run(project: Project, run_name: str, name: str, output: Path | None) -> None:
    """Write the samples of RUN in another tool's format."""
    from actorbench.exchange.formats import FORMATS
    from actorbench.results import load_results

    results = load_results(find_run(project, run_name))
    text = FORMATS[name](results)
    failed = [] if name == "csv" else results.failed_cells()
    if failed:
        click.echo(f"actorbench: {len(failed)} failed cells have no value and are left out", err=True)
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        write_output(output, text)
    except OSError as error:
        raise UserError(f"{project.shown(output)}: cannot be written: {error.strerror}") from error


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def import_file(project: Project, file: Path) -> None:
    """Take a JSON of hyperfine (--export-json) as a run, to be listed, shown and reported."""
    from actorbench.whole import whole_processes, whole_table

    read_export(file, str(file))
    document = {"kind": WHOLE_KIND, "arguments": sys.argv[1:], "imported": file.name}
    run = create_run(project, "imported", document)
    try:
        shutil.copyfile(file, run.folder / EXPORT_NAME)
    except OSError as error:
        raise UserError(f"results/{run.name}/: cannot be written: {error.strerror}") from error
    console = make_console()
    console.print(f"run {run.name}")
    whole_table(run, whole_processes(run)).print(console)

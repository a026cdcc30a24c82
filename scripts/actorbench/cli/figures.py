"""`actorbench figures`: measures, then shows everything: tables, figures in the terminal, and files."""

import shutil
from functools import partial
from typing import TYPE_CHECKING, Unpack

import click
from rich.console import Console
from rich.text import Text

from actorbench.catalogue import all_experiments, find_experiments
from actorbench.cli.sweeping import SweepOptions, carry_out, open_run, refuse_others, sweep_options
from actorbench.errors import EXIT_INTERRUPTED, EXIT_OK, UserError
from actorbench.experiment import Experiment
from actorbench.project import Project
from actorbench.store import Run, find_run, write_whole
from actorbench.table import Table, make_console

if TYPE_CHECKING:
    from actorbench.results import Results


@click.command()
@click.argument("experiments", nargs=-1)
@sweep_options
@click.option("--run", "run_name", metavar="RUN", help="Draw an existing run again; measures nothing.")
@click.pass_context
def figures(
    context: click.Context,
    /,
    experiments: tuple[str, ...],
    run_name: str | None,
    **asked: Unpack[SweepOptions],
) -> int:
    """Measure EXPERIMENTS (all of plots/ if none is named), print their tables, and draw their figures."""
    project: Project = context.obj
    console = make_console()
    if run_name is not None:
        refuse_others(context, "run_name", "draws what was measured")
        run, status = find_run(project, run_name), EXIT_OK
        if run.is_whole:
            from actorbench.whole import whole_processes, whole_table

            whole_table(run, whole_processes(run)).print(console)
            return EXIT_OK
    else:
        if experiments:
            find = partial(find_experiments, project, list(experiments))
        else:
            find = partial(all_experiments, project)
        fresh = open_run(context, find, asked, console)
        if fresh is None:
            return EXIT_OK
        run, status = fresh, carry_out(project, fresh, console, command="figures")
    if status != EXIT_INTERRUPTED:
        show(project, run, console)
    return status


def print_tables(run: Run, console: Console) -> None:
    """Print the table of every experiment of the run."""
    from actorbench.results import load_results
    from actorbench.tables import run_tables

    results = load_results(run)
    console.print()
    for table in run_tables(results):
        table.print(console)


def show(project: Project, run: Run, console: Console) -> None:
    """Write tables and figures of a run beside its samples, then print them, and say where they are."""
    from actorbench.drawing.figure_files import write_data, write_figure
    from actorbench.results import load_results
    from actorbench.tables import run_tables

    results = load_results(run)
    tables = run_tables(results)
    with_lines = [experiment for experiment in results.experiments if experiment.kind == "lines"]
    _write_tables(results, run, tables)
    for experiment in with_lines:
        write_figure(results, experiment, run.folder / "figures")
        write_data(results, experiment, run.folder / "figures")

    console.print()
    for table in tables:
        table.print(console)
    _draw_by_gnuplot(project, results, run, with_lines, console)
    where = project.shown(run.folder)
    console.print(f"tables: {where}/tables.md, and as CSV and LaTeX {where}/tables/", soft_wrap=True)
    if with_lines:
        count = len(with_lines)
        console.print(f"figures: {where}/figures/ ({count}, each as SVG, PDF, PNG and PGF)", soft_wrap=True)
    console.print(f"all on one page: ./actorbench report {run.name}", soft_wrap=True)


def _write_tables(results: "Results", run: Run, tables: list[Table]) -> None:
    from actorbench.latex import latex_table
    from actorbench.tables import csv_for, table_for

    markdown = [f"# {run.name}\n", *(table.markdown() for table in tables)]
    folder = run.folder / "tables"
    try:
        folder.mkdir(exist_ok=True)
        write_whole(run.folder / "tables.md", "\n".join(markdown))
        for experiment in results.experiments:
            write_whole(folder / f"{experiment.id}.csv", csv_for(results, experiment))
            write_whole(folder / f"{experiment.id}.tex", latex_table(table_for(results, experiment)))
    except OSError as error:
        raise UserError(f"results/{run.name}/: cannot be written: {error.strerror}") from error


def _draw_by_gnuplot(
    project: Project, results: "Results", run: Run, experiments: list[Experiment], console: Console
) -> None:
    """Draw in the terminal and as PDF, by gnuplot; one line says so if it, or its PDF, is missing."""
    from actorbench.curves import curves_of, label_of
    from actorbench.drawing.gnuplot import GnuplotError, can_draw_pdf, draw_in_terminal, draw_pdf

    if experiments and shutil.which("gnuplot") is None:
        console.print("gnuplot is missing: no figures in the terminal (apt install gnuplot-nox)")
        return
    with_pdf = can_draw_pdf() if experiments else False
    for experiment in experiments:
        curves = curves_of(results, experiment)
        y_label = label_of(experiment, curves)
        data = run.folder / "figures" / f"{experiment.id}.csv"
        templates = project.gnuplot_templates
        drawing = draw_in_terminal(
            curves,
            title=experiment.title,
            y_label=y_label,
            data=data,
            templates=templates,
            colours=console.is_terminal,
        )
        console.print(Text.from_ansi(drawing), soft_wrap=True)
        console.print()
        if with_pdf:
            try:
                draw_pdf(curves, title=experiment.title, y_label=y_label, data=data, templates=templates)
            except GnuplotError as error:
                console.print(f"{experiment.id}-gnuplot.pdf: {error}", soft_wrap=True)
    if experiments and not with_pdf:
        console.print("this gnuplot has no terminal pdfcairo: it draws no PDF (apt install gnuplot-nox)")

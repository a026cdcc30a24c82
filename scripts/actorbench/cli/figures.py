"""`actorbench figures`: measures, then shows everything: tables, figures in the terminal, and files."""

import shutil
from functools import partial
from typing import Unpack

import click
from rich.console import Console
from rich.text import Text

from actorbench.catalogue import all_experiments, find_experiments
from actorbench.cli.sweeping import SweepOptions, carry_out, open_run, refuse_others, sweep_options
from actorbench.errors import EXIT_INTERRUPTED, EXIT_OK, UserError
from actorbench.experiment import Experiment
from actorbench.project import Project
from actorbench.results import Results, load_results
from actorbench.store import Run, find_run, write_whole
from actorbench.table import make_console


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
    else:
        if experiments:
            find = partial(find_experiments, project, list(experiments))
        else:
            find = partial(all_experiments, project)
        run = open_run(context, find, asked)
        status = carry_out(project, run, console, command="figures")
    if status != EXIT_INTERRUPTED:
        show(project, run, console)
    return status


def print_tables(run: Run, console: Console) -> None:
    """Print the table of every experiment of the run."""
    from actorbench.tables import table_for

    results = load_results(run)
    console.print()
    for experiment in results.experiments:
        table_for(results, experiment).print(console)


def show(project: Project, run: Run, console: Console) -> None:
    """Print tables and figures of a run, write them beside its samples, and say where."""
    results = load_results(run)
    console.print()
    _write_tables(results, run, console)
    drawn = _draw(project, results, run, console)
    where = project.shown(run.folder)
    console.print(f"tables: {where}/tables.md, and as CSV {where}/tables/", soft_wrap=True)
    if drawn:
        console.print(f"figures: {where}/figures/ ({drawn}, each as SVG, PDF and PNG)", soft_wrap=True)


def _write_tables(results: Results, run: Run, console: Console) -> None:
    from actorbench.tables import csv_for, table_for

    written = [f"# {run.name}\n"]
    try:
        (run.folder / "tables").mkdir(exist_ok=True)
        for experiment in results.experiments:
            table = table_for(results, experiment)
            table.print(console)
            written.append(table.markdown())
            write_whole(run.folder / "tables" / f"{experiment.id}.csv", csv_for(results, experiment))
        write_whole(run.folder / "tables.md", "\n".join(written))
    except OSError as error:
        raise UserError(f"results/{run.name}/: cannot be written: {error.strerror}") from error


def _draw(project: Project, results: Results, run: Run, console: Console) -> int:
    """Draw the experiments of kind "lines"; returns how many there are."""
    from actorbench.drawing.figure_files import write_figure

    with_lines = [experiment for experiment in results.experiments if experiment.kind == "lines"]
    for experiment in with_lines:
        write_figure(results, experiment, run.folder / "figures")
    if with_lines and shutil.which("gnuplot") is None:
        console.print("gnuplot is missing: no figures in the terminal (apt install gnuplot-nox)")
        return len(with_lines)
    for experiment in with_lines:
        _draw_here(project, results, run, experiment, console)
    return len(with_lines)


def _draw_here(
    project: Project, results: Results, run: Run, experiment: Experiment, console: Console
) -> None:
    from actorbench.curves import curves_of
    from actorbench.drawing.terminal import draw_in_terminal
    from actorbench.measure import MEASURES

    drawing = draw_in_terminal(
        curves_of(results, experiment),
        title=experiment.title,
        y_label=MEASURES[experiment.measure].heading,
        data=run.folder / "figures" / f"{experiment.id}.csv",
        templates=project.gnuplot_templates,
        colours=console.is_terminal,
    )
    console.print(Text.from_ansi(drawing), soft_wrap=True)
    console.print()

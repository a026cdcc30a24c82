"""What a run has measured, shown: tables, figures in the terminal, and files."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from actorbench.errors import UserError
from actorbench.experiment import DRAWN
from actorbench.project import Project
from actorbench.store import Run, write_shown
from actorbench.suite import COMMAND
from actorbench.table import Table

if TYPE_CHECKING:
    from actorbench.sides import Side

Texts = dict[str, tuple[str, list[Table]]]  # by experiment: its CSV, and its tables


def print_tables(run: Run, console: Console) -> None:
    """Print the table of every experiment of the run."""
    from actorbench.results import load_results
    from actorbench.tables import run_tables

    results = load_results(run)
    console.print()
    for table in run_tables(results):
        table.print(console)


def print_together(runs: Sequence[Run], console: Console) -> None:
    """Print the tables of several runs' experiments, a block a run; raises UserError if they differ."""
    from actorbench.results import load_results
    from actorbench.sides import sides_of
    from actorbench.together import together_tables

    console.print()
    for sides in sides_of([load_results(run) for run in runs]):
        for table in together_tables(sides):
            table.print(console)


def show(project: Project, run: Run, console: Console) -> None:
    """Write tables and figures of a run beside its samples, then print them, and say where they are."""
    from actorbench.results import load_results
    from actorbench.sides import side_of
    from actorbench.tables import csv_for, run_tables, tables_for

    results = load_results(run)
    sides = [side_of(results, experiment) for experiment in results.experiments]
    texts = {one.id: (csv_for(results, one), tables_for(results, one)) for one in results.experiments}
    _show(project, run.folder, sides, texts, run_tables(results), console)
    console.print(f"all on one page: {COMMAND} report {run.name}", soft_wrap=True)


def show_together(project: Project, runs: Sequence[Run], names: Sequence[str], console: Console) -> None:
    """Write and print the experiments named (all if none is) of several runs; raises UserError."""
    from actorbench.results import load_results
    from actorbench.sides import sides_of
    from actorbench.together import together_csv, together_tables

    if len({run.name for run in runs}) < len(runs):
        raise UserError("--run: the same run is given twice")
    together = sides_of([load_results(run) for run in runs], names)
    texts = {sides[0].experiment.id: (together_csv(sides), together_tables(sides)) for sides in together}
    folder = project.results / "+".join(run.name for run in runs)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise UserError(f"{project.shown(folder)}: cannot be made: {error.strerror}") from error
    tables = [table for _, some in texts.values() for table in some]
    _show(project, folder, together, texts, tables, console)


def _show(
    project: Project,
    folder: Path,
    together: Sequence[Sequence["Side"]],
    texts: Texts,
    tables: Sequence[Table],
    console: Console,
) -> None:
    from actorbench.drawing.figure_files import write_figure

    drawn = [sides for sides in together if sides[0].experiment.kind in DRAWN]
    _write_tables(folder, texts, tables)
    for sides in drawn:
        write_figure(sides, folder / "figures")

    console.print()
    for table in tables:
        table.print(console)
    with_lines = [sides for sides in drawn if sides[0].experiment.kind == "lines"]
    _draw_by_gnuplot(project, folder, with_lines, console)
    where = project.shown(folder)
    console.print(f"tables: {where}/tables.md, and as CSV and LaTeX {where}/tables/", soft_wrap=True)
    if drawn:
        count = len(drawn)
        console.print(f"figures: {where}/figures/ ({count}, each as SVG, PDF, PNG and PGF)", soft_wrap=True)


def _write_tables(folder: Path, texts: Texts, tables: Sequence[Table]) -> None:
    from actorbench.latex import latex_table

    markdown = [f"# {folder.name}\n", *(table.markdown() for table in tables)]
    inside = folder / "tables"
    write_shown(folder / "tables.md", "\n".join(markdown))
    for name, (numbers, own) in texts.items():
        write_shown(inside / f"{name}.csv", numbers)
        for suffix, table in zip(("", "-source"), own, strict=False):
            write_shown(inside / f"{name}{suffix}.tex", latex_table(table))


def _draw_by_gnuplot(
    project: Project, folder: Path, drawn: Sequence[Sequence["Side"]], console: Console
) -> None:
    """Draw in the terminal and as PDF, by gnuplot; one line says so if it, or its PDF, is missing."""
    from actorbench.drawing.figure_files import write_data
    from actorbench.drawing.gnuplot import GnuplotError, can_draw_pdf, draw_in_terminal, draw_pdf

    written = [(sides[0].experiment, write_data(sides, folder / "figures")) for sides in drawn]
    if drawn and shutil.which("gnuplot") is None:
        console.print("gnuplot is missing: no figures in the terminal (apt install gnuplot-nox)")
        return
    with_pdf = can_draw_pdf() if drawn else False
    templates, colours = project.gnuplot_templates, console.is_terminal
    for experiment, panels in written:
        for panel, data in panels:
            drawing = draw_in_terminal(
                panel, title=experiment.title, data=data, templates=templates, colours=colours
            )
            console.print(Text.from_ansi(drawing), soft_wrap=True)
            console.print()
            if with_pdf:
                try:
                    draw_pdf(panel, title=experiment.title, data=data, templates=templates)
                except GnuplotError as error:
                    console.print(f"{data.stem}-gnuplot.pdf: {error}", soft_wrap=True)
    if drawn and not with_pdf:
        console.print("this gnuplot has no terminal pdfcairo: it draws no PDF (apt install gnuplot-nox)")

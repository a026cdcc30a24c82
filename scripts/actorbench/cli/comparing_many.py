"""`actorbench compare` of more than two: the table, which are the best, and the picture beside it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from actorbench.cli.comparing_fresh import FILE_SHOWN, CompareOptions, shown_names
from actorbench.errors import UserError
from actorbench.project import Project
from actorbench.store import find_run
from actorbench.table import make_console

if TYPE_CHECKING:
    from actorbench.best_tables import Contested


def show_run(project: Project, name: str, asked: CompareOptions) -> bool:
    """Show what a run of kind "best" was made for, or another measure; False if it is of another kind."""
    from actorbench.best_tables import contested_of
    from actorbench.comparing_many import referred
    from actorbench.results import load_results

    run = find_run(project, name)
    results = load_results(run)
    found = [one for one in results.experiments if one.kind == "best"]
    is_asked = click.get_current_context().get_parameter_source("measure") is ParameterSource.COMMANDLINE
    for one in found:
        experiment = one.showing(asked["measure"]) if is_asked else one
        shown = contested_of(results, experiment)
        if asked["reference"] is not None:
            labels = [option.label for option in shown.contests[0].options]
            shown = replace(shown, reference=referred(_reference(asked), dict.fromkeys(labels)))
        _show(project, shown, run.folder, experiment.id, asked)
    return bool(found)


def show_options(project: Project, name: str, names: Sequence[str], asked: CompareOptions) -> None:
    """Show options of cells that a run holds; raises UserError."""
    from actorbench.comparing import read_options
    from actorbench.comparing_many import compare_options
    from actorbench.results import load_results

    run = find_run(project, name)
    options = dict(zip(shown_names(names, asked), map(read_options, names), strict=True))
    if len({tuple(sorted(one.items())) for one in options.values()}) < len(names):
        raise UserError("the same options are given twice: of more than two each must be another")
    shown = compare_options(load_results(run), options, asked["measure"], _reference(asked))
    _show(project, shown, run.folder, FILE_SHOWN, asked)


def show_runs(project: Project, names: Sequence[str], asked: CompareOptions) -> None:
    """Show several runs, each against each; raises UserError."""
    from actorbench.comparing_many import compare_all_runs
    from actorbench.results import load_results

    runs = [find_run(project, name) for name in names]
    if len({run.name for run in runs}) < len(runs):
        raise UserError("the same run is given twice: of more than two each must be another")
    shown = compare_all_runs([load_results(run) for run in runs], asked["measure"], _reference(asked))
    _show(project, shown, project.results / "+".join(run.name for run in runs), FILE_SHOWN, asked)


def _reference(asked: CompareOptions) -> str:
    reference = asked["reference"]
    return "" if reference is None else reference or "(no options)"


def _show(project: Project, shown: "Contested", folder: Path, name: str, asked: CompareOptions) -> None:
    from actorbench.best_tables import contested_csv, contested_table
    from actorbench.drawing.figure_files import write_contested
    from actorbench.latex import latex_table

    write_contested(shown, folder / "figures", name)
    if asked["form"] == "csv":
        click.echo(contested_csv(shown), nl=False)
    elif asked["form"] == "latex":
        click.echo(latex_table(contested_table(shown)), nl=False)
    elif asked["form"] == "markdown":
        click.echo(contested_table(shown).markdown(), nl=False)
    else:
        contested_table(shown).print(make_console())
    where = f"figure: {project.shown(folder)}/figures/{name}.png, and as SVG, PDF and PGF"
    make_console(stderr=asked["form"] is not None).print(where, soft_wrap=True)

"""`actorbench report`, `noise`, `replay`: a run as a page, its slow samples, the command of every point."""

from pathlib import Path

import click

from actorbench.cli.options import Listed
from actorbench.errors import UserError, choices
from actorbench.machine.facts import read_facts
from actorbench.machine.sources import Sources
from actorbench.project import Project
from actorbench.store import find_run, write_output
from actorbench.suite import COMMAND
from actorbench.table import make_console

FILE_NAME = "report.html"
LEDGER_NAME = "ledger.html"


@click.command()
@click.argument("run_names", metavar="RUN", nargs=-1)
@click.option(
    "--claims",
    is_flag=True,
    help="The sources' claims, judged by RUNs, or by the newest of this machine, in results/ledger.html.",
)
@click.option(
    "--output", metavar="FILE", type=click.Path(path_type=Path), help="Not results/RUN/report.html."
)
@click.pass_obj
def report(project: Project, run_names: tuple[str, ...], *, claims: bool, output: Path | None) -> None:
    """Write all of RUN as one HTML page that needs nothing else: verdict, figures, tables, every sample."""
    from actorbench.cli.claims import find_ledgers
    from actorbench.reporting.page import ledger_page, report_page, whole_report_page

    if claims:
        facts = read_facts(Sources.of_this_machine(project.root))
        page = ledger_page(find_ledgers(project, run_names, facts))
        path = output or project.results / LEDGER_NAME
    elif len(run_names) != 1:
        raise UserError(f"report needs one RUN ({COMMAND} list shows them), or --claims")
    else:
        run = find_run(project, run_names[0])
        page = whole_report_page(run) if run.is_whole else report_page(run)
        path = output or run.folder / FILE_NAME
    try:
        write_output(path, page)
    except OSError as error:
        raise UserError(f"{project.shown(path)}: cannot be written: {error.strerror}") from error
    make_console().print(f"report: {project.shown(path)}", soft_wrap=True)


@click.command()
@click.argument("run_name", metavar="RUN", type=Listed())
@click.pass_obj
def noise(project: Project, run_name: str) -> None:
    """Count the samples of RUN that took far longer than others of their cell, and say what they were."""
    from actorbench.noise import noise_table
    from actorbench.results import load_results

    run = find_run(project, run_name)
    if run.is_whole:
        raise UserError(f"run {run.name} is of whole processes: nothing is known of them beside their times")
    noise_table(load_results(run)).print(make_console())


@click.command()
@click.argument("run_name", metavar="RUN", type=Listed())
@click.argument("experiment", required=False)
@click.pass_obj
def replay(project: Project, run_name: str, experiment: str | None) -> None:
    """Print the exact command of every point of RUN, or of one EXPERIMENT of it, as a shell script."""
    from actorbench.replay import gate_text, replay_text, trend_text
    from actorbench.results import load_results

    results = load_results(find_run(project, run_name))
    for kind, text in (("gate", gate_text), ("names", trend_text)):
        if kind in results.head.document and experiment is None:
            click.echo(text(results), nl=False)
            return
    wanted = [one for one in results.experiments if experiment in (None, one.id)]
    if not wanted:
        ids = choices([one.id for one in results.experiments])
        raise UserError(f"run {results.name} holds no experiment '{experiment}' (choices: {ids})")
    click.echo("\n".join(replay_text(results, one) for one in wanted), nl=False)

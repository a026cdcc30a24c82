"""`actorbench figures`: measures, then shows everything: tables, figures in the terminal, and files."""

from functools import partial
from typing import Unpack

import click

from actorbench.catalogue import all_experiments, find_experiments
from actorbench.cli.options import SweepOptions, refuse_others, sweep_options
from actorbench.cli.showing import show, show_together
from actorbench.cli.sweeping import carry_out, open_run
from actorbench.errors import EXIT_INTERRUPTED, EXIT_OK
from actorbench.project import Project
from actorbench.store import find_run
from actorbench.table import make_console


@click.command()
@click.argument("experiments", nargs=-1)
@sweep_options
@click.option(
    "--run",
    "run_names",
    metavar="RUN",
    multiple=True,
    help="Draw an existing run again; given more than once: the runs side by side. Measures nothing.",
)
@click.pass_context
def figures(
    context: click.Context,
    /,
    experiments: tuple[str, ...],
    run_names: tuple[str, ...],
    **asked: Unpack[SweepOptions],
) -> int:
    """Measure EXPERIMENTS (all of plots/ if none is named), print their tables, and draw their figures."""
    project: Project = context.obj
    console = make_console()
    if len(run_names) > 1:
        refuse_others(context, "run_names", "draws what was measured", allowed={"experiments"})
        show_together(project, [find_run(project, name) for name in run_names], experiments, console)
        return EXIT_OK
    if run_names:
        refuse_others(context, "run_names", "draws what was measured")
        run, status = find_run(project, run_names[0]), EXIT_OK
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
        again = asked["retry_failed"]
        run, status = fresh, carry_out(project, fresh, console, command="figures", retry_failed=again)
    if status != EXIT_INTERRUPTED:
        show(project, run, console)
    return status

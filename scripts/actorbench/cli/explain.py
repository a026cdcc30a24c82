"""`actorbench explain`: what an experiment's file asks for, cell by cell, and how long it would take."""

from pathlib import Path
from typing import Unpack

import click

from actorbench.catalogue import find_experiments
from actorbench.cli.dry_run import show_cells, show_dry_run
from actorbench.cli.options import Listed, PlanOptions, asked_preset, plan_options
from actorbench.cli.requesting import asked_machine
from actorbench.errors import EXIT_OK
from actorbench.launch import DEFAULT_TIMEOUT_S, Request, propose
from actorbench.project import Project
from actorbench.schema import DIRECTIVE, directive
from actorbench.suite import COMMAND
from actorbench.table import make_console


@click.command()
@click.argument("experiments", nargs=-1, required=True, type=Listed())
@plan_options
@click.pass_obj
def explain(project: Project, /, experiments: tuple[str, ...], **asked: Unpack[PlanOptions]) -> int:
    """Say what EXPERIMENTS (TOML files, or ids of plots/) ask for: the cells, their amounts, the time.

    Nothing is built or measured.
    """
    console = make_console()
    request = Request(
        experiments=find_experiments(project, list(experiments)),
        preset=asked_preset(asked),
        samples=asked["samples"],
        workers=asked["workers"],
        seed=0,
        timeout_s=DEFAULT_TIMEOUT_S,
        only=asked["only"],
        budget_s=asked["budget"],
        pin=asked["pin"],
        machine=asked_machine(project, asked),
        arguments=(),
    )
    proposal = propose(project, request, to_run=False)
    show_cells(project, proposal, console)
    show_dry_run(project, proposal, console)
    for name in experiments:
        if name.endswith(".toml") and DIRECTIVE not in Path(name).read_text(encoding="utf-8"):
            line = directive("experiment-1", Path(name).absolute(), project.schemas)
            console.print(f"{name}: editors check it if its first line is: {line}", soft_wrap=True)
            if not project.schemas.exists():
                console.print(f"{COMMAND} init --schemas writes what that names", soft_wrap=True)
    return EXIT_OK

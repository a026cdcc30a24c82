"""The options of experiments, held against the programs' own tables before anything is measured."""

import os
from collections.abc import Collection, Sequence

from actorbench.cell import Cell, Resolver, wanted_cells
from actorbench.errors import EXIT_USAGE, UserError
from actorbench.experiment import Experiment
from actorbench.process import run_process
from actorbench.project import Project
from actorbench.system import OURS
from actorbench.text import one_line

PATIENCE_S = 10


def check_options(
    project: Project, resolver: Resolver, experiments: Sequence[Experiment], cells: Collection[Cell]
) -> None:
    """Let our programs read the options of the cells; raises UserError with the file and what one says.

    A peer, which may take a second to start, is left to the samples.
    """
    asked = set()
    for experiment in experiments:
        for cell in wanted_cells(resolver, [experiment]):
            question = (cell.program, cell.options, cell.parameters)
            if cell.system != OURS or cell not in cells or question in asked:
                continue
            asked.add(question)
            if said := refusal(project, cell.command(project.build / cell.program)):
                raise UserError(f"{experiment.file}: {said}")


def refusal(project: Project, command: Sequence[str]) -> str:
    """Give what one of our programs says of options that it does not take, without running it; "" if it does.

    `--help` behind them ends a program that has read them all. What fails otherwise is left to the samples.
    """
    try:
        done = run_process(
            [*command, "--help"], timeout_s=PATIENCE_S, environment=os.environ, folder=project.root
        )
    except OSError:
        return ""
    return one_line(done.stderr.decode(errors="replace")) if done.status == EXIT_USAGE else ""

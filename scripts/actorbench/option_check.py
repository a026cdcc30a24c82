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

    `--help` behind them ends a program that has read them all. What fails otherwise is left to the samples,
    and a peer, which may take a second to start, as well.
    """
    asked = set()
    for experiment in experiments:
        for cell in wanted_cells(resolver, [experiment]):
            question = (cell.program, cell.options, cell.parameters)
            if cell.system != OURS or cell not in cells or question in asked:
                continue
            asked.add(question)
            command = [*cell.command(project.build / cell.program), "--help"]
            try:
                done = run_process(command, timeout_s=PATIENCE_S, environment=os.environ, folder=project.root)
            except OSError:
                continue
            if done.status == EXIT_USAGE:
                raise UserError(
                    f"{experiment.file}: {one_line(done.stderr.decode(errors='replace').strip())}"
                )

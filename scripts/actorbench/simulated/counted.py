"""What a simulated machine has counted in an experiment's cells, beside the times: a table of its own."""

from statistics import median

from actorbench.cell import Cell
from actorbench.experiment import Experiment
from actorbench.measure import MEASURES
from actorbench.replay import labelled_cells
from actorbench.results import Results
from actorbench.simulated.provenance import simulated_note
from actorbench.table import Column, Table
from actorbench.wording import number_text

COUNTED = ("instructions", "atomics", "transfers", "remote_transfers", "misses", "memory_reads")


def counted_table(results: Results, experiment: Experiment) -> Table | None:
    """Make a table of the counts an operation; None if the run was measured."""
    if not results.head.simulated:
        return None
    cells = {one.label: one.cell for one in labelled_cells(results, experiment)}
    rows = [[label, *_texts(results, cell)] for label, cell in cells.items()]
    columns = [Column("", numeric=False), *(Column(MEASURES[name].label) for name in COUNTED)]
    notes = ["medians of the samples", simulated_note(results.head.document)]
    return Table(f"{experiment.title}: what was counted", columns, rows, notes)


def _texts(results: Results, cell: Cell) -> list[str]:
    trouble = results.result(cell).trouble
    if trouble is not None:
        return [trouble, *[""] * (len(COUNTED) - 1)]
    counts = [results.values(cell, MEASURES[name]) for name in COUNTED]
    return [number_text(median(values)) if values else "" for values in counts]

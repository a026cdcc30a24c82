"""Steals: which series are to steal, and how often their cells did.

Every build of ours counts thefts, so that they are of the same samples as the time. A curve of a series that
steals says little about stealing where a sample had no steal: such cells are marked in table and figure.
"""

from statistics import median

from actorbench.cell import Cell
from actorbench.experiment import Setting
from actorbench.measure import MEASURES
from actorbench.results import Results
from actorbench.system import OURS

STEALS = MEASURES["steals"]


def is_to_steal(setting: Setting) -> bool:
    """Whether a series is of ours and names a heuristic to steal by."""
    return setting.system == OURS and setting.options.get("steal", "none") != "none"


def samples_without(results: Results, setting: Setting, cell: Cell) -> int:
    """How many samples of a cell had no steal, though the series steals and there is more than one worker."""
    if not is_to_steal(setting) or (cell.workers or 1) == 1:
        return 0
    return results.values(cell, STEALS).count(0)


def steals_text(results: Results, setting: Setting, cell: Cell) -> str:
    """Write a cell's median number of steals, and how many samples had none."""
    values = results.values(cell, STEALS)
    if not values:
        return "-" if results.result(cell).trouble else "not counted"
    without = samples_without(results, setting, cell)
    count = f"{median(values):,.0f}"
    return f"{count} (none in {without} of {len(values)})" if without else count

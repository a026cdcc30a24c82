"""Steals: which series and sides are to steal, and how often their cells did.

Every build of ours counts thefts, so that they are of the same samples as the time. A time or ratio of what
steals says little about stealing where a sample had no steal: such cells are marked in table and figure.
"""

from collections.abc import Mapping
from statistics import median

from actorbench.cell import Cell
from actorbench.experiment import Setting
from actorbench.measure import MEASURES
from actorbench.results import Results
from actorbench.system import OURS

STEALS = MEASURES["steals"]
STEALS_NOTE = "steals: median of the same samples; none in: samples that had no steal"


def is_to_steal(setting: Setting) -> bool:
    """Whether a series is of ours and names a heuristic to steal by."""
    return setting.system == OURS and setting.options.get("steal", "none") != "none"


def samples_without(results: Results, cell: Cell) -> int:
    """How many samples of a cell that is to steal had no steal, though there is more than one worker."""
    return 0 if (cell.workers or 1) == 1 else results.values(cell, STEALS).count(0)


def steals_text(results: Results, cell: Cell) -> str:
    """Write the median number of steals of a cell that is to steal, and how many samples had none."""
    values = results.values(cell, STEALS)
    if not values:
        return "-" if results.result(cell).trouble else "not counted"
    without = samples_without(results, cell)
    count = f"{median(values):,.0f}"
    return f"{count} (none in {without} of {len(values)})" if without else count


def stealing_sides(sides: Mapping[str, Cell]) -> dict[str, Cell]:
    """Pick the sides that steal, by name, of a comparison about stealing; of any other none.

    It is about stealing if a side says how to steal, or not to. A side of ours that says nothing then steals
    by its design's default, which is never none; one worker has nobody to steal from.
    """
    said = {name: dict(cell.options).get("steal") for name, cell in sides.items()}
    if not any(said.values()):
        return {}
    return {
        name: cell
        for name, cell in sides.items()
        if cell.system == OURS and said[name] != "none" and (cell.workers or 1) > 1
    }


def compared_steals(sides: Mapping[str, tuple[Results, Cell]]) -> str:
    """Write how often each side stole that steals, as "candidate 65; base 7"; empty if none does."""
    stealing = stealing_sides({name: cell for name, (_, cell) in sides.items()})
    return "; ".join(f"{name} {steals_text(*sides[name])}" for name in stealing)

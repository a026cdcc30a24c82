"""Boxes: what a figure of kind "boxes" shows of a measure, one box a cell.

As in React++'s Figure 5.7: quartiles and median of the samples. The ends are the smallest and the largest
sample, so that none is left out.
"""

from dataclasses import dataclass

import numpy as np

from actorbench.experiment import Experiment
from actorbench.measure import Measure
from actorbench.ratios import workers_text
from actorbench.results import Results


@dataclass(frozen=True)
class Box:
    """A cell's samples: how many, and their quartiles with both ends; all 0 if there is `trouble`."""

    label: str
    workers: int | None
    count: int = 0
    quartiles: tuple[float, float, float, float, float] = (0, 0, 0, 0, 0)
    trouble: str = ""


def boxes_of(results: Results, experiment: Experiment, measure: Measure) -> list[Box]:
    """Take a measure's boxes of an experiment of kind "boxes" out of a run, in the order of the file."""
    boxes = []
    for series in experiment.series:
        cells = results.resolver.cells(experiment, series.setting)
        for cell in cells:
            label = series.label
            if len(cells) > 1 and cell.workers is not None:
                label += f", {workers_text(cell.workers)}"
            if results.is_oversubscribed(cell):
                label += " (oversubscribed)"
            values = results.values(cell, measure)
            if values:
                low, lower, middle, upper, high = (
                    float(one) for one in np.quantile(values, (0, 0.25, 0.5, 0.75, 1))
                )
                boxes.append(Box(label, cell.workers, len(values), (low, lower, middle, upper, high)))
            else:
                why = results.result(cell).trouble or "not in the record"
                boxes.append(Box(label, cell.workers, trouble=why))
    return boxes

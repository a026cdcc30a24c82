"""Ideal curves: what a figure's time would be if the work of a measured series were spread evenly.

The thesis names the "ideal speedup" of stealing as N / N - 1 on balance-one and 0.5 on balance-multi
(chapter "Actors", "Work Stealing", lines 1313 to 1315 of its source), over the series that does not steal
at the same number of workers N. Read as times of that series:

- balance-one loads one worker of N. N workers that share its work evenly take 1/N of its time. N / (N - 1)
  says the same for N = 2 alone: for N = 48 it would promise 2 %, where the source itself expects the time to
  fall with N.
- balance-multi loads every other worker, the first of them included: half of an even N, (N + 1) / 2 of an
  odd one. All N take that share of the time, which for an even N is the source's 0.5.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from actorbench.errors import UserError, choices
from actorbench.text import visible

RATIOS: dict[str, Callable[[int], float]] = {
    "1/N": lambda workers: 1 / workers,
    "every other": lambda workers: (workers + 1) // 2 / workers,
}
TIMES = ("elapsed", "time_per_operation")


@dataclass(frozen=True)
class Ideal:
    """A curve that is not measured: the time of the series `base`, median or mean, times a ratio."""

    label: str
    base: str
    ratio: str

    @property
    def meaning(self) -> str:
        """The ratio in words, N being the workers."""
        return {"1/N": "1/N, of N workers", "every other": "the loaded workers' share of all"}[self.ratio]

    def of(self, time: float, workers: int) -> float:
        """The ideal time for the base's at so many workers."""
        return time * RATIOS[self.ratio](workers)


def ideals_of(file: str, document: dict[str, Any]) -> tuple[Ideal, ...]:
    """Read the key `ideal` of an experiment; raises UserError if it is of no series, or of no time."""
    found = []
    labels = [series["label"] for series in document.get("series", ())]
    for index, entry in enumerate(document.get("ideal", ())):
        if entry["base"] not in labels:
            raise UserError(
                f"{file}: ideal[{index}].base: no series '{entry['base']}' (choices: {choices(labels)})"
            )
        if document.get("show") == "speedup" or (measure := _first_measure(document)) not in TIMES:
            shown = "speed-ups" if document.get("show") == "speedup" else measure
            raise UserError(
                f"{file}: ideal[{index}]: an ideal is a time, and the figure shows {shown}"
                f" (allowed: {', '.join(TIMES)})"
            )
        found.append(Ideal(visible(entry["label"]), visible(entry["base"]), entry["ratio"]))
    return tuple(found)


def _first_measure(document: dict[str, Any]) -> str:
    return str(document.get("measures", [document.get("measure", "elapsed")])[0])

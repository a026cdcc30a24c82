"""Selecting: the cells that a bound is about, and their values round by round.

What is missing is told apart: what no program measures yet and what the machine lacks (`Lacking`) can't be
decided here; what was not measured, or failed, is open (`Open`).
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

import numpy as np

from actorbench.cell import Cell, Resolver
from actorbench.experiment import Experiment
from actorbench.ledger.claims import Bound
from actorbench.ledger.statements import Values
from actorbench.measure import MEASURES, Measure
from actorbench.ratios import workers_text
from actorbench.results import Results
from actorbench.stealing import stealing_sides, steals_text
from actorbench.system import OURS

WITHIN = 0.10  # what "the same" allows to both sides, where a bound says nothing else
_GLOB = re.compile(r"[*?]")


class Lacking(Exception):  # noqa: N818 - it is an answer, no error
    """The bound can't be decided on this machine, or by no program that there is: why, in a few words."""


class Open(Exception):  # noqa: N818 - likewise
    """The bound was not measured, or the samples can't be used: why, in a few words."""


class Pair(NamedTuple):
    """A row that a bound names, of ratios or in a column of a grid: two cells whose ratio it is."""

    label: str
    column: str  # "" of a table of ratios
    above: Cell
    below: Cell
    measure: Measure

    @property
    def told(self) -> str:
        """The row in words: its label, column and number of workers."""
        workers = max(self.above.workers or 0, self.below.workers or 0)
        counted = workers_text(workers) if workers else ""
        return ", ".join(filter(None, [self.label, self.column, counted]))


class Asked(ABC):
    """A bound and the experiment that it looks at; finds its cells, and their values by round."""

    def __init__(self, resolver: Resolver, cpus: int, experiment: Experiment, bound: Bound) -> None:
        self.resolver = resolver
        self.cpus = cpus
        self.experiment = experiment
        self.asks: Mapping[str, Any] = bound.asks
        self.seen: dict[Cell, None] = {}

    @abstractmethod
    def _read(self, wanted: Sequence[tuple[Cell, Measure]], *, may_be_0: bool) -> list[Values]:
        """Give what `read` gives."""

    @property
    def measure(self) -> Measure:
        """What is looked at of each record."""
        return MEASURES[self.asks.get("measure", "time_per_operation")]

    @property
    def within(self) -> float:
        """What "the same" allows."""
        return float(self.asks.get("within", WITHIN))

    @property
    def limits(self) -> tuple[float | None, float | None]:
        """The borders: at least, at most."""
        return self.asks.get("at_least"), self.asks.get("at_most")

    def series(self, patterns: Sequence[str]) -> dict[str, dict[int | None, Cell]]:
        """Find the cells of the series that patterns name, but for `but`, by label and worker count.

        Raises Open for a pattern that names none.
        """
        found: dict[str, dict[int | None, Cell]] = {}
        for pattern in patterns:
            named = [one for one in self.experiment.series if _matches(one.label, pattern)]
            if not named:
                raise Open(f"{self.experiment.id} has no series '{pattern}'")
            for one in named:
                if any(_matches(one.label, other) for other in self.asks.get("but", ())):
                    continue
                cells = self.resolver.cells(self.experiment, one.setting)
                found[one.label] = {cell.workers: cell for cell in cells if self._is_looked_at(cell)}
        return found

    def _is_looked_at(self, cell: Cell) -> bool:
        """Whether a cell has a worker count that the bound is about, and not more than CPUs."""
        most = min(self.cpus, self.asks.get("to", self.cpus))
        return bool(self.asks.get("from", 1) <= (cell.workers or 1) <= most)

    def at(self, of: Mapping[str, Mapping[int | None, Cell]]) -> Iterator[tuple[str, dict[str, Cell]]]:
        """Go through the worker counts that the bound is about, of those that all have: the most, or each."""
        shared = set.intersection(*(set(cells) for cells in of.values()))
        counts = sorted(shared, key=lambda count: count or 0)
        if not counts:
            raise Open(f"{self.experiment.id} has none of the worker counts that it is about")
        for count in counts if self.asks.get("at") == "each" else counts[-1:]:
            told = f", {workers_text(count)}" if count and self.asks.get("at") == "each" else ""
            yield told, {label: cells[count] for label, cells in of.items()}

    def rows(self, key: str = "rows") -> Iterator[Pair]:
        """Give the rows that the bound names, in the columns that it names."""
        found = False
        for reading, candidate, base in self.resolver.all_pairs(self.experiment):
            cells = (base, candidate) if reading.speedup else (candidate, base)
            if (
                any(_matches(reading.label, pattern) for pattern in self.asks[key])
                and reading.column in ("", *self.asks.get("columns", [reading.column]))
                and candidate != base
                and all(self._is_looked_at(cell) for cell in cells)
            ):
                found = True
                measure = MEASURES[self.asks.get("measure", reading.measure)]
                yield Pair(reading.label, reading.column, *cells, measure)
        if not found:
            raise Open(f"{self.experiment.id} has no row '{self.asks[key][0]}'")

    def ratios(self) -> Iterator[tuple[str, Values]]:
        """Give the ratios of the rows, of `against` by which they are divided, or of `of` over `over`."""
        if "rows" not in self.asks:
            for told, above, below in self.pairs():
                yield told, above / below
            return
        for one in self.rows():
            if "against" not in self.asks:
                above, below = self.values([one.above, one.below], one.measure)
                yield one.told, above / below
                continue
            for other in self.rows("against"):
                cells = [one.above, one.below, other.above, other.below]
                above, below, left, right = self.values(cells, one.measure)
                yield f"({one.told}) / ({other.told})", above / below / (left / right)

    def pairs(self) -> Iterator[tuple[str, Values, Values]]:
        """Give the values of both sides: of the rows, or of the series `of` and `over`, count by count."""
        upper, lower = self.series(self.asks["of"]), self.series(self.asks["over"])
        for told, cells in self.at({**upper, **lower}):
            for label in upper:
                for other in lower:
                    above, below = self.values([cells[label], cells[other]])
                    yield f"{label} / {other}{told}", above, below

    def named(self, cells: Mapping[str, Cell]) -> dict[str, Values]:
        """Give the values of cells by their labels."""
        return dict(zip(cells, self.values(list(cells.values())), strict=True))

    def values(
        self, cells: Sequence[Cell], measure: Measure | None = None, *, may_be_0: bool = False
    ) -> list[Values]:
        """Give the values of cells in the rounds that all share; raises Lacking or Open if there are none.

        They are over 0, as ratios have to be made of them, unless they may be 0.
        """
        wanted = measure or self.measure
        return self.read([(cell, wanted) for cell in cells], may_be_0=may_be_0)

    def read(self, wanted: Sequence[tuple[Cell, Measure]], *, may_be_0: bool = False) -> list[Values]:
        """The same of measures, each of its own cell.

        A round is left out in which one has no value that only some records have.
        """
        self.seen |= dict.fromkeys(cell for cell, _ in wanted)
        return self._read(wanted, may_be_0=may_be_0)


class Planned(Asked):
    """The same before there are samples: only what is `seen` means anything."""

    def _read(self, wanted: Sequence[tuple[Cell, Measure]], *, may_be_0: bool) -> list[Values]:
        _ = may_be_0
        return [np.ones(2) for _ in wanted]


class Sampled(Asked):
    """The same with a run's samples."""

    def __init__(self, results: Results, experiment: Experiment, bound: Bound) -> None:
        super().__init__(results.resolver, results.head.cpus, experiment, bound)
        self.results = results

    @property
    def steals(self) -> str:
        """How often the cells stole that were looked at and are to, as "executor, random, 2 workers 65"."""
        named = {_name(cell): cell for cell in self.seen}
        return "; ".join(
            f"{name} {steals_text(self.results, cell)}" for name, cell in stealing_sides(named).items()
        )

    def _read(self, wanted: Sequence[tuple[Cell, Measure]], *, may_be_0: bool) -> list[Values]:
        cells = list(dict.fromkeys(cell for cell, _ in wanted))
        for cell in cells:
            if trouble := self.results.result(cell).trouble:
                if cell.system != OURS and cell.system in self.results.head.skipped:
                    raise Lacking(f"{cell.system} (not built)")
                raise Open(f"{cell.system if cell.system != OURS else cell.workload}: {trouble}")
        records = {cell: self.results.result(cell).records() for cell in cells}
        rounds = sorted(set.intersection(*(set(one) for one in records.values())))
        if not rounds:
            raise Open("its cells share no round")
        read = [
            {number: measure.read(records[cell][number]) for number in rounds} for cell, measure in wanted
        ]
        for (_, measure), values in zip(wanted, read, strict=True):
            there = [number for number in rounds if values[number] is not None]
            if not there or (len(there) < len(rounds) and not measure.is_of_some):
                raise Open(f"{measure.label} is not in the record")
            rounds = there
        found = [np.asarray([values[number] for number in rounds], dtype=float) for values in read]
        for (_, measure), numbers in zip(wanted, found, strict=True):
            if not may_be_0 and (numbers <= 0).any():
                raise Open(f"a {measure.label} of 0 was recorded")
        return found


def _name(cell: Cell) -> str:
    """Name a cell by its workload, how it steals, and its workers."""
    steal = dict(cell.options).get("steal", "by default")
    return f"{cell.workload}, {steal}, {workers_text(cell.workers or 1)}"


def _matches(label: str, pattern: str) -> bool:
    """Whether a label is the one named, or fits a pattern with * or ?."""
    return label == pattern or (bool(_GLOB.search(pattern)) and fnmatchcase(label, pattern))

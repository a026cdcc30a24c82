"""Best: several options, each compared with each, and which of them are the best or not told apart from it.

An option is out if one of the others was found better: by the exact sign test, on the rounds that both
share, corrected by Holm's method over all pairs of the table. For the truly best one to be out, a verdict
must be false, which is so in at most 1 of 20 tables (docs/intervals.md shows how often). So the set holds the
best with 95 %, however many options there are, and however many are equally good (subset selection: Gupta,
"On some multiple decision (selection and ranking) rules", Technometrics 7, 1965; Hsu, Multiple Comparisons,
1996).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, groupby
from math import inf

from actorbench.cell import Cell
from actorbench.estimates import Estimate, Ratio
from actorbench.experiment import Experiment
from actorbench.measure import Measure
from actorbench.ratios import Row, compare_rows, verdict_word, workers_text
from actorbench.results import Results

TOO_FEW = "too few samples"  # as a row's verdict has it


@dataclass(frozen=True)
class Option:
    """What is compared: its label, the run and cell that measured it, and the median of that."""

    label: str
    results: Results
    cell: Cell
    estimate: Estimate | None

    @property
    def trouble(self) -> str | None:
        """Why it has no median."""
        return None if self.estimate else self.results.result(self.cell).trouble or "not in the record"


@dataclass(frozen=True)
class Contest:
    """Options measured side by side, the smallest median first, those without one last; `rows` are all pairs.

    A verdict of a row is corrected over all rows of its table, which may hold several contests.
    """

    label: str
    measure: Measure
    options: tuple[Option, ...]
    rows: tuple[Row, ...]

    def row(self, above: str, below: str) -> Row | None:
        """The comparison of two options, whichever of them is its candidate."""
        return self._by_sides.get((above, below)) or self._by_sides.get((below, above))

    def ratio(self, above: str, below: str) -> Ratio | None:
        """One option over another; None if they could not be compared."""
        row = self.row(above, below)
        if row is None or row.ratio is None:
            return None
        return row.ratio if row.reading.sides == (above, below) else row.ratio.inverse

    def verdict(self, above: str, below: str) -> str:
        """What was found of one option against another, as `Row.verdict` says it."""
        row = self.row(above, below)
        if row is None or row.reading.sides == (above, below):
            return row.verdict if row else ""
        words = [verdict_word(self.measure.name, smaller=smaller) for smaller in (True, False)]
        return words[1 - words.index(row.verdict)] if row.verdict in words else row.verdict

    def better_than(self, label: str) -> list[int]:
        """The places, from 1, of the options that were found better than this one."""
        better = self._beaten.get(label, ())
        return [place for place, option in enumerate(self.options, start=1) if option.label in better]

    @cached_property
    def best(self) -> tuple[Option, ...]:
        """Those that are the best, or not told apart from the best."""
        return tuple(one for one in self.options if one.estimate and not self.better_than(one.label))

    @property
    def lead(self) -> str:
        """Which are the best, in a line."""
        told = f"{self.label}: " if self.label else ""
        missing = [option.label for option in self.options if option.estimate is None]
        return told + self._named() + (f"; without a result: {', '.join(missing)}" if missing else "")

    def _named(self) -> str:
        measured = sum(option.estimate is not None for option in self.options)
        names = ", ".join(option.label for option in self.best)
        if any(row.verdict == TOO_FEW for row in self.rows):
            return "too few samples to say which is best"
        if measured < 2:
            return "nothing to compare"
        if not self.best:
            return "none is best: of each was found that another is better"
        if len(self.best) == 1:
            return f"best: {names}"
        if len(self.best) == measured:
            return f"no option is told apart from the best, of {measured}"
        return f"best, or not told apart from the best: {names} ({len(self.best)} of {measured})"

    @cached_property
    def _beaten(self) -> Mapping[str, Sequence[str]]:
        return beaten(self.rows)

    @cached_property
    def _by_sides(self) -> Mapping[tuple[str, str], Row]:
        return {row.reading.sides: row for row in self.rows}


def beaten(rows: Sequence[Row]) -> dict[str, list[str]]:
    """Name the options that another was found better than, each with those; `rows` are corrected."""
    found: dict[str, list[str]] = {}
    for row in rows:
        better, worse = row.reading.sides
        if row.verdict == verdict_word(row.measure.name, smaller=False):
            better, worse = worse, better
        elif row.verdict != verdict_word(row.measure.name, smaller=True):
            continue
        found.setdefault(worse, []).append(better)
    return found


def contests_of(results: Results, experiment: Experiment) -> list[Contest]:
    """Give the contests of an experiment of kind "best", one a column and number of workers."""
    rows = compare_rows(results, experiment)
    return contests_from(rows, lambda _: results, _subject)


def contests_from(
    rows: Sequence[Row], results_of: Callable[[str], Results], subject: Callable[[Row], str]
) -> list[Contest]:
    """Part the rows of a table, which are corrected together, by what is compared in each."""
    numbers = dict(zip(dict.fromkeys(map(subject, rows)), count(), strict=False))
    ordered = sorted(rows, key=lambda row: numbers[subject(row)])
    return [_contest(label, tuple(some), results_of) for label, some in groupby(ordered, key=subject)]


def places_text(places: Sequence[int]) -> str:
    """Write places, ascending, as in "1-3, 5"."""
    runs: list[list[int]] = []
    for place in places:
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def standing_text(contest: Contest, option: Option) -> str:
    """Say whether an option is among the best, or which places were found better."""
    if option.trouble:
        return option.trouble
    if better := contest.better_than(option.label):
        return f"{verdict_word(contest.measure.name, smaller=False)} than {places_text(better)}"
    if any(row.verdict == TOO_FEW for row in contest.rows if option.label in row.reading.sides):
        return TOO_FEW
    return "best" if len(contest.best) == 1 else "best or not told apart"


def _subject(row: Row) -> str:
    workers = "" if row.candidate.workers is None else f", {workers_text(row.candidate.workers)}"
    return (row.reading.column or row.candidate.workload) + workers


def _contest(label: str, rows: tuple[Row, ...], results_of: Callable[[str], Results]) -> Contest:
    cells: dict[str, Cell] = {}
    for row in rows:
        cells |= dict(zip(row.reading.sides, (row.candidate, row.base), strict=True))
    measure = rows[0].measure
    options = [
        Option(name, results_of(name), cell, results_of(name).estimate(cell, measure))
        for name, cell in cells.items()
    ]
    options.sort(key=lambda one: one.estimate.value if one.estimate else inf)
    if any(option.results.is_oversubscribed(option.cell) for option in options):
        label += " (oversubscribed)"
    return Contest(label, measure, tuple(options), rows)

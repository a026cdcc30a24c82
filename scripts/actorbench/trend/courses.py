"""Courses: the medians of each cell and measure, laid over the commits of a branch."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median

from actorbench.commits import Commit
from actorbench.errors import UserError, choices
from actorbench.measure import MEASURES, Measure
from actorbench.medians import Median
from actorbench.suite import COMMAND
from actorbench.trend.steps import Step, find_steps

MOST_CHOICES = 20  # cells that an error names
_NAMED = ": "  # between a cell's name and its work, in its identity; a sweep's cells have no name


@dataclass(frozen=True)
class Reading:
    """A commit's median with its 95 % interval; of several runs the median of theirs, over all intervals.

    `place` is the commit's among the trend's.
    """

    place: int
    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Course:
    """A cell's measure over the commits; the places of its steps are its readings'."""

    cell: str
    measure: Measure
    readings: Sequence[Reading]
    steps: Sequence[Step]

    @property
    def levels(self) -> list[tuple[int, int, float]]:
        """Between steps: the first commit's place, the last one's, and the mean of the medians."""
        ends = [0, *(step.place for step in self.steps), len(self.readings)]
        parts = [self.readings[start:end] for start, end in pairwise(ends)]
        return [(part[0].place, part[-1].place, fmean(one.median for one in part)) for part in parts]


@dataclass(frozen=True)
class Trend:
    """All courses on one machine over the commits that were measured, oldest first."""

    machine: str
    commits: Sequence[Commit]
    courses: Sequence[Course]
    least: float
    notes: Sequence[str]

    @property
    def cells(self) -> list[str]:
        """The cells, in the order of their names."""
        return list(dict.fromkeys(course.cell for course in self.courses))

    @property
    def measures(self) -> list[Measure]:
        """The measures, in the driver's order."""
        return [one for one in MEASURES.values() if any(course.measure == one for course in self.courses)]


def trend_of(
    medians: Sequence[Median], line: Sequence[Commit], cells: Sequence[str], *, machine: str, least: float
) -> Trend:
    """Lay medians over a line of commits, oldest first; `cells` as for `chosen_cells`; raises UserError."""
    wanted = chosen_cells(medians, cells)
    names = {commit.name for commit in line}
    ours = [one for one in medians if one.cell in wanted and one.commit in names and one.measure in MEASURES]
    measured = {one.commit for one in ours}
    if not measured:
        raise UserError(
            f"of the commits asked for none was measured on machine '{machine}': {COMMAND} trend --measure 20"
        )
    commits = [commit for commit in line if commit.name in measured]
    courses = [
        Course(shown, measure, readings, find_steps([one.median for one in readings], least))
        for cell, shown in _shown(wanted).items()
        for measure in MEASURES.values()
        if (readings := _readings([o for o in ours if (o.cell, o.measure) == (cell, measure.name)], commits))
    ]
    return Trend(machine, commits, courses, least, _notes(ours))


def chosen_cells(medians: Sequence[Median], asked: Sequence[str]) -> list[str]:
    """Choose cells by their names, or by a part of their commands; all that have a name if none is asked for.

    Raises UserError, with the choices, for what chooses none.
    """
    known = sorted({one.cell for one in medians})
    if not asked:
        return [cell for cell in known if _NAMED in cell] or known
    found: set[str] = set()
    for text in asked:
        chosen = [cell for cell in known if cell.startswith(text + _NAMED)]
        chosen = chosen or [cell for cell in known if text in cell]
        if not chosen:
            raise UserError(f"no cell '{text}' was measured (choices: {choices(known[:MOST_CHOICES])})")
        found.update(chosen)
    return sorted(found)


def _readings(medians: Sequence[Median], commits: Sequence[Commit]) -> list[Reading]:
    readings = []
    for place, commit in enumerate(commits):
        found = [one for one in medians if one.commit == commit.name]
        if found:
            middle = median(one.median for one in found)
            low, high = min(one.low for one in found), max(one.high for one in found)
            readings.append(Reading(place, middle, low, high))
    return readings


def _shown(cells: Sequence[str]) -> dict[str, str]:
    """Show a cell by its name, and its work too where it has no name, or others have the same."""
    names = [cell.partition(_NAMED)[0] for cell in cells]
    return {cell: cell if names.count(name) > 1 else name for cell, name in zip(cells, names, strict=True)}


def _notes(medians: Sequence[Median]) -> list[str]:
    commits, runs = len({one.commit for one in medians}), len({one.run for one in medians})
    notes = [f"{commits} commit{'s' * (commits > 1)}, {runs} run{'s' * (runs > 1)}"]
    compilers = sorted({one.compiler for one in medians if one.compiler})
    if len(compilers) > 1:
        notes.append(f"built by several compilers, which may make steps of their own: {'; '.join(compilers)}")
    return notes

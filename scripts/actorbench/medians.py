"""Medians: what each run has measured of a commit on this machine, results/medians/<machine>.jsonl.

A gate adds its candidate's medians, a sweep those of the commit that its programs were built from, and
`trend --measure` those of each commit: a line a cell and measure. `trend` draws them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any

from actorbench.cell import Cell
from actorbench.errors import UserError, choices
from actorbench.estimates import estimate
from actorbench.gate.cells import identity_of
from actorbench.gate.deciding import GATED
from actorbench.histories import add_entries, read_entries
from actorbench.machine.facts import facts_from_json
from actorbench.measure import MEASURES
from actorbench.own.command import SYSTEM
from actorbench.project import Project
from actorbench.sample import Sample
from actorbench.store import Head, Run
from actorbench.suite import COMMAND
from actorbench.system import OURS

FOLDER = "medians"


@dataclass(frozen=True)
class Median:
    """A run's median of one cell, measure and commit, with its 95 % interval.

    `cell` is the cell's identity, which tells its work and not its build; `samples` how many there were.
    """

    run: str
    cell: str
    measure: str
    commit: str
    median: float
    low: float
    high: float
    samples: int
    compiler: str

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """What makes two lines the same."""
        return (self.run, self.cell, self.measure, self.commit)


@dataclass(frozen=True)
class Tracked:
    """A cell whose medians are kept: under which identity, and as which commit's."""

    cell: Cell
    identity: str
    commit: str


def read_medians(project: Project, machine: str) -> list[Median]:
    """Read the medians of a machine, oldest run first, each line once.

    Raises UserError, with the machines that there are, if there is nothing of this one.
    """
    path = _file(project, machine)
    if not path.exists():
        known = sorted(one.stem for one in path.parent.glob("*.jsonl"))
        raise UserError(
            f"nothing was measured yet on machine '{machine}' (choices: {choices(known)}):"
            f" {COMMAND} trend --measure 20"
        )
    return read_entries(path, _median)


def keep_medians(project: Project, run: Run) -> str | None:
    """Add the medians of a sweep that is complete; returns a warning as `add_medians` does."""
    head = run.head()
    return add_medians(project, head, medians_of(run.name, head, run.samples(), tracked_cells(head)))


def add_medians(project: Project, head: Head, medians: Iterable[Median]) -> str | None:
    """Append what is not there yet to the history of the machine that a run was taken on.

    Returns a warning if it can't be read or written: the run has what was measured, and is worth showing.
    """
    machine = facts_from_json(head.document["machine"]).machine
    try:
        add_entries(_file(project, machine), _median, medians)
    except UserError as error:
        return f"warning: the trend will lack this run: {error}"
    return None


def medians_of(run: str, head: Head, samples: Sequence[Sample], tracked: Iterable[Tracked]) -> list[Median]:
    """Take the medians of these samples; none of a cell that failed, or has too few for an interval."""
    compiler = str(head.document["machine"].get("compiler") or "")
    found = []
    for one in tracked:
        taken = [sample for sample in samples if sample.key == one.cell.key]
        for measure in GATED:
            read = MEASURES[measure].read
            values = [read(sample.record) if sample.ok and sample.record else None for sample in taken]
            whole = [value for value in values if value]
            if not whole or len(whole) < len(values):
                continue
            told = estimate(
                whole, seed=head.seed, name=f"{one.cell.key} {measure}", confidence=head.confidence
            )
            if told.low is not None and told.high is not None:
                numbers = (told.value, told.low, told.high, told.count)
                found.append(Median(run, one.identity, measure, one.commit, *numbers, compiler))
    return found


def tracked_cells(head: Head) -> list[Tracked]:
    """Find the cells of a sweep of which it is known which commit they measure; a peer's have none."""
    names: Mapping[str, str] = head.document.get("names", {})
    built_from = str(head.document.get("built_from") or "")
    found = []
    for cell in head.plan.cells:
        commit = cell.commit or ("" if cell.own else built_from)
        if commit and cell.system in (OURS, SYSTEM):
            named = identity_of(names[cell.key], cell) if cell.key in names else _identity(cell)
            found.append(Tracked(cell, named, commit))
    return found


def _identity(cell: Cell) -> str:
    """A cell's work where it has no name: its command, without commit and arm."""
    return replace(cell, config=cell.build, arm="").key


def _file(project: Project, machine: str) -> Path:
    return project.results / FOLDER / f"{machine}.jsonl"


def _median(document: Mapping[str, Any]) -> Median:
    made = Median(**{name: value for name, value in document.items() if name != "schema"})
    if not (0 < made.low <= made.high < inf and 0 < made.median < inf):
        raise ValueError("'median', 'low' and 'high' must be over 0, and low no more than high")
    return made

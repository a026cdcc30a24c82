"""Counts beside time: what a gate counts of its cells, what is kept of it, and what it says.

Each cell's instructions with one worker, and, where the cell has several, what these share, with LINE_WORKERS
of them, since a count must not follow from the machine. The work is the workload's own amounts for counting,
which take seconds; the options are the cell's. Counts do not drift: there is no null arm and no second batch,
and an increase of delta or more that the runs agree on fails (counts/changes.py).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from actorbench.cell import COMMIT_MARK
from actorbench.commits import BuildError, build_commit
from actorbench.counts.changes import Change, level_of
from actorbench.counts.counters import CALLGRIND, EXPLORER, INSTRUCTIONS, LOCKED, PERF, TRANSFERS
from actorbench.counts.counting import counts_of
from actorbench.counts.outputs import LABELS
from actorbench.counts.subjects import Subject
from actorbench.counts.taking import CONFIGS, RUNS, choose_counter, count_subject, make_counter
from actorbench.errors import UserError
from actorbench.experiment import DEFAULT_CONFIG
from actorbench.gate.arms import RevisionError
from actorbench.gate.cells import BASE, CANDIDATE, NO_WORK, GateCell
from actorbench.gate.count_store import Counts, CountStore, Key
from actorbench.gate.deciding import Line, Verdict
from actorbench.measure import Measure
from actorbench.project import Project
from actorbench.wording import number_text
from actorbench.workloads import FILE_NAME as MANIFEST
from actorbench.workloads import Workload, load_workloads

LINE_WORKERS = 4
MOST_RUNS = {CALLGRIND: 6, PERF: 20, EXPLORER: 100}
NEARLY = 1.05  # times delta: what instructions let be found, but for a run that was disturbed
TIMEOUT_S = 600.0
SIDES = (BASE, CANDIDATE)
SHARED = (LOCKED, TRANSFERS)
MEASURES = {name: Measure(name, LABELS[name], "", lambda _: None) for name in (INSTRUCTIONS, *SHARED)}


@dataclass(frozen=True)
class Wish:
    """What is to be counted of a cell, and by what."""

    cell: GateCell
    by: str
    subject: Subject

    @property
    def measures(self) -> tuple[str, ...]:
        """What is judged of it."""
        return SHARED if self.by == EXPLORER else (INSTRUCTIONS,)

    @property
    def keys(self) -> tuple[Key, ...]:
        """What its sides' counts are kept under."""
        return tuple((self.cell.name, self.by, side) for side in SIDES)

    @property
    def command(self) -> str:
        """The command of more work, below build/, without the commit."""
        program = f"{CONFIGS[self.by]}/{self.subject.design}/{self.subject.workload.name}"
        return " ".join([program, *self.subject.arguments(self.subject.workload.counted[1])])


@dataclass(frozen=True)
class Rules:
    """What counts are judged by: the least increase that counts, what a PASS must rule out, the level."""

    delta: float
    find: float
    level: float

    @classmethod
    def of(cls, wanted: Sequence[Wish], delta: float, find: float) -> "Rules":
        """Those of so many counts together."""
        return cls(delta, find, level_of(sum(len(wish.measures) for wish in wanted)))

    def changes(self, wish: Wish, kept: Mapping[Key, Counts]) -> dict[str, Change]:
        """Hold the sides against each other; nothing if one of them has no counts."""
        sides = [kept[key].tallies for key in wish.keys if key in kept]
        if len(sides) < len(SIDES) or not all(sides):
            return {}
        base, candidate = (counts_of(pairs) for pairs in sides)
        return {name: Change(base[name], candidate[name], self.delta, self.level) for name in wish.measures}


def choose_counts(
    project: Project, cells: Sequence[GateCell], delta: float, tell: Callable[[str], None], *, alone: bool
) -> dict[str, Any]:
    """Choose what counts, and build what only counting needs; returns what the head keeps, with notes.

    What can't be counted is a note; but if counts are judged `alone`, and there are none, it is a UserError.
    A candidate that does not build where the base does is a RevisionError.
    """
    chosen: dict[str, Any] = {"delta": delta, "instructions": CALLGRIND, "lines": True}
    wanted = list(wishes(project, cells, chosen))
    notes = [f"{name} is not counted: {MANIFEST} has no amounts for it" for name in _unknown(project, cells)]
    if wanted:
        choice = choose_counter()
        missing = _missing_tool(project, choice.by)
        chosen["instructions"] = None if missing else choice.by
        if missing or choice.why:
            notes.append(f"instructions are {f'not counted: {missing}' if missing else choice.told}")
    shared = [wish for wish in wanted if wish.by == EXPLORER]
    for side in SIDES if shared else ():
        tell(f"building {side} for counting")
        try:
            _build(project, shared, side)
        except BuildError as error:
            if side == CANDIDATE:
                raise RevisionError(side, error) from error
            chosen["lines"] = False
            notes.append(f"what workers share is not counted: {error}")
            break
    if alone and not any(wishes(project, cells, chosen)):
        raise UserError(f"nothing can be counted: {'; '.join(notes) or 'counts are of commits'}")
    return chosen | {"notes": notes}


def wishes(project: Project, cells: Sequence[GateCell], chosen: Mapping[str, Any]) -> Iterator[Wish]:
    """Give what is counted of the cells, the same only once; nothing of those that are no commits'."""
    known, seen = _workloads(project), set()
    for cell in cells:
        base = cell.base
        if base.build != DEFAULT_CONFIG or base.workload not in known:
            continue
        options = [(name, value) for name, value in base.options if name not in NO_WORK]
        words = tuple(word for name, value in options for word in (f"--{name}", str(value)))
        counters = [(chosen["instructions"], 1)]
        if chosen["lines"] and (base.workers or 1) > 1:
            counters.append((EXPLORER, LINE_WORKERS))
        for by, workers in counters:
            subject = Subject(known[base.workload], base.design, workers, words)
            if by and (by, subject.name) not in seen:
                seen.add((by, subject.name))
                yield Wish(cell, by, subject)


def take_counts(project: Project, store: CountStore, wanted: Sequence[Wish], rules: Rules, seed: int) -> None:
    """Count what is not kept yet, and keep it; raises UserError.

    Runs are added where their noise alone hides what is to be found: of instructions that is delta. The
    schedules follow from the seed, and are the same for both sides.
    """
    for wish in wanted:
        while runs := _missing(wish, store.kept, rules):
            for key, missing in runs.items():
                numbers = range(seed + 1 + missing.start, seed + 1 + missing.stop)
                folder = _folder(wish, key[-1])
                store.add(
                    key, count_subject(project, wish.subject, folder, wish.by, numbers, timeout_s=TIMEOUT_S)
                )


def _missing(wish: Wish, kept: Mapping[Key, Counts], rules: Rules) -> dict[Key, range]:
    """Give the runs that are still to be counted of each side, from 0; none of a side with trouble."""
    have = {key: len(kept[key].tallies) if key in kept else 0 for key in wish.keys}
    number = max(RUNS[wish.by], *have.values())
    find = rules.find if wish.by == EXPLORER else NEARLY * rules.delta
    hidden = any(change.smallest > find for change in rules.changes(wish, kept).values())
    if min(have.values()) == number < MOST_RUNS[wish.by] and hidden:
        number += RUNS[wish.by]
    if any(key in kept and kept[key].trouble for key in wish.keys):
        return {}
    return {key: range(count, number) for key, count in have.items() if count < number}


def count_lines(wanted: Sequence[Wish], kept: Mapping[Key, Counts], rules: Rules) -> list[Line]:
    """Judge what was counted: a line a cell and measure."""
    lines = []
    for wish in wanted:
        trouble = [
            f"{key[-1]}: {kept[key].trouble}" for key in wish.keys if key in kept and kept[key].trouble
        ]
        found = {} if trouble else rules.changes(wish, kept)
        for name in wish.measures:
            change = found.get(name)
            verdict, reason = _decide(change, rules.find) if change else (Verdict.INCONCLUSIVE, "not counted")
            if trouble:
                verdict, reason = Verdict.BROKEN, "; ".join(trouble)
            lines.append(_line(wish, MEASURES[name], rules.delta, change, verdict, reason))
    return lines


def _decide(change: Change, find: float) -> tuple[Verdict, str]:
    sides = f"{number_text(change.base.value)}, then {number_text(change.candidate.value)} an operation"
    if change.moved > 0:
        return Verdict.FAIL, sides
    if change.smallest > find:
        found, asked = f"{100 * change.smallest:.1f} %", f"{100 * find:.1f} %"
        return Verdict.INCONCLUSIVE, f"would find {found}, not the {asked} asked for"
    return Verdict.PASS, sides if change.moved else ""


def _line(
    wish: Wish, measure: Measure, delta: float, change: Change | None, verdict: Verdict, reason: str
) -> Line:
    return Line(
        cell=wish.cell.name,
        command=wish.command,
        measure=measure,
        delta=delta,
        batches=(),
        smallest=change.smallest if change else None,
        verdict=verdict,
        reason=reason,
        change=change,
    )


def _unknown(project: Project, cells: Sequence[GateCell]) -> list[str]:
    """The workloads of cells that would be counted, had they amounts."""
    known = _workloads(project)
    names = (cell.base.workload for cell in cells if cell.base.build == DEFAULT_CONFIG)
    return list(dict.fromkeys(name for name in names if name not in known))


def _workloads(project: Project) -> dict[str, Workload]:
    return {workload.name: workload for workload in load_workloads(project) if workload.counted}


def _missing_tool(project: Project, by: str) -> str | None:
    try:
        make_counter(project, by, TIMEOUT_S)
    except UserError as error:
        return str(error)
    return None


def _build(project: Project, wanted: Sequence[Wish], side: str) -> None:
    """Build what counts what is shared, of a side; raises BuildError."""
    programs = dict.fromkeys(f"{wish.subject.design}/{wish.subject.workload.name}" for wish in wanted)
    commit, _, copy = _folder(wanted[0], side).partition(".")
    build_commit(project, commit, CONFIGS[EXPLORER], list(programs), copy=copy)


def _folder(wish: Wish, side: str) -> str:
    """The folder of a side's builds, below build/commits/."""
    arm = wish.cell.arms[SIDES.index(side)]
    return arm.config.partition(COMMIT_MARK)[2]

"""What moves a count of instructions: the conditions under which they are counted, left out in turn."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any

from actorbench.counts.conditions import Conditions, steady_clock
from actorbench.counts.counters import INSTRUCTIONS, Callgrind
from actorbench.counts.counting import Count, Counter, CountError, Tally, Work, count
from actorbench.counts.subjects import AS_BUILT, Subject
from actorbench.experiment import DEFAULT_CONFIG
from actorbench.project import Project
from actorbench.sample import PADDING_LIMIT, PADDING_VARIABLE
from actorbench.table import Column, Table
from actorbench.wording import number_text
from gate_study.count_tables import spread_text
from gate_study.cpu_load import cpu_load

LONGEST = 100  # letters of a folder's name
TIMEOUT_S = 60.0  # threads that wait for each other on several CPUs may get nowhere under valgrind


@dataclass(frozen=True)
class Variation:
    """How the counting is varied: its name, and a counter made from the right one and a source of chance."""

    name: str
    counter: Callable[[Callgrind, Random], Counter]
    beside: Callable[[], AbstractContextManager[Any]] = nullcontext


@dataclass(frozen=True)
class Padded(Conditions):
    """The right conditions but for the environment, which is `padding` bytes larger."""

    padding: int = 0

    def environment(self) -> dict[str, str]:
        """The environment with its padding."""
        return {**super().environment(), PADDING_VARIABLE: "x" * self.padding}


def _other_environments(right: Callgrind, chance: Random) -> Counter:
    def counter(command: Sequence[str], run: int) -> Tally:
        conditions = Padded(right.conditions.clock, padding=chance.randrange(PADDING_LIMIT))
        return replace(right, conditions=conditions)(command, run)

    return counter


def _other_paths(right: Callgrind, chance: Random) -> Counter:
    def counter(command: Sequence[str], run: int) -> Tally:
        program, *arguments = command
        with TemporaryDirectory() as folder:
            place = Path(folder, "x" * chance.randint(1, LONGEST))
            place.mkdir()
            return right([str(copy(program, place)), *arguments], run)

    return counter


VARIATIONS = (
    Variation("beside a load", lambda right, _: right, lambda: cpu_load(1)),
    Variation(
        "by the system's clock",
        lambda right, _: replace(right, conditions=replace(right.conditions, clock=None)),
    ),
    Variation(
        "on all CPUs",
        lambda right, _: replace(right, conditions=replace(right.conditions, one_cpu=False)),
    ),
    Variation("environments of any size", _other_environments),
    Variation("paths of any length", _other_paths),
)


def moves_table(
    project: Project, subjects: Sequence[Subject], runs: int, seed: int, tell: Callable[[str], None]
) -> Table:
    """Count the programs of build/ as the gate does, and under each variation, which may fail, and says so.

    Raises UserError and CountError.
    """
    right = Callgrind(project.root, TIMEOUT_S, Conditions(steady_clock(project)))
    chance = Random(seed)
    works = [subject.work(project, DEFAULT_CONFIG, AS_BUILT) for subject in subjects]

    def count_varied(counter: Counter, work: Work) -> Count | None:
        try:
            return count(counter, work, runs)[INSTRUCTIONS]
        except CountError as error:
            tell(str(error))
            return None

    steady = [count(right, work, runs)[INSTRUCTIONS] for work in works]
    varied = []
    for variation in VARIATIONS:
        tell(variation.name)
        with variation.beside():
            counter = variation.counter(right, chance)
            varied.append([count_varied(counter, work) for work in works])
    rows = [
        [subject.name, number_text(one.value), *(_cell(other, one) for other in (one, *others))]
        for subject, one, others in zip(subjects, steady, zip(*varied, strict=True), strict=True)
    ]
    return Table(
        f"Instructions an operation, {runs} runs each",
        (
            Column("one worker", numeric=False),
            Column("median"),
            Column("as counted"),
            *(Column(variation.name) for variation in VARIATIONS),
        ),
        rows,
        (
            "The spread, from the least to the most over the median; and where the median is another, by how"
            " much it is off that of the second column.",
        ),
    )


def _cell(one: Count | None, right: Count) -> str:
    if one is None:
        return "failed"
    off = f"{100 * (one.value / right.value - 1):+.1f} %"
    spread = spread_text(one.spread)
    return spread if off in ("+0.0 %", "-0.0 %") else f"{spread}, off by {off}"

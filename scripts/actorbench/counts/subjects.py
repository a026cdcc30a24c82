"""Subjects: what is counted: a workload in a design, as it is built or of a commit."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from actorbench.catalogue import find_program
from actorbench.cell import COMMIT_MARK
from actorbench.counts.counting import Count, Tally, Work, counts_of
from actorbench.errors import UserError, choices
from actorbench.project import Project
from actorbench.workloads import Workload, load_workloads

AS_BUILT = ""  # the programs of build/, in place of a commit's


@dataclass(frozen=True)
class Subject:
    """A workload in a design, with its number of workers and options, as words of a command line."""

    workload: Workload
    design: str
    workers: int
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """How tables name it, without its number of workers."""
        return " ".join([f"{self.design}/{self.workload.name}", *self.options])

    def work(self, project: Project, config: str, commit: str) -> Work:
        """Its two command lines, of a commit that was built or of build/; raises UserError if that is not."""
        marked = f"{config}{COMMIT_MARK}{commit}" if commit else config
        program = find_program(project, marked, self.design, self.workload.name)
        less, more = ((str(program.path), *self.arguments(amount)) for amount in self.workload.counted)
        return Work(less, more)

    def arguments(self, amount: str) -> list[str]:
        """What the program is given for an amount of work, without --json."""
        return [*amount.split(), "--workers", str(self.workers), *self.options]


@dataclass(frozen=True)
class Counted:
    """A subject of a commit and what was counted of it: a pair of tallies a run, or why there are none."""

    subject: Subject
    commit: str
    work: Work
    tallies: tuple[tuple[Tally, Tally], ...]
    trouble: str | None = None

    @property
    def counts(self) -> dict[str, Count]:
        """Events an operation, by measure; empty if there are none."""
        return counts_of(self.tallies) if self.tallies else {}

    def to_json(self) -> dict[str, Any]:
        """Write it all as JSON, for the store; the numbers an operation follow from it."""
        return {
            "workload": self.subject.workload.name,
            "design": self.subject.design,
            "workers": self.subject.workers,
            "options": list(self.subject.options),
            "commit": self.commit,
            "less": list(self.work.less),
            "more": list(self.work.more),
            "tallies": [[asdict(tally) for tally in pair] for pair in self.tallies],
            "trouble": self.trouble,
        }


def countable(project: Project, names: Sequence[str]) -> list[Workload]:
    """Find the workloads named, or all that are counted; raises UserError with the choices."""
    known = {workload.name: workload for workload in load_workloads(project) if workload.counted}
    for name in names:
        if name not in known:
            raise UserError(f"no workload '{name}' whose work is counted (choices: {choices([*known])})")
    return [known[name] for name in dict.fromkeys(names or known)]

"""What a bisection keeps: its commits, and its looks; results/<time>-bisect/run.json.

A look is a gate of one commit against another, a run of its own. It is written down when its gate starts and
once more when that ends, so that an interrupted bisection goes on where it was.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from actorbench.commits import Commit
from actorbench.errors import UserError
from actorbench.gate.cells import Entry
from actorbench.gate.deciding import Verdict
from actorbench.gate.running import Settings
from actorbench.project import Project
from actorbench.store import Run, create_run, write_whole

KIND = "bisect"
BASE = -1  # the base's place, before all commits

GateLine = Mapping[str, Any]  # a cell's measure, as schemas/gate-1.json has it


@dataclass(frozen=True)
class Look:
    """A gate of the commit at `place` against that at `against`.

    `run` names the gate's run. `spent_s` and `lines` are of a gate that has ended, else None.
    """

    place: int
    against: int
    budget_s: float
    run: str = ""
    spent_s: float | None = None
    lines: Sequence[GateLine] | None = None

    def line(self, like: GateLine) -> GateLine | None:
        """The gate's line of the cell and measure of another; of a cell that failed, what says why."""
        lines, wanted = self.lines or (), (like["cell"], like["measure"])
        own = [one for one in lines if (one["cell"], one["measure"]) == wanted]
        broken = [one for one in lines if one["verdict"] == Verdict.BROKEN.value]
        return next(iter(own + broken), None)


@dataclass(frozen=True)
class Bisection:
    """A bisection's run, what it searches, and what it has seen.

    `commits` are the first parents of the newest after the base, oldest first.
    """

    run: Run
    base: Commit
    commits: Sequence[Commit]
    entries: Sequence[Entry]
    settings: Settings
    looks: Sequence[Look] = ()

    @property
    def left_s(self) -> float:
        """What is left of the budget, in seconds of samples."""
        return self.settings.budget_s - sum(look.spent_s or 0.0 for look in self.looks)

    def commit(self, place: int) -> Commit:
        """The commit at a place, or the base."""
        return self.base if place == BASE else self.commits[place]

    def with_look(self, look: Look) -> "Bisection":
        """Put a look there, in place of one that has not ended, and write it down; raises UserError."""
        ended = [one for one in self.looks if one.lines is not None]
        changed = replace(self, looks=[*ended, look])
        document = {**self.run.document(), "looks": [asdict(one) for one in changed.looks]}
        try:
            write_whole(self.run.folder / "run.json", json.dumps(document, indent=1) + "\n")
        except OSError as error:
            raise UserError(f"{self.run.shown}/run.json: cannot be written: {error.strerror}") from error
        return changed


def create_bisection(
    project: Project, base: Commit, commits: Sequence[Commit], entries: Sequence[Entry], settings: Settings
) -> Bisection:
    """Write the head of a bisection that has looked at nothing yet; raises UserError."""
    head = {
        "kind": KIND,
        "arguments": list(settings.arguments),
        "base": asdict(base),
        "commits": [asdict(one) for one in commits],
        "entries": list(entries),
        "settings": asdict(settings),
        "looks": [],
    }
    return read_bisection(create_run(project, KIND, head))


def read_bisection(run: Run) -> Bisection:
    """Read a bisection from its run; raises UserError if it is none, or can't be read."""
    document = run.document()
    if document["kind"] != KIND:
        raise UserError(f"run {run.name} is no bisection, but of kind '{document['kind']}'")
    try:
        return Bisection(
            run=run,
            base=Commit(**document["base"]),
            commits=[Commit(**one) for one in document["commits"]],
            entries=list(document["entries"]),
            settings=Settings(**document["settings"]),
            looks=[Look(**one) for one in document["looks"]],
        )
    except (KeyError, TypeError) as error:
        raise UserError(f"{run.shown}/run.json: cannot be read: {type(error).__name__}: {error}") from error

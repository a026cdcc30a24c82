"""What a gate compares, and how its programs come to be: commits that are built, or two commands."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from actorbench.cell import COMMIT_MARK
from actorbench.commits import BuildError, build_commit, build_folder, resolve_commit, snapshot
from actorbench.errors import UserError
from actorbench.experiment import DEFAULT_CONFIG
from actorbench.gate.cells import (
    ArmConfigs,
    Entry,
    GateCell,
    builds_of,
    command_cells,
    commit_cells,
    programs_of,
)
from actorbench.project import Project

WORKTREE = "worktree"
NULL_COPY = "null"  # the second build of the base
CANDIDATE_COPY = "candidate"  # of a candidate that is the base: a third build of it


@dataclass(frozen=True)
class Commands:
    """Two commands, and the arguments that are their cells."""

    base: str
    candidate: str
    entries: Sequence[Entry]

    def __post_init__(self) -> None:
        """Raise UserError where there is no command, or a quotation is left open."""
        for command in (self.base, self.candidate):
            try:
                words = shlex.split(command)
            except ValueError as error:
                raise UserError(f"'{command}' is no command: {error}") from error
            if not words:
                raise UserError(f"'{command}' is no command: it has no words")

    @property
    def shown(self) -> tuple[str, str]:
        """Base and candidate, as a reader is to see them."""
        return self.base, self.candidate

    @property
    def commit(self) -> str:
        """The base's commit: none."""
        return ""

    def build(self, _project: Project, _tell: Callable[[str], None], *, null: bool = True) -> None:
        """Build nothing."""

    def cells(self, cpus: int) -> list[GateCell]:
        """The cells, three arms each."""
        return command_cells(self.entries, self.base, self.candidate, cpus)


@dataclass(frozen=True)
class Revision:
    """A commit as one side measures it: its build configuration and options, and how the user named it."""

    shown: str
    commit: str
    config: str = DEFAULT_CONFIG
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Commits:
    """Two commits, and the cells that measure them."""

    base: Revision
    candidate: Revision
    entries: Sequence[Entry]

    @property
    def shown(self) -> tuple[str, str]:
        """Base and candidate, as a reader is to see them."""
        return _shown(self.base), _shown(self.candidate)

    @property
    def commit(self) -> str:
        """The base's commit."""
        return self.base.commit

    def build(self, project: Project, tell: Callable[[str], None], *, null: bool = True) -> None:
        """Build the three arms, or no null arm; raises RevisionError for the one that does not build."""
        programs, own = programs_of(self.entries), builds_of(self.entries)
        sides = [("base", self.base, "")]
        if null:
            sides.append(("base", self.base, NULL_COPY))
        for name, side, copy in (*sides, ("candidate", self.candidate, self._candidate_copy)):
            second = f" ({copy})" if copy else ""
            tell(f"building {name}{second}: {_shown(side)}")
            try:
                build_commit(project, side.commit, side.config, programs, copy=copy, own=own)
            except BuildError as error:
                raise RevisionError(name, error) from error

    def cells(self, cpus: int) -> list[GateCell]:
        """The cells, three arms each."""
        configs = ArmConfigs(
            base=_config(self.base, ""),
            candidate=_config(self.candidate, self._candidate_copy),
            null=_config(self.base, NULL_COPY),
            base_options=self.base.options,
            candidate_options=self.candidate.options,
        )
        return commit_cells(self.entries, configs, cpus)

    @property
    def _candidate_copy(self) -> str:
        """The candidate's build is never the base's own: an arm is a build of its own."""
        same = (self.candidate.commit, self.candidate.config) == (self.base.commit, self.base.config)
        return CANDIDATE_COPY if same else ""


class RevisionError(Exception):
    """A side, "base" or "candidate", does not build."""

    def __init__(self, side: str, error: BuildError) -> None:
        super().__init__(f"the {side} does not build: {error}")
        self.side = side
        self.output = error.output


def commits_of(project: Project, base: str, candidate: str, entries: Sequence[Entry]) -> Commits:
    """Find the commits that the user named; raises UserError."""
    return Commits(_side(project, base), _side(project, candidate), entries)


def _side(project: Project, revision: str) -> Revision:
    commit = snapshot(project) if revision == WORKTREE else resolve_commit(project, revision)
    return Revision(revision, commit)


def _config(side: Revision, copy: str) -> str:
    return f"{side.config}{COMMIT_MARK}{build_folder(side.commit, copy)}"


def _shown(side: Revision) -> str:
    named_by_digits = side.shown.startswith(side.commit) or side.commit.startswith(side.shown)
    return side.commit if named_by_digits else f"{side.shown} ({side.commit})"

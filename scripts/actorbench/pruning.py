"""Pruning: the builds of commits and the runs that nothing was written to for long.

What is kept in docs/runs is never touched, nor what was learnt from runs: histories, medians and campaigns;
nor a run that a file which git knows names.
"""

import re
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from actorbench.cell import COMMITS_FOLDER
from actorbench.errors import UserError
from actorbench.machine.sources import Sources
from actorbench.project import Project
from actorbench.store import all_runs

BUILDS, RUNS = "builds", "runs"
_BUILD = re.compile(r"[0-9a-f]{12}(\.[a-z]+)?")


@dataclass(frozen=True)
class Old:
    """A folder that may go: since when nothing was written there (seconds of the epoch), and its bytes."""

    kind: str
    folder: Path
    last_used: float
    size: int


def find_old(project: Project, kinds: Sequence[str], age_s: float) -> list[Old]:
    """Find what nothing was written to for so many seconds, the oldest first. Raises UserError."""
    sources = Sources.of_this_machine(project.root)
    found: list[Old] = []
    if BUILDS in kinds:
        found += _builds(project)
    if RUNS in kinds:
        found += [_old(RUNS, run.folder, list(run.folder.iterdir())) for run in all_runs(project)]
    old = [one for one in found if one.last_used < time.time() - age_s]
    named = ("git", "grep", "--quiet", "--fixed-strings", "-e")
    free = [one for one in old if one.kind == BUILDS or sources.command(*named, one.folder.name) is None]
    return sorted(free, key=lambda one: one.last_used)


def remove(project: Project, old: Iterable[Old]) -> None:
    """Delete folders, and what git knew of those that were its worktrees; raises UserError.

    The caller holds the lock (lock.py): what is measured now is not in use.
    """
    for one in old:
        try:
            shutil.rmtree(one.folder)
        except OSError as error:
            shown = project.shown(Path(error.filename or one.folder))
            raise UserError(f"{shown}: cannot be deleted: {error.strerror}") from error
    Sources.of_this_machine(project.root).command("git", "worktree", "prune")


def _builds(project: Project) -> Iterator[Old]:
    """The builds of commits; each use writes the compiler's stamp (commits.py)."""
    for folder in sorted((project.build / COMMITS_FOLDER).glob("*")):
        if folder.is_dir() and _BUILD.fullmatch(folder.name):
            stamp = folder / "build" / ".compiler"
            yield _old(BUILDS, folder, [stamp if stamp.exists() else folder])


def _old(kind: str, folder: Path, used: Sequence[Path]) -> Old:
    try:
        last_used = max(path.lstat().st_mtime for path in used)
        size = sum(path.lstat().st_blocks * 512 for path in (folder, *folder.rglob("*")))
    except OSError as error:
        raise UserError(f"{error.filename}: cannot be read: {error.strerror}") from error
    return Old(kind, folder, last_used, size)

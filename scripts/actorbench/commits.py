"""Commits built side by side: each in a git worktree of its own, build/commits/<commit>/.

What is built is kept for the next time. A commit's programs are built by the commit's own Makefile, so that
each is what it was then.
"""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from actorbench.cell import COMMITS_FOLDER
from actorbench.errors import UserError
from actorbench.project import Project

SHORT = 12  # digits of a commit's name in folders and cells
MOST_BUILD_SECONDS = 1800


def resolve_commit(project: Project, revision: str) -> str:
    """Give the commit that a revision names, as its first 12 digits; raises UserError."""
    asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"]
    done = _run(["git", *asked], project.root)
    if done.returncode != 0:
        raise UserError(
            f"'{revision}' names no commit of this repository (such as HEAD~1, a tag or a branch)"
        )
    return done.stdout.split()[-1][:SHORT]


def build_commit(project: Project, commit: str, config: str, programs: Sequence[str]) -> None:
    """Build programs (as "<design>/<workload>") of a commit, in `config`; what is built already stays.

    Raises UserError if git or make fails, with the last line that it said.
    """
    folder = project.build / COMMITS_FOLDER / commit
    if not (folder / ".git").exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        # --force: the folder may be known to git from before it was removed.
        _require(
            ["git", "worktree", "add", "--force", "--quiet", "--detach", str(folder), commit], project.root
        )
    targets = [f"build/{config}/{program}" for program in programs]
    _require(["make", f"-j{os.cpu_count() or 1}", f"CONFIG={config}", "--", *targets], folder)
    for target in targets:
        if not os.access(folder / target, os.X_OK):
            raise UserError(f"commit {commit} does not build {target}")


def _require(command: list[str], folder: Path) -> None:
    done = _run(command, folder)
    if done.returncode != 0:
        said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise UserError(
            f"'{' '.join(command[:3])}' failed in {folder.name}: {said[-1] if said else 'no message'}"
        )


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")
    }
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=MOST_BUILD_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"'{command[0]}' can't be run: {error}") from error

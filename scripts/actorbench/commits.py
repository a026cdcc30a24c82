"""Commits built side by side: each in a git worktree of its own, build/commits/<commit>/.

What is built is kept for the next time. A commit's programs are built by the commit's own Makefile, so that
each is what it was then. The files as they are, committed or not, are built as a commit that no branch holds.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from actorbench.cell import COMMITS_FOLDER
from actorbench.errors import UserError
from actorbench.project import Project

SHORT = 12  # digits of a commit's name in folders and cells
MOST_BUILD_SECONDS = 1800
# The same files give the same commit, whoever asks and whenever, so that it is built once.
_NOBODY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "actorbench"), ("EMAIL", "actorbench"), ("DATE", "2000-01-01T00:00:00Z"))
}


class BuildError(UserError):
    """A commit that does not build; `output` is all that git or make said."""

    def __init__(self, message: str, output: str) -> None:
        super().__init__(message)
        self.output = output


def resolve_commit(project: Project, revision: str) -> str:
    """Give the commit that a revision names, as its first 12 digits; raises UserError."""
    asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"]
    done = _run(["git", *asked], project.root)
    if done.returncode != 0:
        raise UserError(
            f"'{revision}' names no commit of this repository (such as HEAD~1, a tag or a branch)"
        )
    return done.stdout.split()[-1][:SHORT]


def snapshot(project: Project) -> str:
    """Give a commit of the files as they are, but results/ and what git ignores; raises UserError.

    It is made beside the user's index and branches, which stay as they are.
    """
    with tempfile.TemporaryDirectory() as folder:
        own = {"GIT_INDEX_FILE": str(Path(folder, "index")), **_NOBODY}
        _require(["git", "read-tree", "HEAD"], project.root, own)
        _require(["git", "add", "--all", "--", ":/", ":(exclude,top)results"], project.root, own)
        tree = _require(["git", "write-tree"], project.root, own).strip()
        commit = _require(["git", "commit-tree", "-m", "The files as they were", tree], project.root, own)
    return commit.strip()[:SHORT]


def commit_with(project: Project, commit: str, path: str, old: str, new: str) -> str:
    """Give a commit that differs from another in one text of a file; raises UserError if it has none.

    As with `snapshot`, no branch holds it.
    """
    text = _require(["git", "show", f"{commit}:{path}"], project.root)
    if text.count(old) != 1:
        raise UserError(f"{path} of commit {commit} has {text.count(old)} lines '{old.strip()}'")
    with tempfile.TemporaryDirectory() as folder:
        own = {"GIT_INDEX_FILE": str(Path(folder, "index")), **_NOBODY}
        file = Path(folder, "file")
        file.write_text(text.replace(old, new), encoding="utf-8")
        blob = _require(["git", "hash-object", "-w", str(file)], project.root).strip()
        _require(["git", "read-tree", commit], project.root, own)
        _require(["git", "update-index", "--cacheinfo", f"100644,{blob},{path}"], project.root, own)
        tree = _require(["git", "write-tree"], project.root, own).strip()
        made = _require(["git", "commit-tree", "-p", commit, "-m", f"Change {path}", tree], project.root, own)
    return made.strip()[:SHORT]


def remove_build(project: Project, commit: str) -> None:
    """Remove a commit's build, if there is one; raises UserError."""
    folder = project.build / COMMITS_FOLDER / commit
    if folder.exists():
        _require(["git", "worktree", "remove", "--force", str(folder)], project.root)


def build_commit(
    project: Project, commit: str, config: str, programs: Sequence[str], *, copy: str = ""
) -> None:
    """Build programs (as "<design>/<workload>") of a commit, in `config`; what is built already stays.

    `copy` names a second build of the same commit, build/commits/<commit>.<copy>/. Raises BuildError if git
    or make fails, with the last line that it said, or if there is no place for the build.
    """
    folder = project.build / COMMITS_FOLDER / build_folder(commit, copy)
    if not (folder / ".git").exists():
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            said = f"{project.shown(folder.parent)}/: cannot be made: {error.strerror}"
            raise BuildError(said, said) from error
        # --force: the folder may be known to git from before it was removed.
        _require(
            ["git", "worktree", "add", "--force", "--quiet", "--detach", str(folder), commit], project.root
        )
    _clean_after_compiler(folder)
    targets = [f"build/{config}/{program}" for program in programs]
    said = _require(["make", f"-j{os.cpu_count() or 1}", f"CONFIG={config}", "--", *targets], folder)
    for target in targets:
        if not os.access(folder / target, os.X_OK):
            raise BuildError(f"commit {commit} does not build {target}", said)


def _clean_after_compiler(folder: Path) -> None:
    """Remove what another compiler has built: two arms of different compilers must not be compared."""
    stamp = folder / "build" / ".compiler"
    compiler = _run(["gcc", "--version"], folder).stdout
    try:
        if stamp.exists() and stamp.read_text(encoding="utf-8") != compiler:
            shutil.rmtree(stamp.parent)
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.write_text(compiler, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{folder.name}/build: cannot be written: {error.strerror}") from error


def build_folder(commit: str, copy: str = "") -> str:
    """Name the folder of a commit's build below build/commits/."""
    return f"{commit}.{copy}" if copy else commit


def _require(command: list[str], folder: Path, environment: Mapping[str, str] | None = None) -> str:
    done = _run(command, folder, environment)
    if done.returncode != 0:
        output = done.stdout + done.stderr
        said = [line for line in output.splitlines() if line.strip()]
        # What make says last is that it stops; what it stopped for stands where "error" does.
        told = [line for line in said if "error:" in line] or said[-1:]
        raise BuildError(
            f"'{' '.join(command[:3])}' failed in {folder.name}: {told[0] if told else 'no message'}", output
        )
    return done.stdout


def _run(
    command: list[str], folder: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=inherited | dict(environment or {}),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=MOST_BUILD_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"'{command[0]}' can't be run: {error}") from error

"""Commits built side by side: each in a git worktree of its own, build/commits/<commit>/.

What is built is kept for the next time. A commit's programs are built by the commit's own Makefile, so that
each is what it was then. The files as they are, committed or not, are built as a commit that no branch holds.
"""

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from actorbench.cell import COMMITS_FOLDER, COPY_MARK
from actorbench.errors import UserError
from actorbench.machine.facts import Facts
from actorbench.machine.sources import Sources
from actorbench.project import Project
from actorbench.text import one_line

SHORT = 12  # digits of a commit's name in folders and cells
MOST_BUILD_SECONDS = 1800
DEEPENED = "git fetch --unshallow gets the others"
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


@dataclass(frozen=True)
class Commit:
    """A commit: its name's first 12 digits, the day that it was committed, and its subject."""

    name: str
    day: str
    subject: str


def resolve_commit(project: Project, revision: str) -> str:
    """Give the commit that a revision names, as its first 12 digits; raises UserError."""
    asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"]
    done = _run(["git", *asked], project.root)
    if done.returncode != 0:
        raise UserError(f"'{revision}' {_no_commit(project)}")
    return done.stdout.split()[-1][:SHORT]


def is_shallow(project: Project) -> bool | None:
    """Say whether the repository lacks the history before some commit; None if there is none."""
    done = _run(["git", "rev-parse", "--is-shallow-repository"], project.root)
    return done.stdout.strip() == "true" if done.returncode == 0 else None


def _no_commit(project: Project) -> str:
    """Say why a revision names no commit."""
    shallow = is_shallow(project)
    if shallow is None:
        return (
            "names no commit, for there is no git repository here: clone it in place of unpacking a tarball"
        )
    if shallow:
        return f"names no commit of this shallow clone: {DEEPENED}"
    return "names no commit of this repository (such as HEAD~1, a tag or a branch)"


def built_from(project: Project, facts: Facts, programs: Sequence[Path]) -> str | None:
    """Give the commit that programs, by their paths below build/, are of, as far as the checkout tells.

    That is HEAD, if the files are as it has them and make finds nothing to build; None if they are not.
    """
    head = facts.values["commit"]
    if facts.values["tree"] != "clean" or not isinstance(head, str) or not programs:
        return None
    sources = Sources.of_this_machine(project.root)
    for config in dict.fromkeys(program.parts[0] for program in programs):
        targets = [f"build/{program}" for program in programs if program.parts[0] == config]
        if sources.command("make", "--question", "--silent", f"CONFIG={config}", "--", *targets) is None:
            return None
    return head[:SHORT]


def snapshot(project: Project) -> str:
    """Give a commit of the files as they are, but results/ and what git ignores; raises UserError.

    It is HEAD if that holds the same, else made beside the user's index and branches, which stay as they are.
    """
    with tempfile.TemporaryDirectory() as folder:
        own = {"GIT_INDEX_FILE": str(Path(folder, "index")), **_NOBODY}
        _require(["git", "read-tree", "HEAD"], project.root, own)
        _require(["git", "add", "--all", "--", ":/", ":(exclude,top)results"], project.root, own)
        tree = _require(["git", "write-tree"], project.root, own).strip()
        if tree == _require(["git", "rev-parse", "HEAD^{tree}"], project.root).strip():
            return resolve_commit(project, "HEAD")
        commit = _require(["git", "commit-tree", "-m", "The files as they were", tree], project.root, own)
    return commit.strip()[:SHORT]


def first_parents(
    project: Project, head: str, *, after: str = "", count: int | None = None, touching: Sequence[str] = ()
) -> list[Commit]:
    """List a commit and its first parents, oldest first: what a branch was, one merge after the other.

    `after` leaves out what that commit holds already, `touching` what changes none of these paths; of what is
    left, `count` gives only the newest. Raises UserError.
    """
    asked = ["git", "-c", "log.showSignature=false", "log", "--first-parent", "--format=%H %cs %s", head]
    asked += [f"^{after}"] if after else []
    asked += [f"--max-count={count}"] if count is not None else []
    lines = _require([*asked, "--", *touching], project.root).splitlines()
    parts = [line.split(" ", 2) for line in reversed(lines)]
    return [Commit(name[:SHORT], day, one_line(subject)) for name, day, subject in parts]


def merge_base(project: Project, one: str, other: str) -> str:
    """Give the commit that two were made from; raises UserError if there is none."""
    return _require(["git", "merge-base", one, other], project.root).strip()[:SHORT]


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
    project: Project,
    commit: str,
    config: str,
    programs: Sequence[str],
    *,
    copy: str = "",
    own: Sequence[str] = (),
) -> None:
    """Build programs (as "<design>/<workload>") of a commit, in `config`; what is built already stays.

    `copy` names a second build of the same commit, build/commits/<commit>.<copy>/. `own` are commands that
    build what else the commit has; each runs in the commit's checkout. Raises BuildError if git, make or
    one of these fails, with the last line that it said, or if there is no place for the build.
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
    for line in own:
        _require(shlex.split(line), folder)
    if not programs:
        return
    _clean_after_compiler(folder)
    make_programs(folder, config, programs, f"commit {commit}")


def make_programs(folder: Path, config: str, programs: Sequence[str], shown: str) -> None:
    """Make programs (as "<design>/<workload>") of the sources in a folder; raises BuildError."""
    targets = [f"build/{config}/{program}" for program in programs]
    said = _require(["make", f"-j{os.cpu_count() or 1}", f"CONFIG={config}", "--", *targets], folder)
    for target in targets:
        if not os.access(folder / target, os.X_OK):
            raise BuildError(f"{shown} does not build {target}", said)


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
    return f"{commit}{COPY_MARK}{copy}" if copy else commit


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

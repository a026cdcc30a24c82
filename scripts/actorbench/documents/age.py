"""Age: whether the code that a run or a campaign measured has changed since.

It is older than the code if one of the files that its programs are built from differs between its commit and
the checkout, by more than blank lines and comments on lines of their own. Git is asked; in a clone that does
not hold the commit nothing can be said.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from actorbench.cell import COMMIT_MARK
from actorbench.errors import UserError
from actorbench.experiment import Experiment
from actorbench.machine.sources import Sources
from actorbench.own.command import SYSTEM
from actorbench.peers.manifest import find_system
from actorbench.project import Project
from actorbench.system import OURS

# A blank line, or one that is a comment or a part of one, as this house writes C, C++, Go, Rust and Java.
_COMMENT = r"^[[:space:]]*(/\*([^*]|\*+[^*/])*(\*+/)?|\*( .*|/)?|//.*)$|^[[:space:]]+$"


@dataclass(frozen=True)
class Age:
    """The files that have changed since; `known` is false where git does not have the commit."""

    known: bool
    changed: tuple[str, ...] = ()


def age_since(project: Project, commit: str | None, paths: Sequence[str]) -> Age:
    """Ask git which of the files that `paths` name have changed since a commit."""
    if not commit or not paths:
        return Age(known=False)
    # By the lines that changed, as the option for names alone leaves nothing out.
    form = ["--numstat", "--no-renames", f"--ignore-matching-lines={_COMMENT}"]
    asked = ["git", "diff", *form, commit, "--", *paths, ":(exclude)*.md"]
    found = Sources.of_this_machine(project.root).command(*asked)
    if found is None:
        return Age(known=False)
    return Age(known=True, changed=tuple(line.split("\t")[2] for line in found.splitlines()))


def code_of(project: Project, *experiments: Experiment, simulated: bool = False) -> list[str]:
    """List what the programs of experiments are built from, as git's path patterns from the root."""
    settings = [setting for experiment in experiments for setting in experiment.settings()]
    ours = [one for one in settings if one.system == OURS and COMMIT_MARK not in one.config]
    paths = dict.fromkeys(f"workloads/{one.workload}.c" for one in ours)
    for design in dict.fromkeys(one.design for one in ours):
        folder = f"core/{design.replace('-', '_')}"
        shared = _used(project, folder, ["core/sharded"])
        paths |= dict.fromkeys([":(glob)core/*.[ch]", "core/platform", folder, *shared, "workloads/common"])
    for system in dict.fromkeys(one.system for one in settings if one.system not in (OURS, SYSTEM)):
        try:
            folder = f"peers/{find_system(project, system)[0].folder}"
        except UserError:  # a system that is gone
            continue
        common = sorted(f"peers/{one.name}" for one in (project.root / "peers").glob("*-common"))
        paths |= dict.fromkeys([folder, *_used(project, folder, common)])
    return [*paths, *(["machine"] if simulated else [])]


def _used(project: Project, folder: str, shared: Sequence[str]) -> list[str]:
    """Pick the shared folders that a file of `folder` names, as an include or a path does."""
    sources = Sources.of_this_machine(project.root)
    return [
        path
        for path in shared
        if sources.command("git", "grep", "--name-only", path.partition("/")[2], "--", folder)
    ]

"""Age: whether the code that a run or a campaign measured has changed since.

It is older than the code if one of the files that its programs are built from differs between its commit and
the checkout. Git is asked; in a clone that does not hold the commit nothing can be said.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from actorbench.cell import COMMIT_MARK
from actorbench.errors import UserError
from actorbench.experiment import Experiment
from actorbench.machine.sources import Sources
from actorbench.peers.manifest import find_system
from actorbench.project import Project
from actorbench.system import OURS


@dataclass(frozen=True)
class Age:
    """The files that have changed since; `known` is false where git does not have the commit."""

    known: bool
    changed: tuple[str, ...] = ()


def age_since(project: Project, commit: str | None, paths: Sequence[str]) -> Age:
    """Ask git which of the files that `paths` name have changed since a commit."""
    if not commit or not paths:
        return Age(known=False)
    # Comments in the code count, as nobody has looked; documents beside it do not.
    asked = ["git", "diff", "--name-only", commit, "--", *paths, ":(exclude)*.md"]
    found = Sources.of_this_machine(project.root).command(*asked)
    return Age(known=False) if found is None else Age(known=True, changed=tuple(found.splitlines()))


def code_of(project: Project, experiment: Experiment) -> list[str]:
    """List what the programs of an experiment are built from, as git's path patterns from the root."""
    paths: dict[str, None] = {}
    for setting in experiment.settings():
        if setting.system == OURS and COMMIT_MARK not in setting.config:
            design = f"core/{setting.design.replace('-', '_')}"
            parts = [":(glob)core/*.[ch]", "core/platform", design, *_used(project, design, ["core/sharded"])]
            paths |= dict.fromkeys([*parts, f"workloads/{setting.workload}.c", "workloads/common"])
        elif setting.system != OURS:
            try:
                folder = f"peers/{find_system(project, setting.system)[0].folder}"
            except UserError:  # a system that is gone
                continue
            common = sorted(f"peers/{one.name}" for one in (project.root / "peers").glob("*-common"))
            paths |= dict.fromkeys([folder, *_used(project, folder, common)])
    return list(paths)


def _used(project: Project, folder: str, shared: Sequence[str]) -> list[str]:
    """Pick the shared folders that a file of `folder` names, as an include or a path does."""
    sources = Sources.of_this_machine(project.root)
    return [
        path
        for path in shared
        if sources.command("git", "grep", "--name-only", path.partition("/")[2], "--", folder)
    ]

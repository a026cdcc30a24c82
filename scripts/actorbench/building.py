"""Building on demand: in a user's project, the suite's programs are built as soon as something asks for them.

They are built where the suite is: once for all projects of the user.
"""

import os
import shutil
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

import click

from actorbench.cell import COMMIT_MARK, program_path
from actorbench.commits import BuildError, make_programs
from actorbench.errors import UserError
from actorbench.project import Project

NEEDED = ("make", "gcc")
PACKAGES = "make gcc libhwloc-dev libnuma-dev node-llhttp libzmq3-dev"  # Debian's
_NOTHING = nullcontext()


def build_missing(
    project: Project,
    programs: Sequence[tuple[str, str, str]],
    held: AbstractContextManager[None] = _NOTHING,
) -> None:
    """Build those programs (configuration, design, workload) that are not built; raises UserError.

    `held` is what is held meanwhile, such as the lock, by a command that does not hold it yet.
    What is built of a commit, and a workload that there are no sources of, is left to whoever asks for it.
    """
    missing: dict[str, list[str]] = {}
    for config, design, workload in programs:
        sources = (project.suite / "workloads").glob(f"**/{workload}.c")
        known = any(sources) and COMMIT_MARK not in config
        if known and not os.access(project.build / program_path(config, design, workload), os.X_OK):
            missing.setdefault(config, []).append(f"{design}/{workload}")
    if not missing:
        return
    absent = [command for command in NEEDED if shutil.which(command) is None]
    if absent:
        raise UserError(f"{', '.join(absent)}: not found, to build programs with (of Debian: {PACKAGES})")
    with held:
        for config, names in missing.items():
            click.echo(f"building {', '.join(names)} ({config}) in {project.build}", err=True)
            try:
                make_programs(project.suite, config, names, "the suite")
            except BuildError as error:
                raise UserError(f"{error} (it needs, of Debian: {PACKAGES})") from error

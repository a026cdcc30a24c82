"""Conditions: what a program's instructions are counted under, so that the same are counted again.

What the programs do follows from two things beside their input: what the clock says, since a worker measures
how long its messages take and how long it has been idle; and how its threads take turns, since a worker that
finds more at once handles it in fewer steps. So the clock is a steady one, and the threads share a CPU, of
which none is displaced by one that it wakes: the main thread goes on until it waits.
"""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from actorbench.errors import UserError
from actorbench.project import Project

_SOURCE = Path(__file__).with_name("steady_clock.c")
_GCC = ("gcc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-fPIC", "-shared")


@dataclass(frozen=True)
class Conditions:
    """The steady clock's library, None for the system's clock; and whether all threads share a CPU."""

    clock: Path | None = None
    one_cpu: bool = True

    def command(self, words: Sequence[str]) -> list[str]:
        """Put a command under them, but for the clock, which `environment` holds."""
        if not self.one_cpu:
            return [*words]
        return ["taskset", "--cpu-list", str(min(os.sched_getaffinity(0))), "chrt", "--batch", "0", *words]

    def environment(self) -> dict[str, str]:
        """The driver's own environment, with the clock."""
        return {**os.environ, **({"LD_PRELOAD": str(self.clock)} if self.clock else {})}


def steady_clock(project: Project) -> Path:
    """Build the steady clock's library, if it is not there; raises UserError."""
    library = project.build / "steady-clock.so"
    fresh = library.with_suffix(".so.new")
    try:
        if library.exists() and library.stat().st_mtime >= _SOURCE.stat().st_mtime:
            return library
        project.build.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [*_GCC, "-o", str(fresh), str(_SOURCE)], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise UserError(f"{_SOURCE.name} does not build: {done.stderr.strip().splitlines()[-1:]}")
        fresh.replace(library)
    except OSError as error:
        raise UserError(f"{project.shown(library)}: cannot be built: {error}") from error
    return library

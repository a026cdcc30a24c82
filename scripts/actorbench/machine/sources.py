"""Where facts about the machine are read: files of /proc and /sys, and short commands.

What can't be read is None, never a guess. `root` is "/" but in tests.
"""

import os
import platform
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Self

ROOT_VARIABLE = "ACTORBENCH_SYSTEM_ROOT"


@dataclass(frozen=True)
class Sources:
    """The files and commands of a machine; `checkout` is the folder that git is asked about."""

    root: Path
    checkout: Path

    @classmethod
    def of_this_machine(cls, checkout: Path) -> Self:
        """Read from the machine that the driver runs on, or one of files that ROOT_VARIABLE names."""
        return cls(Path(os.environ.get(ROOT_VARIABLE) or "/"), checkout)

    def text(self, path: str) -> str | None:
        """A file's content without the space around it; None if it can't be read."""
        try:
            return (self.root / path.lstrip("/")).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return None

    def number(self, path: str) -> int | None:
        """A file that holds one whole number; None if it can't be read or holds something else."""
        text = self.text(path)
        try:
            return None if text is None else int(text)
        except ValueError:
            return None

    def command(self, *arguments: str) -> str | None:
        """What a command prints on stdout; None if it is missing, fails or takes over 10 seconds."""
        try:
            done = subprocess.run(
                arguments, capture_output=True, text=True, timeout=10, check=True, cwd=self.checkout
            )
        except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
            return None
        return done.stdout.strip()

    def allowed_cpus(self) -> list[int]:
        """The CPUs in the affinity mask."""
        return sorted(os.sched_getaffinity(0))

    def kernel(self) -> str:
        """The kernel's name, release and architecture."""
        return f"{platform.system()} {platform.release()} {platform.machine()}"


def cpu_list(text: str | None) -> list[int] | None:
    """Read a kernel list of CPUs or nodes, such as "0-3,8"; None if it is none."""
    if not text:
        return None
    numbers: list[int] = []
    try:
        for part in text.split(","):
            first, _, last = part.partition("-")
            numbers += range(int(first), int(last or first) + 1)
    except ValueError:
        return None
    return numbers

"""Whole processes timed from outside, by hyperfine: start-up and tear-down included.

hyperfine is given the command as words, with no shell between (`--shell=none`).
"""

import json
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from actorbench.errors import UserError


@dataclass(frozen=True)
class WholeProcess:
    """What hyperfine says of one command: wall times in seconds."""

    command: str
    median: float
    minimum: float
    maximum: float
    runs: int


def time_whole_process(arguments: Sequence[str], *, runs: int, export: Path) -> WholeProcess:
    """Time a command with hyperfine, which writes its JSON to `export`; raises UserError."""
    if shutil.which("hyperfine") is None:
        raise UserError("hyperfine is missing, which --whole-process times with: apt install hyperfine")
    command = shlex.join(arguments)
    options = ["--shell=none", "--style=none", f"--runs={runs}", f"--export-json={export}"]
    try:
        subprocess.run(["hyperfine", *options, "--", command], capture_output=True, text=True, check=True)
        found = json.loads(export.read_text(encoding="utf-8"))["results"][0]
        return WholeProcess(
            command, float(found["median"]), float(found["min"]), float(found["max"]), len(found["times"])
        )
    except subprocess.CalledProcessError as error:
        said = str(error.stderr).strip().splitlines() or ["no message"]
        raise UserError(f"hyperfine failed on '{command}': {said[0]}") from error
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        raise UserError(f"hyperfine's JSON can't be read: {error}") from error

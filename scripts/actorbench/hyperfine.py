"""Whole processes timed from outside, by hyperfine: start-up and tear-down included.

hyperfine is given the command as words, with no shell between (`--shell=none`). Its JSON is kept as it is in
the run's folder, and read here, whoever wrote it.
"""

import json
import math
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from actorbench.errors import UserError

EXPORT_NAME = "hyperfine.json"


@dataclass(frozen=True)
class WholeProcess:
    """What hyperfine says of one command: wall times in seconds, one a process, in the order taken."""

    command: str
    times: tuple[float, ...]
    failed: int

    @property
    def median(self) -> float:
        """The median wall time, in seconds."""
        return median(self.times)


def time_whole_process(arguments: Sequence[str], *, runs: int, export: Path) -> WholeProcess:
    """Time a command with hyperfine, which writes its JSON to `export`; raises UserError."""
    if shutil.which("hyperfine") is None:
        raise UserError("hyperfine is missing, which --whole-process times with: apt install hyperfine")
    command = shlex.join(arguments)
    options = ["--shell=none", "--style=none", f"--runs={runs}", f"--export-json={export}"]
    try:
        subprocess.run(["hyperfine", *options, "--", command], capture_output=True, text=True, check=True)
    except subprocess.CalledProcessError as error:
        said = str(error.stderr).strip().splitlines() or ["no message"]
        raise UserError(f"hyperfine failed on '{command}': {said[0]}") from error
    return read_export(export, export.name)[0]


def read_export(path: Path, shown: str) -> list[WholeProcess]:
    """Read hyperfine's JSON (--export-json), `shown` in messages; raises UserError."""
    try:
        results = json.loads(path.read_text(encoding="utf-8"))["results"]
        found = [_whole_process(result) for result in results]
    except OSError as error:
        raise UserError(f"{shown}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(f"{shown}: is no JSON of hyperfine: {error}") from error
    if not found:
        raise UserError(f"{shown}: is JSON of hyperfine, but holds no results")
    return found


def _whole_process(result: dict[str, Any]) -> WholeProcess:
    times = tuple(float(time) for time in result["times"])
    if not times or not all(math.isfinite(time) and time >= 0 for time in times):
        raise ValueError("'times' must be numbers of seconds, at least one")
    failed = sum(code != 0 for code in result.get("exit_codes") or ())
    return WholeProcess(str(result["command"]), times, failed)

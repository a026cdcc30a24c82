"""Counters: callgrind and perf for instructions, the explorer for what several workers share."""

import json
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from actorbench.counts.conditions import Conditions
from actorbench.counts.counting import CountError, Tally
from actorbench.errors import UserError
from actorbench.judging import judge
from actorbench.process import Finished, run_process

INSTRUCTIONS = "instructions"
LOCKED, TRANSFERS = "locked_operations", "line_transfers"
LINES = ("atomic_loads", "atomic_stores", LOCKED, TRANSFERS)
CALLGRIND, PERF, EXPLORER = "callgrind", "perf", "explorer"
# One machine for all, so that a schedule does not follow from where it is replayed.
MOST_WORKERS = 16
TOPOLOGY = f"core:{MOST_WORKERS} pu:1"
_SCALE = "0.1"  # a tenth of the work: a schedule has no start-up that varies
_CALLGRIND = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null")
_OF_VALGRIND = re.compile(rb"^==\d+==.*\n?", re.MULTILINE)  # among what the program itself says
_PERF = ("perf", "stat", "-x,", "-e", "instructions:u")


@dataclass(frozen=True)
class Callgrind:
    """Instructions that valgrind sees: of all threads, in user space, one thread at a time."""

    folder: Path
    timeout_s: float
    conditions: Conditions

    def __post_init__(self) -> None:
        _require("valgrind", "counts instructions")

    def __call__(self, command: Sequence[str], _: int) -> Tally:
        """Count a command's instructions; every run is alike."""
        words = self.conditions.command([*_CALLGRIND, *command, "--json"])
        finished = _run(words, self.folder, self.timeout_s, self.conditions.environment())
        operations = _operations(finished, self.timeout_s, command)
        return Tally(operations, {INSTRUCTIONS: read_callgrind(finished.stderr.decode(errors="replace"))})


@dataclass(frozen=True)
class Perf:
    """Instructions that the processor counts, in user space, where the kernel permits it (perf_event)."""

    folder: Path
    timeout_s: float
    conditions: Conditions

    def __post_init__(self) -> None:
        _require("perf", "reads the processor's counters")

    def __call__(self, command: Sequence[str], _: int) -> Tally:
        """Count a command's instructions; every run is alike."""
        with TemporaryDirectory() as folder:
            output = Path(folder, "perf.csv")
            words = self.conditions.command([*_PERF, "-o", str(output), "--", *command, "--json"])
            finished = _run(words, self.folder, self.timeout_s, self.conditions.environment())
            operations = _operations(finished, self.timeout_s, command)
            said = output.read_text(encoding="utf-8") if output.exists() else ""
        return Tally(operations, {INSTRUCTIONS: read_perf(said)})


def perf_refusal() -> str | None:
    """Say why perf_event counts no instructions here; None if it does."""
    if shutil.which("perf") is None:
        return "perf is missing"
    try:
        done = run_process([*_PERF, "true"], timeout_s=60, environment=os.environ, folder=Path())
        read_perf(done.stderr.decode(errors="replace"))
    except OSError as error:
        return f"perf: {error.strerror}"
    except CountError as error:
        return str(error)
    return None


@dataclass(frozen=True)
class Explorer:
    """Atomic operations, and lines that change hands, of a program built in the configuration `counted`.

    A tenth of the work that the command asks for; run n is the schedule of seed n: the same program gives the
    same tally again.
    """

    folder: Path
    timeout_s: float

    def __call__(self, command: Sequence[str], run: int) -> Tally:
        """Replay a command's schedule."""
        program, *arguments = command
        asked = ["--replay", str(run), "--policy", "even", "--count", "--"]
        finished = _run(
            [program, *asked, *arguments, "--scale", _SCALE, "--topology", TOPOLOGY, "--json"],
            self.folder,
            self.timeout_s,
            os.environ,
        )
        record, _, counts = finished.stdout.partition(b"\n")
        operations = _operations(replace(finished, stdout=record), self.timeout_s, command)
        return Tally(operations, read_explorer(counts.decode(errors="replace")))


def read_callgrind(said: str) -> int:
    """Find the instructions in what valgrind said on standard error; raises CountError."""
    found = re.findall(r"^==\d+== Collected : (\d+)$", said, re.MULTILINE)
    if not found:
        raise CountError("callgrind said no number of instructions")
    return int(found[-1])


def read_perf(said: str) -> int:
    """Add up the instructions of `perf stat -x,`, a line each kind of core; raises CountError."""
    lines = [line.split(",") for line in said.splitlines() if "instructions" in line]
    counted = [int(fields[0]) for fields in lines if fields[0].isdigit()]
    if not counted:
        why = lines[0][0] if lines else "no line of instructions"
        raise CountError(f"perf counts no instructions here ({why})")
    return sum(counted)


def read_explorer(said: str) -> dict[str, int]:
    """Read the explorer's line of counts; raises CountError."""
    try:
        document = json.loads(said.partition("\n")[0])
        return {name: int(document[name]) for name in LINES}
    except (ValueError, KeyError, TypeError) as error:
        raise CountError(f"the explorer said no counts: {said[:80]!r}") from error


def _require(tool: str, what: str) -> None:
    if shutil.which(tool) is None:
        package = {"valgrind": "valgrind", "perf": "linux-perf"}[tool]
        raise UserError(f"{tool} is missing, which {what}: apt install {package}")


def _run(command: Sequence[str], folder: Path, timeout_s: float, environment: Mapping[str, str]) -> Finished:
    try:
        return run_process(command, timeout_s=timeout_s, environment=environment, folder=folder)
    except OSError as error:
        raise CountError(f"{command[0]}: {error.strerror}") from error


def _operations(finished: Finished, timeout_s: float, command: Sequence[str]) -> int:
    """Take the operations from the record; raises CountError, with what the program said, if it failed."""
    said = _OF_VALGRIND.sub(b"", finished.stderr)
    record, failure = judge(replace(finished, stderr=said), timeout_s)
    if failure is not None or record is None:
        reason = f"{failure.kind}: {failure.reason}" if failure else "no record"
        raise CountError(f"{' '.join(command)}: {reason}")
    return record.operations

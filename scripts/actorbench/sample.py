"""Samples: what one process of a cell gave, a record or a failure.

Failures are data (statistics rules, "Samples"): a time-out, crash, wrong result or bad record is kept
with its output. The environment gets a padding of random length, since its size shifts the stack and
with it the layout that a program is measured in (Mytkowicz et al., ASPLOS 2009); ASLR stays on. The program
itself is a fresh copy.
"""

import os
import random
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from actorbench.cell import Cell
from actorbench.errors import BadRecordError
from actorbench.plan import Slot
from actorbench.process import Finished, run_process
from actorbench.project import Project
from actorbench.record import Record, parse_record, record_from
from actorbench.stop import StopRequest

COPY_PREFIX = ".sample-"  # of folders below build/
PADDING_VARIABLE = "ACTORBENCH_PADDING"
PADDING_LIMIT = 4096  # bytes; a page, as hyperfine takes
SIMULATED_BUILD = "simulated"  # with what follows it: their records are of a simulated machine, and no others
KEPT_TEXT = 4000  # characters kept of each output of a failed sample


@dataclass(frozen=True)
class Failure:
    """Why a sample has no value: `kind` in a word or two, `reason` in a line, and what the program said."""

    kind: str
    reason: str
    stdout: str = ""
    stderr: str = ""


ROUND_VOIDED = "another of its round was disturbed"


@dataclass(frozen=True)
class Sample:
    """One process: `padding` in bytes, `wall_ns` from outside, `started` in UTC; record, failure or both.

    `disturbance` is what else went on meanwhile; `voided` says why it does not count, None if it does.
    """

    key: str
    round: int
    position: int
    started: str
    padding: int
    wall_ns: int
    exit_status: int | None
    signal: int | None
    record: Record | None
    failure: Failure | None
    disturbance: dict[str, Any] | None = None
    voided: str | None = None

    @property
    def ok(self) -> bool:
        """Whether the sample has a value."""
        return self.failure is None and self.record is not None

    def to_json(self) -> dict[str, Any]:
        """Write the sample as JSON, for the store."""
        failure = self.failure and {
            "kind": self.failure.kind,
            "reason": self.failure.reason,
            "stdout": self.failure.stdout,
            "stderr": self.failure.stderr,
        }
        return {
            "cell": self.key,
            "round": self.round,
            "position": self.position,
            "started": self.started,
            "padding": self.padding,
            "wall_ns": self.wall_ns,
            "exit_status": self.exit_status,
            "signal": self.signal,
            "record": self.record and self.record.raw,
            "failure": failure,
            "disturbance": self.disturbance,
            "voided": self.voided,
        }


def sample_from_json(document: dict[str, Any]) -> Sample:
    """Read what `Sample.to_json` wrote; raises KeyError, TypeError or BadRecordError if it can't."""
    record, failure = document["record"], document["failure"]
    if record is None and failure is None:
        raise KeyError("record")
    return Sample(
        key=str(document["cell"]),
        round=int(document["round"]),
        position=int(document["position"]),
        started=document["started"],
        padding=document["padding"],
        wall_ns=document["wall_ns"],
        exit_status=document["exit_status"],
        signal=document["signal"],
        record=None if record is None else record_from(record),
        failure=None if failure is None else Failure(**failure),
        disturbance=document.get("disturbance"),
        voided=document.get("voided"),
    )


def take_sample(
    project: Project, slot: Slot, timeout_s: float, chance: random.Random, stop: StopRequest
) -> Sample:
    """Measure the slot's cell once, in a fresh process.

    Raises StoppedError if the user asks to stop meanwhile, and nothing for what the program does.
    """
    padding = chance.randrange(PADDING_LIMIT)
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    record: Record | None = None
    failure: Failure | None
    try:
        with _fresh_program(project, slot.cell) as program:
            finished = run_process(
                slot.cell.command(program),
                timeout_s=timeout_s,
                environment=os.environ | {PADDING_VARIABLE: "x" * padding},
                folder=project.root,
                stop=stop,
            )
    except OSError as error:
        finished = Finished(None, None, False, 0, b"", b"")
        failure = Failure("not started", f"{slot.cell.command(slot.cell.program)[0]}: {error.strerror}")
    else:
        record, failure = judge(finished, timeout_s, slot.cell)
    return Sample(
        key=slot.cell.key,
        round=slot.round,
        position=slot.position,
        started=started,
        padding=padding,
        wall_ns=finished.wall_ns,
        exit_status=finished.status,
        signal=finished.signal,
        record=record,
        failure=failure,
    )


@contextmanager
def _fresh_program(project: Project, cell: Cell) -> Iterator[Path]:
    """Give a copy of the cell's program of its own, in a folder whose name is always as long; raises OSError.

    The pages that a file happens to lie in can slow a program for minutes: of two files with the same
    content one was seen to be slower by 18 %. With a fresh copy for each sample that is chance, and no bias.
    """
    if cell.own_command:
        yield Path()
        return
    with TemporaryDirectory(dir=project.build, prefix=COPY_PREFIX) as folder:
        yield Path(shutil.copy(project.build / cell.program, folder))


def remove_copies(project: Project) -> None:
    """Remove the copies of programs that a driver which was killed has left behind."""
    for folder in project.build.glob(f"{COPY_PREFIX}*"):
        shutil.rmtree(folder, ignore_errors=True)


def judge(
    finished: Finished, timeout_s: float, cell: Cell | None = None
) -> tuple[Record | None, Failure | None]:
    """Tell what a finished process, of the cell if given, is worth; a wrong result keeps its record."""
    stdout = finished.stdout.decode(errors="replace")
    stderr = finished.stderr.decode(errors="replace")

    def failed(kind: str, reason: str) -> Failure:
        return Failure(kind, reason, shortened(stdout), shortened(stderr))

    if finished.timed_out:
        return None, failed("timeout", f"still running after {timeout_s:g} s, killed")
    if finished.signal is not None:
        return None, failed("crash", f"killed by {signal_name(finished.signal)}")
    try:
        record = parse_record(stdout)
    except BadRecordError as error:
        if finished.status == 0:
            return None, failed("bad record", str(error))
        said = stderr.strip().splitlines()
        why = f": {said[-1][:200]}" if said else ""
        return None, failed("exit status", f"exit status {finished.status}{why}")
    mismatch = None if cell is None else _mismatch(cell, record)
    if mismatch:
        return record, failed("bad record", mismatch)
    if not record.verified or finished.status == 1:
        return record, failed("wrong result", "the workload found its own result wrong")
    if finished.status != 0:
        return record, failed("exit status", f"exit status {finished.status} beside a record")
    return record, None


def signal_name(number: int) -> str:
    """Name a signal, such as SIGSEGV."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def shortened(text: str) -> str:
    """Keep the head and the tail of a long output."""
    if len(text) <= KEPT_TEXT:
        return text
    half = KEPT_TEXT // 2
    return f"{text[:half]}\n... {len(text) - 2 * half} characters left out ...\n{text[-half:]}"


def _mismatch(cell: Cell, record: Record) -> str | None:
    """Say where the record is not about the cell; None if it is."""
    simulates = cell.build.startswith(SIMULATED_BUILD)
    if record.machine and not simulates:
        return f"the record is of a machine that is {record.machine}: nothing was measured"
    if simulates and not record.machine:
        return "the record was measured, where a machine was to be simulated"
    if cell.own_command:
        return None
    asked = {
        "workload": cell.workload,
        "system": cell.system,
        "design": cell.design,
        "build": cell.build,
    }
    if cell.workers is not None:
        asked["workers"] = str(cell.workers)
    for name, value in asked.items():
        if str(record.raw[name]) != value:
            return f"the record says {name} {record.raw[name]!r} where the cell asked for {value}"
    return None

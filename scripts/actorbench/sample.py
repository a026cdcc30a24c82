"""Samples: what one process of a cell gave, a record or a failure.

Failures are data (statistics rules, "Samples"): a time-out, crash, wrong result or bad record is kept
with its output. The environment gets a padding of random length, since its size shifts the stack and
with it the layout that a program is measured in (Mytkowicz et al., ASPLOS 2009); ASLR stays on. The program
itself is a fresh copy.
"""

import os
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from actorbench.cell import Cell
from actorbench.judging import Failure, judge
from actorbench.machine.host import this_host
from actorbench.own.sample import OwnSample
from actorbench.plan import Slot
from actorbench.process import Finished, run_process
from actorbench.project import Project
from actorbench.record import Record, record_from
from actorbench.stop import StopRequest

# Of folders below build/, which several machines may share: each clears up after itself alone.
COPY_PREFIX = f".sample-{this_host()}@"
PADDING_VARIABLE = "ACTORBENCH_PADDING"
PADDING_LIMIT = 4096  # bytes; a page, as hyperfine takes
ROUND_VOIDED = "another of its round was disturbed"


@dataclass(frozen=True)
class Sample:
    """One process: `padding` in bytes, `wall_ns` from outside, `started` in UTC; record, failure or both.

    Of an own command `wall_ns` is that of all its steps together: what the sample has taken.
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
    environment = os.environ | {PADDING_VARIABLE: "x" * padding}
    try:
        if own := slot.cell.own_filled():
            taking = OwnSample(project, slot.cell, timeout_s, environment, stop, own)
            finished, record, failure = taking.take()
        else:
            with _fresh_program(project, slot.cell) as program:
                finished = run_process(
                    slot.cell.command(program),
                    timeout_s=timeout_s,
                    environment=environment,
                    folder=project.root,
                    stop=stop,
                )
            record, failure = judge(finished, timeout_s, slot.cell)
    except OSError as error:
        finished = Finished(None, None, False, 0, b"", b"")
        failed = error.filename if slot.cell.own else slot.cell.command(slot.cell.program)[0]
        failure = Failure("not started", f"{failed}: {error.strerror}")
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
    with TemporaryDirectory(dir=project.build, prefix=COPY_PREFIX) as folder:
        yield Path(shutil.copy(project.build / cell.program, folder))


def remove_copies(project: Project) -> None:
    """Remove the copies of programs that a driver which was killed has left behind."""
    for folder in project.build.glob(f"{COPY_PREFIX}*"):
        shutil.rmtree(folder, ignore_errors=True)

"""What a finished process is worth: a record, or why it has none.

Failures are data (statistics rules, "Samples"): a time-out, crash, wrong result or bad record is kept with
its output.
"""

import signal
from collections.abc import Callable
from dataclasses import dataclass

from actorbench.cell import Cell
from actorbench.errors import BadRecordError
from actorbench.process import Finished
from actorbench.record import Record, parse_record

SIMULATED_BUILD = "simulated"  # with what follows it: their records are of a simulated machine, and no others
KEPT_TEXT = 4000  # characters kept of each output of a failed sample


@dataclass(frozen=True)
class Failure:
    """Why a sample has no value: `kind` in a word or two, `reason` in a line, and what the program said."""

    kind: str
    reason: str
    stdout: str = ""
    stderr: str = ""


def judge(
    finished: Finished,
    timeout_s: float,
    cell: Cell | None = None,
    read: Callable[[str], Record] = parse_record,
) -> tuple[Record | None, Failure | None]:
    """Tell what a finished process, of the cell if given, is worth; a wrong result keeps its record.

    `read` makes the record of what the process printed; it raises BadRecordError if it can't.
    """
    stdout = finished.stdout.decode(errors="replace")
    stderr = finished.stderr.decode(errors="replace")

    def failed(kind: str, reason: str) -> Failure:
        return Failure(kind, reason, shortened(stdout), shortened(stderr))

    if finished.timed_out:
        return None, failed("timeout", f"still running after {timeout_s:g} s, killed")
    if finished.signal is not None:
        return None, failed("crash", f"killed by {signal_name(finished.signal)}")
    try:
        record = read(stdout)
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
    if cell.own:
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

"""The sweep: takes every sample of a run's plan that the store does not hold yet."""

import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from rich.console import Console

from actorbench.errors import UserError
from actorbench.lock import sweep_lock
from actorbench.plan import Slot
from actorbench.progress import Pace, progress_display
from actorbench.project import Project
from actorbench.sample import Sample, take_sample
from actorbench.store import Head, Run

STOPPING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class InterruptedSweepError(Exception):
    """The user stopped the sweep; what was taken is in the store."""


def sweep(project: Project, run: Run, console: Console) -> None:
    """Take the samples that are missing, in the plan's order.

    Raises InterruptedSweepError on SIGINT, SIGTERM or SIGHUP, after the sample in flight has been ended;
    UserError if another sweep runs here, or the disk takes no more.
    """
    with sweep_lock(project):
        warning = run.put_tail_aside()
        if warning:
            console.print(f"warning: {warning}", soft_wrap=True)
        head = run.head()
        taken = run.samples()
        try:
            with _stoppable():
                _take_missing(project, run, head, taken, console)
        except KeyboardInterrupt:
            raise InterruptedSweepError from None


def missing_slots(head: Head, taken: list[Sample]) -> list[Slot]:
    """The planned samples that were not taken, in the plan's order. A failed sample was taken."""
    done = {(sample.key, sample.round) for sample in taken}
    return [slot for slot in head.plan.slots() if (slot.cell.key, slot.round) not in done]


def _take_missing(project: Project, run: Run, head: Head, taken: list[Sample], console: Console) -> None:
    slots = missing_slots(head, taken)
    if not slots:
        return
    pace = Pace()
    for sample in taken:
        pace.learn(sample.key, sample.wall_ns / 1e9)
    with progress_display(console, head.plan.size, head.plan.size - len(slots)) as display:
        display.show(pace.time_left(slots))
        for number, slot in enumerate(slots, start=1):
            sample = take_sample(project, slot, head.timeout_s, _chance(head.seed, slot))
            _append(run, sample)
            pace.learn(sample.key, sample.wall_ns / 1e9)
            display.sample_taken(sample, pace.time_left(slots[number:]))


def _chance(seed: int, slot: Slot) -> random.Random:
    """Give each slot its own source of chance, so that a resumed sweep draws what it would have drawn."""
    return random.Random(f"{seed}/{slot.round}/{slot.cell.key}")


def _append(run: Run, sample: Sample) -> None:
    try:
        run.append(sample)
    except OSError as error:
        why = error.strerror or str(error)
        raise UserError(
            f"results/{run.name}/samples.jsonl: cannot be written: {why}; nothing taken before is lost,"
            f" go on with: ./actorbench sweep --resume {run.name}"
        ) from error


@contextmanager
def _stoppable() -> Iterator[None]:
    """Turn the first stopping signal into KeyboardInterrupt, and ignore more while the sweep winds up."""

    def stop(_number: int, _frame: FrameType | None) -> NoReturn:
        for number in STOPPING_SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    # A hang-up that is ignored was ignored on purpose (nohup).
    heeded = [n for n in STOPPING_SIGNALS if n != signal.SIGHUP or signal.getsignal(n) != signal.SIG_IGN]
    before = {number: signal.signal(number, stop) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

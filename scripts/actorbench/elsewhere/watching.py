"""Watching the jobs of a sweep: how far each machine is, until none has a job left."""

import select
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.live import Live
from rich.text import Text

from actorbench.elsewhere.engine import Engine, Jobs
from actorbench.elsewhere.errand import Errand
from actorbench.errors import UserError
from actorbench.plan import Slot
from actorbench.progress import SECONDS_BETWEEN_LINES, Pace, left_text
from actorbench.sample import Sample
from actorbench.stop import stop_on_signals
from actorbench.sweep import InterruptedSweepError, missing_slots

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 10.0  # an engine is shared, and asking costs it something
SLOWER = 1.5


def watch(engine: Engine, errands: Sequence[Errand], console: Console) -> None:
    """Tell how far the machines are until no job is left; raises InterruptedSweepError on a stopping signal.

    The jobs go on then. A machine that gives no answer is asked again.
    """
    pause_s = FIRST_PAUSE_S
    with stop_on_signals() as stop, _display(console) as display:
        while True:
            jobs = engine.look(errands)
            display.show(progress_lines(errands, jobs), last=all(one.is_over for one in jobs))
            if all(one.is_over for one in jobs):
                return
            select.select([stop.descriptor], [], [], pause_s)
            if stop.asked:
                raise InterruptedSweepError
            pause_s = min(LONGEST_PAUSE_S, pause_s * SLOWER)


def progress_lines(errands: Sequence[Errand], jobs: Sequence[Jobs]) -> list[str]:
    """Write a line a machine, in columns: samples taken, failures, jobs, time left."""
    rows = [_row(errand, one) for errand, one in zip(errands, jobs, strict=True)]
    columns = [column for column in zip(*rows, strict=True) if any(column)]
    widths = [max(map(len, column)) for column in columns]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in zip(*columns, strict=True)]


def _row(errand: Errand, jobs: Jobs) -> list[str]:
    if not errand.is_planned:
        return [errand.machine, "no plan yet", "", jobs.text, ""]
    try:
        head, taken = errand.taken()
    except UserError as error:  # of a file that is being written by another machine; if not, the end tells
        return [errand.machine, str(error), "", jobs.text, ""]
    missing = missing_slots(head, taken)
    failed = sum(sample.failure is not None for sample in taken)
    done = f"samples {len(taken)} of {len(taken) + len(missing)}"
    return [errand.machine, done, f"{failed} failed" if failed else "", jobs.text, _left(missing, taken)]


def _left(missing: Sequence[Slot], taken: Sequence[Sample]) -> str:
    """How long the jobs have still to measure; when they get to it, nobody knows."""
    if not missing or not taken:
        return ""
    pace = Pace()
    for sample in taken:
        pace.learn(sample.key, sample.wall_ns / 1e9)
    return f"{left_text(pace.time_left(missing))} to measure"


class _Display:
    """Lines that are redrawn in a terminal, and now and then printed in a log."""

    def __init__(self, console: Console, live: Live | None) -> None:
        self._console, self._live = console, live
        self._printed, self._last = float("-inf"), tuple[str, ...]()

    def show(self, lines: Sequence[str], *, last: bool) -> None:
        """Show the lines, in a log unless it has just had some."""
        if self._live:
            self._live.update(Text("\n".join(lines)), refresh=True)
        elif last or time.monotonic() - self._printed >= SECONDS_BETWEEN_LINES:
            new = () if tuple(lines) == self._last else lines
            self._printed, self._last = time.monotonic(), tuple(lines)
            for line in new:
                self._console.print(line, soft_wrap=True)


@contextmanager
def _display(console: Console) -> Iterator[_Display]:
    if not console.is_terminal:
        yield _Display(console, None)
        return
    with Live(console=console, auto_refresh=False) as live:
        yield _Display(console, live)

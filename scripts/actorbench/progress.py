"""Progress of a sweep, with the time left: a bar in a terminal, now and then a line in a log."""

import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from actorbench.plan import Slot
from actorbench.sample import Sample

SECONDS_BETWEEN_LINES = 10.0


class Pace:
    """How long the samples take, cell by cell, learnt from those taken."""

    def __init__(self) -> None:
        self._total: dict[str, float] = defaultdict(float)
        self._count: dict[str, int] = defaultdict(int)

    def learn(self, key: str, seconds: float) -> None:
        """Take in one sample's wall time."""
        self._total[key] += seconds
        self._count[key] += 1

    def time_left(self, slots: Iterable[Slot]) -> float | None:
        """Seconds that the slots will take; a cell not yet seen counts as the mean of the others."""
        if not self._count:
            return None
        mean = {key: self._total[key] / count for key, count in self._count.items()}
        unseen = sum(mean.values()) / len(mean)
        return sum(mean.get(slot.cell.key, unseen) for slot in slots)


class ProgressDisplay(ABC):
    """What a sweep tells while it runs; a context manager around the loop."""

    def __init__(self, console: Console, planned: int, done: int) -> None:
        self.console = console
        self.planned = planned
        self.done = done
        self.failed = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def sample_taken(self, sample: Sample, seconds_left: float | None) -> None:
        """Count a sample, tell of a failure, and show the time left."""
        self.done += 1
        if sample.failure:
            self.failed += 1
            failure = f"{sample.failure.kind}: {sample.failure.reason}"
            self.console.print(f"failed: {sample.key} (round {sample.round + 1}): {failure}", soft_wrap=True)
        self.show(seconds_left)

    @abstractmethod
    def show(self, seconds_left: float | None) -> None:
        """Show how far the sweep is."""


class Bar(ProgressDisplay):
    """A bar, redrawn after each sample only: a redrawing thread would take CPU from what is measured."""

    def __init__(self, console: Console, planned: int, done: int) -> None:
        super().__init__(console, planned, done)
        self._progress = Progress(
            TextColumn("samples"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[left]}"),
            console=console,
            auto_refresh=False,
        )
        self._task = self._progress.add_task("samples", total=planned, completed=done, left="")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def show(self, seconds_left: float | None) -> None:
        """Redraw the bar."""
        failed = f", {self.failed} failed" if self.failed else ""
        self._progress.update(
            self._task, total=self.planned, completed=self.done, left=left_text(seconds_left) + failed
        )
        self._progress.refresh()


class Lines(ProgressDisplay):
    """A line every SECONDS_BETWEEN_LINES, for logs."""

    def __init__(self, console: Console, planned: int, done: int) -> None:
        super().__init__(console, planned, done)
        self._last = time.monotonic()

    def show(self, seconds_left: float | None) -> None:
        """Print a line if the last is old enough, or the sweep is done."""
        now = time.monotonic()
        if self.done < self.planned and now - self._last < SECONDS_BETWEEN_LINES:
            return
        self._last = now
        failed = f", {self.failed} failed" if self.failed else ""
        self.console.print(f"samples {self.done} of {self.planned}{failed}, {left_text(seconds_left)}")


def progress_display(console: Console, planned: int, done: int) -> ProgressDisplay:
    """Choose the display that suits the console."""
    return (Bar if console.is_terminal else Lines)(console, planned, done)


def left_text(seconds: float | None) -> str:
    """Write the time left as in "1:05 left"."""
    if seconds is None:
        return "time left not known yet"
    whole = round(seconds)
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02} left" if hours else f"{minutes}:{rest:02} left"

"""Lets the driver's tests look for planted errors: a plugin of pytest's, which forks for each error.

All tests run once unchanged, while it is noted which of them run which function, and how long they take. Then
each mutant is planted in a child, which runs the tests that run its function, the shortest first, until one
fails. So nothing is loaded or collected twice.
"""

import gc
import os
import resource
import signal
import time
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import hypothesis
import pytest
from _pytest.runner import runtestprotocol

from mutation.keeping import Kept
from mutation.planting import RAN, ROOT, Mutant, forget, plant, watch

MEMORY = 8 << 30  # bytes of address space that a child may add: more is an endless list
PATIENCE = 10.0  # times the CPU time of a test unchanged, and that many seconds: more is an endless loop
IDLE = 20.0  # times that, by the clock: more is waiting for ever
EXAMPLES = 25
CAUGHT, MISSED, UNPLANTED = 1, 0, 3
WHY = {MISSED: "no test fails", UNPLANTED: "it can't be planted"}


@dataclass
class Hunt:
    """The plugin: hunts those of `mutants` of which nothing is known yet, `jobs` at a time.

    `tests` are the files of tests that look for the mutants of a file, both below the project's root.
    """

    mutants: Sequence[Mutant]
    tests: Mapping[str, Sequence[str]]
    jobs: int
    kept: Kept
    broken: str = ""
    _seconds: dict[pytest.Item, float] = field(default_factory=dict)
    _reached: dict[tuple[str, str], list[pytest.Item]] = field(default_factory=lambda: defaultdict(list))

    @property
    def waiting(self) -> list[Mutant]:
        """The mutants that are still to be hunted."""
        return [mutant for mutant in self.mutants if self.kept.why(mutant) is None]

    @property
    def survivors(self) -> list[tuple[Mutant, str]]:
        """The mutants that no test caught, and why."""
        return [(mutant, why) for mutant in self.mutants if (why := self.kept.why(mutant))]

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        """Let Hypothesis draw few examples, the same each time, keep none, and not look for smaller ones."""
        hypothesis.settings.register_profile(
            "mutants",
            hypothesis.settings.default,
            database=None,
            derandomize=True,
            max_examples=EXAMPLES,
            phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
        )
        hypothesis.settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what takes seconds: whole commands, in a checkout of their own, and simulations."""
        items[:] = [
            item
            for item in items
            if "checkout" not in getattr(item, "fixturenames", ())
            and not item.get_closest_marker("simulation")
        ]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run what was collected once, then for each mutant."""
        for file in dict.fromkeys(mutant.file for mutant in self.waiting):
            watch(file)
        for item in session.items:
            self._run_unchanged(item)
            if self.broken:
                return True
        for items in self._reached.values():
            items.sort(key=lambda item: self._seconds[item])
        gc.freeze()  # so that a child need not copy what it never changes
        self._hunt()
        return True

    def _run_unchanged(self, item: pytest.Item) -> None:
        for file in self.tests:
            forget(file)
        RAN.clear()
        began = time.process_time()
        reports = runtestprotocol(item, nextitem=None, log=False)
        self._seconds[item] = time.process_time() - began
        for file, function in RAN:
            if str(item.path.relative_to(ROOT)) in self.tests[file]:
                self._reached[file, function].append(item)
        self.broken = "\n".join(one.longreprtext for one in reports if one.failed)

    def _found(self, mutant: Mutant, why: str) -> None:
        self.kept.add(mutant, why)
        print(why or "caught", *mutant.key, sep=" | ", flush=True)

    def _hunt(self) -> None:
        waiting = deque(self.waiting)
        running: dict[int, Mutant] = {}
        try:
            while waiting or running:
                while waiting and len(running) < self.jobs:
                    self._start(waiting.popleft(), running)
                if running:
                    process, status = os.wait()
                    mutant = running.pop(process)
                    _end_group(process)
                    self._found(mutant, WHY.get(os.waitstatus_to_exitcode(status), ""))
        finally:
            for process in running:
                _end_group(process)

    def _start(self, mutant: Mutant, running: dict[int, Mutant]) -> None:
        """Fork a child that looks for a mutant, unless no test would see it."""
        items = self._reached.get((mutant.file, mutant.function), [])
        if not items:
            self._found(mutant, "no test runs it")
            return
        process = os.fork()
        if process == 0:
            _look(mutant, self.tests, [(item, self._seconds[item]) for item in items])
        running[process] = mutant


def _end_group(process: int) -> None:
    """End a child, and what it has left behind."""
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)


def _look(mutant: Mutant, files: Iterable[str], items: Sequence[tuple[pytest.Item, float]]) -> None:
    """Plant a mutant, run the tests until one fails, and end the process with what was found."""
    status = UNPLANTED
    try:
        os.setpgid(0, 0)
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        resource.setrlimit(resource.RLIMIT_AS, (_address_space() + MEMORY,) * 2)
        for file in files:
            forget(file)
        plant(mutant)
        status = CAUGHT
        if all(_passes(item, seconds) for item, seconds in items):
            status = MISSED
    finally:
        os._exit(status)


def _passes(item: pytest.Item, seconds: float) -> bool:
    """Run a test; one that takes far longer than unchanged ends the process by a signal."""
    signal.setitimer(signal.ITIMER_PROF, PATIENCE * (1 + seconds))
    signal.setitimer(signal.ITIMER_REAL, IDLE * PATIENCE * (1 + seconds))
    return not any(one.failed for one in runtestprotocol(item, nextitem=None, log=False))


def _address_space() -> int:
    """Bytes that this process has mapped."""
    with open("/proc/self/statm", encoding="utf-8") as statm:  # noqa: PTH123 - tests may have replaced Path
        return int(statm.read().split()[0]) * resource.getpagesize()

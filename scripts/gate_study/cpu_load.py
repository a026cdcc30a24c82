"""A load of one CPU by turns, to try the gate beside: 1 to 3 s busy, 1 to 3 s of rest, then the next CPU.

It is a process of its own, that this file is the program of. The kernel kills it should the driver die.
"""

import ctypes
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

SHORTEST_S, LONGEST_S = 1.0, 3.0
_PR_SET_PDEATHSIG = 1


class LoadEndedError(Exception):
    """The load ended before the campaign did."""


class Load:
    """The load while it runs."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        """The process' number."""
        return self._process.pid

    def require(self) -> None:
        """Raise LoadEndedError if it runs no more: what was measured beside it would be something else."""
        if self._process.poll() is not None:
            raise LoadEndedError(f"the load ended by itself, with status {self._process.returncode}")


@contextmanager
def cpu_load(seed: int) -> Iterator[Load]:
    """Load the CPUs that the driver may use, one by turns, until the end of the block."""
    command = [sys.executable, "-I", __file__, str(os.getpid()), str(seed)]
    # A session of its own: Ctrl-C is for the driver, which then ends the load.
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            yield Load(process)
        finally:
            process.kill()


def _burn(parent: int, seed: int) -> None:
    chance = random.Random(seed)
    cpus = sorted(os.sched_getaffinity(0))
    turn = 0
    # The driver may have died before the kernel was asked.
    while os.getppid() == parent:
        os.sched_setaffinity(0, {cpus[turn % len(cpus)]})
        deadline = time.monotonic() + chance.uniform(SHORTEST_S, LONGEST_S)
        while time.monotonic() < deadline:
            pass
        time.sleep(chance.uniform(SHORTEST_S, LONGEST_S))
        turn += 1


if __name__ == "__main__":
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    _burn(int(sys.argv[1]), int(sys.argv[2]))

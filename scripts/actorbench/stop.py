"""A request to stop: what SIGINT, SIGTERM and SIGHUP mean to a sweep.

The signal handler raises no exception, which could strike anywhere (in a write to the store, or in the
library's own locks, where it would be lost). It sets a flag and makes a file descriptor readable, on which
whoever waits for a process waits as well.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOPPING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequest:
    """Whether the user asked to stop; `descriptor` becomes readable when that happens, and stays so."""

    def __init__(self) -> None:
        self.asked = False
        self.descriptor, self._bell = os.pipe()
        os.set_blocking(self._bell, False)

    def ask(self) -> None:
        """Ask to stop; asking again changes nothing."""
        if not self.asked:
            self.asked = True
            os.write(self._bell, b"!")

    def close(self) -> None:
        """Give the file descriptors back."""
        os.close(self.descriptor)
        os.close(self._bell)


@contextmanager
def stop_on_signals() -> Iterator[StopRequest]:
    """Turn the stopping signals into a request, until the end of the block."""
    request = StopRequest()

    def handler(_number: int, _frame: FrameType | None) -> None:
        request.ask()

    # A hang-up that is ignored was ignored on purpose (nohup).
    heeded = [n for n in STOPPING_SIGNALS if n != signal.SIGHUP or signal.getsignal(n) != signal.SIG_IGN]
    before = {number: signal.signal(number, handler) for number in heeded}
    try:
        yield request
    finally:
        for number, previous in before.items():
            signal.signal(number, previous)
        request.close()

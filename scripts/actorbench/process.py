"""One fresh process: started in a group of its own, timed from outside, ended with all its group.

The driver sleeps while the process runs (it waits on file descriptors, with no thread and no polling),
so that it takes no CPU from what is measured. Nothing passes through a shell.
"""

import contextlib
import ctypes
import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from actorbench.stop import StopRequest

OUTPUT_LIMIT = 1 << 20  # bytes kept of each of stdout and stderr; the rest is read and dropped
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_MOST_GENERATIONS = 100  # of strays that fork while they are being ended
_LIBC = ctypes.CDLL(None)


class StoppedError(Exception):
    """The user asked to stop while the process ran; it was ended."""


@dataclass(frozen=True)
class Finished:
    """How a process ended: by exit status or by signal; `timed_out` if the driver sent the signal.

    `cpu_ns` is the CPU time of the process and of those of its children that have ended.
    """

    status: int | None
    signal: int | None
    timed_out: bool
    wall_ns: int
    stdout: bytes
    stderr: bytes
    cpu_ns: int = 0


@dataclass
class _Stream:
    """One of the process' outputs, kept up to OUTPUT_LIMIT."""

    descriptor: int
    kept: bytearray = field(default_factory=bytearray)

    def read_some(self) -> bool:
        """Read what is there; False at the end of the output, and if nothing is there now."""
        try:
            chunk = os.read(self.descriptor, 1 << 16)
        except BlockingIOError:
            return False
        self.kept += chunk[: OUTPUT_LIMIT - len(self.kept)]
        return bool(chunk)

    def drain(self) -> None:
        """Read what the pipe still holds, at most OUTPUT_LIMIT, though another process may hold it open."""
        left = OUTPUT_LIMIT >> 16
        while left and self.read_some():
            left -= 1


def run_process(
    arguments: Sequence[str],
    *,
    timeout_s: float,
    environment: Mapping[str, str],
    folder: Path,
    stop: StopRequest | None = None,
    stdin: IO[bytes] | None = None,
) -> Finished:
    """Run a command to its end or for `timeout_s` seconds.

    Raises OSError if it can't be started, StoppedError if `stop` is asked for before its end. Whatever
    happens, no process of its group is left, nor any that left the group for a session of its own.
    """
    others, cpu_ns = _children(), _cpu_ns()
    start = time.monotonic_ns()
    with subprocess.Popen(
        arguments,
        stdin=stdin or subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=dict(environment),
        start_new_session=True,
        preexec_fn=_die_with_the_driver,  # noqa: PLW1509 - the driver has one thread
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            streams = [_Stream(process.stdout.fileno()), _Stream(process.stderr.fileno())]
            exited = _follow(process.pid, streams, timeout_s, stop)
            wall_ns = time.monotonic_ns() - start
        finally:
            # The process has not been waited for yet, so its group's number can't be another's.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            # Its children pass to the driver when it dies, and not before.
            process.wait()
            _end_strays(others)
        for stream in streams:
            stream.drain()
        code = process.wait()
    return Finished(
        status=code if code >= 0 else None,
        signal=-code if code < 0 else None,
        timed_out=not exited,
        wall_ns=wall_ns,
        stdout=bytes(streams[0].kept),
        stderr=bytes(streams[1].kept),
        cpu_ns=_cpu_ns() - cpu_ns,
    )


def _follow(pid: int, streams: list[_Stream], timeout_s: float, stop: StopRequest | None) -> bool:
    """Read the outputs until the process exits (True) or the time is over (False); raises StoppedError."""
    deadline = time.monotonic() + timeout_s
    exit_descriptor = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(exit_descriptor, select.POLLIN)
        if stop:
            poll.register(stop.descriptor, select.POLLIN)
        for stream in streams:
            os.set_blocking(stream.descriptor, False)
            poll.register(stream.descriptor, select.POLLIN)
        by_descriptor = {stream.descriptor: stream for stream in streams}
        while True:
            left = deadline - time.monotonic()
            ready = [descriptor for descriptor, _ in poll.poll(max(0.0, left) * 1000)]
            if stop and stop.asked:
                raise StoppedError
            if exit_descriptor in ready:
                return True
            if left <= 0:
                return False
            for descriptor in ready:
                if not by_descriptor[descriptor].read_some():
                    poll.unregister(descriptor)
    finally:
        os.close(exit_descriptor)


def _cpu_ns() -> int:
    """The CPU time of all processes that the driver has ended so far."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round((ended.ru_utime + ended.ru_stime) * 1e9)


def _children() -> set[int]:
    """The driver's children; none where the kernel does not list them (CONFIG_PROC_CHILDREN).

    From here on the driver adopts processes that lose their parent (prctl(2), PR_SET_CHILD_SUBREAPER).
    """
    _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    try:
        text = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii")
    except OSError:
        return set()
    return {int(word) for word in text.split()}


def _end_strays(spared: set[int]) -> None:
    """End the processes that a sample left behind in sessions of their own, and their children."""
    for _ in range(_MOST_GENERATIONS):
        strays = _children() - spared
        if not strays:
            return
        for stray in strays:
            with contextlib.suppress(ProcessLookupError, PermissionError, ChildProcessError):
                os.kill(stray, signal.SIGKILL)
                os.waitpid(stray, 0)


def _die_with_the_driver() -> None:
    """In the child: ask the kernel to kill it should the driver be killed (prctl(2), PR_SET_PDEATHSIG)."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

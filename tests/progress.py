"""Runs a command until it has ended, or makes no progress. Time is no matter: machines are slow, or busy.

Progress is output. Between two pieces of it a command, its children included, may use CPU_S seconds of CPU
time, and be idle for IDLE_S seconds. One that spins comes to the first end, one that waits for ever to the
second, and one that others keep from the CPU to neither. Idle is under 2 % of a CPU: so is who sleeps between
looks.
"""

import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

CPU_S = 1200.0
IDLE_S = 120.0
LOOK_S = 1.0  # from one look at the CPU time to the next
IDLE_SHARE = 0.02
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")
_interrupted = threading.Event()


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it said; `stuck` says why it was ended, if it was."""

    returncode: int
    stdout: str
    stderr: str
    stuck: str | None
    cpu_s: float


@contextmanager
def two_at_a_time() -> Iterator[ThreadPoolExecutor]:
    """Threads that run commands; an interrupt ends what they run, too."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        try:
            yield pool
        except KeyboardInterrupt:
            _interrupted.set()
            pool.shutdown(cancel_futures=True)
            raise


def run(command: Sequence[str], *, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Ended:
    """Run a command in a session of its own; one that is stuck is ended, and all that it started."""
    process = subprocess.Popen(
        command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    said: dict[int, list[bytes]] = {process.stdout.fileno(): [], process.stderr.fileno(): []}
    end = os.pidfd_open(process.pid)
    stuck = None
    watch = _Watch(process.pid)
    with process.stdout, process.stderr, os.fdopen(end), selectors.DefaultSelector() as selector:
        for event in (*said, end):
            selector.register(event, selectors.EVENT_READ)
        while selector.get_map() and stuck is None:
            for key, _ in selector.select(LOOK_S):
                piece = b"" if key.fd == end else os.read(key.fd, 1 << 16)
                if piece:
                    said[key.fd].append(piece)
                    watch.progress()
                else:
                    selector.unregister(key.fd)
            stuck = watch.complaint()
        if stuck is not None:
            watch.kill()
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    stdout, stderr = (b"".join(pieces).decode(errors="replace") for pieces in said.values())
    return Ended(process.returncode, stdout, stderr, stuck, usage.ru_utime + usage.ru_stime)


class _Watch:
    """The CPU time and the idle time of a command since its last progress."""

    def __init__(self, leader: int) -> None:
        self._leader = leader
        self._looked = time.monotonic()
        self._total = 0.0
        self.progress()

    def progress(self) -> None:
        """Start again."""
        self._cpu = self._idle = 0.0

    def complaint(self) -> str | None:
        """Look, if it is time to; what is wrong, if something is."""
        now = time.monotonic()
        passed = now - self._looked
        if _interrupted.is_set():
            return "interrupted"
        if passed < LOOK_S:
            return None
        total = sum(self._members().values())
        used = max(0.0, total - self._total)  # what a child used is lost if nobody waits for it
        self._looked, self._total = now, total
        self._cpu += used
        if used < IDLE_SHARE * passed:
            self._idle += passed
        if self._cpu > CPU_S:
            return f"no progress: nothing said in {self._cpu:.1f} s of CPU time"
        if self._idle > IDLE_S:
            return f"no progress: idle for {self._idle:.1f} s"
        return None

    def kill(self) -> None:
        """End all of it; who starts others meanwhile is met again."""
        while members := self._members():
            for process in members:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.01)

    def _members(self) -> dict[int, float]:
        """The processes of the command's session and their children that still run, with their CPU times.

        A process's time has in it that of the children for which it has waited.
        """
        parents, cpu_s, found = {}, {}, set()
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                words = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
            if words[0] in "ZX":
                continue
            process = int(entry.name)
            parents[process] = int(words[1])
            cpu_s[process] = sum(map(int, words[11:15])) / TICKS_A_SECOND
            if int(words[3]) == self._leader:
                found.add(process)
        while more := {one for one in parents if parents[one] in found} - found:
            found |= more
        return {one: cpu_s[one] for one in found}

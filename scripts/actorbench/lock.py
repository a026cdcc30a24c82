"""The lock: two that measure at once would measure each other, so the second is refused, or waits.

A command takes it before it builds or measures, and holds it to its end: what it builds, draws and decides
between two samples would disturb another's samples, too. There are two locks. That of the checkout guards its
runs. That of the machine, one for each user, also holds off another checkout; it lies in /tmp whatever TMPDIR
says, since both must look in one place.
"""

import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from math import inf
from pathlib import Path

import click

from actorbench.errors import UserError
from actorbench.project import Project

FILE_NAME = ".lock"
PATIENCE_S = 0.5
POLL_S = 0.05
FOLDER_VARIABLE = "ACTORBENCH_LOCKS"  # another folder for the machine's lock, so that tests need not wait


@contextmanager
def measuring_lock(project: Project, *, wait: bool = False, run: Path | None = None) -> Iterator[None]:
    """Hold both locks; raises UserError if another process holds one, unless it is to be waited for.

    In place of the checkout's that of one `run`, its folder, where several machines measure in one checkout,
    each a run of its own. The kernel frees them with the driver.
    """
    folder, shown = (run, f"results/{run.name}/") if run else (project.results, "results/")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{shown}: cannot be written: {error.strerror}") from error
    with ExitStack() as held:
        held.enter_context(_locked(folder / FILE_NAME, shown, "here", project, wait))
        machine = machine_lock()
        held.enter_context(_locked(machine, str(machine), "on this machine", project, wait))
        yield


def machine_lock() -> Path:
    """The file of the machine's lock."""
    return Path(os.environ.get(FOLDER_VARIABLE) or "/tmp", f"actorbench-{os.getuid()}.lock")


@contextmanager
def _locked(path: Path, shown: str, where: str, project: Project, wait: bool) -> Iterator[None]:
    try:
        # A link, or a file of someone else, may have been put there by anyone who can write to /tmp.
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UserError(f"{shown}: cannot be written: {error.strerror}") from error
    try:
        found = os.fstat(descriptor)
        if found.st_uid != os.getuid() or not stat.S_ISREG(found.st_mode):
            raise UserError(f"{shown}: is not a file of yours, so it can't be a lock: remove it")
        if not _taken(descriptor, PATIENCE_S):
            holder = os.pread(descriptor, 1000, 0).decode(errors="replace").strip() or "unknown"
            held = f"another command is measuring {where} (process {holder})"
            if not wait:
                raise UserError(
                    f"{held}: two at once would measure each other; wait for it (--wait), or stop it"
                )
            click.echo(f"actorbench: {held}: waiting for it", err=True)
            _taken(descriptor, inf)
        with suppress(OSError):  # the disk may be full: the lock holds, though it can't say who has it
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"{os.getpid()} in {project.root}\n".encode())
        yield
    finally:
        os.close(descriptor)


def _taken(descriptor: int, patience_s: float) -> bool:
    """Try for so long: of a killed driver, a child that is not yet a program holds on for a moment."""
    deadline = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
        time.sleep(POLL_S)

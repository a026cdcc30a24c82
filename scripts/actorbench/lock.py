"""The lock: two sweeps at once would measure each other, so the second is refused."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from actorbench.errors import UserError
from actorbench.project import Project

FILE_NAME = ".lock"


@contextmanager
def sweep_lock(project: Project) -> Iterator[None]:
    """Hold results/.lock; raises UserError if another sweep holds it. The kernel frees it with the driver."""
    path = project.results / FILE_NAME
    try:
        project.results.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise UserError(f"results/: cannot be written: {error.strerror}") from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 40).decode(errors="replace").strip() or "unknown"
            raise UserError(
                f"another sweep is running here (process {holder}): two at once would measure each other;"
                " wait for it, or stop it"
            ) from None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(descriptor)

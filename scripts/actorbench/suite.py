"""The suite's own files: sources of the programs, workloads, machines, peers and experiments.

In a checkout they lie around this package. An installed package brings them in its folder `suite`; they are
copied to the user's cache ($XDG_CACHE_HOME, or ~/.cache), where programs can be built. A copy is named by
what it holds, so that another version gets another one.
"""

import hashlib
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from actorbench.errors import UserError

HERE = Path(__file__).resolve().parent
PACKED = HERE / "suite"
CACHE_VARIABLE = "XDG_CACHE_HOME"
NAME_LENGTH = 12


def is_packed() -> bool:
    """Whether this package is an installed one, which brings the suite along."""
    return PACKED.is_dir()


# How the command is called here, for messages.
COMMAND = "actorbench" if is_packed() else "./actorbench"


def suite_folder() -> Path:
    """Find the suite's files, where programs can be built of them; raises UserError."""
    return _unpacked(PACKED, _cache_folder()) if is_packed() else HERE.parents[1]


def _cache_folder() -> Path:
    named = os.environ.get(CACHE_VARIABLE)
    return (Path(named) if named else Path.home() / ".cache") / "actorbench"


@cache
def _unpacked(packed: Path, parent: Path) -> Path:
    """Copy the suite into the cache, whole or not at all, unless it is there."""
    folder = parent / _name(packed)
    if folder.is_dir():
        return folder
    try:
        parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=parent) as fresh:
            copy = shutil.copytree(packed, Path(fresh, folder.name))
            try:
                copy.rename(folder)
            except OSError:
                if not folder.is_dir():  # another one was quicker
                    raise
    except OSError as error:
        raise UserError(
            f"{parent}: cannot be written: {error.strerror}; {CACHE_VARIABLE} names another place for what is"
            " built"
        ) from error
    return folder


def _name(packed: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in packed.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(packed)}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:NAME_LENGTH]

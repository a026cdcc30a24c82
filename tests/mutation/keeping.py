"""What became of each mutant, kept as it is found: a hunt that was interrupted goes on with what is missing.

It holds for the sources that it was found with: the mutant's file, the tests that look for its errors, and
what those tests share. A change of any other file is not seen; `--anew` looks for all again.
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from mutation.planting import Mutant

SHARED = ("conftest.py", "made_*.py", "test_record.py")  # in the tests' folders


class Kept:
    """A file with a line of JSON a mutant: its digest, and why it survived, or nothing if it was caught."""

    def __init__(self, path: Path, root: Path, tests: Mapping[str, Sequence[str]]) -> None:
        """Read it; `tests` are the files of tests that look for the mutants of a file, both below `root`."""
        self._path = path
        self._sources = {file: _digest(root, [file, *each]) for file, each in tests.items()}
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        whole, _, cut_short = text.rpartition("\n")
        if cut_short:
            path.write_text(f"{whole}\n" if whole else "", encoding="utf-8")
        self._why: dict[str, str] = dict(json.loads(line) for line in whole.splitlines())

    def why(self, mutant: Mutant) -> str | None:
        """Say why a mutant survived, "" if it was caught; None if it is not known yet."""
        return self._why.get(self._key(mutant))

    def add(self, mutant: Mutant, why: str) -> None:
        """Keep what became of a mutant."""
        self._why[self._key(mutant)] = why
        self._path.parent.mkdir(exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([self._key(mutant), why]) + "\n")

    def _key(self, mutant: Mutant) -> str:
        return sha256("\0".join([self._sources[mutant.file], *map(str, mutant.key)]).encode()).hexdigest()


def _digest(root: Path, files: Sequence[str]) -> str:
    """Digest files, and what lies beside the tests among them."""
    paths = {root / file for file in files}
    for folder in {path.parent for path in paths if path.name.startswith("test_")}:
        paths |= {path for pattern in SHARED for path in folder.glob(pattern)}
    return sha256(b"\0".join(path.read_bytes() for path in sorted(paths))).hexdigest()

"""Own commands: programs of the user's own, known by a command and by how its result is read.

An experiment's entry or a gate's cell has one in place of a workload. Its texts may hold {placeholders}:
the parameters of the cell, {workers}, and {output}, a fresh file for each sample that the result is then
read from; "{{name}}" stands for "{name}" itself. No shell runs: a text is parted into words as a shell
would.
"""

import os
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from actorbench.reading.formats import RECORD, Reader

SYSTEM = "command"  # what its cells have as their system, design and build
OUTPUT, WORKERS = "output", "workers"
NOT_PINNED = "none"
_BOUND = ["taskset", "--cpu-list"]  # and the CPUs, before a command whose workers are bound
_PLACEHOLDER = re.compile(r"\{(\{[a-z][a-z0-9_-]*\})\}|\{([a-z][a-z0-9_-]*)\}")

Values = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Own:
    """A command and what goes with it, as texts that a shell would part into words; empty if there is none.

    `folder` is where it runs, below the project's root, or below the folder of a `checkout` in build/.
    `verify` is a command that reads the output and ends with 0 if that is right, `expected` a text that the
    output holds. `cpus` is the order of CPUs that workers are bound to; empty if they are not.
    """

    command: str
    reader: Reader = RECORD
    folder: str = ""
    checkout: str = ""
    environment: Values = ()
    prepare: str = ""
    cleanup: str = ""
    verify: str = ""
    expected: str = ""
    pin: str = ""
    cpus: tuple[int, ...] = ()

    @property
    def is_verified(self) -> bool:
        """Whether more than the exit status says that a result is right."""
        return bool(self.verify or self.expected) or self.reader.format == RECORD.format

    @property
    def place(self) -> str:
        """The folder that it runs in, as the key and `replay` show it."""
        parts = [*(("build", self.checkout) if self.checkout else ()), self.folder]
        return "/".join(part for part in parts if part)

    @property
    def shown(self) -> str:
        """All that a sample does, as a shell would do it."""
        set_up = [f"{name}={shlex.quote(value)}" for name, value in self.environment]
        line = " ".join([*set_up, self.command]) + (f" | {self.verify}" if self.verify else "")
        steps = [f"cd {shlex.quote(self.place)}"] if self.place else []
        line = " && ".join([*steps, *([self.prepare] if self.prepare else []), line])
        line += f"; {self.cleanup}" if self.cleanup else ""
        return f"({line})" if steps else line

    @property
    def marks(self) -> list[str]:
        """What tells it from another that does the same: how its result is read, and what it must hold."""
        read = [] if self.reader == RECORD else [self.reader.shown]
        return read + ([f"holds {shlex.quote(self.expected)}"] if self.expected else [])

    @property
    def placeholders(self) -> set[str]:
        """The names that stand in braces in its texts."""
        return {name for text in self._texts() for _, name in _PLACEHOLDER.findall(text) if name}

    def filled(self, values: Mapping[str, object]) -> "Own":
        """Put values in the place of names; names without a value stay."""
        return _filled(self, tuple(sorted((name, str(value)) for name, value in values.items())))

    def to_json(self) -> dict[str, Any]:
        """Write the command as JSON, for the store; without what it has not."""
        named = {
            name: value for name, value in vars(self).items() if value and name not in ("command", "reader")
        }
        read = {} if self.reader == RECORD else {"reader": self.reader.to_json()}
        return {**named, **read}

    def _texts(self) -> Iterator[str]:
        yield from (self.command, self.prepare, self.cleanup, self.verify, self.expected, self.folder)
        yield from (value for _, value in self.environment)
        yield from (self.reader.benchmark, self.reader.source)


def own_from_json(command: str, document: Mapping[str, Any]) -> Own:
    """Read what `Own.to_json` wrote, beside the command."""
    more = dict(document)
    more["reader"] = Reader(**more.get("reader", {}))
    more["environment"] = tuple((name, value) for name, value in more.get("environment", ()))
    more["cpus"] = tuple(more.get("cpus", ()))
    return Own(command, **more)


def words_of(line: str) -> list[str]:
    """Part a text into words as a shell would."""
    return shlex.split(line)


def name_of(own: Own) -> str:
    """Name a command after its program."""
    return Path(words_of(own.command)[0]).name


def missing(own: Own, folder: Path) -> str | None:
    """Say which program or folder of a command is missing; None if none is. `folder` is where it runs.

    A program that lies below the folder may still be made by `prepare`.
    """
    if not folder.is_dir():
        return f"no folder '{own.place}'"
    path = dict(own.environment).get("PATH")
    for line in (own.prepare, own.command, own.verify, own.cleanup):
        words = words_of(line)
        for program in words[:1] + words[len(_BOUND) + 1 :][:1] * (words[: len(_BOUND)] == _BOUND):
            if "/" in program and (own.prepare or os.access(folder / program, os.X_OK)):
                continue
            if shutil.which(program, path=path) is None:
                return f"no program '{program}' that can be run"
    return None


def unverified_note(owns: Sequence[Own | None]) -> list[str]:
    """Name the programs whose results nothing but the exit status verifies, if there are any."""
    names = ", ".join(dict.fromkeys(name_of(one) for one in owns if one and not one.is_verified))
    return [f"verified by the exit status alone: {names} ('verify' asks for more)"] if names else []


@cache
def _filled(own: Own, values: Values) -> Own:
    known = dict(values)

    def fill(text: str) -> str:
        return _PLACEHOLDER.sub(lambda found: found[1] or known.get(found[2], found[0]), text)

    def fill_line(line: str) -> str:
        return shlex.join(map(fill, shlex.split(line))) if "{" in line else line

    command = fill_line(own.command)
    if own.cpus:
        count = min(int(known.get(WORKERS, 1)), len(own.cpus))
        command = f"{shlex.join(_BOUND)} {','.join(map(str, own.cpus[:count]))} {command}"
    return replace(
        own,
        command=command,
        cpus=(),
        reader=replace(own.reader, benchmark=fill(own.reader.benchmark), source=fill(own.reader.source)),
        folder=fill(own.folder),
        environment=tuple((name, fill(value)) for name, value in own.environment),
        prepare=fill_line(own.prepare),
        cleanup=fill_line(own.cleanup),
        verify=fill_line(own.verify),
        expected=fill(own.expected),
    )

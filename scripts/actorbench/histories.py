"""Histories: files of results/ that only grow, a line of JSON an entry, each complete in itself.

What is added goes in with one write, and is synced. A write that was interrupted leaves at most a last line
that is cut short: who reads passes it over, who adds next cuts it off. Nothing is lost, since what adds keeps
the samples that its entries are made from, and adds them again when it is resumed. An entry is known by its
identity, so that files of several clones can be put together in any order; one that is there twice counts
once.
"""

import json
import os
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from actorbench.errors import UserError
from actorbench.jsonl import append, can_decode, decode_lines, read_bytes

SCHEMA = 1


class Identified(Protocol):
    """A dataclass whose entries can be told apart."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def identity(self) -> tuple[Any, ...]:
        """What makes two entries the same; their order."""


Entry = TypeVar("Entry", bound=Identified)
Decode = Callable[[Any], Entry]


def read_entries(path: Path, decode: Decode[Entry]) -> list[Entry]:
    """Read what `decode` makes of each line, each entry once, in their order; nothing if there is no file.

    Raises UserError, naming the line, where a whole line is no JSON, or of another version, or `decode`
    raises what a wrong document makes it raise.
    """
    content = read_bytes(path, _shown(path))
    if not can_decode(_last_line(content), _any):
        content = content[: len(content) - len(_last_line(content))]

    def decoded(document: dict[str, Any]) -> Entry:
        if document["schema"] != SCHEMA:
            raise ValueError(f"it is of version {document['schema']}, and this driver reads version {SCHEMA}")
        return decode(document)

    found: dict[tuple[Any, ...], Entry] = {}
    told = {"what": "entry of a history", "remedy": "restore or delete the line"}
    for entry in decode_lines(content, decoded, shown=_shown(path), **told):
        found.setdefault(entry.identity, entry)
    return sorted(found.values(), key=lambda entry: entry.identity)


def add_entries(path: Path, decode: Decode[Entry], entries: Iterable[Entry]) -> None:
    """Append what is not there yet; raises UserError. The caller is the only one that writes (lock.py)."""
    known = {entry.identity for entry in read_entries(path, decode)}
    fresh: dict[tuple[Any, ...], Entry] = {}
    for entry in entries:
        if entry.identity not in known:
            fresh.setdefault(entry.identity, entry)
    added = "".join(json.dumps({"schema": SCHEMA, **asdict(one)}) + "\n" for one in fresh.values()).encode()
    if not added:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        tail = _last_line(read_bytes(path, _shown(path)))
        if tail and can_decode(tail, _any):  # an editor, or a merge, has left out the last newline
            added = b"\n" + added
        elif tail:
            os.truncate(path, path.stat().st_size - len(tail))
        append(path, added)
    except OSError as error:
        raise UserError(f"{_shown(path)}: cannot be written: {error.strerror or error}") from error


def _last_line(content: bytes) -> bytes:
    """Give what stands after the last newline."""
    return content[content.rfind(b"\n") + 1 :]


def _any(document: object) -> object:
    return document


def _shown(path: Path) -> str:
    return f"results/{path.parent.name}/{path.name}"

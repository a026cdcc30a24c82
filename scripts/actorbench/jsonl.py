"""Files that only grow, a line of JSON each: what an interrupted write leaves costs at most its own line."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from actorbench.errors import OneLineError, UserError

Decoded = TypeVar("Decoded")
Decode = Callable[[Any], Decoded]
# What a decoder raises at a document that is something else.
BAD = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError, OneLineError)


def read_bytes(path: Path, shown: str) -> bytes:
    """Read a file, empty if there is none; raises UserError, by the name that it is shown by."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise UserError(f"{shown}: cannot be read: {error.strerror}") from error


def decode_lines(
    content: bytes, decode: Decode[Decoded], *, shown: str, what: str, remedy: str
) -> list[Decoded]:
    """Read what `decode` makes of each line; raises UserError, with the remedy, for one that is no `what`."""
    found = []
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            try:
                found.append(decode(json.loads(line)))
            except BAD as error:
                said = f"line {number} is no {what} ({_said(error)})"
                raise UserError(f"{shown}: {said}: {remedy}") from error
    return found


def whole_size(content: bytes, decode: Decode[object]) -> int:
    """Count the bytes up to the end of the last whole line, leaving out a last line that can't be decoded."""
    size = content.rfind(b"\n") + 1
    start = content.rfind(b"\n", 0, max(0, size - 1)) + 1
    return size if size == start or can_decode(content[start : size - 1], decode) else start


def can_decode(line: bytes, decode: Decode[object]) -> bool:
    """Whether a line is what `decode` reads."""
    try:
        decode(json.loads(line))
    except BAD:
        return False
    return True


def put_tail_aside(path: Path, decode: Decode[object]) -> int | None:
    """Move a last line that is not whole to `put-aside.txt` beside the file; returns its bytes, if any.

    Raises OSError if the folder can't be written.
    """
    content = path.read_bytes() if path.exists() else b""
    size = whole_size(content, decode)
    tail = content[size:].removesuffix(b"\n")
    if size == len(content):
        return None
    append(path.with_name("put-aside.txt"), tail + b"\n")
    os.truncate(path, size)
    return len(tail)


def append_line(path: Path, document: object) -> None:
    """Add a line, whole or not at all, and sync it to disk; raises OSError."""
    append(path, json.dumps(document, separators=(",", ":"), allow_nan=False).encode() + b"\n")


def append(path: Path, content: bytes) -> None:
    """Add bytes to a file, all or none, and sync it to disk; raises OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        written = os.write(descriptor, content)
        if written < len(content):
            os.truncate(path, os.fstat(descriptor).st_size - written)
            raise OSError("the disk took only a part of the line")
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, OneLineError) else f"{type(error).__name__}: {error}"

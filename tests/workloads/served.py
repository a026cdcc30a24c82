"""A server under test: how it is started without a client of its own, ended, and held to its count."""

import json
import re
import signal
import socket
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypeVar

TIMEOUT_S = 1
PATIENCE_S = 300  # for what has to come: machines are slow, or busy


@dataclass
class Server(ABC):
    """A server that runs; `answered` is how many of its answers were read."""

    ADDRESS: ClassVar[str]  # that it tells, with PORT in place of its port
    port: int
    answered: int = 0

    @abstractmethod
    def still_serves(self) -> bool:
        """Whether one more answer is right."""

    def connect(self) -> socket.socket:
        """A connection, on which what is sent is sent at once."""
        connection = socket.create_connection(("127.0.0.1", self.port), PATIENCE_S)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection


def heard(connection: socket.socket) -> bytes:
    """All that comes until the server closes."""
    pieces = []
    while piece := connection.recv(1 << 16):
        pieces.append(piece)
    return b"".join(pieces)


Kind = TypeVar("Kind", bound=Server)


@contextmanager
def serving(
    kind: type[Kind], path: Path, *arguments: str, before: Sequence[str] = (), exactly: bool = True
) -> Iterator[Kind]:
    """Run a server, by the command `before` it if there is one.

    It has to serve to the end, to end well and, unless answers were left unread, to have counted `exactly`.
    """
    command = [*before, str(path), "--client", "none", "--timeout", str(TIMEOUT_S), *arguments, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            told = re.fullmatch(re.escape(f"serving on {kind.ADDRESS}\n").replace("PORT", r"(\d+)"), line)
            assert told, line + process.stderr.read()
            server = kind(int(told[1]))
            yield server
            assert server.still_serves()
            process.send_signal(signal.SIGTERM)
            printed, complaints = process.communicate(timeout=PATIENCE_S)
        finally:
            process.kill()
    assert process.returncode == 0, complaints
    record = json.loads(printed)
    assert record["verified"] is True
    assert record["operations"] == server.answered if exactly else record["operations"] >= server.answered

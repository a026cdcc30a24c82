"""The server of actors of workloads/zeromq, over sockets: its replies, whom it closes on, and how it ends.

Requests are written by hand here; libzmq asks the servers in test_programs.py. Each server is started without
a client of its own (--client none), serves until it is told to end, and then counts as many replies as were
read here. Under asan it leaks nothing, or its exit status says so.
"""

import json
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from conftest import program, run
from served import TIMEOUT_S, Server, heard, serving

# Design, options, and the sanitizer that looks at it beside a release.
SERVERS = [
    ("worker-centric", "--workers 2", "asan"),
    ("message-centric", "--workers 2 --sets centralised --polling both --backend io_uring", "asan"),
    ("actor-centric", "--workers 2 --polling signalers", "clang-tsan"),
]
STARTED = [
    (config, design, options) for design, options, sanitizer in SERVERS for config in ["release", sanitizer]
]

MOST = 32 << 20  # bytes of a request, with the heads of its frames
MORE, LONG, COMMAND = 1, 2, 4


def frame(flags: int, body: bytes) -> bytes:
    if len(body) > 255:
        return bytes([flags | LONG]) + struct.pack(">Q", len(body)) + body
    return bytes([flags, len(body)]) + body


def greeting(version: bytes = b"\x03\x00", mechanism: bytes = b"NULL") -> bytes:
    return b"\xff" + bytes(8) + b"\x7f" + version + mechanism.ljust(20, b"\0") + bytes(32)


def ready(kind: bytes = b"REQ", name: bytes = b"Socket-Type") -> bytes:
    properties = bytes([len(name)]) + name + struct.pack(">I", len(kind)) + kind
    return frame(COMMAND, b"\x05READY" + properties + b"\x08Identity" + bytes(4))


def request(body: bytes) -> bytes:
    return frame(MORE, b"") + frame(0, body)


BEGUN = greeting() + ready()
WELCOME = (
    b"\xff"
    + bytes(7)
    + b"\x01"
    + greeting(b"\x03\x01")[9:]
    + frame(COMMAND, b"\x05READY\x0bSocket-Type\0\0\0\x03REP")
)


class Zeromq(Server):
    """It replies with what was asked."""

    ADDRESS = "tcp://127.0.0.1:PORT"

    def asked(self, text: bytes, replies: int) -> bytes:
        """What comes to this until the server closes, as it does where the client sends no more."""
        with self.connect() as connection:
            connection.sendall(text)
            connection.shutdown(socket.SHUT_WR)
            self.answered += replies
            return heard(connection)

    def still_serves(self) -> bool:
        """Whether one more request is answered."""
        return self.asked(BEGUN + request(b"last"), 1) == WELCOME + request(b"last")


def came(connection: socket.socket, length: int) -> bytes:
    pieces = bytearray()
    while len(pieces) < length:
        piece = connection.recv(length - len(pieces))
        assert piece, f"it closed after {bytes(pieces)!r}"
        pieces += piece
    return bytes(pieces)


def is_closed(connection: socket.socket) -> bool:
    """Whether the server closes, be it with something unread."""
    try:
        heard(connection)
    except ConnectionError:
        return True
    return True


@pytest.fixture(params=STARTED, ids=", ".join)
def server(request: pytest.FixtureRequest) -> Iterator[Zeromq]:
    config, design, options = request.param
    with serving(Zeromq, program(config, "zeromq", design), *options.split()) as running:
        yield running


# ---- What is answered ----


def test_a_request_may_be_split_anywhere(server: Zeromq) -> None:
    text = BEGUN + request(b"hello") + request(b"a" * 300)
    for place in range(1, len(text)):
        with server.connect() as connection:
            connection.sendall(text[:place])
            time.sleep(0.001)
            connection.sendall(text[place:])
            connection.shutdown(socket.SHUT_WR)
            assert heard(connection) == WELCOME + request(b"hello") + request(b"a" * 300)
        server.answered += 2


def test_the_server_greets_first(server: Zeromq) -> None:
    with server.connect() as connection:
        assert came(connection, 64) == WELCOME[:64]


def test_a_request_may_come_byte_by_byte(server: Zeromq) -> None:
    with server.connect() as connection:
        for byte in BEGUN + request(b"hello"):
            connection.sendall(bytes([byte]))
        assert came(connection, len(WELCOME) + 9) == WELCOME + request(b"hello")
    server.answered += 1


@pytest.mark.parametrize("size", [0, 1, 64, 255, 256, 8192, 65536, 1 << 20, 16 << 20])
def test_any_size_comes_back(server: Zeromq, size: int) -> None:
    body = bytes(i % 251 for i in range(min(size, 4096))) * max(1, size // 4096)
    with server.connect() as connection:
        connection.sendall(BEGUN)
        came(connection, len(WELCOME))
        for _ in range(2):
            connection.sendall(request(body))
            assert came(connection, len(request(body))) == request(body)
            server.answered += 1


@pytest.mark.parametrize("version", [b"\x03\x00", b"\x03\x01", b"\x03\x09"])
def test_any_minor_version_is_welcome(server: Zeromq, version: bytes) -> None:
    text = greeting(version) + ready(b"DEALER", b"socket-type") + request(b"x")
    assert server.asked(text, 1) == WELCOME + request(b"x")


def test_frames_are_replied_as_they_are_in_the_shorter_form(server: Zeromq) -> None:
    long = bytes([LONG | MORE]) + struct.pack(">Q", 1) + b"b"
    text = frame(MORE, b"envelope") + frame(MORE, b"") + frame(MORE, b"a") + long + frame(0, b"")
    short = (
        frame(MORE, b"envelope") + frame(MORE, b"") + frame(MORE, b"a") + frame(MORE, b"b") + frame(0, b"")
    )
    assert server.asked(BEGUN + text, 1) == WELCOME + short


def test_many_requests_may_be_on_their_way(server: Zeromq) -> None:
    text = b"".join(request(b"%d" % number) for number in range(2000))
    assert server.asked(BEGUN + text, 2000) == WELCOME + text


def test_a_ping_gets_a_pong_even_within_a_request(server: Zeromq) -> None:
    ping = frame(COMMAND, b"\x04PING\x00\x10context")
    pong = frame(COMMAND, b"\x04PONGcontext")
    unknown = frame(COMMAND, b"\x07UNKNOWNwords") + frame(COMMAND, b"\x04PONG")
    text = BEGUN + ping + frame(MORE, b"") + ping + unknown + frame(0, b"body") + ping
    with server.connect() as connection:
        connection.sendall(text)
        due = WELCOME + pong + pong + request(b"body") + pong
        assert came(connection, len(due)) == due
    server.answered += 1


# ---- Whom it closes on ----


@pytest.mark.parametrize(
    "text",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"\xff" + b"a" * 63,
        greeting(b"\x02\x00"),
        greeting(mechanism=b"PLAIN"),
        greeting(mechanism=b"NULLS"),
        greeting() + request(b"before READY"),
        greeting() + ready(b"SUB"),
        greeting() + frame(COMMAND, b"\x05READY"),
        greeting() + frame(COMMAND, b"\x05READY\x0bSocket-Type\xff\xff\xff\xffREQ"),
        greeting() + frame(COMMAND, b"\x05READY\xff"),
        greeting() + frame(COMMAND, b""),
        greeting() + frame(COMMAND, b"\xffREADY"),
        greeting() + frame(COMMAND, b"\x05ERROR\x05words"),
        BEGUN + ready(),
        BEGUN + frame(COMMAND, b"\x05ERROR\x05words"),
        BEGUN + frame(COMMAND, b"\x04PING\x00"),
        BEGUN + frame(COMMAND, b"\x04PING\x00\x10" + b"a" * 17),
        BEGUN + frame(COMMAND, b"\x01a" + b"a" * 8192),
        BEGUN + frame(COMMAND | MORE, b"\x04PONG"),
        BEGUN + frame(8, b""),
        BEGUN + frame(0, b"no envelope"),
        BEGUN + frame(MORE, b"") + bytes([LONG]) + struct.pack(">Q", 1 << 63),
        BEGUN + frame(MORE, b"") + bytes([LONG]) + struct.pack(">Q", (1 << 64) - 1),
        BEGUN + frame(MORE, b"") + bytes([LONG]) + struct.pack(">Q", MOST - 10),
        BEGUN + bytes([LONG | COMMAND]) + struct.pack(">Q", 1 << 63),
    ],
    ids=range(25),
)
def test_what_is_wrong_ends_the_connection(server: Zeromq, text: bytes) -> None:
    with server.connect() as connection:
        connection.sendall(text)
        assert is_closed(connection)


@pytest.mark.parametrize("wrong", [b"\xff\xff", frame(0, b"no envelope")], ids=range(2))
def test_what_is_right_before_is_answered(server: Zeromq, wrong: bytes) -> None:
    assert server.asked(BEGUN + request(b"right") + wrong, 1) == WELCOME + request(b"right")


def send_for_ever(connection: socket.socket, text: bytes) -> None:
    while True:
        connection.sendall(text)


def test_endless_frames_end_at_the_limit(server: Zeromq) -> None:
    with server.connect() as connection:
        connection.sendall(BEGUN)
        with pytest.raises(ConnectionError):
            send_for_ever(connection, frame(MORE, b"a" * 100000))


def test_those_that_leave_in_the_middle_are_no_harm(server: Zeromq) -> None:
    text = BEGUN + request(b"a" * 300)
    for place in range(len(text)):
        with server.connect() as connection:
            connection.sendall(text[:place])


def test_those_that_do_not_go_on_are_closed(server: Zeromq) -> None:
    """From their greeting to their request."""
    begun = (
        b"",
        greeting()[:11],
        greeting(),
        BEGUN,
        BEGUN + frame(MORE, b""),
        BEGUN + request(b"a" * 300)[:-1],
    )
    with ExitStack() as stack:
        connections = [stack.enter_context(server.connect()) for _ in begun]
        began = time.monotonic()
        for connection, text in zip(connections, begun, strict=True):
            connection.sendall(text)
        assert all(map(is_closed, connections))
        assert time.monotonic() - began >= TIMEOUT_S


def test_one_that_does_not_read_is_closed() -> None:
    path = program("release", "zeromq", "worker-centric")
    with serving(Zeromq, path, "--workers", "2") as server, server.connect() as connection:
        connection.sendall(BEGUN + request(b"a" * (16 << 20)))
        time.sleep(3 * TIMEOUT_S)
        assert is_closed(connection)


def test_many_connections_are_served(server: Zeromq) -> None:
    connections = [server.connect() for _ in range(200)]
    for connection in connections:
        connection.sendall(BEGUN + request(b"hello"))
    for connection in connections:
        assert came(connection, len(WELCOME) + 9) == WELCOME + request(b"hello")
        server.answered += 1
    for connection in connections:
        connection.close()


def test_those_over_the_limit_are_sent_away() -> None:
    path = program("asan", "zeromq", "worker-centric")
    with serving(Zeromq, path, "--workers", "2", "--most", "5") as server:
        connections = [server.connect() for _ in range(20)]
        served = 0
        for connection in connections:
            try:
                connection.sendall(BEGUN + request(b"hello"))
                served += came(connection, len(WELCOME) + 9) == WELCOME + request(b"hello")
            except (AssertionError, ConnectionError):
                continue
        assert served == 5
        server.answered += served
        for connection in connections:
            connection.close()
        time.sleep(TIMEOUT_S)


# ---- Their own client ----


@pytest.mark.parametrize("workers", [1, 4, 8, 16])
@pytest.mark.parametrize("size", [0, 1, 255, 256, 65536])
@pytest.mark.parametrize("name", ["zeromq", "zeromq-native"])
def test_libzmq_gets_what_it_asked(name: str, size: int, workers: int) -> None:
    amounts = f"--workers {workers} --connections 30 --requests 200 --size {size} --json"
    done = run(program("release", name, "worker-centric"), *amounts.split())
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert record["operations"] == 200
    assert record["elapsed_ns"] > record["measured"]["latency_max_ns"]


@pytest.mark.parametrize("name", ["zeromq", "zeromq-native"])
def test_a_port_that_is_taken_is_refused(name: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = run(program("release", name, "worker-centric"), "--port", port, "--requests", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"--port {port} cannot be listened on: Address already in use\n" in done.stderr


def test_a_server_that_does_not_speak_gets_no_requests() -> None:
    """The client gives up on a server that closes each connection."""
    done = run(
        program("release", "zeromq", "worker-centric"),
        *["--most", "1", "--connections", "2", "--requests", "10", "--timeout", "1", "--json"],
    )
    assert done.returncode == 1
    assert "5 requests had no connection" in done.stderr
    assert json.loads(done.stdout)["verified"] is False

"""The servers of workloads/plaintext, over sockets: what they answer, whom they refuse, and how they end.

But for the last tests, each is started without a client of its own (--client none), serves until it is told
to end, and then counts as many answers as were read here. Under asan it leaks nothing, or its exit status
says so.
"""

import json
import os
import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from conftest import program, run
from served import PATIENCE_S, TIMEOUT_S, Server, heard, serving

# Program, design, how it gets two threads that serve, and the sanitizers that look at it beside a release.
SERVERS = [
    ("plaintext-loop", "worker-centric", "--workers 2", ["asan"]),
    ("plaintext", "worker-centric", "--workers 2", ["clang-tsan"]),
    (
        "plaintext",
        "message-centric",
        "--workers 2 --sets centralised --polling both --backend io_uring",
        ["asan"],
    ),
    ("plaintext", "actor-centric", "--workers 2 --polling signalers", ["clang-tsan"]),
]
STARTED = [
    (config, name, design, threads)
    for name, design, threads, sanitizers in SERVERS
    for config in ["release", *sanitizers]
]

GET = b"GET /plaintext HTTP/1.1\r\nHost: here\r\n\r\n"
LAST = b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n"
HELLO = b"Hello, World!"
FEW_DESCRIPTORS = ["prlimit", "--nofile=40:40"]


class Plaintext(Server):
    """It answers with HELLO."""

    ADDRESS = "http://127.0.0.1:PORT/plaintext"

    def heard(self, connection: socket.socket) -> bytes:
        """All that comes until the server closes; its answers of 200 are counted."""
        text = heard(connection)
        self.answered += statuses(text).count(200)
        return text

    def asked(self, text: bytes) -> bytes:
        """What comes to this, on a connection of its own that the server closes."""
        with self.connect() as connection:
            connection.sendall(text)
            return self.heard(connection)

    def still_serves(self) -> bool:
        """Whether one more request is answered."""
        return statuses(self.asked(LAST)) == [200]


def statuses(text: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+) ", text)]


@pytest.fixture(params=STARTED, ids=lambda one: ", ".join(one[:3]))
def started(request: pytest.FixtureRequest) -> tuple[Path, list[str]]:
    config, name, design, threads = request.param
    return program(config, name, design), threads.split()


@pytest.fixture
def server(started: tuple[Path, list[str]]) -> Iterator[Plaintext]:
    path, arguments = started
    with serving(Plaintext, path, *arguments) as running:
        yield running


# ---- What is answered ----


def test_an_answer_is_whole(server: Plaintext) -> None:
    head, _, body = server.asked(LAST).partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    headers = dict(line.split(b": ", 1) for line in lines)
    date = time.strptime(headers.pop(b"Date").decode(), "%a, %d %b %Y %H:%M:%S GMT")
    assert abs(time.mktime(date) - time.mktime(time.gmtime())) < PATIENCE_S
    assert first == b"HTTP/1.1 200 OK"
    assert headers == {
        b"Server": b"actorbench",
        b"Content-Type": b"text/plain",
        b"Content-Length": b"13",
        b"Connection": b"close",
    }
    assert body == HELLO


def test_the_date_is_renewed(server: Plaintext) -> None:
    dates = set()
    for pause_s in (0, 1.1):
        time.sleep(pause_s)
        dates.add(re.findall(rb"Date: (.*)\r", server.asked(LAST))[0])
    assert len(dates) == 2


def test_pipelined_requests_may_be_split_anywhere(server: Plaintext) -> None:
    text = GET + b"HEAD / HTTP/1.1\r\n\r\n" + LAST
    for place in range(1, len(text)):
        with server.connect() as connection:
            connection.sendall(text[:place])
            time.sleep(0.002)
            connection.sendall(text[place:])
            heard = server.heard(connection)
        assert statuses(heard) == [200, 200, 200]
        assert heard.count(HELLO) == 2


def test_many_requests_may_be_on_their_way(server: Plaintext) -> None:
    heard = server.asked(GET * 5000 + LAST)
    assert statuses(heard) == [200] * 5001
    assert heard.count(HELLO) == 5001


@pytest.mark.parametrize(
    ("request_text", "status"),
    [
        (b"rubbish\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400),
        (b"GET /other HTTP/1.1\r\n\r\n", 404),
        (b"GET /plaintext/ HTTP/1.1\r\n\r\n", 404),
        (b"GET * HTTP/1.1\r\n\r\n", 404),
        (b"POST / HTTP/1.1\r\nContent-Length: 300000\r\n\r\n" + b"a" * 300000, 405),
        (b"CONNECT here:80 HTTP/1.1\r\n\r\n", 405),
        (b"GET / HTTP/1.1\r\nContent-Length: 65537\r\n\r\n" + b"a" * 65537, 413),
        (
            b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + b"4000\r\n%b\r\n" % (b"a" * 0x4000) * 5,
            413,
        ),
        (b"GET / HTTP/1.1\r\nLong: " + b"a" * 8192 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\n" + b"Many: a\r\n" * 20000, 431),
        (b"GET /" + b"a" * 8192 + b" HTTP/1.1\r\n\r\n", 431),
        (b"GET / HTTP/3.0\r\n\r\n", 505),
    ],
    ids=lambda value: value[:24].decode("latin-1").split("\r")[0] if isinstance(value, bytes) else str(value),
)
def test_what_is_refused_can_read_why_behind_earlier_answers(
    server: Plaintext, request_text: bytes, status: int
) -> None:
    heard = server.asked(GET + request_text + GET)
    assert statuses(heard) == [200, status]
    assert heard.endswith(b"Content-Length: 0\r\nConnection: close\r\n\r\n")
    assert (b"\r\nAllow: GET, HEAD\r\n" in heard) == (status == 405)


def test_bodies_up_to_the_limit_are_read(server: Plaintext) -> None:
    body = b"GET / HTTP/1.1\r\nContent-Length: 65536\r\n\r\n" + b"a" * 65536
    chunks = b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    assert statuses(server.asked(body + chunks + LAST)) == [200, 200, 200]


def test_older_clients_say_whether_they_stay(server: Plaintext) -> None:
    assert b"\r\nConnection: close\r\n" in server.asked(b"GET / HTTP/1.0\r\n\r\n")
    staying = server.asked(b"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + LAST)
    assert statuses(staying) == [200, 200]
    assert b"\r\nConnection: keep-alive\r\n" in staying


def test_a_client_that_stops_sending_gets_its_answers(server: Plaintext) -> None:
    with server.connect() as connection:
        connection.sendall(GET * 3)
        connection.shutdown(socket.SHUT_WR)
        assert statuses(server.heard(connection)) == [200] * 3


# ---- Whom it does not wait for ----


def test_a_slow_request_is_timed_out(server: Plaintext) -> None:
    with server.connect() as connection:
        began = time.monotonic()
        with suppress(ConnectionError):
            for byte in GET[:-4] * 100:
                connection.sendall(bytes([byte]))
                time.sleep(TIMEOUT_S / 20)
                if connection in readable(connection):
                    break
        assert statuses(server.heard(connection)) == [408]
        assert time.monotonic() - began >= TIMEOUT_S


def readable(connection: socket.socket) -> list[socket.socket]:
    """The connection, if something has come."""
    connection.setblocking(False)
    try:
        connection.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return []
    finally:
        connection.settimeout(PATIENCE_S)
    return [connection]


def test_clients_that_do_not_ask_are_closed(server: Plaintext) -> None:
    """Silent ones, idle ones, and those that send empty lines only."""
    firsts = (b"", GET, b"\r\n")
    with ExitStack() as stack:
        connections = [stack.enter_context(server.connect()) for _ in firsts]
        began = time.monotonic()
        for connection, first in zip(connections, firsts, strict=True):
            connection.sendall(first)
        assert [statuses(server.heard(one)) for one in connections] == [[], [200], []]
        assert time.monotonic() - began >= TIMEOUT_S


def send_for_ever(connection: socket.socket, text: bytes) -> None:
    while True:
        connection.sendall(text)


def test_a_client_that_does_not_read_is_closed(started: tuple[Path, list[str]]) -> None:
    path, arguments = started
    with (
        serving(Plaintext, path, *arguments, exactly=False) as server,
        server.connect() as connection,
        pytest.raises(ConnectionError),
    ):
        send_for_ever(connection, GET * 1000)


def test_one_that_only_sends_is_not_listened_to_for_ever(server: Plaintext) -> None:
    with server.connect() as connection:
        connection.sendall(b"rubbish\r\n\r\n")
        with pytest.raises(ConnectionError):
            send_for_ever(connection, b"a" * 1000)


# ---- Too many ----


def crowd(server: Plaintext, size: int) -> tuple[int, int]:
    """Of so many connections at a time: how many got an answer, and how many were sent away."""
    connections = [server.connect() for _ in range(size)]
    served = refused = 0
    for connection in connections:
        with suppress(ConnectionError):
            connection.sendall(GET)
    for connection in connections:
        try:
            text = connection.recv(1 << 16)
        except ConnectionError:
            text = b""
        served += statuses(text) == [200]
        refused += text == b"" or statuses(text) == [503]
    for connection in connections:
        connection.close()
    server.answered += served
    return served, refused


def test_those_over_the_limit_are_sent_away(started: tuple[Path, list[str]]) -> None:
    path, arguments = started
    with serving(Plaintext, path, *arguments, "--most", "5") as server:
        assert crowd(server, 200) == (5, 195)
        let_leave(server)


def test_those_without_a_descriptor_are_sent_away(started: tuple[Path, list[str]]) -> None:
    path, arguments = started
    threads = arguments[
        0
    ]  # one: where two need the last descriptor, one of them has to wait until there is another
    with serving(Plaintext, path, *arguments, threads, "1", before=FEW_DESCRIPTORS) as server:
        served, refused = crowd(server, 100)
        assert 10 < served < 40
        assert served + refused == 100
        let_leave(server)


def let_leave(server: Plaintext) -> None:
    """Wait until the server has seen that a crowd has gone."""
    for _ in range(PATIENCE_S * 10):
        with suppress(ConnectionError):
            if statuses(server.asked(LAST)) == [200]:
                return
        time.sleep(0.1)


# ---- Their own clients ----


def test_wrk_tells_what_it_saw(started: tuple[Path, list[str]]) -> None:
    path, arguments = started
    done = run(path, *arguments, "--client", "wrk", "--connections", "10", "--seconds", "1", "--json")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert record["operations"] > 10
    times = [record["measured"][f"latency_{name}_ns"] for name in ("p50", "p90", "p99", "max")]
    assert 1e3 < times[0] <= times[1] <= times[2] <= times[3] < PATIENCE_S * 1e9
    assert "latency_p999_ns" not in record["measured"], "wrk does not tell it"


@pytest.mark.parametrize("client", ["own", "churn"])
def test_the_span_holds_every_request(started: tuple[Path, list[str]], client: str) -> None:
    path, arguments = started
    few = ["--client", client, "--connections", "20", "--requests", "20", "--json"]
    record = json.loads(run(path, *arguments, *few).stdout)
    assert record["elapsed_ns"] > record["measured"]["latency_max_ns"]


@pytest.mark.parametrize(("tool", "package"), [("wrk", "wrk"), ("ab", "apache2-utils")])
def test_a_client_that_is_not_installed_is_named(
    started: tuple[Path, list[str]], tool: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, arguments = started
    monkeypatch.setenv("PATH", str(path.parent))
    done = run(path, *arguments, "--client", tool)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"--client {tool} is not installed: it is in Debian's package {package}\n")
    assert done.stderr.count("\n") == 1


def test_a_port_that_is_taken_is_refused(started: tuple[Path, list[str]]) -> None:
    path, arguments = started
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = run(path, *arguments, "--port", port, "--requests", "1", "--connections", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"--port {port} cannot be listened on: Address already in use\n" in done.stderr


def test_client_and_server_have_cpus_of_their_own_where_there_are_enough(
    started: tuple[Path, list[str]],
) -> None:
    path, arguments = started
    few = ["--connections", "2", "--requests", "10", "--json"]
    notes = json.loads(run(path, *arguments, *few).stdout)["notes"]
    assert ("client and server share CPUs" in notes) == (len(os.sched_getaffinity(0)) <= 2)

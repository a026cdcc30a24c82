"""The web servers: what their records say of them, and that none outlives the program that started it."""

import json
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest
from test_peers import PROJECT, System, program_of, run, systems

PATIENCE_S = 60.0
HOURS = ["--connections", "3", "--requests", "99999999977"]


def members(of: int) -> set[int]:
    """The processes that a process has started, and those that these have, that live."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            parents[int(folder.name)] = int(parent)
    found = {of}
    while more := {one for one, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {of}


def live(processes: set[int]) -> set[int]:
    """Those of the processes that have not ended."""
    found = set()
    for one in processes:
        try:
            state = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z":
            found.add(one)
    return found


@pytest.mark.parametrize("system", systems("plaintext"))
@pytest.mark.parametrize("client", ["wrk", "ab"])
def test_other_clients_ask_it(system: System, client: str) -> None:
    few = ["--client", client, "--connections", "5", "--requests", "50", "--seconds", "1", "--json"]
    result = run(system, "plaintext", *few)
    assert result.returncode == 0, result.stderr
    record = json.loads(result.stdout)
    assert record["operations"] == 50 if client == "ab" else record["operations"] > 10
    assert record["cpu_ns"] > 0
    assert "what was answered is counted by the client alone" in record["notes"]


@pytest.mark.parametrize("system", systems("plaintext"))
def test_a_client_is_needed(system: System) -> None:
    result = run(system, "plaintext", "--client", "none")
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "own, churn, wrk or ab" in result.stderr


@pytest.mark.parametrize("system", systems("plaintext"))
def test_a_port_that_is_taken_is_refused(system: System) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        result = run(system, "plaintext", "--port", port)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert f"--port {port} cannot be listened on: Address already in use" in result.stderr


@pytest.mark.parametrize("system", systems("plaintext"))
def test_a_server_ends_with_the_program_that_started_it(system: System, tmp_path: Path) -> None:
    program = str(program_of(PROJECT, system.name, "plaintext"))
    with subprocess.Popen(
        [program, *HOURS],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        deadline = time.monotonic() + PATIENCE_S
        while len(members(process.pid)) < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(1)  # so that the server has all its processes
        started = members(process.pid)
        os.kill(process.pid, signal.SIGKILL)
    assert len(started) >= 2, "the server and its client"
    while live(started) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert live(started) == set()

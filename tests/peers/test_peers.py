"""Every peer that is built here, on every workload, tiny: the record is right, the verification can fail."""

import json
from pathlib import Path
from typing import Any

import progress
import pytest

from actorbench.peers.building import is_built, program_of
from actorbench.peers.manifest import all_peers
from actorbench.project import Project
from actorbench.schema import first_error
from actorbench.system import System

ROOT = Path(__file__).parent.parent.parent
PROJECT = Project(ROOT)

# Each workload tiny, the operations that it then does, and their unit.
TINY: dict[str, tuple[list[str], int, str]] = {
    "static self": (["static", "--sends", "500"], 500, "send"),
    "static main": (["static", "--sends", "500", "--source", "main"], 500, "send"),
    "dynamic self": (["dynamic", "--sends", "200"], 200, "send"),
    "dynamic main": (["dynamic", "--sends", "200", "--source", "main"], 200, "send"),
    "executor": (["executor", "--actors", "40", "--group", "10", "--rounds", "5"], 40 * 51, "message"),
    "repeat": (["repeat", "--servers", "30", "--rounds", "4"], 2 * 30 * 4, "message"),
    "matrix": (["matrix", "--rows", "24"], 24, "row"),
    "ping-pong": (["ping-pong", "--pairs", "3", "--rounds", "50"], 2 * 3 * 50, "message"),
    "thread-ring": (["thread-ring", "--actors", "7", "--hops", "60"], 60, "hop"),
    "thread-ring alone": (["thread-ring", "--actors", "1", "--hops", "5"], 5, "hop"),
    "counting": (["counting", "--messages", "300"], 300, "message"),
    "fork-join": (["fork-join", "--actors", "9", "--messages", "40"], 9 * 40, "message"),
    "big": (["big", "--actors", "5", "--pings", "40"], 2 * 5 * 40, "message"),
    "concdict": (
        ["concdict", "--entities", "5", "--messages", "60", "--keys", "50", "--writes", "30"],
        5 * 60,
        "request",
    ),
    "producer-consumer": (
        ["producer-consumer", "--producers", "5", "--messages", "70", "--batch", "30"],
        5 * 70,
        "message",
    ),
    "open-load": (["open-load", "--messages", "200", "--actors", "5", "--work", "1000"], 200, "message"),
    "actor-creation": (["actor-creation", "--actors", "300", "--spawners", "3"], 300, "actor"),
    "plaintext": (["plaintext", "--connections", "5", "--requests", "100"], 100, "request"),
    "plaintext by depth": (
        ["plaintext", "--connections", "5", "--requests", "105", "--depth", "8"],
        105,
        "request",
    ),
    "plaintext churning": (
        ["plaintext", "--client", "churn", "--connections", "5", "--requests", "30"],
        30,
        "request",
    ),
    "balance-one": (["balance-one", "--actors", "40", "--group", "10", "--rounds", "5"], 40 * 51, "message"),
    # Of two workers, one is loaded.
    "balance-multi": (
        ["balance-multi", "--actors", "40", "--group", "10", "--rounds", "5"],
        40 * 51,
        "message",
    ),
    "fibonacci": (["fibonacci", "--number", "10", "--trees", "3"], 3 * 109, "actor"),
    "philosophers": (["philosophers", "--philosophers", "5", "--meals", "20"], 5 * 20, "meal"),
    "sleeping-barber": (["sleeping-barber", "--haircuts", "30", "--chairs", "4"], 30, "haircut"),
    "bank-transaction": (["bank-transaction", "--accounts", "11", "--transactions", "50"], 50, "transaction"),
    "radix-sort": (["radix-sort", "--numbers", "20", "--bits", "5"], 20 * 6, "message"),
    "filter-bank": (["filter-bank", "--columns", "10", "--samples", "70"], 70, "sample"),
    "cobwebbed-tree": (["cobwebbed-tree", "--nodes", "500"], 491, "node"),
    "facility-location": (["facility-location", "--customers", "77"], 77, "customer"),
    "recursive-matrix": (["recursive-matrix", "--rows", "32", "--threshold", "64"], 73, "task"),
    "apsp": (["apsp", "--nodes", "40", "--block", "8"], 8000, "message"),
    "sor": (["sor", "--side", "7", "--rounds", "10"], 1596, "message"),
    "nqueens": (["nqueens", "--size", "7", "--searchers", "5", "--threshold", "3"], 114, "board"),
}
# By a workload that a system has: its amount, which --scale multiplies, and bad usage.
AMOUNTS = {"static": "sends", "plaintext": "requests"}
BAD = {
    "--workers 0x": "0x",
    "--scale 0": "scale",
    "--nothing 1": "nothing",
    "--{amount} many": "many",
}


def simplest(system: System) -> tuple[str, str]:
    """The workload of a system that every one of its kind has, and the option of its amount."""
    return next((name, amount) for name, amount in AMOUNTS.items() if name in system.workloads)


def built_systems() -> list[System]:
    """The systems that can be run."""
    return [system for peer in all_peers(PROJECT) for system in peer.systems if is_built(PROJECT, system)]


def cases() -> list[Any]:
    """A case for each system and workload; one that is skipped, and says so, if no peer is built."""
    found = [
        pytest.param(system, workload, id=f"{system.name}: {workload}")
        for system in built_systems()
        for workload in TINY
        if TINY[workload][0][0] in system.workloads
    ]
    return found or [pytest.param(None, "", marks=pytest.mark.skip(reason="no peer is built: make peers"))]


def systems(workload: str = "") -> list[Any]:
    """A case for each system, or each that has a workload, as `cases`."""
    found = [
        pytest.param(system, id=system.name)
        for system in built_systems()
        if not workload or workload in system.workloads
    ]
    return found or [pytest.param(None, marks=pytest.mark.skip(reason="no peer is built: make peers"))]


def run(system: System, workload: str, *arguments: str) -> progress.Ended:
    """Run a peer's program, which must not hang."""
    ended = progress.run([str(program_of(PROJECT, system.name, workload)), *arguments])
    assert ended.stuck is None, ended
    return ended


@pytest.mark.parametrize(("system", "workload"), cases())
def test_a_peer_verifies_its_result(system: System, workload: str) -> None:
    (name, *parameters), operations, unit = TINY[workload]
    result = run(system, name, *parameters, "--workers", "2", "--seed", "3", "--json")
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("\n") == 1, f"not one line: {result.stdout!r}"
    record = json.loads(result.stdout)
    assert first_error("record-1", record) is None
    named = {"system": system.name, "design": "native", "build": "release", "workload": name}
    assert {key: record[key] for key in named} == named
    assert record["verified"] is True
    assert (record["operations"], record["unit"], record["workers"]) == (operations, unit, 2)
    given = dict(zip(parameters[::2], parameters[1::2], strict=True))
    assert {f"--{key}": str(value) for key, value in record["parameters"].items()}.items() >= given.items()
    assert record["parameters"]["seed"] == 3
    assert record["peak_rss_bytes"] > 500_000


@pytest.mark.parametrize(("system", "workload"), cases())
def test_a_falsified_expectation_is_caught(system: System, workload: str) -> None:
    name, *parameters = TINY[workload][0]
    result = run(system, name, *parameters, "--workers", "1", "--falsify", "--json")
    assert result.returncode == 1, f"exit status {result.returncode}: {result.stdout}{result.stderr}"
    assert json.loads(result.stdout)["verified"] is False
    assert result.stderr.strip(), "it says what is wrong"


@pytest.mark.parametrize("system", systems())
def test_scale_multiplies_the_work(system: System) -> None:
    name, amount = simplest(system)
    scaled = run(system, name, f"--{amount}", "1000", "--scale", "0.25", "--workers", "1", "--json")
    assert json.loads(scaled.stdout)["operations"] == 250


@pytest.mark.parametrize("system", systems())
@pytest.mark.parametrize("arguments", BAD)
def test_bad_usage_is_one_line(system: System, arguments: str) -> None:
    name, amount = simplest(system)
    result = run(system, name, *arguments.format(amount=amount).split())
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert BAD[arguments] in result.stderr


@pytest.mark.parametrize("system", systems())
def test_help_names_the_options(system: System) -> None:
    for workload in system.workloads:
        result = run(system, workload, "--help")
        assert result.returncode == 0
        for option in ("--workers", "--scale", "--seed", "--json", *(f"--{name}" for name in system.options)):
            assert option in result.stdout, f"{workload} --help lacks {option}"

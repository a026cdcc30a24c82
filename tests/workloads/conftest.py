"""What the tests of the workload programs share: how a program is run, and the record that it must print."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import progress
import pytest

ROOT = Path(__file__).parent.parent.parent
SCHEMA = json.loads((ROOT / "scripts/actorbench/schemas/record-1.json").read_text())

# Small enough for a few milliseconds each, under a sanitizer tenths of a second.
TINY: dict[str, list[str]] = {
    "static self": ["static", "--sends", "5000"],
    "static main": ["static", "--sends", "5000", "--source", "main"],
    "dynamic self": ["dynamic", "--sends", "2000"],
    "dynamic main": ["dynamic", "--sends", "2000", "--source", "main"],
    "executor": ["executor", "--actors", "200", "--group", "20", "--rounds", "5"],
    "repeat": ["repeat", "--servers", "300", "--rounds", "8"],
    "matrix": ["matrix", "--rows", "40"],
    "matrix blocked": ["matrix", "--rows", "43", "--kernel", "blocked"],
    "ping-pong": ["ping-pong", "--pairs", "3", "--rounds", "500"],
    "balance-one": ["balance-one", "--actors", "120", "--group", "12", "--rounds", "5", "--work", "50"],
    "balance-multi": ["balance-multi", "--actors", "120", "--group", "12", "--rounds", "5"],
    "thread-ring": ["thread-ring", "--actors", "30", "--hops", "2000"],
    "counting": ["counting", "--messages", "20000"],
    "fork-join": ["fork-join", "--actors", "50", "--messages", "200"],
    "producer-consumer": ["producer-consumer", "--producers", "7", "--messages", "500", "--batch", "30"],
    "actor-creation": ["actor-creation", "--actors", "3000"],
    "actor-creation by 3": ["actor-creation", "--actors", "1000", "--spawners", "3"],
    "big": ["big", "--actors", "20", "--pings", "60"],
    "concdict": ["concdict", "--entities", "9", "--messages", "200", "--keys", "100", "--writes", "30"],
    "concsll": ["concsll", "--entities", "7", "--messages", "150", "--keys", "200", "--writes", "30"],
    "matrix-search": [
        *["matrix-search", "--controllers", "3", "--searchers", "4"],
        *["--rows", "60", "--columns", "50", "--puzzles", "5"],
    ],
}


DESIGNS = ["message-centric", "actor-centric"]


def program(config: str, name: str, design: str = "message-centric") -> Path:
    """The path of a workload program; `make CONFIG=config` builds it."""
    path = ROOT / "build" / config / design / name
    assert path.exists(), f"{path} is not built"
    return path


def run(path: Path, *arguments: str) -> progress.Ended:
    """Run a program, which must not hang."""
    ended = progress.run([str(path), *arguments])
    assert ended.stuck is None, ended
    return ended


def verified_record(
    config: str, name: str, *arguments: str, design: str = "message-centric"
) -> dict[str, Any]:
    """Run a program with --json and return its record, which must be whole, valid and verified."""
    result = run(program(config, name, design), *arguments, "--json")
    assert result.returncode == 0, f"exit status {result.returncode}: {result.stderr}"
    assert result.stdout.count("\n") == 1, f"not one line: {result.stdout!r}"
    record: dict[str, Any] = json.loads(result.stdout)
    jsonschema.validate(record, SCHEMA)
    assert record["verified"] is True
    assert record["build"] == config
    assert record["design"] == design
    if "statistics" in record:
        assert record["statistics"]["messages_sent"] == record["statistics"]["messages_received"]
    return record


SANITIZED = ["asan", "clang-tsan"]


@pytest.fixture(params=["release", *SANITIZED])
def config(request: pytest.FixtureRequest) -> str:
    """Every configuration in which `make check` builds all programs."""
    return str(request.param)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run a workload under a line of options in release and by one sanitizer only, the two by turns.

    What they look for depends on the code that runs: that of a line both see in other workloads, that of a
    workload under other lines.
    """
    kept, left_out = [], []
    for item in items:
        callspec = getattr(item, "callspec", None)
        values = dict(callspec.params) if callspec else {}
        by_turns = "workload" in values and values.get("config") in SANITIZED
        turn = sum(index for name, index in callspec.indices.items() if name != "config") if by_turns else 0
        out = by_turns and values["config"] == SANITIZED[turn % 2]
        (left_out if out else kept).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept

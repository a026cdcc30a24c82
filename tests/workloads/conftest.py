"""What the tests of the workload programs share: how a program is run, and the record that it must print."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import progress
import pytest

from actorbench.schema import first_error

ROOT = Path(__file__).parent.parent.parent

DESIGNS = sorted(folder.name.replace("_", "-") for folder in (ROOT / "core").glob("*_centric"))
# What workloads/workloads.toml says of each workload, by its name.
WORKLOADS: dict[str, Any] = tomllib.loads((ROOT / "workloads/workloads.toml").read_text())
del WORKLOADS["schema"]


def has_main(source: Path) -> bool:
    """Whether a source is a program, not only linked with some."""
    return re.search(r"^int main\(", source.read_text(), re.MULTILINE) is not None


def tiny(workload: str) -> list[str]:
    """A short run of a workload: its name and arguments."""
    return [workload, *WORKLOADS[workload]["tests"][0].split()]


# Every short run of every workload that has a runtime, as a command line.
RUNS = [
    f"{name} {arguments}"
    for name, workload in WORKLOADS.items()
    if not workload.get("bare")
    for arguments in workload["tests"]
]


def said(key: str) -> list[tuple[str, Any]]:
    """Every command line that the manifest says something of, under this key, and what it says."""
    return [
        (f"{name} {arguments}", meaning)
        for name, workload in WORKLOADS.items()
        for arguments, meaning in workload.get(key, {}).items()
    ]


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
    assert first_error("record-1", record) is None
    assert record["verified"] is True
    assert record["build"] == config
    assert record["design"] == design
    counted = record.get("statistics", {})
    assert counted.get("messages_sent") == counted.get("messages_received")
    return record


SANITIZED = ["asan", "clang-tsan"]


@pytest.fixture(params=["release", *SANITIZED])
def config(request: pytest.FixtureRequest) -> str:
    """Every configuration in which `make check` builds all programs."""
    return str(request.param)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run one pair in two of a workload and a line of options in release, one in sixteen under sanitizers.

    What they look for depends on the code that runs: that of a line both see in other workloads, that of a
    workload under other lines. Those under sanitizers are not among those in release.
    """
    turns = {"release": (2, 0), "asan": (16, 1), "clang-tsan": (16, 9)}
    kept, left_out = [], []
    for item in items:
        callspec = getattr(item, "callspec", None)
        values = dict(callspec.params) if callspec else {}
        every, first = turns[values["config"]] if "command" in values and "config" in values else (1, 0)
        turn = sum(index for name, index in callspec.indices.items() if name != "config") if callspec else 0
        (kept if turn % every == first else left_out).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept

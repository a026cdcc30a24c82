"""What the tests of the workload programs share: how a program is run, and the record that it must print."""

import json
import os
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

ROOT = Path(__file__).parent.parent.parent
SCHEMA = json.loads((ROOT / "scripts/actorbench/schemas/record-1.json").read_text())

DESIGNS = sorted(folder.name.replace("_", "-") for folder in (ROOT / "core").glob("*_centric"))
# What workloads/workloads.toml says of each workload, by its name.
WORKLOADS: dict[str, Any] = tomllib.loads((ROOT / "workloads/workloads.toml").read_text())
del WORKLOADS["schema"]


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


def run(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program; more than a minute is a hang."""
    return subprocess.run(
        [str(path), *arguments], capture_output=True, text=True, timeout=60, check=False, env=dict(os.environ)
    )


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


@pytest.fixture(params=["debug", "asan", "tsan", "clang", "clang-tsan", "statistics", "release"])
def config(request: pytest.FixtureRequest) -> str:
    """Every configuration that `make check` builds."""
    return str(request.param)


@pytest.fixture(params=["debug", "asan", "tsan", "release"])
def thorough_config(request: pytest.FixtureRequest) -> str:
    """The configurations in which all of a large covering set is run."""
    return str(request.param)

"""Fuzzing what the driver reads in folders, and its own command line: read, or refused with one line.

The files are those that people write (peers' manifests), that other tools write (hyperfine's JSON), and that
the driver wrote itself (runs, histories), which an editor, a merge or another version may have changed. As
test_fuzz.py.
"""

import json
import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from hypothesis import example, given
from hypothesis import strategies as st

from actorbench.cli import main
from actorbench.errors import UserError
from actorbench.experiment import parse_toml
from actorbench.gate.history import noise_of, read_history
from actorbench.hyperfine import read_export
from actorbench.measure import MEASURES
from actorbench.peers.manifest import all_peers
from actorbench.project import Project
from actorbench.results import Results, load_results
from actorbench.store import Run
from conftest import LINES, PRESETS, SOURCE
from test_fuzz import fuzzed, mutated, refused_in_one_line, toml_of
from test_record import RECORD

MANIFEST = parse_toml((SOURCE / "peers" / "caf" / "peer.toml").read_text(), "x")
EXPORT = {"results": [{"command": "x --y", "times": [0.5, 0.25], "exit_codes": [0, 1]}]}
ENTRY = {
    "schema": 1,
    "gate": "20260101T000000Z-gate",
    "seed": 7,
    "cell": "k",
    "measure": "elapsed",
    "pairs": 20,
    "ratio": 1.01,
    "spread": 0.02,
    "outliers": 0.1,
    "commit": "abc",
}
CELL = {
    "config": "release",
    "design": "message-centric",
    "workload": "executor",
    "workers": 2,
    "scale": 0.5,
    "options": {"queue": "copy"},
    "parameters": {},
}
HEAD = {
    "schema": 1,
    "kind": "sweep",
    "preset": "quick",
    "presets_text": PRESETS,
    "experiments": [{"file": "plots/lines.toml", "text": LINES}],
    "seed": 7,
    "timeout_s": 60,
    "workers": [1, 2],
    "cpus": 2,
    "machine": {"commit": "abc", "load": 0.1},
    "plan": {"cells": [CELL], "rounds": [[0]] * 7},
    "goal": {"budget_s": 60, "precision": None, "most_rounds": 10, "checkpoints": [10], "fitted": False},
}


@contextmanager
def folder() -> Iterator[Path]:
    """Make a folder for one example."""
    with TemporaryDirectory() as name:
        yield Path(name)


@given(mutated(MANIFEST))
@fuzzed
def test_any_manifest_of_a_peer_is_read_or_refused(document: Any) -> None:  # noqa: ANN401
    with folder() as root:
        (root / "peers" / "x").mkdir(parents=True)
        text = "\n".join(f"{json.dumps(key)} = {toml_of(value)}" for key, value in document.items())
        (root / "peers" / "x" / "peer.toml").write_text(text, encoding="utf-8", errors="surrogatepass")
        peers = refused_in_one_line(lambda: all_peers(Project(root)), UserError)
    for peer in peers if isinstance(peers, list) else []:
        for system in peer.systems:
            assert set(system.name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
            assert system.workloads


@given(mutated(EXPORT))
@fuzzed
def test_any_export_of_hyperfine_is_read_or_refused(document: Any) -> None:  # noqa: ANN401
    with folder() as root:
        (root / "export.json").write_text(json.dumps(document))
        found = refused_in_one_line(lambda: read_export(root / "export.json", "export.json"), UserError)
    for whole in found if isinstance(found, list) else []:
        assert whole.median >= 0


@given(st.lists(mutated(ENTRY), max_size=3))
@fuzzed
def test_any_history_is_read_or_refused(documents: list[Any]) -> None:
    with folder() as root:
        (root / "history.jsonl").write_text("\n".join(json.dumps(one) for one in [ENTRY, *documents]))
        entries = refused_in_one_line(lambda: read_history(root / "history.jsonl"), UserError)
    if isinstance(entries, list):
        noise = noise_of(entries, "k", "elapsed")
        assert noise is not None
        assert noise.tail >= 0


@given(st.binary(max_size=200))
@fuzzed
def test_any_bytes_are_read_or_refused_as_files(content: bytes) -> None:
    with folder() as root:
        file = root / "peers" / "x" / "peer.toml"
        file.parent.mkdir(parents=True)
        file.write_bytes(content)
        refused_in_one_line(lambda: all_peers(Project(root)), UserError)
        refused_in_one_line(lambda: read_export(file, "peer.toml"), UserError)
        refused_in_one_line(lambda: read_history(file), UserError)


def sample(number: int) -> dict[str, Any]:
    """Write a sample of the one cell as the store has it."""
    key = shlex.join(
        ["release/message-centric/executor", "--workers", "2", "--scale", "0.5", "--queue", "copy"]
    )
    return {
        "cell": key,
        "round": number,
        "position": 0,
        "started": "2026",
        "padding": 1,
        "wall_ns": 5000,
        "exit_status": 0,
        "signal": None,
        "record": RECORD | {"elapsed_ns": 2000 + number**3},
        "failure": None,
    }


def write_run(root: Path, document: object, samples: list[Any]) -> Run:
    """Write a run's folder."""
    run = Run(root / "results" / "x")
    run.folder.mkdir(parents=True)
    (run.folder / "run.json").write_text(json.dumps(document))
    run.samples_file.write_text("".join(json.dumps(one) + "\n" for one in samples))
    return run


def look_at(results: Results) -> int:
    """Estimate all that was measured; returns how many intervals there were."""
    intervals = 0
    for result in results.by_cell.values():
        for measure in MEASURES.values():
            estimate = results.estimate(result.cell, measure)
            if estimate is not None and estimate.low is not None and estimate.high is not None:
                assert estimate.low <= estimate.value <= estimate.high
                intervals += 1
    return intervals


SAMPLES = [sample(number) for number in range(7)]


def test_the_run_that_is_mutated_is_read() -> None:
    """Seven samples, since fewer than six have no interval."""
    with folder() as root:
        results = load_results(write_run(root, HEAD, SAMPLES))
    assert [len(result.samples) for result in results.by_cell.values()] == [7]
    assert look_at(results) > 10


@given(mutated(HEAD))
@fuzzed
def test_any_head_of_a_run_is_read_or_refused(document: Any) -> None:  # noqa: ANN401
    with folder() as root:
        run = write_run(root, document, SAMPLES)
        results = refused_in_one_line(lambda: load_results(run), UserError)
    if isinstance(results, Results):
        look_at(results)


@given(mutated(SAMPLES))
@fuzzed
def test_any_samples_of_a_run_are_read_or_refused(samples: Any) -> None:  # noqa: ANN401
    with folder() as root:
        run = write_run(root, HEAD, samples)
        results = refused_in_one_line(lambda: load_results(run), UserError)
    if isinstance(results, Results):
        look_at(results)


# What measures or changes the machine (gate, doctor --fix) is left out; without programs nothing can be run.
COMMANDS = [
    "list",
    "peers",
    "plan",
    "run",
    "sweep",
    "figures",
    "compare",
    "report",
    "replay",
    "export",
    "import",
]
WORDS = ["executor", "lines", "x", "results/x", "--run", "--workers", "--samples", "--timeout", "--preset"]
WORDS += ["--seed", "--format", "csv", "pyperf", "--only", "--base", "--candidate", "--budget", "--precision"]
WORDS += [
    "--resume",
    "--config",
    "--design",
    "--json",
    "--queue=copy",
    "--",
    "-",
    "0",
    "1..all",
    "-1",
    "1e999",
    "",
]
words = st.lists(st.sampled_from(WORDS) | st.text(st.characters(codec="utf-8"), max_size=12), max_size=5)


@given(st.sampled_from(COMMANDS) | st.text(max_size=12), words)
@example("sweep", ["lines", "--workers", "\n"])
@fuzzed
def test_any_command_line_is_done_or_refused(command: str, arguments: list[str]) -> None:
    said, printed = StringIO(), StringIO()
    with (
        folder() as root,
        patch.dict(os.environ, {"ACTORBENCH_ROOT": str(root), "ACTORBENCH_LOCKS": str(root)}),
    ):
        (root / "plots").mkdir()
        (root / "plots" / "presets.toml").write_text(PRESETS)
        (root / "plots" / "lines.toml").write_text(LINES)
        write_run(root, HEAD, SAMPLES)
        with redirect_stderr(said), redirect_stdout(printed):
            status = main([command, *arguments])
    assert status in (0, 2)
    if status == 2:
        assert said.getvalue().startswith("actorbench: ")
        assert said.getvalue().count("\n") == 1

"""Exchange: what other tools read of our runs, and what we read of theirs."""

import csv
import io
import json
import os
import stat
import statistics
from collections import defaultdict
from pathlib import Path
from typing import Any

import pyperf  # type: ignore[import-untyped]
import pytest

from actorbench.hyperfine import read_export
from actorbench.measure import MEASURES
from actorbench.results import load_results
from actorbench.store import all_runs
from conftest import Checkout

HYPERFINE = {
    "results": [
        {
            "command": "sleep 0.1 <b>",
            "median": 0.1,
            "times": [0.101, 0.1, 0.102, 0.11, 0.1, 0.1],
            "exit_codes": [0] * 6,
        },
        {"command": "false", "median": 0.2, "times": [0.2, 0.3], "exit_codes": [1, 0]},
    ]
}


def exported(checkout: Checkout, capsys: pytest.CaptureFixture[str], name: str, *arguments: str) -> str:
    """Export the only run; gives the text."""
    capsys.readouterr()
    assert checkout.call("export", checkout.only_run().name, "--format", name, *arguments) == 0
    return capsys.readouterr().out


def test_pyperf_loads_its_export(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    checkout.call("sweep", "lines", "--workers", "1,2", "--samples", "4")
    file = tmp_path / "pyperf.json"
    exported(checkout, capsys, "pyperf", "--output", str(file))
    suite = pyperf.BenchmarkSuite.load(str(file))
    results = load_results(checkout.only_run())
    assert len(suite) == len(results.by_cell) == 4
    for key, result in results.by_cell.items():
        benchmark = suite.get_benchmark(key)
        assert benchmark.get_nrun() == 4
        values = results.values(result.cell, MEASURES["time_per_operation"])
        assert benchmark.median() == pytest.approx(statistics.median(values) / 1e9)
        assert benchmark.get_unit() == "second"
        assert benchmark.get_dates() is not None
    assert suite.get_metadata()["actorbench_run"] == results.name


def partitioned(document: dict[str, Any]) -> dict[str, list[tuple[float, float]]]:
    """Read Google Benchmark's JSON as its tools/gbench does: sort, group by name, take both times."""
    benchmarks = sorted(
        document["benchmarks"], key=lambda one: (one["family_index"], one["repetition_index"])
    )
    found = defaultdict(list)
    for one in benchmarks:
        assert one["run_type"] == "iteration"
        assert one["time_unit"] == "ns"
        assert one["per_family_instance_index"] == 0
        assert one["run_name"] == one["name"]
        found[one["name"]].append((one["real_time"], one["cpu_time"]))
    return found


def test_google_benchmark_reads_its_export(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.call("sweep", "lines", "--workers", "1,2", "--samples", "4")
    document = json.loads(exported(checkout, capsys, "google-benchmark"))
    assert document["context"]["library_build_type"] == "release"
    results = load_results(checkout.only_run())
    found = partitioned(document)
    assert list(found) == list(results.by_cell)
    for key, result in results.by_cell.items():
        real = results.values(result.cell, MEASURES["time_per_operation"])
        cpu = results.values(result.cell, MEASURES["cpu_per_operation"])
        assert found[key] == list(zip(real, cpu, strict=True))
    assert document["context"]["num_cpus"] == results.head.cpus


def test_google_benchmark_is_told_the_build(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.program("executor", config="debug")
    text = (checkout.root / "plots" / "lines.toml").read_text()
    debug = text.replace('workload = "executor"', 'workload = "executor"\nconfig = "debug"')
    checkout.experiment(debug, "lines")
    assert checkout.call("sweep", "lines", "--workers", "1", "--samples", "1") == 0
    document = json.loads(exported(checkout, capsys, "google-benchmark"))
    assert document["context"]["library_build_type"] == "debug"


def test_what_is_no_file_is_written_in_place(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """As /dev/stdout is: a link, of root's to remove, to a pipe, a terminal or a file."""
    checkout.call("sweep", "lines", "--workers", "1", "--samples", "1")
    text = exported(checkout, capsys, "csv")
    pipe, file, link = tmp_path / "pipe", tmp_path / "file.csv", tmp_path / "link.csv"
    os.mkfifo(pipe)
    link.symlink_to(file)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    for path in (pipe, link):
        exported(checkout, capsys, "csv", "--output", str(path))
    assert os.read(reader, 1 << 16).decode() == file.read_text() == text
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert link.is_symlink()


def test_csv_has_every_sample(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.program("executor", "[ $queue = list ] && exit 9; record")
    assert checkout.call("sweep", "lines", "--workers", "1", "--samples", "2") == 4
    rows = list(csv.DictReader(io.StringIO(exported(checkout, capsys, "csv"))))
    assert [(row["failure"] == "", row["elapsed_ns"] == "") for row in rows if "copy" in row["cell"]] == [
        (True, False)
    ] * 2
    failed = [row for row in rows if "list" in row["cell"]]
    assert [row["failure"] for row in failed] == ["exit status: exit status 9"] * 2
    assert {row["elapsed_ns"] for row in failed} == {""}
    assert rows[0]["workers"] == "1"


@pytest.mark.parametrize("name", ["pyperf", "google-benchmark"])
def test_failed_cells_are_left_out_aloud(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    checkout.program("executor", "[ $queue = list ] && exit 9; record")
    checkout.call("sweep", "lines", "--workers", "1")
    run = checkout.only_run().name
    capsys.readouterr()
    assert checkout.call("export", run, "--format", name) == 0
    said = capsys.readouterr()
    assert "1 failed cells have no value and are left out" in said.err
    assert (
        len({one.get("name") or one["metadata"]["name"] for one in json.loads(said.out)["benchmarks"]}) == 1
    )


@pytest.mark.parametrize("name", ["pyperf", "google-benchmark"])
def test_a_run_without_values_is_refused(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    checkout.program("executor", "exit 9")
    checkout.call("sweep", "lines", "--workers", "1")
    run = checkout.only_run().name
    capsys.readouterr()
    assert checkout.call("export", run, "--format", name) == 2
    assert "no cell with a value" in capsys.readouterr().err


def test_a_file_of_hyperfine_becomes_a_run(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "theirs.json"
    file.write_text(json.dumps(HYPERFINE))
    assert checkout.call("import", str(file)) == 0
    out = capsys.readouterr().out
    assert "0.1005 [0.1000, 0.1100] (n=6)" in out
    assert "imported from theirs.json" in out
    (run,) = all_runs(checkout.project)
    assert checkout.call("list") == 0
    assert "whole-process" in capsys.readouterr().out
    assert checkout.call("figures", "--run", run.name) == 0
    assert "sleep 0.1 <b>" in capsys.readouterr().out
    assert checkout.call("report", run.name) == 0
    page = (run.folder / "report.html").read_text()
    assert "sleep 0.1 &lt;b&gt;" in page
    assert "2 runs, 1 failed" in page
    assert page.count('<svg class="samples"') == 2
    assert (run.folder / "hyperfine.json").read_text() == file.read_text()
    capsys.readouterr()
    assert checkout.call("sweep", "--resume", run.name) == 2
    assert "is a run of kind 'whole-process', where a sweep is needed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is no JSON of hyperfine"),
        ("[]", "is no JSON of hyperfine"),
        ('{"results": []}', "holds no results"),
        ('{"results": [{"command": "x", "times": []}]}', "'times' must be"),
        ('{"results": [{"command": "x", "times": [NaN]}]}', "'times' must be"),
        ('{"results": [{"command": "x", "times": ["a"]}]}', "is no JSON of hyperfine"),
        ("[" * 100_000, "is no JSON of hyperfine"),
    ],
)
def test_another_file_is_refused(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "theirs.json"
    file.write_text(text)
    assert checkout.call("import", str(file)) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
    assert not (checkout.root / "results").exists()


def test_the_times_are_hyperfines(tmp_path: Path) -> None:
    file = tmp_path / "theirs.json"
    file.write_text(json.dumps(HYPERFINE))
    first, second = read_export(file, "theirs")
    assert (first.times[3], first.failed, second.median, second.failed) == (0.11, 0, 0.25, 1)

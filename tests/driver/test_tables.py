"""Tables, ratios and figures of small runs with fake programs."""

import csv
import io
import os
import shutil
from pathlib import Path

import pytest
from rich.console import Console

from actorbench.estimates import Estimate, Standing
from actorbench.machine.sources import Sources
from actorbench.measure import MEASURES
from actorbench.ratios import compare_rows
from actorbench.results import Results, load_results
from actorbench.table import Column, Table
from actorbench.text import counted
from actorbench.wording import estimate_text, number_text
from conftest import Checkout


def results_of(checkout: Checkout, *arguments: str) -> Results:
    """Sweep and load what came of it."""
    checkout.call("sweep", *arguments, "--seed", "3")
    return load_results(checkout.only_run())


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.012345, "0.01235"), (1.23456, "1.235"), (123.456, "123.5"), (1234567, "1,234,567")],
)
def test_numbers_have_four_digits(value: float, text: str) -> None:
    assert number_text(value) == text


def test_an_estimate_is_written_with_its_interval() -> None:
    measure = MEASURES["elapsed"]
    assert estimate_text(Estimate(1.5, 1.25, 2, 10, Standing.ENOUGH), measure, None) == "1.500 [1.250, 2.000]"
    assert estimate_text(Estimate(1.5, None, None, 4, Standing.TOO_FEW), measure, None) == "1.500 (n=4)"
    assert estimate_text(None, measure, "failed: crash (1 of 3)") == "failed: crash (1 of 3)"
    count = Estimate(32040000, 1, 2, 10, Standing.ENOUGH)
    assert estimate_text(count, MEASURES["gulps"], None) == "32,040,000"


def test_ratios_have_verdicts_and_targets(checkout: Checkout) -> None:
    results = results_of(checkout, "ratios", "--samples", "10")
    time, speedup, memory = compare_rows(results, results.experiments[0])
    assert time.ratio is not None
    assert time.ratio.ratio == pytest.approx(0.5, rel=0.01)
    assert (time.verdict, time.target) == ("faster", "at most 1: met")
    assert speedup.ratio is not None
    assert speedup.ratio.ratio == pytest.approx(2, rel=0.01)
    assert (speedup.verdict, speedup.target) == ("faster", "at least 5: not met")
    assert (memory.verdict, memory.target) == ("not told apart", "")
    assert time.direction == "time per operation of candidate / of base; under 1 is faster"
    assert speedup.direction == "speed-up: time per operation of base / of candidate; over 1 is faster"
    assert memory.direction == "peak memory of candidate / of base; under 1 is less"


def test_few_samples_tell_nothing_apart(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    results = results_of(checkout, "ratios", "--samples", "4")
    rows = compare_rows(results, results.experiments[0])
    assert [row.verdict for row in rows] == ["too few samples"] * 3
    assert rows[0].target == "at most 1: undecided"
    out = capsys.readouterr().out
    assert "too few samples: 6 are needed" in out
    assert "3 comparisons need 7 samples" in out


def test_a_failed_cell_has_no_ratio(checkout: Checkout) -> None:
    checkout.program("executor", "[ $queue = list ] && exit 9; record")
    results = results_of(checkout, "ratios")
    row = compare_rows(results, results.experiments[0])[0]
    assert row.ratio is None
    assert row.verdict == "failed: exit status (2 of 2)"
    assert row.target == "at most 1: undecided"


def test_one_failure_takes_the_cell_its_estimate(
    checkout: Checkout, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    once = tmp_path / "once"
    checkout.program("executor", f"[ -e {once} ] || {{ touch {once}; exit 9; }}; record")
    assert checkout.call("sweep", "table", "--workers", "1", "--samples", "8") == 4
    assert "failed: exit status (1 of 8)" in capsys.readouterr().out


def test_tables_are_aligned(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.call("figures", "table", "--workers", "1")
    out = capsys.readouterr().out.splitlines()
    start = next(i for i, line in enumerate(out) if "peak memory (MiB)" in line)
    head, rule, *rows = out[start : start + 4]
    assert set(rule) == {"─"}
    assert all(len(row) == len(head) for row in rows)
    assert "not in the record" in rows[0], "a release build counts no missed gulps"
    text = (checkout.only_run().folder / "tables.md").read_text()
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert len({len(line) for line in lines}) == 1
    assert "list \\| with a bar" in text


def test_the_thesis_preset_marks_its_intervals(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.call("sweep", "table", "--preset", "thesis", "--workers", "1")
    out = capsys.readouterr().out
    assert "under the floor: intervals drawn as the thesis draws them; 6 are needed for 95 %" in out
    assert "[95 % interval, percentile bootstrap]" in out
    assert "] (n=5)" in out


def test_more_workers_than_cpus_are_marked(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    cpus = len(os.sched_getaffinity(0))
    checkout.call("figures", "lines", "--workers", f"1,{cpus + 1}")
    out = capsys.readouterr().out
    assert f"{cpus + 1} (oversubscribed)" in out
    assert f"oversubscribed: more workers than the {counted(cpus, 'CPU')} that" in out
    svg = (checkout.only_run().folder / "figures" / "lines.svg").read_text()
    assert "oversubscribed" in svg


def test_one_thing_is_not_written_as_several(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sources, "allowed_cpus", lambda _: [0])
    told = ("--workers", "1,2", "--samples", "1", "--only", "--workers 2 --scale 0.5 --queue copy")
    assert checkout.call("sweep", "lines", *told) == 0
    out = capsys.readouterr().out
    assert "oversubscribed: more workers than the 1 CPU that the run could use" in out
    assert "1 cell, 1 sample in 1 round, preset quick" in out
    assert checkout.call("sweep", "lines", *told, "--dry-run") == 0
    assert (
        "oversubscribed, more workers than the 1 CPU: 1 cell\n1 cell, 1 sample: " in capsys.readouterr().out
    )


def test_figures_are_written_and_drawn_again(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    assert checkout.call("figures", "--workers", "1,2") == 0
    folder = checkout.only_run().folder
    heads = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}
    for suffix, head in heads.items():
        assert (folder / "figures" / f"lines.{suffix}").read_bytes().startswith(head)
    rows = list(csv.DictReader((folder / "tables" / "lines.csv").open()))
    assert [(row["label"], row["workers"], row["samples"]) for row in rows] == [
        ("copy", "1", "3"),
        ("copy", "2", "3"),
        ("list", "1", "3"),
        ("list", "2", "3"),
    ]
    first = (folder / "tables.md").read_text()
    shutil.rmtree(folder / "figures")
    capsys.readouterr()
    checkout.experiment("garbage", "lines")
    assert checkout.call("figures", "--run", folder.name) == 0, "a run is drawn from its own experiments"
    assert (folder / "figures" / "lines.png").exists()
    assert (folder / "tables.md").read_text() == first
    assert f"{folder.name}/figures/" in capsys.readouterr().out


@pytest.mark.skipif(shutil.which("gnuplot") is None, reason="gnuplot is missing")
def test_gnuplot_draws_in_the_terminal(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    title = 'A "title" with `date` and $(date), 100 %'
    text = (
        (checkout.root / "plots" / "lines.toml")
        .read_text()
        .replace("Executor: queues", title.replace('"', '\\"'))
    )
    checkout.experiment(text, "lines")
    assert checkout.call("figures", "lines", "--workers", "1,2") == 0
    out = capsys.readouterr().out
    assert title in out
    assert "copy ***A***" in out
    assert "list ###B###" in out


def test_without_gnuplot_one_line_says_so(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout.call("sweep", "lines", "--workers", "1")
    monkeypatch.setenv("PATH", str(checkout.root))
    assert checkout.call("figures", "--run", checkout.only_run().name) == 0
    assert "gnuplot is missing" in capsys.readouterr().out


def printed(width: int, *, terminal: bool = True) -> str:
    table = Table(
        "Times",
        [Column("what was measured", numeric=False), Column("time"), Column("ratio")],
        [["copy queue", "0.08195 [0.07590, 0.09013]", "1.000"], ["list", "12.5", "1,234"]],
        ["a note"],
    )
    told = io.StringIO()
    console = Console(file=told, width=width, force_terminal=terminal, color_system=None)
    table.print(console)
    return told.getvalue()


@pytest.mark.parametrize("width", [20, 30, 40, 46, 60, 100])
def test_no_number_is_broken_however_narrow_the_terminal(width: int) -> None:
    shown = printed(width)
    for number in ("0.08195 [0.07590, 0.09013]", "1.000", "12.5", "1,234"):
        assert number in shown
    if width >= 46:
        assert "time: " not in shown, "it is a table"


@pytest.mark.parametrize("width", range(20, 60, 3))
def test_no_word_of_a_text_is_broken_or_lost_either(width: int) -> None:
    """As `run` shows what a program says of itself: it was broken at 40 columns."""
    rows = [["time per operation", "16.97 ns"], ["options", "mailboxes 0, mailboxes_per_worker 16, seed 1"]]
    told = io.StringIO()
    table = Table("run", [Column("", numeric=False), Column("", numeric=False)], rows)
    table.print(Console(file=told, width=width, force_terminal=True, color_system=None))
    assert sorted(told.getvalue().split()) == sorted(" ".join(["run", *rows[0], *rows[1]]).split())


def test_a_row_that_does_not_fit_is_a_block_of_lines() -> None:
    assert "\nwhat was measured: list\ntime: 12.5\nratio: 1,234\n" in printed(30)


@pytest.mark.parametrize("width", [20, 200])
def test_what_goes_into_a_pipe_is_a_table_and_is_not_padded(width: int) -> None:
    shown = printed(width, terminal=False)
    assert all(line == line.rstrip() for line in shown.splitlines())
    assert "0.08195 [0.07590, 0.09013]   1.000\n" in shown

"""The Python interface: its frames hold the samples, and what it computes is what the tables show."""

import csv
import doctest
import io
import json
import subprocess
import sys

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

import actorbench
from actorbench import interface
from actorbench.comparing import compare_pairs, partners
from actorbench.drawing.figure_files import STYLE, draw_figure
from actorbench.errors import UserError
from actorbench.project import Project
from actorbench.results import load_results
from actorbench.sides import side_of
from actorbench.store import Run, all_kept_runs, all_runs
from actorbench.tables import csv_for
from conftest import SOURCE, Checkout

NUMBERS = ["value", "low", "high"]


@pytest.fixture
def runs(checkout: Checkout) -> list[Run]:
    """Two runs of two experiments, of 8 rounds with 1 and 2 workers."""

    def measure() -> None:
        for _ in range(2):
            assert checkout.call("sweep", "lines", "table", "--samples", "8", "--workers", "1,2") == 0

    checkout.once("two-runs", measure)
    return all_runs(checkout.project)


def test_the_examples_hold(runs: list[Run]) -> None:
    names = {"run": runs[0].name, "other": runs[1].folder}
    done = doctest.testmod(interface, extraglobs=names)
    assert done.attempted >= 10
    assert done.failed == 0


def test_a_frame_has_a_row_a_sample(runs: list[Run]) -> None:
    frame = actorbench.load(runs[0].name)
    lines = [json.loads(line) for line in runs[0].samples_file.read_text().splitlines()]
    assert len(frame) == len(lines)
    told = sorted((line["cell"], line["round"], line["record"]["elapsed_ns"] / 1e9) for line in lines)
    assert sorted(zip(frame["cell"], frame["round"], frame["elapsed"], strict=True)) == told
    assert set(frame["--queue"]) == {"copy", "list"}
    assert (frame["failure"] == "").all()
    assert "gulps" not in frame.columns, "which no record has"


def test_a_failed_sample_is_kept_and_its_cell_has_no_value(checkout: Checkout) -> None:
    checkout.program("executor", "[ $queue = list ] && [ $workers = 2 ] && kill -SEGV $$; record")
    assert checkout.call("sweep", "lines", "--samples", "2", "--workers", "1,2") == 4
    frame = actorbench.load(checkout.only_run().name, "lines")
    failed = frame[frame["failure"] != ""]
    assert len(failed) == 2
    assert failed["elapsed"].isna().all()
    points = actorbench.to_curves(frame)
    (wrong,) = points[points["value"].isna()].to_dict("records")
    assert (wrong["label"], wrong["workers"]) == ("list", 2)
    assert wrong["trouble"].startswith("2 of 2 failed: crash")
    (one, other) = actorbench.to_ratios(frame, "--queue copy", "--queue list").to_dict("records")
    assert (one["verdict"], other["verdict"]) == ("too few samples", f"B {wrong['trouble']}")


def estimates_in(text: str) -> dict[tuple[str, str, str], list[float]]:
    return {
        (row["label"], row["command"], row["measure"]): [
            float(row[name] or "nan") for name in ("median", "low", "high")
        ]
        for row in csv.DictReader(io.StringIO(text))
        if row["median"]
    }


@pytest.mark.parametrize("preset", ["quick", "thesis"])
def test_curves_are_those_of_the_figures_and_tables(preset: str) -> None:
    """Of kept runs: under the thesis' preset a bootstrap draws the intervals."""
    run = next(one for one in all_kept_runs(Project(SOURCE)) if one.head().preset == preset)
    results = load_results(run)
    compared = 0
    for shown in results.experiments:
        if not shown.series or shown.speedup:
            continue
        wanted = estimates_in(csv_for(results, shown))
        frame = actorbench.load(run.folder, shown.id)
        for measure in set(shown.measures) & set(frame.columns):
            points = actorbench.to_curves(frame, measure).dropna(subset="value")
            found = {
                (row["label"], row["cell"], measure): [row[name] for name in NUMBERS]
                for row in points.to_dict("records")
            }
            assert found == {key: numbers for key, numbers in wanted.items() if key[2] == measure}
            compared += len(found)
    assert compared > 10


def test_ratios_are_those_of_compare(runs: list[Run]) -> None:
    results = load_results(runs[0])
    pairs = partners(results, {"queue": "copy"}, {"queue": "list"})
    rows = compare_pairs(results, pairs, ("A", "B"), "elapsed").rows
    found = actorbench.to_ratios(
        actorbench.load(runs[0].folder), "--queue copy", {"--queue": "list"}, "elapsed"
    )
    wanted = [
        (one.candidate.workers, one.ratio.ratio, one.ratio.low, one.ratio.high, one.adjusted, one.verdict)
        for one in rows
        if one.ratio
    ]
    columns = ["workers", "ratio", "low", "high", "p_value_holm", "verdict"]
    assert list(found[columns].itertuples(index=False, name=None)) == sorted(wanted)


def test_any_column_and_any_part_of_a_frame_can_be_compared(runs: list[Run]) -> None:
    frame = pd.concat([actorbench.load(run.name) for run in runs])
    frame["per_mebibyte"] = frame["elapsed"] / frame["peak_memory"]
    part = frame[(frame["round"] < 7) & (frame["workers"] == 2)]
    found = actorbench.to_ratios(part, "--queue copy", "--queue list", "per_mebibyte")
    assert list(found["run"]) == [run.name for run in runs], "runs are never paired with each other"
    assert list(found["samples"]) == [7, 7]
    assert list(found["verdict"]) == ["less", "less"]
    assert len(actorbench.to_curves(part, "per_mebibyte", "mean")) == 4


def test_two_runs_are_compared_as_by_the_command(
    runs: list[Run], checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [run.name for run in runs]
    capsys.readouterr()
    assert checkout.call("compare", *names, "--csv") == 0
    told = pd.read_csv(io.StringIO(capsys.readouterr().out))
    pd.testing.assert_frame_equal(actorbench.compare(*names), told)


def test_a_figure_is_the_one_that_is_written(runs: list[Run]) -> None:
    drawn = actorbench.figure(runs[0].name)
    results = load_results(runs[0])
    with mpl.rc_context(fname=STYLE):
        written = draw_figure(side_of(results, results.experiments[0]))
    assert [text.get_text() for text in drawn.texts] == [text.get_text() for text in written.texts]
    for one, other in zip(drawn.axes, written.axes, strict=True):
        assert one.get_title() == other.get_title() == ""
        for line, wanted in zip(one.lines, other.lines, strict=True):
            assert np.asarray(line.get_xydata()).tolist() == np.asarray(wanted.get_xydata()).tolist()
            assert line.get_color() == wanted.get_color()
    beside = actorbench.figure(*(run.name for run in runs), experiment="lines")
    assert [runs[number].name in axes.get_title() for number, axes in enumerate(beside.axes)] == [True, True]


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (lambda _: actorbench.load("nonesuch"), "no run 'nonesuch'"),
        (lambda run: actorbench.load(run, "ratios"), r"no series of 'ratios' \(choices: lines, table\)"),
        (lambda run: actorbench.to_curves(actorbench.load(run), "gulps"), "no column 'gulps'"),
        (
            lambda run: actorbench.to_ratios(actorbench.load(run), "--queue copy", "--queue none"),
            "no two cells that differ",
        ),
        (lambda run: actorbench.compare(run, run, "nonesuch"), "no measure 'nonesuch'"),
        (lambda run: actorbench.figure(run, experiment="table"), r"draws no 'table' \(choices: lines\)"),
        (lambda _: actorbench.figure(), "figure needs a run"),
    ],
)
def test_what_can_not_be_is_one_line(runs: list[Run], wrong: object, why: str) -> None:
    assert callable(wrong)
    with pytest.raises(UserError, match=why):
        wrong(runs[0].name)


def test_the_command_does_not_wait_for_pandas() -> None:
    code = "import sys, actorbench.cli; sys.exit('pandas' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=SOURCE / "scripts", check=True)
    code = "import actorbench; actorbench.nonesuch"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=SOURCE / "scripts", check=False, capture_output=True, text=True
    )
    assert "module 'actorbench' has no attribute 'nonesuch'" in done.stderr

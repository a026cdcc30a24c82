"""Several runs side by side: a panel and a block a run, the same axes, each with its own samples."""

import csv
import json
from pathlib import Path

import pytest

from actorbench.drawing.panels import panels_of
from actorbench.results import load_results
from actorbench.sides import Side, sides_of
from actorbench.store import Run, all_runs
from conftest import LINES, Checkout

SLOW = "elapsed=$((elapsed * 3)); record"


def other_machine(run: Run, cpu: str) -> None:
    """Let a run say that it was made on another machine."""
    path = run.folder / "run.json"
    document = json.loads(path.read_text())
    document["machine"]["cpu_model"] = cpu
    path.write_text(json.dumps(document))


@pytest.fixture
def runs(checkout: Checkout) -> list[Run]:
    """A run of all experiments on machine "One", and one of two on "Two", 3 times as slow."""
    checkout.once("two machines", lambda: measure_both(checkout))
    return all_runs(checkout.project)


def measure_both(checkout: Checkout) -> None:
    checkout.call("sweep", "lines", "table", "ratios", "--workers", "1,2")
    checkout.program("executor", SLOW)
    checkout.call("sweep", "lines", "table", "--workers", "1,2,3")
    made = all_runs(checkout.project)
    for run, cpu in zip(made, ("One", "Two $x_1$"), strict=True):
        other_machine(run, cpu)


def together(runs: list[Run], name: str) -> list[Side]:
    return sides_of([load_results(run) for run in runs], [name])[0]


def test_each_run_has_a_panel_with_the_same_axes(runs: list[Run]) -> None:
    ((first, second),) = panels_of(together(runs, "lines"))
    assert (first.title, second.title) == ("One", "Two $x_1$")
    assert first.axis == second.axis
    assert first.across == second.across
    assert (first.across.first, first.across.last) == (1, 3)
    medians = [[point.value for curve in panel.curves for point in curve.points] for panel in (first, second)]
    assert max(medians[0][:2]) < min(medians[1][:3]), "no sample of the slow run is in the fast one's"
    assert first.axis.top > max(max(some) for some in medians)


def test_pictures_and_tables_name_the_machines(
    checkout: Checkout, runs: list[Run], capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    names = [run.name for run in runs]
    assert checkout.call("figures", "--run", names[0], "--run", names[1], "lines", "table") == 0
    out = capsys.readouterr().out
    folder = checkout.project.results / "+".join(names)
    svg = (folder / "figures" / "lines.svg").read_text()
    assert svg.count(">One<") == svg.count(">Two $x_1$<") == 1
    assert svg.count(">copy<") == 1, "a label stands once in the legend"
    for suffix in ("pdf", "png", "pgf"):
        assert (folder / "figures" / f"lines.{suffix}").stat().st_size > 1000
    assert "Executor: queues, One" in out
    assert "Executor: queues, Two $x_1$" in out
    markdown = (folder / "tables.md").read_text()
    assert markdown.index(" One: |") < markdown.index(" Two $x_1$: |")
    assert f"run {names[0]}" in markdown
    assert f"run {names[1]}" in markdown
    rows = list(csv.DictReader((folder / "tables" / "lines.csv").open()))
    assert {row["run"] for row in rows} == set(names)
    assert {row["samples"] for row in rows} == {"3"}
    assert {row["run"] for row in rows if row["workers"] == "3"} == {names[1]}
    assert [run.name for run in all_runs(checkout.project)] == names, "what is drawn together is no run"


def test_runs_of_one_machine_are_told_apart_by_their_names(runs: list[Run]) -> None:
    other_machine(runs[1], "One")
    assert [side.title for side in together(runs, "lines")] == [f"One, run {run.name}" for run in runs]


def test_other_files_are_said(
    checkout: Checkout, runs: list[Run], capsys: pytest.CaptureFixture[str]
) -> None:
    path = runs[1].folder / "run.json"
    path.write_text(path.read_text().replace("Executor: queues", "Executor: the queues"))
    capsys.readouterr()
    assert checkout.call("figures", "--run", runs[0].name, "--run", runs[1].name, "lines") == 0
    assert "different versions of the experiment's file" in capsys.readouterr().out


def test_each_run_says_what_it_found_of_a_claim(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    tests = 'kind = "lines"\nclaims = ["T4", "T5"]'
    checkout.experiment(LINES.replace('kind = "lines"', tests), "lines")
    checkout.claims()
    made: list[Run] = []
    for body, others in (("record", ["ratios"]), ("elapsed=100000; record", ["ratios"]), ("record", [])):
        checkout.program("executor", body)
        checkout.call("sweep", "lines", *others, "--workers", "1,2", "--samples", "10")
        made += [run for run in all_runs(checkout.project) if run not in made]
    for run, cpu in zip(made, ("One", "Two", "Three"), strict=True):
        other_machine(run, cpu)
    capsys.readouterr()
    names = [word for run in made for word in ("--run", run.name)]
    assert checkout.call("figures", *names, "lines") == 0
    said = "T4: copying is faster: One: reproduced; Two: not reproduced; Three: not looked at"
    svg = (checkout.project.results / "+".join(names[1::2]) / "figures" / "lines.svg").read_text()
    for text in (svg.replace("<", "\n<"), capsys.readouterr().out):
        assert said in text
        assert "T5: somebody measures something\n" in text, "no run decides it"
        assert text.count("T4: ") == 1


def wrong(checkout: Checkout, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert checkout.call("figures", *arguments) == 2
    return capsys.readouterr().err


def test_what_does_not_fit_is_refused(
    checkout: Checkout, runs: list[Run], capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = (run.name for run in runs)
    both = ["--run", one, "--run", two]
    said = wrong(checkout, capsys, *both)
    assert f"run {two} holds no experiment 'ratios' (in every run given: lines, table)" in said
    assert "holds no experiment 'nothing'" in wrong(checkout, capsys, *both, "nothing")
    assert "the same run is given twice" in wrong(checkout, capsys, "--run", one, "--run", one)
    assert "together with --samples" in wrong(checkout, capsys, *both, "--samples", "3")
    assert "--run draws what was measured: it can't be given together with EXPERIMENTS" in wrong(
        checkout, capsys, "--run", one, "lines"
    )
    path: Path = runs[1].folder / "run.json"
    text = path.read_text()
    for key, value in (("measure", "cpu"), ("estimate", "mean")):
        line = f'\\"executor\\"\\n{key} = \\"{value}\\"\\nworkers'
        path.write_text(text.replace('\\"executor\\"\\nworkers', line, 1))
        assert "or has other measures, or another estimate" in wrong(checkout, capsys, *both, "lines")

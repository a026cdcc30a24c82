"""The trend: medians over the commits of a branch, in tables and pictures; and commits measured in turn."""

import re
from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree

import matplotlib as mpl
import pytest
from matplotlib.container import ErrorbarContainer

from actorbench.commits import Commit
from actorbench.drawing.figure_files import STYLE
from actorbench.errors import UserError
from actorbench.gate.deciding import GATED
from actorbench.machine.facts import read_facts
from actorbench.machine.sources import Sources
from actorbench.medians import Median, add_medians, read_medians
from actorbench.trend.courses import Trend, chosen_cells, trend_of
from actorbench.trend.pictures import draw_trend
from actorbench.trend.tables import steps_table, trend_tables
from conftest import CRASH, NORMAL, SLOWER, UNBUILDABLE, Checkout, GateCheckout

TIME, MEMORY = GATED
CELL = "static-self-1"
LINE = [Commit(f"{number:012x}", f"2026-01-{number + 1:02}", f"Change {number}") for number in range(12)]


def median(place: int, value: float, *, cell: str = "a: x", run: str = "r1", **changed: str) -> Median:
    """Make a median of a commit of LINE."""
    named = {"measure": TIME, "commit": LINE[place].name, "compiler": "gcc 1"} | changed
    return Median(
        run, cell, named["measure"], named["commit"], value, value * 0.99, value * 1.01, 20, named["compiler"]
    )


def trend(medians: Sequence[Median], *cells: str, least: float = 0.02) -> Trend:
    """Lay medians over LINE."""
    return trend_of(medians, LINE, cells, machine="m", least=least)


def text_of(found: Trend) -> str:
    """All tables of a trend."""
    return "\n".join(table.markdown() for table in trend_tables(found))


STEPPED = [median(place, 10 + place % 3 / 50 + (3 if place >= 6 else 0)) for place in range(12)]


def test_medians_lie_over_their_commits() -> None:
    found = trend(list(reversed(STEPPED)))
    (course,) = found.courses
    assert course.cell == "a"
    assert [reading.place for reading in course.readings] == list(range(12))
    assert [reading.median for reading in course.readings] == [one.median for one in STEPPED]
    (step,) = course.steps
    assert step.place == 6
    assert [(first, last) for first, last, _ in course.levels] == [(0, 5), (6, 11)]


def test_several_runs_of_a_commit_are_put_together() -> None:
    runs = [median(0, 10, run="r1"), median(0, 12, run="r2"), median(0, 11, run="r3")]
    (course,) = trend(runs).courses
    (reading,) = course.readings
    assert reading.median == 11
    assert [reading.low, reading.high] == pytest.approx([9.9, 12.12])


def test_a_step_names_the_commit_that_was_measured_before_it() -> None:
    """Commits 6 and 7 were not; memory fell, which no time did."""
    times = [one for one in STEPPED if one.commit not in (LINE[6].name, LINE[7].name)]
    memory = [median(place, 9 if place < 5 else 7, measure=MEMORY) for place in (*range(4), *range(5, 12))]
    found = trend([*times, *memory])
    assert len(found.commits) == 12
    rows = [
        [part.strip() for part in row.split("|")[1:-1]] for row in steps_table(found).markdown().splitlines()
    ]
    (time,) = (row for row in rows if "time per operation (ns)" in row)
    assert time[:4] == [LINE[8].name[:7], "Change 8", LINE[5].name[:7], "a"]
    (memory_row,) = (row for row in rows if "peak memory (MiB)" in row)
    assert memory_row[:3] == [LINE[5].name[:7], "Change 5", LINE[3].name[:7]]
    assert memory_row[-2] == "-22.2 %"


def test_tables_show_each_commit_and_where_it_steps() -> None:
    table = text_of(trend([*STEPPED, median(3, 5.25, measure=MEMORY)]))
    rows = [line for line in table.splitlines() if "Change " in line and "2026-01-" in line]
    assert len(rows) == 12
    assert "time per operation (ns) | peak memory (MiB)" in " ".join(table.split())
    assert "10.00 [9.90, 10.10]" in rows[3]
    assert "5.250 [5.197, 5.303]" in rows[3]
    assert [number for number, row in enumerate(rows) if "time per operation +" in row] == [6]
    assert "12 commits, 1 run" in table


def test_no_step_is_told_as_such() -> None:
    assert "none in 1 courses" in text_of(trend(STEPPED[:6]))


def test_commits_elsewhere_are_left_out_and_other_compilers_are_told() -> None:
    away = median(0, 10, commit="elsewhere", run="r3")
    table = text_of(trend([*STEPPED, away, median(1, 10, run="r2", compiler="gcc 2")]))
    assert "12 commits, 2 runs" in table
    assert "built by several compilers, which may make steps of their own: gcc 1; gcc 2" in table


def test_the_unknown_measure_of_a_newer_driver_is_left_out() -> None:
    assert len(trend([*STEPPED, median(0, 10, measure="joules")]).courses) == 1


def test_cells_are_chosen_by_name_or_by_command() -> None:
    cells = ["a-1: w/static --workers 1", "a-2: w/static --workers 2", "release/w/static --workers 1"]
    known = [median(0, 10, cell=cell) for cell in cells]
    assert chosen_cells(known, []) == cells[:2], "those with a name"
    assert chosen_cells(known[2:], []) == cells[2:]
    assert chosen_cells(known, ["a-1"]) == [cells[0]]
    assert chosen_cells(known, ["--workers 1"]) == [cells[0], cells[2]]
    with pytest.raises(
        UserError, match=r"no cell 'b' was measured \(choices: a-1: w/static --workers 1, a-2: "
    ):
        chosen_cells(known, ["a-1", "b"])


def test_cells_of_one_name_and_other_work_are_told_apart() -> None:
    found = trend([median(0, 10, cell="a: x"), median(0, 10, cell="a: y"), median(0, 10, cell="b: x")])
    assert found.cells == ["a: x", "a: y", "b"]


def test_commits_that_nobody_measured_are_one_line() -> None:
    with pytest.raises(UserError, match="none was measured on machine 'm'"):
        trend([median(0, 10, commit="elsewhere")])


def test_pictures_show_units_commits_and_steps() -> None:
    other = [median(place, 5, cell="b: x") for place in range(0, 12, 2)]
    with mpl.rc_context(fname=STYLE):
        figure = draw_trend(trend([*STEPPED, *other]), trend(STEPPED).measures[0])
        figure.canvas.draw()
    left, right = (axes for axes in figure.axes if axes.get_visible())
    assert (left.get_title(), right.get_title()) == ("a", "b")
    assert left.get_ylabel() == "ns"
    assert [label.get_text() for label in left.get_xticklabels()] == [one.name[:7] for one in LINE]
    assert [text.get_text() for text in left.texts] == ["+29.9 %"]
    assert not right.texts
    (bars,) = left.containers
    assert isinstance(bars, ErrorbarContainer)
    assert bars.has_yerr
    assert "Time per operation (ns) over commits, on m" in figure.get_suptitle()
    caption = " ".join(figure.get_supxlabel().split())
    for told in ("95 % interval", "axes do not begin at 0", "Apache Otava", "2026-01-01 to 2026-01-12"):
        assert told in caption
    bottom, top = left.get_ylim()
    assert bottom < 9.9
    assert top > 13.2


def test_many_commits_are_not_all_named() -> None:
    line = [Commit(f"{number:012x}", "2026-01-01", "x") for number in range(100)]
    medians = [Median("r", "a: x", TIME, one.name, 10, 9, 11, 20, "gcc") for one in line]
    found = trend_of(medians, line, [], machine="m", least=0.02)
    with mpl.rc_context(fname=STYLE):
        figure = draw_trend(found, found.measures[0])
        figure.canvas.draw()
    assert 20 <= len(figure.axes[0].get_xticklabels()) <= 40


@pytest.fixture
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw nothing, which takes longest."""

    def nothing(_trend: Trend, folder: Path) -> list[Path]:
        folder.mkdir(parents=True, exist_ok=True)
        return []

    monkeypatch.setattr("actorbench.trend.pictures.write_pictures", nothing)


# ---- The command -------------------------------------------------------------------------------------------


def machine(checkout: Checkout) -> str:
    """The machine's name."""
    return read_facts(Sources.of_this_machine(checkout.root)).machine


def measured(checkout: GateCheckout, *values: float) -> list[str]:
    """Make a commit a value, and let runs have measured them; returns the commits."""
    gate = ("gate", "--base", "HEAD", "--cells", CELL, "--budget", "0.05", "--no-history")
    assert checkout.call(*gate) == 3
    head = checkout.only_run().head()
    commits = []
    for number, value in enumerate(values):
        commits.append(checkout.commit(f"{NORMAL} # {number}"))
        cell = f"{CELL}: worker-centric/static --workers 1 --scale 1"
        made = Median(f"g{number}", cell, TIME, commits[-1][:12], value, value - 1, value + 1, 20, "gcc")
        add_medians(checkout.project, head, [made])
    return commits


def test_a_trend_is_printed_and_drawn(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    commits = measured(gate_checkout, *[100, 101, 100, 101, 130, 131, 130, 131])
    capsys.readouterr()
    assert gate_checkout.call("trend", CELL) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert f"{CELL} on {machine(gate_checkout)}" in said.out
    assert "time per operation +29.9 %" in said.out
    (step,) = (line for line in said.out.splitlines() if line.startswith(commits[4][:7]) and "100.5" in line)
    assert "130.5" in step
    folder = gate_checkout.root / "results" / "trend"
    for suffix in ("png", "svg", "pdf", "pgf"):
        assert (folder / "figures" / f"time_per_operation.{suffix}").stat().st_size > 1000
    assert "+29.9 %" in (folder / "tables.md").read_text()


@pytest.mark.usefixtures("no_pictures")
def test_a_trend_begins_where_it_is_asked_to(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    commits = measured(gate_checkout, *range(100, 108))
    for asked, first in ((("--since", commits[2]), 3), (("--touching", "programs"), 0)):
        assert gate_checkout.call("trend", *asked) == 0
        told = (gate_checkout.root / "results" / "trend" / "tables.md").read_text()
        assert [name in told for name in (one[:7] for one in commits)] == [
            number >= first for number in range(8)
        ]
    capsys.readouterr()
    for wrong in (("--since", "HEAD"), ("--touching", "nothing"), ("--since", "no-such-commit")):
        assert gate_checkout.call("trend", *wrong) == 2
        assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.usefixtures("no_pictures")
def test_a_trend_of_another_machine(gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]) -> None:
    measured(gate_checkout, 100, 101)
    history = gate_checkout.project.results / "medians"
    (history / f"{machine(gate_checkout)}.jsonl").rename(history / "other-8-cpus.jsonl")
    capsys.readouterr()
    assert gate_checkout.call("trend", "--machine", "other-8-cpus") == 0
    assert f"{CELL} on other-8-cpus" in capsys.readouterr().out
    assert gate_checkout.call("trend") == 2
    assert "(choices: other-8-cpus)" in capsys.readouterr().err


def test_without_a_history_it_says_how_to_begin(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate_checkout.call("trend") == 2
    assert "nothing was measured yet" in (said := capsys.readouterr().err)
    assert said.endswith("./actorbench trend --measure 20\n")


# ---- Commits measured in turn ------------------------------------------------------------------------------


@pytest.mark.usefixtures("no_pictures")
def test_commits_are_measured_in_turn(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last 6 of 8 first parents; a cell of 2; and a budget that is too small for the fewest rounds."""
    commits = [gate_checkout.commit(f"{NORMAL if n < 5 else SLOWER} # {n}") for n in range(8)]
    assert gate_checkout.call("trend", CELL, "--measure", "6", "--budget", "0.001", "--seed", "1") == 0
    said = capsys.readouterr().out
    assert "building 1 of 6: " in said
    assert "building 6 of 6: " in said
    assert " left" in said
    run = gate_checkout.only_run()
    plan = run.head().plan
    assert [cell.commit for cell in plan.cells] == [name[:12] for name in commits[2:]]
    assert all(sorted(order) == list(range(6)) for order in plan.rounds)
    assert len(plan.rounds) == 6, "what an interval needs"
    assert len(set(plan.rounds)) > 1
    found = read_medians(gate_checkout.project, machine(gate_checkout))
    assert {one.cell for one in found} == {f"{CELL}: worker-centric/static --workers 1 --scale 1"}
    assert {one.commit for one in found} == {name[:12] for name in commits[2:]}
    assert [one.measure for one in found].count(TIME) == 6
    assert re.search(r"time per operation \+(29|30)\.\d %", said)
    assert gate_checkout.call("replay", run.name) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == f"# {CELL}: {commits[2][:12]}"
    assert lines[2].startswith(
        f"build/commits/{commits[2][:12]}/build/release/worker-centric/static --workers 1"
    )
    assert len(lines) == 1 + 2 * 6


@pytest.mark.usefixtures("no_pictures")
def test_only_first_parents_are_measured(gate_checkout: GateCheckout) -> None:
    gate_checkout.git("branch", "side")
    first = gate_checkout.commit(f"{NORMAL} # 1")
    gate_checkout.git("checkout", "--quiet", "side")
    gate_checkout.commit(f"{SLOWER} # side", "executor")
    gate_checkout.git("checkout", "--quiet", "-")
    gate_checkout.git("merge", "--quiet", "--no-edit", "side")
    merge = gate_checkout.git("rev-parse", "HEAD")
    assert gate_checkout.call("trend", CELL, "--measure", "2", "--budget", "0.05") == 0
    cells = gate_checkout.only_run().head().plan.cells
    assert [cell.commit for cell in cells] == [first[:12], merge[:12]]


@pytest.mark.usefixtures("no_pictures")
def test_what_does_not_build_is_left_out(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = gate_checkout.commit(UNBUILDABLE, "executor")
    (gate_checkout.root / "programs" / "executor").unlink()
    worse = gate_checkout.commit(UNBUILDABLE)
    good = gate_checkout.commit(f"{NORMAL} # again")
    asked = (CELL, "executor-1", "--measure", "3", "--budget", "0.05")
    assert gate_checkout.call("trend", *asked) == 0
    said = capsys.readouterr().out
    assert f"left out: {broken[:12]}, worker-centric/executor: 'make" in said
    assert f"left out: {worse[:12]}, worker-centric/static: 'make" in said
    cells = gate_checkout.only_run().head().plan.cells
    assert [(cell.commit, cell.workload) for cell in cells] == [
        (broken[:12], "static"),
        (good[:12], "static"),
        (good[:12], "executor"),
    ]


def test_where_nothing_builds_it_is_one_line(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    gate_checkout.commit(UNBUILDABLE)
    assert gate_checkout.call("trend", "--measure", "1", "--budget", "0.05") == 2
    assert "of 1 commits none has a program of these cells that builds" in capsys.readouterr().err
    assert list(gate_checkout.project.results.glob("2*")) == []


@pytest.mark.usefixtures("no_pictures")
def test_a_commit_that_crashes_ends_with_4_and_shows_the_others(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    good = gate_checkout.git("rev-parse", "HEAD")
    gate_checkout.commit(CRASH)
    assert gate_checkout.call("trend", CELL, "--measure", "2", "--budget", "0.05") == 4
    said = capsys.readouterr().out
    assert f"./actorbench trend --resume {gate_checkout.only_run().name} --retry-failed" in said
    assert f"\n{good[:7]} " in said


@pytest.mark.usefixtures("no_pictures")
def test_an_interrupted_measurement_goes_on(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    counted = "count=$(($(cat build/count 2>/dev/null || echo 0) + 1)); echo $count > build/count; "
    counted += "case $count in 4) kill -INT $PPID; sleep 10 ;; esac; "
    gate_checkout.commit(f"{counted}{NORMAL}")
    assert gate_checkout.call("trend", CELL, "--measure", "2", "--budget", "0.05") == 130
    run = gate_checkout.only_run()
    assert f"go on with: ./actorbench trend --resume {run.name}" in capsys.readouterr().out
    assert not (gate_checkout.project.results / "medians").exists()
    assert gate_checkout.call("trend", "--resume", run.name) == 0
    assert len(run.samples()) >= 12
    assert len(read_medians(gate_checkout.project, machine(gate_checkout))) == 4
    rmtree(gate_checkout.root / "build" / "commits")
    assert gate_checkout.call("trend", "--resume", run.name) == 2
    assert "is gone: measure anew" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--measure", "2", "--machine", "m"], "leave --machine out"),
        (["--retry-failed"], "--resume names it"),
        (["--resume", "r", "--measure", "2"], "can't be given together with --measure"),
        (["--resume", "r"], "no run 'r'"),
        (["--measure", "2", "other"], "no gate cell 'other'"),
    ],
)
def test_wrong_usage_is_one_line(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert gate_checkout.call("trend", *arguments) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1


def test_a_run_of_another_kind_is_not_gone_on_with(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate_checkout.call("gate", "--base", "HEAD", "--cells", CELL, "--budget", "0.05") == 3
    assert gate_checkout.call("trend", "--resume", gate_checkout.only_run().name) == 2
    assert "measures no trend" in capsys.readouterr().err

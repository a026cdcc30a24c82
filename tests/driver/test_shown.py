"""What tables, curves and CSV files show of skewed samples: each number worked out by hand."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from actorbench import tables
from actorbench.cell import Cell
from actorbench.curves import (
    Axis,
    Curve,
    Point,
    curves_csv,
    curves_of,
    how_of,
    label_of,
    marked_curves,
    quantity_of,
)
from actorbench.figure_tables import boxes_table, lines_table
from actorbench.measure import MEASURES
from actorbench.ratios import Row, by_direction, compare_rows, correction, reach_note
from actorbench.results import Results
from actorbench.rules import CONFIDENCE
from actorbench.stopping import make_goal
from actorbench.table import Table
from actorbench.tables import csv_for, run_tables, tables_for
from conftest import LINES, RATIOS, STEALING_LINES, TABLE
from made_results import made_results
from test_best import BEST, times
from test_grid import GRID
from test_record import STATISTICS
from test_results import COPY, IN_LIST, NOISY

ELAPSED = MEASURES["elapsed"]
ROUNDS = 10
HALF = (0.008 + 0.013) / 2  # the median of IN_LIST, in seconds


def read_csv(results: Results) -> list[dict[str, str]]:
    text = csv_for(results, results.experiments[0])
    assert "\r" not in text
    return list(csv.DictReader(text.splitlines()))


def half_with_two(cell: Cell, number: int) -> dict[str, Any]:
    """Two workers take the time of the copy queue, one that of the list queue, whichever queue they have."""
    return {
        "elapsed_ns": {1: IN_LIST, 2: COPY}.get(cell.workers or 0, IN_LIST)[number],
        "workers": cell.workers or 1,
    }


def test_a_table_of_cells_as_csv() -> None:
    text = TABLE.replace('"missed_gulps"', '"gulps", "elapsed"').replace('"all"', "[1, 3]")

    def measured(cell: Cell, number: int) -> Mapping[str, Any] | None:
        if cell.workers == 3 and "list" in cell.key:
            return None
        return half_with_two(cell, number) | {"workers": cell.workers, "statistics": None}

    results = made_results(text, measured, ROUNDS)
    rows = read_csv(results)
    assert list(rows[0]) == [
        *("experiment", "label", "command", "workers", "oversubscribed", "measure", "unit"),
        *("samples", "median", "low", "high", "trouble"),
    ]
    assert [row["measure"] for row in rows[:4]] == ["time_per_operation", "peak_memory", "gulps", "elapsed"]
    assert rows[0] == {
        "experiment": "table",
        "label": "copy",
        "command": "release/worker-centric/executor --workers 1 --scale 0.5 --queue copy",
        "workers": "1",
        "oversubscribed": "no",
        "measure": "time_per_operation",
        "unit": "ns",
        "samples": "10",
        "median": "105000.0",
        "low": "20000.0",
        "high": "550000.0",
        "trouble": "",
    }
    assert [rows[2][name] for name in ("samples", "median", "low", "high", "trouble")] == [
        *[""] * 4,
        "not in the record",
    ]
    assert [(row["label"], row["workers"], row["oversubscribed"]) for row in rows[::4]] == [
        ("copy", "1", "no"),
        ("copy", "3", "yes"),
        ("list | with a bar", "1", "no"),
        ("list | with a bar", "3", "yes"),
    ]
    assert {(row["median"], row["trouble"]) for row in rows[12:]} == {("", "failed: crash (10 of 10)")}


def test_ratios_as_csv() -> None:
    results = made_results(RATIOS, NOISY, ROUNDS)
    time, speedup, memory = read_csv(results)
    assert list(time) == [
        *("experiment", "label", "candidate", "base", "direction", "pairs", "ratio", "low", "high"),
        *("p_value", "p_value_holm", "verdict", "target", "candidate_steals", "base_steals"),
    ]
    key = "release/worker-centric/executor --workers 1 --scale 0.5 --queue"
    assert (time["experiment"], time["label"]) == ("ratios", "copy against list")
    assert (time["candidate"], time["base"]) == (f"{key} copy", f"{key} list")
    assert time["direction"] == "time per operation of candidate / of base; under 1 is faster"
    assert (time["pairs"], time["verdict"], time["target"]) == ("10", "faster", "at most 1: met")
    assert (time["candidate_steals"], time["base_steals"]) == ("", "")
    numbers = [float(time[name]) for name in ("ratio", "low", "high", "p_value", "p_value_holm")]
    assert numbers == pytest.approx([(0.48 * 0.53) ** 0.5, 0.41, 0.58, 2 / 1024, 6 / 1024])
    assert float(speedup["high"]) == pytest.approx(1 / 0.41)
    assert (memory["ratio"], memory["p_value"], memory["verdict"]) == ("1.0", "1.0", "not told apart")
    failed = made_results(
        RATIOS, lambda cell, number: None if "copy" in cell.key else NOISY(cell, number), ROUNDS
    )
    row = read_csv(failed)[0]
    assert [row[name] for name in ("pairs", "ratio", "low", "high", "p_value", "p_value_holm")] == [""] * 6
    assert row["verdict"] == "failed: crash (10 of 10)"


STEALING = """
schema = 1
id = "stealing"
title = "Stealing"
kind = "ratios"
workload = "executor"
workers = [2]
[[rows]]
label = "random against longest"
candidate = { options = { steal = "random" } }
base = { options = { steal = "longest" } }
[[rows]]
label = "random against none"
candidate = { options = { steal = "random" } }
base = { options = { steal = "none" } }
"""


def stealing(cell: Cell, number: int) -> Mapping[str, Any]:
    """Who steals did so 0, 1, 4, 9, ... times, and by the longest queue 100 times more."""
    how = dict(cell.options)["steal"]
    steals = 0 if how == "none" or cell.workers == 1 else number**2 + (100 if how == "longest" else 0)
    statistics = STATISTICS | {"steals": steals}
    return {"elapsed_ns": IN_LIST[number], "workers": cell.workers, "statistics": statistics}


def test_steals_stand_beside_the_ratios() -> None:
    results = made_results(STEALING, stealing, ROUNDS)
    both, one = read_csv(results)
    assert (both["candidate_steals"], both["base_steals"]) == ("20.5", "120.5")
    assert (one["candidate_steals"], one["base_steals"]) == ("20.5", "")
    (table,) = tables_for(results, results.experiments[0])
    assert [column.heading for column in table.columns] == [
        "candidate against base",
        "ratio [95 % interval, sign test]",
        "verdict",
        "target",
        "steals",
    ]
    assert [column.numeric for column in table.columns] == [False, True, False, False, False]
    assert [row[4] for row in table.rows] == [
        "",
        "candidate 20 (none in 1 of 10); base 120",
        "candidate 20 (none in 1 of 10)",
    ]
    assert "steals: median of the same samples; none in: samples that had no steal" in table.notes


def test_the_table_of_ratios() -> None:
    results = made_results(RATIOS, NOISY, ROUNDS)
    (table,) = run_tables(results)
    assert table.title == "Ratios"
    assert [(column.heading, column.numeric) for column in table.columns] == [
        ("candidate against base", False),
        ("ratio [95 % interval, sign test]", True),
        ("verdict", False),
        ("target", False),
    ]
    assert table.rows == [
        ["time per operation of candidate / of base; under 1 is faster:", "", "", ""],
        ["  copy against list", "0.504 [0.410, 0.580]", "faster", "at most 1: met"],
        ["", "", "", ""],
        ["speed-up: time per operation of base / of candidate; over 1 is faster:", "", "", ""],
        ["  copy against list, as a speed-up", "1.983 [1.724, 2.439]", "faster", "at least 5: not met"],
        ["", "", "", ""],
        ["peak memory of candidate / of base; under 1 is less:", "", "", ""],
        ["  memory", "1.000 [1.000, 1.000]", "not told apart", ""],
    ]
    assert list(table.notes) == [
        "ratio: median over the rounds of the two cells' ratio in the round; interval: exact, sign test",
        "verdict: exact sign test at 5 %, corrected for the 3 comparisons of this table by Holm's method",
        "preset quick, scale 0.5, 10 samples a cell, run a-run",
    ]
    few = made_results(RATIOS, NOISY, 6)
    (table,) = run_tables(few)
    assert "3 comparisons need 7 samples a cell before any can be told apart" in table.notes
    assert "few samples: 10 are wanted to display an interval" in table.notes
    failed = made_results(RATIOS, lambda _, __: None, ROUNDS)
    assert run_tables(failed)[0].rows[1] == [
        "  copy against list",
        "-",
        "failed: crash (10 of 10)",
        "at most 1: undecided",
    ]


def test_the_table_of_a_grid() -> None:
    def measured(cell: Cell, number: int) -> Mapping[str, Any]:
        """Of one actor the copy queue is faster, of two the same."""
        small = "--actors 1" in cell.key
        return {"elapsed_ns": (COPY if "copy" in cell.key and small else IN_LIST)[number]}

    results = made_results(GRID, measured, ROUNDS)
    (table,) = run_tables(results)
    assert [(column.heading, column.numeric) for column in table.columns] == [
        ("", False),
        ("small", True),
        ("large", True),
    ]
    assert table.rows == [
        ["copy", "0.50 [0.41, 0.58]", "(1.00 [1.00, 1.00])"],
        ["list", "1.98 [1.72, 2.44]", "(1.00 [1.00, 1.00])"],
        ["itself", "the same cell here", "the same cell here"],
    ]
    assert table.title == "A grid"
    assert list(table.lead) == ["faster than the base: copy: small 0.50 [0.41, 0.58]"]
    assert table.notes[0] == (
        "median ratio of candidate / base in the same round [95 % interval, sign test]; in (): not told apart"
        " (sign test at 5 %, corrected for the 4 comparisons of this table by Holm's method)"
    )
    assert table.notes[-1] == "preset quick, scale 0.5, 10 samples a cell, run a-run"
    assert {row["label"] for row in read_csv(results)} == {
        f"{size}, {label}" for size in ("small", "large") for label in ("copy", "list", "itself")
    }
    few = run_tables(made_results(GRID, measured, 6))[0]
    assert "few samples: 10 are wanted to display an interval" in few.notes
    assert few.lead[0] == "4 comparisons need 8 samples a cell before any can be told apart", "but for itself"


def test_the_table_of_cells() -> None:
    text = TABLE.replace('"all"', "[1, 3]")

    def measured(cell: Cell, number: int) -> Mapping[str, Any] | None:
        return None if cell.workers == 3 and "list" in cell.key else half_with_two(cell, number)

    (table,) = run_tables(made_results(text, measured, ROUNDS))
    assert [(column.heading, column.numeric) for column in table.columns] == [
        ("", False),
        ("workers", True),
        ("time per operation (ns)", True),
        ("peak memory (MiB)", True),
        ("missed gulps", True),
    ]
    assert table.rows == [
        ["copy", "1", "105,000 [20,000, 550,000]", "1.000 [1.000, 1.000]", "0"],
        ["copy", "3 (oversubscribed)", "105,000 [20,000, 550,000]", "1.000 [1.000, 1.000]", "0"],
        ["list | with a bar", "1", "105,000 [20,000, 550,000]", "1.000 [1.000, 1.000]", "0"],
        ["list | with a bar", "3 (oversubscribed)", *["failed: crash (10 of 10)"] * 3],
    ]
    assert table.title == "A table"
    assert list(table.notes) == [
        "medians, times and memory: [95 % interval, order statistics]",
        "oversubscribed: more workers than the 2 CPUs that the run could use",
        "preset quick, scale 0.5, 10 samples a cell, run a-run",
    ]
    counts = TABLE.replace('["time_per_operation", "peak_memory", "missed_gulps"]', '["gulps"]').replace(
        '"all"', '"none"'
    )
    (table,) = run_tables(made_results(counts, lambda _, __: {}, ROUNDS, goal=make_goal(None, 0.02, None)))
    assert table.rows == [["copy", "-", "1"], ["list | with a bar", "-", "1"]]
    assert table.notes[0] == "medians"
    looked = run_tables(made_results(TABLE, measured, ROUNDS, goal=make_goal(None, 0.02, None)))[0]
    assert looked.notes[0] == "medians, times and memory: [99.29 % interval, order statistics]"


BOXES = LINES.replace('kind = "lines"', 'kind = "boxes"').replace('"1..all"', "[1, 3]")


def test_boxes_as_csv() -> None:
    """Quartiles of ten samples: a quarter of the way from the 3rd to the 4th, and from the 8th to the 7th."""

    def measured(cell: Cell, number: int) -> Mapping[str, Any] | None:
        return None if cell.workers == 3 and "list" in cell.key else half_with_two(cell, number)

    results = made_results(BOXES, measured, ROUNDS)
    rows = read_csv(results)
    assert list(rows[0]) == [
        *("experiment", "label", "workers", "measure", "unit", "samples", "smallest", "lower_quartile"),
        *("median", "upper_quartile", "largest", "trouble"),
    ]
    first = rows[0]
    assert [first[name] for name in ("experiment", "label", "workers", "measure", "unit", "samples")] == [
        *("lines", "copy, 1 worker", "1", "elapsed", "s", "10")
    ]
    numbers = [
        float(first[name]) for name in ("smallest", "lower_quartile", "median", "upper_quartile", "largest")
    ]
    assert numbers == pytest.approx([0.001, 0.0035, 0.0105, 0.03075, 0.089])
    assert [(row["label"], row["trouble"]) for row in rows[1:]] == [
        ("copy, 3 workers (oversubscribed)", ""),
        ("list, 1 worker", ""),
        ("list, 3 workers (oversubscribed)", "failed: crash (10 of 10)"),
    ]
    assert [rows[3][name] for name in ("samples", "smallest", "median", "largest")] == ["0", "", "", ""]
    assert how_of(results, results.experiments[0]) == (
        "box: quartiles and median of the samples; ends: the smallest and the largest sample"
    )


def test_curves_with_steals_and_ideals() -> None:
    results = made_results(STEALING_LINES, stealing, ROUNDS, workers=(1, 2))
    experiment = results.experiments[0]
    none, random, longest, ideal = curves_of(results, experiment, ELAPSED)
    assert none.points == (Point(1, HALF, 0.002, 0.055), Point(2, HALF, 0.002, 0.055))
    assert random.points == (Point(1, HALF, 0.002, 0.055, 0), Point(2, HALF, 0.002, 0.055, 1))
    assert longest.points[1].without_steal == 0
    assert ideal == Curve(
        "ideal", (Point(1, HALF, None, None), Point(2, HALF / 2, None, None)), (), is_ideal=True
    )
    assert not none.is_ideal
    assert marked_curves([none, random, longest, ideal]) == [random]
    assert len(curves_of(results, experiment, MEASURES["cpu"])) == 3, "ideals stand beside the first measure"
    lines = curves_csv([none, random, ideal]).split("\n")
    assert lines == [
        "workers,none,none low,none high,random,random low,random high,ideal,ideal low,ideal high,"
        "random without a steal",
        f"1,{HALF},0.002,0.055,{HALF},0.002,0.055,{HALF},{HALF},{HALF},",
        f"2,{HALF},0.002,0.055,{HALF},0.002,0.055,{HALF / 2},{HALF / 2},{HALF / 2},{HALF}",
        "",
    ]
    rows = read_csv(results)
    assert [(row["label"], row["workers"], row["measure"], row["median"]) for row in rows] == [
        ("none", "1", "elapsed", str(HALF)),
        ("none", "2", "elapsed", str(HALF)),
        ("random", "1", "elapsed", str(HALF)),
        ("random", "1", "steals", "0.0"),
        ("random", "2", "elapsed", str(HALF)),
        ("random", "2", "steals", "20.5"),
        ("longest", "1", "elapsed", str(HALF)),
        ("longest", "1", "steals", "0.0"),
        ("longest", "2", "elapsed", str(HALF)),
        ("longest", "2", "steals", "120.5"),
    ]


def test_curves_of_speedups() -> None:
    text = LINES.replace('kind = "lines"', 'kind = "lines"\nshow = "speedup"')

    def measured(cell: Cell, number: int) -> Mapping[str, Any] | None:
        return None if cell.workers == 1 and "list" in cell.key else half_with_two(cell, number)

    results = made_results(text, measured, ROUNDS)
    experiment = results.experiments[0]
    copy, in_list = curves_of(results, experiment, ELAPSED)
    assert copy.label == "copy"
    one, two = copy.points
    assert (one.x, one.value, one.low, one.high) == (1, 1, 1, 1)
    assert (two.value, two.low, two.high) == pytest.approx((1 / (0.48 * 0.53) ** 0.5, 1 / 0.58, 1 / 0.41))
    assert (two.x, copy.missing) == (2, ())
    assert in_list.points == ()
    assert in_list.missing == (
        (1, "failed: crash (10 of 10)"),
        (2, "1 worker, its base: failed: crash (10 of 10)"),
    )
    assert quantity_of(experiment, ELAPSED) == "speed-up (time of 1 worker / time)"
    assert how_of(results, experiment) == (
        "speed-up over 1 worker of the same series: medians of the ratios within the rounds, with exact 95 %"
        " intervals (sign test)"
    )


def test_speedups_count_the_samples_without_a_steal() -> None:
    text = STEALING_LINES.replace('kind = "lines"', 'kind = "lines"\nshow = "speedup"')
    text = "\n".join(line for line in text.splitlines() if not line.startswith("ideal"))
    results = made_results(text, stealing, ROUNDS)
    curves = curves_of(results, results.experiments[0], ELAPSED)
    assert [[point.without_steal for point in curve.points] for curve in curves] == [[0, 0], [0, 1], [0, 0]]


def test_a_curve_has_no_point_without_workers() -> None:
    results = made_results(LINES.replace('"1..all"', '"none"'), lambda *_: {}, ROUNDS)
    (curve, _) = curves_of(results, results.experiments[0], ELAPSED)
    assert (curve.points, [count for count, _ in curve.missing]) == ((), [0])


def test_each_kind_has_its_table_beside_what_a_source_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, maker in ((LINES, lines_table), (BOXES, boxes_table)):
        results = made_results(text, half_with_two, ROUNDS)
        experiment = results.experiments[0]
        assert tables_for(results, experiment) == [maker(results, experiment)]
        assert run_tables(results) == [maker(results, experiment)]
    printed, systems, counts = (Table(title, (), ()) for title in ("printed", "systems", "counts"))
    monkeypatch.setattr(tables, "source_table", lambda *of: printed if of == (results, experiment) else None)
    monkeypatch.setattr(tables, "systems_table", lambda of: systems if of == results else None)
    monkeypatch.setattr(tables, "counted_table", lambda *of: counts if of == (results, experiment) else None)
    assert run_tables(results) == [systems, boxes_table(results, experiment), printed, counts]


def test_how_the_numbers_of_curves_come_about() -> None:
    results = made_results(LINES, NOISY, ROUNDS, workers=(1,))
    experiment = results.experiments[0]
    assert how_of(results, experiment) == "medians with 95 % intervals (order statistics)"
    assert how_of(results, replace(experiment, estimate="mean")) == "means with 95 % intervals (Student's t)"
    looked = made_results(LINES, NOISY, ROUNDS, workers=(1,), goal=make_goal(None, 0.02, None))
    assert how_of(looked, experiment) == "medians with 99.29 % intervals (order statistics)"
    thesis = made_results(LINES, NOISY, 5, workers=(1,), preset="thesis")
    assert how_of(thesis, experiment) == "medians with 95 % intervals (percentile bootstrap)"
    (copy, _) = curves_of(results, replace(experiment, estimate="mean"), ELAPSED)
    assert copy.points[0].value == pytest.approx(sum(COPY) / 10 / 1e9)
    rows = list(csv.DictReader(csv_for(results, replace(experiment, estimate="mean")).splitlines()))
    assert float(rows[0]["mean"]) == pytest.approx(sum(COPY) / 10 / 1e9)
    assert quantity_of(experiment, ELAPSED) == "time (s)"
    assert label_of(experiment, ELAPSED, Axis(False, 0, 1, None)) == "time (s)"
    assert label_of(experiment, ELAPSED, Axis(True, 0.1, 1, 0.25)) == "time (s), logarithmic, cut at 0.25"
    lacks = curves_of(results, experiment, MEASURES["activations"])
    assert [one.missing for one in lacks] == [((1, "not in the record"),)] * 2


def test_a_curve_without_an_interval_has_its_value_in_its_place() -> None:
    curve = Curve("x", (Point(1, 2.0, None, None), Point(4, 3.0, 2.5, 3.5, 2)), ())
    other = Curve("y", (Point(2, 9.0, 0.0, 9.5),), ())
    assert curves_csv([curve, other]).splitlines() == [
        "workers,x,x low,x high,y,y low,y high,x without a steal",
        "1,2.0,2.0,2.0,,,,",
        "2,,,,9.0,0.0,9.5,",
        "4,3.0,2.5,3.5,,,,3.0",
    ]


def counted(rows: Sequence[Row], *counts: int) -> list[Row]:
    """Rows of so many pairs each."""
    return [
        replace(row, ratio=replace(row.ratio, count=count))
        for row, count in zip(rows, counts, strict=True)
        if row.ratio
    ]


def test_rows_are_counted_and_grouped() -> None:
    rows = compare_rows(made_results(RATIOS, NOISY, ROUNDS), made_results(RATIOS, NOISY, 1).experiments[0])
    assert correction(rows) == "corrected for the 3 comparisons of this table by Holm's method"
    assert correction(rows[:1]) == "corrected for the 1 comparison of this table by Holm's method"
    assert correction([replace(rows[0], ratio=None)]) == (
        "corrected for the 0 comparisons of this table by Holm's method"
    )
    assert reach_note(rows) == []
    assert reach_note([]) == []
    assert (reach_note(counted(rows, 7, 2, 3)), reach_note(counted(rows, 6, 2, 3))) == (
        [],
        ["3 comparisons need 7 samples a cell before any can be told apart"],
    )
    time, speedup, memory = rows
    assert by_direction([memory, time, speedup, replace(memory, label="again")]) == [
        (memory.direction, [memory, replace(memory, label="again")]),
        (time.direction, [time]),
        (speedup.direction, [speedup]),
    ]


def test_at_the_level_itself_a_row_is_told_apart() -> None:
    results = made_results(RATIOS, NOISY, ROUNDS)
    time, _, _ = compare_rows(results, results.experiments[0])
    assert replace(time, adjusted=1 - CONFIDENCE).verdict == "faster"
    assert replace(time, adjusted=0.0501).verdict == "not told apart"


def test_the_same_cell_on_both_sides_stole_as_often() -> None:
    results = made_results(STEALING.replace('"longest" }', '"random" }'), stealing, ROUNDS)
    row = compare_rows(results, results.experiments[0])[0]
    stolen = "20 (none in 1 of 10)"
    assert (row.verdict, row.steals) == ("the same cell here", f"candidate {stolen}; base {stolen}")


def test_a_contest_has_a_table_of_options_and_all_pairs_as_csv() -> None:
    results = made_results(BEST, times, ROUNDS)
    (table,) = run_tables(results)
    assert table.title == "Whom to steal from"
    assert [row[0] for row in table.rows] == ["1. alike", "2. quick", "3. middle", "4. slow"]
    rows = read_csv(results)
    assert [row["label"] for row in rows[:2]] == ["slow against quick", "slow against alike"]
    assert [row["verdict"] for row in rows] == ["slower"] * 3 + ["not told apart", "faster", "faster"]

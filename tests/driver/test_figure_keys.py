"""What a figure may ask for: a limit, ideal curves, more measures, boxes."""

import csv
import re
import shutil

import pytest

from actorbench.curves import Curve, Point, axis_of, curves_of
from actorbench.drawing.gnuplot import can_draw_pdf
from actorbench.errors import UserError
from actorbench.experiment import parse_experiment
from actorbench.measure import MEASURES
from actorbench.notes import MEAN_NOTE
from actorbench.results import load_results
from actorbench.tables import csv_for, table_for
from conftest import LINES, STEALING_LINES, TABLE, Checkout

ELAPSED = MEASURES["elapsed"]
needs_gnuplot = pytest.mark.skipif(not can_draw_pdf(), reason="gnuplot with pdfcairo is missing")


def curve(*medians: float, ideal: bool = False) -> Curve:
    points = tuple(Point(workers, one, one, one) for workers, one in enumerate(medians, start=1))
    return Curve("a", points, (), is_ideal=ideal)


# ---- The limit -------------------------------------------------------------------------------------------


def test_an_axis_is_cut_only_where_a_line_leaves() -> None:
    whole = axis_of([curve(1, 2)])
    assert whole.top == pytest.approx(2.16)
    assert (whole.logarithmic, whole.bottom, whole.limit) == (False, 0, None)
    assert axis_of([curve(1, 2)], 10).limit is None
    cut = axis_of([curve(1, 2), curve(5, 400)], 10)
    assert (cut.logarithmic, cut.top, cut.limit) == (False, 10, 10)
    assert [point.value for point in cut.leaving(curve(5, 400))] == [400]
    assert axis_of([curve(300, 400)], 10).top == 10


def test_a_limit_is_that_of_its_preset() -> None:
    experiment = parse_experiment(LINES + "[presets.thesis]\ny_limit = 100\n", "x")
    assert (experiment.limit_under("thesis"), experiment.limit_under("quick")) == (100, None)
    both = parse_experiment(LINES.replace("schema = 1", "schema = 1\ny_limit = 7"), "x")
    assert both.limit_under("quick") == 7


@needs_gnuplot
def test_a_line_that_leaves_is_marked_with_its_value(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.program("executor", "[ $queue = list ] && elapsed=987600000; record")
    checkout.experiment(LINES + "[presets.quick]\ny_limit = 0.01\n[presets.thesis]\ny_limit = 100\n", "lines")
    _, folder = checkout.drawn("lines", "--workers", "1,2")
    assert "cut at 0.01" in (svg := (folder / "figures" / "lines.svg").read_text())
    assert svg.count(">0.9876<") == 2
    assert (folder / "figures" / "lines.pgf").read_text().count("0.9876") == 2
    assert capsys.readouterr().out.count("^0.9876") == 2
    assert "0.9876" in (folder / "tables.md").read_text()


# ---- Ideal curves ----------------------------------------------------------------------------------------


def test_an_ideal_is_a_share_of_the_bases_median(checkout: Checkout) -> None:
    checkout.program("executor", "elapsed=120000000; record")
    text = STEALING_LINES.replace(
        'ratio = "1/N" }', 'ratio = "1/N" }, { label = "half", base = "longest", ratio = "every other" }'
    )
    checkout.experiment(text, "stealing")
    results, folder = checkout.drawn("stealing", "--workers", "1,2,3,4")
    curves = curves_of(results, results.experiments[0], ELAPSED)
    found = {one.label: [point.value for point in one.points] for one in curves if one.is_ideal}
    assert found["ideal"] == pytest.approx([0.12, 0.06, 0.04, 0.03])
    assert found["half"] == pytest.approx([0.12, 0.06, 0.08, 0.06])
    assert all(point.low is None for one in curves if one.is_ideal for point in one.points)
    assert "stroke-dasharray" in (folder / "figures" / "stealing.svg").read_text()
    table = table_for(results, results.experiments[0])
    assert [row[-2:] for row in table.rows][1] == ["0.06000", "0.06000"]
    assert any("not measured, but none's median times 1/N" in note for note in table.notes)
    assert "ideal" not in csv_for(results, results.experiments[0]), "the samples' CSV holds samples only"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('base = "none"', 'base = "nobody"', r"ideal\[0\].base: no series 'nobody' \(choices: none, random"),
        (
            'workers = "1..all"',
            'measure = "peak_memory"',
            "an ideal is a time, and the figure shows peak_mem",
        ),
        ('workers = "1..all"', 'show = "speedup"', "an ideal is a time, and the figure shows speed-ups"),
        ('ratio = "1/N"', 'ratio = "N"', r"ideal\[0\].ratio: 'N' is not one of"),
        ('kind = "lines"', 'kind = "boxes"', "ideal: does not belong in this kind of file"),
    ],
)
def test_a_wrong_ideal_is_refused(old: str, new: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        parse_experiment(STEALING_LINES.replace(old, new), "x.toml")


# ---- Means -----------------------------------------------------------------------------------------------

MEANS = LINES.replace("schema = 1", 'schema = 1\nestimate = "mean"')


def test_means_are_drawn_where_a_file_asks_for_them(checkout: Checkout) -> None:
    """Of 8 samples one takes 9 times as long as the others: the mean is twice the median."""
    once = checkout.root / "once"
    checkout.program(
        "executor", f"elapsed=100000000; mkdir {once}$queue 2>/dev/null && elapsed=900000000; record"
    )
    checkout.experiment(MEANS, "lines")
    results, folder = checkout.drawn("lines", "--workers", "1", "--samples", "8")
    experiment = results.experiments[0]
    copy, in_list = curves_of(results, experiment, ELAPSED)
    assert copy.points[0].value == in_list.points[0].value == pytest.approx(0.2)
    # The standard error is 0.1, and Student's 97.5 % point of 7 degrees of freedom 2.36462.
    assert [copy.points[0].low, copy.points[0].high] == pytest.approx([-0.036462, 0.436462], abs=1e-6)
    table = table_for(results, experiment)
    assert table.rows[0][1] == "0.2000 [-0.0365, 0.4365] (n=8)"
    assert "time (s): mean [95 % interval, Student's t]" in table.notes
    assert MEAN_NOTE in table.notes
    drawn = (folder / "figures" / "lines.svg").read_text()
    assert "means with 95 % intervals (Student's t)" in drawn
    assert MEAN_NOTE in drawn
    rows = list(csv.DictReader((folder / "tables" / "lines.csv").open()))
    assert [float(row["mean"]) for row in rows] == pytest.approx([0.2, 0.2])
    long = axis_of([Curve("a", (Point(1, 2, 1, 3), Point(2, 4, 3, 400)), ())])
    assert (long.logarithmic, long.top) == (True, 500), "a long interval presses what is small, too"
    axis = axis_of([Curve("a", (Point(1, 1, -1, 3), Point(2, 400, 400, 400)), ())])
    assert (axis.logarithmic, axis.bottom) == (True, 0.8), "an interval below 0 has no place on such an axis"
    elsewhere = results.estimate(results.head.plan.cells[0], ELAPSED)
    assert elsewhere is not None
    assert elsewhere.value == pytest.approx(0.1), "the median, where no file asks for means"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MEANS.replace('"mean"', '"mode"'), "estimate: 'mode' is not one of"),
        (MEANS.replace("schema = 1", 'schema = 1\nshow = "speedup"'), "estimate: does not belong"),
        (TABLE.replace("schema = 1", 'schema = 1\nestimate = "mean"'), "estimate: does not belong"),
    ],
)
def test_a_wrong_estimate_is_refused(text: str, said: str) -> None:
    with pytest.raises(UserError, match=re.escape(said)):
        parse_experiment(text, "x.toml")


# ---- Measures and boxes ----------------------------------------------------------------------------------


def test_measures_stand_side_by_side(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    text = LINES.replace("schema = 1", 'schema = 1\nmeasures = ["elapsed", "cpu_utilisation"]')
    checkout.experiment(text, "lines")
    results, folder = checkout.drawn("lines", "--workers", "1,2")
    svg = (folder / "figures" / "lines.svg").read_text()
    assert svg.count(">time (s)<") == svg.count(">CPU utilisation (% of a CPU)<") == svg.count(">copy<") == 1
    assert sorted(path.name for path in (folder / "figures").glob("*.csv")) == [
        "lines-cpu_utilisation.csv",
        "lines-elapsed.csv",
    ]
    table = table_for(results, results.experiments[0])
    assert [row[:2] for row in table.rows[:2]] == [["1", "time (s)"], ["1", "CPU utilisation (% of a CPU)"]]
    assert table.rows[1][2] == "100.0 (n=3)"
    if shutil.which("gnuplot"):
        assert "CPU utilisation" in capsys.readouterr().out


BOXES = (
    TABLE.replace('kind = "table"', 'kind = "boxes"')
    .replace('columns = ["time_per_operation", "peak_memory", "missed_gulps"]', 'measure = "peak_memory"')
    .replace('id = "table"', 'id = "boxes"')
)


def test_boxes_show_quartiles_and_every_sample_lies_within(checkout: Checkout) -> None:
    count = checkout.root / "count"
    grow = f"echo >> {count}; memory=$(($(wc -l < {count}) * 1048576)); record"
    checkout.program("executor", f"[ $queue = list ] && exit 9; {grow}")
    checkout.experiment(BOXES, "boxes")
    assert checkout.call("figures", "boxes", "--workers", "1", "--samples", "5") == 4
    run = checkout.only_run()
    table = table_for(load_results(run), load_results(run).experiments[0])
    assert list(table.rows[0]) == ["copy", "1.000", "2.000", "3.000", "4.000", "5.000", "5"]
    assert "failed: exit status (2 of 2)" in table.rows[1]
    rows = list(csv.DictReader((run.folder / "tables" / "boxes.csv").open()))
    assert (rows[0]["smallest"], rows[0]["largest"], rows[1]["samples"]) == ("1.0", "5.0", "0")
    svg = (run.folder / "figures" / "boxes.svg").read_text()
    assert all(text in svg for text in (">copy<", ">list | with a bar<", "peak memory (MiB)", "failed: exit"))
    for suffix in ("pdf", "png", "pgf"):
        assert (run.folder / "figures" / f"boxes.{suffix}").stat().st_size > 1000
    assert checkout.call("report", run.name) == 0
    assert "A table: peak memory (MiB)" in (run.folder / "report.html").read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LINES.replace("schema = 1", 'schema = 1\nmeasure = "cpu"\nmeasures = ["cpu"]'), "measure: does not"),
        (LINES.replace("schema = 1", 'schema = 1\nmeasures = ["cpu", "pie"]'), "'pie' is not one of"),
        (
            LINES.replace("schema = 1", 'schema = 1\nshow = "speedup"\nmeasures = ["elapsed", "cpu"]'),
            "not cpu",
        ),
        (TABLE.replace("schema = 1", 'schema = 1\nmeasures = ["cpu"]'), "measures: does not belong"),
        (TABLE.replace("schema = 1", "schema = 1\ny_limit = 1"), "y_limit: does not belong"),
        (TABLE + "[presets.quick]\ny_limit = 1\n", "presets.quick.y_limit: does not belong"),
        (LINES.replace("schema = 1", "schema = 1\ny_limit = 0"), "y_limit: 0 is less than or equal"),
        (BOXES.replace("schema = 1", 'schema = 1\nshow = "speedup"'), "show: does not belong"),
    ],
)
def test_wrong_keys_are_refused(text: str, said: str) -> None:
    with pytest.raises(UserError, match=re.escape(said)):
        parse_experiment(text, "x.toml")

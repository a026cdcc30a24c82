"""Groups of a grid: which programs they hold, their means against known answers, and how they are shown."""

import csv
from math import exp, log

import matplotlib as mpl
import numpy as np
import pytest

from actorbench.catalogue import all_experiments
from actorbench.cell import Cell
from actorbench.drawing.figure_files import STYLE, draw_figure
from actorbench.drawing.heat_picture import places_of
from actorbench.drawing.ratio_figures import heat_map_of
from actorbench.errors import UserError
from actorbench.estimates import RESAMPLES, Standing, mean_ratio, order_interval, resampled_means
from actorbench.experiment import parse_experiment
from actorbench.groups import Mean, means_of
from actorbench.project import Project
from actorbench.ratios import compare_rows
from actorbench.reporting.peeks import heat_views
from actorbench.results import Results
from actorbench.sides import side_of
from actorbench.tables import csv_for, table_for
from actorbench.workloads import SAVINA, load_workloads, parse_workloads, texts_for_each
from conftest import LINES, SOURCE, Checkout
from made_results import Measured, made_results
from test_report import report_of
from test_workloads import GRID, MANIFEST

# What each column's list queue takes, in times what its copy queue takes.
FACTORS = {"one": 2.0, "two": 8.0, "three": 0.5, "four": 2.0, "five": 1.0}
GROUPED = (
    """
schema = 1
id = "grouped"
title = "A grid in groups"
kind = "grid"
workload = "executor"
workers = [1]
[[rows]]
label = "list"
candidate = { options = { queue = "list" } }
base = { options = { queue = "copy" } }
[[rows]]
label = "list, spinning"
candidate = { options = { queue = "list", idle = "spin" } }
base = { options = { queue = "copy" } }
"""
    + """
[[across]]
label = "one"
group = "first"
parameters = { actors = 1 }
[[across]]
label = "three"
group = "second"
parameters = { actors = 3 }
[[across]]
label = "two"
group = "first"
parameters = { actors = 2 }
[[across]]
label = "four"
group = "second"
parameters = { actors = 4 }
[[across]]
label = "five"
group = "last"
parameters = { actors = 5 }
"""
)


def planted(cell: Cell, number: int) -> dict[str, int]:
    """A list queue takes its column's factor, spinning a tenth more; every round is slow in its own way.

    Only in column five they take turns.
    """
    column = list(FACTORS)[int(str(dict(cell.parameters)["actors"])) - 1]
    options = dict(cell.options)
    took = 1_000_000.0 * (1 + number % 3)
    if options["queue"] == "list":
        took *= FACTORS[column] * (1.1 if "idle" in options else 1)
        took *= 1 if column != "five" else 1.25 if number % 2 else 0.8
    return {"elapsed_ns": round(took)}


def results(measured: Measured = planted, rounds: int = 10) -> Results:
    return made_results(GROUPED, measured, rounds)


def means(made: Results) -> dict[tuple[str, str], Mean]:
    rows = compare_rows(made, made.experiments[0])
    return {(one.group, one.label): one for one in means_of(made, rows)}


def test_a_mean_is_that_of_the_logarithms_of_what_was_planted() -> None:
    found = means(results())
    assert list(found) == [
        (group, label) for group in ("first", "second", "last") for label in ("list", "list, spinning")
    ]
    for (group, label), wanted in {
        ("first", "list"): 4.0,
        ("first", "list, spinning"): 4.4,
        ("second", "list"): 1.0,
        ("second", "list, spinning"): 1.1,
    }.items():
        ratio = found[group, label].ratio
        assert ratio is not None
        assert (ratio.ratio, ratio.low, ratio.high) == pytest.approx((wanted,) * 3, rel=1e-5)
    assert not found["first", "list"].is_undecided
    assert found["last", "list"].is_undecided, "its interval holds 1"


def test_a_group_that_lacks_a_ratio_has_no_mean() -> None:
    def crashing(cell: Cell, number: int) -> dict[str, int] | None:
        crashed = dict(cell.parameters)["actors"] == 2 and "idle" in dict(cell.options)
        return None if crashed else planted(cell, number)

    found = means(results(crashing))
    assert (found["first", "list, spinning"].ratio, found["first", "list, spinning"].trouble) == (
        None,
        "lacks 1 of 2",
    )
    assert found["first", "list"].ratio is not None


def test_means_are_of_the_rounds_that_all_have() -> None:
    """As after an interrupt: the last round has no sample of column two."""
    made = results()
    two = {cell.key for cell in made.head.plan.cells if dict(cell.parameters)["actors"] == 2}
    samples = tuple(one for one in made.samples if one.round != 9 or one.key not in two)
    cut = Results(made.name, made.head, samples, made.experiments, made.resolver)
    counts = {place: one.ratio and one.ratio.count for place, one in means(cut).items()}
    assert counts["first", "list"] == 9
    assert counts["second", "list"] == 10


def test_too_few_rounds_have_a_mean_without_an_interval() -> None:
    one, other = (means(results(rounds=rounds))["first", "list"] for rounds in (5, 6))
    assert one.ratio is not None
    assert (one.ratio.low, one.ratio.standing, one.is_undecided) == (None, Standing.TOO_FEW, True)
    assert not other.is_undecided


def test_the_interval_of_one_ratio_is_that_of_a_bootstrapped_median() -> None:
    """Resamples of three rounds: 7 of 27 have the least as their median, 13 the middle, 7 the most."""
    logs = np.array([[log(2), log(3), log(5)]])
    drawn = np.exp(resampled_means(logs, np.random.default_rng(1)))
    shares = [np.mean(np.isclose(drawn, value)) for value in (2, 3, 5)]
    assert shares == pytest.approx([7 / 27, 13 / 27, 7 / 27], abs=0.02)
    assert len(drawn) == RESAMPLES


def test_rounds_are_resampled_whole() -> None:
    """What two ratios share of a round's noise widens their mean's interval; what is opposite cancels."""
    noise = np.random.default_rng(3).normal(0, 0.2, 10)
    alike = mean_ratio(np.stack([noise, noise]), seed=1, name="x")
    opposite = mean_ratio(np.stack([noise, -noise]), seed=1, name="x")
    assert (opposite.low, opposite.high) == pytest.approx((1, 1))
    assert alike.low is not None
    assert alike.high is not None
    low, high = np.exp(order_interval(noise))
    assert low <= alike.low < exp(float(np.median(noise))) < alike.high <= high
    assert alike == mean_ratio(np.stack([noise, noise]), seed=1, name="x"), "the same seed and name"
    assert alike.p_value > 0.05
    assert mean_ratio(np.stack([noise, noise]) + 1, seed=1, name="x").p_value < 0.001


def test_a_mean_does_not_hang_on_the_processor() -> None:
    """Not on the last digits of its logarithms: an image tells by a digest what numbers it shows."""
    logs = np.log(np.random.default_rng(7).uniform(0.5, 2, (5, 13)))
    elsewhere = mean_ratio(np.nextafter(logs, np.inf), seed=1, name="x")
    assert elsewhere == mean_ratio(logs, seed=1, name="x")


def test_the_table_has_groups_with_their_means() -> None:
    made = results()
    table = table_for(made, made.experiments[0])
    assert [column.heading for column in table.columns] == ["", "list", "list, spinning"]
    assert [row[0] for row in table.rows] == [
        *("first:", "  one", "  two", "  geometric mean"),
        *("second:", "  three", "  four", "  geometric mean"),
        *("last:", "  five", "  geometric mean"),
    ]
    assert table.rows[3][1] == "4.00 [4.00, 4.00]"
    assert table.rows[-1][1].startswith("("), "not told apart"
    assert table.lead[0].startswith("geometric means that are told apart from 1: first, list 4.00")
    assert "last, list " not in table.lead[0]
    (note,) = (one for one in table.notes if "geometric mean" in one)
    assert "[95 % interval, percentile bootstrap]: 10,000 resamples of whole rounds, seed 1" in note
    lines = list(csv.DictReader(csv_for(made, made.experiments[0]).splitlines()))
    by_label = {line["label"]: line for line in lines}
    assert len(lines) == 5 * 2 + 3 * 2
    assert float(by_label["first, geometric mean, list"]["ratio"]) == pytest.approx(4.0)
    assert by_label["last, geometric mean, list"]["verdict"] == "not told apart"


def test_the_picture_has_groups_with_their_means() -> None:
    made = results()
    shown = heat_map_of(made, made.experiments[0])
    assert shown.headings == ("list", "list, spinning")
    assert shown.begun == ("first", "", "", "second", "", "", "last", "")
    assert places_of(shown) == [1, 2, 3, 5, 6, 7, 9, 10], "a line for each group's head"
    assert [spots[0].text for spots in shown.spots[:3]] == ["2.00", "8.00", "4.00 [4.00, 4.00]"]
    assert [spots[0].is_undecided for spots in shown.spots[-2:]] == [True, True]
    assert not shown.spots[2][0].is_undecided
    with mpl.rc_context(fname=STYLE):
        figure = draw_figure(side_of(made, made.experiments[0]))
    axes = figure.axes[0]
    assert [text.get_text() for text in axes.get_yticklabels()] == list(shown.labels)
    written = [text.get_text() for text in axes.texts]
    assert {"first", "second", "last", "list,\nspinning"} <= set(written)
    assert "4.00\n[4.00, 4.00]" in written
    assert "whole rounds" in " ".join(text.get_text().replace("\n", " ") for text in figure.texts)


def test_the_page_has_groups_with_their_means(checkout: Checkout) -> None:
    (view,) = heat_views(results())
    assert [(group, label) for group, label, _ in view.lines][:4] == [
        ("first", "one"),
        ("", "two"),
        ("", "geometric mean"),
        ("second", "three"),
    ]
    mean = view.lines[2][2][0]
    assert (mean.spot.text, mean.peek) == ("4.00 [4.00, 4.00]", None)
    checkout.experiment(GROUPED, "grouped")
    page = report_of(checkout, "grouped", "--samples", "6")
    assert page.count('<th scope="rowgroup" colspan="3">') == 3
    assert page.count('<th scope="row">geometric mean</th>') == 3


def test_all_columns_have_a_group_or_none() -> None:
    with pytest.raises(UserError, match="across: some have a group, and some have none"):
        parse_experiment(GROUPED.replace('group = "last"\n', ""), "x.toml")
    series = '[[series]]\nlabel = "list"\n[[series]]\nlabel = "copy"\n'
    head, across = GROUPED[: GROUPED.index("[[rows]]")], GROUPED[GROUPED.index("[[across]]") :]
    with pytest.raises(UserError, match="group: does not belong in this kind"):
        parse_experiment(head.replace('"grid"', '"best"') + series + across, "x.toml")


def test_a_file_takes_the_programs_of_the_suite_and_their_groups_from_the_manifest() -> None:
    manifest = MANIFEST.replace("[executor]\n", '[executor]\nsavina = "parallelism"\n')
    manifest = manifest.replace("[big]\n", '[big]\nsavina = "micro"\n')
    of_suite = GRID.replace('label = "static"\nworkload = "static"\n[[across]]\n', "")
    text = of_suite.replace('each = "workload"', 'each = "savina"')
    (made,) = texts_for_each(text, parse_workloads(manifest))
    readings = [one.reading for one in parse_experiment(made, "x").comparisons]
    assert [(one.group, one.column) for one in readings] == [("micro", "big"), ("parallelism", "executor")]
    (at_top,) = texts_for_each(LINES.replace("schema = 1", 'schema = 1\neach = "savina"'), [])
    with pytest.raises(UserError, match="each: 'workload' was expected"):
        parse_experiment(at_top, "x")


def test_the_suite_is_all_here() -> None:
    project = Project(SOURCE)
    counted = [sum(one.savina == group for one in load_workloads(project)) for group in SAVINA]
    assert counted == [7, 8, 15], "as the paper counts them"
    (grid,) = all_experiments(project, "savina")
    assert len(grid.comparisons) == 4 * 30

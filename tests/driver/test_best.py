"""The best of several: each with each, who is left out and why, and what is written of it."""

import csv
import io
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import pytest

from actorbench.best import Contest, Option, contests_of, places_text, standing_text
from actorbench.best_tables import best_table, contested_csv, contested_of
from actorbench.cell import Cell
from actorbench.comparing_many import compare_options
from actorbench.drawing.figure_files import STYLE, draw_figure
from actorbench.errors import UserError
from actorbench.estimates import Ratio, Standing
from actorbench.experiment import Reading, parse_experiment
from actorbench.measure import MEASURES
from actorbench.ratios import Row
from actorbench.replay import replay_text
from actorbench.results import Results
from actorbench.sides import side_of
from made_results import made_results

BEST = """
schema = 1
id = "victims"
title = "Whom to steal from"
kind = "best"
workload = "executor"
workers = [2]
[[series]]
label = "slow"
options = { steal = "none" }
[[series]]
label = "quick"
options = { steal = "random" }
[[series]]
label = "alike"
options = { steal = "nearest" }
[[series]]
label = "middle"
options = { steal = "longest" }
"""
ROUNDS = 10
# In ns: "alike" and "quick" win 5 rounds each; "middle" and "slow" lose all against those.
TIMES = {"random": 1000, "nearest": 1001, "longest": 2000, "none": 4000}


def times(cell: Cell, number: int) -> Mapping[str, Any]:
    """A drift that all of a round share, and two options that take turns."""
    steal = str(dict(cell.options)["steal"])
    turn = (number % 2) * 4 if steal == "random" else 0
    return {"elapsed_ns": (TIMES[steal] + turn) * (number + 1) * 1000, "workers": cell.workers}


def made(text: str = BEST, rounds: int = ROUNDS, **document: Any) -> Results:  # noqa: ANN401
    return made_results(text, times, rounds, **document)


def contest(text: str = BEST, rounds: int = ROUNDS) -> Contest:
    results = made(text, rounds)
    (one,) = contests_of(results, results.experiments[0])
    return one


def test_each_is_compared_with_each() -> None:
    experiment = parse_experiment(BEST, "x.toml")
    assert [row.reading.sides for row in experiment.comparisons] == [
        ("slow", "quick"),
        ("slow", "alike"),
        ("slow", "middle"),
        ("quick", "alike"),
        ("quick", "middle"),
        ("alike", "middle"),
    ]
    assert {row.reading.measure for row in experiment.comparisons} == {"time_per_operation"}
    assert experiment.measures == ("time_per_operation",)
    assert [series.label for series in experiment.series] == ["slow", "quick", "alike", "middle"]


def test_the_best_and_what_is_not_told_apart_from_it() -> None:
    one = contest()
    assert one.label == "executor, 2 workers"
    assert [option.label for option in one.options] == ["alike", "quick", "middle", "slow"]
    assert [option.label for option in one.best] == ["alike", "quick"]
    assert one.lead == "executor, 2 workers: best, or not told apart from the best: alike, quick (2 of 4)"
    assert [one.better_than(label) for label in ("alike", "quick", "middle", "slow")] == [
        [],
        [],
        [1, 2],
        [1, 2, 3],
    ]
    assert [standing_text(one, option) for option in one.options] == [
        "best or not told apart",
        "best or not told apart",
        "slower than 1-2",
        "slower than 1-3",
    ]


def test_a_comparison_is_read_either_way() -> None:
    one = contest()
    assert one.verdict("slow", "middle") == "slower"
    assert one.verdict("middle", "slow") == "faster"
    assert one.verdict("alike", "quick") == one.verdict("quick", "alike") == "not told apart"
    assert one.verdict("slow", "slow") == one.verdict("slow", "nobody") == ""
    above, below = one.ratio("slow", "middle"), one.ratio("middle", "slow")
    assert above is not None
    assert below is not None
    assert (above.ratio, below.ratio) == (2.0, 0.5)
    assert one.ratio("slow", "slow") is None


def test_the_whole_table_is_one_family() -> None:
    """With 7 rounds a pair alone would be told apart, two columns of six pairs are not: p = 12 * 2 / 2^7."""
    across = '[[across]]\nlabel = "a"\n[[across]]\nlabel = "b"\nparameters = { actors = 2 }\n'
    results = made(BEST + across, 7)
    shown = contested_of(results, results.experiments[0])
    assert [one.label for one in shown.contests] == ["a, 2 workers", "b, 2 workers"]
    assert {row.adjusted for row in shown.rows if row.ratio and row.ratio.p_value < 0.1} == {12 * 2 / 2**7}
    assert shown.lead == ["12 comparisons need 9 samples a cell before any can be told apart"]
    results = made(BEST + across, 9)
    shown = contested_of(results, results.experiments[0])
    assert [len(one.best) for one in shown.contests] == [2, 2]
    assert len(shown.lead) == 2
    assert shown.verdicts_note == "verdicts at 5 %, corrected for all 12 pairs of options by Holm's method"


def test_a_row_an_option_against_all() -> None:
    results = made()
    table = best_table(results, results.experiments[0])
    assert [column.heading for column in table.columns] == [
        "",
        "time per operation (ns) [95 % interval, order statistics]",
        "over 1 [95 % interval, sign test]",
        "over 2",
        "over 3",
        "over 4",
        "of all",
        "steals",
    ]
    texts = [row[0] for row in table.rows]
    assert texts == ["1. alike", "2. quick", "3. middle", "4. slow"]
    assert [row[3] for row in table.rows] == ["(1.00)", "-", "2.00", "3.99"]
    assert [row[5] for row in table.rows] == ["0.25", "0.25", "0.50", "-"]
    assert table.rows[3][2].startswith("3.996 [3.996, 3.996]")
    assert table.rows[1][2].startswith("(")
    assert table.lead == [contest().lead]
    assert table.notes[0].endswith("in (): not told apart")
    assert table.rows[3][-1] == "", "what does not steal has no steals"


def test_against_a_reference() -> None:
    results = made(BEST.replace("workload", 'reference = "middle"\nworkload'))
    table = best_table(results, results.experiments[0])
    headings = [column.heading for column in table.columns]
    assert headings[2:5] == ["over middle [95 % interval, sign test]", "against it", "of all"]
    assert [row[3] for row in table.rows] == ["faster", "faster", "-", "slower"]
    assert [row[4] for row in table.rows] == [
        "best or not told apart",
        "best or not told apart",
        "slower than 1-2",
        "slower than 1-3",
    ]
    assert not table.notes[0].endswith("not told apart")


def test_one_alone_is_the_best() -> None:
    one = contest(BEST.replace('"nearest"', '"none", idle = "spin"'))
    assert [option.label for option in one.best] == ["quick"]
    assert one.lead == "executor, 2 workers: best: quick"
    assert standing_text(one, one.options[0]) == "best"


def test_less_memory_is_better() -> None:
    def memory(cell: Cell, number: int) -> Mapping[str, Any]:
        return {**times(cell, 0), "peak_rss_bytes": TIMES[str(dict(cell.options)["steal"])] * 1000 + number}

    results = made_results(BEST.replace("workload", 'measure = "peak_memory"\nworkload'), memory, ROUNDS)
    (one,) = contests_of(results, results.experiments[0])
    assert [option.label for option in one.best] == ["quick"]
    assert standing_text(one, one.options[-1]) == "more than 1-3"


def test_what_failed_is_named_and_decides_nothing() -> None:
    def crashing(cell: Cell, number: int) -> Mapping[str, Any] | None:
        return None if dict(cell.options)["steal"] == "random" else times(cell, number)

    results = made_results(BEST, crashing, ROUNDS)
    (one,) = contests_of(results, results.experiments[0])
    assert [option.label for option in one.options] == ["alike", "middle", "slow", "quick"]
    assert one.lead == "executor, 2 workers: best: alike; without a result: quick"
    table = best_table(results, results.experiments[0])
    assert table.rows[3][1].startswith("failed: crash")
    assert table.rows[3][2:6] == ["-"] * 4
    assert table.rows[3][6].startswith("failed: crash")
    all_failed = made_results(BEST, lambda _cell, _number: None, ROUNDS)
    (none,) = contests_of(all_failed, all_failed.experiments[0])
    assert (
        none.lead == "executor, 2 workers: nothing to compare; without a result: slow, quick, alike, middle"
    )


def test_too_few_samples_say_nothing() -> None:
    one = contest(rounds=5)
    assert one.lead == "executor, 2 workers: too few samples to say which is best"
    assert {standing_text(one, option) for option in one.options} == {"too few samples"}


def test_a_circle_has_no_best() -> None:
    """Each beats the next in two thirds of the rounds: of enough rounds that is no chance."""
    ratio = Ratio(0.5, 0.4, 0.6, 99, Standing.ENOUGH, 0.0001)
    cell = Cell("", "", "w", 1, 1.0, (), ())
    rows = tuple(
        Row(Reading("", sides=sides), "", cell, cell, ratio, None, "", adjusted=0.001)
        for sides in (("a", "b"), ("b", "c"), ("c", "a"))
    )
    real = contest()
    options = tuple(
        Option(label, real.options[0].results, cell, real.options[0].estimate) for label in ("a", "b", "c")
    )
    assert Contest("x", MEASURES["time_per_operation"], options, rows).lead == (
        "x: none is best: of each was found that another is better"
    )


def test_workers_are_contests_of_their_own() -> None:
    results = made(BEST.replace("[2]", "[1, 2, 3]"))
    labels = [one.label for one in contests_of(results, results.experiments[0])]
    assert labels == ["executor, 1 worker", "executor, 2 workers", "executor, 3 workers (oversubscribed)"]
    rows = best_table(results, results.experiments[0]).rows
    assert [row[0] for row in rows[:2]] == ["executor, 1 worker:", "  1. alike"]
    assert rows[5] == [""] * 8


def test_all_pairs_as_csv() -> None:
    results = made()
    rows = list(csv.DictReader(io.StringIO(contested_csv(contested_of(results, results.experiments[0])))))
    assert len(rows) == 6
    first = rows[0]
    assert (first["option"], first["against"], first["verdict"]) == ("slow", "quick", "slower")
    assert (first["option_of_all"], first["against_of_all"]) == ("slower than 1-3", "best or not told apart")
    assert float(first["option_median"]) > float(first["against_median"])


def test_more_than_a_picture_holds() -> None:
    across = "".join(f'[[across]]\nlabel = "a{n}"\nparameters = {{ actors = {n} }}\n' for n in range(1, 41))
    results = made(BEST + across, 6)
    with mpl.rc_context(fname=STYLE):
        figure = draw_figure(side_of(results, results.experiments[0]))
    assert len(figure.axes) == 30
    assert "drawn: the first 30 of 40; the table has all" in [text.get_text() for text in figure.texts][-1]


def test_the_picture_has_an_interval_an_option() -> None:
    results = made()
    with mpl.rc_context(fname=STYLE):
        figure = draw_figure(side_of(results, results.experiments[0]))
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["alike", "quick", "middle", "slow"]
    assert len(axes.containers) == 3, "the first is what the others are set against"
    assert [text.get_text() for text in axes.texts][-1] == "220,000 ns"
    said = " ".join(text.get_text() for text in figure.texts)
    assert "quick (2 of 4)" in said
    assert "corrected for all 6 pairs" in said


@pytest.mark.parametrize(
    ("places", "text"), [([], ""), ([3], "3"), ([1, 2], "1-2"), ([1, 2, 3, 5, 7, 8], "1-3, 5, 7-8")]
)
def test_places(places: list[int], text: str) -> None:
    assert places_text(places) == text


def steals(*names: str) -> dict[str, dict[str, str]]:
    return {name: {"steal": name} for name in names}


def test_options_that_a_run_holds() -> None:
    results = made(BEST.replace("[2]", "[1, 2]"))
    options = steals("none", "longest", "random")
    shown = compare_options(results, options, "time_per_operation", "none")
    assert [one.label for one in shown.contests] == ["executor, 1 worker", "executor, 2 workers"]
    assert shown.lead[1] == "executor, 2 workers: best: random"
    with pytest.raises(UserError, match=r"just in the 3 options: none has 'never'"):
        compare_options(
            results, {**steals("none", "random"), "never": {"steal": "never"}}, "time_per_operation"
        )
    with pytest.raises(UserError, match=r"--reference 'x' is none of those compared: none, longest, random"):
        compare_options(results, options, "time_per_operation", "x")


def test_a_command_each() -> None:
    results = made()
    lines = replay_text(results, results.experiments[0]).splitlines()
    assert len(lines) == 1 + 2 * 4
    assert lines[1] == "# slow, 2 workers"


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ('label = "quick"', 'label = "slow"', "series: label 'slow' is given twice"),
        ('title = "', 'reference = "x"\ntitle = "', "reference: no series 'x' (choices: slow, quick, alike"),
        ('kind = "best"', 'kind = "lines"\nreference = "slow"', "reference: does not belong in this kind"),
        ('title = "', 'measure = "gulps"\ntitle = "', "measure"),
        ('label = "slow"', 'label = "slow"\nworkers = [1]', "does not belong in this kind"),
        (
            "[[series]]",
            '[[across]]\nlabel = "a"\n[[across]]\nlabel = "a"\n[[series]]',
            "across: label 'a' is",
        ),
    ],
)
def test_what_a_contest_cannot_have_is_said(right: str, wrong: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_experiment(BEST.replace(right, wrong, 1), "x.toml")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)

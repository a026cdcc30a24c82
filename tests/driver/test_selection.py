"""The simulation of contests: it is what is stored, and the best is left out no more than is said."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from actorbench.best import contests_of
from actorbench.cell import Cell
from actorbench.coverage.selecting import (
    FILE_NAME,
    OPTIONS,
    ROUNDS,
    TRIALS,
    TRUTHS,
    Count,
    cases,
    selected,
    selection_table,
    simulate,
)
from actorbench.csv_rows import read_rows, write_rows
from actorbench.ledger.simulating import SHAPES
from conftest import SOURCE
from made_results import made_results
from test_best import BEST

STORED = read_rows(Count, SOURCE / "docs" / FILE_NAME)


def test_every_case_was_simulated_and_is_stored() -> None:
    assert cases() == list(product(SHAPES, TRUTHS, OPTIONS, ROUNDS))
    assert [(one.shape, one.truth, one.options, one.rounds) for one in STORED] == cases()
    assert {one.trials for one in STORED} == {TRIALS} == {2000}


@pytest.mark.simulation
@pytest.mark.parametrize("truth", TRUTHS)
def test_the_simulation_gives_what_is_stored(truth: str) -> None:
    case = ("skewed", truth, 3, 12)
    assert simulate(*case) == next(
        one for one in STORED if (one.shape, one.truth, one.options, one.rounds) == case
    )


def test_the_best_is_named_in_95_of_100_tables() -> None:
    """Whichever are the best, and however many there are: of one shape but for chance, of all together."""
    assert not any(one.is_over for one in STORED)
    for truth, options, rounds in product(TRUTHS, OPTIONS, ROUNDS):
        of_all = [one for one in STORED if (one.truth, one.options, one.rounds) == (truth, options, rounds)]
        assert len(of_all) == len(SHAPES)
        assert sum(one.left_out for one in of_all) < 0.05 * sum(one.trials for one in of_all)


def test_what_is_worse_by_far_is_not_named() -> None:
    """With 20 rounds; of all that are alike nearly all are."""
    for one in STORED:
        if one.rounds == 20:
            named = one.named / one.trials
            assert one.truth != "one" or named < 1.01
            assert one.truth != "two" or 1.9 < named < 2.01
            assert one.truth != "alike" or named > 0.98 * one.options


def test_the_selected_are_those_that_nothing_is_faster_than() -> None:
    rounds = np.arange(1.0, 13.0)
    assert selected(np.stack([rounds, rounds * 2, rounds * 3])) == {0}
    assert selected(np.stack([rounds * 2, rounds, rounds[::-1] * 1.01])) == {1, 2}


def test_the_selected_are_those_that_a_contest_names() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        times = np.exp(rng.normal(0, 0.05, (4, 12)) + np.array([[0.0], [0.02], [0.06], [0.3]]))
        by_option = dict(zip(("random", "nearest", "longest", "none"), times, strict=True))

        def measured(cell: Cell, number: int, by_option: dict[str, Any] = by_option) -> dict[str, int]:
            return {"elapsed_ns": int(1e9 * by_option[str(dict(cell.options)["steal"])][number])}

        results = made_results(BEST, measured, 12)
        (one,) = contests_of(results, results.experiments[0])
        names = {dict(option.cell.options)["steal"] for option in one.best}
        assert names == {list(by_option)[number] for number in selected(times)}


def test_counts_are_written_and_read(tmp_path: Path) -> None:
    counts = [Count("normal", "one", 3, 12, 2000, 90, 2300), Count("skewed", "x", 12, 20, 2000, 140, 3)]
    (tmp_path / "x.csv").write_text(write_rows(Count, counts))
    assert read_rows(Count, tmp_path / "x.csv") == counts
    assert [one.is_over for one in counts] == [False, True]


def test_the_table_has_a_row_a_shape_and_truth() -> None:
    table = selection_table(STORED, 12)
    assert [row[0] for row in table.rows] == [shape for shape in SHAPES for _ in TRUTHS]
    assert len(table.columns) == 2 + 2 * len(ROUNDS)
    assert table.rows[0][1] == "all are as good"

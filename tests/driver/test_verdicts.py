"""The simulation of verdicts: what it counts, that it is what is stored, and what it shows."""

from itertools import product
from pathlib import Path

import pytest

from actorbench.csv_rows import read_rows, write_rows
from actorbench.ledger.asking import DECIDED_BY_SAMPLES
from actorbench.ledger.simulating import (
    KINDS,
    LEDGER,
    ROUNDS,
    SHAPES,
    TRIALS,
    TRUTHS,
    Count,
    simulate,
    simulate_ledger,
    verdicts_table,
)
from conftest import SOURCE

STORED = read_rows(Count, SOURCE / "docs" / "verdicts.csv")


def test_every_kind_that_samples_decide_was_simulated_and_is_stored() -> None:
    assert KINDS.keys() == DECIDED_BY_SAMPLES.keys()
    cases = list(product(KINDS, SHAPES, TRUTHS, ROUNDS))
    cases += [(LEDGER, shape, "border", rounds) for shape, rounds in product(SHAPES, ROUNDS)]
    assert [(one.kind, one.shape, one.truth, one.rounds) for one in STORED] == cases
    assert {one.trials for one in STORED} == {TRIALS} == {2000}


@pytest.mark.parametrize("kind", KINDS)
def test_the_simulation_gives_what_is_stored(kind: str) -> None:
    case = (kind, "skewed", "outside", 12)
    stored = next(one for one in STORED if (one.kind, one.shape, one.truth, one.rounds) == case)
    assert simulate(*case) == stored


def test_verdicts_are_not_wrong_more_often_than_they_say() -> None:
    """Of 81 counts at the border chance marks one or two."""
    assert sum(one.is_over for one in STORED) <= 3
    assert max(one.wrong / one.trials for one in STORED if one.truth != "border") < 0.001
    assert all(one.wrong / one.trials < 0.03 for one in STORED if one.kind == LEDGER)


def test_a_bound_by_far_is_found() -> None:
    """With 20 rounds, of all kinds but the spread, which has half as many to go by."""
    found = [
        one.reproduced if one.truth == "inside" else one.not_reproduced
        for one in STORED
        if one.truth != "border" and one.rounds >= 20 and one.kind != "spread"
    ]
    assert min(found) / TRIALS > 0.98


def test_a_whole_ledger_counts_any_wrong_verdict() -> None:
    assert simulate_ledger("normal", 6, trials=20).reproduced == 0, "6 rounds decide nothing among 40 claims"
    stored = [one for one in STORED if one.kind == LEDGER]
    assert all(one.reproduced > 0 for one in stored)


def test_counts_are_written_and_read(tmp_path: Path) -> None:
    counts = [
        Count("ratio", "skewed", "border", 12, 2000, 90, 140),
        Count("ratio", "x", "inside", 12, 2000, 2, 3),
    ]
    (tmp_path / "x.csv").write_text(write_rows(Count, counts))
    assert read_rows(Count, tmp_path / "x.csv") == counts
    assert [one.wrong for one in counts] == [140, 3]
    assert [one.is_over for one in counts] == [True, False]
    assert Count("ratio", "x", "outside", 12, 2000, 2, 3).wrong == 2


def test_the_table_has_a_row_a_kind() -> None:
    table = verdicts_table(STORED, "skewed")
    assert [row[0] for row in table.rows] == [*KINDS, LEDGER]
    assert len(table.columns) == 1 + 3 * len(ROUNDS)
    with pytest.raises(KeyError):
        verdicts_table([one for one in STORED if one.kind != "gap"], "skewed")

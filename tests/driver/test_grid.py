"""Grids: candidates down, workloads across; the whole table is one family; the better is said first."""

import pytest

from actorbench.errors import UserError
from actorbench.experiment import parse_experiment
from actorbench.grid import grid_body, grid_lead
from actorbench.ratios import compare_rows
from actorbench.results import load_results
from conftest import Checkout

GRID = """
schema = 1
id = "grid"
title = "A grid"
kind = "grid"
workload = "executor"
workers = [1]
[[rows]]
label = "copy"
candidate = { options = { queue = "copy" } }
base = { options = { queue = "list" } }
[[rows]]
label = "list"
candidate = { options = { queue = "list" } }
base = { options = { queue = "copy" } }
[[rows]]
label = "itself"
candidate = { options = { queue = "copy" } }
base = { options = { queue = "copy" } }
[[across]]
label = "small"
parameters = { actors = 1 }
[[across]]
label = "large"
parameters = { actors = 2 }
"""


def test_rows_go_down_and_columns_across(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.experiment(GRID, "grid")
    assert checkout.call("figures", "grid", "--samples", "12") == 0
    said = capsys.readouterr().out
    results = load_results(checkout.only_run())
    rows = compare_rows(results, results.experiments[0])
    headings, body = grid_body(rows)
    assert headings == ["small", "large"]
    assert [line[0] for line in body] == ["copy", "list", "itself"]
    assert body[0][1].startswith("0.5")
    assert body[1][2].startswith("1.9") or body[1][2].startswith("2.0")
    assert body[2][1:] == ["the same cell here"] * 2
    (lead,) = grid_lead(rows)
    assert lead.startswith("faster than the base: copy: small 0.5")
    assert "large 0.5" in lead
    assert "list" not in lead
    assert said.index(lead) < said.index("candidate / base")
    csv = (checkout.only_run().folder / "tables" / "grid.csv").read_text().splitlines()
    assert len(csv) == 1 + len(rows)
    assert '"small, copy"' in csv[1]


def test_p_values_are_corrected_over_the_whole_table(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.experiment(GRID, "grid")
    checkout.call("sweep", "grid", "--samples", "7")
    results = load_results(checkout.only_run())
    rows = [row for row in compare_rows(results, results.experiments[0]) if row.label != "itself"]
    assert {row.ratio.p_value for row in rows if row.ratio} == {2 / 2**7}
    assert {row.adjusted for row in rows} == {4 * 2 / 2**7}, "four comparisons, two columns of two"
    assert {row.verdict for row in rows} == {"not told apart"}, "in a column of its own each would be"
    out = capsys.readouterr().out
    assert "corrected for the 4 comparisons of this table by Holm's method" in out
    assert out.count("\n4 comparisons need 8 samples a cell before any can be told apart\n") == 1
    assert "no candidate was found better" not in out, "none could be"


# Each cell takes longer in every other round: those that spin in the even ones, the rest in the odd ones, so
# that each side is the faster one in half of the rounds.
BY_TURNS = """
cell=FOLDER/cell turn=0
case "$*" in *spin*) cell=$cell.spin turn=1 ;; esac
case "$*" in *"--actors 2"*) cell=$cell.large ;; esac
echo >>$cell.rounds
elapsed=$((base + ($(wc -l <$cell.rounds) + turn) % 2 * 1000))
record"""


def test_what_is_not_told_apart_stands_in_brackets(checkout: Checkout) -> None:
    checkout.program("executor", BY_TURNS.replace("FOLDER", str(checkout.root)))
    text = GRID.replace('queue = "list"', 'queue = "copy", idle = "spin"')
    checkout.experiment(text, "grid")
    checkout.call("sweep", "grid", "--samples", "8")
    results = load_results(checkout.only_run())
    rows = compare_rows(results, results.experiments[0])
    assert grid_body(rows)[1][0][1].startswith("(")
    lead = grid_lead(rows)
    assert lead[0] == "no candidate was found better than its base"
    under = any(row.ratio and row.ratio.ratio < 1 and row.verdict == "not told apart" for row in rows)
    assert [line.startswith("not told apart, but under 1 by the median: ") for line in lead[1:]] == [
        True
    ] * under


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ('label = "copy"', 'label = "copy"\nshow = "speedup"', "does not belong in this kind"),
        ('label = "copy"', 'label = "copy"\nat_most = 1', "does not belong in this kind"),
        ("workers = [1]", 'workers = "1..all"', "workers"),
        ("workers = [1]", "workers = [1, 2]", "workers"),
        ("[[across]]", "[[along]]", "unknown key 'along'"),
        ('kind = "grid"', 'kind = "ratios"', "across: does not belong in this kind"),
    ],
)
def test_what_a_grid_cannot_have_is_said(right: str, wrong: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_experiment(GRID.replace(right, wrong), "x.toml")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)

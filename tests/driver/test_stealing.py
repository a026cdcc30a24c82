"""Steals beside times and ratios, and the mark of samples without one."""

import csv

import pytest

from actorbench.stealing import STEALS_NOTE
from actorbench.store import all_runs
from actorbench.tables import table_for
from conftest import FASTER, STEALING_LINES, Checkout

# Nobody steals on 1 worker; with random, every second sample of 2 workers has no steal.
STEALING = """
steals=0
[ $workers -gt 1 ] && case "$*" in
*--steal?longest*) steals=7 ;;
*--steal?random*) mkdir FOLDER/taken 2>/dev/null && steals=5 || rmdir FOLDER/taken ;;
esac
record | sed 's/"notes":\\[\\]/"notes":[],"statistics":{"steals":'$steals',"mean_steal_size":1}/'
"""


def test_steals_stand_beside_the_time_and_samples_without_one_are_marked(checkout: Checkout) -> None:
    checkout.program("executor", STEALING.replace("FOLDER", str(checkout.root)))
    checkout.experiment(STEALING_LINES, "stealing")
    results, folder = checkout.drawn("stealing", "--workers", "1,2", "--samples", "6")
    table = table_for(results, results.experiments[0])
    headings = [column.heading for column in table.columns]
    assert headings == ["workers", "none", "random", "steals, random", "longest", "steals, longest", "ideal"]
    one, two = (dict(zip(headings, row, strict=True)) for row in table.rows)
    assert (one["steals, random"], one["steals, longest"]) == ("0", "0"), (
        "one worker has nobody to steal from"
    )
    assert (two["steals, random"], two["steals, longest"]) == ("2 (none in 3 of 6)", "7")
    svg = (folder / "figures" / "stealing.svg").read_text()
    assert svg.count("a sample without a steal") == 1
    with (folder / "figures" / "stealing.csv").open() as file:
        marks = [row["random without a steal"] for row in csv.DictReader(file)]
    assert marks[0] == ""
    assert float(marks[1]) > 0
    rows = list(csv.DictReader((folder / "tables" / "stealing.csv").open()))
    assert [row["median"] for row in rows if row["measure"] == "steals"] == ["0.0", "2.5", "0.0", "7.0"]


def test_a_run_that_counted_no_steals_says_so(checkout: Checkout) -> None:
    checkout.experiment(STEALING_LINES, "stealing")
    results, folder = checkout.drawn("stealing", "--workers", "2")
    assert table_for(results, results.experiments[0]).rows[0][3] == "not counted"
    assert "without a steal" not in (folder / "figures" / "stealing.svg").read_text()


STEALING_RATIOS = """
schema = 1
id = "stealing"
title = "Executor: stealing"
kind = "ratios"
claims = ["T15"]
workload = "executor"
workers = [2]
[[rows]]
label = "random"
candidate = { options = { steal = "random" } }
base = { options = { steal = "none" } }
[[rows]]
label = "longest, and random"
candidate = { options = { steal = "longest" } }
base = { options = { steal = "random" } }
[[rows]]
label = "by default"
candidate = { options = { queue = "list" } }
base = { options = { steal = "none" } }
[[rows]]
label = "longest, 2 workers against 1"
options = { steal = "longest" }
candidate = {}
base = { workers = [1] }
[[rows]]
label = "not about stealing"
candidate = { options = { queue = "list" } }
base = {}
"""
STOLEN = [
    "candidate 2 (none in 3 of 6)",
    "candidate 7; base 2 (none in 3 of 6)",
    "candidate 0 (none in 6 of 6)",
    "candidate 7",
    "",
]


def test_steals_stand_beside_the_ratios_of_what_steals(checkout: Checkout) -> None:
    checkout.program("executor", STEALING.replace("FOLDER", str(checkout.root)))
    checkout.claims(FASTER.replace('"ratios"', '"stealing"').replace("copy against list", "random"))
    checkout.experiment(STEALING_RATIOS, "stealing")
    results, folder = checkout.drawn("stealing", "--samples", "6")
    table = table_for(results, results.experiments[0])
    assert table.columns[-1].heading == "steals"
    assert [row[-1] for row in table.rows[1:]] == STOLEN
    assert STEALS_NOTE in table.notes
    rows = list(csv.DictReader((folder / "tables" / "stealing.csv").open()))
    counts = [(row["candidate_steals"], row["base_steals"]) for row in rows]
    assert counts == [("2.5", ""), ("7.0", "2.5"), ("0.0", ""), ("7.0", ""), ("", "")]
    assert checkout.call("report", folder.name) == 0
    page = (folder / "report.html").read_text()
    assert all(f"<td>{text}</td>" in page for text in STOLEN)
    assert "; steals: executor, random, 2 workers 2 (none in 3 of 6))</span>" in page, (
        "the claim says so, too"
    )


def test_steals_stand_in_a_grids_cells(checkout: Checkout) -> None:
    checkout.program("executor", STEALING.replace("FOLDER", str(checkout.root)))
    rows = STEALING_RATIOS.partition("[[rows]]")[2].partition('[[rows]]\nlabel = "longest, 2')[0]
    text = f'schema = 1\nid = "stealing"\ntitle = "A"\nkind = "grid"\nworkers = [2]\n[[rows]]{rows}'
    checkout.experiment(text + '[[across]]\nlabel = "executor"\nworkload = "executor"\n', "stealing")
    results, _ = checkout.drawn("stealing", "--samples", "6")
    table = table_for(results, results.experiments[0])
    assert [row[1].partition("; steals: ")[2] for row in table.rows] == STOLEN[:3]
    assert STEALS_NOTE in table.notes
    assert not any("steals" in line for line in table.lead)


def test_a_table_without_stealing_has_no_steals(checkout: Checkout) -> None:
    results, _ = checkout.drawn("ratios")
    table = table_for(results, results.experiments[0])
    assert [column.heading for column in table.columns][-1] == "target"
    assert STEALS_NOTE not in table.notes


def test_a_comparison_says_how_often_each_side_stole(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.program("executor", STEALING.replace("FOLDER", str(checkout.root)))
    two = ["compare", "--workload", "executor", "--workers", "2", "--samples", "6", "--"]
    assert checkout.call(*two, "--steal random", "--steal longest") == 0
    out = capsys.readouterr().out
    assert "A 2 (none in 3 of 6); B 7" in out
    assert STEALS_NOTE in out
    assert checkout.call(*two, "--queue copy", "--queue list") == 0
    assert "steals" not in capsys.readouterr().out


def test_two_runs_say_how_often_each_stole(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.experiment(STEALING_LINES, "stealing")
    for steals in ("7", "9"):
        body = STEALING.replace("FOLDER", str(checkout.root)).replace("steals=7", f"steals={steals}")
        checkout.program("executor", body)
        assert checkout.call("sweep", "stealing", "--workers", "2", "--samples", "6") == 0
    names = [run.name for run in all_runs(checkout.project)]
    capsys.readouterr()
    assert checkout.call("compare", *names) == 0
    assert "A 7; B 9" in capsys.readouterr().out

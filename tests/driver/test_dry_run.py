"""--dry-run: what would be measured and how long it takes, by what; nothing is measured or written."""

import re

import pytest

from actorbench.cell import Cell
from actorbench.earlier import costs_of_earlier_runs
from actorbench.store import all_runs
from conftest import PRESETS, SOURCE, Checkout
from test_amounts import FOLLOWS, SCALED


def dry_run(checkout: Checkout, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the dry run says; it leaves results/ as it was."""
    before = all_runs(checkout.project)
    capsys.readouterr()
    assert checkout.call(*arguments, "--dry-run") == 0
    assert all_runs(checkout.project) == before
    return capsys.readouterr().out


def test_without_a_run_it_says_that_the_time_is_not_known(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], tmp_path: object
) -> None:
    checkout.program("executor", f"touch {tmp_path}/was-run; record")
    out = dry_run(checkout, capsys, "figures", "--workers", "1,2", "--preset", "quick")
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.strip()}
    assert rows["lines"][1:5] == ["4", "1,2", "3", "?"]
    assert rows["table"][1:3] == ["2", "2"]
    assert "4 cells, 12 samples; how long they take is not known" in out
    assert "scale 0.5" in out
    assert not (checkout.root / "was-run").exists()
    assert not (checkout.root / "results").exists()


def test_on_a_simulated_machine_its_own_cpus_count(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout.root / "machine").symlink_to(SOURCE / "machine")
    checkout.program("executor", config="simulated")
    machine = ("sweep", "lines", "--machine", "pack:4 core:1024")
    assert "oversubscribed" not in dry_run(checkout, capsys, *machine, "--workers", "4096")
    machine = ("sweep", "lines", "--machine", "pack:1 core:8")
    assert "oversubscribed, more workers than the 8 CPUs: 2 cells" in dry_run(
        checkout, capsys, *machine, "--workers", "8,16"
    )


def test_it_estimates_from_earlier_runs_and_says_from_what(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.program("executor", SCALED)
    assert checkout.call("sweep", "lines", "--workers", "1", "--samples", "2") == 0
    run = checkout.only_run().name
    out = dry_run(checkout, capsys, "sweep", "lines", "--workers", "1,2", "--preset", "thesis")
    found = re.search(r"4 cells, 20 samples: about (\d+(?:\.\d+)?)s", out)
    assert found
    assert 8 <= float(found[1]) < 20, "0.4 s a sample at scale 1, and what a process costs"
    assert "2 by the same command; 2 by the same system and workload" in out
    assert f"runs: {run}" in out
    assert "another CPU" not in out


def test_of_two_runs_the_newer_counts(checkout: Checkout) -> None:
    checkout.call("sweep", "lines", "--workers", "1", "--samples", "1")
    checkout.program("executor", "elapsed=77000000; record")
    checkout.call("sweep", "lines", "--workers", "1", "--samples", "1")
    older, newer = all_runs(checkout.project)
    cells = list(newer.head().plan.cells)
    known = costs_of_earlier_runs(checkout.project, cells)
    assert {cost.work_s for cost in known.costs.values()} == {0.077 / 0.5}
    assert list(known.runs) == [newer.name]
    other = Cell("release", "worker-centric", "big", 1, 1, (), ())
    assert costs_of_earlier_runs(checkout.project, [other]).costs == {}
    both = costs_of_earlier_runs(checkout.project, [*cells, other])
    assert both.origins == {"the same command": 2, "the mean of the others": 1}
    assert older.name in both.runs or list(both.runs) == [newer.name]


def test_a_budget_shows_the_amounts_that_earlier_runs_lead_to(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout.root / "plots" / "presets.toml").write_text(FOLLOWS)
    checkout.program("executor", SCALED)
    checkout.call("sweep", "lines", "--workers", "1", "--samples", "1")
    out = dry_run(checkout, capsys, "figures", "lines", "--workers", "1", "--budget", "2s")
    assert "a calibration comes first, and decides the amounts; by earlier runs it would say:" in out
    assert "amounts made smaller: executor 0." in out
    found = re.search(r"samples: about (\d+(?:\.\d+)?)s", out)
    assert found
    assert float(found[1]) <= 2.1 or "warning: even so they take about" in out


def test_of_a_preset_whose_amounts_stand_the_whole_is_told(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "follows_budget" not in PRESETS
    checkout.call("sweep", "lines", "--workers", "1", "--samples", "1")
    out = dry_run(checkout, capsys, "sweep", "lines", "--workers", "1", "--budget", "2s", "--pin", "smt")
    assert "at the preset's samples; --budget takes the rounds that fit 2s" in out
    assert "--pin smt in place of the experiments'" in out


def test_it_goes_with_nothing_that_exists(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.call("sweep", "lines", "--workers", "1", "--samples", "1")
    name = checkout.only_run().name
    capsys.readouterr()
    for option in ("--run", "--resume"):
        assert checkout.call("figures", option, name, "--dry-run") == 2
        assert "can't be given together with --dry-run" in capsys.readouterr().err

"""Sweeps: the plan, interruption by every means, and going on afterwards."""

import json
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from actorbench.store import Run, all_runs
from conftest import PATIENCE_S, Checkout

SLOW = "sleep 0.2; record"


def slots_taken(run: Run) -> Counter[tuple[str, int]]:
    """How often each planned sample is in the store, read line by line and not through the store's reader."""
    lines = run.samples_file.read_text().splitlines()
    return Counter((json.loads(line)["cell"], json.loads(line)["round"]) for line in lines)


def assert_complete(run: Run) -> None:
    """Every planned sample once, none else."""
    planned = Counter((slot.cell.key, slot.round) for slot in run.head().plan.slots())
    assert slots_taken(run) == planned


def wait_for_samples(checkout: Checkout, count: int) -> Run:
    """Wait until a running sweep has stored so many samples."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        for run in all_runs(checkout.project):
            if run.samples_file.exists() and run.samples_file.read_bytes().count(b"\n") >= count:
                return run
        time.sleep(0.01)
    raise AssertionError("the sweep takes no samples")


def test_experiments_share_cells_and_rounds_hold_each_once(checkout: Checkout) -> None:
    assert checkout.call("sweep", "lines", "table", "ratios", "--workers", "1,2", "--seed", "7") == 0
    run = checkout.only_run()
    plan = run.head().plan
    assert len(plan.cells) == 4, "copy and list at 1 and 2 workers, whoever asks for them"
    assert len(plan.rounds) == 3
    assert all(sorted(order) == [0, 1, 2, 3] for order in plan.rounds)
    assert len(set(plan.rounds)) > 1, "each round has an order of its own"
    assert_complete(run)
    taken = [(sample.key, sample.round, sample.position) for sample in run.samples()]
    assert taken == [(slot.cell.key, slot.round, slot.position) for slot in plan.slots()]


def test_the_seed_decides_the_order(checkout: Checkout) -> None:
    for seed in ("1", "1", "2"):
        checkout.call("sweep", "lines", "--workers", "1,2", "--seed", seed, "--samples", "5")
    first, second, other = (run.head().plan.rounds for run in all_runs(checkout.project))
    assert first == second
    assert first != other


def test_the_head_says_what_was_run_and_where(checkout: Checkout) -> None:
    checkout.call("sweep", "table", "--seed", "5", "--timeout", "9")
    head = checkout.only_run().head()
    assert (head.seed, head.preset, head.timeout_s) == (5, "quick", 9)
    assert head.document["machine"]["kernel"]
    assert head.document["versions"]["scipy"]
    assert head.document["experiments"][0]["text"] == (checkout.root / "plots" / "table.toml").read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_says_what_it_has_and_goes_on(checkout: Checkout, number: signal.Signals) -> None:
    checkout.program("executor", SLOW)
    process = checkout.start("sweep", "lines", "--workers", "1,2", "--samples", "15")
    run = wait_for_samples(checkout, 3)
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, err
    assert err == ""
    assert f"of 60 samples taken, 0 of 4 cells complete, kept in results/{run.name}" in out
    assert f"go on with: ./actorbench sweep --resume {run.name}" in out
    before = run.samples_file.read_text()
    assert 3 <= before.count("\n") < 60
    checkout.program("executor")
    assert checkout.call("sweep", "--resume", run.name) == 0
    assert run.samples_file.read_text().startswith(before), "what was taken stays as it was"
    assert_complete(run)


def test_an_interrupt_ends_the_program_at_once(checkout: Checkout, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    checkout.program("executor", f"echo $$ > {note}.new; mv {note}.new {note}; exec sleep 10000")
    process = checkout.start("sweep", "table", "--workers", "1")
    deadline = time.monotonic() + PATIENCE_S
    while not note.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert "0 of 6 samples taken" in out
    assert not Path(f"/proc/{int(note.read_text())}").exists()


def test_a_line_cut_short_is_put_aside_and_taken_again(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.call("sweep", "table", "--workers", "1")
    run = checkout.only_run()
    whole = run.samples_file.read_bytes()
    cut = whole[:-40]
    run.samples_file.write_bytes(cut)
    tail = cut.rpartition(b"\n")[2]
    assert len(run.samples()) == 5, "reading passes over the tail"
    capsys.readouterr()
    assert checkout.call("sweep", "--resume", run.name) == 0
    assert f"({len(tail)} bytes)" in capsys.readouterr().out
    assert (run.folder / "put-aside.txt").read_bytes() == tail + b"\n"
    assert_complete(run)


def test_a_garbled_line_in_the_middle_is_an_error(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.call("sweep", "table", "--workers", "1")
    run = checkout.only_run()
    lines = run.samples_file.read_bytes().splitlines(keepends=True)
    run.samples_file.write_bytes(b"".join([lines[0], b"{garbled\n", *lines[2:]]))
    before = run.samples_file.read_bytes()
    assert checkout.call("sweep", "--resume", run.name) == 2
    assert "line 2 is no sample" in capsys.readouterr().err
    assert run.samples_file.read_bytes() == before


def test_a_cell_is_given_up_after_its_first_failures(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.program("executor", "[ $queue = list ] && exit 3; record")
    assert checkout.call("sweep", "table", "--workers", "1", "--samples", "5") == 4
    run = checkout.only_run()
    told = capsys.readouterr().out
    assert "--queue list: exit status: exit status 3; given up after 2 failures\n" in told
    assert f"take them again with: ./actorbench sweep --resume {run.name} --retry-failed\n" in told
    assert [sample.ok for sample in run.samples()].count(True) == 5
    assert len(run.samples()) == 5 + 2
    checkout.program("executor")
    assert checkout.call("sweep", "--resume", run.name) == 4
    assert len(run.samples()) == 5 + 2, "without being asked, nothing is taken again"


def test_failed_samples_are_taken_again_when_asked(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.program("executor", "[ $queue = list ] && exit 3; record")
    assert checkout.call("sweep", "table", "--workers", "1", "--samples", "5") == 4
    run = checkout.only_run()
    before = run.samples_file.read_bytes()
    checkout.program("executor")
    assert checkout.call("sweep", "--resume", run.name, "--retry-failed") == 0
    slots = {(sample.key, sample.round) for sample in run.samples()}
    assert len(slots) == len(run.samples()) == 10
    assert all(sample.ok for sample in run.samples())
    assert run.samples_file.read_bytes().startswith(before), "what failed is kept"
    assert checkout.call("sweep", "--resume", run.name) == 0
    capsys.readouterr()
    assert checkout.call("sweep", "table", "--retry-failed") == 2
    assert "--retry-failed is for a run that has failed samples" in capsys.readouterr().err


def test_what_fails_again_is_given_up_again(checkout: Checkout) -> None:
    checkout.program("executor", "exit 3")
    assert checkout.call("sweep", "table", "--workers", "1", "--samples", "5") == 4
    run = checkout.only_run()
    assert checkout.call("sweep", "--resume", run.name, "--retry-failed") == 4
    assert len(run.samples()) == 4
    assert run.samples_file.read_bytes().count(b"\n") == 8


def test_a_budget_is_kept_beside_a_cell_that_was_given_up(checkout: Checkout) -> None:
    """Its rounds count as whole without it."""
    checkout.program("executor", "[ $queue = list ] && exit 3; record")
    assert checkout.call("sweep", "table", "--workers", "1", "--budget", "10m", "--samples", "6") == 4
    samples = checkout.only_run().samples()
    assert sum(sample.ok for sample in samples) == 6
    assert len(samples) == 8


def test_only_measures_the_cells_named(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    assert checkout.call("sweep", "lines", "--workers", "1,2", "--only", "--queue copy") == 0
    assert {
        sample.record.raw["options"]["queue"] for sample in checkout.only_run().samples() if sample.record
    } == {"copy"}
    assert "not measured" in capsys.readouterr().out

"""Medians by commit and machine: what gates and sweeps keep of what they measured."""

import json
import subprocess
from dataclasses import asdict
from pathlib import Path

import pytest

from actorbench.errors import UserError
from actorbench.gate import judging, power, stages
from actorbench.gate.deciding import FEWEST_PAIRS, GATED
from actorbench.histories import SCHEMA
from actorbench.machine.facts import read_facts
from actorbench.machine.sources import Sources
from actorbench.medians import Median, read_medians
from conftest import CRASH, LARGER, NORMAL, SLOWER, Checkout, GateCheckout

TIME, MEMORY = GATED
CELL = "static-self-1"
IDENTITY = f"{CELL}: worker-centric/static --workers 1 --scale 1"


@pytest.fixture(autouse=True)
def few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no batch have more pairs than it needs."""
    for module in (judging, power, stages):
        monkeypatch.setattr(module, "MOST_PAIRS", FEWEST_PAIRS)


def machine(checkout: Checkout) -> str:
    """The machine's name."""
    return read_facts(Sources.of_this_machine(checkout.root)).machine


def kept(checkout: Checkout) -> list[Median]:
    """The medians kept of this machine; none if there is no history of it."""
    try:
        return read_medians(checkout.project, machine(checkout))
    except UserError:
        return []


def history(checkout: Checkout) -> Path:
    """The file that they are kept in."""
    return checkout.root / "results" / "medians" / f"{machine(checkout)}.jsonl"


def median(run: str = "r1", commit: str = "abc", value: float = 2.0, **changed: str) -> Median:
    """Make a median."""
    named = {"cell": "c: x", "measure": TIME} | changed
    return Median(run, named["cell"], named["measure"], commit, value, value - 1, value + 1, 20, "gcc")


def line_of(one: Median) -> str:
    """Write a median as a line of the history."""
    return json.dumps({"schema": SCHEMA, **asdict(one)}) + "\n"


def built(checkout: GateCheckout) -> None:
    """Build the program that the experiments measure."""
    subprocess.run(["make", "build/release/worker-centric/executor"], cwd=checkout.root, check=True)


def test_a_gate_keeps_its_candidates_medians(gate_checkout: GateCheckout) -> None:
    commit = gate_checkout.commit(LARGER)
    asked = ("--base", "HEAD~1", "--candidate", "HEAD", "--cells", CELL, "--budget", "10m")
    assert gate_checkout.call("gate", *asked) == 1
    memory, time = kept(gate_checkout)
    run = gate_checkout.only_run()
    assert (time.measure, memory.measure) == GATED
    for one in (time, memory):
        assert (one.run, one.cell, one.commit) == (run.name, IDENTITY, commit[:12])
        assert one.samples == 2 * FEWEST_PAIRS, "both batches, and not the trial"
        assert one.low <= one.median <= one.high
        assert one.compiler.startswith("gcc")
    assert 100 <= time.low <= time.high < 101, "the base's are not among them"
    assert memory.median == pytest.approx(1.3)


def test_a_gate_without_history_keeps_none(gate_checkout: GateCheckout) -> None:
    asked = ("--base", "HEAD", "--candidate", "HEAD", "--cells", CELL, "--budget", "10m", "--no-history")
    assert gate_checkout.call("gate", *asked) == 0
    assert not history(gate_checkout).exists()


def test_a_gate_of_commands_keeps_none(checkout: Checkout) -> None:
    command = "sh build/release/worker-centric/executor --workers 1"
    asked = ("--base-command", command, "--candidate-command", command, "--budget", "10m")
    assert checkout.call("gate", *asked) == 0
    assert kept(checkout) == []


def test_the_files_as_they_are_count_for_the_commit_that_holds_the_same(gate_checkout: GateCheckout) -> None:
    head = gate_checkout.git("rev-parse", "HEAD")[:12]
    assert gate_checkout.call("gate", "--base", "HEAD", "--cells", CELL, "--budget", "10m") == 0
    assert {one.commit for one in kept(gate_checkout)} == {head}
    gate_checkout.behave(NORMAL + " # changed")
    assert gate_checkout.call("gate", "--base", "HEAD", "--cells", CELL, "--budget", "10m") == 0
    assert len({one.commit for one in kept(gate_checkout)} - {head}) == 1


def test_a_failed_cell_has_no_median(gate_checkout: GateCheckout) -> None:
    gate_checkout.commit(CRASH, "static")
    asked = ("--base", "HEAD~1", "--candidate", "HEAD", "--cells", f"{CELL},executor-1", "--budget", "10m")
    assert gate_checkout.call("gate", *asked) == 4
    assert {one.cell.partition(":")[0] for one in kept(gate_checkout)} == {"executor-1"}


def test_a_sweep_keeps_those_of_the_commit_that_was_built(gate_checkout: GateCheckout) -> None:
    built(gate_checkout)
    head = gate_checkout.git("rev-parse", "HEAD")[:12]
    assert gate_checkout.call("sweep", "table", "--workers", "1", "--samples", "6") == 0
    found = kept(gate_checkout)
    assert {(one.commit, one.measure, one.samples) for one in found} == {(head, name, 6) for name in GATED}
    command = "release/worker-centric/executor --workers 1 --scale 0.5 --queue"
    assert {one.cell for one in found} == {f"{command} copy", f"{command} list"}
    assert gate_checkout.only_run().document()["built_from"] == head


@pytest.mark.parametrize("why", ["changed", "stale", "few", "failed", "interrupted before"])
def test_a_sweep_keeps_none(gate_checkout: GateCheckout, why: str) -> None:
    """Of files that no commit holds, of older files, of too few samples, and of what failed."""
    built(gate_checkout)
    if why == "changed":
        (gate_checkout.root / "new").touch()
    elif why == "stale":
        gate_checkout.commit(SLOWER)
    elif why == "failed":
        gate_checkout.commit(CRASH)
        built(gate_checkout)
    samples = "5" if why == "few" else "6"
    status = gate_checkout.call("sweep", "table", "--workers", "1", "--samples", samples)
    assert status == (4 if why == "failed" else 0)
    if why == "interrupted before":  # and ended by --resume
        run = gate_checkout.only_run()
        assert len(kept(gate_checkout)) == 4
        history(gate_checkout).unlink()
        lines = run.samples_file.read_bytes().splitlines(keepends=True)
        run.samples_file.write_bytes(b"".join(lines[:-1]))
        assert gate_checkout.call("sweep", "--resume", run.name) == 0
        assert len(kept(gate_checkout)) == 4
    else:
        assert kept(gate_checkout) == []


def test_compared_commits_keep_both(gate_checkout: GateCheckout) -> None:
    commit = gate_checkout.commit(SLOWER)
    base = gate_checkout.git("rev-parse", "HEAD~1")
    asked = ("--workload", "static", "--workers", "1", "--samples", "6")
    assert gate_checkout.call("compare", "--commits", "HEAD~1", "HEAD", *asked) == 0
    times = {one.commit: one.median for one in kept(gate_checkout) if one.measure == TIME}
    assert times.keys() == {base[:12], commit[:12]}
    assert times[commit[:12]] > 1.25 * times[base[:12]]


def test_a_finished_run_adds_nothing_again(gate_checkout: GateCheckout) -> None:
    assert gate_checkout.call("gate", "--base", "HEAD", "--cells", CELL, "--budget", "10m") == 0
    before = history(gate_checkout).read_bytes()
    assert gate_checkout.call("gate", "--resume", gate_checkout.only_run().name) == 0
    assert history(gate_checkout).read_bytes() == before


def test_a_line_cut_short_is_passed_over_and_cut_off(gate_checkout: GateCheckout) -> None:
    path = history(gate_checkout)
    path.parent.mkdir(parents=True)
    whole = line_of(median()) + line_of(median(commit="def"))
    path.write_text(whole + line_of(median("r2"))[:-20])
    assert kept(gate_checkout) == [median(), median(commit="def")]
    assert gate_checkout.call("gate", "--base", "HEAD", "--cells", CELL, "--budget", "10m") == 0
    assert path.read_text().startswith(whole + '{"schema": 1')
    assert len(kept(gate_checkout)) == 4


def test_a_last_line_without_its_end_counts(gate_checkout: GateCheckout) -> None:
    """An editor, or a merge, may have left it so."""
    path = history(gate_checkout)
    path.parent.mkdir(parents=True)
    path.write_text(line_of(median()).rstrip("\n"))
    assert gate_checkout.call("gate", "--base", "HEAD", "--cells", CELL, "--budget", "10m") == 0
    assert median() in kept(gate_checkout)
    assert len(kept(gate_checkout)) == 3


def test_a_line_that_is_there_twice_counts_once(checkout: Checkout) -> None:
    path = history(checkout)
    path.parent.mkdir(parents=True)
    path.write_text(line_of(median("r2")) + line_of(median("r1")) + line_of(median("r2", value=3.0)))
    assert kept(checkout) == [median("r1"), median("r2")]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{}", "KeyError: 'schema'"),
        ("7", "TypeError"),
        ('{"schema": 2}', "ValueError: it is of version 2, and this driver reads version 1"),
        (line_of(median(value=0.5)), "ValueError: 'median', 'low' and 'high' must be over 0"),
        (line_of(median()).replace("3.0", "Infinity"), "ValueError: 'median', 'low' and 'high'"),
        (line_of(median())[:-20], "JSONDecodeError"),
    ],
)
def test_a_whole_line_that_is_no_median_is_named(checkout: Checkout, line: str, told: str) -> None:
    path = history(checkout)
    path.parent.mkdir(parents=True)
    path.write_text(line_of(median()) + line.rstrip("\n") + "\n" + line_of(median("r2")))
    with pytest.raises(UserError) as error:
        read_medians(checkout.project, machine(checkout))
    assert f"results/medians/{path.name}: line 2 is no entry of a history ({told}" in str(error.value)


@pytest.mark.parametrize("arguments", [["sweep", "table", "--workers", "1", "--samples", "6"], ["gate"]])
def test_a_history_that_can_not_be_read_hides_no_result(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    built(gate_checkout)
    path = history(gate_checkout)
    path.parent.mkdir(parents=True)
    path.write_text("{}\n")
    if arguments == ["gate"]:
        arguments = ["gate", "--base", "HEAD", "--cells", CELL, "--budget", "10m"]
    assert gate_checkout.call(*arguments) == 0
    said = capsys.readouterr()
    assert "warning: the trend will lack this run: results/medians/" in said.out
    assert ("PASS: " if arguments[0] == "gate" else "draw the figures with: ") in said.out
    assert path.read_text() == "{}\n"


def test_an_unknown_machine_names_those_there_are(checkout: Checkout) -> None:
    path = checkout.root / "results" / "medians" / "b-2-cpus.jsonl"
    path.parent.mkdir(parents=True)
    path.touch()
    with pytest.raises(UserError, match=r"machine 'a' \(choices: b-2-cpus\)"):
        read_medians(checkout.project, "a")

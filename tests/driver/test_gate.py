"""The whole gate on fake programs: they say themselves how long they took, so each verdict is sure."""

import json
import os
import re
import subprocess
from itertools import pairwise
from pathlib import Path
from shutil import rmtree
from typing import Any
from xml.etree import ElementTree

import pytest

from actorbench.commits import snapshot
from actorbench.gate import judging, power, stages
from actorbench.gate.cells import ArmConfigs, commit_cells, commit_entries
from actorbench.gate.deciding import FEWEST_PAIRS, GATED
from actorbench.gate.history import Entry, add_to_history, history_file, read_history
from actorbench.machine.facts import read_facts
from actorbench.machine.sources import Sources
from actorbench.schema import first_error
from actorbench.store import Run, all_runs
from conftest import (
    BAD_RECORD,
    CRASH,
    HANG,
    LARGER,
    NORMAL,
    SLOWER,
    SOURCE,
    UNBUILDABLE,
    WRONG,
    Checkout,
    GateCheckout,
)

TIME, MEMORY = GATED
CELL = "static-self-1"
OTHER = "executor-1"
TRIAL = 3  # samples of a cell's trial
BATCH = 3 * FEWEST_PAIRS  # samples of a cell's batch
HEAD = ("--base", "HEAD~1", "--candidate", "HEAD")
FASTER = "elapsed=$((elapsed * 10 / 13)); record"
# Counts the samples of all programs that hold it, in the folder that all samples are taken in.
COUNTED = "count=$(($(cat build/count 2>/dev/null || echo 0) + 1)); echo $count > build/count; "


@pytest.fixture(autouse=True)
def few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no batch have more pairs than it needs, so that a large budget makes no long test."""
    for module in (judging, power, stages):
        monkeypatch.setattr(module, "MOST_PAIRS", FEWEST_PAIRS)


def gate(checkout: Checkout, *arguments: str, cells: str = CELL) -> int:
    """Gate the newest commit against the one before, unless the arguments say what."""
    sides = () if {"--base", "--base-command"} & set(arguments) else HEAD
    chosen = () if "--base-command" in arguments else ("--cells", cells)
    budget = () if "--budget" in arguments else ("--budget", "10m")
    return checkout.call("gate", *sides, *chosen, *budget, *arguments)


def found(run: Run) -> dict[tuple[str, str], dict[str, Any]]:
    """Read a gate's lines, by cell and measure."""
    document = json.loads((run.folder / "gate.json").read_text())
    assert first_error("gate-1", document) is None
    return {(line["cell"], line["measure"]): line for line in document["lines"]}


def verdicts(run: Run) -> dict[tuple[str, str], str]:
    """Read a gate's verdicts, by cell and measure."""
    return {name: line["verdict"] for name, line in found(run).items()}


def history(checkout: Checkout) -> Path:
    """The history of this machine in the checkout."""
    return history_file(checkout.project, read_facts(Sources.of_this_machine(checkout.root)))


def remember(checkout: Checkout, *, ratio: float, spread: float) -> None:
    """Add a gate to the history whose null arm of CELL was `ratio` of the base."""
    entries = commit_entries(checkout.project, None, [CELL])
    (cell,) = commit_cells(entries, ArmConfigs("release@1", "release@2", "release@3"), 1)
    add_to_history(
        history(checkout),
        [
            Entry("20200101T000000Z-gate", 1, cell.identity, name, 20, ratio, spread, 0.0, "")
            for name in GATED
        ],
    )


def last_line(capsys: pytest.CaptureFixture[str]) -> str:
    """The last line that a gate printed; nothing went to stderr."""
    said = capsys.readouterr()
    assert said.err == ""
    return said.out.splitlines()[-1]


def samples_of(run: Run, stage: str) -> int:
    """Count the samples planned for a stage."""
    head = run.head()
    (rounds,) = [one["rounds"] for one in head.document["gate"]["stages"] if one["name"] == stage]
    return sum(len(order) for order in head.plan.rounds[slice(*rounds)])


def test_equal_commits_pass(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    gate_checkout.commit()
    forms = {"markdown": "gate.md", "junit": "junit.xml", "json": "gate.json"}
    asked = [word for form in forms for word in (f"--{form}", str(tmp_path / form))]
    assert gate(gate_checkout, *asked, cells=f"{CELL},{OTHER}") == 0
    assert last_line(capsys).startswith("PASS: no regression found in 2 cells")
    run = gate_checkout.only_run()
    assert verdicts(run) == {(cell, measure): "PASS" for cell in (CELL, OTHER) for measure in GATED}
    assert len(run.samples()) == 2 * (TRIAL + BATCH), "nothing was to be confirmed"
    for form, name in forms.items():
        assert (tmp_path / form).read_bytes() == (run.folder / name).read_bytes()
    assert ElementTree.parse(tmp_path / "junit").find(".//failure") is None
    entries = read_history(history(gate_checkout))
    assert {(entry.gate, entry.measure) for entry in entries} == {(run.name, name) for name in GATED}
    assert len({entry.identity for entry in entries}) == 4
    assert_arms_are_together(run)


def assert_arms_are_together(run: Run) -> None:
    """Each round took each of two cells once, its arms in a row, in the opposite order every other time."""
    taken = run.samples()
    rounds = [taken[start : start + 6] for start in range(0, len(taken), 6)]
    for samples in rounds:
        assert {sample.round for sample in samples} == {samples[0].round}
        for half in (samples[:3], samples[3:]):
            assert len({sample.record.raw["workload"] for sample in half if sample.record}) == 1
            assert len({sample.key for sample in half}) == 3
    for even, odd in list(pairwise(rounds[1:]))[::2]:
        for workload in ("/static ", "/executor "):
            orders = [[one.key for one in samples if workload in one.key] for samples in (even, odd)]
            assert orders[0] == orders[1][::-1]


def test_a_commit_is_a_build_of_its_own_against_itself(gate_checkout: GateCheckout) -> None:
    asked = ("--base", "HEAD", "--candidate", "HEAD", "--no-history", "--budget", "0.05")
    assert gate(gate_checkout, *asked) == 3
    assert not history(gate_checkout).exists()
    run = gate_checkout.only_run()
    assert len({sample.key.partition(" ")[0] for sample in run.samples()}) == 3


def test_a_slower_cell_fails_and_is_named(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    gate_checkout.commit(SLOWER, "static")
    assert gate(gate_checkout, cells=f"{CELL},{OTHER}") == 1
    told = last_line(capsys)
    assert told.startswith(f"FAIL: {CELL} time per operation 1.")
    assert OTHER not in told
    run = gate_checkout.only_run()
    assert verdicts(run) == {
        (CELL, TIME): "FAIL",
        (CELL, MEMORY): "PASS",
        (OTHER, TIME): "PASS",
        (OTHER, MEMORY): "PASS",
    }
    ratios = [batch["candidate"]["ratio"] for batch in found(run)[CELL, TIME]["batches"]]
    assert ratios == pytest.approx([1.3, 1.3], abs=0.02)
    assert samples_of(run, "again") == BATCH, "only the cell that was flagged is measured again"


def test_more_memory_fails_on_memory_only(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    gate_checkout.commit(LARGER)
    assert gate(gate_checkout) == 1
    assert last_line(capsys).startswith(f"FAIL: {CELL} peak memory 1.300")
    assert verdicts(gate_checkout.only_run()) == {(CELL, TIME): "PASS", (CELL, MEMORY): "FAIL"}


@pytest.mark.parametrize(
    ("side", "body", "reason"),
    [
        ("candidate", CRASH, "crash: killed by SIGSEGV"),
        ("candidate", HANG, "timeout: still running after 2 s, killed"),
        ("candidate", WRONG, "wrong result: the workload found its own result wrong"),
        ("candidate", BAD_RECORD, "bad record: the record breaks its schema"),
        ("candidate", "echo no such option >&2; exit 2", "exit status: exit status 2: no such option"),
        ("base", CRASH, "crash: killed by SIGSEGV"),
    ],
)
def test_a_program_that_fails_breaks_the_gate(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], side: str, body: str, reason: str
) -> None:
    gate_checkout.commit(body)
    sides = ("HEAD~1", "HEAD") if side == "candidate" else ("HEAD", "HEAD~1")
    asked = ("--base", sides[0], "--candidate", sides[1], "--timeout", "2" if body == HANG else "600")
    assert gate(gate_checkout, *asked) == 4
    told = last_line(capsys)
    assert told.startswith(f"BROKEN: {CELL}: ")
    assert f"{side}: {reason}" in told or (side == "base" and f"base, second build: {reason}" in told)
    run = gate_checkout.only_run()
    (log,) = run.folder.glob(f"failed-{CELL}-*.log")
    assert reason in log.read_text()
    assert body != CRASH or "about to crash" in log.read_text()
    assert f"results/{run.name}/{log.name}" in told
    assert len(run.samples()) <= TRIAL, "what fails its trial is not measured"
    assert read_history(history(gate_checkout)) == []


def test_the_other_cells_are_still_judged(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    gate_checkout.commit(CRASH, "executor")
    gate_checkout.commit(SLOWER, "static")
    assert gate(gate_checkout, "--base", "HEAD~2", "--candidate", "HEAD", cells=f"{CELL},{OTHER}") == 4
    told = last_line(capsys)
    assert told.startswith(f"BROKEN: {OTHER}: candidate: crash")
    assert told.endswith("; also 1 FAIL")


def test_a_crash_now_and_then_breaks_the_gate(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    gate_checkout.commit(f"{COUNTED} [ $count -ge 8 ] && kill -SEGV $$; record")
    assert gate(gate_checkout) == 4
    assert last_line(capsys).startswith(f"BROKEN: {CELL}: candidate: crash: killed by SIGSEGV")
    run = gate_checkout.only_run()
    failed = [sample.failure is not None for sample in run.samples()]
    assert failed == [False] * (len(failed) - 1) + [True], "after a failure the cell says nothing more"
    assert "killed by SIGSEGV" in (run.folder / f"failed-{CELL}-candidate.log").read_text()


def test_a_broken_cell_is_measured_again_when_asked(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    """The other cell has its batch by then, and keeps it."""
    gate_checkout.commit(f"[ -e fixed ] || {{ {CRASH}; }}; {NORMAL}", "executor")
    assert gate(gate_checkout, cells=f"{CELL},{OTHER}") == 4
    run = gate_checkout.only_run()
    taken = len(run.samples())
    assert gate_checkout.call("gate", "--resume", run.name) == 4
    assert len(run.samples()) == taken
    (gate_checkout.root / "fixed").touch()
    assert gate_checkout.call("gate", "--resume", run.name, "--retry-failed") == 0
    assert last_line(capsys).startswith("PASS: no regression found in 2 cells")
    assert len(run.samples()) == 2 * (TRIAL + BATCH)
    assert gate_checkout.call("gate", "--base", "HEAD", "--retry-failed") == 2


@pytest.mark.parametrize("side", ["candidate", "base"])
def test_a_side_that_does_not_build(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], side: str
) -> None:
    gate_checkout.commit(UNBUILDABLE)
    sides = ("HEAD~1", "HEAD") if side == "candidate" else ("HEAD", "HEAD~1")
    assert gate(gate_checkout, "--base", sides[0], "--candidate", sides[1]) == 4
    told = last_line(capsys)
    run = gate_checkout.only_run()
    log = run.folder / f"build-{side}.log"
    assert told.startswith(f"BROKEN: build: the {side} does not build: 'make ")
    assert "static.c:1:1: error: there is no such thing" in told
    assert f"results/{run.name}/{log.name}" in told
    assert "error: there is no such thing" in log.read_text()
    assert run.samples() == []
    assert {line["verdict"] for line in found(run).values()} == {"BROKEN"}
    assert gate_checkout.call("gate", "--resume", run.name) == 2
    assert f"the {side} does not build" in capsys.readouterr().err
    assert {line["verdict"] for line in found(run).values()} == {"BROKEN"}


def test_a_gate_whose_builds_are_gone_says_so(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    gate_checkout.commit()
    assert gate(gate_checkout, "--budget", "0.05") == 3
    run = gate_checkout.only_run()
    taken = run.samples_file.read_bytes()
    rmtree(gate_checkout.root / "build" / "commits")
    capsys.readouterr()
    assert gate_checkout.call("gate", "--resume", run.name) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "is gone: start the gate anew" in said
    assert run.samples_file.read_bytes() == taken


def test_where_there_is_no_history_one_line_says_how_to_get_it(
    gate_checkout: GateCheckout,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate_checkout.commit("record # other")
    shallow = tmp_path / "shallow"
    gate_checkout.git("clone", "--quiet", "--depth", "1", f"file://{gate_checkout.root}", str(shallow))
    monkeypatch.setenv("ACTORBENCH_ROOT", str(shallow))
    assert gate_checkout.call("gate", "--base", "HEAD~1") == 2
    assert "'HEAD~1' names no commit of this shallow clone: git fetch --unshallow" in capsys.readouterr().err
    assert gate_checkout.call("trend", "--measure", "2") == 2
    assert (
        "this shallow clone has 1 commit of the 2 of --measure: git fetch --unshallow"
        in capsys.readouterr().err
    )
    rmtree(shallow / ".git")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    assert gate_checkout.call("gate", "--base", "HEAD") == 2
    assert "there is no git repository here" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--base", "nothing"], "'nothing' names no commit"),
        (["--base", "HEAD", "--candidate", "nothing"], "'nothing' names no commit"),
        (["--base", "--all"], "'--all' names no commit"),
        (["--base", "HEAD", "--cells", "nothing"], "(choices: static-self-1, executor-1, actor-1)"),
        (["--base", "HEAD", "--cells", "executor-1,"], "no list of cells"),
        (["--base", "HEAD", "--budget", "soon"], "'soon' is not a time over 0"),
        (["--base", "HEAD", "--budget", "0"], "'0' is not a time over 0"),
        (["--base", "HEAD", "--delta", "200%"], "is not a fraction"),
        (["--base", "HEAD", "--delta", "5%", "--most-delta", "4%"], "it can't be less"),
        (
            ["--base", "HEAD", "--delta", "5%", "--find", "5%"],
            "a slow-down of --delta or less does not count",
        ),
        (["--base", "HEAD", "--timeout", "0"], "--timeout"),
        ([], "gate needs a --base"),
        (["--base-command", "x"], "gate needs both --base-command and --candidate-command"),
        (["--candidate-command", "x"], "gate needs both --base-command and --candidate-command"),
        (["--base", "HEAD", "--base-command", "x", "--candidate-command", "y"], "are commits"),
        (["--cells", OTHER, "--base-command", "x", "--candidate-command", "y"], "--cells-file names it"),
        (["--base-command", "", "--candidate-command", "x"], "''"),
        (["--base-command", "x", "--candidate-command", " "], "' '"),
        (["--base-command", "x", "--candidate-command", "echo 'x"], "echo 'x"),
        (["--resume", "nothing"], "no run 'nothing'"),
        (["--resume", "nothing", "--base", "HEAD"], "--resume goes on with the recorded gate"),
        (["--aa", "2", "--base", "HEAD", "--candidate", "HEAD"], "leave the candidate out"),
        (["--aa", "2", "--base-command", "x", "--candidate-command", "y"], "leave the candidate out"),
        (["--aa", "2", "--json", "gate.json"], "--aa runs many gates"),
        (["--aa", "2", "--cells", "nothing"], "no gate cell 'nothing'"),
        (["--base", "HEAD", "--retry-failed"], "--retry-failed is for a gate that is BROKEN"),
    ],
)
def test_mistakes_are_one_line(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert gate_checkout.call("gate", *arguments) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert message in said
    assert all_runs(gate_checkout.project) == []


def test_a_run_that_is_no_gate_is_not_resumed_as_one(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.call("sweep", "lines", "--workers", "1", "--samples", "1")
    run = checkout.only_run()
    before = run.samples_file.read_bytes()
    capsys.readouterr()
    assert checkout.call("gate", "--resume", run.name) == 2
    said = capsys.readouterr().err
    assert said == f"actorbench: run {run.name} is no gate: ./actorbench sweep --resume {run.name}" + (
        " goes on with it\n"
    )
    assert run.samples_file.read_bytes() == before


def test_a_budget_that_is_too_small_says_what_is_needed(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    gate_checkout.commit(SLOWER)
    assert gate(gate_checkout, "--budget", "0.05") == 3
    told = last_line(capsys)
    assert told.startswith("INCONCLUSIVE: 2 of 2 not decided: ")
    assert "pairs fitted the budget, 20 are needed" in told
    assert read_history(history(gate_checkout)) == [], "noise of so few pairs teaches nothing"


def test_a_trial_that_was_slow_costs_no_pairs(gate_checkout: GateCheckout) -> None:
    """By the trial, 20 pairs do not fit the budget; once the first are taken, they do."""
    gate_checkout.commit(f"{COUNTED} [ $count = 1 ] && sleep 3; record")
    assert gate(gate_checkout, "--budget", "60") == 0
    run = gate_checkout.only_run()
    assert samples_of(run, "first") == BATCH
    assert sum(len(order) for order in run.head().plan.rounds) == TRIAL + BATCH


def test_a_base_that_differs_from_itself_is_inconclusive(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second build of the base is slower, as another layout of its code may make it."""
    gate_checkout.commit("case FOLDER in *.null) elapsed=$((elapsed * 13 / 10)) ;; esac; record")
    gate_checkout.commit(SLOWER)
    assert gate(gate_checkout) == 3
    assert last_line(capsys).startswith(
        f"INCONCLUSIVE: 1 of 2 not decided: {CELL} time per operation: the base differs from itself: 1."
    )
    run = gate_checkout.only_run()
    assert len(run.samples()) == TRIAL + BATCH, "there is nothing to confirm"
    remembered = {entry.measure for entry in read_history(history(gate_checkout))}
    assert remembered == {MEMORY}, "what made the base differ from itself excuses no candidate"


def test_what_is_not_confirmed_passes_with_the_reason(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    slow_first = f"[ $count -le {1 + FEWEST_PAIRS} ] && elapsed=$((elapsed * 13 / 10))"
    gate_checkout.commit(f"{COUNTED} {slow_first}; record")
    assert gate(gate_checkout) == 0
    assert last_line(capsys).startswith("PASS: ")
    line = found(gate_checkout.only_run())[CELL, TIME]
    assert line["verdict"] == "PASS"
    assert re.fullmatch(r"flagged at 1\.(29|30)\d, and not again: (0\.99|1\.00)\d", line["reason"])
    assert [batch["candidate"]["flagged"] for batch in line["batches"]] == [True, False]


def test_a_null_arm_that_was_flagged_does_not_blind_the_next_gate(gate_checkout: GateCheckout) -> None:
    gate_checkout.commit("case FOLDER in *.null) elapsed=$((elapsed * 13 / 10)) ;; esac; record")
    assert gate(gate_checkout, "--base", "HEAD", "--candidate", "HEAD") == 3
    normal = gate_checkout.commit()
    slower = gate_checkout.commit("elapsed=$((elapsed * 129 / 100)); record")
    assert gate(gate_checkout, "--base", normal, "--candidate", slower) == 1


@pytest.mark.parametrize("body", [NORMAL, SLOWER])
def test_a_history_noisier_than_delta_leaves_it_open(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], body: str
) -> None:
    remember(gate_checkout, ratio=1.5, spread=0.01)
    gate_checkout.commit(body)
    assert gate(gate_checkout) == 3
    assert "no change at all has moved it by 50.0 %, over the 5.0 % allowed" in last_line(capsys)
    assert found(gate_checkout.only_run())[CELL, TIME]["delta"] == pytest.approx(0.05)


def test_delta_grows_with_the_history_as_far_as_the_user_allows(gate_checkout: GateCheckout) -> None:
    remember(gate_checkout, ratio=1.5, spread=0.01)
    gate_checkout.commit(SLOWER)
    assert gate(gate_checkout, "--most-delta", "60%", "--find", "80%") == 0
    line = found(gate_checkout.only_run())[CELL, TIME]
    assert line["delta"] == pytest.approx(0.5)
    assert line["batches"][0]["candidate"]["ratio"] == pytest.approx(1.3, abs=0.02)


# Times that are spread evenly within so many percent of the normal one.
NOISY = (
    COUNTED
    + "elapsed=$((base * (1000 + 10 * SPREAD * (count * count * 613 % 997 - 498) / 498) / 1000)); record"
)


def test_a_cell_too_noisy_to_find_what_is_asked_for_is_inconclusive(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    gate_checkout.commit(NOISY.replace("SPREAD", "40"))
    assert gate(gate_checkout, "--base", "HEAD", "--candidate", "HEAD", "--seed", "7") == 3
    told = last_line(capsys)
    assert re.search(r"would find \d+\.\d %, not the 10\.0 % asked for; by this noise that takes", told)
    assert verdicts(gate_checkout.only_run()) == {(CELL, TIME): "INCONCLUSIVE", (CELL, MEMORY): "PASS"}


def test_budget_that_is_left_is_spent_on_a_noisy_cell(
    gate_checkout: GateCheckout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its history was quiet, so that few pairs were planned."""
    for module in (judging, power, stages):
        monkeypatch.setattr(module, "MOST_PAIRS", 200)
    remember(gate_checkout, ratio=1.0, spread=0.01)
    gate_checkout.commit(NOISY.replace("SPREAD", "16"))
    assert gate(gate_checkout, "--base", "HEAD", "--candidate", "HEAD", "--seed", "7") == 0
    run = gate_checkout.only_run()
    assert BATCH < samples_of(run, "first") < 5 * BATCH
    assert found(run)[CELL, TIME]["smallest_found"] <= 0.10


def test_a_quiet_history_needs_few_pairs(
    gate_checkout: GateCheckout, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (judging, power, stages):
        monkeypatch.setattr(module, "MOST_PAIRS", 200)
    remember(gate_checkout, ratio=1.0, spread=0.01)
    gate_checkout.commit()
    assert gate(gate_checkout) == 0
    assert samples_of(gate_checkout.only_run(), "first") == BATCH


@pytest.mark.parametrize(("body", "status"), [(FASTER, 0), (SLOWER, 1), (CRASH, 4)])
def test_two_commands_are_gated(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], body: str, status: int
) -> None:
    checkout.program("old")
    checkout.program("new", body)
    commands = [f"sh build/release/worker-centric/{name} --workers 1" for name in ("old", "new")]
    sides = ("--base-command", commands[0], "--candidate-command", commands[1])
    assert gate(checkout, *sides) == status
    assert last_line(capsys).startswith(("PASS: ", "FAIL: command ", "", "", "BROKEN: command: ")[status])
    run = checkout.only_run()
    assert found(run)["command", TIME]["command"] == commands[0]
    arms = {f"{commands[0]} # base", f"{commands[1]} # candidate", f"{commands[0]} # null"}
    assert {slot.cell.key for slot in run.head().plan.slots()} == arms


def test_an_interrupted_gate_goes_on(gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]) -> None:
    """Interrupted in the trial and in both batches, it takes the samples that it would have taken."""
    moments = (2, TRIAL + 20, TRIAL + BATCH + 30)
    interrupt = " ".join(f"{number}) kill -INT $PPID; sleep 10 ;;" for number in moments)
    counted = f"{COUNTED} case $count in {interrupt} esac;"
    gate_checkout.commit(f"{counted} {NORMAL}")
    gate_checkout.commit(f"{counted} {SLOWER}")
    assert gate(gate_checkout, "--seed", "7") == 130
    run = gate_checkout.only_run()
    for number, moment in enumerate(moments):
        said = capsys.readouterr().out
        assert f"go on with: ./actorbench gate --resume {run.name}" in said
        assert len(run.samples()) == moment - 1 - number, "the one in flight is taken again"
        assert not (run.folder / "gate.json").exists()
        assert not history(gate_checkout).exists()
        last = number == len(moments) - 1
        assert gate_checkout.call("gate", "--resume", run.name) == (1 if last else 130)
    assert last_line(capsys).startswith(f"FAIL: {CELL} time per operation 1.")
    slots = [(sample.key, sample.round) for sample in run.samples()]
    assert sorted(slots) == sorted((slot.cell.key, slot.round) for slot in run.head().plan.slots())
    remembered = history(gate_checkout).read_bytes()
    assert remembered.count(b"\n") == len(GATED)

    written = gate_checkout.root / "again.json"
    assert gate_checkout.call("gate", "--resume", run.name, "--json", str(written)) == 1
    assert written.read_bytes() == (run.folder / "gate.json").read_bytes()
    assert len(run.samples()) == len(slots)
    assert history(gate_checkout).read_bytes() == remembered, "a finished gate adds nothing again"

    history(gate_checkout).unlink()
    assert gate(gate_checkout, "--seed", "7") == 1
    (whole,) = (one for one in all_runs(gate_checkout.project) if one.name != run.name)
    assert whole.head().plan == run.head().plan


def test_the_files_as_they_are_can_be_the_candidate(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    """One program is changed and not committed, another is not even known to git."""
    gate_checkout.behave(LARGER)
    gate_checkout.behave(SLOWER, "static")
    (gate_checkout.root / "staged").write_text("staged")
    gate_checkout.git("add", "staged")
    (gate_checkout.root / "staged").write_text("changed since")
    status = gate_checkout.git("status", "--porcelain")
    index = (gate_checkout.root / ".git" / "index").read_bytes()
    branches = gate_checkout.git("for-each-ref")
    assert gate(gate_checkout, "--base", "HEAD", cells=f"{CELL},{OTHER}") == 1
    assert last_line(capsys).startswith("FAIL: ")
    run = gate_checkout.only_run()
    assert {name for name, verdict in verdicts(run).items() if verdict == "FAIL"} == {
        (CELL, TIME),
        (OTHER, MEMORY),
    }
    assert run.head().document["gate"]["candidate"].startswith("worktree (")
    assert (gate_checkout.root / ".git" / "index").read_bytes() == index
    assert gate_checkout.git("status", "--porcelain") == status
    assert gate_checkout.git("diff", "--cached", "--name-only") == "staged"
    assert gate_checkout.git("for-each-ref") == branches


def test_a_snapshot_is_the_files_but_results(
    gate_checkout: GateCheckout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It needs no name in git's configuration, and is the same as long as the files are."""
    for name in ("user.name", "user.email"):
        gate_checkout.git("config", "--unset", name)
    monkeypatch.setenv("HOME", str(gate_checkout.root / "nobody"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    for name in [name for name in os.environ if name.startswith(("GIT_AUTHOR", "GIT_COMMITTER"))]:
        monkeypatch.delenv(name)
    (gate_checkout.root / ".gitignore").write_text("/build/\n")
    for name in ("results/20260101T000000Z-gate/run.json", "build/program", "new/results/kept"):
        (gate_checkout.root / name).parent.mkdir(parents=True, exist_ok=True)
        (gate_checkout.root / name).write_text("{}")
    (gate_checkout.root / "Makefile").unlink()
    commit = snapshot(gate_checkout.project)
    files = gate_checkout.git("ls-tree", "-r", "--name-only", commit).splitlines()
    assert "programs/all" in files
    assert "new/results/kept" in files
    assert not {"Makefile", "build/program", "results/20260101T000000Z-gate/run.json"} & set(files)
    assert snapshot(gate_checkout.project) == commit
    (gate_checkout.root / "programs" / "all").write_text("changed")
    assert snapshot(gate_checkout.project) != commit


def test_builds_are_kept_for_the_next_gate(gate_checkout: GateCheckout) -> None:
    gate_checkout.commit()
    assert gate(gate_checkout, "--budget", "0.05") == 3
    built = sorted((gate_checkout.root / "build" / "commits").glob("*/build/release/*/static"))
    times = [path.stat().st_mtime_ns for path in built]
    assert len(built) == 3
    assert gate(gate_checkout, "--budget", "0.05") == 3
    assert [path.stat().st_mtime_ns for path in built] == times
    assert sorted((gate_checkout.root / "build" / "commits").glob("*/build/release/*/static")) == built


def test_the_regression_that_tests_plant_can_still_be_planted() -> None:
    """What tests/planted/run gates applies to the sources as they are."""
    check = ["git", "apply", "--check", "tests/planted/extra-atomic.patch"]
    done = subprocess.run(check, cwd=SOURCE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

"""Counts in the gate: a regression of a count is found beside time, or without it, and named."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from actorbench.counts import taking
from actorbench.counts.counters import EXPLORER
from actorbench.gate import judging, power, stages
from actorbench.gate.deciding import FEWEST_PAIRS, GATED
from actorbench.schema import first_error
from actorbench.store import Run
from conftest import COUNTED_BODY, NORMAL, GateCheckout

CELL = "static-self-1"
SHARING = "static-all"
CELLS = """
[[cells]]
name = "static-all"
design = "message-centric"
workload = "static"
workers = 2
scale = 1
"""
INSTRUCTIONS, LOCKED, TRANSFERS = "instructions", "locked_operations", "line_transfers"
COUNTS = ("--measures", "counts")
SCHEDULES = 14

pytestmark = pytest.mark.usefixtures("tools")


@pytest.fixture(autouse=True)
def few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no batch have more pairs than it needs, and count fewer schedules."""
    monkeypatch.setitem(taking.RUNS, EXPLORER, SCHEDULES)
    for module in (judging, power, stages):
        monkeypatch.setattr(module, "MOST_PAIRS", FEWEST_PAIRS)


def commits(checkout: GateCheckout, *bodies: str) -> None:
    """Commit what the programs do, one after the other."""
    for body in bodies:
        checkout.commit(body)


def body(per: int = 200, lines: int = 3) -> str:
    return COUNTED_BODY.format(per=per, lines=lines)


def gate(checkout: GateCheckout, *arguments: str, cells: str = CELL) -> int:
    sides = () if "--resume" in arguments else ("--base", "HEAD~1", "--candidate", "HEAD", "--cells", cells)
    budget = () if "--resume" in arguments else ("--budget", "10m")
    return checkout.call("gate", *sides, *budget, *arguments)


def lines_of(run: Run) -> dict[tuple[str, str], dict[str, Any]]:
    """A gate's lines, by cell and measure."""
    document = json.loads((run.folder / "gate.json").read_text())
    assert first_error("gate-1", document) is None
    return {(line["cell"], line["measure"]): line for line in document["lines"]}


@pytest.fixture
def sharing(gate_checkout: GateCheckout) -> GateCheckout:
    """A checkout with a cell of several workers."""
    (gate_checkout.root / "plots" / "gate.toml").write_text("schema = 1" + CELLS)
    return gate_checkout


def test_a_percent_of_instructions_is_found_beside_time(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    commits(gate_checkout, body(200), body(202))
    assert gate(gate_checkout) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "FAIL: static-self-1 instructions 1.0100 [1.0100, 1.0100] (delta 1.0 %)"
    found = lines_of(gate_checkout.only_run())
    assert {name: line["verdict"] for name, line in found.items()} == {
        (CELL, INSTRUCTIONS): "FAIL",
        **{(CELL, measure): "PASS" for measure in GATED},
    }
    assert found[CELL, INSTRUCTIONS]["count"]["base"] == [200, 200]
    assert found[CELL, INSTRUCTIONS]["count"]["moved"] == 1
    assert found[CELL, INSTRUCTIONS]["reason"] == "200.0, then 202.0 an operation"
    assert found[CELL, GATED[0]]["count"] is None


def test_what_became_less_is_said_of_a_pass(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    commits(gate_checkout, body(200), body(100))
    assert gate(gate_checkout, *COUNTS) == 0
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.startswith("PASS: no regression found in 1 cell; would have been found, 9 times in 10: ")
    assert "10: instructions +1.0 % in all" in said
    assert said.endswith("; less: static-self-1 instructions 0.5000 [0.5000, 0.5000] (delta 1.0 %)")


def test_less_than_delta_passes(gate_checkout: GateCheckout) -> None:
    commits(gate_checkout, body(1000), body(1009))
    assert gate(gate_checkout, *COUNTS) == 0
    assert gate(gate_checkout, *COUNTS, "--count-delta", "0.5%") == 1


def test_lines_that_change_hands_are_found_where_several_workers_are(
    sharing: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    commits(sharing, body(lines=3), body(lines=4))
    assert gate(sharing, *COUNTS, cells=SHARING) == 1
    assert "FAIL: static-all lines that change hands 1.3300 [" in capsys.readouterr().out.splitlines()[-1]
    found = lines_of(sharing.only_run())
    assert {name: line["verdict"] for name, line in found.items()} == {
        (SHARING, INSTRUCTIONS): "PASS",
        (SHARING, LOCKED): "PASS",
        (SHARING, TRANSFERS): "FAIL",
    }
    count = found[SHARING, TRANSFERS]["count"]
    assert len(count["base"]) == len(count["candidate"]) == SCHEDULES
    assert len(set(count["base"])) == 7, "each run is a schedule of its own"


def test_equal_commits_have_equal_counts_in_every_format(sharing: GateCheckout, tmp_path: Path) -> None:
    commits(sharing, body(), body())
    report, page = tmp_path / "gate.xml", tmp_path / "gate.md"
    assert gate(sharing, *COUNTS, "--junit", str(report), "--markdown", str(page), cells=SHARING) == 0
    found = lines_of(sharing.only_run())
    assert {line["count"]["ratio"] for line in found.values()} == {1}
    assert 'tests="3"' in report.read_text()
    assert "lines that change hands" in report.read_text()
    assert "1.0000 [" in page.read_text()
    assert "rank-sum test" in page.read_text()


def test_counts_alone_take_no_samples_and_leave_the_history(gate_checkout: GateCheckout) -> None:
    commits(gate_checkout, body(), body(300))
    assert gate(gate_checkout, *COUNTS) == 1
    run = gate_checkout.only_run()
    assert run.samples() == []
    assert set(lines_of(run)) == {(CELL, INSTRUCTIONS)}
    assert not (gate_checkout.root / "results" / "history").exists()
    assert not list((gate_checkout.root / "build" / "commits").glob("*.null"))


def test_time_alone_counts_nothing(gate_checkout: GateCheckout) -> None:
    commits(gate_checkout, body(), body(300))
    assert gate(gate_checkout, "--measures", "time") == 0
    run = gate_checkout.only_run()
    assert set(lines_of(run)) == {(CELL, measure) for measure in GATED}
    assert not (run.folder / "counts.json").exists()


def test_what_can_not_be_counted_is_said(
    gate_checkout: GateCheckout,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    commits(gate_checkout, body(), body(300))
    monkeypatch.setattr("actorbench.counts.counters.shutil.which", lambda _: None)
    assert gate(gate_checkout, "--budget", "10m") == 0
    assert "instructions are not counted: valgrind is missing" in capsys.readouterr().out
    assert gate(gate_checkout, *COUNTS) == 2
    assert "valgrind is missing" in capsys.readouterr().err
    manifest = gate_checkout.root / "workloads" / "workloads.toml"
    manifest.write_text(re.sub(r"(?m)^counted = .*$", "", manifest.read_text()))
    assert gate(gate_checkout) == 0
    assert "static is not counted: workloads/workloads.toml has no amounts" in capsys.readouterr().out


NOT_COUNTED = "ifeq ($(CONFIG),counted)\n$(error CONFIG cannot be counted)\nendif\n"


def test_a_base_that_can_not_be_built_for_counting_is_said(
    sharing: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    makefile = sharing.root / "Makefile"
    text = makefile.read_text()
    makefile.write_text(NOT_COUNTED + text)
    sharing.commit(body())
    makefile.write_text(text)
    sharing.commit(body())
    assert gate(sharing, *COUNTS, cells=SHARING) == 0
    assert "what workers share is not counted: " in capsys.readouterr().out
    assert set(lines_of(sharing.only_run())) == {(SHARING, INSTRUCTIONS)}


def test_a_candidate_that_can_not_be_built_for_counting_is_broken(
    sharing: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    sharing.commit(body())
    makefile = sharing.root / "Makefile"
    makefile.write_text(NOT_COUNTED + makefile.read_text())
    sharing.commit(body())
    assert gate(sharing, *COUNTS, cells=SHARING) == 4
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.startswith("BROKEN: build: the candidate does not build: ")
    assert "CONFIG cannot be counted" in (sharing.only_run().folder / "build-candidate.log").read_text()


def test_a_candidate_that_fails_where_it_is_counted_is_broken(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    crash = body().replace("record |", '[ "$sends" != 3000 ] || kill -SEGV $$; record |')
    commits(gate_checkout, body(), crash)
    assert gate(gate_checkout, *COUNTS) == 4
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("BROKEN: static-self-1: candidate: ")
    run = gate_checkout.only_run()
    assert gate(gate_checkout, "--resume", run.name) == 4
    program = next((gate_checkout.root / "build" / "commits").glob("*/build/release/worker-centric/static"))
    assert program.exists()
    for path in (gate_checkout.root / "build" / "commits").glob("*/build/release/worker-centric/static"):
        path.write_text(path.read_text().replace("kill -SEGV", "true"))
    assert gate(gate_checkout, "--resume", run.name) == 4, "what has failed is kept"
    assert gate(gate_checkout, "--resume", run.name, "--retry-failed") == 0


def test_what_is_counted_is_not_counted_again(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    commits(gate_checkout, body(), body())
    assert gate(gate_checkout, *COUNTS) == 0
    run = gate_checkout.only_run()
    counts = run.folder / "counts.json"
    base, candidate = json.loads(counts.read_text())
    base["tallies"][0][1]["events"][INSTRUCTIONS] += 1
    counts.write_text(json.dumps([base]))
    assert gate(gate_checkout, "--resume", run.name) == 0
    assert json.loads(counts.read_text()) == [base, candidate]
    capsys.readouterr()
    counts.write_text(json.dumps([base, {}]))
    assert gate(gate_checkout, "--resume", run.name) == 2
    assert "counts.json: cannot be read" in capsys.readouterr().err


def test_a_delta_that_nothing_would_find_is_refused(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    commits(gate_checkout, NORMAL, NORMAL)
    assert gate(gate_checkout, "--count-delta", "20%") == 2
    assert "--find must be over --count-delta" in capsys.readouterr().err

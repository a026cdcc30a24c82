"""Campaigns of gates: their arithmetic, that they are kept and resumed, the load beside them, calibration."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random

import pytest
from rich.console import Console
from scipy import stats

from actorbench.gate import judging, running, stages
from actorbench.gate.aa import Shares
from actorbench.gate.deciding import FEWEST_PAIRS, Outcome
from actorbench.gate.power import pairs_wanted
from actorbench.project import Project
from actorbench.store import Run
from actorbench.sweep import InterruptedSweepError
from conftest import CRASH, PATIENCE_S, SOURCE, UNBUILDABLE, GateCheckout
from gate_study import calibration, campaigns, cpu_load
from gate_study.__main__ import main as study
from gate_study.calibration import CalibrationError, Slowdown, Step, calibrate
from gate_study.figures import predicted_shares
from gate_study.power_tables import Need, budget_s, needs_of, power_table
from gate_study.store import EARLIER_SLOWED, Campaign, GateEntry
from gate_study.tables import TIME, campaign_table, is_found, noise_table

AA = ["aa", "--gates", "2", "--base", "HEAD", "--cells", "static-self-1", "--seed", "7"]
# Each send takes 100 ns, and what --send-delay asks for (in ps) on top.
DELAYED = """
for last in "$@"; do [ "$name" = --send-delay ] && elapsed=$((elapsed + last)); name=$last; done
record
"""


@pytest.fixture(autouse=True)
def few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a history a gate takes as many pairs as its budget affords: here as few as it needs."""
    for module in (judging, stages):
        monkeypatch.setattr(module, "MOST_PAIRS", FEWEST_PAIRS)


def only_campaign(checkout: GateCheckout) -> Campaign:
    (folder,) = (checkout.root / "results" / "campaigns").iterdir()
    return Campaign(folder, json.loads((folder / "campaign.json").read_text()))


def test_the_bounds_are_exact() -> None:
    assert Shares(0, 60).upper == pytest.approx(1 - 0.05 ** (1 / 60))
    assert Shares(0, 60).upper < 0.05 < Shares(0, 58).upper
    assert stats.binom.cdf(2, 60, Shares(2, 60).upper) == pytest.approx(0.05)
    assert Shares(60, 60).upper == 1
    assert Shares(20, 20).interval == pytest.approx((0.025 ** (1 / 20), 1))
    low, high = Shares(18, 20).interval
    assert stats.binom.sf(17, 20, low) == pytest.approx(0.025)
    assert stats.binom.cdf(18, 20, high) == pytest.approx(0.025)
    assert Shares(0, 0).interval == (0, 1)
    assert Shares.of([True, False, True]) == Shares(2, 3)


def of(delay_ns: float, ratio: float, pairs: int) -> Step:
    return Step(delay_ns, ratio, ratio - 0.01, ratio + 0.01, pairs, base_ns=100.0)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("offset", "slope", "bend"), [(1.0, 0.01, 0.0), (1.03, 0.004, 0.0), (0.98, 0.02, 0.0), (1.0, 0.006, 2e-4)]
)
def test_calibration_meets_what_is_asked_for(offset: float, slope: float, bend: float, seed: int) -> None:
    """Whatever the sends cost at first, and if the cost is no straight line."""
    chance = Random(seed)

    def truth(delay_ns: float) -> float:
        return offset + slope * delay_ns + bend * delay_ns**2

    def measure(delay_ns: float, pairs: int) -> Step:
        return of(delay_ns, truth(delay_ns) + chance.gauss(0, 0.003), pairs)

    found = calibrate(measure)
    assert [one.asked for one in found.slowdowns] == [0.05, 0.10, 0.20]
    for one in found.slowdowns:
        assert truth(one.achieved.delay_ns) == pytest.approx(1 + one.asked, abs=0.012)
        assert one.achieved.pairs == calibration.FINAL_PAIRS
    assert len(found.steps) <= 1 + 3 * calibration.MOST_STEPS
    assert found.missed == ()
    assert calibration.calibration_from_json(json.loads(json.dumps(found.to_json()))) == found


def test_a_slow_down_that_the_empty_build_passes_is_missed() -> None:
    found = calibrate(lambda delay_ns, pairs: of(delay_ns, 1.07 + 0.01 * delay_ns, pairs))
    assert found.missed == (0.05,)
    assert [one.asked for one in found.slowdowns] == [0.10, 0.20]


def test_a_delay_that_slows_nothing_is_told() -> None:
    with pytest.raises(CalibrationError, match="does not slow it"):
        calibrate(lambda delay_ns, pairs: of(delay_ns, 1.0 - delay_ns / 1e6, pairs))


def line(
    cell: str = EARLIER_SLOWED,
    *,
    ratio: float = 1.0,
    null: float = 1.0,
    verdict: str = "PASS",
    flagged: bool = False,
) -> dict[str, object]:
    """A line as schemas/gate-1.json has it, of 40 pairs."""

    def arm(value: float, *, flagged: bool) -> dict[str, object]:
        return {"ratio": value, "low": value, "high": value, "pairs": 40, "p_value": 1.0, "flagged": flagged}

    batch = {"candidate": arm(ratio, flagged=flagged), "null": arm(null, flagged=False)}
    told = {"cell": cell, "measure": TIME, "verdict": verdict, "reason": "", "batches": [batch]}
    return told | {"delta": 0.05, "smallest_found": 0.08}


def gate_entry(number: int, verdict: str, *lines: dict[str, object], asked: float | None = None) -> GateEntry:
    cells = {str(one["cell"]): {TIME: 0.02} for one in lines}
    return GateEntry(
        number=number,
        started="2026-01-01T00:00:00+00:00",
        took_s=30.0 + number,
        seed=number,
        asked=asked,
        delay_ns=None if asked is None else 100 * asked,
        costs_s=dict.fromkeys(cells, 0.1),
        spreads=cells,
        gate={"verdict": verdict, "lines": list(lines)},
    )


def made(kind: str, count: int) -> Campaign:
    slowdowns = tuple(Slowdown(asked, of(100 * asked, 1 + asked, 60)) for asked in (0.05, 0.10, 0.20))
    document = {
        "kind": kind,
        "base": "main",
        "commit": "0123456789ab",
        "count": count,
        "cells": [],
        "arguments": [],
        "settings": {
            "budget_s": 60.0,
            "threshold": 0.05,
            "find": 0.1,
            "timeout_s": None,
            "keeps_history": True,
        },
        "calibration": calibration.Calibration((of(0, 1.0, 30),), slowdowns, ()).to_json(),
    }
    return Campaign(Path("campaign"), document)


def test_the_tables_of_an_aa_campaign() -> None:
    entries = [gate_entry(n, "PASS", line(ratio=1.001 + n / 1000, null=0.98)) for n in range(18)]
    entries.append(gate_entry(18, "INCONCLUSIVE", line(ratio=1.09, flagged=True, verdict="INCONCLUSIVE")))
    entries.append(gate_entry(19, "FAIL", line(ratio=1.2, flagged=True, verdict="FAIL")))
    alarms = {row[0]: row[1:] for row in campaign_table(made("aa", 60), entries).rows}
    bound = f"under {100 * Shares(1, 20).upper:.1f} %"
    assert alarms["FAIL"] == ["1", "5.0 %", bound]
    assert alarms["PASS"] == ["18", "90.0 %", "-"]
    assert alarms["BROKEN"][2] == f"under {100 * (1 - 0.05 ** (1 / 20)):.1f} %"
    assert "20 of 60" in campaign_table(made("aa", 60), entries).title
    (row,) = noise_table(entries).rows
    assert row[:8] == [EARLIER_SLOWED, "time per operation", "20", "40", "2", "0", "1", "1"]
    # Of 20, the 95th percentile, not interpolated, is the largest but one or the largest.
    assert row[8] in ("9.0 %", "20.0 %")
    assert row[9:] == ["2.0 %", "5.0 %", "8.0 %"]


def test_a_try_counts_if_the_cell_that_was_slowed_failed() -> None:
    found = gate_entry(0, "FAIL", line(verdict="FAIL"), asked=0.1)
    other = gate_entry(0, "FAIL", line(verdict="PASS"), line("executor-1", verdict="FAIL"), asked=0.1)
    elsewhere = gate_entry(0, "FAIL", line("executor-1", verdict="FAIL"), asked=0.1)
    undecided = gate_entry(0, "INCONCLUSIVE", line(verdict="INCONCLUSIVE"), asked=0.1)
    assert [is_found(one, EARLIER_SLOWED) for one in (found, other, elsewhere, undecided)] == [
        True,
        False,
        True,
        False,
    ]


def tries(found: tuple[int, int, int]) -> list[GateEntry]:
    """20 tries of each slow-down, so many of which found it."""
    entries = []
    for place, asked in enumerate((0.05, 0.10, 0.20)):
        for number in range(20):
            verdict = "FAIL" if number < found[place] else "PASS"
            shown = line(ratio=1 + asked, verdict=verdict, flagged=verdict == "FAIL")
            entries.append(gate_entry(3 * number + place, verdict, shown, asked=asked))
    return entries


@pytest.mark.parametrize(
    ("found", "status"), [((0, 18, 20), 0), ((20, 17, 20), 1), ((20, 20, 19), 1), ((5, 20, 20), 0)]
)
def test_the_exit_status_of_a_self_test(found: tuple[int, int, int], status: int) -> None:
    entries = tries(found)
    assert campaigns.exit_status(made("self-test", 20), entries) == status
    table = power_table(made("self-test", 20), entries)
    assert [row[5] for row in table.rows] == [str(count) for count in found]
    assert [row[3] for row in table.rows] == ["1.050", "1.100", "1.200"]
    broken = [*entries, gate_entry(60, "BROKEN", asked=0.1)]
    assert campaigns.exit_status(made("self-test", 20), broken) == 4


@pytest.mark.parametrize(
    ("verdicts", "status"),
    [(["PASS"], 0), (["PASS", "INCONCLUSIVE"], 0), (["PASS", "FAIL"], 1), (["FAIL", "BROKEN"], 4)],
)
def test_the_exit_status_of_an_aa_campaign(verdicts: list[str], status: int) -> None:
    entries = [gate_entry(number, verdict) for number, verdict in enumerate(verdicts)]
    assert campaigns.exit_status(made("aa", 4), entries) == status


def test_the_budget_that_a_small_slow_down_needs() -> None:
    entries = [gate_entry(n, "PASS", line(null=1.01), line("noisy", null=1.06)) for n in range(5)]
    quiet, noisy = needs_of(entries)
    assert quiet == Need(EARLIER_SLOWED, 0.025, 0.02, quiet.pairs, 0.1)
    assert quiet.pairs == pairs_wanted(0.02, 0.025, 0.05, tests=2, fewest=20)
    assert noisy.pairs is None, "its own noise is larger than the slow-down"
    assert quiet.batch_s is not None
    assert budget_s([quiet]) == pytest.approx(0.1 + quiet.batch_s / 0.45)
    assert budget_s([quiet, quiet]) == pytest.approx(
        0.2 + max(2 * quiet.batch_s / 0.55, quiet.batch_s / 0.45)
    )
    assert budget_s([quiet, noisy]) is None


def test_the_predicted_power() -> None:
    asked = [0.0, 0.04, 0.05, 0.06, 0.2]
    shares = predicted_shares(asked, spread=0.02, pairs=100, delta=0.05, tests=14)
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[2] == pytest.approx(0.25, abs=0.03), "on the threshold: a half, twice running"
    assert shares[4] == 1
    assert predicted_shares(asked, spread=0.02, pairs=4, delta=0.05, tests=14) == [0.0] * 5


def test_an_interrupted_campaign_goes_on(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = count()

    def interrupted(project: Project, run: Run, console: Console) -> Outcome:
        if next(calls):
            raise InterruptedSweepError
        return running.carry_on(project, run, console)

    monkeypatch.setattr(campaigns, "carry_on", interrupted)
    assert study(AA) == 130
    campaign = only_campaign(gate_checkout)
    told = capsys.readouterr().out
    assert f"go on with: scripts/gate-study show {campaign.name}" in told
    assert "gate 1 of 2: PASS" in told
    assert campaign.missing() == [1]
    first = campaign.gates_file.read_text()
    with campaign.gates_file.open("a") as file:
        file.write('{"schema": 1, "num')

    monkeypatch.setattr(campaigns, "carry_on", running.carry_on)
    assert study(["show", campaign.name]) == 0
    told = capsys.readouterr().out
    assert "gate 2 of 2: PASS" in told
    assert "2 of 2 A/A gates of HEAD" in told
    assert campaign.gates_file.read_text().startswith(first)
    assert (campaign.folder / "put-aside.txt").read_text() == '{"schema": 1, "num\n'
    entries = campaign.entries()
    assert [entry.number for entry in entries] == [0, 1]
    assert [entry.seed for entry in entries] == [campaign.seed_of(0), campaign.seed_of(1)]
    assert len({entry.gate["run"] for entry in entries}) == 2
    assert all(entry.line(EARLIER_SLOWED, TIME) for entry in entries)
    assert all(entry.costs_s[EARLIER_SLOWED] > 0 for entry in entries)
    history = list((gate_checkout.root / "results" / "history").glob("*.jsonl"))
    assert len(history) == 1, "A/A gates add to the history"

    kept = {path.name: path.read_bytes() for path in campaign.folder.iterdir()}
    assert {"summary.md", "noise.svg", "noise.png"} < set(kept)
    for name in ("summary.md", "noise.svg", "noise.png"):
        (campaign.folder / name).unlink()
    monkeypatch.setattr(campaigns, "start_gate", interrupted)
    assert study(["show", campaign.name]) == 0
    assert {path.name: path.read_bytes() for path in campaign.folder.iterdir()} == kept


def test_a_campaign_stays_on_its_machine(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaigns, "_run_missing", lambda *_: None)
    study(AA)
    campaign = only_campaign(gate_checkout)
    document = campaign.document | {"machine": campaign.document["machine"] | {"cpu_model": "Another 9000"}}
    (campaign.folder / "campaign.json").write_text(json.dumps(document))
    assert study(["show", campaign.name]) == 2
    assert "another machine (CPU: Another 9000" in capsys.readouterr().err


def test_broken_gates_end_a_campaign(gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]) -> None:
    gate_checkout.commit(CRASH)
    assert study([*AA[:2], "9", *AA[3:]]) == 4
    told = capsys.readouterr().out
    assert "gate 3 of 9: BROKEN" in told
    assert "gate 4" not in told
    assert "SIGSEGV" in told
    assert [entry.verdict.value for entry in only_campaign(gate_checkout).entries()] == ["BROKEN"] * 3


def test_a_base_that_does_not_build_breaks_the_gates(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    gate_checkout.commit(UNBUILDABLE)
    assert study(AA) == 4
    assert "there is no such thing" in capsys.readouterr().out
    assert len(only_campaign(gate_checkout).entries()) == 2


def test_a_self_test_finds_what_it_planted(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "STEP_PAIRS", 10)
    monkeypatch.setattr(calibration, "FINAL_PAIRS", 10)
    gate_checkout.commit(DELAYED)
    options = ["--cells", "static-self-1", "--tries", "1", "--seed", "7"]
    status = study(["self-test", "--base", "HEAD", *options])
    told = capsys.readouterr().out
    campaign = only_campaign(gate_checkout)
    entries = campaign.entries()
    assert [entry.asked for entry in entries] == [0.05, 0.10, 0.20], "the slow-downs take turns"
    assert [is_found(entry, EARLIER_SLOWED) for entry in entries[1:]] == [True, True]
    assert status == 0
    assert "gate 3 of 3: 20 % slower: FAIL" in told
    assert campaign.calibration is not None
    for one in campaign.calibration.slowdowns:
        assert one.achieved.delay_ns == pytest.approx(100 * one.asked, abs=1.5)
        assert one.achieved.ratio == pytest.approx(1 + one.asked, abs=0.015)
    assert {"summary.md", "power.svg", "power.png"} < {path.name for path in campaign.folder.iterdir()}
    assert "  10 % |" in (campaign.folder / "summary.md").read_text()


def test_a_calibration_that_fails_ends_the_self_test(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    gate_checkout.commit(CRASH)
    assert study(["self-test", "--base", "HEAD"]) == 4
    told = capsys.readouterr().out
    assert "the calibration failed" in told
    assert "SIGSEGV" in told
    assert only_campaign(gate_checkout).entries() == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "nothing"], "no campaign 'nothing' in results/campaigns/ (newest: none)"),
        (["aa", "--cells", "nothing"], "no gate cell 'nothing'"),
        (["aa", "--base", "nothing"], "'nothing' names no commit"),
        (
            ["self-test", "--slow", "nothing"],
            "no cell 'nothing' (choices: static-self-1, executor-1, actor-1)",
        ),
    ],
)
def test_wrong_usage_is_one_line(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert study(arguments) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
    assert not (gate_checkout.root / "results" / "campaigns").exists()


def test_a_load_beside_the_gates_ends_with_them(
    gate_checkout: GateCheckout, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    require = cpu_load.Load.require

    def watched(load: cpu_load.Load) -> None:
        require(load)
        seen.append(load.pid)

    monkeypatch.setattr(cpu_load.Load, "require", watched)
    status = study([*AA, "--loaded"])
    campaign = only_campaign(gate_checkout)
    assert campaign.name.endswith("-aa-loaded")
    assert len(seen) == 2
    assert len(set(seen)) == 1
    assert not is_running(seen[0])
    assert status in (0, 1), "a fake program takes no longer for a load"
    assert not list((gate_checkout.root / "results").glob("history/*")), "gates beside a load are no history"


def test_a_load_that_ended_is_noticed() -> None:
    with cpu_load.cpu_load(1) as load:
        load.require()
        os.kill(load.pid, signal.SIGKILL)
        until(lambda: not is_running(load.pid))
        with pytest.raises(cpu_load.LoadEndedError, match="status -9"):
            load.require()


def test_a_load_is_one_busy_cpu_and_dies_with_the_driver() -> None:
    code = (
        "import os, sys, time\n"
        "from gate_study.cpu_load import cpu_load\n"
        "with cpu_load(1) as load:\n"
        "    print(load.pid, flush=True)\n"
        "    sys.stdin.read()\n"
    )
    environment = os.environ | {"PYTHONPATH": str(SOURCE / "scripts")}
    with subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as driver:
        assert driver.stdout is not None
        load = int(driver.stdout.readline())
        until(lambda: len(os.sched_getaffinity(load)) == 1)
        until(lambda: ticks(load) >= 20)
        driver.kill()
    until(lambda: not is_running(load))


def test_a_load_takes_the_cpus_by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[set[int]] = []
    parents = iter([1, 1, 1, 1, 0])
    monkeypatch.setattr(cpu_load, "SHORTEST_S", 0.0)
    monkeypatch.setattr(cpu_load, "LONGEST_S", 0.001)
    monkeypatch.setattr(os, "getppid", lambda: next(parents))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 1, 5})
    monkeypatch.setattr(os, "sched_setaffinity", lambda _, cpus: turns.append(cpus))
    cpu_load._burn(1, 7)
    assert turns == [{1}, {3}, {5}, {1}]


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ticks(pid: int) -> int:
    """The CPU time that the process took, in clock ticks."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])

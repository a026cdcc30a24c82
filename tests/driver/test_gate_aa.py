"""Gates of a base against itself: what is counted, how surely it is known, and the exit status."""

from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from rich.console import Console
from scipy import stats

from actorbench.gate import aa
from actorbench.gate.aa import Shares, alarm_table, percent, run_aa
from actorbench.gate.arms import Commands
from actorbench.gate.deciding import Line, Outcome, Verdict
from actorbench.gate.running import BrokenGateError, Settings
from actorbench.measure import MEASURES
from actorbench.project import Project
from actorbench.sweep import InterruptedSweepError

PASS, FAIL, OPEN, BROKEN = Verdict.PASS, Verdict.FAIL, Verdict.INCONCLUSIVE, Verdict.BROKEN
Gates = Callable[..., list[Settings]]
PROJECT, SIDES = Project(Path("none")), Commands("./x", "./x", [])


def test_a_share_is_bounded_exactly() -> None:
    """Clopper and Pearson: as many hits or fewer happen in 5 % of tries at the bound, and no more."""
    few = Shares.of([True, False, False, True, False, False, False])
    assert few == Shares(2, 7)
    assert few.share == pytest.approx(2 / 7)
    assert stats.binom.cdf(2, 7, few.upper) == pytest.approx(0.05)
    low, high = few.interval
    assert stats.binom.cdf(2, 7, high) == pytest.approx(0.025)
    assert stats.binom.sf(1, 7, low) == pytest.approx(0.025)
    assert (Shares(0, 0).share, Shares(0, 0).upper, Shares(0, 0).interval) == (0, 1, (0, 1))
    assert Shares(7, 7).upper == 1
    assert Shares(1, 1).share == 1
    assert [percent(one) for one in (None, 0.1234, 1.0)] == ["-", "12.3 %", "100.0 %"]


def test_the_table_of_alarms() -> None:
    table = alarm_table("a title", [PASS] * 17 + [FAIL, OPEN, OPEN], "a note")
    assert table.title == "a title"
    assert [(column.heading, column.numeric) for column in table.columns] == [
        ("verdict", False),
        ("gates", True),
        ("share", True),
        ("95 % upper bound", True),
    ]
    bounds = [f"under {100 * stats.beta.ppf(0.95, hits + 1, 20 - hits):.1f} %" for hits in (1, 2, 0)]
    assert table.rows == [
        ["PASS", "17", "85.0 %", "-"],
        ["FAIL", "1", "5.0 %", bounds[0]],
        ["INCONCLUSIVE", "2", "10.0 %", bounds[1]],
        ["BROKEN", "0", "0.0 %", bounds[2]],
    ]
    assert table.notes == (
        "FAIL: false alarms, since base and candidate are the same. Bound: exact, one-sided"
        " (Clopper-Pearson).",
        "a note",
    )
    assert [row[3] for row in alarm_table("", [FAIL], "").rows] == ["-", "-", "under 95.0 %", "under 95.0 %"]


def outcome(verdict: Verdict) -> Outcome:
    line = Line("a", "", MEASURES["elapsed"], 0.05, (), None, verdict, "so it is")
    return Outcome("a-gate", "x", "x", (line,), (), 60, 1)


@pytest.fixture
def gates(monkeypatch: pytest.MonkeyPatch) -> Gates:
    """Let gates end with these verdicts, or be interrupted; gives the settings that each was started with."""

    def end_with(*ends: Verdict | type[BaseException], unbuilt: bool = False) -> list[Settings]:
        started: list[Settings] = []
        waiting: Iterator[Verdict | type[BaseException]] = iter(ends)

        def start(project: object, sides: object, settings: Settings, console: Console) -> object:
            assert (project, sides) == (PROJECT, SIDES)
            assert console.quiet
            started.append(settings)
            if unbuilt:
                raise BrokenGateError(outcome(BROKEN))
            return SimpleNamespace(name="a-gate")

        def carry_on(project: object, run: object, console: Console) -> Outcome:
            assert project == PROJECT
            assert console.quiet
            assert isinstance(run, SimpleNamespace)
            end = next(waiting)
            if isinstance(end, Verdict):
                return outcome(end)
            raise end

        monkeypatch.setattr(aa, "start_gate", start)
        monkeypatch.setattr(aa, "carry_on", carry_on)
        return started

    return end_with


def run(count: int) -> tuple[int, list[str]]:
    told = StringIO()
    settings = Settings(budget_s=20, seed=7, threshold=0.07)
    status = run_aa(PROJECT, SIDES, settings, count, Console(file=told, width=40))
    return status, told.getvalue().splitlines()


@pytest.mark.parametrize(
    ("ends", "count", "status", "done"),
    [
        ((PASS, PASS, PASS), 3, 0, 3),
        ((PASS, OPEN), 2, 0, 2),
        ((FAIL, PASS), 2, 1, 2),
        ((PASS, BROKEN, PASS), 3, 4, 2),
        ((FAIL, BROKEN), 2, 4, 2),
        ((FAIL, KeyboardInterrupt, PASS), 3, 130, 1),
        ((InterruptedSweepError, PASS), 3, 130, 0),
    ],
)
def test_gates_are_run_until_one_breaks(
    gates: Gates, ends: tuple[object, ...], count: int, status: int, done: int
) -> None:
    started = gates(*ends)
    found, told = run(count)
    assert found == status
    verdicts = [end for end in ends[:done] if isinstance(end, Verdict)]
    words = {PASS: "PASS", OPEN: "INCONCLUSIVE: 1 of 1 not decided: a time: so it is", FAIL: "FAIL: a time"}
    words[BROKEN] = "BROKEN: a: so it is"
    assert told[:done] == [
        f"gate {number} of {count}, results/a-gate: {words[verdict]}"
        for number, verdict in enumerate(verdicts, 1)
    ]
    assert ("interrupted; what was run counts" in told) == (status == 130)
    assert f"{done} of {count} A/A gates of ./x" in told
    assert "budget 20 s a gate" in told
    chance = Random(7)
    assert [one.seed for one in started] == [chance.getrandbits(32) for _ in started]
    assert {(one.budget_s, one.threshold) for one in started} == {(20, 0.07)}


def test_a_base_that_does_not_build_ends_them(gates: Gates) -> None:
    started = gates(unbuilt=True)
    assert run(3)[0] == 4
    assert len(started) == 1

"""When a sweep has enough: a budget in whole rounds, and precision at checkpoints fixed beforehand."""

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from actorbench.cell import Cell
from actorbench.judging import Failure
from actorbench.measure import MEASURES
from actorbench.plan import Plan, make_plan
from actorbench.record import Record
from actorbench.results import load_results
from actorbench.sample import Sample
from actorbench.stopping import (
    Decision,
    Goal,
    cells_short,
    checkpoints_until,
    complete_rounds,
    first_rounds,
    given_up,
    goal_from_json,
    look,
    make_goal,
    span_text,
)
from conftest import Checkout
from test_record import RECORD
from test_sweep import assert_complete, wait_for_samples

CELLS = tuple(Cell("release", "message-centric", "executor", n, 1, (), ()) for n in (1, 2))
SEED = 4


def made_goal(budget_s: float | None, precision: float | None, samples: int | None = None) -> Goal:
    goal = make_goal(budget_s, precision, samples)
    assert goal is not None
    return goal


def samples_of(plan: Plan, rounds: int, elapsed_ns: Sequence[int], seconds: float = 1.0) -> list[Sample]:
    """The samples of so many rounds; round r took elapsed_ns[r] in every cell, and `seconds` outside."""
    return [
        Sample(
            key=slot.cell.key,
            round=slot.round,
            position=slot.position,
            started="",
            padding=0,
            wall_ns=int(seconds * 1e9),
            exit_status=0,
            signal=None,
            record=Record(RECORD | {"elapsed_ns": elapsed_ns[slot.round]}),
            failure=None,
        )
        for slot in plan.slots()
        if slot.round < rounds
    ]


def test_checkpoints_are_fixed_beforehand() -> None:
    assert checkpoints_until(60) == (10, 15, 22, 33, 50, 60)
    assert checkpoints_until(10) == (10,)
    assert checkpoints_until(8) == (8,)
    goal = made_goal(None, 0.02, 60)
    assert goal.confidence == pytest.approx(1 - 0.05 / 6)
    assert made_goal(60, 0.02, 60).confidence == pytest.approx(1 - 0.05 / 7), "a budget may end it at another"
    assert made_goal(60, None).confidence == pytest.approx(0.95), "a budget does not look at the intervals"


def test_a_budget_is_fitted_after_one_round() -> None:
    goal = made_goal(20.5, None)
    plan = make_plan(dict.fromkeys(CELLS, 1), SEED)
    decision = look(plan, goal, samples_of(plan, 1, [100]), SEED)
    assert len(decision.plan.rounds) == 10
    assert decision.plan.rounds[:1] == plan.rounds, "what was measured stays in the plan"
    assert decision.lines == ("a round takes 2s: 10 rounds are planned for 20s",)
    assert decision.goal == replace(goal, fitted=True)
    again = look(decision.plan, decision.goal, samples_of(decision.plan, 5, [100] * 5), SEED)
    assert again.plan == decision.plan
    slower = look(decision.plan, decision.goal, samples_of(decision.plan, 5, [100] * 5, seconds=2), SEED)
    assert len(slower.plan.rounds) == 5
    assert slower.lines == ("the budget ends the sweep after 5 of 10 rounds",)


def test_too_small_a_budget_says_what_would_be_needed() -> None:
    plan = make_plan(dict.fromkeys(CELLS, 1), SEED)
    one = samples_of(plan, 1, [100], seconds=30)
    lines = look(plan, made_goal(180, None), one, SEED).lines
    assert lines[0] == "a round takes 60s: 3 rounds are planned for 3m"
    assert lines[1] == (
        "warning: 3 rounds are under the floor of 6 for any 95 % statement, which needs --budget 7m;"
        " 10 rounds need 11m"
    )
    assert "few rounds: 10 are wanted" in look(plan, made_goal(420, None), one, SEED).lines[1]
    assert len(look(plan, made_goal(1, None), one, SEED).plan.rounds) == 1, "the round that was measured"
    assert len(look(plan, made_goal(6000, None, 12), one, SEED).plan.rounds) == 12, "--samples is the most"


def test_what_a_table_needs_comes_before_the_first_look() -> None:
    """12 rounds for a table of 50 comparisons: a budget of fewer says so, a precision looks no sooner."""
    goal = make_goal(660, None, None, 12)
    assert goal is not None
    plan = make_plan(dict.fromkeys(CELLS, 1), SEED)
    one = samples_of(plan, 1, [100], seconds=30)
    assert look(plan, goal, one, SEED).lines[1:] == (
        "few rounds: 12 are needed before any comparison of the largest table can be told apart, which needs"
        " --budget 13m",
    )
    assert len(look(plan, replace(goal, budget_s=720), one, SEED).lines) == 1
    (_, warning) = look(plan, replace(goal, budget_s=180), one, SEED).lines
    assert warning.endswith("which needs --budget 7m; 12 rounds need 13m")
    precise = make_goal(None, 0.02, None, 12)
    assert precise is not None
    assert precise.checkpoints == (12, 18, 27, 40, 60, 91, 100)
    assert goal_from_json(precise.to_json()) == precise
    before = precise.to_json()
    del before["wanted_rounds"]
    assert goal_from_json(before) == replace(precise, wanted_rounds=10), "as older runs have it"


def test_precision_stops_at_the_first_checkpoint_that_is_narrow_enough() -> None:
    goal = made_goal(None, 0.02)
    plan = make_plan(dict.fromkeys(CELLS, 100), SEED)
    steady = [1_000_000 + 10 * r for r in range(100)]
    assert look(plan, goal, samples_of(plan, 9, steady), SEED).plan == plan, "9 is no checkpoint"
    decision = look(plan, goal, samples_of(plan, 10, steady), SEED)
    assert len(decision.plan.rounds) == 10
    assert decision.lines[0].startswith("precise enough after 10 rounds: every half-width is under 2 %")
    noisy = [int(value) for value in np.random.default_rng(1).lognormal(14, 0.5, 100)]
    assert look(plan, goal, samples_of(plan, 10, noisy), SEED).plan == plan
    last = look(plan, goal, samples_of(plan, 100, noisy), SEED)
    assert last.lines[0].startswith("after 100 rounds 2 cells are not within 2 %")
    assert "--workers 1 --scale 1: " in last.lines[1]


SPIKED = [1_000_000] * 8 + [950_000, 1_050_000]


def test_precision_asks_for_the_intervals_of_all_looks() -> None:
    """Of 10 samples the 95 % interval leaves out the ends, that of 7 looks does not: it is 10 % wide here."""
    plan = make_plan(dict.fromkeys(CELLS, 100), SEED)
    taken = samples_of(plan, 10, SPIKED)
    assert look(plan, made_goal(None, 0.02), taken, SEED).plan == plan
    assert cells_short(made_goal(None, 0.02), taken, 10, SEED) == {cell.key: "5.0%" for cell in CELLS}
    one_look = made_goal(None, 0.02, 10)
    assert one_look.confidence == pytest.approx(0.95)
    assert cells_short(one_look, taken, 10, SEED) == {}


def test_precision_is_of_half_the_interval() -> None:
    """10 % wide is 5 % to each side, which has to be under what was asked for."""
    plan = make_plan(dict.fromkeys(CELLS, 100), SEED)
    taken = samples_of(plan, 10, SPIKED)
    assert cells_short(made_goal(None, 0.0501), taken, 10, SEED) == {}
    assert len(look(plan, made_goal(None, 0.0501), taken, SEED).plan.rounds) == 10
    assert len(cells_short(made_goal(None, 0.05), taken, 10, SEED)) == 2
    early = samples_of(plan, 12, [*SPIKED, 9_000_000, 9_000_000])
    assert cells_short(made_goal(None, 0.0501), early, 10, SEED) == {}, "what came after the look is not seen"


def test_too_few_rounds_for_the_confidence_are_said_so() -> None:
    """A budget with a precision has looks of its own: 8 rounds allow 95 %, and not the 99.4 % of 8 looks."""
    plan = make_plan(dict.fromkeys(CELLS, 8), SEED)
    goal = replace(made_goal(1000, 0.02), fitted=True)
    assert cells_short(goal, samples_of(plan, 8, [100] * 8), 8, SEED) == {
        cell.key: "too few samples" for cell in CELLS
    }
    one = samples_of(plan, 1, [100], seconds=30)
    (planned, warning) = look(plan, made_goal(500, 0.02), one, SEED).lines
    assert planned == "a round takes 60s: 8 rounds are planned for 8m"
    assert warning == (
        "warning: 8 rounds are under the floor of 9 for any 99.38 % statement, which needs --budget 10m;"
        " 10 rounds need 11m"
    )


def test_a_cell_that_failed_holds_no_sweep_up() -> None:
    plan = make_plan(dict.fromkeys(CELLS, 100), SEED)
    taken = samples_of(plan, 10, SPIKED)
    broken = [
        replace(one, record=None, failure=Failure("crash", ""))
        if (one.key, one.round) == (CELLS[0].key, 3)
        else one
        for one in taken
    ]
    assert list(cells_short(made_goal(None, 0.02), broken, 10, SEED)) == [CELLS[1].key]
    other = [failed(one) if (one.key, one.round) == (CELLS[1].key, 3) else one for one in taken]
    assert list(cells_short(made_goal(None, 0.02), other, 10, SEED)) == [CELLS[0].key]


def test_precision_is_of_the_time_per_operation() -> None:
    """Samples of unlike work: each operation took as long in all."""
    plan = make_plan(dict.fromkeys(CELLS, 10), SEED)
    taken = [
        replace(
            one, record=Record(RECORD | {"elapsed_ns": 1000 * (9 + one.round), "operations": 9 + one.round})
        )
        for one in samples_of(plan, 10, SPIKED)
    ]
    assert cells_short(made_goal(None, 0.02), taken, 10, SEED) == {}


def test_a_round_that_is_not_whole_is_not_looked_at() -> None:
    plan = make_plan(dict.fromkeys(CELLS, 100), SEED)
    samples = samples_of(plan, 10, [1_000_000] * 10)
    assert complete_rounds(plan, samples) == 10
    assert complete_rounds(plan, samples[:-1]) == 9
    assert look(plan, made_goal(None, 0.02), samples[:-1], SEED).plan == plan


def test_span_text() -> None:
    assert [span_text(s) for s in (0.123, 45, 600, 9000)] == ["0.12s", "45s", "10m", "2.5h"]
    assert [span_text(s) for s in (119.4, 120, 120.6, 7199, 7200, 3.6e6)] == [
        *("119s", "2m", "2m", "120m", "2.0h", "1000.0h")
    ]


WHOLE = Goal(60.5, 0.02, 12, (10, 12), fitted=True, least_rounds=4, wanted_rounds=11)


def test_a_goal_is_written_and_read() -> None:
    document = WHOLE.to_json()
    assert document == {
        "budget_s": 60.5,
        "precision": 0.02,
        "most_rounds": 12,
        "checkpoints": [10, 12],
        "confidence": pytest.approx(1 - 0.05 / 3),
        "fitted": True,
        "least_rounds": 4,
        "wanted_rounds": 11,
    }
    assert goal_from_json(json.loads(json.dumps(document))) == WHOLE
    del document["least_rounds"], document["wanted_rounds"]
    assert goal_from_json(document) == replace(WHOLE, least_rounds=1, wanted_rounds=10)
    assert goal_from_json(None) is None


def test_the_goals_that_can_be_set() -> None:
    assert make_goal(None, None, 12) is None
    assert make_goal(60, None, None, 11) == Goal(60, None, 10_000, (), wanted_rounds=11)
    assert make_goal(60, None, 12) == Goal(60, None, 12, ())
    assert make_goal(None, 0.02, 24, 11) == Goal(None, 0.02, 24, (11, 16, 24), wanted_rounds=11)
    assert made_goal(60, 0.02) == Goal(60, 0.02, 100, (10, 15, 22, 33, 50, 75, 100))
    assert [first_rounds(goal) for goal in (made_goal(60, 0.02), made_goal(None, 0.02, 12))] == [1, 12]


def failed(sample: Sample) -> Sample:
    return replace(sample, record=None, failure=Failure("crash", ""))


def test_a_cell_is_given_up_after_two_failures() -> None:
    plan = make_plan(dict.fromkeys(CELLS, 5), SEED)
    taken = samples_of(plan, 3, [100] * 5)
    bad = [failed(one) if one.key == CELLS[1].key and one.round < 2 else one for one in taken]
    assert given_up(bad) == {CELLS[1].key}
    assert given_up([failed(one) if one.round == 0 else one for one in taken]) == set()
    assert given_up(taken) == set()
    without = [one for one in bad if one.key != CELLS[1].key or one.round < 2]
    assert complete_rounds(plan, without) == 3, "the rounds of the other cell count"
    once = [one for one in without if one.key != CELLS[1].key or one.round == 0]
    assert complete_rounds(plan, once) == 1, "its failure is a sample of its round"
    assert complete_rounds(plan, []) == 0


def test_before_a_whole_round_nothing_is_decided() -> None:
    plan = make_plan(dict.fromkeys(CELLS, 5), SEED)
    for goal in (made_goal(1, None), made_goal(None, 0.02)):
        assert look(plan, goal, samples_of(plan, 1, [100])[:1], SEED) == Decision(plan, goal, ())


def test_a_budget_is_fitted_by_what_a_round_has_taken() -> None:
    """Whole rounds, by the mean of those that are there."""
    plan = make_plan(dict.fromkeys(CELLS, 2), SEED)
    two = samples_of(plan, 2, [100] * 2, seconds=2)
    decision = look(plan, made_goal(40, None), two, SEED)
    assert decision.lines == ("a round takes 4s: 10 rounds are planned for 40s",)
    assert decision.plan == make_plan(dict.fromkeys(CELLS, 10), SEED)
    just_under = look(plan, made_goal(39.99999999, None), two, SEED)
    assert len(just_under.plan.rounds) == 9
    assert len(look(plan, made_goal(1, None), two, SEED).plan.rounds) == 2


@pytest.mark.parametrize(
    ("budget_s", "least_rounds", "left"),
    [(12.0, 1, 10), (11.99, 1, 5), (13.9, 1, 10), (11.99, 5, 5), (11.99, 6, 10)],
)
def test_a_budget_ends_before_the_round_that_does_not_fit(
    budget_s: float, least_rounds: int, left: int
) -> None:
    """Five rounds took 10 s, so that a sixth takes 2 s more; not before the least rounds are taken."""
    plan = make_plan(dict.fromkeys(CELLS, 10), SEED)
    goal = replace(made_goal(budget_s, None), fitted=True, least_rounds=least_rounds)
    decision = look(plan, goal, samples_of(plan, 5, [100] * 5), SEED)
    assert decision.plan == Plan(plan.cells, plan.rounds[:left])
    assert decision.goal == goal
    assert len(decision.lines) == (left == 5)


def test_a_plan_that_is_done_is_not_ended_by_its_budget() -> None:
    plan = make_plan(dict.fromkeys(CELLS, 5), SEED)
    goal = replace(made_goal(3, None), fitted=True)
    assert look(plan, goal, samples_of(plan, 5, [100] * 5), SEED) == Decision(plan, goal, ())


def test_a_budget_and_a_precision_both_say_what_they_found() -> None:
    plan = make_plan(dict.fromkeys(CELLS, 1), SEED)
    decision = look(plan, made_goal(1, 0.02), samples_of(plan, 1, [100]), SEED)
    assert decision.lines == (
        "a round takes 2s: 1 rounds are planned for 1s",
        "warning: 1 rounds are under the floor of 9 for any 99.38 % statement, which needs --budget 20s;"
        " 10 rounds need 22s",
        "after 1 rounds 2 cells are not within 2 % (intervals of 99.38 %: those of all 8 looks hold with"
        " 95 %):",
        *(f"  {cell.key}: too few samples" for cell in CELLS),
    )


def test_a_precise_sweep_ends_where_it_is() -> None:
    plan = make_plan(dict.fromkeys(CELLS, 100), SEED)
    steady = [1_000_000 + 10 * r**2 for r in range(100)]
    decision = look(plan, made_goal(None, 0.02), samples_of(plan, 10, steady), SEED)
    assert decision.plan == Plan(plan.cells, plan.rounds[:10])


@pytest.mark.parametrize(
    ("budget_s", "samples", "least_rounds", "lines"),
    [
        (60, 1, 1, ["a round takes 60s: 1 rounds are planned for 60s", "warning: 1 rounds are under"]),
        (120, 2, 1, ["2 rounds are planned for 2m, all that were asked for", "warning: 2 rounds are under"]),
        (120, 3, 1, ["2 rounds are planned for 2m", "warning: 2 rounds are under"]),
        (360, None, 1, ["6 rounds are planned for 6m", "few rounds: 10 are wanted to display an interval"]),
        (300, None, 1, ["5 rounds are planned for 5m", "warning: 5 rounds are under"]),
        (600, None, 1, ["10 rounds are planned for 10m"]),
        (100, None, 8, ["8 rounds are planned for 100s", "warning: 8 rounds take 8m, more than the budget"]),
        (100, None, 2, ["2 rounds are planned for 100s", "warning: 2 rounds take 2m, more than the budget"]),
        (480, None, 8, ["8 rounds are planned for 8m", "few rounds: 10 are wanted"]),
        (540, None, 8, ["9 rounds are planned for 9m", "few rounds: 10 are wanted"]),
        (30, None, 1, ["1 rounds are planned for 30s", "warning: 1 rounds are under"]),
    ],
)
def test_what_a_budget_allows_is_told(
    budget_s: float, samples: int | None, least_rounds: int, lines: list[str]
) -> None:
    """A round takes a minute; six are the floor, ten are wanted."""
    plan = make_plan(dict.fromkeys(CELLS, 1), SEED)
    goal = replace(made_goal(budget_s, None, samples), least_rounds=least_rounds)
    told = look(plan, goal, samples_of(plan, 1, [100], seconds=30), SEED).lines
    assert len(told) == len(lines)
    assert told[0].endswith(lines[0])
    assert all(one.startswith(text) for one, text in zip(told[1:], lines[1:], strict=True))


def test_a_sweep_with_a_budget(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    assert checkout.call("sweep", "table", "--workers", "1", "--budget", "2h", "--samples", "7") == 0
    out = capsys.readouterr().out
    assert "7 rounds are planned for 2.0h, all that were asked for" in out
    run = checkout.only_run()
    assert_complete(run)
    assert run.head().plan.size == 14
    head = (run.folder / "run.json").read_text()
    assert checkout.call("sweep", "--resume", run.name) == 0
    assert (run.folder / "run.json").read_text() == head, "nothing is decided twice"


def test_a_sweep_to_a_precision(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    assert checkout.call("sweep", "table", "--workers", "1", "--precision", "3%") == 0
    out = capsys.readouterr().out
    assert "precise enough after 10 rounds" in out
    assert "[99.29 % interval, order statistics]" in out
    assert "intervals of 99.29 %: those of all looks at which it could end hold with 95 %" in out
    assert "95 % interval" not in out
    run = checkout.only_run()
    assert_complete(run)
    assert run.head().plan.size == 20
    assert run.head().document["goal"]["checkpoints"] == [10, 15, 22, 33, 50, 75, 100]
    results = load_results(run)
    measure = MEASURES["time_per_operation"]
    for cell in run.head().plan.cells:
        values, one = results.values(cell, measure), results.estimate(cell, measure)
        assert one is not None
        assert (one.low, one.high) == (min(values), max(values)), "of 10 samples, at 99.29 %"
    assert checkout.call("report", run.name) == 0
    page = (run.folder / "report.html").read_text()
    assert "band: its 99.29 % interval (order statistics)." in page


def test_killed_and_resumed_a_goal_is_kept(checkout: Checkout) -> None:
    checkout.program("executor", "sleep 0.02; record")
    process = checkout.start("sweep", "table", "--workers", "1", "--precision", "3%", "--budget", "1h")
    run = wait_for_samples(checkout, 7)
    process.kill()
    process.communicate()
    assert checkout.call("sweep", "--resume", run.name) == 0
    assert_complete(run)
    assert run.head().plan.size == 20


@pytest.mark.parametrize(
    ("option", "value"),
    [("--budget", "0"), ("--budget", "1w"), ("--budget", "-1s"), ("--precision", "0%"), ("--precision", "1")],
)
def test_goals_that_are_none(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], option: str, value: str
) -> None:
    assert checkout.call("sweep", "table", option, value) == 2
    assert f"'{value}' is not a" in capsys.readouterr().err

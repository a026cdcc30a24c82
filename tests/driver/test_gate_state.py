"""What a gate makes of its store: costs, pairs, limits, its next stage, its outcome, its lines of history."""

from collections.abc import Mapping
from dataclasses import replace
from math import exp, inf, log
from typing import Any

import numpy as np
import pytest

from actorbench.gate.affording import OVERHEAD_S
from actorbench.gate.cells import GateCell
from actorbench.gate.deciding import FEWEST_PAIRS, GATED, Limits, Values, Verdict
from actorbench.gate.history import Entry, Noise
from actorbench.gate.judging import candidate_medians, judge, null_entries
from actorbench.gate.power import MOST_PAIRS, pairs_to_find, pairs_wanted, smallest_found
from actorbench.gate.stages import next_pairs
from actorbench.gate.state import GateState
from actorbench.judging import Failure
from actorbench.measure import MEASURES
from made_gate import MS, SEED, Did, made_gate
from test_record import RECORD

TIME, MEMORY = GATED
KIB = 1024
CRASHED = Failure("crash", "killed by SIGSEGV", "out", "err")


def noisy(**ratios: float) -> Did:
    """Let each cell's arms take their time with noise; `a_candidate=1.2` slows the candidate of "a".

    The noise is skewed and differs in each round, arm and cell; that of memory is a tenth of it.
    """

    def did(cell: str, arm: str, number: int) -> Mapping[str, Any]:
        chance = np.random.default_rng([number, *f"{cell} {arm}".encode()])
        scatter = float(chance.lognormal(0, 0.3)) ** 2 if cell == "wild" else float(chance.lognormal(0, 0.02))
        slower = ratios.get(f"{cell}_{arm}", 1.0)
        memory = ratios.get(f"{cell}_{arm}_memory", 1.0)
        return {
            "elapsed_ns": int(1e9 * (1 + number) * scatter * slower),
            "peak_rss_bytes": int(1e6 * (1 + number) * memory * scatter**0.1) * KIB,
        }

    return did


def cell_of(state: GateState, name: str) -> Any:  # noqa: ANN401
    return next(one for one in state.cells if one.name == name)


def logs_of(did: Did, cell: str, arm: str, rounds: range, field: str = "elapsed_ns") -> list[float]:
    """The log-ratios to the base, read from what was done and not from the state."""
    pairs = [(did(cell, arm, number), did(cell, "base", number)) for number in rounds]
    return [log(top[field] / bottom[field]) for top, bottom in pairs]  # type: ignore[index]


ONE = [("trial", {"a": 1, "b": 1}), ("first", {"a": 22, "b": 20})]


def test_a_round_costs_what_its_samples_have_taken() -> None:
    """On average, of all three arms, with what the driver takes for each: a slow sample counts."""
    walls = {"base": 10, "candidate": 20, "null": 90}
    state = made_gate(
        ONE,
        noisy(),
        wall_ns=lambda cell, arm, number: walls[arm] * MS * (4 if number == 0 else 1) * (1 + (cell == "b")),
    )
    mean_s = (walls["base"] + walls["candidate"] + walls["null"]) / 3 / 1e3
    costs = [state.cost_s(cell) for cell in state.cells]
    expected = [3 * (mean_s * 26 / 23 + OVERHEAD_S), 3 * (2 * mean_s * 24 / 21 + OVERHEAD_S)]
    assert costs == pytest.approx(expected, rel=1e-11)
    spent_s = 3 * mean_s * (26 + 2 * 24) + 3 * (23 + 21) * OVERHEAD_S
    assert state.spent_s() == pytest.approx(spent_s, rel=1e-11)
    assert replace(state, samples=()).cost_s(cell_of(state, "a")) == 0


def test_what_was_spent_before_the_fresh_batch() -> None:
    state = made_gate([*ONE, ("again", {"b": 20})], noisy())
    each_s = 0.1 + OVERHEAD_S
    assert state.spent_s() == pytest.approx(3 * (2 + 42 + 20) * each_s)
    assert state.spent_s(before_again=True) == pytest.approx(3 * (2 + 42) * each_s)


def test_stages_have_their_own_rounds_and_pairs() -> None:
    did = noisy(a_candidate=1.1)
    state = made_gate([*ONE, ("again", {"a": 20})], did)
    assert [state.rounds_of(name) for name in ("trial", "first", "again", "none")] == [
        range(1),
        range(1, 23),
        range(23, 43),
        None,
    ]
    a, b = state.cells
    for cell, stage, rounds in (
        (a, "first", range(1, 23)),
        (b, "first", range(1, 21)),
        (a, "again", range(23, 43)),
    ):
        for measure, field in ((TIME, "elapsed_ns"), (MEMORY, "peak_rss_bytes")):
            found = state.values(cell, measure, stage)
            for arm, pairs in (("candidate", found.candidate), ("null", found.null)):
                logs = [log(top / bottom) for top, bottom in pairs]
                assert logs == pytest.approx(logs_of(did, cell.name, arm, rounds, field))
    assert state.values(b, TIME, "again") == Values([], [])
    assert state.values(a, TIME, "none") == Values([], [])


def test_a_pair_needs_both_its_arms() -> None:
    state = made_gate(ONE, noisy())
    gone = {(state.cells[0].arms[0].key, 3), (state.cells[0].arms[1].key, 5), (state.cells[0].arms[2].key, 7)}
    part = replace(state, samples=tuple(one for one in state.samples if (one.key, one.round) not in gone))
    found = part.values(part.cells[0], TIME, "first")
    assert (len(found.candidate), len(found.null)) == (20, 20)
    base = [pair[1] for pair in found.candidate]
    assert len(set(base)) == 20
    for arm in (1, 2):
        lacking = {cell.arms[arm].key for cell in state.cells}
        none = replace(state, samples=tuple(one for one in state.samples if one.key not in lacking))
        assert none.batch("first") == {}


def test_trouble_names_the_first_failure_of_an_arm() -> None:
    def did(cell: str, arm: str, number: int) -> Mapping[str, Any] | Failure:
        fails = {("a", "null"): 2, ("a", "candidate"): 4}
        return CRASHED if fails.get((cell, arm)) == number else noisy()(cell, arm, number)

    state = made_gate(ONE, did)
    a, b = state.cells
    assert state.trouble(a) == (
        "base, second build: crash: killed by SIGSEGV; results/a-gate/failed-a-null.log"
    )
    assert state.trouble(b) is None
    assert [(cell, arm, one.round) for cell, arm, one in state.failures()] == [
        ("a", "null", 2),
        ("a", "candidate", 4),
    ]
    later = replace(state, samples=tuple(one for one in state.samples if one.round != 2))
    assert later.trouble(a) == "candidate: crash: killed by SIGSEGV; results/a-gate/failed-a-candidate.log"
    assert set(state.batch("first")) == {("b", TIME), ("b", MEMORY)}
    (broken, *others) = judge(state).lines
    assert (broken.cell, broken.verdict, broken.reason) == ("a", Verdict.BROKEN, state.trouble(a))
    assert (broken.measure.name, broken.batches, broken.smallest) == (TIME, (), None)
    assert [(one.cell, one.measure.name) for one in others] == [("b", TIME), ("b", MEMORY)]
    assert judge(state).verdict is Verdict.BROKEN


def test_memory_that_no_record_tells_is_not_gated() -> None:
    def did(cell: str, arm: str, number: int) -> Mapping[str, Any]:
        told = dict(noisy()(cell, arm, number))  # type: ignore[arg-type]
        return told | ({"peak_rss_bytes": 0} if cell == "a" else {})

    state = made_gate(ONE, did)
    a, b = state.cells
    assert (state.measures(a), state.measures(b)) == ([TIME], [TIME, MEMORY])
    assert set(state.batch("first")) == {("a", TIME), ("b", TIME), ("b", MEMORY)}
    outcome = judge(state)
    assert [(one.cell, one.measure.name) for one in outcome.lines] == [
        ("a", TIME),
        ("b", TIME),
        ("b", MEMORY),
    ]
    assert "not gated, since the records say 0: peak memory" in outcome.notes
    assert replace(state, samples=()).measures(a) == [TIME, MEMORY]
    assert not any("not gated" in note for note in judge(made_gate(ONE, noisy())).notes)


def noise(tail: float, spread: float = 0.02, outliers: float = 0.0, gates: int = 30) -> dict[str, Any]:
    return Noise(gates, tail, spread, outliers).to_json()


@pytest.mark.parametrize(
    ("changed", "limits"),
    [
        ({}, Limits(0.05, 0.0)),
        ({"noise": {"a": {TIME: noise(0.03)}}}, Limits(0.05, 0.03)),
        ({"noise": {"a": {TIME: noise(0.08)}}}, Limits(0.05, 0.08)),
        ({"noise": {"a": {TIME: noise(0.08)}}, "most_delta": 0.1}, Limits(0.08, 0.08)),
        ({"noise": {"a": {TIME: noise(0.08)}}, "most_delta": 0.06}, Limits(0.06, 0.08)),
        ({"noise": {"a": {TIME: noise(0.08)}}, "most_delta": 0.01}, Limits(0.05, 0.08)),
        ({"noise": {"a": {TIME: noise(0.08)}}, "threshold": 0.09}, Limits(0.09, 0.08)),
        (
            {"noise": {"a": {MEMORY: noise(0.08)}, "b": {TIME: noise(0.08)}}, "most_delta": 0.1},
            Limits(0.05, 0.0),
        ),
    ],
)
def test_delta_grows_with_the_history_as_far_as_is_allowed(changed: dict[str, Any], limits: Limits) -> None:
    state = made_gate(ONE, noisy(), **changed)
    assert state.limits(cell_of(state, "a"), TIME) == limits


def test_the_outcome_counts_its_lines() -> None:
    outcome = judge(made_gate(ONE, noisy(a_candidate=1.3)))
    passed = [("a", MEMORY), ("b", TIME), ("b", MEMORY)]
    assert [(one.cell, one.measure.name) for one in outcome.of(Verdict.PASS)] == passed
    assert outcome.of(Verdict.FAIL) == []
    assert [one.cell for one in outcome.of(Verdict.INCONCLUSIVE)] == ["a"]


def test_what_is_shared_by_all_cells() -> None:
    state = made_gate(ONE, noisy(), find=0.07)
    assert (state.find, state.tests) == (0.07, 4)
    assert not state.is_oversubscribed(state.cells[0])
    full = made_gate(ONE, noisy(), workers=2)
    assert not full.is_oversubscribed(full.cells[0])
    alone = made_gate(ONE, noisy(), cpus=1)
    untold = [replace(arm, workers=None) for arm in alone.cells[0].arms]
    assert not alone.is_oversubscribed(GateCell("a", (untold[0], untold[1], untold[2])))
    many = made_gate(ONE, noisy(), workers=3)
    assert many.is_oversubscribed(many.cells[0])
    assert [one.oversubscribed for one in judge(many).lines] == [True] * 4
    assert state.noise(state.cells[0], TIME) is None
    known = made_gate(ONE, noisy(), noise={"b": {MEMORY: noise(0.1, 0.2, 0.3, 4)}})
    assert known.noise(known.cells[1], MEMORY) == Noise(4, 0.1, 0.2, 0.3)
    assert known.noise(known.cells[1], TIME) is None


def arms_of(did: Did, cell: str, rounds: range) -> list[list[tuple[float, float]]]:
    return [[(exp(one), 1.0) for one in logs_of(did, cell, arm, rounds)] for arm in ("candidate", "null")]


def test_what_would_have_been_found() -> None:
    """Corrected for all four comparisons, with a fresh batch as large as the time left affords."""
    did = noisy()
    arms = arms_of(did, "a", range(1, 23))
    state = made_gate(ONE, did)
    asked = {"counts": (22, 22), "tests": 4, "seed": SEED}
    found = state.smallest(state.cells[0], TIME)
    assert found == pytest.approx(smallest_found(arms, 0.05, **asked))  # type: ignore[arg-type]
    wide = made_gate(ONE, did, threshold=0.2)
    assert wide.smallest(wide.cells[0], TIME) == pytest.approx(smallest_found(arms, 0.2, **asked))  # type: ignore[arg-type]
    # 3 arms x 42 + 2 of the trial are taken, 0.318 s a round: 6.5 s more are 20 rounds, and 1 s more none.
    for left_s in (6.5, 1.0):
        little = made_gate(ONE, did, budget_s=44 * 0.318 + left_s)
        found = little.smallest(little.cells[0], TIME)
        assert found == pytest.approx(smallest_found(arms, 0.05, counts=(22, 20), tests=4, seed=SEED))
    again = made_gate([*ONE, ("again", {"a": 22})], did, budget_s=44 * 0.318 + 7.1)
    assert again.smallest(again.cells[0], TIME) == pytest.approx(smallest_found(arms, 0.05, **asked))  # type: ignore[arg-type]
    few = made_gate([("trial", {"a": 1}), ("first", {"a": 19})], did)
    assert few.smallest(few.cells[0], TIME) is None


def test_noise_that_the_history_knows_counts_for_its_measure() -> None:
    """Where delta has grown for time, less is found in it, more pairs are needed, and it is shown."""
    did = noisy()
    arms = arms_of(did, "a", range(1, 23))
    known = {"a": {TIME: noise(0.09)}}
    state = made_gate(ONE, did, noise=known, most_delta=0.2, find=0.1)
    cell = state.cells[0]
    found = smallest_found(arms, 0.09, counts=(22, 22), tests=4, seed=SEED)
    assert state.smallest(cell, TIME) == pytest.approx(found)
    assert state.needed(cell, TIME) == pairs_to_find(arms, 0.09, 0.1, tests=4, seed=SEED)
    assert state.needed(cell, TIME) != pairs_to_find(arms, 0.05, 0.1, tests=4, seed=SEED)
    assert [line.delta for line in judge(state).lines] == [0.09, 0.05, 0.05, 0.05]
    hidden = judge(made_gate(ONE, did, noise=known, most_delta=0.07)).lines
    assert [line.verdict for line in hidden] == [Verdict.INCONCLUSIVE] + [Verdict.PASS] * 3
    assert hidden[0].reason == (
        "here no change at all has moved it by 9.0 %, over the 7.0 % allowed (--most-delta)"
    )


def test_what_it_takes_to_find_what_is_asked_for() -> None:
    did = noisy()
    stages = [("trial", {"wild": 1, "a": 1}), ("first", {"wild": 20, "a": 20})]
    arms = arms_of(did, "wild", range(1, 21))
    state = made_gate(stages, did, find=1.5, threshold=0.3)
    expected = pairs_to_find(arms, 0.3, 1.5, tests=4, seed=SEED)
    assert expected is not None
    assert 20 < expected < MOST_PAIRS
    assert state.needed(state.cells[0], TIME) == expected
    narrow = made_gate(stages, did, find=0.06)
    assert narrow.needed(narrow.cells[0], TIME) is None


TRIED = [("trial", {"a": 1, "b": 1, "c": 1})]


def test_the_first_batch_takes_what_the_budget_affords() -> None:
    """Unknown noise wants all: 55 % of what is left, in even numbers, shared alike."""
    state = made_gate(TRIED, noisy(), budget_s=100)
    left_s = 100 - 9 * (0.1 + OVERHEAD_S)
    affordable = 0.55 * left_s / (9 * (0.1 + OVERHEAD_S))
    assert next_pairs(state) == ("first", dict.fromkeys("abc", int(affordable) // 2 * 2))
    assert 50 < affordable < 60
    rich = made_gate(TRIED, noisy(), budget_s=10_000)
    assert next_pairs(rich) == ("first", dict.fromkeys("abc", MOST_PAIRS))
    poor = made_gate(TRIED, noisy(), budget_s=10)
    assert next_pairs(poor) == ("first", dict.fromkeys("abc", 8))


def test_known_noise_wants_what_it_takes() -> None:
    """Corrected for the six comparisons of three cells, with the outliers that were seen."""
    known = {
        "a": {TIME: noise(0.02, 0.1)},
        "b": {TIME: noise(0.02, 0.02, 0.2)},
        "c": {TIME: noise(0.02, 0.001)},
    }
    state = made_gate(TRIED, noisy(), budget_s=10_000, noise=known)
    wanted = {
        "a": pairs_wanted(0.1, 0.05, 0.10, tests=6, fewest=FEWEST_PAIRS),
        "b": pairs_wanted(0.02, 0.05, 0.10, tests=6, fewest=FEWEST_PAIRS, outliers=0.2),
        "c": FEWEST_PAIRS,
    }
    assert next_pairs(state) == ("first", wanted)
    assert wanted["a"] != pairs_wanted(0.1, 0.05, 0.10, tests=1, fewest=FEWEST_PAIRS)
    assert wanted["b"] > pairs_wanted(0.02, 0.05, 0.10, tests=6, fewest=FEWEST_PAIRS) == FEWEST_PAIRS
    blind = made_gate(TRIED, noisy(), budget_s=10_000, noise=known, find=0.05)
    assert next_pairs(blind) == ("first", dict.fromkeys("abc", FEWEST_PAIRS))
    loud = made_gate(TRIED, noisy(), budget_s=10_000, noise={"a": {TIME: noise(0.12, 0.3)}}, most_delta=0.2)
    assert next_pairs(loud)[1]["a"] == FEWEST_PAIRS, "delta is over what is to be found"


def test_a_cell_in_trouble_gets_nothing_more() -> None:
    def did(cell: str, arm: str, number: int) -> Mapping[str, Any] | Failure:
        return CRASHED if cell != "b" else noisy()(cell, arm, number)

    state = made_gate(TRIED, did, budget_s=10_000)
    assert next_pairs(state) == ("first", {"b": MOST_PAIRS})
    assert next_pairs(made_gate(TRIED, lambda *_: CRASHED)) == ("trial", {})


def test_a_batch_that_is_short_is_topped_up_as_far_as_time_allows() -> None:
    stages = [("trial", {"a": 1, "b": 1}), ("first", {"a": 10, "b": 20})]
    spent_s = 3 * (2 + 30) * (0.1 + OVERHEAD_S)
    assert next_pairs(made_gate(stages, noisy(), budget_s=600)) == ("first", {"a": 10})
    some = made_gate(stages, noisy(), budget_s=spent_s + 7 * 3 * (0.1 + OVERHEAD_S))
    assert next_pairs(some) == ("first", {"a": 6})
    none = made_gate(stages, noisy(b_candidate=1.5), budget_s=spent_s + 3 * (0.1 + OVERHEAD_S))
    assert next_pairs(none) == ("again", {})


def test_a_single_pair_that_lacks_is_topped_up() -> None:
    stages = [("trial", {"a": 1, "b": 1}), ("first", {"a": 19, "b": 20})]
    assert next_pairs(made_gate(stages, noisy(), budget_s=600)) == ("first", {"a": 1})


def test_a_measure_that_is_told_in_few_rounds_wants_nothing() -> None:
    """Of memory there are 19 pairs, too few to say what they hide; more of them are not asked for."""

    def did(cell: str, arm: str, number: int) -> Mapping[str, Any]:
        return {**noisy()(cell, arm, number), **({"peak_rss_bytes": 0} if number == 5 else {})}  # type: ignore[dict-item]

    state = made_gate([("trial", {"a": 1}), ("first", {"a": 20})], did, budget_s=600)
    assert len(state.values(state.cells[0], MEMORY, "first").candidate) == 19
    assert state.smallest(state.cells[0], MEMORY) is None
    assert next_pairs(state) == ("again", {})


@pytest.mark.parametrize(
    ("smallest", "needed", "more"),
    [
        ({TIME: 0.05, MEMORY: 0.2}, {MEMORY: 60}, {"a": 40}),
        ({TIME: 0.2, MEMORY: 0.05}, {TIME: 60}, {"a": 40}),
        ({TIME: 0.2, MEMORY: 0.2}, {TIME: 60, MEMORY: 30}, {"a": 40}),
        ({TIME: 0.2, MEMORY: 0.2}, {TIME: 30, MEMORY: 60}, {"a": 40}),
        ({TIME: 0.2, MEMORY: 0.2}, {TIME: None, MEMORY: 60}, {"a": 40}),
        ({TIME: 0.1, MEMORY: 0.1}, {}, {}),
    ],
)
def test_a_cell_gets_what_its_noisiest_measure_needs(
    monkeypatch: pytest.MonkeyPatch,
    smallest: dict[str, float],
    needed: dict[str, int | None],
    more: dict[str, int],
) -> None:
    """Only for a measure that would find less than the 10 % asked for; no other is even looked at."""
    monkeypatch.setattr(GateState, "smallest", lambda _state, _cell, measure: smallest[measure])
    monkeypatch.setattr(GateState, "needed", lambda _state, _cell, measure: needed[measure])
    state = made_gate([("trial", {"a": 1}), ("first", {"a": 20})], noisy(), budget_s=600)
    assert next_pairs(state) == ("first" if more else "again", more)


def test_each_measure_has_a_delta_of_its_own() -> None:
    slow = noisy(a_candidate=1.1, a_candidate_memory=1.1)
    stages = [("trial", {"a": 1}), ("first", {"a": 20})]
    for measure, flagged in ((TIME, [False, True]), (MEMORY, [True, False])):
        state = made_gate(stages, slow, noise={"a": {measure: noise(0.15)}}, most_delta=0.2)
        assert [state.batch("first")["a", name].flagged for name in GATED] == flagged


def test_what_the_first_batch_flags_is_measured_again_the_worst_first() -> None:
    slow = noisy(a_candidate=1.2, b_candidate=1.5, b_candidate_memory=1.1, d_candidate=1.3, d_null=1.3)
    stages = [("trial", dict.fromkeys("abcd", 1)), ("first", {"a": 24, "b": 22, "c": 22, "d": 22})]
    state = made_gate(stages, slow, budget_s=600)
    batch = state.batch("first")
    flagged = {name: (one.flagged, one.null_flagged) for name, one in batch.items()}
    assert flagged["a", TIME] == flagged["b", TIME] == flagged["b", MEMORY] == (True, False)
    assert flagged["d", TIME] == (True, True)
    assert not any(flagged[name][0] for name in (("a", MEMORY), ("c", TIME), ("c", MEMORY), ("d", MEMORY)))
    stage, pairs = next_pairs(state)
    assert (stage, list(pairs.items())) == ("again", [("b", 22), ("a", 24)])
    one_s = 3 * (0.1 + OVERHEAD_S)
    tight = made_gate(stages, slow, budget_s=(4 + 90 + 21) * one_s)
    assert next_pairs(tight) == ("again", {"b": 20})
    done = made_gate([*stages, ("again", {"b": 22, "a": 24})], slow, budget_s=600)
    assert next_pairs(done) == ("again", {})


def test_the_worse_of_two_measures_is_what_a_cell_is_flagged_for() -> None:
    slow = noisy(a_candidate=1.2, b_candidate=1.1, b_candidate_memory=1.4)
    state = made_gate([("trial", {"a": 1, "b": 1}), ("first", {"a": 20, "b": 20})], slow, budget_s=600)
    assert list(next_pairs(state)[1]) == ["b", "a"]


def test_a_fresh_batch_tests_only_what_was_flagged() -> None:
    """16 of 20 pairs agree (p = 0.012): enough for two comparisons, and not for the four of the first."""

    def did(cell: str, arm: str, number: int) -> Mapping[str, Any]:
        told = dict(noisy()(cell, arm, number))  # type: ignore[arg-type]
        ratio = 1.0
        if cell == "a" and arm == "candidate":
            ratio = 1.3 if number < 21 or number % 5 else 0.7
        return told | {"elapsed_ns": int(told["elapsed_ns"] * ratio)}

    state = made_gate([("trial", {"a": 1, "b": 1}), ("first", {"a": 20, "b": 20}), ("again", {"a": 20})], did)
    again = state.batch("again")
    assert set(again) == {("a", TIME)}
    assert (
        again["a", TIME].candidate_p == again["a", TIME].candidate.p_value == pytest.approx(0.0118, abs=1e-4)
    )
    assert again["a", TIME].flagged
    first = state.batch("first")["a", TIME]
    assert first.candidate_p == pytest.approx(4 * first.candidate.p_value)
    line = judge(state).lines[0]
    assert (line.verdict, line.batches) == (Verdict.FAIL, (first, again["a", TIME]))
    assert line.reason.startswith("flagged twice: 1.3")


def test_a_batch_that_hides_what_is_asked_for_is_strengthened() -> None:
    did = noisy()
    stages = [("trial", {"wild": 1, "a": 1}), ("first", {"wild": 20, "a": 20})]
    state = made_gate(stages, did, find=1.5, threshold=0.3, budget_s=10_000)
    needed = state.needed(state.cells[0], TIME)
    assert needed is not None
    assert needed > 30
    assert next_pairs(state) == ("first", {"wild": needed - 20 + needed % 2})
    hidden = made_gate(
        stages,
        did,
        find=1.5,
        threshold=0.3,
        budget_s=10_000,
        noise={"wild": {TIME: noise(0.31), MEMORY: noise(0.31)}},
    )
    assert next_pairs(hidden) == ("again", {}), "more pairs would not let it pass"
    narrow = made_gate(stages, did, find=0.06, budget_s=10_000)
    calm = narrow.needed(cell_of(narrow, "a"), TIME)
    assert calm is not None
    assert next_pairs(narrow) == ("first", {"a": calm - 20 + calm % 2}), "for the wild one no number would do"
    assert next_pairs(made_gate(stages, did, find=1.5, threshold=0.3, budget_s=15)) == ("again", {})


def test_the_outcome_says_what_was_found_and_how() -> None:
    known = {
        "a": {TIME: noise(0.02, gates=12), MEMORY: noise(0.01, gates=7)},
        "b": {TIME: noise(0.02, gates=9)},
    }
    state = made_gate([*ONE, ("again", {"a": 22})], noisy(a_candidate=1.3), noise=known, find=0.15)
    outcome = judge(state)
    assert (outcome.run, outcome.base, outcome.candidate) == ("a-gate", "main (1234)", "HEAD (5678)")
    assert (outcome.budget_s, outcome.spent_s) == (60.0, state.spent_s())
    assert outcome.notes == (
        f"to be found: 15.0 %; A/A history: 7 to 12 gates; seed {SEED}",
        "warning: the machine has neighbours",
    )
    first, again = state.batch("first"), state.batch("again")
    verdicts = [(one.cell, one.measure.name, one.verdict) for one in outcome.lines]
    assert verdicts == [
        ("a", TIME, Verdict.FAIL),
        ("a", MEMORY, Verdict.PASS),
        ("b", TIME, Verdict.PASS),
        ("b", MEMORY, Verdict.PASS),
    ]
    assert [one.batches for one in outcome.lines] == [
        (first["a", TIME], again["a", TIME]),
        (first["a", MEMORY],),
        (first["b", TIME],),
        (first["b", MEMORY],),
    ]
    assert [one.smallest for one in outcome.lines] == [
        state.smallest(cell, name) for cell in state.cells for name in GATED
    ]
    assert outcome.lines[0].command == "release/worker-centric/a --workers 1 --scale 1 --pin cores"
    assert [one.delta for one in outcome.lines] == [0.05] * 4
    assert not any(one.oversubscribed for one in outcome.lines)
    assert (
        judge(made_gate(ONE, noisy())).notes[0] == f"to be found: 10.0 %; A/A history: none yet; seed {SEED}"
    )


def test_neither_time_nor_memory_is_judged_where_only_counts_are() -> None:
    said = f"to be found: 10.0 %; seed {SEED}"
    outcome = judge(made_gate(ONE, noisy(a_candidate=1.3), is_timed=False))
    assert (outcome.lines, outcome.notes) == ((), (said,))
    counts = {"notes": ["counted by callgrind"]}
    assert judge(made_gate(ONE, noisy(), is_timed=False, counts=counts)).notes == (said, *counts["notes"])
    assert judge(made_gate(ONE, noisy(), counts=counts)).notes[1:] == (
        *counts["notes"],
        "warning: the machine has neighbours",
    )


def test_what_was_not_measured_is_not_decided() -> None:
    state = made_gate([("trial", {"a": 1})], noisy())
    assert [(one.verdict, one.reason, one.batches) for one in judge(state).lines] == [
        (Verdict.INCONCLUSIVE, "not measured", ())
    ] * 2


def test_a_pass_that_is_blind_says_what_it_would_take() -> None:
    stages = [("trial", {"wild": 1}), ("first", {"wild": 20})]
    state = made_gate(stages, noisy(), find=1.5, threshold=0.3)
    needed, cost_s = state.needed(state.cells[0], TIME), state.cost_s(state.cells[0])
    smallest = state.smallest(state.cells[0], TIME)
    assert needed is not None
    assert smallest is not None
    line = judge(state).lines[0]
    assert line.verdict is Verdict.INCONCLUSIVE
    found = f"{100 * smallest:.1f} %" if smallest < inf else "nothing"
    assert line.reason == (
        f"would find {found}, not the 150.0 % asked for; by this noise that takes 2 batches of"
        f" {needed} pairs, {2 * needed * cost_s:.0f} s (--budget)"
    )
    never = judge(made_gate(stages, noisy(), find=0.06)).lines[0]
    assert never.reason.endswith("not the 6.0 % asked for; by this noise that takes more than 200 pairs")


def test_the_history_learns_of_null_arms_that_say_something() -> None:
    """Twenty pairs at least, of the first batch, and not flagged; by the work of the cell, not its build."""

    def did(cell: str, arm: str, number: int) -> dict[str, Any]:
        """One round of "a" is disturbed: a share of 1 / 22."""
        told = dict(noisy(b_null=1.3)(cell, arm, number))  # type: ignore[arg-type]
        return told | (
            {"elapsed_ns": 3 * told["elapsed_ns"]} if (cell, arm, number) == ("a", "null", 7) else {}
        )

    counts = {"a": 22, "b": 22, "c": 19, "d": 20}
    stages = [("trial", dict.fromkeys(counts, 1)), ("first", counts), ("again", {"a": 20})]
    entries = null_entries(made_gate(stages, did, commit="feed"))
    assert [one.cell[0] for one in entries] == ["a", "a", "b", "d", "d"]
    assert entries[0].outliers == 0.045455
    assert [(one.cell, one.measure) for one in entries[:3]] == [
        ("a: worker-centric/a --workers 1 --scale 1", TIME),
        ("a: worker-centric/a --workers 1 --scale 1", MEMORY),
        ("b: worker-centric/b --workers 1 --scale 1", MEMORY),
    ]
    logs = np.asarray(logs_of(did, "a", "null", range(1, 23)))
    low, high = np.percentile(logs, [25, 75])
    spread = (high - low) / 1.349
    outliers = np.mean(np.abs(logs - np.median(logs)) > 3 * spread)
    assert entries[0] == Entry(
        gate="a-gate",
        seed=SEED,
        cell="a: worker-centric/a --workers 1 --scale 1",
        measure=TIME,
        pairs=22,
        ratio=round(float(np.exp(np.median(logs))), 6),
        spread=round(float(spread), 6),
        outliers=round(float(outliers), 6),
        commit="feed",
    )
    assert MEASURES[TIME].name == TIME


@pytest.mark.parametrize("trial", [[], [("trial", {"a": 1, "b": 1})]])
def test_the_medians_kept_are_of_the_candidate_and_not_of_its_trial(trial: list[Any]) -> None:
    """Each round takes a second more than the one before."""

    def did(cell: str, arm: str, number: int) -> Mapping[str, Any]:
        seconds = 1 + number + {"base": 100, "candidate": 0, "null": 200}[arm] + 50 * (cell == "b")
        return {"elapsed_ns": int(1e9 * seconds), "peak_rss_bytes": seconds * KIB**2}

    state = made_gate([*trial, ("first", {"a": 21, "b": 11})], did)
    document = state.head.document | {"machine": {"compiler": "gcc 12"}}
    state = replace(state, head=replace(state.head, document=document))
    a, b = (cell.identity for cell in state.cells)
    assert [
        (one.run, one.cell, one.measure, one.commit, one.median, one.samples, one.compiler)
        for one in candidate_medians(state)
    ] == [
        ("a-gate", cell, measure, "candidate", unit * (middle + len(trial)), count, "gcc 12")
        for cell, middle, count in ((a, 11, 21), (b, 56, 11))
        for measure, unit in ((TIME, 1e9 / RECORD["operations"]), (MEMORY, 1))
    ]


def test_no_medians_are_kept_of_another_build() -> None:
    state = made_gate([("first", {"a": 20})], noisy())
    plan = replace(
        state.head.plan,
        cells=tuple(
            replace(one, config=one.config.replace("release", "debug")) for one in state.head.plan.cells
        ),
    )
    samples = tuple(replace(one, key=one.key.replace("release", "debug")) for one in state.samples)
    document = state.head.document | {"machine": {}}
    debug = GateState("a-gate", replace(state.head, document=document, plan=plan), samples)
    assert len(debug.values(debug.cells[0], TIME, "first").candidate) == 20
    assert candidate_medians(debug) == []

"""What each kind of bound states of a run's samples, word by word, and why it may find nothing to state."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from actorbench.cell import Cell
from actorbench.ledger.claims import parse_claims
from actorbench.ledger.judging import Judged, Verdict, judge
from actorbench.ledger.statements import Statement, share, spread, stated
from actorbench.results import Results
from made_results import Measured, made_results
from test_grid import GRID
from test_ledger import (
    AGAINST,
    BOTH,
    BOTTOMS,
    CASES,
    FALLS,
    FLAT,
    GAP,
    HEAD,
    LINES,
    OF_ROWS,
    ORDER,
    RATIO,
    RISES,
    ROUNDS,
    ROWS,
    SAME,
    SHARE,
    SPEEDUP,
    SPREAD,
    SWAYING,
    Times,
    asked,
    bound,
    judged,
    timed,
)
from test_record import STATISTICS

EACH = '\nat = "each"'


def by(bounds: str, results: Results) -> Judged:
    """Judge a claim of these bounds by results."""
    (one,) = judge(parse_claims(HEAD + asked(bounds), "x.toml"), [results])
    return one


def statements(one: Judged) -> tuple[Statement, ...]:
    """The statements of its first part."""
    return one.parts[0].statements


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        (RATIO, ["a / b at most 0.5"]),
        (BOTH, ["a / b at least 0.4", "a / b at most 0.6"]),
        (RATIO + EACH, [f"a / b, {count} at most 0.5" for count in ("1 worker", "2 workers", "4 workers")]),
        (f"{RATIO}{EACH}\nfrom = 2", [f"a / b, {count} workers at most 0.5" for count in (2, 4)]),
        (f"{RATIO}{EACH}\nto = 2", [f"a / b, {count} at most 0.5" for count in ("1 worker", "2 workers")]),
        (OF_ROWS, ["a against b, 2 workers at most 0.5"]),
        (AGAINST, ["(a against b, 2 workers) / (c against b, as a speed-up, 2 workers) at most 0.5"]),
        (SPEEDUP, ["c against b, as a speed-up, 2 workers at least 2"]),
        (
            bound("same", 'rows = ["a against b"]\nwithin = 0.25', "rows"),
            ["a against b, 2 workers at least 0.8", "a against b, 2 workers at most 1.25"],
        ),
        (
            SAME,
            [
                f"{left}, {count} workers / {right}, {count} workers at {border}"
                for count in (2, 4)
                for left, right in ("ab", "ac", "bc")
                for border in ("least 0.9091", "most 1.1")
            ],
        ),
        (bound("same", 'of = ["a", "b"]'), ["a / b at least 0.9091", "a / b at most 1.1"]),
        (GAP, ["a less b at least -70", "a less b at most 70"]),
        (GAP.replace('["c"]', '["b"]'), ["a less c at least -70", "a less c at most 70"]),
        (ORDER, ["b / a over 1.5", "c / a over 1.5"]),
        (bound("order", 'order = [["a"], ["b"], ["c"]]'), ["b / a over 1", "c / b over 1"]),
        (
            bound("order", 'order = [["a"], ["b"]]\nfrom = 2') + EACH,
            [f"b, {count} workers / a, {count} workers over 1" for count in (2, 4)],
        ),
        (
            FALLS,
            ["a: 4 / 1 workers under 1", "a: 2 / 1 workers at most 1.1", "a: 4 / 2 workers at most 1.1"],
        ),
        (FALLS + "\nto = 2", ["a: 2 / 1 workers under 1"]),
        (
            bound("trend", 'of = ["a", "b"]\nshape = "falls"\nto = 2'),
            ["a: 2 / 1 workers under 1", "b: 2 / 1 workers under 1"],
        ),
        (
            RISES + "\nwithin = 0.25",
            [
                "a: 4 / 1 workers over 1",
                "a: 4 / 1 workers at most 1.25",
                "a: 2 / 1 workers at least 0.8",
                "a: 4 / 2 workers at least 0.8",
            ],
        ),
        (bound("trend", 'of = ["a"]\nshape = "rises"\nto = 2'), ["a: 2 / 1 workers over 1"]),
        (
            FLAT,
            [
                f"a: {count} / 1 workers at {border}"
                for count in (2, 4)
                for border in ("least 0.9091", "most 1.1")
            ],
        ),
        (BOTTOMS, ["a: 2 / 1 workers under 1", "a: 4 / 2 workers at least 0.9091"]),
        (SPREAD, ["spread of a / b at least 3"]),
        (SPREAD.replace("at_least", "at_most"), ["spread of a / b at most 3"]),
        (SHARE, ["a against c: the whole gain, as a ratio, over 1", "a against c: share at least 0.5"]),
        (
            SHARE.replace("at_least", "at_most") + EACH.replace("each", "most"),
            ["a against c: the whole gain, as a ratio, over 1", "a against c: share at most 0.5"],
        ),
    ],
)
def test_what_a_bound_states(bounds: str, said: Sequence[str]) -> None:
    one = judged(bounds, {})
    assert [statement.says for statement in statements(one)] == said
    assert {statement.unit for statement in statements(one)} == {"ns" if " less " in said[0] else ""}
    assert {statement.count for statement in statements(one)} == {ROUNDS // statements(one)[0].rounds}
    assert statements(one)[0].rounds == (2 if "spread" in said[0] else 1)


def test_each_count_of_workers_has_its_share() -> None:
    found = [one.says for one in statements(judged(SHARE + EACH + "\nfrom = 2", {}))]
    assert found[1::2] == [f"a against c, {count} workers: share at least 0.5" for count in (2, 4)]


def test_a_curve_falls_in_every_step_to_its_bottom() -> None:
    results = made_results(LINES, timed({}), ROUNDS, workers=(1, 2, 4, 8), cpus=8)
    assert [one.says for one in statements(by(BOTTOMS.replace("bottom = 2", "bottom = 4"), results))] == [
        "a: 4 / 1 workers under 1",
        "a: 2 / 1 workers at most 1.1",
        "a: 4 / 2 workers at most 1.1",
        "a: 8 / 4 workers at least 0.9091",
    ]


def test_the_most_workers_are_the_most_by_number() -> None:
    results = made_results(LINES, timed({"a8": 40, "a1": 60}), ROUNDS, workers=(1, 8), cpus=8)
    assert by(RATIO, results).verdict is Verdict.REPRODUCED


def test_the_numbers_of_a_statement() -> None:
    times: Times = {"a": range(100, 100 + ROUNDS), "b": 100, "c": 200}
    (low, high) = statements(judged(GAP, times))
    assert (low.unit, low.middle, low.low, low.high) == ("ns", 9.5, 5, 14)
    assert (low.count, low.agreeing, high.agreeing) == (20, 20, 20)
    (ratio,) = statements(judged(RATIO.replace("0.5", "1.1"), times))
    assert ratio.middle == pytest.approx(1.095)
    assert (ratio.unit, ratio.agreeing) == ("", 11)
    (few,) = statements(judged(RATIO, times, rounds=5))
    assert few.middle == pytest.approx(1.02)
    assert (few.low, few.high, few.count, few.agreeing) == (None, None, 5, 0)
    (_, part) = statements(judged(SHARE, {**times, "b": 150}))
    assert part.middle == pytest.approx((40 / 90 + 41 / 91) / 2, rel=0.01)
    assert part.agreeing == 1, "half of the gain is lost in the first round, less in the others"


def test_a_border_agrees_but_where_it_is_to_be_passed() -> None:
    numbers = np.array([1.0, 2.0, 3.0])
    assert statements(judged(RATIO.replace("0.5", "1"), {}))[0].agreeing == ROUNDS
    assert statements(judged(RATIO.replace("at_most = 0.5", "at_least = 1"), {}))[0].agreeing == ROUNDS
    assert statements(judged(FALLS, {}))[0].agreeing == 0
    assert statements(judged(RISES, {}))[0].agreeing == 0
    nothing = stated("x", numbers[:0], numbers[:0] > 1, "s")
    assert (nothing.says, nothing.unit, nothing.count, nothing.agreeing) == ("x", "s", 0, 0)
    assert math.isnan(nothing.middle)


def test_a_gain_of_nothing_is_divided_by_nothing() -> None:
    fast, without, whole = np.array([1.0, 1.0]), np.array([1.0, 3.0]), np.array([1.0, 3.0])
    (gain, least, most) = share("x", fast, without, whole, 0.5, 1.0)
    assert (gain.agreeing, gain.middle) == (1, 2)
    assert (least.agreeing, most.agreeing) == (2, 2)
    assert least.middle == most.middle == 0.5
    (one,) = spread("x", np.array([1.0, 1.0, 5.0]), np.array([2.0, 2.0, 9.0]), None, 1.0)
    assert (one.count, one.agreeing, one.middle, one.rounds) == (1, 1, 1, 2), "the third has no partner"
    (one,) = spread("x", np.array([1.0, math.e, 1.0, 1.0]), np.array([1.0, 1.0, 1.0, math.e]), 1.0, None)
    assert one.agreeing == 1


@pytest.mark.parametrize(
    ("rest", "says", "unit", "middle"),
    [
        ('measure = "peak_memory"\nat_most = 2', "a: peak memory at most 2", "MiB", 1),
        ('measure = "missed_gulps"\nper = "gulps"\nat_most = 2', "a: missed gulps / gulps at most 2", "", 0),
        ('measure = "gulps"\nat_least = 3', "a: gulps at least 3", "", 1),
        (
            'measure = "messages_sent"\nper = "gulps"\nat_least = 2',
            "a: messages sent / gulps at least 2",
            "",
            2,
        ),
    ],
)
def test_what_a_counter_states(rest: str, says: str, unit: str, middle: float) -> None:
    (one,) = statements(judged(bound("counter", f'of = ["a"]\n{rest}'), {}))
    assert (one.says, one.unit, one.middle) == (says, unit, middle)
    found = statements(judged(bound("counter", f'of = ["a"]\n{rest}\nfrom = 2') + EACH, {}))
    assert [one.says.partition(":")[0] for one in found] == ["a, 2 workers", "a, 4 workers"]
    both = statements(judged(bound("counter", f'of = ["a", "b"]\n{rest}'), {}))
    assert [one.says for one in both] == [says, says.replace("a:", "b:")]


def test_the_columns_of_a_grid() -> None:
    def measured(cell: Cell, _: int) -> Mapping[str, Any]:
        return {"elapsed_ns": 40 if "copy" in cell.key and "--actors 1" in cell.key else 100}

    results = made_results(GRID, measured, ROUNDS)
    rows = bound("ratio", 'rows = ["copy", "itself"]\nat_most = 0.5', "grid")
    both = statements(by(rows, results))
    assert [one.says for one in both] == [
        f"copy, {size}, 1 worker at most 0.5" for size in ("small", "large")
    ]
    assert [one.agreeing for one in both] == [ROUNDS, 0]
    (small,) = statements(by(rows + '\ncolumns = ["small", "huge"]', results))
    assert small == both[0]
    assert by(rows + '\ncolumns = ["huge"]', results).why == "grid has no row 'copy'"
    memory = statements(by(rows + '\nmeasure = "peak_memory"', results))
    assert [one.middle for one in memory] == [1, 1]
    assert statements(judged(OF_ROWS + '\ncolumns = ["small"]', {})), "a row that is of no column is of any"


def test_a_row_keeps_its_own_measure() -> None:
    text = ROWS.replace('label = "a against b"', 'label = "a against b"\nmeasure = "peak_memory"')
    results = made_results(text, timed({"a": 40}), ROUNDS, workers=(1, 2))
    assert statements(by(OF_ROWS, results))[0].middle == 1
    assert statements(by(AGAINST, results))[0].middle == 1, "and the other row is read by the same"
    named = OF_ROWS + '\nmeasure = "elapsed"'
    assert statements(by(named, results))[0].middle == pytest.approx(0.4)


def test_a_row_is_told_with_the_more_of_its_workers() -> None:
    text = ROWS.replace(
        'base = { options = { queue = "b" } }', 'base = { options = { queue = "b" }, workers = [1] }'
    )
    results = made_results(text, timed({}), ROUNDS)
    assert [one.says for one in statements(by(OF_ROWS, results))] == ["a against b, 2 workers at most 0.5"]
    told = "c against b, as a speed-up, 2 workers at least 2"
    assert [one.says for one in statements(by(SPEEDUP, results))] == [told]


def test_programs_without_workers_are_looked_at() -> None:
    """They have no options, and differ by their parameters."""

    def measured(cell: Cell, _: int) -> Mapping[str, Any]:
        return {"elapsed_ns": 40 if "--queue a" in cell.key else 100}

    lines, rows = (text.replace("options", "parameters") for text in (LINES, ROWS))
    results = made_results(lines.replace('"1..all"', '"none"'), measured, ROUNDS)
    assert [one.says for one in statements(by(RATIO, results))] == ["a / b at most 0.5"]
    for rest in (EACH, "\nto = 1"):
        assert [one.says for one in statements(by(RATIO + rest, results))] == ["a / b at most 0.5"]
    assert by(FALLS, results).why == "lines has too few counts of workers"
    results = made_results(rows.replace("[2]", '"none"'), measured, ROUNDS)
    assert [one.says for one in statements(by(OF_ROWS, results))] == ["a against b at most 0.5"]


# ---- What can't be stated ----


@pytest.mark.parametrize(
    ("bounds", "why"),
    [
        (bound("same", 'of = ["a"]'), "lines has too few cells for it"),
        (FALLS + "\nto = 1", "lines has too few counts of workers"),
        (BOTTOMS.replace("bottom = 2", "bottom = 1"), "lines has too few counts of workers"),
        (RATIO.replace('["a"]', '["a", "x*"]'), "lines has no series 'x*'"),
        (OF_ROWS.replace("a against b", "[ab] against b"), "rows has no row '[ab] against b'"),
        (AGAINST.replace("c against b, as a speed-up", "d"), "rows has no row 'd'"),
        (OF_ROWS + "\nfrom = 3", "rows has no row 'a against b'"),
    ],
)
def test_what_finds_no_cells_is_open(bounds: str, why: str) -> None:
    one = judged(bounds, {})
    assert (one.verdict, one.why) == (Verdict.UNDECIDED, why)


def test_what_is_given_as_a_glob_stands_for_several() -> None:
    found = statements(judged(RATIO.replace('["a"]', '["?"]').replace('["b"]', '["*b"]'), {}))
    assert [one.says for one in found] == [f"{name} / b at most 0.5" for name in "abc"]


def test_a_value_of_0_is_no_part_of_a_ratio() -> None:
    one = judged(RATIO, {"a": (40, 0)})
    assert (one.verdict, one.why) == (Verdict.UNDECIDED, "a time per operation of 0 was recorded")
    assert judged(CASES, {"a": (40, 0)}).why == "a time per operation of 0 was recorded"
    per = bound("counter", 'of = ["a"]\nmeasure = "messages_sent"\nper = "gulps"\nat_least = 2')
    never = judged(per, lambda *_: {"statistics": STATISTICS | {"gulps": 0}})
    assert (never.verdict, never.why) == (Verdict.UNDECIDED, "a gulps of 0 was recorded")


def test_a_case_that_takes_as_long_is_not_over() -> None:
    (none,) = statements(judged(CASES, {}))
    assert (none.middle, none.agreeing) == (0, 0)
    (some,) = statements(judged(CASES.replace("at_least = 0.6", "at_most = 1"), {"b": 101, "c": 102}))
    assert (some.middle, some.agreeing) == (1, ROUNDS)


def test_cells_that_share_no_round_are_not_compared() -> None:
    results = made_results(LINES, timed({"a": 40}), ROUNDS)
    halves = [one for one in results.samples if (one.round % 2 == 0) == ("--queue a" in one.key)]
    one = by(RATIO, replace(results, samples=tuple(halves)))
    assert (one.verdict, one.why) == (Verdict.UNDECIDED, "its cells share no round")
    some = [one for one in results.samples if one.round < 7 or "--queue a" not in one.key]
    assert statements(by(RATIO, replace(results, samples=tuple(some))))[0].count == 7


def crashed(*names: str) -> Measured:
    """Let the cells with these words in their commands crash."""

    def measured(cell: Cell, number: int) -> Mapping[str, Any] | None:
        return None if any(name in cell.key for name in names) else timed({})(cell, number)

    return measured


def test_a_peer_that_is_not_built_is_lacking_and_one_that_crashed_open() -> None:
    text = LINES.replace('label = "a"\n', 'label = "a"\nsystem = "caf"\n')

    def measured(cell: Cell, _: int) -> Mapping[str, Any] | None:
        return None if cell.system == "caf" else {"elapsed_ns": 100}

    results = made_results(text, measured, ROUNDS)
    assert by(RATIO, results).why == "caf: failed: crash (20 of 20)"
    unbuilt = made_results(text, measured, ROUNDS, skipped={"caf": "not built: make peers"})
    one = by(RATIO, unbuilt)
    assert (one.verdict, one.why) == (Verdict.NOT_HERE, "lacks caf (not built)")
    ours = made_results(LINES, crashed("--queue a"), ROUNDS, skipped={"actorbench": "x"})
    assert by(RATIO, ours).why == "executor: failed: crash (20 of 20)"


def test_what_a_run_lacks_is_all_named() -> None:
    machine = {"topology": "packages 2, cores 2, hardware threads 4", "numa_nodes": 2}
    needs = "\nneeds = { workers = 4, packages = 2, nodes = 2, threads = 2 }"
    assert judged(RATIO + needs, {"a": 40}, machine=machine).verdict is Verdict.REPRODUCED
    more = "\nneeds = { workers = 5, packages = 2, nodes = 3, threads = 2 }"
    assert judged(RATIO + more, {}, machine=machine).why == "lacks 5 CPUs (it has 4), 3 NUMA nodes (it has 2)"
    told = "lacks 2 packages (it has 1), 2 NUMA nodes (it has 1), 2 hardware threads a core (it has 1)"
    assert judged(RATIO + needs, {}, machine={}).why == told
    assert judged(RATIO + needs, {}).why == told
    peers = RATIO + '\nneeds = { peers = ["caf", "akka"] }'
    assert judged(peers, {}).why == "lacks caf, akka (not built)"
    both = RATIO + '\nneeds = { workers = 5, peers = ["caf"] }'
    assert judged(both, {}).why == "lacks 5 CPUs (it has 4), caf (not built)"


def test_two_peers_are_not_simulated() -> None:
    peers = RATIO + '\nneeds = { peers = ["caf", "akka"] }'
    told = "lacks caf, akka (not simulated)"
    assert judged(peers, {}, simulated={"name": "two nodes"}).why == told


@pytest.mark.parametrize(
    ("topology", "had"),
    [("core:4", (1, 1, 1)), ("pack:2 core:4", (2, 2, 1)), ("numa:2 core:4 pu:2", (1, 2, 2))],
)
def test_what_a_topology_leaves_out_is_there_once(topology: str, had: tuple[int, int, int]) -> None:
    needs = "\nneeds = { packages = 3, nodes = 3, threads = 3 }"
    packages, nodes, threads = had
    assert judged(RATIO + needs, {}, machine={"topology": topology}).why == (
        f"lacks 3 packages (it has {packages}), 3 NUMA nodes (it has {nodes}),"
        f" 3 hardware threads a core (it has {threads})"
    )


def test_a_peer_that_was_measured_is_there() -> None:
    text = LINES.replace('label = "c"\n', 'label = "c"\nsystem = "caf"\n')
    results = made_results(
        text, lambda cell, _: {"elapsed_ns": 40 if "--queue a" in cell.key else 100}, ROUNDS
    )
    assert by(RATIO + '\nneeds = { peers = ["caf"] }', results).verdict is Verdict.REPRODUCED


def test_only_a_measurement_decides_what_a_simulation_may_not() -> None:
    claims = parse_claims(HEAD + asked(RATIO, simulated=False), "x.toml")
    measured = made_results(LINES, timed({"a": 40}), ROUNDS, claims=claims)
    assert judge(claims, [measured])[0].verdict is Verdict.REPRODUCED
    simulated = made_results(LINES, timed({"a": 40}), ROUNDS, claims=claims, simulated={"name": "two nodes"})
    told = "lacks a measurement: a simulated machine can't decide it"
    assert judge(claims, [simulated])[0].why == told


def test_the_steals_of_all_that_is_looked_at() -> None:
    text = LINES.replace("queue = ", "steal = ").replace('options = { steal = "c" }', "")

    def measured(cell: Cell, _: int) -> Mapping[str, Any]:
        steals = 7 if dict(cell.options).get("steal") == "a" else 9
        return {"elapsed_ns": 100, "statistics": STATISTICS | {"steals": steals}, "workers": cell.workers}

    results = made_results(text, measured, ROUNDS)
    order = bound("order", 'order = [["a"], ["b"], ["c"]]')
    assert by(order, results).parts[0].steals == (
        "executor, a, 2 workers 7; executor, b, 2 workers 9; executor, by default, 2 workers 9"
    )
    more = made_results(text, measured, ROUNDS, workers=(2, 3), cpus=3)
    told = by(bound("trend", 'of = ["a"]\nshape = "falls"'), more).parts[0].steals
    each = by(RATIO + EACH, more).parts[0].steals
    assert told == "executor, a, 2 workers 7; executor, a, 3 workers 7"
    assert [one.rpartition(" ")[0] for one in each.split("; ")] == [
        f"executor, {name}, {count} workers" for count in (2, 3) for name in "ab"
    ]
    assert judged(SPREAD, {"a": SWAYING}).parts[0].steals == ""

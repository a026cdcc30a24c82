"""Verdicts on planted samples: for every kind of bound one that holds, one that does not, one left open."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from actorbench.cell import Cell
from actorbench.ledger.claims import parse_claims
from actorbench.ledger.deciding import agreement_p, decide, levels, rounds_needed
from actorbench.ledger.judging import Finding, Judged, Verdict, judge, judged_alone
from actorbench.ledger.showing import ledger_table, ledgers_of, statement_text, why_tables
from actorbench.ledger.statements import Statement
from actorbench.results import Results
from made_results import Measured, made_results
from test_record import STATISTICS

ROUNDS = 20
LINES = """
schema = 1
id = "lines"
title = "Three lines"
kind = "lines"
workload = "executor"
workers = "1..all"
[[series]]
label = "a"
options = { queue = "a" }
[[series]]
label = "b"
options = { queue = "b" }
[[series]]
label = "c"
options = { queue = "c" }
"""
ROWS = """
schema = 1
id = "rows"
title = "Two rows"
kind = "ratios"
workload = "executor"
workers = [2]
[[rows]]
label = "a against b"
candidate = { options = { queue = "a" } }
base = { options = { queue = "b" } }
[[rows]]
label = "c against b, as a speed-up"
show = "speedup"
candidate = { options = { queue = "c" } }
base = { options = { queue = "b" } }
"""
GRID = """
schema = 1
id = "grid"
title = "Two rows on three workloads"
kind = "grid"
workers = [2]
[[rows]]
label = "b over a"
candidate = { options = { queue = "b" } }
base = { options = { queue = "a" } }
[[rows]]
label = "c over a"
candidate = { options = { queue = "c" } }
base = { options = { queue = "a" } }
[[across]]
label = "first"
workload = "executor"
[[across]]
label = "second"
workload = "executor"
parameters = { rounds = 2 }
[[across]]
label = "third"
workload = "executor"
parameters = { rounds = 3 }
"""
HEAD = """
schema = 1
work = "A work"
lines = "its text"
[machines]
one = "a machine of theirs"
"""

OTHERS = {"rows": ROWS, "grid": GRID}

Times = Mapping[str, float | Sequence[float]]


def asked(bounds: str, name: str = "T1", *, simulated: bool = True, says: str = "it is so") -> str:
    """Write a claim with these bounds, each of which begins as kind = ..."""
    lines = [
        f'\n[[claims]]\nid = "{name}"\nsays = "{says}"\nplace = "section 1"\nline = 7\nmachines = ["one"]'
    ]
    lines += [f"simulated = {str(simulated).lower()}"]
    return "\n".join(
        [*lines, *(f'[[claims.bounds]]\nsays = "part"\n{bound}' for bound in bounds.split("---"))]
    )


def timed(times: Times) -> Measured:
    """Let a series' cells take so many ns an operation, in all rounds or by round; "a4": with 4 workers."""

    def measured(cell: Cell, number: int) -> Mapping[str, Any]:
        queue = str(dict(cell.options)["queue"])
        value = times.get(f"{queue}{cell.workers}", times.get(queue, 100))
        taken = value if isinstance(value, int | float) else value[number % len(value)]
        return {"elapsed_ns": round(taken * 1000), "operations": 1000, "workers": cell.workers}

    return measured


def judged(
    bounds: str,
    times: Times | Measured,
    *,
    rounds: int = ROUNDS,
    cpus: int = 4,
    **head: Any,  # noqa: ANN401 - as made_results takes it
) -> Judged:
    """Judge a claim of these bounds alone."""
    claims = parse_claims(HEAD + asked(bounds), "x.toml")
    measured = timed(times) if isinstance(times, Mapping) else times
    text = next((text for name, text in OTHERS.items() if f'experiment = "{name}"' in bounds), LINES)
    results = made_results(text, measured, rounds, workers=(1, 2, 4), cpus=cpus, claims=claims, **head)
    (one,) = judge(claims, [results])
    return one


def bound(kind: str, rest: str, experiment: str = "lines") -> str:
    return f'kind = "{kind}"\nexperiment = "{experiment}"\n{rest}'


RATIO = bound("ratio", 'of = ["a"]\nover = ["b"]\nat_most = 0.5')
BOTH = bound("ratio", 'of = ["a"]\nover = ["b"]\nat_least = 0.4\nat_most = 0.6')
OF_ROWS = bound("ratio", 'rows = ["a against b"]\nat_most = 0.5', "rows")
AGAINST = bound(
    "ratio", 'rows = ["a against b"]\nagainst = ["c against b, as a speed-up"]\nat_most = 0.5', "rows"
)
SPEEDUP = bound("ratio", 'rows = ["c against b*"]\nat_least = 2', "rows")
SAME = bound("same", 'of = ["a", "b", "c"]\nat = "each"\nfrom = 2')
GAP = bound("gap", 'of = ["*"]\nbut = ["c"]\nwithin = 70')
ORDER = bound("order", 'order = [["a"], ["b", "c"]]\nfactors = [1.5]')
FALLS = bound("trend", 'of = ["a"]\nshape = "falls"')
RISES = bound("trend", 'of = ["a"]\nshape = "rises"\nat_most = 1.25')
FLAT = bound("trend", 'of = ["a"]\nshape = "flat"')
BOTTOMS = bound("trend", 'of = ["a"]\nshape = "bottoms"\nbottom = 2')
SPREAD = bound("spread", 'of = ["a"]\nover = ["b"]\nat_least = 3')
SHARE = bound("share", 'of = ["a"]\nwithout = ["b"]\nwhole = ["c"]\nat_least = 0.5')
CASES = bound("cases", 'rows = ["*"]\nat_least = 0.6', "grid")
NEARLY = (90, 110)  # the border lies between: half of all rounds agree
SWAYING = (100, 130, 100, 130, 130, 100)
STILL = (100, 103, 100, 103, 103, 100)


@pytest.mark.parametrize(
    ("bounds", "holding", "failing", "left_open"),
    [
        (RATIO, {"a": 40}, {"a": 60}, {"a": (45, 55)}),
        (BOTH, {"a": 50}, {"a": 30}, {"a": (50, 62)}),
        (OF_ROWS, {"a": 40}, {"a": 60}, {"a": (45, 55)}),
        (AGAINST, {"a": 40, "c": 100}, {"a": 40, "c": 200}, {"a": 50, "c": NEARLY}),
        (SPEEDUP, {"c": 40}, {"c": 60}, {"c": (45, 55)}),
        (SAME, {"a": 95, "c": 103}, {"c4": 120}, {"a": (105, 115)}),
        (GAP, {"a": 165, "c": 900}, {"a": 25}, {"a": (165, 175)}),
        (ORDER, {"a": 60}, {"a": 70}, {"a": (60, 70)}),
        (FALLS, {"a2": 80, "a4": 60}, {"a2": 120, "a4": 60}, {"a4": NEARLY}),
        (RISES, {"a2": 105, "a4": 110}, {"a4": 140}, {"a4": (110, 140)}),
        (FLAT, {"a2": 105, "a4": 95}, {"a4": 80}, {"a4": (80, 100)}),
        (BOTTOMS, {"a2": 60, "a4": 58}, {"a2": 60, "a4": 40}, {"a2": 60, "a4": (40, 60)}),
        (
            SPREAD,
            {"a": SWAYING, "b": STILL},
            {"a": STILL, "b": STILL},
            {"a": (100, 130, 100, 103), "b": STILL},
        ),
        (SHARE, {"b": 170, "c": 200}, {"b": 120, "c": 200}, {"b": (140, 160), "c": 200}),
        (SHARE, {"b": 170, "c": 200}, {"b": 170, "c": 90}, {"b": 170, "c": (90, 200)}),
    ],
)
def test_a_planted_case_of_each_verdict(
    bounds: str, holding: Times, failing: Times, left_open: Times
) -> None:
    assert judged(bounds, holding, rounds=40).verdict is Verdict.REPRODUCED
    assert judged(bounds, failing, rounds=40).verdict is Verdict.NOT_REPRODUCED
    assert judged(bounds, left_open, rounds=40).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("rest", "missed", "verdict"),
    [
        ("at_most = 0", (0, 0, 0, 7), Verdict.UNDECIDED),
        ("at_most = 0", (0,), Verdict.REPRODUCED),
        ("at_most = 0", (1, 2), Verdict.NOT_REPRODUCED),
        ("at_least = 1", (1, 2), Verdict.REPRODUCED),
        ('per = "gulps"\nat_most = 0.001', (10,), Verdict.REPRODUCED),
        ('per = "gulps"\nat_most = 0.001', (11,), Verdict.NOT_REPRODUCED),
    ],
)
def test_a_counter_is_put_to_its_bound(rest: str, missed: tuple[int, ...], verdict: Verdict) -> None:
    def measured(_: Cell, number: int) -> Mapping[str, Any]:
        counted = {"missed_gulps": missed[number % len(missed)], "gulps": 10_000}
        return {"statistics": STATISTICS | counted}

    counter = bound("counter", f'of = ["a"]\nmeasure = "missed_gulps"\n{rest}')
    assert judged(counter, measured, rounds=10).verdict is verdict


@pytest.mark.parametrize(
    ("in_rows", "verdict", "share"),
    [
        ({"b": {1, 3}, "c": {1, 2, 3}}, Verdict.REPRODUCED, 2 / 3),
        ({"b": {1, 3}, "c": {2, 3}}, Verdict.NOT_REPRODUCED, 1 / 3),
        ({"b": {1, 2, 3}, "c": {1, 3, None}}, Verdict.UNDECIDED, None),
    ],
)
def test_cases_are_columns_in_which_all_rows_are_over_1(
    in_rows: Mapping[str, set[int | None]], verdict: Verdict, share: float | None
) -> None:
    """Rows take longer in these columns; None: in half of all rounds in none."""

    def measured(cell: Cell, number: int) -> Mapping[str, Any]:
        queue, column = str(dict(cell.options)["queue"]), dict(cell.parameters).get("rounds", 1)
        longer = in_rows.get(queue, set())
        slow = column in longer and not (None in longer and number % 2)
        return {"elapsed_ns": 100 if queue == "a" else 120 if slow else 80}

    one = judged(CASES, measured, rounds=40)
    assert one.verdict is verdict
    (statement,) = one.parts[0].statements
    assert statement.says == "b over a, c over a: share of 3 cases at least 0.6"
    assert share is None or statement.middle == pytest.approx(share)


def test_rows_of_a_table_of_ratios_are_cases_too() -> None:
    some = CASES.replace('"grid"', '"rows"')
    assert judged(some, {"a": 120, "c": 50}).verdict is Verdict.REPRODUCED
    assert judged(some, {"a": 80, "c": 50}).verdict is Verdict.NOT_REPRODUCED


def test_what_only_some_rounds_have_is_looked_at_in_those() -> None:
    """Thefts from long queues in every second round, in which they take a fifth longer."""

    def measured(_: Cell, number: int) -> Mapping[str, Any]:
        times = {"mean_theft_ns_of_2": 100 + number, "mean_theft_ns_of_64": (number % 2) * (120 + number)}
        return {"statistics": STATISTICS | times}

    rest = 'of = ["a"]\nmeasure = "mean_theft_ns_of_64"\nper = "mean_theft_ns_of_2"\n'
    one = judged(bound("counter", f"{rest}at_most = 1.25"), measured)
    assert one.verdict is Verdict.REPRODUCED
    assert one.parts[0].statements[0].count == ROUNDS / 2
    assert judged(bound("counter", f"{rest}at_most = 1.1"), measured).verdict is Verdict.NOT_REPRODUCED
    never = judged(bound("counter", f"{rest}at_most = 1.1"), lambda *_: {"statistics": STATISTICS})
    assert never.why == "time of a theft from 64 or more is not in the record"


def test_a_simulated_machine_has_the_parts_of_its_topology_and_no_peers() -> None:
    machine = {"topology": "pack:2 numa:3 l3:1 l2:1 core:4 pu:2"}
    within = RATIO + "\nneeds = { packages = 2, nodes = 6, threads = 2 }"
    beyond = RATIO + '\nneeds = { packages = 3, nodes = 7, threads = 3, peers = ["caf"] }'
    named: dict[str, Any] = {"machine": machine, "simulated": {"name": "six nodes"}}
    assert judged(within, {"a": 40}, **named).verdict is Verdict.REPRODUCED
    assert judged(beyond, {"a": 40}, **named).why == (
        "lacks 3 packages (it has 2), 7 NUMA nodes (it has 6), 3 hardware threads a core (it has 2),"
        " caf (not simulated)"
    )


@pytest.mark.parametrize(
    ("bounds", "why"),
    [
        (RATIO + "\nneeds = { workers = 5 }", "lacks 5 CPUs (it has 4)"),
        (RATIO + "\nneeds = { nodes = 2 }", "lacks 2 NUMA nodes (it has 1)"),
        (RATIO + "\nneeds = { packages = 4 }", "lacks 4 packages (it has 2)"),
        (RATIO + "\nneeds = { threads = 3 }", "lacks 3 hardware threads a core (it has 2)"),
        (RATIO + '\nneeds = { peers = ["caf", "akka"] }', "lacks akka (not built)"),
        ('kind = "unmeasured"\nlacks = "a way to see it"', "lacks a way to see it"),
    ],
)
def test_what_a_machine_lacks_is_named(bounds: str, why: str) -> None:
    machine = {"topology": "packages 2, cores 2, hardware threads 4", "numa_nodes": 1}
    peers = [{"name": "caf", "title": "CAF", "workloads": ["executor"], "limits": []}]
    one = judged(bounds, {"a": 40}, machine=machine, peers=peers)
    assert (one.verdict, one.why) == (Verdict.NOT_HERE, why)
    with_failure = judged(f"{bounds}---{RATIO}", {"a": 60}, machine=machine, peers=peers)
    assert with_failure.verdict is Verdict.NOT_REPRODUCED, "one part that does not hold is enough"


def test_a_part_that_was_not_measured_keeps_a_claim_from_reproduced() -> None:
    elsewhere = RATIO.replace('"lines"', '"elsewhere"')
    one = judged(f"{RATIO}---{elsewhere}", {"a": 40})
    assert (one.verdict, one.why) == (Verdict.UNDECIDED, "elsewhere was not measured")
    assert [part.finding for part in one.parts] == [Finding.HOLDS, Finding.OPEN]
    assert judged(f"{RATIO}---{elsewhere}", {"a": 60}).verdict is Verdict.NOT_REPRODUCED


@pytest.mark.parametrize(
    ("bounds", "why"),
    [
        (RATIO.replace('["a"]', '["d"]'), "lines has no series 'd'"),
        (OF_ROWS.replace("a against b", "b against a"), "rows has no row 'b against a'"),
        (bound("counter", 'of = ["a"]\nmeasure = "swaps"\nat_most = 0'), "role swaps is not in the record"),
        (BOTTOMS.replace("bottom = 2", "bottom = 4"), "lines has too few counts of workers"),
        (RATIO + '\nfrom = 3\nto = 3\nat = "each"', "lines has none of the worker counts that it is about"),
    ],
)
def test_a_bound_that_finds_nothing_is_open(bounds: str, why: str) -> None:
    one = judged(bounds, {"a": 40})
    assert (one.verdict, one.why) == (Verdict.UNDECIDED, why)


def test_a_crash_leaves_a_bound_open() -> None:
    def measured(cell: Cell, number: int) -> Mapping[str, Any] | None:
        return None if number == 3 and "a" in dict(cell.options).values() else {"elapsed_ns": 100}

    assert judged(RATIO, measured).why == "executor: failed: crash (1 of 20)"


def test_more_workers_than_cpus_decide_nothing() -> None:
    times = {"a4": 60, "a2": 40, "a1": 40}
    assert judged(RATIO, times, cpus=4).verdict is Verdict.NOT_REPRODUCED
    assert judged(RATIO, times, cpus=2).verdict is Verdict.REPRODUCED, "2 workers are the most that count"


def test_a_simulated_machine_decides_what_it_may() -> None:
    claims = parse_claims(HEAD + asked(RATIO, "T1") + asked(RATIO, "T2", simulated=False), "x.toml")
    results = made_results(LINES, timed({"a": 40}), ROUNDS, claims=claims, simulated={"name": "two nodes"})
    found = judge(claims, [results])
    assert [one.verdict for one in found] == [Verdict.REPRODUCED, Verdict.NOT_HERE]
    (ledger,) = ledgers_of(claims, [results], {})
    assert ledger.machine == "simulated: two nodes"


def test_searches_prove_a_part() -> None:
    bounds = 'kind = "proof"\nsearches = ["one", "two"]'
    claims = parse_claims(HEAD + asked(bounds), "x.toml")
    for searches, verdict in (
        ({"one": "holds", "two": "holds"}, Verdict.REPRODUCED),
        ({"one": "holds", "two": "refuted"}, Verdict.NOT_REPRODUCED),
        ({"one": "holds"}, Verdict.UNDECIDED),
    ):
        assert judge(claims, [], searches)[0].verdict is verdict


def test_the_newest_run_of_an_experiment_counts() -> None:
    claims = parse_claims(HEAD + asked(RATIO), "x.toml")
    older, newer = (made_results(LINES, timed({"a": time}), ROUNDS, claims=claims) for time in (40, 60))
    assert judge(claims, [older, newer])[0].verdict is Verdict.NOT_REPRODUCED
    assert judge(claims, [newer, older])[0].verdict is Verdict.REPRODUCED
    rows = made_results(ROWS, timed({"a": 60}), ROUNDS, claims=claims)
    assert judge(claims, [older, rows])[0].verdict is Verdict.REPRODUCED


def test_all_claims_of_a_ledger_share_the_error() -> None:
    """Of 10 rounds 9 agree: p = 0.011 decides one claim, and not one of five."""
    times = {"a": (40, 40, 40, 40, 40, 40, 40, 40, 40, 60)}
    assert judged(RATIO, times, rounds=10).verdict is Verdict.REPRODUCED
    claims = parse_claims(HEAD + "".join(asked(RATIO, f"T{number}") for number in range(1, 6)), "x.toml")
    results = made_results(LINES, timed(times), 10, claims=claims)
    assert {one.verdict for one in judge(claims, [results])} == {Verdict.UNDECIDED}
    unlooked = parse_claims(HEAD + asked(RATIO) + asked(RATIO.replace("lines", "x"), "T2"), "x.toml")
    assert judge(unlooked, [results])[0].verdict is Verdict.REPRODUCED, "those without samples cost nothing"


def test_not_to_hold_is_corrected_for_a_claims_statements() -> None:
    """Of 9 rounds all disagree: p = 0.002 refutes one of 25 statements, at 9 as at 10 rounds, not of 26."""
    against = Statement("", "", 1, None, None, 9, 0)
    assert decide([against], levels(1, 25)) is False
    assert decide([against], levels(1, 26)) is None
    assert levels(1, 25).count == 9
    assert levels(1, 26).count == 10


def test_an_agreement_is_binomial() -> None:
    assert agreement_p(5, 5) == pytest.approx(1 / 32)
    assert agreement_p(5, 4) == pytest.approx(6 / 32)
    assert agreement_p(5, 0) == 1


def test_what_more_samples_would_take() -> None:
    level = levels(1, 1)
    few = Statement("", "", 1, None, None, 4, 4)
    assert rounds_needed([few], level) == 13, "of 13 rounds 10 pass, and of 5 in 6 they do in 84 %"
    pairs = Statement("", "", 1, None, None, 4, 4, rounds=2)
    assert rounds_needed([pairs], level) == 26
    assert rounds_needed([Statement("", "", 1, None, None, 40, 20)], level) is None
    against = Statement("", "", 1, None, None, 4, 0)
    assert rounds_needed([few, against], level) == 13, "one that does not hold is enough"
    told = judged(RATIO, {"a": (40, 60, 40, 40)}, rounds=8).why
    assert re.fullmatch(r"8 rounds; about \d+ would decide it, if as many agree as now", told)


def test_a_run_alone_tells_of_the_claims_that_it_looks_at() -> None:
    text = HEAD + asked(RATIO) + asked(OF_ROWS, "T2") + asked('kind = "unmeasured"\nlacks = "x"', "T3")
    claims = parse_claims(text, "x.toml")
    results = made_results(LINES, timed({"a": 40}), ROUNDS, claims=claims)
    assert [one.line for one in judged_alone(results)] == ["T1: it is so: reproduced"]


def test_the_ledger_has_a_row_a_claim_and_a_column_a_machine() -> None:
    claims = parse_claims(HEAD + asked(RATIO, "T10") + asked(GAP, "T9") + asked(RATIO, "S1"), "x.toml")
    runs = [
        made_results(LINES, timed({"a": time}), ROUNDS, claims=claims, machine={"cpu_model": cpu})
        for cpu, time in (("One", 40), ("Two", 60))
    ]
    ledgers = ledgers_of(claims, runs, {})
    table = ledger_table(ledgers)
    assert [column.heading for column in table.columns[2:]] == ["One, 2 CPUs", "Two, 2 CPUs"]
    assert [row[0] for row in table.rows] == ["T9", "T10", "S1"]
    assert [row[2:] for row in table.rows[1:]] == [["reproduced", "not reproduced: part"]] * 2
    assert table.notes[0].startswith("One, 2 CPUs: 3 reproduced, 0 not reproduced, 0 undecided, 0 cannot be")
    assert [row[0] for row in ledger_table(ledgers, ["T10"]).rows] == ["T10"]


def test_why_names_numbers_and_rounds() -> None:
    claims = parse_claims(HEAD + asked(RATIO), "x.toml")
    results = made_results(LINES, timed({"a": (40, 44)}), ROUNDS, claims=claims)
    (ledger,) = ledgers_of(claims, [results], {})
    (table,) = why_tables(ledger, ["T1"])
    assert table.rows[0] == ["part", "", "", "holds", "lines", "a-run"]
    assert table.rows[1][:3] == ["  a / b at most 0.5", "0.4200 [0.4000, 0.4400]", "20 of 20 rounds"]
    assert "A work, section 1, line 7 of its text" in table.lead
    assert statement_text(Statement("", "ns", -5, -7, 3, 9, 9)) == "-5.000 [-7.000, 3.000] ns"


def test_steals_stand_with_what_is_about_stealing() -> None:
    text = LINES.replace("queue = ", "steal = ").replace('"b"', '"none"').replace("workers =", "workers =")

    def measured(cell: Cell, number: int) -> Mapping[str, Any]:
        taken = 40 if dict(cell.options)["steal"] == "a" else 100
        return {"elapsed_ns": taken, "statistics": STATISTICS | {"steals": number % 2}}

    claims = parse_claims(HEAD + asked(RATIO.replace('"b"', '"none"')), "x.toml")
    results: Results = made_results(text, measured, ROUNDS, claims=claims)
    (one,) = judge(claims, [results])
    assert one.verdict is Verdict.REPRODUCED
    assert one.parts[0].steals == "executor, a, 2 workers 0 (none in 10 of 20)"

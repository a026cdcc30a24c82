"""Deciding and judging at their edges: what a level asks for, what rounds are missing, and every reason."""

import pytest

from actorbench.ledger import deciding
from actorbench.ledger.claims import parse_claims
from actorbench.ledger.deciding import Levels, fails, holds, levels, rounds_needed
from actorbench.ledger.judging import Judged, judge
from actorbench.ledger.statements import Statement
from test_ledger import HEAD, RATIO, asked, judged


def stated(count: int, agreeing: int, rounds: int = 1) -> Statement:
    """Make a statement with which so many of so many agree."""
    return Statement("", "", 1, None, None, count, agreeing, rounds)


def test_the_rounds_that_a_level_takes() -> None:
    assert Levels(1, 1).count == 1
    assert Levels(0.125, 0.25).count == 3
    assert Levels(0.25, 0.12).count == 4


def test_what_passes_exactly_at_the_level_passes() -> None:
    exactly = Levels(2**-5, 2**-5)
    assert holds(stated(5, 5), exactly)
    assert not holds(stated(5, 4), exactly)
    assert fails(stated(5, 0), exactly)
    assert not fails(stated(5, 1), exactly)


def test_the_rounds_that_would_decide() -> None:
    level = levels(1, 1)
    assert rounds_needed([stated(98, 0)], level) == 5, "all of five"
    assert rounds_needed([stated(98, 0)], Levels(0.05, 0.5)) == 1
    assert rounds_needed([stated(3, 0)], Levels(0.05, 0.5)) == 1, "as likely as it is to be, 0.8"
    assert rounds_needed([stated(4, 0, rounds=2)], level) == 26
    assert rounds_needed([stated(4, 4), stated(40, 20)], level) is None, "one that is open stays so"


def test_no_more_rounds_are_asked_for_than_can_be_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciding, "MOST_ROUNDS", 27)
    assert rounds_needed([stated(4, 4)], levels(16, 1)) == 27
    assert rounds_needed([stated(4, 4)], levels(17, 1)) is None, "where it takes 28"


def without_runs(bounds: str) -> Judged:
    (one,) = judge(parse_claims(HEAD + asked(bounds), "x.toml"), [])
    return one


def test_without_a_run_nothing_was_measured() -> None:
    assert without_runs(RATIO).why == "lines was not measured"
    assert without_runs('kind = "unmeasured"\nlacks = "a way"').why == "lacks a way"
    proof = 'kind = "proof"\nsearches = ["one", "two"]'
    assert without_runs(proof).why == "no search one, two is on record"
    (one,) = judge(parse_claims(HEAD + asked(proof), "x.toml"), [], {"one": "holds", "two": "holds"})
    assert one.parts[0].run == "docs/correctness.md"


def test_every_reason_is_told() -> None:
    lacking = f'{RATIO}\nneeds = {{ workers = 5 }}---kind = "unmeasured"\nlacks = "a way"'
    assert judged(lacking, {}).why == "lacks 5 CPUs (it has 4); a way"
    elsewhere, nowhere = (RATIO.replace('"lines"', f'"{name}"') for name in ("elsewhere", "nowhere"))
    told = "elsewhere was not measured; nowhere was not measured"
    assert judged(f"{RATIO}---{elsewhere}---{nowhere}", {"a": 40}).why == told
    assert judged(f"{RATIO}---{RATIO}", {}).why == "part; part"

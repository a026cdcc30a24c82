"""Bisecting: the search on made looks, and the whole on commits whose programs say how slow they are."""

from dataclasses import replace
from itertools import combinations
from math import ceil, log2
from typing import Any

import pytest

from actorbench.bisecting.looks import BASE, Bisection, Look, create_bisection, read_bisection
from actorbench.bisecting.running import settings_of
from actorbench.bisecting.search import Seen, followed, next_look, range_left, range_of
from actorbench.bisecting.telling import answer
from actorbench.commits import Commit
from actorbench.errors import UserError
from actorbench.gate import judging, power, stages
from actorbench.gate.deciding import FEWEST_PAIRS, GATED, Verdict
from actorbench.gate.running import Settings
from actorbench.store import Run, all_runs, create_run
from conftest import CRASH, LARGER, NORMAL, SLOWER, UNBUILDABLE, Checkout, GateCheckout

TIME, MEMORY = GATED
CELL = "static-self-1"


@pytest.fixture(autouse=True)
def few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no batch have more pairs than it needs."""
    for module in (judging, power, stages):
        monkeypatch.setattr(module, "MOST_PAIRS", FEWEST_PAIRS)


# ---- The search --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", range(1, 10))
def test_every_culprit_is_found_in_the_fewest_looks(count: int) -> None:
    for culprit in range(count):
        known: dict[int, Seen] = {}
        looks = 0
        while (place := (left := range_of(count, known)).middle) is not None:
            known[place] = Seen.BAD if place >= culprit else Seen.GOOD
            looks += 1
        assert list(left.suspects) == [culprit]
        assert looks <= ceil(log2(count))


@pytest.mark.parametrize("count", range(2, 9))
def test_what_is_skipped_is_never_left_out(count: int) -> None:
    """Whatever is skipped, but the newest: the culprit is left, and none that was found not to be it."""
    for skips in range(count):
        for skipped in combinations(range(count - 1), skips):
            for culprit in range(count):
                known: dict[int, Seen] = {}
                while (place := (left := range_of(count, known)).middle) is not None:
                    assert place not in known
                    slow = Seen.BAD if place >= culprit else Seen.GOOD
                    known[place] = Seen.SKIPPED if place in skipped else slow
                assert culprit in left.suspects
                assert all(place in skipped for place in left.suspects[:-1])


def line(verdict: Verdict, ratio: float = 1.3, *, cell: str = "c", measure: str = TIME) -> dict[str, Any]:
    """Make a gate's line, of two batches if it failed."""
    found = {"ratio": ratio, "low": ratio - 0.01, "high": ratio + 0.01, "pairs": 20}
    batches = [{"candidate": found}] * (2 if verdict is Verdict.FAIL else 1)
    return {
        "cell": cell,
        "measure": measure,
        "verdict": verdict.value,
        "reason": "why",
        "batches": [] if verdict is Verdict.BROKEN else batches,
    }


def bisection(checkout: Checkout, count: int = 8, budget_s: float = 100.0) -> Bisection:
    """Make a bisection of so many commits that has looked at nothing yet."""
    commits = [Commit(f"{number:012x}", "2026-01-01", f"Change {number}") for number in range(count)]
    base = Commit("b" * 12, "2026-01-01", "Base")
    return create_bisection(checkout.project, base, commits, [], Settings(budget_s=budget_s))


def looked(made: Bisection, *lines: dict[str, Any], spent_s: float | None = None) -> Bisection:
    """Take the next look, which finds these lines."""
    look = next_look(made)
    assert look is not None
    spent_s = look.budget_s if spent_s is None else spent_s
    return made.with_look(replace(look, run=f"g{len(made.looks)}", spent_s=spent_s, lines=list(lines)))


def places(made: Bisection) -> list[tuple[int, int]]:
    """What was looked at, and against what."""
    return [(look.place, look.against) for look in made.looks]


def suspects(made: Bisection) -> list[int]:
    """The places of the commits that are left."""
    line = followed(made)
    assert line is not None
    return list(range_left(made, line).suspects)


def test_the_budget_is_shared_by_the_looks_still_to_come(checkout: Checkout) -> None:
    made = bisection(checkout)
    budgets = []
    while (look := next_look(made)) is not None:
        budgets.append(look.budget_s)
        made = looked(made, line(Verdict.PASS if look.place < 5 else Verdict.FAIL), spent_s=10)
    assert budgets == pytest.approx([100 / 5, 90 / 4, 80 / 3, 70 / 2, 60])
    assert places(made) == [(7, BASE), (3, BASE), (5, BASE), (4, BASE), (5, 4)]
    assert read_bisection(made.run) == made, "all of it is in run.json"


def test_what_passes_must_have_been_able_to_show_what_is_followed(checkout: Checkout) -> None:
    made = bisection(checkout)
    look = next_look(made)
    assert look is not None
    assert settings_of(made, look).find == made.settings.find == 0.10
    for ratio, find in ((1.96, 0.40), (1.15, 0.10), (1.07, 0.07)):
        one = looked(made, line(Verdict.FAIL, ratio))
        look = Look(3, BASE, 7.0)
        assert settings_of(one, look).find == pytest.approx(find)
        assert settings_of(one, look).budget_s == 7


def test_the_worst_of_the_whole_is_followed(checkout: Checkout) -> None:
    whole = [line(Verdict.FAIL, 1.2), line(Verdict.FAIL, 1.4, cell="d", measure=MEMORY)]
    whole.append(line(Verdict.PASS, 2.0))
    made = looked(bisection(checkout, 2), *whole)
    for verdict, known in ((Verdict.PASS, [1]), (Verdict.FAIL, [0])):
        one = looked(made, line(verdict, cell="d", measure=MEMORY), line(Verdict.FAIL))
        assert suspects(one) == known


def test_what_is_not_decided_is_skipped(checkout: Checkout) -> None:
    made = looked(bisection(checkout, 4), line(Verdict.FAIL), spent_s=10)
    made = looked(made, line(Verdict.INCONCLUSIVE), spent_s=10)
    made = looked(made, line(Verdict.FAIL), spent_s=10)
    assert places(made)[1:] == [(1, BASE), (0, BASE)]
    assert next_look(made) is None
    lines, status = answer(made)
    assert lines[1] == f"FOUND: {made.commits[0].name} (2026-01-01) Change 0"
    assert status == 0


@pytest.mark.parametrize("again", [Verdict.PASS, Verdict.INCONCLUSIVE])
def test_what_is_not_decided_is_looked_at_once_more_where_it_is_needed(
    checkout: Checkout, again: Verdict
) -> None:
    made = looked(bisection(checkout, 4), line(Verdict.FAIL), spent_s=1)
    for verdict in (Verdict.INCONCLUSIVE, Verdict.PASS, Verdict.FAIL, again):
        made = looked(made, line(verdict), spent_s=1)
    assert places(made)[1:] == [(1, BASE), (0, BASE), (2, BASE), (1, BASE)]
    if again is Verdict.PASS:
        made = looked(made, line(Verdict.FAIL), spent_s=1)
        assert places(made)[-1] == (2, 1)
    assert next_look(made) is None
    assert answer(made)[1] == (0 if again is Verdict.PASS else 3)


def test_a_whole_that_is_not_decided_ends_it(checkout: Checkout) -> None:
    made = looked(bisection(checkout, 2), line(Verdict.INCONCLUSIVE), line(Verdict.PASS, cell="d"))
    assert next_look(made) is None
    sides = f"{made.commits[-1].name} against {made.base.name}"
    assert answer(made) == ([f"INCONCLUSIVE: {sides}, with 33s of the budget: c: why"], 3)


def test_no_look_has_less_than_half_an_even_share(checkout: Checkout) -> None:
    made = looked(bisection(checkout), line(Verdict.FAIL), spent_s=76)
    look = next_look(made)
    assert look is not None
    assert look.budget_s == 10, "where 24 s are left for 4"
    made = looked(made, line(Verdict.PASS), spent_s=14.5)
    assert next_look(made) is None
    assert "the budget is used up" in answer(made)[0][1]


def test_where_the_budget_ends_the_suspects_are_named(checkout: Checkout) -> None:
    made = looked(bisection(checkout), line(Verdict.FAIL), spent_s=50)
    made = looked(made, line(Verdict.PASS), spent_s=50)
    assert next_look(made) is None
    lines, status = answer(made)
    assert status == 3
    text = "\n".join(lines)
    assert "one of 4 commits has made it slower; the budget is used up" in text
    assert [name in text for name in (one.subject for one in made.commits)] == [False] * 4 + [True] * 4


@pytest.mark.parametrize(
    ("verdict", "status", "told"),
    [
        (Verdict.FAIL, 0, "FOUND"),
        (Verdict.PASS, 3, "NOT SURE"),
        (Verdict.INCONCLUSIVE, 3, "NOT SURE"),
        (Verdict.BROKEN, 3, "NOT SURE"),
    ],
)
def test_the_last_look_says_how_sure_it_is(
    checkout: Checkout, verdict: Verdict, status: int, told: str
) -> None:
    made = looked(bisection(checkout, 2), line(Verdict.FAIL), spent_s=1)
    made = looked(made, line(Verdict.PASS), spent_s=1)
    while next_look(made) is not None:
        made = looked(made, line(verdict), spent_s=1)
    lines, ended = answer(made)
    assert ended == status
    assert lines[1] == f"{told}: {made.commits[1].name} (2026-01-01) Change 1"
    ratio = "-" if verdict is Verdict.BROKEN else "1.300 [1.290, 1.310]"
    sure = f"against {made.commits[0].name}: {ratio}, why"
    assert lines[2] == (sure if verdict is Verdict.FAIL else f"not confirmed: {sure}")


def test_what_no_budget_was_left_to_confirm_is_not_sure(checkout: Checkout) -> None:
    made = looked(bisection(checkout, 2), line(Verdict.FAIL), spent_s=50)
    made = looked(made, line(Verdict.PASS), spent_s=50)
    lines, status = answer(made)
    assert lines[1].startswith("NOT SURE: ")
    assert "no budget was left" in lines[2]
    assert status == 3


def test_a_run_that_is_no_bisection_is_one_line(checkout: Checkout) -> None:
    checkout.call("sweep", "table", "--workers", "1", "--samples", "1")
    with pytest.raises(UserError, match="is no bisection, but of kind 'sweep'"):
        read_bisection(checkout.only_run())
    broken = create_run(checkout.project, "bisect", {"kind": "bisect", "base": 7})
    with pytest.raises(UserError, match=r"run\.json: cannot be read: "):
        read_bisection(broken)


# ---- The command -------------------------------------------------------------------------------------------


def bisect(checkout: Checkout, *arguments: str, budget: str = "10m") -> int:
    """Bisect the last commits, but for those that the arguments name."""
    return checkout.call("bisect", *arguments, "--cells", CELL, "--budget", budget)


def gates(checkout: Checkout) -> list[Run]:
    """The gates that were run."""
    return [run for run in all_runs(checkout.project) if "-gate" in run.name]


def only_bisection(checkout: Checkout) -> Bisection:
    """The one bisection."""
    (run,) = (run for run in all_runs(checkout.project) if run.name.endswith("-bisect"))
    return read_bisection(run)


def planted(checkout: GateCheckout, bodies: list[str]) -> tuple[str, list[str]]:
    """Commit programs that do this, each different; returns the commit before, and these."""
    base = checkout.git("rev-parse", "HEAD")
    return base, [checkout.commit(f"{body} # {number}") for number, body in enumerate(bodies)]


@pytest.mark.parametrize(("count", "culprit", "taken", "about"), [(8, 5, 5, 5), (2, 0, 2, 3)])
def test_a_planted_commit_is_found(
    gate_checkout: GateCheckout,
    capsys: pytest.CaptureFixture[str],
    count: int,
    culprit: int,
    taken: int,
    about: int,
) -> None:
    base, commits = planted(gate_checkout, [NORMAL] * culprit + [SLOWER] * (count - culprit))
    assert bisect(gate_checkout, base) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert f"FOUND: {commits[culprit][:12]} (" in said.out
    before = commits[culprit - 1] if culprit else base
    assert f"against {before[:12]}: 1." in said.out.splitlines()[-1]
    assert f"look 1 of about {about}: " in said.out
    assert "; 1 commit left" in said.out
    looks = only_bisection(gate_checkout).looks
    assert len(gates(gate_checkout)) == len(looks) == taken
    for look in looks[1:]:
        assert {entry["cell"] for entry in look.lines or ()} == {CELL}


def test_memory_is_found_like_time(gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]) -> None:
    base, commits = planted(gate_checkout, [NORMAL, LARGER])
    assert gate_checkout.call("bisect", base, "HEAD", "--budget", "10m") == 0
    said = capsys.readouterr().out
    assert f"FOUND: {commits[1][:12]} (" in said
    assert "peak memory, " in said
    first, *others = only_bisection(gate_checkout).looks
    assert len({entry["cell"] for entry in first.lines or ()}) == 3, "all cells at first"
    assert all(len({entry["cell"] for entry in look.lines or ()}) == 1 for look in others)


@pytest.mark.parametrize("broken", [UNBUILDABLE, CRASH])
def test_what_can_not_be_measured_is_skipped(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], broken: str
) -> None:
    """The middle of 5 at first; and one beside the culprit, so that two are left."""
    base, commits = planted(gate_checkout, [NORMAL, NORMAL, broken, SLOWER, SLOWER])
    assert bisect(gate_checkout, base, commits[-1]) == 3
    said = capsys.readouterr().out
    assert "skipped: " in said
    assert "one of 2 commits has made it slower; the rest can't be measured" in said
    assert f"  {commits[2][:12]} (" in said
    assert f"  {commits[3][:12]} (" in said


def test_a_skipped_commit_elsewhere_hinders_nothing(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    base, commits = planted(gate_checkout, [NORMAL, UNBUILDABLE, NORMAL, SLOWER])
    assert bisect(gate_checkout, base) == 0
    assert f"FOUND: {commits[3][:12]} (" in capsys.readouterr().out


def test_nothing_to_find(gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]) -> None:
    base, commits = planted(gate_checkout, [NORMAL, NORMAL])
    assert bisect(gate_checkout, base) == 3
    assert f"NOT FOUND: {commits[1][:12]} against {base[:12]} is not slower" in capsys.readouterr().out
    assert len(gates(gate_checkout)) == 1


@pytest.mark.parametrize("side", ["base", "newest"])
def test_ends_that_can_not_be_built_end_with_4(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], side: str
) -> None:
    base = gate_checkout.commit(UNBUILDABLE if side == "base" else NORMAL)
    planted(gate_checkout, [SLOWER, SLOWER if side == "base" else UNBUILDABLE])
    assert bisect(gate_checkout, base) == 4
    assert "does not build" in capsys.readouterr().out.splitlines()[-1]


def test_a_budget_that_is_too_small_says_so(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    base, _ = planted(gate_checkout, [NORMAL, SLOWER])
    assert bisect(gate_checkout, base, budget="0.05") == 3
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("INCONCLUSIVE: ")
    assert "pairs fitted the budget, 20 are needed" in last


def test_first_parents_are_searched(gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]) -> None:
    base, _ = planted(gate_checkout, [NORMAL])
    gate_checkout.git("checkout", "--quiet", "-b", "side")
    side = [gate_checkout.commit(f"{SLOWER} # side {number}", "static") for number in range(2)]
    gate_checkout.git("checkout", "--quiet", "-")
    gate_checkout.commit(NORMAL, "executor")
    gate_checkout.git("merge", "--quiet", "--no-edit", "side")
    merge = gate_checkout.git("rev-parse", "HEAD")
    gate_checkout.commit(f"{NORMAL} # last", "executor")
    assert bisect(gate_checkout, base) == 0
    assert f"FOUND: {merge[:12]} (" in capsys.readouterr().out
    assert not {one[:12] for one in side} & {one.name for one in only_bisection(gate_checkout).commits}


def test_an_interrupted_bisection_goes_on(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    """In its first look, and in a later one: no gate is begun anew, and none is taken twice."""
    counted = "count=$(($(cat build/count 2>/dev/null || echo 0) + 1)); echo $count > build/count; "
    counted += "case $count in 10|150) kill -INT $PPID; sleep 10 ;; esac; "
    base, commits = planted(gate_checkout, [counted + NORMAL, counted + NORMAL, counted + SLOWER])
    assert bisect(gate_checkout, base) == 130
    name = only_bisection(gate_checkout).run.name
    told = f"interrupted, kept in results/{name}; go on with: ./actorbench bisect --resume {name}"
    assert told in capsys.readouterr().out
    statuses = [130]
    while statuses[-1] == 130 and len(statuses) < 5:
        statuses.append(gate_checkout.call("bisect", "--resume", name))
    assert statuses == [130, 130, 0]
    assert f"FOUND: {commits[2][:12]} (" in capsys.readouterr().out
    looks = only_bisection(gate_checkout).looks
    assert [look.run for look in looks] == [run.name for run in gates(gate_checkout)]
    assert gate_checkout.call("bisect", "--resume", name) == 0
    assert len(gates(gate_checkout)) == len(looks)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "bisect needs a BASE"),
        (["HEAD"], "there is no commit after 'HEAD' up to 'HEAD'"),
        (["HEAD", "HEAD~1"], "'HEAD' is no ancestor of 'HEAD~1': take their merge base, "),
        (["none"], "'none' names no commit"),
        (["HEAD~1", "--cells", "none"], "no gate cell 'none'"),
        (["HEAD~1", "--resume", "x"], "can't be given together with BASE"),
        (["--resume", "x"], "no run 'x'"),
        (["HEAD~1", "--find", "1%"], "--find must be over --delta"),
    ],
)
def test_wrong_usage_is_one_line(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    gate_checkout.commit()
    assert gate_checkout.call("bisect", *arguments) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1
    assert all_runs(gate_checkout.project) == []

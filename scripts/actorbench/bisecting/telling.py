"""What a bisection found, how sure that is, and the table of its looks."""

from actorbench.bisecting.looks import BASE, Bisection, GateLine, Look
from actorbench.bisecting.search import Seen, followed, looks_at, most_looks, range_left, seen_in
from actorbench.commits import Commit
from actorbench.errors import EXIT_INCONCLUSIVE, EXIT_OK
from actorbench.gate.deciding import Verdict
from actorbench.measure import MEASURES
from actorbench.stopping import span_text
from actorbench.table import Column, Table

STEPS_MAYBE = "what was slower may have come in steps that are each under --delta"


def answer(bisection: Bisection) -> tuple[list[str], int]:
    """Say what was found, once no look is left to be taken; returns the exit status with it."""
    line = followed(bisection)
    if line is None:
        return _nothing(bisection)
    left = range_left(bisection, line)
    *others, first_slow = [bisection.commit(place) for place in left.suspects]
    told = [f"{_shown(line)}, {bisection.commits[-1].name} against {bisection.base.name}: {_ratio(line)}"]
    if others:
        why = "the rest can't be measured, or was not decided (see the table)"
        if left.middle is not None:
            why = "the budget is used up"
        told.append(f"NOT FOUND: one of {len(left.suspects)} commits has made it slower; {why}:")
        return [*told, *(f"  {_named(one)}" for one in (*others, first_slow))], EXIT_INCONCLUSIVE
    looks = looks_at(bisection, left.bad, left.good)
    found = looks[-1].line(line) if looks else None
    if found is None:
        why, is_sure = "no budget was left to hold it against the commit before it", False
    else:
        why = f"against {bisection.commit(left.good).name}: {_ratio(found)}, {found['reason'] or STEPS_MAYBE}"
        is_sure = found["verdict"] == Verdict.FAIL.value
    if is_sure:
        return [*told, f"FOUND: {_named(first_slow)}", why], EXIT_OK
    return [*told, f"NOT SURE: {_named(first_slow)}", f"not confirmed: {why}"], EXIT_INCONCLUSIVE


def looks_table(bisection: Bisection) -> Table:
    """Make the table of all looks, in the order taken."""
    line = followed(bisection)
    columns = [Column(name, numeric=False) for name in ("commit", "subject", "against", "is")]
    columns += [Column("ratio [95 % interval]"), Column("pairs"), Column("run", numeric=False)]
    rows = []
    for look in bisection.looks:
        commit, found = bisection.commit(look.place), look.line(line) if line else None
        pairs = [str(batch["candidate"]["pairs"]) for batch in found["batches"]] if found else []
        ratio = _ratio(found) if found else "-"
        against = bisection.commit(look.against).name
        row = [commit.name, commit.subject, against, _word(look, line), ratio, " + ".join(pairs) or "-"]
        rows.append([*row, look.run or "-"])
    spent_s, budget_s = bisection.settings.budget_s - bisection.left_s, bisection.settings.budget_s
    notes = [
        "ratios of " + (_shown(line) if line else "all cells") + ": over 1 is slower, or more memory",
        "each look is a gate (docs/gate.md), kept in results/",
        f"{spent_s:.0f} s of a budget of {budget_s:.0f} s",
    ]
    return Table(f"Bisection {bisection.run.name}", columns, rows, notes)


def before_text(bisection: Bisection, look: Look) -> str:
    """Say what comes next, and how long it may take."""
    line = followed(bisection)
    more = most_looks(len(bisection.commits))
    if line is not None:
        more = most_looks(len(range_left(bisection, line).suspects)) - 1
    number = sum(one.lines is not None for one in bisection.looks) + 1
    commit, against = bisection.commit(look.place), bisection.commit(look.against)
    return (
        f"look {number} of about {number + more}: {_named(commit)}, against {against.name};"
        f" up to {span_text(look.budget_s)} of samples, {span_text(bisection.left_s)} left for all"
    )


def look_text(bisection: Bisection, look: Look) -> str:
    """Say what a look has found, and what that leaves."""
    line = followed(bisection)
    told = f"{bisection.commit(look.place).name}: {_word(look, line)}"
    if line is None:
        return told
    left = len(range_left(bisection, line).suspects)
    return f"{told}; {left} {'commit' if left == 1 else 'commits'} left"


def _nothing(bisection: Bisection) -> tuple[list[str], int]:
    """Say why there is nothing to search for."""
    look = bisection.looks[0]
    newest = f"{bisection.commits[-1].name} against {bisection.base.name}"
    for verdict in (Verdict.BROKEN, Verdict.INCONCLUSIVE):
        lines = [one for one in look.lines or () if one["verdict"] == verdict.value]
        if lines:
            reasons = dict.fromkeys(f"{one['cell']}: {one['reason']}" for one in lines)
            share = f"with {span_text(look.budget_s)} of the budget"
            return [f"{verdict.value}: {newest}, {share}: {'; '.join(reasons)}"], verdict.exit_status
    return [f"NOT FOUND: {newest} is not slower, in any cell and measure (PASS)"], EXIT_INCONCLUSIVE


def _word(look: Look, line: GateLine | None) -> str:
    """Say in few words what a look has found."""
    if line is None:
        return ", ".join(dict.fromkeys(str(one["verdict"]) for one in look.lines or ()))
    found = look.line(line)
    if look.against != BASE:
        return str(found["verdict"]) if found else "-"
    seen = seen_in(look, line)
    return f"{seen.value}: {found['reason']}" if found and seen is Seen.SKIPPED else seen.value


def _ratio(line: GateLine) -> str:
    if not line["batches"]:
        return "-"
    ratio = line["batches"][-1]["candidate"]
    interval = "" if ratio["low"] is None else f" [{ratio['low']:.3f}, {ratio['high']:.3f}]"
    return f"{ratio['ratio']:.3f}{interval}"


def _shown(line: GateLine) -> str:
    return f"{line['cell']}, {MEASURES[line['measure']].label}"


def _named(commit: Commit) -> str:
    return f"{commit.name} ({commit.day}) {commit.subject}"

"""Judging: the verdict of each claim by stored runs, and what there is of each of its parts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from actorbench.ledger.asking import statements_of
from actorbench.ledger.claims import Bound, Claim
from actorbench.ledger.deciding import MOST_ROUNDS, Levels, decide, levels, rounds_needed
from actorbench.ledger.selecting import Lacking, Open
from actorbench.ledger.statements import Statement
from actorbench.results import Results

Searches = Mapping[str, str]  # by a search's name: its verdict


class Verdict(Enum):
    """What is said of a claim."""

    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not reproduced"
    UNDECIDED = "undecided"
    NOT_HERE = "cannot be decided here"


class Finding(Enum):
    """What is said of a part of a claim."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNDECIDED = "undecided"
    OPEN = "not measured"
    LACKING = "cannot be decided here"


@dataclass(frozen=True)
class Part:
    """A bound and what was found; `why` says what is missing, `run` which run was looked at.

    `steals` says how often cells stole that are to, where it is about stealing.
    """

    bound: Bound
    finding: Finding
    why: str
    run: str
    statements: tuple[Statement, ...]
    steals: str = ""

    @property
    def undecided_after(self) -> int:
        """The rounds that leave it undecided; 0 if it is decided, or was not measured."""
        return rounds_of(self.statements) if self.finding is Finding.UNDECIDED else 0


@dataclass(frozen=True)
class Judged:
    """A claim with its verdict; `why` says in a few words what it rests on, or what would change it."""

    claim: Claim
    verdict: Verdict
    why: str
    parts: tuple[Part, ...]
    levels: Levels

    @property
    def is_looked_at(self) -> bool:
        """Whether a run has samples for a part of it."""
        return any(part.statements for part in self.parts)

    @property
    def line(self) -> str:
        """The claim in one line, with its verdict."""
        why = f" ({self.why})" if self.verdict in (Verdict.UNDECIDED, Verdict.NOT_HERE) else ""
        return f"{told_of(self.claim)}: {self.verdict.value}{why}"


def rounds_of(statements: Sequence[Statement]) -> int:
    """Give the rounds that statements were looked at in: of some the fewest."""
    return min(one.count * one.rounds for one in statements)


def told_of(claim: Claim) -> str:
    """Write a claim in one line, without a verdict."""
    return f"{claim.id}: {claim.says}"


@dataclass(frozen=True)
class _Looked:
    statements: tuple[Statement, ...] = ()
    run: str = ""
    lacks: str = ""
    open: str = ""
    finding: Finding | None = None
    steals: str = ""


def judge(claims: Sequence[Claim], runs: Sequence[Results], searches: Searches | None = None) -> list[Judged]:
    """Judge claims by runs, in the claims' order: of each experiment the last run that has it counts."""
    looked = {
        claim.id: [_look(claim, bound, runs, searches or {}) for bound in claim.bounds] for claim in claims
    }
    tested = sum(any(one.statements for one in found) for found in looked.values())
    return [_judged(claim, looked[claim.id], tested) for claim in claims]


@lru_cache(maxsize=16)
def judged_alone(results: Results) -> list[Judged]:
    """Judge by one run the claims that it has samples for, corrected for these alone: what captions say.

    Every caption of a run asks, so what was found is kept for a few runs.
    """
    held = {one.id for one in results.experiments}
    asked = [claim for claim in results.claims if held.intersection(claim.experiments)]
    return [one for one in judge(asked, [results]) if one.is_looked_at]


def _look(claim: Claim, bound: Bound, runs: Sequence[Results], searches: Searches) -> _Looked:
    if bound.kind == "proof":
        return _searched(bound, searches)
    having = [one for one in runs if any(held.id == bound.experiment for held in one.experiments)]
    chosen = (having or list(runs))[-1:]
    if not chosen:
        return _Looked(lacks=bound.lacks, open=f"{bound.experiment} was not measured")
    try:
        statements, steals = statements_of(chosen[0], claim, bound)
        return _Looked(tuple(statements), chosen[0].name, steals=steals)
    except Lacking as missing:
        return _Looked(lacks=str(missing))
    except Open as missing:
        return _Looked(open=str(missing))


def _searched(bound: Bound, searches: Searches) -> _Looked:
    names = bound.asks["searches"]
    if missing := [name for name in names if name not in searches]:
        return _Looked(open=f"no search {', '.join(missing)} is on record")
    held = all(searches[name] == "holds" for name in names)
    return _Looked(finding=Finding.HOLDS if held else Finding.FAILS, run="docs/correctness.md")


def _judged(claim: Claim, looked: Sequence[_Looked], tested: int) -> Judged:
    every = [statement for one in looked for statement in one.statements]
    level = levels(tested, len(every))
    parts = tuple(
        Part(bound, _finding(one, level), one.lacks or one.open, one.run, one.statements, one.steals)
        for bound, one in zip(claim.bounds, looked, strict=True)
    )
    verdict, why = _verdict(parts, every, level)
    return Judged(claim, verdict, why, parts, level)


def _finding(looked: _Looked, level: Levels) -> Finding:
    if looked.finding:
        return looked.finding
    if looked.lacks:
        return Finding.LACKING
    if looked.open:
        return Finding.OPEN
    return {True: Finding.HOLDS, False: Finding.FAILS, None: Finding.UNDECIDED}[
        decide(looked.statements, level)
    ]


def _verdict(parts: Sequence[Part], every: Sequence[Statement], level: Levels) -> tuple[Verdict, str]:
    found = {part.finding for part in parts}
    if Finding.FAILS in found:
        return Verdict.NOT_REPRODUCED, _named(parts, Finding.FAILS)
    if Finding.LACKING in found:
        return Verdict.NOT_HERE, "lacks " + "; ".join(_whys(parts, Finding.LACKING))
    if Finding.OPEN in found:
        return Verdict.UNDECIDED, "; ".join(_whys(parts, Finding.OPEN))
    if Finding.UNDECIDED in found:
        return Verdict.UNDECIDED, _more_text(every, level)
    return Verdict.REPRODUCED, ""


def _whys(parts: Sequence[Part], finding: Finding) -> list[str]:
    return list(dict.fromkeys(part.why for part in parts if part.finding is finding))


def _named(parts: Sequence[Part], finding: Finding) -> str:
    return "; ".join(part.bound.says for part in parts if part.finding is finding)


def _more_text(statements: Sequence[Statement], level: Levels) -> str:
    """Say what more samples would take."""
    count = rounds_of(statements)
    needed = rounds_needed(statements, level)
    if needed is None:
        return f"{count} rounds, and {MOST_ROUNDS} would not decide it: too near to its border"
    return f"{count} rounds; about {needed} would decide it, if as many agree as now"

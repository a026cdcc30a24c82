"""Deciding: exact tests of a claim's statements, corrected for all claims that are judged together.

A claim holds if all its statements do. It is reproduced if each statement's one-sided sign test says so at
the level (Berger, Technometrics 24 (1982): so to demand all needs no correction). It is not reproduced if one
statement's opposite passes at the level over the number of the claim's statements (Bonferroni).

Of "it holds" and "it does not" exactly one is wrong of each claim, so that as many errors are possible as
there are claims, however many are settled already: of Holm's method with the logic of the hypotheses
(Shaffer, J. American Statistical Association 81 (1986)) each step is then the first, the level over the
number of claims. With it no verdict of the whole ledger is wrong, in 95 % of ledgers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import stats

from actorbench.ledger.statements import Statement
from actorbench.rules import CONFIDENCE

POWER = 0.8  # with which samples that are asked for are to decide
MOST_ROUNDS = 500  # to ask for; what needs more lies at its border, for all that can be seen


@dataclass(frozen=True)
class Levels:
    """The levels of one claim: for each statement to hold, and for one of them not to."""

    holds: float
    fails: float

    @property
    def count(self) -> int:
        """How often a statement has to be looked at, at the least, before either can be said."""
        return next(n for n in range(1, MOST_ROUNDS) if 0.5**n <= min(self.holds, self.fails))


def levels(claims: int, statements: int) -> Levels:
    """Give a claim's levels, of so many statements, among so many claims that have any."""
    level = (1 - CONFIDENCE) / max(claims, 1)
    return Levels(level, level / max(statements, 1))


@cache
def agreement_p(count: int, agreeing: int) -> float:
    """Give the chance of at least so many of `count` rounds if no more than half of all do."""
    return float(stats.binom.sf(agreeing - 1, count, 0.5))


def decide(statements: Sequence[Statement], level: Levels) -> bool | None:
    """Say whether what some of a claim's statements say together holds; None if the samples leave it open."""
    if any(fails(one, level) for one in statements):
        return False
    return True if all(holds(one, level) for one in statements) else None


def holds(statement: Statement, level: Levels) -> bool:
    """Whether the samples say that a statement holds."""
    return agreement_p(statement.count, statement.agreeing) <= level.holds


def fails(statement: Statement, level: Levels) -> bool:
    """Whether the samples say that a statement does not hold."""
    return agreement_p(statement.count, statement.count - statement.agreeing) <= level.fails


def rounds_needed(statements: Sequence[Statement], level: Levels) -> int | None:
    """Give the rounds in all that would decide a claim if as many agreed as do now; None for too many.

    One statement that does not hold is enough for "not reproduced", all are needed for "reproduced".
    """
    against = [(_count(1 - _share(one), level.fails), one.rounds) for one in statements if _share(one) < 0.5]
    if found := [count * rounds for count, rounds in against if count]:
        return min(found)
    wanted = [(_count(_share(one), level.holds), one.rounds) for one in statements if not holds(one, level)]
    known = [count * rounds for count, rounds in wanted if count]
    return max(known) if known and len(known) == len(wanted) else None


def _share(statement: Statement) -> float:
    """Estimate the share of rounds that agree, drawn a little to a half (Laplace's rule)."""
    return (statement.agreeing + 1) / (statement.count + 2)


@cache
def _count(share: float, level: float) -> int | None:
    """Find how many it takes that so large a share of them passes the test in POWER of cases."""
    counts = np.arange(1, MOST_ROUNDS + 1)
    needed = stats.binom.isf(level, counts, 0.5) + 1
    passing = (needed <= counts) & (stats.binom.sf(needed - 1, counts, share) >= POWER)
    return int(counts[passing][0]) if passing.any() else None

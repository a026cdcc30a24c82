"""The search: what a bisection looks at next, from what it has seen.

The newest commit is held against the base first; what is worst there is what is followed. Then the range is
halved: a commit that fails the gate against the base is slow, one that passes is not, one that can't be
measured or was not decided is skipped, as by git bisect. Last, the first slow commit is held against the one
before it. What was not decided, and is still needed then, is looked at once more.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from math import ceil, log2, sqrt

from actorbench.bisecting.looks import BASE, Bisection, GateLine, Look
from actorbench.gate.deciding import Verdict


class Seen(Enum):
    """What is known of a commit."""

    GOOD = "not slow"
    BAD = "slow"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Range:
    """Commits by their places: `good` is the last known not to be slow, or BASE, `bad` the first slow one."""

    good: int
    bad: int
    skipped: frozenset[int]

    @property
    def suspects(self) -> range:
        """The commits one of which has made it slow: a single one if it is found."""
        return range(self.good + 1, self.bad + 1)

    @property
    def middle(self) -> int | None:
        """The commit that halves what is left, or the nearest that was not skipped; None if none is left."""
        open_ones = [place for place in self.suspects[:-1] if place not in self.skipped]
        centre = (self.good + self.bad) / 2
        return min(open_ones, key=lambda place: abs(place - centre), default=None)


def range_of(count: int, known: Mapping[int, Seen]) -> Range:
    """Narrow `count` commits, the newest of which is slow, by what is known of the others."""
    bad = min((place for place, one in known.items() if one is Seen.BAD), default=count - 1)
    good = max((place for place, one in known.items() if one is Seen.GOOD and place < bad), default=BASE)
    skipped = frozenset(place for place, one in known.items() if one is Seen.SKIPPED)
    return Range(good, bad, skipped)


def most_looks(commits: int) -> int:
    """How many looks it takes at most to find one of so many, and to confirm it, if none is skipped."""
    return ceil(log2(commits)) + 1


def ratio_of(line: GateLine) -> float:
    """The ratio to the base that the gate's last batch found."""
    return float(line["batches"][-1]["candidate"]["ratio"])


def followed(bisection: Bisection) -> GateLine | None:
    """The first look's line of what is followed: the worst that failed; None if none did."""
    lines = bisection.looks[0].lines if bisection.looks else None
    failed = [line for line in lines or () if line["verdict"] == Verdict.FAIL.value]
    return max(failed, key=ratio_of, default=None)


def to_find(bisection: Bisection) -> float:
    """Give the slow-down that a commit must have been able to show, to pass: half of that of the whole.

    That is not less than the user asks for, unless the whole itself is.
    """
    line, asked = followed(bisection), bisection.settings.find
    if line is None:
        return asked
    whole = ratio_of(line) - 1
    return min(whole, max(asked, sqrt(1 + whole) - 1))


def verdict_of(look: Look, line: GateLine) -> Verdict:
    """Give a look's verdict on the cell and measure that is followed."""
    found = look.line(line)
    return Verdict(found["verdict"]) if found else Verdict.INCONCLUSIVE


def seen_in(look: Look, line: GateLine) -> Seen:
    """Say what a look against the base has found of the commit."""
    return {Verdict.FAIL: Seen.BAD, Verdict.PASS: Seen.GOOD}.get(verdict_of(look, line), Seen.SKIPPED)


def range_left(bisection: Bisection, line: GateLine) -> Range:
    """The range that is left of a bisection that follows a line."""
    looks = [look for look in bisection.looks[1:] if look.against == BASE and look.lines is not None]
    return range_of(len(bisection.commits), {look.place: seen_in(look, line) for look in looks})


def looks_at(bisection: Bisection, place: int, against: int) -> list[Look]:
    """The looks that held one commit against another, and have ended."""
    return [one for one in bisection.looks if (one.place, one.against) == (place, against) and one.lines]


def next_look(bisection: Bisection) -> Look | None:
    """Give what is to be looked at next, with its share of what is left of the budget; None at the end.

    A look that was interrupted comes first. A share of less than half an even one would decide nothing.
    """
    looks, line, count = bisection.looks, followed(bisection), len(bisection.commits)
    if looks and looks[-1].lines is None:
        return looks[-1]
    least_s = bisection.settings.budget_s / (1 + most_looks(count)) / 2
    if bisection.left_s < least_s:
        return None
    if not looks:
        return Look(count - 1, BASE, bisection.left_s / (1 + most_looks(count)))
    if line is None:
        return None
    left = range_left(bisection, line)
    budget_s = max(bisection.left_s / most_looks(len(left.suspects)), least_s)
    if left.middle is not None:
        return Look(left.middle, BASE, budget_s)
    again = [place for place in left.suspects[:-1] if _is_open(bisection, place, BASE, line)]
    if again:
        return Look(again[len(again) // 2], BASE, budget_s)
    if len(left.suspects) > 1 or not _is_open(bisection, left.bad, left.good, line):
        return None
    return Look(left.bad, left.good, budget_s)


def _is_open(bisection: Bisection, place: int, against: int, line: GateLine) -> bool:
    """Whether a look at these two may still decide: none has yet, or one, which has not decided."""
    looks = looks_at(bisection, place, against)
    return not looks or (len(looks) == 1 and verdict_of(looks[0], line) is Verdict.INCONCLUSIVE)

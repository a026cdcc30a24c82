"""When a sweep has enough: a time budget, and a precision of the intervals.

A budget is turned into whole rounds once a round has been measured. Precision is looked at only after
checkpoints that are fixed before the first sample, since an interval that may stop the sweep whenever it
happens to be narrow holds the truth less often than it says. The error that 95 % leaves is split evenly over
all looks (Bonferroni's inequality: whatever the dependence between looks, the intervals of all of them hold
together with 95 %). It is the plainest way to spend an error over looks fixed beforehand; the frame is of
Lan and DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70 (1983), doi
10.1093/biomet/70.3.659. Their O'Brien-Fleming-like rule spends next to nothing at 10 rounds, where samples
give no such interval at all.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from actorbench.plan import Plan, make_plan
from actorbench.rules import CONFIDENCE, ENOUGH, fewest, level_text
from actorbench.sample import Sample

GROWTH = 1.5
MOST_ROUNDS = 10_000  # of a budget
MOST_FAILURES = 2  # of a cell, after which no more of it is taken
MOST_PRECISE_ROUNDS = 100  # of a precision, unless --samples says otherwise


@dataclass(frozen=True)
class Goal:
    """What ends a sweep: `budget_s` seconds of samples, and intervals with half-width under `precision`.

    The budget ends no sweep before `least_rounds`; `wanted_rounds` are what the tables of the sweep need.
    """

    budget_s: float | None
    precision: float | None
    most_rounds: int
    checkpoints: tuple[int, ...]
    fitted: bool = False
    least_rounds: int = 1
    wanted_rounds: int = ENOUGH

    @property
    def confidence(self) -> float:
        """The confidence of the intervals at each look, such that those of all looks hold with 95 %."""
        return 1 - (1 - CONFIDENCE) / self.looks

    @property
    def looks(self) -> int:
        """How often the intervals are looked at, at most: each checkpoint, and where the budget ends."""
        if self.precision is None:
            return 1
        return len(self.checkpoints) + (self.budget_s is not None)

    def to_json(self) -> dict[str, Any]:
        """Write the goal as JSON, for the store."""
        return {
            "budget_s": self.budget_s,
            "precision": self.precision,
            "most_rounds": self.most_rounds,
            "checkpoints": list(self.checkpoints),
            "confidence": self.confidence,
            "fitted": self.fitted,
            "least_rounds": self.least_rounds,
            "wanted_rounds": self.wanted_rounds,
        }


@dataclass(frozen=True)
class Decision:
    """What a look decided: the plan from now on, the goal, and what to tell the user."""

    plan: Plan
    goal: Goal
    lines: tuple[str, ...]


def make_goal(
    budget_s: float | None, precision: float | None, samples: int | None, wanted_rounds: int = ENOUGH
) -> Goal | None:
    """Fix budget, precision and checkpoints before the first sample; None if neither is asked for."""
    if budget_s is None and precision is None:
        return None
    if precision is None:
        return Goal(budget_s, None, samples or MOST_ROUNDS, (), wanted_rounds=wanted_rounds)
    most = samples or MOST_PRECISE_ROUNDS
    checkpoints = checkpoints_until(most, wanted_rounds)
    return Goal(budget_s, precision, most, checkpoints, wanted_rounds=wanted_rounds)


def goal_from_json(document: Mapping[str, Any] | None) -> Goal | None:
    """Read what `Goal.to_json` wrote; raises KeyError or TypeError if it is something else."""
    if document is None:
        return None
    return Goal(
        budget_s=document["budget_s"],
        precision=document["precision"],
        most_rounds=int(document["most_rounds"]),
        checkpoints=tuple(document["checkpoints"]),
        fitted=bool(document["fitted"]),
        least_rounds=int(document.get("least_rounds", 1)),
        wanted_rounds=int(document.get("wanted_rounds", ENOUGH)),
    )


def checkpoints_until(most: int, first: int = ENOUGH) -> tuple[int, ...]:
    """Give the rounds after which precision is looked at: 10, 15, 22, 33, 50, ... and the last."""
    found = []
    step = float(first)
    while int(step) < most:
        found.append(int(step))
        step *= GROWTH
    return (*found, most)


def first_rounds(goal: Goal) -> int:
    """How many rounds to plan before any is measured: one if a budget is to be fitted."""
    return 1 if goal.budget_s is not None else goal.most_rounds


def complete_rounds(plan: Plan, taken: Sequence[Sample]) -> int:
    """How many rounds, from the first, have all their samples, but for those of cells given up."""
    done = {(sample.key, sample.round) for sample in taken}
    ended = given_up(taken)
    for number, order in enumerate(plan.rounds):
        keys = (plan.cells[index].key for index in order)
        if any(key not in ended and (key, number) not in done for key in keys):
            return number
    return len(plan.rounds)


def given_up(taken: Sequence[Sample]) -> set[str]:
    """The cells, by key, of which no more samples are taken: they have failed MOST_FAILURES times."""
    failed = Counter(sample.key for sample in taken if sample.failure is not None)
    return {key for key, count in failed.items() if count >= MOST_FAILURES}


def look(plan: Plan, goal: Goal, taken: Sequence[Sample], seed: int) -> Decision:
    """Decide after a whole round how many rounds there are to be. Depends on what is stored alone."""
    done = complete_rounds(plan, taken)
    if done == 0:
        return Decision(plan, goal, ())
    lines: list[str] = []
    spent_s = sum(sample.wall_ns for sample in taken) / 1e9
    if goal.budget_s is not None and not goal.fitted:
        fitting = max(goal.least_rounds, int(goal.budget_s / (spent_s / done)))
        rounds = max(done, min(fitting, goal.most_rounds))
        plan = make_plan(dict.fromkeys(plan.cells, rounds), seed)
        goal = replace(goal, fitted=True)
        lines += _budget_lines(goal, rounds, spent_s / done)
    elif goal.budget_s is not None and _is_spent(goal, spent_s, done) and done < len(plan.rounds):
        lines.append(f"the budget ends the sweep after {done} of {len(plan.rounds)} rounds")
        plan = Plan(plan.cells, plan.rounds[:done])
    if goal.precision is not None and (done in goal.checkpoints or done == len(plan.rounds)):
        short = cells_short(goal, taken, done, seed)
        if not short and done < len(plan.rounds):
            plan = Plan(plan.cells, plan.rounds[:done])
        if done == len(plan.rounds):
            lines += _precision_lines(goal, short, done)
    return Decision(plan, goal, tuple(lines))


def cells_short(goal: Goal, taken: Sequence[Sample], done: int, seed: int) -> dict[str, str]:
    """Name the cells whose interval is not narrow enough after `done` rounds, and how wide each is.

    A cell that failed has no interval and never will: it is named, with its trouble, only at the end.
    """
    from actorbench.estimates import estimate  # noqa: PLC0415 - loads slowly, and few need it

    values: dict[str, list[float]] = {}
    for sample in taken:
        if sample.round < done and sample.record is not None and sample.ok:
            values.setdefault(sample.key, []).append(sample.record.elapsed_ns / sample.record.operations)
    failed = {sample.key for sample in taken if not sample.ok}
    short = {}
    for key, measured in values.items():
        if key in failed:
            continue
        one = estimate(measured, seed=seed, name=f"{key} time_per_operation", confidence=goal.confidence)
        if one.low is None or one.high is None:
            short[key] = "too few samples"
            continue
        half = (one.high - one.low) / 2 / one.value
        if not isfinite(half) or half >= (goal.precision or 0):
            short[key] = f"{half:.1%}"
    return short


def span_text(seconds: float) -> str:
    """Write a time as in 45s, 12m or 3.5h."""
    if seconds < 120:
        return f"{seconds:.0f}s" if seconds >= 10 else f"{seconds:.2g}s"
    return f"{seconds / 60:.0f}m" if seconds < 7200 else f"{seconds / 3600:.1f}h"


def _is_spent(goal: Goal, spent_s: float, done: int) -> bool:
    """Whether one more round would not fit the budget."""
    return done >= goal.least_rounds and spent_s * (1 + 1 / done) > (goal.budget_s or 0)


def _budget_lines(goal: Goal, rounds: int, round_s: float) -> list[str]:
    budget_s = goal.budget_s or 0.0
    planned = f"a round takes {span_text(round_s)}: {rounds} rounds are planned for {span_text(budget_s)}"
    lines = [planned if rounds == 1 or rounds < goal.most_rounds else f"{planned}, all that were asked for"]
    if rounds * round_s > budget_s and rounds == goal.least_rounds > 1:
        took = span_text(rounds * round_s)
        lines.append(f"warning: {rounds} rounds take {took}, more than the budget, but fewer would not do")
    elif rounds < (floor := fewest(goal.confidence)):
        lines.append(
            f"warning: {rounds} rounds are under the floor of {floor} for any {level_text(goal.confidence)}"
            f" statement, which needs --budget {_needed(round_s, floor)}; {goal.wanted_rounds} rounds"
            f" need {_needed(round_s, goal.wanted_rounds)}"
        )
    elif rounds < goal.wanted_rounds:
        what = "wanted to display an interval"
        if goal.wanted_rounds > ENOUGH:
            what = "needed before any comparison of the largest table can be told apart"
        need = _needed(round_s, goal.wanted_rounds)
        lines.append(f"few rounds: {goal.wanted_rounds} are {what}, which needs --budget {need}")
    return lines


def _needed(round_s: float, rounds: int) -> str:
    """The budget that so many rounds need, with a tenth to spare."""
    return span_text(round_s * rounds * 1.1)


def _precision_lines(goal: Goal, short: Mapping[str, str], done: int) -> list[str]:
    asked = f"{100 * (goal.precision or 0):.4g} %"
    stated = f"intervals of {level_text(goal.confidence)}: those of all {goal.looks} looks hold with 95 %"
    if not short:
        return [f"precise enough after {done} rounds: every half-width is under {asked} ({stated})"]
    told = [f"after {done} rounds {len(short)} cells are not within {asked} ({stated}):"]
    return told + [f"  {key}: {width}" for key, width in sorted(short.items())]

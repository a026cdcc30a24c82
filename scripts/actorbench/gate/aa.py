"""A/A: whole gates of the base against itself, to learn how often a gate alarms for nothing here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from random import Random
from typing import Self

from rich.console import Console
from scipy import stats

from actorbench.errors import EXIT_BENCHMARK_FAILED, EXIT_INTERRUPTED, EXIT_OK, EXIT_REGRESSION
from actorbench.estimates import CONFIDENCE
from actorbench.gate.arms import Commands, Commits
from actorbench.gate.deciding import Verdict
from actorbench.gate.outputs import verdict_line
from actorbench.gate.running import BrokenGateError, Settings, carry_on, start_gate
from actorbench.project import Project
from actorbench.sweep import InterruptedSweepError
from actorbench.table import Column, Table

NOTHING = "-"


@dataclass(frozen=True)
class Shares:
    """How many of so many: the share, and its exact bounds by Clopper and Pearson."""

    hits: int
    count: int

    @classmethod
    def of(cls, found: Iterable[bool]) -> Self:
        """Count."""
        each = list(found)
        return cls(sum(each), len(each))

    @property
    def share(self) -> float:
        """The share, as a fraction; 0 of nothing."""
        return self.hits / self.count if self.count else 0.0

    @property
    def upper(self) -> float:
        """What the true share is under with 95 % confidence (one-sided)."""
        if self.hits >= self.count:
            return 1.0
        return float(stats.beta.ppf(CONFIDENCE, self.hits + 1, self.count - self.hits))

    @property
    def interval(self) -> tuple[float, float]:
        """The two-sided 95 % interval."""
        if not self.count:
            return 0.0, 1.0
        found = stats.binomtest(self.hits, self.count).proportion_ci(CONFIDENCE, method="exact")
        return float(found.low), float(found.high)


def run_aa(
    project: Project, sides: Commits | Commands, settings: Settings, count: int, console: Console
) -> int:
    """Run `count` gates of two equal sides, each a run of its own; returns the exit status.

    That is 0 if none raised an alarm, 1 if one did, 4 if one broke, which ends them, 130 if interrupted.
    Raises UserError.
    """
    quiet = Console(file=StringIO(), quiet=True)
    chance = Random(settings.seed)
    found: list[Verdict] = []
    status = None
    while len(found) < count and Verdict.BROKEN not in found:
        try:
            run = start_gate(project, sides, replace(settings, seed=chance.getrandbits(32)), quiet)
            outcome = carry_on(project, run, quiet)
        except BrokenGateError as error:
            outcome = error.outcome
        except (InterruptedSweepError, KeyboardInterrupt):
            console.print("interrupted; what was run counts")
            status = EXIT_INTERRUPTED
            break
        found.append(outcome.verdict)
        told = outcome.verdict.value if outcome.verdict is Verdict.PASS else verdict_line(outcome)
        console.print(f"gate {len(found)} of {count}, results/{outcome.run}: {told}", soft_wrap=True)
    base, _ = sides.shown
    title = f"{len(found)} of {count} A/A gates of {base}"
    alarm_table(title, found, f"budget {settings.budget_s:g} s a gate").print(console)
    if status is None:
        status = EXIT_REGRESSION if Verdict.FAIL in found else EXIT_OK
        status = EXIT_BENCHMARK_FAILED if Verdict.BROKEN in found else status
    return status


def alarm_table(title: str, verdicts: Sequence[Verdict], note: str) -> Table:
    """How often a base held against itself gave which verdict."""
    rows = []
    for verdict in Verdict:
        shares = Shares.of(one is verdict for one in verdicts)
        none = verdict is Verdict.PASS or shares.upper == 1
        bound = NOTHING if none else f"under {percent(shares.upper)}"
        rows.append([verdict.value, str(shares.hits), percent(shares.share), bound])
    return Table(
        title,
        (Column("verdict", numeric=False), Column("gates"), Column("share"), Column("95 % upper bound")),
        rows,
        (
            "FAIL: false alarms, since base and candidate are the same. Bound: exact, one-sided"
            " (Clopper-Pearson).",
            note,
        ),
    )


def percent(fraction: float | None) -> str:
    """Write a fraction in percent."""
    return NOTHING if fraction is None else f"{100 * fraction:.1f} %"

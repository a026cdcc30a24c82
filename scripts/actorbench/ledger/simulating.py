"""The simulation: how often the verdict on a bound of each kind is wrong, where the truth is known.

    PYTHONPATH=scripts .venv/bin/python -m actorbench.ledger.simulating

(part of `make coverage`) writes docs/verdicts.csv, a line a count. Samples are drawn such that the number
that a bound is about has a known median: at its border, where each verdict is as often wrong as it can be,
whichever side is taken for the truth; well inside, and well outside.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from scipy import stats

from actorbench.csv_rows import write_rows
from actorbench.ledger.deciding import decide, levels
from actorbench.ledger.statements import (
    Statement,
    Values,
    bounded,
    cases,
    gap,
    order,
    same,
    share,
    spread,
    trend,
)
from actorbench.project import find_project
from actorbench.rules import CONFIDENCE
from actorbench.store import write_whole
from actorbench.table import Column, Table

FILE_NAME = "verdicts.csv"
TRIALS = 2000
ROUNDS = (12, 20, 30)
TRUTHS = ("border", "inside", "outside")
LEDGER = "whole ledger"
CLAIMS = 40  # of a whole ledger
CHANCE = 0.01
SEED = 18

Rng = np.random.Generator
Noise = Callable[[Rng, int], Values]


def _bimodal(rng: Rng, count: int) -> Values:
    return np.where(rng.random(count) < 0.2, 1.0, 0.0) + rng.normal(0, 0.05, count)


# The noise of a cell's logarithms, in units of its scale; what is the same in all cells of a round cancels.
SHAPES: Mapping[str, tuple[str, Noise]] = {
    "normal": ("normal", lambda rng, count: rng.normal(0, 1, count)),
    "skewed": ("a least time, and more, exponential", lambda rng, count: rng.exponential(1, count)),
    "bimodal": ("2 in 10 are slow", _bimodal),
}
_SCALE = 0.1  # of a cell's logarithms
_NOISE_NS = 10.0
_FAR = 0.3  # how far from the border, as a logarithm or in parts of what is asked for, is well inside


def _shift(truth: str) -> float:
    """How far the truth is from the border: over 0 if the bound holds."""
    return {"border": 0.0, "inside": _FAR, "outside": -_FAR}[truth]


class _Draw:
    """Draws the cells of one trial, under a slow change of the machine that all of a round share."""

    def __init__(self, shape: str, rounds: int, rng: Rng) -> None:
        self.noise = SHAPES[shape][1]
        self.rounds, self.rng = rounds, rng
        self.drift = np.linspace(-0.2, 0.2, rounds)

    def cell(self, level: float = 0.0, scale: float = _SCALE) -> Values:
        """Draw a cell: times whose logarithms lie about `level`."""
        return np.exp(level + self.drift + scale * self.noise(self.rng, self.rounds))


def _ratio(draw: _Draw, truth: str) -> list[Statement]:
    return bounded("", draw.cell(np.log(1.5) - _shift(truth)) / draw.cell(), None, 1.5)


def _same(draw: _Draw, truth: str) -> list[Statement]:
    """Inside is the very same: a tenth to each side leaves no more room."""
    offset = {"border": np.log(1.1), "inside": 0.0, "outside": np.log(1.1) + _FAR}[truth]
    scale = 0.02
    return same("", draw.cell(offset, scale) / draw.cell(0.0, scale), 0.10)


def _gap(draw: _Draw, truth: str) -> list[Statement]:
    """Times in ns, the largest 70 over the least."""
    apart = 70 * (1 - _shift(truth))
    middles = {"a": 100.0, "b": 100 + apart / 2, "c": 100 + apart}
    return gap(
        {label: middle + _NOISE_NS * draw.noise(draw.rng, draw.rounds) for label, middle in middles.items()},
        70,
        "ns",
    )


def _order(draw: _Draw, truth: str) -> list[Statement]:
    return order([{"a": draw.cell()}, {"b": draw.cell(_shift(truth))}, {"c": draw.cell(1.5)}], [1, 1])


def _trend(draw: _Draw, truth: str) -> list[Statement]:
    shift = _shift(truth)
    return trend("", {1: draw.cell(), 2: draw.cell(-shift)}, "falls", within=0.1)


def _spread(draw: _Draw, truth: str) -> list[Statement]:
    """Three times as spread, or thirty times, or a third."""
    times = {"border": 3.0, "inside": 30.0, "outside": 0.3}[truth]
    draw.drift = np.zeros(draw.rounds)
    return spread("", draw.cell(0.0, times * 0.02), draw.cell(0.0, 0.02), 3.0, None)


def _counter(draw: _Draw, truth: str) -> list[Statement]:
    """No more than none, where half of all rounds have none, nearly all, or nearly no round."""
    mean = {"border": np.log(2), "inside": 0.05, "outside": 3.0}[truth]
    return bounded("", draw.rng.poisson(mean, draw.rounds).astype(float), None, 0)


def _share(draw: _Draw, truth: str) -> list[Statement]:
    """Half of a gain from 200 to 100 ns."""
    fast, without, whole = (_NOISE_NS * draw.noise(draw.rng, draw.rounds) for _ in range(3))
    middle = 150 + 100 * _shift(truth) - _added(draw.noise)
    return share("", 100 + fast, middle + without, 200 + whole, 0.5, None)


def _cases(draw: _Draw, truth: str) -> list[Statement]:
    """Of five ratios three or more over 1: each is, in half of all rounds."""
    return cases("", [[draw.cell(_shift(truth)) / draw.cell()] for _ in range(5)], 0.5, None)


@cache
def _added(noise: Noise) -> float:
    """Give the median of what noise adds to what a share is judged by: skewed noise adds some."""
    rng = np.random.default_rng(SEED)
    fast, without, whole = (_NOISE_NS * noise(rng, 2_000_000) for _ in range(3))
    return float(np.median(without - fast / 2 - whole / 2))


KINDS: Mapping[str, Callable[[_Draw, str], list[Statement]]] = {
    "ratio": _ratio,
    "same": _same,
    "gap": _gap,
    "order": _order,
    "trend": _trend,
    "spread": _spread,
    "counter": _counter,
    "share": _share,
    "cases": _cases,
}


@dataclass(frozen=True)
class Count:
    """Of so many trials those found to hold, and not to; of a whole ledger those with a wrong verdict."""

    kind: str
    shape: str
    truth: str
    rounds: int
    trials: int
    reproduced: int
    not_reproduced: int

    @property
    def wrong(self) -> int:
        """The verdicts that were wrong; at the border those of the side that was wrong more often."""
        by_truth = {"inside": self.not_reproduced, "outside": self.reproduced}
        return by_truth.get(self.truth, max(self.reproduced, self.not_reproduced))

    @property
    def is_over(self) -> bool:
        """Whether more were wrong than the level allows, and than chance gives in CHANCE of simulations."""
        return bool(stats.binom.sf(self.wrong - 1, self.trials, 1 - CONFIDENCE) < CHANCE)


def simulate(kind: str, shape: str, truth: str, rounds: int, trials: int = TRIALS) -> Count:
    """Count the verdicts on bounds of a kind, each alone."""
    found = {True: 0, False: 0, None: 0}
    for trial in range(trials):
        rng = np.random.default_rng([SEED, list(KINDS).index(kind), TRUTHS.index(truth), rounds, trial])
        statements = KINDS[kind](_Draw(shape, rounds, rng), truth)
        found[decide(statements, levels(1, len(statements)))] += 1
    return Count(kind, shape, truth, rounds, trials, found[True], found[False])


def simulate_ledger(shape: str, rounds: int, trials: int = TRIALS) -> Count:
    """Count the ledgers of CLAIMS claims, of all kinds and all at their borders, in which a verdict is wrong.

    Every second claim is taken for true, the others for false: each has one verdict that is wrong.
    """
    wrong = 0
    for trial in range(trials):
        rng = np.random.default_rng([SEED, len(KINDS), rounds, trial])
        kinds = [list(KINDS)[number % len(KINDS)] for number in range(CLAIMS)]
        asked = [KINDS[kind](_Draw(shape, rounds, rng), "border") for kind in kinds]
        verdicts = [decide(one, levels(CLAIMS, len(one))) for one in asked]
        wrong += any(verdict is (number % 2 == 0) for number, verdict in enumerate(verdicts))
    return Count(LEDGER, shape, "border", rounds, trials, wrong, 0)


def all_counts() -> Iterable[Count]:
    """Simulate everything, telling how far it is."""
    cases = list(product(KINDS, SHAPES, TRUTHS, ROUNDS))
    for number, case in enumerate(cases, start=1):
        print(f"\r{number} of {len(cases)} simulated", end="", file=sys.stderr, flush=True)
        yield simulate(*case)
    print(file=sys.stderr)
    for shape, rounds in product(SHAPES, ROUNDS):
        yield simulate_ledger(shape, rounds)


def verdicts_table(counts: Sequence[Count], shape: str) -> Table:
    """Show the verdicts on samples of a shape: a row a kind; raises KeyError for a count that is missing."""
    found = {(one.kind, one.truth, one.rounds): one for one in counts if one.shape == shape}
    rounds = sorted({one.rounds for one in found.values()})
    rows = []
    for kind in (*KINDS, LEDGER):
        row = [kind]
        for number in rounds:
            border = found[kind, "border", number]
            wrong = f"{border.wrong / border.trials:.1%}"
            row.append(f"({wrong})" if border.is_over else wrong)
            if kind == LEDGER:
                row += ["-", "-"]
                continue
            inside, outside = found[kind, "inside", number], found[kind, "outside", number]
            row += [
                f"{inside.reproduced / inside.trials:.0%}",
                f"{outside.not_reproduced / outside.trials:.0%}",
            ]
        rows.append(row)
    headings = ("wrong at the border", "found to hold", "found not to")
    columns = [Column(f"n = {number}: {heading}") for number in rounds for heading in headings]
    wrongs = max(one.wrong / one.trials for one in found.values() if one.truth != "border")
    notes = [
        f"noise: {SHAPES[shape][0]}, under a drift that all of a round share",
        "wrong at the border: where the truth lies on the border that is asked for, the share of the verdict"
        " that is wrong more often; 5 % are allowed; in (): more than chance gives in"
        f" {CHANCE:.0%} of such simulations",
        "found to hold, found not to: the share that is, where it is so by far; wrong there: at most"
        f" {wrongs:.1%}",
        f"{LEDGER}: {CLAIMS} claims at their borders, and the share of ledgers with a verdict that is wrong",
        f"simulated, {TRIALS:,} trials each",
    ]
    title = f"Verdicts by kind of bound: {shape} samples"
    return Table(title, [Column("kind", numeric=False), *columns], rows, notes)


if __name__ == "__main__":
    write_whole(find_project().docs / FILE_NAME, write_rows(Count, all_counts()))

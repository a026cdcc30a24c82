"""The simulation: how often the best is left out of those said to be best or not told apart from it.

    PYTHONPATH=scripts .venv/bin/python -m actorbench.coverage.selecting

(part of `make coverage`) takes some minutes, and writes docs/selection.csv, a line a count. Options are drawn
of which the best are known, under a slow change of the machine that all of a round share, and judged as a
table judges them (`best`).
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import combinations, product
from math import log

import numpy as np
from scipy import stats

from actorbench.best import beaten
from actorbench.cell import Cell
from actorbench.csv_rows import write_rows
from actorbench.estimates import Ratio, sign_test, standing
from actorbench.experiment import Reading
from actorbench.ledger.simulating import SHAPES
from actorbench.project import find_project
from actorbench.ratios import Row, corrected
from actorbench.rules import CONFIDENCE
from actorbench.store import write_whole
from actorbench.table import Column, Table

FILE_NAME = "selection.csv"
OPTIONS = (3, 12)
ROUNDS = (12, 20)
TRIALS = 2000
CHANCE = 0.01
SEED = 19
SCALE = 0.05  # of the noise of a cell's logarithms
STEP = log(1.01)  # between neighbours
FAR = log(1.3)

_CELL = Cell("", "", "", 1, 1.0, (), ())
Values = np.ndarray[tuple[int, int], np.dtype[np.float64]]

# The logarithms of so many options' times, without noise: the best are those of the least.
TRUTHS: Mapping[str, tuple[str, Callable[[int], Sequence[float]]]] = {
    "alike": ("all are as good", lambda count: [0.0] * count),
    "steps": ("each is 1 % slower than the one before", lambda count: [STEP * n for n in range(count)]),
    "two": ("two are as good, the others 30 % slower", lambda count: [0.0, 0.0, *[FAR] * (count - 2)]),
    "one": ("one is the best, the others 30 % slower", lambda count: [0.0, *[FAR] * (count - 1)]),
}


@dataclass(frozen=True)
class Count:
    """In how many of `trials` tables one of the best was left out, and how many were named in all of them."""

    shape: str
    truth: str
    options: int
    rounds: int
    trials: int
    left_out: int
    named: int

    @property
    def is_over(self) -> bool:
        """Whether more left one out than the level allows, and than chance gives in CHANCE of simulations."""
        return bool(stats.binom.sf(self.left_out - 1, self.trials, 1 - CONFIDENCE) < CHANCE)


def simulate(shape: str, truth: str, options: int, rounds: int, trials: int = TRIALS) -> Count:
    """Count; the samples are always the same."""
    middles = TRUTHS[truth][1](options)
    best = {number for number, middle in enumerate(middles) if middle == min(middles)}
    left_out = named = 0
    for trial in range(trials):
        rng = np.random.default_rng(
            [SEED, list(SHAPES).index(shape), list(TRUTHS).index(truth), rounds, trial]
        )
        chosen = selected(_drawn(rng, shape, middles, rounds))
        left_out += not best <= chosen
        named += len(chosen)
    return Count(shape, truth, options, rounds, trials, left_out, named)


def selected(times: Values) -> set[int]:
    """Name the options that a table names: of the times, an option a row, those of a round in a column.

    The pairs' intervals, which decide nothing, are left out.
    """
    pairs = list(combinations(range(len(times)), 2))
    logs = np.log(times)
    logs = logs[[above for above, _ in pairs]] - logs[[below for _, below in pairs]]
    ratios = np.exp(np.median(logs, axis=1)).tolist()
    rated = standing(times.shape[1])
    rows = [
        Row(
            Reading("", sides=(str(above), str(below))),
            "",
            _CELL,
            _CELL,
            Ratio(ratio, ratio, ratio, times.shape[1], rated, sign_test(line)),
            None,
            "",
        )
        for (above, below), ratio, line in zip(pairs, ratios, logs, strict=True)
    ]
    out = beaten(corrected(rows))
    return {number for number in range(len(times)) if str(number) not in out}


def cases() -> list[tuple[str, str, int, int]]:
    """Everything that is simulated: shape, truth, and how many options and rounds."""
    return list(product(SHAPES, TRUTHS, OPTIONS, ROUNDS))


def selection_table(counts: Sequence[Count], options: int) -> Table:
    """Show what was counted of so many options: a row a shape and truth; raises KeyError for one missing."""
    found = {(one.shape, one.truth, one.rounds): one for one in counts if one.options == options}
    rounds = sorted({one.rounds for one in found.values()})
    rows = []
    for shape, truth in product(SHAPES, TRUTHS):
        row = [shape, TRUTHS[truth][0]]
        for number in rounds:
            one = found[shape, truth, number]
            share = f"{one.left_out / one.trials:.1%}"
            row += [f"({share})" if one.is_over else share, f"{one.named / one.trials:.1f}"]
        rows.append(row)
    headings = ("best left out", "named")
    columns = [Column(f"n = {number}: {heading}") for number in rounds for heading in headings]
    shapes = "; ".join(f"{name}: {says}" for name, (says, _) in SHAPES.items() if name != says)
    notes = [
        "best left out: the share of tables in which one of the best was found worse than another; 5 % are"
        f" allowed; in (): more than chance gives in {CHANCE:.0%} of such simulations",
        f"named: how many of the {options} are said to be best or not told apart, on the average",
        f"noise of {SCALE:.0%} of a time, {shapes}; under a drift that all of a round share",
        f"simulated, {TRIALS:,} trials each",
    ]
    words = [Column("samples", numeric=False), Column("truth", numeric=False)]
    return Table(f"The best of {options} options", [*words, *columns], rows, notes)


def _drawn(rng: np.random.Generator, shape: str, middles: Sequence[float], rounds: int) -> Values:
    drift = np.linspace(-0.2, 0.2, rounds)
    noise = [SCALE * SHAPES[shape][1](rng, rounds) for _ in middles]
    return np.exp(np.asarray(middles)[:, None] + drift + np.asarray(noise))


def _simulated(asked: tuple[str, str, int, int]) -> Count:
    return simulate(*asked)


def _all_counts() -> Iterable[Count]:
    with ProcessPoolExecutor() as pool:
        for number, count in enumerate(pool.map(_simulated, cases()), start=1):
            print(f"\r{number} of {len(cases())} simulated", end="", file=sys.stderr, flush=True)
            yield count
    print(file=sys.stderr)


if __name__ == "__main__":
    write_whole(find_project().docs / FILE_NAME, write_rows(Count, _all_counts()))

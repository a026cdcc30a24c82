"""Steps: where a course of medians changes its level, by Apache Otava.

Otava (Fleming et al., "Hunter: Using Change Point Detection to Hunt for Performance Regressions", ICPE 2023)
parts a series by the E-divisive means of Matteson and James, and keeps the parts that Student's t-test tells
from their neighbours. It takes no account of how sure each median is, only of how the medians scatter.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata

import numpy as np

from actorbench.errors import UserError

MOST_P = 0.001  # of the t-test: Otava's own choice
WINDOW = 50  # commits that are looked at together: Otava's own choice, too
PACKAGE = "apache-otava"


@dataclass(frozen=True)
class Step:
    """A change of level: `place` is that of the first value after it; the levels are means."""

    place: int
    before: float
    after: float
    p_value: float

    @property
    def change(self) -> float:
        """The change as a fraction of the level before."""
        return self.after / self.before - 1


def find_steps(values: Sequence[float], least: float) -> list[Step]:
    """Find where the level of values (each over 0) changes by more than `least`, a fraction.

    Raises UserError where Otava is missing: no package can depend on it, for the old numpy that it pins.
    """
    try:
        from otava.analysis import compute_change_points  # noqa: PLC0415 - may be missing
    except ImportError as error:
        raise UserError(f"steps need Apache Otava: pip install --no-deps {PACKAGE} ({error})") from error
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # Values that are all the same, as of memory, have no scatter for the t-test to divide by.
        warnings.simplefilter("ignore", RuntimeWarning)
        found, _ = compute_change_points(
            list(values), window_len=WINDOW, max_pvalue=MOST_P, min_magnitude=least
        )
    return [
        Step(
            place=int(one.index),
            before=float(one.stats.mean_1),
            after=float(one.stats.mean_2),
            p_value=float(one.stats.pvalue),
        )
        for one in found
    ]


def how(least: float) -> str:
    """Say how steps are found."""
    version = metadata.version(PACKAGE)
    return (
        f"steps: change points by Apache Otava {version} (E-divisive means; Student's t-test, p under"
        f" {MOST_P}); a change of {100 * least:g} % or less is not told (--least)"
    )

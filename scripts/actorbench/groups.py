"""Groups: columns of a grid that belong together, each with the geometric mean of its ratios.

The mean of a group is that of its median ratios, as they are shown; its interval comes from resampling whole
rounds (`estimates.mean_ratio`), those that all of the group have. There is none where a column has no ratio:
means of fewer would not be comparable.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from actorbench.estimates import RESAMPLES, Method, Ratio, mean_ratio
from actorbench.ratios import Row
from actorbench.results import Results
from actorbench.wording import interval_heading

GEOMETRIC_MEAN = "geometric mean"


@dataclass(frozen=True)
class Mean:
    """The geometric mean of a candidate's ratios in a group; `trouble` says why there is none."""

    group: str
    label: str
    ratio: Ratio | None
    trouble: str = ""

    @property
    def is_undecided(self) -> bool:
        """Whether its interval holds 1, or it has none."""
        if self.ratio is None or self.ratio.low is None or self.ratio.high is None:
            return self.ratio is not None
        return self.ratio.low <= 1 <= self.ratio.high


def means_of(results: Results, rows: Sequence[Row]) -> list[Mean]:
    """Give the means of a grid's rows, by group and candidate in the order of the file; none if no groups."""
    groups = dict.fromkeys(row.reading.group for row in rows if row.reading.group)
    labels = dict.fromkeys(row.reading.label for row in rows)
    return [
        _mean(results, group, label, [row for row in rows if _place(row) == (group, label)])
        for group in groups
        for label in labels
    ]


def means_note(results: Results, rows: Sequence[Row]) -> list[str]:
    """Say how the means come about, if there are groups."""
    if not any(row.reading.group for row in rows):
        return []
    drawn = f"{RESAMPLES:,} resamples of whole rounds, seed {results.head.seed}"
    heading = interval_heading(Method.BOOTSTRAP)
    return [f"geometric mean: of a group's median ratios {heading}: {drawn}; not told apart: it holds 1"]


def _mean(results: Results, group: str, label: str, rows: Sequence[Row]) -> Mean:
    lacking = sum(row.ratio is None for row in rows)
    if lacking:
        return Mean(group, label, None, f"lacks {lacking} of {len(rows)}")
    paired = [results.paired_by_round(row.candidate, row.base, row.measure) for row in rows]
    rounds = sorted(set.intersection(*(set(one) for one in paired)))
    if not rounds:
        return Mean(group, label, None, "no round has all")
    logs = np.log([[one[number][0] / one[number][1] for number in rounds] for one in paired])
    return Mean(group, label, mean_ratio(logs, seed=results.head.seed, name=f"{group}, {label}"))


def _place(row: Row) -> tuple[str, str]:
    return row.reading.group, row.reading.label

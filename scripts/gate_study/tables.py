"""What the gates of a campaign show, as tables: alarms with their bounds, and noise.

All is computed from the campaign's head and its `gates.jsonl`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from math import exp, log
from statistics import median
from typing import Any

import numpy as np

from actorbench.gate.aa import NOTHING, alarm_table, percent
from actorbench.gate.deciding import GATED, Verdict
from actorbench.gate.history import TAIL
from actorbench.gate.running import COUNTED
from actorbench.measure import MEASURES
from actorbench.table import Column, Table
from gate_study.store import Campaign, GateEntry, Kind

TIME = GATED[0]


@dataclass(frozen=True)
class CellLines:
    """A cell's measure over the gates that measured it: the lines, as schemas/gate-1.json has them."""

    cell: str
    measure: str
    lines: tuple[dict[str, Any], ...]

    def ratios(self, arm: str) -> list[float]:
        """The ratios of the first batch; `arm` is "candidate" or "null"."""
        return [line["batches"][0][arm]["ratio"] for line in self.lines]

    def tail(self, arm: str) -> float:
        """The 95th percentile of the distance from 1, as a fraction, as the history takes it."""
        distances = [abs(log(ratio)) for ratio in self.ratios(arm)]
        return exp(float(np.quantile(distances, TAIL, method="higher"))) - 1

    def flagged(self, arm: str) -> int:
        """In how many gates the first batch was flagged."""
        return sum(bool(line["batches"][0][arm]["flagged"]) for line in self.lines)

    def of_verdict(self, verdict: Verdict) -> int:
        """How many lines have the verdict."""
        return sum(line["verdict"] == verdict.value for line in self.lines)

    def median(self, name: str) -> float | None:
        """The median of "delta" or "smallest_found", of the lines where it is known."""
        known = [line[name] for line in self.lines if line[name] is not None]
        return float(median(known)) if known else None

    def pairs(self) -> float:
        """The median number of pairs of the first batch."""
        return float(median(line["batches"][0]["candidate"]["pairs"] for line in self.lines))


def is_found(entry: GateEntry, slowed: str) -> bool:
    """Whether a planted slow-down was found: FAIL over all, and of the cell that it was calibrated by."""
    line = entry.line(slowed, TIME)
    return entry.verdict is Verdict.FAIL and (line is None or line["verdict"] == Verdict.FAIL.value)


def series_of(entries: Sequence[GateEntry]) -> list[CellLines]:
    """Collect the lines that have a batch, by cell and measure, in the order of the gates."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for line in chain.from_iterable(entry.lines for entry in entries):
        if line["batches"]:
            found.setdefault((line["cell"], line["measure"]), []).append(line)
    return [CellLines(cell, measure, tuple(lines)) for (cell, measure), lines in found.items()]


def campaign_table(campaign: Campaign, entries: Sequence[GateEntry]) -> Table:
    """How often a commit held against itself gave which verdict."""
    beside = ", beside a process that loads one CPU by turns" if campaign.kind is Kind.LOADED else ""
    judged = f"budget {campaign.settings.budget_s:g} s a gate"
    if campaign.settings.measures == COUNTED:
        judged = f"counts alone, a change of {percent(campaign.settings.count_delta)} or more is an alarm"
    return alarm_table(
        f"{len(entries)} of {campaign.total} A/A gates of {campaign.base} ({campaign.commit}){beside}",
        [entry.verdict for entry in entries],
        f"{judged}; median {median_seconds(entries)} s taken",
    )


def noise_table(entries: Sequence[GateEntry]) -> Table:
    """What each cell and measure showed over all gates."""
    return Table(
        "Each cell and measure, in the first batch of each gate",
        (
            Column("cell", numeric=False),
            Column("measure", numeric=False),
            Column("gates"),
            Column("pairs"),
            Column("flagged once"),
            Column("null flagged"),
            Column("FAIL"),
            Column("INCONCLUSIVE"),
            Column("95 % of candidates within"),
            Column("95 % of nulls within"),
            Column("delta"),
            Column("would find"),
        ),
        [_noise_row(series) for series in series_of(entries)],
        (
            "within: the distance from 1 of the ratio to the base. pairs, delta (what a median must exceed 1"
            " by), and would find (the smallest increase found in 9 of 10 tries): medians over the gates.",
            *(["The candidates were slowed on purpose."] if any(entry.asked for entry in entries) else []),
        ),
    )


def _noise_row(series: CellLines) -> list[str]:
    return [
        series.cell,
        MEASURES[series.measure].label,
        str(len(series.lines)),
        f"{series.pairs():g}",
        str(series.flagged("candidate")),
        str(series.flagged("null")),
        str(series.of_verdict(Verdict.FAIL)),
        str(series.of_verdict(Verdict.INCONCLUSIVE)),
        percent(series.tail("candidate")),
        percent(series.tail("null")),
        percent(series.median("delta")),
        percent(series.median("smallest_found")),
    ]


def median_seconds(entries: Sequence[GateEntry]) -> str:
    """The time that a gate took, in whole seconds."""
    return f"{median(entry.took_s for entry in entries):.0f}" if entries else NOTHING

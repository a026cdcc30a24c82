"""What a self-test shows, as tables: how often each slow-down was found, and what a small one would take."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from actorbench.gate.aa import NOTHING, Shares, percent
from actorbench.gate.affording import FIRST_SHARE
from actorbench.gate.deciding import FEWEST_PAIRS, Verdict
from actorbench.gate.power import MOST_PAIRS, pairs_wanted
from actorbench.table import Column, Table
from gate_study.store import Campaign, GateEntry
from gate_study.tables import (
    TIME,
    is_found,
    median_seconds,
    series_of,
)

FINER = 0.025  # the threshold with which FINEST could be found
FINEST = 0.05


def power_table(campaign: Campaign, entries: Sequence[GateEntry]) -> Table:
    """How often each planted slow-down was found."""
    assert campaign.calibration is not None
    slowed = campaign.slowed
    rows = []
    for slowdown in campaign.calibration.slowdowns:
        tries = [entry for entry in entries if entry.asked == slowdown.asked]
        shares, point = Shares.of(is_found(one, slowed) for one in tries), slowdown.achieved
        low, high = shares.interval
        seen = [one for one in series_of(tries) if (one.cell, one.measure) == (slowed, TIME)]
        rows.append(
            [
                f"{100 * slowdown.asked:g} %",
                f"{point.delay_ns:g}",
                f"{point.ratio:.3f} [{point.low:.3f}, {point.high:.3f}]",
                f"{median(seen[0].ratios('candidate')):.3f}" if seen else NOTHING,
                str(shares.count),
                str(shares.hits),
                f"{percent(shares.share)} [{percent(low)}, {percent(high)}]" if tries else NOTHING,
                str(sum(entry.verdict is Verdict.FAIL for entry in tries)),
                str(seen[0].of_verdict(Verdict.FAIL)) if seen else NOTHING,
                str(sum(entry.verdict is Verdict.INCONCLUSIVE for entry in tries)),
                median_seconds(tries),
            ]
        )
    return Table(
        f"{len(entries)} of {campaign.total} gates with every send slowed, of"
        f" {campaign.base} ({campaign.commit})",
        (
            Column("slow-down"),
            Column("delay (ns)"),
            Column("ratio, calibrated"),
            Column("ratio, in the gates"),
            Column("tries"),
            Column("found"),
            Column("share [95 %]"),
            Column("FAIL over all"),
            Column(f"FAIL {slowed}"),
            Column("INCONCLUSIVE"),
            Column("median seconds"),
        ),
        rows,
        (
            f"slow-down and ratios are those of {slowed}; found: FAIL over all, and of {slowed} if"
            " it is among the cells. Share: exact (Clopper-Pearson).",
            f"budget {campaign.settings.budget_s:g} s a gate; --delta {percent(campaign.settings.threshold)}",
            *(
                f"{100 * missed:g} % can't be had: without any delay it already takes"
                f" {campaign.calibration.steps[0].ratio:.3f} times as long"
                for missed in campaign.calibration.missed
            ),
        ),
    )


@dataclass(frozen=True)
class Need:
    """What finding FINEST takes in a cell: pairs a batch (None if the gate takes no such number)."""

    cell: str
    delta: float
    spread: float
    pairs: int | None
    round_s: float

    @property
    def batch_s(self) -> float | None:
        """What a batch takes, in seconds."""
        return None if self.pairs is None else self.pairs * self.round_s


def needs_of(entries: Sequence[GateEntry], threshold: float = FINER) -> list[Need]:
    """Say of each cell what finding a slow-down of FINEST as surely as planned takes, with this threshold.

    The tail of the null arms, as these gates showed it, stands for the history.
    """
    all_series = series_of(entries)
    found = []
    for series in (one for one in all_series if one.measure == TIME):
        cell = series.cell
        spread = median(entry.spreads[cell][TIME] for entry in entries if TIME in entry.spreads.get(cell, {}))
        delta = max(threshold, series.tail("null"))
        pairs = pairs_wanted(spread, delta, FINEST, tests=len(all_series), fewest=FEWEST_PAIRS)
        cost_s = median(entry.costs_s[cell] for entry in entries if entry.costs_s.get(cell))
        found.append(Need(cell, delta, spread, pairs if pairs < MOST_PAIRS else None, cost_s))
    return found


def budget_s(needs: Sequence[Need]) -> float | None:
    """The budget for these cells together, with which one of them can be confirmed; None if none is enough.

    A trial round, and then the first batch in its share of the budget, a confirming one in the rest.
    """
    batches = [need.batch_s for need in needs]
    known = [batch for batch in batches if batch is not None]
    if len(known) < len(batches) or not known:
        return None
    trial_s = sum(need.round_s for need in needs)
    return trial_s + max(sum(known) / FIRST_SHARE, max(known) / (1 - FIRST_SHARE))


def budget_table(campaign: Campaign, entries: Sequence[GateEntry]) -> Table:
    """What a slow-down of 5 % would take to be found."""
    needs = needs_of(entries)
    rows = [
        [
            need.cell,
            percent(need.delta),
            percent(need.spread),
            _pairs_text(need),
            _seconds(budget_s([need])),
        ]
        for need in needs
    ]
    possible = [need for need in needs if need.pairs is not None]
    if len(needs) > 1:
        rows.append(["all cells", NOTHING, NOTHING, NOTHING, _seconds(budget_s(needs))])
        if 0 < len(possible) < len(needs):
            cells = f"the {len(possible)} that can"
            rows.append([cells, NOTHING, NOTHING, NOTHING, _seconds(budget_s(possible))])
    threshold = campaign.settings.threshold
    return Table(
        f"The budget that a slow-down of {percent(FINEST)} would need, with --delta {percent(FINER)}",
        (
            Column("cell", numeric=False),
            Column("delta"),
            Column("scatter of a pair"),
            Column("pairs a batch"),
            Column("budget (s)"),
        ),
        rows,
        (
            *(_on_the_threshold(threshold) if threshold >= FINEST else ()),
            f"delta: the larger of {percent(FINER)} and the 95th percentile of the null arms of these gates."
            " budget: a first batch, and the confirmation of a cell, planned to find it in 99 of 100 tries.",
        ),
    )


def _on_the_threshold(threshold: float) -> list[str]:
    """Say why so small a slow-down is not found with a delta that is as large."""
    return [
        f"With a delta of {percent(threshold)}, a slow-down of {percent(FINEST)} lies on the threshold: a"
        " batch's median is over it in half of the tries at best, and twice running in a quarter, at any"
        " budget. A smaller delta finds it, if the noise allows."
    ]


def _pairs_text(need: Need) -> str:
    if need.pairs is not None:
        return str(need.pairs)
    return "no number" if need.delta >= FINEST else f"over {MOST_PAIRS}"


def _seconds(seconds: float | None) -> str:
    return "none is enough" if seconds is None else f"{seconds:.0f}"

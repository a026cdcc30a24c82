"""What the counts of a campaign's gates show, as tables: what was found of what was planted, and noise."""

from collections.abc import Sequence
from itertools import chain, combinations
from statistics import median
from typing import Any

from actorbench.counts.changes import Change
from actorbench.counts.counting import Count
from actorbench.counts.outputs import LABELS
from actorbench.gate.aa import Shares, percent
from actorbench.gate.deciding import Verdict
from actorbench.table import Column, Table
from gate_study.planting import MEASURES, Plant
from gate_study.store import Campaign, GateEntry


def is_named(entry: GateEntry, plant: Plant) -> bool:
    """Whether the gate fails, and names what was planted, in the cell in which it was."""
    line = entry.line(plant.cell, plant.measure)
    named = f"{plant.cell} {LABELS[plant.measure]}" in entry.gate["summary"]
    return (
        entry.verdict is Verdict.FAIL and named and line is not None and line["verdict"] == Verdict.FAIL.value
    )


def planted_table(campaign: Campaign, entries: Sequence[GateEntry]) -> Table:
    """How often what was planted was found, and named."""
    rows = []
    tries = [(entry, Plant(**campaign.plants[entry.number])) for entry in entries]
    for cell, place in dict.fromkeys((plant.cell, plant.place) for _, plant in tries):
        of_cell = [(entry, plant) for entry, plant in tries if (plant.cell, plant.place) == (cell, place)]
        plant = of_cell[0][1]
        lines = [entry.line(cell, plant.measure) for entry, _ in of_cell]
        ratios = [line["count"]["ratio"] for line in lines if line and line["count"]]
        shares = Shares.of(is_named(entry, plant) for entry, plant in of_cell)
        rows.append(
            [
                cell,
                place,
                f"{plant.number} (+{percent(plant.share)})",
                f"{median(ratios):.4f}" if ratios else "-",
                f"{shares.hits} of {shares.count}",
            ]
        )
    found = Shares.of(is_named(entry, plant) for entry, plant in tries)
    return Table(
        f"{LABELS[MEASURES[campaign.kind]]}, planted: found by name in {found.hits} of {found.count} gates of"
        f" {campaign.base} ({campaign.commit})",
        (
            Column("cell", numeric=False),
            Column("planted where it is", numeric=False),
            Column("planted"),
            Column("candidate/base"),
            Column("found"),
        ),
        rows,
        ("Found: FAIL, and the last line names cell and measure. Each gate has schedules of its own.",),
    )


def counts_table(campaign: Campaign, entries: Sequence[GateEntry]) -> Table:
    """How still the counts were over all gates."""
    by_name: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for line in chain.from_iterable(entry.lines for entry in entries):
        if line.get("count"):
            by_name.setdefault((line["cell"], line["measure"]), []).append(line)
    valgrind = campaign.document.get("versions", {}).get("valgrind")
    return Table(
        f"Counts an operation, in {len(entries)} gates of {campaign.base} ({campaign.commit})",
        (
            Column("cell", numeric=False),
            Column("measure", numeric=False),
            Column("gates"),
            Column("runs"),
            Column("base"),
            Column("spread in a gate"),
            Column("spread of the gates"),
            Column("farthest from base"),
            Column("would find"),
            Column("FAIL"),
            Column("gates told apart"),
        ),
        [_counts_row(cell, measure, lines) for (cell, measure), lines in by_name.items()],
        (
            "Of the base: the median over the gates, the distance from least to most of a gate's runs"
            " (median), and of the gates' medians. Farthest from base: the candidate's ratio. Gates told"
            " apart: the pairs whose bases would be said to differ; each gate has schedules of its own.",
            f"By {valgrind}; built by {campaign.facts.values['compiler']}.",
        ),
    )


def _counts_row(cell: str, measure: str, lines: Sequence[dict[str, Any]]) -> list[str]:
    bases = [Count(tuple(line["count"]["base"])) for line in lines]
    runs = [len(base.values) for base in bases]
    over_gates = Count(tuple(base.value for base in bases))
    told_apart = Shares.of(
        Change(one, other, lines[0]["delta"], lines[0]["count"]["level"]).moved != 0
        for one, other in combinations(bases, 2)
    )
    ratios = [line["count"]["ratio"] for line in lines]
    return [
        cell,
        LABELS[measure],
        str(len(lines)),
        " to ".join(str(number) for number in sorted({min(runs), max(runs)})),
        f"{over_gates.value:.4g}",
        spread_text(median(base.spread for base in bases)),
        spread_text(over_gates.spread),
        f"{max(ratios, key=lambda ratio: abs(ratio - 1)):.4f}",
        percent(median(line["smallest_found"] for line in lines)),
        str(sum(line["verdict"] == Verdict.FAIL.value for line in lines)),
        f"{told_apart.hits} of {told_apart.count}",
    ]


def spread_text(spread: float) -> str:
    """Write a spread in percent, with two digits down to a hundred-thousandth."""
    return f"{100 * spread:.2g} %" if spread == 0 or spread >= 1e-5 else "under 0.001 %"

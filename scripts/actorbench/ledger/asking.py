"""Asking: from a bound and a run to the statements that decide it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from actorbench.cell import Cell, Resolver
from actorbench.experiment import Experiment
from actorbench.ledger.claims import Bound, Claim, Needs
from actorbench.ledger.selecting import Asked, Lacking, Open, Planned, Sampled
from actorbench.ledger.statements import (
    Statement,
    Values,
    all_same,
    bounded,
    cases,
    gap,
    order,
    same,
    share,
    spread,
    trend,
)
from actorbench.measure import MEASURES
from actorbench.results import Results


def statements_of(results: Results, claim: Claim, bound: Bound) -> tuple[list[Statement], str]:
    """Find a run's samples for a bound, and state what it asks; raises Lacking or Open.

    Also gives how often the cells stole that are to, in words; empty if it is not about stealing.
    """
    if bound.lacks:
        raise Lacking(bound.lacks)
    if results.head.simulated and not claim.simulated:
        raise Lacking("a measurement: a simulated machine can't decide it")
    if missing := missing_needs(results, bound.needs):
        raise Lacking(missing)
    experiment = next((one for one in results.experiments if one.id == bound.experiment), None)
    if experiment is None:
        raise Open(f"{bound.experiment} was not measured")
    asked = Sampled(results, experiment, bound)
    statements = DECIDED_BY_SAMPLES[bound.kind](asked)
    if not statements:
        raise Open(f"{bound.experiment} has too few cells for it")
    return statements, asked.steals


def cells_asked(
    bounds: Iterable[Bound], cpus: int, experiments: Sequence[Experiment], resolver: Resolver
) -> set[Cell]:
    """Find the cells of experiments that bounds look at, on a machine with so many CPUs."""
    found: set[Cell] = set()
    by_id = {one.id: one for one in experiments}
    for bound in bounds:
        if bound.experiment in by_id:
            asked = Planned(resolver, cpus, by_id[bound.experiment], bound)
            with suppress(Lacking, Open):
                DECIDED_BY_SAMPLES[bound.kind](asked)
            found |= asked.seen.keys()
    return found


def missing_needs(results: Results, needs: Needs) -> str:
    """Say what a run's machine lacks of what a bound needs; empty if nothing."""
    head = results.head
    told = missing_parts(head.document.get("machine", {}), head.cpus, needs)
    built = {peer.name for peer in head.peers} | {cell.system for cell in head.plan.cells}
    if needs.peers and head.simulated:
        told.append(f"{', '.join(needs.peers)} (not simulated)")
    elif absent := [peer for peer in needs.peers if peer not in built]:
        told.append(f"{', '.join(absent)} (not built)")
    return ", ".join(told)


def missing_parts(facts: Mapping[str, Any], cpus: int, needs: Needs) -> list[str]:
    """Say what a machine of these facts, with so many usable CPUs, lacks of what can be counted."""
    packages, nodes, threads = _counted(facts)
    return [
        f"{wanted} {what} (it has {had})"
        for had, wanted, what in (
            (cpus, needs.workers, "CPUs"),
            (packages, needs.packages, "packages"),
            (nodes, needs.nodes, "NUMA nodes"),
            (threads, needs.threads, "hardware threads a core"),
        )
        if had < wanted
    ]


def _counted(facts: Mapping[str, Any]) -> tuple[int, int, int]:
    """Give the packages, the NUMA nodes and the hardware threads a core that a machine's facts tell of.

    A simulated machine's topology is in hwloc's words, such as "pack:2 numa:1 core:24 pu:2".
    """
    told = str(facts.get("topology") or "")
    if words := {level: int(count) for level, count in re.findall(r"(\w+):(\d+)", told)}:
        packages = words.get("pack", 1)
        return packages, packages * words.get("numa", 1), words.get("pu", 1)
    counts = {
        name: int(number) for name, number in re.findall(r"(packages|cores|hardware threads) (\d+)", told)
    }
    threads = counts.get("hardware threads", 1) // counts.get("cores", 1)
    return counts.get("packages", 1), int(facts.get("numa_nodes") or 1), threads


def _ratio(asked: Asked) -> list[Statement]:
    return [one for told, ratios in asked.ratios() for one in bounded(told, ratios, *asked.limits)]


def _same(asked: Asked) -> list[Statement]:
    if "rows" in asked.asks:
        return [one for told, ratios in asked.ratios() for one in same(told, ratios, asked.within)]
    return [
        one
        for told, cells in asked.at(asked.series(asked.asks["of"]))
        for one in all_same(
            {f"{label}{told}": values for label, values in asked.named(cells).items()}, asked.within
        )
    ]


def _gap(asked: Asked) -> list[Statement]:
    unit = asked.measure.unit
    return [
        one
        for _, cells in asked.at(asked.series(asked.asks["of"]))
        for one in gap(asked.named(cells), asked.within, unit)
    ]


def _order(asked: Asked) -> list[Statement]:
    groups = [asked.series(group) for group in asked.asks["order"]]
    factors = asked.asks.get("factors", [1.0] * (len(groups) - 1))
    found = []
    for told, cells in asked.at({label: cells for group in groups for label, cells in group.items()}):
        values = asked.named(cells)
        labelled = [{f"{label}{told}": values[label] for label in group} for group in groups]
        found += order(labelled, factors)
    return found


def _trend(asked: Asked) -> list[Statement]:
    found = []
    for label, cells in asked.series(asked.asks["of"]).items():
        counts = [count for count in cells if count]
        bottom = asked.asks.get("bottom")
        if len(counts) < 2 or (bottom and not min(counts) < bottom < max(counts)):
            raise Open(f"{asked.experiment.id} has too few counts of workers")
        values = dict(zip(counts, asked.values([cells[count] for count in counts]), strict=True))
        found += trend(
            label,
            values,
            asked.asks["shape"],
            within=asked.within,
            most=asked.asks.get("at_most"),
            bottom=bottom,
        )
    return found


def _spread(asked: Asked) -> list[Statement]:
    return [
        one
        for told, above, below in asked.pairs()
        for one in spread(f"spread of {told}", above, below, *asked.limits)
    ]


def _counter(asked: Asked) -> list[Statement]:
    per = MEASURES[asked.asks["per"]] if "per" in asked.asks else None
    found = []
    for told, cells in asked.at(asked.series(asked.asks["of"])):
        for label, cell in cells.items():
            says = f"{label}{told}: {asked.measure.label}"
            if per is None:
                (numbers,) = asked.values([cell], may_be_0=True)
                found += bounded(says, numbers, *asked.limits, asked.measure.unit)
                continue
            above, below = asked.read([(cell, asked.measure), (cell, per)], may_be_0=True)
            if (below == 0).any():
                raise Open(f"a {per.label} of 0 was recorded")
            found += bounded(f"{says} / {per.label}", above / below, *asked.limits)
    return found


def _share(asked: Asked) -> list[Statement]:
    sides = [asked.series(asked.asks[name]) for name in ("of", "without", "whole")]
    fast, without, whole = (next(iter(side)) for side in sides)
    every = {label: cells for side in sides for label, cells in side.items()}
    found = []
    for told, cells in asked.at(every):
        values = asked.values([cells[fast], cells[without], cells[whole]])
        found += share(f"{fast} against {whole}{told}", values[0], values[1], values[2], *asked.limits)
    return found


def _cases(asked: Asked) -> list[Statement]:
    pairs = list(asked.rows())
    values = asked.read([(cell, one.measure) for one in pairs for cell in (one.above, one.below)])
    by_case: dict[str, list[Values]] = {}
    for one, above, below in zip(pairs, values[::2], values[1::2], strict=True):
        by_case.setdefault(one.column or one.label, []).append(above / below)
    return cases(", ".join(dict.fromkeys(one.label for one in pairs)), [*by_case.values()], *asked.limits)


DECIDED_BY_SAMPLES: Mapping[str, Callable[[Asked], list[Statement]]] = {
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

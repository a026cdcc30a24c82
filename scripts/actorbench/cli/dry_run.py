"""`--dry-run` of sweep and figures, and `explain`: what would be measured, and how long it would take."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rich.console import Console

from actorbench.cell import Cell
from actorbench.earlier import Known, costs_of_earlier_runs
from actorbench.experiment import Experiment
from actorbench.launch import Proposal, with_budget
from actorbench.machine.facts import Facts
from actorbench.project import Project
from actorbench.stopping import span_text
from actorbench.table import Column, Table
from actorbench.text import counted

MOST_RUNS_NAMED = 3


def show_dry_run(project: Project, proposal: Proposal, console: Console) -> None:
    """Print what would be measured, by experiment, and the time, if earlier runs tell it."""
    known = costs_of_earlier_runs(project, list(proposal.cells))
    lead: list[str] = []
    if proposal.follows_budget and known.costs:
        lead.append("a calibration comes first, and decides the amounts; by earlier runs it would say:")
        proposal = with_budget(proposal, known.costs, proposal.request.budget_s or 0)
        by_question = {cell.question: cost for cell, cost in known.costs.items()}
        costs = {cell: by_question[cell.question] for cell in proposal.cells}
        known = replace(known, costs=costs)
        lead += proposal.told
    columns = [Column("experiment", numeric=False), Column("cells"), Column("workers", numeric=False)]
    columns += [Column("samples a cell"), Column("time"), Column("amounts", numeric=False)]
    rows = [_row(proposal, known, experiment) for experiment in proposal.request.experiments]
    notes = ["a cell that several experiments show is measured once, and counts in each"]
    notes += [f"skipped: {system}: {why}" for system, why in proposal.skipped.items()]
    notes += _settings(proposal)
    notes += proposal.shortages
    notes += _total(proposal, known)
    Table("What would be measured", columns, rows, notes, lead).print(console)


def show_cells(project: Project, proposal: Proposal, console: Console) -> None:
    """Print the cells of each experiment: what shows them, the command with its amounts, and the time."""
    known = costs_of_earlier_runs(project, list(proposal.cells))
    columns = [
        Column("cell", numeric=False),
        Column("shown as", numeric=False),
        Column("samples"),
        Column("time"),
    ]
    for experiment in proposal.request.experiments:
        rows = [
            [cell.key, _first_of(labels), str(proposal.cells[cell]), _span(proposal, known, [cell])]
            for cell, labels in _cells(proposal, experiment).items()
        ]
        claims = f"claims: {', '.join(experiment.claims)}" if experiment.claims else ""
        notes = [part for part in (f"kind: {experiment.kind}", claims, experiment.note) if part]
        Table(f"{experiment.id}: {experiment.title}", columns, rows, notes).print(console)


def _cells(proposal: Proposal, experiment: Experiment) -> dict[Cell, list[str]]:
    """Give the cells of an experiment that would be measured, each with the labels that show it."""
    named = [(series.label, series.setting) for series in experiment.series]
    for row in experiment.comparisons:
        label = ", ".join(part for part in (row.reading.column, row.reading.label) if part)
        named += [(f"candidate of {label}", row.candidate), (f"base of {label}", row.base)]
    found: dict[Cell, list[str]] = {}
    for label, setting in named:
        for cell in proposal.resolver.cells(experiment, setting):
            if cell in proposal.cells:
                found.setdefault(cell, []).append(label)
    return found


def _first_of(labels: Sequence[str]) -> str:
    more = len(labels) - 1
    return f"{labels[0]}, and {more} more" if more else labels[0]


def _span(proposal: Proposal, known: Known, cells: Sequence[Cell]) -> str:
    return span_text(_seconds(proposal, known, cells)) if known.costs else "?"


def _row(proposal: Proposal, known: Known, experiment: Experiment) -> list[str]:
    from actorbench.scales import scales_text

    cells = list(_cells(proposal, experiment))
    if not cells:
        return [experiment.id, "0", "", "", "", "nothing"]
    counts = sorted({proposal.cells[cell] for cell in cells})
    samples = " to ".join(dict.fromkeys((str(counts[0]), str(counts[-1]))))
    workers = sorted({cell.workers for cell in cells if cell.workers is not None})
    took = _span(proposal, known, cells)
    shown = ",".join(map(str, workers)) or "-"
    return [experiment.id, str(len(cells)), shown, samples, took, scales_text(cells)]


def _settings(proposal: Proposal) -> list[str]:
    workers = ",".join(map(str, proposal.workers.counts))
    why = f" ({proposal.workers.why})" if proposal.workers.why else ""
    lines = [f'preset {proposal.request.preset}; "1..all" stands for {workers}{why}']
    if proposal.request.pin:
        lines.append(
            f"--pin {proposal.request.pin} in place of the experiments'; peers place their own threads"
        )
    machine, cpus = proposal.request.machine, proposal.facts.usable_cpus
    if machine is not None:
        cpus = machine.units
        lines.append(f"simulated, not measured: machine {machine.name}")
    over = sum(cell.workers is not None and cell.workers > cpus for cell in proposal.cells)
    if over:
        lines.append(f"oversubscribed, more workers than the {counted(cpus, 'CPU')}: {counted(over, 'cell')}")
    return lines


def _total(proposal: Proposal, known: Known) -> list[str]:
    samples = sum(proposal.cells.values())
    total = f"{counted(len(proposal.cells), 'cell')}, {counted(samples, 'sample')}"
    if not known.costs:
        return [
            f"{total}; how long they take is not known: no run in results/ has measured anything like them"
        ]
    took = span_text(_seconds(proposal, known, proposal.cells))
    budget_s = proposal.request.budget_s
    if budget_s and not proposal.follows_budget:
        took += f" at the preset's samples; --budget takes the rounds that fit {span_text(budget_s)}"
    origins = "; ".join(f"{count} by {name}" for name, count in known.origins.items())
    return [
        f"{total}: about {took}",
        f"estimated from earlier runs, in proportion to the amounts: {origins}",
        f"runs: {', '.join(_named(known, proposal.facts))}",
        "this machine may be faster or slower by now; a sweep tells the time left as it goes",
    ]


def _seconds(proposal: Proposal, known: Known, cells: Iterable[Cell]) -> float:
    return sum(known.costs[cell].at(cell.scale) * proposal.cells[cell] for cell in cells)


def _named(known: Known, facts: Facts) -> Sequence[str]:
    here = str(facts.values.get("cpu_model"))
    shown = [name + ("" if cpu == here else f" (on another CPU, {cpu})") for name, cpu in known.runs.items()]
    more = len(shown) - MOST_RUNS_NAMED
    return shown if more <= 0 else [*shown[:MOST_RUNS_NAMED], f"and {more} more"]

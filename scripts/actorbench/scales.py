"""How much work cells do, in words: their scales, and in operations where systems differ."""

from collections.abc import Iterable, Sequence

from actorbench.cell import Cell
from actorbench.experiment import Experiment
from actorbench.results import Results


def scales_text(cells: Iterable[Cell]) -> str:
    """Write the scales of cells: "scale 1", or each with the workload; a system's own with its name."""
    cells = list(cells)
    systems: dict[tuple[str, float], set[str]] = {}
    for cell in cells:
        systems.setdefault((cell.workload, cell.scale), set()).add(cell.system)
    if len({scale for _, scale in systems}) == 1:
        return f"scale {cells[0].scale:g}"
    told = []
    for (workload, scale), named in sorted(systems.items()):
        alone = sum(other == workload for other, _ in systems) == 1
        told.append(
            f"{scale:g} ({workload})" if alone else f"{scale:g} ({workload}: {', '.join(sorted(named))})"
        )
    return "scale " + ", ".join(told)


def amounts_note(results: Results, experiment: Experiment) -> list[str]:
    """Say how many operations a sample of each system has, where a workload has more than one scale."""
    cells = [
        cell for setting in experiment.settings() for cell in results.resolver.cells(experiment, setting)
    ]
    titles = {system.name: system.title for system in results.head.peers}
    lines = []
    for workload in dict.fromkeys(cell.workload for cell in cells):
        by_system: dict[str, list[Cell]] = {}
        for cell in cells:
            if cell.workload == workload:
                by_system.setdefault(cell.system, []).append(cell)
        if len({cell.scale for here in by_system.values() for cell in here}) > 1:
            told = (f"{titles.get(name, name)} {_operations(results, by_system[name])}" for name in by_system)
            lines.append(f"operations a sample ({workload}): {', '.join(told)}")
    return lines


def _operations(results: Results, cells: Sequence[Cell]) -> str:
    counts = {record.operations for cell in cells for record in results.result(cell).records().values()}
    if not counts:
        return "none"
    return " to ".join(dict.fromkeys(f"{count:,}" for count in (min(counts), max(counts))))

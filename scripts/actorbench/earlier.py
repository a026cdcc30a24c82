"""What samples cost by earlier runs: for an estimate of how long a sweep takes, without measuring.

The newest run that knows a cell's command tells, at whatever scale it was measured; where none knows it,
cells that are like it do. It is no more than an estimate: the machine may be another by now, or slower.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from actorbench.amounts import Cost
from actorbench.cell import Cell
from actorbench.errors import UserError
from actorbench.project import Project
from actorbench.record import Record
from actorbench.simulated.sampling import CONFIG, at_once
from actorbench.store import Run, all_runs

EXACT = "the same command"
# What a cell may have in common with one that was measured, from most to least.
LIKENESS: Mapping[str, Callable[[Cell], object]] = {
    EXACT: lambda c: (c.system, c.config, c.design, c.workload, c.workers, c.options, c.parameters, c.own),
    "the same program with other options": lambda c: (
        c.system,
        c.design,
        c.workload,
        c.workers,
        c.parameters,
    ),
    "the same system and workload": lambda c: (c.system, c.workload),
    "the same workload in another system": lambda c: c.workload,
}
UNKNOWN = "the mean of the others"


@dataclass(frozen=True)
class Known:
    """Costs of cells by earlier runs; how many cells came from what; the runs used and their CPU's model."""

    costs: Mapping[Cell, Cost]
    origins: Mapping[str, int]
    runs: Mapping[str, str]


def costs_of_earlier_runs(project: Project, cells: Sequence[Cell]) -> Known:
    """Estimate what samples of the cells cost from the runs in results/; none if none tells."""
    simulated = any(cell.build.startswith(CONFIG) for cell in cells)
    found: dict[str, dict[object, list[Cost]]] = {name: {} for name in LIKENESS}
    used: dict[str, str] = {}
    for run in reversed(all_runs(project)):
        if {LIKENESS[EXACT](cell) for cell in cells} <= found[EXACT].keys():
            break
        cpu, measured = _costs_of(run, {cell.workload for cell in cells}, simulated=simulated)
        for name, key in LIKENESS.items():
            alike: dict[object, list[Cost]] = defaultdict(list)
            for cell, cost in measured:
                if key(cell) not in found[name]:
                    alike[key(cell)].append(cost)
            found[name].update(alike)
            if alike:
                used[run.name] = cpu
    costs: dict[Cell, Cost] = {}
    origins = Counter[str]()
    for cell in cells:
        name = next((name for name, key in LIKENESS.items() if key(cell) in found[name]), UNKNOWN)
        origins[name] += 1
        if name != UNKNOWN:
            alike_ones = found[name][LIKENESS[name](cell)]
            costs[cell] = Cost(
                median(one.fixed_s for one in alike_ones), median(one.work_s for one in alike_ones)
            )
    if costs:
        mean_s = fmean(cost.at(cell.scale) for cell, cost in costs.items())
        costs = {cell: costs.get(cell, Cost(mean_s, 0)) for cell in cells}
    return Known(costs, {name: origins[name] for name in (*LIKENESS, UNKNOWN) if origins[name]}, used)


def _costs_of(run: Run, workloads: set[str], *, simulated: bool) -> tuple[str, list[tuple[Cell, Cost]]]:
    """The CPU of a run, and what each of its samples of the workloads cost; of a sweep alone.

    Runs that simulate tell nothing of what is measured, and the other way round.
    """
    try:
        head, samples = run.head(), run.samples()
    except UserError:
        return "", []
    if bool(head.simulated) != simulated:
        return "", []
    cells = {cell.key: cell for cell in head.plan.cells if cell.workload in workloads}
    costs = [
        (cells[sample.key], _cost(sample.wall_ns, sample.record, cells[sample.key].scale))
        for sample in samples
        if sample.key in cells and sample.ok and sample.record
    ]
    machine = head.document["machine"]
    return str(machine.get("cpu_model", "unknown CPU")), costs


def _cost(wall_ns: int, record: Record, scale: float) -> Cost:
    """Tell what is done once from what grows with the work; of a simulation, of several at once, all does."""
    if record.machine:
        return Cost(0.0, wall_ns / 1e9 / scale / at_once())
    return Cost((wall_ns - record.elapsed_ns) / 1e9, record.elapsed_ns / 1e9 / scale)

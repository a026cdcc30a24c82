"""Amounts that follow a budget: how much work the samples of each workload do, so that a run fits its time.

A workload gets one scale, for all systems, designs, options and worker counts alike, since what is compared
has to do the same; a system that does a part of the others' amount keeps its part. All workloads get the same
time a cell, on the average of their cells, as far as the preset's amounts reach: a budget makes them smaller,
never larger. No speed is presumed: what a sample costs here and now comes from a calibration.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from actorbench.cell import Cell
from actorbench.preset import Preset
from actorbench.rules import FLOOR
from actorbench.stopping import span_text

# The timed span of a workload's quickest cell is no shorter: five ticks of a kernel of 250 Hz, so that one
# preemption, or what it takes to wake the workers, does not decide what a sample says.
SHORTEST_S = 0.02
# Nor is there less work than this share of the preset's: a calibration has tried that, and with less to do a
# workload may do as much (there is no half a round).
SMALLEST_SHARE = 0.1
SPARE = 1.1  # rounds may take longer than was thought, and are not to be fewer for it
HALVINGS = 60


@dataclass(frozen=True)
class Cost:
    """What a sample takes, in seconds: `fixed_s` outside of the timed span, `work_s` in it at scale 1."""

    fixed_s: float
    work_s: float

    def at(self, scale: float) -> float:
        """The time of a sample at a scale."""
        return self.fixed_s + self.work_s * scale


@dataclass(frozen=True)
class Amounts:
    """Scales by workload (those that a budget has changed), for so many rounds, and what to tell of them."""

    scale: Mapping[str, float]
    rounds: int
    lines: tuple[str, ...]


def fit_amounts(preset: Preset, costs: Mapping[Cell, Cost], budget_s: float, rounds: int) -> Amounts:
    """Choose the scales at which so many rounds of the cells fit the budget, or nearly so.

    Where the smallest sound amounts do not fit, there are fewer rounds, but not less than FLOOR (or `rounds`,
    if that is less still). A cell whose experiment states its scale keeps it.
    """
    room_s = budget_s / SPARE
    at_preset = _round_s(costs, lambda cell: cell.scale)
    told = f"at the amounts of preset {preset.name} {rounds} rounds take {span_text(rounds * at_preset)}"
    if rounds * at_preset <= room_s:
        return Amounts({}, rounds, (f"{told}: they fit {span_text(budget_s)}",))
    fit = _Fit(preset, costs)
    least = min(rounds, FLOOR)
    smallest_s = fit.round_s(0)
    count = next((n for n in range(rounds, least, -1) if n * smallest_s <= room_s), least)
    low, high = 0.0, max(cost.work_s * cell.scale for cell, cost in costs.items())
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if count * fit.round_s(middle) <= room_s else (low, middle)
    scale = {name: value for name, value in fit.scales(low).items() if value < preset.scale[name]}
    lines = [f"{told}, too long for {span_text(budget_s)}"]
    lines += [f"amounts made smaller: {_listed(scale, preset)}"] if scale else []
    if count < rounds:
        lines.append(f"{count} rounds in place of {rounds}: smaller samples would not be sound")
    if count * smallest_s > budget_s:
        took = span_text(count * smallest_s)
        lines.append(
            f"warning: even so they take about {took}, more than {span_text(budget_s)}: fewer cells"
            " (name experiments, --only, --workers) or a larger --budget would fit"
        )
    return Amounts(scale, count, tuple(lines))


def _round_s(costs: Mapping[Cell, Cost], scale_of: Callable[[Cell], float]) -> float:
    return sum(cost.at(scale_of(cell)) for cell, cost in costs.items())


def _listed(scale: Mapping[str, float], preset: Preset) -> str:
    told = (f"{name} {value:g} of {preset.scale[name]:g}" for name, value in sorted(scale.items()))
    return ", ".join(told)


class _Fit:
    """The scales as a function of the time that a cell is to take on the average."""

    def __init__(self, preset: Preset, costs: Mapping[Cell, Cost]) -> None:
        self.preset = preset
        self.costs = costs
        work: dict[str, list[float]] = defaultdict(list)  # at scale 1 of the workload
        for cell, cost in costs.items():
            if self._follows(cell):
                work[cell.workload].append(cost.work_s * preset.share(cell.workload, cell.system))
        self.work = {name: times for name, times in work.items() if min(times) > 0}

    def _follows(self, cell: Cell) -> bool:
        """Whether the cell's scale is the preset's, not its experiment's own."""
        scale, share = self.preset.scale, self.preset.share(cell.workload, cell.system)
        return cell.workload in scale and abs(cell.scale - share * scale[cell.workload]) <= 1e-9 * cell.scale

    def scales(self, mean_s: float) -> dict[str, float]:
        """The scale of each workload at which its cells work so long on the average, within its bounds."""
        found = {}
        for name, times in self.work.items():
            wanted = max(mean_s * len(times) / sum(times), SHORTEST_S / min(times))
            most = self.preset.scale[name]
            found[name] = min(most, max(most * SMALLEST_SHARE, float(f"{wanted:.3g}")))
        return found

    def round_s(self, mean_s: float) -> float:
        """What a round takes with those scales."""
        scales = self.scales(mean_s)

        def scale_of(cell: Cell) -> float:
            if cell.workload not in scales or not self._follows(cell):
                return cell.scale
            return scales[cell.workload] * self.preset.share(cell.workload, cell.system)

        return _round_s(self.costs, scale_of)

"""Noise: what the samples of a run say of those among them that took far longer than others of their cell.

What is known of a sample beside its time: the CPU time that the kernel counted for it, the time that the
hypervisor took from all CPUs, how often the kernel took a CPU away or a thread gave it up, and the page
faults (disturbance.py). Not known are a CPU's frequency, and what runs on the other thread of its core. A
slow sample was

- disturbed by *steal*, if the hypervisor took more than `--void-disturbed` would let pass,
- *busy longer*, if its CPU time grew with its time: the same work took the processor longer, or it was more,
- *waiting* otherwise: its threads slept, or queued for a CPU.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median

from actorbench.disturbance import MOST_STEAL
from actorbench.ratios import workers_text
from actorbench.results import Results
from actorbench.sample import Sample
from actorbench.table import Column, Table

SLOW = 1.5  # times the cell's median
BANDS_S = (0.0, 0.02, 0.05, 0.2, float("inf"))  # of the cells' medians
REASONS = ("steal", "busy longer", "waiting")
SEEN = {  # medians that a disturbance has
    "switches_per_s": "switches (1/s)",
    "waits_per_s": "waits (1/s)",
    "page_faults": "page faults",
    "handover_ns": "hand-over (ns)",
}
APART = (1, 5, 20, 80)  # samples, within a round


@dataclass(frozen=True)
class Residual:
    """A sample against its cell's medians: `time` and `cpu` are ratios, `typical_s` is the median itself."""

    sample: Sample
    workers: int
    typical_s: float
    time: float
    cpu: float

    @property
    def is_slow(self) -> bool:
        """Whether it took far longer than half of its cell's samples."""
        return self.time > SLOW

    @property
    def is_fast(self) -> bool:
        """Whether half of its cell's samples took far longer."""
        return self.time * SLOW < 1

    @property
    def why(self) -> str:
        """What a slow sample was, by what was seen of it."""
        if (_seen(self, "steal_share") or 0) > MOST_STEAL:
            return "steal"
        return "busy longer" if self.cpu > self.time**0.5 else "waiting"


def residuals_of(results: Results) -> list[Residual]:
    """Give the samples of all cells that have an estimate, in the order of rounds and positions."""
    found = []
    for result in results.by_cell.values():
        records = result.records()
        if not records:
            continue
        typical_ns = median(record.elapsed_ns for record in records.values())
        typical_cpu_ns = median(record.cpu_ns for record in records.values())
        found += [
            Residual(
                sample,
                sample.record.workers,
                typical_ns / 1e9,
                sample.record.elapsed_ns / typical_ns,
                sample.record.cpu_ns / typical_cpu_ns if typical_cpu_ns else 1.0,
            )
            for sample in result.samples
            if sample.record
        ]
    return sorted(found, key=lambda one: (one.sample.round, one.sample.position))


def noise_table(results: Results) -> Table:
    """Count the slow and fast samples of a run, by workers and length, and say what the slow ones were."""
    every = residuals_of(results)
    groups = [("all samples", every)]
    for workers in sorted({one.workers for one in every}):
        groups.append((workers_text(workers), [one for one in every if one.workers == workers]))
    for low, high in pairwise(BANDS_S):
        groups.append((_band_text(low, high), [one for one in every if low <= one.typical_s < high]))
    seen = {name: text for name, text in SEEN.items() if any(_seen(one, name) is not None for one in every)}
    columns = [Column("", numeric=False), Column("samples"), Column("fast (%)"), Column("slow (%)")]
    columns += [Column(f"slow: {why}") for why in REASONS]
    columns += [Column(text) for text in seen.values()]
    rows = [[label, *_counted(group, list(seen))] for label, group in groups if group]
    notes = [
        f"slow: over {SLOW} times the median of the cell; fast: the median is over {SLOW} times that; steal:"
        f" the hypervisor took over {MOST_STEAL:.0%} of the CPU time; busy longer: the CPU time grew with the"
        " time; waiting: it did not",
        *([f"{', '.join(seen.values())}: medians of fast / slow / other samples"] if seen else []),
        *_shared_note(every),
    ]
    return Table(f"Slow samples of run {results.name}", columns, rows, notes)


def shared_by_distance(every: Sequence[Residual]) -> list[tuple[int, float]]:
    """Give how far apart two samples of a round typically are, against their cells, by their distance in it.

    Samples that share what disturbs them are alike: 1 is alike, 1.1 is a tenth apart (the median).
    """
    rounds = [list(group) for _, group in groupby(every, key=lambda one: one.sample.round)]
    found = []
    for apart in APART:
        ratios = [
            max(one.time / other.time, other.time / one.time)
            for samples in rounds
            for one, other in zip(samples, samples[apart:], strict=False)
        ]
        if ratios:
            found.append((apart, median(ratios)))
    return found


def _counted(group: Sequence[Residual], seen: Sequence[str]) -> list[str]:
    fast = [one for one in group if one.is_fast]
    slow = [one for one in group if one.is_slow]
    rest = [one for one in group if not one.is_fast and not one.is_slow]
    reasons = [str(sum(one.why == why for one in slow)) for why in REASONS]
    shares = [f"{100 * len(some) / len(group):.1f}" for some in (fast, slow)]
    medians = [" / ".join(_median_text(some, name) for some in (fast, slow, rest)) for name in seen]
    return [str(len(group)), *shares, *reasons, *medians]


def _seen(one: Residual, name: str) -> float | None:
    return (one.sample.disturbance or {}).get(name)


def _median_text(group: Sequence[Residual], name: str) -> str:
    values = [value for value in (_seen(one, name) for one in group) if value is not None]
    return f"{median(values):,.0f}" if values else "-"


def _shared_note(every: Sequence[Residual]) -> list[str]:
    shared = shared_by_distance(every)
    if not shared:
        return []
    said = ", ".join(f"{ratio:.3f} at {apart}" for apart, ratio in shared)
    return [
        f"two samples of a round, each against its cell's median, differ by a factor of (median) {said} apart"
    ]


def _band_text(low: float, high: float) -> str:
    if high == float("inf"):
        return f"cells of {1000 * low:g} ms and more"
    return f"cells of {1000 * low:g} to {1000 * high:g} ms" if low else f"cells under {1000 * high:g} ms"

"""Disturbances: what other than the program shaped a sample, and the rule that voids a sample for it.

Every sample keeps what was seen: CPU time stolen by the hypervisor, pressure on the CPUs, throttling, how
often the kernel took a CPU away or a thread gave it up, page faults, and what a
hand-over between CPUs took (noise.py reads them). No sample is
voided unless `--void-disturbed` was given before the first: a rule that is always on would throw away what is
normal on a busy machine, and hide it. The limits below are wide, so that only what is plainly not the
program's own is voided; a sample's value plays no part (statistics rules, "Samples"). A disturbed sample
voids its whole round, since a cell is compared with those measured beside it: what was taken of the round is
kept and does not count, and the round is taken again at the end of the plan, at most MOST_REPEATS times; the
last one counts however it was disturbed. Migrations are not seen: the kernel counts them for a process that
still lives only.
"""

import os
import re
import resource
from dataclasses import asdict, dataclass, replace
from typing import Any

from actorbench.handover import FAR
from actorbench.machine.sources import Sources
from actorbench.plan import Slot
from actorbench.sample import Sample

MOST_REPEATS = 2
MOST_STEAL = 0.02  # of the CPU time of all CPUs
MOST_PRESSURE = 0.25  # of the time, some task waited for a CPU; of cells that are not oversubscribed
MOST_SWITCHES = 500.0  # a second and CPU, involuntary; of cells that are not oversubscribed
SHORTEST_S = 0.1  # the clock of steal time ticks each 10 ms, so shorter samples can't be told about
LIMITS = (
    f"steal over {MOST_STEAL:.0%}, any throttling, and where no cell is oversubscribed pressure over"
    f" {MOST_PRESSURE:.0%} or {MOST_SWITCHES:g} involuntary switches a second and CPU; samples of at least"
    f" {SHORTEST_S:g} s; and samples of any length where a hand-over between CPUs takes {FAR:g} times what is"
    f" usual in the run, or as small a part; at most {MOST_REPEATS} repeats of a round"
)


@dataclass(frozen=True)
class Counters:
    """The kernel's counters at a moment; None where it has none."""

    steal_ticks: int | None
    pressure_us: int | None
    throttled: int | None
    switches: int
    waits: int = 0
    faults: int = 0


@dataclass(frozen=True)
class Disturbance:
    """What happened during a sample: shares of its time, events, and switches and waits a second and CPU."""

    steal_share: float | None
    pressure_share: float | None
    throttled: int | None
    switches_per_s: float
    waits_per_s: float = 0.0
    page_faults: int = 0
    handover_ns: float | None = None  # before and after the sample (handover.py)

    def to_json(self) -> dict[str, Any]:
        """Write it as JSON, for the store; without the hand-over, if it was not probed."""
        return {name: value for name, value in asdict(self).items() if (name, value) != ("handover_ns", None)}


def read_counters(sources: Sources) -> Counters:
    """Read the counters now; switches, waits and faults are of the processes that the driver has ended."""
    stat = re.match(r"cpu\s+([\d ]+)", sources.text("/proc/stat") or "")
    ticks = stat[1].split() if stat else []
    pressure = re.search(r"^some .*total=(\d+)", sources.text("/proc/pressure/cpu") or "", re.MULTILINE)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Counters(
        steal_ticks=int(ticks[7]) if len(ticks) > 7 else None,
        pressure_us=int(pressure[1]) if pressure else None,
        throttled=_throttled(sources),
        switches=ended.ru_nivcsw,
        waits=ended.ru_nvcsw,
        faults=ended.ru_minflt + ended.ru_majflt,
    )


def between(before: Counters, after: Counters, *, wall_ns: int, cpus: int) -> Disturbance:
    """Say what happened between two readings, `wall_ns` apart."""
    seconds = max(wall_ns, 1) / 1e9
    steal = _difference(before.steal_ticks, after.steal_ticks)
    pressure = _difference(before.pressure_us, after.pressure_us)
    return Disturbance(
        steal_share=None if steal is None else steal / os.sysconf("SC_CLK_TCK") / seconds / cpus,
        pressure_share=None if pressure is None else pressure / 1e6 / seconds,
        throttled=_difference(before.throttled, after.throttled),
        switches_per_s=(after.switches - before.switches) / seconds / cpus,
        waits_per_s=(after.waits - before.waits) / seconds / cpus,
        page_faults=after.faults - before.faults,
    )


def why_void(seen: Disturbance, *, wall_ns: int, oversubscribed: bool) -> str | None:
    """Say in a few words why a sample is to be voided; None if it stands."""
    if wall_ns < SHORTEST_S * 1e9:
        return None
    if seen.throttled:
        return f"throttled {seen.throttled} times"
    if seen.steal_share is not None and seen.steal_share > MOST_STEAL:
        return f"steal {seen.steal_share:.1%}"
    if oversubscribed:
        return None
    if seen.pressure_share is not None and seen.pressure_share > MOST_PRESSURE:
        return f"pressure {seen.pressure_share:.0%}"
    if seen.switches_per_s > MOST_SWITCHES:
        return f"{seen.switches_per_s:.0f} involuntary switches a second"
    return None


def marked(
    sample: Sample, seen: Disturbance, slot: Slot, *, cpus: int, repeats_left: bool, far: str | None = None
) -> Sample:
    """Keep what was seen with a sample, and void it if the rule says so; a failure is never voided.

    `far` says that a hand-over did not take what is usual.
    """
    oversubscribed = (slot.cell.workers or 1) > cpus
    why = why_void(seen, wall_ns=sample.wall_ns, oversubscribed=oversubscribed) or far
    voided = why if repeats_left and sample.ok else None
    return replace(sample, disturbance=seen.to_json(), voided=voided)


def _throttled(sources: Sources) -> int | None:
    """How often the cgroup's quota or the heat has halted or slowed the CPUs."""
    quota = re.search(r"^nr_throttled (\d+)", sources.text("/sys/fs/cgroup/cpu.stat") or "", re.MULTILINE)
    heat = sources.number("/sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count")
    known = [int(quota[1])] if quota else []
    known += [heat] if heat is not None else []
    return sum(known) if known else None


def _difference(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else max(0, after - before)

"""Doubts: what about the machine makes numbers doubtful, why it matters, and what to do."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from actorbench.machine.facts import Facts
from actorbench.suite import COMMAND
from actorbench.text import counted


@dataclass(frozen=True)
class Doubt:
    """One finding; `line` is how it is printed."""

    what: str
    why: str
    cure: str

    @property
    def line(self) -> str:
        """The finding in one line."""
        return f"{self.what}: {self.why}; {self.cure}"


def find_doubts(facts: Facts) -> list[Doubt]:
    """List what makes numbers from this machine doubtful, the CPUs first, the sources last."""
    return [*machine_doubts(facts), *_source_doubts(facts)]


def machine_doubts(facts: Facts) -> list[Doubt]:
    """List what is doubtful about the machine alone, whatever sources are measured on it."""
    return [*_cpu_doubts(facts), *_clock_doubts(facts), *_memory_doubts(facts)]


def _cpu_doubts(facts: Facts) -> Iterator[Doubt]:
    values = facts.values
    online, allowed = values["cpus_online"], values["cpus_allowed"]
    if isinstance(online, list) and isinstance(allowed, list) and len(allowed) < len(online):
        yield Doubt(
            f"only {len(allowed)} of {len(online)} CPUs are allowed",
            "the curves end early, and other work may run on the rest",
            "start the driver without taskset or container limits to use all",
        )
    quota = values["cpu_quota"]
    if isinstance(quota, float) and isinstance(allowed, list) and quota < len(allowed):
        yield Doubt(
            f"a cgroup quota of {counted(quota, 'CPU')}",
            "the kernel halts all workers whenever it is spent, which shows as random slow samples",
            "lift the quota",
        )
    if facts.usable_cpus == 1:
        yield Doubt(
            "1 CPU", "nothing about several workers can be told", "use a machine with at least 2 CPUs"
        )
    if values["smt"] == "on":
        yield Doubt(
            "SMT is on",
            "two workers may share a core, and the kernel decides which",
            "pin the workers (--pin cores), or switch SMT off",
        )
    nodes = values["numa_nodes"]
    if isinstance(nodes, int) and nodes > 1:
        yield Doubt(
            f"{nodes} NUMA nodes",
            "a worker that moves to another node leaves its memory behind",
            "pin the workers (--pin), and read the curves with the node's border in mind",
        )
    pressure = values["cpu_pressure"]
    if isinstance(pressure, float) and pressure > 0.1:
        yield Doubt(
            f"tasks waited for a CPU in {pressure:.0%} of the last 10 s",
            "samples share their CPUs with other work",
            "stop the other work, or wait for its end",
        )
    load = values["load"]
    if isinstance(load, float) and load > 0.25 * facts.usable_cpus:
        yield Doubt(
            f"load average {load:g}",
            "other work takes CPU time from the samples",
            "stop it, or wait for its end",
        )


def _clock_doubts(facts: Facts) -> Iterator[Doubt]:
    values = facts.values
    if values["governor"] not in (None, "performance"):
        yield Doubt(
            f"governor {values['governor']}",
            "the clock rises and falls with the load, so early samples run slower",
            f"set it to performance ({COMMAND} doctor --fix)",
        )
    limits = re.fullmatch(r"(\d+) to (\d+) MHz, of (\d+) to (\d+) MHz", str(values["frequency"]))
    if limits and int(limits[2]) < int(limits[4]) and values["turbo"] != "off":
        yield Doubt(
            f"the clock is held to {limits[2]} of {limits[4]} MHz",
            "times are longer than what this machine can do",
            "lift the limit (cpupower frequency-set -u), or say so beside the numbers",
        )
    if values["turbo"] == "on":
        yield Doubt(
            "turbo is on",
            "few busy cores run faster than many, which bends every curve over workers",
            f"switch it off ({COMMAND} doctor --fix), or read the curves with that in mind",
        )
    stolen = values["steal_share"]
    if isinstance(stolen, float) and stolen > 0.001:
        yield Doubt(
            f"the hypervisor took {stolen:.1%} of the CPU time since boot",
            "other guests slow samples at random",
            "take more samples, or another machine",
        )
    if values["hypervisor"] not in (None, "none seen"):
        yield Doubt(
            f"a virtual machine ({values['hypervisor']})",
            "neighbours and the placement of its CPUs can't be seen from inside",
            "trust orders and ratios more than times, and repeat on bare metal",
        )


def _memory_doubts(facts: Facts) -> Iterator[Doubt]:
    values = facts.values
    if values["huge_pages"] == "always":
        yield Doubt(
            "transparent huge pages are always on",
            "peak memory is counted in steps of 2 MiB, and times depend on free huge pages",
            f"set them to madvise ({COMMAND} doctor --fix)",
        )
    if values["aslr"] not in (None, "on"):
        yield Doubt(
            f"ASLR is {values['aslr']}",
            "all samples share one memory layout, which may be a lucky one",
            "switch it on (sysctl kernel.randomize_va_space=2)",
        )


def _source_doubts(facts: Facts) -> Iterator[Doubt]:
    if facts.values["tree"] == "changed":
        yield Doubt(
            "the working tree has changes",
            "the commit named with the run is not what ran",
            "commit them before a run that is to be kept",
        )

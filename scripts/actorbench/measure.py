"""Measures: the numbers that a table or figure can take out of a record, with their units.

Times are compared per operation, since two cells may differ in the number of operations.
Memory is the program's own VmHWM (statistics rules, "Samples").
"""

from collections.abc import Callable
from dataclasses import dataclass

from actorbench.record import Record


@dataclass(frozen=True)
class Measure:
    """One number read from a record. `read` gives it in `unit`; None if the record lacks it."""

    name: str
    label: str
    unit: str
    read: Callable[[Record], float | None]
    is_count: bool = False

    @property
    def heading(self) -> str:
        """The measure's label with its unit, for an axis or a column."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


def _count(name: str, label: str) -> Measure:
    def read(record: Record) -> float | None:
        return record.counts[name] / record.operations if name in record.counts else None

    return Measure(name, f"{label} per operation", "", read)


def _statistic(name: str, label: str, *, is_count: bool = True) -> Measure:
    def read(record: Record) -> float | None:
        counters = record.statistics
        return None if counters is None or name not in counters else float(counters[name])

    return Measure(name, label, "" if is_count else "messages", read, is_count)


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("elapsed", "time", "s", lambda record: record.elapsed_ns / 1e9),
        Measure("cpu", "CPU time", "s", lambda record: record.cpu_ns / 1e9),
        Measure(
            "time_per_operation",
            "time per operation",
            "ns",
            lambda record: record.elapsed_ns / record.operations,
        ),
        Measure(
            "cpu_per_operation",
            "CPU time per operation",
            "ns",
            lambda record: record.cpu_ns / record.operations,
        ),
        Measure(
            "cpu_utilisation",
            "CPU utilisation",
            "% of a CPU",
            lambda record: 100 * record.cpu_ns / record.elapsed_ns,
        ),
        Measure("peak_memory", "peak memory", "MiB", lambda record: record.peak_rss_bytes / 2**20),
        _count("instructions", "instructions"),
        _count("atomics", "atomic operations"),
        _count("transfers", "line transfers"),
        _count("remote_transfers", "line transfers across packages"),
        _count("misses", "cache misses"),
        _count("memory_reads", "lines from memory"),
        _statistic("actors_created", "actors created"),
        _statistic("messages_sent", "messages sent"),
        _statistic("messages_received", "messages received"),
        _statistic("gulps", "gulps"),
        _statistic("mean_gulp_size", "mean gulp size", is_count=False),
        _statistic("missed_gulps", "missed gulps"),
        _statistic("steal_attempts", "steal attempts"),
        _statistic("steal_no_candidate", "no candidate"),
        _statistic("steal_failed_swap", "failed swaps"),
        _statistic("steals", "steals"),
        _statistic("messages_stolen", "messages stolen"),
        _statistic("mean_steal_size", "mean steal size", is_count=False),
        _statistic("activations", "activations"),
        _statistic("mean_dispatch_size", "mean dispatch size", is_count=False),
        _statistic("yields", "yields"),
        _statistic("actors_stolen", "actors stolen"),
        _statistic("swaps", "role swaps"),
        _statistic("balances", "balances"),
        _statistic("home_returns", "home returns"),
        _statistic("messages_passed", "messages passed on"),
        _statistic("runs", "runs"),
        _statistic("mean_run_size", "mean run size", is_count=False),
        _statistic("asks", "asks"),
        _statistic("refusals", "refusals"),
    )
}

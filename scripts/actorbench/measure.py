"""Measures: the numbers that a table or figure can take out of a record, with their units.

Times are compared per operation, since two cells may differ in the number of operations.
Memory is the program's own VmHWM (statistics rules, "Samples").
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from actorbench.record import Record


@dataclass(frozen=True)
class Measure:
    """One number read from a record.

    `read` gives it in `unit`; None if the record lacks it, or says 0 for a CPU time or memory not known.
    """

    name: str
    label: str
    unit: str
    read: Callable[[Record], float | None]
    is_count: bool = False
    is_measured: bool = False  # not of every record
    is_of_some: bool = False  # of a cell only some records have it

    @property
    def heading(self) -> str:
        """The measure's label with its unit, for an axis or a column."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


# By the fewest actors that wait with the victim.
THEFT_LENGTHS = {1: "from 1", 2: "from 2 to 7", 8: "from 8 to 63", 64: "from 64 or more"}


def _count(name: str, label: str) -> Measure:
    def read(record: Record) -> float | None:
        return record.counts[name] / record.operations if name in record.counts else None

    return Measure(name, f"{label} per operation", "", read)


def _statistic(name: str, label: str, *, unit: str = "") -> Measure:
    def read(record: Record) -> float | None:
        counters = record.statistics
        return None if counters is None or name not in counters else float(counters[name])

    return Measure(name, label, unit, read, is_count=not unit)


def _theft_time(least: int, words: str) -> Measure:
    """The mean time of thefts from victims with so many actors, where there was one."""
    time = _statistic(f"mean_theft_ns_of_{least}", f"time of a theft {words}", unit="ns")
    return replace(time, read=lambda record: time.read(record) or None, is_of_some=True)


def _lock_wait_share(record: Record) -> float | None:
    waited = (record.statistics or {}).get("lock_wait_ns")
    return None if waited is None or record.cpu_ns == 0 else 100 * waited / record.cpu_ns


def _measured(name: str, label: str, unit: str = "", *, key: str = "", per: float = 1.0) -> Measure:
    """A number that the record has under `key`, in `per` of the unit."""

    def read(record: Record) -> float | None:
        value = record.measured.get(key or name)
        return None if value is None else value / per

    return Measure(name, label, unit, read, is_measured=True)


def _time(name: str, label: str) -> Measure:
    return _measured(name, label, "µs", key=f"{name}_ns", per=1e3)


def _cycles_per_operation(record: Record) -> float | None:
    return record.cycles["count"] / record.operations if record.cycles else None


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("elapsed", "time", "s", lambda record: record.elapsed_ns / 1e9),
        Measure("cpu", "CPU time", "s", lambda record: record.cpu_ns / 1e9 or None),
        Measure(
            "time_per_operation",
            "time per operation",
            "ns",
            lambda record: record.elapsed_ns / record.operations,
        ),
        Measure(
            "throughput",
            "throughput",
            "operations/s",
            lambda record: record.operations / (record.elapsed_ns / 1e9),
        ),
        Measure(
            "cpu_per_operation",
            "CPU time per operation",
            "ns",
            lambda record: record.cpu_ns / record.operations or None,
        ),
        Measure(
            "cpu_utilisation",
            "CPU utilisation",
            "% of a CPU",
            lambda record: 100 * record.cpu_ns / record.elapsed_ns or None,
        ),
        Measure("cycles_per_operation", "cycles per operation", "", _cycles_per_operation),
        Measure("peak_memory", "peak memory", "MiB", lambda record: record.peak_rss_bytes / 2**20 or None),
        _time("latency_p50", "median latency"),
        _time("latency_p90", "90 % latency"),
        _time("latency_p99", "99 % latency"),
        _time("latency_p999", "99.9 % latency"),
        _time("latency_p9999", "99.99 % latency"),
        _time("latency_max", "longest latency"),
        _time("lateness_p50", "median lateness of sends"),
        _time("lateness_p99", "99 % lateness of sends"),
        _measured("jain", "Jain's index"),
        _measured("jain_least", "least of Jain's index"),
        _measured("slowest_to_mean", "slowest actor to mean"),
        _measured("first_to_others", "first actor to others"),
        _time("window", "window"),
        _measured("bytes_an_actor", "resident memory an actor", "B"),
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
        _statistic("mean_gulp_size", "mean gulp size", unit="messages"),
        _statistic("missed_gulps", "missed gulps"),
        _statistic("steal_attempts", "steal attempts"),
        _statistic("steal_no_candidate", "no candidate"),
        _statistic("steal_failed_swap", "failed swaps"),
        _statistic("steals", "steals"),
        _statistic("messages_stolen", "messages stolen"),
        _statistic("mean_steal_size", "mean steal size", unit="messages"),
        _statistic("activations", "activations"),
        _statistic("mean_dispatch_size", "mean dispatch size", unit="messages"),
        _statistic("yields", "yields"),
        _statistic("actors_stolen", "actors stolen"),
        _statistic("swaps", "role swaps"),
        _statistic("balances", "balances"),
        _statistic("home_returns", "home returns"),
        _statistic("messages_passed", "messages passed on"),
        _statistic("runs", "runs"),
        _statistic("mean_run_size", "mean run size", unit="messages"),
        _statistic("asks", "asks"),
        _statistic("refusals", "refusals"),
        _statistic("lock_waits", "waits for locks"),
        _statistic("lock_wait_ns", "time waiting for locks", unit="ns"),
        Measure("lock_wait_share", "waiting for locks", "% of CPU time", _lock_wait_share),
        *(_statistic(f"thefts_of_{least}", f"thefts {words}") for least, words in THEFT_LENGTHS.items()),
        *(_theft_time(least, words) for least, words in THEFT_LENGTHS.items()),
    )
}

"""The formats that a result can be read in, and the one place where what was read becomes a record."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from actorbench.errors import BadRecordError, choices
from actorbench.process import Finished
from actorbench.reading import (
    criterion,
    google_benchmark,
    jmh,
    pattern,
    perf_stat,
    pointer,
    rebench,
    savina,
)
from actorbench.reading.fields import UNITS, Fields, is_unit
from actorbench.record import Record, parse_record, record_from

WALL = "wall"
STDOUT, STDERR = "stdout", "stderr"


@dataclass(frozen=True)
class Reader:
    """How a result is read: the format's name, and what the format takes; the rest is empty.

    `source` is "stdout", "stderr" or the path of a file; empty for the format's own.
    """

    format: str = "record"
    benchmark: str = ""
    pattern: str = ""
    path: str = ""
    unit: str = ""
    source: str = ""

    @property
    def shown(self) -> str:
        """The reader in a few words."""
        told = [self.format, self.benchmark, self.pattern, self.path, self.unit]
        told += ["from", self.source] if self.source else []
        return " ".join(part for part in told if part)

    def to_json(self) -> dict[str, str]:
        """Write what is not empty."""
        return {name: value for name, value in asdict(self).items() if value}


RECORD = Reader()


@dataclass(frozen=True)
class Format:
    """A format: how it is read, which keys of a reader it needs, and which it may have."""

    read: Callable[[Reader, str], Fields]
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    source: str = STDOUT


def _of_benchmarks(read: Callable[[str, str], Fields]) -> Format:
    return Format(lambda reader, text: read(text, reader.benchmark), takes=("benchmark",))


FORMATS: Mapping[str, Format] = {
    WALL: Format(lambda _reader, _text: {"unit": "process"}),
    RECORD.format: Format(lambda _reader, text: parse_record(text).raw),
    "regex": Format(lambda one, text: pattern.read(text, one.pattern, one.unit), ("pattern", "unit")),
    "json": Format(lambda one, text: pointer.read(text, one.path, one.unit), ("path", "unit")),
    "google-benchmark": _of_benchmarks(google_benchmark.read),
    "jmh": _of_benchmarks(jmh.read),
    "criterion": _of_benchmarks(criterion.read),
    "savina": _of_benchmarks(savina.read),
    "rebench": _of_benchmarks(rebench.read),
    "perf-stat": replace(_of_benchmarks(perf_stat.read), takes=(), source=STDERR),
}


def reader_problem(keys: Mapping[str, str]) -> str | None:
    """Say what is wrong with a reader's keys as TOML has them ("from" is the source); None if nothing."""
    if keys.get("format") not in FORMATS:
        return f"no format '{keys.get('format', '')}' (choices: {choices(list(FORMATS))})"
    known = FORMATS[keys["format"]]
    allowed = ("format", *known.needs, *known.takes, *(() if keys["format"] == WALL else ("from",)))
    for name in known.needs:
        if name not in keys:
            return f"format '{keys['format']}' lacks '{name}'"
    for name in keys:
        if name not in allowed:
            return f"format '{keys['format']}' takes no '{name}' (choices: {choices(list(allowed))})"
    if "unit" in keys and not is_unit(keys["unit"]):
        return f"unit '{keys['unit']}' is none that can be read (choices: {UNITS})"
    told = pattern.problem(keys["pattern"]) if "pattern" in keys else None
    return told or (pointer.problem(keys["path"]) if "path" in keys else None)


def reader_of(keys: Mapping[str, str]) -> Reader:
    """Make a reader of keys with which `reader_problem` finds nothing wrong."""
    named = {name: value for name, value in keys.items() if name != "from"}
    return Reader(**named, source=keys.get("from", ""))


def record_of(reader: Reader, finished: Finished, text: str, about: Mapping[str, Any]) -> Record:
    """Make the record of a process that has ended well, by the text that holds its result.

    `about` gives the fields that the cell knows. Where the format tells no time, it is the process' wall
    time, and then the CPU time is the process', too; a size or CPU time that nothing tells is 0. Raises
    BadRecordError.
    """
    try:
        fields = FORMATS[reader.format].read(reader, text)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        why = f"{type(error).__name__}: {error}"
        raise BadRecordError(f"the output is not as {reader.format} writes it: {why}") from error
    if reader.format == RECORD.format:
        return record_from(fields)
    whole = {"elapsed_ns": finished.wall_ns, "cpu_ns": finished.cpu_ns} if "elapsed_ns" not in fields else {}
    general = {
        "schema": 1,
        "version": "unknown",
        "options": {},
        "workers": 1,
        "unit": "process",
        "cpu_ns": 0,
        "operations": 1,
        "peak_rss_bytes": 0,
        "verified": True,
        "notes": [],
    }
    return record_from({**general, **whole, **fields, **about})

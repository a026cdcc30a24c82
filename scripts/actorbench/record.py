"""The record: the one line of JSON in which a workload program says what it did.

Its JSON Schema is `schemas/record-1.json`; a record that breaks it is never measured data.
"""

import json
from dataclasses import dataclass
from typing import Any, NoReturn

from actorbench.errors import BadRecordError
from actorbench.schema import first_error, version_problem


@dataclass(frozen=True)
class Record:
    """A valid record. `raw` is the whole of it; the rest are the fields that the driver reads."""

    raw: dict[str, Any]

    @property
    def elapsed_ns(self) -> float:
        """Wall time of the timed part, in ns."""
        elapsed: float = self.raw["elapsed_ns"]
        return elapsed

    @property
    def cpu_ns(self) -> float:
        """CPU time of the process over the timed part, in ns; 0 if that is not known."""
        cpu: float = self.raw["cpu_ns"]
        return cpu

    @property
    def operations(self) -> int:
        """Operations done in the timed part."""
        return int(self.raw["operations"])

    @property
    def peak_rss_bytes(self) -> int:
        """The process' own peak of resident memory (VmHWM), in bytes; 0 if that is not known."""
        return int(self.raw["peak_rss_bytes"])

    @property
    def cycles(self) -> dict[str, Any] | None:
        """Cycles of the timed part: `count`, `by` what, and of ticks `ghz`; None if the program has none."""
        counted: dict[str, Any] | None = self.raw.get("cycles")
        return counted

    @property
    def workers(self) -> int:
        """The threads that ran behaviours."""
        return int(self.raw["workers"])

    @property
    def verified(self) -> bool:
        """Whether the workload found its own result right."""
        return bool(self.raw["verified"])

    @property
    def notes(self) -> list[str]:
        """What the program has to say about this sample."""
        return [str(note) for note in self.raw["notes"]]

    @property
    def machine(self) -> str:
        """The simulated machine, as in "simulated: modern"; "" if the record was measured."""
        return str(self.raw.get("machine", ""))

    @property
    def counts(self) -> dict[str, int]:
        """What a simulated machine has counted."""
        counts: dict[str, int] = self.raw.get("counts", {})
        return counts

    @property
    def statistics(self) -> dict[str, float] | None:
        """The runtime's counters; None if the build does not count."""
        counters: dict[str, float] | None = self.raw.get("statistics")
        return counters

    @property
    def measured(self) -> dict[str, float]:
        """Numbers beside the times, by name; empty if the workload and the build take none."""
        numbers: dict[str, float] = self.raw.get("measured", {})
        return numbers


def parse_record(output: str) -> Record:
    """Read the record that a program printed.

    Raises BadRecordError, in one line, if the output is not exactly one line that holds a valid record.
    """
    lines = output.splitlines()
    if not lines:
        raise BadRecordError("the program printed nothing where a record was due")
    if len(lines) > 1:
        raise BadRecordError(f"the program printed {len(lines)} lines where one record was due")
    return record_from(_parse_json(lines[0]))


def record_from(document: object) -> Record:
    """Take a decoded JSON document for a record; raises BadRecordError if it breaks the schema."""
    version = version_problem("record", document, 1)
    problem = f"it {version}" if version else first_error("record-1", document)
    if problem is not None or not isinstance(document, dict):
        raise BadRecordError(f"the record breaks its schema: {problem}")
    return Record(document)


def _parse_json(line: str) -> object:
    try:
        return json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise BadRecordError(f"the record is no JSON: {error}") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")

"""What every reader of a format needs: fields of a record, units, and the choice among several benchmarks.

A reader gives those fields of a record (schemas/record-1.json) that an output tells of one operation;
`formats` fills in the rest.
"""

import json
import math
from collections.abc import Iterable
from typing import Any

from actorbench.errors import BadRecordError, choices

Fields = dict[str, Any]

TIMES = {"ps": 1e-3, "ns": 1.0, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9}  # in ns
SIZES = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}  # in bytes
UNITS = (
    "a time (ps, ns, us, ms, s, min), a rate (such as ops/s or MB/s), or a size (B, kB, KiB, MB, MiB, ...)"
)
MOST_SHOWN = 20


def is_unit(unit: str) -> bool:
    """Whether numbers of a unit can be read."""
    return unit in SIZES or _rate(unit) is not None or unit.partition("/")[0] in TIMES


def fields_of(value: object, unit: str) -> Fields:
    """Give the fields that a number tells: a time or a rate what one operation takes, a size the memory.

    "us" and "us/op" are times, "op/us" and "MB/s" rates: an operation is then an op, or a MB. Raises
    BadRecordError for what is no number over 0.
    """
    number = positive(value)
    if unit in SIZES:
        return {"peak_rss_bytes": round(number * SIZES[unit])}
    if (rate := _rate(unit)) is not None:
        operation, per_ns = rate
        return {"elapsed_ns": per_ns / number, "unit": operation or "operation"}
    time, _, operation = unit.partition("/")
    if time not in TIMES:
        raise BadRecordError(f"the unit '{unit}' is none that can be read: {UNITS}")
    return {"elapsed_ns": number * TIMES[time], "unit": operation or "operation"}


def positive(value: object) -> float:
    """Take a number over 0, or a text that is one; raises BadRecordError."""
    try:
        number = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else 0.0
    except (ValueError, OverflowError):
        number = 0.0
    if not (math.isfinite(number) and number > 0):
        raise BadRecordError(f"{json.dumps(value, default=str)[:80]} is no number over 0")
    return number


def chosen(names: Iterable[str], wanted: str) -> str:
    """Choose the benchmark that is wanted, or the only one; raises BadRecordError with the choices."""
    known = list(dict.fromkeys(names))
    if not known:
        raise BadRecordError("the output holds no result")
    if wanted in known:
        return wanted
    if not wanted and len(known) == 1:
        return known[0]
    more = "" if len(known) <= MOST_SHOWN else f" and {len(known) - MOST_SHOWN} more"
    told = f"no benchmark '{wanted}' in the output" if wanted else f"the output holds {len(known)} benchmarks"
    raise BadRecordError(f"{told}: 'benchmark' names one (choices: {choices(known[:MOST_SHOWN])}{more})")


def decoded(text: str) -> Any:  # noqa: ANN401 - JSON of any shape
    """Decode JSON; raises BadRecordError."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRecordError(f"the output is no JSON: {error}") from error


def _rate(unit: str) -> tuple[str, float] | None:
    """Part a rate such as "MB/s" into what is done and the ns in which; None if it is a time or a size."""
    done, slash, time = unit.partition("/")
    return (done, TIMES[time]) if slash and time in TIMES and done not in TIMES else None

r"""`perf stat -x`: what perf counted of a process (perf-stat(1), "CSV FORMAT").

The time is duration_time, if that was counted, or else the wall time of the whole process; the CPU time is
task-clock or cpu-clock, or user_time and system_time together. Cycles and instructions are kept where they
were counted. The separator is found by itself; `-x \;` or `-x,` will do. perf writes to the standard
error, or to a file (-o). Not for -I, -A and other ways to print more than one line an event.
"""

import re

from actorbench.errors import BadRecordError
from actorbench.reading.fields import TIMES, Fields, positive

_LINE = re.compile(r"^([0-9.]+)([^0-9a-zA-Z.<]+)([a-zA-Z]*)\2([^\s,;|]+?)\2", re.MULTILINE)
_CLOCKS = ("task-clock", "cpu-clock")
USER_MODE = ":u"


def read(text: str, _benchmark: str) -> Fields:
    """Read what was counted of the process; an event that was not counted is none."""
    counted = {event: (float(value), unit) for value, _, unit, event in _LINE.findall(text)}
    plain = {event.removesuffix(USER_MODE): (event, value) for event, value in counted.items()}
    times = {
        event: value * TIMES["ms" if unit in ("", "msec") else unit]
        for event, (_, (value, unit)) in plain.items()
        if event in (*_CLOCKS, "duration_time", "user_time", "system_time") and unit in ("", "msec", *TIMES)
    }
    fields: Fields = {"unit": "process"}
    if "duration_time" in times:
        fields["elapsed_ns"] = positive(times["duration_time"])
    clocks = [times[name] for name in _CLOCKS if name in times][:1]
    if cpu := sum(clocks or [times.get("user_time", 0.0), times.get("system_time", 0.0)]):
        fields["cpu_ns"] = cpu
    for name in ("cycles", "cpu-cycles"):
        if name in plain:
            event, (value, _) = plain[name]
            by = "perf_event, user mode" if event.endswith(USER_MODE) else "perf_event"
            fields["cycles"] = {"count": int(value), "by": by}
    if "instructions" in plain:
        fields["counts"] = {"instructions": int(plain["instructions"][1][0])}
    if len(fields) == 1:
        known = ", ".join((*_CLOCKS, "duration_time", "user_time", "system_time", "cycles", "instructions"))
        raise BadRecordError(f"perf counted none of what can be read: {known}")
    return fields

"""Savina's log: the median over the iterations of a process, as its BenchmarkRunner prints them.

All iterations count, the first ones of a cold virtual machine too: the median hardly feels them.
"""

import re
from statistics import median

from actorbench.reading.fields import Fields, chosen, fields_of

_ITERATION = re.compile(r"^\s*(\S+)\s+Iteration-\d+:\s+([0-9.]+) ms", re.MULTILINE)


def read(text: str, benchmark: str) -> Fields:
    """Read the benchmark of that name, or the only one."""
    found = _ITERATION.findall(text)
    name = chosen((one for one, _ in found), benchmark)
    times = [float(time) for one, time in found if one == name]
    return {**fields_of(median(times), "ms"), "unit": "iteration"}

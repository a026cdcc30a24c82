"""ReBench's log: `Name: iterations=1 runtime: 1234us` (its RebenchLogAdapter), the median over the lines.

As in ReBench, a line with a second word before the colon is of a criterion other than the total and does not
count, and a line that says "incorrect", or that a verification failed, makes the result a wrong one.
"""

import re
from statistics import median

from actorbench.reading.fields import Fields, chosen, fields_of

_LINE = re.compile(r"^(?:.*: )?(\S+?)( [\w.]+)?: iterations=\d+ runtime: (\d+)([mu]s)", re.MULTILINE)
_WRONG = re.compile(r"incorrect|Failed.*verification|verification failed")


def read(text: str, benchmark: str) -> Fields:
    """Read the benchmark of that name, or the only one."""
    found = [(name, *time) for name, criterion, *time in _LINE.findall(text) if criterion in ("", " total")]
    name = chosen((one for one, *_ in found), benchmark)
    times = [fields_of(time, unit)["elapsed_ns"] for one, time, unit in found if one == name]
    return {"elapsed_ns": median(times), "unit": "iteration", "verified": _WRONG.search(text) is None}

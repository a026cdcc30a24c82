"""JMH's JSON (-rf json, -rff FILE): the score of a benchmark, a time or a rate, in the score's own unit.

Fields as JMH's JSONResultFormat writes them. The score is JMH's own: the mean over the iterations of all
forks. A benchmark with parameters is named as in `org.sample.Sorting.sort:size=10,kind=quick`, in the order
of the file.
"""

from typing import Any

from actorbench.reading.fields import Fields, chosen, decoded, fields_of


def read(text: str, benchmark: str) -> Fields:
    """Read the benchmark of that name, or the only one."""
    entries = {_name(one): one for one in decoded(text)}
    one = entries[chosen(entries, benchmark)]
    metric = one["primaryMetric"]
    return {**fields_of(metric["score"], metric["scoreUnit"]), "workers": int(one.get("threads", 1))}


def _name(one: dict[str, Any]) -> str:
    parameters = ",".join(f"{name}={value}" for name, value in one.get("params", {}).items())
    return f"{one['benchmark']}:{parameters}" if parameters else str(one["benchmark"])

"""Criterion.rs: its lines, estimates.json, and the messages of cargo-criterion; the time of one iteration.

The lines are those of "Command-Line Output" in its book, estimates.json is what each benchmark leaves in
target/criterion/<name>/new, and the messages are those of "External Tools" (--message-format=json). Taken is
what Criterion itself calls typical: the slope of time over iterations, or the mean where there is no slope.
"""

import re

from actorbench.reading.fields import Fields, chosen, decoded, fields_of

# A name of more than 23 characters has a line of its own.
_TIME = re.compile(r"^(\S.*?)\s+time:\s+\[\S+ \S+ (\S+) (\S+) \S+ \S+\]", re.MULTILINE)


def read(text: str, benchmark: str) -> Fields:
    """Read the benchmark of that name, or the only one; estimates.json holds one, without its name."""
    if text.lstrip().startswith("{"):
        return {**_read_json(text, benchmark), "unit": "iteration"}
    found = {name: (value, unit) for name, value, unit in _TIME.findall(text)}
    return {**fields_of(*found[chosen(found, benchmark)]), "unit": "iteration"}


def _read_json(text: str, benchmark: str) -> Fields:
    documents = [decoded(line) for line in text.splitlines() if line.strip()]
    if "reason" not in documents[0]:
        named = {name.lower(): value for name, value in documents[0].items()}
        return fields_of((named.get("slope") or named["mean"])["point_estimate"], "ns")
    found = {one["id"]: one["typical"] for one in documents if one["reason"] == "benchmark-complete"}
    typical = found[chosen(found, benchmark)]
    return fields_of(typical["estimate"], typical["unit"])

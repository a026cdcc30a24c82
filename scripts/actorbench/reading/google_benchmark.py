"""Google Benchmark's JSON (--benchmark_format=json, or --benchmark_out): the time of one iteration.

Fields as its JSONReporter writes them (docs/user_guide.md, "Output Formats"). Of several repetitions the
median counts, since one process gives one value; where only aggregates were written, theirs.
"""

from statistics import median

from actorbench.errors import BadRecordError
from actorbench.reading.fields import Fields, chosen, decoded, fields_of


def read(text: str, benchmark: str) -> Fields:
    """Read the benchmark of that name, or the only one."""
    entries = decoded(text)["benchmarks"]
    runs = [one for one in entries if one.get("run_type", "iteration") == "iteration"]
    runs = runs or [one for one in entries if one.get("aggregate_name") == "median"]
    name = chosen((one.get("run_name", one["name"]) for one in runs), benchmark)
    named = [one for one in runs if one.get("run_name", one["name"]) == name]
    for one in named:
        if one.get("error_occurred") or one.get("skipped"):
            why = one.get("error_message") or one.get("skip_message") or "no message"
            raise BadRecordError(f"benchmark '{name}' ended with an error: {why}")
    unit = named[0]["time_unit"]
    cpu = median(float(one["cpu_time"]) for one in named)
    return {
        **fields_of(median(float(one["real_time"]) for one in named), unit),
        "unit": "iteration",
        "cpu_ns": fields_of(cpu, unit)["elapsed_ns"] if cpu > 0 else 0,
        "workers": int(named[0].get("threads", 1)),
    }

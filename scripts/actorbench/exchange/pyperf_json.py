"""Export to pyperf's JSON: a benchmark a cell, a run a sample (a process), in seconds an operation.

The format is that of `pyperf.BenchmarkSuite.load` (pyperf 2.10, `_bench.py`), which takes only values over 0,
and metadata without newlines.
"""

import json
from typing import Any

from actorbench.errors import UserError
from actorbench.results import CellResult, Results
from actorbench.sample import Sample
from actorbench.text import one_line

VERSION = "1.0"


def pyperf_json(results: Results) -> str:
    """Write a run for pyperf; raises UserError if no cell has a value."""
    benchmarks = [
        {"metadata": _metadata(result), "runs": [_run(sample) for sample in result.samples]}
        for result in results.by_cell.values()
        if not result.trouble
    ]
    if not benchmarks:
        raise UserError(f"run {results.name} has no cell with a value to export")
    machine = results.head.document["machine"]
    named = {"cpu_model_name": "cpu_model", "platform": "kernel", "actorbench_commit": "commit"}
    about = {name: one_line(str(machine[key])) for name, key in named.items() if machine.get(key)}
    about["actorbench_run"] = results.name
    return json.dumps({"version": VERSION, "metadata": about, "benchmarks": benchmarks}, indent=1) + "\n"


def _metadata(result: CellResult) -> dict[str, Any]:
    return {"name": one_line(result.cell.key), "unit": "second", "command": one_line(result.cell.key)}


def _run(sample: Sample) -> dict[str, Any]:
    assert sample.record is not None
    record = sample.record
    metadata: dict[str, Any] = {"date": sample.started, "actorbench_round": sample.round}
    metadata["duration"] = sample.wall_ns / 1e9
    if record.peak_rss_bytes > 0:
        metadata["command_max_rss"] = record.peak_rss_bytes
    return {"metadata": metadata, "values": [record.elapsed_ns / 1e9 / record.operations]}

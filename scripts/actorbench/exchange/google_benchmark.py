"""Export to Google Benchmark's JSON: a repetition a sample, in ns an operation.

The fields are those that its tools/compare.py reads (tools/gbench/util.py and report.py): name, run_name,
run_type, repetition_index, family_index, per_family_instance_index, real_time, cpu_time, time_unit.
"""

import json
from typing import Any

from actorbench.errors import UserError
from actorbench.results import CellResult, Results
from actorbench.text import one_line


def google_benchmark_json(results: Results) -> str:
    """Write a run for Google Benchmark's compare.py; raises UserError if no cell has a value."""
    entries = [
        entry
        for number, result in enumerate(results.by_cell.values())
        if not result.trouble
        for entry in _entries(number, result)
    ]
    if not entries:
        raise UserError(f"run {results.name} has no cell with a value to export")
    machine = results.head.document["machine"]
    context = {
        "date": results.samples[0].started,
        "executable": "actorbench",
        "num_cpus": results.head.cpus,
        "load_avg": [] if machine.get("load") is None else [machine["load"]],
        "library_build_type": ", ".join(sorted({cell.build for cell in results.head.plan.cells})),
        "actorbench_run": results.name,
        **({"actorbench_machine": machine["cpu_model"]} if results.head.simulated else {}),
    }
    return json.dumps({"context": context, "benchmarks": entries}, indent=1) + "\n"


def _entries(number: int, result: CellResult) -> list[dict[str, Any]]:
    name = one_line(result.cell.key)
    records = result.records()
    return [
        {
            "name": name,
            "family_index": number,
            "per_family_instance_index": 0,
            "run_name": name,
            "run_type": "iteration",
            "repetitions": len(records),
            "repetition_index": index,
            "threads": record.workers,
            "iterations": record.operations,
            "real_time": record.elapsed_ns / record.operations,
            "cpu_time": record.cpu_ns / record.operations,
            "time_unit": "ns",
        }
        for index, record in enumerate(records.values())
    ]

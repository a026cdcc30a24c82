"""The formats that a run can be exported to, by name; each turns results into the text of a file.

A failed cell has no value in pyperf's and Google Benchmark's formats and is left out of them; the CSV has it.
"""

from collections.abc import Callable

from actorbench.exchange.google_benchmark import google_benchmark_json
from actorbench.exchange.pyperf_json import pyperf_json
from actorbench.exchange.samples_csv import samples_csv
from actorbench.results import Results

FORMATS: dict[str, Callable[[Results], str]] = {
    "pyperf": pyperf_json,
    "google-benchmark": google_benchmark_json,
    "csv": samples_csv,
}

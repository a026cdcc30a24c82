"""Export to CSV: one row a sample, the failed ones too; times in ns, sizes in bytes."""

import csv
import io

from actorbench.results import Results
from actorbench.sample import Sample
from actorbench.text import one_line

HEAD = ["run", "cell", "config", "design", "workload", "workers", "scale", "round", "position", "started"]
HEAD += ["wall_ns", "elapsed_ns", "cpu_ns", "operations", "unit", "peak_rss_bytes", "verified", "failure"]


def samples_csv(results: Results) -> str:
    """Write every sample of a run, in the order of rounds; what a failed one lacks is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEAD)
    cells = {key: result.cell for key, result in results.by_cell.items()}
    for sample in results.samples:
        cell = cells.get(sample.key)
        known = ["", "", "", "", ""]
        if cell is not None:
            workers = "" if cell.workers is None else str(cell.workers)
            known = [cell.config, cell.design, cell.workload, workers, f"{cell.scale:g}"]
        taken = [sample.round, sample.position, sample.started, sample.wall_ns]
        writer.writerow([results.name, sample.key, *known, *taken, *_measured(sample)])
    return text.getvalue()


def _measured(sample: Sample) -> list[object]:
    failure = "" if sample.failure is None else f"{sample.failure.kind}: {one_line(sample.failure.reason)}"
    record = sample.record
    if record is None:
        return ["", "", "", "", "", "", failure]
    verified = "yes" if record.verified else "no"
    numbers: list[object] = [record.elapsed_ns, record.cpu_ns, record.operations]
    return [*numbers, one_line(str(record.raw["unit"])), record.peak_rss_bytes, verified, failure]

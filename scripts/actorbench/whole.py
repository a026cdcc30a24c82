"""Runs of whole processes, timed by hyperfine here or imported: what can be shown of them."""

from actorbench.estimates import Estimate, Method, estimate
from actorbench.hyperfine import EXPORT_NAME, WholeProcess, read_export
from actorbench.measure import Measure
from actorbench.store import Run
from actorbench.table import Column, Table
from actorbench.text import one_line
from actorbench.wording import estimate_text, interval_heading, number_text, standing_note

WALL = Measure("wall", "wall time of the process", "s", lambda _record: None)


def whole_processes(run: Run) -> list[WholeProcess]:
    """Read the commands of a run and their times; raises UserError."""
    return read_export(run.folder / EXPORT_NAME, f"results/{run.name}/{EXPORT_NAME}")


def whole_estimate(process: WholeProcess) -> Estimate:
    """Estimate the median wall time with its interval, in seconds; the same at every call."""
    return estimate(process.times, seed=0, name=process.command)


def whole_table(run: Run, processes: list[WholeProcess]) -> Table:
    """Make the table of a run of whole processes."""
    estimates = [whole_estimate(process) for process in processes]
    rows = [
        [
            one_line(process.command),
            estimate_text(one, WALL, None),
            number_text(min(process.times)),
            number_text(max(process.times)),
            str(len(process.times)),
            str(process.failed),
        ]
        for process, one in zip(processes, estimates, strict=True)
    ]
    columns = [Column("command", numeric=False), Column(f"median {interval_heading(Method.ORDER)} (s)")]
    columns += [Column("min (s)"), Column("max (s)"), Column("runs"), Column("failed")]
    source = run.document().get("imported")
    notes = ["whole processes, timed by hyperfine: start-up and tear-down included, results not verified"]
    notes += ["measured one command after the other, so that drift may look like a difference"]
    notes += [f"imported from {one_line(str(source))}; its machine is not known"] if source else []
    notes += standing_note({one.standing for one in estimates})
    return Table("Whole processes", columns, rows, notes)

"""The systems of a run: what each is, by its records, and what it can't do as the workloads ask."""

from actorbench.own.command import SYSTEM
from actorbench.record import Record
from actorbench.results import Results
from actorbench.system import OURS
from actorbench.table import Column, Table


def systems_table(results: Results) -> Table | None:
    """Describe ours and the peers of the run, those skipped with the reason; None if no peer was wanted."""
    wanted = {cell.system for cell in results.head.plan.cells if cell.system not in (OURS, SYSTEM)}
    if not wanted and not results.head.skipped:
        return None
    described: list[tuple[str, str, tuple[str, ...]]] = []
    described += [(OURS, OURS, ())] if any(cell.system == OURS for cell in results.head.plan.cells) else []
    described += [(one.name, one.title, one.limits) for one in results.head.peers if one.name in wanted]
    rows = []
    for name, title, limits in described:
        records = _records(results, name)
        rows.append([title, _version(records), _runtime(records), "; ".join(limits)])
    rows += [[name, "-", "-", f"skipped: {why}"] for name, why in results.head.skipped.items()]
    headings = ("system", "version", "runtime", "what it can't do as asked")
    return Table("Systems", [Column(heading, numeric=False) for heading in headings], rows)


def _records(results: Results, system: str) -> list[Record]:
    return [
        record
        for result in results.by_cell.values()
        if result.cell.system == system
        for record in result.records().values()
    ]


def _version(records: list[Record]) -> str:
    return ", ".join(dict.fromkeys(str(record.raw["version"]) for record in records)) or "-"


def _runtime(records: list[Record]) -> str:
    said = (record.raw["options"].get("runtime") for record in records)
    return ", ".join(dict.fromkeys(str(one) for one in said if one)) or "-"

"""How counts are shown."""

from collections.abc import Sequence

from actorbench.counts.changes import Change
from actorbench.counts.counters import INSTRUCTIONS, LOCKED, TRANSFERS
from actorbench.counts.subjects import Counted
from actorbench.table import Column, Table
from actorbench.wording import number_text

LABELS = {
    INSTRUCTIONS: "instructions",
    "atomic_loads": "atomic loads",
    "atomic_stores": "atomic stores",
    LOCKED: "locked operations",
    TRANSFERS: "lines that change hands",
}


def count_table(counted: Sequence[Counted], notes: Sequence[str]) -> Table:
    """Show the counts of each subject, with their spread over the runs, or why there are none."""
    columns = [
        Column("workload", numeric=False),
        Column("workers"),
        Column("an operation", numeric=False),
        Column("median"),
        Column("spread"),
    ]
    rows = []
    for one in counted:
        subject = [one.subject.name, str(one.subject.workers)]
        if one.trouble:
            rows.append([*subject, f"failed: {one.trouble}", "", ""])
        for name, count in one.counts.items():
            rows.append([*subject, LABELS[name], number_text(count.value), f"{count.spread:.2%}"])
    return Table("Counts", columns, rows, notes)


def change_text(change: Change) -> str:
    """Write the ratio with its interval: four digits, since counts hardly vary."""
    return f"{change.ratio:.4f} [{change.low:.4f}, {change.high:.4f}]"

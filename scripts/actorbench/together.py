"""The tables of several runs side by side: a block a run, never a number from two."""

import csv
import io
from collections.abc import Sequence

from actorbench.notes import claim_notes, claims_together
from actorbench.sides import Side, differing_files
from actorbench.table import Column, Table
from actorbench.tables import csv_for, tables_for


def together_tables(sides: Sequence[Side]) -> list[Table]:
    """Make the tables of an experiment, each with a block a run; a column that a run lacks stays empty."""
    by_run = [tables_for(side.results, side.experiment) for side in sides]
    counts = min(len(tables) for tables in by_run)
    return [_together([tables[number] for tables in by_run], sides) for number in range(counts)]


def together_csv(sides: Sequence[Side]) -> str:
    """Write the numbers of an experiment as CSV, the run's name first in each row."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for number, side in enumerate(sides):
        head, *rows = csv.reader(io.StringIO(csv_for(side.results, side.experiment)))
        if number == 0:
            writer.writerow(["run", *head])
        writer.writerows([side.results.name, *row] for row in rows)
    return text.getvalue()


def _together(tables: Sequence[Table], sides: Sequence[Side]) -> Table:
    """Put tables under each other, column by column of the same heading."""
    columns: dict[tuple[str, int], Column] = {}
    for table in tables:
        columns |= dict(zip(_keys(table), table.columns, strict=True))
    rows: list[list[str]] = []
    for table, side in zip(tables, sides, strict=True):
        rows += [[""] * len(columns)] if rows else []
        rows.append([f"{side.title}:", *[""] * (len(columns) - 1)])
        for row in table.rows:
            texts = dict(zip(_keys(table), row, strict=True))
            first, *others = (texts.get(key, "") for key in columns)
            rows.append(["  " + first if first else "", *others])
    notes = dict.fromkeys([*differing_files(sides), *(note for table in tables for note in table.notes)])
    # What each run says of a claim is said under its name.
    alone = {line for side in sides for line in claim_notes(side.results, side.experiment)}
    named = [] if alone.isdisjoint(notes) else claims_together(sides)
    lead = [f"{side.title}: {line}" for table, side in zip(tables, sides, strict=True) for line in table.lead]
    return Table(
        tables[0].title,
        list(columns.values()),
        rows,
        [*(note for note in notes if note not in alone), *named],
        lead,
    )


def _keys(table: Table) -> list[tuple[str, int]]:
    """Name the columns by heading, and by number among those of the same."""
    headings = [column.heading for column in table.columns]
    return [(heading, headings[:index].count(heading)) for index, heading in enumerate(headings)]

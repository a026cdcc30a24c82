"""How ratios are written: the columns, notes and numbers that every table of comparisons has."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from actorbench.ratios import Row, by_direction
from actorbench.stealing import STEALS_NOTE
from actorbench.table import Column
from actorbench.wording import ratio_text, standing_note

RATIO_HEAD = ("ratio", "low", "high", "p_value", "p_value_holm", "verdict")  # of CSV


@dataclass(frozen=True)
class Field:
    """A column of a table of comparisons, and what a row has there."""

    column: Column
    text: Callable[[Row], str]


def label_field(heading: str) -> Field:
    """Name what is compared."""
    return Field(Column(heading, numeric=False), lambda row: row.label)


def ratio_fields(rows: Sequence[Row], ratio: str, verdict: str, *more: Field) -> list[Field]:
    """Give the columns from the ratio on, under these headings; steals come last, where a row has some."""
    return [
        Field(Column(ratio), lambda row: ratio_text(row.ratio) if row.ratio else "-"),
        Field(Column(verdict, numeric=False), lambda row: row.verdict),
        *more,
        *([Field(Column("steals", numeric=False), lambda row: row.steals)] if has_steals(rows) else []),
    ]


def rows_under(rows: Sequence[Row], fields: Sequence[Field]) -> list[list[str]]:
    """Write the rows, in the columns given."""
    return [[field.text(row) for field in fields] for row in rows]


def grouped_rows(rows: Sequence[Row], fields: Sequence[Field]) -> list[list[str]]:
    """Write the rows below a line that says how they are read, a group for each way."""
    empty = [""] * len(fields)
    body: list[list[str]] = []
    for direction, group in by_direction(rows):
        body += [empty] if body else []
        body.append([f"{direction}:", *empty[1:]])
        body += [[f"  {label}", *texts] for label, *texts in rows_under(group, fields)]
    return body


def ratio_notes(rows: Sequence[Row]) -> list[str]:
    """Say what their samples are too few for, and what their steals are."""
    shortage = standing_note({row.ratio.standing for row in rows if row.ratio})
    return [*shortage, *([STEALS_NOTE] if has_steals(rows) else [])]


def has_steals(rows: Sequence[Row]) -> bool:
    """Whether a row has a side that steals."""
    return any(row.steals for row in rows)


def ratio_numbers(row: Row) -> list[object]:
    """Give a row's numbers and verdict for CSV, under RATIO_HEAD; empty where there is no ratio."""
    one = row.ratio
    numbers = [""] * 5 if one is None else [one.ratio, one.low, one.high, one.p_value, row.adjusted]
    return [*numbers, row.verdict]

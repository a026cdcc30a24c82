"""Grids: a table of ratios with the candidates down and what they are compared on across."""

from collections.abc import Sequence

from actorbench.ratios import Row, reach_note
from actorbench.wording import short_number

BETTER = ("faster", "less")
NOT_TOLD_APART = "not told apart"
UNDECIDED = (NOT_TOLD_APART, "too few samples")
NONE_BETTER = "no candidate was found better than its base"


def grid_body(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Give the columns' headings, and each row's label with its texts; both in the order of the file."""
    headings = list(dict.fromkeys(row.reading.column for row in rows))
    labels = list(dict.fromkeys(row.reading.label for row in rows))
    cells = {(row.reading.label, row.reading.column): row for row in rows}
    return headings, [
        [label, *(_with_steals(cells.get((label, heading))) for heading in headings)] for label in labels
    ]


def grid_lead(rows: Sequence[Row]) -> list[str]:
    """Say first which candidates are better than their base, and on what, or why that can't be said."""
    found = [row for row in rows if row.verdict in BETTER]
    perhaps = [row for row in rows if row.verdict == NOT_TOLD_APART and row.ratio and row.ratio.ratio < 1]
    first = _said(f"{found[0].verdict} than the base", found) if found else reach_note(rows) or [NONE_BETTER]
    return first + _said("not told apart, but under 1 by the median", perhaps)


def _said(words: str, rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    by_label: dict[str, list[str]] = {}
    for row in rows:
        text = f"{row.reading.column} {_text(row).strip('()')}"
        by_label.setdefault(row.reading.label, []).append(text)
    said = "; ".join(f"{label}: {', '.join(texts)}" for label, texts in by_label.items())
    return [f"{words}: {said}"]


def _with_steals(row: Row | None) -> str:
    return f"{_text(row)}; steals: {row.steals}" if row and row.steals else _text(row)


def _text(row: Row | None) -> str:
    if row is None:
        return ""
    if row.ratio is None:
        return row.verdict
    ratio = row.ratio
    text = short_number(ratio.ratio)
    if ratio.low is not None and ratio.high is not None:
        text += f" [{short_number(ratio.low)}, {short_number(ratio.high)}]"
    return f"({text})" if row.verdict in UNDECIDED else text

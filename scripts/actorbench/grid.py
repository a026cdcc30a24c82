"""Grids: a table of ratios with the candidates down and what they are compared on across."""

from collections.abc import Sequence

from actorbench.ratios import Row
from actorbench.wording import ratio_text

BETTER = ("faster", "less")


def grid_body(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Give the columns' headings, and each row's label with its texts; both in the order of the file."""
    headings = list(dict.fromkeys(row.comparison.column for row in rows))
    labels = list(dict.fromkeys(row.comparison.label for row in rows))
    cells = {(row.comparison.label, row.comparison.column): row for row in rows}
    return headings, [
        [label, *(_text(cells.get((label, heading))) for heading in headings)] for label in labels
    ]


def grid_lead(rows: Sequence[Row]) -> list[str]:
    """Say first which candidates are better than their base, and on what."""
    found = [row for row in rows if row.verdict in BETTER and row.ratio]
    if not found:
        return ["no candidate was found better than its base"]
    by_label: dict[str, list[str]] = {}
    for row in found:
        text = f"{row.comparison.column} {ratio_text(row.ratio)}" if row.ratio else ""
        by_label.setdefault(row.comparison.label, []).append(text)
    said = "; ".join(f"{label}: {', '.join(texts)}" for label, texts in by_label.items())
    return [f"{found[0].verdict} than the base: {said}"]


def _text(row: Row | None) -> str:
    if row is None:
        return ""
    if row.ratio is None or row.candidate == row.base:
        return row.verdict
    text = ratio_text(row.ratio)
    return f"({text})" if row.verdict in ("not told apart", "too few samples") else text

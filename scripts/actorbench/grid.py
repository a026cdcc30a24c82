"""Grids: a table of ratios with the candidates down and what they are compared on across.

Where that is in groups, it stands down, group by group, each with its means, and the candidates across.
"""

from collections.abc import Iterator, Sequence

from actorbench.estimates import Ratio
from actorbench.groups import GEOMETRIC_MEAN, Mean
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


def grouped_body(rows: Sequence[Row], means: Sequence[Mean]) -> tuple[list[str], list[list[str]]]:
    """Give the candidates as headings, and below each group's name what it is compared on, and its means."""
    headings = list(dict.fromkeys(row.reading.label for row in rows))
    texts: dict[str, list[list[str]]] = {}
    for group, label, line in by_group(rows, headings):
        texts.setdefault(group, []).append([f"  {label}", *map(_with_steals, line)])
    body = []
    for group, lines in texts.items():
        found = {mean.label: _mean_text(mean) for mean in means if mean.group == group}
        own = [f"  {GEOMETRIC_MEAN}", *(found[heading] for heading in headings)]
        body += [[f"{group}:", *[""] * len(headings)], *lines, own]
    return headings, body


def by_group(rows: Sequence[Row], labels: Sequence[str]) -> Iterator[tuple[str, str, tuple[Row | None, ...]]]:
    """Give the columns of a grid with their groups, group by group, and what each of the labels has there."""
    cells = {(row.reading.label, row.reading.column): row for row in rows}
    columns = {row.reading.column: row.reading.group for row in rows}
    for group in dict.fromkeys(columns.values()):
        for column in (one for one, its in columns.items() if its == group):
            yield group, column, tuple(cells.get((label, column)) for label in labels)


def means_lead(rows: Sequence[Row], means: Sequence[Mean]) -> list[str]:
    """Say first what is decided of the groups' means, and why nothing can be said of single rows."""
    decided = [one for one in means if not one.is_undecided and one.ratio]
    said = [f"{one.group}, {one.label} {_mean_text(one)}" for one in decided]
    told = f"{GEOMETRIC_MEAN}s that are told apart from 1: " + "; ".join(said)
    return [told if said else f"no {GEOMETRIC_MEAN} was told apart from 1", *reach_note(rows)]


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
    text = short_ratio(row.ratio)
    return f"({text})" if row.verdict in UNDECIDED else text


def short_ratio(ratio: Ratio) -> str:
    """Write a ratio with three digits, with its interval if it has one."""
    text = short_number(ratio.ratio)
    if ratio.low is None or ratio.high is None:
        return text
    return f"{text} [{short_number(ratio.low)}, {short_number(ratio.high)}]"


def _mean_text(mean: Mean) -> str:
    if mean.ratio is None:
        return mean.trouble
    text = short_ratio(mean.ratio)
    return f"({text})" if mean.is_undecided else text

"""A table of text, and how it is written: aligned for a terminal or a log, and as Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as RichTable
from rich.text import Text

_ENDLESS = 100_000  # characters: wider than any table


@dataclass(frozen=True)
class Column:
    """A column's heading; numbers are set flush right."""

    heading: str
    numeric: bool = True


@dataclass(frozen=True)
class Table:
    """Rows of text under columns, with a title and what must be said first above, and notes below."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = field(default_factory=tuple)
    lead: Sequence[str] = field(default_factory=tuple)

    def print(self, console: Console) -> None:
        """Print the table, aligned; nothing in it is taken for markup.

        Where its numbers don't fit side by side, a row becomes a block of lines, one a column.
        """
        console.print(Text(self.title, style="bold"), soft_wrap=True)
        for line in self.lead:
            console.print(Text(line), soft_wrap=not console.is_terminal)
        table = self._aligned(None)
        wanted = Measurement.get(console, console.options.update(max_width=_ENDLESS), table)
        # A log has no width that a number could be too wide for, and is not padded to it.
        width = console.width if console.is_terminal else max(console.width, wanted.minimum)
        if wanted.minimum <= width < wanted.maximum:
            table = self._aligned(width - wanted.minimum)
        if not console.is_terminal:
            options = console.options.update(width=width)
            for parts in console.render_lines(table, options):
                console.out("".join(part.text for part in parts).rstrip(), highlight=False)
        elif wanted.minimum <= console.width:
            console.print(table)
        else:
            self._print_blocks(console)
        for note in self.notes:
            console.print(Text(note), soft_wrap=not console.is_terminal)
        console.print()

    def _aligned(self, spare: int | None) -> RichTable:
        """Set the columns, as wide as their texts; or, with characters to spare, such that no word breaks."""
        spans = [self._span(number) for number in range(len(self.columns))]
        widths = [None for _ in spans] if spare is None else _shared(spans, spare)
        headed = any(column.heading for column in self.columns)
        table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, show_header=headed)
        for number, column in enumerate(self.columns):
            table.add_column(
                Text(column.heading),
                justify="right" if column.numeric else "left",
                overflow="fold",
                min_width=spans[number][0],
                width=widths[number],
            )
        for row in self.rows:
            table.add_row(*(Text(cell) for cell in row))
        return table

    def _span(self, number: int) -> tuple[int, int]:
        """Give the least width of a column, at which no word or number breaks, and the most it takes."""
        column, cells = self.columns[number], [row[number] for row in self.rows]
        words = [*column.heading.split(), *(cells if column.numeric else " ".join(cells).split())]
        least = max(map(cell_len, words), default=0)
        return least, least if column.numeric else max(map(cell_len, [column.heading, *cells]))

    def _print_blocks(self, console: Console) -> None:
        for row in self.rows:
            console.print()
            for column, cell in zip(self.columns, row, strict=True):
                console.print(Text(f"{column.heading}: {cell}" if column.heading else cell), soft_wrap=True)
        console.print()

    def markdown(self) -> str:
        """Write the table as Markdown, with its title as a heading, and its notes."""
        notes = "".join(f"\n{escaped(note)}\n" for note in self.notes)
        lead = "".join(f"{escaped(line)}\n\n" for line in self.lead)
        return f"## {escaped(self.title)}\n\n" + lead + self.markdown_rows() + notes

    def markdown_rows(self) -> str:
        """Write columns and rows alone as Markdown, aligned in the source too."""
        heads = [escaped(column.heading) for column in self.columns]
        body = [[escaped(cell) for cell in row] for row in self.rows]
        widths = [max(3, *(len(line[i]) for line in [heads, *body])) for i in range(len(heads))]
        rule = [
            "-" * (width - 1) + ":" if column.numeric else "-" * width
            for column, width in zip(self.columns, widths, strict=True)
        ]
        lines = [self._line(heads, widths), self._line(rule, widths)]
        lines += [self._line(row, widths) for row in body]
        return "\n".join(lines) + "\n"

    def _line(self, cells: Sequence[str], widths: Sequence[int]) -> str:
        padded = [
            cell.rjust(width) if column.numeric else cell.ljust(width)
            for column, cell, width in zip(self.columns, cells, widths, strict=True)
        ]
        return f"| {' | '.join(padded)} |"


def _shared(spans: Sequence[tuple[int, int]], spare: int) -> list[int]:
    """Give each column its least width, and what is to spare to the narrowest that still wants some."""
    widths = [least for least, _ in spans]
    for _ in range(spare):
        wanting = [number for number, (_, most) in enumerate(spans) if widths[number] < most]
        if wanting:
            widths[min(wanting, key=widths.__getitem__)] += 1
    return widths


def escaped(text: str) -> str:
    """Escape what Markdown would take for a cell's end, for HTML, code, emphasis or a link."""
    for sign in ("\\", "|", "<", "&", "`", "*", "]("):
        text = text.replace(sign, f"\\{sign}" if len(sign) == 1 else "]\\(")
    return text


def make_console(*, stderr: bool = False) -> Console:
    """Make a console; without a terminal it is wide, so that a log's tables are not folded."""
    console = Console(stderr=stderr, markup=False, highlight=False, emoji=False)
    if not console.is_terminal:
        console.width = 200
    return console

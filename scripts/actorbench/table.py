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
        roomy = self._aligned(narrow=False)
        wanted = Measurement.get(console, console.options.update(max_width=_ENDLESS), roomy)
        table = roomy if wanted.maximum <= console.width else self._aligned(narrow=True)
        if not console.is_terminal:
            # A log has no width that a number could be too wide for, and is not padded to it.
            options = console.options.update(width=max(console.width, wanted.minimum))
            for parts in console.render_lines(table, options):
                console.out("".join(part.text for part in parts).rstrip(), highlight=False)
        elif wanted.minimum <= console.width:
            console.print(table)
        else:
            self._print_blocks(console)
        for note in self.notes:
            console.print(Text(note), soft_wrap=not console.is_terminal)
        console.print()

    def _aligned(self, *, narrow: bool) -> RichTable:
        """Set the columns; in a narrow one a number takes its own width, and its heading folds at words."""
        headed = any(column.heading for column in self.columns)
        table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, show_header=headed)
        for number, column in enumerate(self.columns):
            words = [*column.heading.split(), *(row[number] for row in self.rows)]
            least = max(map(cell_len, words), default=0) if column.numeric else None
            table.add_column(
                Text(column.heading),
                justify="right" if column.numeric else "left",
                overflow="fold",
                min_width=least,
                width=least if narrow else None,
            )
        for row in self.rows:
            table.add_row(*(Text(cell) for cell in row))
        return table

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

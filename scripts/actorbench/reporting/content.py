"""What the page shows beside the verdicts: cells and their samples, failures, tables, figures, machine."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from actorbench.cell import Cell, format_number
from actorbench.curves import how_of
from actorbench.estimates import Estimate
from actorbench.experiment import FIGURES
from actorbench.hyperfine import WholeProcess
from actorbench.machine.facts import facts_from_json
from actorbench.measure import MEASURES
from actorbench.notes import context_note
from actorbench.peers.describing import systems_table
from actorbench.ratios import workers_text
from actorbench.replay import command_of
from actorbench.reporting.pictures import figure_picture, samples_picture
from actorbench.results import CellResult, Results
from actorbench.sample import Sample
from actorbench.simulated.counted import counted_table
from actorbench.source_tables import source_table
from actorbench.system import OURS
from actorbench.table import Table
from actorbench.tables import table_for
from actorbench.text import counted
from actorbench.whole import WALL, whole_estimate
from actorbench.wording import estimate_text, number_text

_NUMBER = re.compile(r"^-?[\d,]+(?:\.\d+)?")


@dataclass(frozen=True)
class CellView:
    """A cell: what it is, what was measured, and how to measure it again."""

    label: str
    state: str
    measure: str
    estimate: str
    picture: Markup | None
    numbers: tuple[tuple[str, str], ...]
    command: str


@dataclass(frozen=True)
class FailureView:
    """A failed sample, with what the program said."""

    label: str
    round: int
    kind: str
    reason: str
    outputs: tuple[tuple[str, str], ...]
    command: str


@dataclass(frozen=True)
class TableCell:
    """A table's cell: its text, and the number to sort by if it begins with one."""

    text: str
    key: float | None
    numeric: bool


@dataclass(frozen=True)
class TableView:
    """A table to be sorted by its columns."""

    id: str
    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    notes: tuple[str, ...]
    lead: tuple[str, ...] = ()


@dataclass(frozen=True)
class FigureView:
    """A figure with the words below it."""

    title: str
    picture: Markup
    caption: str


def cell_label(cell: Cell) -> str:
    """Name a cell in words: workload, workers, and what is set."""
    if cell.own:
        return cell.key
    said = [f"{name} {value}" for name, value in (*cell.parameters, *cell.options)]
    if cell.config != "release":
        said.append(f"build {cell.config}")
    said.append(f"scale {format_number(cell.scale)}")
    workers = [] if cell.workers is None else [workers_text(cell.workers)]
    arm = [f"arm {cell.arm}"] if cell.arm else []
    system = [] if cell.system == OURS else [cell.system]
    return ", ".join([*system, cell.workload, *workers, *said, *arm])


def cell_views(results: Results) -> list[CellView]:
    """Show every cell of the plan, in its order."""
    return [_cell_view(results, result) for result in results.by_cell.values()]


def failure_views(results: Results) -> list[FailureView]:
    """Show every failed sample, in the order taken."""
    return [
        FailureView(
            label=cell_label(result.cell),
            round=sample.round + 1,
            kind=sample.failure.kind,
            reason=sample.failure.reason,
            outputs=tuple(
                (name, text)
                for name, text in (("stdout", sample.failure.stdout), ("stderr", sample.failure.stderr))
                if text
            ),
            command=command_of(results, result.cell),
        )
        for result in results.failed_cells()
        for sample in result.samples
        if sample.failure
    ]


def voided_lines(results: Results, voided: Sequence[Sample]) -> list[str]:
    """Say which samples do not count, and why; each was taken again."""
    labels = {key: cell_label(result.cell) for key, result in results.by_cell.items()}
    return [f"{labels.get(one.key, one.key)}, round {one.round + 1}: {one.voided}" for one in voided]


def table_views(results: Results) -> list[TableView]:
    """Show the tables of all experiments but those of kind "ratios", which the verdict shows."""
    systems = systems_table(results)
    views = []
    for one in results.experiments:
        if one.kind != "ratios":
            views.append(table_view(one.id, table_for(results, one)))
        if printed := source_table(results, one):
            views.append(table_view(f"{one.id}-source", printed))
        if counted := counted_table(results, one):
            views.append(table_view(f"{one.id}-counted", counted))
    return [table_view("systems", systems), *views] if systems else views


def table_view(name: str, table: Table) -> TableView:
    """Prepare a table for the page."""
    rows = tuple(
        tuple(
            TableCell(text, sort_key(text), column.numeric)
            for text, column in zip(row, table.columns, strict=True)
        )
        for row in table.rows
    )
    headings = tuple(column.heading for column in table.columns)
    return TableView(name, table.title, headings, rows, tuple(table.notes), tuple(table.lead))


def figure_views(results: Results) -> list[FigureView]:
    """Draw the figures of all experiments of kind "lines" or "boxes"."""
    return [
        FigureView(
            one.title,
            figure_picture(results, one, f"figure-{one.id}"),
            f"{how_of(results, one)}; {context_note(results, one)}",
        )
        for one in results.experiments
        if one.kind in FIGURES
    ]


def machine_rows(results: Results) -> list[tuple[str, str]]:
    """Give what the machine was, as label and text."""
    versions = results.head.document.get("versions")
    known = versions.items() if isinstance(versions, dict) else ()
    facts = facts_from_json(results.head.document["machine"]).shown()
    return [*facts, *((str(name), str(value)) for name, value in known if value is not None)]


def whole_views(processes: Sequence[WholeProcess]) -> list[CellView]:
    """Show every command of a run of whole processes."""
    views = []
    for process in processes:
        one = whole_estimate(process)
        state = counted(len(process.times), "run") + (f", {process.failed} failed" if process.failed else "")
        numbers = "  ".join(number_text(time) for time in process.times)
        views.append(
            CellView(
                label=process.command,
                state=state,
                measure=WALL.label,
                estimate=f"{estimate_text(one, WALL, None)} {WALL.unit}",
                picture=samples_picture(process.times, one),
                numbers=((WALL.heading, numbers),),
                command=process.command,
            )
        )
    return views


def sort_key(text: str) -> float | None:
    """Read the number that a cell's text begins with; None if it begins with none."""
    match = _NUMBER.match(text)
    return float(match[0].replace(",", "")) if match else None


def _cell_view(results: Results, result: CellResult) -> CellView:
    measure = MEASURES["time_per_operation"]
    values = results.values(result.cell, measure)
    one: Estimate | None = results.estimate(result.cell, measure)
    over = ", oversubscribed" if results.is_oversubscribed(result.cell) else ""
    text = estimate_text(one, measure, result.trouble)
    return CellView(
        label=cell_label(result.cell) + over,
        state=f"{len(result.samples)} of {result.planned} samples",
        measure=measure.label,
        estimate=f"{text} {measure.unit}" if one else text,
        picture=samples_picture(values, one) if values else None,
        numbers=tuple(_numbers(results, result.cell)),
        command=command_of(results, result.cell),
    )


def _numbers(results: Results, cell: Cell) -> Sequence[tuple[str, str]]:
    """Write the values of each measure that the cell's records hold, in the order of rounds."""
    shown = []
    for measure in MEASURES.values():
        values = results.values(cell, measure)
        if values and measure.name not in ("elapsed", "cpu"):
            shown.append((measure.heading, "  ".join(number_text(value) for value in values)))
    return shown

"""Comparing A with B: two runs, two options, or two commits, cell by cell.

A ratio is A over B. Cells of the same rounds are compared in pairs; those of two runs, which were measured
apart, by the ratio of medians with each arm resampled on its own (statistics rules, "Estimates"). The
verdicts of all cells shown are corrected together by Holm's method.
"""

import csv
import io
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from actorbench.cell import Cell
from actorbench.errors import UserError
from actorbench.estimates import Estimate, Method, Ratio, unpaired_ratio
from actorbench.experiment import Reading
from actorbench.measure import MEASURES, Measure
from actorbench.ratio_tables import (
    RATIO_HEAD,
    Field,
    label_field,
    ratio_fields,
    ratio_notes,
    ratio_numbers,
    rows_under,
)
from actorbench.ratios import Row, corrected, correction, reach_note, workers_text
from actorbench.results import Results
from actorbench.simulated.provenance import simulated_note
from actorbench.stealing import compared_steals
from actorbench.table import Column, Table
from actorbench.wording import estimate_text, interval_heading

CSV_HEAD = ["cell", "a", "b", "measure", "unit", "a_median", "a_low", "a_high", "b_median", "b_low", "b_high"]
CSV_HEAD += ["samples", *RATIO_HEAD]


@dataclass(frozen=True)
class Compared:
    """What A and B are, the runs that hold them (one run, or two), all rows, and how they were compared."""

    names: tuple[str, str]
    sides: tuple[Results, Results]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]
    method: Method

    def estimates(self, row: Row) -> list[Estimate | None]:
        """Estimate a row's cell of A, and that of B."""
        return [
            side.estimate(cell, row.measure)
            for side, cell in zip(self.sides, (row.candidate, row.base), strict=True)
        ]


def compare_pairs(
    results: Results, pairs: Sequence[tuple[Cell, Cell]], names: tuple[str, str], measure_name: str
) -> Compared:
    """Compare cells of one run, in pairs of the same round."""
    measure = MEASURES[measure_name]
    rows = []
    for a, b in pairs:
        over = results.is_oversubscribed(a) or results.is_oversubscribed(b)
        label = label_of(a, oversubscribed=over)
        rows.append(_row(label, (results, a), (results, b), measure, results.ratio(a, b, measure)))
    rows = corrected(rows)
    how = "ratio: A over B, median over the rounds of the ratio in the round; interval: exact, sign test"
    run = f"run {results.name}, preset {results.head.preset}"
    notes = (how, run, *simulated_notes(results), *reach_note(rows))
    return Compared(names, (results, results), tuple(rows), notes, Method.SIGN)


def compare_runs(above: Results, below: Results, measure_name: str) -> Compared:
    """Compare the cells that two runs share; raises UserError if they share none."""
    shared = [cell for key, result in above.by_cell.items() if key in below.by_cell for cell in [result.cell]]
    if not shared:
        raise UserError(
            f"the runs share no cell: {above.name} has such as '{next(iter(above.by_cell), 'none')}',"
            f" {below.name} such as '{next(iter(below.by_cell), 'none')}'"
        )
    measure = MEASURES[measure_name]
    rows = []
    for cell in shared:
        values = (above.values(cell, measure), below.values(cell, measure))
        ratio = None
        if values[0] and values[1] and all(values[0]) and all(values[1]):
            ratio = unpaired_ratio(*values, seed=above.head.seed, name=f"{cell.key} {measure.name}")
        rows.append(_row(cell.key, (above, cell), (below, cell), measure, ratio))
    notes = [
        "ratio: A over B, ratio of medians; interval: percentile bootstrap, each run resampled on its own"
    ]
    notes.append("measured apart: a drift of the machine between the runs shows as a difference")
    alone = len(above.by_cell) + len(below.by_cell) - 2 * len(shared)
    if alone:
        notes.append(f"{alone} cells are in one of the runs only, and left out")
    notes += [*machine_notes(above, below), *simulated_notes(above, below)]
    names = (above.name, below.name)
    return Compared(names, (above, below), tuple(corrected(rows)), tuple(notes), Method.BOOTSTRAP)


def partners(results: Results, a: Mapping[str, str], b: Mapping[str, str]) -> list[tuple[Cell, Cell]]:
    """Find the cells of a run that differ just in the options A and B; raises UserError if there are none."""
    cells = [result.cell for result in results.by_cell.values()]
    by_rest: dict[object, Cell] = {}
    for cell in cells:
        if _has(cell, b):
            by_rest.setdefault(_rest(cell, a, b), cell)
    found = [
        (cell, by_rest[_rest(cell, a, b)]) for cell in cells if _has(cell, a) and _rest(cell, a, b) in by_rest
    ]
    pairs = [(one, other) for one, other in found if one != other]
    if not pairs:
        raise UserError(
            f"run {results.name} has no two cells that differ just in '{options_text(a)}' and"
            f" '{options_text(b)}' (its cells: such as '{next(iter(results.by_cell), 'none')}')"
        )
    return pairs


def read_options(text: str) -> dict[str, str]:
    """Read "--queue copy --steal none"; raises UserError."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UserError(f"'{text}' is no list of options: {error}") from error
    names, values = words[::2], words[1::2]
    if len(names) != len(values) or any(not name.startswith("--") or len(name) < 3 for name in names):
        raise UserError(f"'{text}' is no list of options with their values, such as '--queue copy'")
    return {name.removeprefix("--"): value for name, value in zip(names, values, strict=True)}


def options_text(options: Mapping[str, str]) -> str:
    """Write options as on a command line."""
    return shlex.join([word for name, value in options.items() for word in (f"--{name}", value)])


def compared_table(compared: Compared) -> Table:
    """Write a comparison as a table."""
    measure = compared.rows[0].measure
    headings = [
        f"{name} {interval_heading(side.method(), side.head.confidence)}"
        for name, side in zip("AB", compared.sides, strict=True)
    ]
    of_sides = [
        Field(Column(heading), partial(_estimate_text, compared, number))
        for number, heading in enumerate(headings)
    ]
    of_ratio = ratio_fields(compared.rows, f"A / B {interval_heading(compared.method)}", "A is")
    fields = [label_field("cell"), *of_sides, *of_ratio]
    notes = [*(f"{name}: {shown}" for name, shown in zip("AB", compared.names, strict=True)), *compared.notes]
    notes += [f"verdicts at 5 %, {correction(compared.rows)}", *ratio_notes(compared.rows)]
    columns = [field.column for field in fields]
    return Table(f"A against B: {measure.heading}", columns, rows_under(compared.rows, fields), notes)


def compared_csv(compared: Compared) -> str:
    """Write a comparison as CSV, one row a cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_HEAD)
    for row in compared.rows:
        medians: list[object] = []
        for one in compared.estimates(row):
            medians += ["", "", ""] if one is None else [one.value, one.low, one.high]
        count = row.ratio.count if row.ratio else ""
        named = [row.label, row.candidate.key, row.base.key, row.measure.name, row.measure.unit]
        writer.writerow([*named, *medians, count, *ratio_numbers(row)])
    return text.getvalue()


def _row(
    label: str, a: tuple[Results, Cell], b: tuple[Results, Cell], measure: Measure, ratio: Ratio | None
) -> Row:
    troubles = {"A": a[0].result(a[1]).trouble, "B": b[0].result(b[1]).trouble}
    said = "; ".join(f"{name} {trouble}" for name, trouble in troubles.items() if trouble)
    return Row(
        Reading(label, measure.name),
        label,
        a[1],
        b[1],
        ratio,
        said or None,
        compared_steals({"A": a, "B": b}),
    )


def _estimate_text(compared: Compared, number: int, row: Row) -> str:
    cell = (row.candidate, row.base)[number]
    trouble = compared.sides[number].result(cell).trouble
    return estimate_text(compared.estimates(row)[number], row.measure, trouble)


def machine_notes(above: Results, below: Results) -> list[str]:
    """Say in what the machines of two runs differ."""
    named = ("cpu_model", "cpus_allowed", "kernel", "governor", "turbo", "smt", "compiler")
    machines = [one.head.document.get("machine", {}) for one in (above, below)]
    differ = [name.replace("_", " ") for name in named if machines[0].get(name) != machines[1].get(name)]
    return [f"the runs' machines differ in: {', '.join(differ)}"] if differ else []


def simulated_notes(*runs: Results) -> list[str]:
    """Say of simulated runs that they are."""
    return [note for note in dict.fromkeys(simulated_note(one.head.document) for one in runs) if note]


def label_of(cell: Cell, *, oversubscribed: bool) -> str:
    """Name a cell by its workload and workers."""
    workers = "" if cell.workers is None else f", {workers_text(cell.workers)}"
    return cell.workload + workers + (" (oversubscribed)" if oversubscribed else "")


def _has(cell: Cell, options: Mapping[str, str]) -> bool:
    given = {name: str(value) for name, value in cell.options + cell.parameters}
    return all(given.get(name) == value for name, value in options.items())


def _rest(cell: Cell, a: Mapping[str, str], b: Mapping[str, str]) -> object:
    """All of the cell but the options that A and B name."""
    others = [
        tuple(p for p in part if p[0] not in a and p[0] not in b) for part in (cell.options, cell.parameters)
    ]
    return replace(cell, options=others[0], parameters=others[1])

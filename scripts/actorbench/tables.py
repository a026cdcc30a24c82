"""The tables of a run: one an experiment, whatever its kind, and the same numbers as CSV."""

import csv
import io
from collections.abc import Iterator, Sequence
from statistics import median

from actorbench.best_tables import best_table
from actorbench.boxes import boxes_of
from actorbench.cell import Cell
from actorbench.curves import measures_of
from actorbench.estimates import Method
from actorbench.experiment import Experiment
from actorbench.figure_tables import boxes_table, lines_table, value_text
from actorbench.grid import grid_body, grid_lead, grouped_body, means_lead
from actorbench.groups import GEOMETRIC_MEAN, Mean, means_note, means_of
from actorbench.measure import MEASURES, Measure
from actorbench.notes import cell_notes, closing_notes
from actorbench.peers.describing import systems_table
from actorbench.ratio_tables import (
    RATIO_HEAD,
    Field,
    grouped_rows,
    label_field,
    ratio_fields,
    ratio_notes,
    ratio_numbers,
)
from actorbench.ratios import Row, compare_rows, correction, reach_note
from actorbench.results import Results
from actorbench.rules import MEDIAN
from actorbench.simulated.counted import COUNTED, counted_table
from actorbench.source_tables import source_table
from actorbench.stealing import STEALS, is_to_steal, stealing_sides
from actorbench.table import Column, Table
from actorbench.wording import interval_heading

CSV_HEAD = ["experiment", "label", "command", "workers", "oversubscribed", "measure", "unit"]
CSV_HEAD += ["samples", MEDIAN, "low", "high", "trouble"]
CSV_BOX_HEAD = ["experiment", "label", "workers", "measure", "unit", "samples", "smallest", "lower_quartile"]
CSV_BOX_HEAD += ["median", "upper_quartile", "largest", "trouble"]
CSV_RATIO_HEAD = ["experiment", "label", "candidate", "base", "direction", "pairs", *RATIO_HEAD]
CSV_RATIO_HEAD += ["target", "candidate_steals", "base_steals"]


def run_tables(results: Results) -> list[Table]:
    """Make all tables of a run: its systems, if there are peers, and those of each experiment."""
    found: list[Table | None] = [systems_table(results)]
    for experiment in results.experiments:
        found += [*tables_for(results, experiment), counted_table(results, experiment)]
    return [table for table in found if table is not None]


def tables_for(results: Results, experiment: Experiment) -> list[Table]:
    """Make the table of an experiment, and that of what the sources printed of it, if they did."""
    printed = source_table(results, experiment)
    return [table_for(results, experiment), *([printed] if printed else [])]


def table_for(results: Results, experiment: Experiment) -> Table:
    """Make the table of an experiment."""
    makers = {
        "lines": lines_table,
        "boxes": boxes_table,
        "table": _rows_table,
        "ratios": _ratios_table,
        "grid": grid_table,
        "best": best_table,
    }
    return makers[experiment.kind](results, experiment)


def csv_for(results: Results, experiment: Experiment) -> str:
    """Write the numbers of an experiment as CSV, one row a cell and measure, or one a comparison."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if experiment.kind == "boxes":
        writer.writerow(CSV_BOX_HEAD)
        writer.writerows(_box_lines(results, experiment))
        return text.getvalue()
    if experiment.comparisons:
        writer.writerow(CSV_RATIO_HEAD)
        rows = compare_rows(results, experiment)
        writer.writerows(_ratio_line(results, experiment, row) for row in rows)
        writer.writerows(_mean_line(experiment, mean, rows[0]) for mean in means_of(results, rows))
        return text.getvalue()
    writer.writerow([experiment.estimate if name == MEDIAN else name for name in CSV_HEAD])
    counted = [MEASURES[name] for name in COUNTED] if results.head.simulated else []
    for series in experiment.series:
        steals = [STEALS] if experiment.kind == "lines" and is_to_steal(series.setting) else []
        for cell in results.resolver.cells(experiment, series.setting):
            for measure in dict.fromkeys([*measures_of(experiment), *steals, *counted]):
                writer.writerow(_cell_line(results, experiment, series.label, cell, measure))
    return text.getvalue()


def _rows_table(results: Results, experiment: Experiment) -> Table:
    measures = measures_of(experiment)
    rows, cells = [], []
    for series in experiment.series:
        for cell in results.resolver.cells(experiment, series.setting):
            cells.append(cell)
            over = " (oversubscribed)" if results.is_oversubscribed(cell) else ""
            workers = "-" if cell.workers is None else str(cell.workers)
            rows.append([series.label, workers + over, *(value_text(results, cell, m) for m in measures)])
    columns = [Column("", numeric=False), Column("workers"), *(Column(m.heading) for m in measures)]
    counts_only = all(measure.is_count for measure in measures)
    heading = interval_heading(results.method(), results.head.confidence)
    explained = "medians" if counts_only else f"medians, times and memory: {heading}"
    notes = cell_notes(results, experiment, cells, measures[0], explained)
    return Table(experiment.title, columns, rows, notes)


def _ratios_table(results: Results, experiment: Experiment) -> Table:
    rows = compare_rows(results, experiment)
    target = Field(Column("target", numeric=False), lambda row: row.target)
    heading = f"ratio {interval_heading(Method.SIGN)}"
    fields = [label_field("candidate against base"), *ratio_fields(rows, heading, "verdict", target)]
    notes = [
        "ratio: median over the rounds of the two cells' ratio in the round; interval: exact, sign test",
        f"verdict: exact sign test at 5 %, {correction(rows)}",
        *reach_note(rows),
        *ratio_notes(rows),
        *closing_notes(results, experiment),
    ]
    return Table(experiment.title, [field.column for field in fields], grouped_rows(rows, fields), notes)


def grid_table(results: Results, experiment: Experiment) -> Table:
    """Make the table of a grid: candidates down, what they are compared on across; in groups it is turned."""
    rows = compare_rows(results, experiment)
    means = means_of(results, rows)
    headings, body = grouped_body(rows, means) if means else grid_body(rows)
    columns = [Column("", numeric=False), *(Column(heading) for heading in headings)]
    notes = [
        f"median ratio of candidate / base in the same round {interval_heading(Method.SIGN)}; in (): not"
        f" told apart (sign test at 5 %, {correction(rows)})",
        *means_note(results, rows),
        *ratio_notes(rows),
        *closing_notes(results, experiment),
    ]
    lead = means_lead(rows, means) if means else grid_lead(rows)
    return Table(experiment.title, columns, body, notes, lead)


def _box_lines(results: Results, experiment: Experiment) -> Iterator[list[object]]:
    for measure in measures_of(experiment):
        for box in boxes_of(results, experiment, measure):
            numbers: Sequence[object] = box.quartiles if box.count else [""] * len(box.quartiles)
            named = [experiment.id, box.label, box.workers, measure.name, measure.unit]
            yield [*named, box.count, *numbers, box.trouble]


def _cell_line(
    results: Results, experiment: Experiment, label: str, cell: Cell, measure: Measure
) -> list[object]:
    one = results.estimate(cell, measure, experiment.estimate)
    numbers = ["", "", "", ""] if one is None else [one.count, one.value, one.low, one.high]
    trouble = results.result(cell).trouble or ("" if one else "not in the record")
    over = "yes" if results.is_oversubscribed(cell) else "no"
    return [experiment.id, label, cell.key, cell.workers, over, measure.name, measure.unit, *numbers, trouble]


def _ratio_line(results: Results, experiment: Experiment, row: Row) -> list[object]:
    keys = [row.candidate.key, row.base.key]
    label = ", ".join(part for part in (row.reading.column, row.label) if part)
    sides = stealing_sides({"candidate": row.candidate, "base": row.base})
    steals = [results.values(sides[name], STEALS) if name in sides else [] for name in ("candidate", "base")]
    said = [row.target, *(median(values) if values else "" for values in steals)]
    pairs = row.ratio.count if row.ratio else ""
    return [experiment.id, label, *keys, row.direction, pairs, *ratio_numbers(row), *said]


def _mean_line(experiment: Experiment, mean: Mean, row: Row) -> list[object]:
    label = f"{mean.group}, {GEOMETRIC_MEAN}, {mean.label}"
    one = mean.ratio
    numbers = [""] * 5 if one is None else [one.ratio, one.low, one.high, one.p_value, ""]
    verdict = mean.trouble or ("not told apart" if mean.is_undecided else "told apart")
    pairs = one.count if one else ""
    return [experiment.id, label, "", "", row.direction, pairs, *numbers, verdict, "", "", ""]

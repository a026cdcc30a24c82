"""The tables of a run: one an experiment, whatever its kind, and the same numbers as CSV."""

import csv
import io

from actorbench.cell import Cell
from actorbench.claims import claims_of
from actorbench.curves import how_of, quantity_of
from actorbench.estimates import samples_needed
from actorbench.experiment import Experiment
from actorbench.grid import grid_body, grid_lead
from actorbench.measure import MEASURES, Measure
from actorbench.peers.describing import systems_table
from actorbench.ratios import Row, by_direction, compare_rows
from actorbench.results import Results
from actorbench.rules import CONFIDENCE
from actorbench.scales import amounts_note, scales_text
from actorbench.table import Column, Table
from actorbench.wording import estimate_text, ratio_text, standing_note

CSV_HEAD = ["experiment", "label", "command", "workers", "oversubscribed", "measure", "unit"]
CSV_HEAD += ["samples", "median", "low", "high", "trouble"]
CSV_RATIO_HEAD = ["experiment", "label", "candidate", "base", "direction", "pairs", "ratio", "low", "high"]
CSV_RATIO_HEAD += ["p_value", "p_value_holm", "verdict", "target"]


def run_tables(results: Results) -> list[Table]:
    """Make all tables of a run: its systems, if there are peers, and one an experiment."""
    systems = systems_table(results)
    tables = [table_for(results, experiment) for experiment in results.experiments]
    return [systems, *tables] if systems else tables


def table_for(results: Results, experiment: Experiment) -> Table:
    """Make the table of an experiment."""
    makers = {"lines": _lines_table, "table": _rows_table, "ratios": _ratios_table, "grid": grid_table}
    return makers[experiment.kind](results, experiment)


def csv_for(results: Results, experiment: Experiment) -> str:
    """Write the numbers of an experiment as CSV, one row a cell and measure, or one a comparison."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if experiment.kind in ("ratios", "grid"):
        writer.writerow(CSV_RATIO_HEAD)
        writer.writerows(_ratio_line(experiment, row) for row in compare_rows(results, experiment))
        return text.getvalue()
    writer.writerow(CSV_HEAD)
    for series in experiment.series:
        for cell in results.resolver.cells(experiment, series.setting):
            for measure in measures_of(experiment):
                writer.writerow(_cell_line(results, experiment, series.label, cell, measure))
    return text.getvalue()


def measures_of(experiment: Experiment) -> list[Measure]:
    """The measures that a figure or table shows."""
    names = experiment.columns if experiment.kind == "table" else (experiment.measure,)
    return [MEASURES[name] for name in names]


def context_note(results: Results, experiment: Experiment) -> str:
    """Say where the numbers come from: preset, scales, samples and run."""
    cells = {
        cell for setting in experiment.settings() for cell in results.resolver.cells(experiment, setting)
    }
    planned = sorted({results.result(cell).planned for cell in cells} - {0})
    count = "-".join(dict.fromkeys([str(planned[0]), str(planned[-1])])) if planned else "no"
    samples = f"{count} sample a cell" if count == "1" else f"{count} samples a cell"
    pinned = f"--pin {results.head.pin}, " if results.head.pin else ""
    return f"preset {results.head.preset}, {scales_text(cells)}, {pinned}{samples}, run {results.name}"


def claim_notes(results: Results, experiment: Experiment) -> list[str]:
    """Name the claims that an experiment tests, a line each, with what the run says of those it decides."""
    return [claim.line for claim in claims_of(results) if claim.id in experiment.claims]


def _lines_table(results: Results, experiment: Experiment) -> Table:
    measure = MEASURES[experiment.measure]
    cells = [results.resolver.cells(experiment, series.setting) for series in experiment.series]
    counts = sorted({cell.workers or 0 for line in cells for cell in line})
    rows = []
    for count in counts:
        here = {i: cell for i, line in enumerate(cells) for cell in line if (cell.workers or 0) == count}
        over = any(results.is_oversubscribed(cell) for cell in here.values())
        show = _speedup_text if experiment.speedup else _text
        texts = [show(results, here[i], measure) if i in here else "" for i in range(len(cells))]
        rows.append([f"{count}{' (oversubscribed)' if over else ''}", *texts])
    columns = [Column("workers"), *(Column(series.label) for series in experiment.series)]
    explained = how_of(experiment) if experiment.speedup else f"{measure.heading}: median [95 % interval]"
    all_cells = [cell for line in cells for cell in line]
    return Table(
        f"{experiment.title}: {quantity_of(experiment)}",
        columns,
        rows,
        _notes(results, experiment, all_cells, [measure], explained),
    )


def _rows_table(results: Results, experiment: Experiment) -> Table:
    measures = measures_of(experiment)
    rows, cells = [], []
    for series in experiment.series:
        for cell in results.resolver.cells(experiment, series.setting):
            cells.append(cell)
            over = " (oversubscribed)" if results.is_oversubscribed(cell) else ""
            workers = "-" if cell.workers is None else str(cell.workers)
            rows.append([series.label, workers + over, *(_text(results, cell, m) for m in measures)])
    columns = [Column("", numeric=False), Column("workers"), *(Column(m.heading) for m in measures)]
    counts_only = all(measure.is_count for measure in measures)
    explained = "medians" if counts_only else "medians, times and memory with their 95 % interval"
    notes = _notes(results, experiment, cells, measures, explained)
    return Table(experiment.title, columns, rows, notes)


def _ratios_table(results: Results, experiment: Experiment) -> Table:
    rows = compare_rows(results, experiment)
    groups = by_direction(rows)
    body: list[list[str]] = []
    for number, (direction, group) in enumerate(groups):
        body += [["", "", "", ""]] if number else []
        body.append([f"{direction}:", "", "", ""])
        for row in group:
            body.append(
                ["  " + row.label, ratio_text(row.ratio) if row.ratio else "-", row.verdict, row.target]
            )
    columns = [Column("candidate against base", numeric=False), Column("ratio [95 % interval]")]
    columns += [Column("verdict", numeric=False), Column("target", numeric=False)]
    notes = [
        "ratio: median over the rounds of the two cells' ratio in the round; interval: exact, sign test",
        "verdict: exact sign test at 5 %, corrected for the number of comparisons in this table (Holm)",
        *standing_note({row.ratio.standing for row in rows if row.ratio}),
        *reach_note(rows),
    ]
    return Table(experiment.title, columns, body, notes + _closing(results, experiment))


def grid_table(results: Results, experiment: Experiment) -> Table:
    """Make the table of a grid: candidates down, what they are compared on across."""
    rows = compare_rows(results, experiment)
    headings, body = grid_body(rows)
    columns = [Column("", numeric=False), *(Column(heading) for heading in headings)]
    notes = [
        "median ratio of candidate / base in the same round [95 % interval, sign test]; in (): not told apart"
        " (sign test at 5 %, corrected for the column by Holm)",
        *standing_note({row.ratio.standing for row in rows if row.ratio}),
    ]
    return Table(experiment.title, columns, body, notes + _closing(results, experiment), grid_lead(rows))


def reach_note(rows: list[Row]) -> list[str]:
    """Say so if there are too few rounds to tell any row apart, beside so many others."""
    counts = [row.ratio.count for row in rows if row.ratio]
    if not counts or max(counts) >= (needed := samples_needed(len(counts))):
        return []
    return [f"{len(counts)} comparisons need {needed} samples a cell before any can be told apart"]


def _text(results: Results, cell: Cell, measure: Measure) -> str:
    return estimate_text(results.estimate(cell, measure), measure, results.result(cell).trouble)


def _speedup_text(results: Results, cell: Cell, measure: Measure) -> str:
    ratio = results.speedup(cell, measure)
    return ratio_text(ratio) if ratio else results.speedup_trouble(cell)


def _notes(
    results: Results, experiment: Experiment, cells: list[Cell], measures: list[Measure], explained: str
) -> list[str]:
    estimates = [results.estimate(cell, measures[0]) for cell in cells]
    notes = [explained, *standing_note({one.standing for one in estimates if one})]
    if any(results.is_oversubscribed(cell) for cell in cells):
        notes.append(f"oversubscribed: more workers than the {results.head.cpus} CPUs that the run could use")
    return notes + _closing(results, experiment)


def _closing(results: Results, experiment: Experiment) -> list[str]:
    notes = [experiment.note] if experiment.note else []
    claims = f"; claims tested: {', '.join(experiment.claims)}" if experiment.claims else ""
    confidence = results.head.confidence
    if confidence > CONFIDENCE and experiment.kind not in ("ratios", "grid"):
        notes.append(f"intervals stated at {confidence:.2%}: 95 % over all looks at which it could end")
    notes += amounts_note(results, experiment)
    return [*notes, context_note(results, experiment) + claims, *claim_notes(results, experiment)]


def _cell_line(
    results: Results, experiment: Experiment, label: str, cell: Cell, measure: Measure
) -> list[object]:
    one = results.estimate(cell, measure)
    numbers = ["", "", "", ""] if one is None else [one.count, one.median, one.low, one.high]
    trouble = results.result(cell).trouble or ("" if one else "not in the record")
    over = "yes" if results.is_oversubscribed(cell) else "no"
    return [experiment.id, label, cell.key, cell.workers, over, measure.name, measure.unit, *numbers, trouble]


def _ratio_line(experiment: Experiment, row: Row) -> list[object]:
    one = row.ratio
    numbers = ["", "", "", ""] if one is None else [one.count, one.ratio, one.low, one.high]
    p_values = ["", ""] if one is None else [one.p_value, row.adjusted]
    keys = [row.candidate.key, row.base.key]
    label = ", ".join(part for part in (row.comparison.column, row.label) if part)
    return [experiment.id, label, *keys, row.direction, *numbers, *p_values, row.verdict, row.target]

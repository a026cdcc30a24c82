"""The tables of figures: the numbers behind curves and boxes."""

from collections.abc import Sequence

from actorbench.boxes import boxes_of
from actorbench.cell import Cell, x_of
from actorbench.curves import curves_of, how_of, measures_of, quantity_of
from actorbench.experiment import Experiment, Series
from actorbench.measure import Measure
from actorbench.notes import cell_notes
from actorbench.results import Results
from actorbench.rules import MEDIAN
from actorbench.stealing import STEALS_NOTE, is_to_steal, steals_text
from actorbench.table import Column, Table
from actorbench.wording import estimate_text, interval_heading, number_text, ratio_text


def lines_table(results: Results, experiment: Experiment) -> Table:
    """Make the table of a figure of kind "lines": x (workers) down, a row a measure; series across.

    A series that is to steal has its steals beside it, and ideal times stand last.
    """
    measures = measures_of(experiment)
    cells = [results.resolver.cells(experiment, series.setting) for series in experiment.series]
    counts = sorted({x_of(experiment, cell) for line in cells for cell in line})
    rows = []
    for count in counts:
        here = [next((cell for cell in line if x_of(experiment, cell) == count), None) for line in cells]
        over = any(results.is_oversubscribed(cell) for cell in here if cell)
        for measure in measures:
            named = [measure.heading] if len(measures) > 1 else []
            texts = [
                text
                for series, cell in zip(experiment.series, here, strict=True)
                for text in _texts(results, experiment, series, cell, measure)
            ]
            ideals = _ideal_texts(results, experiment, measure, count)
            rows.append([f"{count}{' (oversubscribed)' if over else ''}", *named, *texts, *ideals])
    columns = [Column(experiment.x_label), *([Column("measure", numeric=False)] if len(measures) > 1 else [])]
    columns += [Column(heading) for series in experiment.series for heading in _headings(series)]
    columns += [Column(ideal.label) for ideal in experiment.ideals]
    shown = "" if len(measures) > 1 else f": {quantity_of(experiment, measures[0])}"
    return Table(
        f"{experiment.title}{shown}",
        columns,
        rows,
        _lines_notes(results, experiment, [cell for line in cells for cell in line]),
    )


def boxes_table(results: Results, experiment: Experiment) -> Table:
    """Make the table of a figure of kind "boxes": a row a cell and measure."""
    measures = measures_of(experiment)
    rows = []
    for measure in measures:
        named = [measure.heading] if len(measures) > 1 else []
        for box in boxes_of(results, experiment, measure):
            numbers = [number_text(one, box.quartiles[2]) for one in box.quartiles]
            texts = [*numbers, str(box.count)] if box.count else ["", "", box.trouble, "", "", "0"]
            rows.append([box.label, *named, *texts])
    columns = [Column("", numeric=False), *([Column("measure", numeric=False)] if len(measures) > 1 else [])]
    columns += [Column(name) for name in ("smallest", "lower quartile", "median", "upper quartile")]
    columns += [Column("largest"), Column("samples")]
    shown = "" if len(measures) > 1 else f": {measures[0].heading}"
    cells = [
        cell for series in experiment.series for cell in results.resolver.cells(experiment, series.setting)
    ]
    notes = cell_notes(results, experiment, cells, measures[0], how_of(results, experiment))
    return Table(f"{experiment.title}{shown}", columns, rows, notes)


def value_text(results: Results, cell: Cell, measure: Measure, kind: str = MEDIAN) -> str:
    """Write the median or mean of a cell, or why there is none."""
    return estimate_text(results.estimate(cell, measure, kind), measure, results.result(cell).trouble)


def _headings(series: Series) -> list[str]:
    return [series.label, f"steals, {series.label}"] if is_to_steal(series.setting) else [series.label]


def _texts(
    results: Results, experiment: Experiment, series: Series, cell: Cell | None, measure: Measure
) -> list[str]:
    """Write what stands under a series' headings."""
    if cell is None:
        texts = ["", ""]
    elif experiment.speedup:
        ratio = results.speedup(cell, measure)
        texts = [ratio_text(ratio) if ratio else results.speedup_trouble(cell)]
        texts.append(steals_text(results, cell))
    else:
        texts = [value_text(results, cell, measure, experiment.estimate), steals_text(results, cell)]
    return texts[: len(_headings(series))]


def _ideal_texts(results: Results, experiment: Experiment, measure: Measure, count: int) -> list[str]:
    if not experiment.ideals:
        return []
    ideals = [curve for curve in curves_of(results, experiment, measure) if curve.is_ideal]
    texts = []
    for curve in ideals:
        point = next((one for one in curve.points if one.x == count), None)
        texts.append(number_text(point.value) if point else "")
    return texts or [""] * len(experiment.ideals)


def _lines_notes(results: Results, experiment: Experiment, cells: Sequence[Cell]) -> list[str]:
    measures = measures_of(experiment)
    headings = ", ".join(measure.heading for measure in measures)
    explained = how_of(results, experiment)
    if not experiment.speedup:
        heading = interval_heading(results.method(experiment.estimate), results.head.confidence)
        explained = f"{headings}: {experiment.estimate} {heading}"
    notes = cell_notes(results, experiment, cells, measures[0], explained)
    said = []
    if any(is_to_steal(series.setting) for series in experiment.series):
        said.append(STEALS_NOTE)
    said += [
        f"{ideal.label}: not measured, but {ideal.base}'s {experiment.estimate} times {ideal.meaning}"
        for ideal in experiment.ideals
    ]
    return [notes[0], *said, *notes[1:]]

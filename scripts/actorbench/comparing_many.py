"""Comparing more than two: options of cells that a run holds, or whole runs, each with each.

As for two (`comparing`), cells of a run are compared in the rounds that they share, those of several runs by
the ratio of medians, each run resampled on its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from actorbench.best import contests_from
from actorbench.best_tables import PAIRED, Contested
from actorbench.cell import Cell
from actorbench.comparing import label_of, machine_notes, simulated_notes
from actorbench.errors import UserError, choices
from actorbench.estimates import Method, Ratio, unpaired_ratio
from actorbench.experiment import Reading
from actorbench.measure import MEASURES, Measure
from actorbench.ratios import Row, corrected
from actorbench.results import Results

UNPAIRED = "ratio: ratio of medians; interval: percentile bootstrap, each run resampled on its own"
APART = "measured apart: a drift of the machine between the runs shows as a difference"


def compare_options(
    results: Results, options: Mapping[str, Mapping[str, str]], measure_name: str, reference: str = ""
) -> Contested:
    """Compare the cells of a run that differ just in these options, by label; raises UserError."""
    measure = MEASURES[measure_name]
    rows, subjects = [], {}
    for rest, cells in _alike(results, options).items():
        for sides in combinations(cells, 2):
            one, other = (cells[label] for label in sides)
            row = _row(sides, (results, one), (results, other), measure, results.ratio(one, other, measure))
            subjects[row.candidate, row.base] = rest
            rows.append(row)
    labels = [label_of(rest, oversubscribed=False) for rest in dict.fromkeys(subjects.values())]
    plain = len(set(labels)) == len(labels)
    contests = contests_from(
        corrected(rows),
        lambda _: results,
        lambda row: _named(subjects[row.candidate, row.base], plain=plain),
    )
    run = f"run {results.name}, preset {results.head.preset}"
    notes = (PAIRED, run, *simulated_notes(results))
    return Contested(
        _title(options, measure), tuple(contests), Method.SIGN, notes, referred(reference, options)
    )


def compare_all_runs(runs: Sequence[Results], measure_name: str, reference: str = "") -> Contested:
    """Compare the cells that all of the runs share; raises UserError if they share none."""
    shared = [key for key in runs[0].by_cell if all(key in run.by_cell for run in runs)]
    if not shared:
        raise UserError(
            f"the runs share no cell: {runs[0].name} has such as '{next(iter(runs[0].by_cell), 'none')}'"
        )
    measure = MEASURES[measure_name]
    rows = []
    for key in shared:
        for above, below in combinations(runs, 2):
            cells = (above.by_cell[key].cell, below.by_cell[key].cell)
            ratio = _apart(above, below, cells[0], measure)
            sides = (above.name, below.name)
            rows.append(_row(sides, (above, cells[0]), (below, cells[1]), measure, ratio))
    by_name = {run.name: run for run in runs}
    contests = contests_from(corrected(rows), by_name.__getitem__, lambda row: row.candidate.key)
    notes = [UNPAIRED, APART]
    if alone := len({key for run in runs for key in run.by_cell}) - len(shared):
        notes.append(f"{alone} cells are not in all of the runs, and left out")
    for above, below in combinations(runs, 2):
        notes += [note for note in machine_notes(above, below) if note not in notes]
    notes += simulated_notes(*runs)
    method = Method.BOOTSTRAP
    return Contested(
        _title(by_name, measure), tuple(contests), method, tuple(notes), referred(reference, by_name)
    )


def referred(reference: str, labels: Mapping[str, object]) -> str:
    """Give the reference back; raises UserError if nothing has that label."""
    if reference and reference not in labels:
        raise UserError(f"--reference '{reference}' is none of those compared: {choices(list(labels))}")
    return reference


def _apart(above: Results, below: Results, cell: Cell, measure: Measure) -> Ratio | None:
    values = (above.values(cell, measure), below.values(cell, measure))
    if not (values[0] and values[1] and all(values[0]) and all(values[1])):
        return None
    return unpaired_ratio(*values, seed=above.head.seed, name=f"{cell.key} {measure.name} {below.name}")


def _row(
    sides: tuple[str, str],
    above: tuple[Results, Cell],
    below: tuple[Results, Cell],
    measure: Measure,
    ratio: Ratio | None,
) -> Row:
    label = f"{sides[0]} against {sides[1]}"
    trouble = above[0].result(above[1]).trouble or below[0].result(below[1]).trouble
    return Row(Reading(label, measure.name, sides=sides), label, above[1], below[1], ratio, trouble, "")


def _alike(results: Results, options: Mapping[str, Mapping[str, str]]) -> dict[Cell, dict[str, Cell]]:
    """Find the cells that have one of the options each, and else are the same, by label; raises UserError.

    A cell has options if it has of all that are named anywhere just these.
    """
    named = {name for one in options.values() for name in one}
    found: dict[Cell, dict[str, Cell]] = {}
    for result in results.by_cell.values():
        cell = result.cell
        options_left, parameters_left = (
            tuple(pair for pair in part if pair[0] not in named) for part in (cell.options, cell.parameters)
        )
        own = {name: str(value) for name, value in cell.options + cell.parameters if name in named}
        label = next((label for label, one in options.items() if own == dict(one)), None)
        if label is not None:
            rest = replace(cell, options=options_left, parameters=parameters_left)
            found.setdefault(rest, {})[label] = cell
    whole = {rest: cells for rest, cells in found.items() if len(cells) == len(options)}
    if not whole:
        held = {label for cells in found.values() for label in cells}
        missing = [label for label in options if label not in held]
        why = f"none has '{missing[0]}'" if missing else "they differ in more"
        raise UserError(
            f"run {results.name} has no cells that differ just in the {len(options)} options: {why}"
            f" (its cells: such as '{next(iter(results.by_cell), 'none')}')"
        )
    return whole


def _named(rest: Cell, *, plain: bool) -> str:
    """Name what the options have in common: shortly, where that tells it from the others."""
    return label_of(rest, oversubscribed=False) if plain else rest.key


def _title(labels: Mapping[str, object], measure: Measure) -> str:
    return f"{len(labels)} side by side: {measure.heading}"

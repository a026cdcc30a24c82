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

from actorbench.cell import Cell
from actorbench.errors import UserError
from actorbench.estimates import Estimate, Method, Ratio, holm, unpaired_ratio
from actorbench.measure import MEASURES, Measure
from actorbench.ratios import reach_lines, told_apart, verdict_word, workers_text
from actorbench.results import Results
from actorbench.stealing import STEALS_NOTE, compared_steals
from actorbench.table import Column, Table
from actorbench.wording import estimate_text, interval_heading, ratio_text, standing_note

CSV_HEAD = ["cell", "a", "b", "measure", "unit", "a_median", "a_low", "a_high", "b_median", "b_low", "b_high"]
CSV_HEAD += ["samples", "ratio", "low", "high", "p_value", "p_value_holm", "verdict"]


@dataclass(frozen=True)
class Line:
    """A cell of A against its partner of B; `adjusted` is Holm's p-value, `steals` that of a row."""

    label: str
    keys: tuple[str, str]
    measure: Measure
    estimates: tuple[Estimate | None, Estimate | None]
    troubles: tuple[str | None, str | None]
    ratio: Ratio | None
    steals: str
    adjusted: float = 1.0

    @property
    def verdict(self) -> str:
        """A is faster, slower (less, more for what is no time), not told apart, or why there is no ratio."""
        if self.ratio is None:
            sides = [
                f"{name} {trouble}" for name, trouble in zip("AB", self.troubles, strict=True) if trouble
            ]
            return "; ".join(sides) or "not in the record"
        if self.ratio.low is None:
            return "too few samples"
        if not told_apart(self.ratio, self.adjusted):
            return "not told apart"
        return verdict_word(self.measure.name, smaller=self.ratio.ratio < 1)


@dataclass(frozen=True)
class Compared:
    """All lines, what A and B are, how they were compared, and what the intervals of A, B and A / B are."""

    a: str
    b: str
    lines: tuple[Line, ...]
    notes: tuple[str, ...]
    intervals: tuple[str, str, str]


def compare_pairs(
    results: Results, pairs: Sequence[tuple[Cell, Cell]], names: tuple[str, str], measure_name: str
) -> Compared:
    """Compare cells of one run, in pairs of the same round."""
    measure = MEASURES[measure_name]
    lines = []
    for a, b in pairs:
        over = results.is_oversubscribed(a) or results.is_oversubscribed(b)
        lines.append(
            Line(
                label=_label(a, oversubscribed=over),
                keys=(a.key, b.key),
                measure=measure,
                estimates=(results.estimate(a, measure), results.estimate(b, measure)),
                troubles=(results.result(a).trouble, results.result(b).trouble),
                ratio=results.ratio(a, b, measure),
                steals=compared_steals({"A": (results, a), "B": (results, b)}),
            )
        )
    how = "ratio: A over B, median over the rounds of the ratio in the round; interval: exact, sign test"
    notes = [how, f"run {results.name}, preset {results.head.preset}"]
    notes += reach_lines([line.ratio.count for line in lines if line.ratio])
    return _corrected(names, lines, notes, _intervals(results, results, Method.SIGN))


def compare_runs(above: Results, below: Results, measure_name: str) -> Compared:
    """Compare the cells that two runs share; raises UserError if they share none."""
    shared = [cell for key, result in above.by_cell.items() if key in below.by_cell for cell in [result.cell]]
    if not shared:
        raise UserError(
            f"the runs share no cell: {above.name} has such as '{next(iter(above.by_cell), 'none')}',"
            f" {below.name} such as '{next(iter(below.by_cell), 'none')}'"
        )
    measure = MEASURES[measure_name]
    lines = []
    for cell in shared:
        sides = (above.values(cell, measure), below.values(cell, measure))
        ratio = None
        if sides[0] and sides[1] and all(sides[0]) and all(sides[1]):
            ratio = unpaired_ratio(*sides, seed=above.head.seed, name=f"{cell.key} {measure.name}")
        lines.append(
            Line(
                label=cell.key,
                keys=(cell.key, cell.key),
                measure=measure,
                estimates=(above.estimate(cell, measure), below.estimate(cell, measure)),
                troubles=(above.result(cell).trouble, below.result(cell).trouble),
                ratio=ratio,
                steals=compared_steals({"A": (above, cell), "B": (below, cell)}),
            )
        )
    notes = [
        "ratio: A over B, ratio of medians; interval: percentile bootstrap, each run resampled on its own"
    ]
    notes.append("measured apart: a drift of the machine between the runs shows as a difference")
    alone = len(above.by_cell) + len(below.by_cell) - 2 * len(shared)
    if alone:
        notes.append(f"{alone} cells are in one of the runs only, and left out")
    notes += _machine_notes(above, below)
    return _corrected((above.name, below.name), lines, notes, _intervals(above, below, Method.BOOTSTRAP))


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
    measure = compared.lines[0].measure
    sides = zip(("A", "B", "A / B"), compared.intervals, strict=True)
    columns = [Column("cell", numeric=False), *(Column(f"{name} {interval}") for name, interval in sides)]
    columns.append(Column("A is", numeric=False))
    has_steals = any(line.steals for line in compared.lines)
    columns += [Column("steals", numeric=False)] if has_steals else []
    rows = []
    for line in compared.lines:
        texts = [estimate_text(e, measure, t) for e, t in zip(line.estimates, line.troubles, strict=True)]
        ratio = ratio_text(line.ratio) if line.ratio else "-"
        rows.append([line.label, *texts, ratio, line.verdict, line.steals][: len(columns)])
    notes = [f"A: {compared.a}", f"B: {compared.b}", *compared.notes]
    notes += standing_note({line.ratio.standing for line in compared.lines if line.ratio})
    notes += [STEALS_NOTE] if has_steals else []
    return Table(f"A against B: {measure.heading}", columns, rows, notes)


def compared_csv(compared: Compared) -> str:
    """Write a comparison as CSV, one row a cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_HEAD)
    for line in compared.lines:
        medians: list[object] = []
        for one in line.estimates:
            medians += ["", "", ""] if one is None else [one.value, one.low, one.high]
        ratio = line.ratio
        numbers: list[object] = [""] * 6
        if ratio is not None:
            numbers = [ratio.count, ratio.ratio, ratio.low, ratio.high, ratio.p_value, line.adjusted]
        named = [line.label, *line.keys, line.measure.name, line.measure.unit]
        writer.writerow([*named, *medians, *numbers, line.verdict])
    return text.getvalue()


def _intervals(above: Results, below: Results, of_ratio: Method) -> tuple[str, str, str]:
    a, b = (interval_heading(one.method(), one.head.confidence) for one in (above, below))
    return a, b, interval_heading(of_ratio)


def _corrected(
    names: tuple[str, str], lines: Sequence[Line], notes: Sequence[str], intervals: tuple[str, str, str]
) -> Compared:
    tested = [index for index, line in enumerate(lines) if line.ratio and line.ratio.low is not None]
    adjusted = dict(
        zip(
            tested,
            holm([line.ratio.p_value for line in lines if line.ratio and line.ratio.low is not None]),
            strict=True,
        )
    )
    whole = tuple(replace(line, adjusted=adjusted.get(index, 1.0)) for index, line in enumerate(lines))
    more = [f"verdicts at 5 %, corrected for {len(tested)} comparisons (Holm)"] if len(tested) > 1 else []
    return Compared(*names, whole, (*notes, *more), intervals)


def _machine_notes(above: Results, below: Results) -> list[str]:
    named = ("cpu_model", "cpus_allowed", "kernel", "governor", "turbo", "smt", "compiler")
    machines = [one.head.document.get("machine", {}) for one in (above, below)]
    differ = [name.replace("_", " ") for name in named if machines[0].get(name) != machines[1].get(name)]
    return [f"the runs' machines differ in: {', '.join(differ)}"] if differ else []


def _label(cell: Cell, *, oversubscribed: bool) -> str:
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

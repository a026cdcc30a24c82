"""The source and here: what the sources printed of an experiment, beside what a run has in its place."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from actorbench.cell import Cell
from actorbench.experiment import Experiment
from actorbench.measure import MEASURES, Measure
from actorbench.ratios import compare_rows
from actorbench.results import Results
from actorbench.sources import Printed
from actorbench.table import Column, Table
from actorbench.wording import number_text, ratio_text, short_number


def source_table(results: Results, experiment: Experiment) -> Table | None:
    """Set what the sources printed beside what was measured here; None if they printed nothing of it."""
    about = [one for one in results.printed if one.experiment == experiment.id]
    if not about:
        return None
    rows = [[one.says, one.text, here_text(results, one), one.machine, one.place] for one in about]
    columns = [Column("", numeric=False), Column("source"), Column("here")]
    columns += [Column("the source's machine", numeric=False), Column("where", numeric=False)]
    works = "; ".join(dict.fromkeys(one.work for one in about))
    notes = [f"source: {works}", "here: from medians; machines, systems and amounts of work differ"]
    return Table(f"{experiment.title}: the source and here", columns, rows, notes)


def here_text(results: Results, printed: Printed) -> str:
    """Write what a run has in the place of a printed number, or that it has nothing."""
    here = printed.here
    held = {one.id: one for one in results.experiments}
    if here["form"] == "row":
        rows = compare_rows(results, held[printed.experiment])
        found = [row for row in rows if row.reading.label == here["row"]]
        return (
            "; ".join(ratio_text(row.ratio) if row.ratio else row.verdict for row in found) or "no such row"
        )
    measure = MEASURES[here["measure"]]
    medians = list(_medians(results, held, printed.experiment, here, here.get("of", {}), measure))
    over: list[tuple[str, Cell, float]] = []
    if here["form"] == "ratio":
        over = list(_medians(results, held, printed.experiment, here, here["over"], measure))
    if not medians or (here["form"] == "ratio" and not over):
        return "not measured"
    return _formed(here["form"], medians, over, measure)


def _formed(
    form: str,
    medians: Sequence[tuple[str, Cell, float]],
    over: Sequence[tuple[str, Cell, float]],
    measure: Measure,
) -> str:
    values = [value for _, _, value in medians]
    if form == "fastest":
        return "; ".join(_fastest(medians))
    if form == "ratio":
        ratios = [
            value / below
            for _, cell, value in medians
            for _, other, below in over
            if (cell.system, cell.workers) == (other.system, other.workers) and below
        ]
        return _range_text(ratios, "") if ratios else "not measured"
    if form == "spread":
        return _range_text([max(values) - min(values)], measure.unit) if len(values) > 1 else "not measured"
    shown = [max(values)] if form == "largest" else values
    scales = sorted({cell.scale for _, cell, _ in medians})
    # A whole time depends on the amount of work, which is the source's at scale 1.
    scaled = f" (scale {scales[0]:g})" if measure.name in ("elapsed", "cpu") and scales != [1] else ""
    return _range_text(shown, measure.unit) + scaled


def _medians(
    results: Results,
    held: dict[str, Experiment],
    own: str,
    here: dict[str, Any],
    wanted: dict[str, Any],
    measure: Measure,
) -> Iterator[tuple[str, Cell, float]]:
    """Give label, cell and median of the cells that a number is about."""
    experiment = held.get(wanted.get("experiment", own))
    first, last = here.get("workers", (0, 1 << 30))
    for series in experiment.series if experiment else ():
        for cell in results.resolver.cells(experiment, series.setting) if experiment else ():
            if not matches(cell, wanted) or ("but" in here and matches(cell, here["but"])):
                continue
            one = results.estimate(cell, measure)
            if one and first <= (cell.workers or 1) <= last:
                yield series.label, cell, one.value


def matches(cell: Cell, wanted: dict[str, Any]) -> bool:
    """Whether a cell is one of those that a source's number is about."""
    named = {"workload": cell.workload, "design": cell.design}
    return (
        fnmatchcase(cell.system, wanted.get("system", "*"))
        and all(wanted.get(key, value) == value for key, value in named.items())
        and wanted.get("options", {}).items() <= dict(cell.options).items()
        and wanted.get("parameters", {}).items() <= dict(cell.parameters).items()
    )


def _fastest(medians: Sequence[tuple[str, Cell, float]]) -> Iterator[str]:
    """Say of each series at how many of the workers measured it was fastest."""
    labels = list(dict.fromkeys(label for label, _, _ in medians))
    for label in labels:
        own = [(value, cell.workers or 1) for name, cell, value in medians if name == label]
        most = max(workers for _, workers in own)
        said = f"{min(own)[1]} of 1 to {most}"
        yield said if len(labels) == 1 else f"{label}: {said}"


def _range_text(values: Sequence[float], unit: str) -> str:
    low, high = min(values), max(values)
    number = number_text(low) if low == high else f"{short_number(low)} to {short_number(high)}"
    return f"{number} {unit}".strip()

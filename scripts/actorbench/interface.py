"""The Python interface: runs as pandas' data frames, with the numbers that the tables and figures show.

A frame has a row a sample. What computes with a frame takes the samples that are in it, so that a part of
one, or several in one (`pandas.concat`), can be given as well; the numbers come from the code that makes
those of the tables. In the examples `run` is the name of a run, or the path of its folder. What the caller
can put right is a UserError.
"""

import io
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
from matplotlib.figure import Figure

from actorbench.cell import Cell
from actorbench.comparing import compare_runs, compared_csv, read_options
from actorbench.drawing.figure_files import STYLE, draw_figure
from actorbench.errors import UserError, choices
from actorbench.estimates import Estimate, Method, Ratio, estimate, holm, paired_ratio
from actorbench.experiment import DRAWN, Experiment
from actorbench.measure import MEASURES
from actorbench.project import find_project
from actorbench.ratios import verdict_of
from actorbench.results import Results, load_results
from actorbench.rules import MEDIAN
from actorbench.sample import Sample
from actorbench.sides import side_of, sides_of
from actorbench.store import Run, find_run

RunName = str | PathLike[str]
Named = dict[str, Any]

DASHES = "--"  # before the names of options and parameters
# What a cell consists of beside these.
OF_CELL = ["system", "config", "design", "workload", "workers", "scale", "arm"]


def load(run: RunName, experiment: str = "") -> pd.DataFrame:
    """Load a run: a row for each sample that counts, by rounds.

    Its columns: `run`; `cell`, the command, and what it consists of: `system`, `config`, `design`,
    `workload`, `workers`, `scale`, `arm`, and under its name with the dashes (`--queue`) each option and
    parameter, which is missing where the cell has none; `round`, and `position` in it; a column for each
    measure that a sample has (their units are in `frame.attrs["units"]`); `failure`, empty if the sample has
    a value; and how the run draws its intervals: `seed`, `confidence`, `method`.

    With an experiment's id there are its cells alone, with the label of their series in `label`; a cell that
    several series show comes once for each.

    >>> frame = load(run, "lines")
    >>> len(frame), sorted(frame["label"].unique()), sorted(frame["workers"].unique().tolist())
    (32, ['copy', 'list'], [1, 2])
    >>> frame.attrs["units"]["time_per_operation"]
    'ns'
    """
    results = load_results(_find(run))
    labels: dict[str, list[Named]] = {}
    for label, cell in _labelled(results, experiment):
        labels.setdefault(cell.key, []).append(label)
    median = results.method(MEDIAN).value
    settings = {"seed": results.head.seed, "confidence": results.head.confidence, "method": median}
    frame = pd.DataFrame(
        [
            {"run": results.name, **label, **_of_cell(results, sample), **_of_sample(sample), **settings}
            for sample in results.samples
            for label in labels.get(sample.key, ())
        ]
    )
    if frame.empty:
        raise UserError(f"run {results.name} has no samples{f' of {experiment}' if experiment else ''}")
    frame["workers"] = frame["workers"].astype("Int64")
    frame.attrs["units"] = {name: MEASURES[name].unit for name in frame.columns if name in MEASURES}
    return frame


def to_curves(frame: pd.DataFrame, measure: str = "elapsed", kind: str = MEDIAN) -> pd.DataFrame:
    """Estimate a measure (any column of numbers) of each cell by its median, or by its "mean".

    One row a cell and label: what it is, `samples`, `value` with its interval from `low` to `high` (missing
    where there are too few samples to state one), and in `trouble` why there is no value.

    >>> points = to_curves(load(run, "lines"))
    >>> points[["label", "workers", "samples"]].values.tolist()[0]
    ['copy', 1, 8]
    >>> bool((points["low"] <= points["value"]).all())
    True
    """
    _require(frame, measure)
    rows = []
    for named, samples in _cells(frame):
        trouble = _trouble(samples, measure)
        one = None if trouble else _estimate(named, samples, measure, kind)
        numbers = [one.value, one.low, one.high] if one else [None] * 3
        rows.append({**named, "samples": len(samples), **_numbers(["value", "low", "high"], numbers)})
        rows[-1]["trouble"] = trouble
    return pd.DataFrame(rows)


def to_ratios(
    frame: pd.DataFrame,
    a: str | Mapping[str, object],
    b: str | Mapping[str, object],
    measure: str = "time_per_operation",
) -> pd.DataFrame:
    """Compare the cells that differ just in A and B, round by round: A over B.

    A and B are options as on a command line, or a table from columns to values, such as {"design": ...}.
    One row a pair of cells: what both are, `samples`, `ratio` with its interval from `low` to `high`,
    `p_value` (sign test), `p_value_holm`, which is corrected for all rows, and the `verdict`: of A.

    >>> found = to_ratios(load(run), "--queue copy", "--queue list")
    >>> found[["workers", "verdict"]].values.tolist()
    [[1, 'faster'], [2, 'faster']]
    """
    _require(frame, measure)
    sides = [_columns(one) for one in (a, b)]
    named_by_sides = {name for side in sides for name in side}
    cells = list(
        _cells(frame.drop(columns="label", errors="ignore").drop_duplicates(["run", "cell", "round"]))
    )

    def rest(named: Named) -> tuple[str, ...]:
        return tuple(str(value) for name, value in named.items() if name not in {"cell", *named_by_sides})

    bases = {rest(named): samples for named, samples in cells if _has(named, sides[1])}
    pairs = [
        (named, samples, bases[rest(named)])
        for named, samples in cells
        if _has(named, sides[0]) and rest(named) in bases
    ]
    if not pairs:
        raise UserError(f"the frame has no two cells that differ just in '{a}' and '{b}'")
    found = [_ratio(above, below, measure) for _, above, below in pairs]
    adjusted = iter(holm([one.p_value for one in found if isinstance(one, Ratio)]))
    rows = []
    for (named, _, _), one in zip(pairs, found, strict=True):
        kept = {name: value for name, value in named.items() if name not in {"cell", *named_by_sides}}
        if isinstance(one, Ratio):
            corrected = next(adjusted)
            numbers = [one.ratio, one.low, one.high, one.p_value, corrected]
            said = {"samples": one.count, "verdict": verdict_of(one, corrected, measure)}
        else:
            numbers, said = [None] * 5, {"samples": 0, "verdict": one}
        names = ["ratio", "low", "high", "p_value", "p_value_holm"]
        rows.append({**kept, **_numbers(names, numbers), **said})
    return pd.DataFrame(rows)


def compare(a: RunName, b: RunName, measure: str = "time_per_operation") -> pd.DataFrame:
    """Compare the cells that two runs share, as `actorbench compare A B` does: A over B, measured apart.

    One row a cell, in the columns of that command's CSV: the medians of both with their intervals, `ratio`
    with its own, `p_value`, `p_value_holm`, and the `verdict`: of A.

    >>> compare(run, other).columns[:5].tolist()
    ['cell', 'a', 'b', 'measure', 'unit']
    """
    above, below = (load_results(_find(one)) for one in (a, b))
    if measure not in MEASURES:
        raise UserError(f"no measure '{measure}' (choices: {choices(list(MEASURES))})")
    return pd.read_csv(io.StringIO(compared_csv(compare_runs(above, below, measure))))


def figure(*runs: RunName, experiment: str = "") -> Figure:
    """Draw an experiment of a run, or of several side by side, as `actorbench figures` does.

    The experiment can be left out where a run has a single one that is drawn.

    >>> drawn = figure(run, experiment="lines")
    >>> drawn.axes[0].get_xlabel(), drawn.axes[0].get_ylabel()
    ('workers', 'time (s)')
    """
    results = [load_results(_find(run)) for run in runs]
    if not results:
        raise UserError("figure needs a run")
    drawn = [one.id for one in results[0].experiments if one.kind in DRAWN]
    if experiment not in drawn and (experiment or len(drawn) != 1):
        wanted = f"draws no '{experiment}'" if experiment else "draws not just one experiment"
        raise UserError(f"run {results[0].name} {wanted} (choices: {choices(drawn)})")
    name = experiment or drawn[0]
    sides = sides_of(results, [name])[0]
    if len(results) == 1:
        sides = side_of(results[0], sides[0].experiment)
    with mpl.rc_context(fname=STYLE):
        return draw_figure(sides)


def _find(run: RunName) -> Run:
    folder = Path(run)
    return Run(folder) if (folder / "run.json").is_file() else find_run(find_project(), str(run))


def _labelled(results: Results, experiment: str) -> list[tuple[Named, Cell]]:
    """Give the cells wanted, and the label of each: none if all are."""
    if not experiment:
        return [({}, one.cell) for one in results.by_cell.values()]
    held = {one.id: one for one in results.experiments if one.series}
    if experiment not in held:
        raise UserError(
            f"run {results.name} has no series of '{experiment}' (choices: {choices(list(held))})"
        )
    one: Experiment = held[experiment]
    return [
        ({"label": series.label}, cell)
        for series in one.series
        for cell in results.resolver.cells(one, series.setting)
    ]


def _of_cell(results: Results, sample: Sample) -> Named:
    cell = results.by_cell[sample.key].cell
    named = {name: getattr(cell, name) for name in OF_CELL}
    given = {f"{DASHES}{name}": value for name, value in (*cell.options, *cell.parameters)}
    return {"cell": cell.key, **named, **given}


def _of_sample(sample: Sample) -> Named:
    read = {name: one.read(sample.record) for name, one in MEASURES.items()} if sample.record else {}
    measures = {name: value for name, value in read.items() if value is not None and sample.failure is None}
    failure = f"{sample.failure.kind}: {sample.failure.reason}" if sample.failure else ""
    return {"round": sample.round, "position": sample.position, **measures, "failure": failure}


def _require(frame: pd.DataFrame, measure: str) -> None:
    if measure not in frame.columns:
        held = [name for name in MEASURES if name in frame.columns]
        raise UserError(f"the frame has no column '{measure}' (its measures: {choices(held)})")


def _cells(frame: pd.DataFrame) -> list[tuple[Named, pd.DataFrame]]:
    """Part a frame by runs, labels and cells, by fewest workers; each with its samples by rounds."""
    keys = [name for name in ("run", "label", "cell") if name in frame.columns]
    kept = [*keys, *(name for name in frame.columns if name in OF_CELL or str(name).startswith(DASHES))]
    ordered = frame.sort_values([*keys[:-1], "workers", "cell", "round"], na_position="first")
    return [
        (dict(zip(kept, samples[kept].iloc[0], strict=True)), samples)
        for _, samples in ordered.groupby(keys, sort=False)
    ]


def _trouble(samples: pd.DataFrame, measure: str) -> str:
    """Say why there is no estimate: one failure is enough; empty if there is one."""
    failed = [text for text in samples["failure"] if text]
    if failed:
        return f"{len(failed)} of {len(samples)} failed: {failed[0]}"
    return "not in the record" if samples[measure].isna().any() else ""


def _estimate(named: Named, samples: pd.DataFrame, measure: str, kind: str) -> Estimate:
    first = samples.iloc[0]
    return estimate(
        samples[measure].tolist(),
        seed=int(first["seed"]),
        name=f"{named['cell']} {measure}",
        as_thesis=bool(first["method"] == Method.BOOTSTRAP.value),
        confidence=float(first["confidence"]),
        kind=kind,
    )


def _ratio(above: pd.DataFrame, below: pd.DataFrame, measure: str) -> Ratio | str:
    """Compare two cells in the rounds that they share; or say why that can't be."""
    for name, samples in (("A", above), ("B", below)):
        if trouble := _trouble(samples, measure):
            return f"{name} {trouble}"
    both = above.merge(below, on="round", suffixes=("_a", "_b"))
    numerators, denominators = both[f"{measure}_a"].tolist(), both[f"{measure}_b"].tolist()
    if not numerators or not all(value > 0 for value in (*numerators, *denominators)):
        return "not measured" if not numerators else "0 has no ratio"
    return paired_ratio(numerators, denominators)


def _columns(side: str | Mapping[str, object]) -> dict[str, str]:
    """What a side of a comparison asks of a cell, by column."""
    if isinstance(side, str):
        return {f"{DASHES}{name}": value for name, value in read_options(side).items()}
    return {name: str(value) for name, value in side.items()}


def _has(named: Named, wanted: Mapping[str, str]) -> bool:
    return all(str(named.get(name)) == value for name, value in wanted.items())


def _numbers(names: Sequence[str], values: Sequence[float | None]) -> Named:
    return {name: float("nan") if value is None else value for name, value in zip(names, values, strict=True)}

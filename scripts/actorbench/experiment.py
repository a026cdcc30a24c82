"""Experiments: what one figure or table shows, read from a TOML file in plots/.

The format is `schemas/experiment-1.json`. Settings are inherited: what the top of the file says holds
for every series or row, unless that says otherwise; options and parameters are merged key by key. Options
belong to a system: they are not handed down to another. An entry with `peers = "all"` stands for one entry a
peer's system, one of an own command with a parameter of several values for one entry a value, and a
`[[matrix]]` for one a combination of its values (`matrix.py`). The series of kind "best" are compared each
with each.
"""

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Self

from actorbench.design import DEFAULT_DESIGN
from actorbench.errors import UserError, choices
from actorbench.ideal import TIMES, Ideal, ideals_of
from actorbench.matrix import with_matrices
from actorbench.measure import MEASURES
from actorbench.own.command import SYSTEM, WORKERS, Own, name_of
from actorbench.own.entries import check_names, merged_keys, own_of, scanned
from actorbench.rules import MEDIAN
from actorbench.schema import first_error, version_problem
from actorbench.system import NATIVE, OURS, System
from actorbench.text import one_line, visible

Scalar = str | int | float
WorkersSpec = str | tuple[int | str, ...]

DEFAULT_CONFIG = "release"
FIGURES = ("lines", "boxes")  # the kinds that show values
DRAWN = (*FIGURES, "grid", "best")
# What is no key of a single experiment: workloads.py and variants.py write the texts that it stands for.
WRITTEN = {"each": 'each = "workload", on a line of its own', "experiments": "[[experiments]]"}


@dataclass(frozen=True)
class Setting:
    """What to run, before the preset gives the scale and the machine the workers."""

    workload: str
    system: str = OURS
    design: str = DEFAULT_DESIGN
    config: str = DEFAULT_CONFIG
    options: Mapping[str, Scalar] = field(default_factory=dict)
    parameters: Mapping[str, Scalar] = field(default_factory=dict)
    workers: WorkersSpec = "all"
    arm: str = ""
    own: Own | None = None  # in place of a workload's program


@dataclass(frozen=True)
class Series:
    """A line of a figure or a row of a table."""

    label: str
    setting: Setting


@dataclass(frozen=True)
class Over:
    """What a figure's x is, where it is not the workers: a parameter, whose values every series takes."""

    parameter: str
    values: tuple[int, ...]
    label: str


@dataclass(frozen=True)
class Reading:
    """How a ratio is read. A speed-up is base over candidate, any other ratio candidate over base."""

    label: str
    measure: str = "time_per_operation"
    speedup: bool = False
    at_least: float | None = None
    at_most: float | None = None
    column: str = ""  # of kind grid: the column that it stands in; of kind best: what is compared there
    sides: tuple[str, str] = ("", "")  # of kind best: the labels of candidate and base
    group: str = ""  # of kind grid: that of its column


@dataclass(frozen=True)
class Comparison:
    """A row of a table of ratios, or several: one a number of workers."""

    reading: Reading
    candidate: Setting
    base: Setting


@dataclass(frozen=True)
class Adjustment:
    """What an experiment changes in a preset."""

    samples: int | None
    scale: Mapping[str, float]
    y_limit: float | None


@dataclass(frozen=True)
class Experiment:
    """A valid experiment; `text` is its file's full text, which a run keeps."""

    file: str
    text: str
    id: str
    title: str
    kind: str
    claims: tuple[str, ...]
    note: str
    measures: tuple[str, ...]
    series: tuple[Series, ...]
    comparisons: tuple[Comparison, ...]
    adjustments: Mapping[str, Adjustment]
    speedup: bool = False  # of kind lines: time of 1 worker of the same series over the time
    wants_peers: bool = False  # whether an entry stands for every peer
    ideals: tuple[Ideal, ...] = ()  # of kind lines: beside the first measure
    estimate: str = MEDIAN  # of kind lines: median or mean
    y_limit: float | None = (
        None  # of kind lines: where the axis of the first measure ends, under every preset
    )
    over: Over | None = None  # of kind lines
    reference: str = ""  # of kind best: the label of what the others are set against

    def settings(self) -> list[Setting]:
        """All that the experiment wants run."""
        compared = [side for row in self.comparisons for side in (row.candidate, row.base)]
        return [series.setting for series in self.series] + compared

    def showing(self, measure: str) -> Self:
        """The same of another measure: of kind best, with which all of it is compared."""
        rows = [replace(row, reading=replace(row.reading, measure=measure)) for row in self.comparisons]
        return replace(self, measures=(measure,), comparisons=tuple(rows))

    @property
    def x_label(self) -> str:
        """What stands under a figure's x."""
        return self.over.label if self.over else "workers"

    def limit_under(self, preset: str) -> float | None:
        """Where the axis of the first measure ends under a preset, in the measure's unit; None if nowhere.

        A limit in time is meant for one amount of work, so that a preset has its own.
        """
        adjustment = self.adjustments.get(preset)
        return adjustment.y_limit if adjustment and adjustment.y_limit else self.y_limit


def parse_experiment(
    text: str, file: str, peers: Sequence[System] = (), default_design: str = DEFAULT_DESIGN
) -> Experiment:
    """Read an experiment from its text; raises UserError: file, key, what is wrong, what is allowed.

    `default_design` is what it means where it names none: for a run that was made under another default.
    """
    document = parse_toml(text, file)
    problem = version_problem("experiment", document, 1) or first_error("experiment-1", document)
    if problem:
        raise UserError(f"{file}: {problem}")
    for key in ("each", "experiments"):
        if key in document or any(key in one for one in document.get("across", ())):
            raise UserError(f"{file}: {key}: stands for several experiments, written as {WRITTEN[key]}")
    if len({"group" in one for one in document.get("across", ())}) > 1:
        raise UserError(f"{file}: across: some have a group, and some have none")
    document = with_matrices(document, file)
    document.setdefault("design", default_design)
    return Experiment(
        file=file,
        text=text,
        id=document["id"],
        title=visible(document["title"]),
        kind=document["kind"],
        claims=tuple(document.get("claims", ())),
        note=one_line(document.get("note", "")),
        measures=_measures(document),
        series=tuple(
            Series(visible(_in_column(across, entry)), _setting(file, f"series[{index}]", layer, entry))
            for across, layer in _columns(document)
            for index, entry in _entries(layer, "series", peers)
        ),
        comparisons=tuple(
            _comparison(file, f"rows[{index}]", layer, entry)
            for _, layer in _columns(document)
            for index, entry in _entries(layer, "rows", peers)
        )
        or tuple(_each_with_each(file, document, peers)),
        adjustments={
            name: Adjustment(entry.get("samples"), entry.get("scale", {}), entry.get("y_limit"))
            for name, entry in document.get("presets", {}).items()
        },
        speedup=_shows_speedup(file, document),
        wants_peers=any("peers" in one for name in ("series", "rows") for one in document.get(name, ())),
        ideals=ideals_of(file, document),
        estimate=document.get("estimate", MEDIAN),
        y_limit=document.get("y_limit"),
        over=_over(document),
        reference=_reference(file, document),
    )


def read_text(path: Path, shown: str) -> str:
    """Read a UTF-8 text file; raises UserError."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{shown}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{shown}: is no UTF-8 text") from error


def parse_toml(text: str, shown: str) -> dict[str, Any]:
    """Decode TOML; raises UserError with the line and column at fault."""
    try:
        return tomllib.loads(text, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{shown}: is no TOML: {' '.join(str(error).split())}") from error


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the number {text} is not finite")
    return number


def _measures(document: dict[str, Any]) -> tuple[str, ...]:
    """Name what a figure or table shows: a table's columns, or the panels of a figure."""
    shown = document.get("columns") or document.get("measures")
    usual = "time_per_operation" if document["kind"] == "best" else "elapsed"
    return tuple(shown or [document.get("measure", usual)])


def _shows_speedup(file: str, document: dict[str, Any]) -> bool:
    """Whether a figure shows speed-ups; raises UserError for a measure that is no time."""
    speedup = bool(document.get("show") == "speedup")
    wrong = [measure for measure in _measures(document) if measure not in TIMES]
    if speedup and wrong:
        raise UserError(
            f"{file}: show: a speed-up compares times, not {wrong[0]} (allowed: {', '.join(TIMES)})"
        )
    return speedup


def _over(document: dict[str, Any]) -> Over | None:
    one = document.get("over")
    return one and Over(one["parameter"], tuple(sorted(one["values"])), visible(one["label"]))


def _columns(document: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Give each [[across]], and the top of the file with it; the top alone if there is none."""
    return [(across, {**document, **across}) for across in document.get("across", [{}])]


def _in_column(across: dict[str, Any], entry: dict[str, Any]) -> str:
    return ", ".join(one["label"] for one in (across, entry) if one)


def _each_with_each(file: str, document: dict[str, Any], peers: Sequence[System]) -> Iterator[Comparison]:
    """Compare the series of kind "best" each with each, in each column; raises UserError."""
    if document["kind"] != "best":
        return
    _refuse_twice(file, "across", [across.get("label", "") for across, _ in _columns(document)])
    for across, layer in _columns(document):
        entries = list(_entries(layer, "series", peers))
        labels = [entry["label"] for _, entry in entries]
        _refuse_twice(file, "series", labels)
        for (above, one), (below, other) in combinations(entries, 2):
            sides = (visible(one["label"]), visible(other["label"]))
            reading = Reading(
                label=f"{sides[0]} against {sides[1]}",
                measure=_measures(document)[0],
                column=visible(across.get("label", "")),
                sides=sides,
            )
            yield Comparison(
                reading,
                candidate=_setting(file, f"series[{above}]", layer, one),
                base=_setting(file, f"series[{below}]", layer, other),
            )


def _refuse_twice(file: str, key: str, labels: Sequence[str]) -> None:
    for label in labels:
        if labels.count(label) > 1:
            raise UserError(f"{file}: {key}: label '{label}' is given twice")


def _reference(file: str, document: dict[str, Any]) -> str:
    """Give the label of what the others are set against; raises UserError if no series has it."""
    reference = document.get("reference", "")
    labels = [entry["label"] for entry in document.get("series", ())]
    if reference and reference not in labels:
        raise UserError(f"{file}: reference: no series '{reference}' (choices: {choices(labels)})")
    return visible(reference)


def _entries(
    document: dict[str, Any], name: str, peers: Sequence[System]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Number the entries of a list; one that says `peers` comes once for each that has its workload."""
    for index, entry in enumerate(document.get(name, ())):
        if "peers" not in entry:
            sides = [(document, entry, entry.get(side, {})) for side in ("candidate", "base")]
            parameters = [[layer.get("parameters", {}) for layer in layers] for layers in sides]
            yield from ((index, {**entry, **one}) for one in scanned(parameters, entry["label"]))
            continue
        for peer in peers:
            if entry.get("workload", document.get("workload")) not in peer.workloads:
                continue
            one = {**entry, "label": entry["label"].replace("{peer}", peer.title)}
            if "candidate" in entry:
                one["candidate"] = {**entry["candidate"], "system": peer.name}
            else:
                one["system"] = peer.name
            yield index, one


def _comparison(file: str, key: str, document: dict[str, Any], entry: dict[str, Any]) -> Comparison:
    speedup = entry.get("show") == "speedup"
    measure = entry.get("measure", "time_per_operation")
    if speedup and (measure == "peak_memory" or MEASURES[measure].is_measured):
        raise UserError(f"{file}: {key}.show: a speed-up compares times, not {measure} (allowed: ratio)")
    reading = Reading(
        label=visible(entry["label"]),
        measure=measure,
        speedup=speedup,
        at_least=entry.get("at_least"),
        at_most=entry.get("at_most"),
        column=visible(document["label"]) if "label" in document else "",
        group=visible(document.get("group", "")),
    )
    return Comparison(
        reading,
        candidate=_setting(file, f"{key}.candidate", document, entry, entry["candidate"]),
        base=_setting(file, f"{key}.base", document, entry, entry["base"]),
    )


def _setting(file: str, key: str, *layers: dict[str, Any]) -> Setting:
    """Merge the layers from the general to the particular."""
    single: dict[str, Any] = {}
    options: dict[str, Scalar] = {}
    parameters: dict[str, Any] = {}
    for layer in layers:
        named = ("workload", "system", "design", "config", "workers", "arm")
        if layer.get("system", OURS) != single.get("system", OURS) and "system" in layer:
            options.clear()
        single.update({name: layer[name] for name in named if name in layer})
        options.update(layer.get("options", {}))
        parameters.update(layer.get("parameters", {}))
    scan: dict[str, Scalar] = next((layer["scan"] for layer in layers if "scan" in layer), {})
    parameters = {
        name: scan[name] if isinstance(value, list) else value for name, value in parameters.items()
    }
    if (keys := merged_keys(f"{file}: {key}", layers)) is not None:
        return _own_setting(f"{file}: {key}", keys, single, parameters, layers[0].get("over"))
    if scan:
        raise UserError(f"{file}: {key}: {next(iter(scan))}: a list of values is for commands")
    if single.get("system", OURS) != OURS:
        # What stands above for ours does not hold for a peer.
        single |= {"design": NATIVE, "config": DEFAULT_CONFIG}
    if "workload" not in single:
        raise UserError(f"{file}: {key}: lacks 'workload', here or at the top of the file")
    both = sorted(set(options) & set(parameters))
    if both:
        raise UserError(f"{file}: {key}: '{both[0]}' stands under options and under parameters; give it once")
    workers = single.pop("workers", "all")
    return Setting(
        **single,
        options=options,
        parameters=parameters,
        workers=workers if isinstance(workers, str) else tuple(workers),
    )


def _own_setting(
    place: str,
    keys: dict[str, Any],
    single: dict[str, Any],
    parameters: dict[str, Scalar],
    over: dict[str, Any] | None,
) -> Setting:
    """Make the setting of an own command; raises UserError."""
    own = own_of(place, keys)
    workers = single.get("workers", "all" if WORKERS in own.placeholders else "none")
    check_names(place, own, [*parameters, *([over["parameter"]] if over else [])], workers=workers)
    if over and over["parameter"] not in own.placeholders:
        raise UserError(f"{place}: its command has no {{{over['parameter']}}}, which the figure goes over")
    return Setting(
        workload=name_of(own),
        system=SYSTEM,
        design=SYSTEM,
        config=SYSTEM,
        parameters=parameters,
        workers=workers if isinstance(workers, str) else tuple(workers),
        arm=single.get("arm", ""),
        own=own,
    )

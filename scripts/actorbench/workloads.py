"""The manifest: what workloads/workloads.toml says of each workload (schemas/workloads-1.json).

A run keeps the texts that it was made from, so that it can be read without the checkout. So what the
manifest says is written into them: the scales behind the presets, and in an experiment the workloads in place
of a line `each = "workload"`. At the top of a file that line makes it stand for a file for each workload that
has a figure; in an `[[across]]`, or `[[experiments.across]]`, it stands for each that is a column, and
`each = "savina"` for each that the Savina suite has, in its groups.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from actorbench.errors import UserError
from actorbench.experiment import Scalar, parse_toml, read_text
from actorbench.project import PRESETS, Project
from actorbench.schema import first_error, version_problem
from actorbench.system import System

FILE_NAME = "workloads/workloads.toml"
EACH = re.compile(r'^each\s*=\s*"(workload|savina)"\s*$', re.MULTILINE)
SAVINA = ("micro", "concurrency", "parallelism")  # its groups, in its order


@dataclass(frozen=True)
class Figure:
    """How a workload is drawn: what it is called, where it is from, which claims it tests."""

    title: str
    source: str
    claims: tuple[str, ...]
    parameters: Mapping[str, Scalar]


@dataclass(frozen=True)
class Workload:
    """A workload; `scale` is its scale under each preset, `column` whether it is a column of grids.

    `parameters` is what it is given under a preset, by preset; `counted` the arguments of less and of more
    work, for counts, empty if it is not counted; `savina` its group in that suite, empty if it has none.
    """

    name: str
    scale: Mapping[str, float]
    figure: Figure | None
    column: bool
    counted: tuple[str, ...] = ()
    parameters: Mapping[str, Mapping[str, Scalar]] = field(default_factory=dict)
    savina: str = ""


def load_workloads(project: Project) -> list[Workload]:
    """Read the manifest, in its order; none if the checkout has none. Raises UserError."""
    path = project.suite / FILE_NAME
    return parse_workloads(read_text(path, FILE_NAME)) if path.exists() else []


def parse_workloads(text: str) -> list[Workload]:
    """Read a manifest from its text; raises UserError."""
    document = parse_toml(text, FILE_NAME)
    problem = version_problem("workloads", document, 1) or first_error("workloads-1", document)
    if problem:
        raise UserError(f"{FILE_NAME}: {problem}")
    return [
        Workload(
            name=name,
            scale=entry["scale"],
            figure=_figure(entry["figure"]) if "figure" in entry else None,
            column=entry.get("column", False),
            counted=tuple(entry.get("counted", ())),
            parameters=entry.get("parameters", {}),
            savina=entry.get("savina", ""),
        )
        for name, entry in document.items()
        if name != "schema"
    ]


def _figure(entry: dict[str, Any]) -> Figure:
    claims, parameters = tuple(entry["claims"]), entry.get("parameters", {})
    return Figure(entry["title"], entry["source"], claims, parameters)


def with_scales(presets: str, workloads: Sequence[Workload], systems: Sequence[System] = ()) -> str:
    """Write each preset's scales and parameters, and systems' scales, behind the text of a presets file.

    A preset that the file has with a scale keeps that. Raises UserError if the file is no TOML.
    """
    held = parse_toml(presets, PRESETS) if workloads else {}
    lines = [presets]
    for preset in dict.fromkeys(name for workload in workloads for name in workload.scale):
        if not isinstance(held.get(preset), dict) or "scale" in held[preset]:
            continue
        lines += [f"\n# As {FILE_NAME} has it.", f"[{preset}.scale]"]
        lines += [f"{one.name} = {one.scale[preset]}" for one in workloads if preset in one.scale]
        for one in workloads:
            if given := one.parameters.get(preset):
                lines += [f"[{preset}.parameters.{one.name}]"]
                lines += [f"{name} = {json.dumps(value)}" for name, value in given.items()]
        for system in systems:
            if own := system.scale.get(preset):
                lines += [f"[{preset}.systems.{system.name}]"]
                lines += [f"{name} = {scale}" for name, scale in own.items()]
    return "\n".join(lines) + "\n" if workloads else presets


def texts_for_each(text: str, workloads: Sequence[Workload]) -> list[str]:
    """Give the texts that an experiment file stands for: its own, or one for each workload."""
    found = EACH.search(text)
    if found is None:
        return [text]
    headings = re.findall(r"^\[.*\]", text[: found.start()], re.MULTILINE)
    if headings:
        return [EACH.sub(lambda line: f"\n\n{headings[-1]}\n".join(_columns(line[1], workloads)), text)]
    if found[1] != "workload":
        return [text]
    return [_drawn(text, one.name, one.figure) for one in workloads if one.figure]


def _columns(which: str, workloads: Sequence[Workload]) -> list[str]:
    if which == "workload":
        return [f'label = "{one.name}"\nworkload = "{one.name}"' for one in workloads if one.column]
    return [
        f'label = "{one.name}"\nworkload = "{one.name}"\ngroup = "{group}"'
        for group in SAVINA
        for one in workloads
        if one.savina == group
    ]


def _drawn(text: str, name: str, figure: Figure) -> str:
    parameters = ", ".join(f"{key} = {json.dumps(value)}" for key, value in figure.parameters.items())
    lines = [f"claims = {json.dumps(figure.claims)}", f'workload = "{name}"']
    lines += [f"parameters = {{ {parameters} }}"] if parameters else []
    text = EACH.sub(lambda _: "\n".join(lines), text)
    for mark, value in {"{workload}": name, "{title}": figure.title, "{source}": figure.source}.items():
        text = text.replace(mark, value)
    return text

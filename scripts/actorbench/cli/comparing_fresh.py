"""A fresh comparison: what is measured, as an experiment, and its samples."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import tomli_w
from rich.console import Console

from actorbench.cell import COMMIT_MARK
from actorbench.cli.options import hold_lock
from actorbench.cli.sweeping import carry_out
from actorbench.commits import build_commit, resolve_commit
from actorbench.errors import UserError
from actorbench.experiment import Experiment, parse_experiment
from actorbench.launch import Request, propose, start_run
from actorbench.project import Project

FILE_SHOWN = "compare"


class CompareOptions(TypedDict):
    """The options of `compare`, as click hands them over."""

    commits: bool
    each: tuple[str, ...]
    reference: str | None
    run_name: str | None
    workload: tuple[str, ...]
    workers: tuple[int, ...] | str | None
    common: str
    design: tuple[str, ...]
    config: str
    preset: str
    scale: float | None
    samples: int
    seed: int | None
    timeout: float
    measure: str
    form: str | None
    wait: bool


@dataclass(frozen=True)
class Arm:
    """What is particular to A, to B or to another; `shown` is how the user named it."""

    shown: str
    design: str
    options: dict[str, str]
    config: str


def measure(
    project: Project, names: Sequence[str], asked: CompareOptions, console: Console
) -> tuple[str, int]:
    """Take the samples of a fresh comparison; returns the run's name and the exit status."""
    experiment = _experiment(_sides(project, names, asked, console), asked)
    request = Request(
        experiments=[experiment],
        preset=asked["preset"],
        samples=asked["samples"],
        workers=asked["workers"],
        seed=asked["seed"],
        timeout_s=asked["timeout"],
        only=None,
        arguments=sys.argv[1:],
        paired=True,
    )
    proposal = propose(project, request)
    if not asked["commits"]:
        hold_lock(project, wait=asked["wait"])
    run = start_run(project, proposal)
    return run.name, carry_out(project, run, console, command="sweep")


def _sides(project: Project, names: Sequence[str], asked: CompareOptions, console: Console) -> list[Arm]:
    from actorbench.comparing import read_options

    shown, designs = shown_names(names, asked), _designs(names, asked)
    if not asked["commits"]:
        return [
            Arm(label, design, read_options(name), asked["config"])
            for label, design, name in zip(shown, designs, names, strict=True)
        ]
    commits = [resolve_commit(project, name) for name in names]
    hold_lock(project, wait=asked["wait"])
    for commit, design in dict.fromkeys(zip(commits, designs, strict=True)):
        console.print(f"building commit {commit} in build/commits/{commit}", soft_wrap=True)
        programs = [f"{design}/{workload}" for workload in asked["workload"]]
        build_commit(project, commit, asked["config"], programs)
    return [
        Arm(label, design, {}, f"{asked['config']}{COMMIT_MARK}{commit}")
        for label, design, commit in zip(shown, designs, commits, strict=True)
    ]


def shown_names(names: Sequence[str], asked: CompareOptions) -> list[str]:
    """Say what is compared: as the user named it, and by the designs where these differ."""
    named = [name or "(no options)" for name in names]
    designs = _designs(names, asked)
    if len(set(designs)) > 1:
        named = [f"{design} {name}" for design, name in zip(designs, named, strict=True)]
    return named


def _designs(names: Sequence[str], asked: CompareOptions) -> Sequence[str]:
    """The design of each: one that is given once is that of all; raises UserError."""
    given = asked["design"]
    if len(given) not in (1, len(names)):
        raise UserError(
            f"--design is given once, or once for each of the {len(names)}: it is given {len(given)} times"
        )
    return given * len(names) if len(given) == 1 else given


def _experiment(sides: list[Arm], asked: CompareOptions) -> Experiment:
    """Write the comparison as an experiment, of kind "ratios" or "best": its run is like any other."""
    from actorbench.comparing import read_options

    common = read_options(asked["common"])
    settings: list[dict[str, Any]] = [
        {"design": side.design, "config": side.config, "options": common | side.options} for side in sides
    ]
    document: dict[str, Any] = {
        "schema": 1,
        "id": "compare",
        "workers": "all" if asked["workers"] is None else "1..all",
        **(_pair(sides, settings, asked) if len(sides) == 2 else _several(sides, settings, asked)),
    }
    if asked["scale"] is not None:
        scale = dict.fromkeys(asked["workload"], asked["scale"])
        document["presets"] = {asked["preset"]: {"scale": scale}}
    return parse_experiment(tomli_w.dumps(document), FILE_SHOWN)


def _pair(sides: list[Arm], settings: list[dict[str, Any]], asked: CompareOptions) -> dict[str, Any]:
    arms = settings
    if settings[0] == settings[1]:
        arms = [one | {"arm": name} for one, name in zip(settings, ("a", "b"), strict=True)]
    rows = [
        {"label": workload[:80], "workload": workload, "measure": asked["measure"]}
        | {"candidate": arms[0], "base": arms[1]}
        for workload in dict.fromkeys(asked["workload"])
    ]
    title = f"{sides[0].shown} against {sides[1].shown}"[:120]
    return {"title": title, "kind": "ratios", "rows": rows}


def _several(sides: list[Arm], settings: list[dict[str, Any]], asked: CompareOptions) -> dict[str, Any]:
    for number, one in enumerate(settings):
        if one in settings[:number]:
            raise UserError(f"'{sides[number].shown}' is given twice: of more than two each must be another")
    reference = asked["reference"]
    workloads = list(dict.fromkeys(asked["workload"]))
    return {
        "title": f"{len(sides)} options of {', '.join(workloads)}"[:120],
        "kind": "best",
        "measure": asked["measure"],
        **({} if reference is None else {"reference": reference or "(no options)"}),
        "series": [{"label": side.shown} | setting for side, setting in zip(sides, settings, strict=True)],
        "across": [{"label": workload[:80], "workload": workload} for workload in workloads],
    }

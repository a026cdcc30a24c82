"""The catalogue: which programs are built, and which experiments plots/ holds."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from actorbench.building import build_missing
from actorbench.cell import COMMIT_MARK, COMMITS_FOLDER, program_path
from actorbench.errors import UserError, choices, did_you_mean
from actorbench.experiment import DEFAULT_CONFIG, Experiment, parse_experiment, read_text
from actorbench.peers.building import built_systems
from actorbench.project import GATE_CELLS, PRESETS, Project
from actorbench.suite import COMMAND
from actorbench.variants import texts_of_variants
from actorbench.workloads import load_workloads, texts_for_each


@dataclass(frozen=True, order=True)
class Program:
    """A workload program that is built: `build/<config>/<design>/<workload>`."""

    config: str
    design: str
    workload: str
    path: Path


def programs(project: Project) -> list[Program]:
    """Find the executables in build/, sorted by config, design and workload."""
    found = []
    for path in project.build.glob("*/*/*"):
        config, design, workload = path.parts[-3:]
        if config == COMMITS_FOLDER:
            continue
        if path.is_file() and os.access(path, os.X_OK) and "." not in path.name:
            found.append(Program(config, design, workload, path))
    return sorted(found)


def find_program(project: Project, config: str, design: str, workload: str) -> Program:
    """Find one program; raises UserError with the choices if it is not built.

    In a user's project it is built if it is not.
    """
    if COMMIT_MARK in config:
        path = project.build / program_path(config, design, workload)
        if not os.access(path, os.X_OK):
            raise UserError(f"{project.shown(path)} is not built: {COMMAND} compare --commits builds it")
        return Program(config, design, workload, path)
    if project.is_users:
        build_missing(project, [(config, design, workload)])
    built = programs(project)
    for program in built:
        if (program.config, program.design, program.workload) == (config, design, workload):
            return program
    beside = [p.workload for p in built if (p.config, p.design) == (config, design)]
    if beside:
        hint = f"built there: {choices(beside)}"
    else:
        hint = f"built: {choices(sorted({f'{p.config}/{p.design}' for p in built}))}"
    known = [one.name for one in load_workloads(project)]
    if workload not in known and (meant := did_you_mean(workload, beside)):
        raise UserError(f"workload '{workload}' is not built as {config}/{design}{meant} ({hint})")
    make = "make" if config == DEFAULT_CONFIG else f"make CONFIG={config} programs"
    raise UserError(f"workload '{workload}' is not built as {config}/{design} ({hint}): run {make}")


def experiment_files(plots: Path, group: str = "") -> list[Path]:
    """List the experiment files in a folder plots/, or in one of its groups, by name."""
    return sorted(path for path in (plots / group).glob("*.toml") if path.name not in (PRESETS, GATE_CELLS))


def experiment_groups(project: Project) -> list[str]:
    """List the groups: the folders of plots/ with experiments that are measured on request only."""
    folders = {path.parent for plots in project.all_plots for path in plots.glob("*/*.toml")}
    return sorted({folder.name for folder in folders - {project.sources, project.claims}})


def all_experiments(project: Project, group: str = "") -> list[Experiment]:
    """Load the experiments of plots/, or of one of its groups; raises UserError for the first wrong one.

    Those of the suite are left out where a user's project has some of its own.
    """
    found = (experiment_files(plots, group) for plots in project.all_plots)
    return _load(project, next(filter(None, found), []))


def known_experiments(project: Project) -> tuple[list[tuple[str, Experiment]], list[str]]:
    """Load all experiments, each with its group, and say of each file that is none what is wrong with it.

    One of the suite is left out where the user's project has another of its id.
    """
    known: list[tuple[str, Experiment]] = []
    wrong = []
    load = _loader(project)
    for plots in project.all_plots:
        taken = {one.id for _, one in known}
        for group in ("", *experiment_groups(project)):
            for path in experiment_files(plots, group):
                try:
                    known += [(group, one) for one in load([path]) if one.id not in taken]
                except UserError as error:
                    wrong.append(str(error))
    return known, wrong


def find_experiments(project: Project, names: list[str]) -> list[Experiment]:
    """Load the experiments named: by id in plots/, by group, or by the path of a file; raises UserError."""
    return _distinct([one for name in names for one in _find(project, name)])


def _find(project: Project, name: str) -> list[Experiment]:
    path = Path(name)
    if name.endswith(".toml") or "/" in name:
        if not path.is_file():
            raise UserError(f"no experiment file '{name}'")
        return _load(project, [path])
    groups = experiment_groups(project)
    if name in groups:
        return all_experiments(project, name)
    grouped, wrong = known_experiments(project)
    known = [one for _, one in grouped]
    found = [experiment for experiment in known if experiment.id == name]
    if not found:
        raise UserError("; ".join([_unknown(name, known, groups), *wrong, *taken_ids(known).values()]))
    return _distinct(found)


def _unknown(name: str, known: list[Experiment], groups: list[str]) -> str:
    """Say that there is no such experiment, and what was probably meant."""
    measured = {one.id: {each.workload for each in one.settings() if each.own is None} for one in known}
    ids = list(measured)
    workloads = set().union(*measured.values()).difference(ids)
    for near in get_close_matches(name, [*ids, *groups, *sorted(workloads)], n=1):
        if near in workloads:
            guess = f"no experiment '{name}' in plots/, did you mean the workload '{near}'?"
            told = f"'{name}' is a workload, not an experiment:" if name == near else guess
            measuring = choices([one for one in ids if near in measured[one]])
            return f"{told} {COMMAND} run {near} runs it once, and these measure it: {measuring}"
    meant = did_you_mean(name, [*ids, *groups])
    shown = choices([*ids, *(f"all of {one}" for one in groups)])
    return f"no experiment '{name}' in plots/{meant} (choices: {shown}, or the path of a TOML file)"


def _load(project: Project, paths: list[Path]) -> list[Experiment]:
    return _loader(project)(paths)


def _loader(project: Project) -> Callable[[list[Path]], list[Experiment]]:
    """Give what loads experiment files, and has read once what all of them are read with."""
    peers, workloads = built_systems(project), load_workloads(project)

    def load(paths: list[Path]) -> list[Experiment]:
        named = [(_shown(project, path), path) for path in paths]
        return _distinct(
            [
                parse_experiment(one, shown, peers)
                for shown, path in named
                for text in texts_for_each(read_text(path, shown), workloads)
                for one in texts_of_variants(text, shown)
            ]
        )

    return load


def _shown(project: Project, path: Path) -> str:
    path = path.absolute()
    for folder in (project.root, project.suite):
        if path.is_relative_to(folder):
            return str(path.relative_to(folder))
    return str(path)


def _distinct(experiments: list[Experiment]) -> list[Experiment]:
    """Drop an experiment named twice; two files with one id are an error."""
    for problem in taken_ids(experiments).values():
        raise UserError(problem)
    return list({experiment.id: experiment for experiment in experiments}.values())


def taken_ids(experiments: Iterable[Experiment]) -> dict[str, str]:
    """Say of each id that more than one file has which these are."""
    files: dict[str, str] = {}
    taken = {}
    for one in experiments:
        if (first := files.setdefault(one.id, one.file)) != one.file:
            taken[one.id] = f"{one.file}: id '{one.id}' is taken by {first}"
    return taken

"""Cells: what one fresh process measures, and how an experiment becomes cells.

A cell is known by its key, which is the command that measures it (relative to build/, without --json).
Two experiments that want the same command share the cell, and it is measured once. To compare a command with
itself, the two sides are told apart by `arm`, which the key shows as a comment after the command. A cell may
also be a command of the user's own (own/), in which its parameters and workers stand where that says.
"""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from actorbench.errors import UserError
from actorbench.experiment import Comparison, Experiment, Reading, Scalar, Setting, WorkersSpec
from actorbench.own.command import SYSTEM, WORKERS, Own, own_from_json, words_of
from actorbench.preset import Preset
from actorbench.project import Project
from actorbench.system import OURS

Arguments = tuple[tuple[str, Scalar], ...]

COMMIT_MARK = "@"
COPY_MARK = "."  # before the name of a second build of a commit
COMMITS_FOLDER = "commits"
COUNTING = "statistics"  # the build that counts
PEERS_FOLDER = "peers"


@dataclass(frozen=True)
class Cell:
    """One program with its options; `workers` is None where the program takes no --workers."""

    config: str
    design: str
    workload: str
    workers: int | None
    scale: float
    options: Arguments
    parameters: Arguments
    arm: str = ""
    own: Own | None = None
    system: str = OURS

    @property
    def program(self) -> Path:
        """The program's path below build/; that of a commit lies in the commit's own checkout."""
        if self.system != OURS:
            return Path(PEERS_FOLDER, self.system, self.workload)
        return program_path(self.config, self.design, self.workload)

    @property
    def build(self) -> str:
        """The build configuration, without the commit."""
        return self.config.partition(COMMIT_MARK)[0]

    @property
    def commit(self) -> str:
        """The commit that the program is built from, where that is the cell's own; else empty."""
        return self.config.partition(COMMIT_MARK)[2].partition(COPY_MARK)[0]

    @property
    def arguments(self) -> list[str]:
        """The program's arguments, without --json."""
        workers = [] if self.workers is None else ["--workers", str(self.workers)]
        scale = ["--scale", format_number(self.scale)]
        named = [[f"--{name}", str(value)] for name, value in sorted(self.parameters + self.options)]
        return workers + scale + [argument for pair in named for argument in pair]

    @property
    def question(self) -> "Cell":
        """The cell with its amount of work left open."""
        return replace(self, scale=1.0)

    @cached_property  # a sweep asks for all of them after each sample
    def key(self) -> str:
        """The cell's name: its command below build/, or the user's own."""
        own = self.own_filled()
        command = own.shown if own else shlex.join([str(self.program), *self.arguments])
        marks = [*(own.marks if own else []), *([self.arm] if self.arm else [])]
        return f"{command} # {', '.join(marks)}" if marks else command

    def command(self, program: Path) -> list[str]:
        """The words that start the cell's process, of `program`, which is to print a record."""
        own = self.own_filled()
        return words_of(own.command) if own else [str(program), *self.arguments, "--json"]

    def own_filled(self, more: Mapping[str, str] | None = None) -> Own | None:
        """The own command with the cell's workers and parameters in it, and `more`; None if it has none."""
        workers = {} if self.workers is None else {WORKERS: self.workers}
        return self.own and self.own.filled({**dict(self.parameters), **workers, **(more or {})})

    def folder(self, project: Project) -> Path:
        """Where an own command runs."""
        own = self.own_filled()
        assert own is not None
        return (project.build / own.checkout if own.checkout else project.root) / own.folder

    def to_json(self) -> dict[str, Any]:
        """Write the cell as JSON, for the store."""
        return {
            "config": self.config,
            "design": self.design,
            "workload": self.workload,
            "workers": self.workers,
            "scale": self.scale,
            "options": dict(self.options),
            "parameters": dict(self.parameters),
            **({"arm": self.arm} if self.arm else {}),
            **({"command": self.own.command, "own": self.own.to_json()} if self.own else {}),
            **({"system": self.system} if self.system != OURS else {}),
        }


def cell_from_json(document: dict[str, Any]) -> Cell:
    """Read what `Cell.to_json` wrote; raises KeyError or TypeError if it is something else."""
    return Cell(
        config=document["config"],
        design=document["design"],
        workload=document["workload"],
        workers=document["workers"],
        scale=document["scale"],
        options=_sorted(document["options"]),
        parameters=_sorted(document["parameters"]),
        arm=document.get("arm", ""),
        own=own_from_json(document["command"], document.get("own", {})) if "command" in document else None,
        system=document.get("system", SYSTEM if "command" in document else OURS),
    )


@dataclass(frozen=True)
class Resolver:
    """What turns settings into cells: the preset, the worker counts that "1..all" stands for, and the pin.

    `pin` is the order of CPUs for every program of ours with workers; None leaves it to the settings.
    `config` is the build of every program of ours, with "-statistics" behind it of those that count; None
    leaves it to the settings. `cpu_orders` are the
    orders of CPUs that own commands are bound in, by the pin's name.
    """

    preset: Preset
    workers: tuple[int, ...]
    pin: str | None = None
    config: str | None = None
    cpu_orders: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def counts(self, spec: WorkersSpec) -> list[int | None]:
        """The worker counts that a setting asks for; "all" is the largest of `workers`."""
        if spec == "none":
            return [None]
        if spec == "1..all":
            return list(self.workers)
        wanted: Sequence[int | str] = (spec,) if isinstance(spec, str) else spec
        numbers = [max(self.workers) if count == "all" else int(count) for count in wanted]
        return list(dict.fromkeys(numbers))

    def cell(self, experiment: Experiment, setting: Setting, workers: int | None) -> Cell:
        """The cell of a setting at one worker count; a program without workers has no options either."""
        if setting.own:
            is_bound = setting.own.pin or workers is not None
            pin = self.pin if self.pin is not None and is_bound else setting.own.pin
            own = replace(setting.own, cpus=self.cpu_orders.get(pin, ()))
            return own_cell(own, setting.workload, workers, setting.parameters, setting.arm)
        given = self.preset.parameters.get(setting.workload, {}) if setting.system == OURS else {}
        pinned = {"pin": self.pin} if self.pin is not None and setting.system == OURS else {}
        return Cell(
            config=self._config(setting),
            design=setting.design,
            workload=setting.workload,
            workers=workers,
            scale=self.preset.scale_for(experiment, setting.workload, setting.system),
            options=() if workers is None else _sorted({**setting.options, **pinned}),
            parameters=_sorted({**given, **setting.parameters}),
            arm=setting.arm,
            system=setting.system,
        )

    def _config(self, setting: Setting) -> str:
        """The build of a setting's program; where all are of one, a build that counts is that one's."""
        if self.config is None or setting.system != OURS:
            return setting.config
        return f"{self.config}-{COUNTING}" if setting.config == COUNTING else self.config

    def cells(self, experiment: Experiment, setting: Setting) -> list[Cell]:
        """The cells of a setting, one a worker count, or one a value of what the experiment goes over."""
        counts = self.counts(setting.workers)
        if experiment.over is None:
            return [self.cell(experiment, setting, count) for count in counts]
        name = experiment.over.parameter
        settings = [
            replace(setting, parameters={**setting.parameters, name: value})
            for value in experiment.over.values
        ]
        return [self.cell(experiment, one, count) for one in settings for count in counts]

    def pairs(self, experiment: Experiment, row: Comparison) -> list[tuple[Cell, Cell]]:
        """The (candidate, base) cells of a comparison; a side with a single cell meets each of the other.

        Raises UserError if both have several, and not of the same worker counts.
        """
        candidates = self.cells(experiment, row.candidate)
        bases = self.cells(experiment, row.base)
        counts = [[cell.workers for cell in side] for side in (candidates, bases)]
        if len(candidates) == 1:
            candidates *= len(bases)
        elif len(bases) == 1:
            bases *= len(candidates)
        elif counts[0] != counts[1]:
            shown = [", ".join(map(str, side)) for side in counts]
            raise UserError(
                f"{experiment.file}: row '{row.reading.label}' pairs {shown[0]} workers with {shown[1]}:"
                " give both sides the same counts, or one of them a single one"
            )
        return list(zip(candidates, bases, strict=True))

    def all_pairs(self, experiment: Experiment) -> list[tuple[Reading, Cell, Cell]]:
        """Each pair of cells that the experiment compares, and how their ratio is read; raises UserError."""
        return [
            (row.reading, candidate, base)
            for row in experiment.comparisons
            for candidate, base in self.pairs(experiment, row)
        ]


def own_cell(
    own: Own,
    name: str,
    workers: int | None,
    parameters: Mapping[str, Scalar],
    arm: str = "",
    *,
    commit: str = "",
) -> Cell:
    """Make the cell of an own command; `commit` names the folder of the commit that it runs in."""
    return Cell(
        config=f"{SYSTEM}{COMMIT_MARK}{commit}" if commit else SYSTEM,
        design=SYSTEM,
        workload=name,
        workers=workers,
        scale=1,
        options=(),
        parameters=_sorted(dict(parameters)),
        arm=arm,
        own=replace(own, checkout=f"{COMMITS_FOLDER}/{commit}" if commit else ""),
        system=SYSTEM,
    )


def x_of(experiment: Experiment, cell: Cell) -> int:
    """Where a cell stands on the x of a figure: at its workers, or its value of what the figure goes over."""
    if experiment.over is None:
        return cell.workers or 0
    return int(dict(cell.parameters)[experiment.over.parameter])


def wanted_cells(resolver: Resolver, experiments: Sequence[Experiment]) -> dict[Cell, int]:
    """All cells of the experiments, each with the most samples that one of them asks for.

    Raises UserError if cells are compared that can't be paired.
    """
    wanted: dict[Cell, int] = {}
    for experiment in experiments:
        samples = resolver.preset.samples_for(experiment)
        resolver.all_pairs(experiment)
        for setting in experiment.settings():
            for cell in resolver.cells(experiment, setting):
                wanted[cell] = max(samples, wanted.get(cell, 0))
    return wanted


def program_path(config: str, design: str, workload: str) -> Path:
    """Give a program's path below build/; `config` is as in "release", or "release@<commit>"."""
    build, _, commit = config.partition(COMMIT_MARK)
    inside = Path(build, design, workload)
    return Path(COMMITS_FOLDER, commit, "build", inside) if commit else inside


def format_number(number: float) -> str:
    """Write a number for a command line: whole numbers without a point."""
    return str(int(number)) if float(number).is_integer() else repr(float(number))


def _sorted(arguments: dict[str, Scalar]) -> Arguments:
    return tuple(sorted(arguments.items()))

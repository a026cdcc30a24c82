"""The cells that a gate measures, from a file: plots/gate.toml, or one that the user names.

Of commits a cell is a workload program of ours; of two commands it is arguments that both are given. A cell
is measured as three arms, each a `Cell` of its own: the base, the candidate, and the null arm, which is the
base again, from a second build.
"""

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from actorbench.cell import Arguments, Cell
from actorbench.design import DESIGNS
from actorbench.errors import UserError, choices
from actorbench.experiment import parse_toml, read_text
from actorbench.project import GATE_CELLS, Project
from actorbench.schema import first_error

ARMS = ("base", "candidate", "null")
BASE, CANDIDATE, NULL = ARMS
# Unpinned, the kernel may put both workers of a short sample on one CPU.
PINNED = (("pin", "cores"),)
NO_WORK = ("pin", "send-delay")  # options that say how a cell's work is done
OWN = "command"

Entry = dict[str, Any]  # a cell as its file has it (schemas/gate-cells-1.json)


@dataclass(frozen=True)
class GateCell:
    """A cell of the gate: its name, and the three arms that measure it."""

    name: str
    arms: tuple[Cell, Cell, Cell]

    @property
    def base(self) -> Cell:
        """The base's arm."""
        return self.arms[0]

    @property
    def candidate(self) -> Cell:
        """The candidate's arm."""
        return self.arms[1]

    @property
    def identity(self) -> str:
        """What the cell's history is kept under."""
        return identity_of(self.name, self.base)

    @property
    def command(self) -> str:
        """The base's command, without commit and arm."""
        return replace(self.base, config=self.base.build, arm="").key


def identity_of(name: str, cell: Cell) -> str:
    """Give what a cell's histories are kept under: its name and its work, whichever build does it."""
    program = f"{cell.design}/{cell.workload}"
    own = tuple((option, value) for option, value in cell.options if option not in NO_WORK)
    work = cell.own_command or " ".join([program, *replace(cell, options=own).arguments])
    return f"{name}: {work}"


@dataclass(frozen=True)
class ArmConfigs:
    """The configuration, with the commit's build folder, that each arm's programs come from."""

    base: str
    candidate: str
    null: str
    base_options: Arguments = ()
    candidate_options: Arguments = ()


def commit_entries(project: Project, file: Path | None, names: Sequence[str]) -> list[Entry]:
    """Read the cells of commits, those named, or all if none is; raises UserError with the choices.

    Without a file they are those of plots/gate.toml.
    """
    file = file or project.plots / GATE_CELLS
    entries = _entries(project, file, names)
    for entry in entries:
        place = f"{project.shown(file)}: cell '{entry['name']}'"
        if "workload" not in entry or "arguments" in entry:
            raise UserError(f"{place}: has arguments, for commands: of commits a cell has a workload")
        if entry["design"] not in DESIGNS:
            raise UserError(f"{place}: no design '{entry['design']}' (choices: {choices(DESIGNS)})")
    return entries


def command_entries(project: Project, file: Path | None, names: Sequence[str]) -> list[Entry]:
    """Read the cells of two commands, those named, or all if none is; raises UserError with the choices.

    Without a file there is one, of the commands as they are.
    """
    if file is None:
        if names:
            raise UserError("--cells chooses among the cells of a file: for commands --cells-file names it")
        return [{"name": OWN}]
    entries = _entries(project, file, names)
    for entry in entries:
        place = f"{project.shown(file)}: cell '{entry['name']}'"
        if "workload" in entry:
            raise UserError(f"{place}: has a workload, for commits: of commands a cell has arguments")
        try:
            shlex.split(entry.get("arguments", ""))
        except ValueError as error:
            raise UserError(f"{place}: '{entry['arguments']}' are no arguments: {error}") from error
    return entries


def _entries(project: Project, file: Path, names: Sequence[str]) -> list[Entry]:
    shown = project.shown(file)
    document = parse_toml(read_text(file, shown), shown)
    problem = first_error("gate-cells-1", document)
    if problem:
        raise UserError(f"{shown}: {problem}")
    entries: list[Entry] = document["cells"]
    known = [entry["name"] for entry in entries]
    for name, count in Counter(known).items():
        if count > 1:
            raise UserError(f"{shown}: {count} cells are named '{name}'")
    for name in names:
        if name not in known:
            raise UserError(f"no gate cell '{name}' in {shown} (choices: {choices(known)})")
    return [entry for entry in entries if not names or entry["name"] in names]


def programs_of(entries: Sequence[Entry]) -> list[str]:
    """Name the programs that the cells need, as "<design>/<workload>"."""
    return list(dict.fromkeys(f"{entry['design']}/{entry['workload']}" for entry in entries))


def commit_cells(entries: Sequence[Entry], configs: ArmConfigs, cpus: int) -> list[GateCell]:
    """Make the cells of commits that were built; on one CPU, "all" is the same as 1 and left out."""
    found: dict[str, GateCell] = {}
    for entry in entries:
        made = _commit_cell(entry, configs, cpus)
        found.setdefault(made.command, made)
    return list(found.values())


def command_cells(entries: Sequence[Entry], base: str, candidate: str) -> list[GateCell]:
    """Make the cells of two commands that print records."""
    return [
        GateCell(
            entry["name"],
            (
                _own_cell(entry, base, BASE),
                _own_cell(entry, candidate, CANDIDATE),
                _own_cell(entry, base, NULL),
            ),
        )
        for entry in entries
    ]


def _own_cell(entry: Entry, command: str, arm: str) -> Cell:
    words = f"{command} {entry['arguments']}" if entry.get("arguments") else command
    return Cell(OWN, OWN, entry["name"], None, 1, (), (), arm=arm, own_command=words)


def cell_of(entry: Entry, config: str, cpus: int, *, arm: str = "", options: Arguments = ()) -> Cell:
    """Make the cell that measures an entry of commits by the programs of `config`."""
    return Cell(
        config=config,
        design=entry["design"],
        workload=entry["workload"],
        workers=cpus if entry["workers"] == "all" else entry["workers"],
        scale=entry["scale"],
        options=tuple(sorted({**dict(PINNED), **entry.get("options", {}), **dict(options)}.items())),
        parameters=tuple(sorted(entry.get("parameters", {}).items())),
        arm=arm,
    )


def _commit_cell(entry: Entry, configs: ArmConfigs, cpus: int) -> GateCell:
    return GateCell(
        entry["name"],
        (
            cell_of(entry, configs.base, cpus, arm=BASE, options=configs.base_options),
            cell_of(entry, configs.candidate, cpus, arm=CANDIDATE, options=configs.candidate_options),
            cell_of(entry, configs.null, cpus, arm=NULL, options=configs.base_options),
        ),
    )

"""The cells that a gate measures, from a file: plots/gate.toml, or one that the user names.

Of commits a cell is a workload program of ours, or a command that runs in the commit's checkout; of two
commands it is arguments that both are given. A cell is measured as three arms, each a `Cell` of its own:
the base, the candidate, and the null arm, which is the base again, from a second build.
"""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from actorbench.cell import COMMIT_MARK, Arguments, Cell, own_cell
from actorbench.cpu_order import cpus_in_order
from actorbench.design import DESIGNS
from actorbench.errors import UserError, choices
from actorbench.experiment import parse_toml, read_text
from actorbench.own.command import NOT_PINNED, SYSTEM, Own
from actorbench.own.entries import KEYS, check_names, own_of, scanned
from actorbench.project import GATE_CELLS, Project
from actorbench.reading.formats import RECORD
from actorbench.schema import first_error

ARMS = ("base", "candidate", "null")
BASE, CANDIDATE, NULL = ARMS
# Unpinned, the kernel may put both workers of a short sample on one CPU.
PINNED = (("pin", "cores"),)
NO_WORK = ("pin", "send-delay")  # options that say how a cell's work is done

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
        own = self.base.own and replace(self.base.own, checkout="")
        return replace(self.base, config=self.base.build, arm="", own=own).key


def identity_of(name: str, cell: Cell) -> str:
    """Give what a cell's histories are kept under: its name and its work, whichever build does it."""
    program = f"{cell.design}/{cell.workload}"
    own = tuple((option, value) for option, value in cell.options if option not in NO_WORK)
    work = " ".join([program, *replace(cell, options=own).arguments])
    if cell.own:
        work = replace(cell, own=replace(cell.own, checkout=""), arm="").key
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
        if "arguments" in entry or not {"workload", "command"} & entry.keys():
            raise UserError(
                f"{place}: has arguments, for commands: of commits a cell has a workload or a command"
            )
        if "command" in entry:
            _check_own(project, place, entry, default=None)
        elif entry["design"] not in DESIGNS:
            raise UserError(f"{place}: no design '{entry['design']}' (choices: {choices(DESIGNS)})")
    return entries


def command_entries(
    project: Project, file: Path | None, names: Sequence[str], read: str | None = None
) -> list[Entry]:
    """Read the cells of two commands, those named, or all if none is; raises UserError with the choices.

    Without a file there is one, of the commands as they are. `read` is the format of what they print, where
    the cells do not say it.
    """
    if file is None:
        if names:
            raise UserError("--cells chooses among the cells of a file: for commands --cells-file names it")
        entry = {"name": SYSTEM, **({"read": read} if read else {})}
        _check_own(project, "--read", entry, default=RECORD.format)
        return [entry]
    entries = [{**({"read": read} if read else {}), **one} for one in _entries(project, file, names)]
    for entry in entries:
        place = f"{project.shown(file)}: cell '{entry['name']}'"
        if found := [name for name in ("workload", "command") if name in entry]:
            raise UserError(f"{place}: has a {found[0]}, for commits: of commands a cell has arguments")
        try:
            shlex.split(entry.get("arguments", ""))
        except ValueError as error:
            raise UserError(f"{place}: '{entry['arguments']}' are no arguments: {error}") from error
        _check_own(project, place, entry, default=RECORD.format)
    return entries


def _entries(project: Project, file: Path, names: Sequence[str]) -> list[Entry]:
    shown = project.shown(file)
    document = parse_toml(read_text(file, shown), shown)
    problem = first_error("gate-cells-1", document)
    if problem:
        raise UserError(f"{shown}: {problem}")
    entries = [one for entry in document["cells"] for one in _each_scanned(shown, document, entry)]
    known = [entry["name"] for entry in entries]
    for name, count in Counter(known).items():
        if count > 1:
            raise UserError(f"{shown}: {count} cells are named '{name}'")
    for name in names:
        if name not in known:
            raise UserError(f"no gate cell '{name}' in {shown} (choices: {choices(known)})")
    return [entry for entry in entries if not names or entry["name"] in names]


def _each_scanned(shown: str, document: Mapping[str, Any], entry: Entry) -> Iterator[Entry]:
    """Give a cell's entry for each choice among values, and with the file's way to build it."""
    parameters = entry.get("parameters", {})
    place = f"{shown}: cell '{entry['name']}'"
    for one in scanned([[parameters]], entry["name"], "-{name}-{value}"):
        if "workload" in entry and (one or KEYS & entry.keys()):
            raise UserError(f"{place}: has a workload and what belongs to a command")
        made = {**entry, "name": one.get("label", entry["name"])}
        if {"{", "}"} & set(made["name"]):
            raise UserError(f"{place}: {{}} in a name stand around a parameter of several values")
        if "command" in entry and "build" in document:
            made["build"] = document["build"]
        yield {**made, "parameters": {**parameters, **one["scan"]}} if one else made


def _check_own(project: Project, place: str, entry: Entry, *, default: str | None) -> None:
    """Raise UserError for what can't be in a cell's command; adds the order of CPUs that it asks for."""
    own = _own_of(place, entry, default)
    check_names(place, own, list(entry.get("parameters", {})), workers=entry.get("workers", "none"))
    if own.pin not in ("", NOT_PINNED):
        entry["cpus"] = list(cpus_in_order(project, own.pin))


def _own_of(place: str, entry: Entry, default: str | None = RECORD.format) -> Own:
    """Make the command of an entry, or the arguments that two commands are given."""
    own = own_of(place, {"command": entry.get("arguments", ""), **entry}, default=default)
    return replace(own, cpus=tuple(entry.get("cpus", ())))


def programs_of(entries: Sequence[Entry]) -> list[str]:
    """Name the programs of ours that the cells need, as "<design>/<workload>"."""
    ours = [entry for entry in entries if "workload" in entry]
    return list(dict.fromkeys(f"{entry['design']}/{entry['workload']}" for entry in ours))


def builds_of(entries: Sequence[Entry]) -> list[str]:
    """Give the commands by which a commit's own programs are built in its checkout."""
    asked = [entry["build"] for entry in entries if "build" in entry]
    lines = (line if isinstance(line, str) else shlex.join(line) for line in asked)
    return list(dict.fromkeys(lines))


def commit_cells(entries: Sequence[Entry], configs: ArmConfigs, cpus: int) -> list[GateCell]:
    """Make the cells of commits that were built; on one CPU, "all" is the same as 1 and left out."""
    found: dict[str, GateCell] = {}
    for entry in entries:
        made = _commit_cell(entry, configs, cpus)
        found.setdefault(made.command, made)
    return list(found.values())


def command_cells(entries: Sequence[Entry], base: str, candidate: str, cpus: int = 1) -> list[GateCell]:
    """Make the cells of two commands."""
    return [
        GateCell(
            entry["name"],
            (
                _own_cell(entry, cpus, BASE, command=base),
                _own_cell(entry, cpus, CANDIDATE, command=candidate),
                _own_cell(entry, cpus, NULL, command=base),
            ),
        )
        for entry in entries
    ]


def _own_cell(entry: Entry, cpus: int, arm: str, *, command: str = "", commit: str = "") -> Cell:
    """Make the cell of an entry's command, behind another that it is the arguments of."""
    own = _own_of(entry["name"], entry)
    own = replace(own, command=" ".join(part for part in (command, own.command) if part))
    workers = cpus if entry.get("workers") == "all" else entry.get("workers")
    return own_cell(own, entry["name"], workers, entry.get("parameters", {}), arm, commit=commit)


def cell_of(entry: Entry, config: str, cpus: int, *, arm: str = "", options: Arguments = ()) -> Cell:
    """Make the cell that measures an entry of commits by the programs of `config`."""
    if "command" in entry:
        return _own_cell(entry, cpus, arm, commit=config.partition(COMMIT_MARK)[2])
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

"""The cells that a gate measures: those of cells.toml, or two commands of the user's own.

A cell of the gate is measured as three arms, each a `Cell` of its own: the base, the candidate, and the null
arm, which is the base again, from a second build.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from actorbench.cell import Cell
from actorbench.design import DEFAULT_DESIGN
from actorbench.errors import UserError, choices

CELLS_FILE = Path(__file__).parent / "cells.toml"
ARMS = ("base", "candidate", "null")
BASE, CANDIDATE, NULL = ARMS
# Unpinned, the kernel may put both workers of a short sample on one CPU.
PINNED = (("pin", "cores"),)
OWN = "command"


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
    def identity(self) -> str:
        """What the cell's history is kept under: its name and its work, whichever build does it."""
        program = f"{self.base.design}/{self.base.workload}"
        work = self.base.own_command or " ".join([program, *replace(self.base, options=()).arguments])
        return f"{self.name}: {work}"

    @property
    def command(self) -> str:
        """The base's command, without commit and arm."""
        return replace(self.base, config=self.base.build, arm="").key


@dataclass(frozen=True)
class ArmConfigs:
    """The configuration, with the commit's build folder, that each arm's programs come from."""

    base: str
    candidate: str
    null: str
    base_options: tuple[tuple[str, str], ...] = ()
    candidate_options: tuple[tuple[str, str], ...] = ()


def chosen_entries(names: Sequence[str]) -> list[dict[str, Any]]:
    """Read the cells of cells.toml, those named, or all if none is; raises UserError with the choices."""
    entries: list[dict[str, Any]] = tomllib.loads(CELLS_FILE.read_text(encoding="utf-8"))["cells"]
    known = [entry["name"] for entry in entries]
    for name in names:
        if name not in known:
            raise UserError(f"no gate cell '{name}' (choices: {choices(known)})")
    return [entry for entry in entries if not names or entry["name"] in names]


def programs_of(entries: Sequence[dict[str, Any]]) -> list[str]:
    """Name the programs that the cells need, as "<design>/<workload>"."""
    return list(dict.fromkeys(f"{DEFAULT_DESIGN}/{entry['workload']}" for entry in entries))


def commit_cells(entries: Sequence[dict[str, Any]], configs: ArmConfigs, cpus: int) -> list[GateCell]:
    """Make the cells of commits that were built; on one CPU, "all" is the same as 1 and left out."""
    found: dict[str, GateCell] = {}
    for entry in entries:
        made = _commit_cell(entry, configs, cpus)
        found.setdefault(made.command, made)
    return list(found.values())


def command_cells(base: str, candidate: str) -> list[GateCell]:
    """Make the one cell of two commands that print records."""
    commands = (base, candidate, base)
    arms = [
        Cell(OWN, OWN, OWN, None, 1, (), (), arm=arm, own_command=command)
        for arm, command in zip(ARMS, commands, strict=True)
    ]
    return [GateCell(OWN, (arms[0], arms[1], arms[2]))]


def _commit_cell(entry: dict[str, Any], configs: ArmConfigs, cpus: int) -> GateCell:
    plain = Cell(
        config=configs.base,
        design=DEFAULT_DESIGN,
        workload=entry["workload"],
        workers=cpus if entry["workers"] == "all" else entry["workers"],
        scale=entry["scale"],
        options=(*PINNED, *configs.base_options),
        parameters=tuple(sorted(entry.get("parameters", {}).items())),
    )
    return GateCell(
        entry["name"],
        (
            replace(plain, arm=BASE),
            replace(
                plain,
                config=configs.candidate,
                options=(*PINNED, *configs.candidate_options),
                arm=CANDIDATE,
            ),
            replace(plain, config=configs.null, arm=NULL),
        ),
    )

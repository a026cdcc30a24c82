"""Lines that change hands: whose field, between which code lines, how often an operation, at what cost.

What `perf c2c` samples where the hardware can, a simulated machine counts. Each hand-over is of a line that
one code line has made its core's own, by writing to it, and another has then asked for. What is asked of one
code line by another is added up over all lines of memory: the fields of many objects of one type.
"""

import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from actorbench.catalogue import find_program
from actorbench.errors import UserError
from actorbench.project import Project
from actorbench.record import Record, parse_record
from actorbench.simulated.description import Machine
from actorbench.simulated.fields import Fields, Place
from actorbench.simulated.sampling import CONFIG, environment
from actorbench.table import Column, Table

SHOWN = 20
FACTS = ("machine", "design", "workload", "workers", "operations", "unit")  # of a record
AT_START = Place("(before it ran)", "")


@dataclass(frozen=True)
class HandOver:
    """Between two code lines: how often, how many ps it cost, of how many lines of memory at least.

    `wanted` is the field that was asked for, `written` the one that was written before: if they differ, what
    was asked for lies beside what is written.
    """

    wanted: str
    written: str
    before: str
    after: str
    count: int
    cost_ps: int
    lines: int

    @property
    def field(self) -> str:
        """What the line was taken for, and from, where it was for another field."""
        beside = self.written and self.written != self.wanted
        return f"{self.wanted}, beside {self.written}" if beside else self.wanted


@dataclass(frozen=True)
class Watched:
    """A run's record, its hand-overs, the most costly first, and how many more there was no room to note."""

    record: Record
    found: tuple[HandOver, ...]
    left_out: int

    def to_json(self) -> dict[str, Any]:
        """Write them as JSON."""
        raw = self.record.raw
        facts = {
            name: raw[name] for name in ("machine", "design", "workload", "workers", "operations", "unit")
        }
        return {**facts, "left_out": self.left_out, "hand_overs": [asdict(one) for one in self.found]}


def watch(
    project: Project, machine: Machine, design: str, workload: str, arguments: Sequence[str]
) -> Watched:
    """Run a program on a machine, and tell its hand-overs; raises UserError."""
    program = find_program(project, CONFIG, design, workload).path
    with tempfile.TemporaryDirectory() as folder:
        flat, told = Path(folder, "machine.txt"), Path(folder, "lines")
        flat.write_text(machine.flat(), encoding="utf-8")
        variables = environment(flat, 0) | {"ACTORBENCH_LINES": str(told)}
        command = [str(program), *arguments, "--json"]
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            said = done.stderr.strip().splitlines()
            raise UserError(f"{workload}: {said[-1] if said else f'status {done.returncode}'}")
        *rows, last = (line.split() for line in told.read_text(encoding="ascii").splitlines())
    found = _by_code(rows, Fields(project.suite, program), _variables(program))
    return Watched(parse_record(done.stdout), tuple(found), int(last[0]))


def _variables(program: Path) -> list[tuple[int, int, str]]:
    """List the program's variables: address, size and name."""
    text = subprocess.run(["nm", "-S", str(program)], capture_output=True, text=True, check=True).stdout
    parts = [line.split() for line in text.splitlines()]
    return [
        (int(part[0], 16), int(part[1], 16), part[3])
        for part in parts
        if len(part) == 4 and part[2] in "bBdDrR"
    ]


def _variable(variables: Sequence[tuple[int, int, str]], byte: int) -> str:
    """Name the variable that holds a byte; what none holds is the heap's, or a stack's."""
    return next((name for start, size, name in variables if start <= byte < start + size), "?")


def _by_code(
    rows: Sequence[Sequence[str]], fields: Fields, variables: Sequence[tuple[int, int, str]]
) -> list[HandOver]:
    grouped: dict[tuple[str, str, str, str], list[tuple[int, int, int]]] = defaultdict(list)
    for maker, asker, offset, kind, count, cost, lines, address in rows:
        before = fields.place(int(maker, 16), writes=True) if maker != "0" else AT_START
        after = fields.place(int(asker, 16), writes=kind == "w")
        wanted = after.field or _variable(variables, int(address, 16) + int(offset))
        numbers = (int(count), int(cost), int(lines))
        grouped[wanted, before.field, before.line, after.line].append(numbers)
    found = [
        HandOver(
            *names,
            count=sum(count for count, _, _ in some),
            cost_ps=sum(cost for _, cost, _ in some),
            lines=max(lines for _, _, lines in some),
        )
        for names, some in grouped.items()
    ]
    return sorted(found, key=lambda one: one.cost_ps, reverse=True)


def handovers_table(title: str, watched: Watched) -> Table:
    """Show the most costly, an operation of the record."""
    record, found = watched.record, watched.found
    unit, operations = str(record.raw["unit"]), record.operations
    rows = [
        [
            one.field,
            one.before,
            one.after,
            str(one.lines),
            f"{one.count / operations:.3f}",
            f"{one.cost_ps / 1000 / operations:.2f}",
        ]
        for one in found[:SHOWN]
    ]
    columns = [Column(name, numeric=False) for name in ("field", "written by", "then asked for by")]
    columns += [Column("lines"), Column(f"transfers a {unit}"), Column(f"ns a {unit}")]
    every = sum(one.count for one in found) / operations
    shown = f"the {SHOWN} most costly of " if len(found) > SHOWN else ""
    notes = [f"{record.machine}, no measurement; {shown}{len(found)}; all: {every:.3f} transfers a {unit}"]
    notes += ["the cost is that of the transfer; what of it the core hides is not taken off"]
    if watched.left_out:
        notes.append(f"{watched.left_out} transfers are not among them: there was no room to note them")
    return Table(title, columns, rows, notes)

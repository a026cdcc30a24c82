"""Lines that change hands: between which code lines, how often an operation, at what cost.

What `perf c2c` samples where the hardware can, a simulated machine counts. Each hand-over is of a line that
one code line has made its core's own, and another has then asked for. What is asked of one code line by
another is added up over all lines of memory: the fields of many objects of one type.
"""

import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from actorbench.errors import UserError
from actorbench.project import Project
from actorbench.record import Record, parse_record
from actorbench.simulated.description import Machine
from actorbench.simulated.sampling import CONFIG, environment
from actorbench.table import Column, Table

SHOWN = 20


@dataclass(frozen=True)
class HandOver:
    """Between two code lines: how often, how many ps it cost, of how many lines of memory."""

    before: str
    after: str
    count: int
    cost_ps: int
    lines: int
    where: str


def watch(
    project: Project, machine: Machine, design: str, program: str, arguments: Sequence[str]
) -> tuple[Record, list[HandOver]]:
    """Run a program, and tell its hand-overs, the most costly first; raises UserError."""
    path = project.build / CONFIG / design / program
    if not path.exists():
        raise UserError(f"build/{CONFIG}/{design}/{program} is not built: make CONFIG={CONFIG} programs")
    with tempfile.TemporaryDirectory() as folder:
        flat, told = Path(folder, "machine.txt"), Path(folder, "lines")
        flat.write_text(machine.flat(), encoding="utf-8")
        variables = environment(flat, 0) | {"ACTORBENCH_LINES": str(told)}
        command = [str(path), *arguments, "--json"]
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            said = done.stderr.strip().splitlines()
            raise UserError(f"{program}: {said[-1] if said else f'status {done.returncode}'}")
        rows = [line.split() for line in told.read_text(encoding="ascii").splitlines()]
    names = _code_lines(path, {code for row in rows for code in row[1:3]})
    return parse_record(done.stdout), _by_code(rows, names, _symbols(path))


def _code_lines(program: Path, codes: set[str]) -> dict[str, str]:
    """Name the line of each place in the code; a hook returns behind its own call."""
    wanted = sorted(codes)
    asked = "\n".join(f"{max(0, int(code, 16) - 1):x}" for code in wanted)
    found = subprocess.run(
        ["addr2line", "-e", str(program)], input=asked, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    short = {code: line.split(" ")[0].rpartition("/")[2] for code, line in zip(wanted, found, strict=True)}
    return short | {"0": "(as it was)"}


def _symbols(program: Path) -> list[tuple[int, int, str]]:
    """List the program's variables: address, size and name."""
    text = subprocess.run(["nm", "-S", str(program)], capture_output=True, text=True, check=True).stdout
    parts = [line.split() for line in text.splitlines()]
    found = [
        (int(part[0], 16), int(part[1], 16), part[3])
        for part in parts
        if len(part) == 4 and part[2] in "bBdDrR"
    ]
    return sorted(found)


def _variable(symbols: Sequence[tuple[int, int, str]], line: int) -> str:
    held = [name for start, size, name in symbols if start < line + 64 and line < start + size]
    return ", ".join(held[:3]) or "heap"


def _by_code(
    rows: Sequence[Sequence[str]], names: dict[str, str], symbols: Sequence[tuple[int, int, str]]
) -> list[HandOver]:
    grouped: dict[tuple[str, str], list[Sequence[str]]] = defaultdict(list)
    for row in rows:
        grouped[names[row[1]], names[row[2]]].append(row)
    found = [
        HandOver(
            before,
            after,
            sum(int(row[3]) for row in some),
            sum(int(row[4]) for row in some),
            len({row[0] for row in some}),
            _variable(symbols, int(max(some, key=lambda row: int(row[3]))[0], 16)),
        )
        for (before, after), some in grouped.items()
    ]
    return sorted(found, key=lambda one: one.cost_ps, reverse=True)


def lines_table(title: str, record: Record, found: Sequence[HandOver]) -> Table:
    """Show the most costly; `record` says of how many operations."""
    unit = str(record.raw["unit"])
    rows = [
        [
            one.before,
            one.after,
            one.where,
            str(one.lines),
            f"{one.count / record.operations:.3f}",
            f"{one.cost_ps / 1000 / record.operations:.2f}",
        ]
        for one in found[:SHOWN]
    ]
    columns = [Column("made its own by", numeric=False), Column("then asked for by", numeric=False)]
    columns += [Column("variable", numeric=False), Column("lines")]
    columns += [Column(f"transfers a {unit}"), Column(f"ns a {unit}")]
    every = sum(one.count for one in found) / record.operations
    notes = [
        f"{record.machine}, no measurement; {len(found)} pairs of code lines, {every:.3f} transfers a {unit}"
    ]
    notes += ["the cost is that of the transfer; what of it the core hides is not taken off"]
    return Table(title, columns, rows, notes)

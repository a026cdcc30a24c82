"""Validation: the same cells on the host and on its description, and how far the one is from the other.

The host's samples are taken in whole rounds, each in an order of its own, and kept as they come. Of each cell
the medians of both are compared: the error is |simulated / measured - 1|. Of each pair of cells of one
workload and as many workers the verdict is compared: which is faster, where the host decides it (the rounds
agree, by the sign test). The cells to tune on and those kept aside are told apart.
"""

import json
import math
import os
import random
import shlex
import statistics
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from scipy.stats import spearmanr

from actorbench.errors import UserError
from actorbench.estimates import sign_test
from actorbench.experiment import parse_toml, read_text
from actorbench.histories import add_entries, read_entries
from actorbench.project import Project
from actorbench.record import parse_record
from actorbench.simulated.provenance import VALIDATION_FILE
from actorbench.simulated.sampling import CONFIG, environment
from actorbench.store import write_whole
from actorbench.table import Column, Table

CELLS_FILE = "machine/validation.toml"
FOLDER = "validation"  # of results/: what was measured
PARTS = {"tune": "tuned on", "aside": "kept aside"}
SEEDS = (1, 2, 3)
TIMEOUT_S = 300
DECIDED = 0.05  # the p-value of a verdict of the host's


@dataclass(frozen=True)
class Cell:
    """A program's arguments, and with how many workers; the part it is of."""

    part: str
    command: str
    workers: int

    @property
    def workload(self) -> str:
        """The workload's name."""
        return shlex.split(self.command)[0].split("/")[1]


@dataclass(frozen=True)
class Measured:
    """A sample of the host's: ns an operation."""

    command: str
    workers: int
    round: int
    ns: float

    @property
    def identity(self) -> tuple[str, int, int]:
        """The cell and the round."""
        return (self.command, self.workers, self.round)


@dataclass(frozen=True)
class Checked:
    """A cell: ns an operation, measured (one a round, in their order) and simulated (one a seed)."""

    cell: Cell
    measured: tuple[float, ...]
    simulated: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Simulated over measured, of the medians."""
        return statistics.median(self.simulated) / statistics.median(self.measured)


def cells_to_check(project: Project, only: str) -> list[Cell]:
    """List the cells; `only` is what a command must contain. Raises UserError if none does."""
    document = parse_toml(read_text(project.suite / CELLS_FILE, CELLS_FILE), CELLS_FILE)
    found = [
        Cell(part, command, workers)
        for part in PARTS
        for command in document[part]["cells"]
        for workers in document["workers"]
        if only in command
    ]
    if not found:
        raise UserError(f"--only: no cell's command contains '{only}'")
    return found


def lacking(cells: Sequence[Cell], rounds: int, file: Path) -> list[tuple[Cell, int]]:
    """List the host's samples that `file` lacks, a cell and a round each, in the order to take them."""
    kept = {one.identity for one in read_measured(file)}
    return [
        (cell, number)
        for number in range(rounds)
        for cell in random.Random(number).sample(cells, len(cells))
        if (cell.command, cell.workers, number) not in kept
    ]


def measure(project: Project, samples: Sequence[tuple[Cell, int]], file: Path) -> Iterator[Measured]:
    """Take samples of the host, and add each to `file`; raises UserError if a program fails."""
    for cell, number in samples:
        taken = Measured(cell.command, cell.workers, number, _each_ns(project, "release", cell, None))
        add_entries(file, _decode, [taken])
        yield taken


def read_measured(file: Path) -> list[Measured]:
    """Read the samples of a file, none if there is none; raises UserError if it holds something else."""
    return read_entries(file, _decode)


def _decode(document: dict[str, Any]) -> Measured:
    return Measured(document["command"], document["workers"], document["round"], float(document["ns"]))


def simulate(
    project: Project, cells: Sequence[Cell], measured: Sequence[Measured], machine: Path
) -> Iterator[Checked]:
    """Simulate the cells, as many at a time as the host has CPUs; raises UserError if a program fails."""
    of_cell: dict[tuple[str, int], list[float]] = {}
    for one in sorted(measured, key=lambda one: one.round):
        of_cell.setdefault((one.command, one.workers), []).append(one.ns)

    def simulated(cell: Cell) -> tuple[float, ...]:
        return tuple(_each_ns(project, CONFIG, cell, environment(machine, seed)) for seed in SEEDS)

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for cell, found in zip(cells, pool.map(simulated, cells), strict=True):
            yield Checked(cell, tuple(of_cell[cell.command, cell.workers]), found)


def _each_ns(project: Project, config: str, cell: Cell, variables: dict[str, str] | None) -> float:
    words = shlex.split(cell.command)
    path = project.build / config / words[0]
    if not path.exists():
        raise UserError(f"build/{config}/{words[0]} is not built: make CONFIG={config} programs")
    command = [str(path), *words[1:], "--workers", str(cell.workers), "--json"]
    done = subprocess.run(
        command, env=variables, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise UserError(f"build/{config}/{words[0]}: status {done.returncode}: {said[-1] if said else ''}")
    record = parse_record(done.stdout)
    return record.elapsed_ns / record.operations


@dataclass(frozen=True)
class Summary:
    """A part's errors, as shares; `agreed` of `decided` verdicts."""

    cells: int
    median: float
    ninety: float
    rank: float
    agreed: int
    decided: int

    @property
    def text(self) -> str:
        """Write it in a line."""
        share = f"{100 * self.agreed / self.decided:.0f} % of {self.decided}" if self.decided else "none"
        return (
            f"{self.cells} cells: median error {self.median:.0%}, 90 % under {self.ninety:.0%},"
            f" rank correlation {self.rank:.2f}, verdicts that agree: {share}"
        )


def summarise(checked: Sequence[Checked]) -> Summary:
    """Sum a part up."""
    errors = sorted(abs(one.ratio - 1) for one in checked)
    ninety = errors[min(len(errors) - 1, int(0.9 * len(errors)))]
    measured = [statistics.median(one.measured) for one in checked]
    simulated = [statistics.median(one.simulated) for one in checked]
    rank = float(spearmanr(measured, simulated).statistic) if len(checked) > 2 else float("nan")
    verdicts = [
        found for one, other in combinations(checked, 2) if (found := _verdict(one, other)) is not None
    ]
    return Summary(len(checked), statistics.median(errors), ninety, rank, sum(verdicts), len(verdicts))


def _verdict(one: Checked, other: Checked) -> bool | None:
    """Whether both agree on which of two is faster; None if the host does not say, or they are no pair."""
    if (one.cell.workload, one.cell.workers) != (other.cell.workload, other.cell.workers):
        return None
    logs = [math.log(above / below) for above, below in zip(one.measured, other.measured, strict=True)]
    if sign_test(logs) > DECIDED:
        return None
    return (statistics.median(logs) > 0) == (
        statistics.median(one.simulated) > statistics.median(other.simulated)
    )


def validation_table(checked: Sequence[Checked]) -> Table:
    """Show each cell, and below them what each part comes to."""
    rows = [
        [
            one.cell.command,
            str(one.cell.workers),
            PARTS[one.cell.part],
            f"{statistics.median(one.measured):.4g}",
            f"{statistics.median(one.simulated):.4g}",
            f"{one.ratio:.2f}",
        ]
        for one in checked
    ]
    columns = [Column("cell", numeric=False), Column("workers"), Column("part", numeric=False)]
    columns += [Column("measured (ns)"), Column("simulated (ns)"), Column("simulated / measured")]
    notes = [f"{PARTS[part]}: {summarise(some).text}" for part in PARTS if (some := _of(checked, part))]
    return Table("The host and its description", columns, rows, notes)


def _of(checked: Sequence[Checked], part: str) -> list[Checked]:
    return [one for one in checked if one.cell.part == part]


def keep(project: Project, checked: Sequence[Checked], machine: str) -> str:
    """Write down what was found, for the captions of simulated figures; returns the line that they show."""
    aside = summarise(_of(checked, "aside"))
    told = (
        f"on {machine} the model's median error was {aside.median:.0%} (90 % of cells under"
        f" {aside.ninety:.0%})"
        " of cells that it was not tuned on, with 1 and 2 workers"
    )
    document: dict[str, Any] = {
        "told": told,
        "machine": machine,
        "parts": {part: summarise(some).text for part in PARTS if (some := _of(checked, part))},
        "cells": [
            {"part": one.cell.part, "command": one.cell.command, "workers": one.cell.workers}
            | {"measured": one.measured, "simulated": one.simulated}
            for one in checked
        ],
    }
    write_whole(project.suite / VALIDATION_FILE, json.dumps(document, indent=1) + "\n")
    return told

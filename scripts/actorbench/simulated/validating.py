"""Validation: the same cells on the host and on its description, and how far the one is from the other.

Of each cell the medians of both are compared: the error is |simulated / measured - 1|. Of each pair of cells
of one workload and as many workers the verdict is compared: which is faster, where the host decides it (the
ranges of the two cells' samples do not overlap). The cells to tune on and those kept aside are told apart.
"""

import json
import shlex
import statistics
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from scipy.stats import spearmanr

from actorbench.errors import UserError
from actorbench.experiment import parse_toml, read_text
from actorbench.project import Project
from actorbench.record import Record, parse_record
from actorbench.simulated.provenance import VALIDATION_FILE
from actorbench.simulated.sampling import CONFIG, environment
from actorbench.store import write_whole
from actorbench.table import Column, Table

CELLS_FILE = "machine/validation.toml"
PARTS = {"tune": "tuned on", "aside": "kept aside"}
TIMEOUT_S = 300


@dataclass(frozen=True)
class Checked:
    """A cell: ns an operation, measured (all samples) and simulated (one for each seed)."""

    part: str
    command: str
    workers: int
    measured: tuple[float, ...]
    simulated: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Simulated over measured, of the medians."""
        return statistics.median(self.simulated) / statistics.median(self.measured)

    @property
    def workload(self) -> str:
        """The workload's name."""
        return shlex.split(self.command)[0].split("/")[1]


def cells_to_check(project: Project, part: str, only: str) -> list[tuple[str, int]]:
    """List a part's commands, each with its workers; `only` is what a command must contain."""
    document = parse_toml(read_text(project.root / CELLS_FILE, CELLS_FILE), CELLS_FILE)
    cells: list[str] = document[part]["cells"]
    return [(one, count) for one in cells if only in one for count in document["workers"]]


def check(project: Project, part: str, command: str, workers: int, samples: int, machine: Path) -> Checked:
    """Measure and simulate a cell; raises UserError if a program fails."""
    words = shlex.split(command)
    arguments = [*words[1:], "--workers", str(workers), "--json"]
    measured = [_run(project, "release", words[0], arguments, None) for _ in range(samples)]
    seeds = range(1, min(samples, 3) + 1)
    simulated = [_run(project, CONFIG, words[0], arguments, environment(machine, seed)) for seed in seeds]
    return Checked(part, command, workers, tuple(map(_each_ns, measured)), tuple(map(_each_ns, simulated)))


def _each_ns(record: Record) -> float:
    return record.elapsed_ns / record.operations


def _run(
    project: Project, config: str, program: str, arguments: Sequence[str], variables: dict[str, str] | None
) -> Record:
    path = project.build / config / program
    if not path.exists():
        raise UserError(f"build/{config}/{program} is not built: make CONFIG={config} programs")
    done = subprocess.run(
        [str(path), *arguments], env=variables, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise UserError(f"build/{config}/{program}: status {done.returncode}: {said[-1] if said else ''}")
    return parse_record(done.stdout)


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
    if one.workload != other.workload or one.workers != other.workers:
        return None
    if max(one.measured) < min(other.measured):
        return statistics.median(one.simulated) < statistics.median(other.simulated)
    if max(other.measured) < min(one.measured):
        return statistics.median(other.simulated) < statistics.median(one.simulated)
    return None


def validation_table(checked: Sequence[Checked]) -> Table:
    """Show each cell, and below them what each part comes to."""
    rows = [
        [
            one.command,
            str(one.workers),
            PARTS[one.part],
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
    return [one for one in checked if one.part == part]


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
            {"part": one.part, "command": one.command, "workers": one.workers}
            | {"measured": one.measured, "simulated": one.simulated}
            for one in checked
        ],
    }
    write_whole(project.root / VALIDATION_FILE, json.dumps(document, indent=1) + "\n")
    return told

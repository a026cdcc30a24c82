"""The order of CPUs in a sweep: which CPU each further worker is bound to, as the programs themselves say.

A program made with hwloc is asked (`--show-plan`), so that what is printed is what a sweep does; another
machine is described by an hwloc XML file or a synthetic string (hwloc(7), "Synthetic topologies").
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from actorbench.catalogue import Program, find_program, programs
from actorbench.design import DEFAULT_DESIGN
from actorbench.errors import UserError
from actorbench.experiment import DEFAULT_CONFIG
from actorbench.process import run_process
from actorbench.project import Project
from actorbench.table import Column, Table

PINS = ("cores", "smt", "spread", "four-nodes")
HEADINGS = ("worker", "CPU", "node", "package", "core", "thread")
TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Place:
    """Where a worker runs; numbers are the system's own, `thread` the place within the core."""

    worker: int
    cpu: int
    node: int
    package: int
    core: int
    thread: int


def find_planner(project: Project) -> Program:
    """Find the program that is asked for orders of CPUs; raises UserError if it is not built."""
    built = [one for one in programs(project) if one.design == DEFAULT_DESIGN and one.workload == "executor"]
    release = [one for one in built if one.config == DEFAULT_CONFIG]
    if found := release or built:
        return found[0]
    return find_program(project, DEFAULT_CONFIG, DEFAULT_DESIGN, "executor")


def cpus_in_order(project: Project, pin: str) -> tuple[int, ...]:
    """Give the CPUs of this machine in the order of a pin; raises UserError if no program can tell."""
    return tuple(place.cpu for place in ask_program(project, find_planner(project).path, pin, None))


def ask_program(project: Project, program: Path, pin: str, topology: str | None) -> list[Place]:
    """Ask a workload program for its order; raises UserError with what it says."""
    described = [] if topology is None else ["--topology", topology]
    try:
        finished = run_process(
            [str(program), "--show-plan", "--pin", pin, *described],
            timeout_s=TIMEOUT_S,
            environment=os.environ,
            folder=Path.cwd(),
        )
    except OSError as error:
        raise UserError(f"{project.shown(program)}: cannot be run: {error.strerror}") from error
    if finished.status != 0:
        said = finished.stderr.decode(errors="replace").strip().splitlines()
        raise UserError(said[-1] if said else f"{project.shown(program)} gives no order of CPUs")
    return read_places(finished.stdout.decode(errors="replace"), project.shown(program))


def read_places(output: str, shown: str) -> list[Place]:
    """Read an order as the programs print it; raises UserError if it is something else.

    What stands right of a worker's place, its neighbours, is not read.
    """
    head, *lines = [line.split() for line in output.splitlines() if line.strip()] or [[]]
    try:
        if tuple(head[: len(HEADINGS)]) != HEADINGS or not lines:
            raise ValueError
        return [Place(*(int(word) for word in words[: len(HEADINGS)])) for words in lines]
    except (ValueError, TypeError) as error:
        raise UserError(
            f"{shown} printed no order of CPUs (its columns are: {', '.join(HEADINGS)})"
        ) from error


def order_table(places: Sequence[Place], *, title: str, usable: int, workers: int | None) -> Table:
    """Write an order as a table, a row for each number of workers up to `workers` (all CPUs if None).

    A row beyond the `usable` CPUs is marked oversubscribed; beyond the last CPU workers begin at its
    first again.
    """
    from actorbench.ratios import workers_text  # noqa: PLC0415 - loads slowly, and few need it

    rows = []
    for number in range(1, (workers or len(places)) + 1):
        place = places[(number - 1) % len(places)]
        numbers = [place.cpu, place.node, place.package, place.core, place.thread]
        mark = "oversubscribed" if number > usable else ""
        rows.append([str(number), *map(str, numbers), mark])
    columns = [Column("workers"), *(Column(heading) for heading in HEADINGS[1:]), Column("", numeric=False)]
    notes = ["each row: the CPU that is added with that number of workers", *_stretches(places)]
    notes.append(f"cells with more than {workers_text(usable)} are oversubscribed")
    return Table(title, columns, rows, notes)


def _stretches(places: Sequence[Place]) -> Iterator[str]:
    """Tell in a line each what runs of rows have in common, unless they change with almost every row."""
    runs = [list(run) for _, run in groupby(places, key=lambda place: (place.package, place.thread))]
    if len(runs) > max(4, len(places) // 4):
        return
    first = 1
    for run in runs:
        last = first + len(run) - 1
        span = f"{first}" if first == last else f"{first} to {last}"
        thread = "cores" if run[0].thread == 0 else f"hyper-threads (thread {run[0].thread} of each core)"
        yield f"{span}: {thread} of package {run[0].package}"
        first = last + 1

"""Measuring commits side by side, to fill the history of a machine.

All commits are built first, and then measured in the same rounds, in random order, so that a machine that
slows down for a while slows all of them. A cell that a commit can't build is left out of it, and named.
"""

import os
import time
from collections.abc import Sequence

from rich.console import Console

from actorbench.cell import COMMIT_MARK, Cell
from actorbench.commits import BuildError, Commit, build_commit
from actorbench.errors import UserError
from actorbench.experiment import DEFAULT_CONFIG
from actorbench.gate.cells import Entry, builds_of, cell_of, programs_of
from actorbench.launch import plain_head
from actorbench.machine.facts import read_facts
from actorbench.machine.sources import Sources
from actorbench.plan import make_plan
from actorbench.progress import left_text
from actorbench.project import Project
from actorbench.rules import FLOOR
from actorbench.stopping import MOST_ROUNDS, Goal, first_rounds
from actorbench.store import Run, create_run

LABEL = "trend"


def start_measuring(
    project: Project,
    commits: Sequence[Commit],
    entries: Sequence[Entry],
    console: Console,
    *,
    budget_s: float,
    timeout_s: float,
    seed: int | None,
    arguments: Sequence[str],
) -> Run:
    """Build the commits, and write the head of a run that measures them; the samples are still to be taken.

    The budget is that of all samples together, the time-out a sample's. Raises UserError if nothing builds.
    """
    facts = read_facts(Sources.of_this_machine(project.root))
    missing = _build_all(project, commits, entries, console)
    names: dict[str, str] = {}
    cells: list[Cell] = []
    for commit in commits:
        for entry in entries:
            cell = cell_of(entry, f"{DEFAULT_CONFIG}{COMMIT_MARK}{commit.name}", facts.usable_cpus)
            is_built = _program_of(entry) not in missing[commit.name]
            if is_built and cell.key not in names:
                cells.append(cell)
                names[cell.key] = entry["name"]
    if not cells:
        raise UserError(f"of {len(commits)} commits none has a program of these cells that builds")
    goal = Goal(budget_s, None, MOST_ROUNDS, (), least_rounds=FLOOR)
    seed = int.from_bytes(os.urandom(4)) if seed is None else seed
    head = plain_head(
        project,
        facts,
        arguments=arguments,
        seed=seed,
        timeout_s=timeout_s,
        goal=goal,
        plan=make_plan(dict.fromkeys(cells, first_rounds(goal)), seed),
    )
    return create_run(project, LABEL, {**head, "names": names, "missing": missing})


def require_builds(project: Project, run: Run) -> None:
    """Raise UserError if the run is none of these, or a program that it measures is gone."""
    head = run.head()
    if "names" not in head.document:
        raise UserError(
            f"run {run.name} measures no trend: trend --resume goes on with what --measure started"
        )
    for cell in head.plan.cells:
        place = cell.own.checkout if cell.own else str(cell.program)
        if not (project.build / place).exists():
            raise UserError(f"run {run.name} can't go on: build/{place} is gone: measure anew")


def _build_all(
    project: Project, commits: Sequence[Commit], entries: Sequence[Entry], console: Console
) -> dict[str, dict[str, str]]:
    """Build all commits, telling how far it is; returns, by commit, what it can't build, and why."""
    missing: dict[str, dict[str, str]] = {}
    began = time.monotonic()
    for number, commit in enumerate(commits):
        told = f"building {number + 1} of {len(commits)}: {commit.name} {commit.subject}"
        if number:
            told += f"; {left_text((time.monotonic() - began) / number * (len(commits) - number))}"
        console.print(told, soft_wrap=True)
        missing[commit.name] = {}
        for program in dict.fromkeys(map(_program_of, entries)):
            needed = [one for one in entries if _program_of(one) == program]
            try:
                build_commit(project, commit.name, DEFAULT_CONFIG, programs_of(needed), own=builds_of(needed))
            except BuildError as error:
                missing[commit.name][program] = str(error)
                console.print(f"left out: {commit.name}, {program}: {error}", soft_wrap=True)
    return missing


def _program_of(entry: Entry) -> str:
    """What a cell needs of a commit: a program of ours, or what its command's build makes."""
    return next(iter([*programs_of([entry]), *builds_of([entry])]), "its checkout")

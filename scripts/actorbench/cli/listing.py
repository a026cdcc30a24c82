"""`actorbench list`: what is built, what can be measured, and what was."""

import json

import click

from actorbench.catalogue import known_experiments, programs, taken_ids
from actorbench.errors import UserError
from actorbench.project import Project
from actorbench.store import Run, all_kept_runs, all_runs
from actorbench.table import Column, Table, make_console


@click.command("list")
@click.pass_obj
def list_all(project: Project) -> None:
    """List the systems built, the workloads, the experiments and the runs."""
    console = make_console()
    for table in (_systems(project), _experiments(project), _runs(project)):
        table.print(console)


def _systems(project: Project) -> Table:
    built: dict[tuple[str, str], list[str]] = {}
    for program in programs(project):
        built.setdefault((program.config, program.design), []).append(program.workload)
    rows = [[config, design, ", ".join(workloads)] for (config, design), workloads in built.items()]
    notes = [] if rows else ["nothing is built: run make"]
    return Table("Systems built", _text_columns("config", "design", "workloads"), rows, notes)


def _experiments(project: Project) -> Table:
    known, wrong = known_experiments(project)
    rows = [[one.id, group, one.kind, one.title, ", ".join(one.claims)] for group, one in known]
    notes = [*([] if rows else ["none in plots/"]), *(f"left out: {one}" for one in wrong)]
    notes += taken_ids(one for _, one in known).values()
    return Table("Experiments", _text_columns("id", "group", "kind", "title", "claims"), rows, notes)


def _runs(project: Project) -> Table:
    rows = [[run.name, *_run_state(run)] for run in [*all_kept_runs(project), *all_runs(project)]]
    notes = [] if rows else ["none in results/ or docs/runs/"]
    columns = [*_text_columns("run", "preset"), Column("samples"), Column("planned")]
    return Table("Runs", columns, rows, notes)


def _run_state(run: Run) -> list[str]:
    try:
        kind = json.loads((run.folder / "run.json").read_text(encoding="utf-8"))["kind"]
        if kind != "sweep":
            return [str(kind), "", ""]
        head = run.head()
        return [head.preset, str(len(run.samples())), str(head.plan.size)]
    except (UserError, OSError, ValueError, KeyError, TypeError):
        return ["not readable", "", ""]


def _text_columns(*headings: str) -> list[Column]:
    return [Column(heading, numeric=False) for heading in headings]

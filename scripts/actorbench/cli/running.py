"""`actorbench run`: one sample of one program, shown; or the whole process timed from outside."""

import os
import shutil
import sys

import click

from actorbench.building import build_missing
from actorbench.catalogue import Program, find_program
from actorbench.cli.options import Listed, hold_lock, wait_option
from actorbench.design import DEFAULT_DESIGN, DESIGNS
from actorbench.errors import EXIT_BENCHMARK_FAILED, EXIT_OK, UserError
from actorbench.experiment import DEFAULT_CONFIG
from actorbench.hyperfine import EXPORT_NAME, time_whole_process
from actorbench.judging import judge
from actorbench.launch import DEFAULT_TIMEOUT_S
from actorbench.lock import measuring_lock
from actorbench.machine.facts import read_facts
from actorbench.machine.sources import Sources
from actorbench.machine.versions import tool_versions
from actorbench.measure import MEASURES
from actorbench.option_check import refusal
from actorbench.process import run_process
from actorbench.project import Project
from actorbench.record import Record
from actorbench.store import WHOLE_KIND, create_run
from actorbench.table import Column, Table, make_console

LATENCY_CONFIG = "latency"


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("workload", type=Listed())
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("--config", default=DEFAULT_CONFIG, show_default=True, help="Build configuration.")
@click.option("--latency", is_flag=True, help="Take the time from sends to behaviours: --config latency.")
@click.option("--design", type=click.Choice(DESIGNS), default=DEFAULT_DESIGN, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the record as it is.")
@click.option(
    "--timeout",
    type=click.FloatRange(0, 10**6, min_open=True),
    default=DEFAULT_TIMEOUT_S,
    show_default=True,
    help="Seconds that the program may take.",
)
@click.option("--whole-process", is_flag=True, help="Time the command from outside, with hyperfine.")
@click.option(
    "--runs", type=click.IntRange(2, 10000), default=10, show_default=True, help="Runs of hyperfine."
)
@wait_option
@click.pass_obj
def run(
    project: Project,
    workload: str,
    arguments: tuple[str, ...],
    config: str,
    latency: bool,
    design: str,
    as_json: bool,
    timeout: float,
    whole_process: bool,
    runs: int,
    wait: bool,
) -> int:
    """Run WORKLOAD once and show its record; ARGUMENTS are the program's.

    Options that are none of those below are the program's as well; after -- all are.
    """
    if latency and config not in (DEFAULT_CONFIG, LATENCY_CONFIG):
        raise UserError(f"--latency is of the configuration '{LATENCY_CONFIG}', not of --config {config}")
    config = LATENCY_CONFIG if latency else config
    if project.is_users:
        build_missing(project, [(config, design, workload)], measuring_lock(project, wait=wait))
    program = find_program(project, config, design, workload)
    hold_lock(project, wait=wait)
    if whole_process:
        return _time_from_outside(project, program, arguments, runs)
    try:
        finished = run_process(
            [str(program.path), *arguments, "--json"],
            timeout_s=timeout,
            environment=os.environ,
            folder=project.root,
        )
    except OSError as error:
        click.echo(f"actorbench: {workload} failed: not started: {error.strerror}", err=True)
        return EXIT_BENCHMARK_FAILED
    record, failure = judge(finished, timeout)
    said = finished.stderr.decode(errors="replace").strip()
    if finished.status == 2:
        raise UserError(said or f"{workload} refuses its arguments")
    if said:
        click.echo(said, err=True)
    if as_json and record is not None:
        click.echo(finished.stdout.decode().strip())
    elif record is not None:
        _table(workload, record).print(make_console())
    if failure is not None:
        click.echo(f"actorbench: {workload} failed: {failure.kind}: {failure.reason}", err=True)
        return EXIT_BENCHMARK_FAILED
    return EXIT_OK


def _table(workload: str, record: Record) -> Table:
    from actorbench.wording import number_text

    raw = record.raw
    rows = [
        ["system", f"{raw['system']} {raw['version']}, {raw['design']}, {raw['build']}"],
        *([["machine", record.machine]] if record.machine else []),
        ["options", _settings(raw["options"])],
        ["parameters", _settings(raw["parameters"])],
        ["workers", str(record.workers)],
        ["operations", f"{record.operations:,} ({raw['unit']})"],
    ]
    shown = [MEASURES[name] for name in ("elapsed", "cpu", "time_per_operation", "peak_memory")]
    for measure in [*shown, *(one for one in MEASURES.values() if one.is_measured)]:
        if (value := measure.read(record)) is not None:
            rows.append([measure.label, f"{number_text(value)} {measure.unit}".strip()])
    rows += [[MEASURES[name].label, f"{value:,}"] for name, value in (record.statistics or {}).items()]
    rows.append(["verified", "yes" if record.verified else "NO: the result is wrong"])
    columns = [Column("", numeric=False), Column("", numeric=False)]
    return Table(workload, columns, rows, [f"note: {note}" for note in record.notes])


def _settings(settings: dict[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in settings.items()) or "none"


def _time_from_outside(project: Project, program: Program, arguments: tuple[str, ...], runs: int) -> int:
    sources = Sources.of_this_machine(project.root)
    command = [str(program.path), *arguments]
    if said := refusal(project, command):
        raise UserError(said)
    document = {
        "kind": WHOLE_KIND,
        "arguments": sys.argv[1:],
        "command": command,
        "machine": read_facts(sources).values,
        "versions": tool_versions(sources),
    }
    stored = create_run(project, f"whole-{program.workload}", document)
    export = stored.folder / EXPORT_NAME
    try:
        timed = time_whole_process(command, runs=runs, export=export)
    except UserError:
        shutil.rmtree(stored.folder, ignore_errors=True)  # nothing was measured
        raise
    columns = [
        Column("", numeric=False),
        *(Column(name) for name in ("median (s)", "min (s)", "max (s)", "runs")),
    ]
    from actorbench.wording import number_text

    numbers = [number_text(value) for value in (timed.median, min(timed.times), max(timed.times))]
    label = " ".join([f"{program.design}/{program.workload}", *arguments])
    note = f"whole processes, timed by hyperfine: {project.shown(export)}"
    Table("Whole process", columns, [[label, *numbers, str(len(timed.times))]], [note]).print(make_console())
    return EXIT_OK

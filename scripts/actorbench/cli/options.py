"""The options that several commands share, and how their values are read."""

import re
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, TypedDict

import click
from click.core import ParameterSource

from actorbench.cpu_order import PINS
from actorbench.errors import UserError
from actorbench.launch import DEFAULT_TIMEOUT_S
from actorbench.lock import measuring_lock
from actorbench.project import Project
from actorbench.simulated.sampling import PRESET as SIMULATED
from actorbench.suite import COMMAND
from actorbench.worker_counts import THESIS

MOST_WORKERS = 4096
QUICK = "quick"


class Listed(click.ParamType[str]):
    """A name of something that `list` shows, and says so if none is given."""

    name = "text"

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:  # noqa: ARG002
        """Say what click writes behind "Missing argument 'RUN'. "."""
        return f"{COMMAND} list shows which there are"


class PlanOptions(TypedDict):
    """The options of `plan_options`, as click hands them over."""

    preset: str | None
    samples: int | None
    workers: tuple[int, ...] | str | None
    pin: str | None
    machine: str | None
    only: str | None
    budget: float | None


class SweepOptions(PlanOptions):
    """The options of `sweep_options`, as click hands them over."""

    seed: int | None
    timeout: float
    precision: float | None
    void_disturbed: bool
    resume: str | None
    retry_failed: bool
    wait: bool
    dry_run: bool


def parse_workers(_context: click.Context, _parameter: click.Parameter, text: str | None) -> object:
    """Read "1,2,4", or "thesis", for --workers."""
    if text is None or text == THESIS:
        return text
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() and 1 <= int(part) <= MOST_WORKERS for part in parts):
        raise click.BadParameter(
            f"'{text}' is not a list of whole numbers from 1 to {MOST_WORKERS}, as in 1,2,4, nor {THESIS}"
        )
    return tuple(sorted({int(part) for part in parts}))


def parse_span(_context: click.Context, _parameter: click.Parameter, text: str | None) -> object:
    """Read "90s", "30m", "2h" or "30d", in seconds; a number alone is seconds."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)([smhd]?)", text, re.ASCII)
    seconds = float(match[1]) * {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}[match[2]] if match else 0
    if seconds <= 0:
        raise click.BadParameter(f"'{text}' is not a time over 0, as in 90s, 30m, 2h or 30d")
    return seconds


def parse_rounds(_context: click.Context, _parameter: click.Parameter, text: str | None) -> object:
    """Read "3-7", or "3", counted from 1, for --rounds, as a range counted from 0."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", text, re.ASCII)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last:
        raise click.BadParameter(f"'{text}' are no rounds, counted from 1, as in 3-7")
    return range(first - 1, last)


def parse_fraction(_context: click.Context, _parameter: click.Parameter, text: str | None) -> object:
    """Read "2%" or "0.02" for --precision, as a fraction."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,3}(?:\.\d{1,6})?)(%?)", text, re.ASCII)
    fraction = float(match[1]) / (100 if match[2] else 1) if match else 0
    if not 0 < fraction < 1:
        raise click.BadParameter(f"'{text}' is not a fraction over 0 % and under 100 %, as in 2% or 0.02")
    return fraction


def asked_preset(asked: PlanOptions) -> str:
    """Name the preset, which is another one on a simulated machine if none is asked for."""
    return asked["preset"] or (SIMULATED if asked["machine"] else QUICK)


wait_option = click.option("--wait", is_flag=True, help="Wait for another command that is measuring.")


def plan_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that decide what is measured."""
    options = [
        click.option(
            "--preset",
            show_default=f"{QUICK}; with --machine {SIMULATED}",
            help="Amount of work and samples.",
        ),
        click.option("--samples", type=click.IntRange(1, 10000), help="Samples a cell, not the preset's."),
        click.option(
            "--workers",
            "--cores",
            "workers",
            callback=parse_workers,
            help='What "1..all" stands for, as in 1,2,4, or "thesis" (1 2 4 8 16 24 32 48, up to all CPUs).',
        ),
        click.option(
            "--pin",
            type=click.Choice(("none", *PINS)),
            help="The order of CPUs, in place of the experiments'.",
        ),
        click.option(
            "--machine",
            metavar="NAME|WORDS",
            help=f'Simulate this machine, as `{COMMAND} machine` lists them, or "pack:4 numa:2 core:8".',
        ),
        click.option("--only", metavar="SUBSTR", help="Measure only cells whose command contains this."),
        click.option(
            "--budget",
            callback=parse_span,
            metavar="TIME",
            help="Whole rounds that fit, as in 30m; the preset says whether amounts are made smaller for it.",
        ),
    ]
    return _with_options(command, options)


def sweep_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that decide what is measured, and how."""
    options = [
        click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Of order, padding and bootstrap."),
        click.option(
            "--timeout",
            type=click.FloatRange(0, 10**6, min_open=True),
            default=DEFAULT_TIMEOUT_S,
            show_default=True,
            help="Seconds that a sample may take.",
        ),
        click.option(
            "--precision",
            callback=parse_fraction,
            metavar="FRACTION",
            help="Stop when each interval's half-width is under this, as in 2%; at most --samples, or 100.",
        ),
        click.option(
            "--void-disturbed",
            is_flag=True,
            help="Void rounds that steal, throttling or other work has disturbed, and take them again.",
        ),
        click.option("--resume", metavar="RUN", help="Go on with an interrupted run, by its own plan."),
        click.option(
            "--retry-failed",
            is_flag=True,
            help="With --resume: take failed samples again, and go on with cells that were given up.",
        ),
        wait_option,
        click.option(
            "--dry-run",
            is_flag=True,
            help="Say what would be measured, and how long it takes; measure nothing.",
        ),
    ]
    return plan_options(_with_options(command, options))


def _with_options(command: Callable[..., Any], options: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    for option in reversed(options):
        command = option(command)
    return command


def hold_lock(project: Project, *, wait: bool, run: Path | None = None) -> None:
    """Hold the lock until the command ends; raises UserError if another holds it, unless it may wait.

    With `run`, a run's folder, that of the run in place of the checkout's.
    """
    click.get_current_context().with_resource(measuring_lock(project, wait=wait, run=run))


def refuse_others(context: click.Context, name: str, why: str, *, allowed: Collection[str] = ()) -> None:
    """Raise UserError if another option or argument, but those allowed, is given beside `name`."""
    shown = {one.name: _shown(one) for one in context.command.params}
    for parameter in context.params:
        if parameter in allowed:
            continue
        given = context.get_parameter_source(parameter) is ParameterSource.COMMANDLINE
        if parameter != name and given and context.params[parameter]:
            raise UserError(f"{shown[name]} {why}: it can't be given together with {shown[parameter]}")


def _shown(parameter: click.Parameter) -> str:
    """Name an option or argument as the user does."""
    is_option = isinstance(parameter, click.Option)
    return parameter.opts[0] if is_option else parameter.human_readable_name.strip("[].")

"""`actorbench gate`: whether a candidate is slower than its base, as an exit status."""

import os
import sys
from collections.abc import Callable
from errno import EACCES
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import click
from rich.console import Console

from actorbench.cli.options import hold_lock, parse_fraction, parse_span, refuse_others, wait_option
from actorbench.errors import EXIT_INTERRUPTED, UserError
from actorbench.project import Project
from actorbench.store import Run, find_run
from actorbench.suite import COMMAND
from actorbench.sweep import InterruptedSweepError
from actorbench.table import make_console

if TYPE_CHECKING:
    from actorbench.gate.arms import Commands, Commits
    from actorbench.gate.running import Settings

LEAST_FOUND = 0.10


class MeasuringOptions(TypedDict):
    """The options of `gate_options`, as click hands them over."""

    cells: tuple[str, ...]
    cells_file: Path | None
    budget: float
    delta: float
    most_delta: float | None
    find: float | None
    timeout: float | None
    seed: int | None
    measures: str
    count_delta: float
    history: bool
    wait: bool


class GateOptions(MeasuringOptions):
    """The options of `gate`, as click hands them over."""

    base: str | None
    candidate: str | None
    base_command: str | None
    candidate_command: str | None
    read: str | None
    aa: int | None
    markdown: Path | None
    junit: Path | None
    json: Path | None
    resume: str | None
    retry_failed: bool


def parse_names(_context: click.Context, _parameter: click.Parameter, text: str | None) -> object:
    """Read "a,b" for --cells."""
    names = [name.strip() for name in (text or "").split(",")]
    if text is not None and not all(names):
        raise click.BadParameter(f"'{text}' is no list of cells, as in static-1,executor-all")
    return tuple(names) if text is not None else ()


_FILE = click.Path(dir_okay=False, path_type=Path)


def gate_options(command: Callable[..., Any], *, budget: str = "1m") -> Callable[..., Any]:
    """Add the options that decide what a gate measures, and what it takes for a regression."""
    options = [
        click.option("--cells", callback=parse_names, metavar="NAMES", help="Only these, as in a,b."),
        click.option("--cells-file", type=_FILE, help="What is measured. [default: plots/gate.toml]"),
        click.option(
            "--budget", callback=parse_span, default=budget, show_default=True, help="Time to measure in."
        ),
        click.option(
            "--delta",
            callback=parse_fraction,
            default="5%",
            show_default=True,
            help="The least slow-down that counts.",
        ),
        click.option(
            "--most-delta",
            callback=parse_fraction,
            help="What --delta may grow to where this machine's noise is larger. [default: --delta]",
        ),
        click.option(
            "--find",
            callback=parse_fraction,
            help="The slow-down that a PASS must rule out. [default: 10%, or twice --delta if that is more]",
        ),
        click.option(
            "--measures",
            type=click.Choice(["all", "time", "counts"]),
            default="all",
            show_default=True,
            help="What is judged: time and memory, counts, or both.",
        ),
        click.option(
            "--count-delta",
            callback=parse_fraction,
            default="1%",
            show_default=True,
            help="The least increase of a count that counts.",
        ),
        click.option(
            "--timeout", type=click.FloatRange(0, 10**6, min_open=True), help="Seconds a sample may take."
        ),
        click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Of order, padding and power."),
        click.option(
            "--history/--no-history", default=True, help="Add the A/A noise seen to results/history."
        ),
        wait_option,
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@click.argument("revisions", nargs=-1, metavar="")
@click.option("--base", metavar="REV", help="The commit that the candidate must not be slower than.")
@click.option("--candidate", metavar="REV", help="A commit. [default: the files as they are]")
@click.option("--base-command", metavar="CMD", help="A command in place of a commit.")
@click.option("--candidate-command", metavar="CMD", help="The command to be held against it.")
@click.option(
    "--read", metavar="FORMAT", help="What the commands print. [default: record, or as the cells say]"
)
@gate_options
@click.option("--aa", type=click.IntRange(1, 10000), metavar="N", help="N gates of the base against itself.")
@click.option("--markdown", type=_FILE, help="Also write the summary for a pull request there.")
@click.option("--junit", type=_FILE, help="Also write JUnit XML there.")
@click.option("--json", type=_FILE, help="Also write the JSON there.")
@click.option("--resume", metavar="RUN", help="Go on with an interrupted gate.")
@click.option("--retry-failed", is_flag=True, help="With --resume: measure the cells that failed again.")
@click.pass_context
def gate(context: click.Context, /, revisions: tuple[str, ...], **asked: Unpack[GateOptions]) -> int:
    """Say whether a candidate is slower, or takes more memory, than its base.

    \b
    Two commits:   gate --base HEAD~1 --candidate HEAD
    Your changes:  gate --base main
    Two commands:  gate --base-command "./old --json" --candidate-command "./new --json"

    Ends with 0 (PASS), 1 (FAIL), 3 (INCONCLUSIVE), 4 (a benchmark failed), or 2 (wrong usage).
    """  # noqa: D301 - \b is the sign by which click keeps lines apart
    project: Project = context.obj
    if revisions:
        named = " --candidate ".join(revisions[:2])
        raise UserError(f"gate takes options alone: did you mean {COMMAND} gate --base {named}?")
    console = make_console()
    for path in _outputs(asked).values():
        require_writable(path)
    if asked["resume"] is not None:
        allowed = ("markdown", "junit", "json", "retry_failed", "wait")
        refuse_others(context, "resume", "goes on with the recorded gate", allowed=allowed)
        run = find_run(project, asked["resume"])
        hold_lock(project, wait=asked["wait"])
        return _finish(project, run, asked, console)
    if asked["retry_failed"]:
        raise UserError("--retry-failed is for a gate that is BROKEN: --resume names it")
    if asked["aa"] is not None:
        return _aa(project, asked["aa"], asked, console)
    return _gate(project, asked, console)


def _gate(project: Project, asked: GateOptions, console: Console) -> int:
    from actorbench.gate.running import BrokenGateError, start_gate

    sides, settings = _sides(project, asked), settings_of(asked)
    hold_lock(project, wait=asked["wait"])
    try:
        run = start_gate(project, sides, settings, console)
    except BrokenGateError as error:
        return _tell(error.outcome, asked, console)
    return _finish(project, run, asked, console)


def _aa(project: Project, count: int, asked: GateOptions, console: Console) -> int:
    from actorbench.gate.aa import run_aa

    if asked["candidate"] is not None or asked["candidate_command"] is not None:
        raise UserError("--aa holds the base against itself: leave the candidate out")
    if _outputs(asked):
        raise UserError("--aa runs many gates: what each wrote is in its run's folder")
    if asked["base_command"] is not None:
        asked["candidate_command"] = asked["base_command"]
    else:
        asked["base"] = asked["candidate"] = asked["base"] or "HEAD"
    sides, settings = _sides(project, asked), settings_of(asked)
    hold_lock(project, wait=asked["wait"])
    return run_aa(project, sides, settings, count, console)


def _sides(project: Project, asked: GateOptions) -> "Commits | Commands":
    """Find what is to be compared; raises UserError."""
    from actorbench.gate.arms import WORKTREE, Commands, commits_of
    from actorbench.gate.cells import command_entries, commit_entries

    base, candidate = asked["base_command"], asked["candidate_command"]
    if base is not None and candidate is not None:
        if asked["base"] is not None or asked["candidate"] is not None:
            raise UserError("--base and --candidate are commits: leave them out where commands are given")
        entries = command_entries(project, asked["cells_file"], asked["cells"], asked["read"])
        return Commands(base, candidate, entries)
    if asked["read"] is not None:
        raise UserError("--read is for two commands: of commits the cells say how their commands are read")
    if base is not None or candidate is not None:
        raise UserError("gate needs both --base-command and --candidate-command")
    if asked["base"] is None:
        raise UserError("gate needs a --base, such as --base HEAD~1, or two commands")
    entries = commit_entries(project, asked["cells_file"], asked["cells"])
    return commits_of(project, asked["base"], asked["candidate"] or WORKTREE, entries)


def _finish(project: Project, run: Run, asked: GateOptions, console: Console) -> int:
    from actorbench.gate.running import carry_on, read_state

    state = read_state(run)
    console.print(f"run {run.name}: {state.gate['candidate']} against {state.gate['base']}", soft_wrap=True)
    try:
        outcome = carry_on(project, run, console, retry_failed=asked["retry_failed"])
    except InterruptedSweepError:
        console.print(
            f"interrupted, kept in results/{run.name}; go on with: {COMMAND} gate --resume {run.name}",
            soft_wrap=True,
        )
        return EXIT_INTERRUPTED
    return _tell(outcome, asked, console)


def _tell(outcome: object, asked: GateOptions, console: Console) -> int:
    """Write what was asked for, and print the table and the verdict; returns the exit status."""
    from actorbench.gate.deciding import Outcome
    from actorbench.gate.outputs import FILES, gate_table, verdict_line

    assert isinstance(outcome, Outcome)
    for form, path in _outputs(asked).items():
        try:
            path.write_text(FILES[form](outcome), encoding="utf-8")
        except OSError as error:
            raise UserError(f"{path}: cannot be written: {error.strerror}") from error
    gate_table(outcome).print(console)
    console.print(f"kept in results/{outcome.run}", soft_wrap=True)
    console.print(verdict_line(outcome), style="bold", soft_wrap=True)
    return outcome.verdict.exit_status


def _outputs(asked: GateOptions) -> dict[str, Path]:
    """The files asked for, by their format."""
    named = {"json": asked["json"], "markdown": asked["markdown"], "junit": asked["junit"]}
    return {form: path for form, path in named.items() if path is not None}


def require_writable(path: Path) -> None:
    """Raise UserError if no file can be written there; what is there, or is not, is left as it was."""
    there = path.exists()
    try:
        if there and not path.is_file():  # a pipe or a device: opening it may wait
            if not os.access(path, os.W_OK):
                raise PermissionError(EACCES, os.strerror(EACCES))
            return
        path.open("ab").close()
        if not there:
            path.resolve().unlink()  # what a link named, not the link
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}") from error


def settings_of(asked: MeasuringOptions) -> "Settings":
    """Read what the user set; raises UserError for what contradicts itself."""
    from actorbench.gate.running import Settings

    delta, most = asked["delta"], asked["most_delta"]
    if most is not None and most < delta:
        raise UserError("--most-delta is what --delta may grow to: it can't be less")
    find = max(LEAST_FOUND, 2 * delta) if asked["find"] is None else asked["find"]
    if find <= delta:
        raise UserError("--find must be over --delta: a slow-down of --delta or less does not count")
    if find <= asked["count_delta"]:
        raise UserError("--find must be over --count-delta: an increase of less does not count")
    return Settings(
        budget_s=asked["budget"],
        threshold=delta,
        find=find,
        most_delta=most,
        timeout_s=asked["timeout"],
        seed=asked["seed"],
        measures=asked["measures"],
        count_delta=asked["count_delta"],
        keeps_history=asked["history"],
        arguments=sys.argv[1:],
    )

"""The commands of the driver, a file each; here they are gathered, and errors become one line and a status.

Exit statuses: 0 done, 2 the user can put it right, 4 a benchmark failed, 70 an error of the driver's own,
130 interrupted, 141 the output was closed; of a gate also 1 a regression, 3 inconclusive. Nothing but a
regression ends with 1.
"""

import shlex
import tempfile
import traceback
from datetime import UTC, datetime
from pathlib import Path

import click

from actorbench import VERSION
from actorbench.cli.bisecting import bisect
from actorbench.cli.claims import claims
from actorbench.cli.comparing import compare
from actorbench.cli.counting import instructions
from actorbench.cli.cpus import cpus
from actorbench.cli.doctor import doctor
from actorbench.cli.documenting import document
from actorbench.cli.exchange import export_run, import_file
from actorbench.cli.explain import explain
from actorbench.cli.figures import figures
from actorbench.cli.gating import gate
from actorbench.cli.init import init
from actorbench.cli.lines import lines
from actorbench.cli.listing import list_all
from actorbench.cli.machine import machine
from actorbench.cli.peers import peers
from actorbench.cli.pruning import prune
from actorbench.cli.reporting import noise, replay, report
from actorbench.cli.running import run
from actorbench.cli.sweeping import sweep
from actorbench.cli.trending import trend
from actorbench.errors import (
    EXIT_CLOSED,
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_OWN_ERROR,
    EXIT_USAGE,
    UserError,
)
from actorbench.project import find_project

ERRORS_FOLDER = "errors"  # of results/: what the driver's own errors were


class _InOrder(click.Group):
    """Lists its commands in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.commands)


@click.group(
    cls=_InOrder,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="COMMAND --help says more of each.",
)
@click.version_option(VERSION, prog_name="actorbench")
@click.pass_context
def actorbench(context: click.Context) -> None:
    """Measure which way of running actors is faster, on this machine, and by how much."""
    context.obj = find_project()
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


# In one line of a terminal each, what is wanted first at the top.
for command, told in (
    (list_all, "what is built, the experiments, the runs"),
    (doctor, "the machine, and what makes its numbers doubtful"),
    (run, "one sample of a workload, with its record"),
    (figures, "measure experiments, and draw their figures"),
    (sweep, "measure experiments, and print their tables"),
    (explain, "what an experiment measures, and how long it takes"),
    (compare, "A against B, or the best of several"),
    (report, "all of a run on one HTML page"),
    (noise, "the slow samples of a run, and why"),
    (replay, "the exact command of every point of a run"),
    (gate, "is a candidate slower than its base? an exit status"),
    (trend, "what commit after commit has cost"),
    (bisect, "the commit that made a cell slower"),
    (instructions, "what a message costs in instructions or cache lines"),
    (lines, "which cache lines change hands, by simulation"),
    (machine, "the machines that can be simulated"),
    (cpus, "the CPUs that workers run on, in their order"),
    (claims, "the sources' claims, judged by what was measured"),
    (peers, "the other actor systems: built, or what to install"),
    (init, "an experiment and a gate for a command of your own"),
    (document, "the documents' tables and figures, from their runs"),
    (prune, "old builds and runs: list or delete them"),
    (export_run, "the samples of a run in another tool's format"),
    (import_file, "hyperfine's JSON as a run"),
):
    command.short_help = told
    actorbench.add_command(command)


def main(arguments: list[str]) -> int:
    """Run a command line of the driver; returns the exit status."""
    return run_command_line(actorbench, "actorbench", arguments)


def run_command_line(command: click.Command, name: str, arguments: list[str]) -> int:
    """Run a command line; returns the exit status. What a user can put right is one line on stderr."""
    try:
        status = command.main(arguments, prog_name=name, standalone_mode=False)
    except UserError as error:
        return _refuse(str(error))
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        return _refuse(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        click.echo("actorbench: interrupted", err=True)
        return EXIT_INTERRUPTED
    except SystemExit:  # by click or rich, with 1, as soon as nobody reads the output any more
        return EXIT_CLOSED
    except Exception as error:
        # Whatever it is: Python would end with 1, which says that a regression was found.
        kept = _keep_traceback(arguments, error)
        _refuse(f"an error of its own: {type(error).__name__}: {error}; please report it with {kept}")
        return EXIT_OWN_ERROR
    return status if isinstance(status, int) else EXIT_OK


def _keep_traceback(arguments: list[str], error: Exception) -> str:
    """Write down what happened, in results/ or where that can't be written; returns the file."""
    told = [f"actorbench {VERSION}: {shlex.join(arguments)}\n", *traceback.format_exception(error)]
    name = f"{datetime.now(UTC).strftime('%Y%m%dT%H%M%S.%fZ')}.txt"
    for folder in (find_project().results / ERRORS_FOLDER, Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"actorbench-{name}"
            path.write_text("".join(told), encoding="utf-8", errors="replace")
        except OSError:
            continue
        return str(path)
    return f"this: {''.join(told)}"


def _refuse(message: str) -> int:
    click.echo(f"actorbench: {' '.join(message.split())}", err=True)
    return EXIT_USAGE

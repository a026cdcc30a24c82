"""The commands of the driver, a file each; here they are gathered, and errors become one line and a status.

Exit statuses: 0 done, 2 the user can put it right, 4 a benchmark failed, 130 interrupted; of a gate also 1 a
regression, 3 inconclusive.
"""

import click

from actorbench import VERSION
from actorbench.cli.comparing import compare
from actorbench.cli.doctor import doctor
from actorbench.cli.documenting import document
from actorbench.cli.exchange import export_run, import_file
from actorbench.cli.figures import figures
from actorbench.cli.gating import gate
from actorbench.cli.listing import list_all
from actorbench.cli.peers import peers
from actorbench.cli.planning import plan
from actorbench.cli.reporting import replay, report
from actorbench.cli.running import run
from actorbench.cli.sweeping import sweep
from actorbench.errors import EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE, UserError
from actorbench.project import find_project


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="actorbench")
@click.pass_context
def actorbench(context: click.Context) -> None:
    """Measure which way of running actors is faster, on this machine, and by how much."""
    context.obj = find_project()
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (
    list_all,
    peers,
    plan,
    doctor,
    run,
    sweep,
    figures,
    compare,
    gate,
    report,
    replay,
    document,
    export_run,
    import_file,
):
    actorbench.add_command(command)


def main(arguments: list[str]) -> int:
    """Run a command line; returns the exit status. What a user can put right is one line on stderr."""
    try:
        status = actorbench.main(arguments, prog_name="actorbench", standalone_mode=False)
    except UserError as error:
        return _refuse(str(error))
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        return _refuse(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        click.echo("actorbench: interrupted", err=True)
        return EXIT_INTERRUPTED
    return status if isinstance(status, int) else EXIT_OK


def _refuse(message: str) -> int:
    click.echo(f"actorbench: {' '.join(message.split())}", err=True)
    return EXIT_USAGE

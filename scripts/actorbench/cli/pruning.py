"""`actorbench prune`: deletes old builds of commits, and old runs; unless told to, it only lists them."""

import time

import click

from actorbench.cli.options import hold_lock, parse_span, wait_option
from actorbench.project import Project
from actorbench.pruning import BUILDS, RUNS, find_old, remove
from actorbench.table import Column, Table, make_console

DAY_S = 86400


@click.command()
@click.argument("what", nargs=-1, type=click.Choice((BUILDS, RUNS)))
@click.option(
    "--older-than",
    callback=parse_span,
    default="30d",
    show_default=True,
    metavar="TIME",
    help="What was not written to for so long, as in 12h or 30d.",
)
@click.option("--yes", is_flag=True, help="Delete it. Without this it is only listed.")
@wait_option
@click.pass_obj
def prune(project: Project, what: tuple[str, ...], older_than: float, yes: bool, wait: bool) -> None:
    """List the old builds of commits (build/commits) and runs (results/), or delete them (--yes).

    WHAT is builds or runs; both without. Runs that a file under git names stay, as do those kept in
    docs/runs, and what was learnt from runs: histories, medians, campaigns. A build is made again where it
    is needed.
    """
    if yes:
        hold_lock(project, wait=wait)
    old, now = find_old(project, what or (BUILDS, RUNS), older_than), time.time()
    if yes:
        remove(project, old)
    columns = [Column("what", numeric=False), Column("folder", numeric=False)]
    columns += [Column("days unused"), Column("MiB")]
    rows = []
    for one in old:
        days, mebibytes = (now - one.last_used) / DAY_S, one.size / 2**20
        rows.append([one.kind, project.shown(one.folder), f"{days:.1f}", f"{mebibytes:,.1f}"])
    freed = f"{len(old)} folders, {sum(one.size for one in old) / 2**20:,.1f} MiB"
    note = f"deleted {freed}" if yes else f"{freed}: nothing was deleted; delete them with --yes"
    Table("Deleted" if yes else "To be deleted", columns, rows, [note]).print(make_console())

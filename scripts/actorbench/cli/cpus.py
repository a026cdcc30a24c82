"""`actorbench cpus`: the order in which a sweep takes the CPUs, on this machine or one described."""

import click

from actorbench.cpu_order import PINS, ask_program, find_planner, order_table
from actorbench.machine.facts import read_facts
from actorbench.machine.sources import Sources
from actorbench.project import Project
from actorbench.table import make_console

MOST_WORKERS = 4096


@click.command()
@click.option(
    "--pin",
    type=click.Choice(PINS),
    default="smt",
    show_default=True,
    help="cores: of all packages; smt: a package's cores, then their hyper-threads, then the next package"
    " (the thesis' order); spread: a node after the other; four-nodes: likewise, but four nodes are filled"
    " before the next four (the locality paper's order).",
)
@click.option("--topology", metavar="FILE|SYNTHETIC", help="Another machine: hwloc XML or synthetic string.")
@click.option("--workers", type=click.IntRange(1, MOST_WORKERS), help="So many rows; all CPUs if absent.")
@click.pass_obj
def cpus(project: Project, pin: str, topology: str | None, workers: int | None) -> None:
    """Print which CPU each further worker of a sweep runs on, and where cells become oversubscribed."""
    places = ask_program(project, find_planner(project).path, pin, topology)
    usable = len(places)
    if topology is None:
        usable = min(usable, read_facts(Sources.of_this_machine(project.root)).usable_cpus)
    title = f"Order of CPUs, --pin {pin}, {'this machine' if topology is None else topology}"
    order_table(places, title=title, usable=usable, workers=workers).print(make_console())

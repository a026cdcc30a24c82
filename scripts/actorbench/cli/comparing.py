"""`actorbench compare`: A against B, or the best of several, with intervals: runs, options, or commits."""

from collections.abc import Sequence
from typing import Unpack

import click

from actorbench.catalogue import find_program
from actorbench.cli.comparing_fresh import CompareOptions, measure, shown_names
from actorbench.cli.comparing_many import show_options, show_run, show_runs
from actorbench.cli.options import parse_workers, wait_option
from actorbench.design import DEFAULT_DESIGN, DESIGNS
from actorbench.errors import EXIT_INTERRUPTED, EXIT_OK, UserError
from actorbench.experiment import DEFAULT_CONFIG
from actorbench.launch import DEFAULT_TIMEOUT_S
from actorbench.project import Project
from actorbench.store import find_run
from actorbench.table import make_console

DEFAULT_SAMPLES = 20  # what a gate wants, and enough to find a difference of about the noise


@click.command()
@click.argument("sides", nargs=-1, metavar="[A B ...]")
@click.option("--commits", is_flag=True, help="A and B are commits: both are built, and measured in turn.")
@click.option(
    "--each",
    multiple=True,
    metavar="OPTION",
    help="In place of A and B: all values of OPTION, or OPTION=V,V; repeatable: all combinations.",
)
@click.option("--reference", metavar="A", help="Set all of more than two against this one, not each other.")
@click.option("--run", "run_name", metavar="RUN", help="A and B are options of cells that RUN holds.")
@click.option("--workload", multiple=True, help="Measure this, under the options A and B; repeatable.")
@click.option("--workers", callback=parse_workers, help="Worker counts, as in 1,2,4; all if absent.")
@click.option("--with", "common", default="", metavar="OPTIONS", help="Options of both sides.")
@click.option(
    "--design",
    type=click.Choice(DESIGNS),
    multiple=True,
    default=(DEFAULT_DESIGN,),
    show_default=True,
    help="Design; given more than once: that of A, then of B, and so on.",
)
@click.option("--config", default=DEFAULT_CONFIG, show_default=True, help="Build configuration.")
@click.option("--preset", default="quick", show_default=True, help="Amount of work.")
@click.option("--scale", type=click.FloatRange(0, min_open=True), help="Amount of work, not the preset's.")
@click.option("--samples", type=click.IntRange(1, 10000), default=DEFAULT_SAMPLES, show_default=True)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Of order, padding and bootstrap.")
@click.option(
    "--timeout",
    type=click.FloatRange(0, 10**6, min_open=True),
    default=DEFAULT_TIMEOUT_S,
    show_default=True,
    help="Seconds that a sample may take.",
)
@click.option(
    "--measure",
    type=click.Choice(["time_per_operation", "cpu_per_operation", "cycles_per_operation", "peak_memory"]),
    default="time_per_operation",
    show_default=True,
)
@wait_option
@click.option("--markdown", "form", flag_value="markdown", help="Print Markdown; progress goes to stderr.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV.")
@click.option("--latex", "form", flag_value="latex", help="Print LaTeX (booktabs).")
@click.pass_obj
def compare(project: Project, /, sides: tuple[str, ...], **asked: Unpack[CompareOptions]) -> int:
    """Compare A with B, and say whether A is faster, slower, or not told apart; or find the best of several.

    \b
    Two runs:     compare RUN RUN
    Two options:  compare --workload executor --workers 2 -- "--idle park" "--idle spin"
    Two commits:  compare --commits HEAD~1 HEAD --workload executor
    Two designs:  compare --workload executor --design worker-centric --design message-centric -- "" ""
    In one run:   compare --run RUN -- "--idle park" "--idle spin"
    The best of:  compare --workload executor -- "--steal none" "--steal random" "--steal nearest"
    Of all:       compare --workload executor --each steal --each idle

    Fresh samples are taken in pairs, A and B in turn (ABBA), and kept as a run. Of more than two, each is
    compared with each, and those are named that are the best, or not told apart from the best.
    """  # noqa: D301 - \b is the sign by which click keeps lines apart
    fresh, name = bool(asked["workload"]), asked["run_name"]
    names = _of_each(project, sides, asked) if asked["each"] else sides
    if len(names) < 2 and (names or name is None or fresh):
        raise UserError(f"compare needs A and B, not {len(names)} of them; options as A and B stand after --")
    if asked["commits"] and not fresh:
        raise UserError("compare --commits needs a --workload to measure, such as --workload executor")
    if fresh and name is not None:
        raise UserError("--workload measures afresh, --run reads what was measured: give one of them")
    if len(names) == 2 and asked["reference"] is not None:
        raise UserError("--reference is one of more than two; of two, B is what A is set against")
    status = EXIT_OK
    if fresh:
        name, status = measure(project, names, asked, make_console(stderr=asked["form"] is not None))
        if status == EXIT_INTERRUPTED:
            return status
    if len(names) == 2:
        _show_two(project, names, name, asked)
    elif name is None:
        show_runs(project, names, asked)
    elif fresh or not names:
        if not show_run(project, name, asked):
            _show_two(project, (), name, asked)
    else:
        show_options(project, name, names, asked)
    return status


def _of_each(project: Project, sides: Sequence[str], asked: CompareOptions) -> list[str]:
    """Write out --each; raises UserError."""
    from actorbench.program_options import each_of

    if sides or asked["commits"] or not asked["workload"] or len(asked["design"]) > 1:
        raise UserError("--each says which options: it needs a --workload, of one --design, and no others")
    program = find_program(project, asked["config"], asked["design"][0], asked["workload"][0])
    return each_of(project, program, asked["each"])


def _show_two(project: Project, names: Sequence[str], run: str | None, asked: CompareOptions) -> None:
    """Print A against B: of two runs, of options in `run`, or of what `run` was made for."""
    from actorbench.comparing import compare_pairs, compare_runs, partners, read_options
    from actorbench.results import load_results

    if run is None:
        if find_run(project, names[0]).name == find_run(project, names[1]).name:
            raise UserError(
                f'A and B are the same run: compare its options, with --run {names[0]} -- "..." "..."'
            )
        a, b = (load_results(find_run(project, side)) for side in names)
        _print(compare_runs(a, b, asked["measure"]), asked["form"])
        return
    results = load_results(find_run(project, run))
    if names and not asked["workload"]:
        pairs = partners(results, read_options(names[0]), read_options(names[1]))
    else:
        pairs = [
            (candidate, base)
            for experiment in results.experiments
            for _, candidate, base in results.resolver.all_pairs(experiment)
        ]
    if not pairs:
        raise UserError(f"run {run} was made for no comparison: name A and B, as options")
    a_name, b_name = shown_names(names, asked) if names else ("candidate", "base")
    _print(compare_pairs(results, pairs, (a_name, b_name), asked["measure"]), asked["form"])


def _print(compared: object, form: str | None) -> None:
    from actorbench.comparing import Compared, compared_csv, compared_table
    from actorbench.latex import latex_table

    assert isinstance(compared, Compared)
    if form == "csv":
        click.echo(compared_csv(compared), nl=False)
    elif form == "latex":
        click.echo(latex_table(compared_table(compared)), nl=False)
    elif form == "markdown":
        click.echo(compared_table(compared).markdown(), nl=False)
    else:
        compared_table(compared).print(make_console())

"""`actorbench compare`: A against B, with intervals: two runs, two options, or two commits."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

import click
import tomli_w
from rich.console import Console

from actorbench.cell import COMMIT_MARK
from actorbench.cli.options import hold_lock, parse_workers, wait_option
from actorbench.cli.sweeping import carry_out
from actorbench.commits import build_commit, resolve_commit
from actorbench.design import DEFAULT_DESIGN, DESIGNS
from actorbench.errors import EXIT_INTERRUPTED, EXIT_OK, UserError
from actorbench.experiment import DEFAULT_CONFIG, Experiment, parse_experiment
from actorbench.launch import DEFAULT_TIMEOUT_S, Request, propose, start_run
from actorbench.project import Project
from actorbench.store import find_run
from actorbench.table import make_console

DEFAULT_SAMPLES = 20  # what a gate wants, and enough to find a difference of about the noise
FILE_SHOWN = "compare"


class CompareOptions(TypedDict):
    """The options of `compare`, as click hands them over."""

    commits: bool
    run_name: str | None
    workload: tuple[str, ...]
    workers: tuple[int, ...] | str | None
    common: str
    design: tuple[str, ...]
    config: str
    preset: str
    scale: float | None
    samples: int
    seed: int | None
    timeout: float
    measure: str
    form: str | None
    wait: bool


@dataclass(frozen=True)
class Arm:
    """What is particular to A or to B; `shown` is how the user named it."""

    shown: str
    design: str
    options: dict[str, str]
    config: str


@click.command()
@click.argument("sides", nargs=-1, metavar="[A B]")
@click.option("--commits", is_flag=True, help="A and B are commits: both are built, and measured in turn.")
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
    help="Design; given twice: that of A, then of B.",
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
    """Compare A with B, and say whether A is faster, slower, or not told apart.

    \b
    Two runs:     compare RUN RUN
    Two options:  compare --workload executor --workers 2 -- "--idle park" "--idle spin"
    Two commits:  compare --commits HEAD~1 HEAD --workload executor
    Two designs:  compare --workload executor --design worker-centric --design message-centric -- "" ""
    In one run:   compare --run RUN -- "--idle park" "--idle spin"

    Fresh samples are taken in pairs, A and B in turn (ABBA), and kept as a run.
    """  # noqa: D301 - \b is the sign by which click keeps lines apart
    from actorbench.comparing import Compared, compare_pairs, compare_runs, partners, read_options
    from actorbench.results import load_results

    fresh = bool(asked["workload"])
    name, status = asked["run_name"], EXIT_OK
    named_pairs = len(sides) == 0 and name is not None and not fresh
    if len(sides) != 2 and not named_pairs:
        raise UserError(f"compare needs A and B, not {len(sides)} of them; options as A and B stand after --")
    if asked["commits"] and not fresh:
        raise UserError("compare --commits needs a --workload to measure, such as --workload executor")
    if fresh and name is not None:
        raise UserError("--workload measures afresh, --run reads what was measured: give one of them")
    if len(asked["design"]) > 2:
        raise UserError(f"--design is for A and for B: it is given {len(asked['design'])} times")
    compared: Compared
    if fresh:
        console = make_console(stderr=asked["form"] is not None)
        name, status = _measure(project, sides, asked, console)
        if status == EXIT_INTERRUPTED:
            return status
    if name is None:
        if find_run(project, sides[0]).name == find_run(project, sides[1]).name:
            raise UserError(
                f'A and B are the same run: compare its options, with --run {sides[0]} -- "..." "..."'
            )
        a, b = (load_results(find_run(project, side)) for side in sides)
        compared = compare_runs(a, b, asked["measure"])
    else:
        results = load_results(find_run(project, name))
        if fresh or named_pairs:
            pairs = [
                (candidate, base)
                for experiment in results.experiments
                for _, candidate, base in results.resolver.all_pairs(experiment)
            ]
        else:
            pairs = partners(results, read_options(sides[0]), read_options(sides[1]))
        if not pairs:
            raise UserError(f"run {name} was made for no comparison: name A and B, as options")
        shown = _shown(sides, asked) if sides else ("candidate", "base")
        compared = compare_pairs(results, pairs, shown, asked["measure"])
    _print(compared, asked["form"])
    return status


def _measure(
    project: Project, names: Sequence[str], asked: CompareOptions, console: Console
) -> tuple[str, int]:
    """Take the samples of a fresh comparison; returns the run's name and the exit status."""
    experiment = _experiment(_sides(project, names, asked, console), asked)
    request = Request(
        experiments=[experiment],
        preset=asked["preset"],
        samples=asked["samples"],
        workers=asked["workers"],
        seed=asked["seed"],
        timeout_s=asked["timeout"],
        only=None,
        arguments=sys.argv[1:],
        paired=True,
    )
    proposal = propose(project, request)
    if not asked["commits"]:
        hold_lock(project, wait=asked["wait"])
    run = start_run(project, proposal)
    return run.name, carry_out(project, run, console, command="sweep")


def _sides(project: Project, names: Sequence[str], asked: CompareOptions, console: Console) -> list[Arm]:
    from actorbench.comparing import read_options

    shown, designs = _shown(names, asked), _designs(asked)
    if not asked["commits"]:
        return [
            Arm(label, design, read_options(name), asked["config"])
            for label, design, name in zip(shown, designs, names, strict=True)
        ]
    commits = [resolve_commit(project, name) for name in names]
    hold_lock(project, wait=asked["wait"])
    for commit, design in dict.fromkeys(zip(commits, designs, strict=True)):
        console.print(f"building commit {commit} in build/commits/{commit}", soft_wrap=True)
        programs = [f"{design}/{workload}" for workload in asked["workload"]]
        build_commit(project, commit, asked["config"], programs)
    return [
        Arm(label, design, {}, f"{asked['config']}{COMMIT_MARK}{commit}")
        for label, design, commit in zip(shown, designs, commits, strict=True)
    ]


def _designs(asked: CompareOptions) -> tuple[str, str]:
    """The designs of A and of B: one that is given once is both's."""
    return asked["design"][0], asked["design"][-1]


def _shown(names: Sequence[str], asked: CompareOptions) -> tuple[str, str]:
    """Say what A and B are: as the user named them, and by their designs where these differ."""
    named = [name or "(no options)" for name in names]
    if len(set(_designs(asked))) == 2:
        named = [f"{design} {name}" for design, name in zip(_designs(asked), named, strict=True)]
    return named[0], named[1]


def _experiment(sides: list[Arm], asked: CompareOptions) -> Experiment:
    """Write the comparison as an experiment of kind "ratios", so that its run is like any other."""
    from actorbench.comparing import read_options

    common = read_options(asked["common"])
    a, b = sides
    same = (a.design, a.options, a.config) == (b.design, b.options, b.config)
    arms = [
        {"design": side.design, "config": side.config, "options": common | side.options}
        | ({"arm": name} if same else {})
        for side, name in zip(sides, ("a", "b"), strict=True)
    ]
    document: dict[str, Any] = {
        "schema": 1,
        "id": "compare",
        "title": f"{a.shown} against {b.shown}"[:120],
        "kind": "ratios",
        "workers": "all" if asked["workers"] is None else "1..all",
        "rows": [
            {"label": workload[:80], "workload": workload, "measure": asked["measure"]}
            | {"candidate": arms[0], "base": arms[1]}
            for workload in dict.fromkeys(asked["workload"])
        ],
    }
    if asked["scale"] is not None:
        scale = dict.fromkeys(asked["workload"], asked["scale"])
        document["presets"] = {asked["preset"]: {"scale": scale}}
    return parse_experiment(tomli_w.dumps(document), FILE_SHOWN)


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

"""Replaying: the exact command of every one of a run, to be run from the checkout's root."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from actorbench.cell import Cell
from actorbench.experiment import Experiment
from actorbench.ratios import workers_text
from actorbench.results import Results
from actorbench.simulated.sampling import DESCRIPTION_FILE
from actorbench.text import one_line


@dataclass(frozen=True)
class Labelled:
    """A cell, and what shows it: a point of a figure, a row of a table, or a side of a comparison."""

    label: str
    cell: Cell


def command_of(results: Results, cell: Cell) -> str:
    """Write the command that measures a cell, quoted for a shell, from the checkout's root."""
    machine = (
        f"ACTORBENCH_MACHINE=results/{results.name}/{DESCRIPTION_FILE} " if results.head.simulated else ""
    )
    own = cell.own_filled()
    return machine + (own.shown if own else f"build/{replace(cell, arm='').key} --json")


def labelled_cells(results: Results, experiment: Experiment) -> Iterator[Labelled]:
    """Go through what an experiment shows, in the order of its file."""
    for series in experiment.series:
        for cell in results.resolver.cells(experiment, series.setting):
            yield Labelled(f"{series.label}{_at(cell)}", cell)
    for reading, candidate, base in [] if experiment.series else results.resolver.all_pairs(experiment):
        yield Labelled(f"{reading.label}{_at(candidate)}: candidate", candidate)
        yield Labelled(f"{reading.label}{_at(base)}: base", base)


def replay_text(results: Results, experiment: Experiment) -> str:
    """Write an experiment's points as a shell script: a comment with the label, then the command."""
    lines = [f"# {one_line(experiment.title)} ({experiment.id}), run {results.name}"]
    if results.head.simulated:
        lines.append("# simulated: with ACTORBENCH_MACHINE_SEED=N, too, the sample of round N, from 0")
    for one in labelled_cells(results, experiment):
        lines += [f"# {one_line(one.label)}", command_of(results, one.cell)]
    return "\n".join(lines) + "\n"


def gate_text(results: Results) -> str:
    """Write the arms of a gate as a shell script, as `replay_text` does."""
    gate, cells = results.head.document["gate"], results.head.plan.cells
    lines = [f"# {one_line(gate['candidate'])} against {one_line(gate['base'])}, run {results.name}"]
    for entry in gate["cells"]:
        for cell in (cells[index] for index in entry["arms"]):
            lines += [f"# {one_line(entry['name'])}: {cell.arm}", command_of(results, cell)]
    return "\n".join(lines) + "\n"


def trend_text(results: Results) -> str:
    """Write the cells of commits that were measured side by side as a shell script, as `replay_text` does."""
    names: dict[str, str] = results.head.document["names"]
    lines = [f"# commits side by side, run {results.name}"]
    for cell in results.head.plan.cells:
        lines += [f"# {one_line(names[cell.key])}: {cell.commit}", command_of(results, cell)]
    return "\n".join(lines) + "\n"


def _at(cell: Cell) -> str:
    return "" if cell.workers is None else f", {workers_text(cell.workers)}"

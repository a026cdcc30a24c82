"""Sides: an experiment as one run, or each of several runs side by side, has measured it.

Samples of different runs are never pooled: each side keeps its own numbers, and what is shown of several runs
shows each apart, under its machine's name.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from actorbench.errors import UserError, choices
from actorbench.experiment import Experiment
from actorbench.results import Results
from actorbench.text import one_line


@dataclass(frozen=True)
class Side:
    """A run's part; `title` names its machine if there are several, and is empty for a run alone."""

    results: Results
    experiment: Experiment
    title: str


def side_of(results: Results, experiment: Experiment) -> list[Side]:
    """A run alone."""
    return [Side(results, experiment, "")]


def sides_of(runs: Sequence[Results], names: Sequence[str] = ()) -> list[list[Side]]:
    """Lay runs side by side, for each experiment named (if none is: for each that a run holds).

    Raises UserError if a run lacks one, or shows something else under its name, or if some are simulated and
    others measured.
    """
    if len({bool(run.head.simulated) for run in runs}) > 1:
        raise UserError("simulated and measured runs are not drawn together: no line may join the two")
    wanted = list(dict.fromkeys(names or (one.id for results in runs for one in results.experiments)))
    titles = _titles(runs)
    return [
        [
            Side(results, _experiment(results, name, runs), title)
            for results, title in zip(runs, titles, strict=True)
        ]
        for name in wanted
    ]


def differing_files(sides: Sequence[Side]) -> list[str]:
    """Say so if the runs do not hold the same file for their experiment."""
    if len({side.experiment.text for side in sides}) == 1:
        return []
    return ["the runs were made by different versions of the experiment's file: each is shown by its own"]


def _experiment(results: Results, name: str, runs: Sequence[Results]) -> Experiment:
    held = {one.id: one for one in results.experiments}
    if name not in held:
        common = set.intersection(*({one.id for one in run.experiments} for run in runs))
        raise UserError(
            f"run {results.name} holds no experiment '{name}' (in every run given: {choices(sorted(common))})"
        )
    first = next(one for run in runs for one in run.experiments if one.id == name)
    if _shown(held[name]) != _shown(first):
        raise UserError(
            f"run {results.name}: experiment '{name}' is of another kind, or has other measures, or another"
            " estimate"
        )
    return held[name]


def _shown(experiment: Experiment) -> tuple[str, tuple[str, ...], str]:
    return experiment.kind, experiment.measures, experiment.estimate


def _titles(runs: Sequence[Results]) -> list[str]:
    """Name the machines; with the run where two are of the same name."""
    machines = [one_line(str(run.head.document["machine"].get("cpu_model") or "machine")) for run in runs]
    return [
        f"{machine}, run {run.name}" if machines.count(machine) > 1 else machine
        for machine, run in zip(machines, runs, strict=True)
    ]

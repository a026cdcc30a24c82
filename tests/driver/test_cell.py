"""Cells: what an experiment's settings come to, over a parameter too, and under which build and commit."""

from dataclasses import replace

import pytest

from actorbench.cell import Cell, Resolver, wanted_cells, x_of
from actorbench.experiment import parse_experiment
from actorbench.preset import parse_preset
from conftest import LINES, PRESETS

OVER = LINES.replace(
    'workers = "1..all"', 'workers = [2]\nover = { parameter = "load", values = [90, 30], label = "load" }'
).replace('label = "list"', 'label = "list"\nparameters = { actors = 7 }')
RESOLVER = Resolver(parse_preset(PRESETS, "quick"), (1, 2))


@pytest.mark.parametrize(
    ("config", "build", "commit"),
    [
        ("release", "release", ""),
        ("release@abc", "release", "abc"),
        ("release@abc.null", "release", "abc"),
        ("release@abc.a.b", "release", "abc"),
    ],
)
def test_a_program_is_of_a_build_and_a_commit(config: str, build: str, commit: str) -> None:
    cell = Cell(config, "worker-centric", "executor", 1, 1, (), ())
    assert (cell.build, cell.commit) == (build, commit)


def test_a_figure_over_a_parameter_has_a_cell_a_value() -> None:
    experiment = parse_experiment(OVER, "x.toml")
    copy, in_list = (RESOLVER.cells(experiment, one.setting) for one in experiment.series)
    assert [(cell.workers, cell.parameters) for cell in copy] == [(2, (("load", load),)) for load in (30, 90)]
    assert in_list[0].parameters == (("actors", 7), ("load", 30))
    assert {cell.options for cell in copy} == {(("queue", "copy"),)}
    assert {cell.scale for cell in copy} == {0.5}
    assert [x_of(experiment, cell) for cell in copy] == [30, 90]


def test_a_figure_over_workers_has_their_number_for_x() -> None:
    experiment = parse_experiment(LINES, "x.toml")
    cells = RESOLVER.cells(experiment, experiment.series[0].setting)
    assert [x_of(experiment, cell) for cell in cells] == [1, 2]
    assert x_of(experiment, replace(cells[0], workers=None)) == 0


def test_a_build_is_that_of_every_program_of_ours() -> None:
    text = LINES.replace('label = "list"', 'label = "list"\nsystem = "caf"')
    experiment = parse_experiment(text, "x.toml")
    simulated = replace(RESOLVER, config="simulated")
    for resolver, builds in ((RESOLVER, ["release", "release"]), (simulated, ["simulated", "release"])):
        cells = [resolver.cell(experiment, one.setting, 1) for one in experiment.series]
        assert [cell.config for cell in cells] == builds
    assert len(wanted_cells(simulated, [experiment])) == 4


def test_a_build_that_counts_is_the_simulated_one_that_counts() -> None:
    experiment = parse_experiment(
        LINES.replace('kind = "lines"', 'kind = "lines"\nconfig = "statistics"'), "x.toml"
    )
    setting = experiment.series[0].setting
    assert RESOLVER.cell(experiment, setting, 1).config == "statistics"
    assert replace(RESOLVER, config="simulated").cell(experiment, setting, 1).config == "simulated-statistics"

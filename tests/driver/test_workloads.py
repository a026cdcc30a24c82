"""The manifest: what it says of a workload reaches presets, grids and figures, and stays with a run."""

import pytest

from actorbench.catalogue import all_experiments
from actorbench.errors import UserError
from actorbench.experiment import parse_experiment
from actorbench.preset import load_preset, parse_preset
from actorbench.project import Project
from actorbench.workloads import load_workloads, parse_workloads, texts_for_each, with_scales
from conftest import LINES, SOURCE, Checkout

PROJECT = Project(SOURCE)
MANIFEST = """
schema = 1
[executor]
tests = ["--actors 4"]
explored = ["--actors 2"]
operations = { "--actors 4" = 4 }
faults = [{ old = "a", new = "b" }]
scale = { quick = 0.5, full = 2 }
column = true
[executor.figure]
title = "Executor, hurried"
source = "a book"
claims = ["T3"]
parameters = { work = 1000, source = "main" }
[big]
tests = ["--actors 4"]
explored = ["--actors 2"]
operations = { "--actors 4" = 4 }
faults = [{ old = "a", new = "b" }]
scale = { quick = 0.25 }
column = true
"""
WORKLOADS = parse_workloads(MANIFEST)
FIGURES = LINES.replace('id = "lines"', 'id = "lines-{workload}"').replace(
    'title = "Executor: queues"\n', '# Source: {source}\ntitle = "{title}: queues"\n'
)
EACH = 'each = "workload"'
GRID = """
schema = 1
id = "grid"
title = "A grid"
kind = "grid"
workers = [1]
[[rows]]
label = "list"
candidate = { options = { queue = "list" } }
base = {}
[[across]]
label = "static"
workload = "static"
[[across]]
each = "workload"
"""


def test_every_workload_has_a_scale_in_every_preset() -> None:
    names = {one.name for one in load_workloads(PROJECT)}
    assert names
    for preset in ("quick", "full", "thesis"):
        assert set(load_preset(PROJECT, preset).scale) == names
    assert 0 < len(load_preset(PROJECT, "peers").scale) < len(names)


def test_the_scales_stand_in_the_text_that_a_run_keeps() -> None:
    presets = "schema = 1\n[quick]\nsamples = 3\n[full]\nsamples = 9"
    text = with_scales(presets, WORKLOADS)
    assert parse_preset(text, "quick").scale == {"executor": 0.5, "big": 0.25}
    assert parse_preset(text, "full").scale == {"executor": 2}
    assert with_scales(presets, []) == presets
    kept = load_preset(PROJECT, "quick")
    assert parse_preset(kept.text, "quick") == kept


def test_a_file_stands_for_each_workload_that_has_a_figure() -> None:
    (text,) = texts_for_each(FIGURES.replace('workload = "executor"', EACH), WORKLOADS)
    drawn = parse_experiment(text, "x")
    assert (drawn.id, drawn.title, drawn.claims) == ("lines-executor", "Executor, hurried: queues", ("T3",))
    assert drawn.series[0].setting.workload == "executor"
    assert drawn.series[0].setting.parameters == {"work": 1000, "source": "main"}
    assert "# Source: a book\n" in text


def test_a_grid_has_a_column_for_each_workload_that_is_one() -> None:
    (text,) = texts_for_each(GRID, WORKLOADS)
    grid = parse_experiment(text, "x")
    assert [row.reading.column for row in grid.comparisons] == ["static", "executor", "big"]
    assert [row.base.workload for row in grid.comparisons] == ["static", "executor", "big"]


def test_other_files_stay_as_they_are() -> None:
    assert texts_for_each(LINES, WORKLOADS) == [LINES]


def test_the_projects_files_stand_for_its_workloads() -> None:
    known = load_workloads(PROJECT)
    assert [one.id for one in all_experiments(PROJECT, "designs")] == [
        f"designs-{one.name}" for one in known if one.figure
    ]
    for grid in all_experiments(PROJECT, "ablation"):
        columns = {row.reading.column for row in grid.comparisons}
        if grid.id.endswith("-others"):
            assert {one.name for one in known if one.column} < columns


def test_what_a_run_keeps_reads_the_same_without_the_manifest(checkout: Checkout) -> None:
    (checkout.root / "workloads").mkdir()
    manifest = checkout.root / "workloads" / "workloads.toml"
    manifest.write_text(MANIFEST.replace("quick", "slow").replace("full", "long"))
    presets = checkout.root / "plots" / "presets.toml"
    presets.write_text(presets.read_text() + "[slow]\nsamples = 2\n[long]\nsamples = 9\n")
    checkout.experiment(FIGURES.replace('workload = "executor"', EACH), "each")
    assert checkout.call("sweep", "lines-executor", "--preset", "slow", "--workers", "1") == 0
    manifest.unlink()
    assert checkout.call("report", checkout.only_run().name) == 0


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("schema = 1", "schema = 2", "is of workloads version 2, and this driver reads version 1"),
        ('tests = ["--actors 4"]', "", "executor: lacks 'tests'"),
        ("column = true", "colum = true", "executor: unknown key 'colum' (allowed: tests, "),
        ("quick = 0.5", "quick = 0", "executor.scale.quick: "),
        ("Executor, hurried", 'an \\"executor\\"', "executor.figure.title: "),
        ("schema = 1", "schema = ", "is no TOML"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(right: str, wrong: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_workloads(MANIFEST.replace(right, wrong, 1))
    said = str(caught.value)
    assert said.startswith("workloads/workloads.toml: ")
    assert message in said
    assert "\n" not in said

"""Experiment files: those of plots/ are right, and what is wrong with a file is said in one line."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actorbench.catalogue import all_experiments, experiment_files, experiment_groups
from actorbench.cell import Resolver, wanted_cells
from actorbench.design import DEFAULT_DESIGN, DESIGNS, EARLIER_DEFAULT
from actorbench.errors import UserError
from actorbench.estimates import ENOUGH
from actorbench.experiment import parse_experiment
from actorbench.preset import load_preset
from actorbench.project import Project
from conftest import LINES, RATIOS, SOURCE, TABLE, Checkout

PROJECT = Project(SOURCE)
GROUPS = ("", *experiment_groups(PROJECT))
THESIS_FIGURES = {"executor-stealing", "repeat-stealing", "matrix-stealing", "balance-one", "balance-multi"}
THESIS_TABLES = {"static", "dynamic", "memory", "missed-gulps"}


def test_every_experiment_loads_and_is_named_as_its_file() -> None:
    experiments = all_experiments(PROJECT)
    assert [experiment.id for experiment in experiments] == [p.stem for p in experiment_files(PROJECT.plots)]
    for group in experiment_groups(PROJECT):
        by_file: dict[str, list[str]] = {}
        for experiment in all_experiments(PROJECT, group):
            by_file.setdefault(Path(experiment.file).stem, []).append(experiment.id)
        for name, ids in by_file.items():
            assert ids == [f"{group}-{name}"] or (len(ids) > 1 and all(one.startswith(group) for one in ids))
    assert {experiment.id for experiment in experiments} >= THESIS_FIGURES | THESIS_TABLES
    assert [experiment.id for experiment in experiments if not experiment.claims] == [
        "idle-actors",
        "messaging",
    ], "no source asks"


@pytest.mark.parametrize("preset", ["quick", "thesis", "full"])
@pytest.mark.parametrize("workers", [(1,), (1, 2), tuple(range(1, 49))])
def test_every_experiment_has_cells_in_every_preset(preset: str, workers: tuple[int, ...]) -> None:
    resolver = Resolver(load_preset(PROJECT, preset), workers)
    wanted = wanted_cells(resolver, all_experiments(PROJECT))
    assert len({cell.key for cell in wanted}) == len(wanted)
    assert all(cell.workers is None or cell.workers in workers for cell in wanted)
    expected = 5 if preset == "thesis" else ENOUGH
    assert all(samples >= expected for samples in wanted.values())


def test_what_the_top_says_is_inherited() -> None:
    experiment = parse_experiment(
        """
        schema = 1
        id = "x"
        title = "x"
        kind = "ratios"
        workload = "executor"
        options = { queue = "copy", idle = "park" }
        [[rows]]
        label = "x"
        workers = [1, 2]
        parameters = { group = 10 }
        candidate = { options = { idle = "spin" } }
        base = { workload = "repeat", workers = [4] }
        """,
        "x.toml",
    )
    row = experiment.comparisons[0]
    assert row.candidate.workload == "executor"
    assert row.candidate.options == {"queue": "copy", "idle": "spin"}
    assert row.base.options == {"queue": "copy", "idle": "park"}
    assert row.base.parameters == {"group": 10}
    resolver = Resolver(load_preset(PROJECT, "quick"), (1, 2))
    pairs = resolver.pairs(experiment, row)
    assert [(candidate.workers, base.workers) for candidate, base in pairs] == [(1, 4), (2, 4)]


SIDES = """
schema = 1
id = "ratios"
title = "x"
kind = "ratios"
workload = "executor"
[[rows]]
label = "x"
candidate = { workers = CANDIDATE, options = { queue = "copy" } }
base = { workers = BASE, options = { queue = "list" } }
"""


def sides(candidate: str, base: str) -> str:
    return SIDES.replace("CANDIDATE", candidate).replace("BASE", base)


@pytest.mark.parametrize(
    ("candidate", "base", "pairs"),
    [
        ('"1..all"', '[1, 2, "all"]', [(1, 1), (2, 2), (8, 8)]),
        ("[2]", "[1, 8]", [(2, 1), (2, 8)]),
        ("[2, 8]", "[1]", [(2, 1), (8, 1)]),
        ('"all"', '"none"', [(8, None)]),
    ],
)
def test_sides_are_paired_worker_by_worker(
    candidate: str, base: str, pairs: list[tuple[int | None, int | None]]
) -> None:
    experiment = parse_experiment(sides(candidate, base), "x.toml")
    resolver = Resolver(load_preset(PROJECT, "quick"), (1, 2, 8))
    found = resolver.pairs(experiment, experiment.comparisons[0])
    assert [(one.workers, other.workers) for one, other in found] == pairs


@pytest.mark.parametrize(
    ("candidate", "base"), [("[1, 2]", "[1, 2, 8]"), ("[1, 2, 4]", "[1, 8]"), ("[1, 2]", "[1, 8]")]
)
def test_sides_of_different_worker_counts_are_refused(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], candidate: str, base: str
) -> None:
    checkout.experiment(sides(candidate, base), "ratios")
    assert checkout.call("sweep", "ratios") == 2
    said = capsys.readouterr().err
    shown = [one.strip("[]") for one in (candidate, base)]
    assert f"plots/ratios.toml: row 'x' pairs {shown[0]} workers with {shown[1]}" in said
    assert said.count("\n") == 1
    assert not (checkout.root / "results").exists(), "it is refused before anything is measured"


def test_a_design_stands_at_the_top_in_a_series_in_a_row_and_on_its_side() -> None:
    top = LINES.replace("schema = 1", 'schema = 1\ndesign = "message-centric"')
    copy, in_list = parse_experiment(
        top.replace('label = "list"', 'label = "list"\ndesign = "actor-centric"'), "x"
    ).series
    assert (copy.setting.design, in_list.setting.design) == ("message-centric", "actor-centric")
    sides = RATIOS.replace("candidate = {", 'candidate = { design = "message-centric",')
    row = parse_experiment(sides, "x").comparisons[0]
    assert (row.candidate.design, row.base.design) == ("message-centric", DEFAULT_DESIGN)
    rows = RATIOS.replace('label = "memory"', 'label = "memory"\ndesign = "actor-centric"')
    memory = parse_experiment(rows, "x").comparisons[2]
    assert (memory.candidate.design, memory.base.design) == ("actor-centric", "actor-centric")


def test_the_thesis_figures_are_of_its_design() -> None:
    designs = {
        setting.design
        for experiment in all_experiments(PROJECT)
        if experiment.id in THESIS_FIGURES | {"dynamic", "memory", "missed-gulps", "mechanisms"}
        for setting in experiment.settings()
    }
    assert designs == {"message-centric"}


def test_a_design_that_a_label_names_is_the_one_measured() -> None:
    named = 0
    for experiment in [one for group in GROUPS for one in all_experiments(PROJECT, group)]:
        measured = [(series.label, {series.setting.design}) for series in experiment.series]
        measured += [
            (row.reading.label, {row.candidate.design, row.base.design}) for row in experiment.comparisons
        ]
        for label, designs in measured:
            wanted = {design for design in DESIGNS if design in label}
            assert wanted <= designs, f"{experiment.file}: {label}"
            named += len(wanted)
    assert named > 100


def test_tables_of_sends_have_the_sources_columns() -> None:
    """Thesis, tables "Static" and "Dynamic Actor/Message Performance": message send, program memory."""
    sends = [
        one
        for group in ("", "peers")
        for one in all_experiments(PROJECT, group)
        if one.id.removeprefix("peers-") in ("static", "dynamic")
    ]
    assert len(sends) == 4
    assert all(one.measures[:2] == ("time_per_operation", "peak_memory") for one in sends)


def test_every_design_is_known_to_the_driver() -> None:
    folders = {path.name.replace("_", "-") for path in (SOURCE / "core").glob("*_centric")}
    assert folders
    assert folders == set(DESIGNS)
    assert {DEFAULT_DESIGN, EARLIER_DEFAULT} <= set(DESIGNS)


WRONG = [
    ("kind = 'lines'", "kind = 'pie'", "kind: 'pie' is not one of"),
    ("schema = 1", "schema = 2", "is of experiment version 2, and this driver reads version 1"),
    ("schema = 1", "", "(top level): lacks 'schema'"),
    ("schema = 1", "schema = 1\ncolour = 'red'", "unknown key 'colour' (allowed: schema, id,"),
    ("schema = 1", "schema = 1\ncolumns = ['elapsed']", "columns: does not belong in this kind"),
    ("workers = '1..all'", "workers = '2..all'", "workers: '2..all' does not match"),
    ("workers = '1..all'", "workers = [0]", "workers[0]: 0 is less than the minimum"),
    ("workers = '1..all'", "workers = [true]", "workers[0]: True is not of type"),
    ("queue = 'copy'", "queue = ['copy']", "series[0].options.queue: ['copy'] is not of type"),
    ("queue = 'copy'", "queue = true", "series[0].options.queue: True is not of type"),
    ("queue = 'copy'", "queue = '-rf'", "series[0].options.queue: '-rf' does not match"),
    ("queue = 'copy'", "queue = '$(id)'", "series[0].options.queue: '$(id)' does not match"),
    ("queue = 'copy'", "queue = 1e999", "the number 1e999 is not finite"),
    ("queue = 'copy'", "queue = inf", "the number inf is not finite"),
    ("queue = 'copy'", "workers = 3", "series[0].options:"),
    ("queue = 'copy'", "'--queue' = 3", "series[0].options:"),
    ("workload = 'executor'", "workload = '../bin/sh'", "workload: '../bin/sh' does not match"),
    ("workload = 'executor'", "", "series[0]: lacks 'workload'"),
    ("schema = 1", "schema = 1\ndesign = 'own'", "design: 'own' is not one of ['worker-centric', 'mess"),
    ("label = 'copy'", "", "series[0]: lacks 'label'"),
    ("schema = 1", "schema = ", "is no TOML"),
    (
        "options = { queue = 'copy' }",
        "options = { a = 1 }\nparameters = { a = 1 }",
        "'a' stands under options",
    ),
]


@pytest.mark.parametrize(("right", "wrong", "message"), WRONG)
def test_what_is_wrong_is_said_in_one_line(right: str, wrong: str, message: str) -> None:
    text = LINES.replace('"', "'")
    assert right in text
    with pytest.raises(UserError) as caught:
        parse_experiment(text.replace(right, wrong, 1), "plots/x.toml")
    said = str(caught.value)
    assert said.startswith("plots/x.toml: ")
    assert message in said
    assert "\n" not in said


def test_a_speedup_of_memory_is_refused() -> None:
    text = RATIOS.replace('measure = "peak_memory"', 'measure = "peak_memory"\nshow = "speedup"')
    with pytest.raises(UserError, match=r"rows\[2\]\.show: a speed-up compares times"):
        parse_experiment(text, "x.toml")


def test_two_files_with_one_id_are_refused(tmp_path: Path) -> None:
    (tmp_path / "plots").mkdir()
    for name in ("a", "b"):
        (tmp_path / "plots" / f"{name}.toml").write_text(TABLE)
    with pytest.raises(UserError, match=r"plots/b.toml: id 'table' is taken by plots/a.toml"):
        all_experiments(Project(tmp_path))


@given(st.text(max_size=200), st.integers(0, len(LINES)), st.integers(0, 40))
@settings(max_examples=150, deadline=None)
def test_no_text_breaks_the_reader(inserted: str, place: int, cut: int) -> None:
    said = ""
    try:
        parse_experiment(LINES[:place] + inserted + LINES[place + cut :], "x.toml")
    except UserError as error:
        said = str(error)
    assert "\n" not in said


def test_an_option_that_no_program_takes_is_found_before_anything_is_measured(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once it was found while measuring, a failed sample at a time."""
    program = checkout.root / "build" / "release" / "worker-centric" / "executor"
    refusal = 'case $* in *lst*) echo "executor: --queue cannot be lst: copy, list" >&2; exit 2 ;; esac'
    program.write_text(program.read_text().replace("#!/bin/sh", f"#!/bin/sh\n{refusal}"))
    file = checkout.experiment(LINES.replace('queue = "list"', 'queue = "lst"'), "mine")
    for command in (["sweep", str(file)], ["figures", str(file)], ["sweep", str(file), "--dry-run"]):
        assert checkout.call(*command) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.endswith("plots/mine.toml: executor: --queue cannot be lst: copy, list")
    assert not (checkout.root / "results").exists()


def test_a_wrong_file_stops_only_who_asks_for_it(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.experiment("schema = 1\nid = 7", "mine")
    assert checkout.call("sweep", "lines", "--dry-run") == 0
    assert checkout.call("list") == 0
    out = capsys.readouterr().out
    assert "Executor: queues" in out
    assert "left out: plots/mine.toml: " in out
    assert checkout.call("sweep", "mine") == 2
    error = capsys.readouterr().err
    assert "no experiment 'mine'" in error
    assert "plots/mine.toml: " in error


def test_a_wrong_file_of_claims_or_sources_stops_no_table(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in (checkout.project.claims, checkout.project.sources):
        folder.mkdir()
        (folder / "mine.toml").write_text("claims")
    assert checkout.call("sweep", "table", "--workers", "1") == 0
    out = capsys.readouterr().out
    assert "left out: plots/claims/mine.toml: is no TOML" in out
    assert "left out: plots/sources/mine.toml: is no TOML" in out
    assert checkout.call("report", checkout.only_run().name) == 0
    assert checkout.call("claims") == 2
    assert "plots/claims/mine.toml: is no TOML" in capsys.readouterr().err


def test_a_copied_file_stops_only_who_asks_for_its_id(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.experiment(TABLE, "copied")
    told = "plots/table.toml: id 'table' is taken by plots/copied.toml"
    assert checkout.call("sweep", "lines", "--dry-run") == 0
    assert checkout.call("list") == 0
    assert told in capsys.readouterr().out
    for name in ("table", "copied"):
        assert checkout.call("sweep", name) == 2
        assert told in capsys.readouterr().err


def test_a_workload_that_is_spelt_wrong_is_named(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    file = checkout.experiment(LINES.replace('workload = "executor"', 'workload = "executer"'), "mine")
    assert checkout.call("sweep", str(file)) == 2
    assert "no workload 'executer', did you mean 'executor'?" in capsys.readouterr().err

"""What the sources printed: the files are right, and a number stands beside what was measured."""

import pytest

from actorbench.catalogue import all_experiments, experiment_groups
from actorbench.cell import Resolver
from actorbench.errors import UserError
from actorbench.preset import load_preset
from actorbench.project import Project
from actorbench.ratios import compare_rows
from actorbench.results import load_results
from actorbench.source_tables import matches, source_table
from actorbench.sources import known_printed, parse_printed
from actorbench.system import OURS
from conftest import SOURCE, Checkout

PROJECT = Project(SOURCE)
PRINTED = """
schema = 1
work = "A work"
lines = "its text"
[machines]
big = "a big machine"
[[printed]]
experiment = "lines"
place = "Figure 1"
line = 12
machine = "big"
says = "the copy queue, 2 workers"
low = 3
high = 4
unit = "s"
here = { form = "median", of = { options = { queue = "copy" } }, workers = [2, 2] }
[[printed]]
experiment = "ratios"
place = "Table 1"
line = 13
machine = "big"
says = "memory"
value = 1.5
here = { form = "row", row = "memory" }
"""


def with_sources(checkout: Checkout, text: str = PRINTED) -> None:
    checkout.project.sources.mkdir()
    (checkout.project.sources / "work.toml").write_text(text)


def measure_as_the_thesis(checkout: Checkout) -> None:
    checkout.program("executor", "elapsed=1000000; [ $queue = list ] && elapsed=2000000; record")
    assert checkout.call("sweep", "lines", "--workers", "1,2", "--preset", "thesis") == 0


def test_every_number_of_the_sources_finds_what_it_is_about() -> None:
    experiments = {
        one.id: one for group in ("", *experiment_groups(PROJECT)) for one in all_experiments(PROJECT, group)
    }
    resolver = Resolver(load_preset(PROJECT, "quick"), (1, 2, 8))
    printed, wrong = known_printed(PROJECT.sources)
    assert wrong == []
    assert len({one.work for one in printed}) == 4
    for one in printed:
        experiment, here = experiments[one.experiment], one.here
        if here["form"] == "row":
            assert here["row"] in {row.reading.label for row in experiment.comparisons}
            continue
        for wanted in (here.get("of", {}), here.get("over", {})):
            named = experiments[wanted.get("experiment", one.experiment)]
            cells = [cell for setting in named.settings() for cell in resolver.cells(named, setting)]
            # Peers need not be built where this is tested.
            assert wanted.get("system", OURS) != OURS or any(matches(cell, wanted) for cell in cells), one


def test_a_printed_number_stands_beside_what_was_measured(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.program("executor", "[ $queue = copy ] && elapsed=2500000; record")
    checkout.call("sweep", "lines", "ratios", "--workers", "1,2", "--seed", "1")
    run = checkout.only_run()
    assert source_table(load_results(run), load_results(run).experiments[0]) is None
    without = compare_rows(load_results(run), load_results(run).experiments[1])
    with_sources(checkout)
    results = load_results(run)
    lines, ratios = (source_table(results, experiment) for experiment in results.experiments)
    assert lines is not None
    assert lines.rows == [
        [
            "the copy queue, 2 workers",
            "3 to 4 s",
            "0.002500 s (scale 0.5)",
            "a big machine",
            "Figure 1, line 12 of its text",
        ]
    ]
    assert ratios is not None
    assert ratios.rows[0][1:3] == ["1.5", "1.000 (n=3)"]
    assert compare_rows(results, results.experiments[1]) == without
    capsys.readouterr()
    assert checkout.call("figures", "--run", run.name) == 0
    assert "Executor: queues: the source and here" in capsys.readouterr().out
    assert "a big machine" in (run.folder / "tables" / "lines-source.tex").read_text()
    assert "a big machine" not in (run.folder / "figures" / "lines.svg").read_text()
    assert checkout.call("report", run.name) == 0
    assert "3 to 4 s" in (run.folder / "report.html").read_text()


@pytest.mark.parametrize(
    ("here", "text"),
    [
        ('{ form = "spread" }', "0.001000 s"),
        ('{ form = "largest" }', "0.002000 s"),
        ('{ form = "median", measure = "time_per_operation" }', "1000 to 2000 ns"),
        ('{ form = "spread", but = { options = { queue = "list" } } }', "0 s"),
        ('{ form = "fastest", of = { options = { queue = "list" } } }', "1 of 1 to 2"),
        (
            '{ form = "ratio", of = { options = { queue = "list" } },'
            ' over = { options = { queue = "copy" } } }',
            "2.000",
        ),
        ('{ form = "median", of = { system = "caf" } }', "not measured"),
        ('{ form = "median", workers = [8, 32] }', "not measured"),
    ],
)
def test_forms(checkout: Checkout, here: str, text: str) -> None:
    checkout.once("thesis", lambda: measure_as_the_thesis(checkout))
    first = PRINTED.partition('[[printed]]\nexperiment = "ratios"')[0]
    with_sources(checkout, first.partition("here =")[0] + f"here = {here}\n")
    results = load_results(checkout.only_run())
    table = source_table(results, results.experiments[0])
    assert table is not None
    assert table.rows[0][2] == text


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'machine = "big"',
            'machine = "small"',
            r"printed\[0\].machine: no machine 'small' \(choices: big\)",
        ),
        ("low = 3\n", "", r"printed\[0\]: needs a value, or low and high"),
        ('form = "median"', 'form = "guess"', "is not one of"),
        ('form = "median",', 'form = "median", measure = "pie",', "no measure 'pie'"),
        ("line = 12", "line = 0", "less than the minimum"),
        ('here = { form = "row", row = "memory" }', 'here = { form = "row" }', "lacks 'row'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(old: str, new: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as caught:
        parse_printed(PRINTED.replace(old, new, 1), "plots/sources/x.toml")
    assert str(caught.value).startswith("plots/sources/x.toml: ")
    assert "\n" not in str(caught.value)

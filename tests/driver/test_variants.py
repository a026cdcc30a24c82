"""One file for what differs in a word: several experiments in a file, and series for each combination."""

import re
import tomllib
from pathlib import Path

import pytest

from actorbench.catalogue import find_experiments
from actorbench.errors import UserError
from actorbench.experiment import Experiment, parse_experiment
from actorbench.schema import FOLDER, first_error
from actorbench.variants import texts_of_variants
from actorbench.workloads import parse_workloads, texts_for_each
from conftest import LINES, RATIOS, SOURCE, Checkout
from test_workloads import MANIFEST

SEVERAL = """#:schema elsewhere.json
# What both are.
# Source: a book.
schema = 1
kind = "lines"
workload = "executor"
options = { queue = "copy", pin = "cores" }
[[experiments]]
id = "one"
title = "With 1 worker"
workers = [1]
# Of the second alone.
[[experiments]]
id = "all"
title = "With all"
claims = ["T1"]
workload = "repeat"
options = { queue = "list" }
[[series]]
label = "as it is"
"""

MATRIX = """
[[matrix]]
label = "{steal}, {queue}"
options = { steal = ["none", "random"], pin = "cores", queue = ["copy", "list"] }
"""


def variants(text: str) -> list[Experiment]:
    return [parse_experiment(one, "x.toml") for one in texts_of_variants(text, "x.toml")]


def test_each_inherits_what_it_does_not_say() -> None:
    one, every = variants(SEVERAL)
    assert (one.id, one.title, one.claims) == ("one", "With 1 worker", ())
    assert (every.id, every.title, every.claims) == ("all", "With all", ("T1",))
    ours, others = one.series[0].setting, every.series[0].setting
    assert (ours.workload, ours.workers, ours.options) == (
        "executor",
        (1,),
        {"queue": "copy", "pin": "cores"},
    )
    assert (others.workload, others.workers) == ("repeat", "all")
    assert others.options == {"queue": "list", "pin": "cores"}, "merged key by key"


def test_a_run_keeps_each_as_a_text_of_its_own(checkout: Checkout) -> None:
    checkout.experiment(SEVERAL, "several")
    assert [one.id for one in find_experiments(checkout.project, ["one", "all"])] == ["one", "all"]
    assert checkout.call("sweep", "one", "--samples", "1") == 0
    (kept,) = checkout.only_run().document()["experiments"]
    assert kept["file"] == "plots/several.toml"
    assert kept["text"].startswith("# What both are.\n# Source: a book.\nschema = 1\nid = ")
    assert parse_experiment(kept["text"], "x.toml").series == variants(SEVERAL)[0].series


def test_a_grids_variants_have_columns_of_their_own_and_one_for_each_workload() -> None:
    text = """
schema = 1
kind = "grid"
[[rows]]
label = "list"
candidate = { options = { queue = "list" } }
base = {}
[[experiments]]
id = "few"
title = "Few"
[[experiments.across]]
label = "static"
workload = "static"
[[experiments]]
id = "every"
title = "Every"
[[experiments.across]]
each = "workload"
"""
    (expanded,) = texts_for_each(text, parse_workloads(MANIFEST))
    few, every = variants(expanded)
    assert [row.reading.column for row in few.comparisons] == ["static"]
    assert [row.reading.column for row in every.comparisons] == ["executor", "big"]


def test_a_matrix_is_a_series_a_combination() -> None:
    text = LINES.partition("[[series]]")[0]
    by_hand = "".join(
        f'[[series]]\nlabel = "{steal}, {queue}"\n'
        f'options = {{ steal = "{steal}", pin = "cores", queue = "{queue}" }}\n'
        for steal in ("none", "random")
        for queue in ("copy", "list")
    )
    assert parse_experiment(text + MATRIX, "x").series == parse_experiment(text + by_hand, "x").series
    both = parse_experiment(LINES + MATRIX, "x").series
    assert [one.label for one in both][:3] == ["copy", "list", "none, copy"], "behind what is written out"


def test_a_matrix_of_ratios_varies_the_candidate() -> None:
    text = (
        RATIOS
        + """
[[matrix]]
label = "{design}, {group}"
measure = "cpu_per_operation"
candidate = { design = ["worker-centric", "actor-centric"], parameters = { group = [10, 20] } }
base = { options = { queue = "list" } }
"""
    )
    rows = parse_experiment(text, "x").comparisons[3:]
    assert [row.reading.label for row in rows][:2] == ["worker-centric, 10", "worker-centric, 20"]
    assert [(row.candidate.design, row.candidate.parameters) for row in rows] == [
        (design, {"group": group}) for design in ("worker-centric", "actor-centric") for group in (10, 20)
    ]
    assert {row.reading.measure for row in rows} == {"cpu_per_operation"}
    assert all(row.base.options == {"queue": "list"} and row.base.parameters == {} for row in rows)


WRONG = [
    (SEVERAL.replace('title = "With all"\n', ""), "experiments[1]: lacks 'title'"),
    (SEVERAL.replace('id = "all"', 'id = "All"'), "experiments[1].id: 'All' does not match"),
    (SEVERAL.replace("schema = 1\n", 'schema = 1\nid = "x"\n'), "id: does not belong in this kind of file"),
    (SEVERAL.replace('claims = ["T1"]', 'kind = "table"'), "experiments[1]: unknown key 'kind'"),
    (SEVERAL.replace("schema = 1", "schema = 2"), "is of experiment version 2"),
    (SEVERAL.replace("[1]", "["), "is no TOML"),
    (LINES + 'experiments = [{ id = "a", title = "b" }]', "series[1]: unknown key 'experiments'"),
    ('experiments = [{ id = "a", title = "b" }]\nkind = "lines"\nschema = 1', "written as [[experiments]]"),
    (LINES.replace("workload =", "each = 'workload'\nworkload ="), "id: 'lines' does not match"),
    (LINES + MATRIX.replace("{queue}", "?"), "matrix[0].label: lacks {queue}"),
    (
        LINES + MATRIX.replace('"list"]', '"copy"]'),
        "options.queue: ['copy', 'copy'] has non-unique",
    ),
    (LINES + MATRIX.replace('"list"]', '"-x"]'), "matrix[0].options.queue[1]: '-x' does not match"),
    (LINES + MATRIX + "base = {}", "matrix[0].base: does not belong"),
    (RATIOS + MATRIX + "base = {}", "matrix[0]: lacks 'candidate'"),
    (
        RATIOS + MATRIX.replace("options =", "candidate = {}\nbase = {}\noptions ="),
        "matrix[0].options.queue: ['copy', 'list'] is not of type",
    ),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_wrong_is_said_in_one_line(text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        variants(text)
    said = str(caught.value)
    assert said.startswith("x.toml: ")
    assert message in said
    assert "\n" not in said


def files_that_editors_check() -> list[Path]:
    """The files that have a schema: experiments, presets, cells, claims, sources, manifests, machines."""
    patterns = ("plots/**/*.toml", "workloads/*.toml", "peers/*/peer.toml", "machine/descriptions/*.toml")
    return [path for pattern in patterns for path in sorted(SOURCE.glob(pattern))]


def test_every_file_names_its_schema_and_is_valid_as_an_editor_reads_it() -> None:
    named = set()
    for path in files_that_editors_check():
        text = path.read_text(encoding="utf-8")
        directive = re.match(r"#:schema (\S+)\n", text)
        assert directive, path
        schema = (path.parent / directive[1]).resolve()
        assert schema.parent == FOLDER.resolve(), path
        assert first_error(schema.stem, tomllib.loads(text)) is None, path
        named.add(schema.stem)
    assert named >= {"experiment-1", "presets-1", "gate-cells-1", "claims-1", "sources-1", "peer-1"}

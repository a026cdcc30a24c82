"""The gate's cells: of a file, of every design, of any two commands; and gates of a base against itself."""

import json
import re
from pathlib import Path

import pytest

from actorbench.design import DESIGNS
from actorbench.errors import UserError
from actorbench.gate import judging, power, stages
from actorbench.gate.cells import command_entries, commit_entries
from actorbench.gate.deciding import FEWEST_PAIRS, GATED
from actorbench.project import Project
from actorbench.store import all_runs
from conftest import CRASH, NORMAL, SLOWER, SOURCE, Checkout, GateCheckout

TIME, MEMORY = GATED
CELL = '{ name = "a", design = "actor-centric", workload = "static", workers = 1, scale = 1 }'


@pytest.fixture(autouse=True)
def few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no batch have more pairs than it needs."""
    for module in (judging, power, stages):
        monkeypatch.setattr(module, "MOST_PAIRS", FEWEST_PAIRS)


def cells_file(checkout: Checkout, *cells: str) -> Path:
    """Write a file of cells."""
    path = checkout.root / "cells.toml"
    path.write_text(f"schema = 1\ncells = [{', '.join(cells)}]\n")
    return path


def verdicts(checkout: Checkout) -> dict[tuple[str, str], str]:
    """The verdicts of the one gate."""
    document = json.loads((checkout.only_run().folder / "gate.json").read_text())
    return {(line["cell"], line["measure"]): line["verdict"] for line in document["lines"]}


def test_the_default_is_few_cells_of_every_design() -> None:
    entries = commit_entries(Project(SOURCE), None, [])
    assert {entry["design"] for entry in entries} == set(DESIGNS)
    assert {"all", 1} == {entry["workers"] for entry in entries}
    assert len(entries) <= 8
    for entry in entries:
        assert (SOURCE / "workloads" / f"{entry['workload']}.c").is_file()


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        (["7"], "cells[0]: 7 is not of type 'object' (allowed: a table: name, and one of"),
        ([], "cells: [] should be non-empty"),
        (['{ name = "a" }'], "cell 'a': has arguments, for commands: of commits a cell has a workload"),
        (['{ name = "a", arguments = "-x" }'], "cell 'a': has arguments, for commands"),
        ([CELL.replace("scale = 1", 'arguments = ""')], "'scale' is a dependency of"),
        (
            [CELL.replace("actor-", "planet-")],
            "cell 'a': no design 'planet-centric' (choices: worker-centric,",
        ),
        ([CELL.replace("workers = 1", "workers = 0")], "cells[0].workers: 0 is not valid"),
        ([CELL.replace("scale = 1", "scale = 0")], "cells[0].scale: 0 is less than or equal to the minimum"),
        ([CELL.replace('"a"', '"a,b"')], "cells[0].name: 'a,b' does not match"),
        ([CELL.replace('"static"', '"../static"')], "cells[0].workload: '../static' does not match"),
        ([CELL.replace("scale = 1", "scale = 1, size = 2")], "unknown key 'size' (allowed: name, arguments,"),
        ([CELL, CELL], "2 cells are named 'a'"),
    ],
)
def test_a_wrong_cell_is_one_line(checkout: Checkout, cells: list[str], told: str) -> None:
    path = cells_file(checkout, *cells)
    with pytest.raises(UserError) as error:
        commit_entries(checkout.project, path, [])
    assert str(path) in str(error.value)
    assert told in str(error.value)


def test_a_file_that_can_not_be_read_is_one_line(checkout: Checkout) -> None:
    with pytest.raises(UserError, match=r"none\.toml: cannot be read: No such file"):
        commit_entries(checkout.project, checkout.root / "none.toml", [])
    with pytest.raises(UserError, match=r"plots/gate\.toml: cannot be read: No such file"):
        commit_entries(checkout.project, None, [])


def test_commands_have_arguments_only(checkout: Checkout) -> None:
    assert [one["name"] for one in command_entries(checkout.project, None, [])] == ["command"]
    with pytest.raises(UserError, match="has a workload, for commits"):
        command_entries(checkout.project, cells_file(checkout, CELL), [])
    with pytest.raises(UserError, match="cell 'a': '\"x' are no arguments: No closing quotation"):
        command_entries(checkout.project, cells_file(checkout, "{ name = 'a', arguments = '\"x' }"), [])


def test_a_cell_has_options_and_parameters(gate_checkout: GateCheckout) -> None:
    gate_checkout.commit(SLOWER)
    cell = CELL.replace("scale = 1", 'scale = 1, options = { queue = "list" }, parameters = { sends = 7 }')
    path = cells_file(gate_checkout, cell)
    assert gate_checkout.call("gate", "--base", "HEAD~1", "--cells-file", str(path), "--budget", "10m") == 1
    assert verdicts(gate_checkout) == {("a", TIME): "FAIL", ("a", MEMORY): "PASS"}
    (sample, *_) = gate_checkout.only_run().samples()
    assert sample.record is not None
    assert (sample.record.raw["design"], sample.record.raw["options"]["queue"]) == ("actor-centric", "list")
    assert "--pin cores" in sample.key
    assert "--sends 7" in sample.key


def test_two_commands_have_several_cells(checkout: Checkout) -> None:
    """The new one is slower with a list queue only."""
    checkout.program("old")
    checkout.program("new", "[ $queue = list ] && elapsed=$((elapsed * 13 / 10)); record")
    path = cells_file(checkout, "{ name = 'copy' }", "{ name = 'list', arguments = '--queue \"list\"' }")
    commands = [f"sh build/release/worker-centric/{name} --workers 1" for name in ("old", "new")]
    asked = ("--base-command", commands[0], "--candidate-command", commands[1], "--cells-file", str(path))
    assert checkout.call("gate", *asked, "--budget", "10m") == 1
    assert {name for name, verdict in verdicts(checkout).items() if verdict == "FAIL"} == {("list", TIME)}
    keys = {sample.key for sample in checkout.only_run().samples()}
    assert f'{commands[0]} --queue "list" # null' in keys
    assert len(keys) == 6


@pytest.mark.parametrize(("body", "status", "gates"), [(NORMAL, 0, 2), (CRASH, 4, 1)])
def test_a_base_is_held_against_itself(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], body: str, status: int, gates: int
) -> None:
    gate_checkout.commit(body)
    assert gate_checkout.call("gate", "--aa", "2", "--cells", "static-self-1", "--budget", "10m") == status
    told = capsys.readouterr().out
    assert told.startswith("gate 1 of 2, results/")
    assert f"{gates} of 2 A/A gates of HEAD (" in told
    assert len(all_runs(gate_checkout.project)) == gates
    seeds = {run.head().seed for run in all_runs(gate_checkout.project)}
    assert len(seeds) == gates


def test_a_command_is_held_against_itself(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.program("own")
    command = "sh build/release/worker-centric/own --workers 1"
    assert checkout.call("gate", "--aa", "1", "--base-command", command, "--budget", "10m") == 0
    told = capsys.readouterr().out
    assert f"1 of 1 A/A gates of {command}" in told
    assert re.search(r"PASS +1 +100\.0 %", told)

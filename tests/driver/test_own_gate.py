"""Own commands in the gate, the trend and bisect: commits of a project of somebody's, and two commands."""

import json

import pytest

from actorbench.errors import UserError
from actorbench.gate import judging, power, stages
from actorbench.gate.cells import commit_entries
from actorbench.gate.deciding import FEWEST_PAIRS
from conftest import Checkout, GateCheckout
from test_own import BENCH, PATTERN, READ, bench

__all__ = ["bench"]  # the fixture


@pytest.fixture(autouse=True)
def few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no batch have more pairs than it needs."""
    for module in (judging, power, stages):
        monkeypatch.setattr(module, "MOST_PAIRS", FEWEST_PAIRS)


CELLS = f"""
schema = 1
build = "make bench"
[[cells]]
name = "own-{{size}}"
command = "./bench {{size}}"
parameters = {{ size = [10, 50] }}
read = {READ}
verify = {{ contains = "took" }}
working_directory = "made"
"""
MAKE = "bench:\n\tmkdir -p made\n\tsed 's/FACTOR/{factor}/' bench.in > made/bench\n\tchmod +x made/bench\n"


def project_of_somebody(checkout: GateCheckout, factor: str = "1", cells: str = CELLS) -> None:
    """Commit a project whose benchmark takes a factor of the time."""
    (checkout.root / "bench.in").write_text(BENCH.replace("${2:-1}", "FACTOR"))
    (checkout.root / "Makefile").write_text(MAKE.format(factor=factor))
    (checkout.root / "plots" / "gate.toml").write_text(cells)
    checkout.git("add", "--all")
    checkout.git("commit", "--quiet", "--allow-empty", "--message", f"Take {factor} times the time")


@pytest.mark.parametrize(("factor", "status"), [("1", 0), ("2", 1)])
def test_commits_of_a_project_are_gated(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], factor: str, status: int
) -> None:
    project_of_somebody(gate_checkout)
    project_of_somebody(gate_checkout, factor)
    asked = ("--base", "HEAD~1", "--candidate", "HEAD", "--measures", "time", "--budget", "10m")
    assert gate_checkout.call("gate", *asked) == status
    told = capsys.readouterr().out
    assert told.splitlines()[-1].startswith(("PASS: ", "FAIL: own-")[status])
    assert "not gated, since the records say 0: peak memory" in told
    head = gate_checkout.git("rev-parse", "--short=12", "HEAD")
    keys = {sample.key for sample in gate_checkout.only_run().samples()}
    reading = f"# regex {PATTERN} ms, holds took"
    assert f"(cd build/commits/{head}/made && ./bench 50) {reading}, candidate" in keys
    (history,) = (gate_checkout.root / "results" / "history").glob("*.jsonl")
    assert f"own-50: (cd made && ./bench 50) {reading}" in history.read_text()
    (medians,) = (gate_checkout.root / "results" / "medians").glob("*.jsonl")
    assert json.loads(medians.read_text().splitlines()[0])["commit"] == head


def test_a_commit_that_does_not_build_is_broken(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    project_of_somebody(gate_checkout)
    (gate_checkout.root / "Makefile").write_text("bench:\n\t@echo 'error: no'; exit 1\n")
    assert gate_checkout.call("gate", "--base", "HEAD", "--budget", "10m") == 4
    assert "the candidate does not build" in capsys.readouterr().out


def test_bisect_and_trend_take_commands_too(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    for factor in ("1", "1", "2", "2"):
        project_of_somebody(gate_checkout, factor)
    slow = gate_checkout.git("rev-parse", "--short=12", "HEAD~1")
    asked = ("--measures", "time", "--budget", "30m", "--cells", "own-10")
    assert gate_checkout.call("bisect", "HEAD~3", "HEAD", *asked) == 0
    assert f"FOUND: {slow}" in capsys.readouterr().out
    assert gate_checkout.call("trend", "--measure", "3", "own-50", "--budget", "5s") == 0
    told = capsys.readouterr().out
    assert slow in told
    assert "2.0" in told


def test_two_commands_in_any_format(bench: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    """With a file of cells that says how they are read."""
    cells = bench.root / "cells.toml"
    cells.write_text(
        f"schema = 1\n[[cells]]\nname = 'a'\narguments = '30 {{factor}}'\nread = {READ}\n"
        "parameters = { factor = [1, 2] }\n"
    )
    sides = ("--base-command", "./bench", "--candidate-command", "sh ./bench", "--budget", "10m")
    assert bench.call("gate", *sides, "--cells-file", str(cells)) == 0
    keys = {sample.key for sample in bench.only_run().samples()}
    assert f"sh ./bench 30 2 # regex {PATTERN} ms, candidate" in keys
    assert len(keys) == 6
    assert "verified by the exit status alone: bench, sh (" in capsys.readouterr().out


def test_commands_without_cells_are_read_as_one_option_says(bench: Checkout) -> None:
    sides = ("--base-command", "true", "--candidate-command", "./bench 1", "--read", "wall")
    assert bench.call("gate", *sides, "--budget", "2s") != 4
    samples = bench.only_run().samples()
    assert all(sample.ok for sample in samples)
    arms = {"true # wall, base", "./bench 1 # wall, candidate", "true # wall, null"}
    assert {sample.key for sample in samples} == arms


@pytest.mark.parametrize(
    ("arguments", "cells", "said"),
    [
        (("--read", "walls"), "", "--read.read: no format 'walls'"),
        (("--read", "regex"), "", "--read.read: format 'regex' lacks 'pattern'"),
        ((), "[[cells]]\nname = 'a'\ncommand = './bench'\nread = 'wall'\n", "has a command, for commits"),
        ((), "[[cells]]\nname = 'a'\narguments = '{size}'\n", "cell 'a': {size} is no parameter"),
        ((), "[[cells]]\nname = 'a'\nread = 'wall'\nverify = 'gone'\n", "cell 'a': no program 'gone'"),
        ((), "[[cells]]\nname = '{x}'\n", "{} in a name stand around a parameter of several values"),
    ],
)
def test_mistakes_in_cells_are_found_before_the_first_sample(
    bench: Checkout, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], cells: str, said: str
) -> None:
    sides = ("--base-command", "./bench 1", "--candidate-command", "./bench 2", *arguments)
    if cells:
        (bench.root / "cells.toml").write_text(f"schema = 1\n{cells}")
        sides += ("--cells-file", str(bench.root / "cells.toml"))
    assert bench.call("gate", *sides) == 2
    assert said in capsys.readouterr().err
    assert not list(bench.project.results.glob("*/samples.jsonl"))


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("command = './bench'", "cell 'a': a command lacks 'read'"),
        (
            "workload = 'static'\ndesign = 'worker-centric'\nworkers = 1\nscale = 1\nread = 'wall'",
            "has a workload and",
        ),
        ("arguments = 'x'", "of commits a cell has a workload or a command"),
    ],
)
def test_a_cell_of_commits_is_one_of_two_kinds(checkout: Checkout, cell: str, said: str) -> None:
    path = checkout.root / "cells.toml"
    path.write_text(f"schema = 1\n[[cells]]\nname = 'a'\n{cell}\n")
    with pytest.raises(UserError, match=said):
        commit_entries(checkout.project, path, ())

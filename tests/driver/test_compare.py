"""Comparisons: two options, two commits, two runs; and a build with itself."""

import csv
import io
import subprocess
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from actorbench.estimates import Standing, unpaired_ratio
from actorbench.latex import latex_table
from actorbench.store import all_runs
from actorbench.table import Column, Table
from conftest import PROGRAM, Checkout

FRESH = ["compare", "--workload", "executor", "--workers", "2", "--samples", "10"]


def expect_refusal(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    """Expect bad usage, told in one line, and nothing measured."""
    assert checkout.call(*arguments) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert message in said
    assert not (checkout.root / "results").exists()


def test_two_options_are_told_apart(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    assert checkout.call(*FRESH, "--", "--queue copy", "--queue list") == 0
    out = capsys.readouterr().out
    line = next(line for line in out.splitlines() if line.startswith("executor, 2 workers"))
    assert line.split()[-1] == "faster"
    assert "0.50" in line
    assert "A: --queue copy" in out
    run = checkout.only_run()
    assert checkout.call("compare", "--run", run.name, "--", "--queue list", "--queue copy") == 0
    assert "slower" in capsys.readouterr().out
    assert checkout.call("compare", "--run", run.name) == 0
    assert "faster" in capsys.readouterr().out


def test_pairs_are_adjacent_and_in_turn(checkout: Checkout) -> None:
    checkout.call(*FRESH, "--workers", "1,2", "--seed", "3", "--", "--queue copy", "--queue list")
    plan = checkout.only_run().head().plan
    assert len(plan.rounds) == 10
    firsts: list[dict[int, int]] = []
    for order in plan.rounds:
        assert sorted(order) == [0, 1, 2, 3]
        assert all(a // 2 == b // 2 for a, b in zip(order[::2], order[1::2], strict=True))
        firsts.append({first // 2: first for first in order[::2]})
    for even, odd in list(pairwise(firsts))[::2]:
        assert all(even[pair] != odd[pair] for pair in (0, 1)), "the second round of a block is turned round"
    assert len({first[0] for first in firsts[::2]}) == 2, "which side begins a block is drawn"


def test_a_build_with_itself_is_not_told_apart(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    """The fake's time grows from process to process: unless A and B take turns in front, B is slower."""
    checkout.program(
        "executor", "elapsed=$(($(cat n 2>/dev/null || echo 1000) + 1)); echo $elapsed > n; record"
    )
    assert checkout.call(*FRESH, "--", "--queue copy", "--queue copy") == 0
    out = capsys.readouterr().out
    assert "not told apart" in out
    keys = {sample.key for sample in checkout.only_run().samples()}
    assert {key.rpartition(" # ")[2] for key in keys} == {"a", "b"}


def test_too_few_pairs_for_so_many_comparisons_are_said(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = ("--", "--queue copy", "--queue list")
    asked = ("compare", "--workload", "executor", "--workers", "1,2,3", "--preset", "quick")
    said = "3 comparisons need 7 samples a cell before any can be told apart"
    for samples, is_said in (("6", True), ("7", False)):
        assert checkout.call(*asked, "--samples", samples, *sides) == 0
        assert (f"\n{said}" in capsys.readouterr().out) == is_said


def test_the_forms_of_output(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.call(*FRESH, "--csv", "--", "--queue copy", "--queue list")
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["verdict"] for row in rows] == ["faster"]
    assert float(rows[0]["low"]) <= float(rows[0]["ratio"]) <= float(rows[0]["high"]) < 1
    name = checkout.only_run().name
    checkout.call("compare", "--run", name, "--latex")
    latex = capsys.readouterr().out
    assert r"\toprule" in latex
    assert r"time per operation (ns)" in latex
    checkout.call("compare", "--run", name, "--markdown")
    assert capsys.readouterr().out.startswith("## A against B")


def test_latex_escapes_all_signs() -> None:
    table = Table("a_b", [Column("x & y", numeric=False)], [["50 % {~} \\ $1 #2 ^"]], ["--queue [copy]"])
    written = latex_table(table)
    assert r"a\_b" in written
    assert r"x \& y" in written
    assert r"50 \% \{\textasciitilde{}\} \textbackslash{} \$1 \#2 \textasciicircum{}" in written
    assert "{-}{-}queue {[}copy{]}" in written


def test_two_runs_are_compared_apart(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.call("sweep", "table", "--workers", "1", "--samples", "8")
    checkout.program("executor", "elapsed=$((elapsed * 3)); record")
    checkout.call("sweep", "lines", "--workers", "1,2", "--samples", "8")
    second, first = sorted((run.name for run in all_runs(checkout.project)), key=lambda name: name[-5:])
    capsys.readouterr()
    assert checkout.call("compare", second, first) == 0
    out = capsys.readouterr().out
    assert out.count("slower") == 2
    assert "2 cells are in one of the runs only" in out
    assert "resampled on its own" in out
    assert "A / B [95 % interval, percentile bootstrap]" in out
    assert checkout.call("compare", first, first) == 2
    assert "same run" in capsys.readouterr().err


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def test_two_commits_are_built_and_compared(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    program = PROGRAM.format(workload="executor", config="release", body="record")
    makefile = "build/%: program\n\tmkdir -p $(@D); cp program $@; chmod +x $@; echo built >> log\n"
    (checkout.root / ".gitignore").write_text("/build/\n/results/\n")
    (checkout.root / "Makefile").write_text(makefile)
    (checkout.root / "program").write_text(program)
    git(checkout.root, "init", "-q")
    git(checkout.root, "add", "Makefile", "program", ".gitignore")
    git(checkout.root, "commit", "-qm", "First")
    (checkout.root / "program").write_text(program.replace("base=100000", "base=150000"))
    git(checkout.root, "commit", "-qam", "Second")
    asked = ["compare", "--commits", "HEAD", "HEAD~1", *FRESH[1:]]
    assert checkout.call(*asked) == 0
    assert "slower" in capsys.readouterr().out
    assert checkout.call(*asked) == 0
    assert "slower" in capsys.readouterr().out
    logs = list((checkout.root / "build" / "commits").glob("*/log"))
    assert [log.read_text() for log in logs] == ["built\n", "built\n"], "built once, then kept"
    assert checkout.call("list") == 0
    assert "commits" not in capsys.readouterr().out

    (checkout.root / "Makefile").write_text("build/%:\n\t@echo no such thing; false\n")
    git(checkout.root, "commit", "-qam", "Third")
    assert checkout.call("compare", "--commits", "HEAD", "HEAD~1", *FRESH[1:]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "'make" in said


def test_two_designs_are_compared(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.program("executor", "elapsed=$((elapsed * 2)); record", design="message-centric")
    designs = ["--design", "worker-centric", "--design", "message-centric"]
    assert checkout.call(*FRESH, *designs, "--", "", "") == 0
    out = capsys.readouterr().out
    assert "faster" in out
    assert "worker-centric (no options)" in out
    assert "message-centric (no options)" in out
    cells = checkout.only_run().head().plan.cells
    assert {cell.design for cell in cells} == {"worker-centric", "message-centric"}
    assert not any(cell.arm for cell in cells)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            [*FRESH, "--design", "own", "--", "", ""],
            "'own' is not one of 'worker-centric'",
        ),
        ([*FRESH, *["--design", "worker-centric"] * 3, "--", "", ""], "it is given 3 times"),
        (["compare"], "compare needs A and B, not 0 of them"),
        (["compare", "x"], "compare needs A and B, not 1 of them"),
        (["compare", "x", "y"], "no run 'x' in results/"),
        (["compare", "--commits", "x", "y"], "needs a --workload"),
        (["compare", "--commits", "x", "y", "--workload", "executor"], "'x' names no commit"),
        (["compare", "--workload", "nothing", "--", "--a b", "--c d"], "no scale for workload 'nothing'"),
        ([*FRESH, "--", "--queue", "--queue list"], "'--queue' is no list of options with their values"),
        ([*FRESH, "--", "--queue 'x", "--queue list"], "is no list of options"),
        ([*FRESH, "--", "--queue x;y", "--queue list"], "does not match"),
        ([*FRESH, "--", "--workers 3", "--queue list"], "the driver's"),
        ([*FRESH, "--run", "x", "--", "--queue copy", "--queue list"], "give one of them"),
    ],
)
def test_mistakes_are_one_line(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    expect_refusal(checkout, capsys, arguments, message)


def test_the_unpaired_ratio() -> None:
    chance = np.random.default_rng(5)
    a, b = list(chance.lognormal(0, 0.1, 20)), list(chance.lognormal(0.5, 0.1, 20))
    one = unpaired_ratio(a, b, seed=1, name="x")
    assert one.low is not None
    assert one.high is not None
    assert one.low < one.ratio < one.high < 1
    assert one.ratio == np.median(a) / np.median(b)
    assert one.p_value < 0.001
    assert unpaired_ratio(a, a, seed=1, name="x").p_value > 0.5
    few = unpaired_ratio(a[:5], b, seed=1, name="x")
    assert (few.low, few.standing) == (None, Standing.TOO_FEW)

"""`actorbench compare` of more than two: the table, who is the best, the picture, and what is refused.

The programs are fakes, in which a list queue takes twice the time of a copy queue.
"""

import csv
import io

import pytest

from actorbench.program_options import read_values
from actorbench.store import all_runs
from conftest import Checkout
from test_compare import FRESH, expect_refusal

THREE = ["--", "--queue copy", "--queue list", "--queue copy --idle spin"]


def test_the_best_of_three(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    assert checkout.call(*FRESH, *THREE) == 0
    out = capsys.readouterr().out
    assert "executor, 2 workers: best, or not told apart from the best: " in out
    assert "(2 of 3)" in out
    assert next(line for line in out.splitlines() if line.startswith("3. --queue list")).split()[-3:] == [
        "slower",
        "than",
        "1-2",
    ]
    run = checkout.only_run()
    assert "/figures/compare.png" in out
    assert {path.name for path in (run.folder / "figures").iterdir()} == {
        f"compare.{suffix}" for suffix in ("svg", "pdf", "png", "pgf")
    }
    assert all(sorted(order) == [0, 1, 2] for order in run.head().plan.rounds)

    assert checkout.call("compare", "--run", run.name) == 0
    assert "(2 of 3)" in capsys.readouterr().out
    assert checkout.call("compare", "--run", run.name, "--csv") == 0
    assert len(list(csv.DictReader(io.StringIO(capsys.readouterr().out)))) == 3
    assert checkout.call("compare", "--run", run.name, "--reference", "--queue list", *THREE[:3]) == 2
    capsys.readouterr()
    shown = ["compare", "--run", run.name, "--measure", "peak_memory", "--reference", "--queue copy"]
    assert checkout.call(*shown) == 0
    out = capsys.readouterr().out
    assert "peak memory (MiB)" in out
    assert "over --queue copy" in out
    named = ["--run", run.name, "--reference", "--queue list", *THREE]
    assert checkout.call("compare", *named) == 0
    assert "over --queue list" in capsys.readouterr().out
    assert checkout.call("figures", "--run", run.name) == 0
    assert checkout.call("replay", run.name) == 0


def test_the_best_of_three_runs(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    names: list[str] = []
    for factor in (1, 3, 2):
        checkout.program("executor", f"elapsed=$((elapsed * {factor})); record")
        checkout.call("sweep", "table", "--workers", "1", "--samples", "8")
        held = {run.name for run in all_runs(checkout.project)}
        names += held - set(names)
    capsys.readouterr()
    assert checkout.call("compare", *names) == 0
    out = capsys.readouterr().out
    assert out.count(f": best: {names[0]}") == 2
    assert "resampled on its own" in out
    assert (checkout.project.results / "+".join(names) / "figures" / "compare.svg").exists()
    assert checkout.call("compare", names[0], names[1], names[0]) == 2
    assert "the same run is given twice" in capsys.readouterr().err


def with_help(checkout: Checkout) -> None:
    """Let the fake say what its options are."""
    path = checkout.root / "build" / "release" / "worker-centric" / "executor"
    said = '--help) echo "  --queue copy|list      how"; echo "  --idle park|spin  what"; exit ;;'
    path.write_text(path.read_text().replace("--help) exit ;;", said))


def test_each_value_of_an_option(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    with_help(checkout)
    assert checkout.call(*FRESH, "--each", "queue", "--each", "idle=park,spin") == 0
    out = capsys.readouterr().out
    assert "(2 of 4)" in out
    for option in ("copy --idle park", "copy --idle spin", "list --idle park", "list --idle spin"):
        assert f"--queue {option}" in out
    for wrong, said in (
        (
            ["--each", "quue"],
            "has no option 'quue' with named values (choices: idle, queue; or --each quue=V",
        ),
        (["--each", "queue", "--", "--a b"], "--each says which options"),
        (["--each", "queue=copy"], "compare needs A and B, not 1"),
    ):
        assert checkout.call(*FRESH, *wrong) == 2
        assert said in capsys.readouterr().err


def test_the_values_that_a_program_prints() -> None:
    said = """executor: what it does

Its parameters
  --actors N                             how many (40000)
  --scale F                              multiplies
  --topology FILE|SYNTHETIC              take another machine's
  --preset caf                           CAF's
  --preset caf-locality                  CAF's other
  --steal none|random|nearest            how (random)
  --show-plan                            print which
"""
    assert read_values(said) == {"preset": ["caf", "caf-locality"], "steal": ["none", "random", "nearest"]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*FRESH, "--reference", "x", *THREE], "reference: no series 'x'"),
        ([*FRESH, *THREE, "--queue list"], "'--queue list' is given twice"),
        ([*FRESH, "--reference", "--queue copy", *THREE[:3]], "--reference is one of more than two"),
        ([*FRESH, *["--design", "worker-centric"] * 2, *THREE], "for each of the 3: it is given 2 times"),
        (["compare", "x", "y", "z"], "no run 'x' in results/"),
    ],
)
def test_mistakes_are_one_line(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    expect_refusal(checkout, capsys, arguments, message)

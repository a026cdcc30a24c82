"""`machine --validate`: the same cells on the host and on its description, and what their error is."""

import json
import shutil
from pathlib import Path

import pytest

from actorbench.simulated.validating import Cell, Checked, summarise
from conftest import SOURCE, Checkout

CELLS = """
schema = 1
workers = [1]
[tune]
cells = ["worker-centric/executor --queue copy"]
[aside]
cells = ["worker-centric/executor --queue list", "worker-centric/static --queue copy"]
"""


def checked(name: str, measured: tuple[float, ...], simulated: float, part: str = "aside") -> Checked:
    return Checked(Cell(part, f"worker-centric/executor {name}", 1), measured, (simulated,) * 3)


@pytest.fixture
def host(checkout: Checkout) -> Checkout:
    """A host whose description takes a fifth less than it does."""
    shutil.copytree(SOURCE / "machine" / "descriptions", checkout.root / "machine" / "descriptions")
    (checkout.root / "machine" / "validation.toml").write_text(CELLS)
    for workload in ("executor", "static"):
        checkout.program(workload, "elapsed=$base; record")
        checkout.program(workload, "elapsed=$((base * 8 / 10)); record", config="simulated")
    return checkout


def only_file(checkout: Checkout) -> Path:
    (found,) = (checkout.root / "results" / "validation").glob("*.jsonl")
    return found


def test_the_error_is_that_of_the_cells_kept_aside(
    host: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert host.call("machine", "--validate", "--rounds", "6") == 0
    shown = capsys.readouterr().out
    assert shown.count("0.80") == 3
    assert "kept aside: 2 cells: median error 20%" in shown
    kept = json.loads((host.root / "machine" / "validated.json").read_text())
    assert "median error was 20%" in kept["told"]
    assert [len(cell["measured"]) for cell in kept["cells"]] == [6, 6, 6]
    assert len(only_file(host).read_text().splitlines()) == 18


def test_what_was_measured_is_not_measured_again(host: Checkout) -> None:
    assert host.call("machine", "--validate", "--rounds", "2") == 0
    file = only_file(host)
    before = file.read_text()
    for workload in ("executor", "static"):
        host.program(workload, "elapsed=$((base * 2)); record")
    assert host.call("machine", "--validate", "--rounds", "3", "--measured", str(file)) == 0
    assert file.read_text().startswith(before)
    kept = json.loads((host.root / "machine" / "validated.json").read_text())
    assert [cell["measured"] for cell in kept["cells"]] == [[100, 100, 200], [200, 200, 400], [100, 100, 200]]


def test_a_part_is_not_kept(host: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    assert host.call("machine", "--validate", "--rounds", "1", "--only", "static") == 0
    assert "not kept" in capsys.readouterr().out
    assert not (host.root / "machine" / "validated.json").exists()


def test_a_cell_that_is_not_there_and_a_program_that_fails(
    host: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert host.call("machine", "--validate", "--only", "matrix") == 2
    assert "'matrix'" in capsys.readouterr().err
    host.program("static", "echo it is broken >&2; exit 1", config="simulated")
    assert host.call("machine", "--validate", "--rounds", "1") == 2
    assert "it is broken" in capsys.readouterr().err


def test_a_verdict_is_the_hosts_where_its_rounds_agree() -> None:
    slow, fast = (
        (3.0, 5.0, 7.0, 3.0, 5.0, 7.0),
        (2.0, 4.0, 6.0, 2.0, 4.0, 6.0),
    )  # in each round, though they overlap
    agreed = summarise([checked("slow", slow, 2), checked("fast", fast, 1)])
    assert (agreed.agreed, agreed.decided) == (1, 1)
    opposed = summarise([checked("slow", slow, 1), checked("fast", fast, 2)])
    assert (opposed.agreed, opposed.decided) == (0, 1)
    undecided = summarise([checked("slow", slow[:5], 1), checked("fast", fast[:5], 2)])
    assert undecided.decided == 0, "five rounds decide nothing"


def test_errors_are_of_medians_and_ninety_is_the_ninth_of_ten() -> None:
    cells = [checked(str(one), (50.0, 100.0 + one, 1000.0), 100 + 2 * one) for one in range(10)]
    found = summarise(cells)
    assert found.median == pytest.approx((4 / 104 + 5 / 105) / 2)
    assert found.ninety == pytest.approx(9 / 109)
    assert found.rank == pytest.approx(1)


def test_the_table_can_be_put_into_a_document(host: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    assert host.call("machine", "--validate", "--rounds", "6", "--markdown") == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("## The host and its description\n")
    assert "| 0.80 |" in " ".join(printed.out.split())
    assert "kept:" in printed.err


def test_only_a_table_can_be_put_into_a_document(host: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    assert host.call("machine", "--calibrate", "--markdown") == 2
    assert "--markdown needs --validate or --costs" in capsys.readouterr().err

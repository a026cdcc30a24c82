"""Worker counts and pinning: what holds where the experiments leave them open, and what overrides them."""

import pytest

from actorbench.worker_counts import worker_counts
from conftest import Checkout


@pytest.mark.parametrize(
    ("cpus", "expected"),
    [
        (1, (1,)),
        (2, (1, 2)),
        (6, (1, 2, 4, 6)),
        (24, (1, 2, 4, 8, 16, 24)),
        (40, (1, 2, 4, 8, 16, 24, 32, 40)),
        (48, (1, 2, 4, 8, 16, 24, 32, 48)),
        (96, (1, 2, 4, 8, 16, 24, 32, 48)),
    ],
)
def test_the_thesis_counts_end_with_the_machine(cpus: int, expected: tuple[int, ...]) -> None:
    found = worker_counts("thesis", cpus)
    assert found.counts == expected
    assert "the thesis' counts" in found.why
    assert "1 CPUs" not in found.why
    assert ("and all" in found.why) == (cpus in (6, 40)), "a count of the machine's own is said to be one"


@pytest.mark.parametrize(
    ("cpus", "expected"),
    [
        (1, (1,)),
        (8, tuple(range(1, 9))),
        (9, (1, 2, 4, 8, 9)),
        (12, (1, 2, 4, 8, 12)),
        (16, (1, 2, 4, 8, 16)),
    ],
)
def test_many_cpus_thin_themselves_out(cpus: int, expected: tuple[int, ...]) -> None:
    found = worker_counts(None, cpus)
    assert found.counts == expected
    assert bool(found.why) == (cpus > 8), "what is left out is said"


def test_a_list_is_taken_as_it_is() -> None:
    assert worker_counts((1, 2, 100), 2).counts == (1, 2, 100)


@pytest.fixture
def twelve_cpus(monkeypatch: pytest.MonkeyPatch) -> None:
    from actorbench.machine.sources import Sources

    monkeypatch.setattr(Sources, "allowed_cpus", lambda _: list(range(12)))
    monkeypatch.setattr("actorbench.machine.facts.Facts.usable_cpus", property(lambda _: 12))


@pytest.mark.usefixtures("twelve_cpus")
def test_a_sweep_says_which_counts_it_leaves_out(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checkout.call("sweep", "lines", "--samples", "1") == 0
    run = checkout.only_run()
    assert {cell.workers for cell in run.head().plan.cells} == {1, 2, 4, 8, 12}
    said = "workers 1,2,4,8,12 (of 1 to 12 the powers of two, and all; --workers takes others)"
    assert said in capsys.readouterr().out
    assert checkout.call("sweep", "--resume", run.name) == 0
    assert said in capsys.readouterr().out, "a resumed run says it, too"


@pytest.mark.usefixtures("twelve_cpus")
@pytest.mark.parametrize("option", ["--workers", "--cores"])
def test_the_thesis_counts_are_asked_for_by_name(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    assert checkout.call("sweep", "lines", "table", option, "thesis", "--samples", "1") == 0
    head = checkout.only_run().head()
    assert head.workers == (1, 2, 4, 8, 12)
    assert "the thesis' counts up to the 12 CPUs here, and all" in capsys.readouterr().out


def test_a_wrong_list_of_counts_is_one_line(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ("0", "1,x", "thesis,1", ""):
        assert checkout.call("sweep", "lines", "--cores", wrong) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert "as in 1,2,4, nor thesis" in error


PINNED = """
schema = 1
id = "pinned"
title = "Pinned"
kind = "table"
workload = "executor"
workers = [1]
options = { pin = "cores" }
columns = ["elapsed"]
[[series]]
label = "as the file says"
[[series]]
label = "list"
options = { queue = "list" }
[[series]]
label = "no runtime"
workload = "floor"
workers = "none"
"""


@pytest.mark.parametrize("pin", ["smt", "four-nodes"])
def test_pin_overrides_what_the_files_say(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], pin: str
) -> None:
    checkout.program("floor", design="worker-centric")
    checkout.experiment(PINNED, "pinned")
    assert checkout.call("sweep", "pinned", "--samples", "2", "--pin", pin) == 0
    out = capsys.readouterr().out
    run = checkout.only_run()
    options = {cell.workload: dict(cell.options) for cell in run.head().plan.cells}
    assert options["executor"]["pin"] == pin
    assert options["floor"] == {}, "a program without workers pins none"
    assert f"--pin {pin}, 2 samples a cell" in out, "the table says so"
    assert "not measured" not in out, "the tables find the cells again"
    assert checkout.call("sweep", "pinned", "--pin", "socket") == 2
    assert "'none', 'cores', 'smt', 'spread', 'four-nodes'" in capsys.readouterr().err


def test_without_pin_the_files_hold(checkout: Checkout) -> None:
    checkout.program("floor", design="worker-centric")
    checkout.experiment(PINNED, "pinned")
    assert checkout.call("sweep", "pinned", "--samples", "1") == 0
    pins = {cell.options for cell in checkout.only_run().head().plan.cells if cell.workload == "executor"}
    assert all(dict(options)["pin"] == "cores" for options in pins)

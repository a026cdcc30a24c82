"""The order of CPUs, for the machines that the thesis measured on, and for this one."""

import shutil
from pathlib import Path

import pytest

from actorbench.cpu_order import ask_program, order_table
from actorbench.errors import UserError
from actorbench.project import Project
from conftest import SOURCE, Checkout

PROGRAM = SOURCE / "build" / "release" / "worker-centric" / "executor"
needs_programs = pytest.mark.skipif(not PROGRAM.exists(), reason="the workload programs are not built")
FAKE_PLAN = r"""printf 'worker CPU node package core thread\n0 0 0 0 0 0\n1 2 0 0 0 1\n'"""


@needs_programs
@pytest.mark.parametrize("cores", [24, 64])
def test_the_thesis_order_on_the_thesis_machines(cores: int) -> None:
    """The cores of the first socket, then their hyper-threads, then the second socket likewise."""
    places = ask_program(Project(SOURCE), PROGRAM, "smt", f"pack:2 numa:1 core:{cores} pu:2")
    assert [place.worker for place in places] == list(range(4 * cores))
    assert len({place.cpu for place in places}) == 4 * cores
    expected = [(package, thread) for package in (0, 1) for thread in (0, 1) for _ in range(cores)]
    assert [(place.package, place.thread) for place in places] == expected
    for start in range(0, 4 * cores, 2 * cores):
        first, second = places[start : start + cores], places[start + cores : start + 2 * cores]
        assert len({place.core for place in first}) == cores
        assert [place.core for place in first] == [place.core for place in second]
    notes = order_table(places, title="x", usable=len(places), workers=None).notes
    assert f"1 to {cores}: cores of package 0" in notes
    assert f"{cores + 1} to {2 * cores}: hyper-threads (thread 1 of each core) of package 0" in notes
    assert f"{2 * cores + 1} to {3 * cores}: cores of package 1" in notes


@needs_programs
def test_the_other_orders() -> None:
    machine = "pack:2 numa:2 core:2 pu:2"
    cores = ask_program(Project(SOURCE), PROGRAM, "cores", machine)
    assert [place.thread for place in cores] == [0] * 8 + [1] * 8
    assert [place.package for place in cores[:8]] == [0] * 4 + [1] * 4
    spread = ask_program(Project(SOURCE), PROGRAM, "spread", machine)
    assert [place.node for place in spread[:8]] == [0, 1, 2, 3, 0, 1, 2, 3]
    four = ask_program(Project(SOURCE), PROGRAM, "four-nodes", "numa:8 core:2 pu:1")
    assert [place.node for place in four] == [0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7]


@needs_programs
def test_a_described_machine_is_printed(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(PROGRAM, checkout.root / "build" / "release" / "worker-centric" / "executor")
    topology = ["--topology", "pack:1 core:2 pu:2"]
    assert checkout.call("cpus", *topology, "--workers", "6") == 0
    out = capsys.readouterr().out
    rows = [line.split() for line in out.splitlines() if line.strip()[:1].isdigit() and "package" not in line]
    assert [row[:2] for row in rows] == [
        ["1", "0"],
        ["2", "2"],
        ["3", "1"],
        ["4", "3"],
        ["5", "0"],
        ["6", "2"],
    ]
    assert ["oversubscribed" in row for row in rows] == [False] * 4 + [True] * 2
    assert checkout.call("cpus", "--pin", "smt", "--topology", "pack:2 core:24 pu:2") == 0
    assert (
        "25 to 48: hyper-threads (thread 1 of each core) of package 0\n49 to 72: cores"
        in capsys.readouterr().out
    )
    assert checkout.call("cpus", "--topology", "no such thing") == 2
    assert "neither a readable hwloc XML file nor a synthetic" in capsys.readouterr().err


def test_a_quota_makes_cells_oversubscribed_earlier(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from actorbench.machine.sources import Sources

    checkout.program("executor", FAKE_PLAN)
    monkeypatch.setattr(Sources, "allowed_cpus", lambda _: [0])
    assert checkout.call("cpus") == 0
    out = capsys.readouterr().out
    assert "cells with more than 1 worker are oversubscribed" in out
    assert out.count("oversubscribed") == 2


def test_a_program_that_prints_no_order(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.program("executor", "echo hello")
    assert checkout.call("cpus") == 2
    assert "printed no order of CPUs" in capsys.readouterr().err
    (checkout.root / "build" / "release" / "worker-centric" / "executor").unlink()
    assert checkout.call("cpus") == 2
    assert "workload 'executor' is not built" in capsys.readouterr().err


def test_a_program_that_cannot_be_run(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be run"):
        ask_program(Project(tmp_path), tmp_path / "missing", "smt", None)

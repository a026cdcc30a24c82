"""Exit statuses: 1 says that a gate found a regression, and nothing else ends with it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from actorbench.cli import listing
from actorbench.store import all_runs
from conftest import PATIENCE_S, SOURCE, Checkout, GateCheckout

HEAD = ("--base", "HEAD", "--candidate", "HEAD", "--cells", "static-self-1")


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    """What was said on stderr: one line."""
    said = capsys.readouterr().err
    assert said.startswith("actorbench: ")
    assert said.count("\n") == 1
    return said


@pytest.mark.parametrize("writable", [True, False])
def test_an_error_of_the_drivers_own_is_one_line_and_kept(
    checkout: Checkout,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    writable: bool,
) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("no\nreason")

    monkeypatch.setattr(listing, "programs", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    if not writable:
        (checkout.root / "results").write_text("a file")
    assert checkout.call("list") == 70
    told = one_line(capsys)
    assert "an error of its own: ZeroDivisionError: no reason; please report it with " in told
    kept = Path(told.split()[-1])
    assert kept.parent == (checkout.root / "results" / "errors" if writable else tmp_path)
    assert kept.read_text().startswith("actorbench 0.1.0: list\n")
    assert "in broken\n" in kept.read_text()


def test_a_program_that_the_system_does_not_start_failed(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    path = checkout.root / "build" / "release" / "worker-centric" / "executor"
    path.write_bytes(b"\x7fELF of another machine")
    assert checkout.call("run", "executor") == 4
    assert one_line(capsys) == "actorbench: executor failed: not started: Exec format error\n"


def test_no_place_for_builds_breaks_the_gate(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    (gate_checkout.root / "build").mkdir()
    (gate_checkout.root / "build" / "commits").write_text("a file")
    assert gate_checkout.call("gate", *HEAD) == 4
    told = capsys.readouterr().out.splitlines()[-1]
    assert told.startswith("BROKEN: build: the base does not build: ")
    assert "build/commits/: cannot be made: File exists" in told


@pytest.mark.parametrize("arguments", [["list"], ["replay", "--help"]])
def test_an_output_that_nobody_reads_is_no_regression(checkout: Checkout, arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "actorbench", *arguments]
    environment = os.environ | {"PYTHONPATH": str(SOURCE / "scripts"), "ACTORBENCH_ROOT": str(checkout.root)}
    done = subprocess.run(
        command, stdout=writer, stderr=subprocess.PIPE, env=environment, timeout=PATIENCE_S, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_missing_library_is_no_regression(checkout: Checkout) -> None:
    """Without the environment's own packages (-S) there is no click."""
    done = subprocess.run(
        [sys.executable, "-S", "-m", "actorbench", "list"],
        env={"PYTHONPATH": str(SOURCE / "scripts"), "ACTORBENCH_ROOT": str(checkout.root)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 70
    assert done.stderr == "actorbench: No module named 'click': make figures installs what is missing\n"


@pytest.mark.parametrize("form", ["junit", "markdown", "json"])
@pytest.mark.parametrize(
    ("place", "why"), [("missing/file", "No such file or directory"), ("file/below", "Not a directory")]
)
def test_a_place_that_can_not_be_written_is_told_before_measuring(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], form: str, place: str, why: str
) -> None:
    (gate_checkout.root / "file").write_text("kept")
    assert gate_checkout.call("gate", *HEAD, f"--{form}", str(gate_checkout.root / place)) == 2
    assert one_line(capsys) == f"actorbench: {gate_checkout.root / place}: cannot be written: {why}\n"
    assert all_runs(gate_checkout.project) == []
    assert not (gate_checkout.root / "build").exists()


def test_looking_for_a_place_leaves_nothing_there(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = gate_checkout.root / "old.xml", gate_checkout.root / "new.json"
    old.write_text("kept")
    link = gate_checkout.root / "link.md"
    link.symlink_to("linked.md")
    for markdown in (link, Path("/dev/null")):
        places = ("--junit", str(old), "--json", str(new), "--markdown", str(markdown))
        assert gate_checkout.call("gate", "--base", "nothing", *places) == 2
        assert "names no commit" in one_line(capsys)
    assert old.read_text() == "kept"
    assert not new.exists()
    assert link.is_symlink()
    assert not link.exists()

"""One sample each of programs that succeed, and of programs that fail in every way."""

import os
import time
from pathlib import Path

import pytest

from conftest import PATIENCE_S, Checkout


def sweep_failure(checkout: Checkout, body: str, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """Sweep with a program that fails; returns the kind and reason of the one failure."""
    checkout.program("executor", body)
    timeout = "0.5" if "sleep" in body else "600"
    status = checkout.call("sweep", "table", "--samples", "1", "--workers", "1", "--timeout", timeout)
    assert status == 4
    samples = checkout.only_run().samples()
    assert len(samples) == 2, "a failed sample does not end the sweep"
    failure = samples[0].failure
    assert failure is not None
    out = capsys.readouterr().out
    assert f"failed: {failure.kind}" in out, "the table says why there is no number"
    assert "2 of 2 cells failed" in out
    return failure.kind, failure.reason


@pytest.mark.parametrize(
    ("body", "kind", "reason"),
    [
        ("kill -SEGV $$", "crash", "SIGSEGV"),
        ("record; kill -KILL $$", "crash", "SIGKILL"),
        ("sleep 60", "timeout", "still running after 0.5 s"),
        ("record; sleep 60", "timeout", "still running after 0.5 s"),
        (":", "bad record", "printed nothing"),
        ("record; record", "bad record", "2 lines"),
        ("echo hello", "bad record", "no JSON"),
        ("echo '{\"schema\":1}'", "bad record", "lacks"),
        ("record | sed s/1048576/-1/", "bad record", "peak_rss_bytes"),
        ("record | sed s/1048576/NaN/", "bad record", "NaN"),
        ("record | sed s/executor/static/", "bad record", "workload 'static'"),
        ("workers=7; record", "bad record", "workers 7"),
        ("record | sed s/release/debug/", "bad record", "build 'debug'"),
        ("record | sed s/worker-centric/actor-centric/", "bad record", "design 'actor-centric'"),
        ("record | sed s/actorbench/caf/", "bad record", "system 'caf'"),
        ("record; exit 2", "exit status", "exit status 2 beside a record"),
        ("record false; exit 1", "wrong result", "wrong"),
        ("record false", "wrong result", "wrong"),
        ("record; exit 1", "wrong result", "wrong"),
        (
            "echo 'executor: --queue foo: no' >&2; exit 2",
            "exit status",
            "exit status 2: executor: --queue foo",
        ),
        ("head -c 3000000 /dev/zero", "bad record", "no JSON"),
    ],
)
def test_a_failure_is_kept_as_data(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], body: str, kind: str, reason: str
) -> None:
    found_kind, found_reason = sweep_failure(checkout, body, capsys)
    assert found_kind == kind
    assert reason in found_reason


def test_a_failure_keeps_the_output_shortened(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    sweep_failure(checkout, "echo first; head -c 50000 /dev/zero | tr '\\0' x; echo last >&2; exit 3", capsys)
    failure = checkout.only_run().samples()[0].failure
    assert failure is not None
    assert failure.stdout.startswith("first")
    assert len(failure.stdout) < 5000
    assert failure.stderr == "last\n"


def test_a_wrong_result_keeps_its_record(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    sweep_failure(checkout, "record false; exit 1", capsys)
    sample = checkout.only_run().samples()[0]
    record = sample.record
    assert record is not None
    assert not record.verified
    assert not sample.ok, "the record is no value"


def test_a_child_that_lives_on_is_ended(checkout: Checkout, tmp_path: Path) -> None:
    note = tmp_path / "child"
    checkout.program("executor", f"sleep 10000 & echo $! > {note}; record")
    start = time.monotonic()
    assert checkout.call("sweep", "table", "--samples", "1", "--workers", "1") == 0
    assert time.monotonic() - start < PATIENCE_S, "the pipe that the child holds open is not waited for"
    child = int(note.read_text())
    deadline = time.monotonic() + PATIENCE_S
    while Path(f"/proc/{child}/stat").exists() and time.monotonic() < deadline:
        if Path(f"/proc/{child}/stat").read_text().split()[2] == "Z":
            break
        time.sleep(0.01)
    else:
        assert not Path(f"/proc/{child}").exists()


def test_a_program_that_vanishes_is_a_failure(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    kind, _ = sweep_failure(checkout, f"rm -f {checkout.root}/build/release/*/executor; exit 3", capsys)
    assert kind == "exit status"
    last = checkout.only_run().samples()[1].failure
    assert last is not None
    assert last.kind == "not started"


def test_the_environment_is_padded_by_chance(checkout: Checkout) -> None:
    checkout.program("executor", "elapsed=$((${#ACTORBENCH_PADDING} + 1)); record")
    assert checkout.call("sweep", "table", "--workers", "1", "--seed", "1") == 0
    samples = checkout.only_run().samples()
    paddings = [sample.padding for sample in samples]
    assert len(set(paddings)) > 1
    assert [sample.record.elapsed_ns - 1 for sample in samples if sample.record] == paddings


def test_nothing_reaches_a_shell(checkout: Checkout, tmp_path: Path) -> None:
    text = (checkout.root / "plots" / "table.toml").read_text()
    checkout.experiment(text.replace('queue = "copy"', 'queue = "x;touch$IFS/tmp"'), "table")
    assert checkout.call("sweep", "table") == 2
    assert not os.path.lexists(tmp_path / "results"), "refused before anything is written"

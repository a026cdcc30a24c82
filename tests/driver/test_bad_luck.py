"""Bad luck in the middle of a sweep: no sample taken is lost, and one line says what happened."""

import errno
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from actorbench import sample as sample_module
from actorbench.lock import FILE_NAME as LOCK_NAME
from actorbench.lock import machine_lock, measuring_lock
from actorbench.machine.sources import Sources
from actorbench.project import Project
from conftest import PATIENCE_S, SOURCE, Checkout
from test_sweep import assert_complete, wait_for_samples

KILLS = 10


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that a refusal says."""
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


def test_killed_at_ten_random_moments_it_ends_complete(checkout: Checkout) -> None:
    """SIGKILL at moments drawn from a seed: while samples are taken, written, or the driver starts."""
    chance = random.Random(20)
    checkout.program("executor", "sleep 0.01; record")
    process = checkout.start("sweep", "lines", "--workers", "1,2", "--samples", "25")
    run = wait_for_samples(checkout, 1)
    for _ in range(KILLS):
        assert process.poll() is None or process.communicate()[1] == "", "it goes on"
        if chance.random() < 0.7:
            wait_for_samples(
                checkout, min(40, run.samples_file.read_bytes().count(b"\n") + chance.randrange(1, 4))
            )
        time.sleep(chance.random() * 0.05)
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL, "it was still at work"
        before = run.samples_file.read_bytes().rpartition(b"\n")[0]
        process = checkout.start("sweep", "--resume", run.name)
        assert run.samples_file.read_bytes().startswith(before)
    _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, err
    assert_complete(checkout.only_run())


def test_a_garbled_last_line_is_put_aside(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.call("sweep", "table", "--workers", "1")
    run = checkout.only_run()
    lines = run.samples_file.read_bytes().splitlines(keepends=True)
    garbled = b"\0" * 300 + b"\n"
    run.samples_file.write_bytes(b"".join(lines[:-1]) + garbled)
    assert len(run.samples()) == 5
    capsys.readouterr()
    assert checkout.call("sweep", "--resume", run.name) == 0
    assert "cut short or garbled (300 bytes)" in capsys.readouterr().out
    assert (run.folder / "put-aside.txt").read_bytes() == garbled
    assert run.samples_file.read_bytes().startswith(b"".join(lines[:-1]))
    assert_complete(run)


def with_files_up_to(size: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the driver where no file may grow over so many bytes, as if the disk were full then."""
    return subprocess.run(
        [sys.executable, "-m", "actorbench", *arguments],
        env=os.environ | {"PYTHONPATH": str(SOURCE / "scripts")},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_full_disk_loses_nothing(checkout: Checkout) -> None:
    """The kernel takes a part of a sample, then no more."""
    done = with_files_up_to(20_000, "sweep", "lines", "--workers", "1,2", "--samples", "20")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    run = checkout.only_run()
    assert f"cannot be written: {os.strerror(errno.EFBIG)}" in done.stderr or "only a part" in done.stderr
    assert f"--resume {run.name}" in done.stderr
    before = run.samples_file.read_bytes()
    assert before.endswith(b"\n")
    assert 5 < before.count(b"\n") < 80
    assert checkout.call("sweep", "--resume", run.name) == 0
    assert run.samples_file.read_bytes().startswith(before)
    assert_complete(run)


def test_no_space_for_the_head_leaves_one_line(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    assert checkout.call("sweep", "table") == 2
    assert "results/: cannot be written: No space left" in one_line(capsys)
    assert [path.name for path in checkout.project.results.iterdir()] == [LOCK_NAME]


@pytest.mark.parametrize("name", ["tables.md", "lines.pdf"])
def test_no_space_for_what_shows_a_run_leaves_no_part_of_it(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Once an empty PNG was left, and a part of a table; the line began with "None"."""
    checkout.once("measured", lambda: checkout.call("sweep", "lines", "--workers", "1", "--samples", "1"))
    run = checkout.only_run()
    sync = os.fsync

    def full(descriptor: int) -> None:
        if Path(f"/proc/self/fd/{descriptor}").readlink().name.startswith(name):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(descriptor)

    capsys.readouterr()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        assert checkout.call("figures", "--run", run.name) == 2
    error = one_line(capsys)
    assert f"/{name}: cannot be written: No space left" in error
    assert error.endswith("./actorbench figures --run RUN writes it again\n")
    assert list(run.folder.rglob(f"{name}*")) == []


@pytest.mark.usefixtures("checkout")
def test_a_lock_needs_no_space() -> None:
    """Once the driver failed there with an error of its own."""
    done = with_files_up_to(0, "run", "executor")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_read_only_results_folder(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    (checkout.root / "results").symlink_to("/proc")
    assert checkout.call("sweep", "table") == 2
    assert "results/: cannot be written" in one_line(capsys)


def test_results_that_became_read_only_are_kept(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout.call("sweep", "table", "--workers", "1")
    run = checkout.only_run()
    lines = run.samples_file.read_bytes().splitlines(keepends=True)
    run.samples_file.write_bytes(b"".join(lines[:3]))
    capsys.readouterr()
    really_open = os.open

    def read_only(path: str | Path, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if str(path).endswith("samples.jsonl"):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return really_open(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", read_only)
    assert checkout.call("sweep", "--resume", run.name) == 2
    assert "Read-only file system; nothing taken before is lost" in one_line(capsys)
    assert run.samples_file.read_bytes() == b"".join(lines[:3])


def test_a_child_in_a_session_of_its_own_is_ended(checkout: Checkout, tmp_path: Path) -> None:
    note = tmp_path / "child"
    checkout.program("executor", f"setsid sh -c 'echo $$ > {note}; exec sleep 10000' & sleep 0.2; record")
    start = time.monotonic()
    assert checkout.call("sweep", "table", "--samples", "1", "--workers", "1") == 0
    assert time.monotonic() - start < PATIENCE_S, "the pipe that the child holds open is not waited for"
    assert not Path(f"/proc/{int(note.read_text())}").exists()


def test_a_vanished_cpu_is_refused(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sources, "allowed_cpus", lambda _: [0, 1, 6])
    checkout.call("sweep", "table", "--workers", "1")
    run = checkout.only_run()
    run.samples_file.write_bytes(run.samples_file.read_bytes().splitlines(keepends=True)[0])
    before = run.samples_file.read_bytes()
    capsys.readouterr()
    monkeypatch.setattr(Sources, "allowed_cpus", lambda _: [0, 1])
    assert checkout.call("sweep", "--resume", run.name) == 2
    assert "CPU 6 is gone" in one_line(capsys)
    assert run.samples_file.read_bytes() == before
    monkeypatch.setattr(Sources, "allowed_cpus", lambda _: [0, 1, 6, 7])
    assert checkout.call("sweep", "--resume", run.name) == 0
    assert_complete(run)


def test_a_complete_run_is_shown_whatever_cpus_there_are(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout.call("sweep", "table", "--workers", "1")
    monkeypatch.setattr(Sources, "allowed_cpus", lambda _: [77])
    assert checkout.call("sweep", "--resume", checkout.only_run().name) == 0


class BackwardClock(datetime):
    """A wall clock that is set back by a day at every look."""

    looks = 0

    @classmethod
    def now(cls, tz: object = None) -> "BackwardClock":
        """A day before the last look."""
        assert tz is UTC
        cls.looks += 1
        day = datetime.fromtimestamp(1.7e9, UTC) - timedelta(days=cls.looks)
        return cls(day.year, day.month, day.day, tzinfo=UTC)


def test_a_clock_set_back_changes_no_duration(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample_module, "datetime", BackwardClock)
    assert checkout.call("sweep", "table", "--workers", "1") == 0
    run = checkout.only_run()
    samples = [json.loads(line) for line in run.samples_file.read_text().splitlines()]
    started = [sample["started"] for sample in samples]
    assert started == sorted(started, reverse=True), "the clock did go back"
    assert all(0 < sample["wall_ns"] < 60e9 for sample in samples)
    assert_complete(run)


def test_another_checkout_is_refused_too(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    with measuring_lock(Project(other)):
        assert checkout.call("sweep", "table") == 2
    said = one_line(capsys)
    assert "another command is measuring on this machine" in said
    assert str(other) in said
    assert checkout.call("sweep", "table") == 0


def test_a_lock_that_is_a_link_is_not_followed(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    target = checkout.root / "precious"
    target.write_text("precious")
    machine_lock().symlink_to(target)
    assert checkout.call("sweep", "table") == 2
    assert "cannot be written" in one_line(capsys)
    assert target.read_text() == "precious"

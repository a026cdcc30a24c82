"""What ends a command and what does not: a slow one gets on, one that sleeps or spins for ever does not."""

import sys
import time
from pathlib import Path

import check
import progress
import pytest

SLOWLY = "for i in 1 2 3 4 5 6 7 8; do sleep 0.2; echo $i; done"
SPIN = "while :; do :; done"
# Kept from the CPU, and so neither idle nor spinning: 5 ms of work in each 20.
KEPT_BACK = """
import time
end = time.monotonic() + 2
while time.monotonic() < end:
    start = time.process_time()
    while time.process_time() - start < 0.005:
        pass
    time.sleep(0.015)
"""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that a test can wait for."""
    monkeypatch.setattr(progress, "LOOK_S", 0.1)
    monkeypatch.setattr(progress, "IDLE_S", 1.0)
    monkeypatch.setattr(progress, "CPU_S", 1.0)


def suite(script: str) -> check.Suite:
    return check.Suite("fake", ["sh", "-c", script])


def is_running(process: int) -> bool:
    """Whether it is there, and no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_slow_progress_is_progress() -> None:
    start = time.monotonic()
    outcome = check.run(suite(SLOWLY))
    assert time.monotonic() - start > 1.5
    assert (outcome.passed, outcome.failed) == (1, 0)


def test_who_is_kept_from_the_cpu_is_waited_for() -> None:
    """It says nothing for longer than it may be idle, and uses less CPU time than it may."""
    ended = progress.run([sys.executable, "-c", KEPT_BACK])
    assert (ended.stuck, ended.returncode) == (None, 0)


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo begun; sleep 1000", "no progress: idle for 1."),
        ("echo begun; while :; do sleep 0.3; done", "no progress: idle for 1."),
        (f"echo begun; {SPIN}", "no progress: nothing said in 1."),
        (f"echo begun; exec >/dev/null 2>&1; {SPIN}", "no progress: nothing said in 1."),
        (f"echo begun; setsid sh -c '{SPIN}'", "no progress: nothing said in 1."),
        ("echo begun; sleep 1000 &", "no progress: idle for 1."),
    ],
    ids=[
        "sleeps",
        "sleeps between looks",
        "spins",
        "spins unheard",
        "a child spins",
        "a child is left behind",
    ],
)
def test_who_makes_none_is_ended(script: str, why: str) -> None:
    outcome = check.run(suite(script))
    assert (outcome.passed, outcome.failed) == (0, 1)
    assert outcome.output.startswith(why)
    assert outcome.output.endswith("begun\n")


@pytest.mark.parametrize("how", ["", "setsid"])
def test_no_child_is_left_behind(tmp_path: Path, how: str) -> None:
    note = tmp_path / "child"
    ended = progress.run(["sh", "-c", f"{how} sh -c 'echo $$ > {note}; exec sleep 1000' & wait"])
    assert ended.stuck is not None
    assert not is_running(int(note.read_text()))


def test_both_streams_and_the_status_are_told() -> None:
    ended = progress.run(["sh", "-c", "echo out; echo err >&2; exit 3"])
    assert (ended.returncode, ended.stdout, ended.stderr, ended.stuck) == (3, "out\n", "err\n", None)


def test_cpu_time_is_that_of_all_children() -> None:
    spin = f"{sys.executable} -c 'import time\nwhile time.process_time() < 0.3: pass'"
    assert progress.run(["sh", "-c", f"{spin}; {spin}"]).cpu_s >= 0.6


def test_a_suite_that_is_missing_fails() -> None:
    outcome = check.run(check.Suite("fake", ["build/none-such"]))
    assert (outcome.passed, outcome.failed) == (0, 1)
    assert "is missing" in outcome.output


def test_failures_are_shown_again_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fails = check.Suite("fails", ["sh", "-c", "echo first; seq 100; exit 1"])
    monkeypatch.setattr(check, "suites", lambda: [fails, suite("sleep 0.2")])
    assert check.main() == 1
    said = capsys.readouterr().out.splitlines()
    assert "first" in said
    last = said.index("failed: fails")
    assert said[last + 1 : last + 21] == [str(number) for number in range(81, 101)]
    assert said[-1] == "1 passed, 1 failed, 0 skipped"


def test_a_design_that_make_knows_has_its_suites() -> None:
    names = {suite.name for suite in check.suites()}
    for folder in (check.ROOT / "core").glob("*_centric"):
        design = folder.name.replace("_", "-")
        for config in check.of_make("CHECKED"):
            assert f"{config}: {design} conservation" in names
    with pytest.raises(ValueError, match="nothing of NONE_SUCH"):
        check.of_make("NONE_SUCH")

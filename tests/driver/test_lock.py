"""The lock: two commands that measure at once would measure each other."""

import pytest

from actorbench import commits
from actorbench.gate import arms
from actorbench.lock import FILE_NAME, measuring_lock
from actorbench.store import all_runs
from conftest import PATIENCE_S, Checkout, GateCheckout

GATE = ["gate", "--base", "HEAD", "--candidate", "HEAD", "--cells", "static-self-1", "--budget", "0.05"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["sweep", "table"],
        ["figures", "table"],
        ["compare", "--workload", "executor", "--", "--queue copy", "--queue list"],
        ["compare", "--commits", "HEAD", "HEAD", "--workload", "executor"],
        ["run", "executor"],
        GATE,
        ["gate", "--aa", "1", "--cells", "static-self-1"],
        ["trend", "--measure", "1"],
        ["bisect", "HEAD~1"],
    ],
)
def test_who_comes_second_is_refused(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    """Before it builds anything, and before it leaves a run behind."""
    gate_checkout.program("executor")
    with measuring_lock(gate_checkout.project):
        assert gate_checkout.call(*arguments) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert error.startswith("actorbench: another command is measuring here (process ")
    assert error.endswith("wait for it (--wait), or stop it\n")
    assert [path.name for path in gate_checkout.project.results.iterdir()] == [FILE_NAME]
    assert not (gate_checkout.root / "build" / "commits").exists()


def test_who_waits_goes_on_when_the_other_ends(checkout: Checkout) -> None:
    with measuring_lock(checkout.project):
        process = checkout.start("sweep", "table", "--workers", "1", "--wait")
        assert process.stderr is not None
        told = process.stderr.readline()
        assert told.startswith("actorbench: another command is measuring here (process ")
        assert told.endswith("): waiting for it\n")
        assert all_runs(checkout.project) == []
    _, error = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, error) == (0, "")
    assert len(checkout.only_run().samples()) == 6


def test_what_measures_nothing_needs_no_lock(checkout: Checkout) -> None:
    checkout.call("sweep", "table", "--workers", "1")
    with measuring_lock(checkout.project):
        assert checkout.call("figures", "--run", checkout.only_run().name) == 0
        assert checkout.call("sweep", "table", "--dry-run") == 0


def test_the_lock_is_held_while_a_gate_builds(
    gate_checkout: GateCheckout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build = commits.build_commit
    seen: list[int] = []

    def watched(*arguments: object, **named: str) -> None:
        seen.append(gate_checkout.call(*GATE))
        build(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(arms, "build_commit", watched)
    assert gate_checkout.call(*GATE) == 3
    assert seen == [2, 2, 2]
    assert "another command is measuring here" in capsys.readouterr().err
    with measuring_lock(gate_checkout.project):
        pass  # the gate has given it back


def test_a_lock_is_given_back_after_an_error(checkout: Checkout) -> None:
    checkout.program("executor", "exit 2")
    assert checkout.call("run", "executor") == 2
    with measuring_lock(checkout.project):
        pass

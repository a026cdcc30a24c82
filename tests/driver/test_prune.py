"""Pruning: what is old goes, what a document names stays, and nothing goes unless it is told to."""

import os
import time
from pathlib import Path

import pytest

from actorbench.lock import measuring_lock
from actorbench.store import create_run
from conftest import Checkout, GateCheckout

DAY_S = 86400
OLD_DAYS = 31


def aged(folder: Path, days: float = OLD_DAYS) -> None:
    """Let nothing of a folder have been written to for so long."""
    then = time.time() - days * DAY_S
    for path in (*folder.rglob("*"), folder):
        os.utime(path, (then, then), follow_symlinks=False)


def run(checkout: Checkout, label: str, days: float = OLD_DAYS, **head: object) -> Path:
    """Make a run that is so old."""
    folder = create_run(checkout.project, label, {"kind": "sweep", **head}).folder
    (folder / "samples.jsonl").write_text("x" * 100_000)
    aged(folder, days)
    return folder


def builds(checkout: Checkout) -> dict[str, Path]:
    """The builds of commits, by their names."""
    return {path.name: path for path in (checkout.root / "build" / "commits").glob("*")}


def test_nothing_is_deleted_unless_told_to(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    old, young = run(checkout, "old"), run(checkout, "young", 29)
    assert checkout.call("prune") == 0
    said = capsys.readouterr().out
    assert old.name in said
    assert young.name not in said
    assert "31.0" in said
    assert "1 folders, 0.1 MiB: nothing was deleted; delete them with --yes" in said
    assert old.exists()
    assert checkout.call("prune", "--yes") == 0
    assert "deleted 1 folders, 0.1 MiB" in capsys.readouterr().out
    assert not old.exists()
    assert young.exists()
    assert checkout.call("prune", "--yes") == 0
    assert "deleted 0 folders" in capsys.readouterr().out


def test_the_age_is_the_users(checkout: Checkout) -> None:
    young = run(checkout, "young", 0.2)
    assert checkout.call("prune", "--yes", "--older-than", "5h") == 0
    assert young.exists()
    assert checkout.call("prune", "--yes", "--older-than", "4h") == 0
    assert not young.exists()


def test_a_run_that_was_resumed_lately_is_not_old(checkout: Checkout) -> None:
    folder = run(checkout, "old")
    (folder / "samples.jsonl").write_text("more")
    assert checkout.call("prune", "--yes") == 0
    assert folder.exists()


def test_what_a_file_under_git_names_stays(gate_checkout: GateCheckout) -> None:
    cited, own = run(gate_checkout, "cited"), run(gate_checkout, "own")
    (own / "tables.md").write_text(f"run {own.name}")
    aged(own)
    (gate_checkout.root / "docs").mkdir(exist_ok=True)
    (gate_checkout.root / "docs" / "a.md").write_text(f"as in results/{cited.name}.")
    gate_checkout.commit()
    assert gate_checkout.call("prune", "--yes") == 0
    assert cited.exists()
    assert not own.exists(), "what a run says of itself is no document"


def test_kept_runs_stay(checkout: Checkout) -> None:
    kept = checkout.project.kept_runs / "20260101T000000Z-x"
    kept.mkdir(parents=True)
    (kept / "run.json").write_text("{}")
    aged(kept)
    assert checkout.call("prune", "--yes") == 0
    assert (kept / "run.json").exists()


def test_what_was_learnt_stays(checkout: Checkout) -> None:
    folders = ("history", "medians", "campaigns", "errors")
    learnt = [checkout.root / "results" / name / "x" for name in folders]
    for path in learnt:
        path.parent.mkdir(parents=True)
        path.touch()
    aged(checkout.root / "results")
    assert checkout.call("prune", "--yes") == 0
    assert all(path.exists() for path in learnt)


def test_old_builds_go_and_git_forgets_them(gate_checkout: GateCheckout) -> None:
    gate = ("gate", "--base", "HEAD", "--cells", "static-self-1", "--budget", "0.05")
    assert gate_checkout.call(*gate) == 3
    gate_checkout.commit("record # other")
    other = gate_checkout.root / "build" / "commits" / "mine"
    other.mkdir()
    for folder in builds(gate_checkout).values():
        aged(folder)
    assert gate_checkout.call(*gate) == 3, "which uses none of them"
    long_ago = time.time() - DAY_S
    old = [name for name, path in builds(gate_checkout).items() if path.lstat().st_mtime < long_ago]
    assert gate_checkout.call("prune", "builds", "--yes") == 0
    left = builds(gate_checkout)
    assert len(old) == 4
    assert left.keys() & set(old) == {"mine"}, "what is no build of a commit is not ours to delete"
    assert len(left) == 4
    known = gate_checkout.git("worktree", "list", "--porcelain")
    assert known.count("worktree ") == 1 + 3
    assert len(list(gate_checkout.project.results.glob("*-gate*"))) == 2
    assert gate_checkout.call(*gate) == 3, "what is left is of use"


def test_a_build_is_as_young_as_its_last_use(gate_checkout: GateCheckout) -> None:
    gate = ("gate", "--base", "HEAD", "--cells", "static-self-1", "--budget", "0.05")
    assert gate_checkout.call(*gate) == 3
    for folder in builds(gate_checkout).values():
        aged(folder)
    assert gate_checkout.call(*gate) == 3
    assert gate_checkout.call("prune", "--yes") == 0
    assert len(builds(gate_checkout)) == 3


@pytest.mark.parametrize(("what", "left"), [("runs", [False, True]), ("builds", [True, False])])
def test_one_kind_alone(checkout: Checkout, what: str, left: list[bool]) -> None:
    old = run(checkout, "old")
    build = checkout.root / "build" / "commits" / "0123456789ab"
    build.mkdir(parents=True)
    aged(build)
    assert checkout.call("prune", what, "--yes") == 0
    assert [old.exists(), build.exists()] == left


def test_nothing_is_deleted_under_who_measures(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    old = run(checkout, "old")
    with measuring_lock(checkout.project):
        assert checkout.call("prune", "--yes") == 2
        assert "another command is measuring" in capsys.readouterr().err
        assert old.exists()
        assert checkout.call("prune") == 0


def test_what_can_not_be_deleted_is_one_line(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    old = run(checkout, "old")

    def refuse(path: str, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("shutil.rmtree", refuse)
    assert checkout.call("prune", "--yes") == 2
    said = capsys.readouterr().err
    assert f"{old.name}: cannot be deleted: Permission denied" in said
    assert said.count("\n") == 1

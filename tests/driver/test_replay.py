"""Replaying: the command of every point, as it ran, ready for a shell."""

import subprocess

import pytest

from conftest import PATIENCE_S, Checkout


def test_every_point_has_its_command(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.call("sweep", "lines", "ratios", "--workers", "1,2")
    run = checkout.only_run()
    capsys.readouterr()
    assert checkout.call("replay", run.name, "lines") == 0
    said = capsys.readouterr().out
    assert said.splitlines() == [
        f"# Executor: queues (lines), run {run.name}",
        "# copy, 1 worker",
        "build/release/worker-centric/executor --workers 1 --scale 0.5 --queue copy --json",
        "# copy, 2 workers",
        "build/release/worker-centric/executor --workers 2 --scale 0.5 --queue copy --json",
        "# list, 1 worker",
        "build/release/worker-centric/executor --workers 1 --scale 0.5 --queue list --json",
        "# list, 2 workers",
        "build/release/worker-centric/executor --workers 2 --scale 0.5 --queue list --json",
    ]
    assert checkout.call("replay", run.name) == 0
    both = capsys.readouterr().out
    assert both.startswith(said)
    assert "# copy against list, 1 worker: candidate\n" in both


def test_a_shell_runs_what_replay_prints(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    text = (checkout.root / "plots" / "lines.toml").read_text()
    checkout.experiment(text.replace('"copy"', '"c $(touch taken) `touch taken`; touch taken"', 1), "lines")
    checkout.call("sweep", "lines", "--workers", "1")
    capsys.readouterr()
    assert checkout.call("replay", checkout.only_run().name) == 0
    script = capsys.readouterr().out
    done = subprocess.run(
        ["sh"],
        input=script,
        cwd=checkout.root,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    )
    assert done.stdout.count('"workload":"executor"') == 2
    assert not (checkout.root / "taken").exists()


def test_a_gate_of_commands_is_replayed_as_it_ran(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.program("old")
    commands = [f"./build/release/worker-centric/old --queue {queue} --json" for queue in ("copy", "list")]
    sides = ("--base-command", commands[0], "--candidate-command", commands[1])
    assert checkout.call("gate", *sides, "--budget", "0.05") == 3
    run = checkout.only_run()
    capsys.readouterr()
    assert checkout.call("replay", run.name) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"# {commands[1]} against {commands[0]}, run {run.name}",
        "# command: base",
        commands[0],
        "# command: candidate",
        commands[1],
        "# command: null",
        commands[0],
    ]
    assert checkout.call("report", run.name) == 0
    assert "--json --json" not in (run.folder / "report.html").read_text()


def test_another_experiment_is_refused(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.call("sweep", "table", "--workers", "1")
    name = checkout.only_run().name
    capsys.readouterr()
    assert checkout.call("replay", name, "lines") == 2
    assert f"run {name} holds no experiment 'lines' (choices: table)" in capsys.readouterr().err

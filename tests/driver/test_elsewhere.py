"""Sweeps on other machines: submitted, killed, gone on with, and never mixed."""

import json
import shutil
import subprocess

import pytest

from actorbench.cli import elsewhere
from actorbench.elsewhere import ssh
from actorbench.store import Run
from actorbench.sweep import InterruptedSweepError
from conftest import PATIENCE_S, Checkout
from made_cluster import Cluster, cluster, wait_until
from test_sweep import assert_complete

__all__ = ["cluster"]
SWEEP = ["sweep", "table", "--workers", "1", "--samples", "1"]


def samples_of(run: Run) -> int:
    """How many lines of samples a run has."""
    return run.samples_file.read_bytes().count(b"\n") if run.samples_file.exists() else 0


def error_of(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that is said on stderr."""
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


def test_a_sweep_over_two_nodes_is_killed_and_goes_on(
    cluster: Cluster, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout = cluster.checkout
    checkout.program("executor", "sleep 0.3; record")
    cluster.hold("node2")
    submitter = checkout.start(*SWEEP, "--on", "slurm")
    wait_until(lambda: "node1" in cluster.runs() and samples_of(cluster.runs()["node1"]))
    submitter.kill()
    submitter.communicate(timeout=PATIENCE_S)
    assert len(cluster.arrays()) == 2, "an array a node"
    subprocess.run(["scancel", "1"], check=True)
    subprocess.run(["scancel", "2"], check=True)
    wait_until(lambda: "interrupted" in (cluster.runs()["node1"].folder / "jobs" / "0.log").read_text())
    before = cluster.runs()["node1"].samples_file.read_text()
    assert not cluster.runs()["node2"].samples_file.exists()

    checkout.program("executor")
    cluster.release("node2")
    name = cluster.runs()["node1"].name
    assert checkout.call("sweep", "--resume", name, "--on", "slurm") == 0
    said = capsys.readouterr().out
    assert f"go on without this command; to watch them again: ./actorbench sweep --resume {name}" in said
    assert "\nnode1  samples 2 of 2  no job\nnode2  samples 2 of 2  no job\n" in said
    runs = cluster.runs()
    assert runs["node1"].samples_file.read_text().startswith(before), "what was taken stays as it was"
    for node, run in runs.items():
        assert_complete(run)
        assert run.head().elsewhere == {"on": "slurm", "machine": node, "host": node}
        assert f"run {run.name}" in said
    assert runs["node1"].head().plan.rounds == runs["node2"].head().plan.rounds, "one seed for both"
    assert [("--nodelist=node1" in one, "--nodelist=node2" in one) for one in cluster.arrays()] == [
        (True, False),
        (False, True),
    ] * 2
    assert all("--exclusive" in one for one in cluster.arrays())
    # Nothing is missing any more, so nothing is submitted.
    assert checkout.call("sweep", "--resume", name, "--on", "slurm") == 0
    assert len(cluster.arrays()) == 4


def test_only_what_is_missing_and_not_queued_is_submitted(
    cluster: Cluster, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise InterruptedSweepError

    monkeypatch.setattr(elsewhere, "watch", stopped)
    cluster.hold("node1")
    checkout = cluster.checkout
    assert checkout.call("sweep", "table", "--samples", "41", "--on", "slurm:node1") == 130
    name = cluster.runs()["node1"].name
    said = capsys.readouterr().out
    assert f"the jobs go on; watch them with: ./actorbench sweep --resume {name} --on slurm\n" in said
    assert f"end them with: scancel --name=actorbench-{name}\n" in said
    assert f"--array={','.join(map(str, range(14)))}%1" in cluster.arrays()[0]
    script = (cluster.folder / "1" / "script").read_text()
    assert '--rounds "$((3 * SLURM_ARRAY_TASK_ID + 1))-$((3 * SLURM_ARRAY_TASK_ID + 3))"' in script
    for job in (3, 7):
        (cluster.folder / "1" / f"{job}.left").unlink()
    assert checkout.call("sweep", "--resume", name, "--on", "slurm") == 130
    assert "--array=3,7%1" in cluster.arrays()[1]
    assert checkout.call("sweep", "--resume", name, "--on", "slurm") == 130
    assert len(cluster.arrays()) == 2
    for array in ("1", "2"):
        subprocess.run(["scancel", array], check=True)


def test_hosts_by_ssh_measure_in_their_checkouts_and_the_runs_come_here(
    cluster: Cluster, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout = cluster.checkout
    hosts = [f"{name}:{checkout.root.parent / f'{checkout.root.name}-{name}'}" for name in ("one", "two")]
    for host in hosts:
        shutil.copytree(checkout.root, host.partition(":")[2], symlinks=True)
    assert checkout.call(*SWEEP, "--on", f"ssh:{','.join(hosts)}") == 0
    said = capsys.readouterr().out
    runs = cluster.runs()
    assert sorted(runs) == ["one", "two"]
    for host, (name, run) in zip(hosts, sorted(runs.items()), strict=True):
        assert_complete(run)
        assert run.head().elsewhere["host"] == name
        assert Checkout(checkout.root.parent / f"{checkout.root.name}-{name}").only_run().name == run.name
        assert f"{host}  samples 2 of 2" in said
    assert f"figures --run {runs['one'].name} --run {runs['two'].name}" in said
    # What a host has lost is not put in the place of what is here.
    run = runs["two"]
    kept = run.samples_file.read_text().splitlines(keepends=True)
    run.samples_file.write_text("".join(kept[:-1]))
    shutil.rmtree(hosts[1].partition(":")[2] + "/results")
    assert checkout.call("sweep", "--resume", run.name, "--on", "ssh") == 2
    assert "its run is gone there; go on with: ./actorbench sweep --resume" in error_of(capsys)
    assert run.samples_file.read_text() == "".join(kept[:-1])


def test_of_a_host_that_shares_the_folder_nothing_is_copied(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copied(*_: object) -> None:
        raise AssertionError("the copy would take the place of the file that the job adds to")

    monkeypatch.setattr(ssh, "_copy", copied)
    assert cluster.checkout.call(*SWEEP, "--on", "ssh:one") == 0
    assert_complete(cluster.runs()["one"])


def test_rounds_of_a_run_are_taken_alone_and_on_its_machine_only(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    errand = checkout.project.results / "a-node1"
    asked = {"experiments": ["table"], "preset": "quick", "samples": 3, "workers": [1], "seed": 7}
    rest = dict.fromkeys(("only", "budget", "precision", "pin"))
    flags = {"timeout": 9.0, "void_disturbed": False, "retry_failed": False}
    document = {"schema": 1, "on": "slurm", "machine": "node1", "together": "a-node1", "rounds": 3, "jobs": 3}
    (errand / "jobs").mkdir(parents=True)
    (errand / "errand.json").write_text(json.dumps({**document, "asked": {**asked, **rest, **flags}}))
    monkeypatch.setenv("SLURMD_NODENAME", "node1")
    assert checkout.call("sweep", "--resume", "a-node1") == 2
    assert "node1 has not planned this run yet; go on with: ./actorbench sweep" in error_of(capsys)
    assert checkout.call("sweep", "--resume", "a-node1", "--rounds", "2-3") == 0
    run = Run(errand)
    assert {sample.round for sample in run.samples()} == {1, 2}
    assert run.head().seed == 7
    assert not (checkout.project.results / ".lock").exists(), "other machines measure in this checkout, too"

    monkeypatch.setenv("SLURMD_NODENAME", "node2")
    capsys.readouterr()
    with run.samples_file.open("a") as file:
        file.write("being written")
    assert checkout.call("sweep", "--resume", "a-node1", "--rounds", "1") == 2
    assert "is of machine node1, and this is node2: samples of two machines are never mixed; go on with:" in (
        error_of(capsys)
    )
    assert run.samples_file.read_text().endswith("being written"), "node1 may be at it"
    assert len(run.samples()) == 4
    monkeypatch.setenv("SLURMD_NODENAME", "node1")
    assert checkout.call("sweep", "--resume", "a-node1") == 0
    assert_complete(run)


def test_another_cpu_is_another_machine(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.call(*SWEEP)
    run = checkout.only_run()
    document = run.document()
    document["machine"]["cpu_model"] = "Another CPU"
    (run.folder / "run.json").write_text(json.dumps(document))
    run.samples_file.write_text("")
    capsys.readouterr()
    assert checkout.call("sweep", "--resume", run.name) == 2
    assert "was planned for another CPU, Another CPU: resume it there" in error_of(capsys)


def test_a_job_that_fails_says_why(cluster: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    checkout = cluster.checkout
    (checkout.root / "actorbench").write_text(
        "#!/bin/sh\necho 'actorbench: no such thing here' >&2\nexit 2\n"
    )
    assert checkout.call(*SWEEP, "--on", "slurm:node1") == 130
    said = capsys.readouterr().out
    assert (
        "node1 lacks everything, even the plan, and has no job left; the last one said: actorbench: no"
        in said
    )
    assert f"go on with: ./actorbench sweep --resume {cluster.runs()['node1'].name} --on slurm" in said


def test_a_failed_cell_is_told_and_taken_again(cluster: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    checkout = cluster.checkout
    checkout.program("executor", "record false")
    assert checkout.call(*SWEEP, "--on", "slurm:node2") == 4
    run = cluster.runs()["node2"]
    again = f"./actorbench sweep --resume {run.name} --on slurm --retry-failed"
    assert f"take them again with: {again}" in capsys.readouterr().out
    checkout.program("executor")
    assert checkout.call(*again.split()[1:]) == 0
    assert all(sample.ok for sample in run.samples())
    assert "--array=0%1" in cluster.arrays()[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--on", "pbs"], "--on 'pbs': is none of slurm, slurm:NODE,NODE and ssh:HOST,HOST"),
        (["--on", "ssh"], "--on 'ssh': is none of"),
        (["--on", "ssh:-oProxyCommand=x"], "'-oProxyCommand=x' is no host"),
        (
            ["--on", "ssh:lost"],
            "--on ssh: lost can't be reached: ssh: connect to host lost port 22: No route",
        ),
        (["--on", "slurm:node3"], "--on slurm: node3: sbatch: error: Invalid node name specified"),
        (["--on", "slurm", "--budget", "5s"], "--on: --budget makes no sense with it: a calibration is"),
        (["--on", "slurm", "--precision", "2%"], "--on: --precision makes no sense with it: intervals"),
        (["--on", "slurm", "--dry-run"], "--on: --dry-run makes no sense with it"),
        (["--on", "slurm", "--rounds", "1"], "--on: --rounds makes no sense with it"),
        (["--rounds", "1"], "--rounds is for a run that has a plan: --resume names it"),
        (["--rounds", "3-2"], "'3-2' are no rounds, counted from 1, as in 3-7"),
        (["--on", "slurm", "--samples", "0"], "0 is not in the range"),
    ],
)
def test_a_mistake_is_one_line_and_leaves_nothing(
    cluster: Cluster, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert cluster.checkout.call("sweep", "table", *arguments) == 2
    assert message in error_of(capsys)
    assert cluster.runs() == {}
    assert not list(cluster.checkout.project.results.glob("*"))


def test_a_cluster_is_not_taken_whole_unasked_nor_where_there_is_none(
    cluster: Cluster, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (cluster.folder / "nodes").write_text("".join(f"node{number}\n" for number in range(9)))
    assert cluster.checkout.call(*SWEEP, "--on", "slurm") == 2
    assert "has 9 nodes: name those that are to measure, as in --on slurm:node0,node1" in error_of(capsys)
    cluster.checkout.call(*SWEEP)
    name = cluster.checkout.only_run().name
    capsys.readouterr()
    assert cluster.checkout.call("sweep", "--resume", name, "--on", "slurm") == 2
    assert f"run '{name}' was not started with --on slurm" in error_of(capsys)
    (cluster.checkout.root / "bin" / "sinfo").unlink()
    monkeypatch.setenv("PATH", str(cluster.checkout.root / "bin"))
    assert cluster.checkout.call(*SWEEP, "--on", "slurm") == 2
    assert "--on slurm: sinfo is not on PATH" in error_of(capsys)

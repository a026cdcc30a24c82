"""The command line: what a user gets wrong is one line and status 2; what is right is shown."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from actorbench.cli import actorbench
from actorbench.store import all_runs
from conftest import SOURCE, Checkout

MISTAKES = [
    (["frobnicate"], "No such command 'frobnicate'"),
    (["sweep"], "sweep needs an experiment"),
    (["sweep", "nothing"], "no experiment 'nothing' in plots/ (choices: lines, ratios, table,"),
    (["sweep", "ratio"], "no experiment 'ratio' in plots/, did you mean 'ratios'? (choices: lines, ratios,"),
    (
        ["sweep", "executor"],
        "'executor' is a workload, not an experiment: ./actorbench run executor runs it once,"
        " and these measure it: lines, ratios, table",
    ),
    (
        ["sweep", "executer"],
        "no experiment 'executer' in plots/, did you mean the workload 'executor'?"
        " ./actorbench run executor runs it once, and these measure it: lines, ratios, table",
    ),
    (["figures", "no_such"], "no experiment 'no_such' in plots/ (choices: lines, ratios, table,"),
    (["sweep", "missing.toml"], "no experiment file 'missing.toml'"),
    (
        ["sweep", "lines", "--preset", "slow"],
        "no preset 'slow' in presets.toml (choices: quick, simulated, thesis)",
    ),
    (["sweep", "lines", "--workers", "0"], "'0' is not a list of whole numbers from 1 to 4096"),
    (["sweep", "lines", "--workers", "1,x"], "'1,x' is not a list"),
    (["sweep", "lines", "--workers", "99999"], "'99999' is not a list"),
    (["sweep", "lines", "--samples", "0"], "0 is not in the range"),
    (["sweep", "lines", "--timeout", "0"], "--timeout"),
    (["sweep", "lines", "--only", "queue=x"], "no cell's command contains 'queue=x'"),
    (["sweep", "--resume", "never"], "no run 'never' in results/ (newest: none)"),
    (["sweep", "lines", "--resume", "never"], "--resume goes on with the recorded plan"),
    (["sweep", "--resume", "never", "--seed", "1"], "can't be given together with --seed"),
    (["figures", "--run", "never"], "no run 'never'"),
    (
        ["run", "nothing"],
        "'nothing' is not built as release/worker-centric (built there: executor)",
    ),
    (
        ["run", "exectuor"],
        "'exectuor' is not built as release/worker-centric, did you mean 'executor'? (built there: executor)",
    ),
    (["run"], "Missing argument 'WORKLOAD'. ./actorbench list shows which there are"),
    (["explain"], "Missing argument 'EXPERIMENTS...'. ./actorbench list shows which there are"),
    (["noise"], "Missing argument 'RUN'. ./actorbench list shows which there are"),
    (["replay"], "Missing argument 'RUN'. ./actorbench list shows which there are"),
    (["export", "--format", "csv"], "Missing argument 'RUN'. ./actorbench list shows which there are"),
    (["report"], "report needs one RUN (./actorbench list shows them), or --claims"),
    (["figures", "--run", "never", "--resume", "x"], "--run draws what was measured: it can't be given"),
    (["run", "executor", "--config", "debug"], "is not built as debug/worker-centric"),
    (["run", "executor", "--latency"], "is not built as latency/worker-centric"),
    (["run", "executor", "--latency", "--config", "debug"], "not of --config debug"),
    (["gate", "HEAD~1"], "did you mean ./actorbench gate --base HEAD~1?"),
    (["gate", "main", "HEAD"], "did you mean ./actorbench gate --base main --candidate HEAD?"),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES)
def test_a_mistake_is_one_line_and_status_2(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert checkout.call(*arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("actorbench: ")
    assert said.err.count("\n") == 1
    assert message in said.err
    assert not (checkout.root / "results").exists(), "nothing is left of a mistake"


def test_a_workload_that_is_not_built_is_named(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (checkout.root / "plots" / "lines.toml").read_text()
    checkout.experiment(text.replace('"executor"', '"static"'), "lines")
    assert checkout.call("sweep", "lines") == 2
    assert "'static' is not built" in capsys.readouterr().err


def test_a_workload_without_a_scale_is_named(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    text = (checkout.root / "plots" / "lines.toml").read_text()
    checkout.experiment(text.replace('"executor"', '"matrix"'), "lines")
    assert checkout.call("sweep", "lines") == 2
    assert "no scale for workload 'matrix' in preset 'quick'" in capsys.readouterr().err


def test_a_file_where_results_should_be_is_said(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout.root / "results").write_text("in the way")
    assert checkout.call("sweep", "lines") == 2
    assert "results/: cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('"schema": 1', "is of store version 99"),
        ('"kind": "sweep"', "is a run of kind 'other'"),
        ('"plan"', "lacks 'plan'"),
        ("{", "cannot be read"),
    ],
)
def test_a_run_of_another_kind_is_refused(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], change: str, message: str
) -> None:
    checkout.call("sweep", "table")
    head = checkout.only_run().folder / "run.json"
    new = {'"schema": 1': '"schema": 99', '"kind": "sweep"': '"kind": "other"', '"plan"': '"plans"', "{": "("}
    head.write_text(head.read_text().replace(change, new[change], 1))
    capsys.readouterr()
    assert checkout.call("figures", "--run", head.parent.name) == 2
    assert message in capsys.readouterr().err
    assert checkout.call("list") == 0, "one bad run does not hide the others"


def test_help_tells_every_command_in_a_line(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert checkout.call("--help") == 0
    told = dict(re.findall(r"^  ([a-z]+)  +(\S.*)$", capsys.readouterr().out, re.MULTILINE))
    assert list(told)[:2] == ["list", "doctor"], "in the order in which they are wanted"
    assert set(told) == set(actorbench.commands)
    assert not [text for text in told.values() if text.endswith("...")], "none is cut"


def test_list_shows_what_there_is(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.call("sweep", "table", "--workers", "1")
    capsys.readouterr()
    assert checkout.call("list") == 0
    out = capsys.readouterr().out
    for shown in ("release", "worker-centric", "executor", "lines", "Executor: queues", "quick"):
        assert shown in out
    assert checkout.only_run().name in out


def test_run_shows_one_sample(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    assert checkout.call("run", "executor", "--", "--workers", "3") == 0
    out = capsys.readouterr().out
    assert "time per operation" in out
    assert "verified" in out
    assert checkout.call("run", "executor", "--json", "--", "--workers", "3") == 0
    assert json.loads(capsys.readouterr().out)["workers"] == 3


def test_run_shows_what_the_build_for_it_measures(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    measured = '"measured":{"latency_p50_ns":1500,"latency_p9999_ns":2e6}'
    body = f"""record | sed 's/"notes":\\[\\]/"notes":[],{measured}/'"""
    checkout.program("executor", body, config="latency")
    assert checkout.call("run", "executor", "--latency") == 0
    rows = dict(
        re.split(r"\s{2,}", line.strip(), maxsplit=1)
        for line in capsys.readouterr().out.splitlines()
        if "latency  " in line
    )
    assert rows == {"median latency": "1.500 µs", "99.99 % latency": "2,000 µs"}


def test_run_passes_on_the_programs_own_complaint(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.program("executor", "echo 'executor: --workers 0x is no number' >&2; exit 2")
    assert checkout.call("run", "executor", "--", "--workers", "0x") == 2
    assert capsys.readouterr().err == "actorbench: executor: --workers 0x is no number\n"


def test_run_tells_a_failure(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.program("executor", "kill -ABRT $$")
    assert checkout.call("run", "executor") == 4
    assert "crash: killed by SIGABRT" in capsys.readouterr().err


def fake_hyperfine(checkout: Checkout, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """Put a hyperfine on the PATH that is a shell script; its last argument is the command."""
    tool = checkout.root / "hyperfine"
    tool.write_text(f"#!/bin/sh\n{body}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{checkout.root}:/usr/bin:/bin")


def test_whole_process_keeps_what_hyperfine_says(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = '{"results":[{"command":"x","median":0.5,"min":0.25,"max":1.5,"times":[0.25,0.5,1.5]}]}'
    body = f"for a in \"$@\"; do case $a in --export-json=*) echo '{said}' > ${{a#*=}};; esac; done"
    fake_hyperfine(checkout, monkeypatch, body)
    assert checkout.call("run", "executor", "--whole-process", "--", "--workers", "2") == 0
    out = capsys.readouterr().out
    assert "0.5000" in out
    assert "executor --workers 2" in out
    assert json.loads((checkout.only_run().folder / "hyperfine.json").read_text())["results"][0]["max"] == 1.5


def test_a_programs_options_need_no_dashes_before_them(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checkout.call("run", "executor", "--workers", "2", "--queue", "list", "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["workers"], record["options"]["queue"]) == (2, "list")


def test_hyperfine_failing_or_missing_is_one_line(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_hyperfine(checkout, monkeypatch, "echo 'Error: no' >&2; exit 1")
    assert checkout.call("run", "executor", "--whole-process") == 2
    assert "hyperfine failed" in capsys.readouterr().err
    monkeypatch.setenv("PATH", "/nonexistent")
    assert checkout.call("run", "executor", "--whole-process") == 2
    assert "hyperfine is missing" in capsys.readouterr().err
    assert all_runs(checkout.project) == []


def test_options_are_refused_by_the_program_before_hyperfine_times_it(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_hyperfine(checkout, monkeypatch, "echo 'non-zero exit code: 2' >&2; exit 1")
    refusal = 'case $* in *lst*--help) echo "executor: --queue cannot be lst" >&2; exit 2 ;; esac'
    program = checkout.root / "build" / "release" / "worker-centric" / "executor"
    program.write_text(program.read_text().replace("#!/bin/sh", f"#!/bin/sh\n{refusal}"))
    assert checkout.call("run", "executor", "--whole-process", "--queue", "lst") == 2
    assert capsys.readouterr().err == "actorbench: executor: --queue cannot be lst\n"
    assert all_runs(checkout.project) == []


def test_the_launcher_works_from_anywhere(tmp_path: Path) -> None:
    link = tmp_path / "ab"
    link.symlink_to(SOURCE / "actorbench")
    done = subprocess.run([link, "--version"], cwd=tmp_path, capture_output=True, text=True, check=False)
    if not (SOURCE / ".venv").exists():
        assert done.returncode == 2
        return
    assert done.stdout.startswith("actorbench")
    assert done.returncode == 0


def test_only_who_needs_statistics_loads_them() -> None:
    """SciPy takes longer to load than most commands to run."""
    code = "import sys, actorbench.cli; sys.exit('scipy' in sys.modules)"
    environment = os.environ | {"PYTHONPATH": str(SOURCE / "scripts")}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0


def test_the_launcher_says_what_is_missing(tmp_path: Path) -> None:
    copy = tmp_path / "actorbench"
    copy.write_bytes((SOURCE / "actorbench").read_bytes())
    copy.chmod(0o755)
    done = subprocess.run([copy, "list"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    targets = re.findall(r"\bmake ([a-z-]+)", done.stderr)
    assert targets == ["figures", "check"]
    makefile = (SOURCE / "Makefile").read_text()
    for target in targets:
        assert re.search(rf"^{target}:.*\n\t@scripts/setup {target}$", makefile, re.MULTILINE), "it installs"
    assert done.stderr.count("\n") == 1

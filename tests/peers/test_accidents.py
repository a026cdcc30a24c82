"""A peer that is killed in the middle is one failed sample, named, and leaves no process behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_peers import ROOT, System, systems

from actorbench.project import Project
from actorbench.store import all_runs

PATIENCE_S = 600.0  # a slow or busy machine is no hang
ENDLESS = "99999999977"  # sends: hours of work, and a word that no other process says

EXPERIMENT = """
schema = 1
id = "accident"
title = "One is killed"
kind = "table"
workload = "static"
workers = [1]
columns = ["time_per_operation"]
parameters = {{ sends = {sends} }}
presets.quick.scale.static = 1
[[series]]
label = "killed"
system = "{system}"
[[series]]
label = "not killed"
system = "{system}"
parameters = {{ sends = 1000 }}
"""


def processes_of(word: str) -> list[int]:
    """The processes that have the word in their command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if word in words:  # a zombie has no words
            found.append(int(folder.name))
    return found


@pytest.mark.parametrize("system", systems("static"))
def test_a_killed_peer_is_one_failed_sample(system: System, tmp_path: Path) -> None:
    file = tmp_path / "accident.toml"
    file.write_text(EXPERIMENT.format(system=system.name, sends=ENDLESS))
    (tmp_path / "results").mkdir()
    for name in ("build", "peers", "plots", "core", "Makefile"):
        (tmp_path / name).symlink_to(ROOT / name)
    environment = os.environ | {
        "PYTHONPATH": str(ROOT / "scripts"),
        "ACTORBENCH_ROOT": str(tmp_path),
        "ACTORBENCH_LOCKS": str(tmp_path),
    }
    command = [sys.executable, "-m", "actorbench", "sweep", str(file), "--samples", "1"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as driver:
        deadline = time.monotonic() + PATIENCE_S
        while not processes_of(ENDLESS) and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(1)  # so that the runtime is well on its way
        for victim in processes_of(ENDLESS):
            os.kill(victim, signal.SIGKILL)
        said, _ = driver.communicate(timeout=PATIENCE_S)
    assert driver.returncode == 4, said
    (run,) = all_runs(Project(tmp_path))
    failed = [sample for sample in run.samples() if sample.failure]
    assert [sample.failure.kind for sample in failed if sample.failure] == ["crash"]
    assert "SIGKILL" in str(failed[0].failure)
    assert system.name in failed[0].key
    assert len(run.samples()) == 2
    assert processes_of(ENDLESS) == []

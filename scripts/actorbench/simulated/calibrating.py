"""Calibration: measures this machine, for a description of it."""

import re
import subprocess
import tempfile
from pathlib import Path

from actorbench.errors import UserError
from actorbench.experiment import read_text
from actorbench.project import Project
from actorbench.simulated.description import FOLDER

PROBE = "machine/probes/probe.c"
# What the probe measures, and which numbers of a description that is.
NUMBERS = {
    "l2_ns": ("l2_ns",),
    "l3_ns": ("l3_ns",),
    "dram_local_ns": ("dram_local_ns", "dram_package_ns"),
    "transfer_ns": ("transfer_l3_ns", "transfer_package_ns"),
    "atomic_ns": ("atomic_ns",),
    "pause_ns": ("pause_ns",),
    "yield_ns": ("yield_ns",),
    "clock_ns": ("clock_ns",),
    "fault_ns": ("fault_ns",),
    "stream_gb_per_s": ("stream_gb_per_s",),
    "wake_ns": ("wake_ns",),
    "wake_latency_ns": ("wake_latency_ns",),
}


def probe(project: Project) -> dict[str, float]:
    """Build and run the probe; raises UserError if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "probe")
        build = ["gcc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-pthread", str(project.suite / PROBE), "-o"]
        for command in ([*build, str(program)], [str(program)]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise UserError(f"{PROBE}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
    lines = (line.split() for line in done.stdout.splitlines())
    return {key: float(value) for key, value in lines}


def measured_numbers(found: dict[str, float]) -> dict[str, float]:
    """Turn what the probe prints into a description's numbers."""
    numbers = {key: round(found[name], 3) for name, keys in NUMBERS.items() for key in keys}
    return numbers | {"ghz": round(1 / found["cycle_ns"], 3)}


def rewrite_host(project: Project, numbers: dict[str, float]) -> str:
    """Put the numbers into the host's description; returns its file, as shown."""
    shown = f"{FOLDER}/host.toml"
    text = read_text(project.suite / shown, shown)
    for key, value in numbers.items():
        text, count = re.subn(rf"^{key} = .*$", f"{key} = {value}", text, flags=re.MULTILINE)
        if count != 1:
            raise UserError(f"{shown}: {key} is not there")
    (project.suite / shown).write_text(text, encoding="utf-8")
    return shown

"""What simulating costs the host: CPU time and memory, by how many workers are simulated."""

import os
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from actorbench.errors import UserError
from actorbench.project import Project
from actorbench.record import Record, parse_record
from actorbench.simulated.description import Machine
from actorbench.simulated.sampling import CONFIG, environment
from actorbench.table import Column, Table
from actorbench.wording import number_text

MACHINE = "thesis-intel"
COMMANDS = (
    "worker-centric/executor --pin cores --actors 4000 --scale 0.01",
    "message-centric/executor --preset thesis --pin cores --actors 4000 --scale 0.01",
    "message-centric/balance-one --preset thesis --pin cores --actors 400 --tokens 100 --scale 0.3",
    "message-centric/matrix --preset thesis --pin cores --scale 0.001",
)
WORKERS = (1, 2, 4, 8, 16, 48)


@dataclass(frozen=True)
class Cost:
    """A command with so many workers: its record, and what it took of the host."""

    command: str
    workers: int
    record: Record
    cpu_s: float
    peak_mib: float


def cost_of(project: Project, description: Path, command: str, workers: int) -> Cost:
    """Simulate a command once; raises UserError if it fails."""
    program, *arguments = shlex.split(command)
    path = project.build / CONFIG / program
    if not path.exists():
        raise UserError(f"build/{CONFIG}/{program} is not built: make CONFIG={CONFIG} programs")
    words = [str(path), *arguments, "--workers", str(workers), "--json"]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(words, env=environment(description, 0), stdout=output)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise UserError(f"build/{CONFIG}/{program}: status {process.returncode}")
        output.seek(0)
        record = parse_record(output.read().decode())
    return Cost(command, workers, record, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def costs_table(machine: Machine, costs: Sequence[Cost]) -> Table:
    """Show them, and what an access that is simulated takes."""
    rows = [
        [
            one.command,
            str(one.workers),
            number_text(one.record.elapsed_ns / 1e6),
            number_text(one.record.counts["accesses"] / 1e6),
            number_text(one.cpu_s),
            number_text(1e9 * one.cpu_s / one.record.counts["accesses"]),
            f"{one.peak_mib:.0f}",
        ]
        for one in costs
    ]
    columns = [Column("program", numeric=False), Column("workers"), Column("simulated (ms)")]
    columns += [Column("accesses (million)"), Column("CPU time (s)"), Column("an access (ns)")]
    columns += [Column("memory (MiB)")]
    notes = [
        "CPU time and memory are the host's, of the whole process; a simulation runs on one of its CPUs",
        f"machine {machine.name} ({machine.title})",
    ]
    return Table("What simulating takes of the host", columns, rows, notes)

"""Slurm: an array of jobs for each node, by sbatch; the nodes share the project's folder with this machine.

An array's index is its job's number. Its jobs run one after another ("%1") on the one node, alone
there ("--exclusive"). Account, partition and time limit are those that sbatch takes from its own variables,
SBATCH_ACCOUNT and so on. A job that a node lost is queued again by Slurm, and takes what is missing.
"""

import os
import re
from collections.abc import Sequence

from actorbench.elsewhere.engine import Engine, Jobs, call
from actorbench.elsewhere.errand import LOGS, Errand, job_script
from actorbench.errors import UserError

MOST_UNNAMED = 8  # nodes that are taken without being named
UP = ("idle", "mixed", "allocated", "completing", "planned", "reserved")


class Slurm(Engine):
    """The cluster that sbatch submits to."""

    name = "slurm"
    most_jobs = 20  # so that others get at a node in between
    shares_files = True

    def machines(self, named: str) -> list[str]:
        """Take the nodes named, as Slurm writes them (node[1-4]), or all that are up in the partition."""
        if named:
            if "[" in named:
                return call(["scontrol", "show", "hostnames", named], what="--on slurm").split()
            return named.split(",")
        partition = os.environ.get("SBATCH_PARTITION")
        one = [f"--partition={partition}"] if partition else []
        lines = call(
            ["sinfo", "--noheader", "--Node", "--format=%N %P %T", *one], what="--on slurm"
        ).splitlines()
        rows = [line.split() for line in lines]
        found = list(
            dict.fromkeys(row[0] for row in rows if row[2].rstrip("~#+-") in UP and (one or "*" in row[1]))
        )
        if not found:
            raise UserError("--on slurm: no node of the partition is up (sinfo shows them)")
        if len(found) > MOST_UNNAMED:
            raise UserError(
                f"--on slurm: the partition has {len(found)} nodes: name those that are to measure, as in"
                f" --on slurm:{found[0]},{found[1]}"
            )
        return found

    def submit(self, errand: Errand, jobs: Sequence[int], *, retry_failed: bool) -> None:
        """Submit an array; raises UserError."""
        size = errand.rounds if retry_failed else errand.rounds_a_job
        first, last = (f"$(({size} * SLURM_ARRAY_TASK_ID + {end}))" for end in (1, size))
        root = errand.folder.parents[1]
        script = job_script(str(root), errand.folder.name, first, last, retry_failed=retry_failed)
        command = [
            "sbatch",
            "--parsable",
            f"--job-name={_job_name(errand)}",
            f"--nodelist={errand.machine}",
            "--nodes=1",
            "--exclusive",
            "--mem=0",
            "--requeue",
            f"--array={','.join(map(str, jobs))}%1",
            f"--chdir={root}",
            f"--output={errand.folder / LOGS}/%a.log",
            "--open-mode=append",
        ]
        call(command, what=f"--on slurm: {errand.machine}", given=f"#!/bin/sh\n{script}")

    def look(self, errands: Sequence[Errand]) -> list[Jobs]:
        """Ask squeue."""
        names = ",".join(map(_job_name, errands))
        try:
            command = ["squeue", "--noheader", "--array", f"--name={names}", "--format=%j %K %T"]
            said = call(command, what="squeue")
        except UserError:
            return [Jobs(known=False) for _ in errands]
        found = []
        for errand in errands:
            rows = re.findall(rf"^{re.escape(_job_name(errand))} (\d+) (\w+)$", said, re.MULTILINE)
            states = {int(number): state for number, state in rows}
            queued = {number for number, state in states.items() if state == "PENDING"}
            found.append(Jobs(states.keys() - queued, queued))
        return found

    def how_to_end(self, errands: Sequence[Errand]) -> str:
        """Give the command that ends the jobs."""
        return f"scancel --name={','.join(map(_job_name, errands))}"


def _job_name(errand: Errand) -> str:
    return f"actorbench-{errand.folder.name}"

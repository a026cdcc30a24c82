"""Samples of a simulated machine: nothing is timed, so the host's CPUs take several at once.

A sample is a seed: the same seed gives the same record. A sample's seed is its round.
"""

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic_ns

from actorbench.judging import Failure, judge
from actorbench.plan import Slot
from actorbench.process import Finished, StoppedError
from actorbench.project import Project
from actorbench.sample import Sample
from actorbench.stop import StopRequest

CONFIG = "simulated"
PRESET = "simulated"  # unless another is asked for
DESCRIPTION_FILE = "machine.txt"  # in the run's folder: what the programs read


def at_once() -> int:
    """Say how many samples the host's CPUs take at once."""
    return len(os.sched_getaffinity(0))


def environment(description: Path, seed: int) -> dict[str, str]:
    """Give a simulated program its machine and its seed."""
    asked = {"ACTORBENCH_MACHINE": str(description), "ACTORBENCH_MACHINE_SEED": str(seed)}
    return os.environ | asked


def simulate(project: Project, slot: Slot, description: Path, timeout_s: float) -> Sample:
    """Run the slot's cell once."""
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    command = slot.cell.command(project.build / slot.cell.program)
    begun = monotonic_ns()
    record, failure, status = None, None, None
    try:
        done = subprocess.run(
            command,
            env=environment(description, slot.round),
            cwd=project.root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        failure = Failure("timeout", f"still running after {timeout_s:g} s, killed")
    except OSError as error:
        failure = Failure("not started", f"{command[0]}: {error.strerror}")
    else:
        status = done.returncode
        signal = -status if status < 0 else None
        finished = Finished(status if status >= 0 else None, signal, False, 0, done.stdout, done.stderr)
        record, failure = judge(finished, timeout_s, slot.cell)
    return Sample(
        key=slot.cell.key,
        round=slot.round,
        position=slot.position,
        started=started,
        padding=0,
        wall_ns=monotonic_ns() - begun,
        exit_status=status if status is None or status >= 0 else None,
        signal=-status if status is not None and status < 0 else None,
        record=record,
        failure=failure,
    )


def simulate_all(
    project: Project,
    slots: Sequence[Slot],
    description: Path,
    timeout_s: float,
    stop: StopRequest,
    worthwhile: Callable[[Slot], bool],
) -> Iterator[Sample]:
    """Run all slots, as many at a time as the host has CPUs, and give each sample as it comes.

    Raises StoppedError if the user asks to stop; those that run then are waited for. `worthwhile` is asked
    before a slot is begun.
    """
    workers = at_once()
    left = list(reversed(slots))
    with ThreadPoolExecutor(workers) as pool:
        running: set[Future[Sample]] = set()
        while left or running:
            while left and len(running) < workers and not stop.asked:
                slot = left.pop()
                if worthwhile(slot):
                    running.add(pool.submit(simulate, project, slot, description, timeout_s))
            if not running and not stop.asked:
                continue
            done, running = wait(running, timeout=0.5, return_when=FIRST_COMPLETED)
            yield from (one.result() for one in done)
            if stop.asked:
                yield from (one.result() for one in running)
                raise StoppedError

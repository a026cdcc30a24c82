"""The hand-over: what a send from one CPU to another takes where each waits for the other, now.

On a virtual machine two CPUs are hyper-threads of one core at one moment, and of two cores at the next. The
guest isn't told, and its two workers take a third of the time, or three times as much (docs/noise.md). A
hand-over of the floor tells: it is a few crossings of a line. A probe takes a few ms.
"""

from dataclasses import dataclass, field
from statistics import geometric_mean, median

from actorbench.cell import program_path
from actorbench.design import DEFAULT_DESIGN
from actorbench.errors import BadRecordError
from actorbench.experiment import DEFAULT_CONFIG
from actorbench.process import run_process
from actorbench.project import Project
from actorbench.record import parse_record
from actorbench.stop import StopRequest

HAND_OVERS = 2000
PROBE = ("--threads", "2", "--batch", "1", "--ring", "1", "--sends", str(HAND_OVERS), "--json")
FEWEST = 10  # samples before what is usual is known
FAR = 2.0  # times what is usual: another way between the CPUs, not noise
TIMEOUT_S = 10.0


@dataclass
class HandOvers:
    """The hand-overs of a run, in ns: `seen` are those of its samples so far."""

    project: Project
    stop: StopRequest
    cpus: int
    seen: list[float] = field(default_factory=list)
    _last: float | None = field(default=None, init=False)

    def begin(self) -> None:
        """Probe before a sample, unless the sample before it has been probed after."""
        if self._last is None:
            self._last = self._probe()

    def end(self) -> float | None:
        """Probe after a sample; returns the mean of both, None if there is no floor or no second CPU."""
        before, self._last = self._last, self._probe()
        if before is None or self._last is None:
            return None
        self.seen.append(geometric_mean([before, self._last]))
        return self.seen[-1]

    def far(self, handover_ns: float | None) -> str | None:
        """Say so if a sample's hand-over is far from the run's usual one; None if not, or not yet known."""
        if handover_ns is None or len(self.seen) < FEWEST:
            return None
        usual = median(self.seen)
        if max(handover_ns / usual, usual / handover_ns) <= FAR:
            return None
        return f"a hand-over took {handover_ns:.0f} ns, usually {usual:.0f}"

    def _probe(self) -> float | None:
        if self.cpus < 2:
            return None
        program = self.project.build / program_path(DEFAULT_CONFIG, DEFAULT_DESIGN, "floor")
        try:
            done = run_process(
                [str(program), *PROBE],
                timeout_s=TIMEOUT_S,
                environment={},
                folder=self.project.root,
                stop=self.stop,
            )
            record = parse_record(done.stdout.decode())
        except (OSError, UnicodeDecodeError, BadRecordError):
            return None
        return record.elapsed_ns / record.operations

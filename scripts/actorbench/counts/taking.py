"""Taking counts: of a side's subjects, by the counter that is at hand."""

from dataclasses import dataclass

from actorbench.counts.conditions import Conditions, steady_clock
from actorbench.counts.counters import CALLGRIND, EXPLORER, PERF, Callgrind, Explorer, Perf, perf_refusal
from actorbench.counts.counting import Counter, CountError, tally_pairs
from actorbench.counts.subjects import Counted, Subject
from actorbench.experiment import DEFAULT_CONFIG
from actorbench.project import Project

# The configuration that each counter needs the programs in.
CONFIGS = {CALLGRIND: DEFAULT_CONFIG, PERF: DEFAULT_CONFIG, EXPLORER: "counted"}
# How often each counts at least: two runs show that instructions are the same again; schedules are samples.
RUNS = {CALLGRIND: 2, PERF: 5, EXPLORER: 10}


@dataclass(frozen=True)
class Choice:
    """What counts instructions here, and why it is not the processor's counter, if it is not."""

    by: str
    why: str = ""

    @property
    def told(self) -> str:
        """Say what counts, and why."""
        return f"counted by {self.by}{': ' if self.why else ''}{self.why}"


def choose_counter() -> Choice:
    """Take the processor's counter where the kernel permits it, and callgrind elsewhere."""
    refusal = perf_refusal()
    return Choice(CALLGRIND, refusal) if refusal else Choice(PERF)


def make_counter(project: Project, by: str, timeout_s: float) -> Counter:
    """Make a counter, by its name; raises UserError if its tool is missing."""
    if by == EXPLORER:
        return Explorer(project.root, timeout_s)
    conditions = Conditions(steady_clock(project))
    if by == PERF:
        return Perf(project.root, timeout_s, conditions)
    return Callgrind(project.root, timeout_s, conditions)


def count_subject(
    project: Project, subject: Subject, commit: str, by: str, runs: range, *, timeout_s: float
) -> Counted:
    """Count a subject of a commit that was built, or of build/ if it is "", in the runs of these numbers.

    What fails has its trouble in place of counts. Raises UserError if the program is not built.
    """
    counter = make_counter(project, by, timeout_s)
    work = subject.work(project, CONFIGS[by], commit)
    try:
        return Counted(subject, commit, work, tuple(tally_pairs(counter, work, runs)))
    except CountError as error:
        return Counted(subject, commit, work, (), str(error))

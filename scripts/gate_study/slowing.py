"""The slowed candidate of a self-test: what it is, and the measuring that calibrates its delay."""

from collections.abc import Sequence
from functools import partial
from random import Random
from statistics import median

from rich.console import Console

from actorbench.estimates import paired_ratio
from actorbench.gate.arms import Commits, Revision, RevisionError
from actorbench.gate.cells import Entry
from actorbench.measure import MEASURES
from actorbench.plan import make_paired_plan
from actorbench.process import StoppedError
from actorbench.project import Project
from actorbench.sample import Sample, take_sample
from actorbench.stop import StopRequest, stop_on_signals
from actorbench.sweep import InterruptedSweepError
from gate_study.calibration import Calibration, CalibrationError, Step, calibrate
from gate_study.store import Campaign

CONFIG = "slowed"
OPTION = "send-delay"  # ps, added on average to each send
PS_PER_NS = 1000
LEAST_DELAY_NS = 1 / PS_PER_NS  # next to nothing: the option takes no zero


def slowed_sides(campaign: Campaign, delay_ns: float, entries: Sequence[Entry]) -> Commits:
    """Hold a build that can slow its sends against itself with each send slowed.

    Both sides are of that build, since what keeps account of the delay costs more than the delay itself.
    """

    def side(name: str, delay_ns: float) -> Revision:
        delay_ps = round(max(LEAST_DELAY_NS, delay_ns) * PS_PER_NS)
        return Revision(name, campaign.commit, CONFIG, ((OPTION, str(delay_ps)),))

    slowed = f"{campaign.base}, each send slowed by {delay_ns:g} ns"
    return Commits(side(campaign.base, 0.0), side(slowed, delay_ns), entries)


def find_delays(project: Project, campaign: Campaign, console: Console) -> Calibration:
    """Find the delays of a self-test; raises CalibrationError, InterruptedSweepError and UserError."""
    try:
        slowed_sides(campaign, 0.0, campaign.cells).build(project, partial(console.print, soft_wrap=True))
    except RevisionError as error:
        raise CalibrationError(str(error)) from error
    console.print(f"calibrating the delay of a send by {campaign.slowed}, in pairs", soft_wrap=True)
    with stop_on_signals() as stop:
        pairs = _Pairs(project, campaign, stop)

        def measure(delay_ns: float, count: int) -> Step:
            step = pairs.measure(delay_ns, count)
            console.print(f"  {_step_text(step)}", soft_wrap=True)
            return step

        try:
            calibration = calibrate(measure)
        except StoppedError:
            raise InterruptedSweepError from None
    for missed in calibration.missed:
        ratio = calibration.steps[0].ratio
        console.print(
            f"{100 * missed:g} % can't be had: without any delay it already takes {ratio:.3f} times as long",
            soft_wrap=True,
        )
    if not calibration.slowdowns:
        raise CalibrationError("no slow-down can be had")
    return calibration


def _step_text(step: Step) -> str:
    """Write a step of the calibration."""
    return (
        f"delay {step.delay_ns:g} ns: {step.ratio:.3f} [{step.low:.3f}, {step.high:.3f}], {step.pairs} pairs"
    )


class _Pairs:
    """Measures the slowed build against the base, in pairs of fresh processes."""

    def __init__(self, project: Project, campaign: Campaign, stop: StopRequest) -> None:
        self._project = project
        self._campaign = campaign
        self._stop = stop
        self._measured = 0

    def measure(self, delay_ns: float, count: int) -> Step:
        """Take `count` pairs, at least 6, in ABBA blocks; raises StoppedError and CalibrationError."""
        cells = [one for one in self._campaign.cells if one["name"] == self._campaign.slowed]
        sides = slowed_sides(self._campaign, delay_ns, cells)
        base, slowed, _ = sides.cells(self._campaign.facts.usable_cpus)[0].arms
        seed = self._campaign.seed_of(f"calibration/{self._measured}")
        self._measured += 1
        plan = make_paired_plan([(slowed, base)], count, seed)
        taken: dict[str, list[Sample]] = {base.key: [], slowed.key: []}
        for slot in plan.slots():
            chance = Random(f"{seed}/{slot.round}/{slot.cell.key}")
            timeout_s = self._campaign.settings.sample_timeout_s
            taken[slot.cell.key].append(take_sample(self._project, slot, timeout_s, chance, self._stop))
        below, above = _send_times(taken[base.key]), _send_times(taken[slowed.key])
        ratio = paired_ratio(above, below)
        assert ratio.low is not None
        assert ratio.high is not None
        return Step(delay_ns, ratio.ratio, ratio.low, ratio.high, ratio.count, median(below))


def _send_times(samples: Sequence[Sample]) -> list[float]:
    """The time of a send in ns, of each sample; raises CalibrationError if one failed."""
    read = MEASURES["time_per_operation"].read
    found = []
    for sample in samples:
        value = read(sample.record) if sample.ok and sample.record else None
        if not value:
            why = f"{sample.failure.kind}: {sample.failure.reason}" if sample.failure else "no time"
            raise CalibrationError(f"the calibration failed: {sample.key}: {why}")
        found.append(value)
    return found

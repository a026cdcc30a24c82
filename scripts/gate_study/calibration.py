"""Calibration: the delay of a send that slows a cell by what a self-test asks for.

The ratio of the slowed build to the base is measured in pairs of fresh processes, at a few delays; each next
delay is where a line through the ratios so far, the nearest weighing most, meets what is asked for. The
slow-down that is stated is measured afresh at the delay found, so that no luck of the search is in it.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

TARGETS = (0.05, 0.10, 0.20)
STEP_PAIRS = 30
FINAL_PAIRS = 60
MOST_STEPS = 4
CLOSE = 0.005  # a step this near what is asked for is the last
_SOFTENED = 0.02  # the distance from the target at which a ratio has half the weight
_MOST_GROWTH = 3.0  # of the delay, from one step to the next


class CalibrationError(Exception):
    """Why no delay can be found, in one line."""


@dataclass(frozen=True)
class Step:
    """The ratio (slowed with the delay to base) of `pairs` pairs; `base_ns` is the base's time a send."""

    delay_ns: float
    ratio: float
    low: float
    high: float
    pairs: int
    base_ns: float


@dataclass(frozen=True)
class Slowdown:
    """A slow-down asked for, as a fraction, and what was achieved."""

    asked: float
    achieved: Step


@dataclass(frozen=True)
class Calibration:
    """The steps of the search, the slow-downs found, and those that can't be had."""

    steps: tuple[Step, ...]
    slowdowns: tuple[Slowdown, ...]
    missed: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        """Write it as JSON, for the campaign's head."""
        return asdict(self)


Measure = Callable[[float, int], Step]


def calibrate(measure: Measure, targets: Sequence[float] = TARGETS) -> Calibration:
    """Find the delay for each target; `measure` takes a delay in ns and a number of pairs.

    Raises CalibrationError if a longer delay slows nothing. A target that is passed without any delay is
    missed: the slowed build itself costs more.
    """
    steps = [measure(0.0, STEP_PAIRS)]
    found: dict[float, Slowdown] = {}
    missed = [target for target in targets if steps[0].ratio >= 1 + target]
    # The largest first: its line is the least disturbed by noise.
    for target in sorted(set(targets) - set(missed), reverse=True):
        for _ in range(MOST_STEPS):
            steps.append(measure(next_delay(steps, target), STEP_PAIRS))
            if abs(steps[-1].ratio - 1 - target) <= CLOSE:
                break
        found[target] = Slowdown(target, measure(next_delay(steps, target), FINAL_PAIRS))
    slowdowns = tuple(found[target] for target in targets if target in found)
    return Calibration(tuple(steps), slowdowns, tuple(missed))


def next_delay(steps: Sequence[Step], target: float) -> float:
    """Give the delay, in hundredths of ns, at which the ratio will be 1 + target by the steps so far."""
    longest = max(step.delay_ns for step in steps)
    if longest == 0:
        return round(max(0.01, (1 + target - steps[-1].ratio) * steps[-1].base_ns), 2)
    ratios = np.array([step.ratio for step in steps])
    weights = 1 / (np.abs(ratios - 1 - target) + _SOFTENED)
    slope, offset = np.polyfit([step.delay_ns for step in steps], ratios, 1, w=weights)
    if slope <= 0:
        raise CalibrationError(
            f"a delay of {longest:g} ns a send does not slow it: {ratios[0]:.3f} without,"
            f" {steps[-1].ratio:.3f} with {steps[-1].delay_ns:g} ns"
        )
    return round(float(min(max(0.0, (1 + target - offset) / slope), _MOST_GROWTH * longest)), 2)


def calibration_from_json(document: dict[str, Any] | None) -> Calibration | None:
    """Read what `Calibration.to_json` wrote; raises KeyError or TypeError if it is something else."""
    if document is None:
        return None
    return Calibration(
        steps=tuple(Step(**step) for step in document["steps"]),
        slowdowns=tuple(
            Slowdown(float(one["asked"]), Step(**one["achieved"])) for one in document["slowdowns"]
        ),
        missed=tuple(document["missed"]),
    )

"""How estimates are written: the same digits for a value and its interval, and the same words everywhere."""

from math import floor, log10

from actorbench.estimates import CONFIDENCE, ENOUGH, Estimate, Method, Ratio, Standing
from actorbench.measure import Measure
from actorbench.rules import fewest, level_text

DIGITS = 4


def number_text(value: float, like: float | None = None) -> str:
    """Write a number with four significant digits, those of `like` if given; thousands are grouped."""
    scale = abs(value if like is None else like)
    decimals = max(0, DIGITS - 1 - floor(log10(scale))) if scale > 0 else 0
    return f"{value:,.{min(decimals, 9)}f}"


def short_number(value: float) -> str:
    """Write a number of at least 0 with three digits, where there is little room."""
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f}"


def estimate_text(estimate: Estimate | None, measure: Measure, trouble: str | None) -> str:
    """Write a cell of a table: "12.34 [12.10, 12.60]", a plain number for a count, or why there is none."""
    if estimate is None:
        return trouble or "not in the record"
    count_text = f" (n={estimate.count})" if estimate.count < ENOUGH else ""
    if measure.is_count:
        return f"{estimate.value:,.0f}" + count_text
    value = number_text(estimate.value)
    if estimate.low is None or estimate.high is None:
        return value + count_text
    return f"{value} {interval_text(estimate.low, estimate.high, estimate.value)}{count_text}"


def interval_text(low: float, high: float, like: float) -> str:
    """Write an interval with the digits of `like`."""
    return f"[{number_text(low, like)}, {number_text(high, like)}]"


def ratio_text(ratio: Ratio) -> str:
    """Write a ratio with three decimals, with its interval if it has one."""
    count = f" (n={ratio.count})" if ratio.count < ENOUGH else ""
    if ratio.low is None or ratio.high is None:
        return f"{ratio.ratio:.3f}{count}"
    return f"{ratio.ratio:.3f} [{ratio.low:.3f}, {ratio.high:.3f}]{count}"


def interval_heading(method: Method, confidence: float = CONFIDENCE) -> str:
    """Write what stands in brackets under a heading: "[95 % interval, sign test]"."""
    return f"[{level_text(confidence)} interval, {method.value}]"


def standing_note(standings: set[Standing], confidence: float = CONFIDENCE) -> list[str]:
    """Say what the numbers of samples allow, one line for each shortage."""
    needed = f"{fewest(confidence)} are needed for {level_text(confidence)}"
    notes = {
        Standing.TOO_FEW: f"too few samples: {needed}, and no interval is stated",
        Standing.UNDER_FLOOR: f"under the floor: intervals drawn as the thesis draws them; {needed}",
        Standing.FEW: f"few samples: {ENOUGH} are wanted to display an interval",
    }
    return [text for standing, text in notes.items() if standing in standings]

"""What the statistics rules fix, apart from what computes with samples (which loads slowly)."""

from itertools import count

CONFIDENCE = 0.95
FLOOR = 6  # samples, for any statement with that confidence
ENOUGH = 10  # samples, to display one
MEDIAN, MEAN = "median", "mean"  # what a cell is estimated by


def fewest(confidence: float) -> int:
    """Give the fewest samples that allow a statement of a median with this confidence (under 1).

    All of n independent samples lie on one side of the median, as n coins fall alike, with a probability of
    2 / 2^n: then even the interval from the smallest to the largest misses it.
    """
    return next(n for n in count(1) if 2 * 0.5**n <= 1 - confidence)


def samples_needed(comparisons: int) -> int:
    """Give the fewest pairs with which one of so many comparisons can pass the sign test under Holm."""
    return fewest(1 - (1 - CONFIDENCE) / comparisons)


def level_text(confidence: float) -> str:
    """Write a confidence as in "95 %", or "99.29 %"."""
    return f"{100 * confidence:.4g} %"

"""What the statistics rules fix, apart from what computes with it (which loads slowly)."""

CONFIDENCE = 0.95
FLOOR = 6  # samples, for any statement with that confidence
ENOUGH = 10  # samples, to display one
MEDIAN, MEAN = "median", "mean"  # what a cell is estimated by

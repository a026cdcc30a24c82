"""Coverage: how often the intervals of each method hold the truth, by simulation.

`methods` draws the intervals, `simulating` counts what they hold (`make coverage` runs it, and keeps the
counts in docs/coverage.csv), `tables` shows the counts in the documents.
"""

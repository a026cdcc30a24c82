"""Counts: what a message costs in events that hardly vary (statistics rules, "The gate").

Instructions of the release programs with one worker; and atomic operations, and lines of memory that change
hands, with several, in schedules that follow from a seed (tests/explorer). `taking` counts, `changes` says
what moved between two sides.
"""

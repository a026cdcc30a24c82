"""Bisecting: which commit has made a cell slower, found by gates of commits against the base.

`looks` is what a bisection keeps, `search` what is looked at next and why, `running` takes the looks, each a
gate with its share of the budget, and `telling` says what was found.
"""

"""The ledger: every claim of the sources, judged by what was measured.

`claims` reads them (plots/claims), `statements` turns each kind of bound into statements that a round of
samples agrees with or not, `asking` finds the samples, `deciding` puts statements to exact tests, `judging`
gives the verdicts, `showing` writes them. `simulating` counts how often each kind of bound errs.
"""

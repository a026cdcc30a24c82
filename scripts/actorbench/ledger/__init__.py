"""The ledger: every claim of the sources, judged by what was measured.

`claims` reads them (plots/claims), `selecting` finds the samples of a bound, `statements` makes of them what
a round agrees with or not, by the kind of bound that `asking` has, `deciding` puts that to exact tests,
`judging` gives the verdicts, and `showing` writes them. `stored` finds the runs, `simulating` counts how
often verdicts are wrong.
"""

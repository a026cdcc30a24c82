"""The gate: whether a candidate is slower than its base, as an exit status that can be trusted.

`cells` says what is measured, `arms` what is compared and how it is built, `stages` when each sample is
taken, `deciding` what the samples mean, `history` what noise this machine has shown, `running` puts them
together. Rules: statistics rules, "The gate".
"""

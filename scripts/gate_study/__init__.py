"""The gate studied: many whole gates, to show how often it is wrong, and how small a slow-down it finds.

No part of the driver, but a tool of the project beside it: `scripts/gate-study`. docs/gate.md shows what came
of it.
"""

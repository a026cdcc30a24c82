"""The simulated machine: descriptions, the runs that use them, and their error (docs/machine.md).

The machine itself is C, in machine/; the programs of CONFIG=simulated are linked with it.
"""

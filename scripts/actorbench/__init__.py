"""The driver of actorbench: runs the workload programs, keeps what they say, and tells what it means.

In Python and notebooks: `load`, `to_curves`, `to_ratios`, `compare` and `figure` (`interface`).

A reader's path through the package: `experiment` (what a figure asks for), `cell` and `plan`
(what is to be measured, in which order), `process` and `sample` (one measurement), `store`
(a run on disk), `sweep` (the loop), `estimates` (numbers out of samples), `results`, `tables`,
`ratios` and `drawing` (what a reader sees), `machine` (where it was measured), `cli` (the commands).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from actorbench.interface import compare, figure, load, to_curves, to_ratios

VERSION = "0.1.0"

__all__ = ["VERSION", "compare", "figure", "load", "to_curves", "to_ratios"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the interface holds
    """Load the interface when it is asked for: the command needs no pandas, which takes long to load."""
    if name not in __all__:
        raise AttributeError(f"module 'actorbench' has no attribute '{name}'")
    return getattr(import_module("actorbench.interface"), name)

"""Versions of the tools that take part in a run."""

import platform
from importlib import metadata

from actorbench import VERSION
from actorbench.machine.sources import Sources


def tool_versions(sources: Sources) -> dict[str, str | None]:
    """Name the versions of the driver, its libraries and the programs that it calls; None if missing."""
    libraries = {name: _library(name) for name in ("numpy", "scipy", "matplotlib", "apache-otava")}
    gnuplot = sources.command("gnuplot", "--version")
    hyperfine = sources.command("hyperfine", "--version")
    valgrind = sources.command("valgrind", "--version")
    return {
        "actorbench": VERSION,
        "python": platform.python_version(),
        **libraries,
        "gnuplot": gnuplot,
        "hyperfine": hyperfine,
        "valgrind": valgrind,
    }


def _library(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None

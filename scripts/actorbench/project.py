"""Where things are: the folders of the checkout that the driver reads and writes."""

import os
from dataclasses import dataclass
from pathlib import Path

GATE_CELLS = "gate.toml"  # in plots/: what a gate measures
ROOT_VARIABLE = "ACTORBENCH_ROOT"


@dataclass(frozen=True)
class Project:
    """A checkout of actorbench: programs in `build`, experiments in `plots`, runs in `results`."""

    root: Path

    @property
    def build(self) -> Path:
        """The workload programs, as `<config>/<design>/<workload>`."""
        return self.root / "build"

    @property
    def plots(self) -> Path:
        """The experiment files, one a figure or table, `presets.toml` and `gate.toml`."""
        return self.root / "plots"

    @property
    def gnuplot_templates(self) -> Path:
        """The gnuplot scripts that draw a CSV in the terminal."""
        return self.plots / "gnuplot"

    @property
    def sources(self) -> Path:
        """The numbers that the sources printed, a file a work."""
        return self.plots / "sources"

    @property
    def claims(self) -> Path:
        """What the sources claim, a file a work."""
        return self.plots / "claims"

    @property
    def results(self) -> Path:
        """The runs, one folder each."""
        return self.root / "results"

    @property
    def docs(self) -> Path:
        """The documents, but for README.md; their figures are in `images`."""
        return self.root / "docs"

    @property
    def kept_runs(self) -> Path:
        """The runs that the documents show, one folder each."""
        return self.docs / "runs"

    def shown(self, path: Path) -> str:
        """Name a path as a user would type it: relative to the working directory if it is below it."""
        path = path.absolute()
        here = Path.cwd()
        return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def find_project() -> Project:
    """Find the checkout that this package lies in; the variable ACTORBENCH_ROOT names another."""
    named = os.environ.get(ROOT_VARIABLE)
    return Project(Path(named).absolute() if named else Path(__file__).resolve().parents[2])

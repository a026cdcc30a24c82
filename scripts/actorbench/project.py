"""Where things are: the folders that the driver reads and writes.

A checkout is its own project. Elsewhere a folder of the user's is one, with plots/ and results/ of its own;
what the suite brings (programs, workloads, machines, peers, further experiments) is then read and built where
`suite.py` says.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from actorbench.schema import FOLDER
from actorbench.suite import is_packed, suite_folder

GATE_CELLS = "gate.toml"  # in plots/: what a gate measures
PRESETS = "presets.toml"  # in plots/: how many samples
SCHEMAS = "schemas"  # in plots/ of a user's project: copies of ours
MARKER = "actorbench.toml"  # in a folder: that it is a project of the user's
ROOT_VARIABLE = "ACTORBENCH_ROOT"


@dataclass(frozen=True)
class Project:
    """A checkout of actorbench, or a folder of the user's: experiments in `plots`, runs in `results`."""

    root: Path

    @property
    def suite(self) -> Path:
        """The tree that the suite's own files are in: of a checkout the root itself."""
        return suite_folder() if is_packed() or (self.root / MARKER).is_file() else self.root

    @property
    def is_users(self) -> bool:
        """Whether the project is a folder of the user's: programs of the suite are then built on demand."""
        return self.suite != self.root

    @property
    def build(self) -> Path:
        """The workload programs, as `<config>/<design>/<workload>`."""
        return self.suite / "build"

    @property
    def plots(self) -> Path:
        """The experiment files, one a figure or table, `presets.toml` and `gate.toml`."""
        return self.root / "plots"

    @property
    def all_plots(self) -> list[Path]:
        """Where experiments are looked for: in the project's own `plots`, then among the suite's."""
        return list(dict.fromkeys([self.plots, self.suite / "plots"]))

    @property
    def presets(self) -> Path:
        """The file of presets: the project's own, if it has one, or else the suite's."""
        found = [folder / PRESETS for folder in self.all_plots]
        return next((path for path in found if path.exists()), found[0])

    @property
    def schemas(self) -> Path:
        """The schemas by which editors check the files: in the project, which may be of several machines."""
        return self.plots / SCHEMAS if self.is_users else FOLDER

    @property
    def gnuplot_templates(self) -> Path:
        """The gnuplot scripts that draw a CSV in the terminal."""
        return self.suite / "plots" / "gnuplot"

    @property
    def sources(self) -> Path:
        """The numbers that the sources printed, a file a work."""
        return self.suite / "plots" / "sources"

    @property
    def claims(self) -> Path:
        """What the sources claim, a file a work."""
        return self.suite / "plots" / "claims"

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
    """Find the project to work in.

    The variable ACTORBENCH_ROOT names it; or it is the nearest folder, from the working directory upwards,
    with a file `actorbench.toml`; or the checkout that this package lies in, and of an installed package the
    working directory.
    """
    named = os.environ.get(ROOT_VARIABLE)
    if named:
        return Project(Path(named).absolute())
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / MARKER).is_file():
            return Project(folder)
    return Project(here if is_packed() else suite_folder())

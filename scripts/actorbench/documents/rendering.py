"""What stands in a block: a table or a figure, and under it how it came about and where it is from."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import matplotlib as mpl
from PIL import Image

from actorbench.curves import how_of, measures_of, quantity_of
from actorbench.drawing.figure_files import STYLE, draw_figure, drawn_as
from actorbench.drawing.ratio_figures import how_of_ratios
from actorbench.errors import UserError, choices
from actorbench.experiment import DRAWN, FIGURES, Experiment
from actorbench.machine.facts import facts_from_json
from actorbench.notes import context_note
from actorbench.project import Project
from actorbench.results import Results
from actorbench.sides import side_of
from actorbench.store import write_whole
from actorbench.table import Table, escaped
from actorbench.tables import csv_for
from actorbench.text import counted

OLDER = "Older than the code that it speaks of."  # a caption's last sentence, where that is so
_STAMP = "Source"  # the key of a PNG's text that says what it was drawn from


@dataclass(frozen=True)
class Content:
    """What a block shows, and the sentences of its caption, but for its age."""

    shown: str
    sentences: tuple[str, ...]

    def body(self, *, is_old: bool) -> str:
        """Write the block's inside."""
        told = [f"{text[:1].upper()}{escaped(text[1:]).removesuffix('.')}." for text in self.sentences]
        return f"{self.shown}\n*{' '.join([*told, *([OLDER] if is_old else [])])}*\n"


def table_content(table: Table, columns: Sequence[str], origin: str, where: str) -> Content:
    """Show a table, or its first column and those named; raises UserError for a name that it lacks."""
    picked = _with_columns(table, columns, where) if columns else table
    lead = "".join(f"{escaped(line)}\n\n" for line in picked.lead)
    shown = f"**{escaped(picked.title)}**\n\n{lead}{picked.markdown_rows()}"
    return Content(shown, (*table.notes, origin))


def _with_columns(table: Table, wanted: Sequence[str], where: str) -> Table:
    headings = [column.heading for column in table.columns]
    for name in wanted:
        if name not in headings[1:]:
            raise UserError(f"{where}: no column '{name}' (choices: {choices(headings[1:])})")
    kept = [0, *(headings.index(name, 1) for name in wanted)]
    return replace(
        table,
        columns=[table.columns[number] for number in kept],
        rows=[[row[number] for number in kept] for row in table.rows],
    )


@dataclass(frozen=True)
class Picture:
    """A figure's image: docs/images/<experiment>.png, or <experiment>-<machine>.png of a simulated one.

    It says in itself what it was drawn from.
    """

    results: Results
    experiment: Experiment
    path: Path

    @property
    def stamp(self) -> str:
        """What it is to be drawn from: run, experiment, and a digest of the numbers and the figure's text."""
        drawn = self.experiment.text + csv_for(self.results, self.experiment)
        digest = sha256(drawn.encode()).hexdigest()[:16]
        return f"run {self.results.name}, experiment {self.experiment.id}, digest {digest}"

    @property
    def is_true(self) -> bool:
        """Whether the image is there, and drawn from that."""
        try:
            with Image.open(self.path) as image:
                return image.info.get(_STAMP) == self.stamp
        except OSError:
            return False

    def draw(self) -> None:
        """Draw it; raises UserError."""
        with mpl.rc_context(fname=STYLE):
            figure = draw_figure(side_of(self.results, self.experiment))
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(self.path, drawn_as(figure, self.path.suffix, {_STAMP: self.stamp}))
            except OSError as error:
                raise UserError(f"{self.path.name}: cannot be written: {error.strerror}") from error

    def content(self, document: Path, origin: str) -> Content:
        """Show the image in a document."""
        shown = ", ".join(quantity_of(self.experiment, one) for one in measures_of(self.experiment))
        if self.experiment.kind == "grid":
            shown = "ratios to the base"
        alternative = escaped(f"{self.experiment.title}: {shown}")
        is_plain = self.experiment.kind in FIGURES
        how = (how_of if is_plain else how_of_ratios)(self.results, self.experiment)
        notes = (how, context_note(self.results, self.experiment))
        return Content(f"![{alternative}]({os.path.relpath(self.path, document.parent)})\n", (*notes, origin))


def picture_of(project: Project, results: Results, experiment: Experiment, where: str) -> Picture:
    """Give a figure's image; raises UserError if the experiment is none that is drawn."""
    if experiment.kind not in DRAWN:
        raise UserError(
            f"{where}: '{experiment.id}' is of kind '{experiment.kind}': only {choices(DRAWN)} are drawn"
        )
    simulated = results.head.simulated
    name = f"{experiment.id}-{simulated}" if simulated else experiment.id
    return Picture(results, experiment, project.docs / "images" / f"{name}.png")


def run_origin(results: Results) -> str:
    """Say when, on what machine and of which commit a run was made."""
    name = str(results.head.document["run"])
    day = f"{name[:4]}-{name[4:6]}-{name[6:8]}"  # of a name that create_run made
    done = "Simulated" if results.head.simulated else "Measured"
    return origin_text(day, results.head.document["machine"], done)


def origin_text(day: str, machine: Mapping[str, Any], done: str = "Measured") -> str:
    """Say when, on what machine, as its facts have it, and of which commit something was measured."""
    facts = facts_from_json(dict(machine))
    is_virtual = facts.values["hypervisor"] not in (None, "none seen")
    cpus = facts.usable_cpus
    kind = f"{'virtual ' if is_virtual else ''}machine with {counted(cpus, 'CPU')}"
    model = f" ({facts.values['cpu_model']})" if facts.values["cpu_model"] else ""
    changed = " with changes" if facts.values["tree"] == "changed" else ""
    return f"{done} on {day}, {kind}{model}, commit {str(facts.values['commit'])[:12]}{changed}"

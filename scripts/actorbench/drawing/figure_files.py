"""Figures as files, by matplotlib: panels in one frame, with a title, a legend and a caption."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import cycle
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from actorbench.best_tables import Contested
from actorbench.curves import curves_csv, how_of, measures_of
from actorbench.drawing.box_plot import draw_boxes
from actorbench.drawing.frame import folded, put_caption, put_title
from actorbench.drawing.lines import WITHOUT_STEAL_LABEL, draw_lines
from actorbench.drawing.panels import Panel, panels_of
from actorbench.drawing.pgf import write_pgf
from actorbench.drawing.ratio_figures import draw_contests, draw_ratio_figure, how_of_best
from actorbench.experiment import FIGURES
from actorbench.notes import claim_notes, claims_together, context_note, shortage_notes
from actorbench.sides import Side, differing_files
from actorbench.store import write_shown

STYLE = Path(__file__).parent / "actorbench.mplstyle"
FORMATS = ("svg", "pdf", "png", "pgf")
PANEL_SIZE = (5.6, 3.7)  # inches
PAGE_SIZE = (4.4, 3.1)  # inches; letters are then large enough on a phone
BOX_HEIGHT = 0.36  # inches a box


def write_figure(sides: Sequence[Side], folder: Path) -> list[Path]:
    """Draw an experiment of a kind that is drawn, a file a format; raises UserError."""
    with mpl.rc_context(fname=STYLE):
        return save_figure(draw_figure(sides), folder, sides[0].experiment.id)


def write_contested(shown: Contested, folder: Path, name: str) -> None:
    """Draw contests that no experiment asks for, a file a format; raises UserError."""
    with mpl.rc_context(fname=STYLE):
        how = [how_of_best(shown), *shown.notes[1:]]
        save_figure(draw_contests([shown], [""], how), folder, name)


def save_figure(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write a figure into the folder, a file a format, each whole or not at all; raises UserError.

    It is drawn in the style that is set.
    """
    paths = [folder / f"{name}.{suffix}" for suffix in FORMATS]
    for path in paths:
        write_shown(path, drawn_as(figure, path.suffix))
    return paths


def drawn_as(figure: Figure, suffix: str, metadata: Mapping[str, Any] | None = None) -> bytes:
    """Give what a file with that suffix holds; a writer of matplotlib's own may not get over a full disk."""
    buffer = BytesIO()
    if suffix == ".pgf":
        write_pgf(figure, buffer)
    else:
        figure.savefig(buffer, format=suffix.removeprefix("."), metadata=metadata)
    return buffer.getvalue()


def write_data(sides: Sequence[Side], folder: Path) -> list[tuple[Panel, Path]]:
    """Write what gnuplot draws from, a CSV a panel of curves, into the folder; raises UserError."""
    written = []
    for panel in (panel for row in panels_of(sides) for panel in row):
        path = folder / f"{sides[0].experiment.id}{panel.suffix}.csv"
        write_shown(path, curves_csv(panel.curves, panel.across.name))
        written.append((panel, path))
    return written


def draw_figure(sides: Sequence[Side], *, for_page: bool = False) -> Figure:
    """Draw an experiment of a kind that is drawn in the style that is set.

    Of kind "lines" or "boxes" a run's measures stand side by side, for a page below each other; several runs
    stand side by side, their measures below each other. For a page the figure is narrow, and has no caption.
    """
    experiment = sides[0].experiment
    if experiment.kind not in FIGURES:
        return draw_ratio_figure(sides)
    rows = panels_of(sides)
    if len(sides) == 1 and not for_page:
        rows = [[panel for row in rows for panel in row]]
    panels = [panel for row in rows for panel in row]
    width, height = PAGE_SIZE if for_page else PANEL_SIZE
    if experiment.kind == "boxes":
        height = 1.2 + BOX_HEIGHT * max(len(panel.boxes) for panel in panels)
    figure = Figure(figsize=(width * len(rows[0]), height * len(rows)))
    grid = figure.subplots(len(rows), len(rows[0]), squeeze=False)
    figure.subplots_adjust(wspace=0.24 if _share_labels(rows) else 0.9, hspace=1.25 / height)
    styles = _styles(panels)
    for axes_row, row in zip(grid, rows, strict=True):
        for axes, panel in zip(axes_row, row, strict=True):
            _draw_panel(axes, panel, styles)
            if panel.boxes and panel is not row[0] and _share_labels(rows):
                axes.tick_params(labelleft=False)
    ends = (figure.axes[0], figure.axes[len(rows[0]) - 1])
    columns = 2 if for_page else 4 * len(rows[0])
    put_title(figure, experiment.title, ends, _handles(figure, rows), columns=columns)
    if not for_page:
        put_caption(figure, folded(_caption(sides, rows), len(rows[0])))
    return figure


def _draw_panel(axes: Axes, panel: Panel, styles: Mapping[str, Mapping[str, object]]) -> None:
    if panel.title:
        axes.set_title(panel.title, fontsize=9.5)
    if panel.boxes:
        draw_boxes(axes, panel)
        axes.set_xlabel(panel.label)
    else:
        draw_lines(axes, panel, styles)
        axes.set_xlabel(panel.across.label)
        axes.set_ylabel(panel.label)


def _styles(panels: Sequence[Panel]) -> dict[str, Mapping[str, object]]:
    """Give each label one look, in every panel."""
    labels = [curve.label for panel in panels for curve in panel.curves if not curve.is_ideal]
    looks = cycle(mpl.rcParams["axes.prop_cycle"])
    return dict(zip(dict.fromkeys(labels), looks, strict=False))


def _handles(figure: Figure, rows: Sequence[Sequence[Panel]]) -> dict[str, Any]:
    """Give what stands in the legend, each label once."""
    handles: dict[str, Any] = {}
    for axes in figure.axes:
        handles |= dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    labels = [curve.label for row in rows for panel in row for curve in panel.curves]
    order = [*dict.fromkeys(labels), WITHOUT_STEAL_LABEL]
    return {label: handles[label] for label in order if label in handles}


def _share_labels(rows: Sequence[Sequence[Panel]]) -> bool:
    """Whether the boxes of a row stand for the same series: its first panel then names them for all."""
    return all(len({tuple(box.label for box in panel.boxes) for panel in row}) == 1 for row in rows)


def _caption(sides: Sequence[Side], rows: Sequence[Sequence[Panel]]) -> list[str]:
    told = [
        (side.title, how_of(side.results, side.experiment), context_note(side.results, side.experiment))
        for side in sides
    ]
    if len(sides) == 1:
        lines = [f"{how}; {context}" for _, how, context in told]
    elif len({how for _, how, _ in told}) == 1:
        lines = [told[0][1], *(f"{title}: {context}" for title, _, context in told)]
    else:
        lines = [f"{title}: {how}; {context}" for title, how, context in told]
    lines += differing_files(sides)
    if len(sides) == 1:
        lines += claim_notes(sides[0].results, sides[0].experiment)
    else:
        lines += claims_together(sides)
    if sides[0].experiment.kind == "lines":
        lines += dict.fromkeys(note for side in sides for note in _shortages(side))
    missing = [
        f"{_named(panel, curve.label)} at {workers}: {why}"
        for row in rows
        for panel in row
        for curve in panel.curves
        for workers, why in curve.missing
    ]
    if missing:
        lines.append("no value: " + "; ".join(dict.fromkeys(missing)))
    return lines


def _shortages(side: Side) -> list[str]:
    cells = [
        cell
        for series in side.experiment.series
        for cell in side.results.resolver.cells(side.experiment, series.setting)
    ]
    return shortage_notes(side.results, side.experiment, cells, measures_of(side.experiment)[0])


def _named(panel: Panel, label: str) -> str:
    return f"{label} ({panel.title})" if panel.title else label

"""Figures as files, by matplotlib: panels in one frame, with a title, a legend and a caption."""

import textwrap
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import cycle
from math import ceil
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import ScaledTranslation

from actorbench.curves import curves_csv, how_of, measures_of
from actorbench.drawing.box_plot import draw_boxes
from actorbench.drawing.lines import WITHOUT_STEAL_LABEL, draw_lines
from actorbench.drawing.panels import Panel, panels_of
from actorbench.drawing.pgf import write_pgf
from actorbench.errors import UserError
from actorbench.notes import claim_notes, claims_together, context_note, shortage_notes
from actorbench.sides import Side, differing_files
from actorbench.store import write_whole

STYLE = Path(__file__).parent / "actorbench.mplstyle"
FORMATS = ("svg", "pdf", "png", "pgf")
CAPTION_WIDTH = 100  # characters
PANEL_SIZE = (5.6, 3.7)  # inches
PAGE_SIZE = (4.4, 3.1)  # inches; letters are then large enough on a phone
BOX_HEIGHT = 0.36  # inches a box
LEGEND_LINE = 16  # points
TITLE_GAP = 10  # points
CAPTION_GAP = 36  # points


def write_figure(sides: Sequence[Side], folder: Path) -> list[Path]:
    """Draw an experiment of kind "lines" or "boxes", a file a format; raises UserError."""
    with mpl.rc_context(fname=STYLE):
        return save_figure(draw_figure(sides), folder, sides[0].experiment.id)


def save_figure(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write a figure into the folder, a file a format, each whole or not at all; raises UserError.

    It is drawn in the style that is set.
    """
    paths = [folder / f"{name}.{suffix}" for suffix in FORMATS]
    for path in paths:
        fresh = path.with_name(f"new-{path.name}")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".pgf":
                write_pgf(figure, fresh)
            else:
                figure.savefig(fresh)
            fresh.replace(path)
        except OSError as error:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise UserError(
                f"{path}: cannot be written: {error.strerror}; nothing that was measured is lost, and"
                " ./actorbench figures --run RUN draws it again"
            ) from error
    return paths


def write_data(sides: Sequence[Side], folder: Path) -> list[tuple[Panel, Path]]:
    """Write what gnuplot draws from, a CSV a panel of curves, into the folder; raises UserError."""
    written = []
    for panel in (panel for row in panels_of(sides) for panel in row):
        path = folder / f"{sides[0].experiment.id}{panel.suffix}.csv"
        try:
            folder.mkdir(exist_ok=True)
            write_whole(path, curves_csv(panel.curves, panel.across))
        except OSError as error:
            raise UserError(f"{path}: cannot be written: {error.strerror}") from error
        written.append((panel, path))
    return written


def draw_figure(sides: Sequence[Side], *, for_page: bool = False) -> Figure:
    """Draw an experiment of kind "lines" or "boxes" in the style that is set.

    A run's measures stand side by side, for a page below each other; several runs stand side by side, their
    measures below each other. For a page the figure is narrow, and has no caption.
    """
    experiment = sides[0].experiment
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
    _put_title(figure, experiment.title, rows, legend_columns=2 if for_page else 4 * len(rows[0]))
    if not for_page:
        _put_caption(figure, _caption(sides, rows))
    return figure


def _draw_panel(axes: Axes, panel: Panel, styles: Mapping[str, Mapping[str, object]]) -> None:
    if panel.title:
        axes.set_title(panel.title, fontsize=9.5)
    if panel.boxes:
        draw_boxes(axes, panel)
        axes.set_xlabel(panel.label)
    else:
        draw_lines(axes, panel, styles)
        axes.set_xlabel(panel.across)
        axes.set_ylabel(panel.label)


def _styles(panels: Sequence[Panel]) -> dict[str, Mapping[str, object]]:
    """Give each label one look, in every panel."""
    labels = [curve.label for panel in panels for curve in panel.curves if not curve.is_ideal]
    looks = cycle(mpl.rcParams["axes.prop_cycle"])
    return dict(zip(dict.fromkeys(labels), looks, strict=False))


def _put_title(figure: Figure, title: str, rows: Sequence[Sequence[Panel]], *, legend_columns: int) -> None:
    """Put the title over all panels, and the legend between; a label stands once in it."""
    handles: dict[str, Any] = {}
    for axes in figure.axes:
        handles |= dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    labels = [curve.label for row in rows for panel in row for curve in panel.curves]
    order = [*dict.fromkeys(labels), WITHOUT_STEAL_LABEL]
    handles = {label: handles[label] for label in order if label in handles}
    columns = min(legend_columns, max(1, len(handles)))
    left, right = (figure.axes[number].get_position() for number in (0, len(rows[0]) - 1))
    middle, top = (left.x0 + right.x1) / 2, left.y1
    over_panels = TITLE_GAP * 2 if rows[0][0].title else 0
    if handles:
        figure.legend(
            handles.values(),
            handles.keys(),
            loc="lower center",
            bbox_to_anchor=(middle, top),
            bbox_transform=figure.transFigure + _up(figure, over_panels),
            ncols=columns,
        )
    rise = over_panels + TITLE_GAP + LEGEND_LINE * ceil(len(handles) / columns)
    figure.text(
        middle,
        top,
        title,
        transform=figure.transFigure + _up(figure, rise),
        ha="center",
        va="bottom",
        fontsize=mpl.rcParams["axes.titlesize"],
    )


def _put_caption(figure: Figure, text: str) -> None:
    """Put the caption below the labels of the lowest panels."""
    bottom = figure.axes[-1].get_position().y0
    below = figure.transFigure + _up(figure, -CAPTION_GAP)
    figure.text(0.5, bottom, text, transform=below, ha="center", va="top", fontsize=7)


def _share_labels(rows: Sequence[Sequence[Panel]]) -> bool:
    """Whether the boxes of a row stand for the same series: its first panel then names them for all."""
    return all(len({tuple(box.label for box in panel.boxes) for panel in row}) == 1 for row in rows)


def _up(figure: Figure, points: float) -> ScaledTranslation:
    return ScaledTranslation(0, points / 72, figure.dpi_scale_trans)


def _caption(sides: Sequence[Side], rows: Sequence[Sequence[Panel]]) -> str:
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
    return "\n".join(part for line in lines for part in textwrap.wrap(line, CAPTION_WIDTH * len(rows[0])))


def _shortages(side: Side) -> list[str]:
    cells = [
        cell
        for series in side.experiment.series
        for cell in side.results.resolver.cells(side.experiment, series.setting)
    ]
    return shortage_notes(side.results, side.experiment, cells, measures_of(side.experiment)[0])


def _named(panel: Panel, label: str) -> str:
    return f"{label} ({panel.title})" if panel.title else label

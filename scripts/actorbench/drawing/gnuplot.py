"""Figures by gnuplot, from a CSV: as characters, at once in the terminal, and as PDF.

Titles and labels are handed over as arguments, which gnuplot uses as values: nothing in them is run.
"""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from actorbench.curves import marked_curves
from actorbench.drawing.panels import Panel

HEIGHT = 20  # lines
MAX_WIDTH = 100  # characters
TERMINAL_TEMPLATE = "lines.gp"
PDF_TEMPLATE = "lines-pdf.gp"


class GnuplotError(Exception):
    """What gnuplot said when it drew nothing, in a line."""


def draw_in_terminal(panel: Panel, *, title: str, data: Path, templates: Path, colours: bool) -> str:
    """Have gnuplot draw a panel, which the CSV `data` holds; returns the drawing, or why there is none."""
    title = _titled(title, panel)
    if panel.is_empty:
        return f"{title}: nothing to draw"
    width = min(MAX_WIDTH, shutil.get_terminal_size((MAX_WIDTH, HEIGHT)).columns)
    arguments = [
        title,
        panel.label,
        _labels(panel),
        width,
        HEIGHT,
        "ansi" if colours else "mono",
        _frame(panel),
        panel.across.label,
    ]
    try:
        drawing = _run(templates / TERMINAL_TEMPLATE, data, arguments)
    except GnuplotError as error:
        return f"{title}: {error}"
    return "\n".join(line.rstrip() for line in drawing.strip("\f\n").splitlines())


def draw_pdf(panel: Panel, *, title: str, data: Path, templates: Path) -> Path | None:
    """Have gnuplot draw the panel of the CSV `data` beside it, as NAME-gnuplot.pdf; None if it is empty.

    Raises GnuplotError.
    """
    if panel.is_empty:
        return None
    path = data.with_name(f"{data.stem}-gnuplot.pdf")
    _run(
        templates / PDF_TEMPLATE,
        data,
        [_titled(title, panel), panel.label, _labels(panel), path, _frame(panel), panel.across.label],
    )
    return path


def can_draw_pdf() -> bool:
    """Whether this gnuplot was built with the terminal pdfcairo."""
    try:
        done = subprocess.run(
            ["gnuplot", "-e", "set terminal pdfcairo"], capture_output=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _titled(title: str, panel: Panel) -> str:
    return f"{title}, {panel.title}" if panel.title else title


def _labels(panel: Panel) -> str:
    """Join the labels, each ended by a newline, which no label holds; the CSV's own would end at a comma."""
    return "".join(f"{' '.join(curve.label.split())}\n" for curve in panel.curves)


def _frame(panel: Panel) -> str:
    """Say what the templates ask for in words: of y, of the curves, and of x."""
    axis, across = panel.axis, panel.across
    words = [
        "log" if axis.logarithmic else "linear",
        f"{axis.bottom:.17g}",
        f"{axis.top:.17g}",
        f"{axis.limit or 0:.17g}",
        sum(curve.is_ideal for curve in panel.curves),
        len(marked_curves(panel.curves)),
        "log" if across.logarithmic else "linear",
        across.first,
        across.last,
        f"{across.step:.17g}",
    ]
    return " ".join(map(str, words))


def _run(template: Path, data: Path, arguments: Sequence[object]) -> str:
    try:
        done = subprocess.run(
            ["gnuplot", "-c", str(template), str(data), *map(str, arguments)],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=30,
            check=True,
        )
    except subprocess.CalledProcessError as error:
        said = str(error.stderr).strip().splitlines() or ["no message"]
        raise GnuplotError(f"gnuplot failed: {said[-1]}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GnuplotError(f"gnuplot failed: {error}") from error
    return done.stdout

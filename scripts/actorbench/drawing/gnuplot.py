"""Figures by gnuplot, from a CSV: as characters, at once in the terminal, and as PDF.

Titles and labels are handed over as arguments, which gnuplot uses as values: nothing in them is run.
"""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from actorbench.curves import Curve, is_logarithmic

HEIGHT = 20  # lines
MAX_WIDTH = 100  # characters
TERMINAL_TEMPLATE = "lines.gp"
PDF_TEMPLATE = "lines-pdf.gp"


class GnuplotError(Exception):
    """What gnuplot said when it drew nothing, in a line."""


def draw_in_terminal(
    curves: Sequence[Curve], *, title: str, y_label: str, data: Path, templates: Path, colours: bool
) -> str:
    """Have gnuplot draw the curves, which the CSV `data` holds; returns the drawing, or why there is none."""
    if not any(curve.points for curve in curves):
        return f"{title}: nothing to draw"
    width = min(MAX_WIDTH, shutil.get_terminal_size((MAX_WIDTH, HEIGHT)).columns)
    arguments = [title, y_label, _labels(curves), width, HEIGHT, "ansi" if colours else "mono", _axis(curves)]
    try:
        drawing = _run(templates / TERMINAL_TEMPLATE, data, arguments)
    except GnuplotError as error:
        return f"{title}: {error}"
    return "\n".join(line.rstrip() for line in drawing.strip("\f\n").splitlines())


def draw_pdf(
    curves: Sequence[Curve], *, title: str, y_label: str, data: Path, templates: Path
) -> Path | None:
    """Have gnuplot draw the curves of the CSV `data` beside it, as NAME-gnuplot.pdf; None if there are none.

    Raises GnuplotError.
    """
    if not any(curve.points for curve in curves):
        return None
    path = data.with_name(f"{data.stem}-gnuplot.pdf")
    _run(templates / PDF_TEMPLATE, data, [title, y_label, _labels(curves), path, _axis(curves)])
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


def _labels(curves: Sequence[Curve]) -> str:
    """Join the labels, each ended by a newline, which no label holds; the CSV's own would end at a comma."""
    return "".join(f"{' '.join(curve.label.split())}\n" for curve in curves)


def _axis(curves: Sequence[Curve]) -> str:
    return "log" if is_logarithmic(list(curves)) else "linear"


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

"""Figures at once in the terminal, drawn as characters by gnuplot from a CSV.

Titles and labels are handed over as arguments, which gnuplot uses as values: nothing in them is run.
"""

import shutil
import subprocess
from pathlib import Path

from actorbench.curves import Curve, curves_csv
from actorbench.errors import UserError
from actorbench.store import write_whole

HEIGHT = 20  # lines
MAX_WIDTH = 100  # characters
TEMPLATE = "lines.gp"


def draw_in_terminal(
    curves: list[Curve], *, title: str, y_label: str, data: Path, templates: Path, colours: bool
) -> str:
    """Write the curves to the CSV file `data` and have gnuplot draw them; returns the drawing or why not."""
    try:
        write_whole(data, curves_csv(curves))
    except OSError as error:
        raise UserError(f"{data}: cannot be written: {error.strerror}") from error
    if not any(curve.points for curve in curves):
        return f"{title}: nothing to draw"
    width = min(MAX_WIDTH, shutil.get_terminal_size((MAX_WIDTH, HEIGHT)).columns)
    arguments = [data, title, y_label, len(curves), width, HEIGHT, "ansi" if colours else "mono"]
    try:
        done = subprocess.run(
            ["gnuplot", "-c", str(templates / TEMPLATE), *map(str, arguments)],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=30,
            check=True,
        )
    except subprocess.CalledProcessError as error:
        said = str(error.stderr).strip().splitlines() or ["no message"]
        return f"{title}: gnuplot failed: {said[-1]}"
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{title}: gnuplot failed: {error}"
    return "\n".join(line.rstrip() for line in done.stdout.strip("\f\n").splitlines())

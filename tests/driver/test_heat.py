"""Heat maps: what colours say, what is hatched, and what stands where there is no ratio."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise

import matplotlib as mpl
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from actorbench.cell import Cell
from actorbench.drawing.figure_files import STYLE, draw_figure
from actorbench.drawing.heat_picture import SPOT_SIZE, draw_scale
from actorbench.heat import HeatMap, colour_of, heat_map, ink_on
from actorbench.ratios import compare_rows
from actorbench.results import Results
from actorbench.sides import side_of
from conftest import Checkout
from made_results import made_results
from test_grid import GRID


def times(cell: Cell, number: int) -> dict[str, int]:
    """In the small column a list takes 10 times as long, in the large one they take turns."""
    is_list = dict(cell.options)["queue"] == "list"
    if dict(cell.parameters)["actors"] == 1:
        return {"elapsed_ns": 1000 * (10 if is_list else 1)}
    return {"elapsed_ns": 1000 + (300 if is_list == (number % 2 == 0) else 0)}


def results() -> Results:
    return made_results(GRID, times, 10)


def shown() -> HeatMap:
    made = results()
    return heat_map(compare_rows(made, made.experiments[0]))


def test_colours_say_how_far_and_hatches_whether() -> None:
    one = shown()
    assert (one.headings, one.labels) == (("small", "large"), ("copy", "list", "itself"))
    assert (one.reach, one.is_cut, one.has_undecided) == (4.0, True, True)
    copy, in_list, itself = one.spots
    assert [(spot.text, spot.shade, spot.is_undecided) for spot in (copy[0], in_list[0])] == [
        ("0.10", -1.0, False),
        ("10.0", 1.0, False),
    ]
    assert copy[1].is_undecided
    assert itself[0].text == "the same cell here"
    assert (itself[0].shade, itself[0].is_undecided, itself[0].colour) == (None, False, "#ffffff")


def test_the_reach_is_that_of_the_largest_ratio() -> None:
    def twice(cell: Cell, _number: int) -> dict[str, int]:
        return {"elapsed_ns": 2000 if dict(cell.options)["queue"] == "list" else 1000}

    made = made_results(GRID, twice, 10)
    one = heat_map(compare_rows(made, made.experiments[0]))
    assert (one.reach, one.is_cut, one.has_undecided) == (2.0, False, False)
    alike = made_results(GRID, lambda _cell, number: {"elapsed_ns": 1000 + number}, 10)
    assert heat_map(compare_rows(alike, alike.experiments[0])).reach == 1.25


def test_colours_diverge_from_white() -> None:
    assert [colour_of(shade) for shade in (-1.0, 0.0, 1.0)] == ["#0072b2", "#ffffff", "#d55e00"]
    assert colour_of(0.5) == "#eaae80"
    assert colour_of(-0.5) == "#80b8d8"


@pytest.mark.parametrize(
    ("colour", "ink"),
    [("#ffffff", "#000000"), ("#0072b2", "#ffffff"), ("#eaae80", "#000000"), ("#000000", "#ffffff")],
)
def test_numbers_can_be_read_on_any_colour(colour: str, ink: str) -> None:
    assert ink_on(colour) == ink


def test_the_picture_has_each_number_and_hatch() -> None:
    made = results()
    with mpl.rc_context(fname=STYLE):
        figure = draw_figure(side_of(made, made.experiments[0]))
    axes = figure.axes[0]
    patches = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    assert sum(patch.get_hatch() is not None for patch in patches) == 2
    assert [text.get_text() for text in axes.texts[:2]] == ["0.10", shown().spots[0][1].text]
    assert to_hex(patches[0].get_facecolor()) == "#0072b2"
    said = " ".join(text.get_text() for text in figure.texts)
    assert "A grid" in said
    assert "hatched: not told apart" in said
    assert "run a-run" in said


@pytest.mark.parametrize("lines", [1, 2, 3, 8])
def test_the_marks_of_the_scale_have_room(lines: int) -> None:
    one = shown()
    few = replace(one, labels=("one",) * lines, spots=(one.spots[0],) * lines, groups=("",) * lines)
    with mpl.rc_context(fname=STYLE):
        figure = Figure(figsize=(6, lines * SPOT_SIZE[1]))
        axes = figure.add_axes((0.1, 0, 0.7, 1))
        draw_scale(figure, axes, few, "ratio")
        figure.canvas.draw()
        boxes = map(Text.get_window_extent, figure.axes[1].get_yticklabels())
        marks = sorted((box.y0, box.y1) for box in boxes)
    assert len(marks) >= 3
    assert all(above[0] >= below[1] for below, above in pairwise(marks))


def test_a_grid_is_drawn_beside_its_table(checkout: Checkout) -> None:
    checkout.experiment(GRID, "grid")
    _, folder = checkout.drawn("grid", "--samples", "6")
    assert {path.name for path in (folder / "figures").iterdir()} == {
        f"grid.{suffix}" for suffix in ("svg", "pdf", "png", "pgf")
    }
    assert ET.parse(folder / "figures" / "grid.svg").getroot().tag.endswith("svg")
    assert "includegraphics" not in (folder / "figures" / "grid.pgf").read_text(), "no image beside it"

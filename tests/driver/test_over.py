"""A figure over a parameter: cells, curves, tables and drawings."""

import csv
import re

import pytest

from actorbench.curves import curves_of
from actorbench.drawing.panels import across_of
from actorbench.errors import UserError
from actorbench.experiment import parse_experiment
from actorbench.measure import MEASURES
from actorbench.tables import table_for
from conftest import LINES, Checkout

OVER = LINES.replace(
    'workers = "1..all"',
    'workers = "all"\nover = { parameter = "load", values = [90, 30, 60], label = "load (%)" }',
)
# 100 ms at 30, 200 ms at 60, 300 ms at 90.
BY_LOAD = 'load=$(echo "$*" | sed "s/.*--load //; s/ .*//"); elapsed=$((load / 30 * 100000000)); record'


def test_a_figure_goes_over_a_parameter(checkout: Checkout) -> None:
    checkout.program("executor", BY_LOAD)
    checkout.experiment(OVER, "lines")
    results, folder = checkout.drawn("lines", "--workers", "2")
    experiment = results.experiments[0]
    copy, in_list = curves_of(results, experiment, MEASURES["elapsed"])
    assert [(one.x, one.value) for one in copy.points] == [(30, 0.1), (60, 0.2), (90, 0.3)]
    assert [one.x for one in in_list.points] == [30, 60, 90]
    assert {cell.workers for cell in results.head.plan.cells} == {2}
    table = table_for(results, experiment)
    assert table.columns[0].heading == "load (%)"
    assert [row[0] for row in table.rows] == ["30", "60", "90"]
    drawn = (folder / "figures" / "lines.svg").read_text()
    assert ">load (%)<" in drawn
    assert "workers" not in drawn.partition("<style")[0]
    assert "oversubscribed" not in drawn
    with (folder / "figures" / "lines.csv").open() as data:
        assert next(csv.reader(data))[0] == "load (%)"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("values = [90, 30, 60]", "values = []", "over.values"),
        ("values = [90, 30, 60]", "values = [0]", "over.values"),
        ("values = [90, 30, 60]", "values = [1, 1]", "over.values"),
        ('workers = "all"', 'workers = "1..all"', "workers"),
        ('workers = "all"', 'workers = "all"\nshow = "speedup"', "show"),
        ('parameter = "load", ', "", "parameter"),
        ('kind = "lines"', 'kind = "boxes"', "over: does not belong in this kind of file"),
    ],
)
def test_what_cannot_be_gone_over_is_refused(old: str, new: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        parse_experiment(OVER.replace(old, new), "x.toml")


@pytest.mark.parametrize(
    ("values", "logarithmic", "beside"), [((10, 90), False, 50.0), ((1, 10, 10000), True, 10**0.5)]
)
def test_values_that_span_decades_are_drawn_as_logarithms(
    values: tuple[int, ...], logarithmic: bool, beside: float
) -> None:
    experiment = parse_experiment(OVER.replace("values = [90, 30, 60]", f"values = {list(values)}"), "x.toml")
    across = across_of(experiment, values)
    assert across.logarithmic == logarithmic
    assert across.beside(values[0], 0.5) == pytest.approx(beside)
    assert across.label.endswith(", logarithmic") == logarithmic


def test_a_logarithmic_x_has_short_numbers(checkout: Checkout) -> None:
    checkout.program("executor", BY_LOAD)
    checkout.experiment(OVER.replace("values = [90, 30, 60]", "values = [30, 300, 3_000_000]"), "lines")
    _, folder = checkout.drawn("lines", "--workers", "2")
    drawn = (folder / "figures" / "lines.svg").read_text()
    assert ">load (%), logarithmic<" in drawn
    assert {">100<", ">10k<", ">1M<"} <= set(re.findall(">[^<]+<", drawn))
    assert "math" not in drawn

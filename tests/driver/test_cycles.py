"""Cycles an operation: what is read of a record, and what a table says of where they come from."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from actorbench.cell import Cell
from actorbench.errors import BadRecordError
from actorbench.measure import MEASURES
from actorbench.record import parse_record
from actorbench.tables import table_for
from made_results import made_results
from test_record import RECORD

TICKS = {"count": 21_000, "by": "ticks", "ghz": 2.1}
COUNTED = {"count": 18_000, "by": "perf_event, user mode"}
TABLE = """
schema = 1
id = "costs"
title = "What a message costs"
kind = "table"
workload = "executor"
workers = [1]
columns = ["time_per_operation", "cycles_per_operation"]
[[series]]
label = "copy"
options = { queue = "copy" }
[[series]]
label = "list"
options = { queue = "list" }
"""


def read(cycles: Mapping[str, Any]) -> float | None:
    record = parse_record(json.dumps(RECORD | {"cycles": cycles}))
    return MEASURES["cycles_per_operation"].read(record)


def test_cycles_are_of_an_operation() -> None:
    assert read(TICKS) == 210
    assert read(COUNTED) == 180
    assert MEASURES["cycles_per_operation"].read(parse_record(json.dumps(RECORD))) is None


@pytest.mark.parametrize("wrong", [{"count": -1}, {"by": "guess"}, {"ghz": 0}, {"hz": 3}])
def test_other_cycles_are_refused(wrong: Mapping[str, Any]) -> None:
    with pytest.raises(BadRecordError, match="cycles"):
        read({**TICKS, **wrong})


@pytest.mark.parametrize(
    ("of_list", "told"),
    [
        (TICKS, "cycles: of all threads, CPU time in ticks of the time-stamp counter, of 2.1 GHz"),
        (
            COUNTED,
            "cycles: of all threads, counted by perf_event, user mode; or CPU time in ticks of the time-stamp"
            " counter, of 2.1 GHz",
        ),
    ],
)
def test_a_table_says_what_its_cycles_are(of_list: Mapping[str, Any], told: str) -> None:
    def measured(cell: Cell, _: int) -> Mapping[str, Any]:
        return {"cycles": of_list if "list" in dict(cell.options).values() else TICKS}

    results = made_results(TABLE, measured, 6)
    table = table_for(results, results.experiments[0])
    assert told in table.notes


def test_a_table_without_cycles_says_nothing_of_them() -> None:
    text = TABLE.replace(', "cycles_per_operation"', "")
    results = made_results(text, lambda *_: {"cycles": TICKS}, 6)
    assert not any("cycles" in note for note in table_for(results, results.experiments[0]).notes)

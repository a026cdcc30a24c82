"""The record: what is valid, and that nothing a program prints breaks the reader."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actorbench.errors import BadRecordError
from actorbench.measure import MEASURES
from actorbench.record import parse_record

STATISTICS = {
    "actors_created": 1,
    "messages_sent": 2,
    "messages_received": 2,
    "gulps": 1,
    "mean_gulp_size": 2.0,
    "missed_gulps": 0,
    "steal_attempts": 0,
    "steal_no_candidate": 0,
    "steal_failed_swap": 0,
    "steals": 0,
    "messages_stolen": 0,
    "mean_steal_size": 0,
}
RECORD: dict[str, Any] = {
    "schema": 1,
    "system": "actorbench",
    "version": "0.1.0",
    "design": "message-centric",
    "build": "release",
    "options": {"queue": "copy", "mailboxes_per_worker": 16},
    "workload": "executor",
    "parameters": {"scale": 0.02},
    "workers": 2,
    "elapsed_ns": 2000,
    "cpu_ns": 4000,
    "operations": 100,
    "unit": "message",
    "peak_rss_bytes": 1048576,
    "verified": True,
    "notes": [],
    "statistics": STATISTICS,
}


def test_a_record_and_its_measures() -> None:
    record = parse_record(json.dumps(RECORD) + "\n")
    read = {name: measure.read(record) for name, measure in MEASURES.items()}
    assert read["elapsed"] == 2e-6
    assert read["time_per_operation"] == 20
    assert read["cpu_per_operation"] == 40
    assert read["peak_memory"] == 1
    assert read["mean_gulp_size"] == 2


def test_statistics_may_be_absent() -> None:
    record = parse_record(json.dumps({k: v for k, v in RECORD.items() if k != "statistics"}))
    assert record.statistics is None
    assert MEASURES["gulps"].read(record) is None


@pytest.mark.parametrize("key", [key for key in RECORD if key != "statistics"])
def test_no_key_may_be_missing(key: str) -> None:
    with pytest.raises(BadRecordError, match=f"lacks '{key}'"):
        parse_record(json.dumps({k: v for k, v in RECORD.items() if k != key}))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("schema", 2),
        ("elapsed_ns", 0),
        ("elapsed_ns", "12"),
        ("workers", 0),
        ("verified", 1),
        ("options", {"queue": ["copy"]}),
        ("notes", "none"),
        ("statistics", {}),
        ("statistics", STATISTICS | {"gulps": -1}),
        ("statistics", STATISTICS | {"more": 1}),
        ("extra", 1),
    ],
)
def test_no_value_may_be_wrong(key: str, value: object) -> None:
    with pytest.raises(BadRecordError, match="breaks its schema"):
        parse_record(json.dumps(RECORD | {key: value}))


@given(st.text() | st.recursive(st.none() | st.floats() | st.text(), st.lists).map(json.dumps))
@settings(max_examples=150, deadline=None)
def test_no_output_breaks_the_reader(output: str) -> None:
    with pytest.raises(BadRecordError):
        parse_record(output)


def test_deep_nesting_is_no_record() -> None:
    with pytest.raises(BadRecordError):
        parse_record("[" * 100000)

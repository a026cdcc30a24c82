"""Fuzzing what reads files and outputs: any input is read, or refused with one line; nothing else happens.

Short as a test; ACTORBENCH_FUZZ_EXAMPLES says how many examples each reader gets in a longer hunt.
"""

import copy
import json
import os
import string
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actorbench.cell import Resolver, wanted_cells
from actorbench.comparing import options_text, read_options
from actorbench.cpu_order import read_places
from actorbench.errors import BadRecordError, UserError
from actorbench.experiment import parse_experiment, parse_toml
from actorbench.jsonl import can_decode, decode_lines
from actorbench.judging import Failure
from actorbench.measure import MEASURES
from actorbench.preset import parse_preset
from actorbench.record import parse_record
from actorbench.sample import Sample, sample_from_json
from conftest import LINES, PRESETS, RATIOS, TABLE
from test_record import RECORD

fuzzed = settings(
    max_examples=int(os.environ.get("ACTORBENCH_FUZZ_EXAMPLES", "60")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
ODD = ["copy", "1..all", "none", "--json", "$(id)", "../../x", "\x1b[31m", 10**400, -1, 0, 1e308]
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=30)
    | st.sampled_from(
        ["copy", "1..all", "none", "--json", "$(id)", "../../x", "\x1b[31m", 10**400, -1, 0, 1e308]
    )
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
)
KEYS = ["schema", "id", "kind", "workload", "workers", "options", "measure", "show", "series", "rows", "arm"]
PRESET = parse_preset(PRESETS, "quick")


@st.composite
def mutated(draw: st.DrawFn, original: object) -> Any:  # noqa: ANN401
    """A document of which one to four places are changed, taken away or added to."""
    document = copy.deepcopy(original)
    for _ in range(draw(st.integers(1, 4))):
        node: Any = document
        while True:
            steps: list[Any] = list(node) if isinstance(node, dict) else list(range(len(node)))
            if not steps:
                break
            step = draw(st.sampled_from(steps))
            if isinstance(node[step], dict | list) and draw(st.booleans()):
                node = node[step]
                continue
            change = draw(st.sampled_from(["set", "drop", "add"]))
            if change == "set":
                node[step] = draw(values)
            elif change == "drop":
                del node[step]
            elif isinstance(node, dict):
                node[draw(st.sampled_from(KEYS) | st.text(max_size=12))] = draw(values)
            else:
                node.append(draw(values))
            break
    return document


def toml_of(value: Any) -> str:  # noqa: ANN401 - anything that JSON can hold
    """Write a value as TOML, tables inline."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {toml_of(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(toml_of(item) for item in value) + "]"
    return "nan" if isinstance(value, float) and value != value else json.dumps(value)  # noqa: PLR0124


def refused_in_one_line(read: Callable[[], object], *kinds: type[Exception]) -> object:
    """Read; a refusal must be of these kinds, and one line."""
    try:
        return read()
    except kinds as error:
        said = str(error)
        assert said
        assert not any(unicodedata.category(sign) == "Cc" for sign in said), (
            "one line, and nothing in it that acts on a terminal"
        )
        return None


@given(st.sampled_from([LINES, TABLE, RATIOS]).flatmap(lambda text: mutated(parse_toml(text, "x"))))
@fuzzed
def test_any_experiment_is_read_or_refused(document: Any) -> None:  # noqa: ANN401
    text = "\n".join(f"{json.dumps(key)} = {toml_of(value)}" for key, value in document.items())

    def read() -> None:
        experiment = parse_experiment(text, "plots/x.toml")
        for cell in wanted_cells(Resolver(PRESET, (1, 2)), [experiment]):
            allowed = set(string.ascii_letters + string.digits + "_.,:+-")
            assert all(set(argument) <= allowed for argument in cell.arguments)
            assert ".." not in cell.program.parts
            assert not cell.program.is_absolute()

    refused_in_one_line(read, UserError)


@given(mutated(RECORD))
@fuzzed
def test_any_record_is_read_or_refused(document: Any) -> None:  # noqa: ANN401
    record = refused_in_one_line(lambda: parse_record(json.dumps(document)), BadRecordError)
    if record is not None:
        for measure in MEASURES.values():
            value = measure.read(record)  # type: ignore[arg-type]
            assert value is None or value >= 0


SAMPLE = Sample(
    "k # a", 0, 1, "2026", 7, 5, None, 9, None, Failure("crash", "SIGKILL"), None, "steal 3%"
).to_json()


@given(mutated(SAMPLE) | mutated(SAMPLE | {"record": RECORD}) | values)
@fuzzed
def test_any_line_of_the_store_is_read_or_refused(document: Any) -> None:  # noqa: ANN401
    line = json.dumps(document).encode()
    read = refused_in_one_line(
        lambda: decode_lines(line, sample_from_json, shown="it", what="sample", remedy="mend it"), UserError
    )
    assert (read is not None) == can_decode(line, sample_from_json)
    if isinstance(read, list):
        (sample,) = read
        assert sample_from_json(sample.to_json()) == sample


@given(st.binary(max_size=200))
@fuzzed
def test_any_bytes_in_the_store_are_refused(line: bytes) -> None:
    assert not can_decode(line, sample_from_json)
    if b"\n" not in line and line.strip():
        with pytest.raises(UserError, match="it: line 1 is no sample"):
            decode_lines(line, sample_from_json, shown="it", what="sample", remedy="mend it")


@given(
    st.text(max_size=60) | st.lists(st.sampled_from(["--queue", "copy", "'", "-", "--", "x"])).map(" ".join)
)
@fuzzed
def test_any_options_are_read_or_refused(text: str) -> None:
    options = refused_in_one_line(lambda: read_options(text), UserError)
    if isinstance(options, dict):
        assert read_options(options_text(options)) == options


@given(st.text(max_size=200) | st.lists(st.lists(st.integers())).map(lambda rows: f"worker CPU\n{rows}"))
@fuzzed
def test_any_plan_of_cpus_is_read_or_refused(text: str) -> None:
    refused_in_one_line(lambda: read_places(text, "executor"), UserError)


@given(mutated(parse_toml(PRESETS, "x")))
@fuzzed
def test_any_presets_are_read_or_refused(document: Any) -> None:  # noqa: ANN401
    text = "\n".join(f"{json.dumps(key)} = {toml_of(value)}" for key, value in document.items())
    refused_in_one_line(lambda: parse_preset(text, "quick"), UserError)


def test_names_with_line_breaks_are_quoted_in_one_line() -> None:
    """Found by the longer hunt: keys and texts that hold a line break went into messages as they were."""
    with pytest.raises(BadRecordError, match=r"^[^\n]+$"):
        parse_record(json.dumps(RECORD | {"a\nb": 1}))
    with pytest.raises(UserError, match=r"^[^\n]+$"):
        parse_preset(PRESETS + '["\\n"]\n', "quick")
    with pytest.raises(UserError, match=r"^[^\n]+$"):
        read_options("0\n")

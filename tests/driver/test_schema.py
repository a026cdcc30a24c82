"""The schemas: the quick validator finds valid what is valid, and nothing else."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actorbench.experiment import parse_toml
from actorbench.schema import first_error, is_soon_valid, validator
from conftest import LINES
from test_fuzz import mutated
from test_fuzz_files import MANIFEST
from test_record import RECORD

VALID = {"record-1": RECORD, "peer-1": MANIFEST, "experiment-1": parse_toml(LINES, "x")}


@pytest.mark.parametrize("name", VALID)
def test_what_is_valid_is_soon_valid(name: str) -> None:
    assert is_soon_valid(name, VALID[name])
    assert first_error(name, VALID[name]) is None


@pytest.mark.parametrize("name", VALID)
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_what_is_soon_valid_is_valid(name: str, data: st.DataObject) -> None:
    document: Any = data.draw(mutated(VALID[name]))
    if is_soon_valid(name, document):
        assert validator(name).is_valid(document)
        assert first_error(name, document) is None

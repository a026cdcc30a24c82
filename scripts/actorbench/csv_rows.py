"""CSV files of what simulations have counted: a line an object of a dataclass of texts and numbers."""

import csv
import io
from collections.abc import Iterable
from dataclasses import astuple, fields
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, TypeVar, get_args, get_type_hints

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Row = TypeVar("Row", bound="DataclassInstance")


def write_rows(kind: "type[DataclassInstance]", rows: "Iterable[DataclassInstance]") -> str:
    """Write objects of this kind as CSV, under the names of its fields; None as nothing."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([field.name for field in fields(kind)])
    writer.writerows(map(astuple, rows))
    return text.getvalue()


def read_rows(kind: type[Row], path: Path) -> list[Row]:
    """Read what `write_rows` wrote; raises OSError, KeyError or ValueError if it is something else."""
    types = get_type_hints(kind)
    with path.open(encoding="utf-8", newline="") as file:
        return [
            kind(**{field.name: _read(types[field.name], line[field.name]) for field in fields(kind)})
            for line in csv.DictReader(file)
        ]


def _read(kind: type, text: str) -> object:
    """Read a field: a text or a number, or either or None."""
    kinds = get_args(kind) or (kind,)
    if NoneType in kinds and not text:
        return None
    return next(one for one in kinds if one is not NoneType)(text)

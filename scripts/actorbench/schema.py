"""JSON Schemas: loading them, and saying in one line what breaks them.

Every property of our schemas carries a `description` that states what is allowed; an error message
ends with it, so that the reader of the message need not open the schema.
"""

import json
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator, ValidationError

from actorbench.text import one_line

FOLDER = Path(__file__).parent / "schemas"
DIRECTIVE = "#:schema "  # to editors, before a schema's path


def schema_file(name: str) -> Path:
    """Give the file of a schema (name and version, such as "record-1")."""
    return FOLDER / f"{name}.json"


def directive(name: str, file: Path, folder: Path = FOLDER) -> str:
    """Give the first line by which editors check a TOML file: the way from it to the schema in the folder.

    The schema is named as for `schema_file`.
    """
    way = os.path.relpath(folder / f"{name}.json", file.parent)
    return f"{DIRECTIVE}{way}" if way.startswith("..") else f"{DIRECTIVE}./{way}"


@cache
def load_schema(name: str) -> dict[str, Any]:
    """Load a schema, named as for `schema_file`."""
    schema: dict[str, Any] = json.loads(schema_file(name).read_text(encoding="utf-8"))
    return schema


@cache
def validator(name: str) -> Draft202012Validator:
    """Make the validator of a schema, named as for `load_schema`."""
    schema = load_schema(name)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@cache
def _quick_validator(name: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(load_schema(name))


def is_soon_valid(name: str, document: object) -> bool:
    """Whether the document is valid, if that is soon found: a hundred times as fast, but without a reason.

    False also for what only `validator` can tell, such as numbers that are none in JSON.
    """
    try:
        return _quick_validator(name).is_valid(document)
    except ValueError:  # a key that is no text
        return False


def first_error(name: str, document: object) -> str | None:
    """Say what in the document breaks the schema first, as "key: what (allowed: ...)"; None if valid."""
    if is_soon_valid(name, document):
        return None
    errors = list(validator(name).iter_errors(document))
    if not errors:
        return None
    return _sentence(min(errors, key=_reading_order))


def version_problem(kind: str, document: object, known: int) -> str | None:
    """Say which version of a format a document has if it is not the known one; None if it is.

    `kind` is the format's name, such as "store". A document without a version is left to its schema.
    """
    version = document.get("schema", known) if isinstance(document, dict) else known
    if version == known and not isinstance(version, bool):
        return None
    said = f"is of {kind} version {str(version)[:40]}, and this driver reads version {known}"
    if isinstance(version, int) and version > known:
        return f"{said}: it needs a newer actorbench"
    return f"{said}: it needs an actorbench of its own time"


def _reading_order(error: ValidationError) -> tuple[int, str]:
    return len(error.absolute_path), _key(error.absolute_path)


def _sentence(error: ValidationError) -> str:
    key = _key(error.absolute_path)
    schema: dict[str, Any] = error.schema if isinstance(error.schema, dict) else {}
    if schema.get("not") == {}:
        return f"{key}: does not belong in this kind of file"
    instance: Any = error.instance
    if error.validator == "additionalProperties":
        known = schema.get("properties", {})
        unknown = [name for name in instance if name not in known]
        return f"{key}: unknown key {_quoted(unknown)} (allowed: {', '.join(known)})"
    if error.validator == "required":
        missing = [name for name in schema["required"] if name not in instance]
        return f"{key}: lacks {_quoted(missing)}"
    problem = one_line(error.message)
    allowed = f" (allowed: {schema['description']})" if "description" in schema else ""
    return f"{key}: {problem[:200]}{allowed}"


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"'{one_line(name)}'" for name in names)


def _key(path: Iterable[str | int]) -> str:
    """Write a path as in `series[0].options.steal`; the document itself is "(top level)"."""
    written = ""
    for step in path:
        if isinstance(step, int):
            written += f"[{step}]"
        else:
            written += f".{step}" if written else step
    return one_line(written) or "(top level)"

"""Variants: a file that holds several experiments, which differ in little.

Each entry of `[[experiments]]` has an id and a title, and inherits what else the file says, unless it says
otherwise; options, parameters and environment are merged key by key. A run keeps each as a text of its own.
"""

import re
from itertools import takewhile
from typing import Any

import tomli_w

from actorbench.errors import UserError
from actorbench.experiment import parse_toml
from actorbench.schema import first_error, version_problem

_SEVERAL = re.compile(r"^\[\[experiments\]\]", re.MULTILINE)
_DIRECTIVE = re.compile(r"\A#:.*\n")  # to editors
_COMMENT = re.compile(r"#")
_MERGED = ("options", "parameters", "environment")


def texts_of_variants(text: str, file: str) -> list[str]:
    """Give the texts of the experiments that a file's text holds: itself, if one; raises UserError."""
    if not _SEVERAL.search(text):
        return [text]
    document = parse_toml(text, file)
    problem = version_problem("experiment", document, 1) or first_error("experiment-1", document)
    if problem:
        raise UserError(f"{file}: {problem}")
    variants = document.pop("experiments")
    told = "".join(takewhile(_COMMENT.match, _DIRECTIVE.sub("", text).splitlines(keepends=True)))
    return [told + tomli_w.dumps(_merged(document, variant)) for variant in variants]


def _merged(base: dict[str, Any], variant: dict[str, Any]) -> dict[str, Any]:
    named = {key: variant[key] for key in ("id", "title")}
    merged = {key: {**base[key], **variant[key]} for key in _MERGED if key in base and key in variant}
    return {"schema": base["schema"], **named, **base, **variant, **merged}

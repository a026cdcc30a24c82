"""Matrices: an entry of an experiment that stands for one series, or row, for each combination of its values.

A `[[matrix]]` is written like a `[[series]]`, or like a `[[rows]]` of a table of ratios; but its options,
parameters and design, those of the candidate in a row, may be lists. `{name}` in its label stands for the
value of that name. The last list varies fastest.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from actorbench.errors import UserError

VARIED = ("design", "options", "parameters")


def with_matrices(document: Mapping[str, Any], file: str) -> dict[str, Any]:
    """Put series, or rows, in place of the matrices of a valid document: behind those that it has.

    Raises UserError if a label does not tell the combinations from each other.
    """
    whole = {key: value for key, value in document.items() if key != "matrix"}
    name = "rows" if document["kind"] in ("ratios", "grid") else "series"
    matrices = enumerate(document.get("matrix", ()))
    made = [one for index, entry in matrices for one in _combinations(entry, f"{file}: matrix[{index}]")]
    return {**whole, name: [*document.get(name, ()), *made]} if made else whole


def _combinations(entry: Mapping[str, Any], shown: str) -> Iterator[dict[str, Any]]:
    varied = entry.get("candidate", entry)
    lists = {path: values for path, values in _leaves(varied) if isinstance(values, list)}
    unnamed = [path[-1] for path in lists if f"{{{path[-1]}}}" not in entry["label"]]
    if unnamed:
        raise UserError(f"{shown}.label: lacks {{{unnamed[0]}}}, the value by which one differs from another")
    for values in product(*lists.values()):
        chosen = dict(zip(lists, values, strict=True))
        label = str(entry["label"])
        for (*_, name), value in chosen.items():
            label = label.replace(f"{{{name}}}", str(value))
        one = _with(varied, chosen)
        yield {**entry, "candidate": one, "label": label} if "candidate" in entry else {**one, "label": label}


def _leaves(varied: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key in VARIED:
        value = varied.get(key)
        if isinstance(value, Mapping):
            yield from (((key, name), inner) for name, inner in value.items())
        else:
            yield (key,), value


def _with(varied: Mapping[str, Any], chosen: Mapping[tuple[str, ...], Any]) -> dict[str, Any]:
    one = {key: dict(value) if isinstance(value, Mapping) else value for key, value in varied.items()}
    for (key, *inner), value in chosen.items():
        if inner:
            one[key][inner[0]] = value
        else:
            one[key] = value
    return one

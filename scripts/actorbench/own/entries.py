"""What files say of own commands: the keys of an experiment's entry or of a cell, and what they may hold."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from actorbench.errors import UserError, choices
from actorbench.own.command import NOT_PINNED, OUTPUT, WORKERS, Own
from actorbench.reading.formats import reader_of, reader_problem

KEYS = frozenset(
    ("command", "read", "prepare", "cleanup", "working_directory", "environment", "verify", "pin")
)


def merged_keys(place: str, layers: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Merge what layers say of a command, from the general to the particular; None if they end at a workload.

    Raises UserError for a layer that says both, and for keys of a command in an entry that has none.
    """
    keys: dict[str, Any] = {}
    is_own = False
    for layer in layers:
        if {"command", "workload"} <= layer.keys():
            raise UserError(f"{place}: has a command and a workload: give one of them")
        environment = {**keys.get("environment", {}), **layer.get("environment", {})}
        keys |= {**{name: layer[name] for name in KEYS & layer.keys()}, "environment": environment}
        is_own = "command" in layer or (is_own and not {"workload", "system"} & layer.keys())
    if not is_own and (found := sorted(KEYS & layers[-1].keys())):
        raise UserError(f"{place}: '{found[0]}' belongs to a command, and this has none")
    return keys if is_own else None


def own_of(place: str, keys: Mapping[str, Any], *, default: str | None = None) -> Own:
    """Make a command of its keys in a file, which has passed its schema; `place` names file and entry.

    `default` is the format that is read where none is named. Raises UserError for what can't be.
    """
    if "read" not in keys and default is None:
        raise UserError(f"{place}: a command lacks 'read': how its result is read, such as \"wall\"")
    read = keys.get("read", default)
    told = {"format": read} if isinstance(read, str) else dict(read or {})
    if problem := reader_problem(told):
        raise UserError(f"{place}.read: {problem}")
    verify = keys.get("verify", "")
    expected = verify.get("contains", "") if isinstance(verify, dict) else ""
    own = Own(
        command=_line(place, "command", keys["command"]),
        reader=reader_of(told),
        folder=keys.get("working_directory", ""),
        environment=tuple(sorted((name, str(value)) for name, value in keys.get("environment", {}).items())),
        prepare=_line(place, "prepare", keys.get("prepare", "")),
        cleanup=_line(place, "cleanup", keys.get("cleanup", "")),
        verify="" if expected else _line(place, "verify", verify),
        expected=expected,
        pin=keys.get("pin", ""),
    )
    if OUTPUT in own.placeholders and not own.reader.source:
        own = replace(own, reader=replace(own.reader, source=f"{{{OUTPUT}}}"))
    return own


def scanned(
    sides: Sequence[Sequence[Mapping[str, Any]]], label: str, added: str = ", {name} {value}"
) -> Iterator[dict[str, Any]]:
    """Give an entry's label and values for each choice among the values of parameters that have several.

    `sides` are its parameters, or those of both its sides, each in layers from the general to the particular.
    The label says the values: where a name stands in braces, there, or else behind it, as `added` has it.
    """
    several: dict[str, list[Any]] = {}
    for layers in sides:
        merged = {name: value for layer in layers for name, value in layer.items()}
        several |= {name: value for name, value in merged.items() if isinstance(value, list)}
    if not several:
        yield {}
        return
    for values in product(*several.values()):
        scan = dict(zip(several, values, strict=True))
        told = label
        for name, value in scan.items():
            mark = f"{{{name}}}"
            more = added.format(name=name, value=value)
            told = told.replace(mark, str(value)) if mark in told else told + more
        yield {"label": told, "scan": scan}


def check_names(place: str, own: Own, parameters: Sequence[str], *, workers: object) -> None:
    """Raise UserError for a placeholder that is no parameter, and for workers or values that go nowhere.

    `workers` is what the file says of them, "none" if there are none.
    """
    names = own.placeholders
    known = [*parameters, *([] if workers == "none" else [WORKERS]), OUTPUT]
    for name in sorted(names - set(known)):
        raise UserError(f"{place}: {{{name}}} is no parameter (choices: {choices(known)})")
    if workers not in ("none", None) and WORKERS not in names and own.pin in ("", NOT_PINNED):
        raise UserError(
            f'{place}: its command has no {{workers}}: put it where it goes, or say workers = "none"'
        )


def _line(place: str, key: str, text: str | Sequence[str]) -> str:
    """Make one text of a command that a file gives as a text or as a list of words; raises UserError."""
    if not isinstance(text, str):
        return shlex.join(text)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UserError(f"{place}.{key}: '{text}' is no command: {error}") from error
    if text and not words:
        raise UserError(f"{place}.{key}: '{text}' is no command: it has no words")
    return text

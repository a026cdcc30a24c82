"""What `actorbench init` writes: an experiment, a gate's cells, and a workflow, all to be edited further."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomli_w

from actorbench.errors import UserError
from actorbench.experiment import parse_experiment
from actorbench.own.command import WORKERS, name_of
from actorbench.own.entries import own_of
from actorbench.project import GATE_CELLS, MARKER, SCHEMAS
from actorbench.reading.formats import FORMATS
from actorbench.schema import directive, schema_file

WORKFLOW = Path(".github", "workflows", "gate.yml")
CHECKED = ("experiment-1", "gate-cells-1", "presets-1")  # what can stand in plots/
SEE = "docs/own-programs.md of actorbench says what else can stand here"


@dataclass(frozen=True)
class Start:
    """What the user has said of a command; `id` names its experiment, `build` is what builds a commit."""

    id: str
    command: str
    read: str
    verify: str
    build: str = ""

    @property
    def entry(self) -> dict[str, Any]:
        """What an experiment's entry and a gate's cell say alike."""
        return {
            "command": shlex.split(self.command),
            "read": reader_keys(self.read),
            **({"verify": {"contains": self.verify}} if self.verify else {}),
        }

    @property
    def has_workers(self) -> bool:
        """Whether the command is told how many workers to have."""
        return WORKERS in own_of(self.id, self.entry).placeholders

    def files(self) -> dict[Path, str]:
        """The files' texts, by their paths below the project's folder; raises UserError for what can't be."""
        experiment, cells = Path("plots", f"{self.id}.toml"), Path("plots", GATE_CELLS)
        schemas = Path("plots", SCHEMAS)
        texts = {
            Path(MARKER): "# A project of actorbench: experiments are in plots/, runs in results/.\n",
            experiment: f"{directive('experiment-1', experiment, schemas)}\n"
            f"# What is measured of a command, and drawn; {SEE}.\n{self._experiment()}",
            cells: f"{directive('gate-cells-1', cells, schemas)}\n"
            f"# What the gate measures of a commit; {SEE}.\n{self._cells()}",
            WORKFLOW: Path(__file__).with_name("workflow.yml").read_text(encoding="utf-8"),
        }
        parse_experiment(texts[experiment], str(experiment))
        return texts

    def _experiment(self) -> str:
        kind = {"kind": "lines", "workers": "1..all"} if self.has_workers else {"kind": "boxes"}
        document = {"schema": 1, "id": self.id, "title": self.id, **kind, **self.entry}
        return _toml({**document, "series": [{"label": name_of(own_of(self.id, self.entry))}]})

    def _cells(self) -> str:
        workers: list[int | str] = [1, "all"]
        cells = (
            [{"name": f"{self.id}-{count}", "workers": count, **self.entry} for count in workers]
            if self.has_workers
            else [{"name": self.id, **self.entry}]
        )
        build = {"build": shlex.split(self.build)} if self.build else {}
        return _toml({"schema": 1, **build, "cells": cells})


def schema_files() -> dict[Path, str]:
    """Give the schemas by which editors check plots/, by their paths below the project's folder."""
    return {
        Path("plots", SCHEMAS, f"{name}.json"): schema_file(name).read_text(encoding="utf-8")
        for name in CHECKED
    }


def reader_keys(text: str) -> str | dict[str, str]:
    """Read a format and what it takes from a line, such as "wall" or "json /mean ms"; raises UserError."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UserError(f"'{text}' is no format: {error}") from error
    name, values = (words[0], words[1:]) if words else ("", [])
    takes = [*FORMATS[name].needs, *FORMATS[name].takes] if name in FORMATS else []
    if len(values) > len(takes):
        told = " ".join([name, *(f"[{one}]" for one in takes)])
        raise UserError(f"'{text}' has more words than format '{name}' takes: {told}")
    keys = dict(zip(takes, values, strict=False))
    return {"format": name, **keys} if keys else name


def _toml(document: dict[str, Any]) -> str:
    return tomli_w.dumps(document, indent=2)

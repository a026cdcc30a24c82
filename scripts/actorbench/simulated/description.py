"""Descriptions of machines: machine/descriptions/NAME.toml, or a few words such as "pack:4 numa:2 core:8"."""

import re
from dataclasses import dataclass, replace
from typing import Any

from actorbench.errors import UserError, choices
from actorbench.experiment import parse_toml, read_text
from actorbench.project import Project
from actorbench.schema import first_error

FOLDER = "machine/descriptions"
LEVELS = {"pack": "packages", "numa": "nodes", "l3": "l3", "l2": "l2", "core": "cores", "pu": "threads"}
NUMBERS_OF_WORDS = "modern"  # whose numbers a machine in a few words has


@dataclass(frozen=True)
class Machine:
    """A machine that can be simulated; `topology` says how many of each level are in one of that above."""

    name: str
    title: str
    topology: dict[str, int]
    hops: str
    numbers: dict[str, float]

    @property
    def cores(self) -> int:
        """How many cores it has."""
        one = self.topology
        return one["packages"] * one["nodes"] * one["l3"] * one["l2"] * one["cores"]

    @property
    def units(self) -> int:
        """How many threads its cores run at a time."""
        return self.cores * self.topology["threads"]

    @property
    def synthetic(self) -> str:
        """The topology as hwloc's synthetic string."""
        return " ".join(f"{level}:{self.topology[key]}" for level, key in LEVELS.items())

    def flat(self) -> str:
        """Write what machine/description.h reads."""
        lines = [f"name {self.name}", f"topology {self.synthetic}", f"hops {self.hops or '-'}"]
        return "\n".join([*lines, *(f"{key} {value!r}" for key, value in self.numbers.items())]) + "\n"


def machine_names(project: Project) -> list[str]:
    """List the machines that are described."""
    return sorted(path.stem for path in (project.suite / FOLDER).glob("*.toml"))


def find_machine(project: Project, asked: str) -> Machine:
    """Find a machine by name, or make the one that a few words describe; raises UserError."""
    if re.fullmatch(r"[a-z0-9]+:\d+( [a-z0-9]+:\d+)*", asked):
        return _from_words(project, asked)
    if asked not in machine_names(project):
        raise UserError(
            f"no machine '{asked}' in {FOLDER}/ (choices: {choices(machine_names(project))}, or a few words"
            ' such as "pack:4 numa:2 core:8")'
        )
    shown = f"{FOLDER}/{asked}.toml"
    return machine_from(asked, parse_toml(read_text(project.suite / shown, shown), shown), shown)


def machine_from(name: str, document: dict[str, Any], shown: str) -> Machine:
    """Take a description's document; raises UserError if it breaks the schema or names no source."""
    problem = first_error("machine-1", document)
    if problem:
        raise UserError(f"{shown}: {problem}")
    said = {key for source in document["sources"] for key in source["of"]}
    unsaid = sorted(set(document["numbers"]) ^ said)
    if unsaid:
        raise UserError(f"{shown}: each number has a source, and each source a number: {choices(unsaid)}")
    topology = dict(document["topology"])
    hops = str(topology.pop("hops", ""))
    return Machine(name, document["title"], topology, hops, dict(document["numbers"]))


def _from_words(project: Project, asked: str) -> Machine:
    counts = dict.fromkeys(LEVELS.values(), 1)
    for word in asked.split():
        level, _, count = word.partition(":")
        if level not in LEVELS or not 1 <= int(count) <= 1024:
            raise UserError(f"--machine: '{word}' is none of {choices(list(LEVELS))} with a number from 1")
        counts[LEVELS[level]] = int(count)
    base = find_machine(project, NUMBERS_OF_WORDS)
    title = f"{asked}, with the numbers of {NUMBERS_OF_WORDS}"
    return replace(
        base, name=asked.replace(":", "-").replace(" ", "-"), title=title, topology=counts, hops=""
    )

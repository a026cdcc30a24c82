"""Claims as data: what a source says, and the bounds that together decide it.

The files are `plots/claims/*.toml`, one a source (`schemas/claims-1.json`). A bound names what is looked at:
an experiment, and of it series or rows by their labels, where a pattern may stand for several.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from actorbench.errors import UserError, choices
from actorbench.experiment import parse_toml, read_text
from actorbench.measure import MEASURES
from actorbench.schema import first_error, version_problem
from actorbench.text import visible

NUMBERED = re.compile(r"([A-Z])(\d+)")


@dataclass(frozen=True)
class Needs:
    """What a machine must have for a bound to mean anything on it; `peers` are systems' names."""

    workers: int = 1
    packages: int = 1
    nodes: int = 1
    threads: int = 1  # hardware threads a core
    peers: tuple[str, ...] = ()

    def joined(self, other: "Needs") -> "Needs":
        """What both need."""
        return Needs(
            max(self.workers, other.workers),
            max(self.packages, other.packages),
            max(self.nodes, other.nodes),
            max(self.threads, other.threads),
            (*self.peers, *(peer for peer in other.peers if peer not in self.peers)),
        )


@dataclass(frozen=True)
class Bound:
    """A part of a claim; `asks` is what its kind takes (schemas/claims-1.json)."""

    says: str
    kind: str
    experiment: str
    needs: Needs
    asks: Mapping[str, Any]

    @property
    def lacks(self) -> str:
        """What no program here measures yet; empty if the bound can be measured."""
        return str(self.asks.get("lacks", ""))


@dataclass(frozen=True)
class Claim:
    """A claim: the source's words in short, where they stand, and about which machines they are."""

    id: str
    says: str
    work: str
    place: str
    machines: tuple[str, ...]
    simulated: bool
    bounds: tuple[Bound, ...]

    @property
    def experiments(self) -> tuple[str, ...]:
        """The experiments that its bounds look at."""
        return tuple(dict.fromkeys(bound.experiment for bound in self.bounds if bound.experiment))


def load_claims(folder: Path) -> list[Claim]:
    """Read all claims of a folder, in the order of the files' names and of each file; raises UserError."""
    found, wrong = known_claims(folder)
    for problem in wrong:
        raise UserError(problem)
    return found


def known_claims(folder: Path) -> tuple[list[Claim], list[str]]:
    """Read the claims of all files of a folder that are right, and say what is wrong with the others."""
    found: dict[str, Claim] = {}
    wrong = []
    for path in sorted(folder.glob("*.toml")):
        shown = f"plots/{folder.name}/{path.name}"
        try:
            for claim in parse_claims(read_text(path, shown), shown):
                if claim.id in found:
                    raise UserError(f"{shown}: claim '{claim.id}' is there twice")
                found[claim.id] = claim
        except UserError as error:
            wrong.append(str(error))
    return list(found.values()), wrong


def parse_claims(text: str, file: str) -> list[Claim]:
    """Read a source's claims from its file's text; raises UserError: file, key, what is wrong."""
    document = parse_toml(text, file)
    problem = version_problem("claims", document, 1) or first_error("claims-1", document)
    if problem:
        raise UserError(f"{file}: {problem}")
    return [
        _claim(file, f"claims[{index}]", document, entry) for index, entry in enumerate(document["claims"])
    ]


def pick_claims(claims: Sequence[Claim], names: Sequence[str]) -> list[Claim]:
    """Give the claims named, all if none is; raises UserError for a name that is none."""
    known = {claim.id: claim for claim in claims}
    for name in names:
        if name not in known:
            raise UserError(f"no claim '{name}' in plots/claims (choices: {choices(list(known))})")
    return [known[name] for name in dict.fromkeys(names)] if names else list(claims)


def numbered(name: str) -> tuple[str, int]:
    """Give the order of a claim's id: T9 is before T10."""
    match = NUMBERED.fullmatch(name)
    return (match[1], int(match[2])) if match else (name, 0)


def _claim(file: str, key: str, document: dict[str, Any], entry: dict[str, Any]) -> Claim:
    machines = document["machines"]
    for name in entry["machines"]:
        if name not in machines:
            raise UserError(
                f"{file}: {key}.machines: no machine '{name}' (choices: {choices(list(machines))})"
            )
    common = _needs(entry.get("needs", {}))
    return Claim(
        id=entry["id"],
        says=visible(entry["says"]),
        work=visible(document["work"]),
        place=visible(f"{entry['place']}, line {entry['line']} of {entry.get('lines', document['lines'])}"),
        machines=tuple(visible(machines[name]) for name in entry["machines"]),
        simulated=entry["simulated"],
        bounds=tuple(
            _bound(file, f"{key}.bounds[{index}]", common, bound)
            for index, bound in enumerate(entry["bounds"])
        ),
    )


def _bound(file: str, key: str, common: Needs, entry: dict[str, Any]) -> Bound:
    for name in ("measure", "per"):
        if name in entry and entry[name] not in MEASURES:
            raise UserError(f"{file}: {key}.{name}: no measure '{entry[name]}'")
    if "factors" in entry and len(entry["factors"]) != (steps := len(entry["order"]) - 1):
        raise UserError(f"{file}: {key}.factors: {steps} are needed, one less than there are groups")
    named = {name: entry[name] for name in entry if name not in ("says", "kind", "experiment", "needs")}
    return Bound(
        says=visible(entry["says"]),
        kind=entry["kind"],
        experiment=entry.get("experiment", ""),
        needs=common.joined(_needs(entry.get("needs", {}))),
        asks=named,
    )


def _needs(entry: dict[str, Any]) -> Needs:
    return Needs(**{**entry, "peers": tuple(entry.get("peers", ()))})

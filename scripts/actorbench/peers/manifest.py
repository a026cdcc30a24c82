"""Manifests: peers/<folder>/peer.toml, by which the driver knows a peer's systems (schemas/peer-1.json)."""

from dataclasses import dataclass
from pathlib import Path

from actorbench.errors import UserError, choices
from actorbench.experiment import parse_toml, read_text
from actorbench.project import Project
from actorbench.schema import first_error, version_problem
from actorbench.system import System
from actorbench.text import one_line

FILE_NAME = "peer.toml"


@dataclass(frozen=True)
class Peer:
    """A folder of peers/: how its toolchain is found and its systems are built."""

    folder: str
    requires: tuple[str, ...]
    detect: tuple[str, ...]
    missing: str
    packages: tuple[str, ...]
    build: tuple[str, ...]
    systems: tuple[System, ...]


def all_peers(project: Project) -> list[Peer]:
    """Read every manifest, by folder; raises UserError at the first that is wrong or names a system twice."""
    peers = [_load(path) for path in sorted((project.suite / "peers").glob(f"*/{FILE_NAME}"))]
    taken: dict[str, str] = {}
    for peer in peers:
        for system in peer.systems:
            other = taken.setdefault(system.name, peer.folder)
            if other != peer.folder:
                raise UserError(
                    f"peers/{peer.folder}/{FILE_NAME}: system '{system.name}' is taken by peers/{other}"
                )
    return peers


def find_peers(project: Project, names: tuple[str, ...]) -> list[Peer]:
    """Find peers by folder or by system, all if none is named; raises UserError with the choices."""
    known = all_peers(project)
    for name in names:
        if not any(_answers(peer, name) for peer in known):
            raise UserError(
                f"no peer '{name}' in peers/ (choices: {choices([peer.folder for peer in known])})"
            )
    return [peer for peer in known if not names or any(_answers(peer, name) for name in names)]


def find_system(project: Project, name: str) -> tuple[Peer, System]:
    """Find a system and its peer; raises UserError with the choices."""
    pairs = [(peer, system) for peer in all_peers(project) for system in peer.systems]
    for peer, system in pairs:
        if system.name == name:
            return peer, system
    raise UserError(
        f"no system '{name}' in peers/ (choices: {choices([system.name for _, system in pairs])})"
    )


def _answers(peer: Peer, name: str) -> bool:
    return name == peer.folder or name in (system.name for system in peer.systems)


def _load(path: Path) -> Peer:
    shown = f"peers/{path.parent.name}/{FILE_NAME}"
    document = parse_toml(read_text(path, shown), shown)
    problem = version_problem("manifest", document, 1) or first_error("peer-1", document)
    if problem:
        raise UserError(f"{shown}: {problem}")
    return Peer(
        folder=path.parent.name,
        requires=tuple(document["requires"]),
        detect=tuple(document["detect"]),
        missing=one_line(document["missing"]),
        packages=tuple(document["apt"]),
        build=tuple(document["build"]),
        systems=tuple(
            System(
                name=entry["name"],
                title=one_line(entry["title"]),
                workloads=tuple(entry["workloads"]),
                limits=tuple(one_line(limit) for limit in entry["limits"]),
                options={name: tuple(words) for name, words in entry.get("options", {}).items()},
                scale=entry.get("scale", {}),
            )
            for entry in document["systems"]
        ),
    )

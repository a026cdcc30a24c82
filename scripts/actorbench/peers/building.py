"""Building peers: whether the toolchain is at hand, and the build that the manifest names."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from actorbench.cell import PEERS_FOLDER
from actorbench.peers.manifest import Peer, all_peers
from actorbench.project import Project
from actorbench.system import System

MOST_SECONDS = 1800


@dataclass(frozen=True)
class Built:
    """What came of building a peer: `problem` in one line, None if all went well; `log` is what was said."""

    peer: Peer
    problem: str | None
    log: str = ""


def program_of(project: Project, system: str, workload: str) -> Path:
    """The path of a system's program."""
    return project.build / PEERS_FOLDER / system / workload


def is_built(project: Project, system: System) -> bool:
    """Whether every program of a system is there."""
    return all(os.access(program_of(project, system.name, one), os.X_OK) for one in system.workloads)


def built_systems(project: Project) -> list[System]:
    """The systems of all peers whose programs are there."""
    return [system for peer in all_peers(project) for system in peer.systems if is_built(project, system)]


def unbuilt_systems(project: Project) -> dict[str, str]:
    """The systems of all peers whose programs are not there, each with the reason."""
    return {
        system.name: why_missing(project, peer) or "not built: make peers"
        for peer in all_peers(project)
        for system in peer.systems
        if not is_built(project, system)
    }


def why_missing(project: Project, peer: Peer) -> str | None:
    """What keeps the peer from being built here, in one line; None if its toolchain is at hand."""
    absent = [command for command in peer.requires if shutil.which(command) is None]
    if absent or (peer.detect and _run(project, peer.detect).returncode != 0):
        return f"not installed: {peer.missing}"
    return None


def build_peer(project: Project, peer: Peer) -> Built:
    """Build a peer whose toolchain is at hand; what is built already stays."""
    done = _run(project, peer.build)
    if done.returncode != 0:
        said = [line for line in done.stdout.splitlines() if line.strip()]
        named = [line for line in said if "error" in line.lower()] or said[-1:]
        return Built(peer, f"does not build: {named[0].strip() if named else 'no message'}", done.stdout)
    for system in peer.systems:
        for workload in system.workloads:
            if not os.access(program_of(project, system.name, workload), os.X_OK):
                return Built(
                    peer, f"its build makes no build/{PEERS_FOLDER}/{system.name}/{workload}", done.stdout
                )
    return Built(peer, None)


def _run(project: Project, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command in the suite, both outputs together; one that can't start, or takes too long, failed."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")
    }
    try:
        return subprocess.run(
            command,
            cwd=project.suite,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=MOST_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(command, 1, stdout=f"{command[0]}: {error}")

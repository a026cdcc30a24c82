"""Systems: a peer's actor system as the driver knows it, from its manifest or from a run's head."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

OURS = "actorbench"  # the system that core/ makes; any other is a peer's
NATIVE = "native"  # the design that a peer's record names


@dataclass(frozen=True)
class System:
    """An actor system of a peer: its programs are build/peers/<name>/<workload>.

    `scale` gives, by preset and workload, the scales at which it does not do the amount that the others do.
    """

    name: str
    title: str
    workloads: tuple[str, ...]
    limits: tuple[str, ...] = ()
    options: Mapping[str, tuple[str, ...]] | None = None
    scale: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Write what a run keeps of the system."""
        return {
            "name": self.name,
            "title": self.title,
            "workloads": list(self.workloads),
            "limits": list(self.limits),
        }


def system_from_json(document: dict[str, Any]) -> System:
    """Read what `System.to_json` wrote; raises KeyError or TypeError if it is something else."""
    return System(
        document["name"], document["title"], tuple(document["workloads"]), tuple(document["limits"])
    )

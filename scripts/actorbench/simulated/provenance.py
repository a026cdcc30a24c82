"""What says of every simulated number that it is one: in a run's head, and in all that shows it."""

import json
from collections.abc import Mapping
from typing import Any

from actorbench.project import Project
from actorbench.simulated.description import Machine

VALIDATION_FILE = "machine/validated.json"  # what the last `machine --validate` found
OF_THE_PROGRAMS = ("compiler", "flags", "commit", "tree")  # facts that are no machine's
NOT_VALIDATED = "the model has not been held against measurements"


def on_machine(project: Project, document: Mapping[str, Any], machine: Machine) -> dict[str, Any]:
    """Make a run's head one of a simulated machine: no fact of the host stands where the machine's should."""
    host = document["machine"]
    facts = {name: value if name in OF_THE_PROGRAMS else None for name, value in host.items()} | {
        "cpu_model": f"simulated: {machine.name} ({machine.title})",
        "topology": machine.synthetic,
        "cpus_allowed": list(range(machine.units)),
    }
    told = {
        "name": machine.name,
        "title": machine.title,
        "error": validation_text(project),
        "description": machine.flat(),
    }
    doubts = [f"simulated: {machine.name}: no number of this run was measured"]
    return {**document, "machine": facts, "cpus": machine.units, "doubts": doubts, "simulated": told}


def validation_text(project: Project) -> str:
    """Say how far the model was from the host, of cells that it was not tuned on."""
    try:
        found = json.loads((project.suite / VALIDATION_FILE).read_text(encoding="utf-8"))
        return str(found["told"])
    except (OSError, ValueError, KeyError, TypeError):
        return NOT_VALIDATED


def simulated_note(document: Mapping[str, Any]) -> str:
    """Say below a table or figure that its numbers are simulated, and how far they may be off; "" if not."""
    told = document.get("simulated")
    return (
        f"SIMULATED, not measured: machine {told['name']} ({told['title']}); {told['error']}" if told else ""
    )

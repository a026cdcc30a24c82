"""What the package depends on: "The driver at work" of requirements.txt, in its versions or later ones.

The build of the package asks (pyproject.toml).
"""

from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Requirements(MetadataHookInterface):
    """Fills in `dependencies`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the dependencies to the metadata."""
        text = Path(self.root, "scripts", "requirements.txt").read_text(encoding="utf-8")
        parts = [part.splitlines() for part in text.split("\n\n")]
        (driver,) = [part for part in parts if part[0].startswith("# The driver at work")]
        metadata["dependencies"] = [line.replace("==", ">=") for line in driver[1:]]

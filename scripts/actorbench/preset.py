"""Presets: how much work a sample does, and how many samples a cell gets (plots/presets.toml)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from actorbench.errors import UserError, choices
from actorbench.experiment import Experiment, parse_toml, read_text
from actorbench.schema import first_error

FILE_NAME = "presets.toml"


@dataclass(frozen=True)
class Preset:
    """A preset; `scale` gives the scale of each workload, `text` the file that it was read from."""

    name: str
    text: str
    samples: int
    intervals_under_floor: bool
    scale: Mapping[str, float]

    def samples_for(self, experiment: Experiment) -> int:
        """How many samples each cell of the experiment gets."""
        adjustment = experiment.adjustments.get(self.name)
        return adjustment.samples if adjustment and adjustment.samples else self.samples

    def scale_for(self, experiment: Experiment, workload: str) -> float:
        """The scale of the workload in the experiment; raises UserError if neither file gives one."""
        adjustment = experiment.adjustments.get(self.name)
        for scales in (adjustment.scale if adjustment else {}, self.scale):
            if workload in scales:
                return float(scales[workload])
        raise UserError(
            f"{experiment.file}: no scale for workload '{workload}' in preset '{self.name}': give one as"
            f" presets.{self.name}.scale.{workload} there, or in {FILE_NAME}"
        )


def load_preset(folder: Path, name: str) -> Preset:
    """Read the preset from the presets file in the folder; raises UserError."""
    return parse_preset(read_text(folder / FILE_NAME, FILE_NAME), name)


def parse_preset(text: str, name: str) -> Preset:
    """Read the preset of that name from the text of a presets file; raises UserError."""
    document = parse_toml(text, FILE_NAME)
    problem = first_error("presets-1", document)
    if problem:
        raise UserError(f"{FILE_NAME}: {problem}")
    names = [key for key in document if key != "schema"]
    if name not in names:
        raise UserError(f"no preset '{name}' in {FILE_NAME} (choices: {choices(names)})")
    entry = document[name]
    return Preset(
        name=name,
        text=text,
        samples=entry["samples"],
        intervals_under_floor=entry.get("intervals_under_floor", False),
        scale=entry["scale"],
    )

"""Presets: how many samples a cell gets (plots/presets.toml), and how much work each does (the manifest)."""

from collections.abc import Mapping
from dataclasses import dataclass

from actorbench.errors import UserError, choices
from actorbench.experiment import Experiment, parse_toml, read_text
from actorbench.project import Project
from actorbench.schema import first_error
from actorbench.workloads import FILE_NAME as WORKLOADS_FILE
from actorbench.workloads import load_workloads, with_scales

FILE_NAME = "presets.toml"


@dataclass(frozen=True)
class Preset:
    """A preset; `scale` gives the scale of each workload, `text` the files that it was read from."""

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
            f" presets.{self.name}.scale.{workload} there, or in {WORKLOADS_FILE}"
        )


def load_preset(project: Project, name: str) -> Preset:
    """Read the preset, and the scales that the workloads' manifest has for it; raises UserError."""
    presets = read_text(project.plots / FILE_NAME, FILE_NAME)
    return parse_preset(with_scales(presets, load_workloads(project)), name)


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

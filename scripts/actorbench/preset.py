"""Presets: how many samples a cell gets (plots/presets.toml), and how much work each does (the manifests).

The amounts are workloads/workloads.toml's, for all systems alike, but where a peer's manifest gives a system
its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from actorbench.errors import UserError, choices, did_you_mean
from actorbench.experiment import Experiment, Scalar, parse_toml, read_text
from actorbench.peers.manifest import all_peers
from actorbench.project import PRESETS, Project
from actorbench.schema import first_error
from actorbench.system import OURS
from actorbench.workloads import FILE_NAME as WORKLOADS_FILE
from actorbench.workloads import load_workloads, with_scales


@dataclass(frozen=True)
class Preset:
    """A preset; `scale` gives the scale of each workload, `text` the files that it was read from.

    `systems` gives, by system and workload, the scales of those that do not take that of the others;
    `parameters`, by workload, what a program of ours is given where an experiment says nothing else;
    `follows_budget` says whether a budget may make the amounts smaller.
    """

    name: str
    text: str
    samples: int
    intervals_under_floor: bool
    scale: Mapping[str, float]
    systems: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    parameters: Mapping[str, Mapping[str, Scalar]] = field(default_factory=dict)
    follows_budget: bool = False

    def samples_for(self, experiment: Experiment) -> int:
        """How many samples each cell of the experiment gets."""
        adjustment = experiment.adjustments.get(self.name)
        return adjustment.samples if adjustment and adjustment.samples else self.samples

    def scale_for(self, experiment: Experiment, workload: str, system: str = OURS) -> float:
        """The scale of the workload in the experiment; raises UserError if no file gives one."""
        adjustment = experiment.adjustments.get(self.name)
        for scales in (adjustment.scale if adjustment else {}, self.systems.get(system, {}), self.scale):
            if workload in scales:
                return float(scales[workload])
        if meant := did_you_mean(workload, self.scale):
            raise UserError(f"{experiment.file}: no workload '{workload}'{meant}")
        raise UserError(
            f"{experiment.file}: no scale for workload '{workload}' in preset '{self.name}': give one as"
            f" presets.{self.name}.scale.{workload} there, or in {WORKLOADS_FILE}"
        )

    def share(self, workload: str, system: str) -> float:
        """What part of the others' amount of a workload a system does: 1 if it has no scale of its own."""
        own = self.systems.get(system, {}).get(workload)
        return 1.0 if own is None or workload not in self.scale else own / self.scale[workload]

    def with_amounts(self, scale: Mapping[str, float]) -> "Preset":
        """The preset with other scales for some workloads; a system's share of the amount stays."""
        systems = {
            system: {
                name: self.share(name, system) * scale[name] if name in scale else value
                for name, value in own.items()
            }
            for system, own in self.systems.items()
        }
        return replace(self, scale={**self.scale, **scale}, systems=systems)


def load_preset(project: Project, name: str) -> Preset:
    """Read the preset, and the scales that the manifests have for it; raises UserError."""
    presets = read_text(project.presets, PRESETS)
    systems = [system for peer in all_peers(project) for system in peer.systems]
    return parse_preset(with_scales(presets, load_workloads(project), systems), name)


def parse_preset(text: str, name: str) -> Preset:
    """Read the preset of that name from the text of a presets file; raises UserError."""
    document = parse_toml(text, PRESETS)
    problem = first_error("presets-1", document)
    if problem:
        raise UserError(f"{PRESETS}: {problem}")
    names = [key for key in document if key != "schema"]
    if name not in names:
        raise UserError(f"no preset '{name}' in {PRESETS} (choices: {choices(names)})")
    entry = document[name]
    return Preset(
        name=name,
        text=text,
        samples=entry["samples"],
        intervals_under_floor=entry.get("intervals_under_floor", False),
        scale=entry.get("scale", {}),
        systems=entry.get("systems", {}),
        parameters=entry.get("parameters", {}),
        follows_budget=entry.get("follows_budget", False),
    )

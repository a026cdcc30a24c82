"""The start of a sweep: from what the user asked for to a run's folder with its head."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from actorbench.catalogue import find_program
from actorbench.cell import Cell, Resolver, wanted_cells
from actorbench.design import DEFAULT_DESIGN
from actorbench.errors import UserError, choices
from actorbench.experiment import Experiment
from actorbench.machine.doubts import find_doubts
from actorbench.machine.facts import read_facts
from actorbench.machine.sources import Sources
from actorbench.machine.versions import tool_versions
from actorbench.peers.building import built_systems, unbuilt_systems
from actorbench.peers.manifest import find_system
from actorbench.plan import Plan, make_paired_plan, make_plan
from actorbench.preset import load_preset
from actorbench.project import Project
from actorbench.stopping import first_rounds, make_goal
from actorbench.store import Run, create_run
from actorbench.system import OURS

DEFAULT_TIMEOUT_S = 600.0


@dataclass(frozen=True)
class Request:
    """What the user asked for; None where the preset, the machine or chance decides."""

    experiments: Sequence[Experiment]
    preset: str
    samples: int | None
    workers: tuple[int, ...] | None
    seed: int | None
    timeout_s: float
    only: str | None
    arguments: Sequence[str]
    budget_s: float | None = None
    precision: float | None = None  # a fraction
    void_disturbed: bool = False
    paired: bool = False  # each comparison's two cells next to each other, in ABBA blocks


def start_run(project: Project, request: Request) -> Run:
    """Plan the sweep, look at the machine, and write both down in a new run; raises UserError."""
    facts = read_facts(Sources.of_this_machine(project.root))
    if any(one.wants_peers for one in request.experiments) and not built_systems(project):
        raise UserError("no peer is built: make peers-setup peers")
    preset = load_preset(project, request.preset)
    workers = request.workers or tuple(range(1, facts.usable_cpus + 1))
    wanted = wanted_cells(Resolver(preset, workers), request.experiments)
    chosen = {
        cell: request.samples or samples
        for cell, samples in wanted.items()
        if request.only is None or request.only in cell.key
    }
    if not chosen:
        raise UserError(f"no cell's command contains '{request.only}' (such as {next(iter(wanted)).key})")
    skipped = _skipped(project, request.experiments, list(chosen))
    chosen = {cell: samples for cell, samples in chosen.items() if cell.system not in skipped}
    if not chosen:
        raise UserError(f"nothing is built of what was asked for: {choices(sorted(skipped))} (make peers)")
    _require_programs(project, chosen)
    goal = make_goal(request.budget_s, request.precision, request.samples)
    if goal:
        chosen = dict.fromkeys(chosen, first_rounds(goal))
    seed = int.from_bytes(os.urandom(4)) if request.seed is None else request.seed
    document = {
        "kind": "sweep",
        "arguments": list(request.arguments),
        "preset": request.preset,
        "seed": seed,
        "timeout_s": request.timeout_s,
        "workers": list(workers),
        "only": request.only,
        "goal": goal and goal.to_json(),
        "default_design": DEFAULT_DESIGN,
        "void_disturbed": request.void_disturbed,
        "peers": [one.to_json() for one in built_systems(project)],
        "skipped": skipped,
        "cpus": facts.usable_cpus,
        "machine": facts.values,
        "doubts": [doubt.line for doubt in find_doubts(facts)],
        "versions": tool_versions(Sources.of_this_machine(project.root)),
        "presets_text": preset.text,
        "experiments": [{"file": one.file, "text": one.text} for one in request.experiments],
        "plan": _plan(Resolver(preset, workers), request, chosen, seed).to_json(),
    }
    names = [experiment.id for experiment in request.experiments]
    return create_run(project, names[0] if len(names) == 1 else request.preset, document)


def _plan(resolver: Resolver, request: Request, chosen: dict[Cell, int], seed: int) -> Plan:
    if not request.paired:
        return make_plan(chosen, seed)
    pairs = [
        pair
        for experiment in request.experiments
        for row in experiment.comparisons
        for pair in resolver.pairs(experiment, row)
    ]
    return make_paired_plan(pairs, max(chosen.values()), seed)


def _skipped(project: Project, experiments: Sequence[Experiment], cells: Sequence[Cell]) -> dict[str, str]:
    """Say of each peer's system that is wanted, and not built, why; raises UserError for one unknown."""
    named = {cell.system for cell in cells if cell.system != OURS}
    for name in named:
        find_system(project, name)
    every = any(one.wants_peers for one in experiments)
    return {name: why for name, why in unbuilt_systems(project).items() if every or name in named}


def _require_programs(project: Project, cells: dict[Cell, int]) -> None:
    """Raise UserError at the first cell whose program is not built, or is not among its system's."""
    ours = [cell for cell in cells if cell.system == OURS]
    for program in dict.fromkeys((cell.config, cell.design, cell.workload) for cell in ours):
        find_program(project, *program)
    for system, workload in dict.fromkeys((cell.system, cell.workload) for cell in cells):
        if system != OURS and workload not in find_system(project, system)[1].workloads:
            raise UserError(f"system '{system}' has no workload '{workload}'")

"""The start of a sweep: from what the user asked for to what is to be measured, and to a run."""

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from actorbench.amounts import Cost, fit_amounts
from actorbench.building import build_missing
from actorbench.calibration import Calibration, calibrate
from actorbench.catalogue import find_program
from actorbench.cell import Cell, Resolver, wanted_cells
from actorbench.commits import built_from
from actorbench.cpu_order import cpus_in_order
from actorbench.design import DEFAULT_DESIGN
from actorbench.errors import UserError, choices
from actorbench.experiment import Experiment
from actorbench.lock import measuring_lock
from actorbench.machine.doubts import find_doubts, machine_doubts
from actorbench.machine.facts import Facts, read_facts
from actorbench.machine.sources import Sources
from actorbench.machine.versions import tool_versions
from actorbench.option_check import check_options
from actorbench.own.command import NOT_PINNED, SYSTEM, missing
from actorbench.peers.building import built_systems, unbuilt_systems
from actorbench.peers.manifest import find_system
from actorbench.plan import Plan, make_paired_plan, make_plan
from actorbench.preset import Preset, load_preset
from actorbench.progress import ProgressDisplay
from actorbench.project import Project
from actorbench.reach import Need, needs_of, shortage_lines
from actorbench.rules import ENOUGH, FLOOR
from actorbench.simulated.description import Machine
from actorbench.simulated.provenance import on_machine
from actorbench.simulated.sampling import CONFIG, DESCRIPTION_FILE
from actorbench.stopping import Goal, first_rounds, make_goal, span_text
from actorbench.store import Run, create_run, write_output
from actorbench.system import OURS
from actorbench.worker_counts import WorkerCounts, worker_counts

DEFAULT_TIMEOUT_S = 600.0
PLAIN_PRESET = "quick"  # of a sweep without experiments, which takes nothing of it


# Of experiments those cells that are wanted.
Selection = Callable[[Sequence[Experiment], Resolver], Collection[Cell]]


@dataclass(frozen=True)
class Request:
    """What the user asked for; None where the preset, the machine or chance decides."""

    experiments: Sequence[Experiment]
    preset: str
    samples: int | None
    workers: tuple[int, ...] | str | None  # a list, or "thesis"
    seed: int | None
    timeout_s: float
    only: str | None
    arguments: Sequence[str]
    budget_s: float | None = None
    precision: float | None = None  # a fraction
    void_disturbed: bool = False
    paired: bool = False  # each comparison's two cells next to each other, in ABBA blocks
    pin: str | None = None  # in place of the experiments'
    machine: Machine | None = None  # that is simulated in place of this one
    selects: Selection | None = None  # of the experiments' cells; all if absent


@dataclass(frozen=True)
class Proposal:
    """A sweep that could be started: the machine, and the cells with the samples that each is to get."""

    request: Request
    facts: Facts
    seed: int
    preset: Preset
    workers: WorkerCounts
    skipped: dict[str, str]
    cells: dict[Cell, int]
    goal: Goal | None
    amounts: dict[str, float] = field(default_factory=dict)  # by workload, in place of the preset's
    calibration: Calibration | None = None
    told: tuple[str, ...] = ()  # what a budget has decided
    cpu_orders: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # of own commands, by pin

    @property
    def follows_budget(self) -> bool:
        """Whether a calibration has to say first how much work fits the budget."""
        return self.preset.follows_budget and self.request.budget_s is not None

    @property
    def rounds(self) -> int:
        """How many samples the cell that gets the most is to get."""
        return self.request.samples or max([*self.cells.values(), *(need.rounds for need in self.needs)])

    @property
    def needs(self) -> list[Need]:
        """What the experiments compare, and the rounds that this needs."""
        return needs_of(self.resolver, self.request.experiments, self.cells)

    @property
    def shortages(self) -> list[str]:
        """Warnings of tables that so few rounds can't decide; how many fit a budget is seen later."""
        if self.request.budget_s is not None:
            return []
        return shortage_lines(self.needs, self.goal.most_rounds if self.goal else max(self.cells.values()))

    @property
    def resolver(self) -> Resolver:
        """What turns the experiments' settings into these cells."""
        config = CONFIG if self.request.machine else None
        preset = self.preset.with_amounts(self.amounts)
        return Resolver(preset, self.workers.counts, self.request.pin, config, self.cpu_orders)


def propose(project: Project, request: Request, *, to_run: bool = True) -> Proposal:
    """Look at the machine, and find what is to be measured; writes nothing. Raises UserError.

    Unless it is `to_run`, the programs need not be built, and are not asked whether they take their options.
    """
    facts = read_facts(Sources.of_this_machine(project.root))
    if (
        request.machine is None
        and any(one.wants_peers for one in request.experiments)
        and not built_systems(project)
    ):
        raise UserError("no peer is built: make peers-setup peers")
    proposal = Proposal(
        request=request,
        facts=facts,
        seed=int.from_bytes(os.urandom(4)) if request.seed is None else request.seed,
        preset=load_preset(project, request.preset),
        workers=worker_counts(
            request.workers, request.machine.cores if request.machine else facts.usable_cpus
        ),
        skipped={},
        cells={},
        goal=None,
        cpu_orders=_cpu_orders(project, request),
    )
    chosen = _chosen(proposal)
    skipped = _skipped(project, request.experiments, list(chosen), simulated=request.machine is not None)
    proposal = replace(proposal, skipped=skipped)
    chosen = _chosen(proposal)
    if not chosen:
        raise UserError(f"nothing is built of what was asked for: {choices(sorted(skipped))} (make peers)")
    if request.machine is None and any(cell.build.startswith(CONFIG) for cell in chosen):
        raise UserError(f"build '{CONFIG}' measures nothing: --machine says which machine to simulate")
    if to_run:
        _require_programs(project, chosen)
        _require_own(project, proposal.resolver, request.experiments, chosen)
    if to_run and request.machine is None:
        check_options(project, proposal.resolver, request.experiments, chosen)
    proposal = replace(proposal, cells=chosen)
    wanted = max([ENOUGH, *(need.rounds for need in proposal.needs)])
    return replace(proposal, goal=make_goal(request.budget_s, request.precision, request.samples, wanted))


def calibrated(project: Project, proposal: Proposal, display: ProgressDisplay) -> Proposal:
    """Measure what samples cost, telling how far it is, and make the amounts such that they fit the budget.

    Raises StoppedError if the user asks to stop meanwhile. The caller holds the lock (lock.py).
    """
    request = proposal.request
    found = calibrate(project, list(proposal.cells), request.timeout_s, proposal.seed, display)
    left_s = max(0.0, (request.budget_s or 0) - found.seconds) / (1 + found.driver_share)
    told = f"calibrated {len(found.costs)} of {len(proposal.cells)} cells in {span_text(found.seconds)}"
    fitted = with_budget(proposal, found.costs, left_s)
    return replace(fitted, calibration=found, told=(told, *fitted.told))


def with_budget(proposal: Proposal, costs: Mapping[Cell, Cost], budget_s: float) -> Proposal:
    """Give the proposal the amounts that fit the budget by the costs."""
    goal = proposal.goal
    if not costs or goal is None:
        return proposal
    amounts = fit_amounts(proposal.preset, costs, budget_s, proposal.rounds)
    fitted = replace(
        proposal,
        amounts=dict(amounts.scale),
        goal=replace(goal, budget_s=max(budget_s, 1.0), least_rounds=min(amounts.rounds, FLOOR)),
        told=amounts.lines,
    )
    kept = {cell.question for cell in proposal.cells}
    wanted = wanted_cells(fitted.resolver, proposal.request.experiments)
    cells = {cell: amounts.rounds for cell in wanted if cell.question in kept}
    return replace(fitted, cells=cells)


def label_of(request: Request) -> str:
    """Name a run's folder by what it measures."""
    names = [experiment.id for experiment in request.experiments]
    return names[0] if len(names) == 1 else request.preset


def start_run(
    project: Project,
    proposal: Proposal,
    *,
    folder: Path | None = None,
    elsewhere: Mapping[str, str] | None = None,
) -> Run:
    """Write what is proposed, and what the machine is, down in a new run; raises UserError.

    A job's run has a `folder` already, and `elsewhere` says where it is taken (elsewhere/errand.py).
    """
    request, goal, resolver = proposal.request, proposal.goal, proposal.resolver
    chosen = proposal.cells
    if goal:
        chosen = dict.fromkeys(chosen, first_rounds(goal))
    document = {
        "kind": "sweep",
        "arguments": list(request.arguments),
        "preset": request.preset,
        "seed": proposal.seed,
        "timeout_s": request.timeout_s,
        "workers": list(proposal.workers.counts),
        "workers_why": proposal.workers.why,
        "pin": request.pin,
        "cpu_orders": dict(proposal.cpu_orders),
        "amounts": proposal.amounts,
        "calibration": proposal.calibration and proposal.calibration.to_json(),
        "decisions": list(proposal.told),
        "only": request.only,
        "goal": goal and goal.to_json(),
        "default_design": DEFAULT_DESIGN,
        "void_disturbed": request.void_disturbed,
        "peers": [one.to_json() for one in built_systems(project)],
        "skipped": proposal.skipped,
        "cpus": proposal.facts.usable_cpus,
        "machine": proposal.facts.values,
        "doubts": [doubt.line for doubt in find_doubts(proposal.facts)],
        "built_from": built_from(project, proposal.facts, _own_programs(chosen)),
        "versions": tool_versions(Sources.of_this_machine(project.root)),
        "presets_text": proposal.preset.text,
        "experiments": [{"file": one.file, "text": one.text} for one in request.experiments],
        "plan": _plan(resolver, request, chosen, proposal.seed).to_json(),
    }
    if elsewhere is not None:
        document["elsewhere"] = dict(elsewhere)
    label = label_of(request)
    if request.machine is None:
        return create_run(project, label, document, folder)
    run = create_run(
        project, f"{label}-{request.machine.name}", on_machine(project, document, request.machine)
    )
    write_output(run.folder / DESCRIPTION_FILE, request.machine.flat())
    return run


def plain_head(
    project: Project,
    facts: Facts,
    *,
    arguments: Sequence[str],
    seed: int,
    timeout_s: float,
    plan: Plan,
    goal: Goal | None = None,
) -> dict[str, Any]:
    """Give the head of a sweep of cells that no experiment asks for, such as a gate's."""
    return {
        "kind": "sweep",
        "arguments": list(arguments),
        "preset": PLAIN_PRESET,
        "seed": seed,
        "timeout_s": timeout_s,
        "workers": list(range(1, facts.usable_cpus + 1)),
        "only": None,
        "goal": goal and goal.to_json(),
        "cpus": facts.usable_cpus,
        "machine": facts.values,
        "doubts": [doubt.line for doubt in machine_doubts(facts)],
        "versions": tool_versions(Sources.of_this_machine(project.root)),
        "presets_text": load_preset(project, PLAIN_PRESET).text,
        "experiments": [],
        "plan": plan.to_json(),
    }


def _cpu_orders(project: Project, request: Request) -> dict[str, tuple[int, ...]]:
    """Find the orders of CPUs that the experiments' own commands are bound in; raises UserError."""
    owns = [setting.own for one in request.experiments for setting in one.settings() if setting.own]
    pins = {one.pin if request.pin is None else request.pin for one in owns} - {"", NOT_PINNED}
    return {pin: cpus_in_order(project, pin) for pin in sorted(pins)}


def _require_own(
    project: Project, resolver: Resolver, experiments: Sequence[Experiment], cells: Collection[Cell]
) -> None:
    """Raise UserError at the first own command of which a program or folder is missing."""
    for experiment in experiments:
        for cell in wanted_cells(resolver, [experiment]):
            own = cell.own_filled() if cell in cells else None
            if own and (problem := missing(own, cell.folder(project))):
                raise UserError(f"{experiment.file}: {problem}: {cell.key}")


def _chosen(proposal: Proposal) -> dict[Cell, int]:
    """The cells that are wanted, each with its samples; raises UserError if --only leaves none."""
    request = proposal.request
    wanted = wanted_cells(proposal.resolver, request.experiments)
    selected = request.selects(request.experiments, proposal.resolver) if request.selects else wanted
    chosen = {
        cell: request.samples or samples
        for cell, samples in wanted.items()
        if cell in selected and (request.only is None or request.only in cell.key)
    }
    if not chosen:
        raise UserError(f"no cell's command contains '{request.only}' (such as {next(iter(wanted)).key})")
    return {cell: samples for cell, samples in chosen.items() if cell.system not in proposal.skipped}


def _plan(resolver: Resolver, request: Request, chosen: dict[Cell, int], seed: int) -> Plan:
    if not request.paired:
        return make_plan(chosen, seed)
    pairs = [
        (candidate, base)
        for experiment in request.experiments
        for _, candidate, base in resolver.all_pairs(experiment)
    ]
    return make_paired_plan(pairs, max(chosen.values()), seed)


def _own_programs(cells: Iterable[Cell]) -> list[Path]:
    """The programs that the checkout builds: not a peer's, nor those of commits."""
    return list(dict.fromkeys(cell.program for cell in cells if cell.system == OURS and not cell.commit))


def _skipped(
    project: Project, experiments: Sequence[Experiment], cells: Sequence[Cell], *, simulated: bool
) -> dict[str, str]:
    """Say of each peer's system that is wanted, and not built, why; raises UserError for one unknown."""
    named = {cell.system for cell in cells if cell.system != OURS}
    for name in named - {SYSTEM}:
        find_system(project, name)
    every = any(one.wants_peers for one in experiments)
    if simulated:
        return dict.fromkeys(named, "it is not simulated")
    return {name: why for name, why in unbuilt_systems(project).items() if every or name in named}


def _require_programs(project: Project, cells: dict[Cell, int]) -> None:
    """Raise UserError at the first cell whose program is not built, or is not among its system's."""
    ours = dict.fromkeys((one.config, one.design, one.workload) for one in cells if one.system == OURS)
    if project.is_users:
        build_missing(project, list(ours), measuring_lock(project, wait=True))
    for program in ours:
        find_program(project, *program)
    for system, workload in dict.fromkeys((cell.system, cell.workload) for cell in cells):
        if system not in (OURS, SYSTEM) and workload not in find_system(project, system)[1].workloads:
            raise UserError(f"system '{system}' has no workload '{workload}'")

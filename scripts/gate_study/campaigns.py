"""Campaigns: many whole gates, to show how often the gate is wrong.

An A/A campaign holds a commit against itself, so that each FAIL is a false alarm. A self-test slows every
send of the candidate by a calibrated delay, and counts how often that is found. Every gate is a run like any
other, kept in results/; the campaign itself is kept as `store` says.
"""

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from io import StringIO
from statistics import median

from rich.console import Console

from actorbench.errors import (
    EXIT_BENCHMARK_FAILED,
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_REGRESSION,
    UserError,
)
from actorbench.gate.aa import Shares
from actorbench.gate.arms import Commits, Revision
from actorbench.gate.deciding import GATED, Outcome, Verdict
from actorbench.gate.outputs import gate_json, verdict_line
from actorbench.gate.power import spread_of
from actorbench.gate.running import COUNTED, BrokenGateError, carry_on, read_state, start_gate
from actorbench.gate.state import FIRST, GateState
from actorbench.machine.facts import Facts, read_facts
from actorbench.machine.sources import Sources
from actorbench.progress import left_text
from actorbench.project import Project
from actorbench.store import Run
from actorbench.sweep import InterruptedSweepError
from gate_study.calibration import CalibrationError, Slowdown
from gate_study.count_tables import counts_table, is_named, planted_table
from gate_study.cpu_load import Load, LoadEndedError, cpu_load
from gate_study.planting import Plant, choose_plants, planted_sides, remove_planted
from gate_study.power_tables import budget_table, power_table
from gate_study.slowing import find_delays, slowed_sides
from gate_study.store import (
    Asked,
    Campaign,
    GateEntry,
    Kind,
    create_campaign,
    find_campaign,
)
from gate_study.tables import campaign_table, is_found, noise_table

PLANTED = (Kind.INSTRUCTIONS, Kind.LINES)
MOST_BROKEN = 3  # gates, after which there is something to mend before more are run
NEEDED = {0.10: 0.9, 0.20: 1.0}  # the share of the tries in which a slow-down must be found


def run_campaign(project: Project, kind: Kind, asked: Asked, console: Console) -> int:
    """Run a campaign's gates; returns the exit status.

    Of A/A gates that is 0 without alarms, 1 with, 4 if a gate broke; of a self-test 0 if the slow-downs were
    found as often as NEEDED, else 1 or 4. Only plain A/A gates add to the history: the others are of a build
    of their own, or beside a load. Raises UserError.
    """
    if kind is not Kind.AA:
        asked = replace(asked, settings=replace(asked.settings, keeps_history=False))
    campaign = create_campaign(project, kind, asked, _facts(project))
    for doubt in campaign.document["doubts"]:
        console.print(f"warning: {doubt}", soft_wrap=True)
    return _carry_on(project, campaign, console)


def resume_campaign(project: Project, name: str, console: Console) -> int:
    """Go on with a campaign, or only show it again if nothing is missing; raises UserError."""
    campaign = find_campaign(project, name)
    if campaign.total == 0 or campaign.missing():
        if not campaign.cells:
            raise UserError(f"campaign {name} did not keep its cells, and can't go on: start a new one")
        _require_same_machine(campaign, _facts(project))
        campaign.put_tail_aside()
    return _carry_on(project, campaign, console)


def _carry_on(project: Project, campaign: Campaign, console: Console) -> int:
    console.print(f"campaign {campaign.name}, kept in {campaign.shown}", soft_wrap=True)
    hint = f"scripts/gate-study show {campaign.name}"
    try:
        if campaign.kind is Kind.SELF_TEST and campaign.calibration is None:
            campaign = campaign.calibrated(find_delays(project, campaign, console))
        if campaign.kind in PLANTED and not campaign.plants:
            tell = partial(console.print, soft_wrap=True)
            campaign = campaign.with_entry("plants", choose_plants(project, campaign, tell))
        if campaign.missing():
            _run_missing(project, campaign, console)
            if campaign.kind in PLANTED:
                remove_planted(project, campaign)
    except (CalibrationError, LoadEndedError) as error:
        console.print(f"{error}; go on with: {hint}", soft_wrap=True)
        return EXIT_BENCHMARK_FAILED
    except (InterruptedSweepError, KeyboardInterrupt):
        console.print(f"interrupted; go on with: {hint}", soft_wrap=True)
        return EXIT_INTERRUPTED
    except UserError:
        console.print(f"once that is mended, go on with: {hint}", soft_wrap=True)
        raise
    return _finish(campaign, console)


def _finish(campaign: Campaign, console: Console) -> int:
    """Show what the campaign's gates found, and keep it as Markdown and pictures."""
    from gate_study.figures import write_campaign_figures  # noqa: PLC0415 - slow to load

    entries = campaign.entries()
    tables = [campaign_table(campaign, entries)]
    if campaign.kind in PLANTED:
        tables = [planted_table(campaign, entries)]
    if campaign.settings.measures != COUNTED:
        tables.append(noise_table(entries))
    if any(line.get("count") for entry in entries for line in entry.lines):
        tables.append(counts_table(campaign, entries))
    if campaign.kind is Kind.SELF_TEST:
        tables = [power_table(campaign, entries), budget_table(campaign, entries), noise_table(entries)]
    for table in tables:
        table.print(console)
    campaign.write("summary.md", "\n".join([_heading(campaign), *(table.markdown() for table in tables)]))
    names = [path.name for path in write_campaign_figures(campaign, entries)]
    console.print(f"{campaign.shown}/: {', '.join(['summary.md', *names])}", soft_wrap=True)
    return exit_status(campaign, entries)


def exit_status(campaign: Campaign, entries: Sequence[GateEntry]) -> int:
    """Give the exit status that the gates run so far end the campaign with."""
    verdicts = [entry.verdict for entry in entries]
    if Verdict.BROKEN in verdicts:
        return EXIT_BENCHMARK_FAILED
    if campaign.kind in PLANTED:
        missed = [one for one in entries if not is_named(one, Plant(**campaign.plants[one.number]))]
        return EXIT_REGRESSION if missed or not entries else EXIT_OK
    if campaign.kind is not Kind.SELF_TEST:
        return EXIT_REGRESSION if Verdict.FAIL in verdicts else EXIT_OK
    for asked, needed in NEEDED.items():
        tries = [entry for entry in entries if entry.asked == asked]
        if not tries or Shares.of(is_found(one, campaign.slowed) for one in tries).share < needed:
            return EXIT_REGRESSION
    return EXIT_OK


def _run_missing(project: Project, campaign: Campaign, console: Console) -> None:
    missing = campaign.missing()
    entries = campaign.entries()
    broken = 0
    load: AbstractContextManager[Load | None] = nullcontext()
    if campaign.kind is Kind.LOADED:
        load = cpu_load(campaign.seed_of("load"))
    console.print(f"{len(missing)} gates are to be run", soft_wrap=True)
    with load as running:
        for place, number in enumerate(missing, start=1):
            entry, outcome = _run_gate(project, campaign, number)
            if running is not None:
                running.require()
            campaign.append(entry)
            entries.append(entry)
            seconds_left = (len(missing) - place) * median(one.took_s for one in entries)
            console.print(_told(campaign, entry, entries, seconds_left), soft_wrap=True)
            if entry.verdict is Verdict.BROKEN or (entry.asked is None and entry.verdict is not Verdict.PASS):
                console.print(f"  {verdict_line(outcome)}; kept in results/{outcome.run}", soft_wrap=True)
            broken += entry.verdict is Verdict.BROKEN
            if broken == MOST_BROKEN:
                console.print(f"{broken} gates broke: no more are run", soft_wrap=True)
                return


def _run_gate(project: Project, campaign: Campaign, number: int) -> tuple[GateEntry, Outcome]:
    """Run one whole gate, quietly, and sum it up."""
    quiet = Console(file=StringIO(), quiet=True)
    slowdown = _slowdown(campaign, number)
    plant = Plant(**campaign.plants[number]) if campaign.kind in PLANTED else None
    sides = planted_sides(project, campaign, plant) if plant else _sides(campaign, slowdown)
    seed = campaign.seed_of(number)
    started, start = datetime.now(UTC), time.monotonic()
    try:
        settings = replace(campaign.settings, seed=seed)
        outcome = carry_on(project, start_gate(project, sides, settings, quiet), quiet)
    except BrokenGateError as error:
        outcome = error.outcome
    took_s = time.monotonic() - start
    state = read_state(Run(project.results / outcome.run))
    entry = GateEntry(
        number=number,
        started=started.isoformat(timespec="seconds"),
        took_s=round(took_s, 3),
        seed=seed,
        asked=slowdown.asked if slowdown else plant.share if plant else None,
        delay_ns=slowdown.achieved.delay_ns if slowdown else None,
        costs_s={cell.name: state.cost_s(cell) for cell in state.cells},
        spreads=_spreads(state),
        gate=gate_json(outcome),
    )
    return entry, outcome


def _spreads(state: GateState) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for cell in state.cells:
        for measure in GATED:
            pairs = state.values(cell, measure, FIRST).candidate
            if pairs:
                found.setdefault(cell.name, {})[measure] = spread_of(pairs)
    return found


def _told(campaign: Campaign, entry: GateEntry, entries: Sequence[GateEntry], seconds_left: float) -> str:
    counts = {verdict: sum(one.verdict is verdict for one in entries) for verdict in Verdict}
    words = "more, planted" if campaign.kind in PLANTED else "slower"
    asked = "" if entry.asked is None else f"{100 * entry.asked:.3g} % {words}: "
    alike = [one for one in entries if one.asked == entry.asked]
    if campaign.kind in PLANTED:
        named = [is_named(one, Plant(**campaign.plants[one.number])) for one in entries]
        so_far = f"found {sum(named)} of {len(named)}"
    elif entry.asked is None:
        so_far = f"{counts[Verdict.FAIL]} FAIL, {counts[Verdict.INCONCLUSIVE]} INCONCLUSIVE"
    else:
        so_far = f"found {sum(is_found(one, campaign.slowed) for one in alike)} of {len(alike)}"
    broken = f", {counts[Verdict.BROKEN]} BROKEN" if counts[Verdict.BROKEN] else ""
    return (
        f"gate {entry.number + 1} of {campaign.total}: {asked}{entry.verdict.value}, {entry.took_s:.0f} s;"
        f" {so_far}{broken} so far, {left_text(seconds_left)}"
    )


def _sides(campaign: Campaign, slowdown: Slowdown | None) -> Commits:
    """What a gate compares: the base with itself, or with itself slowed."""
    base = Revision(campaign.base, campaign.commit)
    if slowdown is None:
        return Commits(base, base, campaign.cells)
    return slowed_sides(campaign, slowdown.achieved.delay_ns, campaign.cells)


def _slowdown(campaign: Campaign, number: int) -> Slowdown | None:
    """The slow-down of a gate: they take turns, so that a drift of the machine hits all alike."""
    calibration = campaign.calibration
    if calibration is None:
        return None
    return calibration.slowdowns[number % len(calibration.slowdowns)]


def _heading(campaign: Campaign) -> str:
    values = dict(campaign.facts.shown())
    told = ("CPU", "CPUs allowed (affinity)", "hypervisor", "kernel", "compiler", "compiler flags (release)")
    lines = [
        f"# {campaign.name}",
        "",
        f"    scripts/gate-study {' '.join(campaign.document['arguments'])}",
        "",
        f"- base: {campaign.base} ({campaign.commit}); started {campaign.document['started']}",
        *(f"- {label}: {values[label]}" for label in told),
        *(f"- doubt: {doubt}" for doubt in campaign.document["doubts"]),
        "",
        f"Made from gates.jsonl; to make it again: `scripts/gate-study show {campaign.name}`",
        "",
    ]
    return "\n".join(lines)


def _require_same_machine(campaign: Campaign, now: Facts) -> None:
    """Raise UserError if the rest of the campaign would be of another machine."""
    then = campaign.facts
    for name, before, found in (
        ("CPU", then.values["cpu_model"], now.values["cpu_model"]),
        ("number of CPUs", then.usable_cpus, now.usable_cpus),
    ):
        if before != found:
            raise UserError(
                f"campaign {campaign.name} was started on another machine ({name}: {before}, here {found}):"
                " start a new one here"
            )


def _facts(project: Project) -> Facts:
    return read_facts(Sources.of_this_machine(project.root))

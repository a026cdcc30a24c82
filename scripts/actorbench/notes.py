"""What stands below a table or figure: where its numbers come from, and what they allow to say."""

from collections.abc import Sequence
from statistics import median

from actorbench.cell import Cell
from actorbench.experiment import Experiment
from actorbench.ledger.claims import Claim, numbered
from actorbench.ledger.judging import judged_alone, told_of
from actorbench.measure import Measure
from actorbench.own.command import unverified_note
from actorbench.results import Results
from actorbench.rules import CONFIDENCE, MEAN, level_text
from actorbench.scales import amounts_note, scales_text
from actorbench.sides import Side
from actorbench.simulated.provenance import simulated_note
from actorbench.text import counted
from actorbench.wording import standing_note

CYCLES = "cycles_per_operation"
MEAN_NOTE = "of skewed samples an interval of a mean holds the truth less often than it says"


def context_note(results: Results, experiment: Experiment) -> str:
    """Say where the numbers come from: preset, scales, samples and run."""
    cells = {
        cell for setting in experiment.settings() for cell in results.resolver.cells(experiment, setting)
    }
    planned = sorted({results.result(cell).planned for cell in cells} - {0})
    count = "-".join(dict.fromkeys([str(planned[0]), str(planned[-1])])) if planned else "no"
    samples = f"{count} sample a cell" if count == "1" else f"{count} samples a cell"
    pinned = f"--pin {results.head.pin}, " if results.head.pin else ""
    told = f"preset {results.head.preset}, {scales_text(cells)}, {pinned}{samples}, run {results.name}"
    simulated = simulated_note(results.head.document)
    return f"{simulated}; {told}" if simulated else told


def claim_notes(results: Results, experiment: Experiment) -> list[str]:
    """Name the claims that an experiment tests, a line each, with what the run says of those it looks at."""
    found = {one.claim.id: one.line for one in judged_alone(results)}
    return [found.get(claim.id, told_of(claim)) for claim in tested_claims(results, experiment)]


def tested_claims(results: Results, experiment: Experiment) -> list[Claim]:
    """Give the claims that an experiment names, or whose bounds look at it, in the order of their ids."""
    return sorted(
        (one for one in results.claims if one.id in experiment.claims or experiment.id in one.experiments),
        key=lambda claim: numbered(claim.id),
    )


def claims_together(sides: Sequence[Side]) -> list[str]:
    """Name the claims that an experiment tests, a line each, with what each run of several says of them."""
    by_side = [{one.claim.id: one for one in judged_alone(side.results)} for side in sides]
    claims = {claim.id: claim for side in sides for claim in tested_claims(side.results, side.experiment)}
    lines = []
    for name, claim in claims.items():
        found = [judged.get(name) for judged in by_side]
        said = [
            f"{side.title}: {judged.verdict.value if judged else 'not looked at'}"
            for side, judged in zip(sides, found, strict=True)
        ]
        lines.append(told_of(claim) + (f": {'; '.join(said)}" if any(found) else ""))
    return lines


def cell_notes(
    results: Results, experiment: Experiment, cells: Sequence[Cell], measure: Measure, explained: str
) -> list[str]:
    """Say how a table's values came about, what their number allows, and where they come from."""
    notes = [explained, *shortage_notes(results, experiment, cells, measure)]
    if any(results.is_oversubscribed(cell) for cell in cells):
        cpus = counted(results.head.cpus, "CPU")
        notes.append(f"oversubscribed: more workers than the {cpus} that the run could use")
    return notes + closing_notes(results, experiment)


def shortage_notes(
    results: Results, experiment: Experiment, cells: Sequence[Cell], measure: Measure
) -> list[str]:
    """Say what the numbers of samples allow, of medians or, where they are shown, of speed-ups."""
    if experiment.speedup:
        ratios = [results.speedup(cell, measure) for cell in cells]
        return standing_note({one.standing for one in ratios if one})
    estimates = [results.estimate(cell, measure, experiment.estimate) for cell in cells]
    notes = standing_note({one.standing for one in estimates if one}, results.head.confidence)
    return notes + ([MEAN_NOTE] if experiment.estimate == MEAN else [])


def closing_notes(results: Results, experiment: Experiment) -> list[str]:
    """The file's own note, and where the numbers come from."""
    notes = [experiment.note] if experiment.note else []
    notes += [f"left out: {problem}" for problem in results.left_out]
    tested = dict.fromkeys([*experiment.claims, *(one.id for one in tested_claims(results, experiment))])
    claims = f"; claims tested: {', '.join(tested)}" if tested else ""
    confidence = results.head.confidence
    if confidence > CONFIDENCE and experiment.kind in ("lines", "table") and not experiment.speedup:
        stated = level_text(confidence)
        notes.append(f"intervals of {stated}: those of all looks at which it could end hold with 95 %")
    notes += unverified_note([setting.own for setting in experiment.settings()])
    notes += [*cycles_note(results, experiment), *amounts_note(results, experiment)]
    return [*notes, context_note(results, experiment) + claims, *claim_notes(results, experiment)]


def cycles_note(results: Results, experiment: Experiment) -> list[str]:
    """Say what the cycles are that an experiment shows, if it shows any."""
    shown = {*experiment.measures, *(row.reading.measure for row in experiment.comparisons)}
    if CYCLES not in shown:
        return []
    counted = [
        record.cycles
        for setting in experiment.settings()
        for cell in results.resolver.cells(experiment, setting)
        for record in results.result(cell).records().values()
        if record.cycles
    ]
    ticks = [one["ghz"] for one in counted if one["by"] == "ticks"]
    told = [f"counted by {name}" for name in sorted({one["by"] for one in counted} - {"ticks"})]
    if ticks:
        told.append(f"CPU time in ticks of the time-stamp counter, of {median(ticks):.3g} GHz")
    return [f"cycles: of all threads, {'; or '.join(told)}"] if told else []

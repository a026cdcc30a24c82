"""Results: the samples of a run, cell by cell, ready to be estimated."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from actorbench.cell import Cell, Resolver
from actorbench.estimates import Estimate, Method, Ratio, estimate, paired_ratio
from actorbench.experiment import Experiment, parse_experiment
from actorbench.ledger.claims import Claim, known_claims
from actorbench.measure import Measure
from actorbench.preset import parse_preset
from actorbench.record import Record
from actorbench.rules import MEAN, MEDIAN
from actorbench.sample import Sample
from actorbench.simulated.sampling import CONFIG
from actorbench.sources import Printed, known_printed
from actorbench.store import Head, Run

# By which rows of an experiment once decided claims: plots/claims does now, for runs of that time, too.
_OLD_RULES = re.compile(r"^decides = \{.*$", re.MULTILINE)


@dataclass(frozen=True)
class CellResult:
    """A cell's samples by round, and what the plan wanted of it."""

    cell: Cell
    planned: int
    samples: tuple[Sample, ...]
    skipped: str | None = None

    @property
    def trouble(self) -> str | None:
        """Why the cell has no estimate, in a few words; None if it has one."""
        failures = [sample.failure for sample in self.samples if sample.failure]
        if failures:
            kinds = ", ".join(dict.fromkeys(failure.kind for failure in failures))
            return f"failed: {kinds} ({len(failures)} of {len(self.samples)})"
        if self.skipped:
            return self.skipped.partition(":")[0]
        if not self.samples:
            return "not measured" if self.planned == 0 else "not measured yet"
        return None

    def records(self) -> dict[int, Record]:
        """The valid records by round; empty if any sample failed."""
        if self.trouble:
            return {}
        return {sample.round: sample.record for sample in self.samples if sample.record}


@dataclass(frozen=True, eq=False)
class Results:
    """All of a run, with the experiments as they were at its start, and what the sources print and claim.

    `left_out` says what is wrong with files of these. It equals itself alone, so that what
    was found of it can be kept.
    """

    name: str
    head: Head
    samples: tuple[Sample, ...]
    experiments: tuple[Experiment, ...]
    resolver: Resolver
    printed: tuple[Printed, ...] = ()
    claims: tuple[Claim, ...] = ()
    left_out: tuple[str, ...] = ()
    _estimates: dict[tuple[str, str], Estimate] = field(default_factory=dict, repr=False)

    @cached_property
    def by_cell(self) -> dict[str, CellResult]:
        """Every planned cell, by its key."""
        wanted = [0] * len(self.head.plan.cells)
        for order in self.head.plan.rounds:
            for index in order:
                wanted[index] += 1
        taken: dict[str, list[Sample]] = {}
        for sample in self.samples:
            taken.setdefault(sample.key, []).append(sample)
        return {
            cell.key: CellResult(cell, wanted[index], tuple(taken.get(cell.key, ())))
            for index, cell in enumerate(self.head.plan.cells)
        }

    def method(self, kind: str = MEDIAN) -> Method:
        """What draws the intervals of the run's medians, or means."""
        if kind == MEAN:
            return Method.STUDENT
        return Method.BOOTSTRAP if self.resolver.preset.intervals_under_floor else Method.ORDER

    def result(self, cell: Cell) -> CellResult:
        """The result of a cell; that of a cell which the plan left out has no samples."""
        found = self.by_cell.get(cell.key)
        return found or CellResult(cell, 0, (), self.head.skipped.get(cell.system))

    def values(self, cell: Cell, measure: Measure) -> list[float]:
        """A measure's values, in the order of rounds; none if the cell has trouble or its records lack it."""
        read = [measure.read(record) for record in self.result(cell).records().values()]
        values = [value for value in read if value is not None]
        return values if len(values) == len(read) else []

    def estimate(self, cell: Cell, measure: Measure, kind: str = MEDIAN) -> Estimate | None:
        """Estimate a measure of a cell by its median, or mean.

        None if the cell has trouble or its records lack the measure.
        """
        values = self.values(cell, measure)
        if not values:
            return None
        name = f"{cell.key} {measure.name}"
        if (name, kind) not in self._estimates:
            self._estimates[name, kind] = estimate(
                values,
                seed=self.head.seed,
                name=name,
                as_thesis=self.method(kind) is Method.BOOTSTRAP,
                confidence=self.head.confidence,
                kind=kind,
            )
        return self._estimates[name, kind]

    def paired_values(
        self, numerator: Cell, denominator: Cell, measure: Measure
    ) -> list[tuple[float, float]]:
        """Give both cells' values of each round that they share; none if one has trouble, or a value is 0."""
        return list(self.paired_by_round(numerator, denominator, measure).values())

    def paired_by_round(
        self, numerator: Cell, denominator: Cell, measure: Measure
    ) -> dict[int, tuple[float, float]]:
        """Give the same by the rounds' numbers."""
        above, below = self.result(numerator).records(), self.result(denominator).records()
        pairs = {
            number: (measure.read(above[number]), measure.read(below[number]))
            for number in sorted(above.keys() & below.keys())
        }
        whole = {number: (top, bottom) for number, (top, bottom) in pairs.items() if top and bottom}
        return whole if len(whole) == len(pairs) else {}

    def ratio(self, numerator: Cell, denominator: Cell, measure: Measure) -> Ratio | None:
        """Compare two cells round by round; None if `paired_values` gives none."""
        pairs = self.paired_values(numerator, denominator, measure)
        return paired_ratio([top for top, _ in pairs], [bottom for _, bottom in pairs]) if pairs else None

    def speedup(self, cell: Cell, measure: Measure) -> Ratio | None:
        """How many times faster than 1 worker of the same series a cell is, from the same rounds."""
        return self.ratio(replace(cell, workers=1), cell, measure)

    def speedup_trouble(self, cell: Cell) -> str:
        """Why a cell has no speed-up, in a few words."""
        trouble = self.result(cell).trouble or self.result(replace(cell, workers=1)).trouble
        if self.result(cell).trouble is None and trouble is not None:
            return f"1 worker, its base: {trouble}"
        return trouble or "not in the record"

    def is_oversubscribed(self, cell: Cell) -> bool:
        """Whether the cell ran more workers than the run had CPUs."""
        workers = cell.workers or max((r.workers for r in self.result(cell).records().values()), default=1)
        return workers > self.head.cpus

    def failed_cells(self) -> list[CellResult]:
        """The cells with a failed sample."""
        return [result for result in self.by_cell.values() if any(s.failure for s in result.samples)]

    def complete_cells(self) -> int:
        """How many cells have all their samples."""
        return sum(len(result.samples) >= result.planned for result in self.by_cell.values())


def load_results(run: Run) -> Results:
    """Read a run from its store; raises UserError."""
    head = run.head()
    texts = [(entry["text"], entry["file"]) for entry in head.document["experiments"]]
    preset = parse_preset(head.document["presets_text"], head.preset).with_amounts(head.amounts)
    experiments: Sequence[Experiment] = [
        parse_experiment(_OLD_RULES.sub("", text), file, head.peers, head.default_design)
        for text, file in texts
    ]
    samples = sorted(run.samples(), key=lambda sample: (sample.round, sample.position))
    printed, wrong = known_printed(run.project.sources)
    claims, wrong_too = known_claims(run.project.claims)
    config = CONFIG if head.simulated else None
    resolver = Resolver(preset, head.workers, head.pin, config, head.cpu_orders)
    told = (tuple(printed), tuple(claims), (*wrong, *wrong_too))
    return Results(run.name, head, tuple(samples), tuple(experiments), resolver, *told)

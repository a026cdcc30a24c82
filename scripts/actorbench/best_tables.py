"""How contests are written: each option against each, or all against a reference; and as CSV."""

import csv
import io
from dataclasses import dataclass

from actorbench.best import Contest, Option, contests_of, standing_text
from actorbench.estimates import Method
from actorbench.experiment import Experiment
from actorbench.grid import UNDECIDED
from actorbench.notes import closing_notes
from actorbench.ratio_tables import RATIO_HEAD, ratio_numbers
from actorbench.ratios import Row, reach_note
from actorbench.results import Results
from actorbench.stealing import STEALS_NOTE, stealing_sides, steals_text
from actorbench.table import Column, Table
from actorbench.wording import (
    estimate_text,
    interval_heading,
    ratio_text,
    short_number,
    standing_note,
)

PAIRED = "ratio: median over the rounds of the two options' ratio in the round"
CSV_HEAD = ["what", "option", "against", "measure", "unit", "option_median", "against_median", "samples"]
CSV_HEAD += [*RATIO_HEAD, "option_of_all", "against_of_all"]


@dataclass(frozen=True)
class Contested:
    """Contests that are shown, and corrected, together (at least one).

    `method` drew the ratios' intervals; `reference` is the label of what all are set against, empty if each
    is against each; `notes` begin with how a ratio comes about.
    """

    title: str
    contests: tuple[Contest, ...]
    method: Method
    notes: tuple[str, ...]
    reference: str = ""

    @property
    def rows(self) -> list[Row]:
        """The comparisons of all contests."""
        return [row for contest in self.contests for row in contest.rows]

    @property
    def lead(self) -> list[str]:
        """Which options are the best, a line a contest; or that there are too few rounds to say."""
        short = reach_note(self.rows) if self.method is Method.SIGN else []
        return short or [contest.lead for contest in self.contests]

    @property
    def verdicts_note(self) -> str:
        """By what the verdicts are given."""
        pairs = sum(row.ratio is not None for row in self.rows)
        return f"verdicts at 5 %, corrected for all {pairs} pairs of options by Holm's method"

    @property
    def has_steals(self) -> bool:
        """Whether an option steals where the question is stealing."""
        return any(steals_of(contest) for contest in self.contests)

    def yardstick(self, contest: Contest) -> str:
        """The label of what the options of a contest are set against in the picture: by itself, the first."""
        return self.reference or contest.options[0].label


def contested_of(results: Results, experiment: Experiment) -> Contested:
    """Take an experiment of kind "best" out of a run."""
    contests = tuple(contests_of(results, experiment))
    notes = (PAIRED, *closing_notes(results, experiment))
    return Contested(experiment.title, contests, Method.SIGN, notes, experiment.reference)


def best_table(results: Results, experiment: Experiment) -> Table:
    """Make the table of an experiment of kind "best"."""
    return contested_table(contested_of(results, experiment))


def contested_table(shown: Contested) -> Table:
    """Write contests, the smallest median first."""
    columns = _columns(shown)
    body: list[list[str]] = []
    for contest in shown.contests:
        lines = [_line(shown, contest, place, option) for place, option in _placed(contest)]
        if len(shown.contests) > 1:
            empty = [""] * len(columns)
            body += [empty] if body else []
            body.append([f"{contest.label}:", *empty[1:]])
            lines = [[f"  {label}", *texts] for label, *texts in lines]
        body += lines
    how, *others = shown.notes
    notes = [
        how if shown.reference else f"{how}; in (): not told apart",
        f"{shown.verdicts_note}; the best is out in at most 1 of 20 such tables",
        *standing_note({row.ratio.standing for row in shown.rows if row.ratio}),
        *([STEALS_NOTE] if shown.has_steals else []),
        *others,
    ]
    return Table(shown.title, columns, body, notes, shown.lead)


def contested_csv(shown: Contested) -> str:
    """Write contests as CSV, one row a pair of options."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_HEAD)
    for contest in shown.contests:
        by_label = {option.label: option for option in contest.options}
        for row in contest.rows:
            sides = [by_label[label] for label in row.reading.sides]
            medians = [side.estimate.value if side.estimate else "" for side in sides]
            writer.writerow(
                [contest.label, *row.reading.sides, row.measure.name, row.measure.unit, *medians]
                + [row.ratio.count if row.ratio else "", *ratio_numbers(row)]
                + [standing_text(contest, side) for side in sides]
            )
    return text.getvalue()


def steals_of(contest: Contest) -> dict[str, str]:
    """Write how often each option stole that steals, by label; empty if the contest is not about stealing."""
    cells = {option.label: (option.results, option.cell) for option in contest.options}
    stealing = stealing_sides({label: cell for label, (_, cell) in cells.items()})
    return {label: steals_text(*cells[label]) for label in stealing}


def _columns(shown: Contested) -> list[Column]:
    first = shown.contests[0].options[0].results
    heading = f"{shown.contests[0].measure.heading} {interval_heading(first.method(), first.head.confidence)}"
    ratio = interval_heading(shown.method)
    if shown.reference:
        against = [Column(f"over {shown.reference} {ratio}"), Column("against it", numeric=False)]
    else:
        against = [Column(f"over 1 {ratio}"), *(Column(f"over {n}") for n in range(2, _most(shown) + 1))]
    steals = [Column("steals")] if shown.has_steals else []
    return [Column("", numeric=False), Column(heading), *against, Column("of all", numeric=False), *steals]


def _line(shown: Contested, contest: Contest, place: int, option: Option) -> list[str]:
    if shown.reference:
        ratio = contest.ratio(option.label, shown.reference)
        against = [ratio_text(ratio) if ratio else "-", contest.verdict(option.label, shown.reference) or "-"]
    else:
        against = [_over(contest, option, other, in_full=number == 1) for number, other in _placed(contest)]
        against += [""] * (_most(shown) - len(against))
    time = estimate_text(option.estimate, contest.measure, option.trouble)
    steals = [steals_of(contest).get(option.label, "")] if shown.has_steals else []
    return [f"{place}. {option.label}", time, *against, standing_text(contest, option), *steals]


def _over(contest: Contest, option: Option, other: Option, *, in_full: bool) -> str:
    ratio = contest.ratio(option.label, other.label)
    if ratio is None:
        return "-"
    text = ratio_text(ratio) if in_full else short_number(ratio.ratio)
    return f"({text})" if contest.verdict(option.label, other.label) in UNDECIDED else text


def _placed(contest: Contest) -> list[tuple[int, Option]]:
    return list(enumerate(contest.options, start=1))


def _most(shown: Contested) -> int:
    return max(len(contest.options) for contest in shown.contests)

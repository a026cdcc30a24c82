"""What is behind a cell of a heat map, or an option: seen by pointing at it, with its commands by a click."""

from dataclasses import dataclass

from markupsafe import Markup

from actorbench.best import Contest, Option, standing_text
from actorbench.best_tables import Contested, contested_of
from actorbench.cell import Cell
from actorbench.drawing.ratio_figures import heat_map_of, how_of_best, how_of_ratios
from actorbench.estimates import Estimate
from actorbench.experiment import Experiment
from actorbench.heat import Spot
from actorbench.measure import Measure
from actorbench.notes import context_note
from actorbench.ratios import Row
from actorbench.replay import command_of
from actorbench.reporting.content import TableCell, sort_key
from actorbench.reporting.pictures import interval_picture, samples_picture, scale_for
from actorbench.results import Results
from actorbench.wording import estimate_text, ratio_text


@dataclass(frozen=True)
class Peek:
    """What a button shows: a title, lines, a picture of the samples; and commands, each with its name."""

    id: str
    text: str
    title: str
    lines: tuple[str, ...]
    picture: Markup | None
    commands: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class SpotView:
    """A cell of a heat map; `peek` is None where there is nothing behind it."""

    spot: Spot
    peek: Peek | None


@dataclass(frozen=True)
class HeatView:
    """The heat map of a grid; a line says which group begins with it, if one does."""

    title: str
    headings: tuple[str, ...]
    lines: tuple[tuple[str, str, tuple[SpotView, ...]], ...]
    caption: str


@dataclass(frozen=True)
class OptionView:
    """An option in its contest; the look is a word of the style sheet."""

    peek: Peek
    standing: str
    look: str
    ratio: TableCell
    picture: Markup | None
    median: TableCell


@dataclass(frozen=True)
class ContestView:
    """A contest, the best option first; `against` says what the ratios divide by."""

    label: str
    against: str
    options: tuple[OptionView, ...]


@dataclass(frozen=True)
class BestView:
    """An experiment of kind "best"."""

    id: str
    shown: Contested
    contests: tuple[ContestView, ...]
    how: str


def heat_views(results: Results) -> list[HeatView]:
    """Show the grids of a run as heat maps."""
    return [_heat(results, one) for one in results.experiments if one.kind == "grid"]


def best_views(results: Results) -> list[BestView]:
    """Show the contests of a run."""
    views = []
    for one in results.experiments:
        if one.kind == "best":
            shown = contested_of(results, one)
            contests = tuple(
                _contest(shown, contest, f"best-{one.id}-{number}")
                for number, contest in enumerate(shown.contests)
            )
            views.append(BestView(one.id, shown, contests, how_of_best(shown)))
    return views


def _heat(results: Results, experiment: Experiment) -> HeatView:
    shown = heat_map_of(results, experiment)
    lines = tuple(
        (
            group,
            label,
            tuple(
                _spot(results, spot, f"{experiment.id}-{down}-{across}") for across, spot in enumerate(spots)
            ),
        )
        for down, (group, label, spots) in enumerate(zip(shown.begun, shown.labels, shown.spots, strict=True))
    )
    caption = f"{how_of_ratios(results, experiment)}; {context_note(results, experiment)}"
    return HeatView(experiment.title, shown.headings, lines, caption)


def _spot(results: Results, spot: Spot, name: str) -> SpotView:
    return SpotView(spot, _of_row(results, spot.row, spot.text, name) if spot.row else None)


def _of_row(results: Results, row: Row, text: str, name: str) -> Peek:
    told = ratio_text(row.ratio) if row.ratio else "no ratio"
    sides = (("candidate", row.candidate), ("base", row.base))
    medians = tuple(f"{side}: {_value(results, cell, row.measure)}" for side, cell in sides)
    pairs = results.paired_values(row.candidate, row.base, row.measure)
    picture = None
    if row.ratio and pairs:
        one = row.ratio
        middle = Estimate(one.ratio, one.low, one.high, one.count, one.standing)
        picture = samples_picture([above / below for above, below in pairs], middle)
    return Peek(
        id=f"heat-{name}",
        text=text,
        title=", ".join(part for part in (row.reading.column, row.label) if part),
        lines=(f"{row.verdict}: {told}", *medians),
        picture=picture,
        commands=tuple((side, command_of(results, cell)) for side, cell in sides),
    )


def _contest(shown: Contested, contest: Contest, name: str) -> ContestView:
    yardstick = shown.yardstick(contest)
    ratios = {option.label: contest.ratio(option.label, yardstick) for option in contest.options}
    scale = scale_for([ratio for ratio in ratios.values() if ratio])
    options = []
    for place, option in enumerate(contest.options, start=1):
        ratio, standing = ratios[option.label], standing_text(contest, option)
        options.append(
            OptionView(
                peek=_of_option(contest, option, f"{name}-{place}", place),
                standing=standing,
                look=_look(contest, option),
                ratio=_number(ratio_text(ratio) if ratio else "-"),
                picture=interval_picture(ratio, scale) if ratio else None,
                median=_number(_value(option.results, option.cell, contest.measure)),
            )
        )
    return ContestView(contest.label, shown.reference or "the first", tuple(options))


def _of_option(contest: Contest, option: Option, name: str, place: int) -> Peek:
    values = option.results.values(option.cell, contest.measure)
    return Peek(
        id=name,
        text=f"{place}. {option.label}",
        title=f"{contest.label}: {option.label}",
        lines=(_value(option.results, option.cell, contest.measure), standing_text(contest, option)),
        picture=samples_picture(values, option.estimate) if values else None,
        commands=(("command", command_of(option.results, option.cell)),),
    )


def _number(text: str) -> TableCell:
    return TableCell(text, sort_key(text), numeric=True)


def _value(results: Results, cell: Cell, measure: Measure) -> str:
    one = results.estimate(cell, measure)
    text = estimate_text(one, measure, results.result(cell).trouble)
    return f"{text} {measure.unit}".strip() if one else text


def _look(contest: Contest, option: Option) -> str:
    if option.estimate is None:
        return "none"
    if option not in contest.best:
        return "bad"
    return "good" if len(contest.best) < len(contest.options) else "same"

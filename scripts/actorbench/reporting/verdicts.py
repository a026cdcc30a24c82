"""The verdict of a run: what every comparison says, counted and listed."""

from collections import Counter
from dataclasses import dataclass

from markupsafe import Markup

from actorbench.experiment import Experiment
from actorbench.ratio_tables import has_steals, ratio_notes
from actorbench.ratios import Row, by_direction, compare_rows, reach_note
from actorbench.reporting.pictures import interval_picture, scale_for
from actorbench.results import Results
from actorbench.wording import ratio_text

ORDER = ("faster", "less", "slower", "more", "not told apart", "too few samples")
TARGETS = ("not met", "undecided", "met")  # the first that a row's target says counts
_LOOKS = {"faster": "good", "less": "good", "slower": "bad", "more": "bad", "not told apart": "same"}
_TARGET_LOOKS = {"met": "good", "not met": "bad", "undecided": "same"}


@dataclass(frozen=True)
class RowView:
    """A comparison as the page shows it, beside its own words; the looks are words of the style sheet."""

    row: Row
    ratio: str
    picture: Markup | None
    look: str
    target_look: str


@dataclass(frozen=True)
class Group:
    """Comparisons that are read in the same way."""

    direction: str
    rows: tuple[RowView, ...]

    @property
    def has_targets(self) -> bool:
        """Whether a row has a target."""
        return any(view.row.target for view in self.rows)

    @property
    def has_steals(self) -> bool:
        """Whether a row has a side that steals."""
        return has_steals([view.row for view in self.rows])


@dataclass(frozen=True)
class VerdictView:
    """The verdict of an experiment of kind "ratios"."""

    experiment: Experiment
    counts: tuple[tuple[str, int, str], ...]
    targets: tuple[tuple[str, int, str], ...]
    groups: tuple[Group, ...]
    notes: tuple[str, ...]


def verdict_views(results: Results) -> list[VerdictView]:
    """Give the verdicts of all experiments of kind "ratios", in the order of the run."""
    return [_view(results, one) for one in results.experiments if one.kind == "ratios"]


def look_of(verdict: str) -> str:
    """Give the style sheet's word for a verdict: good, bad, same or none."""
    return _LOOKS.get(verdict, "none")


def target_word(target: str) -> str:
    """Say in one word what a row's target came to: not met, undecided or met; empty without one."""
    said = [part.rpartition(": ")[2] for part in target.split("; ")] if target else []
    return next((word for word in TARGETS if word in said), "")


def _view(results: Results, experiment: Experiment) -> VerdictView:
    rows = compare_rows(results, experiment)
    verdicts = Counter(row.verdict for row in rows)
    ordered = [word for word in ORDER if word in verdicts]
    ordered += [word for word in verdicts if word not in ORDER]
    targets = Counter(target_word(row.target) for row in rows if row.target)
    return VerdictView(
        experiment=experiment,
        counts=tuple((word, verdicts[word], look_of(word)) for word in ordered),
        targets=tuple((w, targets[w], _TARGET_LOOKS[w]) for w in reversed(TARGETS) if w in targets),
        groups=tuple(_group(direction, group) for direction, group in by_direction(rows)),
        notes=tuple(_notes(experiment, rows)),
    )


def _notes(experiment: Experiment, rows: list[Row]) -> list[str]:
    return [*([experiment.note] if experiment.note else []), *reach_note(rows), *ratio_notes(rows)]


def _group(direction: str, rows: list[Row]) -> Group:
    scale = scale_for([row.ratio for row in rows if row.ratio])
    return Group(
        direction,
        tuple(
            RowView(
                row,
                ratio=ratio_text(row.ratio) if row.ratio else "-",
                picture=interval_picture(row.ratio, scale) if row.ratio else None,
                look=look_of(row.verdict),
                target_look=_TARGET_LOOKS.get(target_word(row.target), "none"),
            )
            for row in rows
        ),
    )

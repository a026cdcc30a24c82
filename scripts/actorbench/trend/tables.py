"""The tables of a trend: a table a cell with its commits down, and one of all steps."""

from actorbench.commits import Commit
from actorbench.table import Column, Table
from actorbench.trend.courses import Course, Trend
from actorbench.trend.steps import Step, how
from actorbench.wording import interval_text, number_text

MOST_SUBJECT = 60  # characters
SHORT_NAME = 7  # digits of a commit's name where there is little room
LEAST_P = 1e-16  # below which the arithmetic of the test says nothing
READING_NOTE = (
    "median of a commit's samples [95 % interval]; where several runs have measured it, the median of their"
    " medians, over all of their intervals"
)


def trend_tables(trend: Trend) -> list[Table]:
    """Make all tables, that of the steps last."""
    return [*(_cell_table(trend, cell) for cell in trend.cells), steps_table(trend)]


def steps_table(trend: Trend) -> Table:
    """Make the table of all steps, by commit."""
    found = [(course, step) for course in trend.courses for step in course.steps]
    found.sort(key=lambda one: _place(*one))
    columns = [Column(name, numeric=False) for name in ("commit", "subject", "after", "cell", "measure")]
    columns += [Column(name) for name in ("before", "since", "change", "p")]
    notes = [how(trend.least), "after: the commit measured before it; before, since: means between steps"]
    if not found:
        notes.insert(0, f"none in {len(trend.courses)} courses")
    rows = [_step_row(trend, *one) for one in found]
    return Table(f"Steps on {trend.machine}", columns, rows, [*notes, *trend.notes])


def change_text(step: Step) -> str:
    """Write a step's change with its sign, in percent."""
    return f"{100 * step.change:+.1f} %"


def _cell_table(trend: Trend, cell: str) -> Table:
    courses = [course for course in trend.courses if course.cell == cell]
    columns = [Column(name, numeric=False) for name in ("commit", "day", "subject")]
    columns += [Column(course.measure.heading) for course in courses]
    columns.append(Column("step", numeric=False))
    rows = []
    for place, commit in enumerate(trend.commits):
        values = [_value(course, place) for course in courses]
        if any(values):
            steps = [(course, step) for course in courses for step in course.steps]
            changes = [f"{c.measure.label} {change_text(s)}" for c, s in steps if _place(c, s) == place]
            row = [commit.name[:SHORT_NAME], commit.day, _subject(commit)]
            rows.append([*row, *(value or "-" for value in values), ", ".join(changes)])
    return Table(f"{cell} on {trend.machine}", columns, rows, [READING_NOTE])


def _step_row(trend: Trend, course: Course, step: Step) -> list[str]:
    commit = trend.commits[_place(course, step)]
    after = trend.commits[course.readings[step.place - 1].place]
    p_value = f"{step.p_value:.1g}" if step.p_value >= LEAST_P else f"<{LEAST_P:g}"
    levels = [number_text(step.before), number_text(step.after, like=step.before)]
    named = [commit.name[:SHORT_NAME], _subject(commit), after.name[:SHORT_NAME]]
    return [*named, course.cell, course.measure.heading, *levels, change_text(step), p_value]


def _subject(commit: Commit) -> str:
    subject = commit.subject
    return subject if len(subject) <= MOST_SUBJECT else subject[: MOST_SUBJECT - 3].rstrip() + "..."


def _place(course: Course, step: Step) -> int:
    return course.readings[step.place].place


def _value(course: Course, place: int) -> str:
    """Write the reading of a commit; "" if there is none."""
    found = [one for one in course.readings if one.place == place]
    return "".join(f"{number_text(r.median)} {interval_text(r.low, r.high, r.median)}" for r in found)

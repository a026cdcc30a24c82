"""Taking the looks of a bisection, each a gate."""

from dataclasses import replace
from random import Random

from rich.console import Console

from actorbench.bisecting.looks import Bisection, Look, create_bisection
from actorbench.bisecting.search import followed, next_look, to_find
from actorbench.bisecting.telling import before_text, look_text
from actorbench.commits import first_parents, merge_base, resolve_commit
from actorbench.errors import UserError
from actorbench.gate.arms import Commits, Revision
from actorbench.gate.cells import Entry
from actorbench.gate.deciding import Outcome
from actorbench.gate.outputs import line_json
from actorbench.gate.running import BrokenGateError, Settings, carry_on, start_gate
from actorbench.project import Project
from actorbench.store import find_run


def start_bisection(
    project: Project, base: str, head: str, entries: list[Entry], settings: Settings
) -> Bisection:
    """Find the commits between two, and write the head of a bisection; raises UserError."""
    good, bad = resolve_commit(project, base), resolve_commit(project, head)
    if (common := merge_base(project, good, bad)) != good:
        raise UserError(f"'{base}' is no ancestor of '{head}': take their merge base, {common}")
    commits = first_parents(project, bad, after=good)
    if not commits:
        raise UserError(f"there is no commit after '{base}' up to '{head}'")
    (told,) = first_parents(project, good, count=1)
    return create_bisection(project, told, commits, entries, settings)


def carry_on_bisection(project: Project, bisection: Bisection, console: Console) -> Bisection:
    """Take all looks that are missing; raises InterruptedSweepError as `sweep` does, and UserError."""
    while (look := next_look(bisection)) is not None:
        console.print(before_text(bisection, look), soft_wrap=True)
        try:
            if not look.run:
                look = replace(look, run=_started(project, bisection, look, console))
                bisection = bisection.with_look(look)
            outcome = carry_on(project, find_run(project, look.run), console)
        except BrokenGateError as error:
            outcome = error.outcome
        bisection = bisection.with_look(_ended(look, outcome))
        console.print(look_text(bisection, bisection.looks[-1]), soft_wrap=True)
    return bisection


def settings_of(bisection: Bisection, look: Look) -> Settings:
    """Give the settings of a look's gate: to pass, it must have been able to find what is followed."""
    seed = bisection.settings.seed
    if seed is not None:
        seed = Random(f"{seed}/{len(bisection.looks)}").getrandbits(32)
    return replace(bisection.settings, budget_s=look.budget_s, find=to_find(bisection), seed=seed)


def _started(project: Project, bisection: Bisection, look: Look, console: Console) -> str:
    """Start the look's gate, of the cell that is followed, once one is; returns the run's name."""
    line = followed(bisection)
    base, candidate = (bisection.commit(place).name for place in (look.against, look.place))
    entries = [one for one in bisection.entries if line is None or one["name"] == line["cell"]]
    sides = Commits(Revision(base, base), Revision(candidate, candidate), entries)
    return start_gate(project, sides, settings_of(bisection, look), console).name


def _ended(look: Look, outcome: Outcome) -> Look:
    lines = [line_json(line) for line in outcome.lines]
    return replace(look, run=outcome.run, spent_s=outcome.spent_s, lines=lines)

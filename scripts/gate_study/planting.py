"""What is planted on the path of each message, and what is to be found of it by name.

A hundredth of a message's instructions, as instructions that do nothing; or a store into a line that all
workers store into. In turn in each of the cells, where a message is sent and where it is received; each is a
commit that no branch holds, and whose build is removed after the last gate.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import ceil
from typing import Any

from actorbench.commits import commit_with, remove_build
from actorbench.counts.changes import DELTA
from actorbench.counts.counters import EXPLORER, INSTRUCTIONS, TRANSFERS
from actorbench.counts.taking import count_subject
from actorbench.errors import UserError
from actorbench.gate.arms import Commits, Revision
from actorbench.gate.counts import TIMEOUT_S, choose_counts, wishes
from actorbench.project import Project
from gate_study.store import Campaign, Kind

FILE = "core/lifecycle.h"
# Behind which line it is planted.
PLACES = {
    "sent": "lifecycle_check_send(struct actorbench_actor *receiver, struct actorbench_message *message) {\n",
    "received": "actorbench_behaviour *reaction) {\n",
}
MEASURES = {Kind.INSTRUCTIONS: INSTRUCTIONS, Kind.LINES: TRANSFERS}


@dataclass(frozen=True)
class Plant:
    """One try: so many events of a measure more a message, which are the fraction `share` of its cell's."""

    cell: str
    place: str
    measure: str
    number: int
    share: float

    @property
    def code(self) -> str:
        """What is planted, in C."""
        if self.measure == INSTRUCTIONS:
            return f'    __asm__ volatile(".rept {self.number}\\n\\tnop\\n\\t.endr");\n'
        return (
            "    static struct {\n"
            "        _Alignas(64) ATOMIC(uint32_t) line;\n"
            "    } planted;\n"
            "    atomic_store_relaxed(&planted.line, 1); /* pairs with nothing */\n"
        )


def choose_plants(project: Project, campaign: Campaign, tell: Callable[[str], None]) -> list[dict[str, Any]]:
    """Count the base, and say what is planted in each try; raises UserError."""
    base, measure = Revision(campaign.base, campaign.commit), MEASURES[campaign.kind]
    sides = Commits(base, base, campaign.cells)
    sides.build(project, tell, null=False)
    cells = sides.cells(campaign.facts.usable_cpus)
    chosen = choose_counts(project, cells, DELTA, tell, alone=True)
    found = []
    for wish in wishes(project, cells, chosen):
        if (wish.by == EXPLORER) == (campaign.kind is Kind.LINES):
            counted = count_subject(
                project, wish.subject, campaign.commit, wish.by, range(1, 2), timeout_s=TIMEOUT_S
            )
            if counted.trouble:
                raise UserError(f"{wish.cell.name} can't be counted: {counted.trouble}")
            value = counted.counts[measure].value
            number = ceil(DELTA * value) if measure == INSTRUCTIONS else 1
            found.append((wish.cell.name, number, number / value))
    if not found:
        raise UserError("none of the cells is counted so")
    tries = [(place, *one) for place in PLACES for one in found]
    return [
        asdict(Plant(cell, place, measure, number, share))
        for place, cell, number, share in (tries[i % len(tries)] for i in range(campaign.count))
    ]


def planted_sides(project: Project, campaign: Campaign, plant: Plant) -> Commits:
    """Hold the base against itself with what is planted; raises UserError."""
    line = PLACES[plant.place]
    commit = commit_with(project, campaign.commit, FILE, line, line + plant.code)
    entries = [entry for entry in campaign.cells if entry["name"] == plant.cell]
    return Commits(Revision(campaign.base, campaign.commit), Revision("planted", commit), entries)


def remove_planted(project: Project, campaign: Campaign) -> None:
    """Remove the builds of what was planted; raises UserError."""
    for plant in campaign.plants:
        remove_build(project, planted_sides(project, campaign, Plant(**plant)).candidate.commit)

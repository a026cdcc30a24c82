"""The plan of a sweep: which cell is measured when.

A round holds every cell once, in seeded random order, so that drift hits all cells alike (statistics
rules, "Samples"). The order is drawn once, before the sweep, and kept with the run; a resumed sweep
follows it.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from actorbench.cell import Cell, cell_from_json

Group = TypeVar("Group")


@dataclass(frozen=True)
class Slot:
    """One sample to take: the cell, its round and its place in the round's order, both from 0."""

    round: int
    position: int
    cell: Cell


@dataclass(frozen=True)
class Plan:
    """The cells, and per round their numbers in the order of measurement."""

    cells: tuple[Cell, ...]
    rounds: tuple[tuple[int, ...], ...]

    def slots(self) -> Iterator[Slot]:
        """All samples to take, in order."""
        for number, order in enumerate(self.rounds):
            for position, index in enumerate(order):
                yield Slot(number, position, self.cells[index])

    @property
    def size(self) -> int:
        """How many samples the plan holds."""
        return sum(len(order) for order in self.rounds)

    def samples_of(self, cell: Cell) -> int:
        """How many samples the plan wants of a cell."""
        index = self.cells.index(cell)
        return sum(index in order for order in self.rounds)

    def to_json(self) -> dict[str, Any]:
        """Write the plan as JSON, for the store."""
        return {"cells": [cell.to_json() for cell in self.cells], "rounds": [list(o) for o in self.rounds]}


def plan_from_json(document: dict[str, Any]) -> Plan:
    """Read what `Plan.to_json` wrote; raises KeyError, TypeError or IndexError if it is something else."""
    cells = tuple(cell_from_json(cell) for cell in document["cells"])
    rounds = tuple(tuple(int(index) for index in order) for order in document["rounds"])
    if any(not 0 <= index < len(cells) for order in rounds for index in order):
        raise IndexError("a round names a cell that the plan does not hold")
    return Plan(cells, rounds)


def make_plan(wanted: Mapping[Cell, int], seed: int) -> Plan:
    """Draw the rounds for the cells, each with the samples that it is to get."""
    cells = tuple(wanted)
    shuffler = random.Random(seed)
    rounds = []
    for number in range(max(wanted.values(), default=0)):
        order = [index for index, cell in enumerate(cells) if wanted[cell] > number]
        shuffler.shuffle(order)
        rounds.append(tuple(order))
    return Plan(cells, tuple(rounds))


def make_paired_plan(pairs: Sequence[tuple[Cell, Cell]], count: int, seed: int) -> Plan:
    """Draw `count` rounds in which cells that are compared are measured one after the other (`draw_blocks`).

    Pairs that share a cell make one group.
    """
    groups: list[list[Cell]] = []
    for pair in pairs:
        joined = [group for group in groups if not set(pair).isdisjoint(group)]
        groups = [group for group in groups if group not in joined]
        groups.append(list(dict.fromkeys([*(cell for group in joined for cell in group), *pair])))
    cells = tuple(cell for group in groups for cell in group)
    members = {number: [cells.index(cell) for cell in group] for number, group in enumerate(groups)}
    return Plan(cells, draw_blocks(members, dict.fromkeys(members, count), seed))


def draw_blocks(
    members: Mapping[Group, Sequence[int]], counts: Mapping[Group, int], seed: int | str
) -> tuple[tuple[int, ...], ...]:
    """Draw rounds in which what is compared is measured one after the other.

    `members` gives the numbers of each group's cells in the plan, `counts` the rounds that a group is in. The
    order within a group is that of randomised ABBA and BAAB blocks: drawn in one round, turned round in the
    next, so that a drift of the machine hits all members alike (statistics rules, "The gate"). The order of
    the groups is drawn in every round.
    """
    shuffler = random.Random(seed)
    rounds = []
    order: dict[Group, list[int]] = {}
    for number in range(max(counts.values(), default=0)):
        groups = [group for group in counts if counts[group] > number]
        shuffler.shuffle(groups)
        for group in groups:
            if number % 2:
                order[group] = order[group][::-1]
            else:
                order[group] = shuffler.sample(list(members[group]), len(members[group]))
        rounds.append(tuple(index for group in groups for index in order[group]))
    return tuple(rounds)

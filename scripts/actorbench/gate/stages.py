"""What a gate measures next: its stages, from what the store holds.

A trial; the first batch, of as many pairs as the machine's noise asks for, and more of it where the noise
turned out to hide what is to be found; and a fresh batch of what the first has flagged.
"""

from collections.abc import Iterable

from actorbench.gate.affording import confirming_pairs, first_pairs, strengthening_pairs, topping_pairs
from actorbench.gate.cells import GateCell
from actorbench.gate.deciding import FEWEST_PAIRS
from actorbench.gate.power import MOST_PAIRS, pairs_wanted
from actorbench.gate.state import AGAIN, FIRST, TIME, TRIAL, GateState


def next_pairs(state: GateState) -> tuple[str, dict[str, int]]:
    """Give the stage that comes next, and each cell's pairs in it; none if nothing is left to do."""
    cells = {cell.name: cell for cell in state.cells if state.trouble(cell) is None}
    cost_s = {name: state.cost_s(cell) for name, cell in cells.items()}
    left_s = state.gate["budget_s"] - state.spent_s()
    if not cells:
        return TRIAL, {}
    if state.rounds_of(FIRST) is None:
        wanted = {name: _wanted(state, cell) for name, cell in cells.items()}
        return FIRST, first_pairs(wanted, cost_s, left_s)
    short = {name: missing for name, cell in cells.items() if (missing := _missing(state, cell)) > 0}
    if state.rounds_of(AGAIN) is not None:
        return AGAIN, {}
    if short:
        more = topping_pairs(short, cost_s, left_s)
    else:
        have = {name: _count(state, cell) for name, cell in cells.items()}
        more = strengthening_pairs(_needed(state, cells.values()), have, cost_s, left_s)
    if more:
        return FIRST, more
    flagged = {name: count for name, count in _flagged(state).items() if name in cells}
    return AGAIN, confirming_pairs(flagged, cost_s, left_s)


def _wanted(state: GateState, cell: GateCell) -> int:
    """The pairs that fit the machine's noise; all that the budget affords if it is not known yet."""
    noise, delta, find = state.noise(cell, TIME), state.limits(cell, TIME).delta, state.find
    if noise is None:
        return MOST_PAIRS
    if find <= delta:  # which no number of pairs would find
        return FEWEST_PAIRS
    return pairs_wanted(
        noise.spread,
        delta,
        find,
        tests=state.tests,
        fewest=FEWEST_PAIRS,
        outliers=noise.outliers,
    )


def _missing(state: GateState, cell: GateCell) -> int:
    """How many pairs the first batch of the cell lacks to say anything."""
    return FEWEST_PAIRS - _count(state, cell)


def _count(state: GateState, cell: GateCell) -> int:
    """The pairs of the cell's first batch."""
    return len(state.values(cell, TIME, FIRST).candidate)


def _needed(state: GateState, cells: Iterable[GateCell]) -> dict[str, int]:
    """The pairs that each batch needs of the cells whose noise hides what is to be found.

    The noise alone decides, of pairs centred on their median, so that no look at the ratios prolongs a batch.
    """
    needed: dict[str, int] = {}
    for cell in cells:
        for measure in state.measures(cell):
            smallest = state.smallest(cell, measure)
            if smallest is None or smallest <= state.find or state.limits(cell, measure).hides:
                continue
            count = state.needed(cell, measure)
            if count is not None:
                needed[cell.name] = max(count, needed.get(cell.name, 0))
    return needed


def _flagged(state: GateState) -> dict[str, int]:
    """The cells to be confirmed, with as many pairs as the first batch had; the worst first."""
    batch = state.batch(FIRST)
    worst: dict[str, float] = {}
    counts: dict[str, int] = {}
    for (name, _), one in batch.items():
        if one.flagged and not one.null_flagged and one.candidate.count >= FEWEST_PAIRS:
            worst[name] = max(worst.get(name, 0.0), one.candidate.ratio)
            counts[name] = one.candidate.count
    return {name: counts[name] for name in sorted(worst, key=lambda name: -worst[name])}

"""How many pairs of each cell the budget of a gate affords."""

from collections.abc import Mapping

from actorbench.gate.deciding import FEWEST_PAIRS
from actorbench.gate.power import MOST_PAIRS

FIRST_SHARE = 0.55  # of the budget; the rest is for confirming what is flagged
MOST_FIRST_SHARE = 0.85  # if the fewest pairs need it
LEAST_MORE = 10  # pairs added to a batch, so that few looks at the noise are taken
OVERHEAD_S = (
    0.006  # what the driver itself takes for a sample: starting it, reading counters, syncing the store
)


def first_pairs(wanted: Mapping[str, int], cost_s: Mapping[str, float], budget_s: float) -> dict[str, int]:
    """Fit the pairs wanted of each cell into the first batch's share of what is left of the budget.

    `cost_s` is what one round of the cell takes. Where not even FEWEST_PAIRS of each cell fit, all get the
    same number, fewer: the gate will have nothing to say, but shows what it saw.
    """
    fewest_s = FEWEST_PAIRS * sum(cost_s.values())
    share_s = max(FIRST_SHARE * budget_s, min(fewest_s, MOST_FIRST_SHARE * budget_s))
    if fewest_s > share_s:
        return dict.fromkeys(wanted, max(2, _even(share_s / sum(cost_s.values()))))
    return _scaled(wanted, cost_s, share_s)


def topping_pairs(missing: Mapping[str, int], cost_s: Mapping[str, float], left_s: float) -> dict[str, int]:
    """Give what can still be had of the pairs that cells lack: a trial that was slow had promised too few.

    Only time decides, so that no look at the ratios prolongs a batch.
    """
    affordable = _even(left_s / sum(cost_s[name] for name in missing))
    pairs = {name: min(count, affordable) for name, count in missing.items()}
    return pairs if affordable >= 2 else {}


def strengthening_pairs(
    needed: Mapping[str, int], have: Mapping[str, int], cost_s: Mapping[str, float], left_s: float
) -> dict[str, int]:
    """Give what cells lack of the pairs that each batch needs to find what is asked for, the cheapest first.

    A cell is only given what suffices, with time left to confirm any one of those chosen by as many pairs.
    """
    missing = {
        name: max(LEAST_MORE, count - have[name] + (count - have[name]) % 2)
        for name, count in needed.items()
        if count > have[name]
    }
    chosen: dict[str, int] = {}
    for name in sorted(missing, key=lambda name: missing[name] * cost_s[name]):
        tried = {**chosen, name: missing[name]}
        more_s = sum(count * cost_s[other] for other, count in tried.items())
        confirm_s = max((have[other] + count) * cost_s[other] for other, count in tried.items())
        if more_s + confirm_s <= left_s:
            chosen = tried
    return chosen


def confirming_pairs(wanted: Mapping[str, int], cost_s: Mapping[str, float], left_s: float) -> dict[str, int]:
    """Fit the flagged cells, worst first, into what is left; cells that find no room are left out."""
    chosen: dict[str, int] = {}
    for name, count in wanted.items():
        if FEWEST_PAIRS * sum(cost_s[other] for other in (*chosen, name)) <= left_s:
            chosen[name] = count
    return _scaled(chosen, cost_s, left_s)


def _scaled(wanted: Mapping[str, int], cost_s: Mapping[str, float], room_s: float) -> dict[str, int]:
    """Give each cell what it wants, or a like share of it, but FEWEST_PAIRS at least."""

    def at(share: float) -> dict[str, int]:
        return {name: max(FEWEST_PAIRS, _even(share * count)) for name, count in wanted.items()}

    def fits(share: float) -> bool:
        return sum(count * cost_s[name] for name, count in at(share).items()) <= room_s

    # A share in steps of 1/MOST_PAIRS changes no count by more than one pair.
    shares = [step / MOST_PAIRS for step in range(MOST_PAIRS, 0, -1)]
    return at(next((share for share in shares if fits(share)), 0.0))


def _even(count: float) -> int:
    """Round down to whole ABBA blocks of two rounds."""
    return int(count) // 2 * 2

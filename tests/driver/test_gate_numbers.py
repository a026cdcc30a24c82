"""The gate's arithmetic: what it decides, how sure it is, what it plans, and what it remembers."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from itertools import pairwise
from math import ceil, exp, inf, log, log1p
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from actorbench.errors import UserError
from actorbench.estimates import Ratio, Standing
from actorbench.gate import history as history_module
from actorbench.gate import power
from actorbench.gate.affording import (
    FIRST_SHARE,
    MOST_FIRST_SHARE,
    confirming_pairs,
    first_pairs,
    strengthening_pairs,
    topping_pairs,
)
from actorbench.gate.deciding import (
    FEWEST_PAIRS,
    Batch,
    Limits,
    Pairs,
    Values,
    Verdict,
    decide,
    detectable,
    judge_batch,
)
from actorbench.gate.history import Entry, add_to_history, noise_of, read_history
from actorbench.gate.power import (
    MOST_PAIRS,
    most_contrary,
    outliers_of,
    pairs_to_find,
    pairs_wanted,
    smallest_found,
    spread_of,
)
from actorbench.histories import SCHEMA
from actorbench.plan import draw_blocks

COMPARISONS = 14  # seven cells, two measures
DELTA = 0.05
LEVEL = 0.05
Logs = np.ndarray[tuple[int], np.dtype[np.float64]]


@pytest.fixture
def quick_binomial(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the sign test, which is asked the same again and again in a simulation, remember its answers."""
    monkeypatch.setattr(stats.binom, "cdf", lru_cache(stats.binom.cdf))


def pairs_of(logs: Sequence[float] | Logs) -> list[tuple[float, float]]:
    """Make pairs with these log-ratios."""
    return [(100 * exp(one), 100) for one in logs]


def shifted(ratio: float, *, contrary: int = 0, count: int = FEWEST_PAIRS) -> Pairs:
    """Make pairs of one ratio, but for some that point the other way."""
    return pairs_of([log(ratio)] * (count - contrary) + [-log(ratio)] * contrary)


EQUAL = shifted(1.001, contrary=10)


def judged(candidate: Pairs, null: Pairs = EQUAL, *, delta: float = DELTA) -> Batch:
    """Judge a batch of one comparison."""
    return judge_batch({"x": Values(candidate, null)}, {"x": delta})["x"]


def ratio(value: float, count: int) -> Ratio:
    """Make a ratio of which only value and count matter."""
    return Ratio(value, value, value, count, Standing.ENOUGH, 0.5)


def batch(
    value: float = 1.0,
    *,
    flagged: bool = False,
    null: float = 1.0,
    null_flagged: bool = False,
    count: int = 20,
) -> Batch:
    """Make a batch as it was judged."""
    return Batch(ratio(value, count), ratio(null, count), 0.5, 0.5, flagged, null_flagged)


FLAGGED = batch(1.2, flagged=True)


@pytest.mark.parametrize(
    ("first", "again", "verdict", "reason"),
    [
        (batch(), None, Verdict.PASS, ""),
        (batch(1.04), None, Verdict.PASS, ""),
        (batch(count=19), None, Verdict.INCONCLUSIVE, "19 pairs fitted the budget, 20 are needed"),
        (replace(FLAGGED, candidate=ratio(1.2, 19)), FLAGGED, Verdict.INCONCLUSIVE, "19 pairs fitted"),
        (batch(null=1.1, null_flagged=True), None, Verdict.INCONCLUSIVE, "differs from itself: 1.100"),
        (replace(FLAGGED, null_flagged=True), FLAGGED, Verdict.INCONCLUSIVE, "the base differs from itself"),
        (FLAGGED, None, Verdict.INCONCLUSIVE, "flagged, and the budget left no time to confirm it"),
        (FLAGGED, batch(1.2, flagged=True, count=18), Verdict.INCONCLUSIVE, "left no time to confirm"),
        (FLAGGED, batch(1.2, flagged=True, null=0.9, null_flagged=True), Verdict.INCONCLUSIVE, "0.900"),
        (FLAGGED, batch(1.01), Verdict.PASS, "flagged at 1.200, and not again: 1.010"),
        (FLAGGED, batch(1.25, flagged=True), Verdict.FAIL, "flagged twice: 1.200, then 1.250"),
    ],
)
def test_each_way_to_a_verdict(first: Batch, again: Batch | None, verdict: Verdict, reason: str) -> None:
    found = decide(first, again, Limits(DELTA))
    assert found[0] is verdict
    assert reason in found[1]
    assert bool(reason) == bool(found[1])
    if again is None and first.flagged and not first.null_flagged:
        assert found[1] == reason


@pytest.mark.parametrize(
    ("first", "again", "tail", "verdict"),
    [
        (batch(1.04), None, 0.05, Verdict.PASS),
        (batch(1.04), None, 0.051, Verdict.INCONCLUSIVE),
        (FLAGGED, batch(1.01), 0.051, Verdict.INCONCLUSIVE),
        (FLAGGED, batch(1.3, flagged=True), 0.21, Verdict.INCONCLUSIVE),
        (batch(1.3, flagged=True), FLAGGED, 0.21, Verdict.INCONCLUSIVE),
        (FLAGGED, FLAGGED, 0.2, Verdict.INCONCLUSIVE),
        (FLAGGED, FLAGGED, 0.19, Verdict.FAIL),
    ],
)
def test_noise_over_delta_hides_but_what_lies_over_it(
    first: Batch, again: Batch | None, tail: float, verdict: Verdict
) -> None:
    found = decide(first, again, Limits(DELTA, tail))
    assert found[0] is verdict
    hidden = f"no change at all has moved it by {100 * tail:.1f} %, over the 5.0 % allowed (--most-delta)"
    assert (hidden in found[1]) == (verdict is Verdict.INCONCLUSIVE)


@pytest.mark.parametrize(("first", "again"), [(batch(1.04), None), (FLAGGED, batch(1.01))])
def test_a_pass_would_have_found_what_was_asked_for(first: Batch, again: Batch | None) -> None:
    limits = Limits(DELTA, find=0.10, remedy="take more")
    assert decide(first, again, replace(limits, smallest=0.10))[0] is Verdict.PASS
    for smallest, told in ((0.101, "10.1 %"), (0.35, "35.0 %"), (inf, "nothing"), (None, "nothing")):
        found = decide(first, again, replace(limits, smallest=smallest))
        assert found == (
            Verdict.INCONCLUSIVE,
            f"would find {told}, not the 10.0 % asked for; take more",
        )
    assert decide(FLAGGED, FLAGGED, replace(limits, smallest=0.35))[0] is Verdict.FAIL


def test_a_batch_is_flagged_for_a_median_over_delta() -> None:
    assert judged(shifted(1.051)).flagged
    assert not judged(shifted(1.049)).flagged
    assert judged(shifted(1.049), delta=0.04).flagged
    assert not judged(shifted(1.3), delta=0.31).flagged
    assert not judged(shifted(0.5)).flagged, "faster is no regression"
    assert judged(shifted(1.2)).candidate.ratio == pytest.approx(1.2)
    twice = judged([(200.0, 100.0)] * FEWEST_PAIRS, delta=1.0)
    assert (twice.candidate.ratio, twice.flagged) == (2, False), "over delta, not at it"


def test_a_batch_is_flagged_only_where_the_pairs_agree() -> None:
    assert judged(shifted(1.5, contrary=5)).flagged, "p = 0.041"
    assert not judged(shifted(1.5, contrary=6)).flagged, "p = 0.115"


def test_the_null_arm_is_flagged_in_either_direction() -> None:
    assert judged(EQUAL, shifted(1.06)).null_flagged
    assert judged(EQUAL, shifted(1 / 1.06)).null_flagged
    assert not judged(EQUAL, shifted(1 / 1.04)).null_flagged
    assert not judged(EQUAL, shifted(1.5, contrary=6)).null_flagged
    assert not judged(shifted(1.06), EQUAL).null_flagged


def test_more_comparisons_ask_for_more_agreement() -> None:
    """What a comparison shows alone, it does not among 14; Holm spares it if the others are clear."""
    weak = Values(shifted(1.5, contrary=5), shifted(1.5, contrary=5))
    strong = Values(shifted(1.5), shifted(1.5))
    among_equals = {name: weak if name == 0 else Values(EQUAL, EQUAL) for name in range(COMPARISONS)}
    among_clear = {name: weak if name == 0 else strong for name in range(COMPARISONS)}
    deltas = dict.fromkeys(range(COMPARISONS), DELTA)
    alone = judge_batch({0: weak}, {0: DELTA})[0]
    assert (alone.flagged, alone.null_flagged) == (True, True)
    corrected = judge_batch(among_equals, deltas)
    assert (corrected[0].flagged, corrected[0].null_flagged) == (False, False)
    assert corrected[0].candidate_p == pytest.approx(COMPARISONS * alone.candidate_p)
    assert corrected[0].null_p == pytest.approx(COMPARISONS * alone.null_p)
    assert all(one.flagged and one.null_flagged for one in judge_batch(among_clear, deltas).values())


def test_each_comparison_has_its_own_delta() -> None:
    values = {name: Values(shifted(1.1), EQUAL) for name in "ab"}
    found = judge_batch(values, {"a": 0.05, "b": 0.2})
    assert (found["a"].flagged, found["b"].flagged) == (True, False)


@pytest.mark.parametrize("tests", [1, 2, COMPARISONS, 100])
def test_how_many_pairs_may_disagree(tests: int) -> None:
    for count in range(1, 80):
        shown = [
            wrong
            for wrong in range(count // 2 + 1)
            if stats.binomtest(wrong, count, 0.5).pvalue * tests <= LEVEL
        ]
        assert most_contrary(count, tests) == max(shown, default=-1), f"{count} pairs"


def normal(sigma: float) -> Pairs:
    """Make pairs whose log-ratios are spread as normal noise is, without chance."""
    return pairs_of(stats.norm.ppf((np.arange(4000) + 0.5) / 4000) * sigma)


def share_found(slowdown: float, sigma: float, counts: tuple[int, int], *, tries: int = 1000) -> float:
    """Simulate gates of 14 comparisons of which one is slower; returns how often that one fails."""
    rng = np.random.default_rng(12)
    deltas = dict.fromkeys(range(COMPARISONS), DELTA)
    found = 0
    for _ in range(tries):
        batches = []
        for count in counts:
            candidate, null = rng.normal(0, sigma, (2, count))
            values = dict.fromkeys(range(COMPARISONS), Values(EQUAL, EQUAL))
            values[0] = Values(pairs_of(candidate + log1p(slowdown)), pairs_of(null))
            batches.append(judge_batch(values, deltas)[0])
            if not batches[0].flagged:
                break
        found += (
            decide(batches[0], batches[-1] if len(batches) > 1 else None, Limits(DELTA))[0] is Verdict.FAIL
        )
    return found / tries


@pytest.mark.simulation
@pytest.mark.usefixtures("quick_binomial")
@pytest.mark.parametrize(("sigma", "counts"), [(0.015, (20, 20)), (0.06, (20, 20)), (0.06, (60, 20))])
def test_the_smallest_slowdown_is_found_as_often_as_said(sigma: float, counts: tuple[int, int]) -> None:
    smallest = smallest_found([normal(sigma)] * 2, DELTA, counts=counts, tests=COMPARISONS, seed=1)
    assert smallest > DELTA
    assert share_found(smallest, sigma, counts) == pytest.approx(0.9, abs=0.04)


def test_the_smallest_slowdown_of_no_noise_is_delta() -> None:
    arms = [[(100.0, 100.0)] * 20] * 2
    found = smallest_found(arms, DELTA, counts=(20, 20), tests=COMPARISONS, seed=1)
    assert found == pytest.approx(DELTA)


def test_where_the_arms_stand_is_no_noise() -> None:
    """A candidate that is slower throughout is no noisier for that."""
    rng = np.random.default_rng(3)
    logs = [rng.normal(0, 0.03, 20) for _ in range(2)]
    moved = [pairs_of(logs[0] + 0.5), pairs_of(logs[1] - 0.2)]
    asked = {"counts": (20, 20), "tests": COMPARISONS, "seed": 1}
    assert smallest_found(moved, DELTA, **asked) == pytest.approx(  # type: ignore[arg-type]
        smallest_found([pairs_of(one) for one in logs], DELTA, **asked)  # type: ignore[arg-type]
    )


def test_too_few_pairs_find_nothing() -> None:
    assert smallest_found([normal(0.01)] * 2, DELTA, counts=(20, 6), tests=COMPARISONS, seed=1) == inf
    few = Values(shifted(1.0, count=19), shifted(1.0, count=19))
    assert detectable(few, DELTA, again=20, tests=COMPARISONS, seed=1) is None


@pytest.mark.parametrize("sigma", [0.01, 0.1, 0.15])
def test_the_pairs_to_find_a_slowdown_are_the_fewest(sigma: float) -> None:
    count = pairs_to_find([normal(sigma)] * 2, DELTA, 0.10, tests=COMPARISONS, seed=1)
    assert count is not None

    def smallest(count: int) -> float:
        counts = (count, count)
        return smallest_found([normal(sigma)] * 2, DELTA, counts=counts, tests=COMPARISONS, seed=1)

    assert count % 2 == 0
    assert smallest(count) <= 0.10 < smallest(count - 2)


def test_noise_that_no_batch_sees_through_wants_no_pairs() -> None:
    assert pairs_to_find([normal(0.4)] * 2, DELTA, 0.10, tests=COMPARISONS, seed=1) is None
    assert pairs_to_find([normal(0.01)] * 2, DELTA, DELTA, tests=COMPARISONS, seed=1) is None


def test_noise_is_of_ratios_and_drawn_by_the_seed() -> None:
    """Pairs of times a thousand apart are as noisy as their ratios; each seed draws batches of its own."""
    rng = np.random.default_rng(3)
    logs, bases = rng.normal(0, 0.05, 300), rng.lognormal(0, 3, 300)
    apart = [(base * exp(one), base) for base, one in zip(bases, logs, strict=True)]

    def smallest(pairs: Pairs, seed: int) -> float:
        return smallest_found([pairs] * 2, DELTA, counts=(20, 20), tests=COMPARISONS, seed=seed)

    assert smallest(apart, 1) == pytest.approx(smallest(pairs_of(logs), 1), rel=1e-9)
    assert smallest(apart, 1) == smallest(apart, 1)
    assert len({round(smallest(apart, seed), 9) for seed in range(5)}) > 1


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize(("counts", "tests"), [((20, 20), 6), ((31, 20), 1), ((6, 6), 1)])
def test_what_would_be_found_is_flagged_in_nine_of_ten_batches(
    counts: tuple[int, int], tests: int, way: int
) -> None:
    """By the definition, on noise skewed either way: shifted by so much, so many of the drawn batches are.

    That is, both medians are over 1 + delta, and no more pairs are under 1 than the sign test allows.
    """
    logs = [way * np.random.default_rng(seed).exponential(0.08, 25) for seed in (1, 2)]
    noise = np.concatenate([one - np.median(one) for one in logs])
    rng = np.random.default_rng(9)
    batches = [rng.choice(noise, size=(power.RESAMPLES, count)) for count in counts]

    def flagged(shift: float) -> float:
        found = np.ones(power.RESAMPLES, dtype=bool)
        for drawn in batches:
            most = most_contrary(drawn.shape[1], tests)
            found &= np.median(drawn + shift, axis=1) > log1p(DELTA)
            found &= np.sum(drawn + shift <= 0, axis=1) <= most
        return float(np.mean(found))

    arms = [pairs_of(one) for one in logs]
    shift = log1p(smallest_found(arms, DELTA, counts=counts, tests=tests, seed=9))
    assert flagged(shift - 1e-9) < 0.9 <= flagged(shift + 1e-9)


@pytest.mark.parametrize(
    ("spread", "delta", "find", "outliers"),
    [
        (0.06, 0.05, 0.07, 0.0),
        (0.12, 0.0, 0.1, 0.0),
        (0.12, 0.0, 0.1, 0.1),
        (0.0, 0.0, 0.1, 0.2),
        (2.0, 0.0, 3.0, 0.1),
    ],
)
def test_the_pairs_wanted_are_those_that_both_conditions_want(
    spread: float, delta: float, find: float, outliers: float
) -> None:
    """The median is over 1 + delta, and the sign test tells, each in 99 of 100 pairs of batches."""
    sure = 0.99**0.5
    error = stats.norm.ppf(sure) * (np.pi / 2) ** 0.5 * spread / log((1 + find) / (1 + delta))
    contrary = outliers / 2 + (stats.norm.cdf(-log1p(find) / spread) if spread else 0)

    def suffices(count: int) -> bool:
        told = stats.binom.cdf(most_contrary(count, 6), count, contrary) >= sure
        return bool(error**2 <= count and told)

    count = next(count for count in range(20, MOST_PAIRS) if suffices(count))
    found = pairs_wanted(spread, delta, find, tests=6, fewest=20, outliers=outliers)
    assert found == count + count % 2
    assert found > 20 or spread == 0


def test_spread_and_outliers_are_of_ratios() -> None:
    """However large the times are, and wherever the ratios stand."""
    rng = np.random.default_rng(3)
    logs, bases = rng.standard_t(3, 50), rng.lognormal(0, 3, 50)
    apart = [(base * exp(one + 0.7), base) for base, one in zip(bases, logs, strict=True)]
    quartiles = np.percentile(logs, [25, 75])
    assert spread_of(apart) == pytest.approx((quartiles[1] - quartiles[0]) / 1.349)
    far = np.abs(logs - np.median(logs)) > 3 * (quartiles[1] - quartiles[0]) / 1.349
    assert outliers_of(apart) == np.mean(far) > 0
    assert outliers_of([(2.0, 1.0)] * 9) == 0, "none lies outside of none"


@pytest.mark.parametrize(
    ("suffices", "count"), [(1, 2), (2, 2), (3, 4), (20, 20), (21, 22), (199, 200), (200, 200), (201, None)]
)
def test_the_fewest_pairs_are_looked_for_among_all(
    monkeypatch: pytest.MonkeyPatch, suffices: int, count: int | None
) -> None:
    """Where what would be found is just what is to be found, it is found."""
    arms = [EQUAL]

    def found(given: object, delta: float, *, counts: tuple[int, int], tests: int, seed: int) -> float:
        assert (given, delta, tests, seed) == (arms, 0.07, 6, 8)
        assert counts[0] == counts[1] <= MOST_PAIRS
        return 0.1 if counts[0] >= suffices else 0.2

    monkeypatch.setattr(power, "smallest_found", found)
    assert pairs_to_find(arms, 0.07, 0.1, tests=6, seed=8) == count


def wanted(spread: float, delta: float, find: float, tests: int = COMPARISONS) -> int:
    """Ask for the pairs of a batch."""
    return pairs_wanted(spread, delta, find, tests=tests, fewest=FEWEST_PAIRS)


spreads = st.floats(min_value=0, max_value=0.5)
fractions = st.floats(min_value=0.001, max_value=0.9)


@given(spreads, spreads, fractions, fractions, fractions)
def test_more_noise_and_smaller_slowdowns_want_more_pairs(
    one: float, other: float, delta: float, find: float, easier: float
) -> None:
    low, high = sorted([one, other])
    small, large = sorted([find, easier])
    assert wanted(low, delta, small) <= wanted(high, delta, small)
    assert wanted(high, delta, large) <= wanted(high, delta, small)
    assert wanted(high, delta, small, tests=1) <= wanted(high, delta, small)
    assert FEWEST_PAIRS <= wanted(high, delta, small) <= MOST_PAIRS
    assert wanted(high, delta, small) % 2 == 0


def test_what_can_not_be_found_wants_all_pairs() -> None:
    assert wanted(0.001, 0.05, 0.05) == MOST_PAIRS
    assert wanted(0.001, 0.05, 0.10) == FEWEST_PAIRS
    assert wanted(0.0, 0.05, 0.06) == FEWEST_PAIRS


@pytest.mark.simulation
@pytest.mark.usefixtures("quick_binomial")
@pytest.mark.parametrize(("sigma", "find"), [(0.12, 0.10), (0.06, 0.07)])
def test_the_pairs_wanted_suffice_and_are_few(sigma: float, find: float) -> None:
    count = wanted(sigma, DELTA, find)
    assert FEWEST_PAIRS < count < MOST_PAIRS
    assert share_found(find, sigma, (count, count), tries=500) >= 0.97
    quarter = count // 8 * 2
    assert share_found(find, sigma, (quarter, quarter), tries=500) < 0.88


def test_disturbed_pairs_want_more_of_them() -> None:
    """A share of the pairs points anywhere, however quiet the others are."""
    found = [
        pairs_wanted(0.01, DELTA, 0.10, tests=COMPARISONS, fewest=FEWEST_PAIRS, outliers=share)
        for share in (0.0, 0.1, 0.2, 0.3)
    ]
    assert found[0] == FEWEST_PAIRS
    assert found == sorted(set(found)), "each share more"
    count = found[2]
    contrary = stats.binom.cdf(most_contrary(count, COMPARISONS), count, 0.1)
    assert contrary >= 0.99**0.5


def test_a_pair_is_disturbed_that_lies_far_outside() -> None:
    pairs = normal(0.01)
    assert outliers_of(pairs) < 0.005
    wild = [(top * (2 if number % 10 == 0 else 1), bottom) for number, (top, bottom) in enumerate(pairs)]
    assert outliers_of(wild) == pytest.approx(0.1, abs=0.005)
    assert outliers_of(EQUAL) == 0


@given(st.floats(0.001, 0.5))
def test_the_spread_is_that_of_normal_noise_whatever_lies_outside(sigma: float) -> None:
    pairs = normal(sigma)
    assert spread_of(pairs) == pytest.approx(sigma, rel=0.01)
    wild = [(top * (50 if number % 100 == 0 else 1), bottom) for number, (top, bottom) in enumerate(pairs)]
    assert spread_of(wild) == pytest.approx(sigma, rel=0.05)


cell_names = st.sampled_from("abcdef")
counts_of_cells = st.dictionaries(cell_names, st.integers(0, 12), max_size=6)


@given(counts_of_cells, st.integers(1, 4), st.text(max_size=8))
def test_rounds_take_each_arm_once_and_turn_round(pairs: dict[str, int], arms_each: int, seed: str) -> None:
    arms = {
        name: range(place * arms_each, (place + 1) * arms_each) for place, name in enumerate(sorted(pairs))
    }
    rounds = draw_blocks(arms, pairs, seed)
    assert rounds == draw_blocks(arms, pairs, seed)
    assert len(rounds) == max(pairs.values(), default=0)
    cell_of = {arm: name for name, numbers in arms.items() for arm in numbers}
    orders: list[dict[str, list[int]]] = []
    for number, order in enumerate(rounds):
        present = [name for name in pairs if pairs[name] > number]
        assert sorted(order) == sorted(arm for name in present for arm in arms[name])
        names = [cell_of[arm] for arm in order]
        changes = sum(one != other for one, other in pairwise(names))
        assert changes == len(present) - 1, "the arms of a cell stand next to each other"
        orders.append({name: [arm for arm in order if cell_of[arm] == name] for name in present})
    for even, odd in list(pairwise(orders))[::2]:
        assert all(odd[name] == even[name][::-1] for name in odd)


def test_the_order_is_drawn() -> None:
    rounds = draw_blocks({"a": (0, 1, 2), "b": (3, 4, 5)}, {"a": 200, "b": 200}, "1")
    assert len({tuple(arm for arm in order if arm < 3) for order in rounds[::2]}) == 6
    assert len({order[0] < 3 for order in rounds[::2]}) == 2
    assert rounds != draw_blocks({"a": (0, 1, 2), "b": (3, 4, 5)}, {"a": 200, "b": 200}, "2")


counts_wanted = st.dictionaries(cell_names, st.integers(FEWEST_PAIRS, MOST_PAIRS), min_size=1, max_size=6)
costs = st.fixed_dictionaries({name: st.floats(0.01, 5) for name in "abcdef"})
ROUNDING = 1e-9


def time_of(pairs: Mapping[str, int], cost_s: Mapping[str, float]) -> float:
    """What the pairs take, in seconds."""
    return sum(count * cost_s[name] for name, count in pairs.items())


@given(counts_wanted, costs, st.floats(-10, 3000))
def test_the_first_batch_fits_the_budget(
    wished: dict[str, int], cost_s: dict[str, float], budget_s: float
) -> None:
    found = first_pairs(wished, cost_s, budget_s)
    assert list(found) == list(wished)
    assert all(count % 2 == 0 for count in found.values())
    fewest_s = FEWEST_PAIRS * sum(cost_s[name] for name in wished)
    given_cost = {name: cost_s[name] for name in wished}
    found = first_pairs(wished, given_cost, budget_s)
    if fewest_s > MOST_FIRST_SHARE * budget_s:
        assert len(set(found.values())) == 1
        assert 2 <= found.popitem()[1] <= FEWEST_PAIRS
        return
    assert all(FEWEST_PAIRS <= found[name] <= wished[name] for name in wished)
    share_s = max(FIRST_SHARE * budget_s, fewest_s)
    assert time_of(found, cost_s) <= share_s * (1 + ROUNDING)
    if time_of(wished, cost_s) <= FIRST_SHARE * budget_s:
        assert all(wished[name] - found[name] <= 1 for name in wished)
    elif share_s > fewest_s:
        more = {name: min(wished[name], count + 4) for name, count in found.items()}
        assert time_of(more, cost_s) > share_s * (1 - ROUNDING), "no time is left unused"


@given(counts_wanted, costs, st.floats(-10, 3000))
def test_the_worst_is_confirmed_first(
    flagged: dict[str, int], cost_s: dict[str, float], left_s: float
) -> None:
    found = confirming_pairs(flagged, cost_s, left_s)
    assert list(found) == [name for name in flagged if name in found]
    assert all(FEWEST_PAIRS <= found[name] <= flagged[name] for name in found)
    assert time_of(found, cost_s) <= max(0.0, left_s) * (1 + ROUNDING)
    for name in flagged.keys() - found.keys():
        worse = [other for other in list(flagged)[: list(flagged).index(name)] if other in found]
        fewest_s = FEWEST_PAIRS * sum(cost_s[other] for other in (*worse, name))
        assert fewest_s > left_s * (1 - ROUNDING), "who found no room had none beside the worse"


@given(st.dictionaries(cell_names, st.integers(1, 18), min_size=1), costs, st.floats(-10, 300))
def test_a_batch_is_topped_up_as_time_allows(
    missing: dict[str, int], cost_s: dict[str, float], left_s: float
) -> None:
    found = topping_pairs(missing, cost_s, left_s)
    assert time_of(found, cost_s) <= max(0.0, left_s) * (1 + ROUNDING)
    assert set(found) in (set(), set(missing))
    assert all(1 <= found[name] <= missing[name] for name in found)
    if time_of(missing, cost_s) * 18 <= left_s:
        assert found == missing


@given(
    st.dictionaries(cell_names, st.tuples(st.integers(20, 60), st.integers(2, MOST_PAIRS)), min_size=1),
    costs,
    st.floats(-10, 300),
)
def test_a_noisy_cell_gets_what_suffices_and_leaves_time_to_confirm(
    cells: dict[str, tuple[int, int]], cost_s: dict[str, float], left_s: float
) -> None:
    have = {name: count for name, (count, _) in cells.items()}
    needed = {name: count for name, (_, count) in cells.items()}
    found = strengthening_pairs(needed, have, cost_s, left_s)
    for name, more in found.items():
        assert have[name] < needed[name] <= have[name] + more
        assert more % 2 == 0
    if found:
        again_s = max((have[name] + more) * cost_s[name] for name, more in found.items())
        assert time_of(found, cost_s) + again_s <= left_s
    for name in {name for name in needed if needed[name] > have[name]} - found.keys():
        least_s = (2 * needed[name] - have[name]) * cost_s[name]
        assert (
            time_of(found, cost_s)
            + least_s
            + 22 * cost_s[name]
            + max((have[other] + more) * cost_s[other] for other, more in (found or {name: 0}).items())
            > left_s
        ), "who got nothing had no room"


def test_pairs_are_planned_by_what_they_cost() -> None:
    """Worked out by hand; times are halves and quarters, so that what just fits does."""
    cost_s = {"a": 1.0, "b": 2.0}
    assert first_pairs({"a": 40, "b": 60}, cost_s, 400) == {"a": 40, "b": 60}
    assert first_pairs({"a": 40, "b": 60}, cost_s, 60) == {"a": 16, "b": 16}, "51 s are 17 rounds of both"
    assert topping_pairs({"a": 5}, {"a": 1.0}, 2.5) == {"a": 2}
    assert topping_pairs({"a": 5}, {"a": 1.0}, 1.9) == {}
    have = {"a": 20, "b": 20}
    assert strengthening_pairs({"a": 20, "b": 10}, have, cost_s, 1000) == {}
    assert strengthening_pairs({"a": 31, "b": 21}, have, cost_s, 1000) == {"a": 12, "b": 10}
    assert strengthening_pairs({"a": 60, "b": 40}, have, {"a": 1.0, "b": 1.0}, 100) == {"b": 20}, (
        "the cheaper"
    )
    assert strengthening_pairs({"a": 60, "b": 40}, have, {"a": 0.125, "b": 1.0}, 63) == {"a": 40}
    assert strengthening_pairs({"a": 60}, have, {"a": 0.25}, 25) == {"a": 40}
    assert strengthening_pairs({"a": 60}, have, {"a": 0.25}, 24.9) == {}
    assert confirming_pairs({"a": 30}, {"a": 0.5}, 10) == {"a": 20}
    assert confirming_pairs({"a": 30}, {"a": 0.5}, 9.9) == {}
    assert confirming_pairs({"a": 40}, {"a": 0.5}, 20) == {"a": 40}
    assert confirming_pairs({"a": 200, "b": 150}, {"a": 1.0, "b": 1.0}, 340) == {"a": 194, "b": 146}


def entry(
    gate: str = "g1", seed: int = 1, value: float = 1.01, spread: float = 0.02, **changed: str
) -> Entry:
    """Make an entry of a history, of cell "c" and measure "time" unless it is changed."""
    made = Entry(gate, seed, "c", "time", 20, value, spread, 0.1, "1234")
    return replace(made, **changed)  # type: ignore[arg-type]


def line_of(one: Entry) -> str:
    """Write an entry as a line of a history."""
    return json.dumps({"schema": SCHEMA, **asdict(one)}) + "\n"


def test_a_history_is_only_added_to(tmp_path: Path) -> None:
    path = tmp_path / "history" / "machine.jsonl"
    assert read_history(path) == []
    add_to_history(path, [entry("g2"), entry("g2", measure="memory")])
    before = path.read_bytes()
    add_to_history(path, [entry("g1"), entry("g2")])
    assert path.read_bytes() == before + line_of(entry("g1")).encode()
    assert set(read_history(path)) == {entry("g1"), entry("g2"), entry("g2", measure="memory")}
    add_to_history(path, [entry("g1"), entry("g2")])
    assert path.read_bytes().count(b"\n") == 3


def test_a_history_without_a_last_newline_is_added_to_by_lines(tmp_path: Path) -> None:
    """An editor, or a merge, may have left it so."""
    path = tmp_path / "machine.jsonl"
    path.write_text(line_of(entry("g1")).rstrip("\n"))
    add_to_history(path, [entry("g2")])
    assert read_history(path) == [entry("g1"), entry("g2")]


entries_of_gates = st.lists(
    st.builds(
        entry,
        gate=st.sampled_from(["g1", "g2", "g3", "g4"]),
        seed=st.integers(0, 2),
        value=st.floats(0.5, 2),
        spread=st.floats(0, 0.5),
        cell=st.sampled_from("cd"),
        measure=st.sampled_from(["time", "memory"]),
    ),
    unique_by=lambda one: one.identity,
    min_size=1,
)


@given(entries_of_gates, st.data())
def test_histories_merge_in_any_order(entries: list[Entry], data: st.DataObject) -> None:
    """Lines of two clones, in whatever order and twice, say the same of the noise."""
    doubled = data.draw(st.permutations(entries + data.draw(st.lists(st.sampled_from(entries)))))
    found = []
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(history_module, "NEWEST", 3)
        for number, lines in enumerate([entries, doubled]):
            path = Path(folder, f"{number}.jsonl")
            path.write_text("\n".join(line_of(one) for one in lines))
            read = read_history(path)
            assert len(read) == len(entries)
            found.append(
                {(cell, name): noise_of(read, cell, name) for cell in "cd" for name in ("time", "memory")}
            )
    assert found[0] == found[1]


GOOD = line_of(entry())


@pytest.mark.parametrize(
    "bad",
    [
        "<<<<<<< HEAD",
        GOOD[:-20],
        "[]",
        "7",
        "null",
        "{}",
        GOOD.replace('"schema": 1', '"schema": 2'),
        GOOD.replace("1.01", "0"),
        GOOD.replace("1.01", "-1.01"),
        GOOD.replace("1.01", "NaN"),
        GOOD.replace("1.01", "1e999"),
        GOOD.replace("0.02", "-0.02"),
        GOOD.replace('"seed": 1', '"seed": 1e999'),
        GOOD.replace('"pairs": 20', '"pairs": "many"'),
        GOOD.replace('"gate": "g1", ', ""),
        "[" * 100_000,
    ],
)
def test_a_garbled_line_is_refused_with_its_number(tmp_path: Path, bad: str) -> None:
    path = tmp_path / "history" / "machine.jsonl"
    path.parent.mkdir()
    path.write_text(f"{GOOD}\n{bad.rstrip()}\n{GOOD}")
    for call in (lambda: read_history(path), lambda: add_to_history(path, [entry("g2")])):
        before = path.read_bytes()
        with pytest.raises(UserError, match=r"results/history/machine\.jsonl: line 3 is no entry"):
            call()
        assert path.read_bytes() == before


@settings(max_examples=300)
@given(
    st.dictionaries(st.sampled_from(sorted(asdict(entry()))), st.one_of(st.none(), st.floats(), st.text()))
)
def test_no_line_stops_the_driver(changed: dict[str, object]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "machine.jsonl")
        path.write_text(json.dumps({"schema": SCHEMA, **asdict(entry()), **changed}) + "\n")
        try:
            (one,) = read_history(path)
        except UserError as error:
            assert "line 1 is no entry" in str(error)  # noqa: PT017 - it need not be refused
        else:
            assert noise_of([one], one.cell, one.measure) is not None


def test_the_noise_is_the_tail_of_the_distances() -> None:
    """Spreads are skewed, so that their median is far from their mean, and the outliers' the other way."""
    assert noise_of([], "c", "time") is None
    rng = np.random.default_rng(2)
    for count in (1, 5, 20, 21, 150):
        entries = [
            replace(entry(f"g{number:03}", value=exp(value), spread=number**3), outliers=number**2 / 1e6)
            for number, value in enumerate(rng.normal(0, 0.05, count))
        ]
        others = [entry("g9", value=3, cell="d"), entry("g9", value=3, measure="memory")]
        noise = noise_of(entries + others, "c", "time")
        assert noise is not None
        distances = sorted(max(one.ratio, 1 / one.ratio) - 1 for one in entries)
        assert noise.tail == pytest.approx(distances[ceil(0.95 * (count - 1))])
        assert count > 20 or noise.tail == pytest.approx(distances[-1])
        assert noise.gates == count
        assert noise.spread == ((count - 1) // 2) ** 3 / 2 + (count // 2) ** 3 / 2
        assert noise.outliers == pytest.approx((count - 1) * (2 * count - 1) / 6e6), "the sum of squares"


def test_a_faster_second_build_is_noise_too() -> None:
    noise = noise_of([entry(value=0.8)], "c", "time")
    assert noise is not None
    assert noise.tail == pytest.approx(0.25)


def test_only_the_newest_gates_count() -> None:
    entries = [entry("g000", value=5.0)]
    entries += [entry(f"g{number:03}", value=1.01) for number in range(1, history_module.NEWEST + 1)]
    noise = noise_of(entries, "c", "time")
    assert noise is not None
    assert noise.gates == history_module.NEWEST
    assert noise.tail == pytest.approx(0.01)


def noisy_batch(rng: np.random.Generator, sigma: float, slowdown: float, *, calm: bool = False) -> Values:
    """Make a batch of noise: a sample in ten takes three times as long, and the machine slows down.

    The arms are taken in the order that the gate plans, so that each meets its part of the drift.
    """
    rounds = draw_blocks({"x": (0, 1, 2)}, {"x": FEWEST_PAIRS}, str(rng.integers(2**32)))
    logs = np.empty((FEWEST_PAIRS, 3))
    drift = 0 if calm else rng.uniform(-0.2, 0.2) / (3 * FEWEST_PAIRS)
    for number, order in enumerate(rounds):
        for place, arm in enumerate(order):
            logs[number, arm] = drift * (3 * number + place)
    logs += rng.normal(0, sigma / np.sqrt(2), logs.shape)
    if not calm:
        logs += np.where(rng.random(logs.shape) < 0.1, np.log(3), 0)
    logs[:, 1] += log1p(slowdown)
    base, candidate, null = np.exp(logs).T.tolist()
    return Values(list(zip(candidate, base, strict=True)), list(zip(null, base, strict=True)))


def simulated_gate(sigmas: Sequence[float], make: Callable[[float], Values]) -> dict[int, Verdict]:
    """Decide a gate on made-up noise, as the gate would: what the first batch flags is measured again."""
    deltas = dict.fromkeys(range(len(sigmas)), DELTA)
    first = judge_batch({number: make(sigma) for number, sigma in enumerate(sigmas)}, deltas)
    flagged = [number for number, one in first.items() if one.flagged and not one.null_flagged]
    again = judge_batch({number: make(sigmas[number]) for number in flagged}, deltas)
    return {number: decide(one, again.get(number), Limits(DELTA))[0] for number, one in first.items()}


@pytest.mark.simulation
@pytest.mark.usefixtures("quick_binomial")
def test_equal_commits_raise_no_alarm() -> None:
    """600 whole gates of a base against itself, with noise as on a shared machine."""
    rng = np.random.default_rng(4)
    gates = []
    for _ in range(600):
        sigmas = rng.uniform(0.015, 0.06, COMPARISONS)
        found = simulated_gate(list(sigmas), lambda sigma: noisy_batch(rng, sigma, 0.0))
        gates.append(set(found.values()))
    assert sum(Verdict.FAIL in found for found in gates) == 0
    assert sum(Verdict.INCONCLUSIVE in found for found in gates) < 60
    assert sum(found == {Verdict.PASS} for found in gates) > 540


@pytest.mark.simulation
@pytest.mark.usefixtures("quick_binomial")
def test_a_slowdown_of_10_percent_is_found() -> None:
    rng = np.random.default_rng(5)
    found = 0
    for _ in range(200):
        slow = rng.integers(COMPARISONS)
        slowdowns = iter([0.1 if number == slow else 0.0 for number in range(COMPARISONS)] + [0.1])

        def make(sigma: float, slowdowns: Iterator[float] = slowdowns) -> Values:
            return noisy_batch(rng, sigma, next(slowdowns), calm=True)

        verdicts = simulated_gate([0.015] * COMPARISONS, make)
        assert [one for number, one in verdicts.items() if number != slow] == [Verdict.PASS] * 13
        found += verdicts[int(slow)] is Verdict.FAIL
    assert found >= 180

"""Estimates against known answers, against properties, and against the truth in a small simulation."""

import math
import zlib
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from actorbench import estimates
from actorbench.estimates import (
    Estimate,
    Ratio,
    Standing,
    bootstrap_interval,
    estimate,
    holm,
    interval_rank,
    mean_interval,
    median,
    order_interval,
    paired_ratio,
    ratio_of_medians,
    sign_test,
    standing,
    unpaired_ratio,
)
from actorbench.rules import MEAN, fewest, samples_needed

LOOKED_AT = 1 - 0.05 / 7  # of a sweep with --precision, at each of its looks
positive = st.floats(min_value=1e-3, max_value=1e6)


def test_the_floors() -> None:
    assert [standing(n).value for n in (1, 5, 6, 9, 10, 30)] == [
        "too few samples",
        "too few samples",
        "few samples",
        "few samples",
        "enough samples",
        "enough samples",
    ]
    assert standing(5, as_thesis=True) is Standing.UNDER_FLOOR
    assert standing(4, as_thesis=True) is Standing.TOO_FEW
    assert standing(6, as_thesis=True) is Standing.FEW
    looked_at = [standing(n, confidence=LOOKED_AT) for n in (8, 9, 10)]
    assert looked_at == [Standing.TOO_FEW, Standing.FEW, Standing.ENOUGH]


@pytest.mark.parametrize(
    ("confidence", "count"), [(0.5, 2), (0.95, 6), (0.975, 7), (0.99, 8), (LOOKED_AT, 9), (0.998, 10)]
)
def test_the_fewest_samples_for_a_confidence(confidence: float, count: int) -> None:
    assert fewest(confidence) == count
    assert interval_rank(count, confidence) == 1
    assert interval_rank(count - 1, confidence) is None
    with pytest.raises(ValueError, match=f"{count - 1} values allow no interval"):
        order_interval(np.arange(count - 1.0), confidence=confidence)


def test_under_the_floor_there_is_no_interval() -> None:
    one = estimate([1, 2, 4, 8, 16], seed=1, name="x")
    assert one == Estimate(4, None, None, 5, Standing.TOO_FEW)
    shown = estimate([1, 2, 4, 8, 16], seed=1, name="x", as_thesis=True)
    assert (shown.low, shown.high) == (1, 16)
    assert shown.standing is Standing.UNDER_FLOOR
    assert estimate([1, 2, 4, 8], seed=1, name="x", as_thesis=True).low is None


def test_an_interval_is_two_of_the_samples() -> None:
    """Ranks by Conover, table A3: of 10 values the 2nd and 9th for 95 %, the ends for 99.3 %."""
    values = [float(2**n) for n in range(10)][::-1]
    one = estimate(values, seed=1, name="x")
    assert (one.low, one.value, one.high) == (2, 24, 256)
    surer = estimate(values, seed=1, name="x", confidence=LOOKED_AT)
    assert (surer.low, surer.high) == (1, 512)
    assert (surer.value, surer.count, surer.standing) == (24, 10, Standing.ENOUGH)


def test_the_thesis_interval_is_the_percentile_bootstraps() -> None:
    """Of 7 values, the median of a resample is at most the k-th smallest if 4 of 7 draws are.

    That is so with a probability of 1.0 % for k = 1, 10.8 % for k = 2; the interval is at 2.5 % and 97.5 %,
    and at 0.36 % and 99.64 % where it is looked at 7 times.
    """
    values = [float(2**n) for n in range(7)]
    one = estimate(values, seed=1, name="x", as_thesis=True)
    assert (one.low, one.value, one.high) == (2, 8, 32)
    surer = estimate(values, seed=1, name="x", as_thesis=True, confidence=LOOKED_AT)
    assert (surer.low, surer.high, surer.standing) == (1, 64, Standing.UNDER_FLOOR)


def test_a_mean_of_a_known_set() -> None:
    """Of 1 to 10 the standard error is 0.95743; Student's 97.5 % point of 9 degrees of freedom is 2.26216."""
    one = estimate(list(range(1, 11)), seed=1, name="x", kind=MEAN)
    assert one.value == 5.5
    assert [one.low, one.high] == pytest.approx([5.5 - 2.16585, 5.5 + 2.16585], rel=1e-5)
    wider = estimate(list(range(1, 11)), seed=1, name="x", kind=MEAN, confidence=0.99)
    assert wider.high == pytest.approx(5.5 + 3.24984 * 0.95743, rel=1e-5)
    few = estimate([1, 2, 6], seed=1, name="x", kind=MEAN)
    assert (few.value, few.low, few.high, few.standing) == (3, None, None, Standing.TOO_FEW)


@pytest.fixture
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw few, of which each counts."""
    monkeypatch.setattr(estimates, "RESAMPLES", 60)


def seeded(seed: int, name: str) -> np.random.Generator:
    """What a run of that seed draws resamples by, for the estimate of that name."""
    return np.random.default_rng([seed, zlib.crc32(name.encode())])


@pytest.mark.parametrize(("seed", "name"), [(1, "x"), (2, "x"), (1, "y")])
@pytest.mark.parametrize("confidence", [0.95, 0.99])
@pytest.mark.usefixtures("few_resamples")
def test_resamples_are_scipys_and_the_estimates_own(seed: int, name: str, confidence: float) -> None:
    """Of 200 values each generator draws another interval, so that one that is not seeded is seen."""
    values = np.random.default_rng(3).exponential(size=200)
    drawn = stats.bootstrap(
        (values,),
        np.median,
        n_resamples=60,
        confidence_level=confidence,
        method="percentile",
        rng=seeded(seed, name),
    ).confidence_interval
    one = estimate(list(values), seed=seed, name=name, as_thesis=True, confidence=confidence)
    assert (one.low, one.high) == pytest.approx((drawn.low, drawn.high), rel=1e-14)
    assert (one.value, one.count) == (np.median(values), 200)
    both = bootstrap_interval(np.stack([values, 2 * values]), seeded(seed, name), confidence=confidence)
    assert [end.shape for end in both] == [(2,), (2,)]


@pytest.mark.usefixtures("few_resamples")
@pytest.mark.parametrize(("seed", "name"), [(1, "x"), (2, "x"), (1, "y")])
def test_the_ratio_of_runs_measured_apart_is_scipys(seed: int, name: str) -> None:
    above, below = np.random.default_rng(3).lognormal(0, 0.5, (2, 200))
    drawn = stats.bootstrap(
        (above, below[:150]),
        lambda one, other, axis: np.median(one, axis=axis) / np.median(other, axis=axis),
        n_resamples=60,
        confidence_level=0.95,
        method="percentile",
        vectorized=True,
        rng=seeded(seed, name),
    )
    one = unpaired_ratio(list(above), list(below[:150]), seed=seed, name=name)
    interval = drawn.confidence_interval
    assert (one.low, one.high) == pytest.approx((interval.low, interval.high), rel=1e-14)
    assert one.ratio == pytest.approx(np.median(above) / np.median(below[:150]))
    assert (one.count, one.standing) == (150, Standing.ENOUGH)
    beyond = min(np.sum(drawn.bootstrap_distribution <= 1), np.sum(drawn.bootstrap_distribution >= 1))
    assert one.p_value == pytest.approx(2 * (1 + beyond) / 61)
    few = unpaired_ratio([4, 1, 2], [1, 1, 8, 8, 8, 8], seed=seed, name=name)
    assert few == Ratio(0.25, None, None, 3, Standing.TOO_FEW, 1.0)


def test_intervals_of_many_rows_are_those_of_each() -> None:
    rows = np.random.default_rng(5).exponential(size=(3, 11))
    for interval in (order_interval, mean_interval):
        drawn, each = interval(rows, confidence=0.9), [interval(row, confidence=0.9) for row in rows]
        for end in (0, 1):
            assert list(drawn[end]) == pytest.approx([float(one[end]) for one in each])
    for axis in (0, 1):
        assert median(rows, axis) == pytest.approx(np.median(rows, axis=axis))
        below = rows[:, ::-1] ** 2
        expected = np.median(rows, axis=axis) / np.median(below, axis=axis)
        assert ratio_of_medians(rows, below, axis) == pytest.approx(expected)
    assert median(rows) == pytest.approx(np.median(rows, axis=-1))
    known = stats.t.interval(0.95, 10, loc=rows[0].mean(), scale=stats.sem(rows[0]))
    assert [float(end) for end in mean_interval(rows[0])] == pytest.approx(known)


def test_pairs_that_are_too_few_have_a_ratio_without_an_interval() -> None:
    one = paired_ratio([2, 8, 3], [1, 2, 3])
    assert one == Ratio(pytest.approx(2), None, None, 3, Standing.TOO_FEW, 1.0)  # type: ignore[arg-type]
    alike = paired_ratio([2, 8, 30], [1, 2, 3])
    assert alike.p_value == 0.25


def test_the_same_run_gives_the_same_interval() -> None:
    values = list(np.random.default_rng(3).exponential(size=12))
    drawn = {
        (seed, name): estimate(values, seed=seed, name=name, as_thesis=True)
        for seed in (1, 2)
        for name in ("x", "y")
    }
    assert drawn[1, "x"] == estimate(values, seed=1, name="x", as_thesis=True)
    other = list(np.random.default_rng(4).exponential(size=13))
    ratios = {
        unpaired_ratio(values, other, seed=seed, name=name).p_value for seed in (1, 2) for name in ("x", "y")
    }
    assert len(ratios) > 1, "each estimate has resamples of its own"


@pytest.mark.parametrize(
    ("count", "rank"), [(1, None), (5, None), (6, 1), (8, 1), (9, 2), (10, 2), (12, 3), (20, 6), (30, 10)]
)
def test_ranks_of_the_sign_test_interval(count: int, rank: int | None) -> None:
    """Conover, Practical Nonparametric Statistics, table A3 (binomial), gives these ranks."""
    assert interval_rank(count) == rank


def test_a_rank_that_is_just_sure_enough_is_taken() -> None:
    """Of 4 values at most one lies below the median with exactly 5/16."""
    assert interval_rank(4, 0.375) == 2
    assert interval_rank(4, 0.376) == 1


def test_the_paired_ratio_of_a_known_set() -> None:
    base = [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0]
    factors = [2.0, 1.9, 2.1, 1.8, 2.2, 1.7, 2.3, 1.6, 2.4, 1.5]
    one = paired_ratio([b * f for b, f in zip(base, factors, strict=True)], base)
    assert one.ratio == pytest.approx(math.sqrt(1.9 * 2.0))
    assert one.low == pytest.approx(1.6)
    assert one.high == pytest.approx(2.3)
    assert one.p_value == pytest.approx(2 / 1024)
    assert (one.count, one.standing) == (10, Standing.ENOUGH)


def test_pairs_must_match() -> None:
    with pytest.raises(ValueError, match=r"^paired values must be as many on both sides, and at least one$"):
        paired_ratio([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="at least one"):
        paired_ratio([], [])


def test_holm_of_a_known_set() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


def test_ties_are_no_difference() -> None:
    assert sign_test([0.0] * 10) == 1
    assert paired_ratio([3.0] * 10, [3.0] * 10).ratio == 1


def test_samples_needed_for_many_comparisons() -> None:
    assert samples_needed(1) == 6
    assert samples_needed(25) == 10
    assert samples_needed(26) == 11


@given(st.lists(positive, min_size=6, max_size=25), st.booleans())
@settings(max_examples=30, deadline=None)
def test_the_interval_holds_the_median_and_lies_in_the_data(values: list[float], as_thesis: bool) -> None:
    one = estimate(values, seed=1, name="x", as_thesis=as_thesis)
    assert one.low is not None
    assert one.high is not None
    assert min(values) * (1 - 1e-12) <= one.low <= one.value * (1 + 1e-12)
    assert one.value * (1 - 1e-12) <= one.high <= max(values) * (1 + 1e-12)


@given(st.integers(6, 60), st.sampled_from([0.9, 0.95, 0.99, LOOKED_AT, 0.999]))
def test_the_rank_is_the_largest_that_is_sure_enough(count: int, confidence: float) -> None:
    """By the definition: so often do fewer than k of n coins fall on one side."""
    rank = interval_rank(count, confidence) or 0
    missed = [2 * sum(math.comb(count, i) for i in range(k)) / 2**count for k in (rank, rank + 1)]
    assert missed[0] <= 1 - confidence + 1e-12
    assert missed[1] > 1 - confidence


@given(st.lists(st.tuples(positive, positive), min_size=6, max_size=40))
def test_swapping_the_sides_inverts_the_ratio(pairs: list[tuple[float, float]]) -> None:
    above, below = [a for a, _ in pairs], [b for _, b in pairs]
    one, other = paired_ratio(above, below), paired_ratio(below, above)
    assert one.ratio == pytest.approx(1 / other.ratio)
    assert one.low is not None
    assert other.high is not None
    assert one.low == pytest.approx(1 / other.high)
    assert one.p_value == other.p_value


@given(st.lists(st.tuples(positive, positive), min_size=6, max_size=40))
def test_interval_and_test_agree(pairs: list[tuple[float, float]]) -> None:
    one = paired_ratio([a for a, _ in pairs], [b for _, b in pairs])
    assert one.low is not None
    assert one.high is not None
    assert (one.p_value <= 0.05) == (one.low > 1 or one.high < 1)


@given(st.lists(st.floats(min_value=0, max_value=1), max_size=20))
def test_holm_keeps_the_order_and_never_lowers(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(p <= a <= 1 for p, a in zip(p_values, adjusted, strict=True))
    ordered = [a for _, a in sorted(zip(p_values, adjusted, strict=True))]
    assert all(first <= second for first, second in pairwise(ordered))


TRIALS = 2000


@pytest.mark.simulation
@pytest.mark.parametrize("confidence", [0.95, LOOKED_AT])
@pytest.mark.parametrize("count", [10, 13, 20, 31])
def test_intervals_cover_the_truth(count: int, confidence: float) -> None:
    """Skewed values that drift by 40 % over the run: the intervals hold the true median, which is 1.

    A rank more would cover no 95 %: the interval is not wider than it must be. docs/intervals.md has more.
    """
    chance = np.random.default_rng(11)
    drift = np.exp(0.2 * np.linspace(-1, 1, count))
    values = drift * chance.lognormal(0, 0.5, (TRIALS, count))
    low, high = order_interval(values, confidence=confidence)
    error = 2 * math.sqrt(confidence * (1 - confidence) / TRIALS)
    assert np.mean((low <= 1) & (high >= 1)) >= confidence - error
    steady = chance.lognormal(0, 0.5, (TRIALS, count))
    ordered = np.sort(steady, axis=-1)
    rank = interval_rank(count, confidence) or 0
    inside = (ordered[:, rank] <= 1) & (ordered[:, -1 - rank] >= 1)
    assert np.mean(inside) < confidence + error


def test_the_ratio_of_runs_measured_apart_is_tested_by_its_own_resamples() -> None:
    """Of two arms of 7 whose medians are equal half of the resampled ratios lie on either side of 1."""
    values = [float(2**n) for n in range(7)]
    equal = unpaired_ratio(values, values, seed=1, name="x")
    assert equal.ratio == 1
    assert equal.p_value == 1
    apart = unpaired_ratio([100 * one for one in values], [one / 100 for one in values], seed=1, name="x")
    assert apart.p_value == pytest.approx(2 / 10_001), "the sample itself counts as one of the resamples"
    near = unpaired_ratio(values, [3 * one for one in values], seed=1, name="x")
    assert near.low is not None
    assert near.high is not None
    assert near.ratio == pytest.approx(1 / 3)
    assert near.low < near.ratio < 1 < near.high
    assert 0.05 < near.p_value < 0.9
    turned = unpaired_ratio([3 * one for one in values], values, seed=1, name="x")
    assert turned.p_value == pytest.approx(near.p_value, rel=0.1)
    shorter = unpaired_ratio(values, values[:6], seed=1, name="x")
    assert (shorter.count, shorter.standing) == (6, Standing.FEW)


@pytest.mark.simulation
@pytest.mark.parametrize("count", [6, 10, 20, 30])
def test_intervals_of_means_cover_the_truth(count: int) -> None:
    """Of values that scatter evenly as often as they say, of skewed ones a little less."""
    chance = np.random.default_rng(11)
    even = mean_interval(chance.normal(1, 0.1, (TRIALS, count)))
    assert 0.935 <= np.mean((even[0] <= 1) & (even[1] >= 1)) <= 0.965
    skewed, truth = mean_interval(chance.lognormal(0, 0.5, (TRIALS, count))), np.exp(0.125)
    assert 0.9 <= np.mean((skewed[0] <= truth) & (skewed[1] >= truth)) <= 0.95


@pytest.mark.simulation
@pytest.mark.parametrize("count", [6, 10, 20])
def test_paired_intervals_cover_the_truth(count: int) -> None:
    """Pairs of skewed values that share a wandering drift: the sign test's interval is exact or wider."""
    chance = np.random.default_rng(11)
    drift = np.exp(np.cumsum(chance.normal(0, 0.05, (TRIALS, count)), axis=1))
    base = drift * chance.lognormal(0, 0.3, (TRIALS, count))
    candidate = 1.2 * drift * chance.lognormal(0, 0.3, (TRIALS, count))
    found = [paired_ratio(list(a), list(b)) for a, b in zip(candidate, base, strict=True)]
    covered = sum(one.low <= 1.2 <= one.high for one in found if one.low is not None and one.high is not None)
    assert covered / TRIALS >= 0.95


def test_a_ratio_turns_round_with_its_interval() -> None:
    ratio = paired_ratio([2.0, 2.5, 3.0, 3.5, 4.0, 5.0], [1.0] * 6)
    turned = paired_ratio([1.0] * 6, [2.0, 2.5, 3.0, 3.5, 4.0, 5.0])
    assert ratio.inverse.ratio == pytest.approx(turned.ratio)
    assert (ratio.inverse.low, ratio.inverse.high) == pytest.approx((0.2, 0.5))
    assert (ratio.inverse.p_value, ratio.inverse.count) == (turned.p_value, 6)
    few = paired_ratio([2.0], [1.0]).inverse
    assert (few.ratio, few.low, few.high) == (0.5, None, None)

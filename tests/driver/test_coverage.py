"""The comparison of methods: intervals against known answers, and the counts that the documents show."""

import re
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

from actorbench.coverage.methods import METHODS, Values, median_error, order_statistics
from actorbench.coverage.simulating import (
    COUNTS,
    FILE_NAME,
    SHAPES,
    Count,
    cases,
    levels,
    simulate,
    truth_of,
)
from actorbench.coverage.tables import coverage_table
from actorbench.csv_rows import read_rows, write_rows
from actorbench.estimates import order_interval
from actorbench.rules import CONFIDENCE, FLOOR, fewest
from conftest import SOURCE

STORED = read_rows(Count, SOURCE / "docs" / FILE_NAME)
EVERY = [(statistic, method) for statistic, methods in METHODS.items() for method in methods]


def chance() -> np.random.Generator:
    return np.random.default_rng(7)


def arms(statistic: str, samples: int = 13) -> tuple[Values, ...]:
    """Arms of 4 trials each; the medians of the first are twice those of the second."""
    first = chance().lognormal(0, 0.3, (4, samples))
    if statistic == "group":
        return (first, chance().permuted(first, axis=-1))
    return (2 * first, first[:, ::-1]) if statistic == "ratio" else (first,)


def estimated(statistic: str, samples: tuple[Values, ...]) -> Values:
    """What the intervals are of."""
    if statistic == "mean":
        return np.asarray(samples[0].mean(axis=-1))
    middles = [np.median(one, axis=-1) for one in samples]
    if statistic == "group":
        return np.asarray(np.sqrt(middles[0] * middles[1]))
    return np.asarray(middles[0] / middles[1] if statistic == "ratio" else middles[0])


def test_the_error_of_a_median_is_that_of_all_resamples() -> None:
    """Of 5 values there are 5^5 resamples; of 4, the middle two are each taken for the median."""
    values = np.array([1.0, 2.0, 4.0, 9.0, 20.0])
    every = np.sort(np.array(list(product(values, repeat=5))), axis=-1)
    assert median_error(values) == pytest.approx(every[:, 2].std())
    four = np.array([1.0, 2.0, 4.0, 9.0])
    drawn = np.sort(np.array(list(product(four, repeat=4))), axis=-1)[:, 1:3]
    assert median_error(four) == pytest.approx(drawn.std())
    assert median_error(np.stack([values, values * 3])) == pytest.approx(every[:, 2].std() * np.array([1, 3]))


@pytest.mark.parametrize(("statistic", "method"), EVERY)
def test_intervals_hold_the_estimate_and_widen_with_the_level(statistic: str, method: str) -> None:
    samples = arms(statistic)
    middle = estimated(statistic, samples)
    drawn = METHODS[statistic][method](samples, chance(), 400)
    found = [drawn(level) for level in (0.5, 0.95, 0.99)]
    for interval in found:
        assert interval is not None
        assert (interval[0] <= middle * (1 + 1e-12)).all()
        assert (interval[1] >= middle * (1 - 1e-12)).all()
    widths = [one[1] - one[0] for one in found if one]
    assert all((less <= more).all() and (less < more).any() for less, more in pairwise(widths))


@pytest.mark.parametrize(("statistic", "method"), EVERY)
def test_intervals_are_of_the_unit_of_the_samples(statistic: str, method: str) -> None:
    samples = arms(statistic)
    larger = (
        tuple(1024 * one for one in samples) if statistic == "group" else (1024 * samples[0], *samples[1:])
    )
    times = [METHODS[statistic][method](one, chance(), 200)(0.95) for one in (samples, larger)]
    assert times[0] is not None
    assert times[1] is not None
    assert np.asarray(times[1]) == pytest.approx(1024 * np.asarray(times[0]))


def test_students_interval_and_the_bootstrap_t_of_a_mean() -> None:
    """Of samples that scatter evenly, and many, both come to the same, two errors to each side."""
    values = chance().normal(10, 1, (4, 400))
    for method in ("Student's t", "studentised bootstrap"):
        drawn = METHODS["mean"][method]((values,), chance(), 4000)(CONFIDENCE)
        assert drawn is not None
        for end, side in zip(drawn, (-1, 1), strict=True):
            assert (end - values.mean(axis=-1)) / values.std(axis=-1) * 20 == pytest.approx(
                side * 1.966, abs=0.12
            )


def test_exact_intervals_of_a_ratio_are_put_together() -> None:
    """An arm that does not vary adds nothing, one that varies as much widens it by the square root of 2."""
    samples, still = arms("median"), np.full((4, 13), 5.0)
    low, high = order_interval(samples[0])
    alone = order_statistics((samples[0], still), chance(), 0)(CONFIDENCE)
    assert np.asarray(alone) == pytest.approx(np.asarray([low, high]) / 5)
    turned = order_statistics((still, samples[0]), chance(), 0)(CONFIDENCE)
    assert np.asarray(turned) == pytest.approx(5 / np.asarray([high, low]))
    even = np.exp(np.linspace(-1, 1, 13))[None, :]
    both = order_statistics((even, even), chance(), 0)(CONFIDENCE)
    assert both is not None
    assert np.log(both[1]) == pytest.approx(np.sqrt(2) * np.log(order_interval(even)[1]))
    assert order_statistics((even, even[:, :5]), chance(), 0)(CONFIDENCE) is None


@pytest.mark.parametrize("shape", SHAPES)
def test_what_a_shape_is_drawn_from_is_known(shape: str) -> None:
    known = SHAPES[shape]
    for count in (6, 31):
        values = known.draw(np.random.default_rng(1), 200_000 // count, count)
        assert (values < known.median).mean() == pytest.approx(0.5, abs=0.006)
        assert values.mean() == pytest.approx(known.mean(count), rel=0.006)
    assert truth_of("median", shape, 6) == known.median
    assert truth_of("mean", shape, 6) == known.mean(6)
    assert truth_of("ratio", shape, 6) == truth_of("pairs", shape, 6) == truth_of("group", shape, 6) == 1


def test_every_case_was_simulated_and_is_stored() -> None:
    stored = [(one.statistic, one.shape, one.method, one.samples, one.level) for one in STORED]
    assert sorted(stored) == sorted((*case, level) for case in cases() for level in levels())
    assert len(cases()) == len(EVERY) * len(SHAPES) * len(COUNTS)
    assert len({(one.trials, one.resamples) for one in STORED}) == 1


@pytest.mark.parametrize(
    "case",
    [
        ("median", "bimodal", "order statistics", 13),
        ("ratio", "drifting", "order statistics", 7),
        ("median", "skewed", "smoothed bootstrap", 6),
        ("group", "bimodal", "percentile bootstrap", 7),
    ],
    ids=str,
)
def test_the_simulation_gives_what_is_stored(case: tuple[str, str, str, int]) -> None:
    stored = [one for one in STORED if (one.statistic, one.shape, one.method, one.samples) == case]
    assert stored
    assert simulate(*case, trials=stored[0].trials, resamples=stored[0].resamples) == stored


def test_what_the_driver_draws_covers() -> None:
    """Exact intervals of medians do everywhere, and percentile bootstraps of ratios."""
    drawn = {"median": "order statistics", "pairs": "order statistics", "ratio": "percentile bootstrap"}
    mine = [one for one in STORED if one.method == drawn.get(one.statistic) and one.samples >= FLOOR]
    assert {one.statistic for one in mine} == drawn.keys()
    assert [one for one in mine if one.is_short] == []
    means = [one for one in STORED if one.statistic == "group" and one.level == CONFIDENCE]
    assert len(means) == len(SHAPES) * len(COUNTS)
    assert [one for one in means if one.is_short] == []
    none = {
        (one.samples, one.level) for one in STORED if one.method == "order statistics" and one.held is None
    }
    assert none == {(n, level) for n, level in product(COUNTS, levels()) if n < fewest(level)}


def test_no_bootstrap_of_a_median_covers() -> None:
    """Were one to, it should be drawn: the thesis draws bootstraps. Of means none does, with 10 samples."""
    for statistic, method in EVERY:
        counts = [one for one in STORED if (one.statistic, one.method) == (statistic, method)]
        if statistic in ("median", "pairs") and method != "order statistics":
            assert any(one.is_short for one in counts if one.samples >= FLOOR), method
        if statistic == "mean":
            assert any(one.is_short for one in counts if one.samples == 10 and one.level == CONFIDENCE), (
                method
            )


def test_counts_are_written_and_read(tmp_path: Path) -> None:
    counts = [
        Count("median", "skewed", "x", 7, 0.95, 1000, 10, 934, 1.5),
        Count("median", "skewed", "x", 7, 0.99, 1000, 10, None, None),
        Count("median", "skewed", "x", 10, 0.95, 1000, 10, 932, 1.25),
        Count("median", "skewed", "x", 10, 0.99, 1000, 10, 990, 1.75),
        Count("ratio", "skewed", "x", 10, 0.95, 1000, 10, 1000, 2),
    ]
    (tmp_path / "x.csv").write_text(write_rows(Count, counts))
    assert read_rows(Count, tmp_path / "x.csv") == counts
    assert [one.is_short for one in counts] == [False, False, True, False, False]
    with pytest.raises(KeyError):
        coverage_table(counts[:1], "median")


def test_the_table_marks_what_falls_short() -> None:
    counts = [
        Count("median", "skewed", "x", number, level, 1000, 10, held, 1.5)
        for number, level, held in ((10, 0.95, 932), (10, 0.99, 990), (20, 0.95, 934), (20, 0.99, None))
    ]
    table = coverage_table(counts, "median")
    assert table.rows == [["skewed", "x", "(93.2) 99.0", "93.4 -", "1.50", "1.50"]]
    assert table.title == "Intervals of a median: coverage at 95 %, 99 %"


def test_the_fewest_samples_that_the_document_names() -> None:
    text = (SOURCE / "docs" / "intervals.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| ([\d.]+) % \| +(\d+) \|", text, re.MULTILINE)
    assert len(told) == 8
    assert [fewest(float(confidence) / 100) for confidence, _ in told] == [int(count) for _, count in told]

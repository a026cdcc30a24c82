"""Steps: what Apache Otava finds in made courses, where it is known whether the level has changed."""

import numpy as np
import pytest

from actorbench.trend.steps import MOST_P, find_steps, how

LEAST = 0.02


def course(
    count: int, seed: int, *, scatter: float = 0.01, steps: dict[int, float] | None = None
) -> list[float]:
    """Make medians around 100 that scatter by a fraction; from each place on they are so much larger."""
    values = 100 * np.exp(np.random.default_rng(seed).normal(0, scatter, count))
    for place, change in (steps or {}).items():
        values[place:] *= 1 + change
    return [float(value) for value in values]


@pytest.mark.parametrize("place", [3, 9, 17, 19])
@pytest.mark.parametrize("change", [0.2, -0.2])
def test_a_step_is_found_where_it_is(place: int, change: float) -> None:
    (found,) = find_steps(course(20, 1, steps={place: change}), LEAST)
    assert found.place == place
    assert found.change == pytest.approx(change, abs=0.02)
    assert found.before == pytest.approx(100, rel=0.02)
    assert found.after == pytest.approx(100 * (1 + change), rel=0.02)
    assert 0 <= found.p_value < MOST_P


def test_several_steps_are_found() -> None:
    found = find_steps(course(40, 2, steps={10: 0.1, 30: -0.2}), LEAST)
    assert [step.place for step in found] == [10, 30]
    assert [round(step.change, 1) for step in found] == [0.1, -0.2]


@pytest.mark.parametrize(("least", "count"), [(0.02, 1), (0.08, 0)])
def test_a_smaller_step_than_asked_for_is_not_told(least: float, count: int) -> None:
    assert len(find_steps(course(20, 3, scatter=0.001, steps={10: 0.05}), least)) == count


def test_values_without_any_scatter_are_read() -> None:
    """Medians of memory are often all the same."""
    (found,) = find_steps([5.0] * 10 + [5.5] * 10, LEAST)
    assert (found.place, found.before, found.after) == (10, 5.0, 5.5)
    assert find_steps([5.0] * 10 + [5.01] * 10, LEAST) == []


@pytest.mark.parametrize("values", [[], [5.0], [5.0, 9.0], [5.0] * 20])
def test_too_few_values_or_equal_ones_have_no_step(values: list[float]) -> None:
    assert find_steps(values, LEAST) == []


@pytest.mark.parametrize("count", [8, 20, 50])
def test_where_there_is_no_step_few_are_seen(count: int) -> None:
    """What docs/trend.md says, on fewer series."""
    alarms = sum(bool(find_steps(course(count, seed), LEAST)) for seed in range(100))
    assert alarms <= 2


@pytest.mark.parametrize(("count", "least"), [(8, 18), (20, 29)])
def test_five_percent_are_mostly_found(count: int, least: int) -> None:
    """What docs/trend.md says, on fewer series."""
    places = [2 + seed % (count - 4) for seed in range(30)]
    found = [find_steps(course(count, seed, steps={place: 0.05}), LEAST) for seed, place in enumerate(places)]
    hits = [place in {step.place for step in one} for one, place in zip(found, places, strict=True)]
    assert sum(hits) >= least


def test_how_they_are_found_is_told() -> None:
    assert "Apache Otava 0" in how(LEAST)
    assert "2 % or less is not told" in how(LEAST)

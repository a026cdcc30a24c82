"""The slow samples of a run: found, and told apart by what was seen of them."""

from dataclasses import replace

import pytest

from actorbench.noise import noise_table, residuals_of, shared_by_distance
from actorbench.results import Results
from actorbench.sample import Sample
from conftest import TABLE, Checkout
from made_results import MS, by_queue, made_results

CALM = {"steal_share": 0.0, "pressure_share": 0.0, "throttled": None, "switches_per_s": 10.0}
# By queue and round: the time and the CPU time of a sample against its cell's, and what was seen.
SLOW = {
    ("copy", 1): (3.0, 1.0, {"steal_share": 0.021, "switches_per_s": 90.0}),
    ("copy", 2): (3.0, 2.0, {"switches_per_s": 50.0}),
    ("copy", 3): (3.0, 1.5, {"switches_per_s": 50.0}),
    ("copy", 4): (1.5, 1.5, {}),
    ("copy", 5): (0.66, 0.66, {"switches_per_s": 0.0}),
    ("copy", 6): (0.67, 0.67, {}),
    ("list", 1): (1.6, 1.3, {"steal_share": 0.02, "switches_per_s": 50.0}),
}


@pytest.fixture
def results() -> Results:
    """11 rounds of a cell of 10 ms and one of 100 ms, on 2 workers."""
    one = made_results(TABLE, by_queue([10 * MS] * 11, [100 * MS] * 11), 11)
    return replace(one, samples=tuple(map(disturbed, one.samples)))


def disturbed(sample: Sample) -> Sample:
    assert sample.record is not None
    queue = "copy" if "--queue copy" in sample.key else "list"
    time, cpu, seen = SLOW.get((queue, sample.round), (1.0, 1.0, {}))
    typical = 10 * MS if queue == "copy" else 100 * MS
    raw = sample.record.raw | {"elapsed_ns": int(time * typical), "cpu_ns": int(cpu * typical), "workers": 2}
    return replace(sample, record=type(sample.record)(raw), disturbance=CALM | seen)


def test_slow_samples_are_told_apart(results: Results) -> None:
    slow = {(one.sample.key, one.sample.round): one.why for one in residuals_of(results) if one.is_slow}
    assert sorted(slow.values()) == ["busy longer", "busy longer", "steal", "waiting"]
    assert [why for (key, number), why in slow.items() if number == 1 and "copy" in key] == ["steal"]
    assert [why for (key, number), why in slow.items() if "list" in key] == ["busy longer"]
    table = noise_table(results)
    assert table.rows == [
        ["all samples", "22", "4.5", "18.2", "1", "2", "1", "0 / 50 / 10"],
        ["2 workers", "22", "4.5", "18.2", "1", "2", "1", "0 / 50 / 10"],
        ["cells under 20 ms", "11", "9.1", "27.3", "1", "1", "1", "0 / 50 / 10"],
        ["cells of 50 to 200 ms", "11", "0.0", "9.1", "0", "1", "0", "- / 50 / 10"],
    ]
    assert [column.heading for column in table.columns][-1] == "switches (1/s)"


def test_what_newer_runs_keep_is_shown(results: Results) -> None:
    newer = tuple(
        replace(one, disturbance=(one.disturbance or {}) | {"page_faults": one.round})
        for one in results.samples
    )
    table = noise_table(replace(results, samples=newer))
    assert table.columns[-1].heading == "page faults"
    assert table.rows[0][-1] == "5 / 2 / 6"


def test_a_cell_that_failed_has_no_noise() -> None:
    broken = made_results(TABLE, lambda cell, number: None if "copy" in cell.key and number == 3 else {}, 6)
    assert {one.sample.key for one in residuals_of(broken)} == {
        cell.key for cell in broken.head.plan.cells if "list" in cell.key
    }


def test_neighbours_share_what_disturbs_them() -> None:
    """Two cells that are both twice as slow in every second round: each sample is as its neighbour."""
    times = [10 * MS, 20 * MS] * 5
    results = made_results(TABLE, by_queue(times, [2 * one for one in times]), 10)
    assert shared_by_distance(residuals_of(results)) == [(1, 1.0)]
    apart = made_results(TABLE, by_queue(times, [40 * MS, 20 * MS] * 5), 10)
    assert shared_by_distance(residuals_of(apart)) == [(1, 2.0)]


def test_the_command(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    assert checkout.call("sweep", "table", "--workers", "1") == 0
    run = checkout.only_run()
    capsys.readouterr()
    assert checkout.call("noise", run.name) == 0
    out = capsys.readouterr().out
    assert f"Slow samples of run {run.name}" in out
    assert "page faults" in out
    assert run.samples()[0].disturbance is not None

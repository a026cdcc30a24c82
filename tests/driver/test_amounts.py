"""Amounts that follow a budget: the scales chosen from costs, and a sweep that calibrates first."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actorbench.amounts import SHORTEST_S, Cost, fit_amounts
from actorbench.cell import Cell
from actorbench.plan import make_plan
from actorbench.preset import Preset, parse_preset
from actorbench.results import load_results
from actorbench.rules import FLOOR
from actorbench.stopping import look, make_goal
from conftest import PRESETS, Checkout
from test_stopping import samples_of
from test_sweep import assert_complete, wait_for_samples

PRESET = Preset("quick", "", 10, False, {"executor": 0.5, "static": 1, "big": 1}, follows_budget=True)


def cell(workload: str, workers: int = 1, *, system: str = "actorbench", preset: Preset = PRESET) -> Cell:
    scale = preset.scale[workload] * preset.share(workload, system)
    return Cell("release", "worker-centric", workload, workers, scale, (), (), system=system)


COSTS = {
    cell("executor"): Cost(0.01, 1.0),
    cell("executor", 2): Cost(0.01, 3.0),
    cell("static"): Cost(0.01, 0.2),
}
AT_PRESET_S = 3 * 0.01 + 0.5 + 1.5 + 0.2


def took_s(costs: dict[Cell, Cost], scale: dict[str, float], preset: Preset = PRESET) -> float:
    return sum(
        cost.at(
            scale[one.workload] * preset.share(one.workload, one.system)
            if one.workload in scale
            else one.scale
        )
        for one, cost in costs.items()
    )


def test_what_fits_stays() -> None:
    found = fit_amounts(PRESET, COSTS, 11 * AT_PRESET_S + 0.1, 10)
    assert (found.scale, found.rounds) == ({}, 10)
    assert found.lines == ("at the amounts of preset quick 10 rounds take 22s: they fit 25s",)


def test_what_does_not_fit_is_made_smaller_by_workload() -> None:
    found = fit_amounts(PRESET, COSTS, 10.0, 10)
    assert found.rounds == 10
    assert found.scale.keys() == {"executor"}, "static takes no more than the others are given"
    assert 8.8 <= 10 * took_s(COSTS, dict(found.scale)) <= 9.2, "a tenth is spared"
    assert "too long for 10s" in found.lines[0]
    assert re.fullmatch(r"amounts made smaller: executor 0\.\d+ of 0\.5", found.lines[1])
    smaller = fit_amounts(PRESET, COSTS, 6.0, 10)
    means = [
        smaller.scale["executor"] * (1.0 + 3.0) / 2,
        smaller.scale["static"] * 0.2,
    ]
    assert means[0] == pytest.approx(means[1], rel=0.02), "a cell of each gets the same time on the average"


def test_no_sample_is_smaller_than_is_sound() -> None:
    costs = COSTS | {cell("static"): Cost(0.01, 0.1)}
    found = fit_amounts(PRESET, costs, 2.2, 10)
    assert FLOOR <= found.rounds < 10
    assert found.scale["static"] * 0.1 >= SHORTEST_S, "long enough to tell"
    assert found.scale["executor"] >= 0.1 * PRESET.scale["executor"], "no less than the calibration has tried"
    assert f"{found.rounds} rounds in place of 10: smaller samples would not be sound" in found.lines
    assert found.rounds * took_s(costs, dict(found.scale)) <= 2.01


def test_too_small_a_budget_is_said_before() -> None:
    found = fit_amounts(PRESET, COSTS, 0.1, 10)
    assert found.rounds == FLOOR
    needed = FLOOR * took_s(COSTS, dict(found.scale))
    assert found.lines[-1].startswith(f"warning: even so they take about {needed:.2g}s, more than 0.1s: ")
    assert fit_amounts(PRESET, COSTS, 0.1, 4).rounds == 4, "who asks for fewer gets no more"


def test_a_systems_share_and_an_experiments_scale_stay() -> None:
    preset = replace(PRESET, systems={"caf": {"static": 0.1}})
    costs = {
        cell("static", preset=preset): Cost(0.01, 1.0),
        cell("static", system="caf", preset=preset): Cost(0.01, 10.0),
        replace(cell("static", 2), scale=0.7): Cost(0.01, 1.0),
    }
    found = fit_amounts(preset, costs, 15.0, 10)
    assert 0 < found.scale["static"] < 1
    fixed_s = 3 * 0.01 + 0.7
    assert 10 * (fixed_s + 2 * found.scale["static"]) == pytest.approx(15 / 1.1, rel=0.02)
    assert preset.with_amounts(found.scale).systems["caf"]["static"] == pytest.approx(
        0.1 * found.scale["static"]
    )


def test_what_fits_exactly_fits() -> None:
    """Of a budget of 5.5 s a tenth is spared, and 5 s are left."""
    one = {cell("executor"): Cost(0.0, 1.0)}
    found = fit_amounts(PRESET, one, 5.5, 10)
    assert found.scale == {}
    assert found.lines == ("at the amounts of preset quick 10 rounds take 5s: they fit 5.5s",)
    assert fit_amounts(PRESET, one, 0.55, 20).rounds == 10, "the smallest amount takes 0.05 s"
    large = replace(PRESET, scale={"executor": 8})
    found = fit_amounts(large, {cell("executor", preset=large): Cost(0.0, 1.0)}, 44.0, 10)
    assert found.scale == {"executor": 4.0}
    assert len(found.lines) == 2, "all rounds are taken"
    least = replace(PRESET, scale={"executor": 5})
    found = fit_amounts(least, {cell("executor", preset=least): Cost(0.0, 1.0)}, 3.0, FLOOR)
    assert (found.scale, found.rounds) == ({"executor": 0.5}, FLOOR)
    assert "warning" not in found.lines[-1], "six times half a second are three"


def test_what_would_fit_is_named() -> None:
    costs = COSTS | {cell("big"): Cost(0.01, 0.0)}
    found = fit_amounts(PRESET, costs, 0.1, 10)
    assert found.lines[1] == "amounts made smaller: executor 0.05 of 0.5, static 0.1 of 1"
    assert found.lines[-1].endswith(
        " more than 0.1s: fewer cells (name experiments, --only, --workers) or a larger --budget would fit"
    )
    assert "big" not in found.scale, "what takes no time is made no smaller"


def test_a_small_scale_of_its_own_is_told_from_the_presets() -> None:
    preset = replace(PRESET, scale={"static": 1e-5})
    own = replace(cell("static", preset=preset), scale=2e-5)
    assert fit_amounts(preset, {own: Cost(0.0, 1e6)}, 20.0, 10).scale == {}


@given(
    works=st.lists(st.floats(1e-4, 1e3), min_size=1, max_size=6),
    fixed_s=st.floats(1e-3, 10),
    budget_s=st.floats(0.1, 1e5),
    rounds=st.integers(1, 40),
)
def test_any_costs_are_fitted_or_said_not_to_be(
    works: list[float], fixed_s: float, budget_s: float, rounds: int
) -> None:
    names = list(PRESET.scale)
    costs = {cell(names[i % 3], i + 1): Cost(fixed_s, work_s) for i, work_s in enumerate(works)}
    found = fit_amounts(PRESET, costs, budget_s, rounds)
    assert min(rounds, FLOOR) <= found.rounds <= rounds
    assert all(0 < scale < PRESET.scale[name] for name, scale in found.scale.items())
    fits = found.rounds * took_s(costs, dict(found.scale)) <= budget_s * 1.02
    assert fits or found.lines[-1].startswith("warning: "), "a budget that can't hold is said"


def test_the_floor_of_rounds_holds_against_the_budget() -> None:
    cells = [cell("executor"), cell("static")]
    plan = make_plan(dict.fromkeys(cells, 1), 1)
    goal = make_goal(5.0, None, None)
    assert goal is not None
    goal = replace(goal, least_rounds=FLOOR)
    decision = look(plan, goal, samples_of(plan, 1, [100]), 1)
    assert len(decision.plan.rounds) == FLOOR
    assert decision.lines[-1] == "warning: 6 rounds take 12s, more than the budget, but fewer would not do"
    later = look(decision.plan, decision.goal, samples_of(decision.plan, 4, [100] * 4), 1)
    assert len(later.plan.rounds) == FLOOR, "nor is it ended before"


FOLLOWS = PRESETS.replace("samples = 3", "samples = 8\nfollows_budget = true")
# At scale 1 a sample works for 0.4 s.
SCALED = """
for last in "$@"; do [ "$before" = --scale ] && scale=$last; before=$last; done
seconds=$(awk "BEGIN { print 0.4 * $scale }")
sleep $seconds
elapsed=$(awk "BEGIN { printf \\"%d\\", 1e9 * $seconds }")
record
"""


@pytest.fixture
def scaled(checkout: Checkout) -> Checkout:
    """A checkout whose quick preset follows budgets, and takes 0.2 s a sample of executor."""
    (checkout.root / "plots" / "presets.toml").write_text(FOLLOWS)
    checkout.program("executor", SCALED)
    return checkout


def test_a_sweep_makes_its_amounts_fit_and_keeps_them(
    scaled: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert scaled.call("figures", "lines", "--workers", "1,2", "--budget", "4s", "--samples", "8") == 0
    out = capsys.readouterr().out
    assert out.index("samples 4 of 4, 0:00 left") < out.index("calibrated 4 of 4 cells in"), (
        "it tells how far it is"
    )
    assert "amounts made smaller: executor 0." in out
    run = scaled.only_run()
    assert_complete(run)
    head = run.head()
    scale = head.amounts["executor"]
    assert 0 < scale < 0.5
    assert {one.scale for one in head.plan.cells} == {scale}, "one scale for all that are compared"
    assert FLOOR <= len(head.plan.rounds) <= 8
    assert f"preset quick, scale {scale:g}, " in out, "the table says it"
    calibration = head.document["calibration"]
    assert len(calibration["samples"]) >= 4, "what was measured is kept"
    assert any("amounts made smaller" in line for line in head.document["decisions"])
    assert len(load_results(run).by_cell) == 4
    assert scaled.call("replay", run.name) == 0
    assert f"--scale {scale:g}" in capsys.readouterr().out


def test_killed_and_resumed_the_amounts_are_kept(scaled: Checkout) -> None:
    process = scaled.start("sweep", "table", "--workers", "1", "--budget", "3s", "--samples", "8")
    run = wait_for_samples(scaled, 3)
    process.kill()
    process.communicate()
    before = run.head().amounts
    assert before
    assert scaled.call("sweep", "--resume", run.name) == 0
    assert_complete(run)
    assert run.head().amounts == before


def test_a_preset_whose_amounts_stand_leaves_out_rounds(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checkout.call("sweep", "table", "--workers", "1", "--budget", "2h", "--samples", "7") == 0
    assert "calibrat" not in capsys.readouterr().out
    assert parse_preset(PRESETS, "thesis").follows_budget is False


def test_a_cell_that_fails_in_the_calibration_fails_in_the_sweep(
    scaled: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    scaled.program("executor", f"[ $queue = list ] && exit 3\n{SCALED}")
    assert scaled.call("sweep", "table", "--workers", "1", "--budget", "3s", "--samples", "6") == 4
    out = capsys.readouterr().out
    assert "calibrated 1 of 2 cells" in out
    assert "1 of 2 cells failed" in out

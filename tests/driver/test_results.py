"""What is made of chosen numbers: which values count, of which round, against which bound and base."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from actorbench.cell import Cell, Resolver, cell_from_json, wanted_cells
from actorbench.curves import Axis, Curve, Point, axis_of, curves_csv, curves_of
from actorbench.errors import UserError
from actorbench.estimates import estimate
from actorbench.experiment import Setting, parse_experiment
from actorbench.judging import Failure
from actorbench.measure import MEASURES
from actorbench.own.command import Own
from actorbench.preset import parse_preset
from actorbench.ratios import Row, compare_rows
from actorbench.results import Results
from actorbench.rules import MEAN
from actorbench.stopping import make_goal
from conftest import LINES, PRESETS, RATIOS, TABLE
from made_results import MS, by_queue, made_results
from test_record import STATISTICS

TIME = MEASURES["time_per_operation"]
# Ten rounds of a list queue whose median is far from the mean, and a copy queue of other ratios in each.
IN_LIST = [MS * n for n in (1, 2, 3, 5, 8, 13, 21, 34, 55, 89)]
FACTORS = [0.30, 0.41, 0.44, 0.46, 0.48, 0.53, 0.56, 0.57, 0.58, 0.95]
COPY = [int(time * factor) for time, factor in zip(IN_LIST, FACTORS, strict=True)]
NOISY = by_queue(COPY, IN_LIST)
TWICE = by_queue([2 * time for time in IN_LIST], IN_LIST)


def cells_by_queue(results: Results) -> dict[str, Cell]:
    return {str(dict(one.cell.options)["queue"]): one.cell for one in results.by_cell.values()}


def test_a_failed_cell_keeps_no_value() -> None:
    """One of ten samples crashed: the nine that did not are no fair sample of the rest."""

    def measured(cell: Cell, number: int) -> Mapping[str, Any] | None:
        return None if number == 4 and "copy" in cell.key else NOISY(cell, number)

    results = made_results(RATIOS, measured, 10)
    copy, in_list = (cells_by_queue(results)[name] for name in ("copy", "list"))
    assert results.result(copy).trouble == "failed: crash (1 of 10)"
    assert results.result(copy).records() == {}
    assert results.values(copy, TIME) == []
    assert results.estimate(copy, TIME) is None
    assert len(results.values(in_list, TIME)) == 10
    assert results.paired_values(copy, in_list, TIME) == []
    assert results.paired_values(in_list, copy, TIME) == []
    assert results.ratio(in_list, copy, TIME) is None
    assert [row.verdict for row in compare_rows(results, results.experiments[0])] == [
        "failed: crash (1 of 10)"
    ] * 3


def test_a_round_without_the_measure_is_not_dropped() -> None:
    """A program that now and then does not count has no number, and none of the rounds in which it did."""

    def measured(cell: Cell, number: int) -> Mapping[str, Any]:
        return {"statistics": None if number == 2 and "copy" in cell.key else STATISTICS | {"gulps": 5}}

    results = made_results(RATIOS, measured, 8)
    copy, in_list = (cells_by_queue(results)[name] for name in ("copy", "list"))
    gulps = MEASURES["gulps"]
    assert results.values(copy, gulps) == []
    assert results.values(in_list, gulps) == [5] * 8
    assert results.estimate(copy, gulps) is None
    assert results.paired_values(in_list, copy, gulps) == []
    assert results.paired_values(in_list, in_list, gulps) == [(5, 5)] * 8


def test_a_ratio_has_no_zero() -> None:
    def measured(cell: Cell, number: int) -> Mapping[str, Any]:
        return {"statistics": STATISTICS | {"gulps": 0 if number == 2 and "copy" in cell.key else 5}}

    results = made_results(RATIOS, measured, 8)
    copy, in_list = (cells_by_queue(results)[name] for name in ("copy", "list"))
    assert results.values(copy, MEASURES["gulps"]) == [5, 5, 0, 5, 5, 5, 5, 5]
    assert results.ratio(copy, in_list, MEASURES["gulps"]) is None
    assert results.ratio(in_list, copy, MEASURES["gulps"]) is None


def test_pairs_are_of_the_same_round() -> None:
    results = made_results(RATIOS, NOISY, 10)
    copy, in_list = (cells_by_queue(results)[name] for name in ("copy", "list"))
    shuffled = replace(results, samples=tuple(sorted(results.samples, key=lambda one: (one.key, -one.round))))
    for one in (results, shuffled):
        pairs = one.paired_values(copy, in_list, TIME)
        assert [top / bottom for top, bottom in pairs] == pytest.approx(FACTORS)
        ratio = one.ratio(copy, in_list, TIME)
        assert ratio is not None
        assert ratio.ratio == pytest.approx((0.48 * 0.53) ** 0.5)
        assert [ratio.low, ratio.high] == pytest.approx([0.41, 0.58])
    part = replace(
        results, samples=tuple(one for one in results.samples if one.round != 9 or "list" in one.key)
    )
    assert len(part.paired_values(copy, in_list, TIME)) == 9


def test_a_looked_at_run_shows_the_intervals_of_its_looks() -> None:
    """Of ten samples, 95 % are from the 2nd to the 9th, and the 99.29 % of 7 looks from first to last."""
    goal = make_goal(None, 0.02, None)
    for asked, (low, high) in ((None, (20, 550)), (goal, (10, 890))):
        results = made_results(RATIOS, by_queue(COPY, [one // 1000 for one in IN_LIST]), 10, goal=asked)
        one = results.estimate(cells_by_queue(results)["list"], TIME)
        assert one is not None
        assert (one.low, one.value, one.high) == (low, 105, high)


def rows_of(results: Results) -> tuple[Row, Row, Row]:
    time, speedup, memory = compare_rows(results, results.experiments[0])
    return time, speedup, memory


def test_a_speedup_is_the_base_over_the_candidate() -> None:
    time, speedup, memory = rows_of(made_results(RATIOS, NOISY, 10))
    assert time.ratio is not None
    assert speedup.ratio is not None
    assert time.ratio.ratio == pytest.approx(0.504, abs=0.001)
    assert speedup.ratio.ratio == pytest.approx(1 / time.ratio.ratio)
    assert speedup.ratio.low == pytest.approx(1 / 0.58)
    assert (time.verdict, speedup.verdict, memory.verdict) == ("faster", "faster", "not told apart")
    assert time.adjusted == pytest.approx(3 * time.ratio.p_value), "three comparisons in the table"


@pytest.mark.parametrize(
    ("factors", "verdicts"),
    [([2.0] * 10, ("slower", "slower")), ([2.0] * 9 + [0.5], ("not told apart", "not told apart"))],
)
def test_verdicts_are_those_of_the_corrected_test(factors: list[float], verdicts: tuple[str, str]) -> None:
    """Nine of ten rounds have p = 0.021, which one comparison would do with, and three do not."""
    copy = [int(time * factor) for time, factor in zip(IN_LIST, factors, strict=True)]
    time, speedup, _ = rows_of(made_results(RATIOS, by_queue(copy, IN_LIST), 10))
    assert (time.verdict, speedup.verdict) == verdicts


def test_why_a_row_has_no_verdict() -> None:
    few = made_results(RATIOS, NOISY, 5)
    assert [row.verdict for row in rows_of(few)] == ["too few samples"] * 3
    lacks = made_results(RATIOS, lambda *_: {"peak_rss_bytes": 0}, 6)
    assert rows_of(lacks)[2].verdict == "not measured"
    assert rows_of(lacks)[2].trouble is None
    itself = made_results(RATIOS.replace('"list"', '"copy"'), NOISY, 10)
    assert [(row.verdict, row.ratio) for row in rows_of(itself)] == [("the same cell here", None)] * 3
    assert [row.adjusted for row in rows_of(itself)] == [1, 1, 1]


@pytest.mark.parametrize(("factor", "verdict"), [(0.5, "less"), (2, "more")])
def test_memory_is_less_or_more(factor: float, verdict: str) -> None:
    def measured(cell: Cell, number: int) -> Mapping[str, Any]:
        return {"peak_rss_bytes": int((number + 1) * 2**20 * (factor if "copy" in cell.key else 1))}

    assert rows_of(made_results(RATIOS, measured, 10))[2].verdict == verdict


@pytest.mark.parametrize("end", ["low", "high"])
def test_an_interval_that_ends_at_a_bound_decides_nothing(end: str) -> None:
    bound = getattr(rows_of(made_results(RATIOS, NOISY, 10))[0].ratio, end)
    found = rows_of(made_results(RATIOS.replace("at_most = 1.0", f"at_most = {bound!r}"), NOISY, 10))
    assert found[0].target.endswith(": undecided")


def test_a_ratio_of_exactly_a_bound_meets_it() -> None:
    """Where every round gives the same ratio, its interval is a point."""
    results = made_results(RATIOS.replace("at_most = 1.0", "at_least = 2\nat_most = 2"), TWICE, 10)
    assert rows_of(results)[0].target == "at least 2: met; at most 2: met"
    assert rows_of(made_results(RATIOS, TWICE, 10))[0].target == "at most 1: not met"
    few = made_results(RATIOS, TWICE, 5)
    assert rows_of(few)[0].target == "at most 1: undecided", "without an interval"


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("at_most = 0.57", "at most 0.57: undecided"),
        ("at_most = 0.59", "at most 0.59: met"),
        ("at_most = 0.40", "at most 0.4: not met"),
        ("at_least = 0.40", "at least 0.4: met"),
        ("at_least = 0.42", "at least 0.42: undecided"),
        ("at_least = 0.60", "at least 0.6: not met"),
        ("at_least = 0.4\nat_most = 0.6", "at least 0.4: met; at most 0.6: met"),
    ],
)
def test_a_target_is_met_by_the_whole_interval(target: str, text: str) -> None:
    """The interval of the ratio is from 0.41 to 0.58."""
    found = rows_of(made_results(RATIOS.replace("at_most = 1.0", target), NOISY, 10))
    assert found[0].target == text


def test_each_side_is_named_and_marked() -> None:
    text = RATIOS.replace("workers = [1]", "workers = [1, 4]")
    text = text.replace(
        'base = { options = { queue = "list" } }', 'base = { workers = [4], options = { queue = "list" } }', 1
    )

    def measured(cell: Cell, _: int) -> Mapping[str, Any] | None:
        return (
            None if cell.workers == 4 and "list" in cell.key else {"elapsed_ns": MS, "workers": cell.workers}
        )

    results = made_results(text, measured, 6, cpus=2)
    rows = compare_rows(results, results.experiments[0])
    assert [row.label for row in rows[:4]] == [
        "copy against list, 1 worker (oversubscribed)",
        "copy against list, 4 workers (oversubscribed)",
        "copy against list, as a speed-up, 1 worker",
        "copy against list, as a speed-up, 4 workers (oversubscribed)",
    ]
    assert [row.trouble for row in rows[:4]] == ["failed: crash (6 of 6)"] * 2 + [
        None,
        "failed: crash (6 of 6)",
    ]
    assert [row.verdict for row in rows[:2]] == ["failed: crash (6 of 6)"] * 2


def test_all_is_the_most_workers() -> None:
    results = made_results(TABLE, lambda cell, _: {"workers": cell.workers}, 6, workers=(1, 2, 8))
    assert {cell.workers for cell in results.head.plan.cells} == {8}
    both = made_results(TABLE.replace('"all"', '[3, "all", 3]'), lambda _, __: {}, 6, workers=(2, 8, 1))
    assert [cell.workers for cell in both.head.plan.cells] == [3, 8, 3, 8]


def test_a_program_without_workers_has_no_options() -> None:
    text = TABLE.replace('workers = "all"', 'workers = "none"')
    results = made_results(text, lambda _, __: {}, 6)
    (cell,) = results.head.plan.cells
    assert (cell.workers, cell.options) == (None, ())
    assert cell.arguments == ["--scale", "0.5"]


def test_a_setting_becomes_a_cell() -> None:
    experiment = parse_experiment(TABLE, "x.toml")
    preset = replace(parse_preset(PRESETS, "quick"), systems={"caf": {"executor": 0.25}})
    options, parameters = {"queue": "list", "pin": "smt"}, {"rounds": 3, "actors": 2}
    setting = Setting("executor", "actorbench", "actor-centric", "debug", options, parameters, arm="b")
    resolver = Resolver(preset, (1, 2))
    in_order = (("actors", 2), ("rounds", 3))
    own = Cell(
        "debug",
        "actor-centric",
        "executor",
        2,
        0.5,
        (("pin", "smt"), ("queue", "list")),
        in_order,
        "b",
    )
    assert resolver.cell(experiment, setting, 2) == own
    pinned = replace(resolver, pin="cores")
    assert pinned.cell(experiment, setting, 2) == replace(own, options=(("pin", "cores"), ("queue", "list")))
    assert pinned.cell(experiment, setting, None) == replace(own, workers=None, options=())
    peer = replace(setting, system="caf")
    assert pinned.cell(experiment, peer, 2) == replace(own, system="caf", scale=0.25), "a peer is not pinned"
    assert [one.workers for one in resolver.cells(experiment, replace(setting, workers="1..all"))] == [1, 2]


def test_sides_of_unlike_worker_counts_are_no_pairs() -> None:
    resolver = Resolver(parse_preset(PRESETS, "quick"), (1, 2, 8))

    def pairs(candidate: str, base: str) -> list[tuple[int | None, int | None]]:
        text = RATIOS.replace("workers = [1]", "workers = [1, 2]")
        for side, workers in (("candidate", candidate), ("base", base)):
            text = text.replace(f"{side} = {{", f"{side} = {{ workers = {workers},", 1)
        experiment = parse_experiment(text, "x.toml")
        found = resolver.pairs(experiment, experiment.comparisons[0])
        return [(one.workers, other.workers) for one, other in found]

    assert pairs("[1, 2]", "[1, 2]") == [(1, 1), (2, 2)]
    assert pairs("[1, 2]", "[8]") == [(1, 8), (2, 8)]
    assert pairs('"all"', "[1, 2]") == [(8, 1), (8, 2)]
    with pytest.raises(UserError) as error:
        pairs("[1, 2]", '[2, "all"]')
    assert str(error.value) == (
        "x.toml: row 'copy against list' pairs 1, 2 workers with 2, 8: give both sides the same counts,"
        " or one of them a single one"
    )
    with pytest.raises(UserError, match="pairs 1, 2 workers with 1, 2, 8"):
        pairs("[1, 2]", '"1..all"')


def test_a_cell_gets_the_most_samples_that_is_asked_for() -> None:
    texts = [f"{TABLE}\n[presets.quick]\nsamples = {count}\n" for count in (9, 12, 7)]
    experiments = [parse_experiment(text, "x.toml") for text in texts]
    wanted = wanted_cells(Resolver(parse_preset(PRESETS, "quick"), (1, 2)), experiments)
    assert list(wanted.values()) == [12, 12]


def test_a_curve_has_a_point_only_where_it_was_measured() -> None:
    def measured(cell: Cell, number: int) -> Mapping[str, Any] | None:
        if "copy" in cell.key and cell.workers == 2:
            return None
        return {"elapsed_ns": MS * ((cell.workers or 0) * 100 + number), "workers": cell.workers}

    results = made_results(LINES, measured, 11, workers=(1, 2, 4))
    curves = curves_of(results, results.experiments[0], MEASURES["elapsed"])
    copy, in_list = curves
    assert [(one.x, one.value) for one in copy.points] == [(1, 0.105), (4, 0.405)]
    assert copy.missing == ((2, "failed: crash (11 of 11)"),)
    assert [one.x for one in in_list.points] == [1, 2, 4]
    lines = curves_csv(curves).splitlines()
    assert lines[0] == "workers,copy,copy low,copy high,list,list low,list high"
    assert lines[2] == "2,,,,0.205,0.201,0.209"
    assert lines[3] == "4,0.405,0.401,0.409,0.405,0.401,0.409"


def curve(*points: tuple[int, float, float | None, float | None]) -> Curve:
    return Curve("x", tuple(Point(*one) for one in points), ())


@pytest.mark.parametrize(
    ("largest", "limit", "axis"),
    [
        ((28.0, 27.0, 30.0), None, Axis(False, 0, 30 * 1.08, None)),
        ((28.0, 27.0, 30.1), None, Axis(True, 0.9 * 0.8, 30.1 * 1.25, None)),
        ((30.1, None, None), None, Axis(True, 0.9 * 0.8, 30.1 * 1.25, None)),
        ((30.0, None, None), None, Axis(False, 0, 30 * 1.08, None)),
        ((28.0, 27.0, 30.0), 20, Axis(False, 0, 20, 20)),
        ((28.0, 27.0, 30.0), 31, Axis(False, 0, 31, None)),
        ((28.0, 27.0, 30.0), 100, Axis(False, 0, 30 * 1.08, None)),
        ((28.0, 27.0, 30.0), 28, Axis(False, 0, 28, None)),
    ],
)
def test_an_axis_holds_what_is_drawn(
    largest: tuple[float, float | None, float | None], limit: float | None, axis: Axis
) -> None:
    curves = [curve((1, 2.0, 1.5, 2.5)), curve((1, 1.0, 0.9, 1.1), (2, *largest))]
    found = axis_of(curves, limit)
    assert (found.logarithmic, found.limit) == (axis.logarithmic, axis.limit)
    assert [found.bottom, found.top] == pytest.approx([axis.bottom, axis.top])
    assert [one.value for one in found.leaving(curves[1])] == ([28.0] if limit == 20 else [])


def test_an_axis_is_logarithmic_where_the_small_ones_would_be_pressed() -> None:
    """Whatever their unit; a value or an end of 0 has no logarithm."""
    small = axis_of([curve((1, 0.5, 0.4, 0.6), (2, 20.0, 19.0, 21.0))])
    assert small.logarithmic
    assert small.bottom == pytest.approx(0.32)
    assert not axis_of([curve((1, 0.0, 0.0, 0.0), (2, 5.0, 4.0, 6.0))]).logarithmic
    reaching = axis_of([curve((1, 1.0, 0.0, 1.1), (2, 40.0, 39.0, 41.0))])
    assert reaching.logarithmic
    assert reaching.bottom == pytest.approx(0.8)
    limited = Axis(False, 0, 30, 30)
    assert limited.leaving(curve((1, 30.0, 29.0, 31.0), (2, 30.1, 30.0, 31.0))) == [
        Point(2, 30.1, 30.0, 31.0)
    ]


def test_an_axis_of_nothing_is_one() -> None:
    assert axis_of([curve()]) == Axis(False, 0, pytest.approx(1.08), None)  # type: ignore[arg-type]
    assert axis_of([curve((1, 0.0, 0.0, 0.0))]) == Axis(False, 0, 1.0, None), "a median of 0 has no logarithm"


def test_why_a_cell_has_no_estimate() -> None:
    results = made_results(RATIOS, NOISY, 10)
    copy, in_list = (cells_by_queue(results)[name] for name in ("copy", "list"))
    assert results.result(copy).planned == 10
    assert (results.complete_cells(), results.failed_cells()) == (2, [])
    few = replace(results, samples=tuple(one for one in results.samples if one.key != copy.key))
    assert few.result(copy).trouble == "not measured yet"
    assert few.result(in_list).trouble is None
    assert few.complete_cells() == 1
    assert few.paired_values(copy, in_list, TIME) == []
    assert few.speedup_trouble(in_list) == "not in the record", "though its base was measured"
    crashes = (
        replace(results.samples[0], failure=Failure("crash", "")),
        replace(results.samples[1], failure=Failure("timeout", "")),
    )
    broken = replace(results, samples=tuple(replace(one, key=copy.key) for one in crashes))
    assert broken.result(copy).trouble == "failed: crash, timeout (2 of 2)"
    left_out = replace(copy, workers=2)
    assert results.result(left_out).cell == left_out
    assert results.result(left_out).trouble == "not measured"
    assert results.speedup(left_out, TIME) is None
    assert results.speedup_trouble(left_out) == "not measured"
    peer = replace(copy, system="caf")
    head = replace(
        results.head, document=results.head.document | {"skipped": {"caf": "not built: run: make peers"}}
    )
    assert replace(results, head=head).result(peer).trouble == "not built"


def test_the_thesis_intervals_are_of_medians_alone() -> None:
    """Each cell and measure has resamples of its own; five samples have no interval of a mean."""
    results = made_results(RATIOS, NOISY, 5, preset="thesis")
    copy = cells_by_queue(results)["copy"]
    values = results.values(copy, TIME)
    expected = estimate(values, seed=1, name=f"{copy.key} time_per_operation", as_thesis=True)
    assert results.estimate(copy, TIME) == expected
    assert (expected.low, expected.high) == (min(values), max(values))
    mean = results.estimate(copy, TIME, MEAN)
    assert mean is not None
    assert mean.value == pytest.approx(sum(values) / 5)
    assert mean.low is None
    assert results.estimate(copy, TIME) == expected, "the two are kept apart"
    more = made_results(RATIOS, NOISY, 8, preset="thesis")
    values = more.values(copy, TIME)
    drawn = [
        estimate(values, seed=seed, name=name, as_thesis=True)
        for seed, name in (
            (1, f"{copy.key} time_per_operation"),
            (2, f"{copy.key} time_per_operation"),
            (1, "x"),
        )
    ]
    assert more.estimate(copy, TIME) == drawn[0]


def test_speedups_are_of_the_same_series_and_round() -> None:
    def measured(cell: Cell, number: int) -> Mapping[str, Any]:
        per_worker = {1: IN_LIST, 2: COPY}[cell.workers or 0][number]
        return {"elapsed_ns": per_worker * (1 if "copy" in cell.key else 10), "workers": cell.workers}

    results = made_results(LINES, measured, 10)
    for cell in results.resolver.cells(results.experiments[0], results.experiments[0].series[1].setting):
        ratio = results.speedup(cell, TIME)
        assert ratio is not None
        assert ratio.ratio == pytest.approx(1 if cell.workers == 1 else (0.48 * 0.53) ** -0.5)


def test_cells_are_oversubscribed_from_one_worker_more_than_cpus() -> None:
    def measured(cell: Cell, _: int) -> Mapping[str, Any]:
        return {"workers": cell.workers or 3}

    results = made_results(LINES, measured, 6, workers=(1, 2, 3), cpus=2)
    cells = [one.cell for one in results.by_cell.values()]
    assert {one.workers: results.is_oversubscribed(one) for one in cells} == {1: False, 2: False, 3: True}
    alone = made_results(TABLE.replace('workers = "all"', 'workers = "none"'), measured, 6, cpus=2)
    (cell,) = alone.head.plan.cells
    assert alone.is_oversubscribed(cell), "the record says so of a program that takes no --workers"
    crashed = made_results(TABLE.replace('workers = "all"', 'workers = "none"'), lambda *_: None, 6, cpus=1)
    assert not crashed.is_oversubscribed(cell), "without a record it counts as one worker"


@pytest.mark.parametrize(
    "cell",
    [
        Cell("release", "message-centric", "executor", 2, 0.5, (("queue", "copy"),), (("actors", 3),)),
        Cell("release@abc", "worker-centric", "static", None, 1, (), (), arm="b"),
        Cell("release", "native", "big", 4, 1, (), (), system="caf"),
        Cell("", "", "", None, 1, (), (), own=Own("./mine --fast 'a b'"), system="command"),
    ],
)
def test_a_cell_is_written_and_read(cell: Cell) -> None:
    assert cell_from_json(json.loads(json.dumps(cell.to_json()))) == cell


def test_the_programs_of_cells() -> None:
    cell = Cell("release@abc", "worker-centric", "static", None, 1, (), (), arm="b")
    assert str(cell.program) == "commits/abc/build/release/worker-centric/static"
    assert cell.build == "release"
    assert replace(cell, config="debug").build == "debug"
    assert cell.key == f"{cell.program} --scale 1 # b"
    assert str(replace(cell, config="debug").program) == "debug/worker-centric/static"
    assert str(replace(cell, system="caf").program) == "peers/caf/static"
    assert replace(cell, scale=0.25).question == cell
    assert cell.command(Path("x")) == ["x", "--scale", "1", "--json"]
    own = replace(cell, own=Own("./mine 'a b'"), arm="")
    assert (own.key, own.command(Path("x"))) == ("./mine 'a b'", ["./mine", "a b"])

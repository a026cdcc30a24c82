"""Counts: instructions and lines that change hands, an operation, and whether they moved."""

import math
import os
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from actorbench.counts.changes import Change, level_of
from actorbench.counts.conditions import Conditions, steady_clock
from actorbench.counts.counters import Callgrind, Explorer, read_callgrind, read_explorer, read_perf
from actorbench.counts.counting import Count, CountError, Tally, Work, count
from actorbench.project import Project
from conftest import PATIENCE_S, SOURCE

LEVEL = 0.99
# A program whose operation is a loop of so many steps, and prints a record.
LOOP = """
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    long operations = argc > 2 ? atol(argv[1]) : 0;
    for (long i = 0; i < operations; i++)
        for (volatile long step = 0; step < atol(argv[2]); step++)
            ;
    printf("{\\"schema\\":1,\\"system\\":\\"x\\",\\"version\\":\\"1\\",\\"design\\":\\"x\\",\\"build\\":\\"x\\","
           "\\"options\\":{},\\"workload\\":\\"x\\",\\"parameters\\":{},\\"workers\\":1,\\"elapsed_ns\\":1,\\"cpu_ns\\":1,"
           "\\"operations\\":%ld,\\"unit\\":\\"step\\",\\"peak_rss_bytes\\":1,\\"verified\\":true,\\"notes\\":[]}\\n",
           operations);
}
"""


# Looks at the clock until a millisecond has passed, and says how often it did in place of its operations.
WAIT = (
    LOOP.replace("#include <stdlib.h>", "#include <stdlib.h>\n#include <time.h>")
    .replace(
        "long operations = argc > 2 ? atol(argv[1]) : 0;",
        """long operations = 0;
    struct timespec first, now;
    clock_gettime(CLOCK_MONOTONIC, &first);
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
        operations++;
    } while ((now.tv_sec - first.tv_sec) * 1000000000 + now.tv_nsec - first.tv_nsec < 1000000);""",
    )
    .replace("operations; i++", "argc - 1; i++")
)


def built(config: str, design: str, workload: str) -> Path:
    """A program of this checkout; skips the test if it is not built."""
    path = SOURCE / "build" / config / design / workload
    if not path.exists():
        pytest.skip(f"build/{config}/{design}/{workload} is not built: run make CONFIG={config}")
    return path


# ---- What the tools say ----


def test_callgrind_is_read_in_what_else_is_said() -> None:
    said = "note: 7\n==212== Events    : Ir\n==212== Collected : 1571220\n==212==\n==212== I   refs:      1\n"
    assert read_callgrind(said) == 1571220
    with pytest.raises(CountError, match="no number"):
        read_callgrind("==21224== Events    : Ir\nCollected : 5\n")


def test_perf_is_read_and_the_kinds_of_cores_are_added() -> None:
    assert read_perf("# started\n\n1234,,instructions:u,5678,100.00,,\n") == 1234
    assert read_perf("12,,cpu_core/instructions:u/,1,50,,\n30,,cpu_atom/instructions:u/,1,50,,\n") == 42
    assert (
        read_perf("12,,cpu_core/instructions:u/,1,50,,\n<not counted>,,cpu_atom/instructions:u/,0,0,,\n")
        == 12
    )
    with pytest.raises(CountError, match="not supported"):
        read_perf("<not supported>,,instructions:u,0,100.00,,\n")
    with pytest.raises(CountError, match="no line"):
        read_perf("")


def test_the_explorer_is_read() -> None:
    line = '{"atomic_loads":1,"atomic_stores":2,"locked_operations":3,"line_transfers":4}'
    assert list(read_explorer(f"{line}\nschedules 1\n").values()) == [1, 2, 3, 4]
    for wrong in ("schedules 1\n", '{"atomic_loads":1}\n', "[]\n"):
        with pytest.raises(CountError, match="no counts"):
            read_explorer(wrong)


# ---- The difference of two amounts, and what moved ----


def test_what_a_program_does_once_is_no_part_of_an_operation() -> None:
    def counter(command: Sequence[str], run: int) -> Tally:
        operations = int(command[1])
        return Tally(operations, {"a": 900 + 7 * operations, "b": 5 + run * operations})

    found = count(counter, Work(("x", "100"), ("x", "350")), 3)
    assert found["a"].values == (7, 7, 7)
    assert found["b"].values == (1, 2, 3)
    assert (found["b"].value, found["b"].spread) == (2, 1)
    with pytest.raises(CountError, match="100 operations are not more than 100"):
        count(counter, Work(("x", "100"), ("x", "100")), 1)


def test_the_spread_of_nothing_is_none() -> None:
    assert Count((0.0, 0.0)).spread == 0
    assert Count((0.0, 0.0, 1.0)).spread == math.inf


def change(base: Sequence[float], candidate: Sequence[float], level: float = LEVEL) -> Change:
    return Change(Count(tuple(base)), Count(tuple(candidate)), 0.01, level)


@pytest.mark.parametrize(
    ("base", "candidate", "moved"),
    [
        ([100.0, 100.1, 99.9], [101.0, 101.1, 100.9], 1),  # 1 %, beyond the noise
        ([101.0, 101.1, 100.9], [100.0, 100.1, 99.9], -1),
        ([100.0], [100.0], 0),
        ([100.0], [100.9], 0),  # under delta
        ([100.9], [100.0], 0),
        ([100.0], [101.0], 1),  # delta itself counts
        ([101.0], [100.0], -1),
        ([100.0, 100.0], [100.0, 104.0], 0),  # a run is the same
        ([100.0, 104.0], [100.0, 100.0], 0),
        ([100.0, 103.0, 100.0], [104.0, 102.0, 104.0], 0),  # the runs overlap
        ([0.001], [0.005], 0),  # a handful in all is not of each operation
        ([0.0], [1.0], 1),
        ([1.0], [0.0], -1),
        ([0.0], [0.0], 0),
    ],
)
def test_what_moved(base: list[float], candidate: list[float], moved: int) -> None:
    assert change(base, candidate).moved == moved


def test_the_same_counts_have_a_ratio_of_exactly_one() -> None:
    for same in ((0.1, 0.3, 0.2, 0.7), (0.0, 0.0, 0.0)):
        assert change(same, same).ratio == 1


@given(
    st.lists(st.floats(1, 2), min_size=4, max_size=12, unique=True),
    st.lists(st.floats(1.5, 3), min_size=4, max_size=12, unique=True),
)
def test_the_interval_is_that_of_the_exact_rank_sum_test(base: list[float], candidate: list[float]) -> None:
    if set(base) & set(candidate):
        return
    greater = stats.mannwhitneyu(candidate, base, alternative="greater", method="exact").pvalue
    some_level_is_had = 1 / math.comb(len(base) + len(candidate), len(base)) <= (1 - LEVEL) / 2
    if some_level_is_had:
        assert (change(base, candidate).low > 1) == (greater <= (1 - LEVEL) / 2)
    assert change(base, candidate).high == pytest.approx(1 / change(candidate, base).low)


def test_of_too_few_runs_the_interval_is_all_that_was_seen() -> None:
    few = change([10, 20], [30, 40], level=0.999)
    assert (few.low, few.high) == (1.5, 4)


def test_all_intervals_of_a_gate_hold_together() -> None:
    assert level_of(1) == pytest.approx(0.999)
    assert level_of(10) == pytest.approx(0.9999)
    assert level_of(0) == level_of(1)


def test_what_would_be_found_is_found_in_9_of_10_tries() -> None:
    chance = random.Random(1)

    def runs(mean: float) -> list[float]:
        return [mean * chance.lognormvariate(0, 0.05) for _ in range(30)]

    tried = [(runs(1.0), runs(1.0)) for _ in range(200)]
    smallest = [change(base, other).smallest for base, other in tried]
    found = [
        change(base, [value * (1 + increase) for value in other]).moved
        for (base, other), increase in zip(tried, smallest, strict=True)
    ]
    assert 0.03 < min(smallest) < max(smallest) < 0.1
    assert 0.85 < sum(found) / len(found) < 0.99
    assert not any(change(base, other, level=0.999).moved for base, other in tried)


def test_what_hardly_varies_lets_delta_be_found() -> None:
    assert change([100.0, 100.0], [100.0, 100.0]).smallest == pytest.approx(0.01)
    assert change([0.0, 0.009], [0.009, 0.0]).smallest == pytest.approx(0.01), "a handful in all is nothing"
    assert change([0.0, 1.0], [0.0, 1.0]).smallest > 100


@pytest.mark.parametrize("level", [0.9, 0.999])
@pytest.mark.parametrize(
    ("base", "candidate"),
    [
        ([100.0, 110.0], [100.0, 100.0]),
        ([100.0, 100.0], [100.0, 110.0]),
        ([100.0, 100.5], [100.0, 100.1]),
        ([100.0 + number**2 for number in range(12)], [100.0] * 12),
    ],
)
def test_what_would_be_found_by_its_definition(
    base: list[float], candidate: list[float], level: float
) -> None:
    """The interval ends over 1, and the ratio over delta, though the ratio is off by what 1 try in 10 is."""
    width = math.log(max(change(side, side, level).high for side in (base, candidate)))
    off = width * stats.norm.ppf(0.9) / stats.norm.ppf((1 + level) / 2)
    smallest = max(width + off, math.log(1.01) + off)
    assert change(base, candidate, level).smallest == pytest.approx(math.exp(smallest) - 1)


# ---- The tools themselves ----


@pytest.fixture
def callgrind(tmp_path: Path) -> Callgrind:
    """Callgrind under the conditions that make its count the same again."""
    return Callgrind(SOURCE, PATIENCE_S, Conditions(steady_clock(Project(tmp_path))))


def compiled(tmp_path: Path, source: str) -> str:
    path = tmp_path / "program.c"
    path.write_text(source)
    subprocess.run(["gcc", "-O1", "-o", tmp_path / "program", path], check=True)
    return str(tmp_path / "program")


def test_an_instruction_more_is_found_exactly(tmp_path: Path, callgrind: Callgrind) -> None:
    program = compiled(tmp_path, LOOP)

    def steps(number: int) -> Count:
        asked = [(program, str(operations), str(number)) for operations in (10, 60)]
        return count(callgrind, Work(*asked), 2)["instructions"]

    base, candidate = steps(100), steps(102)
    assert base.spread == candidate.spread == 0
    assert Change(base, candidate).moved == 1
    assert Change(base, candidate).ratio == pytest.approx(1.02, abs=0.001)


def test_what_waits_for_the_clock_waits_the_same_again(tmp_path: Path, callgrind: Callgrind) -> None:
    program = compiled(tmp_path, WAIT)
    tallies = [callgrind((program, "", ""), run) for run in range(2)]
    assert tallies[0] == tallies[1]
    assert tallies[0].operations == 1000, "a microsecond a look"


def test_the_clock_is_built_again_when_it_has_changed(tmp_path: Path) -> None:
    project = Project(tmp_path)
    library = steady_clock(project)
    built_at = library.stat().st_mtime_ns
    assert steady_clock(project).stat().st_mtime_ns == built_at
    os.utime(library, (0, 0))
    assert steady_clock(project).stat().st_mtime_ns > built_at


@pytest.mark.parametrize("design", ["actor-centric", "message-centric", "worker-centric"])
def test_a_message_takes_the_same_instructions_again(design: str, callgrind: Callgrind) -> None:
    """Now and then a run is another by a tenth of a percent, or more: of four one may be."""
    program = str(built("release", design, "dynamic"))
    work = Work((program, "--workers", "1", "--sends", "500"), (program, "--workers", "1", "--sends", "2500"))
    found = count(callgrind, work, 4)["instructions"]
    assert 100 < found.value < 2000
    alike = [one for one in found.values if abs(one / found.value - 1) < 0.0005]
    assert len(alike) >= 3


@pytest.mark.parametrize("lines", [0, 1, 5])
def test_each_line_that_changes_hands_is_counted(lines: int) -> None:
    program = str(built("counted", "worker-centric", "handover"))

    def tally(turns: int) -> dict[str, int]:
        asked = [program, "--replay", "1", "--policy", "even", "--count", "--", str(turns), str(lines)]
        done = subprocess.run(asked, capture_output=True, text=True, check=True)
        return read_explorer(done.stdout)

    less, more = tally(10), tally(30)
    assert more["line_transfers"] - less["line_transfers"] == 20 * (2 + lines)
    assert more["atomic_stores"] - less["atomic_stores"] == 20 * (1 + lines)
    assert less["locked_operations"] == more["locked_operations"] == 0


def test_a_schedule_is_counted_the_same_again() -> None:
    program = str(built("counted", "worker-centric", "executor"))
    command = (program, "--actors", "20", "--group", "4", "--rounds", "20", "--workers", "4")
    counter = Explorer(SOURCE, PATIENCE_S)
    first = counter(command, 1)
    assert counter(command, 1) == first
    assert counter(command, 2).events != first.events
    assert first.operations == 20 * (2 * 4 + 1)
    assert all(first.events.values())

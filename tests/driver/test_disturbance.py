"""Disturbances: what is seen of them, and the rule that voids a sample, and its round."""

import json
import resource
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from actorbench.disturbance import Counters, Disturbance, between, read_counters, why_void
from actorbench.machine.sources import Sources
from actorbench.sample import ROUND_VOIDED
from actorbench.store import Run
from conftest import Checkout

CALM = Disturbance(steal_share=0.0, pressure_share=0.0, throttled=0, switches_per_s=1.0)
LONG_NS = 10**9


NAMES = ("steal_ticks", "pressure_us", "throttled")


def test_what_happens_between_two_readings() -> None:
    before = Counters(steal_ticks=100, pressure_us=1000, throttled=3, switches=10, waits=5, faults=7)
    after = Counters(steal_ticks=110, pressure_us=251_000, throttled=5, switches=30, waits=45, faults=107)
    seen = between(before, after, wall_ns=LONG_NS, cpus=2)
    assert seen == Disturbance(pytest.approx(0.05), pytest.approx(0.25), 2, 10, 20, 100)  # type: ignore[arg-type]
    assert between(after, before, wall_ns=LONG_NS, cpus=2) == Disturbance(0, 0, 0, -10, -20, -100), "reset"
    half = between(before, after, wall_ns=LONG_NS // 2, cpus=4)
    assert half.steal_share == pytest.approx(0.05)
    assert half.pressure_share == 0.5
    assert (half.switches_per_s, half.waits_per_s, half.page_faults) == (10, 20, 100)
    assert between(before, before, wall_ns=0, cpus=1).switches_per_s == 0
    instant = between(before, after, wall_ns=0, cpus=1)
    assert instant.switches_per_s == pytest.approx(20e9), "as of a nanosecond"
    for known in (before, after):
        for lacks in ("steal_ticks", "pressure_us", "throttled"):
            less = replace(known, **{lacks: None})  # type: ignore[arg-type]
            for pair in ((less, after), (before, less)):
                told = between(*pair, wall_ns=LONG_NS, cpus=2)
                shares = (told.steal_share, told.pressure_share, told.throttled)
                assert [one is None for one in shares] == [lacks == name for name in NAMES]
    unknown = Counters(None, None, None, 0)
    assert between(unknown, unknown, wall_ns=LONG_NS, cpus=2) == Disturbance(None, None, None, 0)


def test_what_was_seen_is_written_whole() -> None:
    written = replace(CALM, waits_per_s=2.0, page_faults=3).to_json()
    assert written == {
        "steal_share": 0.0,
        "pressure_share": 0.0,
        "throttled": 0,
        "switches_per_s": 1.0,
        "waits_per_s": 2.0,
        "page_faults": 3,
    }, "there was no probe"
    assert replace(CALM, handover_ns=100.0).to_json()["handover_ns"] == 100
    assert replace(CALM, steal_share=None).to_json()["steal_share"] is None


@pytest.mark.parametrize(
    ("seen", "oversubscribed", "why"),
    [
        (CALM, False, None),
        (Disturbance(None, None, None, 0), False, None),
        (Disturbance(0.03, 0, 0, 0), True, "steal 3.0%"),
        (Disturbance(0, 0, 1, 0), True, "throttled 1 times"),
        (Disturbance(0, 0.5, 0, 0), False, "pressure 50%"),
        (Disturbance(0, 0.5, 0, 0), True, None),
        (Disturbance(0, 0, 0, 900), False, "900 involuntary switches a second"),
        (Disturbance(0, 0, 0, 900), True, None),
        (Disturbance(0.02, 0, 0, 0), False, None),
        (Disturbance(0.0201, 0, 0, 0), False, "steal 2.0%"),
        (Disturbance(0.03, 0, 2, 0), False, "throttled 2 times"),
        (Disturbance(0, 0.25, 0, 0), False, None),
        (Disturbance(0, 0.254, 0, 900), False, "pressure 25%"),
        (Disturbance(0, 0, 0, 500), False, None),
        (Disturbance(None, None, None, 500.6), False, "501 involuntary switches a second"),
        (Disturbance(0, 0, 0, 0, 10_000, 10_000), False, None),
    ],
)
def test_the_rule(seen: Disturbance, oversubscribed: bool, why: str | None) -> None:
    assert why_void(seen, wall_ns=LONG_NS, oversubscribed=oversubscribed) == why
    shortest_ns = 100_000_000
    assert why_void(seen, wall_ns=shortest_ns, oversubscribed=oversubscribed) == why
    assert why_void(seen, wall_ns=shortest_ns - 1, oversubscribed=oversubscribed) is None, "too short to tell"


KERNEL = {
    "proc/stat": "cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 0 0 0 0 0 0 0 99 0 0\n",
    "proc/pressure/cpu": "some avg10=0.00 avg60=0.00 avg300=0.00 total=77\nfull avg10=0 total=5\n",
    "sys/fs/cgroup/cpu.stat": "usage_usec 5\nnr_periods 9\nnr_throttled 4\n",
    "sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count": "2\n",
}


def test_the_counters_of_a_machine(tmp_path: Path) -> None:
    for path, text in KERNEL.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    found = read_counters(Sources(tmp_path, tmp_path))
    assert (found.steal_ticks, found.pressure_us, found.throttled) == (8, 77, 6)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert (found.switches, found.waits) == (before.ru_nivcsw, before.ru_nvcsw)
    assert found.faults == before.ru_minflt + before.ru_majflt
    subprocess.run(["true"], check=True)
    later = read_counters(Sources(tmp_path, tmp_path))
    assert later.faults > found.faults, "those of a process that has ended"
    assert later.waits >= found.waits
    none = read_counters(Sources(tmp_path / "none", tmp_path))
    assert (none.steal_ticks, none.pressure_us, none.throttled) == (None, None, None)


@pytest.mark.parametrize(
    ("changed", "counters"),
    [
        ({"proc/stat": "cpu  1 2 3 4 5 6 7\n"}, (None, 77, 6)),
        ({"proc/stat": "cpu  1 2 3 4 5 6 7 9\n"}, (9, 77, 6)),
        ({"proc/pressure/cpu": "full avg10=0 total=5\n"}, (8, None, 6)),
        ({"sys/fs/cgroup/cpu.stat": "usage_usec 5\n"}, (8, 77, 2)),
        ({"sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count": "none\n"}, (8, 77, 4)),
    ],
)
def test_what_a_kernel_does_not_count(
    tmp_path: Path, changed: dict[str, str], counters: tuple[int | None, ...]
) -> None:
    for path, text in (KERNEL | changed).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    found = read_counters(Sources(tmp_path, tmp_path))
    assert (found.steal_ticks, found.pressure_us, found.throttled) == counters


@pytest.fixture
def thief(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine whose hypervisor takes a second in each sample while the file `left` holds over 0."""
    root = checkout.root / "machine"
    (root / "proc").mkdir(parents=True)
    (root / "proc" / "stat").write_text("cpu 0 0 0 0 0 0 0 0 0 0\n")
    left = checkout.root / "left"
    body = f"""sleep 0.11
left=$(cat {left})
if [ $left -gt 0 ]; then
    echo $((left - 1)) > {left}
    echo "cpu 0 0 0 0 0 0 0 $((900 - left * 100)) 0 0" > {root}/proc/stat
fi
record"""
    checkout.program("executor", body)
    monkeypatch.setenv("ACTORBENCH_SYSTEM_ROOT", str(root))
    return left


VOIDING = ["sweep", "table", "--workers", "1", "--samples", "2", "--void-disturbed"]


def lines_of(run: Run) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run.samples_file.read_text().splitlines()]


def disturb(checkout: Checkout, left: Path, queue: str) -> None:
    """Let the hypervisor take its time from the samples of one queue alone."""
    path = checkout.root / "build" / "release" / "worker-centric" / "executor"
    text = path.read_text()
    assert f"cat {left}" in text
    path.write_text(text.replace("left=$(cat", f"left=0; [ $queue = {queue} ] && left=$(cat"))


def test_a_disturbed_round_is_kept_marked_and_taken_again_at_the_end(
    checkout: Checkout, thief: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    thief.write_text("1")
    assert checkout.call(*VOIDING, "--seed", "1") == 0
    out = capsys.readouterr().out
    assert "steal over 2%" in out, "the limits are told beforehand"
    assert "1 samples were disturbed, and their rounds taken again" in out
    run = checkout.only_run()
    lines = lines_of(run)
    assert [(line["round"], line["position"]) for line in lines] == [(0, 0), (1, 0), (1, 1), (0, 0), (0, 1)]
    assert [line["voided"] is None for line in lines] == [False, True, True, True, True]
    assert lines[0]["record"]["elapsed_ns"] > 0
    assert len(run.samples()) == 4
    assert checkout.call("sweep", "--resume", run.name) == 0
    assert len(run.samples()) == 4


def test_both_halves_of_a_pair_are_taken_again(checkout: Checkout, thief: Path) -> None:
    """The first of a round was calm, the second disturbed: neither counts, and both are taken anew."""
    thief.write_text("1")
    disturb(checkout, thief, "copy")
    assert checkout.call(*VOIDING, "--seed", "1") == 0
    run = checkout.only_run()
    lines = lines_of(run)
    assert "--queue list" in lines[0]["cell"], "by the seed"
    assert [line["voided"] is None for line in lines] == [True, False, True, True, True, True]
    assert [line["round"] for line in lines] == [0, 0, 1, 1, 0, 0]
    assert [one.voided for one in run.voided()] == [ROUND_VOIDED, lines[1]["voided"]]
    counted = [(one.key, one.started) for one in run.samples() if one.round == 0]
    assert counted == [(line["cell"], line["started"]) for line in lines[4:]]


def test_a_round_half_taken_again_goes_on_when_resumed(checkout: Checkout, thief: Path) -> None:
    thief.write_text("1")
    disturb(checkout, thief, "copy")
    assert checkout.call(*VOIDING, "--seed", "1") == 0
    run = checkout.only_run()
    whole = run.samples_file.read_text().splitlines(keepends=True)
    for kept in (2, 3, 5):
        run.samples_file.write_text("".join(whole[:kept]))
        assert checkout.call("sweep", "--resume", run.name) == 0
        lines = lines_of(run)
        assert [(one["cell"], one["round"]) for one in lines] == [
            (one["cell"], one["round"]) for one in map(json.loads, whole)
        ], f"after {kept} of {len(whole)}"


def test_a_failure_is_not_voided_with_its_round(checkout: Checkout, thief: Path) -> None:
    thief.write_text("1")
    disturb(checkout, thief, "copy")
    path = checkout.root / "build" / "release" / "worker-centric" / "executor"
    path.write_text(path.read_text().replace("record\n", "[ $queue = list ] && exit 9; record\n"))
    assert checkout.call(*VOIDING, "--seed", "1") == 4
    run = checkout.only_run()
    lines = lines_of(run)
    assert [(line["round"], bool(line["failure"])) for line in lines[:2]] == [(0, True), (0, False)]
    assert ([line["round"] for line in lines[2:]], lines[4]["cell"]) == ([1, 1, 0], lines[1]["cell"])
    assert [one.ok for one in run.voided()] == [True]
    assert len(run.samples()) == 4


def test_a_round_is_repeated_at_most_twice(checkout: Checkout, thief: Path) -> None:
    thief.write_text("8")
    assert checkout.call(*VOIDING) == 0
    run = checkout.only_run()
    assert [line["voided"] is None for line in lines_of(run)] == [False] * 4 + [True] * 4
    assert len(run.samples()) == 4, "the last counts, with its disturbance beside it"
    assert any((sample.disturbance or {})["steal_share"] > 0.02 for sample in run.samples())


def test_nothing_is_voided_unless_asked_for(checkout: Checkout, thief: Path) -> None:
    thief.write_text("8")
    assert checkout.call(*VOIDING[:-1]) == 0
    assert checkout.only_run().voided() == []
    assert len(checkout.only_run().samples()) == 4


def test_voiding_and_stopping_exclude_each_other(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checkout.call(*VOIDING, "--precision", "2%") == 2
    assert "--void-disturbed repeats rounds after the plan" in capsys.readouterr().err

"""The hand-over between CPUs: probed beside each sample, kept, and what is voided for it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from actorbench import handover
from actorbench.handover import HandOvers
from actorbench.process import Finished
from actorbench.project import Project
from actorbench.stop import StopRequest
from conftest import Checkout
from test_record import RECORD

SWEEP = ["sweep", "table", "--workers", "1", "--seed", "1"]
STOP = StopRequest()


@pytest.fixture
def floor(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A floor that takes the ns of the file's first line, then of the next; the last line stays.

    Nothing else disturbs.
    """
    monkeypatch.setenv("ACTORBENCH_SYSTEM_ROOT", str(checkout.root / "calm"))
    file = checkout.root / "handovers"
    checkout.program(
        "floor",
        f"elapsed=$(head -1 {file}); elapsed=$((elapsed * 1000)); sed -i '1{{$!d}}' {file}; record",
    )
    return file


def write(file: Path, numbers: list[int]) -> None:
    file.write_text("".join(f"{number}\n" for number in numbers))


def lines_of(checkout: Checkout) -> list[dict[str, Any]]:
    return [json.loads(line) for line in checkout.only_run().samples_file.read_text().splitlines()]


def test_each_sample_keeps_the_mean_of_the_probes_around_it(checkout: Checkout, floor: Path) -> None:
    write(floor, [100, 400, 100])
    assert checkout.call(*SWEEP, "--samples", "1") == 0
    assert [line["disturbance"]["handover_ns"] for line in lines_of(checkout)] == [
        pytest.approx(200),
        pytest.approx(200),
    ]


def test_a_round_in_which_hand_overs_took_another_way_is_taken_again(
    checkout: Checkout, floor: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(floor, [100] * 14 + [20, 20] + [100])
    assert checkout.call(*SWEEP, "--samples", "8", "--void-disturbed") == 0
    assert "a hand-over took 20 ns, usually 100" in capsys.readouterr().out
    first = next(line["voided"] for line in lines_of(checkout) if line["voided"])
    assert first == "a hand-over took 45 ns, usually 100"
    samples = checkout.only_run().samples()
    assert len(samples) == 16
    assert all((one.disturbance or {})["handover_ns"] == pytest.approx(100) for one in samples)


def test_what_is_usual_is_known_after_ten_samples_and_nothing_is_voided_unasked(
    checkout: Checkout, floor: Path
) -> None:
    write(floor, [100] * 5 + [20] * 3 + [100])
    assert checkout.call(*SWEEP, "--samples", "5", "--void-disturbed") == 0
    assert not [line for line in lines_of(checkout) if line["voided"]]


def test_without_a_floor_or_a_second_cpu_there_is_no_hand_over(checkout: Checkout) -> None:
    assert checkout.call(*SWEEP, "--samples", "1") == 0
    assert not any("handover_ns" in line["disturbance"] for line in lines_of(checkout))


# ---- Probes and what is far, without a sweep ----


@pytest.fixture
def probes(monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """What the next probes take, in ns."""
    taken: list[float | None] = []
    monkeypatch.setattr(HandOvers, "_probe", lambda _: taken.pop(0))
    return taken


def of(*seen: float, cpus: int = 2) -> HandOvers:
    """Make the hand-overs of a run that has seen some."""
    return HandOvers(Project(Path("/checkout")), STOP, cpus, list(seen))


def test_a_probe_after_a_sample_is_that_before_the_next(probes: list[float | None]) -> None:
    probes[:] = [100, 400, 25, 1]
    one = of()
    for mean in (200, 100, 5):
        one.begin()
        assert one.end() == pytest.approx(mean)
    assert probes == []
    assert one.seen == pytest.approx([200, 100, 5])


def test_a_probe_that_failed_leaves_its_samples_without_one(probes: list[float | None]) -> None:
    probes[:] = [None, 100, 400, None, 9, 4]
    one = of()
    found = []
    for _ in range(4):
        one.begin()
        found.append(one.end())
    assert found == [None, pytest.approx(200), None, pytest.approx(6)]
    assert one.seen == pytest.approx([200, 6])


def test_far_is_more_than_twice_or_less_than_half_of_the_median() -> None:
    run = of(*[100] * 6, *[1000] * 5)
    assert [run.far(taken) for taken in (50, 100, 200, None)] == [None] * 4
    assert run.far(201) == "a hand-over took 201 ns, usually 100"
    assert run.far(49) == "a hand-over took 49 ns, usually 100"
    assert of(*[100] * 9).far(1000) is None, "nothing is usual yet"
    assert of(*[100] * 10).far(1000) is not None


def test_a_probe_is_the_time_of_an_operation(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Sequence[str], Mapping[str, object]]] = []
    said = [json.dumps(RECORD | {"elapsed_ns": 300_000, "operations": 2000}).encode()]

    def run(command: Sequence[str], **others: object) -> Finished:
        asked.append((command, others))
        return Finished(0, None, False, 1, said[-1], b"")

    monkeypatch.setattr(handover, "run_process", run)
    one = of()
    one.begin()
    assert one.end() == pytest.approx(150)
    command, others = asked[0]
    program = "/checkout/build/release/worker-centric/floor"
    assert " ".join(command) == f"{program} --threads 2 --batch 1 --ring 1 --sends 2000 --json"
    assert others == {"timeout_s": 10, "environment": {}, "folder": Path("/checkout"), "stop": one.stop}
    for wrong in (b"{}", b"\xff", b""):
        said.append(wrong)
        one.begin()
        assert one.end() is None
    asked.clear()
    few = of(cpus=1)
    few.begin()
    assert few.end() is None
    assert asked == []


def test_a_floor_that_can_not_be_started_is_no_hand_over() -> None:
    one = of()
    one.begin()
    assert one.end() is None

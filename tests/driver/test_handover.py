"""The hand-over between CPUs: probed beside each sample, kept, and what is voided for it."""

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import Checkout

SWEEP = ["sweep", "table", "--workers", "1", "--seed", "1"]


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

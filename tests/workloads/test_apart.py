"""Apart: what all threads read often and nobody writes then shares no line with what a program writes.

A worker that finds nothing to do looks for more all the time. Where the pointer that it read lay beside an
actor that another worker wrote, that one's messages took twice as long.
"""

import subprocess

import pytest

from conftest import DESIGNS, program

LINE = 128  # CACHE_LINE in core/platform/cpu.h

SHARED = ["executor", "executor_round", "crew"]
OF_A_DESIGN = {
    "message-centric": ["sharding"],
    "worker-centric": ["sharding", "producers", "no_runs", "asymmetric"],
}


@pytest.mark.parametrize("design", DESIGNS)
def test_what_all_threads_read_is_apart(design: str) -> None:
    command = ["nm", "--print-size", program("release", "static", design)]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = (line.split() for line in listed.splitlines())
    places = {fields[3].partition(".")[0]: fields for fields in lines if len(fields) == 4}
    for name in SHARED + OF_A_DESIGN.get(design, []):
        address, size = (int(field, 16) for field in places[name][:2])
        assert (address % LINE, size % LINE) == (0, 0), f"{name} at {address:#x}, of {size} bytes"

"""The simulated machine: a run follows from its seed alone, and workloads are right on many cores."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from actorbench.project import Project
from actorbench.schema import first_error
from actorbench.simulated.debug_info import DebugInfo, Die, bare, member_of
from actorbench.simulated.description import find_machine
from actorbench.simulated.fields import Fields
from actorbench.simulated.lines import watch
from conftest import DESIGNS, ROOT, RUNS, WORKLOADS, program

FEW = ["--actors", "400", "--scale", "0.02", "--pin", "cores"]
SHORT = [*FEW, "--preset", "thesis"]  # of the message-centric design


def described(name: str, folder: Path) -> Path:
    """What a simulated program reads of a machine."""
    file = folder / f"{name}.txt"
    file.write_text(find_machine(Project(ROOT), name).flat())
    return file


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    return described("thesis-intel", tmp_path)


def simulated(path: Path, machine: Path, *arguments: str, seed: int = 0, **variables: str) -> str:
    """What a program prints on a machine."""
    asked = {"ACTORBENCH_MACHINE": str(machine), "ACTORBENCH_MACHINE_SEED": str(seed)}
    command = [str(path), *arguments, "--json"]
    done = subprocess.run(
        command, env=os.environ | asked | variables, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def record_of(printed: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(printed)
    assert first_error("record-1", record) is None
    return record


def test_the_same_seed_gives_the_same_record_bit_by_bit(machine: Path, tmp_path: Path) -> None:
    path = program("simulated", "executor")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for file in (path, path.with_suffix(".blocks")):
        shutil.copy(file, elsewhere)
    once = simulated(path, machine, "--workers", "16", *SHORT, seed=7)
    again = simulated(elsewhere / path.name, machine, "--workers", "16", *SHORT, seed=7, PADDING="x" * 3000)
    assert once == again


def test_a_block_that_grows_keeps_all_of_its_bytes(machine: Path) -> None:
    """The last eight bytes of a copy queue were once lost: with these seeds, after half of the runs."""
    for seed in range(1, 9):
        record_of(simulated(program("simulated", "executor"), machine, "--workers", "16", *SHORT, seed=seed))


def test_another_seed_gives_another_interleaving(machine: Path) -> None:
    path = program("simulated", "executor")
    records = [record_of(simulated(path, machine, "--workers", "16", *SHORT, seed=seed)) for seed in (1, 2)]
    assert records[0]["elapsed_ns"] != records[1]["elapsed_ns"]


def test_a_record_says_which_machine_it_is_of(machine: Path) -> None:
    record = record_of(
        simulated(program("simulated", "static"), machine, "--workers", "1", "--scale", "1e-5")
    )
    assert record["machine"] == f"simulated: {machine.stem}"
    assert record["counts"]["instructions"] > record["operations"]


@pytest.mark.parametrize(
    ("design", "name", "workers"),
    [
        ("worker-centric", "thesis-intel", 48),
        ("message-centric", "opteron", 16),
        ("actor-centric", "opteron", 16),
    ],
)
def test_every_workload_is_right_on_many_cores(design: str, name: str, workers: int, tmp_path: Path) -> None:
    """Each line of a workload's tests in one of the designs."""
    machine = described(name, tmp_path)
    for line in RUNS[DESIGNS.index(design) :: len(DESIGNS)]:
        workload, *arguments = line.split()
        if "--workers" in arguments or "explored" not in WORKLOADS[workload]:
            continue
        path = program("simulated", workload, design)
        printed = simulated(path, machine, *arguments, "--workers", str(workers), "--pin", "cores")
        assert record_of(printed)["workers"] == workers, line


def test_out_boxes_keep_nothing_from_who_waits_for_it(machine: Path) -> None:
    """philosophers: actors keep one worker busy, while another waits for what is in its out-boxes.

    That once took two times as long as without out-boxes.
    """
    path = program("simulated", "philosophers", "worker-centric")
    arguments = ["--workers", "2", "--scale", "0.02"]
    boxed, straight = (
        record_of(simulated(path, machine, *arguments, *without))["elapsed_ns"]
        for without in ([], ["--without", "out-boxes"])
    )
    assert boxed < straight


@pytest.mark.parametrize(
    ("workload", "scale"),
    [("bank-transaction", "0.1"), ("chameneos", "0.05"), ("concdict", "0.01"), ("fork-join", "0.02")],
)
def test_short_messages_stay_where_they_are(workload: str, scale: str, machine: Path) -> None:
    """So 48 workers take about as long as 4.

    The first three once took 13 to 46 times as long: sleep was taken for work, and out-boxes were too few,
    so that what was to be borrowed crossed, one message at a time.
    """
    path = program("simulated", workload, "worker-centric")
    times = {}
    for workers in (4, 48):
        arguments = ["--workers", str(workers), "--pin", "cores", "--scale", scale]
        times[workers] = record_of(simulated(path, machine, *arguments))["elapsed_ns"]
    assert times[48] < 6 * times[4]


def test_more_cores_share_what_is_theirs_to_share(machine: Path) -> None:
    """balance-one: with stealing the time falls; what one worker has to do alone takes as long as before."""
    times = {}
    for steal in ("none", "random"):
        for workers in (1, 8):
            arguments = ["--actors", "400", "--scale", "0.02", "--work", "1000", "--steal", steal]
            arguments += ["--workers", str(workers), "--pin", "cores", "--preset", "thesis"]
            printed = simulated(program("simulated", "balance-one"), machine, *arguments)
            times[steal, workers] = record_of(printed)["elapsed_ns"]
    assert times["random", 8] < 0.3 * times["random", 1]
    assert 0.9 * times["none", 1] < times["none", 8] < 1.3 * times["none", 1]


def test_who_runs_ahead_holds_up_nobody_who_comes_before(machine: Path) -> None:
    """A row is multiplied without an atomic access, by a thread whose clock runs ahead.

    Thieves on the other package once waited for links and lines that were busy only later, and took five
    times as long as without stealing.
    """
    times = {}
    for steal in ("none", "longest"):
        arguments = [
            "--workers",
            "32",
            "--scale",
            "0.0004",
            "--pin",
            "cores",
            "--preset",
            "thesis",
            "--steal",
            steal,
        ]
        printed = simulated(program("simulated", "matrix", "message-centric"), machine, *arguments)
        times[steal] = record_of(printed)["elapsed_ns"]
    assert times["longest"] < 1.5 * times["none"]


def test_without_a_machine_the_command_that_makes_one_is_told(tmp_path: Path) -> None:
    """It once told an option that there was not."""
    without = {name: value for name, value in os.environ.items() if name != "ACTORBENCH_MACHINE"}
    path = program("simulated", "static")
    refused = subprocess.run([path], env=without, capture_output=True, text=True, timeout=60, check=False)
    assert refused.returncode == 2
    told = re.search(r"\./actorbench machine [-\w ]*FILE", refused.stderr)
    assert told is not None, refused.stderr
    machine = tmp_path / "machine.txt"
    command = told[0].replace("NAME", "thesis-intel").replace("FILE", str(machine))
    subprocess.run(command.split(), cwd=ROOT, timeout=60, check=True)
    simulated(path, machine, "--workers", "1", "--scale", "1e-5")


def test_a_description_that_lacks_a_number_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "lacking.txt"
    file.write_text("name lacking\ntopology core:2 pu:1\n")
    variables = os.environ | {"ACTORBENCH_MACHINE": str(file)}
    done = subprocess.run(
        [program("simulated", "static")], env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == f"simulated machine: {file}: ghz is missing\n"


def test_another_build_gives_the_same_record(machine: Path, tmp_path: Path) -> None:
    """Built again, in a folder with a longer name: neither the build nor its place is in a record."""
    again = tmp_path / "somewhere-else-with-a-longer-name"
    for folder in ("core", "machine", "workloads"):
        shutil.copytree(ROOT / folder, again / folder)
    shutil.copy(ROOT / "Makefile", again)
    path = program("simulated", "balance-one", "worker-centric")
    built = again / path.relative_to(ROOT)
    make = ["make", "-s", "-j2", "CONFIG=simulated", str(built.relative_to(again))]
    subprocess.run(make, cwd=again, check=True, capture_output=True)
    arguments = ["--workers", "16", "--actors", "400", "--scale", "0.002", "--pin", "cores"]
    records = [simulated(one, machine, *arguments, seed=3) for one in (path, built)]
    assert records[0] == records[1]


# ---- `lines` ----

# Begin where a line begins, so that where a field lies in its line is known.
ALIGNED = ("worker", "mailbox", "lane", "census")


def test_lines_tell_every_transfer_and_whose_field_it_is() -> None:
    arguments = ["--source", "main", "--workers", "4", "--pin", "cores", "--scale", "2e-4"]
    project = Project(ROOT)
    watched = watch(project, find_machine(project, "thesis-intel"), "worker-centric", "static", arguments)
    found = watched.found
    assert sum(one.count for one in found) == watched.record.counts["transfers"]
    assert watched.left_out == 0
    told = sum(one.count for one in found if one.wanted[0] not in "(?")
    assert told > 0.8 * watched.record.counts["transfers"]
    sends = [one for one in found if (one.wanted, one.written) == ("lane.sent", "lane.sent")]
    assert {one.before.partition(":")[0] for one in sends} == {"lane.h"}
    assert max(one.lines for one in sends) == 1, "one thread sends to one mailbox"
    locks = {one.wanted for one in found if one.after.startswith("spinlock.h:")}
    assert "mailbox.lock.held" in locks, "what was inlined is told by where it is called"


@pytest.mark.parametrize("design", DESIGNS)
def test_fields_lie_where_the_accesses_were(design: str, machine: Path, tmp_path: Path) -> None:
    path, told = program("simulated", "executor", design), tmp_path / "lines"
    simulated(path, machine, "--workers", "16", *FEW, ACTORBENCH_LINES=str(told))
    fields, info, checked = Fields(ROOT, path), DebugInfo(path), 0
    for row in told.read_text().splitlines()[:-1]:
        _, asker, offset, kind, *_ = row.split()
        place = fields.place(int(asker, 16), writes=kind == "w")
        name, *members = place.field.split(".")
        if name not in ALIGNED or "[]" in place.field or " " in place.field:
            continue
        unit = info.unit(int(asker, 16) - 1)
        assert unit is not None
        start, size = extent_of(unit.types[name], members)
        assert (int(offset) - start) % 64 < size, (place, offset, start)
        checked += 1
    assert checked >= 10


def extent_of(kind: Die, members: list[str]) -> tuple[int, int]:
    """Where in a type a member of a member lies, and how many bytes it has."""
    start = 0
    for name in members:
        member = member_of(bare(kind), name)
        at = member.attributes.get("DW_AT_data_member_location")
        start += at.value if at else 0
        kind = member.get_DIE_from_attribute("DW_AT_type")
    return start, bare(kind).attributes["DW_AT_byte_size"].value

"""Verification can fail: a program with a fault in its source must notice a wrong result and exit with 1."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT, TINY, run

# Workload, file, what stands there, what the fault makes of it.
FAULTS = [
    ("static self", "static.c", "++self->received == expected", "self->received++ == expected"),
    ("dynamic self", "dynamic.c", "tally_add(messages_freed);", ";"),
    ("dynamic main", "dynamic.c", "tally_add(actors_freed);", ";"),
    ("executor", "common/traffic.c", "== last)", "== last && self->received-- != 0)"),
    ("balance-one", "common/traffic.c", "== last)", "== last && self->received-- != 0)"),
    ("balance-multi", "common/traffic.c", "== last)", "== last && self->received-- != 0)"),
    ("repeat", "repeat.c", "= question->round;", "= question->round + (self->reply.server == 7);"),
    ("ping-pong", "ping-pong.c", "++self->received == last_round", "self->received++ == last_round"),
    ("matrix", "matrix.c", "sum += row", "sum += (i == 3 && column == 5) + row"),
    ("matrix blocked", "common/product.c", "sum += x", "sum += (i == 3 && column == 5) + x"),
    ("matrix blocked", "common/product.c", "for (; i < size; i++)", ""),
    ("thread-ring", "thread-ring.c", "--message->hops_left != 0", "message->hops_left-- != 0"),
    ("counting", "counting.c", "self->count++", "self->count += self->count != 7"),
    ("fork-join", "fork-join.c", "== last ?", "== last && self->received-- != 0 ?"),
    ("producer-consumer", "producer-consumer.c", "[product->producer]++", "[product->producer / 2]++"),
    ("actor-creation", "actor-creation.c", "greeted = true", "greeted = self->elder != NULL"),
    ("big", "big.c", "self->asked = other", "self->asked = self"),
    ("big", "big.c", "self->pinged++", "self->pinged += question->from != &members[3]"),
    ("concdict", "concdict.c", "{key + 1, value}", "{key + 1, key == 7 ? former : value}"),
    (
        "concdict",
        "common/keeper.c",
        "self->served[self->count++] = (uint32_t)",
        "self->served[self->count++] = 0 * (uint32_t)",
    ),
    ("concsll", "concsll.c", "(*link)->key < key", "(*link)->key <= key"),
    ("concsll", "concsll.c", "size++", "size += node->next != NULL"),
    ("matrix-search", "common/letters.c", "{row, column}", "{row + (column == 7), column}"),
    ("floor", "floor.c", "receiver->received++;", "receiver->received += 2;"),
]


def build(folder: Path, program: str, file: str, old: str, new: str) -> Path:
    """Build a program from a copy of the workloads' sources in which `old` has become `new`."""
    shutil.copytree(ROOT / "workloads", folder, dirs_exist_ok=True)
    text = (folder / file).read_text()
    assert old in text, f"{file} has changed: the fault needs a new place"
    (folder / file).write_text(text.replace(old, new, 1))
    sources = [folder / f"{program}.c", *(folder / "common").glob("*.c")]
    flags = ["-std=c11", "-D_GNU_SOURCE", "-pthread", f"-I{ROOT}/core", f"-I{folder}/common"]
    names = ['-DACTORBENCH_BUILD="fault"', '-DACTORBENCH_VERSION="0"', "-DACTORBENCH_STATISTICS"]
    library = ROOT / "build/debug/libactor-message-centric.a"
    command = ["gcc", *flags, *names, *map(str, sources), str(library), "-lhwloc", "-lnuma", "-lm"]
    subprocess.run([*command, "-o", str(folder / "faulty")], check=True)
    return folder / "faulty"


@pytest.mark.parametrize(("workload", "file", "old", "new"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_a_fault_is_noticed(tmp_path: Path, workload: str, file: str, old: str, new: str) -> None:
    program, *parameters = TINY.get(workload, ["floor", "--sends", "1000"])
    faulty = build(tmp_path, program, file, old, new)
    result = run(faulty, *parameters, "--json")
    assert result.returncode == 1
    assert f"{program}: wrong result: " in result.stderr
    assert json.loads(result.stdout)["verified"] is False


def test_the_blocked_kernel_is_right_on_processors_without_avx2(tmp_path: Path) -> None:
    """No fault but another processor: where it is asked for, the answer becomes no."""
    program, *parameters = TINY["matrix blocked"]
    older = build(tmp_path, program, "common/product.c", '__builtin_cpu_supports("avx2")', "0")
    result = run(older, *parameters, "--json")
    assert result.returncode == 0, result.stderr

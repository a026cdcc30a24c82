"""Verification can fail: a program with a fault in its source must notice a wrong result and exit with 1."""

import json
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from conftest import ROOT, WORKLOADS, has_main, run

SOURCES = ROOT / "workloads"
FLAGS = [
    "-std=c11",
    "-D_GNU_SOURCE",
    "-pthread",
    f"-I{ROOT}/core",
    f"-I{SOURCES}/common",
    f"-I{SOURCES}/serving",
    "-isystem",
    "/usr/share/include/llhttp",
    '-DACTORBENCH_BUILD="fault"',
    '-DACTORBENCH_VERSION="0"',
    "-DACTORBENCH_STATISTICS",
]
LIBRARIES = ["-Wl,--as-needed", "-lhwloc", "-lnuma", "-luring", "-lm", "-lzmq"]

FAULTS = [
    (name, fault.get("file", f"{name}.c"), fault["old"], fault["new"], fault.get("run", workload["tests"][0]))
    for name, workload in WORKLOADS.items()
    for fault in workload["faults"]
]


def compiled(source: Path, result: Path, place: Path) -> Path:
    """Compile a source as if it stood in the folder `place`; returns `result`."""
    command = ["gcc", *FLAGS, "-iquote", str(place), "-c", str(source), "-o", str(result)]
    subprocess.run(command, check=True)
    return result


@pytest.fixture(scope="session")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Give the object of a source that has no fault, compiled once for all tests."""
    folder = tmp_path_factory.mktemp("unchanged")

    @cache
    def of(source: Path) -> Path:
        return compiled(source, folder / f"{source.parent.name}-{source.stem}.o", source.parent)

    return of


def build(
    folder: Path, unchanged: Callable[[Path], Path], program: str, file: str, old: str, new: str
) -> Path:
    """Build a program from the workloads' sources, in one of which `old` has become `new`."""
    changed = SOURCES / file
    text = changed.read_text()
    assert old in text, f"{file} has changed: the fault needs a new place"
    (folder / changed.name).write_text(text.replace(old, new, 1))
    (own,) = SOURCES.rglob(f"{program}.c")
    sources = [own, *(SOURCES / "common").glob("*.c")]
    if own.parent != SOURCES:
        served = [*own.parent.glob("*.c"), *(SOURCES / "serving").glob("*.c")]
        sources += [path for path in served if not has_main(path)]
        sources += Path("/usr/share/llhttp").glob("*.c")
    faulty = compiled(folder / changed.name, folder / "changed.o", changed.parent)
    objects = [faulty, *(unchanged(source) for source in sources if source != changed)]
    library = ROOT / "build/debug/libactor-message-centric.a"
    command = ["gcc", "-pthread", *map(str, objects), str(library), *LIBRARIES]
    subprocess.run([*command, "-o", str(folder / "faulty")], check=True)
    return folder / "faulty"


@pytest.mark.parametrize(
    ("program", "file", "old", "new", "arguments"), FAULTS, ids=[fault[0] for fault in FAULTS]
)
def test_a_fault_is_noticed(
    tmp_path: Path,
    unchanged: Callable[[Path], Path],
    program: str,
    file: str,
    old: str,
    new: str,
    arguments: str,
) -> None:
    faulty = build(tmp_path, unchanged, program, file, old, new)
    result = run(faulty, *arguments.split(), "--json")
    assert result.returncode == 1
    assert f"{program}: wrong result: " in result.stderr
    assert json.loads(result.stdout)["verified"] is False


def test_the_blocked_kernel_is_right_on_processors_without_avx2(
    tmp_path: Path, unchanged: Callable[[Path], Path]
) -> None:
    """No fault but another processor: where it is asked for, the answer becomes no."""
    asked = '__builtin_cpu_supports("avx2")'
    older = build(tmp_path, unchanged, "matrix", "common/product.c", asked, "0")
    result = run(older, "--rows", "43", "--kernel", "blocked", "--json")
    assert result.returncode == 0, result.stderr

"""Verification can fail: a program with a fault in its source must notice a wrong result and exit with 1."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT, WORKLOADS, has_main, run

FAULTS = [
    (name, fault.get("file", f"{name}.c"), fault["old"], fault["new"], fault.get("run", workload["tests"][0]))
    for name, workload in WORKLOADS.items()
    for fault in workload["faults"]
]


def build(folder: Path, program: str, file: str, old: str, new: str) -> Path:
    """Build a program from a copy of the workloads' sources in which `old` has become `new`."""
    shutil.copytree(ROOT / "workloads", folder, dirs_exist_ok=True)
    text = (folder / file).read_text()
    assert old in text, f"{file} has changed: the fault needs a new place"
    (folder / file).write_text(text.replace(old, new, 1))
    (own,) = folder.rglob(f"{program}.c")
    sources = [own, *(folder / "common").glob("*.c")]
    libraries = ["-lhwloc", "-lnuma", "-luring", "-lm"]
    flags = ["-std=c11", "-D_GNU_SOURCE", "-pthread", f"-I{ROOT}/core", f"-I{folder}/common"]
    if own.parent != folder:
        served = [*own.parent.glob("*.c"), *(folder / "serving").glob("*.c")]
        sources += [path for path in served if not has_main(path)]
        flags += [f"-I{folder}/serving"]
        sources += Path("/usr/share/llhttp").glob("*.c")
        flags += ["-isystem", "/usr/share/include/llhttp"]
        libraries += ["-lzmq"]
    names = ['-DACTORBENCH_BUILD="fault"', '-DACTORBENCH_VERSION="0"', "-DACTORBENCH_STATISTICS"]
    library = ROOT / "build/debug/libactor-message-centric.a"
    command = ["gcc", *flags, *names, *map(str, sources), str(library)]
    command += [*libraries, "-o", str(folder / "faulty")]
    subprocess.run(command, check=True)
    return folder / "faulty"


@pytest.mark.parametrize(
    ("program", "file", "old", "new", "arguments"), FAULTS, ids=[fault[0] for fault in FAULTS]
)
def test_a_fault_is_noticed(
    tmp_path: Path, program: str, file: str, old: str, new: str, arguments: str
) -> None:
    faulty = build(tmp_path, program, file, old, new)
    result = run(faulty, *arguments.split(), "--json")
    assert result.returncode == 1
    assert f"{program}: wrong result: " in result.stderr
    assert json.loads(result.stdout)["verified"] is False


def test_the_blocked_kernel_is_right_on_processors_without_avx2(tmp_path: Path) -> None:
    """No fault but another processor: where it is asked for, the answer becomes no."""
    older = build(tmp_path, "matrix", "common/product.c", '__builtin_cpu_supports("avx2")', "0")
    result = run(older, "--rows", "43", "--kernel", "blocked", "--json")
    assert result.returncode == 0, result.stderr

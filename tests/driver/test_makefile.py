"""The Makefile: another compiler, or other flags, make all anew; what was built says how; help is whole."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from actorbench.machine.facts import read_facts
from actorbench.machine.sources import Sources
from conftest import SOURCE

# In a compiler's place: notes how it was called, and makes the file that it was asked for.
COMPILER = """#!/bin/sh
[ "$1" = --version ] && echo "{name} 1.0" && exit
echo "{name} $*" >>calls
while [ $# -gt 0 ]; do [ "$1" = -o ] && : >"$2"; shift; done
"""
ARCHIVER = '#!/bin/sh\n: >"$2"\n'
FILES = ("core/actor.c", "core/worker_centric/send.c", "workloads/static.c", "workloads/common/workload.c")
PROGRAM = "build/release/worker-centric/static"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree of four empty files, with compilers of its own in bin/."""
    shutil.copy(SOURCE / "Makefile", tmp_path)
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "bin").mkdir()
    commands = {name: COMPILER.format(name=name) for name in ("gcc", "clang")} | {"gcc-ar": ARCHIVER}
    for name, text in commands.items():
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    return tmp_path


def made(tree: Path, *arguments: str) -> list[str]:
    """How the compilers were called to make the program."""
    inherited = {name: text for name, text in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    environment = inherited | {"PATH": f"{tree / 'bin'}:{os.environ['PATH']}"}
    calls = tree / "calls"
    calls.write_text("")
    subprocess.run(
        ["make", "-s", *arguments, PROGRAM], cwd=tree, env=environment, check=True, capture_output=True
    )
    return calls.read_text().splitlines()


def test_what_is_built_is_not_built_again(tree: Path) -> None:
    assert len(made(tree)) == len(FILES) + 1
    assert made(tree) == []
    assert made(tree, "--question") == []


@pytest.mark.parametrize(
    ("asked", "name", "flag"), [("CC=clang", "clang", "-O2"), ("CFLAGS=-O3", "gcc", "-O3")]
)
def test_another_compiler_or_other_flags_make_all_anew(tree: Path, asked: str, name: str, flag: str) -> None:
    before = made(tree)
    calls = made(tree, asked)
    assert len(calls) == len(before)
    assert all(call.startswith(f"{name} -std=c11 ") and f" {flag} " in f"{call} " for call in calls)
    assert all("-Iworkloads/common" in call for call in calls), "what is asked for takes nothing away"
    assert made(tree, asked) == []
    assert len(made(tree)) == len(before), "and back again"


def test_help_lists_every_target() -> None:
    text = (SOURCE / "Makefile").read_text(encoding="utf-8")
    (phony,) = re.findall(r"^\.PHONY: ((?:.*\\\n)*.*)$", text, re.MULTILINE)
    targets = set(phony.replace("\\", "").split())
    done = subprocess.run(["make", "-s", "help"], cwd=SOURCE, capture_output=True, text=True, check=True)
    listed = {line.split()[0]: line.split(maxsplit=1)[1:] for line in done.stdout.splitlines()}
    assert {"check", "install", "mutants-core"} <= targets
    assert set(listed) == targets
    assert all(listed.values()), "each says what it does"


def test_the_newest_change_is_of_this_version() -> None:
    version = re.search(r"^VERSION := (\S+)$", (SOURCE / "Makefile").read_text(), re.MULTILINE)
    newest = re.search(r"^## (\S+)", (SOURCE / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert version is not None
    assert newest is not None
    assert newest[1] == version[1]


def test_what_was_built_says_by_what(tree: Path) -> None:
    made(tree, "CC=clang", "CFLAGS=-O3")
    facts = read_facts(Sources.of_this_machine(tree)).values
    assert facts["compiler"] == "clang 1.0"
    assert str(facts["flags"]).startswith("-std=c11 ")
    assert str(facts["flags"]).endswith(" -O3 (workloads: -falign-loops=64)")


def test_the_workloads_loops_alone_are_aligned(tree: Path) -> None:
    """So that where they lie does not depend on the design; the core's own gain nothing by it."""
    aligned = {call.split()[-3] for call in made(tree) if "-falign-loops=64" in call.split()}
    assert aligned == {name for name in FILES if name.startswith("workloads/")}

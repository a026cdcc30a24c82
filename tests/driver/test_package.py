"""The package: a wheel, installed into an empty environment, measures in a folder of the user's."""

import os
import re
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

from actorbench import VERSION, suite
from actorbench.catalogue import all_experiments, find_experiments, known_experiments
from actorbench.errors import UserError
from actorbench.preset import load_preset
from actorbench.project import MARKER, Project, find_project
from conftest import PROGRAM, SOURCE
from test_guide import parsed

# In gcc's place: what it links is a program that prints a record; another file stays empty.
COMPILER = """#!/bin/sh
[ "$1" = --version ] && echo "gcc 99" && exit
for word in "$@"; do [ "$before" = -o ] && output=$word; before=$word; done
echo "$output" >>"$(dirname "$0")/made"
case $output in
*/obj/*) : >"$output" ;;
*) sed "s/WORKLOAD/$(basename "$output")/" "$(dirname "$0")/program" >"$output"; chmod +x "$output" ;;
esac
"""
ARCHIVER = '#!/bin/sh\n: >"$2"\n'

MINE = """
schema = 1
id = "mine"
title = "Mine"
kind = "lines"
workload = "executor"
workers = [1]
[[series]]
label = "list"
options = { queue = "list" }
"""


@dataclass(frozen=True)
class Installed:
    """An environment of its own with the package, a home with a cache, and a compiler in place of gcc."""

    root: Path

    def call(self, *words: str, folder: Path) -> subprocess.CompletedProcess[str]:
        """Run a command that the package installs, in a folder."""
        inherited = {
            name: text for name, text in os.environ.items() if not name.startswith(("PYTHON", "MAKE"))
        }
        inherited.pop("ACTORBENCH_ROOT", None)
        environment = inherited | {
            "PATH": f"{self.root / 'bin'}:{self.root / 'venv' / 'bin'}:{os.environ['PATH']}",
            "XDG_CACHE_HOME": str(self.root / "cache"),
            "ACTORBENCH_LOCKS": str(self.root),
            "COLUMNS": "200",
        }
        return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)

    def made(self) -> list[str]:
        """What the compiler has linked so far."""
        told = (self.root / "bin" / "made").read_text().splitlines()
        return [line for line in told if "/obj/" not in line]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Build the wheel and install it alone; what it depends on is found where this test finds it."""
    root = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = [
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--wheel-dir",
        str(root),
        str(SOURCE),
    ]
    subprocess.run([*pip, *build], check=True, capture_output=True)
    venv.create(root / "venv", with_pip=False)
    python = root / "venv" / "bin" / "python"
    (wheel,) = root.glob("*.whl")
    asked = ["--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([*pip, *asked], check=True, capture_output=True)
    (packages,) = (root / "venv" / "lib").glob("python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (root / "bin").mkdir()
    (root / "bin" / "program").write_text(
        PROGRAM.format(workload="WORKLOAD", config="release", body="record")
    )
    for name, text in (("gcc", COMPILER), ("gcc-ar", ARCHIVER), ("made", "")):
        (root / "bin" / name).write_text(text)
        (root / "bin" / name).chmod(0o755)
    return Installed(root)


def test_a_wheel_puts_the_command_on_the_path(installed: Installed, tmp_path: Path) -> None:
    done = installed.call("actorbench", "--version", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"actorbench, version {VERSION}\n")
    where = installed.call("python", "-c", "import actorbench; print(actorbench.__file__)", folder=tmp_path)
    assert where.stdout.startswith(str(installed.root)), "it is the wheel's, not the checkout's"


def test_the_package_knows_the_suites_experiments_and_machines(installed: Installed, tmp_path: Path) -> None:
    listed = installed.call("actorbench", "list", folder=tmp_path)
    assert listed.returncode == 0
    assert "executor-queues" in listed.stdout
    assert "thesis-intel" in installed.call("actorbench", "machine", folder=tmp_path).stdout
    assert installed.made() == [], "nothing is built before it is asked for"


def test_a_users_folder_is_measured_and_drawn_with_what_is_built_for_it(
    installed: Installed, tmp_path: Path
) -> None:
    (tmp_path / "plots").mkdir()
    (tmp_path / "plots" / "mine.toml").write_text(MINE)
    done = installed.call("actorbench", "figures", "--samples", "2", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "building worker-centric/executor (release) in " in done.stderr
    assert "all on one page: actorbench report " in done.stdout, "as the command is called here"
    (run,) = (tmp_path / "results").glob("*-mine")
    assert len((run / "samples.jsonl").read_text().splitlines()) == 2
    assert (run / "figures" / "mine.svg").exists()
    built = installed.made()
    assert built == ["build/release/worker-centric/executor"]
    assert installed.call("actorbench", "run", "executor", folder=tmp_path).returncode == 0
    assert installed.made() == built, "and it is built once"


def test_what_does_not_build_is_one_line(installed: Installed, tmp_path: Path) -> None:
    wrong = installed.call("actorbench", "run", "nonesuch", folder=tmp_path)
    assert wrong.returncode == 2
    assert "workload 'nonesuch' is not built" in wrong.stderr
    compiler = installed.root / "bin" / "gcc"
    compiler.write_text("#!/bin/sh\necho 'x.c:1:1: fatal error: hwloc.h: No such file' >&2\nexit 1\n")
    try:
        done = installed.call("actorbench", "run", "static", folder=tmp_path)
    finally:
        compiler.write_text(COMPILER)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("actorbench: 'make ")
    assert "hwloc.h: No such file (it needs, of Debian: make gcc libhwloc-dev" in done.stderr


def test_the_marker_makes_a_folder_a_project_below_which_all_commands_find_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ACTORBENCH_ROOT", raising=False)
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert find_project() == Project(SOURCE)
    (tmp_path / MARKER).touch()
    project = find_project()
    assert project == Project(tmp_path)
    assert (project.suite, project.build) == (SOURCE, SOURCE / "build")
    assert project.results == tmp_path / "results"
    assert project.presets == SOURCE / "plots" / "presets.toml"
    assert not Project(SOURCE).is_users


def test_a_users_experiment_comes_before_one_of_the_suite_with_its_id(tmp_path: Path) -> None:
    (tmp_path / MARKER).touch()
    project = Project(tmp_path)
    suites = [one.id for one in all_experiments(project)]
    assert "executor-queues" in suites, "as long as the user has none"
    (tmp_path / "plots").mkdir()
    (tmp_path / "plots" / "own.toml").write_text(MINE.replace('"mine"', '"executor-queues"'))
    assert [one.title for one in find_experiments(project, ["executor-queues"])] == ["Mine"]
    assert [one.title for one in all_experiments(project)] == ["Mine"]
    assert len(known_experiments(project)[0]) > len(suites)


def test_a_users_presets_are_whole(tmp_path: Path) -> None:
    """Once the suite's scales were written behind them: of a preset twice, or of one that is not there."""
    (tmp_path / MARKER).touch()
    (tmp_path / "plots").mkdir()
    presets = tmp_path / "plots" / "presets.toml"
    text = "schema = 1\n[quick]\nsamples = 3\n[mine]\nsamples = 4\n[mine.scale]\nexecutor = 0.5\n"
    presets.write_text(text)
    project = Project(tmp_path)
    assert load_preset(project, "mine").scale == {"executor": 0.5}
    assert load_preset(project, "quick").scale == load_preset(Project(SOURCE), "quick").scale
    presets.write_text(text + "[quick.scale]\nstatic = 2\n")
    assert load_preset(project, "quick").scale == {"static": 2}


def test_a_cache_that_can_not_be_written_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "packed").mkdir()
    (tmp_path / "packed" / "Makefile").write_text("all:")
    (tmp_path / "file").touch()
    monkeypatch.setattr(suite, "PACKED", tmp_path / "packed")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(UserError, match=r"cannot be written: .*; XDG_CACHE_HOME names another place"):
        suite.suite_folder()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first = suite.suite_folder()
    assert (first / "Makefile").read_text() == "all:"
    (tmp_path / "packed" / "Makefile").write_text("all: other")
    suite._unpacked.cache_clear()
    assert suite.suite_folder() != first, "another version has another place"


def test_the_pages_commands_are_commands() -> None:
    page = (SOURCE / "docs" / "package.md").read_text(encoding="utf-8")
    found = re.findall(r"^ {4}actorbench (.+?)(?:\s+#.*)?$", page, re.MULTILINE)
    assert len(found) >= 3
    for line in found:
        if not line.startswith("--"):
            parsed(line)

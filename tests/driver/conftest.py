"""A checkout of its own for each test, with fake workload programs: shell scripts that print records.

What costs most is left out here, where no test can tell: to copy this large process for each sample, to ask
the compiler for its version in each run, and to measure for each test what several look at (`Checkout.once`).
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from actorbench import process
from actorbench.cli import main
from actorbench.design import DEFAULT_DESIGN
from actorbench.machine.sources import Sources
from actorbench.project import Project
from actorbench.results import Results, load_results
from actorbench.store import Run, all_runs

SOURCE = Path(__file__).resolve().parents[2]
MACHINES_TOOLS = ("lstopo-no-graphics", "gcc", "gnuplot", "hyperfine", "valgrind")

# How long a test waits for what is to come: a hang has its name then. A slow or busy machine is no hang.
PATIENCE_S = 600.0
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# T4 and T7 are decided by rows of RATIOS; $bounds are those of T4.
CLAIMS = """
schema = 1
work = "A work"
lines = "its text"
[machines]
one = "a machine of theirs"
[[claims]]
id = "T4"
says = "copying is faster"
place = "section 1"
line = 7
machines = ["one"]
simulated = true
{bounds}
[[claims]]
id = "T5"
says = "somebody measures something"
place = "section 2"
line = 8
machines = ["one"]
simulated = false
[[claims.bounds]]
says = "it is measured"
kind = "unmeasured"
lacks = "a program that measures it"
"""


def bound_text(says: str, kind: str, experiment: str, **keys: object) -> str:
    """Give a claim's bound as its file has it: JSON's texts, numbers and lists are TOML's."""
    keys = {"says": says, "kind": kind, "experiment": experiment, **keys}
    lines = (f"{key} = {json.dumps(value)}" for key, value in keys.items())
    return "\n".join(("", "[[claims.bounds]]", *lines, ""))


FASTER = bound_text(
    "copy takes less than 0.9 of list", "ratio", "ratios", rows=["copy against list"], at_most=0.9
)

PRESETS = """
schema = 1
[quick]
samples = 3
[quick.scale]
executor = 0.5
static = 1
floor = 1
[simulated]
samples = 3
[simulated.scale]
executor = 0.025
static = 0.05
[simulated.parameters.executor]
tokens = 2
[thesis]
samples = 5
intervals_under_floor = true
[thesis.scale]
executor = 1
"""

LINES = """
schema = 1
id = "lines"
title = "Executor: queues"
kind = "lines"
workload = "executor"
workers = "1..all"
[[series]]
label = "copy"
options = { queue = "copy" }
[[series]]
label = "list"
options = { queue = "list" }
"""

TABLE = """
schema = 1
id = "table"
title = "A table"
kind = "table"
workload = "executor"
workers = "all"
columns = ["time_per_operation", "peak_memory", "missed_gulps"]
[[series]]
label = "copy"
options = { queue = "copy" }
[[series]]
label = "list | with a bar"
options = { queue = "list" }
"""

RATIOS = """
schema = 1
id = "ratios"
title = "Ratios"
kind = "ratios"
workload = "executor"
workers = [1]
[[rows]]
label = "copy against list"
at_most = 1.0
candidate = { options = { queue = "copy" } }
base = { options = { queue = "list" } }
[[rows]]
label = "copy against list, as a speed-up"
show = "speedup"
at_least = 5
candidate = { options = { queue = "copy" } }
base = { options = { queue = "list" } }
[[rows]]
label = "memory"
measure = "peak_memory"
candidate = { options = { queue = "copy" } }
base = { options = { queue = "list" } }
"""

STEALING_LINES = """
schema = 1
id = "stealing"
title = "Executor: stealing"
kind = "lines"
workload = "executor"
workers = "1..all"
ideal = [{ label = "ideal", base = "none", ratio = "1/N" }]
[[series]]
label = "none"
options = { steal = "none" }
[[series]]
label = "random"
options = { steal = "random" }
[[series]]
label = "longest"
options = { steal = "longest" }
"""

# $queue and $workers are those asked for; a list queue takes twice the time, and a little chance is added.
PROGRAM = """#!/bin/sh
workers=1 queue=copy memory=1048576
for last in "$@"; do
    case $before in --workers) workers=$last ;; --queue) queue=$last ;; esac
    case $last in --help) exit ;; esac
    before=$last
done
base=100000; [ $queue = list ] && base=200000
elapsed=$((base + $$ % 997))
record() {{
    printf '{{"schema":1,"system":"actorbench","version":"1","design":"worker-centric","build":"{config}",'
    printf '"options":{{"queue":"%s"}},"workload":"{workload}","parameters":{{}},' $queue
    printf '"workers":%d,"elapsed_ns":%d,"cpu_ns":%d,"operations":1000,' $workers $elapsed $elapsed
    printf '"unit":"message","peak_rss_bytes":%d,"verified":%s,"notes":[]}}\\n' $memory ${{1:-true}}
}}
{body}
"""

# What a program of a commit does when it is run, as the `body` of PROGRAM.
NORMAL = "record"
SLOWER = "elapsed=$((elapsed * 13 / 10)); record"
LARGER = "memory=$((memory * 13 / 10)); record"
CRASH = "echo about to crash >&2; kill -SEGV $$"
HANG = "sleep 1000"
WRONG = "record false"
BAD_RECORD = "echo '{}'"
UNBUILDABLE = "does not compile"

# A program is built from programs/<workload>, or from programs/all where there is none of its own. The word
# FOLDER in it becomes the name of the folder that it is built in.
MAKEFILE = """
CONFIG := release
build/$(CONFIG)/%: programs/all $(wildcard programs/*)
\t@mkdir -p $(@D)
\t@source=programs/$(*F); test -e $$source || source=programs/all; \\
\tif grep -q 'does not compile' $$source; then \\
\t    echo "$(*F).c:1:1: error: there is no such thing" >&2; exit 1; \\
\tfi; \\
\tsed -e 's/WORKLOAD/$(*F)/' -e 's/DESIGN/$(*D)/' -e 's/CONFIG/$(CONFIG)/' \\
\t    -e 's/FOLDER/$(notdir $(CURDIR))/' $$source > $@; \\
\tchmod +x $@
"""

# Of a workload that is counted, and a program whose message takes `per` instructions and moves `lines` lines.
COUNTED_WORKLOADS = """
schema = 1
[static]
tests = ["--sends 5"]
explored = ["--sends 4"]
counted = ["--sends 1000", "--sends 3000"]
operations = { "--sends 7" = 7 }
faults = [{ old = "a", new = "b" }]
scale = { quick = 1 }
"""
COUNTED_BODY = """# per={per}
before= lines={lines}
for word in "$@"; do
    [ "$before" = --sends ] && sends=$word
    [ "$before" = --replay ] && replay=$word
    before=$word
done
record | sed "s/operations\\":1000/operations\\":${{sends:-1000}}/"
moved=$((50 + lines * ${{sends:-0}} + ${{sends:-0}} * (${{replay:-0}} % 7) / 100))
counts='"atomic_loads":1,"atomic_stores":2,"locked_operations":3,"line_transfers"'
[ -z "$replay" ] || echo "{{$counts:$moved}}"
"""
# In valgrind's place: reads `per` in the program, adds each "# nop", and 500,000 for start and end.
VALGRIND = """#!/bin/sh
while case $1 in --*) true ;; *) false ;; esac; do shift; done
per=$(($(sed -n 's/^# per=//p' "$1") + $(grep -c '^# nop' "$1")))
"$@" || exit
for word in "$@"; do [ "$before" = --sends ] && sends=$word; before=$word; done
echo "==$$== Collected : $((500000 + per * sends))" >&2
"""
# In perf's place: of a processor that has no counter, unless PERF_COUNTS is set.
PERF = """#!/bin/sh
while [ "$1" != -- ] && [ $# -gt 1 ]; do [ "$1" = -o ] && output=$2; shift; done
[ "$1" = -- ] && shift
count="<not supported>" before=
for word in "$@"; do [ "$before" = --sends ] && sends=$word; before=$word; done
[ -z "$PERF_COUNTS" ] || count=$((400000 + ${sends:-0} * $(sed -n 's/^# per=//p' "$1" | grep . || echo 0)))
"$@" || exit
echo "$count,,instructions:u,0,100.00,," > "${output:-/dev/stderr}"
"""

# Who commits; unsigned, and without tidying up, which would take longer than the commit.
GIT_CONFIG = """
[user]
    name = A
    email = a@example.org
[commit]
    gpgsign = false
[gc]
    auto = 0
[maintenance]
    auto = false
"""

GATE_CELLS = """
schema = 1
cells = [
    { name = "static-self-1", design = "worker-centric", workload = "static", workers = 1, scale = 1 },
    { name = "executor-1", design = "worker-centric", workload = "executor", workers = 1, scale = 1 },
    { name = "actor-1", design = "actor-centric", workload = "static", workers = 1, scale = 1 },
]
"""


@dataclass(frozen=True)
class Checkout:
    """A folder laid out as a checkout, and the driver at work in it."""

    root: Path

    @property
    def project(self) -> Project:
        """The checkout as the driver sees it."""
        return Project(self.root)

    def program(
        self, workload: str, body: str = "record", config: str = "release", design: str = DEFAULT_DESIGN
    ) -> None:
        """Put a fake program there; `body` is shell text in which `record [true|false]` prints a record."""
        path = self.root / "build" / config / design / workload
        path.parent.mkdir(parents=True, exist_ok=True)
        text = PROGRAM.format(workload=workload, config=config, body=body)
        path.write_text(text.replace('"design":"worker-centric"', f'"design":"{design}"'))
        path.chmod(0o755)

    def experiment(self, text: str, name: str) -> Path:
        """Put an experiment into plots/."""
        path = self.root / "plots" / f"{name}.toml"
        path.write_text(text)
        return path

    def call(self, *arguments: str) -> int:
        """Run the driver in this process; returns its exit status."""
        return main(list(arguments))

    def claims(self, bounds: str = FASTER) -> None:
        """Put claims into plots/claims: T4 with these bounds, and T5, which nothing measures."""
        self.project.claims.mkdir(exist_ok=True)
        (self.project.claims / "work.toml").write_text(CLAIMS.replace("{bounds}", bounds))

    def drawn(self, *arguments: str) -> tuple[Results, Path]:
        """Measure and draw; what was measured, and the run's folder."""
        assert self.call("figures", *arguments) == 0
        run = self.only_run()
        return load_results(run), run.folder

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Run the driver in a process of its own."""
        environment = os.environ | {"PYTHONPATH": str(SOURCE / "scripts"), "ACTORBENCH_ROOT": str(self.root)}
        return subprocess.Popen(
            [sys.executable, "-m", "actorbench", *arguments],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def once(self, name: str, make: Callable[[], object]) -> None:
        """Make what several tests look at, and none changes for the others: each has a copy of the folder.

        The first of them makes it, and hears what is said meanwhile. A name is its file's own.
        """
        made = self.root.parent / f"{make.__module__}, {name}"
        if made.exists():
            shutil.rmtree(self.root)
            shutil.copytree(made, self.root, symlinks=True)
        else:
            make()
            shutil.copytree(self.root, made, symlinks=True)

    def only_run(self) -> Run:
        """The one run in results/."""
        runs = all_runs(self.project)
        assert len(runs) == 1
        return runs[0]


@dataclass(frozen=True)
class GateCheckout(Checkout):
    """A checkout that is a git repository, whose commits build fake programs for the gate."""

    def git(self, *arguments: str) -> str:
        """Run git in the checkout; returns what it printed."""
        done = subprocess.run(["git", *arguments], cwd=self.root, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def behave(self, body: str, workload: str = "all") -> None:
        """Let the programs, or the one of a workload, do what `body` says, from the next commit on."""
        path = self.root / "programs" / workload
        path.parent.mkdir(exist_ok=True)
        noise = "elapsed=$((base + $$ * 613 % 997))"
        text = PROGRAM.format(workload="WORKLOAD", config="CONFIG", body=f"{noise}\n{body}")
        path.write_text(text.replace('"design":"worker-centric"', '"design":"DESIGN"'))

    def commit(self, body: str = NORMAL, workload: str = "all") -> str:
        """Commit what the programs, or the one of a workload, do; returns the commit."""
        self.behave(body, workload)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "Change the programs")
        return self.git("rev-parse", "HEAD")


@pytest.fixture(scope="session", autouse=True)
def light() -> Iterator[None]:
    """Leave out what takes long and no test in this process can tell.

    What is measured need not die with this driver, so that it is started without a copy of it: a driver that
    a test kills is a process of its own. And the machine's tools say the same each time.
    """
    ask = Sources.command

    @cache
    def answered(_path: str | None, *arguments: str) -> str | None:
        return ask(Sources(Path("/"), Path("/")), *arguments)

    def command(sources: Sources, *arguments: str) -> str | None:
        if arguments[0] in MACHINES_TOOLS:
            return answered(os.environ.get("PATH"), *arguments)
        return ask(sources, *arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process, "_die_with_the_driver", None)
        patch.setattr(Sources, "command", command)
        yield


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    """A checkout with one program, executor, and three experiments of 2 to 4 cells; 2 worker counts."""
    monkeypatch.setenv("ACTORBENCH_ROOT", str(tmp_path))
    monkeypatch.setenv("ACTORBENCH_LOCKS", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "plots").mkdir()
    (tmp_path / "plots" / "gnuplot").symlink_to(SOURCE / "plots" / "gnuplot")
    (tmp_path / "plots" / "presets.toml").write_text(PRESETS)
    made = Checkout(tmp_path)
    made.program("executor")
    made.experiment(LINES, "lines")
    made.experiment(TABLE, "table")
    made.experiment(RATIOS, "ratios")
    return made


@pytest.fixture
def gate_checkout(checkout: Checkout) -> GateCheckout:
    """A git repository of one commit, with programs of all workloads that take the same time."""
    made = GateCheckout(checkout.root)
    shutil.rmtree(made.root / "build")
    made.git("init", "--quiet", "--template=")
    with (made.root / ".git" / "config").open("a") as file:
        file.write(GIT_CONFIG)
    (made.root / ".gitignore").write_text("/build/\n/results/*\n/*.lock\n")
    (made.root / "Makefile").write_text(MAKEFILE)
    (made.root / "plots" / "gate.toml").write_text(GATE_CELLS)
    made.commit()
    return made


@pytest.fixture
def tools(checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand-ins for what counts, in a folder that comes first on PATH, and a workload that is counted."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in (("valgrind", VALGRIND), ("perf", PERF)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    (checkout.root / "workloads").mkdir()
    (checkout.root / "workloads" / "workloads.toml").write_text(COUNTED_WORKLOADS)
    (checkout.root / "plots" / "presets.toml").write_text("schema = 1\n[quick]\nsamples = 3\n")
    return folder

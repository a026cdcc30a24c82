"""Runs every suite that `make check` has built, and sums up: `N passed, N failed, N skipped`.

Suites: the cmocka programs of every configuration, pytest's folders, and the linters. A suite that crashes,
makes no progress or is missing counts as one failure. What fails is shown whole, and its end once more at
the end of all; what is skipped is named with its reason.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import progress

ROOT = Path(__file__).parent.parent
SHOWN_AGAIN = 20  # lines of each suite that failed
BIN = Path(sys.executable).parent
# The longest first, so that none is left alone at the end.
PYTESTS = {
    "tests/workloads": ["tests/workloads"],
    "tests/driver: the rest": ["tests/driver", "--ignore-glob=*/test_gate*"],
    "tests/driver: gate": sorted(map(str, (ROOT / "tests/driver").glob("test_gate*.py"))),
    "tests/test_scripted.py": ["tests/test_scripted.py"],
    "tests/*.py": ["tests/test_mutation.py", "tests/test_progress.py", "tests/test_prove.py"],
    "tests/compile": ["tests/compile"],
    "tests/library": ["tests/library"],
    "tests/test_pages.py": ["tests/test_pages.py"],
    "tests/peers": ["tests/peers"],
}


@dataclass
class Outcome:
    """What a suite did."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    reasons: list[str] = field(default_factory=list)
    output: str = ""
    cpu_s: float = 0.0


@dataclass
class Suite:
    """A command; `report` says whether it writes a JUnit report, and how it is told where."""

    name: str
    command: list[str]
    report: str = "none"


def suites() -> list[Suite]:
    """All suites, found by the files that should be there."""
    found = [Suite("prove --quick", [sys.executable, "tests/prove.py", "--quick"])]
    for name, words in PYTESTS.items():
        found.append(Suite(name, [str(BIN / "pytest"), "-q", "-p", "no:cacheprovider", *words], "pytest"))
    for config in of_make("CHECKED"):
        for name in core_tests():
            suite = f"{config}: {name.replace('/test_', ' ')}"
            found.append(Suite(suite, [f"build/{config}/tests/{name}"], "cmocka"))
    return found + linters()


def of_make(name: str) -> list[str]:
    """A list of the Makefile's, such as the configurations that are checked."""
    found = re.search(rf"^{name} *:= *(.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    if found is None:
        raise ValueError(f"the Makefile says nothing of {name}")
    return found[1].split()


def core_tests() -> list[str]:
    """The programs of tests/core: of face, messaging, io and its own for each design; the platform's."""
    names = []
    sharing = of_make("SHARDED")
    designs = sorted(folder.name.replace("_", "-") for folder in (ROOT / "core").glob("*_centric"))
    for owner in [*designs, "platform"]:
        folders = [owner] if owner == "platform" else ["face", "messaging", "io", owner.replace("-", "_")]
        folders += ["sharded"] if owner in sharing else []
        for folder in folders:
            sources = sorted((ROOT / "tests/core" / folder).glob("test_*.c"))
            names += [f"{owner}/{source.stem}" for source in sources]
    return names


def linters() -> list[Suite]:
    """The checks of style and types."""
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    sources = [name for name in tracked if name.endswith((".c", ".h", ".cpp", ".hpp"))]
    shells = [name for name in tracked if is_shell_script(name)]
    return [
        Suite("clang-format", ["clang-format", "--dry-run", "-Werror", *sources]),
        Suite("shellcheck", ["shellcheck", *shells]),
        Suite("ruff check", [str(BIN / "ruff"), "check", "scripts", "tests"]),
        Suite("ruff format", [str(BIN / "ruff"), "format", "--check", "scripts", "tests"]),
        Suite("mypy", [str(BIN / "mypy")]),
    ]


def is_shell_script(name: str) -> bool:
    """Whether a file's first line says so."""
    with (ROOT / name).open("rb") as file:
        return re.match(rb"#!.*\b(ba)?sh\n", file.readline()) is not None


def run(suite: Suite) -> Outcome:
    """Run one suite; its outcome is read from its report, or from its exit status."""
    with TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        environment = dict(os.environ)
        command = list(suite.command)
        if suite.report == "cmocka":
            environment |= {"CMOCKA_MESSAGE_OUTPUT": "XML", "CMOCKA_XML_FILE": str(report)}
        elif suite.report == "pytest":
            command += [f"--junitxml={report}"]
        try:
            done = progress.run(command, cwd=ROOT, env=environment)
        except FileNotFoundError:
            return Outcome(failed=1, output=f"{command[0]} is missing: is it built, or installed?")
        output = done.stdout + done.stderr
        if done.stuck is not None:
            outcome = Outcome(failed=1, output=f"{done.stuck}\n{output}")
        elif suite.report == "none":
            outcome = Outcome(
                passed=int(done.returncode == 0), failed=int(done.returncode != 0), output=output
            )
        else:
            outcome = read_report(report, done.returncode, output)
        outcome.cpu_s = done.cpu_s
        return outcome


def read_report(report: Path, status: int, output: str) -> Outcome:
    """Count a JUnit report; a status that it does not explain is one more failure."""
    outcome = Outcome(output=output)
    try:
        cases = list(ElementTree.parse(report).iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        cases = []
        outcome.output += f"\nits report cannot be read: {error}"
    for case in cases:
        problem = case.find("failure") if case.find("failure") is not None else case.find("error")
        skipped = case.find("skipped")
        if problem is not None:
            outcome.failed += 1
            outcome.output += f"\n{case.get('name')}: {problem.text or problem.get('message')}"
        elif skipped is not None:
            outcome.skipped += 1
            outcome.reasons.append(f"{case.get('name')}: {skipped.get('message') or 'not for this build'}")
        else:
            outcome.passed += 1
    if not cases or (status != 0 and outcome.failed == 0):
        outcome.failed += 1
        outcome.output += f"\nexit status {status}, and no report of a failure"
    return outcome


def main(arguments: Sequence[str] = ()) -> int:
    """Run all suites, two at a time, and print a line for each when it has ended."""
    argparse.ArgumentParser(description="Run every suite that `make check` has built.").parse_args(arguments)
    start = time.monotonic()
    total = Outcome()
    failures: dict[str, str] = {}
    planned = suites()
    width = max(len(suite.name) for suite in planned)
    print(f"{'suite':{width}}  passed  failed  skipped  CPU seconds  minutes so far")
    with progress.two_at_a_time() as pool:
        running = {pool.submit(run, suite): suite for suite in planned}
        for future in as_completed(running):
            suite, outcome = running[future], future.result()
            minutes = (time.monotonic() - start) / 60
            counts = f"{outcome.passed:6}  {outcome.failed:6}  {outcome.skipped:7}"
            print(f"{suite.name:{width}}  {counts}  {outcome.cpu_s:11.1f}  {minutes:14.1f}", flush=True)
            for reason in sorted(set(outcome.reasons)):
                print(f"{'':{width}}  skipped: {reason}")
            if outcome.failed:
                print(outcome.output)
                failures[suite.name] = outcome.output
            total.passed += outcome.passed
            total.failed += outcome.failed
            total.skipped += outcome.skipped
            total.cpu_s += outcome.cpu_s
    for name, output in failures.items():
        print("\n".join([f"failed: {name}", *output.rstrip().splitlines()[-SHOWN_AGAIN:]]))
    minutes = (time.monotonic() - start) / 60
    print(f"{minutes:.1f} minutes, {total.cpu_s / 60:.1f} minutes of CPU time")
    print(f"{total.passed} passed, {total.failed} failed, {total.skipped} skipped")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

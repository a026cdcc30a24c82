"""Plants errors in the driver, and prints which no test catches. `make mutants-driver` runs all of it.

usage: PYTHONPATH=scripts:tests python -m mutation [--only SUBSTR...] [--jobs N]

mutation.toml lists modules and tests; survivors.toml the mutants that no test can catch, since they do
what they replace, each with the reason. The exit status is 1 if another survives.
"""

import argparse
import json
import os
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from mutation.hunting import Hunt
from mutation.planting import ROOT, Mutant, mutants_of

HERE = Path(__file__).parent
LOG = "build/mutation.log"
OPTIONS = (
    "-q",
    "--capture=no",
    "--tb=native",
    "--assert=plain",
    "-p",
    "no:cacheprovider",
    "-o",
    "tmp_path_retention_policy=none",
)
Key = tuple[str, str, str, str, int]


def configured() -> dict[str, list[str]]:
    """Read the modules that errors are planted in, and the tests that look for them, as paths below ROOT."""
    listed = tomllib.loads((HERE / "mutation.toml").read_text(encoding="utf-8"))["modules"]
    return {
        f"scripts/actorbench/{name}": [f"tests/driver/{test}" for test in tests]
        for name, tests in listed.items()
    }


def read_survivors(path: Path) -> dict[Key, str]:
    """Read the mutants that may survive, and why each may; raises KeyError for an entry that is not whole."""
    listed = tomllib.loads(path.read_text(encoding="utf-8")).get("survivors", [])
    return {
        (one["file"], one["function"], one["before"], one["after"], one.get("count", 1)): one["why"]
        for one in listed
    }


def entry_of(mutant: Mutant, why: str) -> str:
    """Write a mutant as an entry of survivors.toml."""
    fields = {name: getattr(mutant, name) for name in ("file", "function", "before", "after")}
    fields |= {"count": mutant.count} if mutant.count > 1 else {}
    fields["why"] = why
    # JSON's strings are TOML's, too.
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    return "\n".join(["[[survivors]]", *lines, "", ""])


def hunt(tests: Mapping[str, Sequence[str]], jobs: int) -> Hunt:
    """Look for the mutants of the files, each by its tests; gives what was found."""
    found = Hunt([mutant for file in tests for mutant in mutants_of(file)], tests, jobs)
    print(f"{len(found.mutants)} errors to plant; what becomes of each: {LOG}", flush=True)
    with _printing_to(ROOT / LOG):
        files = dict.fromkeys(test for each in tests.values() for test in each)
        status = pytest.main([*OPTIONS, *(str(ROOT / file) for file in files)], [found])
    if status != pytest.ExitCode.OK and not found.broken:
        found.broken = f"pytest ended with status {status}: {LOG}"
    return found


@contextmanager
def _printing_to(path: Path) -> Iterator[None]:
    """Let this process, and what it starts, print into a file."""
    kept = [os.dup(1), os.dup(2)]
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as log:
        for number in (1, 2):
            os.dup2(log.fileno(), number)
        try:
            yield
        finally:
            sys.stdout.flush()
            for number, saved in zip((1, 2), kept, strict=True):
                os.dup2(saved, number)
                os.close(saved)


def report(
    mutants: Sequence[Mutant], survivors: Sequence[tuple[Mutant, str]], listed: Mapping[Key, str]
) -> int:
    """Print each new survivor, what is listed and does not survive, and the shares; the new ones' number."""
    new = [(mutant, why) for mutant, why in survivors if mutant.key not in listed]
    for mutant, why in new:
        print(entry_of(mutant, why))
    files = {mutant.file for mutant in mutants}
    keys, survived = {mutant.key for mutant in mutants}, {mutant.key for mutant, _ in survivors}
    for key in listed:
        if key[0] in files and key not in survived:
            what = "is caught" if key in keys else "is no mutant any more"
            print(f"listed as a survivor, but {what}: {key[0]}, {key[1]}: {key[2]} -> {key[3]}")
    for line in shares(mutants, [mutant for mutant, _ in survivors], listed):
        print(line)
    return len(new)


def shares(mutants: Iterable[Mutant], survivors: Sequence[Mutant], listed: Mapping[Key, str]) -> list[str]:
    """The table: a module a line, and all together."""
    counts: dict[str, Counter[str]] = {}
    for what, found in (
        ("planted", mutants),
        ("survived", survivors),
        ("equivalent", (one for one in survivors if one.key in listed)),
    ):
        for one in found:
            for row in (one.file.removeprefix("scripts/actorbench/"), "all"):
                counts.setdefault(row, Counter())[what] += 1
    counts["all"] = counts.pop("all")
    lines = [f"{'module':20} {'planted':>7} {'caught':>7} {'share':>7} {'equivalent':>10} {'missed':>6}"]
    for row, count in counts.items():
        caught, missed = count["planted"] - count["survived"], count["survived"] - count["equivalent"]
        share = f"{100 * caught / count['planted']:.1f} %"
        lines.append(
            f"{row:20} {count['planted']:7} {caught:7} {share:>7} {count['equivalent']:10} {missed:6}"
        )
    return lines


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="mutation", description="Plant errors in the driver.")
    parser.add_argument(
        "--only", nargs="+", default=[""], metavar="SUBSTR", help="modules with this in their path"
    )
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="tests run at a time")
    options = parser.parse_args()
    tests = {file: each for file, each in configured().items() if any(part in file for part in options.only)}
    if not tests:
        parser.error(f"no module contains {' or '.join(options.only)}")
    os.nice(19 - os.nice(0))
    found = hunt(tests, options.jobs)
    if found.broken:
        print(f"a test fails without any error planted:\n{found.broken}")
        return 2
    return 1 if report(found.mutants, found.survivors, read_survivors(HERE / "survivors.toml")) else 0


if __name__ == "__main__":
    sys.exit(main())

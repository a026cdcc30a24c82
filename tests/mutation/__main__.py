"""Plants errors in the driver, and prints which no test catches. `make mutants-driver` runs all of it.

usage: PYTHONPATH=scripts:tests python -m mutation [--only SUBSTR...] [--jobs N] [--anew] [--document]

mutation.toml lists modules and tests; survivors.toml the mutants that no test can catch, since they do
what they replace, each with the reason. The exit status is 1 if another survives. What was found is kept, so
that a run which was interrupted goes on.
"""

import argparse
import json
import os
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from prove import GUIDE, with_part

from mutation.hunting import Hunt
from mutation.keeping import Kept
from mutation.planting import ROOT, Mutant, mutants_of

HERE = Path(__file__).parent
LOG = "build/mutation.log"
KEPT = "build/mutation.jsonl"
ALL = "all"
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
    """Look for the mutants of the files, each by its tests; gives what was found, now and before."""
    mutants = [mutant for file in tests for mutant in mutants_of(file)]
    found = Hunt(mutants, tests, jobs, Kept(ROOT / KEPT, ROOT, tests))
    waiting = found.waiting
    known = f", {len(mutants) - len(waiting)} of them before" if len(waiting) < len(mutants) else ""
    print(f"{len(mutants)} errors to plant{known}; what becomes of each: {LOG}", flush=True)
    if waiting:
        with _printing_to(ROOT / LOG):
            files = dict.fromkeys(test for one in waiting for test in tests[one.file])
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
    print(f"{'module':20} {'planted':>7} {'caught':>7} {'share':>7} {'equivalent':>10} {'missed':>6}")
    for row in shares(mutants, [mutant for mutant, _ in survivors], listed):
        missed = row.planted - row.caught - row.equivalent
        print(f"{row.module:20} {row.planted:7} {row.caught:7} {row.share:>7} {row.equivalent:10} {missed:6}")
    return len(new)


@dataclass(frozen=True)
class Share:
    """What became of the mutants of a module, or of all."""

    module: str
    planted: int
    caught: int
    equivalent: int

    @property
    def share(self) -> str:
        """The share that was caught."""
        return f"{100 * self.caught / self.planted:.1f} %"


def shares(mutants: Iterable[Mutant], survivors: Sequence[Mutant], listed: Mapping[Key, str]) -> list[Share]:
    """Count them, module by module, and all together."""
    counts: dict[str, Counter[str]] = {}
    for what, found in (
        ("planted", mutants),
        ("survived", survivors),
        ("equivalent", (one for one in survivors if one.key in listed)),
    ):
        for one in found:
            for row in (one.file.removeprefix("scripts/actorbench/"), ALL):
                counts.setdefault(row, Counter())[what] += 1
    counts[ALL] = counts.pop(ALL)
    return [
        Share(row, count["planted"], count["planted"] - count["survived"], count["equivalent"])
        for row, count in counts.items()
    ]


def documented(guide: str, found: Sequence[Share]) -> str:
    """docs/correctness.md with these shares between its marks; raises ListError without them."""
    rows = [
        "| module | planted | caught | share | change nothing |",
        "| --- | ---: | ---: | ---: | ---: |",
        *(
            f"| {f'`{one.module}`' if one.module != ALL else ALL} | {one.planted:,} | {one.caught:,} |"
            f" {one.share} | {one.equivalent} |"
            for one in found
        ),
    ]
    return with_part(guide, "driver's mutants", rows)


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="mutation", description="Plant errors in the driver.")
    parser.add_argument(
        "--only", nargs="+", default=[""], metavar="SUBSTR", help="modules with this in their path"
    )
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="tests run at a time")
    parser.add_argument("--anew", action="store_true", help="forget what earlier runs have found")
    parser.add_argument("--document", action="store_true", help=f"write the shares into {GUIDE}")
    options = parser.parse_args()
    tests = {file: each for file, each in configured().items() if any(part in file for part in options.only)}
    if not tests:
        parser.error(f"no module contains {' or '.join(options.only)}")
    if options.document and len(tests) < len(configured()):
        parser.error("--document writes of all modules, so that --only makes no sense with it")
    if options.anew:
        (ROOT / KEPT).unlink(missing_ok=True)
    os.nice(19 - os.nice(0))
    found, listed = hunt(tests, options.jobs), read_survivors(HERE / "survivors.toml")
    if found.broken:
        print(f"a test fails without any error planted:\n{found.broken}")
        return 2
    new = report(found.mutants, found.survivors, listed)
    if options.document:
        guide = ROOT / GUIDE
        rows = shares(found.mutants, [mutant for mutant, _ in found.survivors], listed)
        guide.write_text(documented(guide.read_text(encoding="utf-8"), rows), encoding="utf-8")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())

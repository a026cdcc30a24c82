"""Runs what `tests/*/proofs.toml` list: searches, models, campaigns. Prints a table of what each found.

    make prove      all of them; make check runs those marked quick
    make mutants    the mutation table: every mutant of core/ must be caught, by the proof that it names
    tests/prove.py --document    writes the lists into docs/correctness.md

A proof is a command. It ends with status 0 if its claim holds and with 1 if it is refuted, and its last
line of output that reads `<unit> <number>` (such as `executions 1234`) says how much was searched. Where the
search is exhaustive the number is kept as a golden value: another number means that something else was
searched than what was meant.

A mutant may have a command in place of its proof's. That it fails shows something only if it does not fail on
the unchanged source, and so it is run there first.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import progress

ROOT = Path(__file__).resolve().parent.parent
MUTANTS = ROOT / "build" / "mutants"
GUIDE = "docs/correctness.md"
COPIED = ("core", "machine", "workloads", "tests", "Makefile")
UNITS = ("executions", "states", "schedules", "rounds", "runs")
HOLDS, REFUTED = "holds", "refuted"


class ListError(Exception):
    """A list of proofs or mutants that can't be followed."""


@dataclass(frozen=True)
class Proof:
    """A claim and the command that searches it."""

    id: str
    claim: str
    checker: str
    bound: str
    command: tuple[str, ...]
    build: tuple[str, ...]  # what make builds first
    expected: str  # HOLDS or REFUTED
    golden: int | None  # how much an exhaustive search searches
    at_least: int  # how much another must
    quick: bool


@dataclass(frozen=True)
class Mutant:
    """A change to a source that a proof must catch."""

    id: str
    file: str
    before: str
    after: str
    caught_by: str
    why: str
    command: tuple[str, ...]  # in place of the proof's, such as one with fewer schedules
    build: tuple[str, ...]  # likewise, such as one program of many


@dataclass(frozen=True)
class Finding:
    """What a command found."""

    verdict: str  # HOLDS, REFUTED, or why there is none
    searched: int | None
    unit: str
    cpu_s: float
    output: str


def read_lists(root: Path) -> tuple[list[Proof], list[Mutant]]:
    """Read every list below tests/; raises ListError with one line."""
    proofs: list[Proof] = []
    mutants: list[Mutant] = []
    for path in sorted(root.glob("tests/*/proofs.toml")):
        shown = path.relative_to(root)
        try:
            document = tomllib.loads(path.read_text(encoding="utf-8"))
            proofs += [_proof(entry) for entry in document.get("proofs", [])]
            mutants += [_mutant(entry) for entry in document.get("mutants", [])]
        except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
            raise ListError(f"{shown}: {error!r}") from error
    names = [proof.id for proof in proofs]
    for kind, ids in (("proof", names), ("mutant", [mutant.id for mutant in mutants])):
        for twice in sorted({one for one in ids if ids.count(one) > 1}):
            raise ListError(f"{kind} {twice} is listed twice")
    for mutant in mutants:
        if mutant.caught_by not in names:
            raise ListError(f"mutant {mutant.id} is to be caught by {mutant.caught_by}, which is no proof")
    return proofs, mutants


def _proof(entry: dict[str, object]) -> Proof:
    command, build = entry["command"], entry.get("build", [])
    if not isinstance(command, list) or not isinstance(build, list):
        raise TypeError("command and build are lists of words")
    golden = entry.get("golden")
    return Proof(
        id=str(entry["id"]),
        claim=str(entry["claim"]),
        checker=str(entry["checker"]),
        bound=str(entry["bound"]),
        command=tuple(map(str, command)),
        build=tuple(map(str, build)),
        expected=REFUTED if entry.get("refuted") else HOLDS,
        golden=None if golden is None else int(str(golden)),
        at_least=int(str(entry.get("at_least", 1))),
        quick=bool(entry.get("quick", False)),
    )


def _mutant(entry: dict[str, object]) -> Mutant:
    command, build = entry.get("command", []), entry.get("build", [])
    if not isinstance(command, list) or not isinstance(build, list):
        raise TypeError("command and build are lists of words")
    return Mutant(
        id=str(entry["id"]),
        file=str(entry["file"]),
        before=str(entry["before"]),
        after=str(entry["after"]),
        caught_by=str(entry["caught_by"]),
        why=str(entry.get("why", "")),
        command=tuple(map(str, command)),
        build=tuple(map(str, build)),
    )


def search(command: Sequence[str], *, folder: Path) -> Finding:
    """Run a proof's command, and read what it says; nothing that it started is left behind."""
    try:
        done = progress.run(command, cwd=folder)
    except OSError as error:
        return Finding(f"cannot be run: {error.strerror}", None, "", 0.0, "")
    output = done.stdout + done.stderr
    counts = re.findall(rf"^({'|'.join(UNITS)}) (\d+)$", output, re.MULTILINE)
    unit, number = counts[-1] if counts else ("", "")
    verdicts = {0: HOLDS, 1: REFUTED}
    verdict = done.stuck or verdicts.get(done.returncode, f"ended with status {done.returncode}")
    return Finding(verdict, int(number) if number else None, unit, done.cpu_s, output)


def complaint(proof: Proof, finding: Finding) -> str | None:
    """What is wrong with a finding; None if it is what the list says."""
    if finding.verdict != proof.expected:
        return (
            f"{finding.verdict}, where it {proof.expected} is listed"
            if finding.verdict in (HOLDS, REFUTED)
            else finding.verdict
        )
    if finding.searched is None:
        return "does not say how much it searched"
    if proof.golden is not None and finding.searched != proof.golden:
        return f"searched {finding.searched:,} {finding.unit}, where {proof.golden:,} is listed"
    if finding.searched < proof.at_least:
        return f"searched {finding.searched:,} {finding.unit} only, where {proof.at_least:,} is asked for"
    return None


def extent(finding: Finding) -> str:
    """How much was searched, if the command says so."""
    return "" if finding.searched is None else f"{finding.searched:,} {finding.unit}"


def build(targets: Iterable[str], folder: Path) -> str | None:
    """Make what proofs need; None, or what the compiler said.

    A target may be several words of make's: what differs in the last one only is made side by side.
    """
    together: dict[tuple[str, ...], list[str]] = {}
    for target in dict.fromkeys(targets):
        *words, last = target.split()
        together.setdefault(tuple(words), []).append(last)
    for before, lasts in together.items():
        made = [*before, *lasts]
        done = subprocess.run(
            ["make", "-s", "-j2", *made], cwd=folder, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            return f"make {' '.join(made)}: {done.stdout}{done.stderr}"
    return None


def prove(proofs: Sequence[Proof]) -> int:
    """Run proofs, two at a time, and print a line for each; the number that failed."""
    failed = 0
    why = build((target for proof in proofs for target in proof.build), ROOT)
    if why is not None:
        print(why)
        return len(proofs)
    claims = max(len(proof.claim) for proof in proofs)
    bounds = max(len(proof.bound) for proof in proofs)
    print(f"{'claim':{claims}}  {'checker':9}  {'bound':{bounds}}  {'searched':>23}  {'CPU s':>7}  verdict")

    def one(proof: Proof) -> Finding:
        return search(proof.command, folder=ROOT)

    with progress.two_at_a_time() as pool:
        for proof, finding in zip(proofs, pool.map(one, proofs), strict=True):
            problem = complaint(proof, finding)
            verdict = finding.verdict if problem is None else f"FAILED: {problem}"
            print(
                f"{proof.claim:{claims}}  {proof.checker:9}  {proof.bound:{bounds}}  {extent(finding):>23}  "
                f"{finding.cpu_s:7.1f}  {verdict}",
                flush=True,
            )
            if problem is not None:
                failed += 1
                print(f"    {' '.join(proof.command)}\n{finding.output[-4000:]}")
    print(f"{len(proofs) - failed} of {len(proofs)} claims as listed")
    return failed


def plant(mutant: Mutant) -> Path:
    """Copy the sources with the mutant's change; the copy's folder. Raises ListError if it no longer fits."""
    folder = MUTANTS / mutant.id
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, folder / name)
    changed = folder / mutant.file
    text = changed.read_text(encoding="utf-8")
    times = text.count(mutant.before)
    if times != 1:
        raise ListError(f"what it changes stands {times} times in {mutant.file}, not once")
    changed.write_text(text.replace(mutant.before, mutant.after), encoding="utf-8")
    return folder


def catch(mutant: Mutant, proof: Proof) -> Finding:
    """Plant a mutant and let its proof look for it."""
    try:
        folder = plant(mutant)
    except ListError as error:
        return Finding(str(error), None, "", 0.0, "")
    why = build(mutant.build or proof.build, folder)
    if why is not None:
        return Finding(f"does not build: {why}", None, "", 0.0, why)
    finding = search(mutant.command or proof.command, folder=folder)
    shutil.rmtree(folder, ignore_errors=True)
    return finding


def control(mutants: Sequence[Mutant], by_id: Mapping[str, Proof]) -> dict[tuple[str, ...], str] | None:
    """Run the commands that mutants have of their own on the unchanged source, each once; their verdicts.

    None if that source does not build. A proof's own command needs none: `make prove` is its control.
    """
    proof_of = {mutant.command: by_id[mutant.caught_by] for mutant in mutants if mutant.command}
    why = build((target for proof in proof_of.values() for target in proof.build), ROOT)
    if why is not None:
        print(why)
        return None

    def one(command: tuple[str, ...]) -> Finding:
        return search(command, folder=ROOT)

    verdicts = {}
    with progress.two_at_a_time() as pool:
        for command, finding in zip(proof_of, pool.map(one, proof_of), strict=True):
            verdicts[command] = finding.verdict
            print(f"unchanged  {finding.verdict:7}  {extent(finding):>16}  {' '.join(command)}", flush=True)
            if finding.verdict != proof_of[command].expected:
                print(finding.output[-4000:])
    return verdicts


def why_missed(finding: Finding, expected: str, unchanged: str | None) -> str | None:
    """Why a mutant is not caught; None if it is. `unchanged` is its control's verdict, if it has one."""
    if finding.verdict not in (HOLDS, REFUTED) or finding.verdict == expected:
        return finding.verdict
    if unchanged not in (expected, None):
        return f"{finding.verdict}, and {unchanged} on the unchanged source"
    return None


def hunt(mutants: Sequence[Mutant], proofs: Sequence[Proof]) -> int:
    """Run every mutant, and print the mutation table; the number that was not caught."""
    missed = 0
    by_id = {proof.id: proof for proof in proofs}
    verdicts = control(mutants, by_id)
    if verdicts is None:
        return len(mutants)
    width = max(len(mutant.id) for mutant in mutants)
    catchers = max(len(mutant.caught_by) for mutant in mutants)
    controls = max(len(verdict) for verdict in ("unchanged", *verdicts.values()))
    titles = f"{'mutant':{width}}  {'caught by':{catchers}}  {'unchanged':{controls}}"
    print(f"{titles}  {'after':>23}  {'CPU s':>7}  verdict")

    def one(mutant: Mutant) -> Finding:
        return catch(mutant, by_id[mutant.caught_by])

    with progress.two_at_a_time() as pool:
        for mutant, finding in zip(mutants, pool.map(one, mutants), strict=True):
            unchanged = verdicts.get(mutant.command)
            why = why_missed(finding, by_id[mutant.caught_by].expected, unchanged)
            missed += why is not None
            verdict = "caught" if why is None else f"NOT CAUGHT: {why}"
            columns = (
                f"{mutant.id:{width}}",
                f"{mutant.caught_by:{catchers}}",
                f"{unchanged or '-':{controls}}",
                f"{extent(finding):>23}",
                f"{finding.cpu_s:7.1f}",
                verdict,
            )
            print("  ".join(columns), flush=True)
    print(f"{len(mutants) - missed} of {len(mutants)} mutants caught")
    return missed


def listed(proofs: Sequence[Proof]) -> list[str]:
    """Write what would be proved as a table."""
    rows = [
        "| claim | proof | checker | bound | searched | verdict |",
        "| --- | --- | --- | --- | ---: | --- |",
    ]
    for one in proofs:
        count = f"{one.golden:,}" if one.golden is not None else f"at least {one.at_least:,}"
        rows.append(f"| {one.claim} | `{one.id}` | {one.checker} | {one.bound} | {count} | {one.expected} |")
    return rows


def listed_mutants(mutants: Sequence[Mutant]) -> list[str]:
    """The same of mutants."""
    rows = ["| mutant | file | caught by |", "| --- | --- | --- |"]
    return rows + [f"| `{one.id}` | `{one.file}` | `{one.caught_by}` |" for one in mutants]


def documented(guide: str, proofs: Sequence[Proof], mutants: Sequence[Mutant]) -> str:
    """docs/correctness.md with what the lists say between its marks; raises ListError without them."""
    own = sum(bool(mutant.command) for mutant in mutants)
    commands = len({mutant.command for mutant in mutants if mutant.command})
    parts = {
        "claims": [f"{len(proofs)} claims:", "", *listed(proofs)],
        "mutants": [
            f"{len(mutants)} mutants, {own} of them with {commands} commands of their own:",
            "",
            *listed_mutants(mutants),
        ],
    }
    for name, lines in parts.items():
        guide = with_part(guide, name, lines)
    return guide


def with_part(guide: str, name: str, lines: Sequence[str]) -> str:
    """docs/correctness.md with these lines between the marks of a part; raises ListError without them."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    before, found, rest = guide.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ListError(f"{GUIDE} lacks the marks of its {name}")
    return before + begin + "\n" + "\n".join(lines) + "\n\n" + end + after


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description="Search what core/ claims of its protocols.")
    parser.add_argument("--quick", action="store_true", help="only what is marked quick")
    parser.add_argument("--mutants", action="store_true", help="run the mutants in place of the proofs")
    parser.add_argument(
        "--document", action="store_true", help=f"write the lists into {GUIDE}, and run nothing"
    )
    parser.add_argument("--only", default="", metavar="SUBSTR", help="only those whose name contains this")
    options = parser.parse_args()
    try:
        proofs, mutants = read_lists(ROOT)
        if options.document:
            guide = ROOT / GUIDE
            guide.write_text(documented(guide.read_text(encoding="utf-8"), proofs, mutants), encoding="utf-8")
            return 0
        if options.mutants:
            hunted = [mutant for mutant in mutants if options.only in mutant.id]
            failed = hunt(hunted, proofs) if hunted else None
        else:
            chosen = [one for one in proofs if (one.quick or not options.quick) and options.only in one.id]
            failed = prove(chosen) if chosen else None
        if failed is None:
            raise ListError(f"no name contains {options.only!r}")
    except ListError as error:
        print(f"prove: {error}", file=sys.stderr)
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Stored: the runs that a ledger is made from, and the searches on record in docs/correctness.md."""

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress

from actorbench.errors import UserError
from actorbench.ledger.asking import missing_parts
from actorbench.ledger.claims import Claim
from actorbench.ledger.deciding import levels
from actorbench.ledger.judging import Finding, Judged, Part
from actorbench.machine.facts import Facts
from actorbench.project import Project
from actorbench.results import Results, load_results
from actorbench.simulated.description import Machine
from actorbench.store import Head, Run, all_kept_runs, all_runs
from actorbench.sweep import missing_slots

_SEARCH = re.compile(r"^\| [^|]+ \| `([^`]+)` \|(?: [^|]+ \|){3} (\w+) \|$", re.MULTILINE)


def stored_runs(
    project: Project, claims: Sequence[Claim], facts: Facts, simulated: str = ""
) -> list[Results]:
    """Read the newest whole runs of the claims' experiments on this machine, or on a simulated one.

    Of an experiment the last run that has it counts. One with fewer rounds than any verdict needs stands in
    only where there is no longer one. Runs that can't be read are passed over.
    """
    wanted = {name for claim in claims for name in claim.experiments}
    found: list[Results] = []
    runs = {run.name: run for run in (*all_runs(project), *all_kept_runs(project))}
    for least in (least_rounds(len(claims)), 1):
        for name in sorted(runs, reverse=True):
            if not wanted:
                break
            results = _usable(runs[name], wanted, facts, simulated, least)
            if results is not None:
                found.append(results)
                wanted -= {one.id for one in results.experiments}
    return found[::-1]


def simulated_machines(project: Project) -> list[str]:
    """Name the simulated machines that stored runs were made on, sorted."""
    found = set()
    for run in (*all_runs(project), *all_kept_runs(project)):
        with suppress(UserError):
            found.add(run.head().simulated)
    return sorted(found - {""})


def searches_on_record(project: Project) -> dict[str, str]:
    """Read the verdict of each search from docs/correctness.md, where `make prove` writes it, by its name."""
    path = project.docs / "correctness.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return dict(_SEARCH.findall(text))


def parts_to_decide(judged: Sequence[Judged], facts: Facts, simulated: Machine | None = None) -> list[Part]:
    """Give the parts of claims that this machine can decide by samples; or a simulated one, without peers."""
    values = {"topology": simulated.synthetic} if simulated else facts.values
    cpus = cpus_of(facts, simulated)
    return [
        part
        for one in judged
        for part in one.parts
        if part.bound.experiment
        and not missing_parts(values, cpus, part.bound.needs)
        and not (simulated and (part.bound.needs.peers or not one.claim.simulated))
    ]


def cpus_of(facts: Facts, simulated: Machine | None) -> int:
    """Count the CPUs that can be used of this machine, or of the simulated one."""
    return simulated.units if simulated else facts.usable_cpus


def parts_missing(parts: Sequence[Part], rounds: int, built: Collection[str]) -> list[Part]:
    """Give those parts that are of no run, or of fewer rounds than these and undecided.

    Or of a run from before the peers' systems that are `built` now.
    """
    return [part for part in parts if _is_missing(part, rounds, built)]


def experiments_of(parts: Iterable[Part]) -> list[str]:
    """Name the experiments of parts, each once."""
    return list(dict.fromkeys(part.bound.experiment for part in parts))


def _is_missing(part: Part, rounds: int, built: Collection[str]) -> bool:
    if part.finding is Finding.LACKING:
        peers = part.bound.needs.peers
        return bool(peers) and not part.bound.lacks and set(peers) <= set(built)
    return part.finding is Finding.OPEN or 0 < part.undecided_after < rounds


def least_rounds(claims: int) -> int:
    """Give the rounds without which no verdict is possible, among so many claims."""
    return levels(claims, 1).count


def rounds_wanted(claims: int) -> int:
    """Give the rounds that allow either verdict of a bound of up to 16 statements, among so many claims."""
    return levels(claims, 16).count


def _usable(run: Run, wanted: set[str], facts: Facts, simulated: str, least: int) -> Results | None:
    try:
        head = run.head()
        if (
            len(head.plan.rounds) < least
            or not _is_of(head, facts, simulated)
            or not wanted.intersection(_ids(head))
        ):
            return None
        results = load_results(run)
    except (UserError, OSError, KeyError):
        return None
    return None if missing_slots(head, list(results.samples)) else results


def _is_of(head: Head, facts: Facts, simulated: str) -> bool:
    if simulated or head.simulated:
        return head.simulated == simulated
    same = head.document.get("machine", {}).get("cpu_model") == facts.values["cpu_model"]
    return same and head.cpus == facts.usable_cpus


def _ids(head: Head) -> set[str]:
    """Read the experiments' ids from their texts, without reading all of them."""
    texts = (str(entry["text"]) for entry in head.document["experiments"])
    return {match[1] for text in texts if (match := re.search(r'^id = "([^"]+)"', text, re.MULTILINE))}

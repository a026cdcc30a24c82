"""Showing: the ledger as a table, and what a verdict rests on."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from actorbench.ledger.claims import Claim, numbered
from actorbench.ledger.judging import Judged, Part, Searches, Verdict, judge
from actorbench.ledger.statements import Statement
from actorbench.machine.facts import Facts, facts_from_json
from actorbench.results import Results
from actorbench.rules import level_text
from actorbench.table import Column, Table
from actorbench.text import counted, one_line
from actorbench.wording import number_text

RULE = (
    "each statement is about the median over the rounds of a number that one round gives, and has its exact"
    " sign test. A claim is reproduced if all its statements pass at 5 % over the number of claims looked at,"
    " not reproduced if the opposite of one passes at that over the number of its statements: with 95 % then"
    " no verdict of the ledger is wrong."
)


@dataclass(frozen=True)
class Ledger:
    """The claims judged on one machine by its runs, the last of which counts where two have an experiment."""

    machine: str
    runs: tuple[Results, ...]
    judged: tuple[Judged, ...]

    @cached_property
    def by_claim(self) -> Mapping[str, Judged]:
        """What was judged, by the claim's id."""
        return {one.claim.id: one for one in self.judged}

    @property
    def counts(self) -> str:
        """How many claims have which verdict."""
        found = Counter(one.verdict for one in self.judged)
        return ", ".join(f"{found[verdict]} {verdict.value}" for verdict in Verdict)

    @property
    def runs_text(self) -> str:
        """The runs that had samples for it, each with its commit."""
        used = {part.run for one in self.judged for part in one.parts if part.run}
        runs = [f"{one.name} (commit {_commit(one)})" for one in self.runs if one.name in used]
        return f"by run{'s' if len(runs) != 1 else ''} {', '.join(runs)}" if runs else "by no run"


def ledgers_of(
    claims: Sequence[Claim], runs: Sequence[Results], searches: Searches, here: str = ""
) -> list[Ledger]:
    """Judge the claims on each machine that the runs are of: first on `here`, if named, run or none."""
    by_machine: dict[str, list[Results]] = {here: []} if here or not runs else {}
    for results in runs:
        by_machine.setdefault(machine_of(results), []).append(results)
    return [Ledger(name, tuple(own), tuple(judge(claims, own, searches))) for name, own in by_machine.items()]


def machine_of(results: Results) -> str:
    """Name a run's machine: the simulated one's name, or the CPU's model and how many CPUs there were."""
    if results.head.simulated:
        return simulated_name(results.head.simulated)
    return named_machine(facts_from_json(results.head.document.get("machine", {})), results.head.cpus)


def simulated_name(machine: str) -> str:
    """Name a simulated machine as what it is."""
    return f"simulated: {one_line(machine)}"


def named_machine(facts: Facts, cpus: int) -> str:
    """Name a real machine."""
    model = one_line(str(facts.values["cpu_model"] or "a machine"))
    return f"{model}, {counted(cpus, 'CPU')}"


def claims_shown(ledgers: Sequence[Ledger], names: Sequence[str] = ()) -> list[Claim]:
    """Give the claims of ledgers, or those named, in the order of the sources and of their numbers."""
    known = {one.claim.id: one.claim for ledger in ledgers for one in ledger.judged}
    return [known[name] for name in sorted(names or known, key=_order)]


def ledger_table(ledgers: Sequence[Ledger], names: Sequence[str] = ()) -> Table:
    """Write a row a claim: what the source says, and of each machine the verdict and why."""
    claims = claims_shown(ledgers, names)
    rows = [
        [claim.id, claim.says, *(verdict_text(ledger.by_claim[claim.id]) for ledger in ledgers)]
        for claim in claims
    ]
    headings = ["claim", "what the source says", *(ledger.machine for ledger in ledgers)]
    notes = [f"{ledger.machine}: {ledger.counts}; {ledger.runs_text}" for ledger in ledgers]
    works = dict.fromkeys(f"{claim.id[0]}: {claim.work}" for claim in claims)
    columns = [Column(heading, numeric=False) for heading in headings]
    return Table("The sources' claims", columns, rows, [*notes, "; ".join(works), RULE])


def why_tables(ledger: Ledger, names: Sequence[str]) -> list[Table]:
    """Show what the verdicts of claims rest on: every statement with its number and the rounds that agree."""
    return [_why(ledger.by_claim[name]) for name in names]


def why_lines(judged: Judged) -> list[str]:
    """Say of a claim where it stands, on which machine it was made, and what came of it."""
    claim = judged.claim
    about = "; ".join(claim.machines)
    simulated = "a simulated machine may decide it" if claim.simulated else "only a measurement may decide it"
    return [
        f"{claim.work}, {claim.place}",
        f"claimed of {about}; {simulated}",
        verdict_text(judged),
    ]


def verdict_text(judged: Judged) -> str:
    """Write a verdict and why."""
    return judged.verdict.value + (f": {judged.why}" if judged.why else "")


def statement_text(statement: Statement) -> str:
    """Write a statement's number with its exact interval, such as "1.23 [1.1, 1.4] ns"."""
    text = _number(statement.middle)
    if statement.low is not None and statement.high is not None:
        text += f" [{_number(statement.low, statement.middle)}, {_number(statement.high, statement.middle)}]"
    return f"{text} {statement.unit}".strip()


def agreement_text(statement: Statement) -> str:
    """Write how many rounds agree."""
    of = "pairs of rounds" if statement.rounds == 2 else "rounds"
    return f"{statement.agreeing} of {statement.count} {of}"


def _why(judged: Judged) -> Table:
    rows: list[list[str]] = []
    for part in judged.parts:
        rows.append([part.bound.says, "", "", _found(part), part.bound.experiment, part.run])
        if part.steals:
            rows.append([f"  steals: {part.steals}", "", "", "", "", ""])
        rows += [
            [f"  {one.says}", statement_text(one), agreement_text(one), "", "", ""] for one in part.statements
        ]
    headings = ("part", "median [95 % interval]", "agree", "", "experiment", "run")
    columns = [Column(heading, numeric=number in (1, 2)) for number, heading in enumerate(headings)]
    levels = judged.levels
    notes = [
        f"a part holds if each of its statements passes at {level_text(levels.holds)}, and does not if the"
        f" opposite of one passes at {level_text(levels.fails)}: {levels.count} rounds at the least",
        RULE,
    ]
    return Table(f"{judged.claim.id}: {judged.claim.says}", columns, rows, notes, why_lines(judged))


def _found(part: Part) -> str:
    return part.finding.value + (f": {part.why}" if part.why else "")


def _commit(results: Results) -> str:
    return str(results.head.document.get("machine", {}).get("commit") or "unknown")[:12]


def _order(name: str) -> tuple[int, int]:
    letter, number = numbered(name)
    return "TSRL".find(letter), number


def _number(value: float, like: float | None = None) -> str:
    return number_text(value, like) if value >= 0 else f"-{number_text(-value, like)}"

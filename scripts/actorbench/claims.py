"""Claims: what the sources say, and whether a run reproduces it.

A claim is decided only by rows whose experiment file says so (`decides`): the row's ratio is to be at least,
or at most, a bound. Each bound is put to the exact sign test, corrected over all of the run (Holm): the claim
is reproduced if every bound holds, not reproduced if one is refuted, and else nothing can be told.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path

import numpy as np

from actorbench.estimates import Ratio, holm, sign_test
from actorbench.experiment import Experiment
from actorbench.ratios import Row, compare_rows
from actorbench.results import Results
from actorbench.rules import CONFIDENCE

FILE = Path(__file__).parent / "claims.toml"


class Finding(Enum):
    """What a run says of a claim."""

    REPRODUCED = "reproduced here"
    NOT_REPRODUCED = "not reproduced here"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True)
class Bound:
    """A bound that a claim puts to a row's ratio, and what the run says of it; `why` if it can't tell.

    `steals` are the row's (ratios.py).
    """

    claim: str
    experiment: str
    label: str
    ratio: Ratio | None
    at_least: bool
    bound: float
    finding: Finding
    why: str
    steals: str

    @property
    def text(self) -> str:
        """The bound as words, such as "at least 1.5"."""
        return f"at {'least' if self.at_least else 'most'} {self.bound:g}"


@dataclass(frozen=True)
class Claim:
    """A claim that a run tests; `finding` is None if no row of its experiments decides it."""

    id: str
    text: str
    experiments: tuple[str, ...]
    bounds: tuple[Bound, ...]

    @property
    def finding(self) -> Finding | None:
        """What all bounds together say."""
        found = {bound.finding for bound in self.bounds}
        if Finding.NOT_REPRODUCED in found:
            return Finding.NOT_REPRODUCED
        if Finding.CANNOT_TELL in found:
            return Finding.CANNOT_TELL
        return Finding.REPRODUCED if found else None

    @property
    def line(self) -> str:
        """The claim in one line, with its finding if there is one."""
        return f"{self.id}: {self.text}" + (f": {self.finding.value}" if self.finding else "")


@cache
def claim_texts() -> dict[str, str]:
    """Read the claims' short texts, by id."""
    return {name: str(text) for name, text in tomllib.loads(FILE.read_text(encoding="utf-8")).items()}


def claims_of(results: Results) -> list[Claim]:
    """Judge every claim that the run's experiments test, in the order of their ids."""
    bounds = list(_judged(results))
    tested = {claim for experiment in results.experiments for claim in experiment.claims}
    ids = sorted(tested, key=lambda name: (name[0], int(name[1:])))
    return [
        Claim(
            name,
            claim_texts().get(name, ""),
            tuple(one.id for one in results.experiments if name in one.claims),
            tuple(bound for bound in bounds if bound.claim == name),
        )
        for name in ids
    ]


@dataclass(frozen=True)
class _Asked:
    """A bound before it is judged; `p_value` is None if the machine or the samples allow no test."""

    experiment: Experiment
    row: Row
    at_least: bool
    bound: float
    p_value: float | None
    why: str


def _judged(results: Results) -> Iterator[Bound]:
    asked = list(_asked(results))
    tested = [one for one in asked if one.p_value is not None]
    adjusted = holm([one.p_value for one in tested if one.p_value is not None])
    by_number = dict(zip(map(id, tested), adjusted, strict=True))
    for one in asked:
        finding, why = Finding.CANNOT_TELL, one.why
        ratio = one.row.ratio
        if ratio and id(one) in by_number:
            if by_number[id(one)] > 1 - CONFIDENCE:
                why = "the samples do not decide it"
            else:
                holds = (ratio.ratio > one.bound) == one.at_least
                finding = Finding.REPRODUCED if holds else Finding.NOT_REPRODUCED
        rule = one.row.reading.decides
        assert rule is not None
        yield Bound(
            rule.claim,
            one.experiment.id,
            one.row.label,
            ratio,
            one.at_least,
            one.bound,
            finding,
            why,
            one.row.steals,
        )


def _asked(results: Results) -> Iterator[_Asked]:
    for experiment in results.experiments:
        for row in compare_rows(results, experiment):
            rule = row.reading.decides
            if rule is None:
                continue
            why = _hindrance(results, row)
            for at_least, bound in ((True, rule.at_least), (False, rule.at_most)):
                if bound is not None:
                    p_value = None if why else _p_value(results, row, bound)
                    yield _Asked(experiment, row, at_least, bound, p_value, why)


def _hindrance(results: Results, row: Row) -> str:
    """Say what keeps a row from being tested; empty if nothing does."""
    rule = row.reading.decides
    if rule and results.head.cpus < rule.needs_cpus:
        return f"needs {rule.needs_cpus} CPUs, the run had {results.head.cpus}"
    return (row.trouble or "not measured") if row.ratio is None else ""


def _p_value(results: Results, row: Row, bound: float) -> float:
    above, below = (row.base, row.candidate) if row.reading.speedup else (row.candidate, row.base)
    pairs = results.paired_values(above, below, row.measure)
    return sign_test(np.asarray([np.log(top / bottom / bound) for top, bottom in pairs]))

"""The state of a gate made of chosen numbers, in memory: no program is run."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from actorbench.cell import Cell
from actorbench.gate.cells import ARMS
from actorbench.gate.state import GateState
from actorbench.judging import Failure
from actorbench.plan import Plan
from actorbench.record import Record
from actorbench.sample import Sample
from actorbench.store import Head
from test_record import RECORD

MS = 1_000_000  # ns
SEED = 5

# What an arm of a cell did in a round: the fields in which its record differs from RECORD, or a failure.
Did = Callable[[str, str, int], Mapping[str, Any] | Failure]


def made_gate(
    stages: Sequence[tuple[str, Mapping[str, int]]],
    did: Did,
    *,
    wall_ns: Callable[[str, str, int], int] = lambda _cell, _arm, _round: 100 * MS,
    workers: int = 1,
    cpus: int = 2,
    **changed: object,
) -> GateState:
    """Make the state after these stages, each with so many rounds of each cell; `changed` is of the gate."""
    names = list(dict.fromkeys(name for _, pairs in stages for name in pairs))
    cells = [
        Cell(f"release@{arm}", "worker-centric", name, workers, 1, (("pin", "cores"),), (), arm=arm)
        for name in names
        for arm in ARMS
    ]
    rounds: list[tuple[int, ...]] = []
    spans = []
    for stage, pairs in stages:
        start = len(rounds)
        for number in range(max(pairs.values())):
            present = [name for name in names if pairs.get(name, 0) > number]
            rounds.append(tuple(3 * names.index(name) + arm for name in present for arm in range(3)))
        spans.append({"name": stage, "rounds": [start, len(rounds)]})
    gate = {
        "base": "main (1234)",
        "candidate": "HEAD (5678)",
        "commit": "1234",
        "budget_s": 60.0,
        "threshold": 0.05,
        "find": 0.10,
        "cells": [{"name": name, "arms": [3 * i, 3 * i + 1, 3 * i + 2]} for i, name in enumerate(names)],
        "noise": {},
        "stages": spans,
        **changed,
    }
    plan = Plan(tuple(cells), tuple(rounds))
    samples = [
        _sample(
            slot.cell, slot.round, slot.position, did, wall_ns(slot.cell.workload, slot.cell.arm, slot.round)
        )
        for slot in plan.slots()
    ]
    head = Head({"seed": SEED, "cpus": cpus, "doubts": ["the machine has neighbours"], "gate": gate}, plan)
    return GateState("a-gate", head, tuple(samples))


def _sample(cell: Cell, number: int, position: int, did: Did, wall_ns: int) -> Sample:
    done = did(cell.workload, cell.arm, number)
    crashed = isinstance(done, Failure)
    return Sample(
        key=cell.key,
        round=number,
        position=position,
        started="",
        padding=0,
        wall_ns=wall_ns,
        exit_status=None if crashed else 0,
        signal=11 if crashed else None,
        record=None if isinstance(done, Failure) else Record(RECORD | dict(done)),
        failure=done if isinstance(done, Failure) else None,
    )

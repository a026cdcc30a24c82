"""Results made of chosen numbers, in memory: no program is run."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from actorbench.cell import Cell, Resolver, wanted_cells
from actorbench.experiment import parse_experiment
from actorbench.judging import Failure
from actorbench.ledger.claims import Claim
from actorbench.plan import make_plan
from actorbench.preset import parse_preset
from actorbench.record import Record
from actorbench.results import Results
from actorbench.sample import Sample
from actorbench.stopping import Goal
from actorbench.store import Head
from conftest import PRESETS
from test_record import RECORD

MS = 1_000_000  # ns

# The fields in which the record of a cell and round differs from RECORD, None for one that it lacks; None in
# place of fields for a crash.
Measured = Callable[[Cell, int], Mapping[str, Any] | None]


def by_queue(copy: list[int], in_list: list[int]) -> Measured:
    """Let the copy and the list queue take these times (ns), round by round."""
    times = {"copy": copy, "list": in_list}
    return lambda cell, number: {"elapsed_ns": times[str(dict(cell.options)["queue"])][number]}


def made_results(
    text: str,
    measured: Measured,
    rounds: int,
    *,
    preset: str = "quick",
    workers: tuple[int, ...] = (1, 2),
    cpus: int = 2,
    goal: Goal | None = None,
    claims: Sequence[Claim] = (),
    **document: Any,  # noqa: ANN401 - more of the head
) -> Results:
    """Make the results of an experiment, of so many rounds."""
    experiment = parse_experiment(text, "plots/x.toml")
    resolver = Resolver(parse_preset(PRESETS, preset), workers)
    plan = make_plan(dict.fromkeys(wanted_cells(resolver, [experiment]), rounds), 1)
    samples = [_sample(slot.cell, slot.round, slot.position, measured) for slot in plan.slots()]
    head = Head(
        {
            "preset": preset,
            "seed": 1,
            "workers": list(workers),
            "cpus": cpus,
            "goal": goal and goal.to_json(),
            **document,
        },
        plan,
    )
    return Results("a-run", head, tuple(samples), (experiment,), resolver, claims=tuple(claims))


def _sample(cell: Cell, number: int, position: int, measured: Measured) -> Sample:
    fields = measured(cell, number)
    return Sample(
        key=cell.key,
        round=number,
        position=position,
        started="",
        padding=0,
        wall_ns=MS,
        exit_status=0 if fields is not None else None,
        signal=None if fields is not None else 11,
        record=None if fields is None else Record(_without_none(RECORD | dict(fields))),
        failure=Failure("crash", "it crashed") if fields is None else None,
    )


def _without_none(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}

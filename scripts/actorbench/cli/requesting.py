"""What a sweep's options ask for, as a request."""

import sys
from collections.abc import Mapping, Sequence

from actorbench.cli.options import SweepOptions, asked_preset
from actorbench.errors import UserError
from actorbench.experiment import Experiment
from actorbench.launch import Request
from actorbench.project import Project
from actorbench.simulated.description import Machine, find_machine


def request_of(experiments: Sequence[Experiment], asked: SweepOptions, machine: Machine | None) -> Request:
    """Make the request; `machine` is what is simulated, None if this one measures. Raises UserError."""
    if asked["retry_failed"]:
        raise UserError("--retry-failed is for a run that has failed samples: --resume names it")
    if asked["void_disturbed"] and (asked["budget"] or asked["precision"]):
        raise UserError("--void-disturbed repeats rounds after the plan, which --budget and --precision end")
    if not experiments:
        raise UserError("no experiment in plots/")
    return Request(
        experiments=experiments,
        preset=asked_preset(asked),
        samples=asked["samples"],
        workers=asked["workers"],
        seed=asked["seed"],
        timeout_s=asked["timeout"],
        only=asked["only"],
        budget_s=asked["budget"],
        precision=asked["precision"],
        void_disturbed=asked["void_disturbed"],
        pin=asked["pin"],
        machine=machine,
        arguments=sys.argv[1:],
    )


def asked_machine(project: Project, asked: Mapping[str, object]) -> Machine | None:
    """Find the machine that is to be simulated; raises UserError for what makes no sense with one."""
    if asked["machine"] is None:
        return None
    for name in ("budget", "precision", "void_disturbed"):
        if asked.get(name):
            raise UserError(f"--machine: nothing is timed, so --{name.replace('_', '-')} means nothing")
    return find_machine(project, str(asked["machine"]))

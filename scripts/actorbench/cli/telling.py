"""What a sweep tells of its run: the head, what has failed, and how to go on."""

from rich.console import Console

from actorbench.machine.facts import facts_from_json
from actorbench.stopping import MOST_FAILURES, given_up
from actorbench.store import Head, Run
from actorbench.suite import COMMAND
from actorbench.text import counted


def print_head(run: Run, head: Head, console: Console) -> None:
    """Tell what is measured, on which machine, and what makes its numbers doubtful."""
    values = dict(facts_from_json(head.document["machine"]).shown())
    told = ("CPU", "CPUs allowed (affinity)", "kernel", "compiler", "commit", "working tree")
    console.print(f"run {run.name}", style="bold")
    console.print("; ".join(f"{label} {values[label]}" for label in told), soft_wrap=True)
    for doubt in head.document["doubts"]:
        console.print(f"warning: {doubt}", soft_wrap=True)
    for system, why in head.skipped.items():
        console.print(f"skipped: {system}: {why}", soft_wrap=True)
    plan = head.plan
    workers = ",".join(map(str, head.workers))
    workers += f" ({head.workers_why})" if head.workers_why else ""
    workers += f", --pin {head.pin}" if head.pin else ""
    console.print(
        f"{counted(len(plan.cells), 'cell')}, {counted(plan.size, 'sample')} in"
        f" {counted(len(plan.rounds), 'round')}, preset {head.preset}, seed {head.seed}, workers {workers}",
        soft_wrap=True,
    )


def print_failed(run: Run, head: Head, console: Console, command: str) -> bool:
    """Tell which cells have failed, and how they are taken again; returns whether any has."""
    samples = run.samples()
    failed = {sample.key: sample.failure for sample in samples if sample.failure}
    if not failed:
        return False
    ended = given_up(samples)
    console.print(f"{len(failed)} of {len(head.plan.cells)} cells failed and have no estimate:")
    for key, failure in sorted(failed.items()):
        rest = f"; given up after {MOST_FAILURES} failures" if key in ended else ""
        console.print(f"  {key}: {failure.kind}: {failure.reason}{rest}", soft_wrap=True)
    console.print(f"take them again with: {_again(run, head, command)} --retry-failed", soft_wrap=True)
    return True


def print_interrupted(run: Run, console: Console, command: str) -> None:
    """Tell what an interrupted sweep has, and how to go on."""
    # Counted from the store, which is what a resumed run will find.
    head, samples = run.head(), run.samples()
    taken: dict[str, int] = {}
    for sample in samples:
        taken[sample.key] = taken.get(sample.key, 0) + 1
    planned: dict[str, int] = {}
    for slot in head.plan.slots():
        planned[slot.cell.key] = planned.get(slot.cell.key, 0) + 1
    complete = sum(taken.get(key, 0) >= count for key, count in planned.items())
    console.print(
        f"interrupted: {len(samples)} of {head.plan.size} samples taken, {complete} of {len(planned)} cells"
        f" complete, kept in results/{run.name}",
        soft_wrap=True,
    )
    console.print(f"go on with: {_again(run, head, command)}", soft_wrap=True)


def _again(run: Run, head: Head, command: str) -> str:
    on = f" --on {head.elsewhere['on']}" if head.elsewhere else ""
    return f"{COMMAND} {command} --resume {run.name}{on}"

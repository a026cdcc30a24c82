"""Kept runs: what the documents' blocks are written from, in docs/runs, which git holds.

A kept run is its `run.json` as it is, and its samples, all of them, compressed: `report`, `figures --run`,
`replay` and `export` work on it as on any other.
"""

import lzma
import shutil

from actorbench.errors import UserError
from actorbench.project import Project
from actorbench.store import PACKED_NAME, Run, find_run
from actorbench.suite import COMMAND
from actorbench.sweep import missing_slots


def keep_run(project: Project, name: str) -> Run:
    """Copy a run of results/ into docs/runs, if it is not there; raises UserError if it is not complete."""
    run = find_run(project, name)
    if run.is_kept:
        return run
    head = run.head()
    missing = missing_slots(head, run.samples())
    if missing:
        raise UserError(
            f"run {run.name} lacks {len(missing)} of {head.plan.size} samples:"
            f" {COMMAND} sweep --resume {run.name}"
        )
    kept = Run(project.kept_runs / run.name)
    try:
        kept.folder.mkdir(parents=True, exist_ok=True)
        packed = lzma.compress(run.samples_file.read_bytes(), preset=9 | lzma.PRESET_EXTREME)
        (kept.folder / PACKED_NAME).write_bytes(packed)
        shutil.copyfile(run.folder / "run.json", kept.folder / "run.json")
    except OSError as error:
        raise UserError(f"{project.shown(kept.folder)}: cannot be written: {error.strerror}") from error
    return kept


def kept_run(project: Project, name: str, where: str) -> Run:
    """Find a kept run; raises UserError, with how to keep it, if there is none."""
    run = Run(project.kept_runs / name)
    if "/" in name or not (run.folder / "run.json").is_file():
        raise UserError(f"{where}: no run '{name}' in docs/runs: {COMMAND} document --keep {name}")
    return run

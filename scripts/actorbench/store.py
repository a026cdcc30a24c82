"""The store: a run's folder in results/.

`run.json` says what was planned, on which machine and from which sources. It is written whole or not at all,
and once, unless a budget or a precision decides how many rounds there are. `samples.jsonl` gets one line a
sample, appended with a single write and synced at once, so that whatever ends the driver loses at most the
sample in flight. A last line that a crash has cut short or garbled is put aside in `put-aside.txt` when the
run is resumed, never dropped. A garbled line before the last is no crash's doing, and refused.

A run that the documents show is kept in docs/runs: complete, its samples compressed.
"""

import json
import lzma
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from actorbench.design import EARLIER_DEFAULT
from actorbench.errors import UserError, choices
from actorbench.jsonl import append_line, decode_lines, put_tail_aside, whole_size
from actorbench.plan import Plan, plan_from_json
from actorbench.project import Project
from actorbench.rules import CONFIDENCE
from actorbench.sample import ROUND_VOIDED, Sample, sample_from_json
from actorbench.schema import first_error, version_problem
from actorbench.stopping import Decision, Goal, goal_from_json
from actorbench.suite import COMMAND
from actorbench.system import System, system_from_json
from actorbench.text import one_line

STORE_SCHEMA = 1
WHOLE_KIND = "whole-process"
PACKED_NAME = "samples.jsonl.xz"


@dataclass(frozen=True)
class Head:
    """What `run.json` holds; `document` is the whole, the rest what the driver reads."""

    document: dict[str, Any]
    plan: Plan

    @property
    def preset(self) -> str:
        """The preset's name."""
        return str(self.document["preset"])

    @property
    def seed(self) -> int:
        """The seed of order, padding and bootstrap."""
        return int(self.document["seed"])

    @property
    def timeout_s(self) -> float:
        """The time limit of a sample, in seconds."""
        return float(self.document["timeout_s"])

    @property
    def workers(self) -> tuple[int, ...]:
        """The worker counts that "1..all" stands for."""
        return tuple(self.document["workers"])

    @property
    def workers_why(self) -> str:
        """Why these worker counts; "" if there is nothing to say."""
        return str(self.document.get("workers_why", ""))

    @property
    def pin(self) -> str | None:
        """The order of CPUs in place of the experiments'; None if there is none."""
        pin = self.document.get("pin")
        return None if pin is None else str(pin)

    @property
    def cpu_orders(self) -> dict[str, tuple[int, ...]]:
        """The orders of CPUs that own commands were bound in, by the pin's name."""
        return {pin: tuple(order) for pin, order in self.document.get("cpu_orders", {}).items()}

    @property
    def amounts(self) -> dict[str, float]:
        """The scales that a budget has put in place of the preset's, by workload."""
        return dict(self.document.get("amounts", {}))

    @property
    def goal(self) -> Goal | None:
        """What ends the sweep before its plan does; None if nothing."""
        return goal_from_json(self.document.get("goal"))

    @property
    def voids_disturbed(self) -> bool:
        """Whether a disturbed sample is voided and taken again."""
        return bool(self.document.get("void_disturbed", False))

    @property
    def skipped(self) -> dict[str, str]:
        """The systems that were not built when the run was planned, and why."""
        return dict(self.document.get("skipped", {}))

    @property
    def peers(self) -> list[System]:
        """The peers' systems that were built when the run was planned."""
        return [system_from_json(one) for one in self.document.get("peers", [])]

    @property
    def default_design(self) -> str:
        """The design that an experiment which names none meant when the run was planned."""
        return str(self.document.get("default_design", EARLIER_DEFAULT))

    @property
    def confidence(self) -> float:
        """The confidence of the intervals shown: 95 %, or more where a goal looks more than once."""
        return self.goal.confidence if self.goal else CONFIDENCE

    @property
    def simulated(self) -> str:
        """The machine that was simulated; "" if the run was measured."""
        return str(self.document.get("simulated", {}).get("name", ""))

    @property
    def elsewhere(self) -> dict[str, str]:
        """Of a run that a job has taken: `on` what, the `machine` as it was asked for, and its own `host`."""
        return dict(self.document.get("elsewhere", {}))

    @property
    def cpus(self) -> int:
        """The CPUs that the run could use."""
        return int(self.document["cpus"])


@dataclass(frozen=True)
class Run:
    """A run's folder; the folder's name is the run's."""

    folder: Path

    @property
    def name(self) -> str:
        """The run's name."""
        return self.folder.name

    @property
    def project(self) -> Project:
        """The checkout in whose results/, or docs/runs/, the run lies."""
        return Project(self.folder.absolute().parents[2 if self.is_kept else 1])

    @property
    def samples_file(self) -> Path:
        """The samples, one line of JSON each."""
        return self.folder / "samples.jsonl"

    @property
    def is_kept(self) -> bool:
        """Whether the run is a kept one: at its end, its samples compressed."""
        return (self.folder / PACKED_NAME).exists()

    @property
    def shown(self) -> str:
        """The folder, as messages name it."""
        return f"{'docs/runs' if self.is_kept else 'results'}/{self.name}"

    def document(self) -> dict[str, Any]:
        """Read `run.json` of any kind; raises UserError if it can't be read, or is of another version."""
        shown = f"{self.shown}/run.json"
        try:
            document: dict[str, Any] = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
            _, _ = document["schema"], document["kind"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise UserError(f"{shown}: cannot be read: {error}") from error
        problem = version_problem("store", document, STORE_SCHEMA)
        if problem:
            raise UserError(f"{shown}: {problem}{_commit_hint(document)}")
        return document

    @property
    def is_whole(self) -> bool:
        """Whether the run holds whole processes, timed by hyperfine; raises UserError as `document`."""
        return bool(self.document()["kind"] == WHOLE_KIND)

    def head(self) -> Head:
        """Read `run.json` of a sweep; raises UserError as `document`, or if it is of another kind."""
        shown = f"{self.shown}/run.json"
        document = self.document()
        if document["kind"] != "sweep":
            raise UserError(f"{shown}: is a run of kind '{document['kind']}', where a sweep is needed")
        problem = first_error("sweep-1", document)
        if problem:
            raise UserError(f"{shown}: {problem}")
        try:
            return Head(document, plan_from_json(document["plan"]))
        except IndexError as error:
            raise UserError(f"{shown}: {error}") from error

    def replan(self, head: Head, decision: Decision) -> Head:
        """Write what a look decided into `run.json`, whole or not at all; raises UserError."""
        told = list(dict.fromkeys([*head.document.get("decisions", ()), *decision.lines]))
        changed = {"goal": decision.goal.to_json(), "decisions": told, "plan": decision.plan.to_json()}
        return self.rewrite(head, changed)

    def rewrite(self, head: Head, changed: Mapping[str, Any]) -> Head:
        """Change what `run.json` holds, whole or not at all; returns the new head; raises UserError."""
        document = head.document | dict(changed)
        if document == head.document:
            return head
        try:
            write_whole(self.folder / "run.json", json.dumps(document, indent=1) + "\n")
        except OSError as error:
            raise UserError(f"{self.shown}/run.json: cannot be written: {error.strerror}") from error
        return Head(document, plan_from_json(document["plan"]))

    def samples(self) -> list[Sample]:
        """Read the samples that count, in the order taken; the tail that a crash left is passed over.

        Of a failed sample that was taken again, the newest counts. Raises UserError, naming the line, if a
        whole line is no sample.
        """
        found: dict[tuple[str, int], Sample] = {}
        for sample in self._read():
            slot = (sample.key, sample.round)
            if sample.voided is None and (slot not in found or found[slot].failure is not None):
                found.pop(slot, None)
                found[slot] = sample
        return list(found.values())

    def voided(self) -> list[Sample]:
        """Read the samples that do not count, in the order taken; raises UserError.

        A line that is voided for a disturbance takes those before it of its round with it, but for failures:
        their `voided` is ROUND_VOIDED.
        """
        return [sample for sample in self._read() if sample.voided is not None]

    def _content(self) -> bytes:
        """Read the samples' lines; raises UserError."""
        if not self.is_kept:
            return self.samples_file.read_bytes() if self.samples_file.exists() else b""
        try:
            return lzma.decompress((self.folder / PACKED_NAME).read_bytes())
        except lzma.LZMAError as error:
            raise UserError(f"{self.shown}/{PACKED_NAME}: cannot be read: {error}") from error

    def _read(self) -> list[Sample]:
        found: list[Sample] = []
        content = self._content()
        whole = content[: whole_size(content, sample_from_json)]
        shown = f"{self.shown}/{PACKED_NAME if self.is_kept else self.samples_file.name}"
        remedy = "restore it, or delete the line and have its sample taken again by --resume"
        for sample in decode_lines(whole, sample_from_json, shown=shown, what="sample", remedy=remedy):
            if sample.voided is not None:
                found = [_voided_with(sample.round, one) for one in found]
            found.append(sample)
        return found

    def put_tail_aside(self) -> str | None:
        """Move a last line that is no whole sample to `put-aside.txt`; returns a warning if there was one.

        Raises UserError if the folder can't be written.
        """
        try:
            size = put_tail_aside(self.samples_file, sample_from_json)
        except OSError as error:
            raise UserError(f"{self.shown}/: cannot be written: {error.strerror}") from error
        if size is None:
            return None
        return (
            f"the last line of {self.shown}/samples.jsonl was cut short or garbled"
            f" ({size} bytes): put aside in put-aside.txt; its sample is taken again"
        )

    def append(self, sample: Sample) -> None:
        """Add a sample and sync it to disk; raises OSError."""
        append_line(self.samples_file, sample.to_json())


def _voided_with(number: int, sample: Sample) -> Sample:
    """Void a sample, if it is of the round, unless it failed."""
    is_hit = sample.round == number and sample.voided is None and sample.ok
    return replace(sample, voided=ROUND_VOIDED) if is_hit else sample


def _commit_hint(document: dict[str, Any]) -> str:
    machine = document.get("machine")
    commit = machine.get("commit") if isinstance(machine, dict) else None
    return f", such as that of commit {one_line(str(commit))[:40]}" if commit else ""


def new_folder(project: Project, label: str) -> Path:
    """Make a folder for a run, named by the time (UTC) and the label; raises UserError."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    try:
        project.results.mkdir(parents=True, exist_ok=True)
        return _fresh_folder(project.results, f"{stamp}-{label}")
    except OSError as error:
        raise UserError(f"results/: cannot be written: {error.strerror}") from error


def create_run(project: Project, label: str, document: dict[str, Any], folder: Path | None = None) -> Run:
    """Write a run's head, in a new folder unless there is one for it; raises UserError."""
    folder = folder or new_folder(project, label)
    head = {"schema": STORE_SCHEMA, "run": folder.name, **document}
    try:
        write_whole(folder / "run.json", json.dumps(head, indent=1) + "\n")
    except OSError as error:
        with suppress(OSError):
            folder.rmdir()
        raise UserError(f"results/: cannot be written: {error.strerror}") from error
    return Run(folder)


def find_run(project: Project, name: str) -> Run:
    """Find a run, in results/ or kept, by its name or its folder's path; raises UserError with the newest."""
    for parent in (project.results, project.kept_runs):
        folder = parent / Path(name).name
        if (folder / "run.json").is_file():
            return Run(folder)
    newest = [run.name for run in all_runs(project)][-3:]
    raise UserError(f"no run '{name}' in results/ (newest: {choices(newest)})")


def all_runs(project: Project) -> list[Run]:
    """List the runs of results/, oldest first."""
    return [Run(head.parent) for head in sorted(project.results.glob("*/run.json"))]


def all_kept_runs(project: Project) -> list[Run]:
    """List the runs that are kept for the documents, oldest first."""
    return [Run(head.parent) for head in sorted(project.kept_runs.glob("*/run.json"))]


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that it is there whole or not at all, also after a crash; raises OSError."""
    temporary = path.with_name(path.name + ".new")
    try:
        with temporary.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise


def write_shown(path: Path, content: str | bytes) -> None:
    """Write a file that shows samples, such as a figure, whole; raises UserError, which says the way on."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    except OSError as error:
        raise UserError(
            f"{path}: cannot be written: {error.strerror}; nothing that was measured is lost, and"
            f" {COMMAND} figures --run RUN writes it again"
        ) from error


def write_output(path: Path, text: str) -> None:
    """Write a file that the user named: whole, but in place where a device, pipe or link is; raises OSError.

    To rename a file there would replace /dev/stdout, as root, with a file of that name.
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        with path.open("w", encoding="utf-8") as file:
            file.write(text)
    else:
        write_whole(path, text)


def _fresh_folder(parent: Path, name: str) -> Path:
    for suffix in ("", *(f"-{number}" for number in range(2, 1000))):
        folder = parent / (name + suffix)
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        return folder
    raise FileExistsError(17, "too many runs in one second")

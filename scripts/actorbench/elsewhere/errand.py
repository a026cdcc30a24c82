"""An errand: a run that one other machine is to take.

It lies as `errand.json` in the run's folder before anything is submitted, and says all that a job needs: a
submitter that is killed has lost nothing. The first job on the machine makes the plan, `run.json`; each takes
the rounds that it is called for, one job after another. So a run has one machine, and its samples one writer.
"""

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from actorbench.errors import UserError
from actorbench.jsonl import BAD
from actorbench.project import Project
from actorbench.sample import Sample
from actorbench.store import Head, Run, write_whole
from actorbench.sweep import missing_slots

FILE_NAME = "errand.json"
SCHEMA = 1
LOGS = "jobs"  # in a run's folder: what the jobs said


@dataclass(frozen=True)
class Errand:
    """What a machine is asked for.

    `on` names the engine and `machine` what it calls the machine; `together` is the same for all errands of
    one sweep. `rounds` are what the plan will have, in at most so many `jobs`. `asked` are the options of
    `sweep`, as the command line reads them.
    """

    folder: Path
    on: str
    machine: str
    together: str
    rounds: int
    jobs: int
    asked: Mapping[str, Any]

    @property
    def run(self) -> Run:
        """The run; it has no head before the machine has planned it."""
        return Run(self.folder)

    @property
    def is_planned(self) -> bool:
        """Whether the machine has made the plan."""
        return (self.folder / "run.json").is_file()

    @property
    def rounds_a_job(self) -> int:
        """How many rounds a job takes."""
        return -(-self.rounds // self.jobs)

    def to_json(self) -> str:
        """Write the errand, as its file holds it."""
        document = {
            "schema": SCHEMA,
            "on": self.on,
            "machine": self.machine,
            "together": self.together,
            "rounds": self.rounds,
            "jobs": self.jobs,
            "asked": dict(self.asked),
        }
        return json.dumps(document, indent=1) + "\n"

    def write(self) -> None:
        """Put the errand into the run's folder; raises UserError."""
        try:
            (self.folder / LOGS).mkdir(exist_ok=True)
            write_whole(self.folder / FILE_NAME, self.to_json())
        except OSError as error:
            raise UserError(f"results/{self.folder.name}: cannot be written: {error.strerror}") from error

    def jobs_missing(self, *, retry_failed: bool = False) -> list[int]:
        """Give the jobs, by number from 0, that still have samples to take.

        Rounds are cut the same each time, so that a job of an earlier submission is known by its number.
        Failed samples that are taken again make one job of all rounds: what fails always is given up once.
        """
        if not self.is_planned:
            missing = set(range(self.rounds))
        else:
            head, samples = self.taken()
            kept = [sample for sample in samples if not (retry_failed and sample.failure)]
            missing = {slot.round for slot in missing_slots(head, kept)}
        if retry_failed:
            return [0] if missing else []
        return sorted({number // self.rounds_a_job for number in missing})

    def taken(self) -> tuple[Head, list[Sample]]:
        """Read the head, and the samples so far."""
        return self.run.head(), self.run.samples()

    def last_words(self) -> str:
        """The last line that a job of the run has said; "" if none said anything."""
        logs = [path for path in (self.folder / LOGS).glob("*.log") if path.stat().st_size]
        if not logs:
            return ""
        newest = max(logs, key=lambda path: path.stat().st_mtime)
        return newest.read_text(encoding="utf-8", errors="replace").rstrip().rpartition("\n")[2]


def job_script(root: str, run: str, first: str, last: str, *, retry_failed: bool) -> str:
    """Write the shell's lines that take rounds of a run; the shell works out `first` and `last`."""
    more = " --retry-failed" if retry_failed else ""
    return f"""cd {shlex.quote(root)} || exit 2
ACTORBENCH_ROOT=$PWD command=./actorbench
export ACTORBENCH_ROOT
[ -x $command ] || command=actorbench
exec $command sweep --resume {run} --rounds "{first}-{last}" --wait{more}
"""


def read_errand(folder: Path) -> Errand:
    """Read a run's errand; raises UserError."""
    shown = f"results/{folder.name}/{FILE_NAME}"
    try:
        document = json.loads((folder / FILE_NAME).read_text(encoding="utf-8"))
        if document["schema"] != SCHEMA:
            raise UserError(f"{shown}: has schema {document['schema']!r}, where {SCHEMA} is read")
        return Errand(
            folder=folder,
            on=str(document["on"]),
            machine=str(document["machine"]),
            together=str(document["together"]),
            rounds=max(1, int(document["rounds"])),
            jobs=max(1, int(document["jobs"])),
            asked=dict(document["asked"]),
        )
    except UserError:
        raise
    except (OSError, *BAD) as error:
        raise UserError(f"{shown}: cannot be read: {error}") from error


def find_errand(project: Project, name: str) -> Errand | None:
    """Find the errand of a run, by its name or its folder's path; None if it has none; raises UserError."""
    folder = project.results / Path(name).name
    return read_errand(folder) if (folder / FILE_NAME).is_file() else None


def errands_together(project: Project, errand: Errand) -> list[Errand]:
    """Give all errands of the sweep that an errand is of, by machine; raises UserError."""
    found = (read_errand(path.parent) for path in sorted(project.results.glob(f"*/{FILE_NAME}")))
    return sorted((one for one in found if one.together == errand.together), key=lambda one: one.machine)


def as_asked(options: Mapping[str, Any]) -> dict[str, Any]:
    """Take options that JSON has held for those of a command line, where worker counts are a tuple."""
    workers = options.get("workers")
    return {**options, "workers": tuple(workers) if isinstance(workers, list) else workers}


def named_from(root: Path, experiments: Sequence[str]) -> list[str]:
    """Name experiments such that jobs, which start in the project's folder, find their files."""
    return [
        _named_from(root, name) if name.endswith(".toml") or "/" in name else name for name in experiments
    ]


def _named_from(root: Path, name: str) -> str:
    path = Path(name).absolute()
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)

"""What a campaign of gates keeps: results/campaigns/<time>-<kind>/.

`campaign.json` says what was asked for, of which commit and on which machine. `gates.jsonl` gets one line a
gate, appended and synced as soon as the gate ends; a table or figure needs nothing else. A last line that a
crash has cut short is put aside when the campaign goes on, and its gate is run anew.
"""

import json
import os
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Any

from actorbench.errors import UserError, choices
from actorbench.gate.cells import Entry
from actorbench.gate.deciding import Verdict
from actorbench.gate.running import Settings
from actorbench.jsonl import append_line, decode_lines, put_tail_aside, read_bytes, whole_size
from actorbench.machine.doubts import machine_doubts
from actorbench.machine.facts import Facts, facts_from_json
from actorbench.machine.sources import Sources
from actorbench.machine.versions import tool_versions
from actorbench.project import Project
from actorbench.schema import version_problem
from actorbench.store import write_whole
from gate_study.calibration import Calibration, calibration_from_json

SCHEMA = 1
FOLDER = "campaigns"
EARLIER_SLOWED = "static-self-1"  # of campaigns that do not say theirs


class Kind(Enum):
    """What a campaign's gates compare; the value is the end of its folder's name."""

    AA = "aa"
    LOADED = "aa-loaded"  # A/A, while another process loads one CPU by turns
    SELF_TEST = "self-test"
    INSTRUCTIONS = "planted-instructions"
    LINES = "planted-lines"


@dataclass(frozen=True)
class GateEntry:
    """One gate: `number` from 0, `gate` as schemas/gate-1.json has it.

    `asked` is the slow-down planted, as a fraction, and `delay_ns` what it took a send; both are None in
    A/A. `took_s` is the time from start to verdict. By cell, `costs_s` is what one round took, and `spreads`
    the scatter of one pair's log-ratio of the candidate in the first batch, by measure.
    """

    number: int
    started: str
    took_s: float
    seed: int
    asked: float | None
    delay_ns: float | None
    costs_s: dict[str, float]
    spreads: dict[str, dict[str, float]]
    gate: dict[str, Any]

    @property
    def verdict(self) -> Verdict:
        """The verdict over all."""
        return Verdict(self.gate["verdict"])

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The gate's lines, one a cell and measure."""
        found: list[dict[str, Any]] = self.gate["lines"]
        return found

    def line(self, cell: str, measure: str) -> dict[str, Any] | None:
        """The line of a cell and measure; None if the gate has none."""
        matching = (line for line in self.lines if (line["cell"], line["measure"]) == (cell, measure))
        return next(matching, None)


@dataclass(frozen=True)
class Campaign:
    """A campaign's folder, and what its `campaign.json` holds."""

    folder: Path
    document: dict[str, Any]

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name

    @property
    def shown(self) -> str:
        """The folder as a reader of the checkout sees it."""
        return f"results/{FOLDER}/{self.name}"

    @property
    def kind(self) -> Kind:
        """What the gates compare."""
        return Kind(self.document["kind"])

    @property
    def base(self) -> str:
        """The base as the user named it."""
        return str(self.document["base"])

    @property
    def commit(self) -> str:
        """The base's commit."""
        return str(self.document["commit"])

    @property
    def cells(self) -> list[Entry]:
        """The gates' cells; none of a campaign that did not keep them, and can't go on."""
        return list(self.document.get("entries", []))

    @property
    def slowed(self) -> str:
        """The cell that a self-test's slow-downs are slow-downs of."""
        return str(self.document.get("slowed", EARLIER_SLOWED))

    @property
    def settings(self) -> Settings:
        """What each gate is run with, but for its seed."""
        return Settings(**self.document["settings"], arguments=self.document["arguments"])

    @property
    def count(self) -> int:
        """The gates asked for; of a self-test, for each slow-down."""
        return int(self.document["count"])

    @property
    def total(self) -> int:
        """All gates of the campaign; those of a self-test are known once it is calibrated."""
        if self.kind is not Kind.SELF_TEST:
            return self.count
        return self.count * len(self.calibration.slowdowns) if self.calibration else 0

    @property
    def calibration(self) -> Calibration | None:
        """The delays of a self-test; None before it is calibrated."""
        return calibration_from_json(self.document.get("calibration"))

    @property
    def plants(self) -> list[dict[str, Any]]:
        """What is planted in each gate; nothing before it is chosen, and of campaigns that plant nothing."""
        return list(self.document.get("plants", []))

    @property
    def facts(self) -> Facts:
        """The machine that the campaign was started on."""
        return facts_from_json(self.document["machine"])

    def seed_of(self, name: object) -> int:
        """Give a gate by its number, or the calibration, a seed of its own."""
        return random.Random(f"{self.document['seed']}/{name}").getrandbits(32)

    def calibrated(self, calibration: Calibration) -> "Campaign":
        """Write the calibration down; raises UserError."""
        return self.with_entry("calibration", calibration.to_json())

    def with_entry(self, name: str, value: object) -> "Campaign":
        """Write down what was found out before the gates; raises UserError."""
        changed = replace(self, document=self.document | {name: value})
        changed.write("campaign.json", json.dumps(changed.document, indent=1, allow_nan=False) + "\n")
        return changed

    def write(self, name: str, text: str) -> None:
        """Write a file of the folder, whole or not at all; raises UserError."""
        try:
            write_whole(self.folder / name, text)
        except OSError as error:
            raise UserError(f"{self.shown}/{name}: cannot be written: {error.strerror}") from error

    @property
    def gates_file(self) -> Path:
        """The gates, one line of JSON each."""
        return self.folder / "gates.jsonl"

    def entries(self) -> list[GateEntry]:
        """Read the gates run so far, by number; a tail that a crash left is passed over; raises UserError."""
        shown = f"{self.shown}/gates.jsonl"
        content = read_bytes(self.gates_file, shown)
        told = {"what": "gate", "remedy": "restore it, or delete the line and have its gate run anew"}
        found: dict[int, GateEntry] = {}
        for entry in decode_lines(content[: whole_size(content, _entry)], _entry, shown=shown, **told):
            found.setdefault(entry.number, entry)
        return [found[number] for number in sorted(found)]

    def missing(self) -> list[int]:
        """The numbers of the gates that are still to be run."""
        done = {entry.number for entry in self.entries()}
        return [number for number in range(self.total) if number not in done]

    def put_tail_aside(self) -> None:
        """Move a last line that is no whole gate to `put-aside.txt`; raises UserError."""
        try:
            put_tail_aside(self.gates_file, _entry)
        except OSError as error:
            raise UserError(f"{self.shown}/: cannot be written: {error.strerror}") from error

    def append(self, entry: GateEntry) -> None:
        """Add a gate and sync it to disk; raises UserError."""
        try:
            append_line(self.gates_file, {"schema": SCHEMA, **asdict(entry)})
        except OSError as error:
            raise UserError(f"{self.shown}/gates.jsonl: cannot be written: {error.strerror}") from error


@dataclass(frozen=True)
class Asked:
    """What the user asked for: the base with its commit, the cells, how many gates, and what is slowed."""

    base: str
    commit: str
    cells: Sequence[Entry]
    settings: Settings
    count: int
    slowed: str = ""


def create_campaign(project: Project, kind: Kind, asked: Asked, facts: Facts) -> Campaign:
    """Make a campaign's folder, named by the time (UTC) and the kind, with its head; raises UserError."""
    settings = {
        name: value for name, value in asdict(asked.settings).items() if name not in ("seed", "arguments")
    }
    seed = asked.settings.seed
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    document = {
        "schema": SCHEMA,
        "kind": kind.value,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "arguments": list(asked.settings.arguments),
        "base": asked.base,
        "commit": asked.commit,
        "entries": list(asked.cells),
        **({"slowed": asked.slowed} if asked.slowed else {}),
        "count": asked.count,
        "seed": int.from_bytes(os.urandom(4)) if seed is None else seed,
        "settings": settings,
        "machine": facts.values,
        "doubts": [doubt.line for doubt in machine_doubts(facts)],
        "versions": tool_versions(Sources.of_this_machine(project.root)),
    }
    campaign = Campaign(project.results / FOLDER / f"{stamp}-{kind.value}", document)
    try:
        campaign.folder.mkdir(parents=True)
    except OSError as error:
        raise UserError(f"{campaign.shown}/: cannot be made: {error.strerror}") from error
    campaign.write("campaign.json", json.dumps(document, indent=1, allow_nan=False) + "\n")
    return campaign


def find_campaign(project: Project, name: str) -> Campaign:
    """Find a campaign by its name, or by the path of its folder; raises UserError with the newest choices."""
    folder = project.results / FOLDER / Path(name).name
    path = folder / "campaign.json"
    if not path.is_file():
        newest = sorted(head.parent.name for head in folder.parent.glob("*/campaign.json"))[-3:]
        raise UserError(f"no campaign '{name}' in results/{FOLDER}/ (newest: {choices(newest)})")
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        problem = version_problem("campaign", document, SCHEMA)
        campaign = Campaign(folder, document)
        if problem is None:
            _ = (campaign.kind, campaign.settings, campaign.total, campaign.facts, campaign.cells)
            _ = (campaign.base, campaign.commit, document["seed"], document["doubts"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(f"results/{FOLDER}/{folder.name}/campaign.json: cannot be read: {error}") from error
    if problem:
        raise UserError(f"{campaign.shown}/campaign.json: {problem}")
    return campaign


def _entry(document: dict[str, Any]) -> GateEntry:
    if document["schema"] != SCHEMA:
        raise ValueError(f"it is of version {document['schema']}, and this driver reads version {SCHEMA}")
    entry = GateEntry(**{name: value for name, value in document.items() if name != "schema"})
    _ = (entry.verdict, entry.lines)
    return entry

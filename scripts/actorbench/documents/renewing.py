"""Renewing: writes every block of the documents from what it names, and says which are missing or old."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from actorbench.coverage import selecting, simulating
from actorbench.coverage.tables import coverage_table
from actorbench.csv_rows import read_rows
from actorbench.documents.age import Age, age_since, code_of
from actorbench.documents.blocks import Block, Document, parse_document, read_document
from actorbench.documents.keeping import kept_run
from actorbench.documents.rendering import (
    Content,
    Picture,
    origin_text,
    picture_of,
    run_origin,
    table_content,
)
from actorbench.errors import UserError, choices
from actorbench.experiment import Experiment
from actorbench.ledger import simulating as ledger_simulating
from actorbench.ledger.claims import load_claims
from actorbench.ledger.judging import told_of
from actorbench.ledger.showing import ledger_table, ledgers_of
from actorbench.ledger.stored import searches_on_record
from actorbench.noise import noise_table
from actorbench.project import Project
from actorbench.results import Results, load_results
from actorbench.store import all_kept_runs, write_whole
from actorbench.table import Table
from actorbench.tables import table_for
from gate_study.count_tables import counts_table, planted_table
from gate_study.power_tables import power_table
from gate_study.store import Campaign, Kind, find_campaign
from gate_study.tables import campaign_table

# What a campaign's gates are made of.
GATED_CODE = ("core", "workloads", "scripts/actorbench/gate", "scripts/actorbench/counts")
_CAMPAIGN_TABLES = {
    Kind.SELF_TEST: power_table,
    Kind.INSTRUCTIONS: planted_table,
    Kind.LINES: planted_table,
}


def _coverage_tables(path: Path) -> dict[str, Table]:
    counts = read_rows(simulating.Count, path)
    return {name: coverage_table(counts, name) for name in dict.fromkeys(one.statistic for one in counts)}


def _verdicts_tables(path: Path) -> dict[str, Table]:
    counts = read_rows(ledger_simulating.Count, path)
    return {
        name: ledger_simulating.verdicts_table(counts, name)
        for name in dict.fromkeys(one.shape for one in counts)
    }


def _selection_tables(path: Path) -> dict[str, Table]:
    counts = read_rows(selecting.Count, path)
    return {
        str(number): selecting.selection_table(counts, number)
        for number in {one.options: 0 for one in counts}
    }


# What was simulated, by kind of block: the file in docs/, what a table is chosen by, and the tables by that.
_SIMULATED: Mapping[str, tuple[str, str, Callable[[Path], dict[str, Table]]]] = {
    "coverage": (simulating.FILE_NAME, "statistic", _coverage_tables),
    "verdicts": (ledger_simulating.FILE_NAME, "shape", _verdicts_tables),
    "selection": (selecting.FILE_NAME, "number of options", _selection_tables),
}


@dataclass(frozen=True)
class Shown:
    """A block as it stands, what belongs into it, and the image that it needs, if it is a figure.

    The age changes with the code, not with what was measured: a block that says the wrong one is not wrong.
    """

    where: str
    block: Block
    content: Content
    age: Age
    picture: Picture | None = None

    @property
    def body(self) -> str:
        """What belongs into the block; where its age is not known, what stands there of its age stays."""
        if not self.age.known and self.text_is_true:
            return self.block.body
        return self.content.body(is_old=bool(self.age.changed))

    @property
    def text_is_true(self) -> bool:
        """Whether what stands there is what would be written, whatever it says of its age."""
        return self.block.body in (self.content.body(is_old=False), self.content.body(is_old=True))

    @property
    def needs_image(self) -> bool:
        """Whether its image is missing, or drawn from something else."""
        return self.picture is not None and not self.picture.is_true


@dataclass
class Library:
    """The kept runs and campaigns of a checkout; each run is read once."""

    project: Project
    _read: dict[str, Results] = field(default_factory=dict)

    def results(self, name: str, where: str) -> Results:
        """Read a kept run; raises UserError if there is none."""
        if name not in self._read:
            self._read[name] = load_results(kept_run(self.project, name, where))
            for problem in self._read[name].left_out:
                raise UserError(problem)
        return self._read[name]

    def shown(self, document: Document, block: Block) -> Shown:
        """Find out what belongs into a block that names its source; raises UserError."""
        where = f"{document.shown}:{block.line}"
        if block.kind in ("gates", "counts"):
            return self._gates(block, where)
        if block.kind in _SIMULATED:
            return self._simulated(block, where)
        if block.kind == "ledger":
            return self._ledger(block, where)
        results = self.results(block.source, where)
        if block.kind == "noise":
            content = table_content(noise_table(results), block.columns, run_origin(results), where)
            return Shown(where, block, content, Age(known=True))
        experiment = _experiment(results, block, where)
        commit = results.head.document["machine"].get("commit")
        simulated = bool(results.head.simulated)
        age = age_since(self.project, commit, code_of(self.project, experiment, simulated=simulated))
        if block.kind == "figure":
            picture = picture_of(self.project, results, experiment, where)
            return Shown(where, block, picture.content(document.path, run_origin(results)), age, picture)
        table = table_for(results, experiment)
        # Of the claims that the table's notes tell, a caption has those that the run says something of.
        untold = {told_of(claim) for claim in results.claims}
        table = replace(table, notes=[note for note in table.notes if note not in untold])
        return Shown(where, block, table_content(table, block.columns, run_origin(results), where), age)

    def _gates(self, block: Block, where: str) -> Shown:
        campaign = find_campaign(self.project, block.source)
        entries = campaign.entries()
        make = _CAMPAIGN_TABLES.get(campaign.kind, campaign_table)
        if block.kind == "counts":
            make = counts_table
        content = table_content(make(campaign, entries), block.columns, _campaign_origin(campaign), where)
        return Shown(where, block, content, age_since(self.project, campaign.commit, GATED_CODE))

    def _simulated(self, block: Block, where: str) -> Shown:
        """Show counts that are of no machine and no commit: a test holds them against the code."""
        name, subject, make = _SIMULATED[block.kind]
        shown = f"docs/{name}"
        try:
            tables = make(self.project.docs / name)
        except (OSError, KeyError, ValueError) as error:
            raise UserError(f"{where}: {shown}: cannot be read: {error}") from error
        if block.source not in tables:
            raise UserError(f"{where}: no {subject} '{block.source}' (choices: {choices(list(tables))})")
        content = table_content(tables[block.source], block.columns, f"make coverage, {shown}", where)
        return Shown(where, block, content, Age(known=True))

    def _ledger(self, block: Block, where: str) -> Shown:
        runs = [self.results(name, where) for name in block.source.split()]
        ledgers = ledgers_of(load_claims(self.project.claims), runs, searches_on_record(self.project))
        origin = "; ".join(dict.fromkeys(run_origin(results) for results in runs))
        content = table_content(ledger_table(ledgers), block.columns, origin, where)
        ages = []
        for results in runs:
            commit = results.head.document["machine"].get("commit")
            simulated = bool(results.head.simulated)
            code = code_of(self.project, *results.experiments, simulated=simulated)
            ages.append(age_since(self.project, commit, code))
        changed = tuple(sorted({path for age in ages for path in age.changed}))
        return Shown(where, block, content, Age(known=all(age.known for age in ages), changed=changed))


def _campaign_origin(campaign: Campaign) -> str:
    return (
        f"Campaign {campaign.name}. {origin_text(campaign.document['started'][:10], campaign.facts.values)}"
    )


def _experiment(results: Results, block: Block, where: str) -> Experiment:
    for experiment in results.experiments:
        if experiment.id == block.experiment:
            return experiment
    held = choices([experiment.id for experiment in results.experiments])
    raise UserError(f"{where}: run {results.name} holds no experiment '{block.experiment}' (choices: {held})")


def documents_of(project: Project, files: Sequence[Path] = ()) -> list[Document]:
    """Read the documents named, or README.md and those of docs/; raises UserError."""
    named = files or [project.root / "README.md", *sorted(project.docs.glob("*.md"))]
    return [read_document(path.absolute(), project.shown(path)) for path in named]


def showing(document: Document, results: Results, replaced: str | None = None) -> Document:
    """Let every block that shows one of a run's experiments, or waits for it, show this run.

    With `replaced` only those that wait, or show that run. Without it, if the document shows an experiment of
    several runs, as of several machines, only those that wait for it; raises UserError if none does.
    """
    held = {experiment.id for experiment in results.experiments}
    return replace(
        document,
        parts=tuple(
            part.of_run(results.name)
            if isinstance(part, Block)
            and part.experiment in held
            and _is_taken(part, document, results.name, replaced)
            else part
            for part in document.parts
        ),
    )


def _is_taken(block: Block, document: Document, run: str, replaced: str | None) -> bool:
    if block.source in ("", run, replaced):
        return True
    if replaced is not None:
        return False
    alike = [one for one in document.blocks if one.experiment == block.experiment]
    others = sorted({one.source for one in alike} - {"", run})
    if len(others) > 1 and all(one.source for one in alike):
        raise UserError(
            f"{document.shown}:{block.line}: shows {block.experiment} of {len(others)} runs: say with"
            f" --replace RUN whose place {run} takes (one of {choices(others)})"
        )
    return len(others) == 1


def renew(library: Library, document: Document) -> tuple[Document, list[Shown]]:
    """Write every block of a document that names its source; raises UserError.

    Returns the document as it is to be, and the blocks as they stood, each with its place in the former.
    """
    found = [library.shown(document, block) for block in document.blocks if block.source]
    bodies = {one.block.line: one.body for one in found}
    parts = tuple(
        replace(part, body=bodies[part.line]) if isinstance(part, Block) and part.line in bodies else part
        for part in document.parts
    )
    written = parse_document(replace(document, parts=parts).text, document.path, document.shown)
    places = [f"{written.shown}:{block.line}" for block in written.blocks if block.source]
    return written, [replace(one, where=place) for one, place in zip(found, places, strict=True)]


def require_one_run_an_image(found: Sequence[Shown]) -> None:
    """Raise UserError if two blocks draw the same experiment from two runs: they have one image."""
    drawn: dict[Path, Shown] = {}
    for one in found:
        if one.picture is None:
            continue
        other = drawn.setdefault(one.picture.path, one)
        if other.block.source != one.block.source:
            raise UserError(
                f"{one.where}: draws {one.block.experiment} from run {one.block.source}, {other.where} from"
                f" {other.block.source}: a figure of the documents is of one run"
            )


def write(document: Document, found: Sequence[Shown]) -> bool:
    """Write a renewed document and its images, where they are not so already; returns whether any was."""
    pictures = [one.picture for one in found if one.picture and one.needs_image]
    for picture in pictures:
        picture.draw()
    try:
        changed = document.path.read_text(encoding="utf-8") != document.text
        if changed:
            write_whole(document.path, document.text)
    except OSError as error:
        raise UserError(f"{document.shown}: cannot be written: {error.strerror}") from error
    return changed or bool(pictures)


def unused_runs(project: Project, documents: Sequence[Document]) -> list[str]:
    """Name the kept runs that no block of these documents shows."""
    used = {name for document in documents for block in document.blocks for name in block.source.split()}
    return [run.shown for run in all_kept_runs(project) if run.name not in used]

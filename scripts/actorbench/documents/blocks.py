"""Blocks: the parts of a document that are written from what was measured.

A block stands between two comments, each a line of its own:

    <!-- table: experiment=ID run=RUN columns="HEADING; HEADING" -->
    <!-- end -->

`table` or `figure` says what of a run of docs/runs is written there; a figure is an image in docs/images.
`columns` picks columns of a table, in this order; the first, which names the rows, is always there. `gates`
shows what a campaign of gates found:

    <!-- gates: campaign=NAME -->

`counts` shows what its gates counted, with the spread; `noise` the slow samples of a kept run, and `coverage`
how often intervals of a statistic hold the truth, by docs/coverage.csv:

    <!-- noise: run=RUN -->
    <!-- coverage: statistic=median -->

`ledger` judges the sources' claims by kept runs, `verdicts` how often verdicts on samples
of a shape are wrong, by docs/verdicts.csv, `selection` how often the best of so many options is left out, by
docs/selection.csv:

    <!-- ledger: runs="RUN RUN" -->
    <!-- verdicts: shape=skewed -->
    <!-- selection: options=12 -->

"to renew" in place of a run leaves what stands there, until a run of the experiment is kept; it names no
experiment where none makes the table:

    <!-- table, to renew: experiment=ID -->
"""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from actorbench.errors import UserError, choices

CLOSING = "<!-- end -->"
# By kind, the fields that it needs, the last of which names its source, and those that it may have.
_NEEDED = {
    "table": ("experiment", "run"),
    "figure": ("experiment", "run"),
    "gates": ("campaign",),
    "counts": ("campaign",),
    "noise": ("run",),
    "coverage": ("statistic",),
    "ledger": ("runs",),
    "verdicts": ("shape",),
    "selection": ("options",),
}
_ALLOWED = {kind: () if kind == "figure" else ("columns",) for kind in _NEEDED}
_KINDS = "|".join(_NEEDED)
_OPENING = re.compile(rf"<!-- (?P<kind>{_KINDS})(?P<renew>, to renew)?:(?P<fields>.*) -->")
_MARK = re.compile(rf"<!-- *({_KINDS})\b")


@dataclass(frozen=True)
class Block:
    """A block: what its opening says, and the lines under it, each with its end; `line` counts from 1."""

    kind: str
    fields: Mapping[str, str]
    body: str
    line: int

    @property
    def experiment(self) -> str:
        """The experiment's id; empty if none makes what stands there."""
        return self.fields.get("experiment", "")

    @property
    def source(self) -> str:
        """The run's, the campaign's or the statistic's name; empty if the block is to be renewed."""
        return self.fields.get(_NEEDED[self.kind][-1], "")

    @property
    def subject(self) -> str:
        """What it shows, for a list; empty if no experiment makes it."""
        return self.experiment or self.source

    @property
    def columns(self) -> list[str]:
        """The headings of the columns that are picked; none if all are shown."""
        return [name.strip() for name in self.fields.get("columns", "").split(";") if name.strip()]

    @property
    def text(self) -> str:
        """The block as it stands in the document."""
        words = "".join(f" {name}={_quoted(value)}" for name, value in self.fields.items())
        return f"<!-- {self.kind}{'' if self.source else ', to renew'}:{words} -->\n{self.body}{CLOSING}\n"

    def of_run(self, run: str) -> Self:
        """Let the block show another run."""
        rest = {name: value for name, value in self.fields.items() if name not in ("experiment", "run")}
        return replace(self, fields={"experiment": self.experiment, "run": run, **rest})


@dataclass(frozen=True)
class Document:
    """A document: text and blocks, in order; `shown` is its name in messages."""

    path: Path
    shown: str
    parts: tuple[str | Block, ...] = field(default_factory=tuple)

    @property
    def blocks(self) -> list[Block]:
        """The blocks, in order."""
        return [part for part in self.parts if isinstance(part, Block)]

    @property
    def prose(self) -> str:
        """What stands outside of the blocks."""
        return "".join(part for part in self.parts if isinstance(part, str))

    @property
    def text(self) -> str:
        """The whole."""
        return "".join(part if isinstance(part, str) else part.text for part in self.parts)


def read_document(path: Path, shown: str) -> Document:
    """Read a document; raises UserError if it can't be read, or for the first wrong block."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{shown}: cannot be read: {error}") from error
    return parse_document(text, path, shown)


def parse_document(text: str, path: Path, shown: str) -> Document:
    """Part the text of a document; raises UserError for the first wrong block."""
    return Document(path, shown, tuple(_parts(text, shown)))


def _parts(text: str, shown: str) -> list[str | Block]:
    parts: list[str | Block] = []
    block: Block | None = None
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        told = line.rstrip("\n")
        where = f"{shown}:{number}"
        if block is None and told == CLOSING:
            raise UserError(f"{where}: '{CLOSING}' without a block that it ends")
        if block is None:
            block = _opened(told, where, number)
            if block is None:
                parts.append(line)
        elif told == CLOSING:
            parts.append(block)
            block = None
        elif _MARK.match(told):
            raise UserError(f"{where}: the block of line {block.line} has no '{CLOSING}'")
        else:
            block = replace(block, body=block.body + line)
    if block:
        raise UserError(f"{shown}:{block.line}: the block has no '{CLOSING}'")
    return parts


def _opened(line: str, where: str, number: int) -> Block | None:
    """Read the comment that opens a block; None if the line is none; raises UserError if it is wrong."""
    if not _MARK.match(line):
        return None
    match = _OPENING.fullmatch(line)
    if not match:
        raise UserError(f"{where}: is no block: it begins as <!-- table: experiment=ID run=RUN -->")
    kind = match["kind"]
    allowed = [*_NEEDED[kind], *_ALLOWED[kind]]
    try:
        pairs = [word.partition("=") for word in shlex.split(match["fields"])]
    except ValueError as error:
        raise UserError(f"{where}: is no block: {error}") from error
    fields = {name: value for name, _, value in pairs}
    wrong = [name for name, _, value in pairs if name not in allowed or not value]
    if wrong or len(fields) < len(pairs):
        named = f"'{wrong[0]}'" if wrong else "field twice"
        raise UserError(f"{where}: '{kind}' takes no {named} (choices, each with =TEXT: {choices(allowed)})")
    if match["renew"]:
        if _NEEDED[kind][-1] in fields:
            raise UserError(f"{where}: what is to be renewed has no {_NEEDED[kind][-1]} yet")
    elif missing := [name for name in _NEEDED[kind] if name not in fields]:
        raise UserError(f"{where}: '{kind}' needs {missing[0]}=NAME")
    return Block(kind, fields, "", number)


def _quoted(value: str) -> str:
    return value if re.fullmatch(r"[\w.:/-]+", value) else f'"{value}"'

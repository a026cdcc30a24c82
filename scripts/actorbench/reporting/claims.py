"""Claims as a page shows them: each with its parts, and in the ledger with a figure."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from actorbench.experiment import FIGURES
from actorbench.ledger.claims import Claim
from actorbench.ledger.judging import Finding, Judged, Part, Verdict
from actorbench.ledger.showing import Ledger, agreement_text, statement_text
from actorbench.notes import context_note
from actorbench.reporting.pictures import figure_picture

_LOOKS = {Verdict.REPRODUCED: "good", Verdict.NOT_REPRODUCED: "bad"}
_PART_LOOKS = {Finding.HOLDS: "good", Finding.FAILS: "bad"}


@dataclass(frozen=True)
class PartView:
    """A part of a claim: what it says, what was found, and where; statements as (says, number, agreement)."""

    says: str
    finding: str
    look: str
    where: str
    statements: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class ClaimView:
    """A judged claim; the looks are words of the style sheet."""

    judged: Judged
    look: str
    parts: tuple[PartView, ...]


@dataclass(frozen=True)
class RowView:
    """A claim with what each machine says of it, and a figure of it, or the claim that has its figure."""

    claim: Claim
    views: tuple[tuple[str, ClaimView], ...]
    picture: Markup | None
    caption: str
    drawn_at: str


def claim_view(judged: Judged) -> ClaimView:
    """Prepare a judged claim for a page."""
    return ClaimView(judged, _LOOKS.get(judged.verdict, "same"), tuple(_part(part) for part in judged.parts))


def row_view(claim: Claim, ledgers: Sequence[Ledger], drawn: dict[str, str]) -> RowView:
    """Prepare a claim's row; `drawn` says which claim has the figure of which experiment."""
    views = tuple((ledger.machine, claim_view(ledger.by_claim[claim.id])) for ledger in ledgers)
    return RowView(claim, views, *_figure(claim, ledgers, drawn))


def _part(part: Part) -> PartView:
    steals = f"steals: {part.steals}" if part.steals else ""
    where = part.why or "; ".join(filter(None, [part.bound.experiment, part.run, steals]))
    return PartView(
        part.bound.says,
        part.finding.value,
        _PART_LOOKS.get(part.finding, "same"),
        f"({where})" if where else "",
        tuple((one.says, statement_text(one), agreement_text(one)) for one in part.statements),
    )


def _figure(claim: Claim, ledgers: Sequence[Ledger], drawn: dict[str, str]) -> tuple[Markup | None, str, str]:
    """Draw the first figure among a claim's experiments, on the first machine that has it, once a page."""
    for ledger in ledgers:
        for results in reversed(ledger.runs):
            held = {one.id: one for one in results.experiments if one.kind in FIGURES}
            for name in claim.experiments:
                if name in drawn:
                    return None, "", drawn[name]
                if name in held:
                    drawn[name] = claim.id
                    caption = f"{ledger.machine}; {context_note(results, held[name])}"
                    return figure_picture(results, held[name], f"ledger-{name}"), caption, ""
    return None, "", ""

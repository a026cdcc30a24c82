"""The page: all of a run in one HTML file that needs no other, and no network.

Everything that is not ours is escaped by the template engine and made visible first (`text.visible`). The
page's policy lets the browser run the one script that is ours, known by its hash, and load nothing.
"""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from actorbench import VERSION
from actorbench.estimates import Method
from actorbench.ledger.judging import judged_alone
from actorbench.ledger.showing import RULE, Ledger, claims_shown
from actorbench.machine.facts import facts_from_json
from actorbench.reporting.claims import RowView, claim_view, row_view
from actorbench.reporting.content import (
    cell_views,
    failure_views,
    figure_views,
    machine_rows,
    table_view,
    table_views,
    voided_lines,
    whole_views,
)
from actorbench.reporting.peeks import best_views, heat_views
from actorbench.reporting.verdicts import verdict_views
from actorbench.results import load_results
from actorbench.rules import level_text
from actorbench.store import Run
from actorbench.suite import COMMAND
from actorbench.sweep import missing_slots
from actorbench.text import visible
from actorbench.whole import whole_processes, whole_table
from actorbench.wording import interval_heading, ratio_text

FOLDER = Path(__file__).parent


def report_page(run: Run) -> str:
    """Write the report of a sweep; raises UserError."""
    results = load_results(run)
    head = results.head
    samples = [sample for result in results.by_cell.values() for sample in result.samples]
    return render(
        "report.html",
        {
            "results": results,
            "head": head,
            "actorbench": COMMAND,
            "command": " ".join([COMMAND, *map(str, head.document.get("arguments", ()))]),
            "planned": head.plan.size,
            "taken": len(samples),
            "missing": len(missing_slots(head, samples)),
            "doubts": [str(doubt) for doubt in head.document.get("doubts", ())],
            "decisions": [str(line) for line in head.document.get("decisions", ())],
            "voided": voided_lines(results, run.voided()),
            "interval": f"{level_text(head.confidence)} interval ({results.method().value})",
            "verdicts": verdict_views(results),
            "contests": best_views(results),
            "claims": [claim_view(one) for one in judged_alone(results)],
            "rule": RULE,
            "failures": failure_views(results),
            "figures": figure_views(results),
            "heats": heat_views(results),
            "tables": table_views(results),
            "machine": machine_rows(results),
            "cells": cell_views(results),
        },
    )


def ledger_page(ledgers: Sequence[Ledger]) -> str:
    """Write ledgers, of one machine each, as one page: a row a claim."""
    works: dict[str, list[RowView]] = {}
    drawn: dict[str, str] = {}
    for claim in claims_shown(ledgers):
        works.setdefault(claim.work, []).append(row_view(claim, ledgers, drawn))
    return render("ledger.html", {"ledgers": ledgers, "works": list(works.items()), "rule": RULE})


def whole_report_page(run: Run) -> str:
    """Write the report of a run of whole processes; raises UserError."""
    document = run.document()
    processes = whole_processes(run)
    machine = document.get("machine")
    return render(
        "whole.html",
        {
            "name": run.name,
            "imported": document.get("imported"),
            "table": table_view("whole", whole_table(run, processes)),
            "machine": facts_from_json(machine).shown() if isinstance(machine, dict) else [],
            "cells": whole_views(processes),
        },
    )


def render(template: str, content: Mapping[str, object]) -> str:
    """Fill a template of this folder; autoescape is on for all of it."""
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_made_visible,
    )
    script = (FOLDER / "page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return environment.get_template(template).render(
        content,
        driver_version=VERSION,
        ratio_text=ratio_text,
        ratio_interval=interval_heading(Method.SIGN),
        style=Markup((FOLDER / "page.css").read_text(encoding="utf-8")),
        script=Markup(script),
        script_hash=digest,
    )


def _made_visible(value: object) -> object:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

"""What a gate found, for each of its readers: a terminal, a pull request, a CI's test report, a program.

All of these are pure functions of an `Outcome`. Names and reasons may hold anything: they are made visible,
and escaped for each format.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from actorbench.counts.changes import Change
from actorbench.counts.outputs import change_text
from actorbench.errors import UserError
from actorbench.estimates import Ratio
from actorbench.gate.deciding import Batch, Line, Outcome, Verdict
from actorbench.store import write_whole
from actorbench.table import Column, Table, escaped
from actorbench.text import one_line
from actorbench.wording import ratio_text

SCHEMA = 1
MOST_NAMED = 3  # lines in the one line printed last
WORST_FIRST = (Verdict.BROKEN, Verdict.FAIL, Verdict.INCONCLUSIVE, Verdict.PASS)

_COLUMNS = (
    Column("verdict", numeric=False),
    Column("cell", numeric=False),
    Column("measure", numeric=False),
    Column("candidate/base"),
    Column("base/base"),
    Column("pairs"),
    Column("delta"),
    Column("would find"),
    Column("why", numeric=False),
)
_HOW_TO_READ = (
    "candidate/base: the median ratio of the pairs, of the last batch, with its 95 % interval; over 1 is"
    " slower, or more memory. base/base: the base, built a second time, in the same rounds.",
    "FAIL: in two batches the median is over 1 + delta, and the pairs agree (sign test, corrected for all"
    " lines). would find: the smallest increase that this noise lets be found in 9 of 10 tries.",
)
_HOW_TO_READ_COUNTS = (
    "Counted, a message: instructions with one worker; locked operations, and lines that change hands, with"
    " several. base/base: how far the base's own runs lie apart. FAIL: by delta or more, and 99.9 % sure"
    " (rank-sum test, corrected for all counts).",
)
_MEANING = {
    Verdict.PASS: (
        "No regression was found. One that is smaller than what a line would find may still be there."
    ),
    Verdict.FAIL: (
        "Of time or memory, a line that failed was over 1 + delta in two batches of pairs, while the base did"
        " not differ from itself; of a count, it grew by delta or more, and the runs leave no doubt."
    ),
    Verdict.INCONCLUSIVE: (
        "Of the lines that are not decided nothing is said, good or bad. Run the gate again on a quieter"
        " machine, with a larger --budget, or with fewer --cells."
    ),
    Verdict.BROKEN: "A benchmark failed, or a side did not build: there is nothing to compare.",
}


def gate_table(outcome: Outcome) -> Table:
    """Make the table of all lines, in the order of the gate."""
    return Table(
        title=_title(outcome),
        columns=_COLUMNS,
        rows=[_row(line) for line in outcome.lines],
        notes=(
            *(_HOW_TO_READ if any(line.change is None for line in outcome.lines) else ()),
            *(_HOW_TO_READ_COUNTS if any(line.change for line in outcome.lines) else ()),
            *(one_line(note) for note in outcome.notes),
            *(
                [f"{outcome.spent_s:.0f} s of a budget of {outcome.budget_s:.0f} s"]
                if outcome.spent_s
                else ()
            ),
        ),
    )


def verdict_line(outcome: Outcome) -> str:
    """Give the verdict over all in one line, which names the worst."""
    words = {
        Verdict.PASS: _passed,
        Verdict.FAIL: _failed,
        Verdict.INCONCLUSIVE: _undecided,
        Verdict.BROKEN: _broken,
    }[outcome.verdict](outcome)
    return one_line(f"{outcome.verdict.value}: {words}{_less(outcome)}{_also(outcome)}")


def gate_markdown(outcome: Outcome) -> str:
    """Write the gate for a pull request: what did not pass first, all lines folded away."""
    run = escaped(one_line(outcome.run))
    parts = [
        f"# Performance gate: {outcome.verdict.value}",
        escaped(_title(outcome)),
        escaped(verdict_line(outcome)),
        escaped(_MEANING[outcome.verdict]),
        *_markdown_worst(outcome),
        *_markdown_all(outcome),
        f"To run it again: the command line is in results/{run}/run.json. Beside it are every sample,"
        " in samples.jsonl, and the logs of what failed.",
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def junit_xml(outcome: Outcome) -> str:
    """Write the gate as a JUnit report: a test a cell and measure."""
    cases = [_case(line) for line in outcome.lines] or [_no_case(outcome)]
    counted = {
        "tests": len(cases),
        "failures": sum(case.find("failure") is not None for case in cases),
        "errors": sum(case.find("error") is not None for case in cases),
        "skipped": sum(case.find("skipped") is not None for case in cases),
    }
    numbers = {name: str(count) for name, count in counted.items()}
    suite = _element("testsuite", name="gate", time=f"{outcome.spent_s:.3f}", **numbers)
    suite.append(_properties(outcome))
    suite.extend(cases)
    suite.append(_text_element("system-out", [verdict_line(outcome), *outcome.notes]))
    root = _element("testsuites")
    root.append(suite)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def gate_json(outcome: Outcome) -> dict[str, Any]:
    """Give the gate as JSON, described by schemas/gate-1.json."""
    return {
        "schema": SCHEMA,
        "run": one_line(outcome.run),
        "base": one_line(outcome.base),
        "candidate": one_line(outcome.candidate),
        "verdict": outcome.verdict.value,
        "exit_status": outcome.verdict.exit_status,
        "summary": verdict_line(outcome),
        "budget_s": outcome.budget_s,
        "spent_s": outcome.spent_s,
        "notes": [one_line(note) for note in outcome.notes],
        "lines": [line_json(line) for line in outcome.lines],
    }


def json_text(outcome: Outcome) -> str:
    """Write the gate as the text of a JSON file."""
    return json.dumps(gate_json(outcome), indent=1, allow_nan=False) + "\n"


# The formats by the option that asks for them, and the file of each in the run's folder.
FILES: dict[str, Callable[[Outcome], str]] = {
    "json": json_text,
    "markdown": gate_markdown,
    "junit": junit_xml,
}
FILE_NAMES = {"json": "gate.json", "markdown": "gate.md", "junit": "junit.xml"}


def write_outputs(outcome: Outcome, folder: Path) -> None:
    """Write every format into the run's folder, each file whole or not at all; raises UserError."""
    for form, write in FILES.items():
        name = FILE_NAMES[form]
        try:
            write_whole(folder / name, write(outcome))
        except OSError as error:
            raise UserError(f"results/{folder.name}/{name}: cannot be written: {error.strerror}") from error


def _title(outcome: Outcome) -> str:
    return one_line(f"Gate: candidate {outcome.candidate} against base {outcome.base}")


def _row(line: Line) -> list[str]:
    if line.change is not None:
        return _count_row(line, line.change)
    last = line.batches[-1] if line.batches else None
    mark = " (oversubscribed)" if line.oversubscribed else ""
    return [
        line.verdict.value,
        one_line(line.cell) + mark,
        line.measure.label,
        ratio_text(last.candidate) if last else "-",
        f"{last.null.ratio:.3f}" if last else "-",
        " + ".join(str(batch.candidate.count) for batch in line.batches) or "-",
        _percent(line.delta),
        _percent(_smallest(line)),
        one_line(line.reason),
    ]


def _count_row(line: Line, change: Change) -> list[str]:
    runs = (len(change.base.values), len(change.candidate.values))
    return [
        line.verdict.value,
        one_line(line.cell),
        line.measure.label,
        change_text(change),
        f"{Change(change.base, change.base, level=1.0).high:.4f}",
        f"{runs[0]} runs",
        _percent(line.delta),
        _percent(_smallest(line)),
        one_line(line.reason),
    ]


def _percent(fraction: float | None) -> str:
    return "-" if fraction is None else f"{100 * fraction:.1f} %"


def _smallest(line: Line) -> float | None:
    return line.smallest if line.smallest is not None and isfinite(line.smallest) else None


def _ratio(line: Line) -> float:
    """The candidate's ratio, of the last batch; 0 where nothing was measured."""
    if line.change is not None:
        return line.change.ratio
    return line.batches[-1].candidate.ratio if line.batches else 0.0


def _worst(lines: Iterable[Line]) -> list[Line]:
    return sorted(lines, key=_ratio, reverse=True)


def _named(line: Line) -> str:
    return f"{line.cell} {line.measure.label}"


def _found(line: Line) -> str:
    if line.change is not None:
        return f"{_named(line)} {change_text(line.change)} (delta {_percent(line.delta)})"
    if not line.batches:
        return _named(line)
    return f"{_named(line)} {ratio_text(line.batches[-1].candidate)} (delta {_percent(line.delta)})"


def _first_few(texts: Sequence[str]) -> str:
    more = len(texts) - MOST_NAMED
    return "; ".join([*texts[:MOST_NAMED], *([f"and {more} more"] if more > 0 else [])])


def _passed(outcome: Outcome) -> str:
    cells = len({line.cell for line in outcome.lines})
    by_measure: dict[str, list[Line]] = {}
    for line in outcome.lines:
        by_measure.setdefault(line.measure.label, []).append(line)
    powers = "; ".join(f"{label} {_power(lines)}" for label, lines in by_measure.items())
    return (
        f"no regression found in {cells} {'cell' if cells == 1 else 'cells'};"
        f" would have been found, 9 times in 10: {powers}"
    )


def _power(lines: Sequence[Line]) -> str:
    """Say which increase would have been found: in half of the cells, and in all, naming the worst."""
    known = sorted((found, line.cell) for line in lines if (found := _smallest(line)) is not None)
    if not known:
        return "not known"
    half, (worst, cell) = known[(len(known) - 1) // 2][0], known[-1]
    missing = len(lines) - len(known)
    rest = f", not known in {missing}" if missing else ""
    of_all = "all" if not missing else "all others"
    if _percent(half) == _percent(worst):
        return f"+{_percent(worst)} in {of_all}{rest}"
    return f"+{_percent(half)} in half of them, +{_percent(worst)} in {of_all} (worst: {cell}){rest}"


def _failed(outcome: Outcome) -> str:
    return _first_few([_found(line) for line in _worst(outcome.of(Verdict.FAIL))])


def _undecided(outcome: Outcome) -> str:
    lines = _worst(outcome.of(Verdict.INCONCLUSIVE))
    told = _first_few([f"{_named(line)}: {line.reason}" for line in lines])
    return f"{len(lines)} of {len(outcome.lines)} not decided: {told}"


def _broken(outcome: Outcome) -> str:
    if not outcome.lines:
        return f"nothing was measured: {'; '.join(outcome.notes) or 'no cell'}"
    told = dict.fromkeys(f"{line.cell}: {line.reason}" for line in outcome.of(Verdict.BROKEN))
    return _first_few(list(told))


def _also(outcome: Outcome) -> str:
    """Count the lines that neither passed nor are what the verdict over all is about."""
    others = {verdict: len(outcome.of(verdict)) for verdict in WORST_FIRST[:-1]}
    told = [f"{n} {one.value}" for one, n in others.items() if n and one is not outcome.verdict]
    return f"; also {', '.join(told)}" if told else ""


def _less(outcome: Outcome) -> str:
    """Name the counts that have become less, the most first."""
    lines = [line for line in reversed(_worst(outcome.lines)) if line.change and line.change.moved < 0]
    return f"; less: {_first_few([_found(line) for line in lines])}" if lines else ""


def _markdown_worst(outcome: Outcome) -> list[str]:
    lines = [line for verdict in WORST_FIRST[:-1] for line in _worst(outcome.of(verdict))]
    if not lines:
        return []
    commands = dict.fromkeys(one_line(line.command) for line in lines if line.command)
    told = ["Their commands, as below build/:", "\n".join(f"    {command}" for command in commands)]
    table = Table("What did not pass", _COLUMNS, [_row(line) for line in lines])
    return [table.markdown(), *(told if commands else [])]


def _markdown_all(outcome: Outcome) -> list[str]:
    if not outcome.lines:
        return []
    count = len(outcome.lines)
    return [
        f"<details>\n<summary>All lines ({count})</summary>",
        gate_table(outcome).markdown(),
        "</details>",
    ]


def _case(line: Line) -> ElementTree.Element:
    case = _element("testcase", classname=line.cell, name=line.measure.label, time="0")
    tag = {Verdict.FAIL: "failure", Verdict.BROKEN: "error", Verdict.INCONCLUSIVE: "skipped"}.get(
        line.verdict
    )
    if tag:
        found = _element(tag, message=line.reason, type=line.verdict.value)
        found.text = one_line(_found(line))
        case.append(found)
    case.append(_text_element("system-out", [*_told(line), line.command]))
    return case


def _told(line: Line) -> list[str]:
    """Write the line's row with the table's headings."""
    headed = zip(_COLUMNS, _row(line), strict=True)
    return [f"{column.heading}: {value}" for column, value in headed if value]


def _no_case(outcome: Outcome) -> ElementTree.Element:
    """Make the test that stands for a gate without lines, so that no reader takes it for passed."""
    case = _element("testcase", classname="gate", name="gate", time="0")
    case.append(_element("error", message=verdict_line(outcome), type=outcome.verdict.value))
    return case


def _properties(outcome: Outcome) -> ElementTree.Element:
    properties = _element("properties")
    for name in ("run", "base", "candidate"):
        properties.append(_element("property", name=name, value=getattr(outcome, name)))
    properties.append(_element("property", name="verdict", value=outcome.verdict.value))
    return properties


def _element(tag: str, **attributes: str) -> ElementTree.Element:
    return ElementTree.Element(tag, {name: one_line(value) for name, value in attributes.items()})


def _text_element(tag: str, lines: Iterable[str]) -> ElementTree.Element:
    element = _element(tag)
    element.text = "\n".join(one_line(line) for line in lines)
    return element


def line_json(line: Line) -> dict[str, Any]:
    """Give a line as JSON, as schemas/gate-1.json describes it."""
    return {
        "cell": one_line(line.cell),
        "command": one_line(line.command),
        "measure": line.measure.name,
        "oversubscribed": line.oversubscribed,
        "verdict": line.verdict.value,
        "reason": one_line(line.reason),
        "delta": line.delta,
        "smallest_found": _smallest(line),
        "batches": [_batch_json(batch) for batch in line.batches],
        "count": _change_json(line.change) if line.change else None,
    }


def _change_json(change: Change) -> dict[str, Any]:
    return {
        "base": [_rounded(value) for value in change.base.values],
        "candidate": [_rounded(value) for value in change.candidate.values],
        "ratio": change.ratio,
        "low": change.low,
        "high": change.high,
        "level": change.level,
        "moved": change.moved,
    }


def _batch_json(batch: Batch) -> dict[str, Any]:
    return {
        "candidate": _ratio_json(batch.candidate, batch.candidate_p, flagged=batch.flagged),
        "null": _ratio_json(batch.null, batch.null_p, flagged=batch.null_flagged),
    }


def _ratio_json(ratio: Ratio, adjusted: float, *, flagged: bool) -> dict[str, Any]:
    return {
        "ratio": _number(ratio.ratio),
        "low": _number(ratio.low),
        "high": _number(ratio.high),
        "pairs": ratio.count,
        "p_value": _number(ratio.p_value),
        "p_value_holm": _number(adjusted),
        "flagged": flagged,
    }


def _rounded(value: float) -> float:
    """Keep the digits that a count may differ in; the tallies themselves are in the run's folder."""
    return float(f"{value:.7g}")


def _number(value: float | None) -> float | None:
    """JSON has no word for what is not finite."""
    return value if value is not None and isfinite(value) else None

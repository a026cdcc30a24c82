"""What a gate found, as its readers get it: table, one line, Markdown, JUnit and JSON."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from actorbench.counts.changes import Change
from actorbench.counts.counting import Count
from actorbench.errors import UserError
from actorbench.estimates import Ratio, Standing
from actorbench.gate.counts import MEASURES as COUNTED
from actorbench.gate.deciding import Batch, Line, Outcome, Verdict
from actorbench.gate.outputs import (
    FILES,
    gate_json,
    gate_markdown,
    gate_table,
    junit_xml,
    verdict_line,
    write_outputs,
)
from actorbench.measure import MEASURES
from actorbench.schema import first_error

TIME = MEASURES["time_per_operation"]
MEMORY = MEASURES["peak_memory"]
INSTRUCTIONS = COUNTED["instructions"]
HOSTILE = (
    'a|b <script>x</script> `c` *d* &lt; "q" [e](http://f) ]]> \\ \x1b[31m\x00\x85\ud800\ufffe\uffff\n# g'
)


def ratio(value: float, *, count: int = 24, interval: bool = True) -> Ratio:
    """Make a ratio with an interval of 0.01 to either side, or with none."""
    if not interval:
        return Ratio(value, None, None, count, Standing.TOO_FEW, 1.0)
    return Ratio(value, value - 0.01, value + 0.01, count, Standing.ENOUGH, 0.001)


def batch(value: float, *, null: float = 1.001, flagged: bool = False, count: int = 24) -> Batch:
    """Make a batch in which the candidate's ratio is `value`."""
    return Batch(ratio(value, count=count), ratio(null, count=count), 0.014, 0.7, flagged, False)


def line(cell: str, verdict: Verdict = Verdict.PASS, **changed: object) -> Line:
    """Make a line that is plausible but for what is changed."""
    made = Line(cell, f"release/design/{cell}", TIME, 0.05, (batch(1.002),), 0.061, verdict, "")
    return replace(made, **changed)  # type: ignore[arg-type]


def failed(cell: str, value: float = 1.105) -> Line:
    """Make a line that was flagged twice."""
    batches = (batch(1.2, flagged=True), batch(value, flagged=True, count=30))
    return line(cell, Verdict.FAIL, batches=batches, reason="flagged twice")


def undecided(cell: str) -> Line:
    """Make a line whose null arm moved."""
    return line(cell, Verdict.INCONCLUSIVE, smallest=None, reason="the base differs from itself: 1.080")


def broken(cell: str) -> Line:
    """Make a line of which nothing was measured."""
    return line(cell, Verdict.BROKEN, batches=(), smallest=None, reason="candidate: crash (SIGSEGV)")


def outcome(*lines: Line, notes: tuple[str, ...] = ()) -> Outcome:
    """Make an outcome."""
    return Outcome("20261121T052143Z-gate", "main (1234)", "worktree (5678)", lines, notes, 60, 42.25)


def without_interval() -> Line:
    """Make a line of two pairs, and of a measure that was 0."""
    few, nothing = ratio(1.5, count=2, interval=False), ratio(float("nan"), count=2, interval=False)
    return line("few", Verdict.INCONCLUSIVE, batches=(Batch(few, nothing, 1.0, 1.0, False, False),))


def hostile(verdict: Verdict) -> Outcome:
    """Make an outcome in which all text is hostile."""
    bad = line(HOSTILE, verdict, command=HOSTILE, reason=HOSTILE)
    return Outcome(HOSTILE, HOSTILE, HOSTILE, (bad,), (HOSTILE,), 60, 42.25)


def counted(cell: str, base: tuple[float, ...], candidate: tuple[float, ...]) -> Line:
    """Make a line of a count; nothing was timed."""
    change = Change(Count(base), Count(candidate), level=0.9)
    verdict = Verdict.FAIL if change.moved > 0 else Verdict.PASS
    found = {"delta": change.delta, "smallest": change.smallest, "change": change}
    return line(cell, verdict, measure=INSTRUCTIONS, batches=(), **found)


OUTCOMES = {
    "counts": outcome(line("a"), counted("a", (100, 100), (101, 101)), counted("b", (0, 1), (0, 0))),
    "counts of nothing": outcome(counted("a", (0, 0), (1, 1))),
    "pass": outcome(line("a"), line("a", measure=MEMORY)),
    "fail": outcome(line("a"), failed("b"), undecided("c")),
    "inconclusive": outcome(line("a"), undecided("b")),
    "broken": outcome(failed("a"), broken("b")),
    "nothing": outcome(notes=("no cell was asked for",)),
    "no interval": outcome(without_interval()),
    **{f"hostile {verdict.value}": hostile(verdict) for verdict in Verdict},
    "hostile and nothing": replace(hostile(Verdict.PASS), lines=()),
}
every_outcome = pytest.mark.parametrize("found", OUTCOMES.values(), ids=OUTCOMES)


def row(found: Line) -> dict[str, str]:
    """Give the line's row in the table, by heading."""
    table = gate_table(outcome(found))
    return dict(zip([column.heading for column in table.columns], table.rows[0], strict=True))


def parsed(text: str) -> list[Token]:
    """Parse Markdown as a page of a pull request does; gives all tokens, those within lines too."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    return [inner for token in tokens for inner in (token, *(token.children or []))]


def rows_of(tokens: list[Token]) -> list[list[str]]:
    """Give the words of each row of each table, the heads too."""
    rows: list[list[str]] = []
    for token, inside in pairwise(tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append("".join(child.content for child in inside.children or []))
    return rows


def cases_of(found: Outcome) -> list[ElementTree.Element]:
    """Read the tests of a JUnit report."""
    return list(ElementTree.fromstring(junit_xml(found).encode()).iter("testcase"))


def test_a_row_says_what_was_found() -> None:
    assert row(line("a")) == {
        "verdict": "PASS",
        "cell": "a",
        "measure": "time per operation",
        "candidate/base": "1.002 [0.992, 1.012]",
        "base/base": "1.001",
        "pairs": "24",
        "delta": "5.0 %",
        "would find": "6.1 %",
        "why": "",
    }


def test_a_confirmed_row_shows_the_fresh_batch() -> None:
    found = row(failed("a"))
    assert found["candidate/base"] == "1.105 [1.095, 1.115]"
    assert found["pairs"] == "24 + 30"


def test_a_row_without_numbers_has_dashes() -> None:
    found = row(broken("a"))
    assert [found[name] for name in ("candidate/base", "base/base", "pairs", "would find")] == ["-"] * 4
    assert found["why"] == "candidate: crash (SIGSEGV)"
    assert row(line("a", smallest=float("inf")))["would find"] == "-"
    assert row(without_interval())["candidate/base"] == "1.500 (n=2)"


def test_an_oversubscribed_row_is_marked() -> None:
    assert row(line("a", oversubscribed=True))["cell"] == "a (oversubscribed)"


def test_the_tables_title_and_notes_say_what_was_compared() -> None:
    table = gate_table(outcome(line("a"), notes=("the machine has neighbours",)))
    assert table.title == "Gate: candidate worktree (5678) against base main (1234)"
    assert table.notes[-2:] == ("the machine has neighbours", "42 s of a budget of 60 s")


def test_the_one_line_of_a_pass_says_what_would_have_been_found() -> None:
    lines = [line(cell, smallest=found) for cell, found in (("a", 0.06), ("b", 0.2), ("c", 0.051))]
    memory = [line(cell, measure=MEMORY, smallest=0.05) for cell in "abc"]
    assert verdict_line(outcome(*lines, *memory)) == (
        "PASS: no regression found in 3 cells; would have been found, 9 times in 10:"
        " time per operation +6.0 % in half of them, +20.0 % in all (worst: b); peak memory +5.0 % in all"
    )


def test_the_one_line_of_a_pass_admits_what_is_not_known() -> None:
    assert verdict_line(outcome(line("a", smallest=None))).endswith("time per operation not known")
    told = verdict_line(outcome(line("a"), line("b", smallest=None)))
    assert told.endswith("time per operation +6.1 % in all others, not known in 1")


def test_the_one_line_of_a_failure_names_the_worst_first() -> None:
    told = verdict_line(outcome(failed("a", 1.1), line("b"), failed("c", 1.3), undecided("d")))
    assert told == (
        "FAIL: c time per operation 1.300 [1.290, 1.310] (delta 5.0 %);"
        " a time per operation 1.100 [1.090, 1.110] (delta 5.0 %); also 1 INCONCLUSIVE"
    )


def test_the_one_line_names_a_few_and_counts_the_rest() -> None:
    told = verdict_line(outcome(*(failed(f"cell-{number}", 1.1 + number / 10) for number in range(5))))
    assert [f"cell-{number}" in told for number in range(5)] == [False, False, True, True, True]
    assert told.endswith("; and 2 more")


def test_the_one_line_of_no_conclusion_says_why() -> None:
    assert verdict_line(OUTCOMES["inconclusive"]) == (
        "INCONCLUSIVE: 1 of 2 not decided: b time per operation: the base differs from itself: 1.080"
    )


def test_the_one_line_of_a_broken_cell_tells_it_once() -> None:
    told = verdict_line(outcome(broken("a"), replace(broken("a"), measure=MEMORY), failed("b")))
    assert told == "BROKEN: a: candidate: crash (SIGSEGV); also 1 FAIL"
    assert verdict_line(OUTCOMES["nothing"]) == "BROKEN: nothing was measured: no cell was asked for"


@every_outcome
def test_the_verdict_is_one_visible_line(found: Outcome) -> None:
    told = verdict_line(found)
    assert told.isprintable()
    assert told.startswith(f"{found.verdict.value}: ")


def test_markdown_puts_what_did_not_pass_first() -> None:
    text = gate_markdown(OUTCOMES["fail"])
    rows = rows_of(parsed(text))
    assert [cells[:2] for cells in rows if cells[0] != "verdict"] == [
        ["FAIL", "b"],
        ["INCONCLUSIVE", "c"],
        ["PASS", "a"],
        ["FAIL", "b"],
        ["INCONCLUSIVE", "c"],
    ]
    assert text.startswith("# Performance gate: FAIL\n")
    folded = text.index("<details>")
    assert text.index("release/design/b") < folded < text.index("| PASS")


def test_markdown_of_a_pass_has_the_folded_table_only() -> None:
    text = gate_markdown(OUTCOMES["pass"])
    assert "What did not pass" not in text
    assert text.index("<details>") < text.index("| PASS") < text.index("</details>")


@every_outcome
def test_markdown_holds_no_markup_but_its_own(found: Outcome) -> None:
    text = gate_markdown(found)
    tokens = parsed(text)
    folds = ["<details>\n<summary>All lines (1)</summary>\n", "</details>\n"]
    html = [token.content for token in tokens if token.type.startswith("html")]
    assert [part.replace(str(len(found.lines)), "1") for part in html] == (folds if found.lines else [])
    assert not {"link_open", "image", "em_open", "code_inline", "fence"} & {token.type for token in tokens}
    assert text.replace("\n", "").isprintable()
    assert {len(cells) for cells in rows_of(tokens)} <= {9}


def test_markdown_shows_hostile_text_as_it_is() -> None:
    shown = 'a|b <script>x</script> `c` *d* &lt; "q" [e](http://f) ]]> \\ ␛[31m␀\ufffd\ufffd'
    cells = rows_of(parsed(gate_markdown(hostile(Verdict.FAIL))))
    assert [words[1][: len(shown)] for words in cells] == ["cell", shown, "cell", shown]


@pytest.mark.parametrize(
    ("found", "tag"),
    [
        (line("a"), None),
        (failed("a"), "failure"),
        (undecided("a"), "skipped"),
        (broken("a"), "error"),
    ],
)
def test_junit_has_a_test_a_line(found: Line, tag: str | None) -> None:
    (case,) = cases_of(outcome(found))
    assert (case.get("classname"), case.get("name")) == ("a", "time per operation")
    told = {child.tag: child.get("message") for child in case if child.tag != "system-out"}
    assert told == ({tag: found.reason} if tag else {})


@every_outcome
def test_junit_counts_its_tests(found: Outcome) -> None:
    suite = ElementTree.fromstring(junit_xml(found).encode())[0]
    counts = [int(suite.get(name, "")) for name in ("tests", "failures", "errors", "skipped")]
    tags = ("testcase", "testcase/failure", "testcase/error", "testcase/skipped")
    assert counts == [len(suite.findall(tag)) for tag in tags]
    assert counts[0] == max(1, len(found.lines))
    assert (sum(counts[1:]) == 0) == (found.verdict is Verdict.PASS)


def test_junit_of_nothing_measured_is_an_error() -> None:
    (case,) = cases_of(OUTCOMES["nothing"])
    error = case.find("error")
    assert error is not None
    assert error.get("message") == "BROKEN: nothing was measured: no cell was asked for"


def test_junit_keeps_what_hostile_text_can_be_kept() -> None:
    (case,) = cases_of(hostile(Verdict.FAIL))
    name = case.get("classname", "")
    assert name.startswith('a|b <script>x</script> `c` *d* &lt; "q" [e](http://f) ]]> ')
    assert name.endswith("\ufffd # g")


@every_outcome
def test_json_follows_its_schema(found: Outcome) -> None:
    document = json.loads(FILES["json"](found))
    assert first_error("gate-1", document) is None
    assert document == gate_json(found)
    assert document["exit_status"] == found.verdict.exit_status


def test_the_schema_refuses_what_is_no_gate() -> None:
    document = gate_json(OUTCOMES["fail"])
    assert first_error("gate-1", document | {"verdict": "SLOW"}) is not None
    assert first_error("gate-1", document | {"more": 1}) is not None
    assert first_error("gate-1", {key: document[key] for key in document if key != "lines"}) is not None


def test_json_holds_the_numbers() -> None:
    found = gate_json(outcome(failed("a")))["lines"][0]
    assert (found["measure"], found["delta"], found["smallest_found"]) == ("time_per_operation", 0.05, 0.061)
    assert [one["candidate"]["pairs"] for one in found["batches"]] == [24, 30]
    assert found["batches"][1]["candidate"] == {
        "ratio": 1.105,
        "low": 1.095,
        "high": 1.115,
        "pairs": 30,
        "p_value": 0.001,
        "p_value_holm": 0.014,
        "flagged": True,
    }
    assert found["batches"][1]["null"]["flagged"] is False


def test_json_says_null_for_what_is_no_number() -> None:
    found = gate_json(outcome(without_interval()))["lines"][0]["batches"][0]
    assert (found["candidate"]["low"], found["null"]["ratio"]) == (None, None)
    assert gate_json(outcome(line("a", smallest=float("inf"))))["lines"][0]["smallest_found"] is None


@every_outcome
def test_every_format_is_written(found: Outcome, tmp_path: Path) -> None:
    write_outputs(found, tmp_path)
    texts = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert texts == {
        "gate.json": FILES["json"](found),
        "gate.md": gate_markdown(found),
        "junit.xml": junit_xml(found),
    }


def test_a_folder_that_is_gone_is_told_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"results/gone/gate\.json: cannot be written"):
        write_outputs(OUTCOMES["pass"], tmp_path / "gone")


def test_a_count_is_shown_with_its_runs_and_in_four_digits() -> None:
    found = row(counted("a", (100, 100.5), (102, 102)))
    assert found["candidate/base"].startswith("1.0175 [")
    assert (found["base/base"], found["pairs"]) == ("1.0050", "2 runs")
    less = outcome(line("a"), counted("b", (100, 100), (90, 90)), counted("c", (100, 100), (50, 50)))
    assert "; less: c instructions 0.5000 [0.5000, 0.5000] (delta 1.0 %); b inst" in verdict_line(less)
    assert "less" not in verdict_line(outcome(line("a"), counted("b", (100, 100), (100, 100))))

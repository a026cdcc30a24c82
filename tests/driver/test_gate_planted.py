"""Campaigns of counts: what is planted is found by name, a commit against itself raises no alarm."""

import json

import pytest

from actorbench.commits import commit_with
from actorbench.counts import taking
from actorbench.counts.counters import EXPLORER
from actorbench.errors import UserError
from conftest import COUNTED_BODY, SOURCE, GateCheckout
from gate_study import planting
from gate_study.__main__ import main as study
from gate_study.count_tables import spread_text
from gate_study.planting import FILE, PLACES, Plant

CELLS = """
schema = 1
[[cells]]
name = "static-all"
design = "worker-centric"
workload = "static"
workers = 2
scale = 1
"""
SCHEDULES = 14
PLACE = "before= lines=3\n"


@pytest.fixture
def counted(gate_checkout: GateCheckout, tools: object, monkeypatch: pytest.MonkeyPatch) -> GateCheckout:
    """A checkout whose programs take 200 instructions and move 3 lines, and a plant that they understand."""
    assert tools
    monkeypatch.setitem(taking.RUNS, EXPLORER, SCHEDULES)
    (gate_checkout.root / "plots" / "gate.toml").write_text(CELLS)
    gate_checkout.commit(COUNTED_BODY.format(per=200, lines=3))
    monkeypatch.setattr(planting, "FILE", "programs/all")
    monkeypatch.setattr(planting, "PLACES", {"sent": PLACE})

    def code(plant: Plant) -> str:
        return "# nop\n" * plant.number if plant.measure == "instructions" else "lines=4\n"

    monkeypatch.setattr(Plant, "code", property(code))
    return gate_checkout


def test_the_places_are_there_once() -> None:
    text = (SOURCE / FILE).read_text()
    assert [text.count(line) for line in PLACES.values()] == [1, 1]


def test_what_is_planted_is_what_it_says() -> None:
    assert ".rept 3\\n\\tnop" in Plant("a", "sent", "instructions", 3, 0.01).code
    assert "atomic_store_relaxed(&planted.line, 1);" in Plant("a", "sent", "line_transfers", 1, 1).code


@pytest.mark.parametrize(
    ("what", "row"),
    [
        ("instructions", "| static-all | sent | 2 (+1.0 %) | 1.0100 | 2 of 2 |"),
        ("lines", "| static-all | sent | 1 (+33.2 %) | 1.3300 | 2 of 2 |"),
    ],
)
def test_what_is_planted_is_found_by_name(counted: GateCheckout, what: str, row: str) -> None:
    assert study(["planted", what, "--tries", "2", "--seed", "7"]) == 0
    (folder,) = (counted.root / "results" / "campaigns").iterdir()
    assert " ".join(row.split()) in " ".join((folder / "summary.md").read_text().split())
    assert len(list((counted.root / "build" / "commits").glob("*/.git"))) == 2, (
        "the planted builds are removed"
    )
    assert study(["show", folder.name]) == 0


def test_what_is_not_found_is_told_by_the_exit_status(
    counted: GateCheckout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Plant, "code", "# nothing\n")
    assert study(["planted", "instructions", "--tries", "1"]) == 1
    (folder,) = (counted.root / "results" / "campaigns").iterdir()
    assert "found by name in 0 of 1 gates" in (folder / "summary.md").read_text()


def test_a_commit_against_itself_moves_no_count(counted: GateCheckout) -> None:
    assert study(["aa", "--gates", "3", "--measures", "counts", "--seed", "7"]) == 0
    (folder,) = (counted.root / "results" / "campaigns").iterdir()
    summary = (folder / "summary.md").read_text()
    assert "counts alone, a change of 1.0 % or more is an alarm" in summary
    assert "0 of 3" in summary
    gates = [json.loads(line)["gate"] for line in (folder / "gates.jsonl").read_text().splitlines()]
    bases = [line["count"]["base"] for gate in gates for line in gate["lines"] if "line" in line["measure"]]
    assert sorted(bases[0]) == sorted(bases[1])
    assert bases[0] != bases[1], "each gate has schedules of its own"
    row = next(line for line in summary.splitlines() if "lines that change hands" in line)
    cells = [cell.strip() for cell in row.split("|")[1:-1]]
    assert cells[:5] == ["static-all", "lines that change hands", "3", str(SCHEDULES), "3.03"]
    assert cells[-2:] == ["0", "0 of 3"]


def test_what_moves_instructions_is_shown_and_what_fails_is_told(
    counted: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    body = COUNTED_BODY.format(per=200, lines=3)
    counted.program("static", f'[ -n "$LD_PRELOAD" ] || exit 7\n{body}')
    assert study(["moves", "--runs", "2"]) == 0
    said = capsys.readouterr()
    row = next(line for line in said.out.splitlines() if "worker-centric/static" in line)
    shown = ["200.0", "0 %", "0 %", "failed", "0 %", "0 %", "0 %"]
    assert [cell.strip() for cell in row.split("|")[2:-1]] == shown
    assert "by the system's clock\n" in said.err
    assert "status 7" in said.err


def test_a_spread_has_two_digits_down_to_where_it_is_none() -> None:
    assert [spread_text(value) for value in (0, 9e-6, 1e-5, 0.0123)] == [
        "0 %",
        "under 0.001 %",
        "0.001 %",
        "1.2 %",
    ]


def test_a_text_that_is_not_there_once_is_refused(counted: GateCheckout) -> None:
    commit = counted.git("rev-parse", "HEAD")
    with pytest.raises(UserError, match=r"programs/all of commit .* has 0 lines 'nothing'"):
        commit_with(counted.project, commit, "programs/all", "nothing", "something")

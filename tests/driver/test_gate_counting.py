"""What a gate counts, how often, what it says of it and keeps: of made tallies, and no program is run."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from actorbench.cell import Arguments, Cell
from actorbench.commits import BuildError
from actorbench.counts.changes import CONFIDENCE
from actorbench.counts.counters import CALLGRIND, EXPLORER, INSTRUCTIONS, LOCKED, PERF, TRANSFERS
from actorbench.counts.counting import Tally, Work
from actorbench.counts.subjects import Counted, Subject
from actorbench.counts.taking import RUNS, Choice
from actorbench.errors import UserError
from actorbench.gate import counts as counts_module
from actorbench.gate.arms import RevisionError
from actorbench.gate.cells import ARMS, GateCell
from actorbench.gate.count_store import Counts, CountStore, Key
from actorbench.gate.counts import Rules, Wish, choose_counts, count_lines, take_counts, wishes
from actorbench.gate.deciding import Verdict
from actorbench.project import Project
from actorbench.store import Run
from actorbench.workloads import Workload, load_workloads
from conftest import COUNTED_WORKLOADS

UNCOUNTED = COUNTED_WORKLOADS.replace("schema = 1", "").replace("[static]", "[executor]")
UNCOUNTED = "\n".join(line for line in UNCOUNTED.splitlines() if not line.startswith("counted"))
CHOSEN = {"delta": 0.01, "instructions": CALLGRIND, "lines": True}
RULES = Rules(0.01, 0.10, CONFIDENCE)
SEED = 7
WORKLOAD = Workload("static", {}, None, False)
Pair = tuple[Tally, Tally]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A checkout that has a workload which is counted, and one which is not."""
    (tmp_path / "workloads").mkdir()
    (tmp_path / "workloads" / "workloads.toml").write_text(f"{COUNTED_WORKLOADS}\n{UNCOUNTED}\n")
    return Project(tmp_path)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A gate's run, in which nothing was counted."""
    folder = tmp_path / "results" / "a-gate"
    folder.mkdir(parents=True)
    return Run(folder)


def cell(
    name: str = "one",
    workload: str = "static",
    *,
    workers: int | None = 1,
    build: str = "release",
    options: Arguments = (),
) -> GateCell:
    base, candidate, null = (
        Cell(f"{build}@{commit}", "worker-centric", workload, workers, 1, options, (), arm=arm)
        for commit, arm in zip(("b1", "c1", "b1.null"), ARMS, strict=True)
    )
    return GateCell(name, (base, candidate, null))


def wish(project: Project, by: str = CALLGRIND) -> Wish:
    (static,) = (one for one in load_workloads(project) if one.counted)
    return Wish(cell(), by, Subject(static, "worker-centric", 1))


def pairs(*values: float) -> tuple[Pair, ...]:
    """Make the pairs of tallies of runs in which an operation takes so many of all that is counted."""
    names = (INSTRUCTIONS, LOCKED, TRANSFERS)
    return tuple(
        (Tally(1000, dict.fromkeys(names, 500)), Tally(3000, dict.fromkeys(names, round(500 + 2000 * value))))
        for value in values
    )


def kept(one: Wish, base: Sequence[float] | None, candidate: Sequence[float] | None) -> dict[Key, Counts]:
    """Make what is kept of both sides; None for a side of which nothing is."""
    sides = zip(one.keys, (base, candidate), strict=True)
    return {key: Counts(pairs(*values)) for key, values in sides if values is not None}


# ---- What is counted ----


def counted(project: Project, *cells: GateCell, **changed: object) -> list[tuple[str, str, str]]:
    found = wishes(project, cells, CHOSEN | changed)
    return [(one.cell.name, one.by, one.command) for one in found]


def test_instructions_are_counted_with_one_worker_and_what_is_shared_with_four(project: Project) -> None:
    words = "worker-centric/static --sends 3000 --workers"
    assert counted(project, cell()) == [("one", CALLGRIND, f"release/{words} 1")]
    assert counted(project, cell(workers=None)) == [("one", CALLGRIND, f"release/{words} 1")]
    both = [("one", CALLGRIND, f"release/{words} 1"), ("one", EXPLORER, f"counted/{words} 4")]
    assert counted(project, cell(workers=2)) == both
    assert counted(project, cell(workers=2), lines=False) == both[:1]
    assert counted(project, cell(workers=2), instructions=None) == both[1:]
    instructions, shared = wishes(project, [cell(workers=2)], CHOSEN)
    assert (instructions.measures, shared.measures) == ((INSTRUCTIONS,), (LOCKED, TRANSFERS))
    assert instructions.keys == (("one", CALLGRIND, "base"), ("one", CALLGRIND, "candidate"))
    assert instructions.subject.arguments("") == ["--workers", "1"]


def test_the_options_that_are_work_are_counted_and_the_same_once(project: Project) -> None:
    options = (("pin", "cores"), ("queue", "copy"), ("send-delay", 3))
    found = counted(project, cell("a", options=options), cell("b", options=options[:2]), cell("c"))
    words = "release/worker-centric/static --sends 3000 --workers 1"
    assert found == [("a", CALLGRIND, f"{words} --queue copy"), ("c", CALLGRIND, words)]


def test_what_is_no_commits_or_has_no_amounts_is_not_counted(project: Project) -> None:
    others = [cell("x", "executor"), cell("y", build="slowed"), cell("z", "none")]
    assert counted(project, *others, cell()) == counted(project, cell())


# ---- Choosing, and building what only counting needs ----


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, Sequence[str], str]]:
    """What is built, by commit; callgrind counts, since there is no other."""
    asked: list[tuple[str, str, Sequence[str], str]] = []

    def build(_: Project, commit: str, config: str, programs: Sequence[str], *, copy: str) -> None:
        asked.append((commit, config, programs, copy))

    monkeypatch.setattr(counts_module, "choose_counter", lambda: Choice(CALLGRIND, "perf is missing"))
    monkeypatch.setattr(counts_module, "make_counter", lambda *_: None)
    monkeypatch.setattr(counts_module, "build_commit", build)
    return asked


def test_what_counts_is_chosen_and_what_it_needs_is_built(
    project: Project, built: list[tuple[str, str, Sequence[str], str]]
) -> None:
    told: list[str] = []
    cells = [cell(workers=2), cell("x", "executor"), cell("w", "executor"), cell("y", build="slowed")]
    assert choose_counts(project, cells, 0.02, told.append, alone=False) == {
        "delta": 0.02,
        "instructions": CALLGRIND,
        "lines": True,
        "notes": [
            "executor is not counted: workloads/workloads.toml has no amounts for it",
            "instructions are counted by callgrind: perf is missing",
        ],
    }
    assert told == ["building base for counting", "building candidate for counting"]
    assert built == [(commit, "counted", ["worker-centric/static"], "") for commit in ("b1", "c1")]


def test_a_second_build_is_built_as_such(
    project: Project, built: list[tuple[str, str, Sequence[str], str]]
) -> None:
    base, candidate, null = cell(workers=2).arms
    choose_counts(project, [GateCell("one", (null, base, candidate))], 0.02, lambda _: None, alone=True)
    assert [(commit, copy) for commit, _, _, copy in built] == [("b1", "null"), ("b1", "")]


def test_one_worker_shares_nothing(
    project: Project,
    built: list[tuple[str, str, Sequence[str], str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counts_module, "choose_counter", lambda: Choice(PERF))
    told: list[str] = []
    chosen = choose_counts(project, [cell()], 0.02, told.append, alone=True)
    assert chosen == {"delta": 0.02, "instructions": PERF, "lines": True, "notes": []}
    assert told == []
    assert built == []


def test_a_missing_tool_is_a_note_and_counts_alone_need_one(
    project: Project,
    built: list[tuple[str, str, Sequence[str], str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[object, ...]] = []

    def missing(*words: object) -> None:
        asked.append(words)
        raise UserError("valgrind is missing")

    monkeypatch.setattr(counts_module, "make_counter", missing)
    chosen = choose_counts(project, [cell()], 0.02, lambda _: None, alone=False)
    assert chosen["instructions"] is None
    assert chosen["notes"] == ["instructions are not counted: valgrind is missing"]
    assert asked == [(project, CALLGRIND, 600)]
    told = r"^nothing can be counted: instructions are not counted: valgrind is missing$"
    with pytest.raises(UserError, match=told):
        choose_counts(project, [cell()], 0.02, lambda _: None, alone=True)
    assert choose_counts(project, [cell(workers=2)], 0.02, lambda _: None, alone=True)["lines"] is True
    assert built != []


def test_nothing_is_counted_of_what_is_no_commits(
    project: Project, built: list[tuple[str, str, Sequence[str], str]]
) -> None:
    others = [cell(build="slowed")]
    assert choose_counts(project, others, 0.02, lambda _: None, alone=False) == CHOSEN | {
        "delta": 0.02,
        "notes": [],
    }
    with pytest.raises(UserError, match=r"^nothing can be counted: counts are of commits$"):
        choose_counts(project, others, 0.02, lambda _: None, alone=True)
    notes = r"executor is not counted: .*; static is not counted: "
    (project.root / "workloads" / "workloads.toml").write_text(f"schema = 1{UNCOUNTED}")
    with pytest.raises(UserError, match=rf"^nothing can be counted: {notes}"):
        choose_counts(project, [cell("x", "executor"), cell()], 0.02, lambda _: None, alone=True)
    assert built == []


def test_a_side_that_does_not_build_for_counting(
    project: Project,
    built: list[tuple[str, str, Sequence[str], str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The base is older, and may not know how: then nothing is said of the candidate."""
    broken = "b1"

    def build(_: Project, commit: str, _config: str, _programs: Sequence[str], *, copy: str) -> None:
        built.append((commit, "", (), copy))
        if commit == broken:
            raise BuildError("'make' failed", "make said so")

    monkeypatch.setattr(counts_module, "build_commit", build)
    chosen = choose_counts(project, [cell(workers=2)], 0.02, lambda _: None, alone=True)
    assert chosen["lines"] is False
    assert chosen["notes"][-1] == "what workers share is not counted: 'make' failed"
    assert [commit for commit, *_ in built] == ["b1"]
    broken = "c1"
    with pytest.raises(RevisionError, match="candidate") as error:
        choose_counts(project, [cell(workers=2)], 0.02, lambda _: None, alone=False)
    assert (error.value.side, error.value.output) == ("candidate", "make said so")


# ---- How often ----


def counted_at(
    monkeypatch: pytest.MonkeyPatch, values: Mapping[str, Sequence[float]]
) -> list[tuple[str, str, range]]:
    """Let the runs of each folder's programs take so many events an operation, run by run."""
    asked: list[tuple[str, str, range]] = []

    def count(
        _: Project, subject: Subject, folder: str, by: str, runs: range, *, timeout_s: float
    ) -> Counted:
        assert timeout_s == 600
        asked.append((folder, by, runs))
        found = pairs(*(values[folder][number - SEED - 1] for number in runs))
        return Counted(subject, folder, Work((), ()), found, None if found else "it crashed")

    monkeypatch.setattr(counts_module, "count_subject", count)
    return asked


def test_each_side_is_counted_in_the_same_runs(
    project: Project, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = counted_at(monkeypatch, {"b1": [200, 200], "c1": [202, 202]})
    store = CountStore(run)
    take_counts(project, store, [wish(project)], RULES, SEED)
    assert asked == [("b1", CALLGRIND, range(8, 10)), ("c1", CALLGRIND, range(8, 10))]
    assert store.kept == kept(wish(project), [200, 200], [202, 202])
    take_counts(project, store, [wish(project)], RULES, SEED)
    assert len(asked) == 2, "what is kept is not counted again"


def test_what_an_interrupt_has_left_is_counted_and_no_more(
    project: Project, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = wish(project)
    asked = counted_at(monkeypatch, {"b1": [200] * 6, "c1": [200] * 6})
    store = CountStore(run)
    store.kept = kept(one, [200] * 4, [200])
    take_counts(project, store, [one], RULES, SEED)
    assert asked == [("c1", CALLGRIND, range(9, 12))]
    store.kept = kept(one, None, [200])
    take_counts(project, store, [one], RULES, SEED)
    assert asked[1:] == [("b1", CALLGRIND, range(8, 10)), ("c1", CALLGRIND, range(9, 10))]


def test_runs_are_added_where_their_noise_hides_delta(
    project: Project, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    noisy = [200.0, 203.0, 200.0, 203.0, 200.0, 203.0, 200.0, 203.0]
    asked = counted_at(monkeypatch, {"b1": noisy, "c1": noisy})
    take_counts(project, CountStore(run), [wish(project)], RULES, SEED)
    spans = [(8, 10), (10, 12), (12, 14)]
    assert [(folder, runs.start, runs.stop) for folder, _, runs in asked] == [
        (folder, *span) for span in spans for folder in ("b1", "c1")
    ], "six runs at most"
    hardly = [200.0, 200.01] * 4
    asked = counted_at(monkeypatch, {"b1": hardly, "c1": hardly})
    (run.folder / "counts.json").unlink()
    take_counts(project, CountStore(run), [wish(project)], RULES, SEED)
    assert len(asked) == 2, "a little over delta is near enough"


def test_schedules_are_added_where_they_hide_what_is_to_be_found(
    project: Project, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = wish(project, EXPLORER)
    swaying = [10 + number % 7 / 10 for number in range(100)]
    for find, count in ((0.06, 10), (0.0275, 30)):
        asked = counted_at(monkeypatch, {"b1": swaying, "c1": swaying})
        (run.folder / "counts.json").unlink(missing_ok=True)
        take_counts(project, CountStore(run), [one], Rules(0.01, find, CONFIDENCE), SEED)
        assert asked[-1][2].stop == SEED + 1 + count
        assert len(asked) == 2 * count / RUNS[EXPLORER]
    wild = [1.5 ** (number % 13) for number in range(100)]
    asked = counted_at(monkeypatch, {"b1": wild, "c1": wild})
    (run.folder / "counts.json").unlink()
    take_counts(project, CountStore(run), [one], RULES, SEED)
    assert asked[-1][2] == range(98, 108), "a hundred at most"


def test_what_fails_is_not_counted_on(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    one = wish(project)
    asked = counted_at(monkeypatch, {"b1": [200] * 6, "c1": [200] * 6})
    store = CountStore(run)
    store.kept = kept(one, [200], None) | {one.keys[1]: Counts((), "it crashed")}
    take_counts(project, store, [one], RULES, SEED)
    assert asked == []
    other = Wish(cell("two"), CALLGRIND, one.subject)
    take_counts(project, store, [one, other], RULES, SEED)
    assert [folder for folder, *_ in asked] == ["b1", "c1"], "but the others are"


# ---- What is said ----


def said(one: Wish, found: Mapping[Key, Counts], rules: Rules = RULES) -> list[tuple[str, Verdict, str]]:
    return [(line.measure.name, line.verdict, line.reason) for line in count_lines([one], found, rules)]


def test_a_verdict_for_every_case(project: Project) -> None:
    one = wish(project)
    same, more, less = [200.0] * 4, [202.0] * 4, [100.0] * 4
    noisy = [200.0, 300.0] * 2
    assert said(one, kept(one, same, same)) == [(INSTRUCTIONS, Verdict.PASS, "")]
    told = "200.0, then 202.0 an operation"
    assert said(one, kept(one, same, more)) == [(INSTRUCTIONS, Verdict.FAIL, told)]
    told = "200.0, then 100.0 an operation"
    assert said(one, kept(one, same, less)) == [(INSTRUCTIONS, Verdict.PASS, told)]
    ((_, verdict, reason),) = said(one, kept(one, noisy, noisy))
    assert verdict is Verdict.INCONCLUSIVE
    change = Rules(0.01, 0.1, CONFIDENCE).changes(one, kept(one, noisy, noisy))[INSTRUCTIONS]
    assert reason == f"would find {100 * change.smallest:.1f} %, not the 10.0 % asked for"
    exactly = Rules(0.01, change.smallest, CONFIDENCE)
    assert said(one, kept(one, noisy, noisy), exactly)[0][1] is Verdict.PASS


def test_sides_that_were_not_counted_are_inconclusive_and_those_that_failed_broken(project: Project) -> None:
    one = wish(project, EXPLORER)
    nothing = (Verdict.INCONCLUSIVE, "not counted")
    for found in ({}, kept(one, [200], None), kept(one, [200], [])):
        assert said(one, found) == [(LOCKED, *nothing), (TRANSFERS, *nothing)]
    base, candidate = one.keys
    crashed = {base: Counts(pairs(200)), candidate: Counts(pairs(200), "it crashed")}
    assert [reason for _, _, reason in said(one, crashed)] == ["candidate: it crashed"] * 2
    both = {base: Counts((), "it hung"), candidate: Counts((), "it crashed")}
    assert said(one, both)[0] == (LOCKED, Verdict.BROKEN, "base: it hung; candidate: it crashed")


def test_a_line_says_what_was_counted(project: Project) -> None:
    one = wish(project)
    (line,) = count_lines([one], kept(one, [200.0] * 4, [202.0] * 4), RULES)
    assert (line.cell, line.command, line.delta, line.batches) == ("one", one.command, 0.01, ())
    assert line.measure.label == "instructions"
    assert line.change is not None
    assert (line.change.base.values, line.change.candidate.values) == ((200,) * 4, (202,) * 4)
    assert (line.change.delta, line.change.level) == (0.01, CONFIDENCE)
    assert line.smallest == line.change.smallest
    (line,) = count_lines([one], {}, RULES)
    assert (line.change, line.smallest) == (None, None)


def test_all_counts_of_a_gate_share_the_error(project: Project) -> None:
    rules = Rules.of([wish(project), wish(project, EXPLORER)], 0.02, 0.3)
    assert (rules.delta, rules.find) == (0.02, 0.3)
    assert rules.level == pytest.approx(1 - 0.001 / 3)


# ---- What is kept ----


def test_counts_are_kept_and_read(run: Run) -> None:
    key, other = ("one", CALLGRIND, "base"), ("one", CALLGRIND, "candidate")
    store = CountStore(run)
    assert store.kept == {}
    subject = Subject(WORKLOAD, "worker-centric", 1)
    store.add(key, Counted(subject, "b1", Work((), ()), pairs(1)))
    store.add(other, Counted(subject, "c1", Work((), ()), (), "it crashed"))
    store.add(key, Counted(subject, "b1", Work((), ()), pairs(2)))
    assert store.kept == {key: Counts(pairs(1, 2)), other: Counts((), "it crashed")}
    assert CountStore(run).kept == store.kept
    assert CountStore(run, retry_failed=True).kept == {key: Counts(pairs(1, 2))}
    text = (run.folder / "counts.json").read_text(encoding="utf-8")
    assert text.endswith("}]\n")
    assert ", " not in text
    assert [(one["cell"], one["by"], one["side"], one["trouble"]) for one in json.loads(text)] == [
        (*key, None),
        (*other, "it crashed"),
    ]


@pytest.mark.parametrize("text", ["", "{}x", '[{"cell": "one"}]', "7", '[{"tallies": [[1, 2]]}]', "\xff"])
def test_counts_that_can_not_be_read_are_one_line(run: Run, text: str) -> None:
    (run.folder / "counts.json").write_bytes(text.encode("latin-1"))
    told = r"^results/a-gate/counts\.json: cannot be read: .*; delete it to count anew$"
    with pytest.raises(UserError, match=told):
        CountStore(run)


def test_counts_that_can_not_be_written_are_one_line(run: Run) -> None:
    store = CountStore(run)
    (run.folder / "counts.json").mkdir()
    subject = Subject(WORKLOAD, "worker-centric", 1)
    with pytest.raises(UserError, match=r"^results/a-gate/counts\.json: cannot be written: Is a directory$"):
        store.add(("one", CALLGRIND, "base"), Counted(subject, "b1", Work((), ()), pairs(1)))

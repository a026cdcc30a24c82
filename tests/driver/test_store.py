"""The store: what a run's folder keeps, and which of its samples count."""

import errno
import json
import lzma
import os
import re
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from actorbench import store
from actorbench.cell import Cell
from actorbench.errors import UserError
from actorbench.judging import Failure
from actorbench.plan import Plan, make_plan
from actorbench.preset import parse_preset
from actorbench.project import Project
from actorbench.record import Record
from actorbench.results import load_results
from actorbench.sample import ROUND_VOIDED, Sample
from actorbench.sources import known_printed
from actorbench.stopping import Decision, Goal
from actorbench.store import (
    Head,
    Run,
    all_kept_runs,
    all_runs,
    create_run,
    find_run,
    write_output,
    write_shown,
    write_whole,
)
from actorbench.system import System
from conftest import LINES, PRESETS, SOURCE
from test_record import RECORD

CELLS = tuple(Cell("release", "message-centric", name, 2, 1, (), ()) for name in "ab")
KEYS = [cell.key for cell in CELLS]
DOCUMENT: dict[str, Any] = {
    "kind": "sweep",
    "preset": "quick",
    "presets_text": PRESETS,
    "experiments": [{"file": "plots/lines.toml", "text": LINES}],
    "seed": 7,
    "timeout_s": 60,
    "workers": [1, 2],
    "cpus": 2,
    "machine": {"commit": "abc"},
    "plan": make_plan(dict.fromkeys(CELLS, 2), 1).to_json(),
}
CRASHED = Failure("crash", "killed by SIGSEGV", "out", "err")


def sample(key: str, number: int, name: str = "", **changed: Any) -> Sample:  # noqa: ANN401
    """Make a sample, told from others by what it started at."""
    made = Sample(key, number, 0, name, 11, 5000, 0, None, Record(RECORD), None)
    return replace(made, **changed)


def failed(key: str, number: int, name: str = "") -> Sample:
    return sample(key, number, name, record=None, failure=CRASHED, exit_status=None, signal=11)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run without samples."""
    return create_run(Project(tmp_path), "x", DOCUMENT)


def names(samples: list[Sample]) -> list[str]:
    return [one.started for one in samples]


def added(run: Run, *samples: Sample) -> Run:
    for one in samples:
        run.append(one)
    return run


def test_a_sample_is_kept_as_it_is(run: Run) -> None:
    kept = [
        sample(KEYS[0], 0, "2026", position=3, disturbance={"steal_share": 0.5}, exit_status=1),
        failed(KEYS[1], 1, "2027"),
        sample(KEYS[1], 2, failure=replace(CRASHED, kind="wrong result")),
    ]
    assert added(run, *kept).samples() == kept
    assert run.samples_file.read_bytes().count(b"\n") == 3
    assert b": " not in run.samples_file.read_bytes().splitlines()[0].replace(b'": ', b""), "no spaces"


def test_a_slot_counts_once(run: Run) -> None:
    """Of a slot that was taken twice the first counts; of one that failed the newest, where it was taken."""
    taken = [
        failed(KEYS[0], 0, "failed"),
        sample(KEYS[1], 0, "other"),
        sample(KEYS[0], 0, "again"),
        sample(KEYS[0], 0, "twice"),
        sample(KEYS[0], 1, "next"),
        failed(KEYS[1], 1, "first"),
        failed(KEYS[1], 1, "second"),
    ]
    assert names(added(run, *taken).samples()) == ["other", "again", "next", "second"]
    assert run.voided() == []


def test_a_voided_sample_takes_its_round_with_it(run: Run) -> None:
    taken = [
        sample(KEYS[0], 0, "elsewhere"),
        sample(KEYS[0], 1, "beside"),
        failed(KEYS[0], 1, "failed"),
        sample(KEYS[1], 1, "disturbed", voided="steal 9%"),
        sample(KEYS[1], 0, "after"),
        sample(KEYS[1], 1, "again"),
    ]
    assert names(added(run, *taken).samples()) == ["elsewhere", "failed", "after", "again"]
    assert [(one.started, one.voided) for one in run.voided()] == [
        ("beside", ROUND_VOIDED),
        ("disturbed", "steal 9%"),
    ]
    run.append(sample(KEYS[0], 1, "worse", voided="throttled 1 times"))
    assert [one.voided for one in run.voided()] == [
        ROUND_VOIDED,
        "steal 9%",
        ROUND_VOIDED,
        "throttled 1 times",
    ]


@pytest.mark.parametrize(
    "tail", [b'{"cell"', b"garbled\n", b"\0\0\0\n", b"{}\n", b"[" * 100_000 + b"\n", b"\n"]
)
def test_a_garbled_tail_is_passed_over_and_put_aside(run: Run, tail: bytes) -> None:
    added(run, sample(KEYS[0], 0, "a"), sample(KEYS[0], 1, "b"))
    whole = run.samples_file.read_bytes()
    assert run.put_tail_aside() is None
    run.samples_file.write_bytes(whole + tail)
    assert names(run.samples()) == ["a", "b"]
    size = len(tail.removesuffix(b"\n"))
    assert run.put_tail_aside() == (
        f"the last line of results/{run.name}/samples.jsonl was cut short or garbled"
        f" ({size} bytes): put aside in put-aside.txt; its sample is taken again"
    )
    assert run.samples_file.read_bytes() == whole
    aside = run.folder / "put-aside.txt"
    assert aside.read_bytes() == tail.removesuffix(b"\n") + b"\n"
    assert run.put_tail_aside() is None
    run.samples_file.write_bytes(whole + b"more")
    run.put_tail_aside()
    assert aside.read_bytes().endswith(b"\nmore\n"), "what was put aside before is kept"


def test_only_a_garbled_line_is_put_aside_all_of_it(run: Run) -> None:
    run.samples_file.write_bytes(b"garbled\n")
    assert run.samples() == []
    assert run.put_tail_aside() is not None
    assert run.samples_file.read_bytes() == b""


def test_without_samples_there_is_nothing_to_put_aside(run: Run) -> None:
    assert run.samples() == []
    assert run.put_tail_aside() is None
    assert not (run.folder / "put-aside.txt").exists()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("garbled", "JSONDecodeError: Expecting value"),
        ("7", "TypeError"),
        ("{}", "KeyError: 'record'"),
        ('{"record": null, "failure": null}', "KeyError: 'record'"),
    ],
)
def test_a_garbled_line_before_the_last_is_named(run: Run, line: str, why: str) -> None:
    added(run, sample(KEYS[0], 0))
    whole = run.samples_file.read_text()
    run.samples_file.write_text(f"{whole}{line}\n{whole}")
    with pytest.raises(UserError) as error:
        run.samples()
    told = f"results/{run.name}/samples.jsonl: line 2 is no sample ({why}"
    assert str(error.value).startswith(told)
    assert str(error.value).endswith(
        "): restore it, or delete the line and have its sample taken again by --resume"
    )


def test_a_part_of_a_sample_is_taken_back(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    added(run, sample(KEYS[0], 0))
    before = run.samples_file.read_bytes()
    really_write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: really_write(descriptor, data[:20]))
    with pytest.raises(OSError, match=r"^the disk took only a part of the line$"):
        run.append(sample(KEYS[0], 1))
    assert run.samples_file.read_bytes() == before


def test_a_sample_is_synced(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    before = {one.name for one in Path("/proc/self/fd").iterdir()}
    added(run, sample(KEYS[0], 0), sample(KEYS[0], 1))
    assert len(synced) == 2
    assert {one.name for one in Path("/proc/self/fd").iterdir()} == before, "and its file is closed"


def head_of(**changed: Any) -> Head:  # noqa: ANN401
    return Head(DOCUMENT | changed, Plan((), ()))


def test_what_a_head_says() -> None:
    goal = Goal(None, 0.02, 100, (10, 15, 22, 33, 50, 75, 100))
    head = head_of(
        workers_why="so",
        pin="cores",
        amounts={"static": 0.5},
        goal=goal.to_json(),
        void_disturbed=True,
        skipped={"caf": "not built"},
        default_design="actor-centric",
        peers=[System("caf", "CAF", ("executor",), ("slow",)).to_json()],
    )
    assert head.peers == [System("caf", "CAF", ("executor",), ("slow",))]
    assert (head.preset, head.seed, head.timeout_s, head.cpus) == ("quick", 7, 60.0, 2)
    assert (head.workers, head.workers_why, head.pin) == ((1, 2), "so", "cores")
    assert (head.amounts, head.goal, head.voids_disturbed) == ({"static": 0.5}, goal, True)
    assert (head.skipped, head.default_design) == ({"caf": "not built"}, "actor-centric")
    assert head.confidence == pytest.approx(1 - 0.05 / 7)


def test_what_a_head_that_says_less_means() -> None:
    head = head_of()
    assert (head.workers_why, head.pin, head.amounts, head.goal) == ("", None, {}, None)
    assert (head.voids_disturbed, head.skipped, head.peers) == (False, {}, [])
    assert head.default_design == "message-centric"
    assert head.confidence == 0.95


def test_a_run_is_named_by_time_and_label(run: Run, tmp_path: Path) -> None:
    assert re.fullmatch(r"\d{8}T\d{6}Z-x", run.name)
    document = json.loads((run.folder / "run.json").read_text())
    assert document == {"schema": 1, "run": run.name, **DOCUMENT}
    assert (run.folder / "run.json").read_text().endswith("}\n")
    assert (run.folder / "run.json").read_text().startswith('{\n "schema": 1,\n "run"')
    assert run.shown == f"results/{run.name}"
    assert run.project == Project(tmp_path)
    assert not run.is_kept
    assert not run.is_whole
    assert run.head().plan == make_plan(dict.fromkeys(CELLS, 2), 1)


def test_runs_of_one_second_have_names_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Still(datetime):
        @classmethod
        def now(cls, tz: object = None) -> "Still":
            assert tz is UTC
            return cls(2026, 2, 3, 4, 5, 6)

    monkeypatch.setattr(store, "datetime", Still)
    made = [create_run(Project(tmp_path), "x", DOCUMENT).name for _ in range(3)]
    assert made == ["20260203T040506Z-x", "20260203T040506Z-x-2", "20260203T040506Z-x-3"]
    assert [one.name for one in all_runs(Project(tmp_path))] == made


def test_no_folder_no_run(tmp_path: Path) -> None:
    (tmp_path / "results").write_text("")
    with pytest.raises(UserError, match=r"^results/: cannot be written: File exists$"):
        create_run(Project(tmp_path), "x", DOCUMENT)


def kept(run: Run) -> Run:
    """Keep a run for the documents."""
    folder = run.project.kept_runs / run.name
    folder.mkdir(parents=True)
    (folder / "run.json").write_bytes((run.folder / "run.json").read_bytes())
    (folder / "samples.jsonl.xz").write_bytes(lzma.compress(run.samples_file.read_bytes()))
    return Run(folder)


def test_a_kept_run_is_read(run: Run, tmp_path: Path) -> None:
    copy = kept(added(run, sample(KEYS[0], 0, "a")))
    assert names(copy.samples()) == ["a"]
    assert copy.is_kept
    assert copy.shown == f"docs/runs/{run.name}"
    assert copy.project == Project(tmp_path)
    assert all_kept_runs(Project(tmp_path)) == [copy]
    assert all_runs(Project(tmp_path)) == [run]
    packed = copy.folder / "samples.jsonl.xz"
    packed.write_bytes(b"no xz")
    with pytest.raises(UserError, match=rf"^docs/runs/{run.name}/samples\.jsonl\.xz: cannot be read: "):
        copy.samples()
    packed.write_bytes(lzma.compress(b"garbled\n" + run.samples_file.read_bytes()))
    with pytest.raises(UserError, match=rf"^docs/runs/{run.name}/samples\.jsonl\.xz: line 1 is no sample"):
        copy.samples()


def test_a_run_is_found_by_name_or_folder(run: Run, tmp_path: Path) -> None:
    project = Project(tmp_path)
    assert find_run(project, run.name) == run
    assert find_run(project, f"results/{run.name}/") == run
    copy = kept(added(run, sample(KEYS[0], 0)))
    assert find_run(project, run.name) == run, "the one that can be gone on with"
    (run.folder / "run.json").unlink()
    assert find_run(project, run.name) == copy
    more = [create_run(project, label, DOCUMENT).name for label in "pqrs"]
    with pytest.raises(UserError) as error:
        find_run(project, "none")
    assert str(error.value) == f"no run 'none' in results/ (newest: {', '.join(sorted(more)[1:])})"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "cannot be read: Expecting property name"),
        ("7", "cannot be read: 'int' object is not subscriptable"),
        ('{"schema": 1}', "cannot be read: 'kind'"),
        ('{"kind": "sweep"}', "cannot be read: 'schema'"),
        ("[" * 100_000, "cannot be read: "),
        ('{"schema": 1, "kind": "gate"}', "is a run of kind 'gate', where a sweep is needed"),
        ('{"schema": 1, "kind": "sweep"}', "(top level): lacks 'preset'"),
        ('{"schema": 2, "kind": "x"}', "is of store version 2, and this driver reads version 1"),
    ],
)
def test_a_head_that_is_none(run: Run, text: str, why: str) -> None:
    (run.folder / "run.json").write_text(text)
    with pytest.raises(UserError) as error:
        run.head()
    assert str(error.value).startswith(f"results/{run.name}/run.json: {why}")
    (run.folder / "run.json").unlink()
    with pytest.raises(UserError, match=r"run\.json: cannot be read: \[Errno 2\]"):
        run.head()


def test_a_head_of_another_version_names_its_commit(run: Run) -> None:
    path = run.folder / "run.json"
    for machine, hint in (
        ({"commit": "0123456789" * 5}, ", such as that of commit " + "0123456789" * 4),
        ({"commit": "12\n34"}, ", such as that of commit 12"),
        ({"commit": None}, "time"),
        ({}, "time"),
        ("none", "time"),
    ):
        path.write_text(json.dumps({"schema": 0, "kind": "x", "machine": machine}))
        with pytest.raises(UserError) as error:
            run.document()
        assert hint in str(error.value)
        assert ("such as" in str(error.value)) == (hint != "time")


def test_a_plan_that_names_no_cell_is_refused(run: Run) -> None:
    document = json.loads((run.folder / "run.json").read_text())
    document["plan"]["rounds"] = [[2]]
    (run.folder / "run.json").write_text(json.dumps(document))
    with pytest.raises(
        UserError, match=rf"^results/{run.name}/run\.json: a round names a cell that the plan"
    ):
        run.head()


def test_whole_processes_are_of_their_own_kind(run: Run) -> None:
    (run.folder / "run.json").write_text('{"schema": 1, "kind": "whole-process"}')
    assert run.is_whole


def test_a_look_changes_the_head(run: Run) -> None:
    goal = Goal(60, None, 10, ())
    plan = make_plan(dict.fromkeys(CELLS, 5), 1)
    head = run.replan(run.head(), Decision(plan, goal, ("one", "two")))
    assert (head.plan, head.goal) == (plan, goal)
    assert run.head() == head
    again = run.replan(head, Decision(plan, goal, ("two", "three")))
    assert again.document["decisions"] == ["one", "two", "three"]
    assert run.head() == again
    before = (run.folder / "run.json").read_text()
    assert before.startswith('{\n "schema"')
    assert before.endswith("}\n")
    (run.folder / "run.json").write_text("as it was")
    assert run.rewrite(again, {"seed": 7}) == again
    assert (run.folder / "run.json").read_text() == "as it was", "nothing to change, nothing written"


def test_a_head_that_can_not_be_written_is_one_line(run: Run) -> None:
    head = run.head()
    (run.folder / "run.json.new").mkdir()
    with pytest.raises(
        UserError, match=rf"^results/{run.name}/run\.json: cannot be written: Is a directory$"
    ):
        run.rewrite(head, {"seed": 8})
    assert run.head() == head


def test_a_tail_that_can_not_be_put_aside_is_one_line(run: Run) -> None:
    run.samples_file.write_bytes(b"garbled\n")
    (run.folder / "put-aside.txt").mkdir()
    with pytest.raises(UserError, match=rf"^results/{run.name}/: cannot be written: Is a directory$"):
        run.put_tail_aside()
    assert run.samples_file.read_bytes() == b"garbled\n"


def test_a_run_is_loaded_with_what_it_was_planned_by(tmp_path: Path) -> None:
    """Its own preset, amounts, workers, pin, experiments and peers; samples by round, whenever taken."""
    lines = LINES.replace('label = "list"', 'label = "peer"\nsystem = "caf"').replace(
        'system = "caf"\noptions = { queue = "list" }', 'system = "caf"'
    )
    no_design = LINES.replace('id = "lines"', 'id = "more"')
    document = DOCUMENT | {
        "experiments": [{"file": "plots/a.toml", "text": lines}, {"file": "plots/b.toml", "text": no_design}],
        "preset": "thesis",
        "amounts": {"executor": 0.125},
        "workers": [1, 4],
        "pin": "smt",
        "default_design": "actor-centric",
        "peers": [System("caf", "CAF", ("executor",)).to_json()],
    }
    run = create_run(Project(tmp_path), "x", document)
    taken = [
        sample(KEYS[0], 1, position=1),
        sample(KEYS[1], 1),
        sample(KEYS[0], 0, position=1),
        sample(KEYS[1], 0),
    ]
    results = load_results(added(run, *taken))
    assert (results.name, results.head) == (run.name, run.head())
    assert [(one.round, one.position) for one in results.samples] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    first, second = results.experiments
    assert (first.file, first.text, second.file) == ("plots/a.toml", lines, "plots/b.toml")
    assert [one.setting.system for one in first.series] == ["actorbench", "caf"]
    assert {one.setting.design for one in second.series} == {"actor-centric"}
    assert (results.resolver.workers, results.resolver.pin) == ((1, 4), "smt")
    assert results.resolver.preset == parse_preset(PRESETS, "thesis").with_amounts({"executor": 0.125})
    assert results.printed == ()
    shutil.copytree(SOURCE / "plots" / "sources", tmp_path / "plots" / "sources")
    assert load_results(run).printed == tuple(known_printed(SOURCE / "plots" / "sources")[0]) != ()
    assert load_results(run).left_out == ()
    for name in ("sources", "claims"):
        (tmp_path / "plots" / name).mkdir(exist_ok=True)
        (tmp_path / "plots" / name / "bad.toml").write_text("bad")
    assert [one.split(": is no TOML")[0] for one in load_results(run).left_out] == [
        "plots/sources/bad.toml",
        "plots/claims/bad.toml",
    ]


def test_a_file_is_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_text("before")
    synced: list[str] = []

    def note(_descriptor: int) -> None:
        synced.append((tmp_path / "file.new").read_text())
        assert path.read_text() == "before"

    monkeypatch.setattr(os, "fsync", note)
    write_whole(path, "äfter")
    assert path.read_bytes() == "äfter".encode()
    assert synced == ["äfter"]
    assert list(tmp_path.iterdir()) == [path]


def full(_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_of_what_cannot_be_written_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_text("before")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, "after")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
    unwritten = pytest.raises(UserError, match="results/: cannot be written: No space left")
    with unwritten:
        create_run(Project(tmp_path), "x", DOCUMENT)
    assert list((tmp_path / "results").iterdir()) == []
    monkeypatch.setattr(Path, "rmdir", full)
    with unwritten:
        create_run(Project(tmp_path), "x", DOCUMENT)


def test_what_shows_samples_is_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "figures" / "of" / "lines.svg"
    for content in (b"\0\xff", b"again"):
        write_shown(path, content)
        assert path.read_bytes() == content
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError) as caught:
        write_shown(path, b"")
    assert str(caught.value) == (
        f"{path}: cannot be written: No space left on device; nothing that was measured is lost, and"
        " ./actorbench figures --run RUN writes it again"
    )


def test_an_output_is_written_in_place_where_it_is_no_file(tmp_path: Path) -> None:
    path, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    write_output(path, "ä")
    assert path.read_bytes() == "ä".encode()
    number = path.stat().st_ino
    write_output(path, "two")
    assert path.stat().st_ino != number, "whole, or not at all"
    link.symlink_to(path)
    write_output(link, "thrée")
    assert link.is_symlink()
    assert path.read_bytes() == "thrée".encode()
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_output(pipe, "four")
    assert os.read(reader, 9) == b"four"
    os.close(reader)
    assert pipe.is_fifo()

"""What a finished process is worth: a record, a failure, or both; and how a sample is kept."""

import json
import random
import shutil
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from actorbench.cell import Cell
from actorbench.disturbance import Disturbance, marked
from actorbench.errors import BadRecordError
from actorbench.judging import KEPT_TEXT, Failure, judge, shortened, signal_name
from actorbench.own.command import Own
from actorbench.plan import Slot
from actorbench.process import Finished, StoppedError
from actorbench.project import Project
from actorbench.record import Record
from actorbench.sample import (
    COPY_PREFIX,
    PADDING_LIMIT,
    Sample,
    remove_copies,
    sample_from_json,
    take_sample,
)
from actorbench.stop import StopRequest
from test_record import RECORD

CELL = Cell("release@1234", "message-centric", "executor", 2, 1, (), ())
WHOLE = json.dumps(RECORD)


def finished(
    stdout: str = WHOLE,
    stderr: str = "said\n",
    *,
    status: int | None = 0,
    number: int | None = None,
    timed_out: bool = False,
) -> Finished:
    return Finished(status, number, timed_out, 12_345, stdout.encode(), stderr.encode())


def changed(**fields: object) -> str:
    return json.dumps(RECORD | fields)


def failure(kind: str, reason: str, stdout: str = WHOLE, stderr: str = "said\n") -> Failure:
    return Failure(kind, reason, stdout, stderr)


WRONG = "the workload found its own result wrong"


@pytest.mark.parametrize(
    ("done", "has_record", "found"),
    [
        (finished(), True, None),
        (
            finished(timed_out=True, status=None, number=9),
            False,
            failure("timeout", "still running after 2.5 s, killed"),
        ),
        (finished(status=None, number=11), False, failure("crash", "killed by SIGSEGV")),
        (finished(status=None, number=99), False, failure("crash", "killed by signal 99")),
        (finished(status=1), True, failure("wrong result", WRONG)),
        (finished(status=2), True, failure("exit status", "exit status 2 beside a record")),
        (finished(changed(verified=False)), True, failure("wrong result", WRONG, changed(verified=False))),
        (
            finished("", "a\nb \n\n", status=3),
            False,
            failure("exit status", "exit status 3: b", "", "a\nb \n\n"),
        ),
        (finished("", "", status=3), False, failure("exit status", "exit status 3", "", "")),
        (
            finished("", "x" * 300, status=1),
            False,
            failure("exit status", f"exit status 1: {'x' * 200}", "", "x" * 300),
        ),
    ],
)
def test_what_a_finished_process_is_worth(done: Finished, has_record: bool, found: Failure | None) -> None:
    record, why = judge(done, 2.5, CELL)
    assert why == found
    assert (record is not None) == has_record
    assert judge(done, 2.5) == (record, why), "without a cell as with the one that was asked for"


def test_what_is_no_record_says_why() -> None:
    record, why = judge(finished("hello"), 1, CELL)
    assert record is None
    assert why is not None
    assert (why.kind, why.stdout) == ("bad record", "hello")
    assert "no JSON" in why.reason


@pytest.mark.parametrize(
    ("field", "value", "shown", "wanted"),
    [
        ("workload", "static", "'static'", "executor"),
        ("system", "caf", "'caf'", "actorbench"),
        ("design", "actor-centric", "'actor-centric'", "message-centric"),
        ("build", "debug", "'debug'", "release"),
        ("workers", 3, "3", "2"),
    ],
)
def test_a_record_is_about_its_cell(field: str, value: object, shown: str, wanted: str) -> None:
    text = changed(**{field: value})
    record, why = judge(finished(text), 1, CELL)
    assert why == failure(
        "bad record", f"the record says {field} {shown} where the cell asked for {wanted}", text
    )
    assert record is not None
    assert judge(finished(text), 1, replace(CELL, own=Own("x")))[1] is None, "a command is not asked for it"
    without = judge(finished(text), 1, replace(CELL, workers=None))[1]
    assert (without is None) == (field == "workers")
    assert judge(finished(changed(**{field: value, "verified": False})), 1, CELL)[1] is not None


def test_a_simulated_machine_is_that_of_the_simulated_build_alone() -> None:
    simulated = changed(machine="simulated: eight nodes")
    told = "the record is of a machine that is simulated: eight nodes: nothing was measured"
    assert judge(finished(simulated), 1, CELL)[1] == failure("bad record", told, simulated)
    cell, build = replace(CELL, config="simulated"), {"build": "simulated"}
    measured = changed(**build)
    told = "the record was measured, where a machine was to be simulated"
    assert judge(finished(measured), 1, cell)[1] == failure("bad record", told, measured)
    assert judge(finished(changed(machine="simulated: x", **build)), 1, cell)[1] is None
    counting = replace(cell, config="simulated-statistics")
    assert (
        judge(finished(changed(machine="simulated: x", build="simulated-statistics")), 1, counting)[1] is None
    )


def test_bytes_that_are_no_text_are_shown() -> None:
    done = Finished(3, None, False, 1, b"\xff", b"\xfe")
    _, why = judge(done, 1, CELL)
    assert why == Failure("exit status", "exit status 3: \ufffd", "\ufffd", "\ufffd")


def test_a_long_output_keeps_both_its_ends() -> None:
    assert shortened("x" * KEPT_TEXT) == "x" * KEPT_TEXT
    long = "a" * 2000 + "b" + "c" * 2000
    assert shortened(long) == f"{'a' * 2000}\n... 1 characters left out ...\n{'c' * 2000}"
    _, why = judge(finished(long, long + "d", status=3), 1)
    assert why is not None
    assert (why.stdout, why.stderr) == (shortened(long), shortened(long + "d"))


def test_signals_have_names() -> None:
    assert [signal_name(n) for n in (signal.SIGKILL, 200)] == ["SIGKILL", "signal 200"]


MADE = Sample("k", 3, 4, "2026", 5, 6, 7, 8, Record(RECORD), Failure("a", "b", "c", "d"), {"x": 1}, "steal")


@pytest.mark.parametrize(
    "one",
    [
        MADE,
        replace(MADE, record=None),
        replace(MADE, failure=None, disturbance=None, voided=None, signal=None),
    ],
)
def test_a_sample_is_written_and_read(one: Sample) -> None:
    document = json.loads(json.dumps(one.to_json()))
    assert sample_from_json(document) == one
    assert list(document) == [
        *("cell", "round", "position", "started", "padding", "wall_ns", "exit_status", "signal"),
        *("record", "failure", "disturbance", "voided"),
    ]


def test_a_sample_has_a_value_only_if_it_did_not_fail() -> None:
    assert not MADE.ok
    assert replace(MADE, failure=None).ok
    assert not replace(MADE, record=None).ok
    assert not replace(MADE, record=None, failure=None).ok


def test_an_older_sample_tells_no_disturbance() -> None:
    document = MADE.to_json()
    del document["disturbance"], document["voided"]
    assert sample_from_json(document) == replace(MADE, disturbance=None, voided=None)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"record": None, "failure": None}, KeyError),
        ({"record": {}}, BadRecordError),
        ({"failure": {"kind": "x"}}, TypeError),
        ({"round": None}, TypeError),
        ({"position": "x"}, ValueError),
    ],
)
def test_what_is_no_sample(fields: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error) as raised:
        sample_from_json(MADE.to_json() | fields)
    if error is KeyError:
        assert raised.value.args == ("record",), "what it lacks"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A checkout with the cell's program, which says where it is and what it was given."""
    path = tmp_path / "build" / CELL.program
    path.parent.mkdir(parents=True)
    path.write_text('#!/bin/sh\necho "$0 $* ${#ACTORBENCH_PADDING} $HOME $PWD"\n')
    path.chmod(0o755)
    return Project(tmp_path)


def test_a_sample_is_taken_of_a_fresh_copy(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home")
    chance = random.Random(1)
    taken = [take_sample(project, Slot(2, 3, CELL), 600, chance, StopRequest()) for _ in range(2)]
    drawn = random.Random(1)
    for one in taken:
        padding = drawn.randrange(PADDING_LIMIT)
        assert (one.key, one.round, one.position, one.padding) == (CELL.key, 2, 3, padding)
        assert one.failure is not None
        program, *words = one.failure.stdout.split()
        assert words == [
            *("--workers", "2", "--scale", "1", "--json", str(padding), "/home", str(project.root))
        ]
        assert Path(program).parent.name.startswith(COPY_PREFIX)
        assert Path(program).parent.parent == project.build
        assert not Path(program).parent.exists(), "and is gone"
        assert (one.exit_status, one.signal, one.record) == (0, None, None)
        assert one.wall_ns > 0
        assert one.started.endswith("+00:00")
        assert len(one.started) == len("2026-11-22T17:43:19.123+00:00")
    programs = {one.failure.stdout.split()[0] for one in taken if one.failure}
    assert len(programs) == 2
    assert len({len(one) for one in programs}) == 1


def test_a_program_that_is_not_there_is_a_failure(project: Project) -> None:
    cell = replace(CELL, workload="none")
    one = take_sample(project, Slot(0, 0, cell), 600, random.Random(1), StopRequest())
    assert one.failure == Failure("not started", f"{cell.program}: No such file or directory")
    assert (one.exit_status, one.signal, one.wall_ns, one.record) == (None, None, 0, None)


def test_a_command_of_its_own_is_not_copied(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "copy", lambda *_: pytest.fail("there is nothing to copy"))
    cell = replace(CELL, own=Own("sh -c 'exit 7'"))
    one = take_sample(project, Slot(0, 0, cell), 600, random.Random(1), StopRequest())
    assert one.failure == Failure("exit status", "exit status 7")


def test_the_time_limit_is_the_samples(project: Project) -> None:
    cell = replace(CELL, own=Own("sleep 1000"))
    one = take_sample(project, Slot(0, 0, cell), 0.25, random.Random(1), StopRequest())
    assert one.failure == Failure("timeout", "still running after 0.25 s, killed")


def taken(project: Project, body: str, stop: StopRequest | None = None, timeout_s: float = 600) -> Sample:
    """A sample of the cell, whose program does this."""
    (project.build / CELL.program).write_text(f"#!/bin/sh\n{body}\n")
    return take_sample(project, Slot(0, 0, CELL), timeout_s, random.Random(1), stop or StopRequest())


def test_a_samples_record_is_the_programs_and_that_of_its_cell(project: Project) -> None:
    own = RECORD | {"design": CELL.design, "workload": CELL.workload, "workers": CELL.workers}
    good = taken(project, f"cat <<'END'\n{json.dumps(own | {'build': 'release'})}\nEND")
    assert good.record is not None
    assert good.failure is None
    wrong = taken(project, f"cat <<'END'\n{json.dumps(own | {'build': 'debug'})}\nEND")
    assert wrong.failure is not None, "another build than the cell's"


def test_a_sample_that_is_killed_or_never_ends_says_so(project: Project) -> None:
    killed = taken(project, "kill -SEGV $$")
    assert (killed.exit_status, killed.signal) == (None, signal.SIGSEGV)
    endless = taken(project, "sleep 1000", timeout_s=0.25)
    assert endless.failure is not None
    assert endless.failure.reason == "still running after 0.25 s, killed"


@pytest.mark.parametrize("own", [None, Own("sleep 1000")])
def test_a_sample_is_left_when_the_user_asks(project: Project, own: Own | None) -> None:
    stop = StopRequest()
    stop.ask()
    (project.build / CELL.program).write_text("#!/bin/sh\nsleep 1000\n")
    with pytest.raises(StoppedError):
        take_sample(project, Slot(0, 0, replace(CELL, own=own)), 5, random.Random(1), stop)


def test_what_is_no_folder_is_no_copy(project: Project) -> None:
    file = project.build / f"{COPY_PREFIX}file"
    file.write_text("")
    remove_copies(project)
    assert file.exists()


def test_copies_that_were_left_behind_are_removed(project: Project) -> None:
    left, other = project.build / f"{COPY_PREFIX}x", project.build / "sample"
    for folder in (left / "deep", other):
        folder.mkdir(parents=True)
    remove_copies(project)
    assert not left.exists()
    assert other.exists()


SEEN = Disturbance(steal_share=0.03, pressure_share=0.5, throttled=0, switches_per_s=0)


@pytest.mark.parametrize(
    ("workers", "repeats_left", "fails", "steal", "voided"),
    [
        (2, True, False, 0.03, "steal 3.0%"),
        (2, False, False, 0.03, None),
        (2, True, True, 0.03, None),
        (2, True, False, 0.0, "pressure 50%"),
        (3, True, False, 0.0, None),
        (None, True, False, 0.0, "pressure 50%"),
    ],
)
def test_what_was_seen_is_kept_and_may_void(
    workers: int | None, repeats_left: bool, fails: bool, steal: float, voided: str | None
) -> None:
    """Three workers on two CPUs press on each other; a failure stays one."""
    taken = replace(
        MADE, disturbance=None, voided=None, wall_ns=10**9, failure=MADE.failure if fails else None
    )
    seen = replace(SEEN, steal_share=steal)
    slot = Slot(0, 0, replace(CELL, workers=workers))
    one = marked(taken, seen, slot, cpus=2, repeats_left=repeats_left)
    assert one == replace(taken, disturbance=seen.to_json(), voided=voided)


def test_a_cell_without_workers_counts_as_one() -> None:
    slot = Slot(0, 0, replace(CELL, workers=None))
    taken = replace(MADE, failure=None, wall_ns=10**9)
    found = marked(taken, replace(SEEN, steal_share=0.0), slot, cpus=1, repeats_left=True)
    assert found.voided == "pressure 50%", "as of a cell that is not oversubscribed"

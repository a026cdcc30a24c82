"""Own commands: what a file may say of them, how a sample of one is taken, and the driver at work on them."""

import json
import random
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from actorbench.cell import Cell, Resolver, cell_from_json, own_cell
from actorbench.errors import UserError
from actorbench.experiment import parse_experiment
from actorbench.gate.cells import commit_entries
from actorbench.own.command import Own
from actorbench.own.entries import own_of
from actorbench.plan import Slot
from actorbench.preset import parse_preset
from actorbench.reading.formats import FORMATS, Reader
from actorbench.replay import replay_text
from actorbench.results import load_results
from actorbench.sample import Sample, take_sample
from actorbench.stop import stop_on_signals
from conftest import SOURCE, Checkout
from test_guide import parsed

DOCUMENT = (SOURCE / "docs" / "own-programs.md").read_text(encoding="utf-8")
# Prints how long it says it took: its second argument times its first, in ms.
BENCH = """#!/bin/sh
echo "size $1 took $(($1 * ${2:-1})).$(($$ % 97 + 100)) ms"
"""
PATTERN = "took ([0-9.]+) ms"
READ = f"{{ format = 'regex', pattern = '{PATTERN}', unit = 'ms' }}"
MS = Reader("regex", pattern=PATTERN, unit="ms")
ERRORS, FILE = replace(MS, source="stderr"), replace(MS, source="{output}")

OWN = """
schema = 1
id = "own"
title = "A command"
kind = "table"
columns = ["elapsed"]
command = "./bench {size} {workers}"
read = "wall"
"""


def sampled(
    checkout: Checkout, own: Own, workers: int | None = None, timeout_s: float = 60, **values: str
) -> Sample:
    """Take a sample of a command."""
    slot = Slot(0, 0, own_cell(own, "x", workers, values))
    with stop_on_signals() as stop:
        return take_sample(checkout.project, slot, timeout_s, random.Random(1), stop)


def in_shell(script: str) -> str:
    """A command that does what a shell script says."""
    return shlex.join(["sh", "-c", script])


@pytest.fixture
def bench(checkout: Checkout) -> Checkout:
    """A checkout with a program of the user's own."""
    path = checkout.root / "bench"
    path.write_text(BENCH)
    path.chmod(0o755)
    return checkout


def test_a_cells_values_stand_in_every_text() -> None:
    own = Own(
        "./bench {size} '{a b}' {{size}} {workers}",
        Reader("google-benchmark", benchmark="BM/{size}"),
        folder="{size}",
        environment=(("GOMAXPROCS", "{workers}"),),
        prepare="mk {size}",
        verify="check {size}",
        cleanup="rm '{size}'",
    )
    cell = own_cell(own, "bench", 2, {"size": 10})
    assert cell.key == (
        "(cd 10 && mk 10 && GOMAXPROCS=2 ./bench 10 '{a b}' '{size}' 2 | check 10; rm 10)"
        " # google-benchmark BM/10"
    )
    assert cell.command(Path()) == ["./bench", "10", "{a b}", "{size}", "2"]
    assert own_cell(own, "bench", 2, {"size": 10}, "base").key.endswith(" # google-benchmark BM/10, base")
    assert cell_from_json(json.loads(json.dumps(cell.to_json()))) == cell


def test_a_command_alone_is_its_own_key() -> None:
    assert own_cell(Own("./bench  'a b'"), "x", None, {}).key == "./bench  'a b'"


def test_workers_are_bound_to_the_first_cpus_of_the_order() -> None:
    own = Own("./bench", cpus=(0, 2, 1, 3))
    keys = [own_cell(own, "x", count, {}).key for count in (None, 1, 3, 9)]
    assert keys == [f"taskset --cpu-list {cpus} ./bench" for cpus in ("0", "0", "0,2,1", "0,2,1,3")]


def test_one_pin_for_all_binds_what_has_workers_or_a_pin() -> None:
    """What has neither may have threads of its own, and is left alone."""
    text = OWN.replace("{size} {workers}", "")
    for line in ("pin = 'smt'", "command = './bench {workers}'", ""):
        text += f"[[series]]\nlabel = 'x'\n{line}\n"
    experiment = parse_experiment(text, "f")
    preset = parse_preset("schema = 1\n[quick]\nsamples = 3\nscale = {}\n", "quick")
    orders = {"cores": (1, 0), "smt": (0, 1)}
    for pin, keys in (
        (None, ["taskset --cpu-list 0 ./bench ", "./bench 2", "./bench "]),
        ("cores", ["taskset --cpu-list 1 ./bench ", "taskset --cpu-list 1,0 ./bench 2", "./bench "]),
        ("none", ["./bench ", "./bench 2", "./bench "]),
    ):
        resolver = Resolver(preset, (1, 2), pin, cpu_orders=orders)
        cells = [resolver.cells(experiment, one) for one in experiment.settings()]
        assert [cell.key for (cell,) in cells] == [f"{key} # wall" for key in keys]


@pytest.mark.parametrize(
    ("own", "elapsed_ns"),
    [
        (Own("./bench 3", MS), 3.1e6),
        (Own(in_shell("echo 'took 7 ms' >&2"), ERRORS), 7e6),
        (Own(in_shell("echo 'took 7 ms' > {output}"), FILE), 7e6),
        (Own("../bench 3", MS, folder="sub"), 3.1e6),
        (Own(in_shell('echo "took $FOO ms"'), MS, environment=(("FOO", "4"),)), 4e6),
        (Own("cat made", MS, prepare=in_shell("echo took 5 ms > made"), cleanup="rm made"), 5e6),
        (Own("./bench 3", MS, verify="grep -q 'size 3 took'"), 3.1e6),
        (Own("./bench 3", MS, expected="size 3 took"), 3.1e6),
    ],
)
def test_a_sample_is_what_the_command_tells(bench: Checkout, own: Own, elapsed_ns: float) -> None:
    (bench.root / "sub").mkdir()
    sample = sampled(bench, own)
    assert sample.failure is None
    assert sample.record is not None
    assert sample.record.elapsed_ns == pytest.approx(elapsed_ns, rel=0.05)
    assert not (bench.root / "made").exists(), "it was cleaned up"


def test_the_whole_process_is_timed_without_what_goes_with_it(bench: Checkout) -> None:
    own = Own(
        in_shell("i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done"), Reader("wall"), prepare="sleep 0.5"
    )
    sample = sampled(bench, own)
    assert sample.record is not None
    assert sample.record.elapsed_ns < sample.wall_ns - 4e8, "a sample takes what all its steps take"
    assert 0 < sample.record.cpu_ns < 2 * sample.record.elapsed_ns
    assert sample.record.raw["unit"] == "process"


@pytest.mark.parametrize(
    ("own", "kind", "reason"),
    [
        (Own("./bench 3", MS, verify="grep -q none"), "wrong result", "verify: exit status 1"),
        (Own("./bench 3", MS, expected="all is well"), "wrong result", "does not hold 'all is well'"),
        (Own(in_shell("./bench 3; echo no disk >&2; exit 3"), MS), "exit status", "exit status 3: no disk"),
        (Own(in_shell("./bench 3; exit 1"), MS), "exit status", "exit status 1"),
        (Own("true", MS), "bad record", "nothing that matches"),
        (Own("true", Reader("jmh", source="old.json")), "bad record", "has not written old.json"),
        (Own("true", Reader("jmh", source="none.json")), "bad record", "has not written none.json"),
        (Own("./bench 3", MS, prepare=in_shell("echo why; exit 4")), "prepare failed", "exit status 4: why"),
        (Own("./bench 3", MS, cleanup="false"), "cleanup failed", "cleanup: exit status 1"),
        (Own(in_shell("kill -SEGV $$"), MS), "crash", "killed by SIGSEGV"),
        (Own("./bench 3", MS, verify="./gone"), "not started", "./gone: No such file"),
        (Own("./bench 3", MS, folder="gone"), "not started", "No such file"),
    ],
)
def test_what_is_not_verified_is_no_number(bench: Checkout, own: Own, kind: str, reason: str) -> None:
    (bench.root / "old.json").write_text("[]")
    sample = sampled(bench, own)
    assert not sample.ok
    assert sample.failure is not None
    assert (sample.failure.kind, reason in sample.failure.reason) == (kind, True), sample.failure.reason


def test_cleanup_runs_after_a_failure(bench: Checkout) -> None:
    sample = sampled(bench, Own("sleep 1000", MS, prepare="touch here", cleanup="rm here"), timeout_s=0.1)
    assert sample.failure is not None
    assert sample.failure.kind == "timeout"
    assert not (bench.root / "here").exists()


def test_an_experiment_scans_a_parameter(bench: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    """Lines over {size}, two series; the value shown is what the command told."""
    text = f"""
schema = 1
id = "own"
title = "A command"
kind = "lines"
command = ["./bench", "{{size}}", "{{factor}}"]
read = {READ}
over = {{ parameter = "size", values = [10, 20], label = "size" }}
[[series]]
label = "new"
parameters = {{ factor = 1 }}
[[series]]
label = "old"
parameters = {{ factor = 3 }}
"""
    bench.experiment(text, "own")
    results, folder = bench.drawn("own", "--samples", "6")
    assert (folder / "figures" / "own.svg").exists()
    table = capsys.readouterr().out
    assert "verified by the exit status alone: bench (" in table
    values = {
        key: [sample.record.elapsed_ns for sample in one.samples if sample.record]
        for key, one in results.by_cell.items()
    }
    assert {key.split(" # ")[0] for key in values} == {
        f"./bench {size} {factor}" for size in (10, 20) for factor in (1, 3)
    }
    for key, taken in values.items():
        _, size, factor, *_ = key.split()
        assert len(taken) == 6
        assert all(value == pytest.approx(int(size) * int(factor) * 1e6, rel=0.2) for value in taken)
    told = replay_text(results, results.experiments[0])
    assert "\n./bench 10 3\n" in told


def test_commands_stand_beside_programs_of_ours(bench: Checkout) -> None:
    """In rows: the command has 1.5 times the time of the program's 1000 operations, and twice the values."""
    text = f"""
schema = 1
id = "rows"
title = "Rows"
kind = "ratios"
workload = "executor"
workers = [1]
[[rows]]
label = "commands"
candidate = {{ command = "./bench {{size}} 2", read = {READ}, workers = "none" }}
base = {{ command = "./bench {{size}} 1", read = {READ}, workers = "none" }}
parameters = {{ size = [100, 200] }}
[[rows]]
label = "ours"
candidate = {{ options = {{ queue = "list" }} }}
base = {{ options = {{ queue = "copy" }} }}
"""
    bench.experiment(text, "rows")
    assert bench.call("sweep", "rows", "--samples", "8") == 0
    results = load_results(bench.only_run())
    from actorbench.ratios import compare_rows

    rows = compare_rows(results, results.experiments[0])
    assert [row.label for row in rows] == ["commands, size 100", "commands, size 200", "ours"]
    for row in rows:
        assert row.ratio is not None
        assert row.ratio.ratio == pytest.approx(2, rel=0.05)


def test_speed_up_is_over_one_worker_of_the_same_command(bench: Checkout) -> None:
    text = f"""
schema = 1
id = "own"
title = "A command"
kind = "lines"
show = "speedup"
workers = "1..all"
command = ["sh", "-c", "./bench $((60 / $N))"]
environment = {{ N = "{{workers}}" }}
read = {READ}
[[series]]
label = "own"
"""
    bench.experiment(text, "own")
    assert bench.call("sweep", "own", "--samples", "6", "--workers", "1,2", "--budget", "10m") == 0
    results = load_results(bench.only_run())
    from actorbench.measure import MEASURES

    cells = {one.cell.workers: one.cell for one in results.by_cell.values()}
    speedup = results.speedup(cells[2], MEASURES["elapsed"])
    assert speedup is not None
    assert speedup.ratio == pytest.approx(2, rel=0.05)


def test_a_wrong_result_ends_the_sweep_with_its_status(bench: Checkout) -> None:
    text = OWN.replace("{size} {workers}", "3") + 'verify = { contains = "right" }\n[[series]]\nlabel = "x"\n'
    bench.experiment(text, "own")
    assert bench.call("sweep", "own") == 4
    assert load_results(bench.only_run()).failed_cells()


def test_pinned_workers_follow_the_plan(bench: Checkout) -> None:
    """The order of CPUs is asked of the program, and kept with the run."""
    plan = "printf 'worker CPU node package core thread\\n0 1 0 0 1 0\\n1 0 0 0 0 0\\n'"
    bench.program("executor", f"case $* in *--show-plan*) {plan} ;; *) record ;; esac")
    text = OWN.replace("./bench {size} {workers}", "grep Cpus_allowed_list /proc/self/status").replace(
        '"wall"', "{ format = 'regex', pattern = 'list:\\s+([0-9])', unit = 's' }"
    )
    bench.experiment(text + 'pin = "cores"\nworkers = [1]\n[[series]]\nlabel = "x"\n', "own")
    assert bench.call("sweep", "own", "--samples", "1") == 0
    (key,) = load_results(bench.only_run()).by_cell
    assert key.startswith("taskset --cpu-list 1 grep Cpus_allowed_list /proc/self/status # ")
    results = load_results(bench.only_run())
    (sample,) = results.samples
    assert sample.record is not None
    assert sample.record.elapsed_ns == 1e9, "it ran on CPU 1"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ('read = "wall"', "series[0]: a command lacks 'read'"),
        ('"wall"->"walls"', "series[0].read: no format 'walls' (choices: wall, record, regex,"),
        ('"wall"->{ format = "regex", unit = "s" }', "series[0].read: format 'regex' lacks 'pattern'"),
        ('"wall"->{ format = "json", path = "/a", unit = "points" }', "unit 'points' is none"),
        ('"wall"->{ formt = "json" }', "read: unknown key 'formt'"),
        ("{size}->{sise}", "series[0]: {sise} is no parameter (choices: size, workers, output)"),
        (" {workers}->", "its command has no {workers}: put it where it goes"),
        ("./bench->'./bench", "command: ''./bench {size} {workers}' is no command: No closing quotation"),
        ("./bench->./gone", "no program './gone' that can be run: ./gone 3 2"),
        ("./bench->gone-for-ever", "no program 'gone-for-ever' that can be run"),
        ("+prepare = 'gone'", "no program 'gone' that can be run"),
        ("+verify = ['gone', 'x']", "no program 'gone' that can be run"),
        ("+verify = { holds = 'x' }", "verify: unknown key 'holds' (allowed: contains)"),
        ("+working_directory = 'nowhere'", "no folder 'nowhere'"),
        ("+environment = { 'A-B' = 1 }", "environment"),
        ("+prepare = []", "prepare: "),
        ("+pin = 'here'", "pin: 'here' is not one of"),
        ("+pin = 'cores'", "executor"),
        ("+workload = 'executor'", "has a command and a workload: give one of them"),
        ("+over = { parameter = 'length', values = [1], label = 'l' }", "has no {length}, which the figure"),
    ],
)
def test_mistakes_are_found_before_the_first_sample(
    bench: Checkout, capsys: pytest.CaptureFixture[str], changed: str, said: str
) -> None:
    text = OWN + "workers = [2]\nparameters = { size = 3 }\n"
    if changed.startswith("+over"):
        text = text.replace('"table"', '"lines"').replace('columns = ["elapsed"]', "")
    if changed.startswith("+"):
        text += changed[1:] + "\n"
    else:
        old, _, new = changed.partition("->")
        assert old in text
        text = text.replace(old, new)
    bench.program("executor", "case $* in *--show-plan*) echo no plan; exit 1 ;; *) record ;; esac")
    bench.experiment(text + '[[series]]\nlabel = "x"\n', "own")
    assert bench.call("sweep", "own") == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not list(bench.project.results.glob("*/samples.jsonl"))


def test_what_belongs_to_a_command_needs_one() -> None:
    text = OWN.replace('command = "./bench {size} {workers}"', 'workload = "executor"')
    with pytest.raises(UserError, match=r"series\[0\]: 'verify' belongs to a command, and this has none"):
        parse_experiment(text + '[[series]]\nlabel = "x"\nverify = "true"\n', "f.toml")


def test_a_list_of_values_is_for_commands() -> None:
    text = OWN.replace('command = "./bench {size} {workers}"', 'workload = "executor"').replace(
        'read = "wall"', ""
    )
    with pytest.raises(UserError, match="size: a list of values is for commands"):
        parse_experiment(text + 'parameters = { size = [1, 2] }\n[[series]]\nlabel = "x"\n', "f.toml")


def test_a_series_may_go_back_to_ours() -> None:
    text = (
        OWN
        + '[[series]]\nlabel = "a"\nparameters = { size = 1 }\n[[series]]\nlabel = "b"\nworkload = "static"\n'
    )
    one, other = parse_experiment(text, "f.toml").series
    assert one.setting.own is not None
    assert (other.setting.own, other.setting.workload) == (None, "static")


def test_a_scanned_label_says_the_value() -> None:
    text = OWN + "parameters = { size = [1, 2] }\nworkers = [1]\n"
    text += '[[series]]\nlabel = "{size} MB"\n[[series]]\nlabel = "b"\n'
    text += '[[series]]\nlabel = "c"\nparameters = { size = 7 }\n'
    series = parse_experiment(text, "f.toml").series
    assert [one.label for one in series] == ["1 MB", "2 MB", "b, size 1", "b, size 2", "c"]
    assert [one.setting.parameters["size"] for one in series] == [1, 2, 1, 2, 7]


def test_output_is_read_where_it_is_named() -> None:
    assert own_of("x", {"command": "b -o {output}", "read": "jmh"}).reader.source == "{output}"
    named = {"command": "b -o {output}", "read": {"format": "jmh", "from": "stdout"}}
    assert own_of("x", named).reader.source == "stdout"


def test_runs_of_before_are_read(checkout: Checkout) -> None:
    """A command's cell once had its text alone."""
    document = {"config": "command", "design": "command", "workload": "a", "workers": None, "scale": 1}
    old = cell_from_json(
        {**document, "options": {}, "parameters": {}, "arm": "base", "command": './old "x  y"'}
    )
    assert old == Cell("command", "command", "a", None, 1, (), (), "base", Own('./old "x  y"'), "command")
    assert old.key == './old "x  y" # base'
    assert checkout.project


# docs/own-programs.md


def test_the_documents_files_are_read(checkout: Checkout) -> None:
    experiment, cells = re.findall(r"```toml\n(.*?)```", DOCUMENT, re.DOTALL)
    assert len(parse_experiment(experiment, "f").series) == 2
    path = checkout.root / "cells.toml"
    path.write_text(cells)
    assert [one["name"] for one in commit_entries(checkout.project, path, ())] == ["sort-1000", "sort-100000"]


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_document_tells_of_every_format(name: str) -> None:
    keys = ", ".join(f"`{key}`" for key in (*FORMATS[name].needs, *FORMATS[name].takes))
    assert f"| `{name}` | {keys} |".replace("|  |", "| |") in DOCUMENT


@pytest.mark.parametrize("line", re.findall(r"^ {4}\./actorbench (.+)$", DOCUMENT, re.MULTILINE))
def test_the_documents_commands_are_commands(line: str) -> None:
    parsed(line)

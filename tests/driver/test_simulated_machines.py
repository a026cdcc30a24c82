"""Runs on simulated machines: nothing that shows a number of theirs lets it pass for a measurement."""

import json
import shutil
from pathlib import Path

import pytest

from actorbench.cell import Cell
from actorbench.curves import curves_of
from actorbench.judging import judge
from actorbench.measure import MEASURES
from actorbench.own.command import Own
from actorbench.process import Finished
from actorbench.project import Project
from actorbench.results import load_results
from actorbench.simulated.provenance import NOT_VALIDATED
from actorbench.store import Run, all_kept_runs, all_runs
from conftest import LINES, SOURCE, Checkout
from test_record import RECORD

COUNTS = '"counts":{"instructions":50000,"atomics":2000,"transfers":1500,"remote_transfers":500,'
COUNTS += '"misses":1700,"memory_reads":10}'
# In a simulated program's place: its time follows from the seed and the options.
SIMULATED = f"""name=$(sed -n 's/^name //p' "$ACTORBENCH_MACHINE")
elapsed=$((base + ACTORBENCH_MACHINE_SEED))
record | sed 's/"notes"/"machine":"simulated: '"$name"'",{COUNTS},"notes"/'"""
SAID = "SIMULATED, not measured: machine opteron (4 x AMD Opteron 6376, 16 cores each, 8 NUMA nodes)"


@pytest.fixture
def checkout(checkout: Checkout) -> Checkout:
    """A checkout with descriptions of machines, and a program that simulates."""
    (checkout.root / "machine").mkdir()
    (checkout.root / "machine" / "descriptions").symlink_to(SOURCE / "machine" / "descriptions")
    checkout.program("executor", SIMULATED, config="simulated")
    return checkout


def simulated(checkout: Checkout, *arguments: str, machine: str = "opteron") -> Run:
    """Sweep on a machine; the run that this makes."""
    before = {run.name for run in all_runs(checkout.project)}
    assert checkout.call("sweep", *arguments, "--machine", machine) == 0
    (made,) = (run for run in all_runs(checkout.project) if run.name not in before)
    return made


def refused(checkout: Checkout, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the driver says, in one line, of what it refuses."""
    assert checkout.call(*arguments) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    return said.err


def test_a_run_says_that_it_is_simulated(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    run = simulated(checkout, "lines")
    out = capsys.readouterr().out
    assert run.name.endswith("-lines-opteron")
    assert out.count(SAID) == 2, "below the table of times, and below that of counts"
    assert NOT_VALIDATED in out
    assert "CPU simulated: opteron" in out
    assert "warning: simulated: opteron: no number of this run was measured" in out
    head = run.head()
    assert head.simulated == "opteron"
    assert head.workers == (1, 2, 4, 8, 16, 32, 64), "the machine's cores, not the host's"
    assert {cell.scale for cell in head.plan.cells} == {0.025}, "the preset simulated"
    assert {cell.program.parts[0] for cell in head.plan.cells} == {"simulated"}


def test_what_validation_has_found_stands_below_each_table(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout.root / "machine" / "validated.json").write_text('{"told": "12 % off, of cells kept aside"}')
    simulated(checkout, "lines", "--workers", "1,2")
    out = capsys.readouterr().out
    assert out.count("; 12 % off, of cells kept aside") == 2
    assert NOT_VALIDATED not in out


def test_a_sample_is_a_seed(checkout: Checkout) -> None:
    first = simulated(checkout, "lines", "--workers", "1,2", "--samples", "4")
    second = simulated(checkout, "lines", "--workers", "1,2", "--samples", "4")
    records = [
        {(one.key, one.round): one.record.elapsed_ns for one in run.samples() if one.record}
        for run in (first, second)
    ]
    assert records[0] == records[1]
    assert len(records[0]) == 16
    assert {elapsed for (key, _), elapsed in records[0].items() if "copy" in key} == {
        100_000 + seed for seed in range(4)
    }


def test_what_was_counted_is_shown_an_operation(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    run = simulated(checkout, "lines", "table", "ratios", "--workers", "1,2")
    out = capsys.readouterr().out
    for title in ("Executor: queues", "A table", "Ratios"):
        assert f"{title}: what was counted\n" in out
    row = "copy, 2 workers 50.00 2.000 1.500 0.5000 1.700 0.01000"
    assert row in " ".join(out.split())
    assert checkout.call("figures", "--run", run.name) == 0
    text = (run.folder / "tables" / "lines.csv").read_text()
    assert len([line for line in text.splitlines() if ",transfers,,3,1.5," in line]) == 4


def test_figures_and_the_report_say_so(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    run = simulated(checkout, "lines", "table", "--workers", "1,2")
    assert checkout.call("figures", "--run", run.name) == 0
    assert "SIMULATED, not measured" in (run.folder / "figures" / "lines.svg").read_text()
    for file in ("tables.md", "tables/lines.tex", "tables/table.tex"):
        assert "SIMULATED, not measured" in (run.folder / file).read_text(), file
    assert checkout.call("report", run.name) == 0
    page = (run.folder / "report.html").read_text()
    assert page.count(SAID) == 5, "two tables and what was counted for each, and the figure"
    assert "no number of this run was measured" in page
    capsys.readouterr()
    assert checkout.call("replay", run.name, "lines") == 0
    assert f"ACTORBENCH_MACHINE=results/{run.name}/machine.txt build/simulated/" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("csv", ",simulated,worker-centric,executor,"),
        ("google-benchmark", '"actorbench_machine": "simulated: opteron'),
        ("pyperf", '"cpu_model_name": "simulated: opteron'),
    ],
)
def test_exports_say_so(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], form: str, words: str
) -> None:
    run = simulated(checkout, "lines", "--workers", "1,2")
    capsys.readouterr()
    assert checkout.call("export", run.name, "--format", form) == 0
    assert words in capsys.readouterr().out


def test_a_measured_run_is_not_marked(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.call("sweep", "lines", "--workers", "1,2")
    assert checkout.call("export", checkout.only_run().name, "--format", "google-benchmark") == 0
    said = capsys.readouterr().out
    assert "imulated" not in said.replace("IMULATED", "imulated")
    assert "what was counted" not in said


def test_simulated_and_measured_numbers_are_not_joined(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.call("sweep", "lines", "--workers", "1,2")
    measured = checkout.only_run()
    run = simulated(checkout, "lines", "--workers", "1,2")
    capsys.readouterr()
    said = refused(checkout, capsys, "figures", "--run", measured.name, "--run", run.name)
    assert "simulated and measured runs are not drawn together" in said
    assert "the runs share no cell" in refused(checkout, capsys, "compare", measured.name, run.name)


def test_two_simulated_machines_stand_side_by_side(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [simulated(checkout, "lines", "--workers", "1,2", machine=name) for name in ("opteron", "modern")]
    capsys.readouterr()
    assert checkout.call("figures", "--run", runs[0].name, "--run", runs[1].name) == 0
    out = capsys.readouterr().out
    assert SAID in out
    assert "SIMULATED, not measured: machine modern" in out
    assert checkout.call("compare", runs[0].name, runs[1].name) == 0
    assert capsys.readouterr().out.count("SIMULATED, not measured") == 2
    assert checkout.call("compare", "--run", runs[0].name, "--", "--queue copy", "--queue list") == 0
    assert SAID in capsys.readouterr().out


def test_a_gate_judges_no_simulated_record() -> None:
    cell = Cell("own", "own", "own", None, 1, (), (), own=Own("build/simulated/executor --json"))
    stdout = json.dumps(RECORD | {"machine": "simulated: opteron"})
    _, failure = judge(Finished(0, None, False, 1, stdout.encode(), b""), 1, cell)
    assert failure is not None
    assert failure.kind == "bad record"
    assert failure.reason == "the record is of a machine that is simulated: opteron: nothing was measured"


def test_a_program_that_measures_is_no_simulation(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.program("executor", config="simulated")
    assert checkout.call("sweep", "lines", "--machine", "opteron", "--workers", "1") == 4
    said = "bad record: the record was measured, where a machine was to be simulated"
    assert said in capsys.readouterr().out


def test_a_simulated_program_is_no_measurement(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = LINES.replace('workload = "executor"', 'workload = "executor"\nconfig = "simulated"')
    checkout.experiment(text, "own")
    checkout.call("machine", "opteron", str(tmp_path / "machine.txt"))
    monkeypatch.setenv("ACTORBENCH_MACHINE", str(tmp_path / "machine.txt"))
    said = refused(checkout, capsys, "sweep", str(checkout.root / "plots" / "own.toml"))
    assert "build 'simulated' measures nothing: --machine says which machine" in said
    sides = ("--", "--queue copy", "--queue list")
    refused(checkout, capsys, "compare", "--workload", "executor", "--config", "simulated", *sides)
    monkeypatch.setenv("ACTORBENCH_MACHINE_SEED", "1")
    assert checkout.call("run", "executor", "--config", "simulated") == 0
    assert "machine simulated: opteron" in " ".join(capsys.readouterr().out.split())


def test_an_interrupted_run_goes_on_with_its_machine(checkout: Checkout) -> None:
    run = simulated(checkout, "lines", "--workers", "1,2", "--samples", "3")
    whole = run.samples_file.read_text().splitlines()
    run.samples_file.write_text("\n".join(whole[:5]) + "\n")
    shutil.rmtree(checkout.root / "machine")
    assert checkout.call("sweep", "--resume", run.name) == 0
    assert len(run.samples()) == len(whole) == 12
    assert {one.record.machine for one in run.samples() if one.record} == {"simulated: opteron"}


def test_a_dry_run_tells_of_the_machine(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.call("sweep", "lines", "--workers", "1,2")
    capsys.readouterr()
    asked = ("sweep", "lines", "--machine", "pack:2 core:8", "--dry-run")
    assert checkout.call(*asked) == 0
    out = capsys.readouterr().out
    assert "simulated, not measured: machine pack-2-core-8" in out
    assert "how long they take is not known" in out, "what was measured does not tell"
    assert "oversubscribed" not in out
    simulated(checkout, "lines", machine="pack:2 core:8")
    capsys.readouterr()
    assert checkout.call(*asked) == 0
    assert "by the same command" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--machine", "cray"),
            "no machine 'cray' in machine/descriptions/ (choices: host, modern,",
        ),
        (("--machine", "pack:0"), "'pack:0' is none of pack, numa, l3, l2, core, pu with a number from 1"),
        (("--machine", "rack:2"), "'rack:2' is none of pack"),
        (("--machine", "modern", "--budget", "1m"), "nothing is timed, so --budget means nothing"),
        (("--machine", "modern", "--precision", "2%"), "nothing is timed, so --precision means nothing"),
        (("--machine", "modern", "--void-disturbed"), "so --void-disturbed means nothing"),
    ],
)
def test_what_makes_no_sense_with_a_machine_is_refused(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    assert message in refused(checkout, capsys, "sweep", "lines", *arguments)
    assert all_runs(checkout.project) == []


def test_programs_that_are_not_built_are_named(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(checkout.root / "build" / "simulated")
    said = refused(checkout, capsys, "sweep", "lines", "--machine", "modern")
    assert "'executor' is not built as simulated/worker-centric" in said
    assert "run make CONFIG=simulated programs" in said


# ---- `machine` and `lines` ----


def test_machines_are_listed_and_written(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert checkout.call("machine") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "opteron 4 x AMD Opteron 6376, 16 cores each, 8 NUMA nodes 64 64 pack:4 numa:2" in out
    file = tmp_path / "machine.txt"
    assert checkout.call("machine", "opteron", str(file)) == 0
    written = dict(line.split(" ", 1) for line in file.read_text().splitlines())
    assert written["name"] == "opteron"
    assert float(written["ghz"]) > 0
    assert written["hops"].count(",") == 7, "a row for each of 8 nodes"
    assert checkout.call("machine", "pack:2 core:4", str(file)) == 0
    assert "topology pack:2 numa:1 l3:1 l2:1 core:4 pu:1\n" in file.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("cray", "x.txt"), "no machine 'cray'"),
        (("modern",), "machine: NAME needs a FILE to write"),
        (("modern", "nowhere/x.txt"), "nowhere/x.txt: cannot be written: No such file or directory"),
        (
            ("modern", "x.txt", "--calibrate"),
            "one of NAME FILE, --calibrate, --validate and --costs",
        ),
        (("--calibrate", "--validate"), "one of NAME FILE, --calibrate, --validate and --costs"),
        (("--validate", "--rounds", "0"), "0 is not in the range"),
    ],
)
def test_mistakes_with_machines_are_one_line(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    assert message in refused(checkout, capsys, "machine", *arguments)


def described(checkout: Checkout, old: str, new: str) -> None:
    """Put a description beside the others: that of opteron, changed."""
    folder = checkout.root / "machine" / "descriptions"
    text = (folder / "opteron.toml").read_text()
    folder.unlink()
    folder.mkdir()
    assert old in text
    (folder / "mine.toml").write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("ghz = ", "gigahertz = ", "each number has a source, and each source a number: ghz, gigahertz"),
        ("packages = ", "boxes = ", "machine/descriptions/mine.toml: "),
        ("ghz = ", "ghz = -", "machine/descriptions/mine.toml: "),
        ("[numbers]", "[numbers", "machine/descriptions/mine.toml: "),
    ],
)
def test_a_description_that_is_wrong_is_refused(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], old: str, new: str, message: str
) -> None:
    described(checkout, old, new)
    assert message in refused(checkout, capsys, "machine", "mine", "x.txt")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing",), "workload 'nothing' is not built as simulated/worker-centric (built there: executor)"),
        (("executor", "--machine", "cray"), "no machine 'cray'"),
        (("executor", "--design", "none"), "'none' is not one of"),
        (("executor",), "executor: a worker fell over"),
    ],
)
def test_mistakes_with_lines_are_one_line(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    checkout.program("executor", "echo a worker fell over >&2; exit 1", config="simulated")
    assert message in refused(checkout, capsys, "lines", *arguments)


def test_a_figure_has_no_curve_of_systems_that_are_not_simulated() -> None:
    """Of a run whose experiment wants every peer."""
    (run,) = [one for one in all_kept_runs(Project(SOURCE)) if one.name.endswith("-simulated-opteron")]
    results = load_results(run)
    (wanted,) = [one for one in results.experiments if one.id == "locality-concdict"]
    assert wanted.wants_peers
    found = curves_of(results, wanted, MEASURES["elapsed"])
    assert [one.label for one in found] == ["locality-guided (LGS)", "communication-focused (CLS)"]

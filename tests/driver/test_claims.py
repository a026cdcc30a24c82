"""Claims as a user meets them: the files, the command, captions, the report and the page."""

import re
import shutil
from pathlib import Path

import pytest

from actorbench.catalogue import all_experiments, experiment_groups
from actorbench.errors import UserError
from actorbench.experiment import Experiment
from actorbench.ledger.claims import load_claims, numbered, parse_claims, pick_claims
from actorbench.ledger.stored import searches_on_record
from actorbench.project import Project
from actorbench.store import Run, all_runs
from conftest import CLAIMS, FASTER, RATIOS, SOURCE, Checkout, bound_text

PROJECT = Project(SOURCE)
CLAIMED = load_claims(PROJECT.claims)
SLOWER = FASTER.replace("at_most = 0.9", "at_least = 0.9")
MEMORY = bound_text("and holds the same memory", "same", "table", of=["copy", "list*"], measure="peak_memory")
SPREAD = bound_text(
    "copy is no more than a million times as spread",
    "spread",
    "table",
    of=["copy"],
    over=["list*"],
    at_most=1e6,
)
TREND = bound_text("copying is faster with more workers", "trend", "lines", of=["copy"], shape="falls")
EIGHT_NODES = """{"name": "eight nodes", "title": "x", "error": "x", "description": "x"}"""
LONG = ("--samples", "12", "--seed", "3")


def measured(checkout: Checkout, bounds: str = FASTER, *experiments: str) -> Run:
    """Measure under claims; gives the newest run."""
    checkout.claims(bounds)
    assert checkout.call("sweep", *(experiments or ("ratios",)), *LONG) == 0
    return all_runs(checkout.project)[-1]


def printed(checkout: Checkout, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Give what `claims` prints, each line's spaces as one."""
    capsys.readouterr()
    assert checkout.call("claims", *arguments) == 0
    return re.sub(r" +", " ", capsys.readouterr().out)


def every_experiment() -> dict[str, Experiment]:
    groups = ("", *experiment_groups(PROJECT))
    return {one.id: one for group in groups for one in all_experiments(PROJECT, group)}


@pytest.mark.parametrize(
    ("bounds", "verdict"),
    [
        (FASTER, "reproduced"),
        (SLOWER, "not reproduced: copy takes less than 0.9 of list"),
        (FASTER + "needs = { workers = 4096 }", r"cannot be decided here: lacks 4096 CPUs \(it has \d+\)"),
        (FASTER + MEMORY, "undecided: table was not measured"),
    ],
)
def test_the_ledger_of_stored_runs(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], bounds: str, verdict: str
) -> None:
    measured(checkout, bounds)
    out = printed(checkout, capsys)
    assert re.search(f"^T4 copying is faster {verdict}", out, re.MULTILINE), out
    assert re.search("^T5 .* cannot be decided here: lacks a program that measures it", out, re.MULTILINE)
    assert ("not measured yet: table; ./actorbench claims --measure" in out) == (MEMORY in bounds)


def test_few_rounds_stand_in_until_there_are_enough(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.claims()
    assert checkout.call("sweep", "ratios", *LONG) == 0
    assert checkout.call("sweep", "ratios", "table", "--samples", "4") == 0
    assert re.search("^T4 copying is faster reproduced", printed(checkout, capsys), re.MULTILINE)
    (long,) = checkout.project.results.glob("*-ratios")
    shutil.rmtree(long)
    (short,) = all_runs(checkout.project)
    out = printed(checkout, capsys)
    assert "T4 copying is faster undecided: 4 rounds; about 13 would decide it" in out
    assert short.name in out
    assert "not measured yet: ratios; ./actorbench claims --measure" in out
    out = printed(checkout, capsys, "--measure")
    assert re.search("^T4 copying is faster reproduced", out, re.MULTILINE)
    assert len(all_runs(checkout.project)) == 2


def test_what_is_undecided_is_measured_with_more_rounds_if_asked(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    """A spread takes two rounds for each look at it, so that eight are too few."""
    checkout.claims(SPREAD)
    assert checkout.call("sweep", "table", "--samples", "8") == 0
    assert "T4 copying is faster undecided: 8 rounds" in printed(checkout, capsys)
    assert "nothing is missing that can be measured here" in printed(checkout, capsys, "--measure")
    assert "nothing is missing" in printed(checkout, capsys, "--measure", "--samples", "8")
    assert "table" in printed(checkout, capsys, "--dry-run", "--samples", "9")
    assert len(all_runs(checkout.project)) == 1


def test_what_is_missing_is_measured(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    measured(checkout, FASTER + MEMORY)
    out = printed(checkout, capsys, "--dry-run")
    assert "table" in out
    assert "T4" not in out
    assert len(all_runs(checkout.project)) == 1
    out = printed(checkout, capsys, "--measure")
    assert re.search("^T4 copying is faster reproduced", out, re.MULTILINE)
    assert len(all_runs(checkout.project)) == 2
    assert "nothing is missing that can be measured here" in printed(checkout, capsys, "--measure")
    assert len(all_runs(checkout.project)) == 2


def test_only_what_claims_look_at_is_measured(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the lines, which have two series on 1 and 2 workers, and of the table, which is on 2."""
    checkout.claims(TREND + MEMORY)
    assert printed(checkout, capsys, "T4", "--measure", "--workers", "1,2")
    (run,) = all_runs(checkout.project)
    cells = {(dict(cell.options)["queue"], cell.workers) for cell in run.head().plan.cells}
    assert cells == {("copy", 1), ("copy", 2), ("list", 2)}
    assert checkout.call("figures", "--run", run.name) == 0, "what was left out is no hindrance"


def test_simulated_machines_have_columns_of_their_own(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    first = measured(checkout)
    head = first.folder / "run.json"
    told = head.read_text().replace('"config": "release"', '"config": "simulated"')
    head.write_text(told.replace('"kind": "sweep"', f'"kind": "sweep", "simulated": {EIGHT_NODES}'))
    first.samples_file.write_text(first.samples_file.read_text().replace('"release/', '"simulated/'))
    out = printed(checkout, capsys)
    assert "simulated: eight nodes" in out
    assert "T4 copying is faster undecided: ratios was not measured reproduced" in out
    assert "T5 somebody measures something cannot be decided here: lacks a program that measures it" in out
    alone = printed(checkout, capsys, "--machine", "eight nodes")
    assert re.search("^T4 copying is faster reproduced", alone, re.MULTILINE)


SIMULATED = """record | sed 's/}$/,"machine":"simulated: pack-1-core-4","counts":{}}/'"""
PEERS_ALONE = """
[[claims.bounds]]
says = "and where there are peers"
kind = "same"
experiment = "lines"
of = ["copy", "list*"]
needs = { peers = ["caf"] }
"""


@pytest.fixture
def simulating(checkout: Checkout) -> Checkout:
    """A checkout with programs for simulated machines."""
    (checkout.root / "machine").symlink_to(SOURCE / "machine")
    checkout.program("executor", SIMULATED, config="simulated")
    return checkout


def test_what_a_simulated_machine_may_decide_is_simulated(
    simulating: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    """T5 is measured nowhere, and a part of T4 needs peers, which are not simulated."""
    simulating.claims(FASTER + PEERS_ALONE)
    machine = ("--machine", "pack:1 core:4")
    told = printed(simulating, capsys, *machine, "--dry-run")
    assert "ratios" in told
    assert not all_runs(simulating.project)
    out = printed(simulating, capsys, *machine, "--measure")
    (run,) = all_runs(simulating.project)
    assert run.head().simulated == "pack-1-core-4"
    assert [one["file"] for one in run.head().document["experiments"]] == ["plots/ratios.toml"]
    assert "simulated: pack-1-core-4" in out
    assert "T4 copying is faster cannot be decided here: lacks caf (not simulated)" in out
    why = printed(simulating, capsys, *machine, "T4", "--why")
    assert f"copy takes less than 0.9 of list holds ratios {run.name}" in why
    assert "nothing is missing that can be simulated" in printed(simulating, capsys, *machine, "--measure")
    here = printed(simulating, capsys)
    assert "not measured yet: ratios" in here, "what was simulated is no measurement"


def test_what_is_simulated_takes_no_time(simulating: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    simulating.claims()
    assert simulating.call("claims", "--measure", "--machine", "core:2", "--budget", "9s") == 2
    assert "--machine: nothing is timed, so --budget means nothing" in capsys.readouterr().err


def test_what_counts_is_simulated_by_the_build_that_counts(
    simulating: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    counted = RATIOS.replace('id = "ratios"', 'id = "counted"\nconfig = "statistics"')
    simulating.experiment(counted, "counted")
    simulating.program("executor", SIMULATED, config="simulated-statistics")
    simulating.claims(FASTER.replace('"ratios"', '"counted"'))
    out = printed(simulating, capsys, "--machine", "pack:1 core:4", "--measure")
    assert re.search("^T4 copying is faster reproduced", out, re.MULTILINE)
    (run,) = all_runs(simulating.project)
    assert {cell.build for cell in run.head().plan.cells} == {"simulated-statistics"}


def test_an_interrupted_measurement_of_claims_goes_on(
    simulating: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    simulating.claims()
    machine = ("--machine", "pack:1 core:4", "--measure")
    assert printed(simulating, capsys, *machine)
    (run,) = all_runs(simulating.project)
    whole = run.samples_file.read_text().splitlines(keepends=True)
    run.samples_file.write_text("".join(whole[:3]))
    assert "T4 copying is faster undecided: ratios was not measured" in printed(
        simulating, capsys, *machine[:2]
    )
    out = printed(simulating, capsys, *machine, "--resume", run.name)
    assert re.search("^T4 copying is faster reproduced", out, re.MULTILINE)
    assert len(run.samples_file.read_text().splitlines()) == len(whole)
    assert len(all_runs(simulating.project)) == 1


def test_what_failed_of_claims_is_measured_again_when_asked(
    simulating: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    simulating.claims()
    simulating.program("executor", "exit 3", config="simulated")
    machine = ("--machine", "pack:1 core:4", "--measure")
    assert simulating.call("claims", *machine) == 4
    (run,) = all_runs(simulating.project)
    simulating.program("executor", SIMULATED, config="simulated")
    out = printed(simulating, capsys, *machine, "--resume", run.name, "--retry-failed")
    assert re.search("^T4 copying is faster reproduced", out, re.MULTILINE)


def test_why(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    run = measured(checkout)
    out = printed(checkout, capsys, "T4", "--why")
    assert f"copy takes less than 0.9 of list holds ratios {run.name}" in out
    assert re.search(
        r"copy against list, 1 worker at most 0.9 0\.50\d+ \[0\.\d+, 0\.\d+\] 12 of 12 rounds", out
    )
    assert "section 1, line 7 of its text" in out
    assert "T5" not in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("T9",), "no claim 'T9' in plots/claims (choices: T4, T5)"),
        (("--run", "x"), "no run 'x' in results/"),
        (("--run", "x", "--measure"), "--measure measures what is missing: --run judges what was measured"),
        (("--machine", "x"), "no run on a simulated machine 'x' (choices: none)"),
        (("--measure", "--resume", "x"), "no run 'x' in results/"),
        (("--resume", "x"), "--resume goes on with a measurement: give it together with --measure"),
        (("--measure", "--resume", "x", "--seed", "3"), "--resume goes on with the recorded plan"),
        (("--measure", "--machine", "x"), "no machine 'x' in machine/descriptions/"),
    ],
)
def test_what_does_not_fit_is_refused(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    checkout.claims()
    assert checkout.call("claims", *arguments) == 2
    assert message in capsys.readouterr().err


def test_captions_and_report_show_the_claim(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    run = measured(checkout)
    out = capsys.readouterr().out
    assert "claims tested: T4\nT4: copying is faster: reproduced\n" in out
    assert checkout.call("report", run.name) == 0
    page = (run.folder / "report.html").read_text()
    claims = page[page.index('id="claims"') : page.index('id="machine"')]
    assert "copying is faster" in claims
    assert ">reproduced</span>" in claims
    assert "12 of 12 rounds agree" in claims
    assert "somebody" not in claims, "the run looks at T4 alone"


def test_the_ledger_as_a_page(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    bounds = FASTER + MEMORY.replace('"table"', '"lines"')
    measured(checkout, bounds, "ratios", "lines")
    capsys.readouterr()
    assert checkout.call("report", "--claims") == 0
    assert capsys.readouterr().out.startswith("report: ")
    page = (checkout.project.results / "ledger.html").read_text()
    assert page.count('<article class="claim"') == 2
    assert "lacks a program that measures it" in page
    assert page.count("<svg") == 1, "the figure of T4"
    assert checkout.call("report") == 2
    assert "report needs one RUN" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("at_most = 0.9", "", r"claims\[0\]\.bounds\[0\]"),
        ('kind = "ratio"', 'kind = "x"', r"claims\[0\]\.bounds\[0\]\.kind: .*allowed: ratio, same"),
        ('experiment = "ratios"', "", r"claims\[0\]\.bounds\[0\]: lacks 'experiment'"),
        ("at_most = 0.9", 'at_most = 1\nmeasure = "x"', "no measure 'x'"),
        ("at_most = 0.9", 'at_most = 1\nlacks = "x"', r"claims\[0\]\.bounds\[0\]"),
        ("at_most = 0.9", 'at_most = 1\nshape = "falls"', r"claims\[0\]\.bounds\[0\]"),
        (
            'machines = ["one"]',
            'machines = ["two"]',
            r"claims\[0\]\.machines: no machine 'two' \(choices: one\)",
        ),
        ("at_most = 0.9", 'at_most = 1\nper = "gulps"', r"claims\[0\]\.bounds\[0\]"),
        (
            'kind = "ratio"',
            'kind = "order"\norder = [["a"], ["b"]]\nfactors = [1, 2]',
            "factors: 1 are needed",
        ),
        ("schema = 1", "schema = 2", "is of claims version 2"),
        ('lacks = "a program that measures it"', "", r"claims\[1\]\.bounds\[0\]: lacks 'lacks'"),
    ],
)
def test_a_wrong_claim_is_refused(old: str, new: str, message: str) -> None:
    text = CLAIMS.replace("{bounds}", FASTER)
    assert old in text
    with pytest.raises(UserError, match=message):
        parse_claims(text.replace(old, new, 1), "plots/claims/x.toml")


def test_a_claim_is_there_once(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.toml").write_text(CLAIMS.replace("{bounds}", FASTER))
    with pytest.raises(UserError, match=r"b\.toml: claim 'T4' is there twice"):
        load_claims(tmp_path)


def test_claims_are_in_the_order_of_their_numbers() -> None:
    assert sorted(["T10", "S2", "T9"], key=numbered) == ["S2", "T9", "T10"]
    assert [claim.id for claim in pick_claims(CLAIMED, ["T9", "S1", "T9"])] == ["T9", "S1"]


def test_every_claim_of_the_sources_is_there() -> None:
    counts = {"T": 23, "S": 3, "R": 16, "L": 7}
    assert {claim.id for claim in CLAIMED} == {
        f"{a}{n}" for a, most in counts.items() for n in range(1, most + 1)
    }


def test_every_bound_finds_its_experiment_and_labels() -> None:
    """Peers' series are there once their systems are built: what a bound needs is taken for built."""
    known = every_experiment()
    titles = {
        match[1]: match[2]
        for path in (SOURCE / "peers").glob("*/peer.toml")
        for match in re.finditer(r'^name = "([^"]+)"\ntitle = "([^"]+)"', path.read_text(), re.MULTILINE)
    }
    for claim in CLAIMED:
        for bound in (one for one in claim.bounds if one.experiment):
            experiment = known[bound.experiment]
            labels = {one.label for one in experiment.series}
            labels |= {row.reading.label for row in experiment.comparisons}
            if experiment.wants_peers or "{peer}" in experiment.text:
                named = [titles[peer] for peer in bound.needs.peers]
                labels |= {*named, *(f"{title}, {source}" for title in named for source in ("self", "main"))}
            asks = bound.asks
            groups = [
                asks.get(key, []) for key in ("of", "over", "but", "rows", "against", "without", "whole")
            ]
            for label in [label for group in [*groups, *asks.get("order", [])] for label in group]:
                assert "*" in label or label in labels, (claim.id, label)
            columns = {row.reading.column for row in experiment.comparisons}
            assert set(asks.get("columns", columns)) <= columns, claim.id


def test_every_search_that_a_claim_rests_on_is_on_record() -> None:
    searches = searches_on_record(PROJECT)
    for claim in CLAIMED:
        for bound in claim.bounds:
            assert all(searches[name] == "holds" for name in bound.asks.get("searches", ()))
    assert "refuted" in searches.values()


def test_what_an_experiment_names_is_a_claim() -> None:
    ids = {claim.id for claim in CLAIMED}
    for experiment in every_experiment().values():
        assert set(experiment.claims) <= ids, experiment.id

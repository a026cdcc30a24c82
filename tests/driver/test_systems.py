"""Peers, as the driver knows them: manifests, what is skipped, and experiments that name them all."""

import re
import shutil
from pathlib import Path

import pytest

from actorbench.design import DEFAULT_DESIGN, EARLIER_DEFAULT
from actorbench.experiment import parse_experiment
from actorbench.peers.building import build_peer
from actorbench.peers.manifest import all_peers
from actorbench.results import load_results
from actorbench.store import Run
from actorbench.system import OURS, System
from conftest import FASTER, LINES, PROGRAM, RATIOS, SOURCE, Checkout

MANIFEST = """
schema = 1
requires = ["sh"]
detect = {detect}
missing = "the shell of shells"
apt = ["shell-of-{name}"]
build = ["sh", "-c", "{build}"]
[[systems]]
name = "{name}"
title = "The {name}"
workloads = ["executor"]
limits = ["copies every message"]
"""

ALL = """
schema = 1
id = "all"
title = "Against the peers"
kind = "grid"
workers = [1]
options = { queue = "copy" }
[[rows]]
label = "{peer}"
peers = "all"
candidate = {}
base = {}
[[across]]
label = "executing"
workload = "executor"
"""


def add_peer(
    checkout: Checkout, name: str, elapsed: int = 0, *, detect: str = "[]", build: str = "exit 0"
) -> None:
    """Put a peer into peers/, and its program, which takes so many ns, into build/ if a time is given."""
    folder = checkout.root / "peers" / name
    folder.mkdir(parents=True)
    (folder / "peer.toml").write_text(MANIFEST.format(name=name, detect=detect, build=build))
    if elapsed:
        program = checkout.root / "build" / "peers" / name / "executor"
        program.parent.mkdir(parents=True)
        text = PROGRAM.format(workload="executor", config="release", body=f"elapsed={elapsed}; record")
        text = text.replace('"system":"actorbench"', f'"system":"{name}"')
        program.write_text(text.replace('"design":"worker-centric"', '"design":"native"'))
        program.chmod(0o755)


def test_every_peer_is_measured_and_the_faster_is_said_first(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    add_peer(checkout, "aardvark", 300000)
    add_peer(checkout, "cheetah", 50000)
    add_peer(checkout, "unicorn", detect='["false"]')
    checkout.experiment(ALL, "all")
    assert checkout.call("sweep", "all", "--samples", "10") == 0
    said = capsys.readouterr().out
    compared = said.partition("Against the peers")[2]
    assert "\nfaster than the base: The cheetah: executing 0.5" in compared
    assert compared.index("The cheetah: ") < compared.index("The aardvark  ")
    assert said.count("skipped: unicorn: not installed: the shell of shells") == 1
    assert "copies every message" in said, "what the peers can't do stands in the table of systems"
    cells = {cell.system: cell for cell in checkout.only_run().head().plan.cells}
    assert set(cells) == {"actorbench", "aardvark", "cheetah"}
    assert cells["cheetah"].options == (), "options of ours are not handed down to a peer"
    assert cells["actorbench"].options == (("queue", "copy"),)


def test_a_run_keeps_the_peers_it_was_made_with(checkout: Checkout) -> None:
    add_peer(checkout, "cheetah", 50000)
    checkout.experiment(ALL, "all")
    checkout.call("sweep", "all", "--samples", "6")
    add_peer(checkout, "newcomer", 50000)
    (experiment,) = load_results(checkout.only_run()).experiments
    assert [row.reading.label for row in experiment.comparisons] == ["The cheetah"]


def test_a_claim_is_measured_anew_once_the_peers_that_it_lacked_are_built(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    add_peer(checkout, "cheetah")
    checkout.experiment(ALL, "all")
    bound = FASTER.replace("ratios", "all").replace("copy against list", "The cheetah")
    checkout.claims(FASTER + bound + 'needs = { peers = ["cheetah"] }')
    assert checkout.call("sweep", "ratios", "--samples", "8") == 0
    assert checkout.call("claims", "--measure") == 0
    said = capsys.readouterr().out
    assert "lacks cheetah (not built)" in said
    assert "nothing is missing that can be measured here" in said
    shutil.rmtree(checkout.root / "peers" / "cheetah")
    add_peer(checkout, "cheetah", 50000)
    assert checkout.call("claims", "--measure") == 0
    assert re.search(r"T4 +copying is faster +reproduced", capsys.readouterr().out)


def test_a_run_keeps_what_ours_meant_in_it() -> None:
    """The kept run is of a time when the default was another design: its own cells are still found."""
    results = load_results(Run(SOURCE / "docs" / "runs" / "20261121T132116Z-peers"))
    designs = {cell.design for cell in results.head.plan.cells if cell.system == OURS}
    assert designs == {EARLIER_DEFAULT} != {DEFAULT_DESIGN}
    for experiment in results.experiments:
        for setting in experiment.settings():
            for cell in results.resolver.cells(experiment, setting):
                assert results.result(cell).samples, cell.key


def test_a_run_says_what_ours_means_in_it(checkout: Checkout) -> None:
    checkout.call("sweep", "lines", "--workers", "1")
    head = checkout.only_run().head()
    assert head.document["default_design"] == head.default_design == DEFAULT_DESIGN


def test_a_system_that_is_not_built_leaves_the_others(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    add_peer(checkout, "unbuilt")
    text = LINES + '[[series]]\nlabel = "a peer"\nsystem = "unbuilt"\n'
    checkout.experiment(text, "lines")
    assert checkout.call("sweep", "lines", "--workers", "1") == 0
    said = capsys.readouterr().out
    assert "skipped: unbuilt: not built: make peers" in said
    assert "not built" in said.partition("a peer")[2], "its column says why it is empty"


@pytest.mark.parametrize("peers", [(), ("unbuilt",)])
def test_no_peer_at_all_is_said(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], peers: tuple[str, ...]
) -> None:
    for name in peers:
        add_peer(checkout, name)
    checkout.experiment(ALL, "all")
    checkout.experiment(LINES + '[[series]]\nlabel = "{peer}"\npeers = "all"\n', "lines")
    assert checkout.call("sweep", "lines") == 2
    assert checkout.call("sweep", "all") == 2
    assert "no peer is built: make peers-setup peers" in capsys.readouterr().err


def test_a_record_of_another_system_is_bad(checkout: Checkout) -> None:
    add_peer(checkout, "cheetah", 50000)
    program = checkout.root / "build" / "peers" / "cheetah" / "executor"
    program.write_text(program.read_text().replace('"system":"cheetah"', '"system":"hare"'))
    checkout.experiment(ALL, "all")
    assert checkout.call("sweep", "all", "--samples", "2") == 4
    failures = [sample.failure for sample in checkout.only_run().samples() if sample.failure]
    assert {failure.kind for failure in failures} == {"bad record"}


def test_groups_are_measured_on_request_only(checkout: Checkout) -> None:
    (checkout.root / "plots" / "apart").mkdir()
    checkout.experiment(RATIOS.replace('id = "ratios"', 'id = "apart-ratios"'), "apart/ratios")
    assert checkout.call("figures", "--workers", "1", "--samples", "2") == 0
    assert {one["file"] for one in checkout.only_run().head().document["experiments"]} == {
        "plots/lines.toml",
        "plots/ratios.toml",
        "plots/table.toml",
    }
    assert checkout.call("sweep", "apart", "--samples", "2") == 0
    assert checkout.call("sweep", "apart-ratios", "--samples", "2") == 0


def test_the_list_builds_and_says_what_is_missing(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    add_peer(checkout, "cheetah", 50000)
    add_peer(checkout, "broken", build="echo 'x.c:1: error: no such thing' >&2; exit 1")
    add_peer(checkout, "unicorn", detect='["false"]')
    assert checkout.call("peers", "--build") == 4
    said = capsys.readouterr().out
    assert "broken: does not build: x.c:1: error: no such thing" in said
    assert "unicorn: skipped, not installed: the shell of shells" in said
    states = {line.split()[0]: line for line in said.splitlines() if "The " in line}
    assert "built" in states["cheetah"]
    assert checkout.call("peers", "--packages") == 0
    assert capsys.readouterr().out.split() == ["shell-of-broken", "shell-of-cheetah", "shell-of-unicorn"]


def test_a_build_that_makes_no_program_is_named(checkout: Checkout) -> None:
    add_peer(checkout, "idle")
    (peer,) = all_peers(checkout.project)
    assert build_peer(checkout.project, peer).problem == "its build makes no build/peers/idle/executor"


WRONG = {
    "lacks": ('missing = "the shell of shells"', "", "lacks 'missing'"),
    "unknown": ("schema = 1", "schema = 1\ncolour = 1", "unknown key 'colour'"),
    "version": ("schema = 1", "schema = 9", "version 9"),
    "no systems": ("[[systems]]", "[other]", "unknown key 'other'"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_manifest_is_one_line(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], wrong: str
) -> None:
    add_peer(checkout, "cheetah", 50000)
    before, after, message = WRONG[wrong]
    manifest = Path(checkout.root, "peers/cheetah/peer.toml")
    manifest.write_text(manifest.read_text().replace(before, after))
    assert checkout.call("peers") == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "peers/cheetah/peer.toml" in said
    assert message in said


def test_an_unknown_peer_is_answered_with_the_choices(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    add_peer(checkout, "cheetah", 50000)
    assert checkout.call("peers", "tiger") == 2
    assert "no peer 'tiger' in peers/ (choices: cheetah)" in capsys.readouterr().err
    checkout.experiment(
        LINES.replace('workload = "executor"', 'workload = "executor"\nsystem = "tiger"'), "lines"
    )
    assert checkout.call("sweep", "lines") == 2
    assert "no system 'tiger' in peers/ (choices: cheetah)" in capsys.readouterr().err


def test_a_peer_without_the_workload_is_left_out() -> None:
    able, other = System("able", "Able", ("executor",)), System("other", "Other", ("static",))
    experiment = parse_experiment(ALL, "all.toml", [able, other])
    assert [row.reading.label for row in experiment.comparisons] == ["Able"]

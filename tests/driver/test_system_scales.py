"""Amounts of a system's own: from a peer's manifest to cells, tables and the run that keeps them."""

import pytest

from actorbench.catalogue import all_experiments
from actorbench.cell import Resolver
from actorbench.experiment import parse_experiment
from actorbench.measure import MEASURES
from actorbench.peers.manifest import all_peers
from actorbench.preset import load_preset, parse_preset
from actorbench.project import Project
from actorbench.results import load_results
from conftest import SOURCE, Checkout
from test_systems import ALL, add_peer

PROJECT = Project(SOURCE)
# Thesis, "Message Sends" and its tables: millions of sends, static and dynamic.
THESIS = {
    "actorbench": (100, 20),
    "cfa": (100, 20),
    "ucpp": (100, 20),
    "caf": (10, 2),
    "akka": (100, 2),
    "protoactor": (100, 2),
    "protoactor-2022": (100, 2),
}


@pytest.mark.parametrize("system", THESIS)
def test_the_thesis_preset_has_the_thesis_amounts(system: str) -> None:
    experiments = all_experiments(PROJECT)
    static, dynamic = THESIS[system]
    preset = load_preset(PROJECT, "thesis")
    assert 100 * preset.scale_for(experiments[0], "static", system) == pytest.approx(static)
    assert 20 * preset.scale_for(experiments[0], "dynamic", system) == pytest.approx(dynamic)


def test_other_presets_have_one_scale_for_all() -> None:
    for name in ("quick", "peers", "full"):
        assert load_preset(PROJECT, name).systems == {}
    named = {system.name for peer in all_peers(PROJECT) for system in peer.systems}
    preset = load_preset(PROJECT, "thesis")
    assert set(preset.systems) <= named
    assert parse_preset(preset.text, "thesis") == preset, "the text that a run keeps says it all"


def add_slow_peer(checkout: Checkout) -> None:
    """A peer that does a tenth of the others' executor, under the preset quick."""
    add_peer(checkout, "snail", 300000)
    manifest = checkout.root / "peers" / "snail" / "peer.toml"
    manifest.write_text(manifest.read_text() + "[systems.scale]\nquick = { executor = 0.05 }\n")
    # Its program says that it did a tenth of the operations.
    program = checkout.root / "build" / "peers" / "snail" / "executor"
    program.write_text(program.read_text().replace('"operations":1000', '"operations":100'))


WORKLOADS = """
schema = 1
[executor]
tests = ["--actors 4"]
explored = ["--actors 2"]
operations = { "--actors 4" = 4 }
faults = [{ old = "a", new = "b" }]
scale = { quick = 0.5 }
"""


def test_amounts_that_differ_are_measured_kept_and_told(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    add_slow_peer(checkout)
    (checkout.root / "workloads").mkdir()
    (checkout.root / "workloads" / "workloads.toml").write_text(WORKLOADS)
    (checkout.root / "plots" / "presets.toml").write_text("schema = 1\n[quick]\nsamples = 10\n")
    checkout.experiment(ALL, "all")
    assert checkout.call("figures", "all") == 0
    out = capsys.readouterr().out
    assert "operations a sample (executor): The snail 100, actorbench 1,000" in out
    assert "scale 0.05 (executor: snail), 0.5 (executor: actorbench)" in out
    run = checkout.only_run()
    assert {cell.system: cell.scale for cell in run.head().plan.cells} == {"actorbench": 0.5, "snail": 0.05}
    results = load_results(run)
    (experiment,) = results.experiments
    (row,) = experiment.comparisons
    ((candidate, base),) = results.resolver.pairs(experiment, row)
    assert (candidate.scale, base.scale) == (0.05, 0.5), "a run is read without the manifests"
    ratio = results.ratio(candidate, base, MEASURES["time_per_operation"])
    assert ratio is not None
    assert 29 < ratio.ratio <= 30, "an operation takes 30 times as long, a sample 3 times"


def test_what_an_experiment_says_of_its_scale_holds_for_every_system(checkout: Checkout) -> None:
    add_slow_peer(checkout)
    (checkout.root / "workloads").mkdir()
    (checkout.root / "workloads" / "workloads.toml").write_text(WORKLOADS)
    (checkout.root / "plots" / "presets.toml").write_text("schema = 1\n[quick]\nsamples = 10\n")
    text = ALL + "[presets.quick]\nscale = { executor = 0.3 }\n"
    experiment = parse_experiment(
        text, "all.toml", [one for peer in all_peers(checkout.project) for one in peer.systems]
    )
    resolver = Resolver(load_preset(checkout.project, "quick"), (1,))
    (row,) = experiment.comparisons
    assert [cell.scale for pair in resolver.pairs(experiment, row) for cell in pair] == [0.3, 0.3]

"""Versions: a store, record or experiment of another version is refused, and the line says what it needs."""

import json

import pytest

from actorbench.errors import BadRecordError, UserError
from actorbench.experiment import parse_experiment
from actorbench.record import record_from
from conftest import LINES, Checkout


@pytest.mark.parametrize(
    ("version", "needs"),
    [(2, "a newer actorbench"), (0, "an actorbench of its own time"), ("x", "an actorbench of its own time")],
)
def test_a_store_of_another_version_says_what_it_needs(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], version: object, needs: str
) -> None:
    checkout.call("sweep", "table", "--workers", "1", "--samples", "1")
    run = checkout.only_run()
    document = json.loads((run.folder / "run.json").read_text())
    # Another version may have moved anything but its version.
    changed = {"schema": version, "kind": document["kind"], "machine": {"commit": "0123456789ab"}}
    (run.folder / "run.json").write_text(json.dumps(changed))
    before = run.samples_file.read_bytes()
    capsys.readouterr()
    commands = [["report", run.name], ["replay", run.name], ["figures", "--run", run.name]]
    commands += [["export", run.name, "--format", "csv"], ["sweep", "--resume", run.name]]
    for command in commands:
        assert checkout.call(*command) == 2
        said = capsys.readouterr().err
        assert f"is of store version {version}, and this driver reads version 1: it needs {needs}" in said
        assert "such as that of commit 0123456789ab" in said
        assert said.count("\n") == 1
    assert run.samples_file.read_bytes() == before


def test_a_store_of_another_version_stays_listed(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.call("sweep", "table", "--workers", "1", "--samples", "1")
    run = checkout.only_run()
    (run.folder / "run.json").write_text(json.dumps({"schema": 2, "kind": "sweep"}))
    capsys.readouterr()
    assert checkout.call("list") == 0
    out = capsys.readouterr().out
    assert run.name in out
    assert "not readable" in out


def test_an_experiment_of_another_version_says_what_it_needs() -> None:
    with pytest.raises(UserError, match=r"x\.toml: is of experiment version 2, .* needs a newer actorbench"):
        parse_experiment(LINES.replace("schema = 1", "schema = 2"), "x.toml")
    with pytest.raises(UserError, match=r"lacks 'schema'"):
        parse_experiment(LINES.replace("schema = 1", ""), "x.toml")


def test_a_record_of_another_version_is_no_data() -> None:
    with pytest.raises(BadRecordError, match="it is of record version 0, and this driver reads version 1"):
        record_from({"schema": 0})

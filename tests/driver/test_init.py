"""`actorbench init`: what it asks, writes and refuses."""

import json
import tomllib

import pytest
from jsonschema import Draft202012Validator

from actorbench.experiment import parse_experiment
from actorbench.gate.cells import commit_entries
from actorbench.own.command import Own
from actorbench.reading.formats import Reader
from conftest import Checkout
from test_own import PATTERN, bench

__all__ = ["bench"]  # the fixture


def test_init_asks_three_things_and_what_it_writes_works(
    bench: Checkout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(bench.root)
    answers = iter(["./bench 3 {workers}", f"regex '{PATTERN}' ms", "took"])
    asked: list[str] = []

    def prompt(text: str, **_: object) -> str:
        asked.append(text)
        return next(answers)

    monkeypatch.setattr("click.prompt", prompt)
    assert bench.call("init") == 0
    assert len(asked) == 3
    assert "plots/bench.toml: written" in capsys.readouterr().out
    results, folder = bench.drawn("bench", "--samples", "6", "--workers", "1,2")
    assert (folder / "figures" / "bench.svg").exists()
    assert [one.cell.workers for one in results.by_cell.values()] in ([1, 2], [2, 1])
    entries = commit_entries(bench.project, None, ())
    assert [(one["name"], one["workers"]) for one in entries] == [("bench-1", 1), ("bench-all", "all")]
    for name, schema in (("bench", "experiment-1"), ("gate", "gate-cells-1")):
        text = (bench.root / "plots" / f"{name}.toml").read_text()
        assert text.startswith(f"#:schema ./schemas/{schema}.json\n"), "no path of this machine"
        checks = json.loads((bench.root / "plots" / "schemas" / f"{schema}.json").read_text())
        Draft202012Validator(checks).validate(tomllib.loads(text))
    assert "actorbench gate --base" in (bench.root / ".github/workflows/gate.yml").read_text()


def test_init_by_options_leaves_what_is_there(
    bench: Checkout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(bench.root)
    (bench.root / "plots" / "gate.toml").write_text("mine")
    asked = (
        "--command",
        "./bench 3",
        "--read",
        "wall",
        "--verify",
        "",
        "--name",
        "mine",
        "--build",
        "make -j2",
    )
    assert bench.call("init", *asked) == 0
    assert "plots/gate.toml: is there already, and stays as it is" in capsys.readouterr().out
    assert (bench.root / "plots" / "gate.toml").read_text() == "mine"
    (series,) = parse_experiment((bench.root / "plots" / "mine.toml").read_text(), "f").series
    assert series.setting.own == Own("./bench 3", Reader("wall"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--command", "./gone", "--read", "wall"), "no program './gone' that can be run in this folder"),
        (("--command", "./bench {size}", "--read", "wall"), "{size} is no parameter"),
        (("--command", "./bench", "--read", "regex"), "format 'regex' lacks 'pattern'"),
        (
            ("--command", "./bench", "--read", "json /a ms x"),
            "more words than format 'json' takes: json [path] [unit]",
        ),
        (("--command", "./bench 'x", "--read", "wall"), "No closing quotation"),
        (("--command", "./bench", "--read", "wall", "--name", "X"), "'X' is no name"),
    ],
)
def test_init_says_what_is_wrong(
    bench: Checkout,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.chdir(bench.root)
    assert bench.call("init", *arguments, "--verify", "") == 2
    assert said in capsys.readouterr().err
    assert not (bench.root / "plots" / "bench.toml").exists()

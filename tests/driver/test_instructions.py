"""`actorbench instructions`: a command line's counts, of what is built."""

import json
from pathlib import Path

import pytest

from conftest import COUNTED_BODY, Checkout


@pytest.mark.usefixtures("tools")
def test_instructions_of_an_operation(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.program("static", COUNTED_BODY.format(per=57, lines=1))
    assert checkout.call("instructions", "static", "--design", "worker-centric") == 0
    out = capsys.readouterr().out
    line = next(line for line in out.splitlines() if line.startswith("worker-centric/static"))
    assert line.split() == ["worker-centric/static", "1", "instructions", "57.00", "0.00%"]
    kept = checkout.only_run().document()
    assert kept["kind"] == "counts"
    assert [pair[1]["events"]["instructions"] for pair in kept["counted"][0]["tallies"]] == [671000, 671000]
    assert [pair[1]["operations"] for pair in kept["counted"][0]["tallies"]] == [3000, 3000]
    assert checkout.call("list") == 0
    assert "counts" in capsys.readouterr().out


@pytest.mark.usefixtures("tools")
def test_json_is_what_is_kept(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.program("static", COUNTED_BODY.format(per=57, lines=1))
    assert checkout.call("instructions", "--design", "worker-centric", "--runs", "1", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed.items() <= checkout.only_run().document().items()


@pytest.mark.usefixtures("tools")
def test_a_program_that_fails_is_said_and_the_others_are_counted(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.program("static", "kill -SEGV $$", design="actor-centric")
    checkout.program("static", COUNTED_BODY.format(per=57, lines=1))
    asked = ["instructions", "--design", "actor-centric", "--design", "worker-centric", "--runs", "1"]
    assert checkout.call(*asked) == 4
    out = capsys.readouterr().out
    assert "failed: " in out
    assert "57.00" in out
    assert [bool(one["trouble"]) for one in checkout.only_run().document()["counted"]] == [True, False]


def test_of_a_failure_the_programs_own_words_are_told(
    tools: Path, checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not those that valgrind says at its end."""
    ended = '"$@"; status=$?; echo "==7== I refs: 502" >&2; exit $status'
    text = (tools / "valgrind").read_text()
    (tools / "valgrind").write_text(text.replace('"$@" || exit\n', f"{ended}\n"))
    checkout.program("static", "echo 'static: there is no option --quue' >&2; exit 2")
    assert checkout.call("instructions", "--design", "worker-centric", "--runs", "1") == 4
    capsys.readouterr()
    (count,) = checkout.only_run().document()["counted"]
    assert count["trouble"].endswith("exit status 2: static: there is no option --quue")


@pytest.mark.usefixtures("tools")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--workers", "2"], "--workers is for --lines"),
        (["--lines", "--workers", "17"], "from 1 to 16"),
        (["--lines", "--workers", "thesis"], "from 1 to 16"),
        (["--lines", "--by", "perf"], "leave it out beside --lines"),
        (["matrix"], "no workload 'matrix' whose work is counted (choices: static)"),
        (["--with", "--queue 'copy"], "no list of options"),
        (["static"], "'static' is not built"),
        (["--lines"], "is not built as counted/"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    checkout: Checkout, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checkout.call("instructions", *words) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
    assert not list(checkout.project.results.glob("*/run.json"))


def test_a_tool_that_is_missing_is_named(
    checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("actorbench.counts.taking.steady_clock", lambda _: tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    for asked, tool in (([], "valgrind"), (["--by", "perf"], "perf")):
        assert checkout.call("instructions", *asked) == 2
        assert f"{tool} is missing" in capsys.readouterr().err


@pytest.mark.usefixtures("tools")
def test_the_processor_counts_where_it_may(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.program("static", COUNTED_BODY.format(per=57, lines=1))
    asked = ["instructions", "--design", "worker-centric"]
    assert checkout.call(*asked) == 0
    assert "by callgrind" in (said := capsys.readouterr().out)
    assert "not by perf: perf counts no instructions here (<not supported>)" in said
    monkeypatch.setenv("PERF_COUNTS", "1")
    assert checkout.call(*asked) == 0
    assert "by the processor's counter" in (said := capsys.readouterr().out)
    assert "57.00" in said
    assert "not by perf" not in said


@pytest.mark.usefixtures("tools")
def test_lines_that_change_hands_are_counted_in_schedules_of_their_own(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.program("static", COUNTED_BODY.format(per=57, lines=3), config="counted")
    asked = ["instructions", "--lines", "--workers", "2", "--design", "worker-centric", "--runs", "7"]
    assert checkout.call(*asked) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if "lines that change hands" in line)
    assert line.split()[-2:] == ["3.030", "1.98%"]

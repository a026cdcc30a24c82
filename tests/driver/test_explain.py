"""explain: what a file asks for, cell by cell, without building or measuring anything."""

import pytest

from actorbench.schema import directive, schema_file
from conftest import LINES, Checkout


def explained(checkout: Checkout, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert checkout.call("explain", *arguments) == 0
    return capsys.readouterr().out


def test_cells_amounts_and_what_shows_them(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    for program in (checkout.root / "build").rglob("executor"):
        program.unlink()
    out = explained(checkout, capsys, "lines", "ratios", "--workers", "1,2")
    lines = [line.split() for line in out.splitlines()]
    for count in ("1", "2"):
        for queue in ("copy", "list"):
            command = f"release/worker-centric/executor --workers {count} --scale 0.5 --queue {queue}"
            assert [*command.split(), queue, "3", "?"] in lines
    assert "Executor: queues" in out
    assert "candidate of copy against list, and 2 more" in out, "each cell once"
    assert "4 cells, 12 samples; how long they take is not known" in out
    assert not (checkout.root / "results").exists()


def test_the_time_is_that_of_earlier_runs(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    assert checkout.call("sweep", "lines", "--workers", "1", "--samples", "2") == 0
    out = explained(checkout, capsys, "lines", "--workers", "1", "--only", "copy")
    (line,) = [one.split() for one in out.splitlines() if one.startswith("release/")]
    assert line[-1].endswith("s")
    assert "estimated from earlier runs" in out


def test_in_a_users_project_the_schema_is_the_projects(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (checkout.root / "actorbench.toml").touch()
    monkeypatch.chdir(checkout.root)
    checkout.experiment(LINES.replace('"lines"', '"mine"', 1), "mine")
    out = explained(checkout, capsys, "plots/mine.toml")
    assert "#:schema ./schemas/experiment-1.json\n./actorbench init --schemas writes what that names" in out
    assert checkout.call("init", "--schemas") == 0
    assert (checkout.root / "plots/schemas/experiment-1.json").exists()
    assert "init --schemas" not in explained(checkout, capsys, "plots/mine.toml")


def test_a_file_is_told_how_editors_check_it(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    file = checkout.experiment(LINES.replace('"lines"', '"mine"', 1), "mine")
    line = directive("experiment-1", file)
    assert (file.parent / line.split()[1]).resolve() == schema_file("experiment-1").resolve()
    assert line in explained(checkout, capsys, str(file))
    file.write_text(f"{line}\n{file.read_text()}")
    assert "#:schema" not in explained(checkout, capsys, str(file))
    file.write_text("schema = 1")
    assert checkout.call("explain", str(file)) == 2
    assert "lacks 'id', 'title', 'kind'" in capsys.readouterr().err

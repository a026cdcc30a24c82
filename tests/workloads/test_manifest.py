"""A workload is a program, its entry in workloads/workloads.toml, and its row in README.md."""

import re

import pytest

from conftest import ROOT, WORKLOADS, has_main, program, run


def test_every_program_has_an_entry() -> None:
    assert {path.stem for path in (ROOT / "workloads").rglob("*.c") if has_main(path)} == set(WORKLOADS)


@pytest.mark.parametrize("workload", WORKLOADS)
def test_the_readme_says_what_the_program_says(workload: str) -> None:
    text = run(program("release", workload), "--help").stdout
    summary = text.splitlines()[0].removeprefix(f"{workload}: ")
    own = text.partition("Its parameters\n")[2].partition("\n\n")[0]
    parameters = " ".join(re.findall(r"^  (--\S+)", own, re.MULTILINE))
    rows = (ROOT / "README.md").read_text().splitlines()
    assert f"| {workload} | {summary} | `{parameters}` |" in rows

"""A workload is a program, its entry in workloads/workloads.toml, and its row in README.md."""

import re

import pytest

from conftest import ROOT, WORKLOADS, has_main, program, run


def test_every_program_has_an_entry() -> None:
    assert {path.stem for path in (ROOT / "workloads").rglob("*.c") if has_main(path)} == set(WORKLOADS)


def test_the_page_on_savina_has_its_programs_by_group() -> None:
    page = (ROOT / "docs/savina.md").read_text()
    chosen_here = page.partition("\n## What the suite leaves open")[2]
    cells = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in chosen_here.splitlines()
        if line.startswith("| ") and "---" not in line
    ][1:]
    found: dict[str, str] = {}
    group = ""
    for name, suites, chosen in cells:
        if name.startswith("**"):
            group = name.strip("*")
            continue
        assert suites
        assert chosen
        found[name] = group
    assert found == {name: one["savina"] for name, one in WORKLOADS.items() if "savina" in one}
    lines = {name: (ROOT / f"workloads/{name}.c").read_text().count("\n") for name in found}
    assert max(lines.values()) < 300


@pytest.mark.parametrize("workload", WORKLOADS)
def test_the_readme_says_what_the_program_says(workload: str) -> None:
    text = run(program("release", workload), "--help").stdout
    summary = text.splitlines()[0].removeprefix(f"{workload}: ")
    own = text.partition("Its parameters\n")[2].partition("\n\n")[0]
    parameters = " ".join(re.findall(r"^  (--\S+)", own, re.MULTILINE))
    rows = (ROOT / "README.md").read_text().splitlines()
    assert f"| {workload} | {summary} | `{parameters}` |" in rows

"""The arms of a gate: which cells, programs and builds each side has."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from actorbench.cell import Cell, own_cell
from actorbench.commits import BuildError
from actorbench.errors import UserError
from actorbench.gate import arms as arms_module
from actorbench.gate.arms import Commands, Commits, Revision, RevisionError, commits_of
from actorbench.gate.cells import (
    ArmConfigs,
    GateCell,
    cell_of,
    command_cells,
    command_entries,
    commit_cells,
    commit_entries,
    programs_of,
)
from actorbench.own.command import Own
from actorbench.project import Project

ENTRY: dict[str, Any] = {
    "name": "small",
    "design": "actor-centric",
    "workload": "executor",
    "workers": 2,
    "scale": 0.5,
    "options": {"queue": "list"},
    "parameters": {"rounds": 7, "actors": 3},
}
OTHER = {"name": "big", "design": "worker-centric", "workload": "static", "workers": "all", "scale": 2}
CONFIGS = ArmConfigs(
    "release@b",
    "debug@c",
    "release@n",
    base_options=(("steal", "none"),),
    candidate_options=(("queue", "copy"),),
)


def cell(config: str, arm: str, *options: tuple[str, str]) -> Cell:
    parameters = (("actors", 3), ("rounds", 7))
    return Cell(config, "actor-centric", "executor", 2, 0.5, options, parameters, arm=arm)


def test_a_cell_of_commits_has_three_arms() -> None:
    """Pinned, and with the options of its side over those of the cell."""
    (made,) = commit_cells([ENTRY], CONFIGS, 4)
    base = (("pin", "cores"), ("queue", "list"), ("steal", "none"))
    assert made == GateCell(
        "small",
        (
            cell("release@b", "base", *base),
            cell("debug@c", "candidate", ("pin", "cores"), ("queue", "copy")),
            cell("release@n", "null", *base),
        ),
    )
    assert (made.base, made.candidate) == made.arms[:2]
    assert made.command == (
        "release/actor-centric/executor --workers 2 --scale 0.5 --actors 3 --pin cores --queue list"
        " --rounds 7 --steal none"
    )
    assert made.identity == (
        "small: actor-centric/executor --workers 2 --scale 0.5 --actors 3 --queue list --rounds 7"
        " --steal none"
    )
    free = commit_cells(
        [ENTRY | {"options": {"pin": "none", "send-delay": 3}}], replace(CONFIGS, base_options=()), 4
    )
    assert dict(free[0].base.options) == {"pin": "none", "send-delay": 3}
    assert free[0].identity == "small: actor-centric/executor --workers 2 --scale 0.5 --actors 3 --rounds 7"
    bare = commit_cells([OTHER], ArmConfigs("b", "c", "n"), 4)[0].base
    assert (bare.options, bare.parameters) == ((("pin", "cores"),), ())


def test_all_workers_are_those_of_the_machine() -> None:
    one = {**OTHER, "name": "one", "workers": 1}
    for cpus, names in ((4, ["one", "big"]), (1, ["one"])):
        made = commit_cells([one, OTHER], CONFIGS, cpus)
        assert [cell.name for cell in made] == names, "on one CPU both are the same"
        assert [arm.workers for arm in made[-1].arms] == [cpus] * 3
    assert [cell.name for cell in commit_cells([OTHER, one], CONFIGS, 1)] == ["big"], "the first is kept"


def test_a_cell_of_no_arm_has_the_cores_and_no_options_but_its_own() -> None:
    assert cell_of(ENTRY, "release", 4) == cell("release", "", ("pin", "cores"), ("queue", "list"))


def test_programs_are_named_once() -> None:
    entries = [ENTRY, OTHER, {**OTHER, "name": "again"}]
    assert programs_of(entries) == ["actor-centric/executor", "worker-centric/static"]


def test_a_cell_of_commands_is_their_arguments() -> None:
    made = command_cells([{"name": "a", "arguments": "--x 'b c'"}, {"name": "b"}], "./old -v", "./new")
    assert [one.name for one in made] == ["a", "b"]
    assert [arm.own and arm.own.command for arm in made[0].arms] == [
        "./old -v --x 'b c'",
        "./new --x 'b c'",
        "./old -v --x 'b c'",
    ]
    assert [arm.own and arm.own.command for arm in made[1].arms] == ["./old -v", "./new", "./old -v"]
    assert [arm.arm for arm in made[0].arms] == ["base", "candidate", "null"]
    assert made[0].base == own_cell(Own("./old -v --x 'b c'"), "a", None, {}, "base")
    assert made[0].command == "./old -v --x 'b c'"
    assert made[0].identity == "a: ./old -v --x 'b c'"


def cells_file(folder: Path, text: str) -> Path:
    path = folder / "cells.toml"
    path.write_text(f"schema = 1\ncells = [{text}]\n")
    return path


def test_cells_are_chosen_by_name_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = ", ".join(f'{{ name = "{name}", arguments = "-{name}" }}' for name in "abc")
    path = cells_file(tmp_path, text)
    chosen = command_entries(Project(tmp_path), path, ["c", "a"])
    assert chosen == [{"name": name, "arguments": f"-{name}"} for name in "ac"]
    assert len(command_entries(Project(tmp_path), path, [])) == 3
    with pytest.raises(UserError, match=r"^no gate cell 'd' in .*cells\.toml \(choices: a, b, c\)$"):
        command_entries(Project(tmp_path), path, ["a", "d"])
    with pytest.raises(
        UserError, match=r"^--cells chooses among the cells of a file: for commands --cells-file"
    ):
        command_entries(Project(tmp_path), None, ["a"])
    assert command_entries(Project(tmp_path), None, []) == [{"name": "command"}]
    twice = cells_file(tmp_path, '{ name = "a" }, { name = "b" }, { name = "b" }')
    with pytest.raises(UserError, match="2 cells are named 'b'"):
        command_entries(Project(tmp_path), twice, [])


def test_cells_of_commits_come_from_their_file(tmp_path: Path) -> None:
    text = ", ".join(
        f'{{ name = "{name}", design = "worker-centric", workload = "static", workers = 1, scale = 1 }}'
        for name in "ab"
    )
    assert [one["name"] for one in commit_entries(Project(tmp_path), cells_file(tmp_path, text), ["b"])] == [
        "b"
    ]
    (tmp_path / "plots").mkdir()
    (tmp_path / "cells.toml").rename(tmp_path / "plots" / "gate.toml")
    assert [one["name"] for one in commit_entries(Project(tmp_path), None, [])] == ["a", "b"]


@pytest.mark.parametrize(
    ("base", "candidate", "told"),
    [
        ("", "./x", "'' is no command: it has no words"),
        ("./x", " ", "' ' is no command: it has no words"),
        ("./x", "./x '", "'./x '' is no command: No closing quotation"),
    ],
)
def test_a_command_has_words(base: str, candidate: str, told: str) -> None:
    with pytest.raises(UserError) as error:
        Commands(base, candidate, [])
    assert str(error.value) == told


def test_commands_are_shown_as_they_are() -> None:
    sides = Commands("./a", "./b", [{"name": "command"}])
    assert (sides.shown, sides.commit) == (("./a", "./b"), "")
    assert sides.cells(4) == command_cells([{"name": "command"}], "./a", "./b")
    sides.build(Project(Path("none")), pytest.fail)


BASE, HEAD = Revision("main", "1234abcd"), Revision("HEAD", "5678ef")
Built = list[tuple[str, str, list[str], str]]


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> Built:
    """What was built: commit, configuration, programs and copy."""
    found: Built = []

    def build(
        project: Project, commit: str, config: str, programs: list[str], *, copy: str, own: list[str]
    ) -> None:
        assert own == []
        assert project == Project(Path("none"))
        found.append((commit, config, programs, copy))
        if commit == "5678ef":
            raise BuildError("no such thing", "x.c:1: error")

    monkeypatch.setattr(arms_module, "build_commit", build)
    return found


def test_the_base_is_built_twice_and_the_candidate_on_its_own(built: Built) -> None:
    told: list[str] = []
    sides = Commits(BASE, replace(HEAD, commit="99"), [ENTRY, OTHER])
    sides.build(Project(Path("none")), told.append)
    programs = ["actor-centric/executor", "worker-centric/static"]
    assert built == [
        ("1234abcd", "release", programs, ""),
        ("1234abcd", "release", programs, "null"),
        ("99", "release", programs, ""),
    ]
    assert told == [
        "building base: main (1234abcd)",
        "building base (null): main (1234abcd)",
        "building candidate: HEAD (99)",
    ]
    built.clear()
    Commits(BASE, BASE, [OTHER]).build(Project(Path("none")), told.append)
    assert [copy for *_, copy in built] == ["", "null", "candidate"], "no arm shares a build"
    assert told[-1] == "building candidate (candidate): main (1234abcd)"
    built.clear()
    Commits(BASE, replace(BASE, config="debug"), [OTHER]).build(Project(Path("none")), told.append)
    assert [(config, copy) for _, config, _, copy in built] == [
        ("release", ""),
        ("release", "null"),
        ("debug", ""),
    ]


def test_the_side_that_does_not_build_is_named(built: Built) -> None:
    with pytest.raises(RevisionError, match=r"^the candidate does not build: no such thing$") as error:
        Commits(BASE, HEAD, [OTHER]).build(Project(Path("none")), lambda _: None)
    assert (error.value.side, error.value.output) == ("candidate", "x.c:1: error")
    with pytest.raises(RevisionError, match=r"^the base does not build") as error:
        Commits(HEAD, BASE, [OTHER]).build(Project(Path("none")), lambda _: None)
    assert error.value.side == "base"
    assert len(built) == 4


def test_commits_are_shown_by_name_and_digits() -> None:
    named = replace(BASE, shown="1234"), replace(BASE, shown="1234abcdef")
    assert Commits(BASE, named[0], []).shown == ("main (1234abcd)", "1234abcd")
    assert Commits(named[1], HEAD, []).shown == ("1234abcd", "HEAD (5678ef)")
    assert Commits(BASE, HEAD, []).commit == "1234abcd"


def test_the_cells_of_commits_are_of_their_builds() -> None:
    options = (("queue", "copy"),)
    sides = Commits(replace(BASE, options=(("steal", "none"),)), replace(HEAD, options=options), [OTHER])
    (made,) = sides.cells(3)
    assert [arm.config for arm in made.arms] == [
        "release@1234abcd",
        "release@5678ef",
        "release@1234abcd.null",
    ]
    assert [dict(arm.options).get("queue") for arm in made.arms] == [None, "copy", None]
    assert [dict(arm.options).get("steal") for arm in made.arms] == ["none", None, "none"]
    assert made.base.workers == 3
    (same,) = Commits(BASE, BASE, [OTHER]).cells(3)
    assert [arm.config for arm in same.arms] == [
        "release@1234abcd",
        "release@1234abcd.candidate",
        "release@1234abcd.null",
    ]


def test_a_side_is_a_commit_or_the_worktree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arms_module, "snapshot", lambda project: f"snap {project.root.name}")
    monkeypatch.setattr(arms_module, "resolve_commit", lambda project, name: f"{name} {project.root.name}")
    project = Project(tmp_path / "x")
    sides = commits_of(project, "main", "worktree", [OTHER])
    assert sides == Commits(Revision("main", "main x"), Revision("worktree", "snap x"), [OTHER])

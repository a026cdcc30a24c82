"""The runner of proofs and mutants: what it accepts, what it complains of, what a mutant is judged by."""

import re
import sys
import tomllib
from pathlib import Path

import progress
import prove
import pytest

LISTED = """
[[proofs]]
id = "counts"
claim = "three ways lead here"
checker = "shell"
bound = "none"
command = ["sh", "-c", "{script}"]
golden = 3
{more}
"""
MUTANT = """
[[mutants]]
id = "{id}"
file = "core/door.h"
before = "open"
after = "shut"
caught_by = "{by}"
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a little source, in place of the project's."""
    for name in prove.COPIED[:-1]:
        (tmp_path / name).mkdir()
    (tmp_path / "Makefile").write_text("all:\n")
    (tmp_path / "core" / "door.h").write_text("open\n")
    (tmp_path / "tests" / "shell").mkdir()
    monkeypatch.setattr(progress, "LOOK_S", 0.1)
    monkeypatch.setattr(progress, "IDLE_S", 1.0)
    monkeypatch.setattr(prove, "ROOT", tmp_path)
    monkeypatch.setattr(prove, "MUTANTS", tmp_path / "build" / "mutants")
    return tmp_path


def run(root: Path, monkeypatch: pytest.MonkeyPatch, text: str, *options: str) -> int:
    (root / "tests" / "shell" / "proofs.toml").write_text(text)
    monkeypatch.setattr(sys, "argv", ["prove", *options])
    return prove.main()


@pytest.mark.parametrize(
    ("script", "more", "says"),
    [
        ("echo executions 3", "", "1 of 1 claims as listed"),
        ("echo executions 4", "", "searched 4 executions, where 3 is listed"),
        ("echo nothing", "", "does not say how much it searched"),
        ("echo executions 3; exit 1", "", "refuted, where it holds is listed"),
        ("echo executions 3; exit 1", "refuted = true", "1 of 1 claims as listed"),
        ("echo executions 3", "refuted = true", "holds, where it refuted is listed"),
        ("echo executions 3; exit 2", "", "ended with status 2"),
        ("sleep 1000", "", "no progress: idle for 1."),
        ("echo executions 3", "at_least = 4", "searched 3 executions only"),
        ("echo executions 3", 'build = ["nothing-of-the-kind"]', "make nothing-of-the-kind"),
    ],
)
def test_a_proof_is_what_its_list_says(
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    script: str,
    more: str,
    says: str,
) -> None:
    status = run(root, monkeypatch, LISTED.format(script=script, more=more))
    assert says in capsys.readouterr().out
    assert status == int(says != "1 of 1 claims as listed")


@pytest.mark.parametrize(
    ("script", "status", "says"),
    [
        ("echo executions 1; grep -q open core/door.h", 0, "1 of 1 mutants caught"),
        ("echo executions 3", 1, "NOT CAUGHT: holds"),
        ("grep -q open core/door.h || exit 7", 1, "NOT CAUGHT: ended with status 7"),
    ],
)
def test_a_mutant_is_caught_only_by_a_verdict(
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    script: str,
    status: int,
    says: str,
) -> None:
    text = LISTED.format(script=script, more="") + MUTANT.format(id="door", by="counts")
    assert run(root, monkeypatch, text, "--mutants") == status
    assert says in capsys.readouterr().out
    assert (root / "core" / "door.h").read_text() == "open\n"


OWN = 'command = ["sh", "-c", "{script}"]'


@pytest.mark.parametrize(
    ("script", "more", "control", "says"),
    [
        ("grep -q open core/door.h", "", "holds", "1 of 1 mutants caught"),
        ("exit 1", "", "refuted", "NOT CAUGHT: refuted, and refuted on the unchanged source"),
        ("grep -q shut core/door.h", "", "refuted", "NOT CAUGHT: holds"),
        ("grep -q shut core/door.h", "refuted = true", "refuted", "1 of 1 mutants caught"),
        ("true", "refuted = true", "holds", "NOT CAUGHT: holds, and holds on the unchanged source"),
        (
            "grep -q shut core/door.h && exit 1; exit 7",
            "",
            "ended with status 7",
            "NOT CAUGHT: refuted, and ended with status 7 on the unchanged source",
        ),
    ],
)
def test_a_mutants_own_command_is_judged_on_the_unchanged_source(
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    script: str,
    more: str,
    control: str,
    says: str,
) -> None:
    text = LISTED.format(script="exit 9", more=more) + MUTANT.format(id="door", by="counts")
    status = run(root, monkeypatch, text + OWN.format(script=script), "--mutants")
    said = capsys.readouterr().out
    assert says in said
    assert f"  {control} " in said.partition("\ndoor")[2]
    assert status == int("caught" not in says)


def test_each_command_is_run_once_on_the_unchanged_source(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two mutants share a command, which needs what their proof builds; a third has its proof's."""
    (root / "Makefile").write_text("tool:\n\ttouch tool\n")
    script = "echo run >> log; test -e tool || exit 7; grep -q open core/door.h"
    text = LISTED.format(script="grep -q open core/door.h", more='build = ["tool"]')
    for name in ("one", "two"):
        text += MUTANT.format(id=name, by="counts") + OWN.format(script=script)
    text += MUTANT.format(id="three", by="counts")
    assert run(root, monkeypatch, text, "--mutants") == 0
    said = capsys.readouterr().out
    assert "3 of 3 mutants caught" in said
    assert [line.split()[:3] for line in said.splitlines()[-4:-1]] == [
        ["one", "counts", "holds"],
        ["two", "counts", "holds"],
        ["three", "counts", "-"],
    ]
    assert (root / "log").read_text() == "run\n"


def test_a_mutant_may_need_less_than_its_proof(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "Makefile").write_text("much:\n\ttouch much\nlittle:\n\ttouch little\n")
    script = "test -e little && ! test -e much && exit 1; exit 7"
    text = LISTED.format(script=script, more='build = ["much"]')
    text += MUTANT.format(id="door", by="counts") + 'build = ["little"]'
    assert run(root, monkeypatch, text, "--mutants") == 0


def test_mutants_of_a_source_that_does_not_build_are_not_caught(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = LISTED.format(script="true", more='build = ["absent"]') + MUTANT.format(id="door", by="counts")
    assert run(root, monkeypatch, text + OWN.format(script="true"), "--mutants") == 1
    assert "make absent" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (LISTED.format(script="true", more="") * 2, "proof counts is listed twice"),
        (MUTANT.format(id="door", by="nobody"), "caught by nobody, which is no proof"),
        ("[[proofs]]\nid = 'x'\n", "tests/shell/proofs.toml: KeyError('command')"),
        ("[[proofs", "tests/shell/proofs.toml: TOMLDecodeError"),
        (LISTED.format(script="true", more=""), "no name contains 'absent'"),
    ],
)
def test_a_list_that_cannot_be_followed_is_one_line(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, says: str
) -> None:
    options = ["--only", "absent"] if "absent" in says else []
    assert run(root, monkeypatch, text, *options) == 2
    said = capsys.readouterr().err
    assert says in said
    assert said.count("\n") == 1


def test_a_mutant_that_no_longer_fits_is_named(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "core" / "door.h").write_text("ajar\n")
    text = LISTED.format(script="true", more="") + MUTANT.format(id="door", by="counts")
    assert run(root, monkeypatch, text, "--mutants") == 1
    assert "NOT CAUGHT: what it changes stands 0 times in core/door.h" in capsys.readouterr().out


def test_every_mutant_fits() -> None:
    """What a mutant changes stands once in its file: whoever edits core/ hears of it here."""
    mutants = prove.read_lists(prove.ROOT)[1]
    assert mutants
    for mutant in mutants:
        text = (prove.ROOT / mutant.file).read_text(encoding="utf-8")
        assert text.count(mutant.before) == 1, mutant.id


def test_quick_runs_only_what_is_marked(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = LISTED.format(script="echo executions 3", more="quick = true")
    text += LISTED.format(script="exit 5", more="").replace('"counts"', '"slow"')
    assert run(root, monkeypatch, text, "--quick") == 0
    assert "1 of 1 claims as listed" in capsys.readouterr().out


def test_how_to_contribute_quotes_entries_that_are_there() -> None:
    text = (prove.ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    quoted = [tomllib.loads(block) for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL)]
    listed = tomllib.loads((prove.ROOT / "tests/search/proofs.toml").read_text(encoding="utf-8"))
    assert [list(block) for block in quoted] == [["proofs"], ["mutants"]]
    for block in quoted:
        for kind, entries in block.items():
            assert all(entry in listed[kind] for entry in entries)


def test_the_guide_has_the_lists() -> None:
    """docs/correctness.md holds what `tests/prove.py --document` writes there."""
    guide = (prove.ROOT / prove.GUIDE).read_text(encoding="utf-8")
    assert prove.documented(guide, *prove.read_lists(prove.ROOT)) == guide, "run tests/prove.py --document"


def test_the_lists_are_written_between_the_guides_marks(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guide = root / prove.GUIDE
    guide.parent.mkdir()
    marks = [
        mark for name in ("claims", "mutants") for mark in (f"<!-- {name} -->", f"<!-- end of {name} -->")
    ]
    guide.write_text("\n".join(["before", marks[0], "old", marks[1], "between", *marks[2:], "after", ""]))
    text = LISTED.format(script="true", more="") + MUTANT.format(id="door", by="counts")
    for _ in range(2):
        assert run(root, monkeypatch, text, "--document") == 0
        lines = [line for line in guide.read_text().splitlines() if line]
        assert [line for line in lines if line[0] not in "<|"] == [
            "before",
            "1 claims:",
            "between",
            "1 mutants, 0 of them with 0 commands of their own:",
            "after",
        ]
        assert "| three ways lead here | `counts` | shell | none | 3 | holds |" in lines
        assert "| `door` | `core/door.h` | `counts` |" in lines


def test_a_guide_without_marks_is_one_line(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "docs").mkdir()
    (root / prove.GUIDE).write_text("nothing\n")
    assert run(root, monkeypatch, LISTED.format(script="true", more=""), "--document") == 2
    assert "docs/correctness.md lacks the marks of its claims" in capsys.readouterr().err

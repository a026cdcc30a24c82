"""The planting of errors in the driver: which there are, that each is planted, and what is said of it."""

import importlib
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from mutation import __main__ as mutation_main
from mutation import planting
from mutation.__main__ import Share, documented, entry_of, read_survivors, report
from mutation.planting import Mutant, mutants_of, plant
from prove import GUIDE, ListError

SOURCE = '''
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Self

OUTSIDE = 1 + 1


@dataclass(frozen=True)
class Box:
    """Not "mutated"."""

    side: int = 1 + 1

    @property
    def area(self) -> int:
        return self.side * self.side

    @cached_property
    def text(self) -> str:
        def inner() -> str:
            return "Side"
        return inner()

    @classmethod
    def of(cls, side: int = 3) -> Self:
        return cls(side)


@cache
def twice(number: int) -> int:
    first = number + number
    first = number + number
    return first


def down(number: int) -> int:
    while number > 0:
        number -= 1
    return number
'''

TESTS = """
from boxes import Box, down, twice


def test_box() -> None:
    assert Box(3).area == 9
    assert Box.of().side == 3


def test_down() -> None:
    assert down(3) == 0


def test_twice() -> None:
    assert twice(4) == 8
"""

HUNT = """
import sys
from pathlib import Path
from mutation import __main__ as main, hunting, planting
for module in (main, hunting, planting):
    module.ROOT = Path(sys.argv[1])
planting.SCRIPTS, hunting.PATIENCE = module.ROOT, 1
found = main.hunt({"boxes.py": ["test_boxes.py"]}, 2)
print(found.broken)
print(*sorted({f"{one.function}: {one.after}: {why}" for one, why in found.survivors}), sep="\\n")
"""


@pytest.fixture
def boxes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module `boxes`, in place of the driver's."""
    (tmp_path / "boxes.py").write_text(SOURCE)
    monkeypatch.setattr(planting, "ROOT", tmp_path)
    monkeypatch.setattr(planting, "SCRIPTS", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("boxes")
    del sys.modules["boxes"]


def mutant(function: str, before: str, after: str, count: int = 1) -> Mutant:
    key = ("boxes.py", function, before, after, count)
    return next(one for one in mutants_of("boxes.py") if one.key == key)


@pytest.mark.usefixtures("boxes")
def test_errors_are_planted_in_functions_whatever_decorates_them() -> None:
    mutants = list(mutants_of("boxes.py"))
    assert {one.function for one in mutants} == {"Box.area", "Box.text", "Box.of", "twice", "down"}
    assert len({one.key for one in mutants}) == len(mutants)
    texts = [one.after for one in mutants if one.function == "Box.text"]
    assert [text for text in texts if "ide" in text.lower()] == ['return "XXSideXX"'], (
        "one other text is enough"
    )


def test_an_error_is_put_into_the_loaded_module(boxes: ModuleType) -> None:
    box = boxes.Box(3)
    assert (box.area, boxes.twice(4), boxes.Box.of().side) == (9, 8, 3)
    plant(mutant("Box.area", "return self.side * self.side", "return self.side / self.side"))
    assert box.area == 1
    plant(mutant("Box.of", "def of(cls, side: int = 3) -> Self:", "def of(cls, side: int = 4) -> Self:"))
    assert boxes.Box.of().side == 4
    plant(mutant("Box.text", 'return "Side"', 'return "XXSideXX"'))
    assert boxes.Box(1).text == "XXSideXX"
    line, changed = "first = number + number", "first = number - number"
    plant(mutant("twice", line, changed))
    assert boxes.twice(5) == 10, "the second of the two lines is what counts"
    plant(mutant("twice", line, changed, 2))
    boxes.twice.cache_clear()
    assert boxes.twice(5) == 0


def hunted(folder: Path) -> list[str]:
    """Hunt in a process of its own; what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", HUNT, str(folder)],
        env=os.environ | {"PYTHONPATH": f"{folder}:{Path(__file__).parent}"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_a_hunt_finds_what_no_test_catches(tmp_path: Path) -> None:
    """What loops for ever is caught; what comes to nothing, or is never run, is told."""
    (tmp_path / "boxes.py").write_text(SOURCE)
    (tmp_path / "test_boxes.py").write_text(TESTS)
    first, broken, *survivors = hunted(tmp_path)
    assert first.endswith("errors to plant; what becomes of each: build/mutation.log")
    assert broken == ""
    assert survivors == [
        'Box.text: return "XXSideXX": no test runs it',
        "twice: first = None: no test fails",
        "twice: first = number - number: no test fails",
    ]
    log = (tmp_path / "build" / "mutation.log").read_text()
    assert "caught | boxes.py | down | number -= 1 | number += 1 | 1" in log


def test_a_hunt_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    """Of the same sources only what is missing is hunted, and a line that was cut short is missing."""
    (tmp_path / "boxes.py").write_text(SOURCE.partition("def down")[0])
    tests = TESTS.replace("down, ", "").replace("down(3) == 0", "True")
    (tmp_path / "test_boxes.py").write_text(tests)
    found = hunted(tmp_path)
    kept, log = tmp_path / "build" / "mutation.jsonl", tmp_path / "build" / "mutation.log"
    lines = kept.read_text().splitlines(keepends=True)
    count = len(lines)
    assert found[0].startswith(f"{count} errors to plant; ")
    kept.write_text("".join(lines[:-3]) + lines[-3][:-9])
    again = hunted(tmp_path)
    assert again[0].startswith(f"{count} errors to plant, {count - 3} of them before; ")
    assert again[1:] == found[1:]
    assert log.read_text().count(" | boxes.py | ") == 3
    log.unlink()
    assert hunted(tmp_path)[0].startswith(f"{count} errors to plant, {count} of them before; ")
    assert not log.exists()
    (tmp_path / "test_boxes.py").write_text(tests.replace("== 8", "in (8,)"))
    assert hunted(tmp_path)[0].startswith(f"{count} errors to plant; "), (
        "other tests may miss what these catch"
    )


def test_a_hunt_needs_tests_that_pass(tmp_path: Path) -> None:
    (tmp_path / "boxes.py").write_text(SOURCE)
    (tmp_path / "test_boxes.py").write_text(TESTS.replace("== 8", "== 7"))
    assert "assert twice(4) == 7" in "\n".join(hunted(tmp_path))
    (tmp_path / "test_boxes.py").write_text("import nothing_like_this")
    assert hunted(tmp_path)[1] == "pytest ended with status 1: build/mutation.log"


def made(function: str, before: str = "a < b", after: str = "a <= b") -> Mutant:
    return Mutant("scripts/actorbench/x.py", function, before, after, 1, "")


def test_only_what_is_not_listed_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "survivors.toml"
    old, same = made("old", before='it\'s "so"\nin two lines'), made("same")
    path.write_text("".join(entry_of(one, "as it is") for one in (old, same, made("gone"))))
    listed = read_survivors(path)
    assert listed == {one.key: "as it is" for one in (old, same, made("gone"))}
    new = made("new")
    mutants = [old, same, new, made("caught")]
    assert report(mutants, [(same, "no test fails"), (new, "no test fails")], listed) == 1
    told = capsys.readouterr().out
    assert entry_of(new, "no test fails") in told
    assert entry_of(same, "no test fails") not in told
    assert "listed as a survivor, but is caught: scripts/actorbench/x.py, old" in told
    assert "listed as a survivor, but is no mutant any more: scripts/actorbench/x.py, gone" in told
    assert told.splitlines()[-1].split() == ["all", "4", "2", "50.0", "%", "1", "1"]
    assert report(mutants[:2], [(same, "no test fails")], listed) == 0


def test_every_survivor_has_a_reason_and_a_module() -> None:
    listed = read_survivors(mutation_main.HERE / "survivors.toml")
    assert all(why.strip() for why in listed.values())
    assert {key[0] for key in listed} <= mutation_main.configured().keys()


def test_the_shares_are_written_into_the_document() -> None:
    found = [Share("x.py", 2000, 1999, 1), Share("all", 2000, 1999, 1)]
    guide = "a\n<!-- driver's mutants -->\nold\n<!-- end of driver's mutants -->\nz\n"
    written = documented(guide, found)
    assert "| `x.py` | 2,000 | 1,999 | 100.0 % | 1 |\n| all | 2,000 | 1,999 | 100.0 % | 1 |\n" in written
    assert "old" not in written
    assert written.startswith("a\n")
    assert written.endswith(">\nz\n")
    assert documented(written, found) == written
    with pytest.raises(ListError, match="lacks the marks of its driver's mutants"):
        documented("no marks", found)


def test_the_document_has_every_module_and_survivor() -> None:
    guide = (planting.ROOT / GUIDE).read_text(encoding="utf-8")
    part = guide.partition("<!-- driver's mutants -->\n")[2].partition("<!-- end of ")[0]
    told = dict(re.findall(r"^\| `([\w/]+\.py)` \|.* \| (\d+) \|$", part, re.MULTILINE))
    listed = Counter(key[0] for key in read_survivors(mutation_main.HERE / "survivors.toml"))
    modules = mutation_main.configured()
    assert told == {file.removeprefix("scripts/actorbench/"): str(listed[file]) for file in modules}

"""Options: those that experiments ask for, and those of the guide to the designs, are what programs take."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from actorbench.catalogue import all_experiments, experiment_groups
from actorbench.cell import format_number
from actorbench.design import DESIGNS
from actorbench.project import Project
from actorbench.record import parse_record
from actorbench.system import OURS
from conftest import SOURCE

PROJECT = Project(SOURCE)
GUIDE = (SOURCE / "docs" / "designs.md").read_text(encoding="utf-8")
LITTLE = ["--workers", "2", "--scale", format_number(1e-6)]
OPTION = re.compile(r"^  --([a-z-]+) (\S+) .*?(?:\(([^()]*)\))?$", re.MULTILINE)
ROW = re.compile(r"^\| `--([a-z-]+)` \| ([^|]*) \|", re.MULTILINE)
QUOTED = re.compile(r"`([^`]+)`")


def program(design: str, workload: str = "static", config: str = "release") -> Path:
    """The program of a design; skips the test if it is not built."""
    path = SOURCE / "build" / config / design / workload
    if not path.exists():
        pytest.skip(f"build/{config}/{design}/{workload} is not built: run make CONFIG={config}")
    return path


def refusal(path: Path, *arguments: str) -> str:
    """What the program says against the arguments; empty if it takes them."""
    command = [str(path), *LITTLE, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    return "" if done.returncode == 0 else f"{' '.join(arguments)}: {done.stderr.strip()}"


@cache
def asked_for(design: str) -> tuple[tuple[str, ...], ...]:
    """The options of every cell of plots/ that is of a design, as arguments."""
    found = {
        tuple(word for name, value in sorted(setting.options.items()) for word in (f"--{name}", str(value)))
        for group in ("", *experiment_groups(PROJECT))
        for experiment in all_experiments(PROJECT, group)
        for setting in experiment.settings()
        if setting.system == OURS and setting.design == design and setting.workers != "none"
    }
    return tuple(sorted(found))


@pytest.mark.parametrize("design", DESIGNS)
def test_programs_take_the_options_of_the_experiments(design: str) -> None:
    assert asked_for(design)
    path = program(design)
    assert [why for options in asked_for(design) if (why := refusal(path, *options))] == []


@pytest.mark.parametrize("config", ["release", "statistics"])
@pytest.mark.parametrize("design", DESIGNS)
def test_a_program_names_its_design_in_a_valid_record(design: str, config: str) -> None:
    path = program(design, config=config)
    said = subprocess.run([path, *LITTLE, "--json"], capture_output=True, text=True, check=True, timeout=60)
    record = parse_record(said.stdout)
    assert record.raw["design"] == design
    assert record.statistics is not None
    assert {"steals", "mean_steal_size"} <= record.statistics.keys(), "every build counts thefts"
    assert ("messages_sent" in record.statistics) == (config == "statistics")


def documented(design: str) -> dict[str, list[str]]:
    """The options of a design in the guide, each with the choices in its row."""
    section = GUIDE.partition(f"## Options of the {design} design\n")[2].partition("\n## ")[0]
    return {name: QUOTED.findall(choices) for name, choices in ROW.findall(section)}


def offered(path: Path) -> dict[str, tuple[list[str], str]]:
    """The options that a program's --help lists for its design: choices (of a number its words), default.

    The default of a set is a word of its own, which is none of the choices.
    """
    said = subprocess.run([path, "--help"], capture_output=True, text=True, check=True, timeout=60).stdout
    section = re.split(r"^Options of the .*-centric design$", said, flags=re.MULTILINE)[1]
    return {
        name: ([word for word in kind.split("|") if not word.isupper()], default)
        for name, kind, default in OPTION.findall(section)
    }


def presets(path: Path) -> set[str]:
    """The presets that a program's --help lists."""
    said = subprocess.run([path, "--help"], capture_output=True, text=True, check=True, timeout=60).stdout
    return set(re.findall(r"^  --preset ([a-z-]+) ", said, re.MULTILINE))


@pytest.mark.parametrize("design", DESIGNS)
def test_the_guides_tables_are_what_help_says(design: str) -> None:
    path = program(design)
    said, told = offered(path), documented(design)
    assert presets(path) == set(told.pop("preset", []))
    assert set(said) == set(told)
    for name, (choices, default) in said.items():
        assert told[name][0] == default, f"--{name}: the default stands first"
        assert not choices or set(told[name]) == {*choices, default}, f"--{name}"
        refused = [why for choice in told[name] if (why := refusal(path, f"--{name}", choice))]
        assert refused == []

"""The guides' commands are commands, their experiment is an experiment, and their files are written."""

import re
import shlex
from functools import cache

import click
import pytest

from actorbench.catalogue import all_experiments, experiment_groups
from actorbench.cli import actorbench
from actorbench.experiment import parse_experiment
from actorbench.gate.cells import commit_entries
from actorbench.preset import load_preset
from actorbench.project import Project
from conftest import SOURCE, Checkout

GUIDE = (SOURCE / "docs" / "guide.md").read_text(encoding="utf-8")
GATE = (SOURCE / "docs" / "gate.md").read_text(encoding="utf-8")
TREND = (SOURCE / "docs" / "trend.md").read_text(encoding="utf-8")
WORKFLOW = (SOURCE / ".github" / "workflows" / "gate.yml").read_text(encoding="utf-8")
README = (SOURCE / "README.md").read_text(encoding="utf-8")
COMMAND = re.compile(r"^ {4}\./actorbench (.+?)(?:\s+#.*)?$", re.MULTILINE)
GUIDE_COMMANDS = COMMAND.findall(GUIDE)
# Those of the snippets for CI too: up to what a shell or the prose has after them, a commit for a subshell.
SNIPPETS = re.sub(r'"\$+\(.*\)"', "REV", GATE + WORKFLOW)
TREND_COMMANDS = COMMAND.findall(TREND)
GATE_COMMANDS = [line.strip() for line in re.findall(r"\./actorbench (\w+ [^`|\n]+)", SNIPPETS)]
PROJECT = Project(SOURCE)


def parsed(line: str) -> click.Context:
    """Parse a command as the driver would, running nothing; raises click's error if it is wrong."""
    name, command, rest = actorbench.resolve_command(click.Context(actorbench), shlex.split(line))
    assert command is not None
    return command.make_context(name, rest)


@cache
def known() -> set[str]:
    """What can be measured by its name: groups of experiments, and experiments."""
    groups = experiment_groups(PROJECT)
    return {*groups, *(one.id for group in ("", *groups) for one in all_experiments(PROJECT, group))}


def test_the_guide_has_commands() -> None:
    assert len(GUIDE_COMMANDS) >= 10
    assert {line.split()[0] for line in GUIDE_COMMANDS} >= {
        "compare",
        "figures",
        "report",
        "replay",
        "doctor",
        "gate",
    }
    assert sum(line.startswith("gate ") for line in GATE_COMMANDS) >= 10


@pytest.mark.parametrize(
    "line", sorted({*GUIDE_COMMANDS, *GATE_COMMANDS, *TREND_COMMANDS, *COMMAND.findall(README)})
)
def test_a_command_is_one_of_the_driver(line: str) -> None:
    context = parsed(line)
    named = {"experiments", "experiment"} & context.params.keys()
    for parameter in named:
        value = context.params[parameter]
        for one in value if isinstance(value, tuple) else (value,):
            assert one is None or one in known() or (SOURCE / one).is_file()
    if context.params.get("preset"):
        load_preset(PROJECT, context.params["preset"])


def test_a_wrong_command_would_be_found() -> None:
    with pytest.raises(click.ClickException):
        parsed("figures balance-one --colour")


def test_the_cells_that_the_guides_name_are_gated() -> None:
    told = [*GUIDE_COMMANDS, *GATE_COMMANDS, *TREND_COMMANDS]
    named = {cell for line in told for cell in parsed(line).params.get("cells") or ()}
    assert named
    assert len(commit_entries(PROJECT, None, sorted(named))) == len(named)


def test_the_guides_experiment_runs(checkout: Checkout) -> None:
    text = re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)[0]
    assert len(parse_experiment(text, "guide").series) == 3
    checkout.program("executor", design="message-centric")
    checkout.experiment(text, "dispatch")
    assert checkout.call("figures", "dispatch", "--workers", "1,2", "--samples", "2") == 0


def test_the_files_that_the_guide_names_are_written(checkout: Checkout) -> None:
    checkout.call("figures", "lines", "--workers", "1")
    folder = checkout.only_run().folder
    for named in set(re.findall(r"results/RUN/([\w/.-]+)", GUIDE)):
        assert (folder / named.replace("balance-one", "lines")).is_file()

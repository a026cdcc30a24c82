"""The options of a program that have named values, read from what it prints on --help."""

import os
import re
from collections.abc import Sequence
from itertools import product

from actorbench.catalogue import Program
from actorbench.errors import UserError, choices
from actorbench.option_check import PATIENCE_S
from actorbench.process import run_process
from actorbench.project import Project

_LINE = re.compile(r"^  --([a-z][a-z0-9-]*) (\S+)")
_VALUES = re.compile(r"[a-z0-9_.+-]+(\|[a-z0-9_.+-]+)*")  # a number or a file is written in capitals


def each_of(project: Project, program: Program, wanted: Sequence[str]) -> list[str]:
    """Give every combination of the options `wanted`, as on a command line; raises UserError.

    Each is an option's name, which stands for all of its values, or NAME=VALUE,VALUE,...
    """
    known = option_values(project, program)
    lists = []
    for one in wanted:
        name, _, given = one.removeprefix("--").partition("=")
        values = given.split(",") if given else known.get(name)
        if values is None:
            raise UserError(
                f"--each {one}: {program.design}/{program.workload} has no option '{name}' with named values"
                f" (choices: {choices(sorted(known))}; or --each {name}=VALUE,VALUE)"
            )
        lists.append([f"--{name} {value}" for value in values])
    return [" ".join(parts) for parts in product(*lists)]


def option_values(project: Project, program: Program) -> dict[str, list[str]]:
    """Read the named values of each option that has some; raises UserError if the program does not say."""
    try:
        done = run_process(
            [str(program.path), "--help"], timeout_s=PATIENCE_S, environment=os.environ, folder=project.root
        )
    except OSError as error:
        raise UserError(f"{project.shown(program.path)}: cannot be started: {error.strerror}") from error
    return read_values(done.stdout.decode(errors="replace"))


def read_values(text: str) -> dict[str, list[str]]:
    """Read lines such as "  --steal none|random   how ..."; an option may have a line for each value."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        match = _LINE.match(line)
        if match and _VALUES.fullmatch(match[2]):
            found.setdefault(match[1], []).extend(match[2].split("|"))
    return found

"""Programs that must not compile, and what the compiler must say of them.

Each program but the control lists, in comments `expect: WORDS`, the words that its error message must hold:
the types at fault. No warning flags are set: these are errors of C11, for everybody.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CORE = HERE.parent.parent / "core"
COMPILERS = ["gcc", "clang"]
SPOILT = sorted(path for path in HERE.glob("*.c") if path.name != "good.c")


def compile_program(compiler: str, program: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """Check a program's syntax and types; writes no file."""
    command = [compiler, "-std=c11", "-fsyntax-only", f"-I{CORE}", f"-I{HERE}", *flags, str(program)]
    english = dict(os.environ) | {"LC_ALL": "C.UTF-8"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=english)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_control_compiles_without_a_warning(compiler: str) -> None:
    result = compile_program(
        compiler, HERE / "good.c", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("program", SPOILT, ids=lambda path: path.stem)
def test_a_spoilt_program_is_refused_by_name(compiler: str, program: Path) -> None:
    expected = re.findall(r"expect: (.+)", program.read_text())
    assert expected, "the program does not say what is expected"
    result = compile_program(compiler, program)
    assert result.returncode != 0
    assert "error" in result.stderr
    message = result.stderr.replace("\u2018", "").replace("\u2019", "")  # gcc quotes types
    for words in expected:
        assert words in message, f"{words!r} is not in:\n{message}"

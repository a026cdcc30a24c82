"""Programs that must not compile, and what the compiler must say of them.

Each program but the control lists, in comments `expect: WORDS`, the words that its error message must hold:
the types at fault; `expect in C: WORDS` where C++ has other words. In C no warning flags are set: these are
errors of C11, for everybody. In C++ a function of the same name is another one, so that other types of a
behaviour's function are told by a warning, and by the linker.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CORE = HERE.parent.parent / "core"
LANGUAGES = {"gcc": "c11", "clang": "c11", "g++": "c++11", "clang++": "c++11"}
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror")
SPOILT = sorted(path for path in HERE.glob("*.c") if path.name != "good.c")


def compile_program(compiler: str, program: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """Check a program's syntax and types; writes no file."""
    language = ["-x", "c" if LANGUAGES[compiler] == "c11" else "c++", f"-std={LANGUAGES[compiler]}"]
    command = [compiler, *language, "-fsyntax-only", f"-I{CORE}", f"-I{HERE}", *flags, str(program)]
    english = dict(os.environ) | {"LC_ALL": "C.UTF-8"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=english)


@pytest.mark.parametrize("compiler", LANGUAGES)
def test_the_control_compiles_without_a_warning(compiler: str) -> None:
    result = compile_program(compiler, HERE / "good.c", *WARNINGS)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("compiler", LANGUAGES)
@pytest.mark.parametrize("program", SPOILT, ids=lambda path: path.stem)
def test_a_spoilt_program_is_refused_by_name(compiler: str, program: Path) -> None:
    in_c = LANGUAGES[compiler] == "c11"
    expected = re.findall(r"expect(?: in C)?: (.+)" if in_c else r"expect: (.+)", program.read_text())
    assert expected, "the program does not say what is expected"
    result = compile_program(compiler, program, *(() if in_c else WARNINGS))
    assert result.returncode != 0
    assert "error" in result.stderr
    message = result.stderr.replace("\u2018", "").replace("\u2019", "")  # gcc quotes types
    for words in expected:
        assert words in message, f"{words!r} is not in:\n{message}"

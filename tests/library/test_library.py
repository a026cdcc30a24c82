"""The runtime as it is installed: what programs outside of this tree find, and the examples built with it."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
DESIGNS = sorted(folder.name.replace("_", "-") for folder in (ROOT / "core").glob("*_centric"))
CONSTRUCTS = tuple(f"messaging/{path.name}" for path in sorted((ROOT / "core/messaging").glob("*.h")))
PAGES = {"messaging": CONSTRUCTS, "io": ("executor.h", "io/io.h")}
HEADERS = ("actor.h", "clusters.h", "executor.h", "typed.h", *CONSTRUCTS, "io/io.h")
OURS = tuple(f"actorbench/{name}" for name in HEADERS)
STANDARD = ("stdbool.h", "stddef.h", "stdint.h")  # what ours include
CPP = [f"{name} -xc++ -std={version}" for name in ("g++", "clang++") for version in ("c++11", "c++17")]
COMPILERS = {"C": ("clang", "-xc", "-std=c11"), "C++": ("clang++", "-xc++", "-std=c++11")}


def call(*command: str | Path, cwd: Path = ROOT, **variables: str) -> str:
    """What a command prints; it must end well."""
    outside = {name: text for name, text in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=outside | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the runtime is installed."""
    folder = tmp_path_factory.mktemp("installed")
    call("make", "-s", "-j2", "install", f"PREFIX={folder}")
    return folder


@pytest.fixture
def example(prefix: Path, tmp_path: Path) -> Path:
    """The examples as they are installed, in a folder of their own."""
    return Path(shutil.copytree(prefix / "share/doc/actorbench/examples", tmp_path / "examples"))


def paths(prefix: Path) -> dict[str, str]:
    """What pkg-config and the loader must know of a library that is not where they look."""
    return {"PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig"), "LD_LIBRARY_PATH": str(prefix / "lib")}


def symbols(*command: str | Path) -> set[str]:
    """The names that nm lists."""
    return {line.split()[-1] for line in call("nm", "--defined-only", *command).splitlines() if " " in line}


@pytest.mark.parametrize("design", DESIGNS)
def test_no_global_symbol_lacks_the_prefix(prefix: Path, design: str) -> None:
    archive = symbols("-g", prefix / f"lib/libactorbench-{design}.a")
    shared = symbols("-D", prefix / f"lib/libactorbench-{design}.so")
    assert archive == shared
    assert {"actorbench_start", "actorbench_post", "actorbench_finished_message"} <= archive
    assert [name for name in archive if not name.startswith("actorbench_")] == []


@pytest.mark.parametrize("design", DESIGNS)
def test_no_library_is_bound_to_a_compiler(prefix: Path, design: str) -> None:
    for name in (f"libactorbench-{design}.a", f"libactorbench-{design}.so"):
        sections = call("readelf", "-SW", prefix / "lib" / name)
        assert ".text" in sections
        assert ".gnu.lto_" not in sections


def read(prefix: Path, language: str, headers: tuple[str, ...], *flags: str) -> str:
    """What clang prints of a source that includes these headers."""
    command = [*COMPILERS[language], *flags, f"-I{prefix / 'include'}", "-"]
    source = "".join(f"#include <{name}>\n" for name in headers)
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def macros(prefix: Path, language: str, headers: tuple[str, ...]) -> set[str]:
    """The names of all macros that are there after headers were included."""
    return set(re.findall(r"^#define (\w+)", read(prefix, language, headers, "-dM", "-E"), re.MULTILINE))


@pytest.mark.parametrize("language", COMPILERS)
def test_no_macro_lacks_the_prefix(prefix: Path, language: str) -> None:
    standard = (*STANDARD, "type_traits") if language == "C++" else STANDARD
    added = macros(prefix, language, standard + OURS) - macros(prefix, language, standard)
    assert {"actorbench_send", "ACTORBENCH_ACTOR_TYPE"} <= added
    assert [name for name in added if not name.lower().startswith("actorbench_")] == []


def declared(prefix: Path, language: str) -> set[str]:
    """The names that the headers declare outside of all structs, as clang reads them."""
    tree = json.loads(read(prefix, language, OURS, "-fsyntax-only", "-Xclang", "-ast-dump=json"))
    names: set[str] = set()
    file = ""

    def visit(node: dict[str, object], is_outside: bool) -> None:
        """Each node says its file only where it is another than the last one's."""
        nonlocal file
        location = node.get("loc")
        if isinstance(location, dict):
            file = str(location.get("file", file))
        if is_outside and "actorbench/" in file and "name" in node:
            names.add(str(node["name"]))
        children = node.get("inner", [])
        assert isinstance(children, list)
        for child in children:
            visit(
                child, is_outside and node["kind"] in ("LinkageSpecDecl", "EnumDecl", "TranslationUnitDecl")
            )

    visit(tree, True)
    return names


@pytest.mark.parametrize("language", COMPILERS)
def test_no_declaration_lacks_the_prefix(prefix: Path, language: str) -> None:
    names = declared(prefix, language)
    assert {"actorbench_message", "ACTORBENCH_DELETE", "actorbench_finished_pill", "actorbench_stop"} <= names
    assert [name for name in names if not re.match("actorbench(_|$)", name, re.IGNORECASE)] == []


@pytest.mark.parametrize("compiler", ["gcc -xc -std=c11", "clang -xc -std=c11", *CPP])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_on_a_layer_compiles(prefix: Path, tmp_path: Path, name: str, compiler: str) -> None:
    page = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    source = "".join(f"#include <actorbench/{header}>\n" for header in PAGES[name])
    parts = re.findall(r"```c\n(.*?)```", page, re.DOTALL)
    assert len(parts) >= len(PAGES[name])
    (tmp_path / "page.c").write_text(source + "".join(parts), encoding="utf-8")
    flags = ("-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused", "-Wno-unused-parameter")
    call(*compiler.split(), *flags, f"-I{prefix / 'include'}", "-fsyntax-only", tmp_path / "page.c")


@pytest.mark.parametrize("design", DESIGNS)
def test_the_examples_are_built_with_pkg_config_and_run(prefix: Path, example: Path, design: str) -> None:
    call(
        "make",
        f"DESIGN={design}",
        "CFLAGS=-O2 -Wall -Wextra -Wpedantic -Werror",
        cwd=example,
        **paths(prefix),
    )
    in_c = call(example / "primes-c", **paths(prefix))
    assert in_c == f"78498 primes, counted by actors of the {design} design\n"
    in_cpp = call(example / "primes-c++", **paths(prefix))
    assert in_cpp == f"78498 primes, the largest 999983, found by actors of the {design} design\n"


@pytest.mark.parametrize(("compiler", "source"), [("clang", "primes.c"), ("clang++", "primes.cpp")])
def test_an_archive_is_linked_by_another_compiler(
    prefix: Path, example: Path, compiler: str, source: str
) -> None:
    """What `--static` adds is what the archive needs; the archive itself is named by its file."""
    package = "actorbench-worker-centric"
    flags = call("pkg-config", "--cflags", package, **paths(prefix)).split()
    needed = call("pkg-config", "--static", "--libs-only-l", package, **paths(prefix)).split()
    others = [word for word in needed if word != f"-l{package}"]
    assert len(others) == len(needed) - 1
    call(compiler, *flags, source, prefix / f"lib/lib{package}.a", *others, "-o", "program", cwd=example)
    assert call(example / "program").startswith("78498 primes, ")


def test_clang_makes_a_library_that_gcc_links(prefix: Path, example: Path) -> None:
    built = example / "built"
    archive = built / "libactorbench-worker-centric.a"
    call("make", "-s", "-j2", "CONFIG=installed", "CC=clang", f"BUILD={built}", archive)
    assert [name for name in symbols("-g", archive) if not name.startswith("actorbench_")] == []
    needed = ("-pthread", "-lhwloc", "-lnuma", "-luring", "-lm")
    call("gcc", f"-I{prefix / 'include'}", "primes.c", archive, *needed, "-o", "program", cwd=example)
    assert call(example / "program").startswith("78498 primes, ")


def test_a_package_is_made_below_another_root(tmp_path: Path) -> None:
    root = tmp_path / "a root"
    call("make", "-s", "install", "PREFIX=/opt/actors", f"DESTDIR={root}")
    headers = root / "opt/actors/include/actorbench"
    assert {str(path.relative_to(headers)) for path in headers.rglob("*.h")} == set(HEADERS)
    for design in DESIGNS:
        text = (root / f"opt/actors/lib/pkgconfig/actorbench-{design}.pc").read_text()
        assert "prefix=/opt/actors\n" in text
        assert "@" not in text
        assert (root / f"opt/actors/lib/libactorbench-{design}.so").resolve(strict=True)


def test_a_prefix_that_is_no_whole_path_is_refused() -> None:
    done = subprocess.run(
        ["make", "-s", "install", "PREFIX=here"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert 'PREFIX cannot be "here"' in done.stderr

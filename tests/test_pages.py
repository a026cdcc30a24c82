"""The pages that say how to add a workload and a mechanism, followed to the letter in a copy of the tree.

A page has files (a line with nothing but the name, and a block), patches (blocks of `diff`) and commands
(indented lines). What was built is copied, too: only what a page changes is built again.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BUILT = ("release", "asan", "clang-tsan", "debug")
STEP = re.compile(
    r"^(?:(?P<where>Append to )?`(?P<file>[\w./-]+)`:\n\n```\w+\n(?P<text>.*?)^```$"
    r"|```diff\n(?P<patch>.*?)^```$"
    r"|    (?P<command>\S[^\n]*)$)",
    re.MULTILINE | re.DOTALL,
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The tree's files, with what was built of them, older than whatever a page writes."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    objects = [
        *(path for config in BUILT for path in (ROOT / "build" / config).glob("obj/**/*.[od]")),
        *(path for config in BUILT for path in (ROOT / "build" / config).glob("libactor-*.a")),
        *(path for config in BUILT for path in (ROOT / "build" / config).glob("built-with")),
    ]
    for path in [*(ROOT / name for name in names), *objects]:
        if path.is_file():
            target = tmp_path / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    return tmp_path


def run(root: Path, *command: str, text: str | None = None) -> str:
    """Run a command in the copy; it must end well."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "PYTEST"))}
    outside["ACTORBENCH_LOCKS"] = str(root)  # whoever measures on this machine is not disturbed for long
    done = subprocess.run(
        command, cwd=root, env=outside, input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def follow(root: Path, page: str) -> dict[str, str]:
    """Do what a page of the copy says; what each command printed."""
    printed = {}
    steps = list(STEP.finditer((root / page).read_text(encoding="utf-8")))
    assert any(step["patch"] for step in steps)
    for step in steps:
        if step["file"]:
            with (root / step["file"]).open("a" if step["where"] else "x", encoding="utf-8") as file:
                file.write(step["text"])
        elif step["patch"]:
            run(root, "git", "apply", "-", text=step["patch"])
        else:
            printed[step["command"]] = run(root, "bash", "-ec", step["command"])
    return printed


def test_a_workload_is_added_as_the_page_says(copy: Path) -> None:
    printed = follow(copy, "docs/add-a-workload.md")
    (record,) = (text for command, text in printed.items() if command.endswith("--items 100 --json"))
    assert '"operations":300' in record
    assert '"verified":true' in record
    (tests,) = (text for command, text in printed.items() if "pytest" in command)
    assert re.search(r"^\.{30,}", tests, re.MULTILINE), "some tests of the workload ran, and none was skipped"
    run(copy, "clang-format", "--dry-run", "-Werror", "workloads/pipeline.c")


def test_a_mechanism_is_added_as_the_page_says(copy: Path) -> None:
    printed = follow(copy, "docs/add-a-mechanism.md")
    assert "none|random|nearest|longest|next" in printed["build/release/message-centric/balance-one --help"]
    (tests,) = (text for command, text in printed.items() if "pytest" in command)
    assert re.match(r"\.+ ", tests), "the guide's tables were read"
    changed = ("core/option.h", "core/sharded/victim.h", "tests/core/sharded/test_victims.c")
    run(copy, "clang-format", "--dry-run", "-Werror", *changed, "core/message_centric/options.h")

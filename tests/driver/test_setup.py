"""scripts/setup: what it says where it can't install, and that what is half made is made anew."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import SOURCE

WARNING = "WARNING: Retrying (Retry(total=0)) after connection broken"
PIP = f"""#!/bin/sh
[ -e "$(dirname "$0")/../../network" ] && exit
echo "{WARNING}" >&2
echo "ERROR: No matching distribution found for click" >&2
exit 1
"""
# In python3's place, as in `python3 -m venv --clear .venv`.
PYTHON = f"""#!/bin/sh
[ "$3" = --clear ] && rm -rf .venv
mkdir -p .venv/bin && cat >.venv/bin/pip <<'end'
{PIP}
end
chmod +x .venv/bin/pip
echo made >>made
"""
FAKES = {"dpkg-query": "#!/bin/sh\necho installed\n", "python3": PYTHON, "apt-get": "#!/bin/sh\nexit 1\n"}


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A checkout in which nothing is set up, with commands of its own in bin/."""
    (tmp_path / "scripts").mkdir()
    for name in ("setup", "requirements.txt"):
        shutil.copy(SOURCE / "scripts" / name, tmp_path / "scripts")
    shutil.copy(SOURCE / "actorbench", tmp_path)
    (tmp_path / "bin").mkdir()
    for name, text in FAKES.items():
        fake(tmp_path, name, text)
    return tmp_path


def fake(root: Path, name: str, text: str) -> None:
    (root / "bin" / name).write_text(text)
    (root / "bin" / name).chmod(0o755)


def call(root: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": f"{root / 'bin'}:{os.environ['PATH']}"}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


def test_python_packages_without_a_network_are_one_line(fresh: Path) -> None:
    done = call(fresh, "scripts/setup", "figures")
    assert done.returncode == 1
    assert done.stderr == ""
    (_, line) = done.stdout.splitlines()
    assert "is there a network?" in line
    assert "No matching distribution found for click" in line


def test_what_is_half_made_is_said_and_made_anew(fresh: Path) -> None:
    assert call(fresh, "scripts/setup", "figures").returncode == 1
    told = call(fresh, "./actorbench", "list")
    assert told.returncode == 2
    assert told.stderr.count("\n") == 1
    assert "make figures" in told.stderr
    (fresh / "network").touch()
    (fresh / ".venv" / "half").touch()
    assert call(fresh, "scripts/setup", "figures").returncode == 0
    assert not (fresh / ".venv" / "half").exists()
    assert call(fresh, "scripts/setup", "figures").returncode == 0
    assert (fresh / "made").read_text() == "made\nmade\n", "and what is whole is left alone"


def test_debian_packages_without_a_network_are_one_line(fresh: Path) -> None:
    fake(fresh, "dpkg-query", "#!/bin/sh\n")
    fake(fresh, "sudo", '#!/bin/sh\nshift\nexec "$@"\n')
    fake(
        fresh,
        "apt-get",
        '#!/bin/sh\n[ "$1" = update ] && echo "W: Failed to fetch" >&2 && exit\n'
        'echo "E: Unable to locate package libnuma-dev" >&2\nexit 100\n',
    )
    done = call(fresh, "scripts/setup", "figures")
    assert done.returncode == 1
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1].endswith("E: Unable to locate package libnuma-dev")

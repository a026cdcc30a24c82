"""doctor --fix and --restore, against a machine made of files."""

import errno
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from actorbench.machine import tuning
from actorbench.machine.sources import Sources
from conftest import Checkout

CPU = "sys/devices/system/cpu"
A_USER, ROOT = 1000, 0
FILES = {
    "proc/sys/kernel/random/boot_id": "first-boot\n",
    f"{CPU}/online": "0-2\n",
    f"{CPU}/cpu0/cpufreq/scaling_governor": "powersave\n",
    f"{CPU}/cpu1/cpufreq/scaling_governor": "schedutil\n",
    f"{CPU}/cpu2/cpufreq/scaling_governor": "performance\n",
    f"{CPU}/cpu0/cpufreq/scaling_available_governors": "performance powersave\n",
    f"{CPU}/intel_pstate/no_turbo": "0\n",
    "sys/kernel/mm/transparent_hugepage/enabled": "always\n",
}
AFTER = {
    f"{CPU}/cpu0/cpufreq/scaling_governor": "performance",
    f"{CPU}/cpu1/cpufreq/scaling_governor": "performance",
    f"{CPU}/intel_pstate/no_turbo": "1",
    "sys/kernel/mm/transparent_hugepage/enabled": "madvise",
}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine of files; its huge pages file holds the choice alone, since no kernel adds the brackets."""
    root = tmp_path / "machine"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    monkeypatch.setenv("ACTORBENCH_SYSTEM_ROOT", str(root))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(os, "geteuid", lambda: A_USER)
    return root


def own_state() -> Path:
    """Where a user's settings are kept."""
    return Path(os.environ["XDG_STATE_HOME"]) / "actorbench" / "settings.json"


def content(root: Path) -> dict[str, str]:
    """What all files hold."""
    return {path: (root / path).read_text().strip() for path in FILES}


ORIGINAL = {path: text.strip() for path, text in FILES.items()}


def test_fix_changes_what_hinders_and_restore_puts_back_what_was_found(
    checkout: Checkout, machine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checkout.call("doctor", "--fix") == 0
    out = capsys.readouterr().out
    assert content(machine) == ORIGINAL | AFTER
    assert "cpu1/cpufreq/scaling_governor: schedutil -> performance" in out
    assert "cpu2" not in out, "what is right already is left alone"
    assert "doctor --restore" in out
    assert checkout.call("doctor", "--fix") == 0
    assert "nothing that --fix can change" in capsys.readouterr().out
    assert checkout.call("doctor", "--restore") == 0
    assert "performance -> schedutil" in capsys.readouterr().out
    assert content(machine) == ORIGINAL
    assert not own_state().exists()
    assert checkout.call("doctor", "--restore") == 0
    assert "nothing to put back" in capsys.readouterr().out
    assert content(machine) == ORIGINAL


def test_what_root_has_fixed_a_user_finds(
    checkout: Checkout, machine: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`sudo ./actorbench doctor --fix`, then `--restore` with and without sudo."""
    monkeypatch.setattr(os, "geteuid", lambda: ROOT)
    assert checkout.call("doctor", "--fix") == 0
    assert f"kept in {machine}/run/actorbench/settings.json" in capsys.readouterr().out
    monkeypatch.setattr(os, "geteuid", lambda: A_USER)
    with monkeypatch.context() as refusing:
        refusing.setattr(tuning, "_set", lambda *_: "Permission denied")
        assert checkout.call("doctor", "--restore") == 2
    told = capsys.readouterr().out
    assert "no_turbo: is 1, and may not be set back to 0: Permission denied" in told
    assert "run it as root (sudo)" in told
    assert content(machine) == ORIGINAL | AFTER
    monkeypatch.setattr(os, "geteuid", lambda: ROOT)
    assert checkout.call("doctor", "--restore") == 0
    assert content(machine) == ORIGINAL


def test_a_second_fix_keeps_what_was_found_first(checkout: Checkout, machine: Path) -> None:
    governor = machine / CPU / "cpu0/cpufreq/scaling_governor"
    checkout.call("doctor", "--fix")
    governor.write_text("powersave\n")
    (machine / CPU / "cpu2/cpufreq/scaling_governor").write_text("schedutil\n")
    checkout.call("doctor", "--fix")
    checkout.call("doctor", "--restore")
    expected = ORIGINAL | {f"{CPU}/cpu2/cpufreq/scaling_governor": "schedutil"}
    assert content(machine) == expected


def test_a_setting_that_someone_else_changed_is_left_alone(
    checkout: Checkout, machine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.call("doctor", "--fix")
    (machine / CPU / "cpu0/cpufreq/scaling_governor").write_text("ondemand\n")
    capsys.readouterr()
    assert checkout.call("doctor", "--restore") == 0
    assert "is ondemand by now, not performance as --fix left it: left alone" in capsys.readouterr().out
    assert content(machine) == ORIGINAL | {f"{CPU}/cpu0/cpufreq/scaling_governor": "ondemand"}


def test_what_is_not_permitted_is_said_and_not_saved(
    checkout: Checkout, machine: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    really_open = Path.open

    def refuse_turbo(path: Path, mode: str = "r", *more: Any, **named: Any) -> Any:  # noqa: ANN401
        if path.name == "no_turbo" and mode == "w":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return really_open(path, mode, *more, **named)

    monkeypatch.setattr(Path, "open", refuse_turbo)
    assert checkout.call("doctor", "--fix") == 2
    out = capsys.readouterr().out
    assert "no_turbo: is 0, and may not be set to 1: Permission denied" in out
    assert "not all was permitted" in out
    saved = json.loads(own_state().read_text())["settings"]
    assert f"/{CPU}/intel_pstate/no_turbo" not in saved
    assert len(saved) == 3
    assert content(machine) == ORIGINAL | AFTER | {f"{CPU}/intel_pstate/no_turbo": "0"}


def test_nothing_is_changed_that_could_not_be_saved(
    checkout: Checkout, machine: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "state").write_text("a file in the way")
    assert checkout.call("doctor", "--fix") == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert content(machine) == ORIGINAL


def test_after_a_restart_nothing_is_put_back(
    checkout: Checkout, machine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.call("doctor", "--fix")
    (machine / "proc/sys/kernel/random/boot_id").write_text("second-boot\n")
    before = content(machine)
    assert checkout.call("doctor", "--restore") == 0
    assert "was restarted since --fix" in capsys.readouterr().out
    assert content(machine) == before
    assert not own_state().exists()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("{", "cannot be read"),
        ('{"schema": 9, "boot": "first-boot", "settings": {}}', "of version 9"),
        ('{"schema": 1, "boot": "first-boot", "settings": {"/x": 1}}', "is incomplete"),
        (
            '{"schema": 1, "boot": "first-boot", "settings": {"/etc/passwd": {"before": "", "after": "x"}}}',
            "names /etc/passwd, which is no setting",
        ),
    ],
)
def test_a_damaged_state_changes_nothing(
    checkout: Checkout, machine: Path, capsys: pytest.CaptureFixture[str], damage: str, message: str
) -> None:
    own_state().parent.mkdir(parents=True)
    own_state().write_text(damage)
    for option in ("--restore", "--fix"):
        assert checkout.call("doctor", option) == 2
        assert message in capsys.readouterr().err
    assert content(machine) == ORIGINAL


def test_a_machine_without_such_settings(
    checkout: Checkout, machine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(machine / "sys")
    assert checkout.call("doctor", "--fix") == 0
    assert "nothing that --fix can change" in capsys.readouterr().out
    assert checkout.call("doctor", "--fix", "--restore") == 2


def test_boost_is_turbo_where_pstate_is_not(machine: Path) -> None:
    shutil.rmtree(machine / CPU / "intel_pstate")
    (machine / CPU / "cpufreq").mkdir()
    (machine / CPU / "cpufreq" / "boost").write_text("1\n")
    wanted = {s.path: s.wanted for s in tuning.unwanted_settings(Sources(machine, machine))}
    assert wanted[f"/{CPU}/cpufreq/boost"] == "0"

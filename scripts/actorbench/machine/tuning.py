"""`doctor --fix` and `--restore`: the settings of a machine that measuring wants, and back to those found.

What was found is saved before anything is changed, and only a setting whose saved value is known is put back.
A setting is changed only if it hinders measuring: the governor, turbo, and huge pages that are always on.
ASLR, SMT and CPUs are left alone: they concern the machine's safety, or other people's work.
"""

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from actorbench.errors import UserError
from actorbench.machine.sources import Sources
from actorbench.store import write_whole

STATE_SCHEMA = 1
BOOT_ID = "/proc/sys/kernel/random/boot_id"
_HUGE_PAGES = "/sys/kernel/mm/transparent_hugepage/enabled"
_CPU = "/sys/devices/system/cpu"


@dataclass(frozen=True)
class Knob:
    """A file of the kernel's, what it holds and what measuring wants it to hold."""

    path: str
    found: str
    wanted: str


@dataclass(frozen=True)
class Tuned:
    """What became of the settings: a line each, and whether all was permitted."""

    lines: tuple[str, ...]
    permitted: bool


@dataclass(frozen=True)
class Saved:
    """A setting that --fix changed: what it was before, and what it was set to."""

    before: str
    after: str


def state_file(sources: Sources) -> Path:
    """Where `fix` keeps the settings found: root's are in /run, where every user's `restore` finds them.

    Another user's are in $XDG_STATE_HOME, or ~/.local/state.
    """
    if os.geteuid() == 0:
        return _roots_state(sources)
    home = os.environ.get("XDG_STATE_HOME")
    folder = Path(home) if home else Path.home() / ".local" / "state"
    return folder / "actorbench" / "settings.json"


def saved_state(sources: Sources) -> Path:
    """The file that `restore` is to read: the user's own, or root's if there is none of his own."""
    own = state_file(sources)
    return own if own.exists() else _roots_state(sources)


def unwanted_settings(sources: Sources) -> Iterator[Knob]:
    """The settings that hinder measuring and may be changed; one that can't be read is left alone."""
    for path in _governors(sources):
        governor = sources.text(path)
        choices = (sources.text(path.replace("_governor", "_available_governors")) or "performance").split()
        if governor and governor != "performance" and "performance" in choices:
            yield Knob(path, governor, "performance")
    for path, wanted in ((f"{_CPU}/intel_pstate/no_turbo", "1"), (f"{_CPU}/cpufreq/boost", "0")):
        found = sources.text(path)
        if found in ("0", "1") and found != wanted:
            yield Knob(path, found, wanted)
    if _value(sources, _HUGE_PAGES) == "always":
        yield Knob(_HUGE_PAGES, "always", "madvise")


def fix(sources: Sources, state: Path) -> Tuned:
    """Change the settings that hinder measuring, after saving them; raises UserError if it can't save.

    Run twice it changes nothing more, and what was saved first stays saved.
    """
    saved = _read_state(sources, state)
    lines, permitted = [], True
    for setting in unwanted_settings(sources):
        before = saved.get(setting.path)
        saved[setting.path] = Saved(before.before if before else setting.found, setting.wanted)
        _write_state(sources, state, saved)
        error = _set(sources, setting.path, setting.wanted)
        if error is None:
            lines.append(f"{setting.path}: {setting.found} -> {setting.wanted}")
            continue
        permitted = False
        lines.append(f"{setting.path}: is {setting.found}, and may not be set to {setting.wanted}: {error}")
        if before is None:
            del saved[setting.path]
        else:
            saved[setting.path] = before
        _write_state(sources, state, saved)
    return Tuned(tuple(lines), permitted)


def restore(sources: Sources, state: Path) -> Tuned:
    """Put back the settings that `fix` changed; raises UserError if the saved ones can't be read.

    A setting that someone else has changed since is left as it is. What could not be put back stays saved.
    """
    document = _load(state)
    if document is None:
        return Tuned((), permitted=True)
    if document["boot"] != sources.text(BOOT_ID):
        _write_state(sources, state, {})
        return Tuned(("the machine was restarted since --fix, which undid it: nothing is changed",), True)
    saved = _read_state(sources, state)
    lines, left = [], dict(saved)
    for path, setting in saved.items():
        now = _value(sources, path)
        if now not in (setting.before, setting.after):
            shown = "not readable" if now is None else now
            lines.append(f"{path}: is {shown} by now, not {setting.after} as --fix left it: left alone")
        elif now != setting.before:
            error = _set(sources, path, setting.before)
            if error is not None:
                lines.append(f"{path}: is {now}, and may not be set back to {setting.before}: {error}")
                continue
            lines.append(f"{path}: {now} -> {setting.before}")
        del left[path]
        _write_state(sources, state, left)
    return Tuned(tuple(lines), permitted=not left)


def _roots_state(sources: Sources) -> Path:
    """A folder that only root may write to, and that is empty after a restart, as the settings are undone."""
    return sources.root / "run" / "actorbench" / "settings.json"


def _governors(sources: Sources) -> Sequence[str]:
    found = (sources.root / _CPU.lstrip("/")).glob("cpu[0-9]*/cpufreq/scaling_governor")
    numbers = sorted(int(path.parts[-3].removeprefix("cpu")) for path in found)
    return [f"{_CPU}/cpu{number}/cpufreq/scaling_governor" for number in numbers]


def _value(sources: Sources, path: str) -> str | None:
    """What a setting is: of a file that lists its choices, the one in brackets."""
    text = sources.text(path)
    chosen = re.search(r"\[(\w+)\]", text or "")
    return chosen[1] if chosen else text


def _set(sources: Sources, path: str, value: str) -> str | None:
    """Write a setting; returns why not, None if it took."""
    try:
        with (sources.root / path.lstrip("/")).open("w", encoding="ascii") as file:
            file.write(value)
    except OSError as error:
        return error.strerror or str(error)
    return None if _value(sources, path) == value else "the kernel did not take it"


def _known(sources: Sources, path: str) -> bool:
    """Whether `fix` could have written this file: nothing else in a state file is ever written to."""
    fixed = (f"{_CPU}/intel_pstate/no_turbo", f"{_CPU}/cpufreq/boost", _HUGE_PAGES)
    return path in fixed or path in _governors(sources)


def _load(state: Path) -> dict[str, Any] | None:
    try:
        document = json.loads(state.read_text(encoding="utf-8"))
        if document["schema"] != STATE_SCHEMA or not isinstance(document["settings"], dict):
            raise ValueError(f"it is of version {document['schema']}")
        document["boot"]
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{state}: cannot be read, so nothing is changed: {error}") from error
    return dict(document)


def _read_state(sources: Sources, state: Path) -> dict[str, Saved]:
    """The settings saved since the machine started."""
    document = _load(state)
    if document is None or document["boot"] != sources.text(BOOT_ID):
        return {}
    try:
        saved = {
            str(path): Saved(str(s["before"]), str(s["after"])) for path, s in document["settings"].items()
        }
    except (KeyError, TypeError) as error:
        raise UserError(f"{state}: is incomplete, so nothing is changed: {error}") from error
    strange = [path for path in saved if not _known(sources, path)]
    if strange:
        raise UserError(f"{state}: names {strange[0]}, which is no setting of doctor's: nothing is changed")
    return saved


def _write_state(sources: Sources, state: Path, saved: dict[str, Saved]) -> None:
    document = {
        "schema": STATE_SCHEMA,
        "boot": sources.text(BOOT_ID),
        "settings": {path: {"before": one.before, "after": one.after} for path, one in saved.items()},
    }
    try:
        if not saved:
            state.unlink(missing_ok=True)
            return
        state.parent.mkdir(parents=True, exist_ok=True)
        write_whole(state, json.dumps(document, indent=1) + "\n")
    except OSError as error:
        raise UserError(
            f"{state}: cannot be written, so nothing more is changed: {error.strerror}"
        ) from error

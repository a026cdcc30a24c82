"""Facts about the machine, as every run keeps them and `doctor` prints them.

The list is that of the statistics rules, "The machine". A value of None was not readable.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from actorbench.machine.sources import Sources, cpu_list
from actorbench.project import Project
from actorbench.text import counted

NOT_READABLE = "not readable"
Value = str | int | float | list[int] | None
_CPU = "/sys/devices/system/cpu"


@dataclass(frozen=True)
class Facts:
    """What was read, by name, in the order of LABELS."""

    values: dict[str, Value]

    @property
    def usable_cpus(self) -> int:
        """How many CPUs a run can use: the affinity mask, and the quota rounded up."""
        allowed = self.values["cpus_allowed"]
        count = len(allowed) if isinstance(allowed, list) else 1
        quota = self.values["cpu_quota"]
        return min(count, max(1, round(quota + 0.49))) if isinstance(quota, float) else count

    @property
    def machine(self) -> str:
        """The machine's name in files: it is known by its CPU model and how many CPUs it lends us."""
        architecture = str(self.values.get("kernel")).split()[-1]
        model = str(self.values.get("cpu_model") or f"unknown {architecture}")
        words = re.sub(r"\([^)]*\)|@.*", " ", model.lower())
        slug = "-".join(re.findall(r"[a-z0-9]+", words)) or "unknown"
        return f"{slug}-{self.usable_cpus}-cpus"

    def shown(self) -> list[tuple[str, str]]:
        """The facts as (label, text)."""
        return [(LABELS[name], _shown(name, value)) for name, value in self.values.items()]


def read_facts(sources: Sources) -> Facts:
    """Read all facts; those that can't be read are None."""
    return Facts({name: reader(sources) for name, (_, reader) in _READERS.items()})


def facts_from_json(document: dict[str, Any]) -> Facts:
    """Take the facts that a run kept; names that this version does not know are left out."""
    return Facts({name: document.get(name) for name in LABELS})


def _shown(name: str, value: Value) -> str:
    if value is None:
        return NOT_READABLE
    if isinstance(value, list):
        return f"{len(value)} ({', '.join(map(str, value[:16]))}{', ...' if len(value) > 16 else ''})"
    if name == "cpu_pressure":
        return f"{float(value):.2%} of the last 10 s"
    if name == "steal_share":
        return f"{float(value):.2%} of the time since boot"
    if name == "cpu_quota" and isinstance(value, float):
        return counted(value, "CPU")
    return str(value)


def _cpu_model(sources: Sources) -> Value:
    """The model by its name; on ARM, which has no names there, by the numbers of its maker and its parts."""
    info = sources.text("/proc/cpuinfo") or ""
    match = re.search(r"^(?:model name|cpu|uarch)[ \t]*:[ \t]*(.+)$", info, re.MULTILINE)
    if match:
        return match[1]
    makers, parts = (
        sorted(set(re.findall(rf"^CPU {what}[ \t]*:[ \t]*(\w+)$", info, re.MULTILINE)))
        for what in ("implementer", "part")
    )
    return f"ARM {', '.join(makers)}, part {', '.join(parts)}" if makers and parts else None


def _online(sources: Sources) -> Value:
    return cpu_list(sources.text(f"{_CPU}/online"))


def _quota(sources: Sources) -> Value:
    """CPUs that the cgroup may use, of version 2 (cpu.max) or 1 (cpu.cfs_*); "none" if not limited."""
    version_2 = sources.text("/sys/fs/cgroup/cpu.max")
    if version_2:
        quota, _, period = version_2.partition(" ")
        return "none" if quota == "max" else int(quota) / int(period or 100000)
    for folder in ("/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"):
        limit = sources.number(f"{folder}/cpu.cfs_quota_us")
        period_us = sources.number(f"{folder}/cpu.cfs_period_us")
        if limit is not None and period_us:
            return "none" if limit < 0 else limit / period_us
    return None


def _smt(sources: Sources) -> Value:
    state = sources.text(f"{_CPU}/smt/control")
    return {"on": "on", "off": "off", "forceoff": "off", "notsupported": "not supported"}.get(
        state or "", state
    )


def _topology(sources: Sources) -> Value:
    """Packages, cores and hardware threads of the CPUs online, by hwloc if it is at hand, else by /sys."""
    described = sources.command("lstopo-no-graphics", "--of", "synthetic")
    cpus = _online(sources)
    if not isinstance(cpus, list):
        return described
    ids = [(sources.number(f"{_CPU}/cpu{cpu}/topology/physical_package_id"), cpu) for cpu in cpus]
    cores = {(package, sources.number(f"{_CPU}/cpu{cpu}/topology/core_id")) for package, cpu in ids}
    if any(package is None or core is None for package, core in cores):
        return described
    packages = len({package for package, _ in cores})
    text = f"packages {packages}, cores {len(cores)}, hardware threads {len(cpus)}"
    return f"{text} (hwloc: {described})" if described else text


def _governor(sources: Sources) -> Value:
    """The governor; all of them if the CPUs differ."""
    cpus = _online(sources)
    paths = [f"{_CPU}/cpu{cpu}/cpufreq/scaling_governor" for cpu in cpus] if isinstance(cpus, list) else []
    found = {text for text in map(sources.text, paths) if text}
    return ", ".join(sorted(found)) or None


def _frequency(sources: Sources) -> Value:
    """The limits of CPU 0, in MHz: what may be used of what there is."""
    folder = f"{_CPU}/cpu0/cpufreq"
    names = ("scaling_min_freq", "scaling_max_freq", "cpuinfo_min_freq", "cpuinfo_max_freq")
    numbers = [sources.number(f"{folder}/{name}") for name in names]
    low, high, least, most = [None if number is None else number // 1000 for number in numbers]
    if low is None or high is None:
        return None
    return f"{low} to {high} MHz" + ("" if least is None or most is None else f", of {least} to {most} MHz")


def _pressure(sources: Sources) -> Value:
    """The share of the last 10 s in which some task waited for a CPU (/proc/pressure/cpu)."""
    match = re.search(r"^some avg10=([\d.]+)", sources.text("/proc/pressure/cpu") or "", re.MULTILINE)
    return float(match[1]) / 100 if match else None


def _flags(sources: Sources) -> Value:
    """How the compiler was called for the release build, without its name."""
    return _built_with(sources, 1).partition(" ")[2] or None


def _built_with(sources: Sources, line: int) -> str:
    """Give a line of what the release build was built with: the compiler, how it was called; "" if none."""
    try:
        built_with = Project(sources.checkout).build / "release" / "built-with"
        lines = built_with.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return " ".join(lines[line].split()) if line < len(lines) else ""


def _nodes(sources: Sources) -> Value:
    nodes = cpu_list(sources.text("/sys/devices/system/node/online"))
    return None if nodes is None else len(nodes)


def _turbo(sources: Sources) -> Value:
    no_turbo = sources.number(f"{_CPU}/intel_pstate/no_turbo")
    if no_turbo is not None:
        return "off" if no_turbo else "on"
    boost = sources.number(f"{_CPU}/cpufreq/boost")
    return None if boost is None else ("on" if boost else "off")


def _load(sources: Sources) -> Value:
    text = sources.text("/proc/loadavg")
    return None if text is None else float(text.split()[0])


def _steal(sources: Sources) -> Value:
    """The share of all CPU time that the hypervisor gave to others (the eighth column of /proc/stat)."""
    match = re.match(r"cpu\s+([\d ]+)", sources.text("/proc/stat") or "")
    ticks = [int(tick) for tick in match[1].split()] if match else []
    return ticks[7] / sum(ticks[:8]) if len(ticks) > 7 and sum(ticks[:8]) > 0 else None


def _huge_pages(sources: Sources) -> Value:
    match = re.search(r"\[(\w+)\]", sources.text("/sys/kernel/mm/transparent_hugepage/enabled") or "")
    return match[1] if match else None


def _aslr(sources: Sources) -> Value:
    level = sources.number("/proc/sys/kernel/randomize_va_space")
    return None if level is None else {0: "off", 1: "partly on", 2: "on"}.get(level, str(level))


def _hypervisor(sources: Sources) -> Value:
    info = sources.text("/proc/cpuinfo")
    if info is None:
        return None
    flags = re.search(r"^flags\s*:(.*)$", info, re.MULTILINE)
    if flags is None:  # no x86: whether there is one can't be told from the CPU, but it may say itself
        known = ("/sys/hypervisor/type", "/proc/device-tree/hypervisor/compatible")
        told = (text.rstrip("\0") for path in known if (text := sources.text(path)))
        return next(told, None) or sources.command("systemd-detect-virt", "--vm")
    if "hypervisor" not in flags[1].split():
        return "none seen"
    return sources.text("/sys/class/dmi/id/sys_vendor") or "make unknown"


def _compiler(sources: Sources) -> Value:
    """What the release build was compiled by, or would be, where there is none yet."""
    version = _built_with(sources, 0) or sources.command("gcc", "--version")
    return version.splitlines()[0] if version else None


def _tree(sources: Sources) -> Value:
    # What is measured is no change of what measures.
    status = sources.command("git", "status", "--porcelain", "--", ":/", ":(exclude,top)results")
    return None if status is None else ("changed" if status else "clean")


_READERS: dict[str, tuple[str, Callable[[Sources], Value]]] = {
    "cpu_model": ("CPU", _cpu_model),
    "topology": ("topology", _topology),
    "cpus_online": ("CPUs online", _online),
    "cpus_allowed": ("CPUs allowed (affinity)", lambda sources: list(sources.allowed_cpus())),
    "cpu_quota": ("CPU quota (cgroup)", _quota),
    "smt": ("SMT", _smt),
    "numa_nodes": ("NUMA nodes", _nodes),
    "governor": ("governor", _governor),
    "frequency": ("frequency limits (CPU 0)", _frequency),
    "turbo": ("turbo", _turbo),
    "kernel": ("kernel", lambda sources: sources.kernel()),
    "load": ("load average (1 minute)", _load),
    "cpu_pressure": ("tasks waiting for a CPU (PSI)", _pressure),
    "steal_share": ("CPU time stolen", _steal),
    "huge_pages": ("transparent huge pages", _huge_pages),
    "aslr": ("ASLR", _aslr),
    "hypervisor": ("hypervisor", _hypervisor),
    "compiler": ("compiler", _compiler),
    "flags": ("compiler flags (release)", _flags),
    "commit": ("commit", lambda sources: sources.command("git", "rev-parse", "HEAD")),
    "tree": ("working tree", _tree),
}
LABELS = {name: label for name, (label, _) in _READERS.items()}

"""The machine: facts read from made-up files, and the doubts that follow from them."""

from pathlib import Path

import pytest

from actorbench.gate.history import history_file
from actorbench.machine.doubts import find_doubts
from actorbench.machine.facts import NOT_READABLE, Facts, read_facts
from actorbench.machine.sources import Sources, cpu_list
from actorbench.progress import Pace, left_text
from actorbench.project import Project
from conftest import Checkout

QUIET = {
    "proc/cpuinfo": "processor : 0\nmodel name\t: Great CPU 9000\nflags\t\t: fpu sse2\n",
    "sys/devices/system/cpu/online": "0-3\n",
    "sys/fs/cgroup/cpu.max": "max 100000\n",
    "sys/devices/system/cpu/smt/control": "off\n",
    "sys/devices/system/node/online": "0\n",
    "proc/pressure/cpu": "some avg10=1.00 avg60=0.00 avg300=0.00 total=1\n",
    **{f"sys/devices/system/cpu/cpu{n}/topology/physical_package_id": f"{n // 2}\n" for n in range(4)},
    **{f"sys/devices/system/cpu/cpu{n}/topology/core_id": f"{n % 2}\n" for n in range(4)},
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_min_freq": "800000\n",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq": "3000000\n",
    "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_min_freq": "800000\n",
    "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq": "3000000\n",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance\n",
    "sys/devices/system/cpu/intel_pstate/no_turbo": "1\n",
    "proc/loadavg": "0.01 0.02 0.03 1/100 1234\n",
    "proc/stat": "cpu  100 0 100 800 0 0 0 0 0 0\n",
    "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
    "proc/sys/kernel/randomize_va_space": "2\n",
    "build/release/built-with": "gcc (GCC) 14.2\ngcc -std=c11  -O2 -DX='\"y\"'\n",
}


class FakeSources(Sources):
    """A machine of files, with 4 CPUs and a clean tree."""

    def allowed_cpus(self) -> list[int]:
        """All four."""
        return [0, 1, 2, 3]

    def command(self, *arguments: str) -> str | None:
        """A clean tree; no other command is there."""
        return "" if arguments[:2] == ("git", "status") else None


def facts_of(folder: Path, **changed: str) -> Facts:
    """Read a quiet machine of which some files are changed, named by the end of their path."""
    for path, content in QUIET.items():
        new = next(
            (text for name, text in changed.items() if path.endswith(name.replace("__", "."))), content
        )
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(new)
    return read_facts(FakeSources(folder, folder))


ARM = "".join(
    f"processor\t: {cpu}\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU part\t: {part}\n\n"
    for cpu, part in enumerate(("0xd0c", "0xd05"))
)


def test_a_processor_of_arm_is_known_by_its_parts(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, cpuinfo=ARM)
    assert facts.values["cpu_model"] == "ARM 0x41, part 0xd05, 0xd0c"
    name = history_file(Project(tmp_path), facts).name
    assert name == "arm-0x41-part-0xd05-0xd0c-4-cpus.jsonl"


def test_machines_without_a_name_share_a_history_only_with_their_kind(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, cpuinfo="processor : 0\n")
    assert facts.values["cpu_model"] is None
    kinds = [Facts({**facts.values, "kernel": f"Linux 6.1 {kind}"}) for kind in ("aarch64", "riscv64")]
    names = [history_file(Project(tmp_path), one).name for one in kinds]
    assert names == ["unknown-aarch64-4-cpus.jsonl", "unknown-riscv64-4-cpus.jsonl"]


def test_a_processor_that_tells_of_no_hypervisor_denies_none(tmp_path: Path) -> None:
    assert facts_of(tmp_path).values["hypervisor"] == "none seen"
    assert facts_of(tmp_path, cpuinfo=ARM).values["hypervisor"] is None
    told = tmp_path / "sys" / "hypervisor" / "type"
    told.parent.mkdir()
    told.write_text("xen\n")
    assert facts_of(tmp_path, cpuinfo=ARM).values["hypervisor"] == "xen"


def test_a_quiet_machine_leaves_no_doubts(tmp_path: Path) -> None:
    facts = facts_of(tmp_path)
    assert facts.values["cpu_model"] == "Great CPU 9000"
    assert facts.values["cpus_online"] == [0, 1, 2, 3]
    assert facts.values["cpu_quota"] == "none"
    assert (facts.values["numa_nodes"], facts.values["smt"], facts.values["turbo"]) == (1, "off", "off")
    assert facts.values["topology"] == "packages 2, cores 4, hardware threads 4"
    assert facts.values["frequency"] == "800 to 3000 MHz, of 800 to 3000 MHz"
    assert facts.values["flags"] == "-std=c11 -O2 -DX='\"y\"'"
    assert facts.values["compiler"] == "gcc (GCC) 14.2"
    assert facts.values["cpu_pressure"] == 0.01
    assert facts.values["steal_share"] == 0
    assert facts.usable_cpus == 4
    assert find_doubts(facts) == []


@pytest.mark.parametrize(
    ("file", "content", "doubt"),
    [
        ("online", "0-7", "only 4 of 8 CPUs are allowed"),
        ("cpu__max", "150000 100000", "a cgroup quota of 1.5 CPUs"),
        ("cpu__max", "100000 100000", "a cgroup quota of 1 CPU:"),
        ("cpu__max", "50000 100000", "1 CPU:"),
        ("control", "on", "SMT is on"),
        ("node/online", "0-1", "2 NUMA nodes"),
        ("pressure/cpu", "some avg10=55.00 avg60=0.00", "tasks waited for a CPU in 55%"),
        ("loadavg", "3.50 0 0 1/1 1", "load average 3.5"),
        ("scaling_governor", "powersave", "governor powersave"),
        ("no_turbo", "0", "turbo is on"),
        ("stat", "cpu 100 0 100 700 0 0 0 100 0 0", "the hypervisor took 10.0%"),
        ("cpuinfo", "flags : fpu hypervisor", "a virtual machine"),
        ("enabled", "[always] madvise never", "transparent huge pages"),
        ("randomize_va_space", "0", "ASLR is off"),
    ],
)
def test_each_doubt_says_what_why_and_what_to_do(tmp_path: Path, file: str, content: str, doubt: str) -> None:
    lines = [found.line for found in find_doubts(facts_of(tmp_path, **{file: content}))]
    said = next(line for line in lines if line.startswith(doubt))
    assert "\n" not in said
    assert said.count(";") >= 1


def test_a_quota_of_cgroup_version_1(tmp_path: Path) -> None:
    (tmp_path / "sys/fs/cgroup/cpu").mkdir(parents=True)
    (tmp_path / "sys/fs/cgroup/cpu/cpu.cfs_quota_us").write_text("250000\n")
    (tmp_path / "sys/fs/cgroup/cpu/cpu.cfs_period_us").write_text("100000\n")
    facts = read_facts(FakeSources(tmp_path, tmp_path))
    assert facts.values["cpu_quota"] == 2.5
    assert facts.usable_cpus == 3


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    shown = dict(read_facts(FakeSources(tmp_path, tmp_path)).shown())
    assert shown["governor"] == shown["CPU"] == shown["CPU quota (cgroup)"] == NOT_READABLE


def test_cpu_lists() -> None:
    assert cpu_list("0-2,5") == [0, 1, 2, 5]
    assert cpu_list("") is None
    assert cpu_list("x") is None


def test_doctor_prints_this_machine(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    assert checkout.call("doctor") == 0
    assert "CPUs allowed (affinity)" in capsys.readouterr().out


def test_the_time_left() -> None:
    assert left_text(None) == "time left not known yet"
    assert left_text(65.4) == "1:05 left"
    assert left_text(3700) == "1:01:40 left"
    assert Pace().time_left([]) is None

"""Every workload under every mechanism of each design, with 1 to 16 workers, is verified."""

import os
import re

import pytest

from conftest import DESIGNS, RUNS, WORKLOADS, program, run, said, tiny, verified_record

# The designs whose mailboxes actors share: every value of every option stands beside 1, few and many workers.
MESSAGE_CENTRIC = [
    "--workers 1 --queue list",
    "--workers 2 --queue copy --steal none",
    "--workers 2 --queue list --steal random",
    "--workers 2 --reclaim naive --steal longest --copy-queue-size 1 --copy-queue-growth 101",
    "--workers 3 --reclaim none --steal random --mailboxes-per-worker 2",
    "--workers 3 --queue list --steal longest --idle spin --mailboxes 7",
    "--workers 5 --steal random --seed 7",
    "--workers 8 --steal longest --mailboxes-per-worker 3 --pin cores",
    "--workers 8 --queue list --steal none --pin spread",
    "--workers 4 --steal nearest --search random --scans-before-steal 1 --steal-backoff double",
    "--workers 2 --preset thesis --pin smt",
]
WORKER_CENTRIC = [
    "--workers 1 --without lanes",
    "--workers 2 --steal none",
    "--workers 2 --steal random --without out-boxes",
    "--workers 3 --steal longest --mailboxes-per-worker 2 --idle spin",
    "--workers 4 --steal nearest --without near",
    "--workers 8 --steal random --mailboxes-per-worker 3 --pin cores",
    "--workers 8 --steal longest --without lanes,out-boxes,near,recycling,borrowing",
    "--workers 16 --idle spin --without recycling --pin spread",
]
SHARING = [
    *(("message-centric", options) for options in MESSAGE_CENTRIC),
    *(("worker-centric", options) for options in WORKER_CENTRIC),
]


# The actor-centric design. A covering set: every two values of any two columns stand together in one line.
COLUMNS = [
    "workers",
    "mailbox",
    "link",
    "ready",
    "placement",
    "spawn",
    "dispatch",
    "steal",
    "loot",
    "idle",
    "clusters",
]
ACTOR_CENTRIC = [
    "1 chunk ordered global home round-robin 0 none any spin 1",
    "1 stack release fifo round-robin round-robin 1 nearest any spin package",
    "1 swap ordered lqoq round-robin parent 3 none waiting park 1",
    "1 chunk ordered deque home-anywhere round-robin 1 random waiting park numa",
    "1 swap release deque sender parent 0 none waiting spin package",
    "2 swap release fifo sender parent 3 random any park 1",
    "2 stack ordered deque home parent 3 random waiting spin 1",
    "2 chunk release global round-robin parent 3 nearest any park package",
    "2 chunk ordered fifo home-anywhere round-robin 1 none waiting spin 1",
    "2 swap release lqoq sender round-robin 0 nearest waiting park numa",
    "3 swap release deque round-robin parent 0 nearest waiting spin 1",
    "3 chunk release global sender round-robin 1 none waiting park 1",
    "3 swap ordered global home-anywhere parent 0 random any park 1",
    "3 stack release fifo home parent 3 nearest any park 1",
    "3 swap ordered lqoq home round-robin 3 none any park package",
    "8 stack ordered lqoq home-anywhere parent 1 nearest waiting park 1",
    "8 chunk release lqoq home-anywhere parent 3 random any spin 1",
    "8 stack ordered fifo sender round-robin 0 none waiting spin numa",
    "8 swap release deque home round-robin 1 none any park 1",
    "8 stack release global round-robin parent 3 random waiting park numa",
    "1 locked release global sender parent 0 none any park 1",
    "2 locked ordered deque round-robin round-robin 1 random waiting spin 1",
    "3 locked release lqoq home parent 3 nearest any spin numa",
    "8 locked ordered fifo home-anywhere round-robin 0 random waiting park package",
]
# Homes and the nearest victims mean something where there are two nodes.
MACHINE = ["--topology", "numa:2 core:2 pu:1"]


@pytest.mark.parametrize(("design", "options"), SHARING)
@pytest.mark.parametrize("command", RUNS)
def test_a_workload_verifies_its_result(config: str, command: str, design: str, options: str) -> None:
    words = options.split()
    record = verified_record(
        config, *command.split(), *words, *MACHINE[: 2 * ("--pin" not in words)], design=design
    )
    assert record["workers"] == int(words[1])
    assert record["workload"] == command.partition(" ")[0]
    for name, value in zip(words[2::2], words[3::2], strict=True):
        if name not in ("--preset", "--seed"):
            assert str(record["options"][name[2:].replace("-", "_")]) == value


@pytest.mark.parametrize("values", ACTOR_CENTRIC)
@pytest.mark.parametrize("command", RUNS)
def test_a_workload_verifies_its_result_in_the_actor_centric_design(
    config: str, command: str, values: str
) -> None:
    options = dict(zip(COLUMNS, values.split(), strict=True))
    arguments = [text for name, value in options.items() for text in (f"--{name}", value)]
    record = verified_record(config, *command.split(), *arguments, *MACHINE, design="actor-centric")
    assert record["workers"] == int(options.pop("workers"))
    for name, value in options.items():
        assert str(record["options"][name]) == value


def presets_of(design: str) -> list[str]:
    """The presets of a design, as its programs' --help tells them."""
    return re.findall(
        r"^  --preset (\S+)", run(program("release", "static", design), "--help").stdout, re.MULTILINE
    )


@pytest.mark.parametrize("command", RUNS)
@pytest.mark.parametrize("design", DESIGNS)
def test_a_workload_verifies_its_result_by_default_and_under_every_preset(
    config: str, design: str, command: str
) -> None:
    for options in [[], *(["--preset", preset] for preset in presets_of(design))]:
        verified_record(config, *command.split(), "--workers", "3", *options, *MACHINE, design=design)


def test_presets_are_found() -> None:
    assert "thesis" in presets_of("message-centric")
    assert {"caf", "react", "scalaz"} <= set(presets_of("actor-centric"))


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("threads", ["1", "2"])
def test_the_floor_counts_its_envelopes(config: str, threads: str, design: str) -> None:
    record = verified_record(config, "floor", "--sends", "10000", "--threads", threads, design=design)
    assert record["operations"] == 10000
    assert record["workers"] == int(threads)
    assert record["options"] == {}


@pytest.mark.parametrize(("command", "operations"), said("operations"))
def test_operations_follow_from_the_parameters_and_the_scale(command: str, operations: int) -> None:
    name, *arguments = command.split()
    workers = [] if WORKLOADS[name].get("bare") else ["--workers", "2"]
    assert verified_record("release", name, *workers, *arguments)["operations"] == operations


@pytest.mark.parametrize("rows", ["1", "7", "8", "9", "16", "31"])
@pytest.mark.parametrize("kernel", ["naive", "blocked"])
def test_both_kernels_multiply_matrices_of_any_size(kernel: str, rows: str) -> None:
    """What they compute is the same: Z is exact, and X, Y and Freivalds' check know no kernel."""
    record = verified_record("release", "matrix", "--rows", rows, "--kernel", kernel)
    assert record["parameters"]["kernel"] == kernel


def test_the_kernel_is_the_thesis_if_none_is_given() -> None:
    assert verified_record("release", *tiny("matrix"))["parameters"]["kernel"] == "naive"


def test_memory_is_the_programs_own_peak() -> None:
    small = verified_record("release", "matrix", "--rows", "16", "--workers", "1")
    large = verified_record("release", "matrix", "--rows", "800", "--workers", "1", "--scale", "1")
    assert large["peak_rss_bytes"] - small["peak_rss_bytes"] >= 3 * 800 * 800 * 4 * 0.9


@pytest.mark.parametrize("workload", WORKLOADS)
def test_help_names_every_option(workload: str) -> None:
    for design, option in (
        ("message-centric", "--queue copy|list"),
        ("actor-centric", "--mailbox swap|stack"),
    ):
        result = run(program("release", workload, design), "--help")
        assert result.returncode == 0
        assert "--scale" in result.stdout
        assert (option in result.stdout) != WORKLOADS[workload].get("bare", False)


def test_people_get_a_few_aligned_lines() -> None:
    result = run(program("statistics", "executor"), *tiny("executor")[1:], "--workers", "3")
    lines = result.stdout.splitlines()
    assert lines[0] == "executor, message-centric design, 3 workers"
    assert {line[23:24].isspace() for line in lines[1:]} == {False}
    assert {line[22:23] for line in lines[1:]} == {" "}
    assert any("verified" in line for line in lines)
    assert ["messages_sent", "20200"] in [line.split() for line in lines]


def test_what_is_off_is_noted() -> None:
    alone = verified_record("release", *tiny("executor"), "--workers", "1", "--steal", "random")
    assert alone["notes"] == ["stealing is off: one worker has nobody to steal from"]


def test_more_workers_than_cpus_are_noted() -> None:
    too_many = str(2 * len(os.sched_getaffinity(0)) + 1)
    crowd = verified_record("release", *tiny("executor"), "--workers", too_many)
    assert any("oversubscribed" in note for note in crowd["notes"])

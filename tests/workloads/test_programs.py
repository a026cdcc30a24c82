"""Every workload under every mechanism of both designs, with 1 to 8 workers, is verified."""

import os

import pytest

from conftest import DESIGNS, TINY, program, run, verified_record

# The message-centric design: every value of every option stands beside 1, few and many workers.
OPTIONS = [
    ["--workers", "1"],
    ["--workers", "1", "--queue", "list"],
    ["--workers", "2", "--queue", "copy", "--steal", "none"],
    ["--workers", "2", "--queue", "list", "--steal", "random", "--loot", "waiting"],
    ["--workers", "2", "--reclaim", "naive", "--steal", "longest", "--loot", "any"],
    [
        "--workers",
        "3",
        "--reclaim",
        "none",
        "--steal",
        "random",
        "--loot",
        "any",
        "--mailboxes-per-worker",
        "2",
    ],
    ["--workers", "3", "--queue", "list", "--steal", "longest", "--loot", "any", "--idle", "spin"],
    ["--workers", "5", "--steal", "random", "--loot", "worthwhile", "--seed", "7"],
    [
        "--workers",
        "8",
        "--steal",
        "longest",
        "--loot",
        "any",
        "--mailboxes-per-worker",
        "3",
        "--pin",
        "cores",
    ],
    ["--workers", "8", "--queue", "list", "--steal", "none", "--pin", "spread"],
    ["--workers", "4", "--steal", "nearest", "--loot", "any"],
    ["--workers", "2", "--preset", "thesis", "--pin", "smt"],
    ["--workers", "2", "--local", "off", "--lanes", "off", "--deal", "each"],
    ["--workers", "3", "--out-boxes", "off", "--census", "shared", "--recycle", "off", "--prefetch", "4"],
]


# The actor-centric design. A covering set: every two values of any two columns stand together in one line.
COLUMNS = ["workers", "mailbox", "link", "ready", "placement", "dispatch", "steal", "loot", "idle"]
ACTOR_CENTRIC = [
    "1 chunk ordered global home 0 none any spin",
    "1 stack release fifo round-robin 1 nearest any spin",
    "1 swap ordered lqoq round-robin 3 none waiting park",
    "1 chunk ordered deque home-anywhere 1 random waiting park",
    "1 swap release deque sender 0 none waiting spin",
    "2 swap release fifo sender 3 random any park",
    "2 stack ordered deque home 3 random waiting spin",
    "2 chunk release global round-robin 3 nearest any park",
    "2 chunk ordered fifo home-anywhere 1 none waiting spin",
    "2 swap release lqoq sender 0 nearest waiting park",
    "3 swap release deque round-robin 0 nearest waiting spin",
    "3 chunk release global sender 1 none waiting park",
    "3 swap ordered global home-anywhere 0 random any park",
    "3 stack release fifo home 3 nearest any park",
    "3 swap ordered lqoq home 3 none any park",
    "8 stack ordered lqoq home-anywhere 1 nearest waiting park",
    "8 chunk release lqoq home-anywhere 3 random any spin",
    "8 stack ordered fifo sender 0 none waiting spin",
    "8 swap release deque home 1 none any park",
    "8 stack release global round-robin 3 random waiting park",
]
PRESETS = {
    "message-centric": ["thesis", "plain"],
    "actor-centric": ["caf", "caf-locality", "react", "scalaz"],
}
# Homes and the nearest victims mean something where there are two nodes.
MACHINE = ["--topology", "numa:2 core:2 pu:1"]


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
@pytest.mark.parametrize("workload", TINY)
def test_a_workload_verifies_its_result(config: str, workload: str, options: list[str]) -> None:
    record = verified_record(config, *TINY[workload], *options)
    assert record["workers"] == int(options[1])
    assert record["workload"] == TINY[workload][0]
    for name, value in zip(options[2::2], options[3::2], strict=True):
        if name not in ("--preset", "--seed"):
            assert str(record["options"][name[2:].replace("-", "_")]) == value


@pytest.mark.parametrize("values", ACTOR_CENTRIC)
@pytest.mark.parametrize("workload", TINY)
def test_a_workload_verifies_its_result_in_the_actor_centric_design(
    config: str, workload: str, values: str
) -> None:
    options = dict(zip(COLUMNS, values.split(), strict=True))
    arguments = [text for name, value in options.items() for text in (f"--{name}", value)]
    record = verified_record(config, *TINY[workload], *arguments, *MACHINE, design="actor-centric")
    assert record["workers"] == int(options.pop("workers"))
    for name, value in options.items():
        assert str(record["options"][name]) == value


@pytest.mark.parametrize("workload", TINY)
@pytest.mark.parametrize("design", DESIGNS)
def test_a_workload_verifies_its_result_under_every_preset(config: str, design: str, workload: str) -> None:
    for preset in PRESETS[design]:
        verified_record(
            config, *TINY[workload], "--workers", "3", "--preset", preset, *MACHINE, design=design
        )


@pytest.mark.parametrize("design", DESIGNS)
def test_every_preset_is_run(design: str) -> None:
    result = run(program("release", "static", design), "--preset", "none-such")
    assert result.stderr.split(": it is ")[1].strip().split("|") == PRESETS[design]


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("threads", ["1", "2"])
def test_the_floor_counts_its_envelopes(config: str, threads: str, design: str) -> None:
    record = verified_record(config, "floor", "--sends", "10000", "--threads", threads, design=design)
    assert record["operations"] == 10000
    assert record["workers"] == int(threads)
    assert record["options"] == {}


def test_operations_follow_from_the_parameters() -> None:
    def operations(*arguments: str) -> int:
        return int(verified_record("release", *arguments, "--workers", "2")["operations"])

    assert operations("static", "--sends", "777") == 777
    assert operations("executor", "--actors", "40", "--group", "8", "--rounds", "3") == 40 * (3 * 8 + 1)
    assert operations("repeat", "--servers", "50", "--rounds", "4") == 2 * 50 * 4
    assert operations("matrix", "--rows", "17") == 17
    assert operations("balance-one", "--actors", "40", "--group", "8", "--rounds", "3") == 40 * 25
    assert operations("thread-ring", "--actors", "7", "--hops", "50") == 50
    assert operations("counting", "--messages", "777") == 777
    assert operations("fork-join", "--actors", "7", "--messages", "30") == 7 * 30
    assert operations("producer-consumer", "--producers", "5", "--messages", "70") == 5 * 70
    assert operations("actor-creation", "--actors", "300") == 300
    assert operations("big", "--actors", "11", "--pings", "9") == 2 * 11 * 9
    assert operations("concdict", "--entities", "3", "--messages", "40") == 3 * 40
    assert operations("concsll", "--entities", "3", "--messages", "40") == 3 * 40
    small = ["--rows", "8", "--columns", "9"]
    assert operations("matrix-search", "--searchers", "2", "--puzzles", "4", *small) == 15 * 2 * 4
    # The work of balance-multi grows with the workers: 3 of 5 are loaded.
    multi = verified_record("release", *["balance-multi", "--actors", "40", "--group", "8"], "--workers", "5")
    assert multi["operations"] == 3 * 40 * (100 * 8 + 1)


def test_scale_multiplies_the_work() -> None:
    def operations(*arguments: str) -> int:
        return int(verified_record("release", *arguments)["operations"])

    assert operations("static", "--sends", "1000", "--scale", "0.5") == 500
    assert operations("static", "--sends", "1000", "--scale", "3") == 3000
    assert operations("matrix", "--rows", "40", "--scale", "0.125") == 20
    assert operations("repeat", "--servers", "10", "--rounds", "10", "--scale", "0.001") == 20
    assert operations("thread-ring", "--hops", "1000", "--scale", "0.5") == 500
    assert operations("counting", "--messages", "1000", "--scale", "0.5") == 500
    assert operations("fork-join", "--messages", "10", "--scale", "0.5") == 1000 * 5
    assert operations("producer-consumer", "--messages", "100", "--scale", "0.5") == 32 * 50
    assert operations("actor-creation", "--actors", "100", "--scale", "0.5") == 50
    assert operations("big", "--pings", "10", "--scale", "0.5") == 2 * 500 * 5
    assert operations("concdict", "--messages", "10", "--scale", "0.5") == 100 * 5
    assert operations("concsll", "--messages", "10", "--scale", "0.5") == 20 * 5
    small = ["--rows", "8", "--columns", "9"]
    assert operations("matrix-search", "--puzzles", "10", "--scale", "0.5", *small) == 225 * 5


@pytest.mark.parametrize("rows", ["1", "7", "8", "9", "16", "31"])
@pytest.mark.parametrize("kernel", ["naive", "blocked"])
def test_both_kernels_multiply_matrices_of_any_size(kernel: str, rows: str) -> None:
    """What they compute is the same: Z is exact, and X, Y and Freivalds' check know no kernel."""
    record = verified_record("release", "matrix", "--rows", rows, "--kernel", kernel)
    assert record["parameters"]["kernel"] == kernel


def test_the_kernel_is_the_thesis_if_none_is_given() -> None:
    assert verified_record("release", *TINY["matrix"])["parameters"]["kernel"] == "naive"


def test_memory_is_the_programs_own_peak() -> None:
    small = verified_record("release", "matrix", "--rows", "16", "--workers", "1")
    large = verified_record("release", "matrix", "--rows", "800", "--workers", "1", "--scale", "1")
    assert large["peak_rss_bytes"] - small["peak_rss_bytes"] >= 3 * 800 * 800 * 4 * 0.9


@pytest.mark.parametrize("workload", sorted({arguments[0] for arguments in TINY.values()} | {"floor"}))
def test_help_names_every_option(workload: str) -> None:
    for design, option in (
        ("message-centric", "--queue copy|list"),
        ("actor-centric", "--mailbox swap|stack"),
    ):
        result = run(program("release", workload, design), "--help")
        assert result.returncode == 0
        assert "--scale" in result.stdout
        assert (option in result.stdout) == (workload != "floor")


def test_people_get_a_few_aligned_lines() -> None:
    result = run(program("statistics", "executor"), *TINY["executor"][1:], "--workers", "3")
    lines = result.stdout.splitlines()
    assert lines[0] == "executor, message-centric design, 3 workers"
    assert {line[23:24].isspace() for line in lines[1:]} == {False}
    assert {line[22:23] for line in lines[1:]} == {" "}
    assert any("verified" in line for line in lines)
    assert ["messages_sent", "20200"] in [line.split() for line in lines]


def test_what_is_off_is_noted() -> None:
    alone = verified_record("release", *TINY["executor"], "--workers", "1", "--steal", "random")
    assert alone["notes"] == ["stealing is off: one worker has nobody to steal from"]


def test_more_workers_than_cpus_are_noted() -> None:
    too_many = str(2 * len(os.sched_getaffinity(0)) + 1)
    crowd = verified_record("release", *TINY["executor"], "--workers", too_many)
    assert any("oversubscribed" in note for note in crowd["notes"])

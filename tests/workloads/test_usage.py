"""Bad usage: one clear line on standard error, nothing on standard output, exit status 2."""

import pytest

from conftest import DESIGNS, program, run, said, tiny, verified_record

REFUSED = {
    "--workers 0x": ["0x", "whole number"],
    "--workers -1": ["whole number"],
    "--workers 99999": ["4096"],
    "--queue foo": ["foo", "copy|list"],
    "--reclaim all": ["none|naive|half"],
    "--steal all": ["none|random|nearest|longest"],
    "--search last": ["first|random"],
    "--scans-before-steal 0": ["whole number from 1"],
    "--steal-backoff triple": ["none|double"],
    "--copy-queue-size 0": ["whole number from 1"],
    "--copy-queue-growth 100": ["whole number from 101"],
    "--copy-queue-growth 10001": ["101 to 10000"],
    "--idle sleep": ["park|spin"],
    "--pin all": ["none|cores|smt|spread"],
    "--preset best": ["thesis"],
    "--mailboxes-per-worker 0": ["whole number from 1"],
    "--mailboxes-per-worker 99999": ["65536"],
    "--workers 3 --mailboxes 2": ["2", "3", "fewer mailboxes than workers"],
    "--workers 4096 --mailboxes-per-worker 65536": ["too many", "4096", "65536"],
    "--actors 7 --group 100": ["7", "100", "divide"],
    "--actors 0": ["whole number from 1"],
    "--rounds x": ["whole number"],
    "--scale 0": ["over 0"],
    "--scale nan": ["over 0"],
    "--scale 1e300": ["scale"],
    "--seed 1.5": ["whole number"],
    "--cycles counting": ["ticks|counted"],
    "--clusters 2": ["there is no option --clusters"],
    "--unknown 3": ["--unknown", "--queue", "--actors", "--workers"],
    "--queue": ["needs a value"],
    "queue copy": ["queue", "--help"],
    "--workers 2 --steal longest --mailboxes-per-worker 1": ["more mailboxes than workers"],
    "--topology nonsense": ["synthetic"],
    "--topology pack:2 --pin cores": ["another machine", "--pin none"],
    "--show-plan --topology nonsense": ["synthetic"],
}


REFUSED_BY_ACTOR_CENTRIC = {
    "--queue copy": ["--queue", "--mailbox"],
    "--mailbox queue": ["swap|stack|chunk|locked"],
    "--link none": ["release|ordered"],
    "--ready list": ["global|fifo|deque|lqoq"],
    "--placement away": ["round-robin|sender|home|home-anywhere"],
    "--spawn child": ["round-robin|parent"],
    "--dispatch -1": ["whole number from 0"],
    "--steal longest": ["none|random|nearest"],
    "--loot all": ["waiting|any"],
    "--clusters 0": ["whole number from 1", "package|numa"],
    "--clusters socket": ["socket", "package|numa"],
    "--workers 2 --clusters 3": ["3 clusters", "2 workers", "1 to 2"],
    "--preset thesis": ["caf|caf-locality|react|scalaz"],
    "--topology nonsense": ["synthetic"],
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_bad_usage_gets_one_line(arguments: str) -> None:
    assert_refused("message-centric", arguments, REFUSED[arguments])


@pytest.mark.parametrize("arguments", REFUSED_BY_ACTOR_CENTRIC)
def test_bad_usage_of_the_actor_centric_design_gets_one_line(arguments: str) -> None:
    assert_refused("actor-centric", arguments, REFUSED_BY_ACTOR_CENTRIC[arguments])


def assert_refused(design: str, arguments: str, all_words: list[str]) -> None:
    """Assert that a program refuses these arguments with one line that has all the words."""
    result = run(program("release", "executor", design), *arguments.split())
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("executor: ")
    assert result.stderr.count("\n") == 1
    for words in all_words:
        assert words in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [["--queue", "of\ntwo"], ["--of\ntwo", "1"], ["of\ntwo"], ["--scale", "1\n"], ["--preset", "\x1b[31m"]],
)
def test_what_is_quoted_stays_on_one_line(arguments: list[str]) -> None:
    """Found by fuzzing: a line break in a word of the command line went into the message as it was."""
    result = run(program("release", "executor", "message-centric"), *arguments)
    assert result.returncode == 2
    assert result.stderr.endswith("\n")
    assert result.stderr[:-1].isprintable()


@pytest.mark.parametrize(("command", "all_words"), said("refused"))
def test_parameters_that_a_workload_cannot_do_get_one_line(command: str, all_words: list[str]) -> None:
    name, *options = command.split()
    result = run(program("release", name), *options)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"{name}: ")
    assert result.stderr.count("\n") == 1
    for words in all_words:
        assert words in result.stderr


@pytest.mark.parametrize("design", DESIGNS)
def test_only_the_slowed_build_delays_sends(design: str) -> None:
    """The delay of the gate's self-test is an option of the slowed build alone."""
    refused = run(program("release", "static", design), "--send-delay", "500")
    assert refused.returncode == 2
    assert "there is no option --send-delay" in refused.stderr
    record = verified_record("slowed", *tiny("static"), "--send-delay", "500", design=design)
    assert record["options"]["send_delay"] == 500
    too_long = run(program("slowed", "static", design), "--send-delay", "1000001")
    assert too_long.returncode == 2
    assert too_long.stderr.count("\n") == 1
    assert "choose 1 to 1000000" in too_long.stderr


@pytest.mark.parametrize("delay", ["-1", "0", "0.4", "soon", "1000001"])
def test_a_delay_is_a_whole_number_of_picoseconds_up_to_a_microsecond(delay: str) -> None:
    result = run(program("slowed", "static"), "--sends", "100", "--send-delay", delay)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("static: ")
    assert result.stderr.count("\n") == 1
    assert delay in result.stderr


@pytest.mark.parametrize("delay", ["1", "1000000"])
def test_the_shortest_and_the_longest_delay_are_taken(delay: str) -> None:
    record = verified_record("slowed", "static", "--sends", "100", "--send-delay", delay)
    assert record["options"]["send_delay"] == int(delay)


def test_the_floor_takes_no_runtime_options() -> None:
    for arguments in (["--workers", "2"], ["--queue", "copy"], ["--threads", "3"]):
        result = run(program("release", "floor"), *arguments)
        assert result.returncode == 2
        assert result.stderr.count("\n") == 1


def test_the_plan_of_another_machine_is_printed() -> None:
    topology = ["--topology", "pack:2 numa:1 core:24 pu:2"]
    result = run(program("release", "executor"), "--show-plan", "--pin", "smt", *topology)
    assert result.returncode == 0
    rows = [[int(number) for number in line.split()[:6]] for line in result.stdout.splitlines()[1:]]
    packages, threads = [row[3] for row in rows], [row[5] for row in rows]
    assert packages == [0] * 48 + [1] * 48
    assert threads == ([0] * 24 + [1] * 24) * 2

"""Becoming, channels and trails by scripts of Hypothesis, beside sequential models, under all options.

The programs are tests/core/messaging/scripted_*.c, whose first lines say what a script may hold. They run on
many workers: what they print must not depend on that.
"""

from collections import deque
from dataclasses import dataclass, field, replace
from pathlib import Path

import progress
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parent.parent
DESIGNS = sorted(folder.name.replace("_", "-") for folder in (ROOT / "core").glob("*_centric"))
EXAMPLES = {"release": 60, "asan": 25, "clang-tsan": 15}

LINES = st.integers(0, 999)
ACTORS = st.sampled_from("0123")


def run(config: str, design: str, script: str, *arguments: str) -> list[str]:
    """The words that a program prints."""
    ended = progress.run([str(ROOT / f"build/{config}/tests/{design}/scripted_{script}"), *arguments])
    assert ended.stuck is None, ended
    assert ended.returncode == 0, ended
    return ended.stdout.split()


@pytest.fixture(params=EXAMPLES)
def patience(request: pytest.FixtureRequest) -> tuple[str, settings]:
    """A configuration, and how many scripts are drawn in it."""
    checks = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
    return request.param, settings(
        max_examples=EXAMPLES[request.param], deadline=None, suppress_health_check=checks
    )


# ---- Behaviours that change -------------------------------------------------------------------------------


@dataclass
class Changer:
    """The actor of scripted_becoming.c."""

    keeps: bool
    set: int = 0
    kept: list[tuple[int, str]] = field(default_factory=list)
    dropped: int = 0
    said: list[str] = field(default_factory=list)

    def takes(self, word: str) -> bool:
        """Whether a handler of the set takes the message."""
        kind, taken_by = word[0], int(word[1], 16)
        own = bool(taken_by & 1 << self.set)
        if kind == "r":
            return (own and self.set != 1) or (self.set == 2 and bool(taken_by & 8))
        return own and (kind != "b" or self.set != 0)

    def take(self, number: int, word: str) -> bool | None:
        """Take a message, and say whether kept ones are tried again then; None if nothing answers it."""
        if not self.takes(word):
            return None
        self.said.append(str(number))
        if word[0] in "qd":  # what else has come waits until the answer is there
            self.said.append(f"{number}{'+' if word[0] == 'q' else '-'}")
        if word[2] != "-":
            self.set = int(word[2])
        return word[2] != "-" or word[0] in "qd"

    def receive(self, number: int, word: str) -> None:
        """Take a message, and kept ones after it, or drop or keep it."""
        changed = self.take(number, word)
        if changed is None and self.keeps:
            self.kept.append((number, word))
        self.dropped += changed is None and not self.keeps
        while changed:
            changed = self.try_kept()

    def try_kept(self) -> bool:
        """Try the kept ones, from the oldest on, until one changes what answers; whether one has."""
        for one in list(self.kept):
            changed = self.take(*one)
            if changed is not None:
                self.kept.remove(one)
            if changed:
                return True
        return False


KINDS = st.sampled_from("rrrbbbqd")
WORDS = st.builds("{}{}{}".format, KINDS, st.sampled_from("0123456789abcdef"), st.sampled_from("--012"))


@pytest.mark.parametrize("design", DESIGNS)
def test_becoming_is_as_its_model(patience: tuple[str, settings], design: str) -> None:
    @patience[1]
    @given(line=LINES, keeps=st.booleans(), words=st.lists(WORDS, max_size=40))
    def holds(line: int, keeps: bool, words: list[str]) -> None:
        model = Changer(keeps)
        for number, word in enumerate(words, 1):
            model.receive(number, word)
        model.said += ["dropped", str(model.dropped + len(model.kept)), "ended", str(len(words))]
        unanswered = "keep" if keeps else "drop"
        assert run(patience[0], design, "becoming", str(line), unanswered, *words) == model.said

    holds()


# ---- Channels ---------------------------------------------------------------------------------------------


@dataclass
class Channel:
    """The channel and the cook of scripted_channel.c."""

    limit: int
    orders: deque[tuple[int, str]] = field(default_factory=deque)
    made: int = 0
    said: list[str] = field(default_factory=list)

    def has_room(self) -> bool:
        """Whether there is room for one more."""
        return self.limit == 0 or len(self.orders) < self.limit

    def give(self, word: str) -> None:
        """Make an order, and put it in if there is room."""
        self.made += 1
        if self.has_room():
            self.orders.append((self.made, word))
            self.said.append(f"+{self.made}")
        else:
            self.said += [f"-{self.made}", f"e{self.made}"]

    def take(self, most: int) -> None:
        """Run so many orders at most."""
        while most > 0 and self.orders:
            most -= 1
            number, word = self.orders.popleft()
            self.said.append(str(number))
            if word == "k" and self.has_room():
                self.orders.append((number, "again"))
                self.said.append(f"+{number}")
                continue
            if word == "a":
                self.give("s")
            if word == "n":
                self.take(1)
            self.said.append(f"e{number}")

    def left(self) -> list[str]:
        """What is said at the end: those that were put in again are not the channel's to end."""
        ended = [number for number, word in self.orders if word != "again"]
        after = sorted(number for number, word in self.orders if word == "again")
        return [*map("e{}".format, ended), f"={len(self.orders)}", *map("e{}".format, after)]

    def do(self, word: str) -> None:
        """Do what a word of the script says."""
        if word[0] == "t":
            self.take(int(word[1:]))
        elif word[0] == "m":
            for _ in range(int(word[1:])):
                self.give("s")
        else:
            self.give(word)
        self.said.append(f"={len(self.orders)}")


@pytest.mark.parametrize("design", DESIGNS)
def test_a_channel_is_as_its_model(patience: tuple[str, settings], design: str) -> None:
    words = st.lists(st.sampled_from([*"sank", "m5", "m15", "t0", "t1", "t2", "t5", "t50"]), max_size=60)

    @patience[1]
    @given(line=LINES, limit=st.sampled_from([0, 0, 1, 2, 3, 17, 20]), words=words)
    def holds(line: int, limit: int, words: list[str]) -> None:
        model = Channel(limit)
        for word in words:
            model.do(word)
        model.said += model.left()
        assert run(patience[0], design, "channel", str(line), str(limit), *words) == model.said

    holds()


# ---- Trails -----------------------------------------------------------------------------------------------


@dataclass
class Trail:
    """A trail of scripted_trail.c: its place in the script and among actors, and its way, last step first."""

    script: str
    began: int
    next: int
    actor: str
    value: int
    steps: list[tuple[str | None, int]]
    said: dict[int, list[str]]
    back: int | None = None  # while it rewinds: so many steps back
    raiser: str = ""

    def walk(self) -> None:
        """Go on to the trail's end, and let its forks do so."""
        going = True
        while going:
            values = ",".join(str(value) for value in (self.value, *(value for _, value in self.steps)))
            rewinds = "" if self.back is None else "<"
            self.said.setdefault(self.began, []).append(f"{self.actor}{rewinds}:{values}")
            going = self.behave()

    def behave(self) -> bool:
        """Do the script's next word; False if the trail ends."""
        word, place = self.script[self.next : self.next + 1], self.next
        self.next += 2 if word in ("l", "f") else 1 if word in ("r", "s") else 0
        if word == "f":
            self.next = after_brackets(self.script, place + 3)
        if word == "r":
            self.raiser, self.back = (self.actor, 0) if self.back is None else (self.raiser, self.back)
        elif word == "s" and self.back is not None:
            self.value, self.actor, self.back = self.value + 100, self.raiser, None
            return True
        elif word in ("l", "f") and self.back is None:
            if word == "f":
                fork = replace(self, began=place + 3, next=place + 3, steps=list(self.steps))
                fork.link(self.script[place + 1], 10)
                fork.walk()
            self.link(self.script[place + 1], 1)
            return True
        return self.go_back()

    def link(self, receiver: str, more: int) -> None:
        """Go to another actor."""
        self.value += more
        self.steps.insert(0, (self.actor, self.value))
        self.actor = receiver

    def go_back(self) -> bool:
        """Go to who sent it over the next step back; False if it does not rewind, or there is nobody."""
        if self.back is None or (sender := self.steps[self.back][0]) is None:
            return False
        self.actor, self.back = sender, self.back + 1
        return True


def after_brackets(script: str, inside: int) -> int:
    """The place after the bracket that closes the one before `inside`."""
    still_open = 1
    while still_open:
        still_open += {"(": 1, ")": -1}.get(script[inside], 0)
        inside += 1
    return inside


def forked(before: str, receiver: str, inside: str, after: str) -> str:
    """A script with a fork in it."""
    return f"{before}f{receiver}({inside}){after}"


STEPS = st.lists(st.one_of(ACTORS.map("l{}".format), st.sampled_from("rs")), max_size=8).map("".join)
SCRIPTS = st.recursive(STEPS, lambda inner: st.builds(forked, inner, ACTORS, inner, inner), max_leaves=6)


@pytest.mark.parametrize("design", DESIGNS)
def test_a_trail_is_as_its_model(patience: tuple[str, settings], design: str) -> None:
    @patience[1]
    @given(line=LINES, script=SCRIPTS)
    def holds(line: int, script: str) -> None:
        said: dict[int, list[str]] = {}
        Trail(script, 0, 0, "0", 0, [(None, 0)], said).walk()
        behaviours = sum(len(lines) for lines in said.values())
        expected = [word for place in sorted(said) for word in (str(place), *said[place])]
        assert run(patience[0], design, "trail", str(line), str(behaviours), script) == expected

    holds()

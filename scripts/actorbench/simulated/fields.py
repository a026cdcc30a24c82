"""Which field of which type a place in the code reads or writes.

The debug information says from which line and column of the source an access was made, into what that was
inlined, and the types of variables and members; the expression there says the rest. `lock->held` in what was
inlined where `spinlock_acquire(&mailbox->lock)` stands is mailbox.lock.held; in one that is not it is
spinlock.held. Where the source does not tell which of several fields it is, all are named.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from actorbench.simulated.debug_info import (
    AGGREGATES,
    ARRAY,
    POINTER,
    DebugInfo,
    Die,
    Frame,
    Spot,
    Unit,
    bare,
    member_of,
    name_of,
    type_name,
    type_of,
)
from actorbench.simulated.tokens import ASSIGNMENTS, Tokens

MOST_NAMED = 3
ATOMIC = "__tsan_atomic"  # in the names of the hooks of atomic accesses
SUFFIXES = ("->", ".", "[")


@dataclass(frozen=True)
class Place:
    """A place in the code: source line, as in lane.h:93, and field, as in lane.sent, or "" if not known."""

    line: str
    field: str


class Fields:
    """A program's, found once for each place."""

    def __init__(self, root: Path, program: Path) -> None:
        self._root, self._info = root, DebugInfo(program)
        self._tokens: dict[str, Tokens] = {}
        self._found: dict[tuple[int, bool], Place] = {}

    def place(self, code: int, *, writes: bool) -> Place:
        """Tell of the access before which a hook was called that returns to `code`."""
        if (code, writes) not in self._found:
            self._found[code, writes] = self._place(code - 1, writes)
        return self._found[code, writes]

    def tokens(self, file: str) -> Tokens:
        """Read a source file, named as in the debug information; one that is not there has no tokens."""
        if file not in self._tokens:
            path = self._root / file
            known = path.is_file() and path.resolve().is_relative_to(self._root.resolve())
            self._tokens[file] = Tokens(path.read_text(encoding="utf-8") if known else "")
        return self._tokens[file]

    def _place(self, code: int, writes: bool) -> Place:
        unit = self._info.unit(code)
        frames = unit.frames(code) if unit else []
        if unit is None or not frames:
            return Place("?", "")
        spot = frames[-1].spot
        reader = _Reader(self, unit, frames, is_atomic=ATOMIC in self._info.called(code + 1))
        field = reader.field(writes=writes)
        return Place(f"{Path(spot.file).name}:{spot.line}", field)


@dataclass(frozen=True)
class _Value:
    """What an expression stands for: a path, its type; of an address what it is the address of.

    `is_shared` is false of what is the thread's own: its local variables.
    """

    path: str
    type: Die | None
    is_shared: bool = True
    target: "_Value | None" = None


@dataclass(frozen=True)
class _Reader:
    """Reads the expressions of the last of some frames; `is_atomic` is the access that is looked for."""

    fields: Fields
    unit: Unit
    frames: list[Frame]
    is_atomic: bool

    @property
    def spot(self) -> Spot:
        return self.frames[-1].spot

    @cached_property
    def tokens(self) -> Tokens:
        return self.fields.tokens(self.spot.file)

    def field(self, *, writes: bool) -> str:
        """Name the field that is accessed where the frame is; "" if the source does not tell."""
        index = self.tokens.at.get((self.spot.line, self.spot.column))
        if index is None:
            return self._any_of(self.tokens.on_line(self.spot.line))
        found = self._accessed(index, writes)
        if found is not None and found.is_shared and found.target is None:
            return found.path
        if self.tokens.is_name(index) and self.tokens.text(index + 1) == "(":
            closing = self.tokens.partner.get(index + 1, index)
            return self._any_of(list(range(index + 2, closing))) or f"({self.tokens.text(index)})"
        return self._any_of(self.tokens.on_line(self.spot.line))

    def _accessed(self, index: int, writes: bool) -> _Value | None:
        """Find what the operator, or the name, at `index` accesses."""
        tokens, text = self.tokens, self.tokens.text(index)
        if text in ("->", "."):
            return self._operand(tokens.start_of(index - 1), index + 2)
        if text == "[":
            return self._operand(tokens.start_of(index - 1), tokens.partner.get(index, index) + 1)
        if text in ASSIGNMENTS:
            return self._assigned(index) if writes or text != "=" else self._prefixed(index + 1)
        if text in ("++", "--") and tokens.is_operand_end(index - 1):
            return self._stepped(index)
        if text in ("*", "++", "--", "(") and not tokens.is_operand_end(index - 1):
            return self._prefixed(index)
        if text == "return":
            return self._prefixed(index + 1)
        if not tokens.is_name(index):
            return None
        if tokens.text(index + 1) == "(":
            if not text.startswith("atomic_"):
                return None
            operand = index + 2
            return (
                self._dereferenced(self._prefixed(operand)) if self.is_atomic else self._pointer_in(operand)
            )
        if tokens.text(index + 1) == "=" and not writes:
            return self._prefixed(index + 2)
        return self._prefixed(index)

    def _pointer_in(self, index: int) -> _Value | None:
        """Find the first pointer that is read to find what `&pointer->member` is the address of."""
        index += self.tokens.text(index) == "&"
        end = index
        while self.tokens.text(end) not in ("->", "[", ")", ","):
            end += 1
        return self._operand(index, end)

    def _stepped(self, index: int) -> _Value | None:
        """Find what `x++` accesses: x, or of `*x++`, where x is the thread's own, what it points to."""
        start = self.tokens.start_of(index - 1)
        value = self._operand(start, index)
        is_pointer = self.tokens.text(start - 1) == "*" and not self.tokens.is_operand_end(start - 2)
        return self._dereferenced(value) if value and not value.is_shared and is_pointer else value

    def _assigned(self, index: int) -> _Value | None:
        start = self.tokens.start_of(index - 1)
        while self.tokens.text(start - 1) == "*" and not self.tokens.is_operand_end(start - 2):
            start -= 1
        return self._prefixed(start, index)

    def _any_of(self, indices: list[int]) -> str:
        """Name all fields that stand among these tokens, if they are few."""
        values = [self._ending_at(index) for index in indices]
        paths = list(dict.fromkeys(one.path for one in values if one is not None and one.is_shared))
        return " or ".join(paths) if len(paths) <= MOST_NAMED else ""

    def _ending_at(self, index: int) -> _Value | None:
        """Read a whole member or element, or what a `*` stands before, by its sign at `index`."""
        tokens, text = self.tokens, self.tokens.text(index)
        if text == "*" and not tokens.is_operand_end(index - 1):
            return self._prefixed(index)
        if text not in SUFFIXES:
            return None
        end = tokens.partner.get(index, index) + 1 if text == "[" else index + 2
        return None if tokens.text(end) in SUFFIXES else self._operand(tokens.start_of(index - 1), end)

    # ---- Expressions: from the token at `index`, up to `stop` if it is given ----

    def _prefixed(self, index: int, stop: int | None = None) -> _Value | None:
        text = self.tokens.text(index)
        if text == "*":
            return self._dereferenced(self._prefixed(index + 1, stop))
        if text == "&":
            found = self._prefixed(index + 1, stop)
            return found and _Value("", None, is_shared=False, target=found)
        if text in ("++", "--", "-", "!", "~"):
            return self._prefixed(index + 1, stop)
        return self._operand(index, stop)

    def _operand(self, index: int, stop: int | None = None) -> _Value | None:
        tokens = self.tokens
        value, index = self._primary(index)
        while value is not None and (stop is None or index < stop):
            text = tokens.text(index)
            if text in ("->", "."):
                whole = self._dereferenced(value) if text == "->" else value
                value, index = _member(whole, tokens.text(index + 1)), index + 2
            elif text == "[":
                value, index = self._dereferenced(value), tokens.partner.get(index, index) + 1
            elif text in ("++", "--"):
                index += 1
            else:
                break
        return value

    def _primary(self, index: int) -> tuple[_Value | None, int]:
        tokens = self.tokens
        if tokens.text(index) == "(":
            closing = tokens.partner.get(index, index)
            cast = self._cast(index + 1, closing)
            if cast is not None:
                return cast, len(tokens.all)
            return self._prefixed(index + 1, closing), closing + 1
        if not tokens.is_name(index):
            return None, index
        name = tokens.text(index)
        if tokens.text(index + 1) != "(":
            return self._named(name), index + 1
        result = self.unit.results.get(name)
        value = None if result is None else _Value(name, result, is_shared=False)
        return value, tokens.partner.get(index + 1, index) + 1

    def _cast(self, index: int, closing: int) -> _Value | None:
        """Read `struct name *` between brackets: what is cast so points to such a thing."""
        words = [self.tokens.text(i) for i in range(index, closing)]
        words = [word for word in words if word not in ("const", "struct", "union")]
        if len(words) != 2 or words[1] != "*" or words[0] not in self.unit.types:
            return None
        return _Value("", None, is_shared=False, target=_Value(words[0], self.unit.types[words[0]]))

    def _named(self, name: str) -> _Value | None:
        variable = self.unit.variable(self.frames[-1].function, name, self.spot.line)
        if variable is None:
            known = name in self.unit.globals
            return _Value(name, self.unit.globals[name]) if known else None
        given = None if variable.position is None else self._argument(variable.position)
        if given is not None and given.target is not None:
            return given
        return _Value(name, variable.type, is_shared=False)

    def _argument(self, position: int) -> _Value | None:
        """Read what the frame's function was called with, if it was inlined."""
        if len(self.frames) < 2:
            return None
        outer = replace(self, frames=self.frames[:-1])
        tokens, name = outer.tokens, name_of(self.frames[-1].function)
        calls = [index for index in tokens.on_line(outer.spot.line) if tokens.text(index) == name]
        exact = tokens.at.get((outer.spot.line, outer.spot.column))
        index = exact if exact in calls else calls[0] if len(calls) == 1 else None
        if index is None or tokens.text(index + 1) != "(":
            return None
        begins = tokens.arguments_of(index + 1)
        return outer._prefixed(begins[position]) if position < len(begins) else None

    @staticmethod
    def _dereferenced(value: _Value | None) -> _Value | None:
        if value is None or value.target is not None:
            return value and value.target
        kind = bare(value.type)
        if kind is None or kind.tag not in (POINTER, ARRAY):
            return None
        inside = type_of(kind)
        if kind.tag == ARRAY:
            return _Value(f"{value.path}[]", inside, value.is_shared)
        return _Value(type_name(inside), inside)


def _member(whole: _Value | None, name: str) -> _Value | None:
    kind = bare(whole.type) if whole is not None else None
    member = member_of(kind, name) if kind is not None and kind.tag in AGGREGATES else None
    if whole is None or member is None:
        return None
    return _Value(f"{whole.path}.{name}", type_of(member), whole.is_shared)

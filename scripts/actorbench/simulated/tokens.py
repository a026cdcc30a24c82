"""The tokens of a source file of C, and where expressions begin among them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

_PATTERN = re.compile(
    r"(?P<left_out>\s+|//[^\n]*|/\*.*?\*/|(?<![^\n])\#(?:[^\n\\]|\\.)*)"
    r"|[A-Za-z_]\w*|\d[\w.']*"
    r'|"(?:\\.|[^"\\])*"'
    r"|'(?:\\.|[^'\\])*'"
    r"|->|\+\+|--|<<=|>>=|[-+*/%&|^!=<>]=|&&|\|\||<<|>>|.",
    re.DOTALL,
)
_OPENING = {"(": ")", "[": "]", "{": "}"}
ASSIGNMENTS = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
KEYWORDS = ("return", "if", "while", "for", "switch", "do", "else", "case", "sizeof", "goto")


@dataclass(frozen=True)
class Token:
    """A word or sign; line and column from 1."""

    text: str
    line: int
    column: int

    @property
    def is_name(self) -> bool:
        """Whether it names something."""
        return (self.text[0].isalpha() or self.text[0] == "_") and self.text not in KEYWORDS


class Tokens:
    """A file's, without comments and directives."""

    def __init__(self, text: str) -> None:
        self.all: list[Token] = []
        line, begin = 1, 0
        for match in _PATTERN.finditer(text):
            if match["left_out"] is None:
                self.all.append(Token(match[0], line, match.start() - begin + 1))
            if "\n" in match[0]:
                line += match[0].count("\n")
                begin = match.start() + match[0].rindex("\n") + 1

    def text(self, index: int) -> str:
        """The token's text; "" beyond the ends."""
        return self.all[index].text if 0 <= index < len(self.all) else ""

    def is_name(self, index: int) -> bool:
        """Whether a name stands there."""
        return 0 <= index < len(self.all) and self.all[index].is_name

    def is_operand_end(self, index: int) -> bool:
        """Whether an operand ends there, so that what follows is no prefix."""
        return self.is_name(index) or self.text(index) in (")", "]")

    @cached_property
    def at(self) -> Mapping[tuple[int, int], int]:
        """The index of each token, by line and column."""
        return {(token.line, token.column): index for index, token in enumerate(self.all)}

    def on_line(self, line: int) -> list[int]:
        """The indices of a line's tokens."""
        return [index for index, token in enumerate(self.all) if token.line == line]

    @cached_property
    def partner(self) -> Mapping[int, int]:
        """The index of each bracket's other one."""
        found: dict[int, int] = {}
        opened: list[int] = []
        for index, token in enumerate(self.all):
            if token.text in _OPENING:
                opened.append(index)
            elif opened and token.text == _OPENING[self.all[opened[-1]].text]:
                other = opened.pop()
                found |= {index: other, other: index}
        return found

    def start_of(self, index: int) -> int:
        """Find where the operand begins that ends at `index`: names, calls, members, elements."""
        while True:
            if self.text(index) in ("++", "--"):
                index -= 1
                continue
            if self.text(index) in (")", "]"):
                opening = self.partner.get(index, index)
                if self.text(index) == ")" and not self.is_name(opening - 1):
                    return opening
                index = opening - 1
                continue
            if self.text(index - 1) in ("->", "."):
                index -= 2
                continue
            return index

    def arguments_of(self, opening: int) -> list[int]:
        """The indices at which the arguments between two brackets begin."""
        closing = self.partner.get(opening, opening)
        begins, index = [opening + 1], opening + 1
        while index < closing:
            if self.text(index) in _OPENING:
                index = self.partner.get(index, index)
            elif self.text(index) == ",":
                begins.append(index + 1)
            index += 1
        return begins if closing > opening + 1 else []

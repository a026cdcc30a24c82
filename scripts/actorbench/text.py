"""Text from outside (experiments, records, programs' outputs) made safe to look at.

A control character can move the cursor, colour a terminal or turn a line round; each becomes a picture of
itself (Unicode's block "Control Pictures"), so that the reader sees that it was there.
"""

import re

_PICTURES = 0x2400
_DELETE_PICTURE = "\u2421"
_UNKNOWN = "\ufffd"
# C0 but for tab and newline, DEL, C1, lone surrogates, what turns the direction of text round, and the two
# that no text may hold (XML forbids them).
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]"
)


def visible(text: str) -> str:
    """Replace each character that is not seen but acts by one that is seen and does not; lines stay."""
    return _HIDDEN.sub(_picture, text)


def one_line(text: str) -> str:
    """Make text visible, and one line of it."""
    return " ".join(visible(text).split())


def counted(number: float, what: str) -> str:
    """Write a number of things, as in "1 CPU" or "2 CPUs"."""
    return f"{number:.10g} {what}{'' if number == 1 else 's'}"


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(_PICTURES + code)
    return _DELETE_PICTURE if code == 0x7F else _UNKNOWN

"""The errors that a user can cause or meet, and the exit statuses of the driver.

Each message is one line: what is wrong, why, and what would be right.
"""

from collections.abc import Iterable
from difflib import get_close_matches

from actorbench.text import one_line

EXIT_OK = 0
EXIT_REGRESSION = 1
EXIT_USAGE = 2
EXIT_INCONCLUSIVE = 3
EXIT_BENCHMARK_FAILED = 4
EXIT_OWN_ERROR = 70  # of the driver's own: EX_SOFTWARE of sysexits.h
EXIT_INTERRUPTED = 130
EXIT_CLOSED = 141  # nobody reads the output any more: what a shell says of SIGPIPE


class OneLineError(Exception):
    """An error whose message is one line, whatever names and outputs it quotes."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class UserError(OneLineError):
    """Something the user can put right; ends the driver with status 2 and one line."""


class BadRecordError(OneLineError):
    """A workload program printed something that is not one valid record."""


def choices(names: list[str] | tuple[str, ...]) -> str:
    """Name the valid choices for the end of an error message; says "none" if there are none."""
    return ", ".join(names) if names else "none"


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Name the one of `names` that was probably meant, to go on with; says "" if none is like it."""
    return "".join(f", did you mean '{one}'?" for one in get_close_matches(name, list(names), n=1))

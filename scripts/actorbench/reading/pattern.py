"""A regular expression, whose group is a number in a unit; the median of all that match."""

import re
from statistics import median

from actorbench.errors import BadRecordError
from actorbench.reading.fields import Fields, fields_of, positive


def read(text: str, pattern: str, unit: str) -> Fields:
    """Read all that the pattern's first group matches, line by line (`^` and `$` are a line's ends)."""
    found = [match[1] for match in re.finditer(pattern, text, re.MULTILINE)]
    if not found:
        raise BadRecordError(f"the output holds nothing that matches '{pattern}'")
    return fields_of(median(positive(one) for one in found), unit)


def problem(pattern: str) -> str | None:
    """Say what is wrong with a pattern; None if nothing."""
    try:
        groups = re.compile(pattern).groups
    except re.error as error:
        return f"'{pattern}' is no regular expression: {error}"
    return (
        None
        if groups
        else f"'{pattern}' has no group: parentheses around the number, as in 'time: ([0-9.]+)'"
    )

"""JSON by a path: a JSON Pointer (RFC 6901), such as /results/0/mean, to a number or to a list of numbers."""

from statistics import median

from actorbench.errors import BadRecordError
from actorbench.reading.fields import Fields, decoded, fields_of, positive


def read(text: str, path: str, unit: str) -> Fields:
    """Read the number at a path; of a list of numbers the median."""
    found = decoded(text)
    for number, step in enumerate(steps := path.split("/")[1:]):
        key = step.replace("~1", "/").replace("~0", "~")
        try:
            found = found[int(key)] if isinstance(found, list) else found[key]
        except (KeyError, IndexError, ValueError, TypeError) as error:
            there = "/" + "/".join(steps[: number + 1])
            raise BadRecordError(f"the output's JSON has nothing at {there}") from error
    return fields_of(median(map(positive, found)) if isinstance(found, list) and found else found, unit)


def problem(path: str) -> str | None:
    """Say what is wrong with a path; None if nothing."""
    return (
        None
        if path.startswith("/")
        else f"'{path}' is no JSON Pointer: it begins with '/', as in /results/0/mean"
    )

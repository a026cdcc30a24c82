"""Sources: the numbers that a source printed of its own measurements.

The files are `plots/sources/*.toml` (`schemas/sources-1.json`). A printed number is shown beside what was
measured here (`source_tables`): it is never a sample, and enters no ratio, interval or figure.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from actorbench.errors import UserError, choices
from actorbench.experiment import parse_toml, read_text
from actorbench.measure import MEASURES
from actorbench.schema import first_error, version_problem
from actorbench.text import visible


@dataclass(frozen=True)
class Printed:
    """A number of a source; `value` is low and high, which are the same unless a range is printed."""

    work: str
    experiment: str
    place: str
    machine: str
    says: str
    value: tuple[float, float]
    unit: str
    here: dict[str, Any]

    @property
    def text(self) -> str:
        """The number as it was printed, with its unit."""
        low, high = (f"{one:g}" for one in self.value)
        number = low if low == high else f"{low} to {high}"
        return f"{number} {self.unit}".strip()


def known_printed(folder: Path) -> tuple[list[Printed], list[str]]:
    """Read all that the sources printed, and say what is wrong with files of the folder."""
    found: list[Printed] = []
    wrong = []
    for path in sorted(folder.glob("*.toml")):
        shown = f"plots/{folder.name}/{path.name}"
        try:
            found += parse_printed(read_text(path, shown), shown)
        except UserError as error:
            wrong.append(str(error))
    return found, wrong


def parse_printed(text: str, file: str) -> list[Printed]:
    """Read a source's numbers from its file's text; raises UserError: file, key, what is wrong."""
    document = parse_toml(text, file)
    problem = version_problem("sources", document, 1) or first_error("sources-1", document)
    if problem:
        raise UserError(f"{file}: {problem}")
    found = []
    for index, entry in enumerate(document["printed"]):
        machines = document["machines"]
        if entry["machine"] not in machines:
            raise UserError(
                f"{file}: printed[{index}].machine: no machine '{entry['machine']}'"
                f" (choices: {choices(list(machines))})"
            )
        if ("value" in entry) == ("low" in entry and "high" in entry):
            raise UserError(f"{file}: printed[{index}]: needs a value, or low and high")
        measure = entry["here"].setdefault("measure", "elapsed")
        if measure not in MEASURES:
            raise UserError(f"{file}: printed[{index}].here.measure: no measure '{measure}'")
        found.append(
            Printed(
                work=visible(document["work"]),
                experiment=entry["experiment"],
                place=visible(f"{entry['place']}, line {entry['line']} of {document['lines']}"),
                machine=visible(machines[entry["machine"]]),
                says=visible(entry["says"]),
                value=(entry.get("value", entry.get("low")), entry.get("value", entry.get("high"))),
                unit=visible(entry.get("unit", "")),
                here=entry["here"],
            )
        )
    return found

"""What a gate keeps of its counts: counts.json in the run's folder, written anew for each side."""

import json
from dataclasses import asdict, dataclass

from actorbench.counts.counting import Tally
from actorbench.counts.subjects import Counted
from actorbench.errors import UserError
from actorbench.store import Run, write_whole

FILE_NAME = "counts.json"

Key = tuple[str, str, str]  # cell, counter, side


@dataclass(frozen=True)
class Counts:
    """What was counted of a side: a pair of tallies a run, and what went wrong last, if it did."""

    tallies: tuple[tuple[Tally, Tally], ...] = ()
    trouble: str | None = None


class CountStore:
    """The counts of a gate's run. `kept` is what is known of each side."""

    def __init__(self, run: Run, *, retry_failed: bool = False) -> None:
        """Read them; raises UserError. `retry_failed` forgets the sides that failed."""
        self._path = run.folder / FILE_NAME
        self._shown = f"{run.shown}/{FILE_NAME}"
        self.kept: dict[Key, Counts] = {}
        try:
            entries = json.loads(self._path.read_text(encoding="utf-8")) if self._path.exists() else []
            for one in entries:
                pairs = tuple((Tally(**less), Tally(**more)) for less, more in one["tallies"])
                if not (retry_failed and one["trouble"]):
                    self.kept[one["cell"], one["by"], one["side"]] = Counts(pairs, one["trouble"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UserError(f"{self._shown}: cannot be read: {error}; delete it to count anew") from error

    def add(self, key: Key, counted: Counted) -> None:
        """Add what was counted, and sync it to disk; raises UserError."""
        before = self.kept.get(key, Counts()).tallies
        self.kept[key] = Counts(before + counted.tallies, counted.trouble)
        entries = [
            {"cell": cell, "by": by, "side": side, **asdict(counts)}
            for (cell, by, side), counts in self.kept.items()
        ]
        try:
            write_whole(self._path, json.dumps(entries, separators=(",", ":")) + "\n")
        except OSError as error:
            raise UserError(f"{self._shown}: cannot be written: {error.strerror}") from error

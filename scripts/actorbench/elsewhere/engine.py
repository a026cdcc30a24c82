"""The engines: what jobs are handed to, and asked how they are."""

import subprocess
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from actorbench.elsewhere.errand import Errand
from actorbench.errors import UserError
from actorbench.text import one_line

PATIENCE_S = 60.0  # that a tool of an engine may take


@dataclass(frozen=True)
class Jobs:
    """The jobs that an errand still has, by number; `known` is False if the engine did not answer."""

    running: Collection[int] = ()
    queued: Collection[int] = ()
    known: bool = True

    @property
    def left(self) -> set[int]:
        """The jobs that are queued or running."""
        return {*self.running, *self.queued}

    @property
    def is_over(self) -> bool:
        """Whether nothing will be measured any more."""
        return self.known and not self.left

    @property
    def text(self) -> str:
        """How the jobs are, in a few words."""
        if not self.known:
            return "no answer"
        parts = ["running"] if self.running else []
        parts += [f"{len(self.queued)} queued"] if self.queued else []
        return ", ".join(parts) or "no job"


class Engine(ABC):
    """An engine, which takes a run in at most so many jobs.

    `shares_files` says whether its machines see the project's folder as this one does.
    """

    name: str
    most_jobs: int
    shares_files: bool

    @abstractmethod
    def machines(self, named: str) -> list[str]:
        """Give the machines that the text after "slurm:" or "ssh:" names; raises UserError."""

    @abstractmethod
    def submit(self, errand: Errand, jobs: Sequence[int], *, retry_failed: bool) -> None:
        """Hand the jobs over, by number; raises UserError if none was."""

    @abstractmethod
    def look(self, errands: Sequence[Errand]) -> list[Jobs]:
        """Ask how the jobs of each are, then bring here what they have taken; raises nothing."""

    @abstractmethod
    def how_to_end(self, errands: Sequence[Errand]) -> str:
        """Give the command that ends the jobs."""


def call(command: Sequence[str], *, what: str, given: str = "") -> str:
    """Call a tool of an engine, and give what it prints; raises UserError, by what it was called for."""
    return call_bytes(command, what=what, given=given).decode(errors="replace")


def call_bytes(command: Sequence[str], *, what: str, given: str = "") -> bytes:
    """Call a tool as `call` does; what it prints need not be text."""
    try:
        done = subprocess.run(
            command, input=given.encode(), capture_output=True, timeout=PATIENCE_S, check=False
        )
    except FileNotFoundError:
        raise UserError(f"{what}: {command[0]} is not on PATH") from None
    except subprocess.TimeoutExpired:
        raise UserError(f"{what}: {command[0]} has not answered for {PATIENCE_S:.0f} s") from None
    except OSError as error:
        raise UserError(f"{what}: {command[0]}: {error.strerror}") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise UserError(f"{what}: {one_line(said) or f'{command[0]} ended with {done.returncode}'}")
    return done.stdout

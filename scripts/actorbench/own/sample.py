"""A sample of an own command: prepare, the command, what verifies its result, and cleanup, in that order.

Only the command is timed. What it leaves in a file counts only if the sample has written it: an older
result in the same place is none. Whatever happens, `cleanup` runs.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

from actorbench.cell import Cell
from actorbench.errors import BadRecordError
from actorbench.judging import Failure, judge, shortened, signal_name
from actorbench.own.command import OUTPUT, Own, words_of
from actorbench.process import Finished, run_process
from actorbench.project import Project
from actorbench.reading.formats import FORMATS, RECORD, STDERR, STDOUT, record_of
from actorbench.record import Record
from actorbench.stop import StopRequest


class StepError(Exception):
    """A step other than the command has failed."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


@dataclass
class OwnSample:
    """What it takes to take a sample of a cell with an own command."""

    project: Project
    cell: Cell
    timeout_s: float
    environment: Mapping[str, str]
    stop: StopRequest
    own: Own

    def take(self) -> tuple[Finished, Record | None, Failure | None]:
        """Run all steps; the time of the process that is returned is that of all of them together.

        Raises OSError if one can't be started, and StoppedError if the user asks to stop.
        """
        started = time.monotonic_ns()
        finished = Finished(None, None, False, 0, b"", b"")
        record: Record | None = None
        failure: Failure | None
        with TemporaryDirectory(prefix="actorbench-") as folder:
            self.own = self.own.filled({OUTPUT: str(Path(folder, OUTPUT))})
            try:
                with self._cleaned_up():
                    self._step("prepare", self.own.prepare)
                    source = self._source()
                    before = _stamp(source)
                    finished = self._run(self.own.command)
                    record, failure = judge(
                        finished,
                        self.timeout_s,
                        self.cell,
                        lambda stdout: self._record(finished, stdout, source, before),
                    )
                    failure = failure or self._wrong(finished)
            except StepError as error:
                failure = error.failure
        return replace(finished, wall_ns=time.monotonic_ns() - started), record, failure

    def _record(
        self, finished: Finished, stdout: str, source: Path | None, before: tuple[int, ...] | None
    ) -> Record:
        """Make the record of what the process left; raises BadRecordError."""
        own, cell = self.own, self.cell
        if finished.status != 0 and own.reader.format != RECORD.format:
            raise BadRecordError("it has failed")
        if source is None:
            is_error = (own.reader.source or FORMATS[own.reader.format].source) == STDERR
            text = finished.stderr.decode(errors="replace") if is_error else stdout
        elif _stamp(source) == before:
            raise BadRecordError(f"the command has not written {own.reader.source}, where its result is due")
        else:
            text = source.read_text(encoding="utf-8", errors="replace")
        about = {
            "system": cell.system,
            "design": cell.design,
            "build": cell.build,
            "workload": cell.workload,
            "parameters": dict(cell.parameters),
            **({} if cell.workers is None else {"workers": cell.workers}),
        }
        return record_of(own.reader, finished, text, about)

    def _wrong(self, finished: Finished) -> Failure | None:
        """Say why the result is not right; None if it is, as far as anything verifies it."""
        said = finished.stdout + finished.stderr
        if self.own.expected and self.own.expected.encode() not in said:
            return _failure("wrong result", f"the output does not hold '{self.own.expected}'", finished)
        if not self.own.verify:
            return None
        with TemporaryFile() as output:
            output.write(finished.stdout)
            output.seek(0)
            done = self._run(self.own.verify, stdin=output)
        if done.status == 0:
            return None
        return _failure("wrong result", f"verify: {_ending(done)}", finished)

    @contextmanager
    def _cleaned_up(self) -> Iterator[None]:
        """Run cleanup at the end; its own failure counts if nothing else failed."""
        try:
            yield
        except BaseException:
            if self.own.cleanup:
                self._run(self.own.cleanup, stoppable=False)
            raise
        self._step("cleanup", self.own.cleanup)

    def _step(self, name: str, line: str) -> None:
        """Run a step, if there is one; raises StepError if it fails."""
        if line and (done := self._run(line)).status != 0:
            raise StepError(_failure(f"{name} failed", f"{name}: {_ending(done)}", done))

    def _run(self, line: str, *, stdin: IO[bytes] | None = None, stoppable: bool = True) -> Finished:
        return run_process(
            words_of(line),
            timeout_s=self.timeout_s,
            environment={**self.environment, **dict(self.own.environment)},
            folder=self.cell.folder(self.project),
            stop=self.stop if stoppable else None,
            stdin=stdin,
        )

    def _source(self) -> Path | None:
        """The file that the result is read from; None if it is printed."""
        named = self.own.reader.source
        return None if named in ("", STDOUT, STDERR) else self.cell.folder(self.project) / named


def _stamp(path: Path | None) -> tuple[int, ...] | None:
    """What changes when a file is written; None if it is not there."""
    try:
        state = path.stat() if path else None
    except OSError:
        return None
    return state and (state.st_ino, state.st_size, state.st_mtime_ns)


def _ending(done: Finished) -> str:
    """Say how a process ended, with the last line that it said."""
    said = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
    how = f"exit status {done.status}" if done.signal is None else f"killed by {signal_name(done.signal)}"
    return f"{'still running, ' if done.timed_out else ''}{how}" + (f": {said[-1][:200]}" if said else "")


def _failure(kind: str, reason: str, done: Finished) -> Failure:
    outputs = (shortened(text.decode(errors="replace")) for text in (done.stdout, done.stderr))
    return Failure(kind, reason, *outputs)

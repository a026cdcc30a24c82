"""Hosts by ssh: a process on each takes all rounds, in a checkout there; what it takes is copied here.

The process goes on when the connection ends. It inherits a lock, on `.job` in the run's folder, that the
kernel frees with it: whether it is at work is what the lock says. Beside ssh it takes sh, tar and flock.

Where the host sees the very folder that lies here, on a shared file system, nothing is copied: a copy would
take the place of a file that grows. It is known by a file `.here` that is made on this side.
"""

import io
import re
import shlex
import tarfile
from collections.abc import Sequence

from actorbench.elsewhere.engine import Engine, Jobs, call, call_bytes
from actorbench.elsewhere.errand import FILE_NAME, LOGS, Errand, job_script
from actorbench.errors import UserError
from actorbench.store import write_whole

COPIED = ("run.json", "samples.jsonl", "put-aside.txt", f"{LOGS}/all.log")
HERE = ".here"
SSH = ("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10")


class Ssh(Engine):
    """Hosts that ssh reaches without asking anything."""

    name = "ssh"
    most_jobs = 1
    shares_files = False

    def machines(self, named: str) -> list[str]:
        """Take the hosts, each HOST, USER@HOST or HOST:FOLDER; raises UserError if one can't be reached."""
        hosts = named.split(",")
        for host in hosts:
            if not re.fullmatch(r"[A-Za-z0-9_][\w.@-]*(:/[^\s']+)?", host, re.ASCII):
                raise UserError(
                    f"--on ssh: '{host}' is no host, as in ssh:HOST,USER@HOST,HOST:/path/of/checkout"
                )
            call([*SSH, host.partition(":")[0], "true"], what=f"--on ssh: {host} can't be reached")
        return hosts

    def submit(self, errand: Errand, jobs: Sequence[int], *, retry_failed: bool) -> None:
        """Start the process, unless it is at work; raises UserError."""
        root, run = _root(errand), errand.folder.name
        size = errand.rounds_a_job
        first, last = size * jobs[0] + 1, size * (jobs[-1] + 1)
        job = job_script(root, run, str(first), str(last), retry_failed=retry_failed)
        # Planned here, and gone there: a plan made anew would take the place of what was measured.
        there = "test -e run.json || { echo its run is gone there >&2; exit 1; }" if errand.is_planned else ""
        script = f"""set -e
cd {shlex.quote(root)}
mkdir -p results/{run}/{LOGS}
cd results/{run}
{there}
cat > {FILE_NAME} <<'END'
{errand.to_json()}END
exec 9>> .job
flock -n 9 || exit 0
nohup setsid sh -c {shlex.quote(job)} >> {LOGS}/all.log 2>&1 < /dev/null &
echo $! > .job
"""
        try:
            (errand.folder / HERE).touch()
        except OSError as error:
            raise UserError(f"{errand.run.shown}: cannot be written: {error.strerror}") from error
        _call(errand, script)

    def look(self, errands: Sequence[Errand]) -> list[Jobs]:
        """Ask each host, and copy what its run has."""
        return [self._look(errand) for errand in errands]

    def _look(self, errand: Errand) -> Jobs:
        script = f"""cd {shlex.quote(_folder(errand))} 2> /dev/null || {{ echo over; exit 0; }}
if flock -n .job true; then echo over; else echo running; fi
[ -e {HERE} ] || tar -cf - {" ".join(COPIED)} 2> /dev/null || true
"""
        try:
            state, _, packed = _call(errand, script).partition(b"\n")
            if packed:
                _copy(errand, packed)
        except (UserError, OSError, tarfile.TarError, UnicodeDecodeError):
            return Jobs(known=False)
        return Jobs(running=[0] if state == b"running" else ())

    def how_to_end(self, errands: Sequence[Errand]) -> str:
        """Give the commands that end the processes."""
        return "; ".join(f"ssh {_host(one)} 'kill $(cat {_folder(one)}/.job)'" for one in errands)


def _copy(errand: Errand, packed: bytes) -> None:
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.name in COPIED else None
            if file is not None:
                write_whole(errand.folder / member.name, file.read().decode())


def _root(errand: Errand) -> str:
    """The folder of the checkout on the host: the one named, or where it is here."""
    return errand.machine.partition(":")[2] or str(errand.folder.parents[1])


def _folder(errand: Errand) -> str:
    return f"{_root(errand)}/results/{errand.folder.name}"


def _host(errand: Errand) -> str:
    return errand.machine.partition(":")[0]


def _call(errand: Errand, script: str) -> bytes:
    return call_bytes([*SSH, _host(errand), "sh"], what=f"--on ssh: {errand.machine}", given=script)

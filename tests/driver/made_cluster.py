"""Stand-ins for what --on calls: a cluster of two nodes, and hosts by ssh, as shell scripts and files.

The cluster is a folder: `nodes` lists its nodes, a file `hold.NODE` keeps a node from starting jobs, and each
array has a folder with what it was submitted as, and a file a job that is left, its state.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from actorbench.elsewhere import watching
from actorbench.store import Run
from conftest import PATIENCE_S, SOURCE, Checkout

SBATCH = """#!/bin/sh
cd CLUSTER || exit 1
for word in "$@"; do
    value=${word#*=}
    case $word in
        --job-name=*) name=$value ;;
        --nodelist=*) node=$value ;;
        --array=*) jobs=$(echo "${value%\\%*}" | tr , ' ') ;;
        --output=*) log=$value ;;
    esac
done
grep -qx "$node" nodes || { echo "sbatch: error: Invalid node name specified" >&2; exit 1; }
id=1
until mkdir $id 2>/dev/null; do id=$((id + 1)); done
echo "$@" > $id/asked
echo $name > $id/name
cat > $id/script
for job in $jobs; do echo PENDING > $id/$job.left; done
echo $id
(
    for job in $jobs; do
        while [ -e hold.$node ] && [ -e $id/$job.left ]; do sleep 0.02; done
        [ -e $id/$job.left ] || continue
        echo RUNNING > $id/$job.left
        SLURM_ARRAY_TASK_ID=$job SLURMD_NODENAME=$node sh $id/script >> ${log%\\%a.log}$job.log 2>&1 &
        echo $! > $id/pid
        wait $!
        rm -f $id/$job.left
    done
) > /dev/null 2>&1 < /dev/null &
"""
SQUEUE = """#!/bin/sh
cd CLUSTER || exit 1
for left in */*.left; do
    [ -e $left ] || continue
    job=${left#*/}
    echo "$(cat ${left%/*}/name) ${job%.left} $(cat $left)"
done
"""
SCANCEL = """#!/bin/sh
cd CLUSTER/$1 || exit 1
rm -f *.left
[ ! -e pid ] || kill $(cat pid) 2>/dev/null || true
"""
SINFO = """#!/bin/sh
while read node; do echo "$node both* idle"; echo "$node other idle"; done < CLUSTER/nodes
echo "broken both* down*"
"""
# Of each host's own: its name, and the lock of its machine. What it answers "lost" is not reached.
SSH = """#!/bin/sh
while [ "$1" = -o ]; do shift 2; done
host=$1; shift
[ "$host" = lost ] && { echo "ssh: connect to host lost port 22: No route to host" >&2; exit 255; }
mkdir -p CLUSTER/$host
export SLURMD_NODENAME=$host ACTORBENCH_LOCKS=CLUSTER/$host
unset ACTORBENCH_ROOT
exec "$@"
"""


@dataclass(frozen=True)
class Cluster:
    """The stand-in, and the checkout that its jobs measure in."""

    folder: Path
    checkout: Checkout

    def hold(self, node: str) -> None:
        """Keep a node from starting jobs."""
        (self.folder / f"hold.{node}").touch()

    def release(self, node: str) -> None:
        """Let it start them again."""
        (self.folder / f"hold.{node}").unlink()

    def arrays(self) -> list[str]:
        """What was submitted, each as sbatch's arguments in one line."""
        files = sorted(self.folder.glob("*/asked"), key=lambda path: int(path.parent.name))
        return [path.read_text() for path in files]

    def left(self) -> int:
        """How many jobs are queued or running."""
        return len(list(self.folder.glob("*/*.left")))

    def runs(self) -> dict[str, Run]:
        """The runs that have an errand, by the end of their names: the machine."""
        folders = [path.parent for path in self.checkout.project.results.glob("*/errand.json")]
        return {folder.name.rpartition("-")[2]: Run(folder) for folder in folders}


def wait_until(what: Callable[[], object]) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.01)


@pytest.fixture
def cluster(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    """Two nodes, and any hosts by ssh, that measure in the checkout or in copies of it."""
    folder, tools = checkout.root / "cluster", checkout.root / "bin"
    folder.mkdir()
    tools.mkdir()
    (folder / "nodes").write_text("node1\nnode2\n")
    for name, text in {
        "bin/sbatch": SBATCH,
        "bin/squeue": SQUEUE,
        "bin/scancel": SCANCEL,
        "bin/sinfo": SINFO,
        "bin/ssh": SSH,
        "actorbench": f'#!/bin/sh\nexec {sys.executable} -m actorbench "$@"\n',
    }.items():
        (checkout.root / name).write_text(text.replace("CLUSTER", str(folder)))
        (checkout.root / name).chmod(0o755)
    monkeypatch.setattr(watching, "LONGEST_PAUSE_S", 0.1)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    monkeypatch.setenv("PYTHONPATH", str(SOURCE / "scripts"))
    monkeypatch.delenv("SBATCH_PARTITION", raising=False)
    return Cluster(folder, checkout)

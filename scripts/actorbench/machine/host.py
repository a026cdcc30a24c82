"""The name of the machine that this process is on, where several machines share one folder."""

import os
import platform


def this_host() -> str:
    """Give the machine's name: that of the node in a job of Slurm's, which may differ from the network's."""
    return os.environ.get("SLURMD_NODENAME") or platform.node() or "unknown"

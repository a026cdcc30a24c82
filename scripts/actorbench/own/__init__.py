"""Own commands: programs of the user's own, measured as the workloads are (docs/own-programs.md)."""

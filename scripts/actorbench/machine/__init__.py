"""The machine: what it is (`facts`) and what about it makes numbers doubtful (`doubts`)."""

"""The designs of our runtime: their one list is `design` in `schemas/experiment-1.json`, with the default."""

from actorbench.schema import load_schema

_SCHEMA = load_schema("experiment-1")["$defs"]["design"]
DESIGNS: tuple[str, ...] = tuple(_SCHEMA["enum"])
DEFAULT_DESIGN: str = _SCHEMA["default"]  # what "ours" means where no design is named
EARLIER_DEFAULT = "message-centric"  # of runs that do not say theirs, which are older than today's

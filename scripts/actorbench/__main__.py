"""Run the driver as `python -m actorbench`, or as the command that a package installs."""

import sys

from actorbench.errors import EXIT_OWN_ERROR


def start() -> int:
    """Run the command line that the process was started with; returns the exit status."""
    try:
        from actorbench.cli import main  # noqa: PLC0415 - what it needs may be missing
    except ImportError as error:
        print(f"actorbench: {error}: make figures installs what is missing", file=sys.stderr)
        return EXIT_OWN_ERROR
    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(start())

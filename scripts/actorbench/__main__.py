"""Run the driver as `python -m actorbench`."""

import sys

from actorbench.errors import EXIT_OWN_ERROR

if __name__ == "__main__":
    try:
        from actorbench.cli import main
    except ImportError as error:
        print(f"actorbench: {error}: make figures installs what is missing", file=sys.stderr)
        sys.exit(EXIT_OWN_ERROR)
    sys.exit(main(sys.argv[1:]))

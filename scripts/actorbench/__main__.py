"""Run the driver as `python -m actorbench`."""

import sys

from actorbench.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

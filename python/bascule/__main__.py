"""`python -m bascule`: the same as the command `bascule`."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())

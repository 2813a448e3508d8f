"""`python -m bascule`: the command `bascule`; a program as its argument runs in the accelerated mode."""

from __future__ import annotations

import sys

from .commands import NAMES
from .interop.programs import is_program

if __name__ == "__main__":
    if is_program(sys.argv[1:], NAMES):
        from .interop.accelerated import run

        run(sys.argv[1:])
    else:
        from .cli import main

        sys.exit(main())

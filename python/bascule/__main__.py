"""`python -m bascule`: the command `bascule`; with a script, the script in the accelerated mode."""

from __future__ import annotations

import sys

from .cli import main


def _is_program(arguments: list[str]) -> bool:
    return arguments[:1] == ["-m"] and len(arguments) > 1 or bool(arguments) and arguments[0].endswith(".py")


if __name__ == "__main__":
    if _is_program(sys.argv[1:]):
        from .interop.accelerated import run

        run(sys.argv[1:])
    else:
        sys.exit(main())

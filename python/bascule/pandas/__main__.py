"""`python -m bascule.pandas script.py`: a pandas program, unchanged; the same as `python -m bascule script.py`."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    from ..interop.accelerated import run

    if len(sys.argv) < 2:
        sys.exit("usage: python -m bascule.pandas [-m module | -c text | - | script.py | folder] [arguments]")
    run(sys.argv[1:])

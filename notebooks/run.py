"""Runs notebooks as programs: their code cells in order, each notebook in its own process, with plots drawn but not
shown.

    python notebooks/run.py [--scale X] [PART OF A NAME ...]

The exit code is 1 if a cell of any notebook raises. Jupyter is not needed.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def cells(path: Path) -> list[str]:
    """The code of a notebook."""
    return CELL.findall(path.read_text())


def program(path: Path) -> str:
    """A notebook as a program whose line numbers are those in the notebook."""
    text, lines = path.read_text(), []
    for match in CELL.finditer(text):
        first = text.count("\n", 0, match.start(1))
        lines += [""] * (first - len(lines)) + match.group(1).splitlines()
    return "\n".join(lines) + "\n"


def run(path: Path, scale: float) -> tuple[int, str, float]:
    """The exit code, the output, and the seconds."""
    code = f"exec(compile({program(path)!r}, {path.name!r}, 'exec'), {{'__name__': '__main__'}})"
    environment = {**os.environ, "BASCULE_NOTEBOOK_SCALE": str(scale), "MPLBACKEND": "agg"}
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    return done.returncode, done.stdout + done.stderr, time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help="parts of the names of those to run; by default all")
    parser.add_argument("--scale", type=float, default=1.0, help="part of the full sizes (default: 1)")
    chosen = parser.parse_args()
    paths = [p for p in sorted(HERE.glob("*.md")) if not chosen.parts or any(part in p.name for part in chosen.parts)]
    failed = 0
    for path in paths:
        code, said, seconds = run(path, chosen.scale)
        print(f"{path.stem}: {'right' if code == 0 else 'FAILED'}, {seconds:.1f} s", flush=True)
        if code:
            failed += 1
            print(said, file=sys.stderr)
    return int(failed > 0 or not paths)


if __name__ == "__main__":
    sys.exit(main())

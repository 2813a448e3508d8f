"""Set up the virtual environment of the peers of frames: `python benchmarks/frames/peers/install.py FOLDER`, run by `make bench-frames`.

pandas, pyarrow and NumPy get the versions installed with bascule. Peers that cannot be installed are named here and in
the report.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from importlib.metadata import version
from pathlib import Path


def main(folder: Path) -> int:
    python = folder / "bin/python"
    if not python.exists():
        venv.create(folder, with_pip=True, symlinks=True)
    install = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    same = [f"{name}=={version(name)}" for name in ("numpy", "pandas", "pyarrow")]
    wrong = subprocess.run([*install, *same], check=False).returncode
    for name in ("polars", "duckdb"):
        if subprocess.run([*install, name, *same], check=False).returncode:
            print(f"missing: {name} did not install", file=sys.stderr)
    return wrong or fireducks(folder / "fireducks")


def fireducks(folder: Path) -> int:
    """Its own environment, since it comes with an older pandas; without it the other peers are compared."""
    python = folder / "bin/python"
    if not python.exists():
        venv.create(folder, with_pip=True, symlinks=True)
    if subprocess.run(
        [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "fireducks"], check=False
    ).returncode:
        print("missing: fireducks did not install", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

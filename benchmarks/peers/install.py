"""Set up the peers' virtual environment: `python benchmarks/peers/install.py FOLDER`, run by `make bench-peers`.

NumPy and SciPy get the versions installed with bascule, so that all libraries compute with the same NumPy. Peers that
cannot be installed are named here and in the report, where they count as faster.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from importlib.metadata import version
from pathlib import Path

from libraries import LIBRARIES


def main(folder: Path) -> int:
    python = folder / "bin/python"
    if not python.exists():
        venv.create(folder, with_pip=True, symlinks=True)
    pinned = [f"{name}=={version(name)}" for name in ("numpy", "scipy")]
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(pinned) + "\n")
    install = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "-c", str(constraints)]
    for name, library in LIBRARIES.items():
        if library.packages:
            done = subprocess.run([*install, *library.packages], check=False)
            if done.returncode:
                print(f"missing: {name} ({' '.join(library.packages)}) did not install", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

"""A fixed sample of the tests beside other versions of NumPy, pandas and Dask than the environment's own.

    python tests/versions.py [--only numpy] [--folder build/versions]

Each version is unpacked into a folder of its own, which stands before the environment's packages. What pip cannot get for this
Python is named, and does not fail; what it got and a test that fails with it does.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_ARRAYS = ("values", "einsum", "sets", "ordered", "array_attributes", "random_streams", "divmod")
ARRAYS = [f"tests/python/array/test_{name}.py" for name in _ARRAYS] + ["tests/python/bascule/test_numpy_versions.py"]
FRAMES = [f"tests/python/pandas/test_{name}.py" for name in ("idioms", "order", "moments", "to_numeric")]
CHUNKS = [f"tests/python/dask/test_{name}.py" for name in ("array_registration", "array_chunks", "layers")]
IMPORTS = "import bascule as bc; assert float((bc.arange(3) + 1).sum()) == 6; [getattr(bc, n) for n in dir(bc)]"


@dataclass
class Version:
    package: str
    wanted: str  # as pip is asked
    imports: str
    tests: list[str]


VERSIONS = [
    Version("numpy", "==2.1.0", IMPORTS, ARRAYS),
    Version("numpy", "==2.3.*", IMPORTS, ARRAYS),
    Version("numpy", "==2.4.*", IMPORTS, ARRAYS),
    Version("numpy", ">=2.5,<3", IMPORTS, ARRAYS),
    Version("pandas", "==3.0.0", "import bascule.pandas as pd; assert pd.Series([1, 2]).sum() == 3", FRAMES),
    Version("pandas", ">=3.1,<4", "import bascule.pandas as pd; assert pd.Series([1, 2]).sum() == 3", FRAMES),
    Version("dask", ">=2026.8,<2027", "import bascule.dask, dask.array", CHUNKS),
]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def unpacked(v: Version, folder: Path) -> Path | None:
    """Where the version lies; None where pip has none for this Python."""
    place = folder / (v.package + v.wanted.translate(str.maketrans("=<>,*", "_____")))
    if not (place / "done").exists():
        shutil.rmtree(place, ignore_errors=True)
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--only-binary=:all:", "--target", place]
        if subprocess.run([*map(str, command), v.package + v.wanted], capture_output=True).returncode:
            shutil.rmtree(place, ignore_errors=True)
            return None
        (place / "done").touch()
    return place


def passes(v: Version, place: Path) -> bool:
    environment = {**os.environ, "PYTHONPATH": str(place)}
    said = f"import {v.package} as p; print('==', {v.package!r}, p.__version__, flush=True)"
    test = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", *v.tests]
    for command in ([sys.executable, "-c", f"{said}; {v.imports}"], test):
        if subprocess.run(command, cwd=ROOT, env=environment).returncode:
            return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", choices=sorted({v.package for v in VERSIONS}), help="one package")
    parser.add_argument("--folder", type=Path, default=ROOT / "build/versions")
    chosen = parser.parse_args()
    failed, missing = [], []
    for v in VERSIONS:
        if chosen.only not in (None, v.package):
            continue
        place = unpacked(v, chosen.folder)
        if place is None:
            missing.append(v.package + v.wanted)
        elif not passes(v, place):
            failed.append(v.package + v.wanted)
    here = f"{sys.version_info[0]}.{sys.version_info[1]}"
    absent = [p for p in PYTHONS if p != here and not shutil.which("python" + p)]
    print(f"not to be had for Python {here}: {', '.join(missing) or 'nothing'}")
    print(f"interpreters that this machine lacks: {', '.join(absent) or 'none'}; run again with each, by PYTHON=… make")
    print(f"failed: {', '.join(failed) or 'none'}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())

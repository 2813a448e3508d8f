"""Repairs a wheel so that it runs on other Linux systems, installs it in a clean environment, and runs the tour and the small demo.

    python tests/check_wheel.py dist/bascule-….whl [--out dist/repaired]

auditwheel gives the wheel the oldest platform tag that its symbols allow: manylinux_2_27, since `make wheel` builds
with BASCULE_PORTABLE, which links glibc's older symbols and the C++ library (cmake/older_glibc.cpp). The exit code is 1
if the wheel is too large, needs a glibc newer than 2.28, has no bill of materials, does not install, if an example
prints another output than the tour's, or if the sorting library for GPUs is in the wheel and cannot be loaded.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST_BYTES = 25_000_000
TOUR = """
import doctest, re, sys
text = open(sys.argv[1]).read()
blocks = [b for b in re.findall(r"^```python\\n(.*?)^```$", text, re.DOTALL | re.MULTILINE) if ">>> " in b]
test = doctest.DocTestParser().get_doctest("\\n".join(blocks), {}, "tour", sys.argv[1], 0)
result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test)
import bascule
print(f"the tour: {result.attempted} examples, {result.failed} wrong, by {bascule.__file__}")
sys.exit(result.failed > 0 or result.attempted < 20 or sys.argv[2] not in bascule.__file__)
"""

ALGORITHMS = """
import ctypes, pathlib, bascule
path = pathlib.Path(bascule.__file__).parent / "libbascule_cuda_algorithms.so"
if path.exists():
    ctypes.CDLL(str(path)).bascule_cuda_algorithms
print("sorting and grouping on a GPU:", "in the wheel" if path.exists() else "not in the wheel")
"""


def run(*command: str | Path, **more: object) -> None:
    print("$", *command, flush=True)
    subprocess.run([str(c) for c in command], check=True, **more)  # type: ignore[call-overload]


def repaired(wheel: Path, out: Path) -> Path:
    """The wheel with the widest possible platform tag; libraries of CUDA and OpenBLAS stay in their own packages."""
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("*.whl"):
        old.unlink()
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", out, wheel, env={**os.environ, "PATH": path})
    return next(out.glob("*.whl"))


def lacks(wheel: Path) -> list[str]:
    """Components missing from the wheel's bill of materials: required packages, and the C++ library in the wheel."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    with zipfile.ZipFile(wheel) as files:
        bills = [n for n in files.namelist() if n.endswith(".dist-info/sboms/bascule.cdx.json")]
        named = {c["name"] for b in bills for c in json.loads(files.read(b))["components"]}
    wanted = [re.match(r"[A-Za-z0-9._-]+", r).group() for r in project["dependencies"]]  # type: ignore[union-attr]
    return [name for name in (*wanted, "libstdc++", "pybind11") if name not in named]


def newest_glibc(name: str) -> int:
    """The oldest of the platforms in a wheel's name, as the number behind 2."""
    return min(map(int, re.findall(r"manylinux_2_(\d+)_", name)), default=99)


def cards(wheel: Path) -> tuple[set[str], set[str]] | None:
    """Architectures of machine code and of PTX in the wheel's algorithms, by cuobjdump; None: either is missing."""
    tool = shutil.which("cuobjdump") or shutil.which("cuobjdump", path="/usr/local/cuda/bin")
    with zipfile.ZipFile(wheel) as files, tempfile.TemporaryDirectory() as folder:
        name = "bascule/libbascule_cuda_algorithms.so"
        if tool is None or name not in files.namelist():
            return None
        library = files.extract(name, folder)
        listed = [
            subprocess.run([tool, flag, library], capture_output=True, text=True).stdout for flag in ("-lelf", "-lptx")
        ]
    return set(re.findall(r"sm_(\d+)", listed[0])), set(re.findall(r"sm_(\d+)", listed[1]))


def promised() -> tuple[set[str], set[str]]:
    """The same as CMake asks nvcc for them."""
    text = (ROOT / "cpp/backend/cuda/CMakeLists.txt").read_text()
    names = re.search(r"CMAKE_CUDA_ARCHITECTURES ([\w -]+) CACHE", text).group(1).split()  # type: ignore[union-attr]
    return {n.partition("-")[0] for n in names}, {n for n in names if "-" not in n}


def try_out(wheel: Path) -> None:
    """Install the wheel in an empty environment, outside of the checkout, and use it."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin/python"
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "BASCULE"))}
        run(python, "-m", "pip", "install", "-q", f"{wheel.resolve()}[demo]", cwd=folder, env=environment)
        run(Path(folder) / "bin/bascule", "doctor", cwd=folder, env=environment)
        run(python, "-c", ALGORITHMS, cwd=folder, env=environment)
        run(python, "-c", TOUR, ROOT / "docs/tour.md", folder, cwd=folder, env=environment)
        run(
            Path(folder) / "bin/bascule", "demo", "--small", "--out", Path(folder) / "demo", cwd=folder, env=environment
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--out", type=Path, default=ROOT / "dist/repaired")
    parser.add_argument("--as-it-is", action="store_true", help="do not repair the wheel first")
    chosen = parser.parse_args()
    try:
        wheel = chosen.wheel if chosen.as_it_is else repaired(chosen.wheel, chosen.out)
        size = wheel.stat().st_size
        print(f"{wheel.name}: {size / 1e6:.1f} MB")
        if not chosen.as_it_is and newest_glibc(wheel.name) > 28:
            print("the wheel asks for a glibc newer than 2.28", file=sys.stderr)
            return 1
        if size > MOST_BYTES:
            print(f"a wheel is to stay within {MOST_BYTES / 1e6:.0f} MB", file=sys.stderr)
            return 1
        if missing := lacks(wheel):
            print(f"its bill of materials lacks {', '.join(missing)}", file=sys.stderr)
            return 1
        if (found := cards(wheel)) is not None and found != promised():
            print(f"the algorithms are for {found}, CMake asks for {promised()}", file=sys.stderr)
            return 1
        try_out(wheel)
    except subprocess.CalledProcessError as error:
        print(f"failed: {' '.join(map(str, error.cmd))[:200]}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

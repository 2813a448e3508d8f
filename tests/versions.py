"""The tests with each supported Python, NumPy, pandas and Dask: one line per combination, and one per missing package.

    python tests/versions.py [--one-in 20] [--only "NumPy 2.5"] [--jobs 2] [tests ...]

Each Python has an environment and a build of its own, which `make build` keeps up to date (.venv312, build/py312);
versions of packages that it lacks are unpacked into folders that precede it on the path. The output of pytest is kept
in build/versions.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
TITLES = {"numpy": "NumPy", "pandas": "pandas", "dask": "Dask", "scikit-learn": "scikit-learn"}
FRAMES = ("tests/python/pandas", "tests/python/dask", "tests/python/users")
CHUNKS = ("tests/python/dask", "tests/python/sched")


def supported() -> ModuleType:
    """bascule's table of versions, read from its file, since the package may not be built for this Python."""
    place = ROOT / "python/bascule/supported_versions.py"
    found = importlib.util.spec_from_file_location("supported_versions", place)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Combination:
    """A Python, the minor versions of packages to use, and the tests to run with them."""

    python: str
    packages: dict[str, tuple[int, ...]] = field(default_factory=dict)
    tests: tuple[str, ...] = ("tests/python", "tests/style")

    def __str__(self) -> str:
        return ", ".join(
            [f"Python {self.python}", *(f"{TITLES[p]} {'.'.join(map(str, v))}" for p, v in self.packages.items())]
        )


def combinations() -> list[Combination]:
    """The oldest and the newest of all packages, and the versions of NumPy that each Python has."""
    ranges = supported().SUPPORTED
    numpy = ranges["numpy"]
    rows = [Combination("3.11", {"numpy": numpy.oldest}), Combination("3.11", {"numpy": (2, 4)})]
    rows += [Combination(python, {"numpy": numpy.newest}) for python in ("3.12", "3.13", "3.14")]
    for package, tests in (("pandas", FRAMES), ("dask", CHUNKS)):
        oldest, newest = ranges[package].oldest, ranges[package].newest
        rows.append(Combination("3.11", {package: oldest}, tests))
        if newest != oldest:
            rows.append(Combination("3.12", {package: newest}, tests))
    return rows


def candidates(python: str) -> Iterator[str]:
    """Commands that may be a Python of this version: those on the path, and those that pyenv has only as shims."""
    yield sys.executable
    yield f"python{python}"
    root = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser()
    for folder in sorted((root / "versions").glob(f"{python}.*"), key=lambda f: numbers(f.name), reverse=True):
        yield str(folder / "bin" / f"python{python}")


def numbers(version: str) -> list[int]:
    return [int(n) for n in re.findall(r"\d+", version)]


def finds(command: str, python: str) -> bool:
    """Whether a command runs, has this version, and can create an environment in which bascule can be built."""
    question = (
        "import ensurepip, os, sys, sysconfig, venv; "
        "assert os.path.exists(sysconfig.get_path('include') + '/Python.h'); print('%d.%d' % sys.version_info[:2])"
    )
    try:
        done = subprocess.run([command, "-c", question], capture_output=True, text=True)
    except OSError:
        return False
    return done.returncode == 0 and done.stdout.strip() == python


@functools.cache
def interpreter(python: str) -> str | None:
    return next((command for command in candidates(python) if finds(command, python)), None)


@dataclass(frozen=True)
class Environment:
    """An environment with an up-to-date build of bascule."""

    python: Path
    emulated_device: Path


@functools.cache
def environment(python: str) -> Environment | None:
    """The environment for the tests of a Python; None if the build failed."""
    own = f"{sys.version_info[0]}.{sys.version_info[1]}" == python and Path(sys.prefix).parent == ROOT
    digits = python.replace(".", "")
    venv = Path(sys.prefix).name if own else f".venv{digits}"
    build = "build/make" if own else f"build/py{digits}"
    place = [f"VENV={venv}", f"BUILD={build}", f"PYTHON={interpreter(python)}"]
    if subprocess.run(["make", "--no-print-directory", "emulated-device", *place], cwd=ROOT).returncode:
        return None
    return Environment(ROOT / venv / "bin/python", ROOT / build / "tests/cuda/libbascule_fake_cuda.so")


def installed(python: Path, package: str, path: str = "") -> str:
    program = f"import importlib.metadata as m; print(m.version({package!r}))"
    done = subprocess.run(
        [python, "-c", program], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}
    )
    return done.stdout.strip()


def unpacked(python: Path, package: str, version: tuple[int, ...], folder: Path) -> Path | None:
    """The folder of a package that the environment has in another version; None if pip has none for this Python."""
    wanted = f"{package}=={'.'.join(map(str, version))}.*"
    place = folder / f"{python.parents[1].name}-{package}-{'.'.join(map(str, version))}"
    if not (place / "done").exists():
        shutil.rmtree(place, ignore_errors=True)
        packages = [wanted, wanted.replace("dask", "distributed")] if package == "dask" else [wanted]
        command = [python, "-m", "pip", "install", "-q", "--no-deps", "--only-binary=:all:", "--target", place]
        if subprocess.run([*map(str, command), *packages], capture_output=True).returncode:
            shutil.rmtree(place, ignore_errors=True)
            return None
        (place / "done").touch()
    return place


def outcome(printed: str) -> str:
    """pytest's counts, from the last line that has them."""
    lines = [line.strip("= ") for line in printed.splitlines() if re.search(r"\d+ (passed|failed|error)", line)]
    return re.sub(r"\x1b\[[0-9;]*m", "", lines[-1]) if lines else ""


def ran(
    c: Combination, found: Environment, folders: list[Path], log: Path, options: argparse.Namespace
) -> tuple[bool, str]:
    """Whether the tests pass, and the line of the report."""
    path = os.pathsep.join(map(str, folders))
    around = {**os.environ, "PYTHONPATH": path, "BASCULE_FAKE_CUDA": str(found.emulated_device)}
    command = [found.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", f"--one-in={options.one_in}"]
    if options.jobs > 1:
        command += ["-n", str(options.jobs)]
    started = time.monotonic()
    with log.open("w") as kept:
        done = subprocess.run(
            [*map(str, command), *(options.tests or c.tests)],
            cwd=ROOT,
            env=around,
            stdout=kept,
            stderr=subprocess.STDOUT,
        )
    versions = ", ".join(f"{title} {installed(found.python, package, path)}" for package, title in TITLES.items())
    said = outcome(log.read_text()) or f"no test ran, see {log}"
    minutes = (time.monotonic() - started) / 60
    return done.returncode == 0, f"Python {c.python}, {versions}: {said} ({minutes:.0f} min; {log.relative_to(ROOT)})"


def tried(c: Combination, options: argparse.Namespace) -> tuple[bool, str]:
    """Run a combination; one with missing packages does not count as failed."""
    if interpreter(c.python) is None:
        return True, f"{c}: missing, this machine has no Python {c.python} with its header and venv"
    found = environment(c.python)
    if found is None:
        return False, f"{c}: the build failed"
    folders = []
    for package, version in c.packages.items():
        if numbers(installed(found.python, package))[: len(version)] == list(version):
            continue
        place = unpacked(found.python, package, version, options.folder)
        if place is None:
            return True, f"{c}: missing, pip has no {TITLES[package]} of this version for Python {c.python}"
        folders.append(place)
    log = options.folder / (re.sub(r"[^\w.]+", "-", str(c)) + ".log")
    return ran(c, found, folders, log, options)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--one-in", type=int, default=1, metavar="N", help="a sample: one test in N")
    parser.add_argument("--only", default="", metavar="TEXT", help="the combinations whose names have this in them")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes that run tests (default: 2)")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / "build/versions", help="for packages and what pytest said"
    )
    parser.add_argument("--list", action="store_true", help="name the combinations and end")
    parser.add_argument("tests", nargs="*", help="files or folders (default: all that a combination is meant for)")
    options = parser.parse_args(arguments)
    chosen = [c for c in combinations() if options.only in str(c)]
    if options.list:
        print(*chosen, sep="\n")
        return 0
    if not chosen:
        parser.error(f"--only {options.only!r}: no combination has this in its name; --list has them all")
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    said = []
    for c in chosen:
        print(f"== {c}", flush=True)
        said.append(tried(c, options))
        print(said[-1][1], flush=True)
    print("== all combinations", *(("" if right else "FAILED ") + line for right, line in said), sep="\n")
    return int(not all(right for right, _ in said))


if __name__ == "__main__":
    sys.exit(main())

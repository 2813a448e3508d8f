"""The Array API standard's own test suite, which is not part of this project, run against `bascule.array_api`.

    python tests/conformance/array_api.py CLONE [--write] [options of pytest]

fails if a test fails that array_api_gaps.txt does not list; --write writes the counts next to that list.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

import bascule.array_api
import numpy

HERE = Path(__file__).parent


def outcomes(clone: Path, options: list[str]) -> dict[str, list[str]]:
    """Names of tests by their outcome."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider", "--hypothesis-disable-deadline"]  # fmt: skip
        subprocess.run(
            [*command, f"--junitxml={report}", *options, "array_api_tests"],
            cwd=clone,
            env={**os.environ, "ARRAY_API_TESTS_MODULE": "bascule.array_api"},
        )
        found: dict[str, list[str]] = {"passed": [], "failure": [], "error": [], "skipped": []}
        for case in xml.parse(report).iter("testcase"):
            result = next((part.tag for part in case if part.tag in found), "passed")
            found[result].append(f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}")
    return found


def version_of(clone: Path) -> str:
    command = ["git", "-C", str(clone), "describe", "--tags", "--always"]
    found = subprocess.run(command, capture_output=True, text=True)
    return found.stdout.strip() or "of unknown version"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clone", type=Path)
    parser.add_argument("--tag", help="the suite's version, where the clone cannot tell it")
    parser.add_argument("--write", action="store_true")
    arguments, options = parser.parse_known_args()
    gaps = [
        line for line in (HERE / "array_api_gaps.txt").read_text().splitlines() if line.startswith("array_api_tests")
    ]
    found = outcomes(arguments.clone, options)
    failed = found["failure"] + found["error"]
    new, closed = sorted(set(failed) - set(gaps)), sorted(set(gaps) & set(found["passed"]))
    lines = [
        f"array-api-tests {arguments.tag or version_of(arguments.clone)}, options: {' '.join(options) or 'none'}",
        f"bascule {bascule.__version__}, namespace bascule.array_api for the standard of {bascule.array_api.__array_api_version__}",
        f"{datetime.date.today()}, NumPy {numpy.__version__}, Python {platform.python_version()}",
        f"{len(found['passed'])} passed, {len(failed)} failed, of which {len(failed) - len(new)} listed in "
        f"array_api_gaps.txt, {len(found['skipped'])} skipped by the suite itself",
    ]
    print(
        *lines, *(f"not listed: {name}" for name in new), *(f"listed, but passes: {name}" for name in closed), sep="\n"
    )
    if arguments.write:
        (HERE / "array_api_result.txt").write_text("\n".join([*lines, *(f"not listed: {n}" for n in new)]) + "\n")
    return bool(new) or not found["passed"]


if __name__ == "__main__":
    sys.exit(main())

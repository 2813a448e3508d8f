"""Libraries that take arrays by the Array API standard, in a separate process, as SciPy reads a variable."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"


@pytest.mark.parametrize("library, tests", [("scikit_learn", 120), ("scipy_functions", 250)])
def test_unchanged_code_gives_numpys_results(library, tests):
    pytest.importorskip("sklearn", reason="scikit-learn, of the extra `test`, is not installed")
    pytest.importorskip("scipy", reason="SciPy, of the extra `test`, is not installed")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        PROGRAMS / f"{library}.py",
    ]
    child = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "SCIPY_ARRAY_API": "1"})
    closing = child.stdout.strip().splitlines()[-1] if child.stdout.strip() else child.stderr
    assert child.returncode == 0, child.stdout[-5000:] + child.stderr[-2000:]
    assert int(closing.split()[0]) >= tests and "skipped" not in closing, closing

"""Runs Python tests with an extension that was built with the address and the undefined-behaviour sanitizer.

    python tests/sanitized.py build/asan [pytest's arguments]

The package is assembled in the build's folder; an installed bascule is not used.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

RUN = """
import sys
sys.meta_path[:] = [f for f in sys.meta_path if type(f).__name__ != "ScikitBuildRedirectingFinder"]
import bascule, pytest
assert bascule.__file__.startswith(sys.argv[1]), bascule.__file__
raise SystemExit(pytest.main(sys.argv[2:]))
"""


def runtime(name: str) -> str:
    """Path of one of the compiler's sanitizer libraries."""
    compiler = os.environ.get("CXX", "c++")
    return os.path.realpath(subprocess.check_output([compiler, f"-print-file-name={name}"], text=True).strip())


def main() -> None:
    build, tests = Path(sys.argv[1]).resolve(), sys.argv[2:]
    package = build / "package"
    shutil.copytree("python/bascule", package / "bascule", dirs_exist_ok=True)
    for library in build.glob("python/_core*.so"):
        shutil.copy2(library, package / "bascule")
    os.environ.update(
        PYTHONPATH=str(package),
        LD_PRELOAD=f"{runtime('libasan.so')} {runtime('libubsan.so')}",
        # The interpreter does not free all memory at its end, and NumPy's tests request too much memory on purpose.
        ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1",
        UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1",
        # bascule is imported before the tests' own settings, so that laziness must be set here.
        BASCULE_FP_WARNINGS="lazy",
    )
    arguments = [sys.executable, "-c", RUN, str(package), "-q", "-s", "-p", "no:cacheprovider", *tests]
    os.execv(sys.executable, arguments)


main()

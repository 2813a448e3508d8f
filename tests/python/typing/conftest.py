"""The package as a checker sees it once it is installed, and the checkers."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from stub_signatures import BUILT

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "python/bascule"


def run(*command, **environment):
    done = subprocess.run(
        [*map(str, command)], env={**os.environ, **environment}, capture_output=True, text=True, timeout=280
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """The package as installed, including the built stubs."""
    folder = tmp_path_factory.mktemp("installed")
    shutil.copytree(PACKAGE, folder / "bascule", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    program, compiler = folder / "write_ufuncs", os.environ.get("CXX", "c++")
    source = ROOT / "python/stubs/write_ufuncs.cpp"
    code, said = run(compiler, "-std=c++20", "-O0", "-I", ROOT / "cpp/include", source, "-o", program)
    assert code == 0, said
    for name, space in BUILT:
        code, said = run(program, folder / "bascule" / name, *filter(None, [space]))
        assert code == 0, said
    return folder


@pytest.fixture
def mypy(installed):
    """Runs mypy on files or modules, strictly by default, and with the installed package."""
    pytest.importorskip("mypy", reason="mypy is not installed")
    options = ["--follow-imports=silent", "--config-file=", f"--cache-dir={installed / 'cache'}"]

    def check(*what, strict=True):
        chosen = [*options, *(["--strict"] if strict else [])]
        return run(sys.executable, "-m", "mypy", *chosen, *what, MYPYPATH=str(installed))

    return check


@pytest.fixture
def pyright(installed, tmp_path):
    """Runs pyright on files, with the installed package."""
    program = next(filter(None, map(shutil.which, ("pyright", "basedpyright"))), None)
    if program is None:
        pytest.skip("pyright is not installed")

    def check(*files):
        for file in files:
            if file.parent != tmp_path:
                shutil.copy(file, tmp_path)
        settings = {"include": [file.name for file in files], "extraPaths": [str(installed)]}
        settings |= {"typeCheckingMode": "standard", "enableTypeIgnoreComments": True, "reportUnusedExpression": False}
        (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
        return run(program, "-p", tmp_path, "--pythonpath", sys.executable)

    return check

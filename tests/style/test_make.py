"""The message of `make` where a tool is missing: one sentence, before anything long runs."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAKE = shutil.which("make")
pytestmark = pytest.mark.skipif(MAKE is None, reason="make is not installed")


def script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def few_commands(tmp_path):
    """A folder for PATH, with what the rules themselves need and no compiler."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("bash", "sh", "cat", "nproc", "find", "touch"):
        (folder / name).symlink_to(shutil.which(name))
    script(folder / "python3", "exit 0")
    return folder


def complaint(target, path=None, **variables):
    """The output of a failing `make target`, and the last line of its complaint, in an environment without variables of an outer make."""
    hidden = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "CXX", "CXXFLAGS"}
    environment = {k: v for k, v in os.environ.items() if k not in hidden}
    if path is not None:
        environment["PATH"] = str(path)
    arguments = [f"{k}={v}" for k, v in variables.items()]
    command = [MAKE, "--no-print-directory", "-C", ROOT, target, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    said = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    return done.stdout, said[-1]


@pytest.fixture
def venv(tmp_path):
    """Stands for .venv: nothing of it runs, and nothing is installed."""
    folder = tmp_path / "venv"
    (folder / "bin").mkdir(parents=True)
    script(folder / "bin/python", 'test "$2" != pip')
    return folder


@pytest.mark.parametrize("target", ["build", "test", "wheel", "sanitize", "nvrtc"])
def test_no_compiler(few_commands, venv, target):
    printed, said = complaint(target, few_commands, VENV=venv)
    assert printed == ""
    assert said == "missing: a C++20 compiler (Debian: apt-get install g++)"


@pytest.mark.parametrize("absent", ["address", "thread"])
def test_no_sanitizer(few_commands, venv, absent):
    script(few_commands / "c++", f'cat >/dev/null; case "$*" in *sanitize={absent}*) exit 1;; esac')
    printed, said = complaint("sanitize", few_commands, VENV=venv)
    assert printed == ""
    assert said.startswith("missing: the compiler's libraries for -fsanitize=" + absent)


@pytest.mark.parametrize("target", ["sanitize", "nvrtc"])
def test_no_googletest(few_commands, venv, target):
    script(few_commands / "c++", 'cat >/dev/null; case "$*" in *" -E "*) exit 1;; esac')
    printed, said = complaint(target, few_commands, VENV=venv)
    assert printed == ""
    assert said == "missing: GoogleTest (Debian: apt-get install libgtest-dev)"


def test_no_suite_of_the_array_api(venv):
    printed, said = complaint("conformance", ARRAY_API_TESTS="", VENV=venv)
    assert printed == ""
    assert said.startswith("missing: ARRAY_API_TESTS, the path of a clone of ")


SHIM = 'echo "pyenv: $0: command not found" >&2; exit 127'


@pytest.fixture
def pythons(few_commands, monkeypatch):
    """Commands that stand for Pythons: they print what they are asked to do, and make no environment."""
    monkeypatch.setenv("PATH", str(few_commands))
    monkeypatch.delenv("PYTHON", raising=False)

    def have(**named):
        for name, works in named.items():
            answers = f'case "$1" in -V) echo "{name}";; -m) echo "{name} made $3";; esac'
            script(few_commands / name.replace("_", "."), answers if works else SHIM)

    return have


def made(venv, **variables):
    done = subprocess.run(
        [MAKE, "--no-print-directory", "-C", ROOT, venv / "bin/python", f"VENV={venv}"],
        env={"PATH": os.environ["PATH"], **variables},
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stdout.splitlines()[-1:], done.stderr


def test_the_newest_python_that_works_is_taken(tmp_path, pythons):
    pythons(python3_14=False, python3_13=False, python3_12=True, python3_11=True, python3=True)
    assert made(tmp_path / "new") == (0, [f"python3_12 made {tmp_path / 'new'}"], "")


def test_a_python_that_is_asked_for_is_taken_or_named_as_missing(tmp_path, pythons):
    pythons(python3_14=True, python3_12=True, python3_11=False)
    assert made(tmp_path / "new", PYTHON="python3.12") == (0, [f"python3_12 made {tmp_path / 'new'}"], "")
    status, printed, said = made(tmp_path / "new", PYTHON="python3.11")
    assert status != 0 and printed == []
    assert said.startswith("missing: a Python 3.11 to 3.14 with Python.h and venv, which PYTHON=python3.11 is not")


def test_packages_that_cannot_be_had(few_commands, venv):
    _, said = complaint(venv / "installed", few_commands, VENV=venv)
    assert said.startswith("missing: packages that pip did not get")

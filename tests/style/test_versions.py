"""make test-versions: which combinations there are, where Pythons are looked for, what is said of a run."""

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "versions.py"
found = importlib.util.spec_from_file_location("versions_of_tests", SCRIPT)
versions = sys.modules[found.name] = importlib.util.module_from_spec(found)
found.loader.exec_module(versions)


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_the_ends_of_every_range_are_among_the_combinations():
    packages = [set(c.packages.items()) for c in versions.combinations()]
    for package in ("numpy", "pandas", "dask"):
        supported = versions.supported().SUPPORTED[package]
        assert {(package, supported.oldest), (package, supported.newest)} <= set().union(*packages)
    assert {c.python for c in versions.combinations()} == {"3.11", "3.12", "3.13", "3.14"}


def test_a_shim_that_stands_for_no_python_is_passed_over(tmp_path, monkeypatch):
    script(tmp_path / "bin/python3.7", 'echo "pyenv: python3.7: command not found" >&2; exit 127')
    script(tmp_path / "pyenv/versions/3.7.2/bin/python3.7", "exit 1")
    script(tmp_path / "pyenv/versions/3.7.12/bin/python3.7", "echo 3.7")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    versions.interpreter.cache_clear()
    assert versions.interpreter("3.7") == str(tmp_path / "pyenv/versions/3.7.12/bin/python3.7")
    assert versions.interpreter("3.6") is None


@pytest.mark.parametrize(
    "printed, said",
    [
        ("FAILED a.py - 3 failed\n== 1 failed, 20 passed, 3 skipped in 2.1s ==\n", "1 failed, 20 passed, 3 skipped in 2.1s"),
        ("\x1b[32m\x1b[1m7 passed\x1b[0m in 1s\nbye", "7 passed in 1s"),
        ("INTERNALERROR> no test", ""),
    ],
)  # fmt: skip
def test_what_pytest_counted_is_its_last_line_of_counts(printed, said):
    assert versions.outcome(printed) == said


def test_a_missing_python_is_named_and_does_not_fail(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(versions, "interpreter", lambda python: None)
    assert versions.main(["--only", "Python 3.14", "--folder", str(tmp_path)]) == 0
    assert "Python 3.14, NumPy 2.5: missing, this machine has no Python 3.14" in capsys.readouterr().out


def test_a_failed_build_fails(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(versions, "interpreter", lambda python: "python")
    monkeypatch.setattr(versions, "environment", lambda python: None)
    assert versions.main(["--only", "Python 3.13", "--folder", str(tmp_path)]) == 1
    assert capsys.readouterr().out.endswith("FAILED Python 3.13, NumPy 2.5: the build failed\n")


def test_a_combination_that_is_none_is_refused(capsys):
    with pytest.raises(SystemExit):
        versions.main(["--only", "Python 2.7"])
    assert "--only 'Python 2.7'" in capsys.readouterr().err

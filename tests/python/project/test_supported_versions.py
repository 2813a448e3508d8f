"""Supported versions of other packages: one table, which pyproject.toml follows, and the notes on newer versions. The version in Python equals that of the installed distribution."""

import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import bascule
import pytest
from bascule import cli, installation
from bascule.supported_versions import REPLACED, SUPPORTED, Range, newer_than_tested, numbers

PROJECT = tomllib.loads((Path(__file__).resolve().parents[3] / "pyproject.toml").read_text())["project"]
ASKED = PROJECT["dependencies"] + [r for rs in PROJECT["optional-dependencies"].values() for r in rs]


def without_extras(requirement):
    return re.sub(r"\[.*?\]", "", requirement)


@pytest.mark.parametrize("package", SUPPORTED)
def test_pip_is_asked_for_what_the_table_says(package):
    asked = {without_extras(r) for r in ASKED if re.match(rf"{package}\b(?!-)", r)}
    wanted = SUPPORTED[package].requirement(package)
    assert wanted in asked
    of_tests = {f"dask<{SUPPORTED['dask'].newest[0]}.{SUPPORTED['dask'].newest[1] + 1}"}
    assert asked - {wanted, package} <= of_tests
    hints = [w.strip("'") for p, _, w in installation.REQUIRED + installation.OPTIONAL if p == package]
    assert [without_extras(w) for w in hints] == [wanted] * len(hints)


@pytest.mark.parametrize("package", SUPPORTED)
def test_what_is_installed_for_the_tests_is_supported(package):
    assert SUPPORTED[package].has(numbers(importlib.metadata.version(package)))


@pytest.mark.parametrize(
    "version, supported, newer",
    [("2.0.2", False, False), ("2.1.0", True, False), ("2.5.9", True, False), ("2.6.0rc1", False, True)]
    + [("3.0", False, True), ("2.10", False, True), ("2.5.0+local.7", True, False)],
)  # fmt: skip
def test_versions_are_compared_as_numbers(version, supported, newer):
    r = Range((2, 1), (2, 5), below="3")
    assert (r.has(numbers(version)), r.is_exceeded_by(numbers(version))) == (supported, newer)


def test_a_range_may_end_with_a_whole_major_version():
    assert REPLACED["h5py"].newest == (3,)
    assert REPLACED["h5py"].has((3, 99)) and not REPLACED["h5py"].has((4, 0))


@pytest.fixture
def newer(monkeypatch):
    """An environment whose packages are all newer than the tested ones."""
    monkeypatch.setattr(importlib.metadata, "version", lambda package: "2099.1")


def test_each_newer_package_is_reported_once(newer):
    said = newer_than_tested()
    assert [text.split()[0] for text in said] == list(SUPPORTED)
    assert said[0].startswith("numpy 2099.1 is newer than 2.5, the newest that this bascule was tested with")


@pytest.mark.parametrize("command", ["info", "doctor"])
def test_info_and_doctor_report_newer_packages(command, newer, monkeypatch, capsys):
    monkeypatch.setattr("bascule.commands.doctor.CHECKS", [])
    cli.main([command])
    assert capsys.readouterr().out.count("numpy 2099.1 is newer than 2.5") == 1
    cli.main([command, "--json"])
    assert json.loads(capsys.readouterr().out)["newer_than_tested"] == newer_than_tested()


def test_info_has_no_empty_paragraph(capsys):
    cli.main(["info"])
    assert "newer than tested" not in capsys.readouterr().out


def test_imports_say_nothing_of_newer_versions():
    program = """
import importlib.metadata, warnings
warnings.simplefilter("error")
import numpy, pandas
numpy.__version__ = pandas.__version__ = "2.99"
known = importlib.metadata.version
importlib.metadata.version = lambda name: "2099.1" if name in ("dask", "distributed") else known(name)
import dask.base, bascule, bascule.pandas, bascule.dask
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


# ---- The version in Python equals that of the installed distribution


ROOT = Path(__file__).resolve().parents[3]


def test_version_is_that_of_the_distribution():
    assert bascule.__version__ == version("bascule")


def test_every_file_that_names_the_version_names_the_same():
    positions = {
        "pyproject.toml": r'^version = "(.*)"$',
        "CITATION.cff": r"^version: (.*)$",
        "conda-recipe/recipe.yaml": r'^  version: "(.*)"$',
        "CMakeLists.txt": r"VERSION (\d+\.\d+\.\d+)\b(?!\s*FATAL)",
    }
    for place, form in positions.items():
        found = re.findall(form, (ROOT / place).read_text(), re.MULTILINE)
        assert found and set(found) == {bascule.__version__}, place

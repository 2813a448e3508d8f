"""The version in Python equals that of the installed distribution."""

import re
from importlib.metadata import version
from pathlib import Path

import bascule

ROOT = Path(__file__).resolve().parents[3]


def test_version_is_that_of_the_distribution():
    assert bascule.__version__ == version("bascule")


def test_every_file_that_names_the_version_names_the_same():
    places = {
        "pyproject.toml": r'^version = "(.*)"$',
        "CITATION.cff": r"^version: (.*)$",
        "conda-recipe/recipe.yaml": r'^  version: "(.*)"$',
        "CMakeLists.txt": r"VERSION (\d+\.\d+\.\d+)\b(?!\s*FATAL)",
    }
    for place, form in places.items():
        found = re.findall(form, (ROOT / place).read_text(), re.MULTILINE)
        assert found and set(found) == {bascule.__version__}, place

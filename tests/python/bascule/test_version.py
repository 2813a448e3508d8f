"""The version that Python reports is the one of the installed distribution."""

from importlib.metadata import version

import bascule


def test_version_is_that_of_the_distribution():
    assert bascule.__version__ == version("bascule")

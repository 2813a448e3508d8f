"""What many docstrings say alike, and how their sections are put together."""

from __future__ import annotations

_IMPORTS = (("bc.", "import bascule as bc"), ("np.", "import numpy as np"))


def _section(title: str, text: str) -> str:
    lines = [title, "-" * len(title), *text.split("\n")]
    return "".join(f"    {line}\n" for line in lines if line) + "\n" if text else ""


def entry(parameters: str, returns: str, example: str, raises: str = "", notes: str = "") -> str:
    """The sections of a docstring, in numpydoc's order; the example imports what it names."""
    imports = "".join(f">>> {line}\n" for name, line in _IMPORTS if name in example)
    return (
        _section("Parameters", parameters)
        + _section("Returns", returns)
        + _section("Raises", raises)
        + _section("Notes", notes)
        + _section("Examples", imports + example)
    ).rstrip() + "\n    "


ARRAY = """
a : array_like, any shape
"""
AXIS = """
axis : int or tuple of int, optional
    Axes that are reduced; all of them when absent.
"""
ONE_AXIS = """
axis : int, optional
    The axis; the flattened array when absent.
"""
FOLD_DTYPE = """
dtype : dtype, optional
    Type to compute in and to return. When absent, booleans and integers of fewer than 64 bits become int64 or uint64, and
    other types are kept.
"""
OUT = """
out : ndarray, optional
    Where the result goes; it must have the result's shape.
"""
KEEPDIMS = """
keepdims : bool, optional
    Keep the reduced axes, with length one.
"""
INITIAL = """
initial : scalar, optional
    What the reduction starts from.
"""
WHERE = """
where : array_like of bool, optional
    Elements that take part; it broadcasts to the shape of `a`.
"""
DTYPE = """
dtype : dtype, optional
    Type of the elements.
"""
ORDER = """
order : {"C", "F"}, optional
    Layout in memory: whether elements along the last axis or along the first lie side by side.
"""
LIES = """
device : str, optional
    Where the result lies; by default `config.device`.
like : ndarray, optional
    Another way to say where: beside this array.
"""
LIKE = """
like : ndarray, optional
    The result lies on this array's device.
"""
BAD_AXIS = """
numpy.exceptions.AxisError
    There is no such axis.
"""

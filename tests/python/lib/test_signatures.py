"""Parameters of every public function: names, kinds and defaults are NumPy's; exceptions are listed."""

import inspect

import bascule as bc
import numpy as np
import pytest
from newer_parameters import common

pytestmark = pytest.mark.usefixtures("native")

_DEVICE = "the Array API's device="
_ALLOWED = {
    ("arange", "more"): "NumPy's C code takes a fourth positional dtype, which its signature does not show",
    ("arange", "start_or_stop"): "may be left out where stop= is given, as in NumPy in spite of its signature",
    ("arange", "start"): "NumPy's C code takes start=, which its signature does not show",
    **{("where", n): "NumPy's signature says None, which NumPy tells from what is not given" for n in "xy"},
    **{(n, "device"): _DEVICE for n in ("array", "identity", "tri")},
}


def names():
    return sorted(n for n in np.__all__ if callable(getattr(np, n)) and not isinstance(getattr(np, n), type))


def listed(f):
    """(name, kind, default) of each parameter."""
    return {p.name: (p.name, p.kind.name, _plain(p.default)) for p in inspect.signature(f).parameters.values()}


def _plain(default):
    """Make defaults comparable, including NaN and missing ones."""
    return repr(default)


@pytest.mark.parametrize("name", [n for n in names() if not isinstance(getattr(np, n), np.ufunc)])
def test_parameters_are_those_of_numpy(name):
    try:
        ours = getattr(bc, name)
    except AttributeError as error:
        assert f"bascule has no {name}: it " in str(error)  # the error names a replacement
        return
    theirs = getattr(np, name)
    try:
        expected = listed(theirs)
    except ValueError:
        expected = None  # a builtin without a signature
    if name == "fromstring":  # NumPy has no signature for it, or shows no default for sep=
        assert list(listed(ours)) == ["string", "dtype", "count", "sep", "like"]
        return
    found = listed(ours)
    for parameter in set(found) | set(expected):
        if (name, parameter) in _ALLOWED:
            found.pop(parameter), expected.pop(parameter, None)
    known = {p.name for p in common(inspect.signature(ours), inspect.signature(theirs))[0]}
    found = {name: p for name, p in found.items() if name in known}
    assert list(found.values()) == list(expected.values())


@pytest.mark.parametrize("name", [n for n in names() if isinstance(getattr(np, n), np.ufunc)])
def test_ufuncs_are_ufuncs_or_take_their_arguments(name):
    ours, theirs = getattr(bc, name), getattr(np, name)
    if isinstance(ours, bc.ufunc):
        assert (ours.nin, ours.nout) == (theirs.nin, theirs.nout)
        return
    inputs = [p for p in inspect.signature(ours).parameters.values() if p.kind is p.POSITIONAL_ONLY]
    assert len(inputs) == theirs.nin and "out" in inspect.signature(ours).parameters


def test_every_exception_is_used():
    for name, parameter in _ALLOWED:
        ours, theirs = listed(getattr(bc, name)), listed(getattr(np, name))
        assert ours.get(parameter) != theirs.get(parameter), (name, parameter)


@pytest.mark.parametrize("name", ["vectorize", "ndindex"])
def test_classes_take_numpys_arguments(name):
    assert listed(getattr(bc, name)) == listed(getattr(np, name))

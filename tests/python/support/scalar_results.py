"""Checks that a result is a scalar or an array without axes where NumPy's is one, with NumPy's type."""

from __future__ import annotations

import contextlib

import bascule as bc
import conformance
import numpy as np
from bascule import _core
from conformance import NOTHING

_PLAIN = (np.generic, bool, int, float, complex, str, bytes, type(None))
_OF_64_BITS = {np.longlong: np.int64, np.ulonglong: np.uint64}  # NumPy has two types of each; arrays here have one


def other_form(ours, theirs):
    """The difference in form from NumPy's result, part by part, or an empty string."""
    if isinstance(theirs, _PLAIN):
        kind = _OF_64_BITS.get(type(theirs), type(theirs))
        return "" if type(ours) is kind else f"{_named(ours)} where NumPy has the scalar {theirs!r}"
    if type(theirs) is np.ndarray and theirs.dtype.kind in "biufcmM":
        if type(ours) is not bc.ndarray or _core.is_scalar(ours) or ours.ndim != theirs.ndim:
            return f"{_named(ours)} where NumPy has an array of {theirs.ndim} axes"
        return ""
    if isinstance(theirs, dict):
        return "" if list(ours) == list(theirs) else f"{ours!r} is not {theirs!r}"
    if type(ours).__name__ != type(theirs).__name__:
        return f"{_named(ours)} where NumPy has {_named(theirs)}"
    if isinstance(theirs, (tuple, list)):
        if len(ours) != len(theirs):
            return f"{len(ours)} parts, not {len(theirs)}"
        return next(filter(None, map(other_form, ours, theirs)), "")
    return ""


def _named(x):
    flag = " that stands for a scalar" if type(x) is bc.ndarray and _core.is_scalar(x) else ""
    return f"a {type(x).__name__}{flag} {x!r}"


def differs(ours, theirs, rtol=1e-12):
    """The difference in form, type and values."""
    return other_form(ours, theirs) or conformance.differs(ours, theirs, rtol)


def outcome(function, *args):
    with np.errstate(all="ignore"):
        try:
            return function(*args), None
        except Exception as error:
            return NOTHING, error


def compared(ours, theirs, rtol=1e-12):
    """The difference of two outcomes: results, or errors of one class."""
    (r, error), (expected, theirs_error) = ours, theirs
    if expected is NOTHING and r is NOTHING:
        kinds = conformance.kind_of(error), conformance.kind_of(theirs_error)
        related = isinstance(error, kinds[1]) or isinstance(theirs_error, kinds[0])
        return "" if related else f"raised {error!r}, NumPy {theirs_error!r}"
    if expected is NOTHING or r is NOTHING:
        return f"{error if r is NOTHING else r!r} is not NumPy's {theirs_error if expected is NOTHING else expected!r}"
    return differs(r, expected, rtol)


@contextlib.contextmanager
def eager_below(n):
    """Arrays with fewer elements are computed at once; with 0 all are lazy. None changes nothing."""
    default = _core.get_eager_below()
    _core.set_eager_below(default if n is None else n)
    try:
        yield
    finally:
        _core.set_eager_below(default)


def elements(shape, kind, seed=1):
    return np.array(conformance.elements(shape, kind, seed, "positive"))

"""Finds data passed to NumPy: large arguments of its functions, and arrays that are converted to NumPy's."""

import contextlib
import functools
import importlib
import sys

import bascule as bc
import numpy as np
from bascule._array import conversion

# Limits up to which a few elements are NumPy's, because its loop takes less time than ours; here none are few.
_FEW = {
    "bascule._array.datetimes": {"_FEW": -1},
    "bascule.lib.convolve_windows": {"_FEW_PRODUCTS": {}, "_FEW_OF_INTEGERS": -1},
    "bascule.lib.calculus": {"_FEW": -1},
    "bascule.tracing.vectorize": {"FEW": -1},
}
MANY = 40  # elements; indices, shapes and coefficients are fewer
# Functions that convert Python objects or read types move no elements of arrays.
_HARMLESS = {"asarray", "asanyarray", "array", "shape", "ndim", "size", "dtype", "result_type", "can_cast", "iterable",
             "may_share_memory", "shares_memory", "promote_types", "isscalar", "broadcast_shapes"}  # fmt: skip
_SPACES = (np, np.linalg, np.fft, np.random, np.lib.stride_tricks, np.polynomial.polynomial, np.polynomial.polyutils)


def _large(x, depth=0):
    if isinstance(x, np.ndarray):
        return x.size >= MANY
    if isinstance(x, (list, tuple)) and depth < 2:
        return any(_large(v, depth + 1) for v in x)
    return isinstance(x, dict) and any(_large(v, depth + 1) for v in x.values())


class _Recorder:
    """A function of NumPy's that records large arguments; its attributes are unchanged."""

    def __init__(self, name, function, found):
        self.__dict__.update(_name=name, _function=function, _found=found)

    def __call__(self, *args, **kwargs):
        r = self._function(*args, **kwargs)
        caller = sys._getframe(1).f_globals.get("__name__", "")
        if caller.partition(".")[0] != "bascule":
            return r  # NumPy's own call within a recorded function
        if _large(args) or _large(kwargs) or (isinstance(r, (np.ndarray, tuple)) and _large(r)):
            self._found.append(self._name)
        return r

    def __getattr__(self, name):
        return getattr(self._function, name)


def _ours():
    return [m for name, m in list(sys.modules.items()) if name.partition(".")[0] == "bascule" and m is not None]


def _leaving(name, function, found):
    @functools.wraps(function)
    def call(x, *args, **kwargs):
        if type(x) is bc.ndarray and x.size >= MANY:
            found.append(name)
        return function(x, *args, **kwargs)

    return call


@contextlib.contextmanager
def handed_to_numpy():
    """The names of the functions called within the block, in a list that grows."""
    found, before = [], []

    def put(module, name, value):
        before.append((module, name, getattr(module, name)))
        setattr(module, name, value)

    for module, limits in _FEW.items():
        for name, limit in limits.items():
            put(importlib.import_module(module), name, limit)
    for space in _SPACES:
        for name, f in list(vars(space).items()):
            is_function = callable(f) and not isinstance(f, type) and not name.startswith("_")
            if is_function and name not in _HARMLESS:
                put(space, name, _Recorder(f"{space.__name__}.{name}", f, found))
    for name in ("to_numpy", "host_view"):
        theirs = getattr(bc._core, name, None) or getattr(conversion, name)
        for module in _ours():
            if vars(module).get(name) is theirs or (module is conversion and hasattr(module, name)):
                put(module, name, _leaving(name, getattr(module, name), found))
    try:
        yield found
    finally:
        for module, name, value in reversed(before):
            setattr(module, name, value)

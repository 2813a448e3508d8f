"""Differences between NumPy's versions, and which of them the installed one has. No other module asks for its version."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from .. import _core
from ..supported_versions import numbers

INSTALLED = numbers(np.__version__)

# Differences that a program can see, and the version that introduced them. Older versions do the opposite, and bascule
# follows the installed one, except in sums of float16 over several axes, which NumPy before 2.3 split in another way.
_SINCE = {
    "C functions and ufuncs have signatures": (2, 4),
    "empty means end without a stop": (2, 4),
    "variances square": (2, 4),  # older versions multiply, and the warnings say so
    "einsum's pairs multiply": (
        2,
        4,
    ),  # where it plans; older versions sum single products, which have no negative zero
    "quantiles compute with q as it is": (2, 4),  # older versions compute with q in the type of the data
    "unique takes one axis as none": (2, 4),  # older versions treat the elements as rows of one element
    "arrays have no tostring": (2, 3),
    "setting strides is deprecated": (2, 4),
    "accumulate refuses an output without axes": (2, 5),  # older versions end the process
    "bincount refuses fractions": (2, 5),
    "diagonals are integers": (2, 5),
    "durations without a unit are deprecated": (2, 5),
    "eigenvalues are complex": (2, 5),
    "elements taken go to out by same_kind": (2, 5),
    "fix is deprecated": (2, 5),
    "grids are tuples": (2, 5),
    "interp of nothing is nothing": (2, 5),
    "quantiles of NaN have the computation's type": (2, 5),
    "row_stack is gone": (2, 5),
    "setting shapes and dtypes is deprecated": (2, 5),
    "signs of durations are numbers": (2, 5),
    "sorts descend": (2, 5),
    "streams of dlpack are refused by value": (2, 5),
    "times that overflow raise": (2, 5),
    "vectors of two elements have no cross product": (2, 5),
    "where refuses integers that do not fit": (2, 5),
}


def since(difference: str) -> bool:
    """Whether the installed NumPy behaves as the table's entry says."""
    return INSTALLED >= _SINCE[difference]


EMPTY_MEAN = "Mean of empty slice" if since("empty means end without a stop") else "Mean of empty slice."


def signature_of(theirs: Any) -> inspect.Signature | None:
    """The signature of a function or class of NumPy's; None where NumPy does not publish it. Older versions publish
    none for ufuncs, but all ufuncs share one.
    """
    try:
        return inspect.signature(theirs)
    except ValueError:
        return _ufunc_signature(theirs) if isinstance(theirs, np.ufunc) else None


def _ufunc_signature(ufunc: np.ufunc) -> inspect.Signature:
    names = ["x"] if ufunc.nin == 1 else [f"x{k + 1}" for k in range(ufunc.nin)]
    without = np._NoValue
    special = {"where": True} if ufunc.signature is None else {"axes": without, "axis": without, "keepdims": False}
    options = {**special, "casting": "same_kind", "order": "K", "dtype": None, "subok": True, "signature": None}
    out = None if ufunc.nout == 1 else (None,) * ufunc.nout
    p = inspect.Parameter
    return inspect.Signature(
        [
            *(p(name, p.POSITIONAL_ONLY) for name in names),
            p("out", p.POSITIONAL_OR_KEYWORD, default=out),
            *(p(name, p.KEYWORD_ONLY, default=value) for name, value in options.items()),
        ]
    )


_CORE = {"matvec": "(m,n),(n)->(m)", "vecmat": "(n),(n,m)->(m)"}  # added after vecdot, whose loops they share


def loops_of(name: str) -> tuple[int, int, list[str], str | None]:
    """The number of operands and results of one of NumPy's ufuncs, the types of its loops, and its core dimensions."""
    theirs = getattr(np, name) if name not in _CORE else np.vecdot
    return theirs.nin, theirs.nout, theirs.types, _CORE.get(name, theirs.signature)


def numpys(name: str) -> Any:
    """NumPy's function of a name; an older version without it raises."""
    try:
        return getattr(np, name)
    except AttributeError:
        raise NotImplementedError(
            f"[{name}] NumPy {np.__version__} has no {name} to ask, which newer ones have"
        ) from None


_core.set_squares_are_products(not since("variances square"))
_core.set_signs_of_durations_are_numbers(since("signs of durations are numbers"))

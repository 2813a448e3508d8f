"""Classes derived from arrays are NumPy's (bindings/array_class.cpp), and so are their results: masked arrays,
matrices, a program's own classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from ..interop.numpys_calls import OPERATORS
from ..lib import creation
from . import conversion


@_core.function
def asanyarray(
    a: Any,
    dtype: Any = None,
    order: str | None = None,
    *,
    device: str | None = None,
    copy: bool | None = None,
    like: Any = None,
) -> Any:
    """Convert to an array like `asarray`, but keep instances of subclasses of NumPy's arrays.

    Parameters
    ----------
    a : array_like
        Arrays, numbers, or nested sequences of numbers.
    dtype : dtype, optional
        dtype of the elements; determined as in NumPy by default.
    order : {"K", "A", "C", "F"}, optional
        Layout in memory that the result must have.
    device : str, optional
        Device of the result.
    copy : bool, optional
        True always copies; False shares the memory or raises.
    like : ndarray, optional
        The result is on this array's device.

    Returns
    -------
    ndarray or an array of the derived class

    Examples
    --------
    >>> import bascule as bc
    >>> import numpy
    >>> bc.asanyarray(numpy.ma.array([1, 2], mask=[False, True])).sum()
    np.int64(1)
    """
    if conversion.is_derived(a):
        return np.asanyarray(a, dtype, order, device=device, copy=copy)
    return creation.asarray(a, dtype, order, device=device, copy=copy, like=like)


def operation(name: str, a: Any, b: Any) -> Any:
    """NumPy's operator on two objects, one of which is an array of a derived class, whose own operators take
    precedence, or an object that each element is compared with."""
    return conversion.from_result(OPERATORS[name](conversion.seen_by_numpy(a), conversion.seen_by_numpy(b)))


def computed(function: Any, method: str, inputs: tuple, keywords: dict) -> Any:
    """The result of a ufunc, or its method, where some operands or outputs are of derived classes."""
    seen = {k: v if k != "out" else tuple(map(conversion.seen_by_numpy, v)) for k, v in keywords.items()}
    r = getattr(function, method)(*map(conversion.seen_by_numpy, inputs), **seen)
    return keywords["out"][0] if len(keywords.get("out", ())) == 1 else conversion.from_result(r)


def view(self: Any, *args: Any, **keywords: Any) -> Any:
    """numpy.ndarray.view: a class of arrays that a program names is NumPy's, over the same memory."""
    given = (np.ndarray if a is _core.ndarray else a for a in args)
    return np.ndarray.view(self, *given, **{k: np.ndarray if a is _core.ndarray else a for k, a in keywords.items()})


def make(cls: type, *args: Any) -> Any:
    """``ndarray.__new__(cls, shape, ...)`` for a derived class."""
    return np.ndarray.__new__(cls, *map(conversion.seen_by_numpy, args))

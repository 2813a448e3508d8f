"""Functions of bascule as the Array API standard has them: what they give are arrays, without axes, too."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import _core
from .._array.printing import printoptions
from .._core import ndarray


def device_of(operands: Iterable[Any]) -> str | None:
    """Where the first array among them lies; None is the default device."""
    for x in operands:
        found = x.device if type(x) is ndarray else device_of(x) if type(x) in (list, tuple) else None
        if found is not None:
            return found
    return None


def as_arrays(r: Any, where: str | None) -> Any:
    """A result, or several, with arrays on a device that stay arrays under operators in place of scalars."""
    kind = type(r)
    if kind is ndarray:
        return r if r.ndim or _core.is_scalar(r) else _core.keep_scalar(r)
    if isinstance(r, np.generic):
        return _core.keep_scalar(_core.from_numpy(np.asarray(r), where))
    if isinstance(r, tuple):
        parts = [as_arrays(v, where) for v in r]
        return kind(*parts) if hasattr(r, "_fields") else kind(parts)
    return [as_arrays(v, where) for v in r] if kind is list else r


def giving_arrays(function: Any) -> Any:
    """The function with its results as arrays; classes and modules are what they are, and contexts."""
    if not callable(function) or isinstance(function, type) or function is printoptions:
        return function

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return as_arrays(function(*args, **kwargs), device_of((*args, *kwargs.values())))

    return call

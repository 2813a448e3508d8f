"""Functions of bascule for the Array API standard: their results are arrays, also those without axes."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import _core
from .._array.printing import printoptions
from .._core import ndarray


def device_of(operands: Iterable[Any]) -> str | None:
    """Device of the first array among them; None is the default device."""
    for x in operands:
        found = x.device if type(x) is ndarray else device_of(x) if type(x) in (list, tuple) else None
        if found is not None:
            return found
    return None


def as_arrays(r: Any, where: str | None) -> Any:
    """A result, or several, as arrays that stay arrays under operators instead of becoming scalars."""
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
    """The function with its results as arrays; classes, modules and contexts are returned unchanged."""
    if not callable(function) or isinstance(function, type) or function is printoptions:
        return function

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return as_arrays(function(*args, **kwargs), device_of((*args, *kwargs.values())))

    return call

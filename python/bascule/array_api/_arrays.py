"""Functions of bascule as the Array API standard has them: what they give are arrays, without axes, too."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from .. import _core
from ..text import printoptions

ndarray = _core.ndarray


def as_arrays(r: Any) -> Any:
    """A result, or several, with arrays that stay arrays under operators in place of scalars."""
    kind = type(r)
    if kind is ndarray:
        return r if r.ndim or _core.is_scalar(r) else _core.keep_scalar(r)
    if isinstance(r, np.generic):
        return _core.keep_scalar(_core.from_numpy(np.asarray(r), None))
    if isinstance(r, tuple):
        return kind(*map(as_arrays, r)) if hasattr(r, "_fields") else kind(map(as_arrays, r))
    return [as_arrays(v) for v in r] if kind is list else r


def giving_arrays(function: Any) -> Any:
    """The function with its results as arrays; classes and modules are what they are, and contexts."""
    if not callable(function) or isinstance(function, type) or function is printoptions:
        return function

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return as_arrays(function(*args, **kwargs))

    return call

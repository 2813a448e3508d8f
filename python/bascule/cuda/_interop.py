"""Interoperation with NumPy: copies to NumPy, the namespace of arguments, and decorators for fusion."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core

if TYPE_CHECKING:
    from collections.abc import Callable


def asnumpy(a: Any, stream: Any = None, order: str = "C", out: Any = None, *, blocking: bool = True) -> Any:
    """Copy an array on any device to a NumPy array.

    Parameters
    ----------
    a : array_like
        Array to copy; other objects are passed to ``numpy.asarray``.
    stream : Stream, optional
        Stream to copy on; by default the current one.
    order : {'C', 'F', 'A'}, optional
        Memory order of the result.
    out : numpy.ndarray, optional
        Array to write the elements to.
    blocking : bool, optional
        False returns at once if `out` is in pinned memory, like `ndarray.get`.

    Returns
    -------
    numpy.ndarray

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asnumpy(bc.arange(3))
    array([0, 1, 2])
    """
    if isinstance(a, _core.ndarray):
        return a.get(stream=stream, order=order, out=out, blocking=blocking)
    found = np.asarray(a, order=order)
    if out is None:
        return found
    out[...] = found
    return out


def get_array_module(*args: Any) -> Any:
    """Return the namespace of the arguments: bascule if one of them is its array, otherwise NumPy.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.get_array_module(1, bc.arange(3)).__name__
    'bascule'
    >>> bc.get_array_module([1, 2]).__name__
    'numpy'
    """
    import bascule

    return bascule if any(isinstance(a, _core.ndarray) for a in args) else np


class Fusion:
    """A function whose element-wise operations run as one kernel, as those of any function do here."""

    def __init__(self, func: Callable[..., Any], name: str | None = None) -> None:
        functools.update_wrapper(self, func)
        self.func, self.name = func, name or func.__name__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function; its result is computed lazily."""
        return self.func(*args, **kwargs)

    def clear_cache(self) -> None:
        """Do nothing: no compiled kernel belongs to this function alone."""

    def __repr__(self) -> str:
        return f"<Fusion name={self.name}>"


def fuse(*args: Any, kernel_name: str | None = None) -> Any:
    """Decorate a function to run its operations as one kernel; bascule fuses them without the decorator, too.

    Parameters
    ----------
    kernel_name : str, optional
        Name of the kernel, for display only.

    Examples
    --------
    >>> import bascule as bc
    >>> @bc.fuse()
    ... def squared_difference(x, y):
    ...     return (x - y) * (x - y)
    >>> squared_difference(bc.arange(4), 1).tolist()
    [1, 0, 1, 4]
    """
    if args and (len(args) > 1 or not callable(args[0])):
        raise TypeError("[fuse] expected a function, or kernel_name alone")
    return Fusion(args[0], kernel_name) if args else lambda func: Fusion(func, kernel_name)

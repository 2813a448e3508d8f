"""Functions applied along axes, over several axes, and piecewise."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core
from .._array.conversion import as_array, is_array, ndarray
from .creation import empty, zeros_like
from .manipulation import concatenate, expand_dims, normalize_axis, transpose
from .reductions import any
from .selection import where

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._array.types import _ArrayLike, _Number, _ShapeLike

__all__ = ["apply_along_axis", "apply_over_axes", "piecewise", "select"]


def apply_along_axis(
    func1d: Callable[..., _ArrayLike], axis: SupportsIndex, arr: _ArrayLike, *args: Any, **kwargs: Any
) -> ndarray:
    """Apply a function to 1-D slices along an axis.

    Parameters
    ----------
    func1d : callable
        Takes an ndarray with one axis, then `args` and `kwargs`; returns an array_like of the same shape and type each
        time.
    axis : int
    arr : array_like

    Returns
    -------
    ndarray
        The axis is replaced by the axes of the results.

    Raises
    ------
    ValueError
        There are no slices.
    AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.apply_along_axis(lambda x: x.max(), 1, [[1, 5], [7, 2]]).tolist()
    [5, 7]
    """
    a = as_array(arr)
    axis = normalize_axis(axis, a.ndim)
    lines = transpose(a, [*(k for k in range(a.ndim) if k != axis), axis])
    at = np.ndindex(lines.shape[:-1])
    first = next(at, None)
    if first is None:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    r = as_array(func1d(lines[(*first, ...)], *args, **kwargs), a)
    found = empty(lines.shape[:-1] + r.shape, r.dtype, device=a.device)
    found[(*first, ...)] = r
    for i in at:
        found[(*i, ...)] = as_array(func1d(lines[(*i, ...)], *args, **kwargs), a)
    axes = list(range(found.ndim))
    kept = found.ndim - r.ndim
    return transpose(found, axes[:axis] + axes[kept:] + axes[axis:kept])


def apply_over_axes(func: Callable[..., _ArrayLike], a: _ArrayLike, axes: _ShapeLike) -> ndarray:
    """Apply a function of an array and an axis repeatedly, for several axes.

    Parameters
    ----------
    func : callable
        Returns an array with the same number of axes, or without that axis.
    a : array_like
    axes : int or sequence of int

    Returns
    -------
    ndarray
        With the same number of axes as `a`.

    Raises
    ------
    ValueError
        A result has a wrong number of axes.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.apply_over_axes(bc.sum, [[1, 2], [3, 4]], [0, 1]).tolist()
    [[10]]
    """
    value = as_array(a)
    n = value.ndim
    for axis in np.atleast_1d(axes).tolist():
        axis = axis + n if axis < 0 else axis
        r = func(value, axis)
        if r.ndim != value.ndim:
            r = expand_dims(as_array(r, value), axis)
            if r.ndim != value.ndim:
                raise ValueError("function is not returning an array of the correct shape")
        value = r
    return value


def _weak(x: Any) -> bool:
    return type(x) in (int, float, complex)


def select(condlist: Sequence[_ArrayLike], choicelist: Sequence[_ArrayLike], default: _ArrayLike = 0) -> ndarray:
    """Choose elements from several arrays by the first condition that is true, in one pass.

    Parameters
    ----------
    condlist : sequence of array_like of bool
    choicelist : sequence of array_like
    default : scalar or array_like, optional
        Value where no condition is true.

    Returns
    -------
    ndarray
        For strings a NumPy array, computed by NumPy.

    Raises
    ------
    ValueError
        There are no conditions, or their number differs from that of the choices.
    TypeError
        A condition is not boolean, or the choices have no common type.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.arange(4)
    >>> bc.select([x < 1, x > 2], [x - 9, x * 10], 5).tolist()
    [-9, 5, 5, 30]
    """
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    like = next((x for x in (*condlist, *choicelist, default) if is_array(x)), None)
    choices = [x if _weak(x) else as_array(x, like) for x in (*choicelist, default)]
    try:
        kind = np.result_type(*(x if _weak(x) else x.dtype for x in choices))
    except TypeError as error:
        raise TypeError(f"Choicelist and default value do not have a common dtype: {error}") from None
    conditions = [as_array(c, like) for c in condlist]
    for i, c in enumerate(conditions):
        if c.dtype.kind != "b":
            raise TypeError(f"invalid entry {i} in condlist: should be boolean ndarray")
    for x in choices[:-1]:
        what, own = ("scalar", np.asarray(x).dtype) if _weak(x) else ("array data", x.dtype)
        if not np.can_cast(own, kind, "same_kind"):
            raise TypeError(f"Cannot cast {what} from {own!r} to {kind!r} according to the rule 'same_kind'")
    choices = [as_array(np.asarray(x).astype(kind), like) if _weak(x) else x.astype(kind, copy=False) for x in choices]
    shape = np.broadcast_shapes(*(x.shape for x in (*conditions, *choices)))
    r = choices[-1]
    for c, choice in zip(conditions[::-1], choices[-2::-1]):
        r = where(c, choice, r)
    return r if r.shape == shape else _core.broadcast_to(r, shape).copy("C")


def _condition_rows(condlist: Any, x: ndarray) -> ndarray:
    one = np.isscalar(condlist) or (is_array(condlist) and condlist.ndim == 0)
    if one or (not isinstance(condlist[0], (list, np.ndarray, ndarray)) and x.ndim != 0):
        condlist = [condlist]
    elif is_array(condlist) and condlist.ndim == 1 and x.ndim != 0:
        condlist = [condlist]
    if is_array(condlist):
        return condlist.astype(bool, copy=False)
    rows = [as_array(c, x).astype(bool, copy=False) for c in condlist]
    return concatenate([expand_dims(c, 0) for c in rows])


def piecewise(
    x: _ArrayLike,
    condlist: Sequence[_ArrayLike],
    funclist: Sequence[Callable[..., Any] | _Number],
    *args: Any,
    **kw: Any,
) -> ndarray:
    """Evaluate a piecewise-defined function; if several conditions are true, the last one counts.

    Parameters
    ----------
    x : array_like
    condlist : sequence of array_like of bool, or one
    funclist : sequence of callable or scalar
        One for each condition, and optionally one more for elements without a true condition. Functions are called with
        the elements of `x` for which the condition is true, then `args` and `kw`.

    Returns
    -------
    ndarray
        Of the type and shape of `x`.

    Raises
    ------
    ValueError
        The numbers of conditions and functions do not match.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.array([-1.0, 2.0])
    >>> bc.piecewise(x, [x < 0, x >= 0], [lambda v: -v, 7]).tolist()
    [1.0, 7.0]
    """
    x = as_array(x, condlist)
    conditions = _condition_rows(condlist, x)
    n = conditions.shape[0]
    if n == len(funclist) - 1:
        conditions = concatenate((conditions, ~any(conditions, axis=0, keepdims=True)))
    elif n != len(funclist):
        raise ValueError(f"with {n} condition(s), either {n} or {n + 1} functions are expected")
    y = zeros_like(x)
    for c, function in zip(conditions, funclist):
        if not callable(function):
            y[c] = function
            continue
        values = x[c]
        if values.size > 0:
            y[c] = function(values, *args, **kw)
    return y

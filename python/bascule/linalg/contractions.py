"""Products with sums over given axes, Kronecker and cross products."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._array import caller_warnings as warned
from .._array.conversion import as_array, as_axisless, as_output, as_value
from .._array.numpy_versions import since
from .._array.ufuncs import by_name
from ..fallback import in_numpy
from ..lib.manipulation import moveaxis
from .products import _MATMUL, _VECDOT, _is_time, ndarray, operands

if TYPE_CHECKING:
    from .._array.types import _ArrayLike, _ArrayOrScalar, _ShapeLike
    from .._core import ndarray

__all__ = ["cross", "dot", "inner", "kron", "outer", "tensordot", "vdot"]


def _not_aligned(a: ndarray, b: ndarray, i: int, j: int) -> ValueError:
    return ValueError(f"shapes {_text(a)} and {_text(b)} not aligned: {a.shape[i]} (dim {i}) != {b.shape[j]} (dim {j})")


def _text(a: ndarray) -> str:
    return str(a.shape).replace(" ", "")


def _require_fitting(out: Any, shape: tuple[int, ...], dtype: np.dtype) -> None:
    """Raise unless `out` has exactly the shape and type of the result."""
    if out is not None and as_output(out, "'out' must be an array").ndim == len(shape) and out.shape != shape:
        raise ValueError("output array has wrong dimensions")
    if out is not None and (out.shape != shape or out.dtype != dtype or not out.flags.c_contiguous):
        raise ValueError(
            "output array is not acceptable (must have the right datatype, number of dimensions, and be a C-Array)"
        )


def _into(r: Any, out: Any) -> Any:
    if out is None:
        return as_value(r)
    out[...] = r.get() if type(r) is ndarray and type(out) is not ndarray else r
    return out if out.ndim else out[()]  # a scalar if it has no axes, as in NumPy


@_core.function
def dot(a: _ArrayLike, b: _ArrayLike, out: ndarray | None = None) -> _ArrayOrScalar:
    """Compute the dot product: the sum over the last axis of a and the second-to-last of b.

    Parameters
    ----------
    a : array, shape (..., k)
    b : array, shape (..., k, n) or (k,)
    out : array, optional
        Output array; of the result's shape and type, in C order.

    Returns
    -------
    array
        Shape a.shape[:-1] + b.shape without its last axis but one; the product if one operand is a scalar.

    Raises
    ------
    ValueError
        The summed axes differ in length, or `out` has another shape or type.

    Examples
    --------
    >>> import bascule as bc
    >>> int(bc.dot([1, 2], [3, 4]))
    11
    """
    a, b = operands(a, b)
    if _is_time(a, b):
        return in_numpy(np.dot, (a, b), {} if out is None else {"out": out}, "dot", "types without a product")
    dtype = np.result_type(a.dtype, b.dtype)
    if a.ndim == 0 or b.ndim == 0:
        _require_fitting(out, a.shape or b.shape, dtype)
        return _into(by_name["multiply"](a, b), out)
    j = max(b.ndim - 2, 0)
    if a.shape[-1] != b.shape[j]:
        raise _not_aligned(a, b, a.ndim - 1, j)
    _require_fitting(out, a.shape[:-1] + b.shape[:j] + b.shape[j + 1 :], dtype)
    if b.ndim <= 2:
        return _into(_core.product(_MATMUL, a, b, dot=True), out)
    return _into(tensordot(a, b, ((-1,), (-2,))), out)


def vdot(a: _ArrayLike, b: _ArrayLike, /) -> _ArrayOrScalar:
    """Compute the dot product of two flattened arrays, with the first conjugated.

    Parameters
    ----------
    a, b : array_like, of as many elements

    Returns
    -------
    ndarray of no axes

    Raises
    ------
    ValueError
        The sizes differ.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.vdot([1j, 2], [1j, 3]).item()
    (7+0j)
    """
    if type(a) is type(b) is ndarray and a.size == b.size:
        if (r := _core.small_dot(a.reshape(-1), b.reshape(-1), False)) is not None:
            return r
    a, b = operands(a, b)
    if _is_time(a, b):
        return in_numpy(np.vdot, (a, b), {}, "vdot", "types without a product")
    if a.size != b.size:
        raise ValueError(f"cannot reshape array of size {b.size} into shape ({a.size},)")
    with np.errstate(all="ignore"):  # NumPy's loop reports no errors
        return as_value(_core.product(_VECDOT, a.reshape(-1), b.reshape(-1)))


def inner(a: _ArrayLike, b: _ArrayLike, /) -> _ArrayOrScalar:
    """Compute the inner product: the sum over the last axes of both.

    Parameters
    ----------
    a : array_like, shape (..., n)
    b : array_like, shape (..., n)

    Returns
    -------
    ndarray, shape a.shape[:-1] + b.shape[:-1], or a scalar
        The product, if one of them has no axes.

    Raises
    ------
    ValueError
        The last axes differ in length.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.inner([[1, 2], [3, 4]], [1, 1]).tolist()
    [3, 7]
    """
    if not type(a) is type(b) is ndarray:
        a, b = operands(a, b)
    if a.ndim == 1 == b.ndim and (r := _core.small_dot(a, b, True)) is not None:
        return r
    if _is_time(a, b):
        return in_numpy(np.inner, (a, b), {}, "inner", "types without a product")
    if a.ndim == 0 or b.ndim == 0:
        return by_name["multiply"](a, b)
    if a.shape[-1] != b.shape[-1]:
        turned = b.swapaxes(-1, -2) if b.ndim > 1 else b
        raise _not_aligned(a, turned, a.ndim - 1, max(b.ndim - 2, 0))
    if b.ndim <= 2:
        return as_value(_core.product(_MATMUL, a, b.T, dot=True))
    return tensordot(a, b, ((-1,), (-1,)))


def outer(a: _ArrayLike, b: _ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the outer product of two flattened arrays.

    Parameters
    ----------
    a, b : array_like, any shapes
    out : ndarray, optional
        Output array; it must have the shape of the result.

    Returns
    -------
    ndarray, shape (a.size, b.size)

    Examples
    --------
    >>> import bascule as bc
    >>> bc.outer([1, 2], [3, 4]).tolist()
    [[3, 4], [6, 8]]
    """
    if not type(a) is type(b) is ndarray:
        a, b = operands(a, b)
    a, b = a.reshape(-1, 1), b.reshape(1, -1)
    return a * b if out is None else by_name["multiply"](a, b, out=out)


def _summed_axes(axes: Any, a: ndarray, b: ndarray) -> tuple[list[int], list[int]]:
    try:
        first, second = axes
    except TypeError:
        if operator.index(axes) > a.ndim:  # checked before a list of that length is made
            raise IndexError("tuple index out of range") from None
        first, second = range(-axes, 0), range(axes)
    pair = [[operator.index(k) for k in (e if hasattr(e, "__iter__") else (e,))] for e in (first, second)]
    if any(len(set(axes_of)) != len(axes_of) for axes_of in pair):
        raise ValueError("duplicate axes are not allowed in tensordot")
    fit = len(pair[0]) == len(pair[1])
    if fit:
        fit = all(a.shape[i] == b.shape[j] for i, j in zip(*pair))
    if not fit:
        raise ValueError("shape-mismatch for sum")
    found = [[k % x.ndim for k in axes_of] for axes_of, x in zip(pair, (a, b))]
    if any(len(set(f)) != len(f) for f in found):
        raise ValueError("duplicate axes are not allowed in tensordot")
    return found[0], found[1]


def tensordot(a: _ArrayLike, b: _ArrayLike, axes: int | tuple[_ShapeLike, _ShapeLike] = 2) -> ndarray:
    """Compute the tensor dot product over given axes of both arrays, as one matrix product.

    Parameters
    ----------
    a, b : array
    axes : int or pair of sequences of int
        Number of a's last and b's first axes, or the axes of each.

    Returns
    -------
    array
        The other axes of a, then those of b.

    Raises
    ------
    ValueError
        The axes differ in number or length.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.tensordot(bc.ones((2, 3)), bc.ones((3, 4)), 1).shape
    (2, 4)
    """
    if (few := _core.small_tensordot(a, b, axes)) is not None:
        return few
    a, b = operands(a, b)
    if _is_time(a, b):
        return in_numpy(np.tensordot, (a, b), {"axes": axes}, "tensordot", "types without a product")
    i, j = _summed_axes(axes, a, b)
    rows, columns = [k for k in range(a.ndim) if k not in i], [k for k in range(b.ndim) if k not in j]
    k = math.prod(a.shape[d] for d in i)
    left = a.transpose(*rows, *i) if a.ndim else a
    right = b.transpose(*j, *columns) if b.ndim else b
    shape = [a.shape[d] for d in rows] + [b.shape[d] for d in columns]
    left = left.reshape(math.prod(shape[: len(rows)]), k)
    r = _core.product(_MATMUL, left, right.reshape(k, math.prod(shape[len(rows) :])), dot=True)
    return r.reshape(shape)


def kron(a: _ArrayLike, b: _ArrayLike) -> ndarray:
    """Compute the Kronecker product: a with each element replaced by its product with b.

    Parameters
    ----------
    a, b : array_like, any shapes

    Returns
    -------
    ndarray
        Each length is the product of those of both; the shorter shape is padded with ones at the front.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.kron([1, 10], [1, 2, 3]).tolist()
    [1, 2, 3, 10, 20, 30]
    """
    a, b = operands(a, b)
    n = max(a.ndim, b.ndim)
    x, y = ((1,) * (n - v.ndim) + tuple(v.shape) for v in (a, b))
    spread = by_name["multiply"](a.reshape([s for d in x for s in (d, 1)]), b.reshape([s for d in y for s in (1, d)]))
    return spread.reshape([p * q for p, q in zip(x, y)]) if n else spread


def cross(
    a: _ArrayLike, b: _ArrayLike, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> ndarray:
    """Cross products of vectors of three elements. With a NumPy before 2.5 they may also have two, the third being 0.

    Parameters
    ----------
    a, b : array
        Vectors along `axisa` and `axisb`, broadcast over the other axes.
    axisa, axisb, axisc : int
        Axes of the vectors in a, b and the result; `axis` sets all of them.

    Returns
    -------
    array
        Without the axis of the vectors if both have two elements.

    Raises
    ------
    ValueError
        The vectors have another number of elements.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.cross([1, 0, 0], [0, 1, 0]).tolist()
    [0, 0, 1]
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = operands(a, b)
    if a.ndim < 1 or b.ndim < 1:
        raise ValueError("At least one array has zero dimension")
    a, b = moveaxis(a, axisa, -1), moveaxis(b, axisb, -1)
    if since("vectors of two elements have no cross product") and not a.shape[-1] == b.shape[-1] == 3:
        raise ValueError(
            "Both input arrays must be (arrays of) 3-dimensional vectors, "
            f"but they are {a.shape[-1]} and {b.shape[-1]} dimensional instead."
        )
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")
    if a.shape[-1] == 2 or b.shape[-1] == 2:
        warned.warn(
            "Arrays of 2-dimensional vectors are deprecated. Use arrays of 3-dimensional vectors instead. "
            "(deprecated in NumPy 2.0)",
            DeprecationWarning,
        )
    x, y = ([v[..., k] for k in range(v.shape[-1])] for v in (a, b))
    third = x[0] * y[1] - x[1] * y[0]
    if len(x) == len(y) == 2:
        return third if third.ndim else as_axisless(third, a)
    zero = third * 0
    if len(x) == 2:
        parts = [x[1] * y[2], -(x[0] * y[2]), third]
    elif len(y) == 2:
        parts = [-(x[2] * y[1]), x[2] * y[0], third]
    else:
        parts = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], third]
    from ..lib.manipulation import stack

    parts = [as_array(p + zero if p.shape != third.shape else p, a) for p in parts]
    return stack(parts, axis=_result_axis(axisc, third.ndim + 1))


def _result_axis(axis: int, ndim: int) -> int:
    from numpy.lib.array_utils import normalize_axis_index

    return normalize_axis_index(axis, ndim, "axisc")

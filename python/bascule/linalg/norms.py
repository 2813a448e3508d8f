"""Norms, condition numbers and ranks: fused passes over the elements, or singular values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from .. import _core
from .._array.conversion import as_array, as_value
from .._array.ufuncs import by_name
from .._core import ndarray
from ..lib.reductions import count_nonzero
from .factors import LinAlgError, inexact, inverse_or_nan, need_square
from .products import on_device_of, operands
from .spectral import svd

if TYPE_CHECKING:
    from .._array.types import _ArrayLike, _ArrayOrScalar, _Axes, _Norms, _Real

__all__ = ["cond", "matrix_norm", "matrix_rank", "norm", "vector_norm"]


_MOST_BY_PRODUCT = 65536  # more elements are summed in the fused pass that computes them


def _floating(x: Any) -> ndarray:
    if type(x) is ndarray and x.dtype.kind == "f":
        return x
    (x,) = operands(x)
    return x if x.dtype.kind in "fc" else x.astype(np.float64)


def _squares(x: ndarray) -> ndarray:
    """Squared magnitudes; those of complex numbers without a square root."""
    if x.dtype.kind == "c":
        return x.real * x.real + x.imag * x.imag
    return x * x


def _root(x: ndarray) -> ndarray:
    return by_name["sqrt"](x)


def _of_all(x: ndarray, keepdims: bool) -> ndarray:
    """Root of the sum of squares: one BLAS product, as in NumPy, unless a second pass over the elements costs more."""
    if x.size <= _MOST_BY_PRODUCT and x.dtype.char in "fd":
        line = x if x.ndim == 1 else x.ravel("K")
        r = _root(line.dot(line))
        return as_value(as_array(r, x).reshape([1] * x.ndim)) if keepdims else r
    squares = _squares(x)
    return _root(squares.sum(keepdims=True) if keepdims else squares.sum())


def _of_vectors(x: ndarray, order: Any, axis: Any, keepdims: bool) -> ndarray:
    """Norms of the vectors along one axis, or along several axes flattened."""
    if order is None or order == 2:
        return _root(_squares(x).sum(axis=axis, keepdims=keepdims))
    if isinstance(order, str):
        raise ValueError(f"Invalid norm order '{order}' for vectors")
    sizes = abs(x)
    if order == math.inf:
        return sizes.max(axis=axis, keepdims=keepdims, initial=0)
    if order == -math.inf:
        return sizes.min(axis=axis, keepdims=keepdims)
    if order == 0:
        return (x != 0).astype(sizes.dtype).sum(axis=axis, keepdims=keepdims)
    if order == 1:
        return sizes.sum(axis=axis, keepdims=keepdims)
    total = (sizes**order).sum(axis=axis, keepdims=keepdims)
    with np.errstate(divide="ignore"):
        return total ** np.reciprocal(order, dtype=total.dtype)


def _values(x: ndarray, row: int, column: int) -> ndarray:
    from ..lib.manipulation import moveaxis

    return svd(moveaxis(x, (row, column), (-2, -1)), compute_uv=False)


def _of_matrices(x: ndarray, order: Any, row: int, column: int, keepdims: bool) -> ndarray:
    row, column = normalize_axis_index(row, x.ndim), normalize_axis_index(column, x.ndim)
    if row == column:
        raise ValueError("Duplicate axes given.")
    if order is None or order in ("fro", "f"):
        return _root(_squares(x).sum(axis=(row, column), keepdims=keepdims))
    if order in (2, -2, "nuc"):
        s = _values(x, row, column)
        r = s.sum(axis=-1) if order == "nuc" else s.max(axis=-1, initial=0) if order == 2 else s.min(axis=-1)
    elif order in (1, -1, math.inf, -math.inf):
        summed, left = (row, column) if abs(order) == 1 else (column, row)
        sums = abs(x).sum(axis=summed)
        left -= left > summed
        r = sums.max(axis=left, initial=0) if order > 0 else sums.min(axis=left)
    else:
        raise ValueError("Invalid norm order for matrices.")
    if not keepdims:
        return r
    return as_array(r, x).reshape([1 if k in (row, column) else n for k, n in enumerate(x.shape)])


@overload
def norm(x: _ArrayLike, ord: _Norms | None = None, axis: None = None, keepdims: Literal[False] = False) -> _Real: ...
@overload
def norm(x: _ArrayLike, ord: _Norms | None = None, axis: _Axes | None = None, keepdims: bool = False) -> ndarray: ...
@_core.function
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> ndarray:
    """Compute the norm of a vector or a matrix, or of those along given axes.

    Parameters
    ----------
    x : array
    ord : {None, int, float, inf, -inf, "fro", "nuc"}
        For a vector sum(abs(x)**ord)**(1/ord); for a matrix 1, -1, inf, -inf (sums of magnitudes), 2, -2 (singular
        values), "fro" (root of the sum of squares) or "nuc" (sum of singular values).
    axis : int or pair of int, optional
        One axis for vectors, two for matrices. Without it all of x, flattened if also `ord` is None.
    keepdims : bool
        Keep the axes with length 1.

    Returns
    -------
    array
        Real.

    Raises
    ------
    ValueError
        The order or number of axes is not defined.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.linalg.norm([3.0, 4.0]))
    5.0
    """
    x = _floating(x)
    if axis is None:
        whole = ord is None or (x.ndim == 1 and ord == 2) or (x.ndim == 2 and ord in ("f", "fro"))
        if whole:
            return _of_all(x, keepdims)
        axis = tuple(range(x.ndim))
    elif not isinstance(axis, tuple):
        try:
            axis = (int(axis),)
        except (TypeError, ValueError):
            raise TypeError("'axis' must be None, an integer or a tuple of integers") from None
    if len(axis) == 1:
        if x.ndim == 0:
            normalize_axis_index(axis[0], 0)
        return _of_vectors(x, ord, axis[0], keepdims)
    if len(axis) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    return _of_matrices(x, ord, *axis, keepdims)


@overload
def vector_norm(x: _ArrayLike, /, *, axis: None = None, keepdims: Literal[False] = False, ord: _Norms = 2) -> _Real: ...
@overload
def vector_norm(x: _ArrayLike, /, *, axis: _Axes | None = None, keepdims: bool = False, ord: _Norms = 2) -> ndarray: ...
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> ndarray:
    """Vector norm along an axis, or along several flattened to one; without `axis` that of the flattened array.

    Parameters
    ----------
    x : array_like
    axis : int or tuple of int, optional
        Axes of the vectors; the flattened array when absent.
    keepdims : bool, optional
        Keep the axes with length one.
    ord : float, optional
        ``sum(abs(x)**ord)**(1/ord)``; for inf the largest magnitude, for -inf the smallest, for 0 the number of
        non-zero elements.

    Returns
    -------
    ndarray, or a scalar

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.vector_norm([[3.0, 4.0], [6.0, 8.0]], axis=1).tolist()
    [5.0, 10.0]
    """
    x = _floating(x)
    shape = list(x.shape)
    if axis is None:
        r = _of_vectors(x.reshape(-1), ord, 0, False)
        gone: Any = range(x.ndim)
    elif isinstance(axis, tuple):
        gone = [normalize_axis_index(k, x.ndim) for k in axis]
        rest = [k for k in range(x.ndim) if k not in gone]
        flat = x.transpose(*gone, *rest).reshape([math.prod(shape[k] for k in gone), *(shape[k] for k in rest)])
        r = _of_vectors(flat, ord, 0, False)
    else:
        return _of_vectors(x, ord, normalize_axis_index(axis, x.ndim), keepdims)
    return as_value(as_array(r, x).reshape([1 if k in gone else n for k, n in enumerate(shape)])) if keepdims else r


def matrix_norm(x: _ArrayLike, /, *, keepdims: bool = False, ord: _Norms | None = "fro") -> _ArrayOrScalar:
    """Compute the norms of the matrices in the last two axes; see `norm`.

    Parameters
    ----------
    x : array_like, shape (..., m, n)
    keepdims : bool, optional
        Keep the axes with length one.
    ord : {"fro", "nuc", 1, -1, 2, -2, inf, -inf}, optional
        The root of the sum of the squares, the sum of the singular values, and the largest or smallest sum of a column (1),
        singular value (2) or sum of a row (inf).

    Returns
    -------
    ndarray, shape (...), or a scalar

    Raises
    ------
    ValueError
        There is no such norm, or fewer than two axes.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.matrix_norm([[3.0, 0.0], [0.0, 4.0]]).item()
    5.0
    """
    return norm(x, axis=(-2, -1), keepdims=keepdims, ord=ord)


def cond(x: _ArrayLike, p: _Norms | None = None) -> _ArrayOrScalar:
    """Compute the condition numbers of matrices, shape (...).

    Parameters
    ----------
    x : array, shape (..., m, n)
        Square, except for `p` None, 2 and -2.
    p : {None, 1, -1, 2, -2, inf, -inf, "fro"}
        The norm; None stands for 2.

    Returns
    -------
    array
        Infinite for singular matrices.

    Raises
    ------
    LinAlgError
        x is empty, or not square.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.linalg.cond(bc.eye(3)))
    1.0
    """
    (x,) = operands(x)
    if x.size == 0 and 0 in x.shape[-2:]:
        raise LinAlgError("cond is not defined on empty arrays")
    with np.errstate(all="ignore"):
        if p is None or p in (2, -2):
            s = svd(x, compute_uv=False)
            r = s[..., 0] / s[..., -1] if p != -2 else s[..., -1] / s[..., 0]
        else:
            need_square(x)
            (x,) = inexact("cond", x)
            r = norm(x, p, axis=(-2, -1)) * norm(inverse_or_nan(x), p, axis=(-2, -1))
        given = by_name["isnan"](x).any(axis=(-2, -1))
        r = by_name["isnan"](r) & ~given, r
    from ..lib.selection import where

    found = where(r[0], math.inf, r[1]).astype(r[1].dtype)
    return as_value(found)


def matrix_rank(
    A: _ArrayLike, tol: _ArrayLike | None = None, hermitian: bool = False, *, rtol: _ArrayLike | None = None
) -> ndarray:
    """Return the rank of matrices: the number of singular values above a tolerance.

    Parameters
    ----------
    A : array, shape (..., m, n) or (n,)
        The rank of a vector is 0 if all its elements are, else 1.
    tol : float or array, optional
        Absolute tolerance, one for all matrices or one for each; without it `rtol` times the largest value.
    hermitian : bool
        Whether the matrices are Hermitian, which allows a cheaper decomposition.
    rtol : float or array, optional
        Relative tolerance; by default max(m, n) times the machine precision.

    Returns
    -------
    int or array of int64, shape (...)

    Raises
    ------
    ValueError
        Both tolerances are given.

    Examples
    --------
    >>> import bascule as bc
    >>> int(bc.linalg.matrix_rank(bc.ones((3, 3))))
    1
    """
    if rtol is not None and tol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    (a,) = operands(A)
    if a.ndim < 2:
        return int(bool((a != 0).any()))
    s = svd(a, compute_uv=False, hermitian=hermitian)
    if tol is None:
        rtol = max(a.shape[-2:]) * np.finfo(s.dtype).eps if rtol is None else on_device_of(s, rtol)[..., None]
        tol = s.max(axis=-1, keepdims=True, initial=0) * rtol
    else:
        tol = on_device_of(s, tol)[..., None]
    return count_nonzero(s > tol, axis=-1)

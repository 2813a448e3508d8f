"""Identity, triangular and diagonal matrices."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from ... import _core
from ..._array.caller_warnings import warn
from ..._array.conversion import (
    as_array,
    ndarray,
)
from ..._array.numpy_versions import since
from ..._array.ufuncs import rows
from .filled import _device, zeros
from .ranges import arange

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from ..._array.types import _ArrayLike, _Order

__all__ = ["diag", "diagflat", "eye", "identity", "tri", "tril", "triu"]


_where = rows["where"]["ufunc"]


def _diagonal_view(a: ndarray, k: int) -> ndarray:
    """The k-th diagonal of a matrix as a view."""
    rows_, columns = a.shape
    n = min(rows_, columns - k) if k >= 0 else min(rows_ + k, columns)
    offset = k * a.strides[1] if k >= 0 else -k * a.strides[0]
    return _core.view(a, (max(n, 0),), (a.strides[0] + a.strides[1],), offset if n > 0 else 0)


def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: DTypeLike = float,
    order: _Order = "C",
    *,
    device: str | None = None,
    like: _ArrayLike | None = None,
) -> ndarray:
    """Return a 2-D array with ones on a diagonal and zeros in all other positions.

    Parameters
    ----------
    N : int
        Rows.
    M : int, optional
        Columns; as many as rows when absent.
    k : int, optional
        The diagonal: 0 the main one, positive above it, negative below.
    dtype : dtype, optional
        dtype of the elements; float64 by default.
    order : {"C", "F"}, optional
        Memory layout: row-major (C) or column-major (F).
    device : str, optional
        Device of the result; by default `config.device`.
    like : ndarray, optional
        Reference object: the new array is on the same device.

    Returns
    -------
    ndarray, shape (N, M)

    Raises
    ------
    ValueError
        A dimension is negative, or the array is too large.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.eye(2, 3, 1, dtype=int).tolist()
    [[0, 1, 0], [0, 0, 1]]
    """
    shape, k = (operator.index(N), operator.index(N if M is None else M)), operator.index(k)
    plain = order == "C" and device is like is None
    a = zeros(shape, dtype) if plain else zeros(shape, dtype, order, device=device, like=like)
    _diagonal_view(a, k)[...] = 1
    return a


def identity(
    n: int, dtype: DTypeLike | None = None, *, device: str | None = None, like: _ArrayLike | None = None
) -> ndarray:
    """Return the identity matrix.

    Parameters
    ----------
    n : int
        Rows and columns.
    dtype : dtype, optional
        dtype of the elements; float64 by default.
    device : str, optional
        Device of the result; by default `config.device`.
    like : ndarray, optional
        Reference object: the new array is on the same device.

    Returns
    -------
    ndarray, shape (n, n)

    Raises
    ------
    ValueError
        A dimension is negative, or the array is too large.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.identity(2).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return eye(n, dtype=float if dtype is None else dtype, device=device, like=like)


def diagonal_below(k: Any) -> Any:
    """The number of the diagonal below the k-th, also for unsigned integers."""
    return (operator.index(k) if since("diagonals are integers") and hasattr(type(k), "__index__") else k) - 1


def _warn_of_fractions(*numbers: Any) -> None:
    """Warn that NumPy deprecates sizes and diagonals that are not integers; the warning names the first."""
    if not since("diagonals are integers"):
        return
    other = next((n for n in numbers if not hasattr(type(n), "__index__")), None)
    if other is not None:
        warn(
            f"Cannot convert {type(other).__name__} safely to an integer. "
            "This will raise an error in future versions (Deprecated NumPy 2.5)",
            DeprecationWarning,
        )


def tri(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: DTypeLike = float,
    *,
    device: str | None = None,
    like: _ArrayLike | None = None,
) -> ndarray:
    """Return an array with ones at and below a diagonal and zeros above it.

    Parameters
    ----------
    N : int
        Rows.
    M : int, optional
        Columns; as many as rows when absent.
    k : int, optional
        The highest diagonal that is filled.
    dtype : dtype, optional
        dtype of the elements; float64 by default.
    device : str, optional
        Device of the result; by default `config.device`.
    like : ndarray, optional
        Reference object: the new array is on the same device.

    Returns
    -------
    ndarray, shape (N, M)

    Examples
    --------
    >>> import bascule as bc
    >>> bc.tri(3, dtype=int).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    """
    _warn_of_fractions(N, *(() if M is None else (M,)), k)
    device, columns = _device(device, like), N if M is None else M
    below = arange(N, device=device)[:, None] >= arange(-k, columns - k, device=device)
    return below.astype(np.dtype(dtype), copy=False)


@_core.function
def tril(m: _ArrayLike, k: SupportsIndex = 0) -> ndarray:
    """Lower triangle: return a copy with zeros above a diagonal.

    Parameters
    ----------
    m : array_like, shape (..., n, m) or (m,)
        A vector stands for a matrix with the vector in each row.
    k : int, optional
        The diagonal: 0 the main one, positive above it, negative below.

    Returns
    -------
    ndarray, shape (..., n, m)

    Examples
    --------
    >>> import bascule as bc
    >>> bc.tril([[1, 2], [3, 4]]).tolist()
    [[1, 0], [3, 4]]
    """
    a = as_array(m)
    return _where(tri(*a.shape[-2:], k=k, dtype=bool, device=a.device), a, zeros(1, a.dtype, device=a.device))


@_core.function
def triu(m: _ArrayLike, k: int = 0) -> ndarray:
    """Upper triangle: return a copy with zeros below a diagonal.

    Parameters
    ----------
    m : array_like, shape (..., n, m) or (m,)
        A vector stands for a matrix with the vector in each row.
    k : int, optional
        The diagonal: 0 the main one, positive above it, negative below.

    Returns
    -------
    ndarray, shape (..., n, m)

    Examples
    --------
    >>> import bascule as bc
    >>> bc.triu([[1, 2], [3, 4]], 1).tolist()
    [[0, 2], [0, 0]]
    """
    a = as_array(m)
    return _where(tri(*a.shape[-2:], k=k - 1, dtype=bool, device=a.device), zeros(1, a.dtype, device=a.device), a)


@_core.function
def diag(v: _ArrayLike, k: int = 0) -> ndarray:
    """Extract a diagonal of a matrix, or make a matrix with the given diagonal.

    Parameters
    ----------
    v : array_like, shape (n, m) or (n,)
        A matrix, or the elements of a diagonal.
    k : int, optional
        The diagonal: 0 the main one, positive above it, negative below.

    Returns
    -------
    ndarray
        For a matrix a read-only view, shape (length of the diagonal,); for a vector a matrix with n + abs(k) rows and
        columns.

    Raises
    ------
    ValueError
        `v` has neither one axis nor two.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.diag([[1, 2], [3, 4]]).tolist()
    [1, 4]
    >>> bc.diag([5, 6]).tolist()
    [[5, 0], [0, 6]]
    """
    a = as_array(v)
    if a.ndim == 2:
        r = _diagonal_view(a, k)
        _core.set_writeable(r, False)
        return r
    if a.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    return _core.diagonal_matrix(a, k)


def diagflat(v: _ArrayLike, k: int = 0) -> ndarray:
    """Make a matrix with the flattened input as its diagonal.

    Parameters
    ----------
    v : array_like, any shape
        Elements of the diagonal, in C order.
    k : int, optional
        The diagonal: 0 the main one, positive above it, negative below.

    Returns
    -------
    ndarray, shape (v.size + abs(k), v.size + abs(k))

    Examples
    --------
    >>> import bascule as bc
    >>> bc.diagflat([[1], [2]]).tolist()
    [[1, 0], [0, 2]]
    """
    a = as_array(v)
    return diag(_core.reshape(a, (a.size,)), k)

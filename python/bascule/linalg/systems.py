"""Functions composed of products and decompositions: least squares, pseudo-inverses, powers, chains, tensors."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core
from .._array.ufuncs import by_name
from .._core import ndarray
from .contractions import dot
from .factors import LEAST_SQUARES, LinAlgError, factor, inexact, inv, need_square, solve
from .products import matmul, on_device_of, operands
from .spectral import svd

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._array.types import _ArrayLike

__all__ = ["lstsq", "matrix_power", "multi_dot", "pinv", "tensorinv", "tensorsolve"]


_NO_VALUE = np._NoValue


def _need_matrix(*arrays: ndarray) -> None:
    for a in arrays:
        if a.ndim != 2:
            raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")


def lstsq(a: _ArrayLike, b: _ArrayLike, rcond: float | None = None) -> tuple[ndarray, ndarray, int, ndarray]:
    """Find the least-squares solution of a x = b with the smallest norm.

    Parameters
    ----------
    a : array, shape (m, n)
    b : array, shape (m,) or (m, k)
    rcond : float, optional
        Singular values below this fraction of the largest count as 0; None is the machine precision times max(m, n), -1
        the machine precision.

    Returns
    -------
    x : array, shape (n,) or (n, k)
    residuals : array, shape (k,), (1,) or (0,)
        Sums of squares, if a has rank n and m > n.
    rank : int32
    values : array, shape (min(m, n),)
        The singular values of a.

    Raises
    ------
    LinAlgError
        The iteration does not converge, or the shapes of a and b do not match.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.lstsq([[1.0], [0.0]], [2.0, 3.0])[0].tolist()
    [2.0]
    """
    a, b = inexact("lstsq", a, b)
    vector = b.ndim == 1
    if vector:
        b = b.reshape(-1, 1)
    _need_matrix(a, b)
    (m, n), k = a.shape, b.shape[-1]
    if m != b.shape[0]:
        raise LinAlgError("Incompatible dimensions")
    if rcond is None:
        rcond = float(np.finfo(np.float64).eps) * max(n, m)
    right = _core.full((m, 1), 0, b.dtype, b.device) if k == 0 else b  # LAPACK needs at least one column
    x, residuals, rank, values = factor(
        LEAST_SQUARES, a, right, message="SVD did not converge in Linear Least Squares", tolerance=float(rcond)
    )
    rank = np.int32(rank.item())
    x, residuals = x[:, :k], residuals[:k]
    if rank != n or m <= n:
        residuals = residuals[:0]
    return (x.reshape(-1) if vector else x), residuals, rank, values


def pinv(
    a: _ArrayLike, rcond: float | None = None, hermitian: bool = False, *, rtol: _ArrayLike = _NO_VALUE
) -> ndarray:
    """Compute the Moore-Penrose pseudo-inverse by SVD.

    Parameters
    ----------
    a : array, shape (..., m, n)
    rcond, rtol : float or array, optional
        Values below this fraction of the largest count as 0: 1e-15, with rtol=None max(m, n) times the machine
        precision.
    hermitian : bool
        Whether the matrices are Hermitian, which allows a cheaper decomposition.

    Returns
    -------
    array, shape (..., n, m)

    Raises
    ------
    ValueError
        Both tolerances are given.
    LinAlgError
        The iteration does not converge.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.pinv([[2.0], [0.0]]).tolist()
    [[0.5, 0.0]]
    """
    (a,) = operands(a)
    if rcond is None:
        if rtol is _NO_VALUE:
            rcond = 1e-15
        elif rtol is None:
            rcond = max(a.shape[-2:]) * np.finfo(a.dtype).eps
        else:
            rcond = rtol
    elif rtol is not _NO_VALUE:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    if 0 in a.shape[-2:] and a.ndim >= 2:
        return _core.empty((*a.shape[:-2], a.shape[-1], a.shape[-2]), a.dtype, a.device)
    u, s, vh = svd(by_name["conjugate"](a), full_matrices=False, hermitian=hermitian)
    rcond = on_device_of(s, rcond)
    large = s > rcond[..., None] * s.max(axis=-1, keepdims=True, initial=0)
    from ..lib.selection import where

    with np.errstate(divide="ignore"):
        s = where(large, 1 / s, s.dtype.type(0))
    return matmul(vh.swapaxes(-1, -2), s[..., None] * u.swapaxes(-1, -2))


def matrix_power(a: _ArrayLike, n: SupportsIndex) -> ndarray:
    """Compute integer powers of square matrices, by repeated squaring; negative ones of the inverses.

    Parameters
    ----------
    a : array_like, shape (..., n, n)
    n : int

    Returns
    -------
    ndarray, shape (..., n, n)

    Raises
    ------
    numpy.linalg.LinAlgError
        The last two axes differ in length, or a matrix is singular and the power is negative.
    TypeError
        The power is not an integer.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.matrix_power([[1, 1], [0, 1]], 3).tolist()
    [[1, 3], [0, 1]]
    """
    (a,) = operands(a)
    need_square(a)
    try:
        n = operator.index(n)
    except TypeError as error:
        raise TypeError("exponent must be an integer") from error
    if n == 0:
        ones = _core.full(a.shape, 0, a.dtype, a.device)
        *outer, row, column = ones.strides
        _core.view(ones, a.shape[:-1], (*outer, row + column), 0)[...] = 1  # sets all diagonals
        return ones
    if n < 0:
        a, n = inv(a), -n
    if n == 1:
        return a.copy()
    if n == 3:
        return matmul(matmul(a, a), a)
    square = result = None
    while n > 0:
        square = a if square is None else matmul(square, square)
        n, odd = divmod(n, 2)
        if odd:
            result = square if result is None else matmul(result, square)
    return result


def _cheapest(sizes: list[int]) -> list[list[int]]:
    """Where to split each chain of matrices, of sizes[k] by sizes[k + 1], for the fewest multiplications."""
    n = len(sizes) - 1
    cost = [[0] * n for _ in range(n)]
    cut = [[0] * n for _ in range(n)]
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            cost[i][j], cut[i][j] = min(
                (cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j)
            )
    return cut


def multi_dot(arrays: Sequence[_ArrayLike], *, out: ndarray | None = None) -> ndarray:
    """Compute the product of a chain of matrices, in the cheapest order.

    Parameters
    ----------
    arrays : sequence of arrays
        Matrices; the first may be a row vector and the last a column vector.
    out : array, optional
        Output array.

    Returns
    -------
    array
        Without the axes that vectors lack.

    Raises
    ------
    ValueError
        There are fewer than two arrays, or the sizes do not match.
    LinAlgError
        An array within the chain is not a matrix.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.multi_dot([bc.ones((2, 3)), bc.ones((3, 1)), bc.ones(1)]).tolist()
    [3.0, 3.0]
    """
    chain = operands(*arrays)
    n = len(chain)
    if n < 2:
        raise ValueError("Expecting at least two arrays.")
    if n == 2:
        return dot(*chain, out=out)
    row, column = chain[0].ndim == 1, chain[-1].ndim == 1
    if row:
        chain[0] = chain[0].reshape(1, -1)
    if column:
        chain[-1] = chain[-1].reshape(-1, 1)
    _need_matrix(*chain)
    cut = _cheapest([chain[0].shape[0], *(a.shape[1] for a in chain)])

    def product(i: int, j: int, to: Any = None) -> ndarray:
        if i == j:
            return chain[i]
        return dot(product(i, cut[i][j]), product(cut[i][j] + 1, j), to)

    if out is not None and not row and not column:
        return product(0, n - 1, out)
    r = product(0, n - 1)
    r = r[0, -1] if row and column else r.reshape(-1) if row or column else r
    if out is None:
        return r
    if out.shape != r.shape:
        raise ValueError("output array has wrong dimensions")
    out[...] = r
    return out


def tensorsolve(a: _ArrayLike, b: _ArrayLike, axes: Sequence[int] | None = None) -> ndarray:
    """Solve tensordot(a, x, x.ndim) = b.

    Parameters
    ----------
    a : array, shape b.shape + Q
        The sizes of Q multiply to b's size.
    b : array
    axes : sequence of int, optional
        Axes of a to move to the end first.

    Returns
    -------
    array, shape Q

    Raises
    ------
    LinAlgError
        a is singular, or not square as a matrix.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.tensorsolve(bc.eye(4).reshape(2, 2, 4), bc.ones((2, 2))).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    a, b = operands(a, b)
    if axes is not None:
        order = list(range(a.ndim))
        for k in axes:
            order.remove(k)
            order.insert(a.ndim, k)
        a = a.transpose(*order)
    shape = a.shape[-(a.ndim - b.ndim) :]
    n = math.prod(shape)
    if a.size != n**2:
        raise LinAlgError(
            "Input arrays must satisfy the requirement             prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])"
        )
    return solve(a.reshape(n, n), b.reshape(-1)).reshape(shape)


def tensorinv(a: _ArrayLike, ind: int = 2) -> ndarray:
    """Compute the inverse of a as a linear map from its axes behind `ind` to those before.

    Parameters
    ----------
    a : array_like
        The product of the lengths before `ind` must equal that of the others.
    ind : int, optional
        Number of axes before the split.

    Returns
    -------
    ndarray, shape a.shape[ind:] + a.shape[:ind]

    Raises
    ------
    ValueError
        `ind` is below one.
    numpy.linalg.LinAlgError
        As a matrix, `a` is not square, or singular.

    Examples
    --------
    >>> import bascule as bc
    >>> a = bc.eye(6).reshape(2, 3, 6)
    >>> bc.linalg.tensorinv(a, 2).shape
    (6, 2, 3)
    """
    (a,) = operands(a)
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    shape = a.shape[ind:] + a.shape[:ind]
    return inv(a.reshape(math.prod(a.shape[ind:]), -1)).reshape(shape)

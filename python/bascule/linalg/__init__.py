"""Linear algebra on the last two axes, by OpenBLAS and LAPACK: stacks of matrices on all threads, views without copies.

float32 arrays are computed in float64 where numpy.linalg does so, unless `bascule.fastmath()` is on.
"""

from __future__ import annotations

import importlib as _importlib
import sys as _sys
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as _np

from .._array.numpy_versions import since as _since
from . import contractions as _contractions
from . import products as _products
from .contractions import dot  # noqa: F401  (other modules of bascule import it from here)

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from .._array.types import _ArrayLike, _ArrayOrScalar, _ShapeLike
    from .._core import ndarray


__all__ = [
    "LinAlgError", "cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq",
    "matmul", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm", "outer", "pinv", "qr",
    "slogdet", "solve", "svd", "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot", "vector_norm",
]  # fmt: skip
_MODULES = {
    "factors": "LinAlgError QRResult SlogdetResult cholesky det inv qr slogdet solve",
    "spectral": "EighResult EigResult SVDResult eig eigh eigvals eigvalsh svd svdvals",
    "norms": "cond matrix_norm matrix_rank norm vector_norm",
    "systems": "lstsq matrix_power multi_dot pinv tensorinv tensorsolve",
}
_LAZY = {
    name: module for module, names in _MODULES.items() for name in names.split()
}  # imported lazily, so that `import bascule` is fast


if TYPE_CHECKING:
    from .factors import *
    from .norms import *
    from .spectral import *
    from .systems import *
else:

    def __getattr__(name: str) -> Any:
        if name not in _LAZY:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(_importlib.import_module("." + _LAZY[name], __name__), name)
        globals()[name] = found
        from ..interop.protocols import overridable

        return overridable(_sys.modules[__name__], name, getattr(_np.linalg, name, None))


def matmul(x1: _ArrayLike, x2: _ArrayLike, /) -> ndarray:
    """Compute the matrix product, broadcast over the axes before the last two.

    Parameters
    ----------
    x1 : array, shape (..., m, k) or (k,)
    x2 : array, shape (..., k, n) or (k,)

    Returns
    -------
    array, shape (..., m, n)
        In the common type of the operands.

    Raises
    ------
    ValueError
        The sizes do not match.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.matmul(bc.eye(2), bc.ones(2)).tolist()
    [1.0, 1.0]
    """
    return _products.matmul(x1, x2)


def outer(x1: _ArrayLike, x2: _ArrayLike, /) -> ndarray:
    """Compute the outer product of two vectors.

    Parameters
    ----------
    x1 : array_like, shape (m,)
    x2 : array_like, shape (n,)

    Returns
    -------
    ndarray, shape (m, n)

    Raises
    ------
    ValueError
        An array does not have one axis.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.outer([1, 2], [3, 4]).tolist()
    [[3, 4], [6, 8]]
    """
    a, b = _products.operands(x1, x2)
    if a.ndim != 1 or b.ndim != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are x1.ndim={a.ndim} and x2.ndim={b.ndim}.")
    return _contractions.outer(a, b)


def tensordot(x1: _ArrayLike, x2: _ArrayLike, /, *, axes: int | tuple[_ShapeLike, _ShapeLike] = 2) -> ndarray:
    """Compute sums of products over given axes of both arrays, like `bascule.tensordot`.

    Parameters
    ----------
    x1, x2 : array_like
    axes : int or pair of sequences of int, optional
        Number of the last axes of x1 and the first of x2, or the axes of each.

    Returns
    -------
    ndarray
        The other axes of x1, then those of x2.

    Raises
    ------
    ValueError
        The axes differ in number or length.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.tensordot(bc.ones((2, 3)), bc.ones((3, 4)), axes=1).shape
    (2, 4)
    """
    return _contractions.tensordot(x1, x2, axes)


def vecdot(x1: _ArrayLike, x2: _ArrayLike, /, *, axis: SupportsIndex = -1) -> _ArrayOrScalar:
    """Compute dot products along an axis, with the first array conjugated.

    Parameters
    ----------
    x1, x2 : array_like
    axis : int, optional
        Axis of the vectors.

    Returns
    -------
    ndarray, or a scalar

    Raises
    ------
    ValueError
        The lengths differ, or the other axes do not broadcast.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.vecdot([[1, 2], [3, 4]], [[1, 1], [1, 1]], axis=0).tolist()
    [4, 6]
    """
    return _products.vecdot(x1, x2, axis=axis)


def cross(x1: _ArrayLike, x2: _ArrayLike, /, *, axis: int | None = -1) -> ndarray:
    """Compute cross products of vectors of three elements along an axis.

    Parameters
    ----------
    x1, x2 : array_like
    axis : int, optional
        Axis of the vectors, in both arrays and in the result.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        The vectors do not have three elements.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.cross([1, 0, 0], [0, 1, 0]).tolist()
    [0, 0, 1]
    """
    a, b = _products.operands(x1, x2)
    if _since("vectors of two elements have no cross product"):
        return _contractions.cross(a, b, axis=axis)  # checks the same, after the numbers of axes
    if a.shape[axis] != 3 or b.shape[axis] != 3:
        raise ValueError(
            "Both input arrays must be (arrays of) 3-dimensional vectors, "
            f"but they are {a.shape[axis]} and {b.shape[axis]} dimensional instead."
        )
    return _contractions.cross(a, b, axis=axis)


def matrix_transpose(x: _ArrayLike, /) -> ndarray:
    """View with the last two axes exchanged.

    Parameters
    ----------
    x : array_like, shape (..., m, n)

    Returns
    -------
    ndarray, shape (..., n, m)
        A view: it shares the array's memory.

    Raises
    ------
    ValueError
        The array has fewer than two axes.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.matrix_transpose(bc.ones((5, 2, 3))).shape
    (5, 3, 2)
    """
    from ..lib.manipulation import matrix_transpose as exchanged

    return exchanged(x)


def diagonal(x: _ArrayLike, /, *, offset: int = 0) -> ndarray:
    """View of the diagonals of the matrices in the last two axes.

    Parameters
    ----------
    x : array_like, shape (..., m, n)
    offset : int, optional
        The diagonal: 0 the main one, positive above it, negative below.

    Returns
    -------
    ndarray
        A read-only view with the diagonals along its last axis.

    Raises
    ------
    ValueError
        The array has fewer than two axes.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.diagonal([[1, 2], [3, 4]]).tolist()
    [1, 4]
    """
    from ..lib.selection import diagonal as chosen

    return chosen(x, offset, -2, -1)


def trace(x: _ArrayLike, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> _ArrayOrScalar:
    """Return the sums along the diagonals of the matrices in the last two axes.

    Parameters
    ----------
    x : array_like, shape (..., m, n)
    offset : int, optional
        The diagonal: 0 the main one, positive above it, negative below.
    dtype : dtype, optional
        As for `sum`.

    Returns
    -------
    ndarray, shape (...), or a scalar

    Raises
    ------
    ValueError
        The array has fewer than two axes.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.trace([[1, 2], [3, 4]]).item()
    5
    """
    from ..lib.selection import trace as summed

    return summed(x, offset, -2, -1, dtype)


def __dir__() -> list[str]:
    return sorted(__all__)


def _answer_for_others() -> None:
    """Let operands of other libraries answer these functions first."""
    from ..interop.protocols import overridable

    for name in __all__:
        if name in globals():
            overridable(_sys.modules[__name__], name, getattr(_np.linalg, name))


_answer_for_others()

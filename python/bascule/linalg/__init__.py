"""Linear algebra on the last two axes, by OpenBLAS and LAPACK: stacks of matrices on all threads, views without copies.

What numpy.linalg computes in float64 for float32 arrays is computed so here too, unless `bascule.fastmath()` is on.
"""

from __future__ import annotations

import importlib as _importlib
from typing import Any

from . import library as _library
from . import products as _products
from .products import dot  # noqa: F401  (other modules of bascule find it here)

__all__ = [
    "LinAlgError", "cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq",
    "matmul", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm", "outer", "pinv", "qr",
    "slogdet", "solve", "svd", "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot", "vector_norm",
]  # fmt: skip
_MODULES = {
    "factors": "EighResult EigResult LinAlgError QRResult SVDResult SlogdetResult cholesky det eig eigh eigvals eigvalsh inv "
    "qr slogdet solve svd svdvals",
    "norms": "cond matrix_norm matrix_rank norm vector_norm",
    "systems": "lstsq matrix_power multi_dot pinv tensorinv tensorsolve",
}
_LAZY = {
    name: module for module, names in _MODULES.items() for name in names.split()
}  # so that `import bascule` is quick
_library.find()


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(_importlib.import_module("." + _LAZY[name], __name__), name)
    globals()[name] = found
    return found


def matmul(x1: Any, x2: Any, /) -> Any:
    """Matrix product, broadcast over the axes before the last two.

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
        The sizes do not fit.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.matmul(bc.eye(2), bc.ones(2)).tolist()
    [1.0, 1.0]
    """
    return _products.matmul(x1, x2)


def outer(x1: Any, x2: Any, /) -> Any:
    """Products of all pairs of elements of two vectors."""
    a, b = _products.operands(x1, x2)
    if a.ndim != 1 or b.ndim != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are x1.ndim={a.ndim} and x2.ndim={b.ndim}.")
    return _products.outer(a, b)


def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    """Sums of products over given axes of both, as `bascule.tensordot`."""
    return _products.tensordot(x1, x2, axes)


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """Dot products along an axis, the first array conjugated."""
    return _products.vecdot(x1, x2, axis=axis)


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """Cross products of vectors of three elements along an axis."""
    a, b = _products.operands(x1, x2)
    if a.shape[axis] != 3 or b.shape[axis] != 3:
        raise ValueError(
            "Both input arrays must be (arrays of) 3-dimensional vectors, "
            f"but they are {a.shape[axis]} and {b.shape[axis]} dimensional instead."
        )
    return _products.cross(a, b, axis=axis)


def matrix_transpose(x: Any, /) -> Any:
    """A view with the last two axes exchanged."""
    from ..lib.manipulation import matrix_transpose as exchanged

    return exchanged(x)


def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """A view of the diagonals of the matrices in the last two axes."""
    from ..lib.selection import diagonal as chosen

    return chosen(x, offset, -2, -1)


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """Sums along the diagonals of the matrices in the last two axes."""
    from ..lib.selection import trace as summed

    return summed(x, offset, -2, -1, dtype)


def __dir__() -> list[str]:
    return sorted(__all__)

"""Tall or wide matrices: their products and singular values, block by block on all threads.

LAPACK reads a tall matrix once for every column, and BLAS partitions such a product by its small sides, which leaves
all of the work to one thread. Here each block that fits into the cache goes through all steps at once.

Sources: Y. Yamamoto, Y. Nakatsukasa, Y. Yanagisawa, T. Fukaya, "Roundoff error analysis of the CholeskyQR2 algorithm",
Electron. Trans. Numer. Anal. 44 (2015); G. Ballard et al., "Reconstructing Householder vectors from tall-skinny QR",
J. Parallel Distrib. Comput. 85 (2015), for the signs of LAPACK's reflections.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..parallel_map import in_blocks

_ALONE = 1 << 18  # multiplications up to which OpenBLAS uses the calling thread only
LONG = 1 << 17  # elements along the long side
_WIDE = 32  # columns
_LEAST_RATIO = 1e-4  # ratio of the eigenvalues of the scaled Gram matrix: the condition number is below 100


def _step(products: int) -> int:
    return max(_ALONE // products, 64)


def product(a: Any, b: Any) -> np.ndarray | None:
    """a @ b where both are long along the summed axis and short along the other; None for other operands. The sum adds
    up sums of blocks, whose size depends on the shapes alone, so the number of threads does not change the result.
    """
    if not (type(a) is type(b) is np.ndarray and a.ndim == b.ndim == 2 and a.dtype == b.dtype and a.dtype.kind == "f"):
        return None
    (p, n), q = a.shape, b.shape[1]
    if len(b) != n or n < LONG or not 0 < p <= _WIDE or not 0 < q <= _WIDE or a.dtype.itemsize < 4:
        return None
    step = _step(p * q)
    sums = np.empty((-(-n // step), p, q), a.dtype)

    def work(k: int, begin: int, end: int) -> None:
        np.matmul(a[:, begin:end], b[begin:end], out=sums[k])

    in_blocks(n, step, work)
    return sums.sum(axis=0)


def _triangle(gram: np.ndarray) -> np.ndarray | None:
    """R with RᵀR = gram; None if it may be inaccurate."""
    size = np.sqrt(np.diagonal(gram))
    if not (np.isfinite(gram).all() and size.min() > 1e-140 and size.max() < 1e140):
        return None
    spread = np.linalg.eigvalsh(gram / size / size[:, None])
    return np.linalg.cholesky(gram).T if spread[0] > _LEAST_RATIO * spread[-1] else None


def _signs(q: np.ndarray) -> np.ndarray:
    """Signs of R's diagonal if the columns with these first rows came from reflections: eliminate q - diag(signs)."""
    q, signs = q.copy(), np.empty(len(q))
    for j in range(len(q)):
        signs[j] = -1.0 if q[j, j] >= 0 else 1.0
        q[j, j] -= signs[j]
        q[j + 1 :, j] /= q[j, j]
        q[j + 1 :, j + 1 :] -= np.outer(q[j + 1 :, j], q[j, j + 1 :])
    return signs


def svd(x: Any, vectors: bool, empty: Callable[[tuple[int, int]], np.ndarray] = np.empty) -> Any:
    """Singular values of a tall or wide matrix of float64, and the vectors on both sides in the reduced form.

    Parameters
    ----------
    x : numpy.ndarray
    vectors : bool
    empty : function
        Allocates the large result of the given shape.

    Returns
    -------
    numpy.ndarray, or (u, s, vh), or None
        None if LAPACK has to compute it: for other shapes, and for nearly dependent columns.
    """
    if type(x) is not np.ndarray or x.ndim != 2 or x.dtype != np.float64:
        return None
    wide = x.shape[0] < x.shape[1]
    rows = x if wide else x.T  # the columns as rows, so that blocks are contiguous
    n, m = rows.shape
    if m < LONG or not 0 < n <= _WIDE:
        return None
    with np.errstate(all="ignore"):
        gram = product(rows, rows.T)
        first = None if gram is None else _triangle(gram)
        if first is None:
            return None
    step = _step(n * n)
    to_first = np.linalg.inv(first).T.copy()
    grams = np.empty((-(-m // step), n, n))

    def orthogonal(begin: int, end: int) -> np.ndarray:
        return to_first @ rows[:, begin:end]

    def second(k: int, begin: int, end: int) -> None:
        q = orthogonal(begin, end)
        np.matmul(q, q.T, out=grams[k])

    in_blocks(m, step, second)
    r = np.linalg.cholesky(grams.sum(axis=0)).T
    back = np.linalg.inv(r)
    signs = _signs((back.T @ orthogonal(0, n)).T)
    r = signs[:, None] * (r @ first)
    r = r.T if wide else r
    if not vectors:
        return np.linalg.svd(r, compute_uv=False)
    u, s, vh = np.linalg.svd(r)
    inner = back @ (signs[:, None] * (vh.T if wide else u))
    long = empty((n, m) if wide else (m, n))

    def third(k: int, begin: int, end: int) -> None:
        q = orthogonal(begin, end)
        if wide:
            np.matmul(inner.T, q, out=long[:, begin:end])
        else:
            np.matmul(q.T, inner, out=long[begin:end])

    in_blocks(m, step, third)
    return (u, s, long) if wide else (long, s, vh)

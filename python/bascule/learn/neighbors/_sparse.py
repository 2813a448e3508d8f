"""The nearest rows among sparse ones: products of a block of queries with all rows, and exact distances of those found."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.extmath import row_norms

from ...sparse import csr_array
from ...sparse._products import dense_product
from .._kinds import without_repeats
from .._rows import in_parts

_BLOCK_BYTES = 1 << 22  # of products
_PIECES = 10  # of a row, for each neighbour


def nearest(rows: Any, queries: Any, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Indices and distances, shape (queries, count), ascending; of equal distances the lower row comes first.

    Parameters
    ----------
    rows, queries : sparse array
        SciPy's, in CSR form.
    count : int
    """
    rows, queries = (without_repeats(x.astype(np.float64, copy=False)) for x in (rows, queries))
    n, turned, squares = queries.shape[0], csr_array(rows).tocsc().T, row_norms(rows, squared=True)
    of_queries = csr_array(queries)
    indices, distances = np.empty((n, count), np.int64), np.empty((n, count))
    step = max(1, _BLOCK_BYTES // (8 * max(1, rows.shape[0])))

    def search(begin: int, end: int) -> None:
        for k in range(begin, end):
            part = slice(k * step, min((k + 1) * step, n))
            found = np.asarray(dense_product(of_queries[part], turned))
            found *= -2
            found += squares  # less the squares of queries, which do not change the order
            indices[part], distances[part] = _least(found, count, rows, queries[part])

    in_parts(search, -(-n // step))
    return indices, distances


def _least(found: np.ndarray, count: int, rows: Any, queries: Any) -> tuple[np.ndarray, np.ndarray]:
    chosen = _columns_of_least(found, count)
    apart = queries[np.repeat(np.arange(len(chosen)), count)] - rows[chosen.ravel()]
    distances = row_norms(apart).reshape(chosen.shape)
    order = np.lexsort((chosen, distances), axis=1)
    return np.take_along_axis(chosen, order, axis=1), np.take_along_axis(distances, order, axis=1)


def _columns_of_least(found: np.ndarray, count: int) -> np.ndarray:
    """The columns of the `count` least elements of each row; of equal ones the lower come first.

    No more than `count` minima of pieces of a row are below its limit, so few elements are, and these alone are sorted.
    """
    n = found.shape[1]
    pieces = np.arange(0, n, max(1, n // (_PIECES * count)))
    limits = np.partition(np.minimum.reduceat(found, pieces, axis=1), count - 1, axis=1)[:, count - 1]
    of, columns = np.nonzero(found <= limits[:, None])
    order = np.lexsort((columns, found[of, columns], of))
    starts = np.searchsorted(of, np.arange(len(found)))
    return columns[order][starts[:, None] + np.arange(count)]

"""Dask's arrays and frames as rows: a leaf is the state of a chunk, and Dask merges states in one fixed tree."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from .. import _core
from ._kinds import Kind


def is_chunked(x: Any) -> bool:
    """Whether x is an array, frame or series of Dask, without importing it."""
    arrays, frames = sys.modules.get("dask.array"), sys.modules.get("dask.dataframe")
    return (arrays is not None and isinstance(x, arrays.Array)) or (
        frames is not None and isinstance(x, (frames.DataFrame, frames.Series))
    )


def computed(*given: Any) -> tuple[Any, ...]:
    """The values of Dask's arrays and frames, in dicts too, in one pass; all else as it is."""
    import dask

    return dask.compute(*given)


def aligned(X: Any, *others: Any) -> list[Any]:
    """Dask arrays with the same chunks of rows, and all columns in each."""
    import dask.array as da

    X = X if isinstance(X, da.Array) else X.to_dask_array(lengths=True)
    if any(n != n for n in X.chunks[0]):
        X = X.compute_chunk_sizes()
    X = X.rechunk({1: -1}) if X.ndim == 2 else X
    found = [X]
    for x in others:
        if x is not None:
            if not is_chunked(x):
                x = da.from_array(x)
            x = x if isinstance(x, da.Array) else x.to_dask_array(lengths=True)
            x = x.rechunk({0: X.chunks[0], **({1: -1} if x.ndim == 2 else {})})
        found.append(x)
    return found


def checked_rows(estimator: Any, X: Any, **options: Any) -> Any:
    """Rows, after scikit-learn's check of the estimator's features, whose values are checked when a chunk is computed."""
    from sklearn.utils import check_array
    from sklearn.utils.validation import validate_data

    validate_data(estimator, X, skip_check_array=True)
    (X,) = aligned(X)
    return checked(check_array, X, estimator=type(estimator).__name__, **options)


def checked(check: Any, X: Any, y: Any = None, **options: Any) -> Any:
    """The rows of X, and of y, where `check` (scikit-learn's of one array, or of two) is called for each chunk when it is
    computed."""
    import dask
    import dask.array as da
    import numpy as np

    dtype = X.dtype if X.dtype in (np.float64, np.float32) else np.dtype(np.float64)
    blocks = X.to_delayed().ravel()
    kind = Kind.of(X._meta)
    one = dask.delayed(_checked_block, pure=True)
    if y is None:
        made = [one(check, kind, b, **options) for b in blocks]
        return _joined(da, made, X.chunks[0], X.shape[1:], dtype)
    both = [
        dask.delayed(_checked_blocks, nout=2)(check, kind, b, c, **options)
        for b, c in zip(blocks, y.to_delayed().ravel())
    ]
    type_of_y = y.dtype if y.dtype.kind == "f" else np.dtype(np.float64)
    return (
        _joined(da, [b for b, _ in both], X.chunks[0], X.shape[1:], dtype),
        _joined(da, [c for _, c in both], X.chunks[0], y.shape[1:], type_of_y),
    )


def _joined(da: Any, blocks: list[Any], sizes: Sequence[int], rest: tuple[int, ...], dtype: Any) -> Any:
    return da.concatenate([da.from_delayed(b, (n, *rest), dtype=dtype) for b, n in zip(blocks, sizes)])


def _checked_block(check: Any, kind: Kind, x: Any, **options: Any) -> Any:
    return check(kind.take(x, "X"), **options)


def _checked_blocks(check: Any, kind: Kind, x: Any, y: Any, **options: Any) -> Any:
    return check(kind.take(x, "X"), kind.take(y, "y"), **options)


def ones_of_chunks(X: Any) -> Any:
    """A weight of 1 for each row."""
    import dask.array as da

    return da.ones(X.shape[0], chunks=(X.chunks[0],))


def states(aggregation: Any, rows: Sequence[Any], fixed: Sequence[Any]) -> Any:
    """The state of all rows."""
    import dask

    whole = dask.delayed(aggregation)
    columns = [x.to_delayed().ravel() for x in rows]
    level = [dask.delayed(_state)(whole, list(blocks), list(fixed)) for blocks in zip(*columns)]
    merge = dask.delayed(aggregation.merge)
    while len(level) > 1:
        pairs = [merge(a, b) for a, b in zip(level[::2], level[1::2])]
        level = pairs + level[2 * len(pairs) :]
    return level[0].compute()


def _state(aggregation: Any, blocks: list[Any], fixed: list[Any]) -> Any:
    if type(blocks[0]) is _core.ndarray:
        kind = Kind.of(blocks[0])
        blocks = [kind.take(x, "a chunk") for x in blocks]
    return aggregation(blocks, fixed)


def mapped(function: Any, X: Any, *fixed: Any, columns: int | None, dtype: Any) -> Any:
    """``function(block, *fixed)`` of each chunk of rows, with as many columns, or none."""
    import dask.array as da

    (X,) = aligned(X)
    if columns is None:
        return da.map_blocks(function, X, *fixed, dtype=dtype, drop_axis=1)
    return da.map_blocks(function, X, *fixed, dtype=dtype, chunks=(X.chunks[0], (columns,)))

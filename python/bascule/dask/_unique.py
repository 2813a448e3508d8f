"""Distinct values of a collection with first positions, counts and inverse: Dask's own way needs structured arrays."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from .. import _core
from ..lib import manipulation
from ..lib import sorting as ordered

ndarray = _core.ndarray
_positions = np.dtype(np.intp)


def _of_chunk(x: ndarray, first: int) -> tuple[ndarray, ndarray, ndarray]:
    """Distinct values of a chunk, where each is met first in the collection, and how often it is there."""
    from ..lib import sets

    values, index, counts = sets.unique(x, return_index=True, return_counts=True)
    return values, index + first, counts


def _of_all(parts: list) -> tuple[ndarray, ndarray, ndarray]:
    from ..lib import histograms, sets

    values, index, counts = (manipulation.concatenate(list(column)) for column in zip(*parts))
    found, first, inverse = sets.unique(values, return_index=True, return_inverse=True)
    sums = histograms.bincount(inverse, weights=counts, minlength=len(found))
    return found, index[first], sums.astype(_positions)


def _numbers(found: tuple, x: ndarray) -> ndarray:
    return ordered.searchsorted(found[0], x).astype(_positions)


def _member(found: tuple, k: int) -> ndarray:
    return found[k]


def _collection(ar: Any, return_index: bool, return_inverse: bool, return_counts: bool) -> Any:
    import dask.array as da
    from dask._task_spec import List, Task, TaskRef
    from dask.base import tokenize
    from dask.highlevelgraph import HighLevelGraph

    shape, ar = ar.shape, ar.ravel()
    if return_index and np.isnan(ar.shape[0]):
        raise ValueError("[da.unique] return_index= needs chunks of known sizes: see compute_chunk_sizes()")
    token = tokenize(ar)
    keys = [(ar.name, i) for i in range(ar.numblocks[0])]
    firsts = [0, *np.cumsum(ar.chunks[0])[:-1].tolist()] if return_index else [0] * len(keys)
    part, whole = f"unique-chunk-{token}", f"unique-aggregate-{token}"
    tasks = {(part, i): Task((part, i), _of_chunk, TaskRef(k), n) for i, (k, n) in enumerate(zip(keys, firsts))}
    tasks[whole,] = Task((whole,), _of_all, List(*(TaskRef(k) for k in tasks)))

    def collection(name: str, layer: dict, chunks: tuple, dtype: Any) -> Any:
        graph = HighLevelGraph.from_collections(name, {**tasks, **layer}, dependencies=[ar])
        return da.Array(graph, name, chunks, dtype=dtype)

    def member(k: int, dtype: Any) -> Any:
        name = f"unique-{k}-{token}"
        return collection(name, {(name, 0): Task((name, 0), _member, TaskRef((whole,)), k)}, ((np.nan,),), dtype)

    results = [member(0, ar.dtype)]
    if return_index:
        results.append(member(1, _positions))
    if return_inverse:
        name = f"unique-inverse-{token}"
        layer = {(name, i): Task((name, i), _numbers, TaskRef((whole,)), TaskRef(k)) for i, k in enumerate(keys)}
        results.append(collection(name, layer, ar.chunks, _positions).reshape(shape))
    if return_counts:
        results.append(member(2, _positions))
    return tuple(results)


def without_records(old: Any) -> Any:
    """``dask.array.routines.unique_no_structured_arr``, which finds values only."""

    @functools.wraps(old)
    def unique_no_structured_arr(ar: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False) -> Any:  # fmt: skip
        if type(ar._meta) is not ndarray or not (return_index or return_inverse or return_counts):
            return old(ar, return_index, return_inverse, return_counts)
        return _collection(ar, return_index, return_inverse, return_counts)

    return unique_no_structured_arr

"""Bringing the labels of two operands together."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from ._column import ndarray
from ._index import Index, from_labels, from_pandas


def align(left: Index, right: Index, how: str = "outer") -> tuple[Index, ndarray | None, ndarray | None]:
    """Join two indexes as pandas aligns operands.

    Parameters
    ----------
    left, right : Index
    how : {"outer", "inner", "left", "right"}

    Returns
    -------
    tuple
        The joined index, and for each side the int64 positions of its rows in it (-1: none), or None where its rows stay.
    """
    if left is right:
        return left, None, None
    if left._own is not None and right._own is not None and left.nlevels == right.nlevels:
        try:
            joined, l, r = _core.align_labels(left._own, right._own, how)
        except TypeError:
            pass
        else:
            if l is None:
                return (
                    (left if list(left._names) == list(right._names) else from_labels(joined, left, right)),
                    None,
                    None,
                )
            return from_labels(joined, left, right), l, r
    theirs, mine = right.to_pandas(), left.to_pandas()
    if mine.equals(theirs):
        return left, None, None
    joined, l, r = mine.join(theirs, how=how, return_indexers=True)
    return from_pandas(joined), *(None if p is None else _positions(p) for p in (l, r))


def _positions(p: Any) -> ndarray:
    return _core.from_numpy(np.asarray(p, dtype=np.int64))

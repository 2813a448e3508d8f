"""Alignment of the labels of two operands."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from ..._array.caller_warnings import at_users_line
from .. import _classes, _fallback
from .._columns.column import ndarray
from .._fallback.native import NotNative
from .times import joined_freq


def align(left: Any, right: Any, how: str = "outer") -> tuple[Any, ndarray | None, ndarray | None]:
    """Join two indexes as pandas aligns operands.

    Parameters
    ----------
    left, right : Index
    how : {"outer", "inner", "left", "right"}

    Returns
    -------
    tuple
        The joined index, and for each side the int64 positions of its rows in it (-1: none), or None where they do not change.
    """
    if left is right:
        return left, None, None
    if comparable(left, right):
        try:
            joined, l, r = _core.align_labels(left._own, right._own, how)
        except TypeError:
            pass
        else:
            if l is None:
                return (
                    (left if list(left._names) == list(right._names) else _from_labels(joined, left, right, how)),
                    None,
                    None,
                )
            made = _from_labels(joined, left, right, how)
            ranges = how == "inner" and all(isinstance(i, _classes.RangeIndex) for i in (left, right))
            if ranges and left.step < 0 < right.step:  # the intersection of two ranges ascends, unless both descend
                return made[::-1], l[::-1], r[::-1]
            return made, l, r
    with _fallback.in_pandas("Index.join", "labels of a type of pandas', or of two types"):
        theirs, mine = right.to_pandas(), left.to_pandas()
        if mine.equals(theirs):
            return left, None, None
        joined, l, r = at_users_line(mine.join, theirs, how=how, return_indexers=True)
    return _classes.Index._from_pandas(joined), *(None if p is None else _positions(p) for p in (l, r))


def _positions(p: Any) -> ndarray:
    return _core.from_numpy(np.asarray(p, dtype=np.int64))


def positions_in(index: Any, wanted: Any) -> ndarray | None:
    """For each wanted label its position in an index, or -1; None where pandas has to decide which labels are equal.

    Raises
    ------
    ValueError
        When labels of the index repeat.
    """
    if not comparable(index, wanted):
        return None
    try:
        return index._own.positions_of(wanted._own)
    except TypeError:
        return None


def comparable(a: Any, b: Any) -> bool:
    """Whether the core compares labels of the two types as pandas does."""
    if a._own is None or b._own is None or a.nlevels != b.nlevels:
        return False
    return all(c.family == d.family for c, d in zip(a._columns, b._columns))


def _from_labels(own: Any, like: Any, other: Any, how: str) -> Any:
    """The aligned index of two operands; its name is kept where both have the same."""
    names = [a if a == b else None for a, b in zip(like._names, other._names)]
    if own.as_range is not None:
        return _classes.RangeIndex._of(*own.as_range, names[0])
    columns = []
    for i in range(own.nlevels):
        columns.append(like._columns[i].of_core(own.level(i)))
    made = like._with(columns, own)
    made._names = names
    if getattr(like, "_freq", None) is not None or getattr(other, "_freq", None) is not None:
        try:
            made._at(joined_freq(like, other, made, how))
        except NotNative as why:
            with _fallback.in_pandas("Index.join", why.reason):
                made._at(like.to_pandas().join(other.to_pandas(), how=how).freq)
    return made

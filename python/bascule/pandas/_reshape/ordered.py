"""Joins of sorted frames: `merge_asof` by the nearest key, and `merge_ordered`."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .._columns.column import Column, ndarray
from .._fallback.carried import carrying_both
from .._fallback.native import NotNative, native_function
from .._theirs import pandas
from .concat import concat
from .merge import _as_frame, _comparable, _key_columns, _labels, _Result, _Sides

_INT64 = np.dtype(np.int64)


def _list_of(labels: Any) -> list:
    return list(labels) if isinstance(labels, (list, tuple, pandas.Index)) else [labels]


def _known(labels: list, frame: Any) -> list:
    """Labels that are each the label of one column."""
    try:
        found = _labels(labels, frame)
    except KeyError:
        found = None
    if found is None:
        raise NotNative("keys that are not columns")
    return found


class _AsOf:
    """The arguments of `merge_asof`; pandas reports errors in them."""

    def __init__(
        self, left: Any, right: Any, on: Any, left_on: Any, right_on: Any, left_index: bool, right_index: bool
    ):
        self.left, self.right, self.by_index = left, right, (bool(left_index), bool(right_index))
        if on is not None:
            if left_on is not None or right_on is not None or left_index or right_index:
                raise NotNative("on= together with other keys")
            left_on = right_on = on
        if (left_on is None) != bool(left_index) or (right_on is None) != bool(right_index) or (left_index and not right_index):  # fmt: skip
            raise NotNative("unsupported keys")
        if right_index and not len(left):
            raise NotNative("right_index= with no rows on the left")
        if (left_index and left._index.nlevels > 1) or (right_index and right._index.nlevels > 1):
            raise NotNative("several levels of labels")
        if left._names.nlevels > 1 or right._names.nlevels > 1:
            raise NotNative("several levels of columns")
        self.left_on = [] if left_index else _known(_list_of(left_on), left)
        self.right_on = [] if right_index else _known(_list_of(right_on), right)
        if len(self.left_on) > 1 or len(self.right_on) > 1:
            raise NotNative("several keys")
        if self.left_on and self.right_on and self.left_on != self.right_on:
            if not all(isinstance(k, str) for k in (*self.left_on, *self.right_on)):
                raise NotNative("keys of two names that are not both strings")

    def values(self) -> tuple[Column, Column]:
        """The keys, which must ascend without missing values."""
        sides = ((self.left, self.left_on), (self.right, self.right_on))
        found = [frame._index._columns[0] if not on else frame._columns[frame._position(on[0])] for frame, on in sides]
        for c in found:
            c.plain_values("iufM", "keys of these types")
        if found[0].dtype != found[1].dtype or found[0].dtype == np.dtype(np.float16):
            raise NotNative("keys of two types")
        if any(c.has_missing() or not _core.Labels([c.core]).is_increasing() for c in found):
            raise NotNative("keys that do not ascend")
        return found[0], found[1]

    def groups(self, by: Any, left_by: Any, right_by: Any) -> tuple[list, list]:
        """The labels of the columns that must be equal."""
        if by is not None and (left_by is not None or right_by is not None):
            raise NotNative("by= together with left_by= and right_by=")
        left_by, right_by = (by, by) if by is not None else (left_by, right_by)
        if left_by is None and right_by is None:
            return [], []
        if left_by is None or right_by is None:
            raise NotNative("by= of one side")
        left, right = _known(_list_of(left_by), self.left), _known(_list_of(right_by), self.right)
        names = zip(left, right)
        if len(left) != len(right) or any(a != b and not (isinstance(a, str) and isinstance(b, str)) for a, b in names):
            raise NotNative("by= of two lengths or types")
        return left, right


def _in_ticks(tolerance: Any, c: Column) -> Any:
    """The tolerance as a number of the keys' type."""
    if tolerance is None:
        return None
    if c.times() is not None:
        good = isinstance(tolerance, datetime.timedelta) and tolerance >= pandas.Timedelta(0)
    else:
        kinds = (int, float, np.integer, np.floating) if c.can_lack else (int, np.integer)
        good = isinstance(tolerance, kinds) and not isinstance(tolerance, bool) and tolerance >= 0
    if not good:
        raise NotNative("a tolerance of another type, or below 0")
    if c.times() is not None:
        found = pandas.Timedelta(tolerance).as_unit(c.unit)  # type: ignore[arg-type]
        return int(found.to_timedelta64().view(np.int64))
    return tolerance


class _Groups:
    """The groups of left and right rows, by number."""

    def __init__(self, codes: ndarray, count: int, left_rows: int):
        self.left, self.right, self.count = codes[:left_rows], codes[left_rows:], count

    def last(self, bound: ndarray, backward: bool) -> ndarray:
        """The last right row before each bound, or the first one from it on, in the same group; -1: none.

        Without an algorithm of the device's the rows of both sides are sorted together, and each group keeps its last right row.
        """
        found = _core.join_nearest(bound, self.left, self.right, self.count, backward)
        if found is not None:
            return found
        n, m = len(self.left), len(self.right)
        before = bc.cumsum(bc.bincount(bound, minlength=m + 1))[:m]  # left rows before a right one
        lat, rat = bc.arange(n, dtype=np.int64) + bound, bc.arange(m, dtype=np.int64) + before
        numbers = bc.arange(m, dtype=np.int64)
        if not backward:
            lat, rat, numbers = n + m - 1 - lat, n + m - 1 - rat, numbers[::-1]
        codes, seen = bc.empty(n + m, dtype=np.uint32), bc.full(n + m, -1, dtype=np.int64)
        codes[lat], codes[rat], seen[rat] = self.left, self.right, numbers
        last = _core.aggregate_columns(codes, self.count, [(_core.Column.plain(seen), "cummax", 1, -1)])[0]
        found = last.values[lat]
        return found if backward else bc.where(found >= 0, m - 1 - found, -1)


def _nearest(bound: ndarray, groups: _Groups | None, rows: int, backward: bool) -> ndarray:
    """The last row before each bound, or the first one from it on; -1: none."""
    if groups is not None:
        return groups.last(bound, backward)
    return bound - 1 if backward else bc.where(bound < rows, bound, -1)


def _rows(
    left: ndarray, right: ndarray, groups: _Groups | None, tolerance: Any, exact: bool, direction: str
) -> ndarray:
    """The matching right row of each left one, or -1."""
    rows = len(right)
    if not rows:
        return bc.full(len(left), -1, dtype=np.int64)

    def apart(found: ndarray, backward: bool) -> ndarray:
        there = right[bc.maximum(found, 0)]
        return left - there if backward else there - left

    def near(found: ndarray, backward: bool) -> ndarray:
        if tolerance is None:
            return found
        with bc.errstate(invalid="ignore", over="ignore"):
            return bc.where((found >= 0) & ~(apart(found, backward) > tolerance), found, -1)

    before = after = None
    if direction != "forward":
        bound = bc.searchsorted(right, left, side="right" if exact else "left")
        before = near(_nearest(bound, groups, rows, True), True)
    if direction != "backward":
        bound = bc.searchsorted(right, left, side="left" if exact else "right")
        after = near(_nearest(bound, groups, rows, False), False)
    if before is None or after is None:
        return before if after is None else after
    with bc.errstate(invalid="ignore", over="ignore"):
        nearer = apart(before, True) <= apart(after, False)
    return bc.where((before >= 0) & ((after < 0) | nearer), before, after)


def _group_numbers(pairs: list) -> _Groups | None:
    """Codes for rows of both sides that are equal where their keys are; missing keys are equal to each other."""
    if not pairs:
        return None
    together = [_core.concat_columns([a.core, b.core]) for a, b in pairs]
    codes, _, count = _core.factorize_columns(together, False, True)
    return _Groups(codes, count, len(pairs[0][0]))


def _asof(left: Any, right: Any, on: Any, left_on: Any, right_on: Any, left_index: bool, right_index: bool, by: Any, left_by: Any, right_by: Any,
          suffixes: Any, tolerance: Any, exact: Any, direction: str) -> Any:  # fmt: skip
    asked = _AsOf(left, right, on, left_on, right_on, left_index, right_index)
    lby, rby = asked.groups(by, left_by, right_by)
    a, b = asked.values()
    groups = list(zip(_key_columns(left, lby), _key_columns(right, rby))) if lby else []
    alike = [_comparable(x, y) if x.dtype == y.dtype else None for x, y in groups]
    if any(pair is None for pair in alike):
        raise NotNative("by= of these types")
    ticks = _in_ticks(tolerance, a)
    wide = _INT64 if a.is_plain("iM") else a.values.dtype
    x, y = a.as_numbers().astype(wide), b.as_numbers().astype(wide)
    rows = _rows(x, y, _group_numbers(alike), ticks, bool(exact), direction)
    sides = _Sides(left, right, None, [*lby, *asked.left_on], [*rby, *asked.right_on], False, False)
    sides.by_index = asked.by_index
    keys = [*groups, (a, b)]
    every = _core.arange(0, 1, len(left), _INT64, left._device())
    return _Result(left, right, sides, keys, every, rows, "left", False).frame(suffixes, False)


@carrying_both
@native_function(
    "merge_asof", direction=("backward", "forward", "nearest"), allow_exact_matches=lambda x: isinstance(x, (bool, np.bool_))
)  # fmt: skip
def merge_asof(
    left: Any, right: Any, on: Any = None, left_on: Any = None, right_on: Any = None, left_index: bool = False, right_index: bool = False, by: Any = None,
    left_by: Any = None, right_by: Any = None, suffixes: Any = ("_x", "_y"), tolerance: Any = None, allow_exact_matches: bool = True,
    direction: str = "backward",
) -> Any:  # fmt: skip
    """Join each row with the row of another frame with the nearest key; both are sorted by the key.

    Parameters
    ----------
    left, right : DataFrame or named Series
    on, left_on, right_on : label
        The key: numbers or timestamps.
    left_index, right_index : bool
        Use the labels of the rows as key.
    by, left_by, right_by : label or list of labels
        Columns that must be equal.
    suffixes : pair of str or None
    tolerance : number or timedelta, optional
        Greatest distance between keys.
    allow_exact_matches : bool
    direction : {"backward", "forward", "nearest"}

    Returns
    -------
    DataFrame

    Raises
    ------
    MergeError
        When keys or the tolerance are of the wrong type.
    ValueError
        When keys are missing or not sorted.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> quotes = pd.DataFrame({"t": [1, 5, 9], "bid": [10.0, 11.0, 12.0]})
    >>> pd.merge_asof(pd.DataFrame({"t": [4, 5, 20]}), quotes, on="t").bid.tolist()
    [10.0, 11.0, 12.0]
    """
    return _asof(_as_frame(left), _as_frame(right), on, left_on, right_on, left_index, right_index, by, left_by, right_by,
                 suffixes, tolerance, allow_exact_matches, direction)  # fmt: skip


def _filled(rows: ndarray) -> ndarray:
    """Rows with missing ones replaced by the last one before."""
    at = bc.where(rows >= 0, bc.arange(len(rows), dtype=np.int64), -1)
    at = bc.maximum.accumulate(at) if len(rows) else at
    return bc.where(at >= 0, rows[bc.maximum(at, 0)], -1) if len(rows) else rows


def _ordered(left: Any, right: Any, on: Any, left_on: Any, right_on: Any, fill: bool, suffixes: Any, how: str) -> Any:
    if on is None and left_on is None and right_on is None:
        on = [k for k in left._names if k in right._names]
    if (on is None) == (left_on is None) or (left_on is None) != (right_on is None):
        raise NotNative("unsupported keys")
    if left._names.nlevels > 1 or right._names.nlevels > 1:
        raise NotNative("several levels of columns")
    lnames, rnames = (_known(_list_of(k), f) for k, f in ((left_on if on is None else on, left), (right_on if on is None else on, right)))  # fmt: skip
    if not lnames or len(lnames) != len(rnames):
        raise NotNative("nothing to join on")
    if any(a != b and not (isinstance(a, str) and isinstance(b, str)) for a, b in zip(lnames, rnames)):
        raise NotNative("keys of two names that are not both strings")
    keys = list(zip(_key_columns(left, lnames), _key_columns(right, rnames)))
    pairs = [_comparable(a, b) for a, b in keys]
    if any(p is None for p in pairs) or any(a.dtype != b.dtype for a, b in keys):
        raise NotNative("keys of these types")
    lrows, rrows = _core.join_columns([p[0].core for p in pairs], [p[1].core for p in pairs], how, True)  # type: ignore[index]
    sides = _Sides(left, right, None, lnames, rnames, False, False)
    made = _Result(left, right, sides, keys, lrows, rrows, how, True)
    if fill:
        made.fill(_filled(lrows), _filled(rrows))
    return made.frame(suffixes, False)


@carrying_both
@native_function("merge_ordered", fill_method=(None, "ffill"), how=("outer", "left", "right", "inner"))
def merge_ordered(
    left: Any, right: Any, on: Any = None, left_on: Any = None, right_on: Any = None, left_by: Any = None, right_by: Any = None,
    fill_method: str | None = None, suffixes: Any = ("_x", "_y"), how: str = "outer",
) -> Any:  # fmt: skip
    """Join two frames in the order of their keys, for example time series.

    Parameters
    ----------
    left, right : DataFrame or named Series
    on, left_on, right_on : label or list of labels
    left_by, right_by : label or list of labels
        Merge each group of one frame separately with the rows of the other.
    fill_method : {"ffill", None}
        Replacement for the values of a side without a row.
    suffixes : pair of str or None
    how : {"left", "right", "outer", "inner"}

    Returns
    -------
    DataFrame

    Raises
    ------
    KeyError, ValueError, MergeError

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> a, b = pd.DataFrame({"k": [1, 3], "x": [1.0, 2.0]}), pd.DataFrame({"k": [2], "y": [5.0]})
    >>> pd.merge_ordered(a, b, fill_method="ffill").x.tolist()
    [1.0, 1.0, 2.0]
    """

    def one(x: Any, y: Any) -> Any:
        return _ordered(_as_frame(x), _as_frame(y), on, left_on, right_on, fill_method == "ffill", suffixes, how)

    if left_by is not None and right_by is not None:
        raise NotNative("groups of both sides")
    if left_by is not None:
        return _by_groups(left_by, _as_frame(left), _as_frame(right), one)
    if right_by is not None:
        return _by_groups(right_by, _as_frame(right), _as_frame(left), lambda x, y: one(y, x))
    return one(left, right)


def _by_groups(by: Any, left: Any, right: Any, merged: Any) -> Any:
    """The groups of `left`, each merged with `right`, or with the same group of it, one after another."""
    by = [by] if isinstance(by, str) else _list_of(by)
    by = _known(by, left)
    others = None
    if all(k in right._names for k in by):
        others = right.groupby(by, sort=False)._rows_by_label()
    pieces = []
    for key, rows in left.groupby(by, sort=False):
        key = key if len(by) > 1 else key[0]
        if others is not None and key not in others:
            cols = [*rows._names, *(c for c in right._names if c not in rows._names)]
            pieces.append(rows.reindex(columns=cols).reset_index(drop=True))
            continue
        piece = merged(rows, right if others is None else right._take_rows(others[key]))
        for label, value in zip(by, key if len(by) > 1 else (key,)):
            piece[label] = value
        pieces.append(piece)
    if not pieces:
        raise NotNative("no groups")
    return concat(pieces, ignore_index=True).reindex(columns=pieces[0].columns)

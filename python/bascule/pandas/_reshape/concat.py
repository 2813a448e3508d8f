"""Concatenation of frames and series along rows or columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ... import _core
from .. import _classes, _fallback, _indexes
from .._columns.column import AnyColumn
from .._columns.concatenation import concat as concat_columns
from .._columns.infer import from_values
from .._columns.unique import distinct
from .._fallback.carried import finish_of_all
from .._indexes.index import joined_ranges
from .._indexes.multi import common_orders
from .._labels import in_order_of_appearance
from .._stand_ins import STR, labels_of
from .._theirs import UNSET, pandas, unset


def concat(
    objs: Any, *, axis: Any = 0, join: str = "outer", ignore_index: bool = False, keys: Any = None, levels: Any = None, names: Any = None,
    verify_integrity: bool = False, sort: Any = UNSET, copy: Any = UNSET, union_categories: bool = False,
) -> Any:  # fmt: skip
    """Concatenate frames and series along rows (axis 0) or columns (axis 1).

    Parameters
    ----------
    objs : iterable or mapping of DataFrame and Series
        None among them is skipped.
    axis : {0, 1}
    join : {"outer", "inner"}
        The labels of the other axis that are kept.
    ignore_index : bool
        Number the result's labels from 0.
    keys, names : optional
        Labels of an outer level, which identify the source of each row.
    levels, verify_integrity, sort, copy, union_categories
        As pandas'.

    Returns
    -------
    DataFrame or Series

    Raises
    ------
    ValueError
        When there is no object to concatenate.
    TypeError
        When an object is neither frame nor series.
    """
    parts, keys = _given(objs, keys)
    asked = dict(axis=axis, join=join, ignore_index=ignore_index, keys=keys, levels=levels, names=names, verify_integrity=verify_integrity)  # fmt: skip
    asked |= {} if unset(sort) else {"sort": sort}
    if union_categories:
        options = {**asked, "union_categories": True}
        return _fallback.run("pandas.concat", "union_categories=", pandas.concat, parts, **options)
    everyone, keys = _checked(parts, keys, axis, join)
    asked |= {"keys": keys} | ({} if unset(copy) else {"copy": copy})
    parts = everyone
    if keys is None and names is None and levels is None and join == "outer":
        # frames without rows and columns decide nothing about labels and types
        parts = [p for p in parts if sum(p.shape) or p.ndim == 1] or parts
    reasons = [
        (not unset(copy), "copy="),
        (levels is not None or verify_integrity, "levels= or verify_integrity="),
        (keys is not None and (ignore_index or any(isinstance(k, tuple) for k in keys)), "keys= of several levels"),
    ]
    reason = next((why for holds, why in reasons if holds), None)
    made = None
    if reason is None and axis in (0, "index"):
        made = _rows(parts, join, ignore_index, keys, names, sort)
    elif (
        reason is None
        and (unset(sort) or sort in (False,))
        and (names is None or (keys is not None and len(names) == 1))
    ):
        made = _columns(parts, ignore_index, join, keys, names)
    if made is None:
        made = _fallback.run("pandas.concat", reason or "these arguments", pandas.concat, parts, **asked)
    return made if all(p._plain for p in everyone) else finish_of_all(everyone, made)


def _given(objs: Any, keys: Any) -> tuple[list[Any], Any]:
    """The objects as bascule's, and their keys."""
    if isinstance(objs, Mapping):
        keys = list(objs) if keys is None else keys
        objs = [objs[k] for k in keys]
    elif isinstance(objs, (_classes.Series, pandas.Series, str)) or hasattr(objs, "_columns"):
        raise TypeError(
            f'first argument must be an iterable of pandas objects, you passed an object of type "{type(objs).__name__}"'
        )
    return [_fallback.from_pandas(o) for o in objs], keys


def _checked(parts: list[Any], keys: Any, axis: Any, join: Any) -> tuple[list[Any], list[Any] | None]:
    """The objects that are not None, and their keys; the errors of pandas for objects and options that cannot be."""
    if not parts:
        raise ValueError("No objects to concatenate")
    if keys is not None:
        keys = list(keys)
        if len(keys) != len(parts):
            raise ValueError(
                f"The length of the keys ({len(keys)}) must match the length of the objects to concatenate ({len(parts)})"
            )
        keys = [k for k, p in zip(keys, parts) if p is not None]
    parts = [p for p in parts if p is not None]
    other = next((p for p in parts if not hasattr(p, "_all_columns")), None)
    refusals = [
        (not parts, ValueError("All objects passed were None")),
        (other is not None, TypeError(f"cannot concatenate object of type '{type(other)}'; only Series and DataFrame objs are valid")),
        (join not in ("outer", "inner"), ValueError("Only can inner (intersect) or outer (union) join the other axis")),
        (axis not in (0, 1, "index", "columns"), ValueError(f"No axis named {axis} for object type DataFrame")),
    ]  # fmt: skip
    for holds, error in refusals:
        if holds:
            raise error
    return parts, keys


def _row_labels(parts: list, ignore_index: bool, keys: list | None, names: Any) -> Any:
    if ignore_index:
        return _indexes.default(sum(map(len, parts)))
    indexes = [p._index for p in parts]
    first = indexes[0]
    if keys is None:
        if all(isinstance(i, _indexes.RangeIndex) for i in indexes):
            even = joined_ranges([i for i in indexes if len(i)] or indexes[:1])
            if even is not None:
                name = first.name if all(i.name == first.name for i in indexes) else None
                return _indexes.RangeIndex._of(*even, name)
        return first.append(indexes[1:])
    if any(i.nlevels != first.nlevels for i in indexes):
        return None
    lengths = _core.from_numpy(np.repeat(np.arange(len(parts)), [len(p) for p in parts]))
    outer = from_values(keys).take(lengths)
    inner = [concat_columns([i._columns[k] for i in indexes]) for k in range(first.nlevels)]
    levels = (
        list(first._names) if all(list(i._names) == list(first._names) for i in indexes) else [None] * first.nlevels
    )
    named = [None, *levels]
    if names is not None:
        given = list(names)
        named[: len(given)] = given
    orders = [from_values(keys), *common_orders(indexes)]
    return _indexes.MultiIndex._make([outer, *inner], named)._ordered(orders)


def missing_like(column: AnyColumn, n: int) -> AnyColumn:
    """n missing rows in a column's type, or in the one that it gets with missing values."""
    if not n and not column.can_lack:
        return from_values(np.empty(0, object if column.selects_rows else np.float64))
    return column.take(_core.full((n,), -1, np.dtype(np.int64)), True)


def _plain_labels(parts: list) -> bool:
    """Whether labels are combined without pandas' rules for labels of several kinds."""
    indexes = [p._index for p in parts]
    kinds = [[c.dtype for c in i._columns] for i in indexes]
    return all(k == kinds[0] for k in kinds) and (
        len({type(i) for i in indexes}) == 1 or all(len(i) and i.nlevels == 1 for i in indexes)
    )


def _rows(parts: list, join: str, ignore_index: bool, keys: list | None, names: Any, sort: bool) -> Any:

    if not ignore_index and not _plain_labels(parts):
        return None
    if all(isinstance(p, _classes.Series) for p in parts):
        if any(not len(p) and p.dtype != parts[0].dtype for p in parts):
            return None
        index = _row_labels(parts, ignore_index, keys, names)
        if index is None:
            return None
        name = parts[0].name if all(p.name == parts[0].name for p in parts) else None
        return _classes.Series._new(concat_columns([p._column for p in parts]), index, name)
    frames = [p if isinstance(p, _classes.DataFrame) else p.to_frame() for p in parts]
    labels = frames[0]._names
    same = (unset(sort) or sort in (False,)) and all(f._names is labels or f._names.equals(labels) for f in frames)
    if not same:
        if any(not f._names.is_unique or isinstance(f._names, pandas.MultiIndex) for f in frames):
            return None
        if any(f._names.dtype != labels.dtype for f in frames) or (
            unset(sort) and isinstance(labels, pandas.DatetimeIndex)
        ):
            return None  # pandas decides about the order of timestamps
        parts_of_names = [f._names for f in frames]
        labels = None if sort is True else in_order_of_appearance(parts_of_names, join == "inner")
        if labels is None:
            together = pandas.core.indexes.api._get_combined_index(
                parts_of_names, intersect=join == "inner", sort=sort is True
            )
            labels = together[0] if isinstance(together, tuple) else together
        if not len(labels):
            return None
    index = _row_labels(frames, ignore_index, keys, names)
    if index is None:
        return None
    columns = []
    for i, n in enumerate(labels):
        have = [f._columns[i] if same else (f._columns[f._names.get_loc(n)] if n in f._names else None) for f in frames]
        there = [c for c in have if c is not None]
        like = there[0]
        if len({c.selects_rows for c in there}) > 1:
            return None
        several = any(c.dtype != like.dtype or not c.has_core for c in there)
        if several and (len(there) < len(have) or not all(map(len, there))):
            return None  # missing rows, and their absence, count for the common type
        columns.append(
            concat_columns([c if c is not None else missing_like(like, len(f)) for c, f in zip(have, frames)])
        )
    return _classes.DataFrame._new(columns, labels, index)


def _aligned(parts: list, join: str) -> list | None:
    """The objects with the rows of all their labels, in order of appearance; None where pandas has to join the labels."""
    first = parts[0]._index
    if all(p._index is first or p._index.equals(first) for p in parts):
        return parts
    for i in [p._index for p in parts] if join == "outer" else [None]:
        if type(i) is not _indexes.Index or i.dtype != first.dtype or i.dtype not in (np.int64, np.float64, STR):
            return None
        if not i.is_unique or i.hasnans:
            return None
    labels = _indexes.Index._of_columns([distinct(concat_columns([p._index._column for p in parts]))], [first.name])
    made = [p._reindexed(labels, np.nan) for p in parts]
    return None if any(p is None for p in made) else made


def _columns(parts: list, ignore_index: bool, join: str = "outer", keys: list | None = None, called: Any = None) -> Any:
    own_names = {n for p in parts for n in p._index._names}
    parts = _aligned(parts, join)
    if parts is None or (keys is not None and not all(isinstance(p, _classes.Series) for p in parts)):
        return None
    first = parts[0]._index
    if not len(first) and any(p._index.dtype != first.dtype for p in parts):
        return None
    columns: list[AnyColumn] = []
    names: list = []
    unnamed = 0
    for p in parts:
        if isinstance(p, _classes.Series):
            columns.append(p._column)
            names.append(pandas.Index([unnamed if p.name is None else p.name]))
            unnamed += p.name is None
        else:
            columns += p._columns
            names.append(p._names)
    if any(isinstance(n, pandas.MultiIndex) for n in names):
        return None
    if ignore_index or unnamed == len(parts):
        labels = pandas.RangeIndex(len(columns))
    elif all(isinstance(p, _classes.Series) for p in parts):
        labels = pandas.Index([n[0] for n in names])
    else:
        labels = names[0].append(names[1:])
    if keys is not None:
        labels = labels_of(keys, [None] if called is None else list(called))
    index = first if len(own_names) <= first.nlevels else first.rename(None)
    return _classes.DataFrame._new(columns, labels, index)

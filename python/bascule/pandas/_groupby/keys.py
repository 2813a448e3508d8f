"""The key columns of a group-by, from the arguments that users give."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _classes, _fallback, _indexes
from .._columns.any_kind import AnyKind
from .._columns.column import AnyColumn, from_pandas_array, ndarray
from .._columns.grouping import BinCodes, key_codes
from .._columns.infer import from_values, inferred
from .._columns.reduce import lacks_categories
from .._fallback.native import HeldByPandas, NotNative
from .._labels import is_label
from .._theirs import pandas
from .resample import bins_of


def resolve(
    obj: Any, by: Any, level: Any, observed: bool = True
) -> tuple[list[AnyColumn], list[Any], set[int], list[bool]]:
    """Key columns of a frame or series, their names, the positions of those that are columns of it, and a mask of them.

    Raises
    ------
    NotNative
        For keys that are computed by functions, dictionaries or pandas' groupers, or have no native type.
    KeyError, ValueError, TypeError
        As pandas.
    """
    if by is None and level is None:
        raise TypeError("You have to supply one of 'by' and 'level'")
    if level is not None:
        if by is not None:
            raise NotNative("by= and level=")
        return _from_levels(obj._index, level, observed)
    keys = by if isinstance(by, list) else [by]
    if not keys:
        raise ValueError("No group keys passed!")
    if isinstance(by, list) and len(keys) == len(obj) and all(is_label(k) for k in keys):
        if not all((obj.ndim == 2 and k in obj._names) or k in obj._index._names for k in keys):
            made = inferred(keys) if any(isinstance(k, str) for k in keys) else np.asarray(keys)
            if made is None:
                raise NotNative("labels of several types as one key")
            keys = [made]
    columns: list[AnyColumn] = []
    names: list[Any] = []
    own: set[int] = set()
    inside: list[bool] = []
    for key in keys:
        column, name, position = _one(obj, key)
        columns.append(_grouped_by(column, observed, len(keys)))
        names.append(name)
        inside.append(position is not None)
        if position is not None:
            own.add(position)
    return columns, names, own, inside


def even_key(index: Any, by: Any, level: Any, keys: list[AnyColumn]) -> Any:
    """The only key, if it is an index whose labels have a frequency, or a range of at most one label."""
    if len(keys) > 1 or index.nlevels > 1:
        return None
    given = by[0] if isinstance(by, list) and len(by) == 1 else by
    if not isinstance(given, _indexes.Index):
        is_label = level is not None or (not index._waits and keys[0] is index._columns[0])
        given = index if is_label else None
    short = isinstance(given, _indexes.RangeIndex) and len(given) < 2
    return given if short or getattr(given, "_freq", None) is not None else None


def _grouped_by(column: AnyColumn, observed: bool, keys: int) -> AnyColumn:
    """The column that stands for a key when rows are grouped: for categories, their codes."""
    if column.has_core:
        return column
    if not observed and column.has_categories and (keys > 1 or lacks_categories(column)):
        raise NotNative("unused categories")
    return key_codes(column)


def _from_levels(
    index: _indexes.Index, level: Any, observed: bool
) -> tuple[list[AnyColumn], list[Any], set[int], list[bool]]:
    levels = list(level) if isinstance(level, (list, tuple)) else [level]
    if not levels:
        raise ValueError("No group keys passed!")
    if index.nlevels == 1:
        if len(levels) > 1:
            raise ValueError("multiple levels only valid with MultiIndex")
        if isinstance(levels[0], str):
            if index.name != levels[0]:
                raise ValueError(f"level name {levels[0]} is not the name of the index")
        elif levels[0] > 0 or levels[0] < -1:
            raise ValueError("level > 0 or level < -1 only valid with MultiIndex")
        numbers = [0]
    else:
        numbers = [index._level_number(k) for k in levels]
    columns = [index._columns[i] for i in numbers]
    columns = [_grouped_by(c, observed, len(columns)) for c in columns]
    return columns, [index._names[i] for i in numbers], set(), [False] * len(columns)


def _one(obj: Any, key: Any) -> tuple[AnyColumn, Any, int | None]:

    if isinstance(key, AnyKind):
        return _of_length(obj, key), None, None
    if isinstance(key, pandas.Series):
        key = _fallback.from_pandas(key)
    if not isinstance(key, str) and hasattr(key, "_meta"):
        key = key._meta  # Dask groups empty frames by its own expressions
    if isinstance(key, _classes.Series):
        return _from_series(obj, key)
    if isinstance(key, pandas.Index):
        key = _fallback.from_pandas(key)
    if isinstance(key, _indexes.Index):
        if key.nlevels > 1:
            raise NotNative("a MultiIndex as key")
        return _of_length(obj, key._column), key.name, None
    if type(key) is dict or (callable(key) and not isinstance(key, HeldByPandas)):
        made = _mapped(obj._index, key)
        return made._column, made.name, None
    if isinstance(key, pandas.core.resample.TimeGrouper):
        return _binned(obj, key)
    if isinstance(key, (dict, pandas.Grouper, HeldByPandas)):
        raise NotNative(f"a key that is a {type(key).__name__}")
    if type(key) is ndarray or isinstance(key, (np.ndarray, list, pandas.api.extensions.ExtensionArray)):
        if isinstance(key, list):
            key = pandas.Index(key).array if len(key) else np.empty(0)
        column = from_values(key) if type(key) is ndarray else from_pandas_array(key)
        return _of_length(obj, column), None, None
    return _from_label(obj, key)


def _binned(obj: Any, key: pandas.core.resample.TimeGrouper) -> tuple[AnyColumn, Any, int | None]:
    """The bin of time of each row."""
    bins, own = bins_of(obj, key)
    if bins.nulls:
        raise NotNative("bins of missing times")
    return BinCodes(bins.codes, bins.key_columns()[0]), bins.names[0], next(iter(own), None)


def _mapped(index: Any, key: Any) -> Any:
    """The value of a dict or function for each label."""
    if index.nlevels > 1:
        raise NotNative(f"a key that is a {type(key).__name__}, for labels of several levels")
    made = type(index).map.__wrapped__(index, key)
    if made.nlevels > 1 or not made._column.has_core or made._column.has_missing():
        raise NotNative(f"a key that is a {type(key).__name__}, which has no values for some labels")
    return made


def _of_length(obj: Any, column: AnyColumn) -> AnyColumn:
    if len(column) != len(obj):
        raise ValueError("Grouper and axis must be same length")
    return column


def _from_series(obj: Any, key: Any) -> tuple[AnyColumn, Any, int | None]:
    position = None
    if obj.ndim == 2 and key._name is not None:
        position = next(
            (i for i, c in enumerate(obj._columns) if c is key._column and obj._names[i] == key._name), None
        )
    if key._index is obj._index or key._index.equals(obj._index):
        return key._column, key._name, position
    return key.reindex(obj._index)._column, key._name, None


def _from_label(obj: Any, key: Any) -> tuple[AnyColumn, Any, int | None]:
    try:
        is_column = obj.ndim == 2 and key in obj._names
        is_level = key is not None and key in obj._index._names
    except TypeError:
        raise NotNative(f"a key that is a {type(key).__name__}") from None
    if is_column:
        if is_level:
            raise ValueError(f"'{key}' is both an index level and a column label, which is ambiguous.")
        found = obj._names.get_loc(key)
        if isinstance(obj._names, pandas.MultiIndex) and isinstance(found, (slice, np.ndarray)):
            positions = np.arange(len(obj._names))[found]
            rest = obj._names[positions]
            if len(positions) == 1 and all(x == "" for x in rest[0][len(key) if isinstance(key, tuple) else 1 :]):
                return obj._columns[int(positions[0])], key, int(positions[0])
        if not isinstance(found, (int, np.integer)):
            raise ValueError(f"Grouper for '{key}' not 1-dimensional")
        return obj._columns[found], obj._names[found], int(found)
    if is_level:
        i = obj._index._level_number(key)
        return obj._index._columns[i], key, None
    raise KeyError(key)

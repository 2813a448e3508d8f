"""Columns to row labels and back: set_index, reset_index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas
from pandas._libs.lib import maybe_convert_objects

from ... import _core
from .. import _classes, _fallback, _indexes
from .._columns.column import AnyColumn, Column, HostColumn, ndarray
from .._columns.infer import from_values
from .._indexes.multi import range_order
from .._labels import hashes

_UNSET = pandas.api.extensions.no_default
_KEYS = (
    'The parameter "keys" may be a column key, one-dimensional array, or a list containing only valid column keys and '
    "one-dimensional arrays."
)


def _from_keys(column: AnyColumn, name: Any) -> Any:
    """The index of a frame's column, as a range where signed integers are evenly spaced."""
    own = isinstance(column, Column) and not column.is_text and not column.is_masked and column.dtype.kind == "i"
    if not own or len(column) == 1:
        return _indexes.from_column(column, name)
    if not len(column):
        return _indexes.default(0, name)
    even = _core.range_of(_core.Column.plain(column.values.astype(np.int64, copy=False)))
    return _indexes.from_column(column, name) if even is None else _indexes.RangeIndex._of(*even, name)


def rest_of_levels(index: Any, gone: set[int]) -> Any:
    """The labels without some of their levels; 0, 1, ... where no level is left."""
    rest = [i for i in range(index.nlevels) if i not in gone]
    if not rest:
        return _indexes.default(len(index))
    if len(rest) == index.nlevels:
        return index._view()
    if len(rest) == 1:
        return _indexes.from_column(index._columns[rest[0]], index._names[rest[0]])
    return index._levels_at(rest)


class IndexSetting:
    """`set_index` and `reset_index` of frames."""

    _columns: list[AnyColumn]
    _names: pandas.Index
    _index: Any

    def set_index(
        self: Any,
        keys: Any,
        *,
        drop: bool = True,
        append: bool = False,
        inplace: bool = False,
        verify_integrity: bool = False,
    ) -> Any:
        """Use columns or arrays as the index.

        Parameters
        ----------
        keys : label, array, or list of them
        drop : bool
            Whether columns that become labels are removed from the frame.
        append : bool
            Whether levels are added to the existing labels.
        verify_integrity : bool
            Whether repeated labels raise an error.
        inplace : bool

        Raises
        ------
        KeyError
            When a column does not exist.
        ValueError
            When an array has another length, or labels repeat with `verify_integrity`.
        """
        many = keys if isinstance(keys, list) else [keys]
        many = [_fallback.from_pandas(k) if isinstance(k, (pandas.Index, pandas.Series)) else k for k in many]
        many = [list(k) if isinstance(k, Iterator) else k for k in many]
        at = self._key_positions(many)
        if any(p is not None and not isinstance(p, (int, np.integer)) for p in at):
            asked = {"drop": drop, "append": append, **({"verify_integrity": True} if verify_integrity else {})}
            if inplace:
                asked["inplace"] = True
            return self._call_pandas("set_index", (keys,), asked, "repeated labels of columns")
        columns: list[AnyColumn] = list(self._index._columns) if append else []
        names: list = list(self._index._names) if append else []
        for k, position in zip(many, at):
            if isinstance(k, _indexes.Index):
                columns += k._columns
                names += k._names
            elif hasattr(k, "_column"):
                columns.append(k._column)
                names.append(k.name)
            elif position is None:
                columns.append(from_values(k))
                names.append(None)
            else:
                columns.append(self._columns[position])
                names.append(k)
            if len(columns[-1]) != len(self):
                raise ValueError(
                    f"Length mismatch: Expected {len(self)} rows, received array of length {len(columns[-1])}"
                )
        if len(columns) > 1:
            levels = [self._index, *many] if append and self._index.nlevels == 1 else many
            index = _indexes.MultiIndex._make(columns, names)
            if len(levels) == len(columns):
                index._ordered([range_order(x) for x in levels])
        elif isinstance(many[0], _indexes.Index):
            index = many[0]._view() if many[0].nlevels == 1 else _indexes.from_column(columns[0], names[0])
        else:
            index = _from_keys(columns[0], self._names[at[0]] if names[0] is None and at[0] is not None else names[0])
        if verify_integrity and not index.is_unique:
            repeated = index.to_pandas()
            raise ValueError(f"Index has duplicate keys: {repeated[repeated.duplicated()].unique()}")
        out = self._select([i for i in range(len(self._columns)) if not (drop and i in at)])
        out.__dict__["_index"] = index
        if not inplace:
            return out
        self._become(out)
        return None

    def _key_positions(self: Any, keys: list[Any]) -> list[Any]:
        """Positions of the columns of some keys; None for keys that are arrays themselves."""
        found: list[Any] = []
        missing = []
        for k in keys:
            if isinstance(k, (list, np.ndarray, _indexes.Index)) or type(k) is ndarray or hasattr(k, "_column"):
                if getattr(k, "ndim", 1) != 1:
                    raise ValueError(_KEYS)
                found.append(None)
            elif not hashes(k):
                raise TypeError(f"{_KEYS}. Received column of type {type(k)}")
            elif k in self._names:
                found.append(self._names.get_loc(k))
            else:
                missing.append(k)
        if missing:
            raise KeyError(f"None of {missing} are in the columns")
        return found

    def reset_index(
        self: Any, level: Any = None, *, drop: bool = False, inplace: bool = False, col_level: Any = 0, col_fill: Any = "", allow_duplicates: Any = _UNSET,
        names: Any = None,
    ) -> Any:  # fmt: skip
        """Move the index to columns, or drop it, and number the rows.

        Parameters
        ----------
        level : label, int or list, optional
            Only these levels.
        drop, inplace, col_level, col_fill, allow_duplicates, names
            As pandas'.

        Raises
        ------
        ValueError
            When a column of that name exists already.
        """
        index = self._index
        if isinstance(self._names, pandas.MultiIndex) and not drop:
            asked = dict(
                level=level,
                drop=drop,
                col_level=col_level,
                col_fill=col_fill,
                names=names,
                **({"inplace": True} if inplace else {}),
            )
            return self._call_pandas("reset_index", (), asked, "several levels of columns")
        which = (
            list(range(index.nlevels))
            if level is None
            else [index._level_number(v) for v in (level if isinstance(level, (list, tuple)) else [level])]
        )
        new = rest_of_levels(index, set(which))
        columns, made = list(self._columns), self._names
        if not drop:
            given = self._label_names(names)
            for i in sorted(which, reverse=True):
                name = given[i]
                if name in made and allow_duplicates is not True:
                    raise ValueError(f"cannot insert {name}, already exists")
                made = made.insert(0, name)
                columns.insert(0, _as_values(index._columns[i]))
        out = _classes.DataFrame._new(columns, made, new)
        if not inplace:
            return out
        self._become(out)
        return None

    def _label_names(self: Any, names: Any) -> list[Any]:
        """Column labels for the levels."""
        index = self._index
        if isinstance(names, (int, str)):
            names = [names]
        if names is not None and not isinstance(names, list):
            raise ValueError("Index names must be str or 1-dimensional list")
        if names:
            return names
        if isinstance(index, _indexes.MultiIndex):
            return [f"level_{i}" if n is None else n for i, n in enumerate(index._names)]
        free = "index" if "index" not in self._names else "level_0"
        return [free if index._names[0] is None else index._names[0]]


def _as_values(c: AnyColumn) -> AnyColumn:
    """Labels as the values of a column: objects of one type get that type, as in pandas."""
    if not isinstance(c, HostColumn) or c.dtype != object:
        return c
    found = maybe_convert_objects(np.asarray(c.array, dtype=object))
    return c if found.dtype == object else from_values(found)

"""Rows and columns by label and by position: loc and iloc."""

from __future__ import annotations

import collections
import datetime
import operator
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from .... import _core
from ...._array.caller_warnings import at_users_line
from ... import _classes, _fallback, _indexes
from ..._base import Rows, as_mask, row_positions
from ..._columns.column import HostColumn, from_pandas_object, ndarray, plain
from ..._columns.concatenation import concat
from ..._columns.dtypes import is_of_booleans
from ..._fallback.chained import check_item
from ..._fallback.native import NotNative
from ..._indexes.align import positions_in
from ..._indexes.parts import rows_of_levels, rows_of_text, slice_of_times
from ..._pending import objects as pending
from ..._pipe import apply_if_callable
from ..._questions import is_dict_like, is_integer, is_list_like, labels_in, listed
from ..._reshape.rows import common_dtype
from ..._theirs import pandas
from ..labels.levels import axis_number
from .enlarge import enlarged
from .setting import (
    RowNumbers,
    Target,
    cell_by_label,
    cell_by_position,
    leaves_all,
    leaves_types,
    position,
    put_one,
    target,
    values_for,
    written,
)

_ALL = slice(None)
_WHOLE = (int, np.integer)


def _kept(key: Any) -> Any:
    """A key of which what gives its values once only is kept in lists, as is a deque, which NumPy takes for no array."""
    once = Iterator, collections.deque
    return tuple(listed(k, once) for k in key) if type(key) is tuple else listed(key, once)


def _without_ellipsis(key: Any, ndim: int) -> Any:
    """A key in which `...` is replaced by the slices that it stands for."""
    if key is ...:
        return _ALL
    if type(key) is not tuple or not any(k is ... for k in key):
        return key
    at = next(i for i, k in enumerate(key) if k is ...)
    if any(k is ... for k in key[at + 1 :]):
        if at and len(key) > ndim:
            raise pandas.errors.IndexingError("Too many indexers")
        raise pandas.errors.IndexingError("indexer may only contain one '...' entry")
    return key[:at] + (_ALL,) * (ndim + 1 - len(key)) + key[at + 1 :]


def refuse_sets(key: Any) -> None:
    """TypeError for sets and dicts, which are not ordered."""
    for kind in (set, dict):
        if isinstance(key, kind) or (isinstance(key, tuple) and any(isinstance(k, kind) for k in key)):
            raise TypeError(f"Passing a {kind.__name__} as an indexer is not supported. Use a list instead.")


def _refuse_bools(key: Any, labels: Any) -> None:
    """KeyError for a boolean as a label of an index without booleans."""
    first = labels.get_level_values(0) if labels.nlevels > 1 else labels
    if isinstance(key, bool) and not is_of_booleans(first.dtype):
        raise KeyError(f"{key}: boolean label can not be used without a boolean index")


class Indexer:
    """Base of the four indexers: an object to index, and keys for its one or two axes."""

    def _are_labels(self, key: Any) -> bool:
        """Whether a key is a label of the first levels: a tuple without slices and lists."""
        return type(key) is tuple and len(key) <= self.owner._index.nlevels and all(map(_is_label, key))

    def __init__(self, owner: Any, axis: int | None = None):
        self.owner, self.axis = owner, axis

    name = ""
    ndim = property(lambda self: self.owner.ndim)

    def __call__(self, axis: Any = None) -> Any:
        """The same indexer for keys of one axis, by its number or name."""
        number = None if axis is None else axis_number(self.owner, axis)
        return type(self)(self.owner, number)

    def _split(self, key: Any) -> tuple[Any, Any]:
        """The keys of rows and of columns."""
        if self.axis is not None and self.owner.ndim == 2:
            return (key, _ALL) if self.axis == 0 else (_ALL, key)
        key = _without_ellipsis(key, self.owner.ndim)
        refuse_sets(key)
        if callable(key):
            key = apply_if_callable(key, self.owner)
            if isinstance(key, tuple) and self.name == "iloc":
                raise ValueError("Returning a tuple from a callable with iloc is not allowed.")
            if isinstance(key, tuple) and self.owner._index.nlevels == 1:
                return list(key), _ALL
        if isinstance(key, tuple):
            key = tuple(apply_if_callable(k, self.owner) for k in key)
        if self.owner.ndim == 1:
            if isinstance(key, tuple) and self.owner._index.nlevels == 1:
                if len(key) == 1:
                    return key[0], _ALL
                raise pandas.errors.IndexingError("Too many indexers")
            return key, _ALL
        if (
            isinstance(key, tuple)
            and len(key) == 2
            and (
                self.name != "loc"
                or self.owner._index.nlevels == 1
                or not _is_label(key[1])
                or ((isinstance(key[0], list) or self._are_labels(key[0])) and key[1] in self.owner._names)
            )
        ):
            return key
        if isinstance(key, tuple) and self.owner._index.nlevels == 1:
            if len(key) == 1:
                return key[0], _ALL
            raise pandas.errors.IndexingError("Too many indexers")
        return key, _ALL

    def _in_pandas(self, key: Any, reason: str) -> Any:
        with _fallback.in_pandas(f"{type(self.owner).__name__}.{self.name}", reason, self.owner._device()):
            there = getattr(_fallback.to_pandas(self.owner), self.name)(axis=self.axis)
            return _fallback.from_pandas(at_users_line(operator.getitem, there, _fallback.to_pandas(key)))

    def _set_in_pandas(self, key: Any, value: Any, reason: str) -> None:
        owner = self.owner

        def put(there: Any, key: Any, value: Any) -> None:
            at_users_line(operator.setitem, getattr(there, self.name)(axis=self.axis), key, value)

        name = f"{type(owner).__name__}.{self.name}"
        _fallback.share(name, reason, put, (owner, key, value), {})
        if owner.ndim == 1:
            owner._pass_on()

    # ---- reading
    def __getitem__(self, key: Any) -> Any:
        key = _kept(key)
        rows, columns = self._split(key)
        owner = self.owner
        if getattr(rows, "ndim", 1) > 1:
            self._refuse_dimensions(rows)
        if isinstance(rows, np.ndarray) and rows.ndim == 0:
            rows = rows.item()
        if self.name == "loc":
            _refuse_bools(rows, owner._index)
            if owner.ndim == 2:
                _refuse_bools(columns, owner._names)
        if owner.ndim == 2:
            picked = self._columns(columns)
            if picked is None:
                return self._in_pandas(key, "columns of this kind")
            if isinstance(picked, int):
                return self._of_column(picked, rows)
            owner = (
                owner if columns is _ALL or (isinstance(columns, slice) and columns == _ALL) else owner._select(picked)
            )
        return self._of(owner, rows, key)

    def _refuse_dimensions(self, key: Any) -> None:
        """The error of a key of several dimensions."""
        if isinstance(key, Rows):
            if self.name == "loc":
                raise ValueError("Cannot index with multidimensional key")
            raise IndexError("DataFrame indexer is not allowed for .iloc\nConsider using .loc for automatic alignment.")
        if self.name == "loc":
            raise ValueError("Cannot index with multidimensional key")
        if key.size and (key.max() >= len(self.owner) or key.min() < -len(self.owner)):
            raise IndexError("positional indexers are out-of-bounds")
        raise ValueError(f"Buffer has wrong number of dimensions (expected 1, got {key.ndim})")

    def _mask(self, key: Any) -> ndarray | None:
        try:
            return as_mask(key, self.owner._index)
        except pandas.errors.IndexingError:
            raise
        except ValueError:
            raise IndexError(f"Boolean index has wrong length: {len(key)} instead of {len(self.owner)}") from None

    def _of_column(self, i: int, rows: Any) -> Any:
        """Rows of one column of a frame, without a series in between."""
        found = self._rows(rows)
        if isinstance(found, int):
            return self.owner._columns[i].item(found)
        series = self.owner._series(i)
        return type(self)(series)._in_pandas(rows, "a key of this kind") if found is None else found(series)

    def _of(self, owner: Any, rows: Any, key: Any) -> Any:
        found = self._rows(rows)
        if found is None:
            return self._in_pandas(key, "a key of this kind")
        if isinstance(found, int):
            return _row(owner, found)
        return found(owner)

    def _rows(self, key: Any) -> Any:
        """A row's position, or a function that selects rows of a frame; None where only pandas can decide."""
        raise NotImplementedError

    def _columns(self, key: Any) -> Any:
        """The position of one column, or positions of several; None where only pandas can decide."""
        raise NotImplementedError

    # ---- writing
    def _target(self, rows: Any) -> Target | None:
        """The rows of a key; None where only pandas can decide."""
        n = len(self.owner)
        if isinstance(rows, slice) and rows == _ALL:
            return Target(_core.full((n,), True, np.dtype(bool)), whole=self.owner.ndim == 2)
        found = self._rows(rows)
        return None if found is None else target(rows, found, n)

    def __setitem__(self, key: Any, value: Any) -> None:
        check_item(sys.getrefcount(self.owner), self.owner, True)
        self._store(_kept(key), value)

    def _store(self, key: Any, value: Any) -> None:
        if self.axis is None and put_one(self.owner, self.name == "loc", key, value):
            return
        why = self._stored(key, value)
        if why is not None:
            self._set_in_pandas(key, value, why)

    def _stored(self, key: Any, value: Any, labelled: bool = True, masked: bool = False) -> str | None:
        """Write values natively; else the reason why pandas does it, which may add labels or raise an error."""
        owner = self.owner
        try:
            rows, columns = self._split(key)
            if getattr(rows, "ndim", 1) != 1:
                return "an unsupported target"
            chosen = self._columns(columns) if owner.ndim == 2 else 0
            at = self._target(rows)
        except (ValueError, TypeError, KeyError, IndexError, pandas.errors.IndexingError):
            return "an unsupported target"
        if at is None or chosen is None:
            return "an unsupported target"
        chosen = chosen if isinstance(chosen, int) else list(chosen)
        where_to = [chosen] if isinstance(chosen, int) else chosen
        old = owner._all_columns()
        if (masked or leaves_types(self, key, rows, at)) and leaves_all(value, at):
            return None
        try:
            given = values_for(value, at, chosen, owner._index, labelled and self.name == "loc")
            new = [written(old[i], at, x) for i, x in zip(where_to, given)]
        except NotNative as why:
            return why.reason
        if owner.ndim == 1:
            owner._column = new[0]
            owner._pass_on()
            return None
        all_columns = list(old)
        for i, c in zip(where_to, new):
            all_columns[i] = c
        owner.__dict__["_columns"] = all_columns
        return None


def _row(owner: Any, i: int) -> Any:
    """One row: a scalar of a series, a series of a frame."""

    if owner.ndim == 1:
        return owner._column.item(i)
    columns = owner._columns
    if not columns:
        with _fallback.presented():  # no values: labels and a type
            return _classes.Series._from_pandas(owner.to_pandas().iloc[i])
    return _classes.Series._new(_row_values(owner, columns, i), _row_labels(owner), owner._index._item(i))


def _row_values(owner: Any, columns: list, i: int) -> Any:
    """The values of one row in the type that pandas gives them."""
    dtypes = {c.dtype for c in columns}
    numbers = all(c.family == "number" for c in columns)
    if numbers and all(c.device == "cpu" for c in columns):
        made = np.array([c.item(i) for c in columns], dtype=np.result_type(*dtypes))
        return plain(_core.from_numpy(made))
    if numbers or (len(dtypes) == 1 and columns[0].has_core):
        return concat([c.slice(i, 1, 1) for c in columns])
    if len(dtypes) > 1 and common_dtype(columns) == np.dtype(object):
        objects = np.empty(len(columns), dtype=object)
        objects[:] = [c.item(i) for c in columns]
        return HostColumn(objects)
    with _fallback.in_pandas("DataFrame.iloc", "a row of several types", owner._device()):
        return from_pandas_object(owner._slice_rows(slice(i, i + 1)).to_pandas().iloc[0])


def _row_labels(owner: Any) -> Any:
    """The labels of the columns as those of rows; made once for a frame."""
    names, kept = owner._names, owner.__dict__.get("_labels_of_rows")
    if kept is None or kept[0] is not names:
        kept = owner.__dict__["_labels_of_rows"] = (names, _indexes.from_pandas(names))
    return kept[1]


def _at_no_frequency(made: Any) -> Any:
    """Remove the frequency of a result's labels: rows selected by a list are not evenly spaced in general."""
    if isinstance(made, Rows) and getattr(made._index, "_freq", None) is not None:
        made._index._at(None)
    return made


def _picking(found: Any) -> Any:
    """A row, or a function that selects rows: by a slice, a mask or positions."""
    if isinstance(found, (int, np.integer)):
        return int(found)
    if isinstance(found, slice):
        return lambda x: x._slice_rows(found)
    mask = found.dtype == bool
    return lambda x: x._filter_rows(found) if mask else x._take_rows(found)


def _is_label(key: Any) -> bool:
    return not isinstance(key, slice) and not is_list_like(key)


class Positions(Indexer):
    """`iloc`: by position."""

    name = "iloc"

    def __getitem__(self, key: Any) -> Any:
        here = position(key, len(self.owner)) if self.axis is None else None
        if here is not None:
            return _row(self.owner, here)
        if self.axis is None and type(key) is tuple and len(key) == self.owner.ndim == 2:
            if (cell := cell_by_position(self.owner, *key)) is not None:
                return self.owner._columns[cell[1]].item(cell[0])
        key = _without_ellipsis(key, self.owner.ndim)
        if isinstance(key, tuple) and self.owner.ndim == 2:
            for k in key:
                if not isinstance(k, (*_WHOLE, slice)) and not is_list_like(k) and not callable(k):
                    raise ValueError(
                        "Location based indexing can only have [integer, integer slice (START point is INCLUDED, END point is "
                        "EXCLUDED), listlike of integers, boolean array] types"
                    )
        parts = key if isinstance(key, tuple) and len(key) == self.owner.ndim else (key,)
        if len(parts) == self.owner.ndim == 2 and all(type(k) is int for k in parts):
            for k, n in zip(parts, self.owner.shape):
                if not -n <= k < n:
                    raise IndexError(f"index {k} is out of bounds for axis 0 with size {n}")
        return super().__getitem__(key)

    def _rows(self, key: Any) -> Any:
        n = len(self.owner)
        if is_integer(key):
            if not -n <= key < n:
                raise IndexError("single positional indexer is out-of-bounds")
            return int(key) % n
        if isinstance(key, slice):
            for v in (key.start, key.stop, key.step):
                if v is not None and not is_integer(v):
                    raise TypeError(
                        f"cannot do positional indexing on {type(self.owner._index).__name__} with these indexers [{v}] of type {type(v).__name__}"
                    )
            return lambda x: x._slice_rows(key)
        if isinstance(key, Rows) and key.ndim == 1 and key._column.selects_rows:
            if key._index.inferred_type != "integer":
                raise ValueError("iLocation based boolean indexing cannot use an indexable as a mask")
            mask = self._mask(key)
        else:
            mask = None if isinstance(key, Rows) else self._mask(key)
        if mask is not None:
            return lambda x: x._filter_rows(mask)
        if isinstance(key, (list, np.ndarray, range, pandas.Index)) or type(key) is ndarray or hasattr(key, "_column"):
            values = key._column if hasattr(key, "_column") else key
            values = key if values is key else values.whole("int64")
            if type(values) is not ndarray:
                values = np.asarray(values)
                if values.size and not np.can_cast(values.dtype, np.int64, "same_kind"):
                    raise IndexError(f".iloc requires numeric indexers, got {key}")
                values = values.astype(np.int64)
            p = row_positions(values, n)
            from .... import where

            p = where(p < 0, p + n, p)
            return lambda x: x._take_rows(p)
        if isinstance(key, tuple):
            raise pandas.errors.IndexingError("Too many indexers")
        raise TypeError("Cannot index by location index with a non-integer key")

    def _columns(self, key: Any) -> Any:
        n = len(self.owner._columns)
        if isinstance(key, _WHOLE):
            if not -n <= key < n:
                raise IndexError("single positional indexer is out-of-bounds")
            return int(key) % n
        if isinstance(key, slice):
            return range(n)[key]
        if isinstance(key, (list, np.ndarray, range)) or hasattr(key, "dtype"):
            a = np.asarray(labels_in(key))
            if a.dtype == bool:
                if len(a) != n:
                    raise IndexError(f"Boolean index has wrong length: {len(a)} instead of {n}")
                return list(np.flatnonzero(a))
            if a.size and not np.can_cast(a.dtype, np.int64, "same_kind"):
                raise IndexError(f".iloc requires numeric indexers, got {a}")
            if a.size and (a.max() >= n or a.min() < -n):
                raise IndexError("positional indexers are out-of-bounds")
            return [int(i) % n for i in a]
        raise IndexError(f".iloc requires numeric indexers, got {key}")


class ByLabel(Indexer):
    """`loc`: by label; slices include both ends."""

    name = "loc"

    def _ipython_key_completions_(self) -> list[Any]:
        return list(self.owner._names) if self.owner.ndim == 2 else []

    def __getitem__(self, key: Any) -> Any:
        owner = self.owner
        if "_plan" in owner.__dict__ and self.axis is None:
            later, key = pending.located(owner, key)
            if later is not None:
                return later
        if owner.ndim == 1 and type(key) is not bool:
            row = owner._index._where_is(key)
            if type(row) is int:
                return owner._column.item(row)
        elif (
            type(key) is tuple and len(key) == 2 and self.axis is None and owner._index.nlevels == 1 and owner.ndim == 2
        ):
            cell = None if type(key[0]) is bool else cell_by_label(owner, *key)
            if cell is not None:
                return owner._columns[cell[1]].item(cell[0])
        pair = isinstance(key, tuple) and len(key) == 2 and self.axis is None and all(map(np.isscalar, key))
        if not pair or self.owner.ndim == 1 or self.owner._index.nlevels == 1:
            return super().__getitem__(key)
        try:  # labels of two levels, or of a row and a column
            return super().__getitem__(key)
        except KeyError:
            if isinstance(key[0], bool):
                raise
            if key[1] not in self.owner._names:
                raise KeyError(key[1]) from None
            return ByLabel(self.owner)[(key[0],), key[1]]

    def _rows(self, key: Any) -> Any:
        index = self.owner._index
        if isinstance(key, slice):
            return self._slice(key)
        if type(key) is int and type(index) is _indexes.RangeIndex:
            at, between = divmod(key - index.start, index.step)
            if between or not 0 <= at < len(index):
                raise KeyError(key)
            return at
        mask = self._mask(key)
        if mask is not None:
            return lambda x: x._filter_rows(mask)
        try:
            if index.nlevels > 1:
                return self._of_levels(key)
            if isinstance(index, _indexes.DatetimeIndex) and isinstance(key, str):
                return _picking(rows_of_text(index, key))
            if isinstance(index, _indexes.DatetimeIndex) and isinstance(key, datetime.time):
                return _picking(index.indexer_at_time(key))
        except NotNative:
            return None
        if is_list_like(key) and not isinstance(key, tuple):
            return None if index._own is None else self._several(key)
        if isinstance(key, tuple):
            return None
        found = index.get_loc(key)
        return _picking(_core.from_numpy(found) if isinstance(found, np.ndarray) else found)

    def _of_levels(self, key: Any) -> Any:
        """As `_rows`, for labels of several levels."""
        found, named = rows_of_levels(self.owner._index, key)
        pick = _picking(found)
        if not named or isinstance(pick, int):
            return pick

        def without(x: Any) -> Any:
            rows = pick(x)
            return (
                rows
                if isinstance(x, RowNumbers)
                else rows._with(rows._all_columns(), rows._index._without_levels(range(named)))
            )

        return without

    def _slice(self, key: slice) -> Any:
        index = self.owner._index
        if key.start is None and key.stop is None:
            return lambda x: x._slice_rows(slice(None, None, key.step))
        try:
            if index.nlevels > 1:
                return self._of_levels(key)
            if isinstance(index, _indexes.DatetimeIndex):
                return _picking(slice_of_times(index, key))
        except NotNative:
            return None
        if index._own is None or isinstance(index, _indexes.TimedeltaIndex):
            return None
        if key.step not in (None, 1) or not index.is_monotonic_increasing:
            return None
        bounds = []
        for v in (key.start, key.stop):
            if v is None:
                bounds.append(None)
                continue
            try:
                bounds.append(index._label(v)[0])
            except KeyError:
                return None
        first, last = index._own.between(*bounds)
        return lambda x: x._slice_rows(slice(first, last))

    def _several(self, key: Any) -> Any:
        index = self.owner._index
        wanted = _indexes.from_column(key._column) if isinstance(key, Rows) else _indexes.ensure(key)
        even = getattr(index, "_freq", None) is not None
        same = isinstance(key, (_indexes.Index, pandas.Index)) and isinstance(wanted, type(index))
        loses = even and (isinstance(key, list) or (same and wanted._freq is None))
        if len(wanted) == 0:
            positions = slice(0, 0)
            return lambda x: _at_no_frequency(x._slice_rows(positions)) if loses else x._slice_rows(positions)
        if not index.is_unique:
            return None
        positions = positions_in(index, wanted)
        if positions is None:
            return None
        if int(positions.min()) < 0:
            labels = wanted.to_pandas()
            absent = labels[_core.to_numpy(positions) < 0]
            if len(absent) == len(labels):
                raise KeyError(f"None of [{labels}] are in the [index]")
            raise KeyError(f"{list(absent.unique())} not in index")
        return lambda x: _at_no_frequency(x._take_rows(positions)) if loses else x._take_rows(positions)

    def _columns(self, key: Any) -> Any:
        owner = self.owner
        if isinstance(key, slice):
            if key == _ALL:
                return range(len(owner._columns))
            found = owner._names.slice_indexer(key.start, key.stop, key.step)
            return range(len(owner._columns))[found]
        if isinstance(owner._names, pandas.MultiIndex):
            return None
        if is_list_like(key) and not hasattr(key, "_fields"):  # of the tuples those with names are labels
            labels = list(_fallback.to_pandas(key))
            if labels and all(isinstance(k, (bool, np.bool_)) for k in labels):
                if len(labels) != len(owner._columns):
                    raise IndexError(f"Boolean index has wrong length: {len(labels)} instead of {len(owner._columns)}")
                return list(np.flatnonzero(labels))
            return owner._positions_of(labels)
        found = owner._names.get_loc(key)
        if isinstance(found, _WHOLE):
            return int(found)
        return range(len(owner._columns))[found] if isinstance(found, slice) else list(np.flatnonzero(found))

    def _store(self, key: Any, value: Any) -> None:
        if self.axis is None and put_one(self.owner, True, key, value):
            return
        rows, columns = self._split(key)
        new_column = self.owner.ndim == 2 and _is_label(columns) and columns not in self.owner._names
        if new_column and isinstance(rows, slice) and rows == _ALL:
            if not len(self.owner) and not is_list_like(value):
                raise ValueError("cannot set a frame with no defined index and a scalar")
            self.owner[columns] = value
            return
        whole = isinstance(rows, slice) and rows == _ALL and self.owner.ndim == 2 and _is_label(columns)
        if isinstance(value, (pandas.DataFrame, pandas.Series, pandas.Index)):
            value = _fallback.from_pandas(value)
        if (
            whole
            and is_list_like(value)
            and (isinstance(value, Rows) or not is_dict_like(value))
            and getattr(value, "ndim", 1) == 1
        ):
            at = self._columns(columns)
            column = self.owner._fit(value) if isinstance(at, int) else None
            if column is not None and column.dtype == self.owner._columns[at].dtype:
                self.owner[columns] = column
                return
        if self.axis is None and enlarged(self.owner, rows, columns, value, self._target):
            return
        super()._store(key, value)

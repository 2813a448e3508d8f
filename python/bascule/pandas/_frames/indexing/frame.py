"""Selection, assignment and iteration of frames."""

from __future__ import annotations

import sys
import warnings
from collections import namedtuple
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ... import _classes, _fallback, _indexes
from ..._base import Rows, as_mask
from ..._columns.column import AnyColumn, HostColumn, ndarray
from ..._columns.infer import from_values, inferred
from ..._columns.where import is_missing_scalar
from ..._fallback.carried import finish
from ..._fallback.chained import check_item
from ..._fallback.native import NotNative
from ..._fallback.scope import with_names
from ..._indexes.align import positions_in
from ..._indexes.multi import range_order
from ..._labels import hashes, is_label, label_of, positions
from ..._pending import objects as pending
from ..._pipe import apply_if_callable
from ..._questions import is_integer, is_list_like, listed
from ..._reshape.rows import matrix_of_objects
from ..._reshape.set_index import from_keys
from ..._reshape.shapes import row_labels
from ..._reshape.unstack import by_rows
from ..._stand_ins import StandIn
from ..._theirs import pandas
from .expression import condition, evaluated
from .indexers import refuse_sets
from .setting import by_labels
from .shared import Indexing


class FrameIndexing(Indexing):
    """Selection, assignment and iteration of frames."""

    def __iter__(self) -> Iterator[Any]:
        return iter(self._names)

    def __contains__(self, key: Any) -> bool:
        return key in self._names

    def keys(self) -> pandas.Index:
        """Labels of the columns."""
        return self.columns

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Pairs of label and column."""
        for i, name in enumerate(self._names):
            yield name, self._series(i) if self._plain else finish(self, self._series(i))

    def __getitem__(self, key: Any) -> Any:
        if type(key) is not str:
            refuse_sets(key)
            key = apply_if_callable(label_of(key), self)
        if is_label(key, self._names):
            found = self._names.get_loc(key)
            if isinstance(found, (int, np.integer)):
                return self._series(int(found))
            if isinstance(self._names, pandas.MultiIndex):
                return self._part(key)
            return self._select(range(len(self._names))[found] if isinstance(found, slice) else np.flatnonzero(found))
        if isinstance(key, slice):
            if all(v is None or is_integer(v) for v in (key.start, key.stop, key.step)):
                return self._slice_rows(key)
            self._index._refuse_slice(key)
            return self.loc[key]
        if isinstance(key, Rows) and key.ndim == 2:
            return self.where(key)
        if isinstance(key, np.ndarray) and key.ndim > 1:
            if key.ndim > 2:
                raise ValueError("Index data must be 1-dimensional")
            return self[list(map(tuple, key))]
        if isinstance(key, Iterator):
            key = list(key)
        later = pending.filtered(self, key) if "_plan" in self.__dict__ else None
        if later is not None:
            return later
        if isinstance(key, _classes.Series) and key.dtype == bool and not key._index.equals(self._index):
            text = "Boolean Series key will be reindexed to match DataFrame index."
            warnings.warn(text, UserWarning, stacklevel=2)
        mask = as_mask(key, self._index)
        return self._select(self._positions_of(key)) if mask is None else self._filter_rows(mask)

    def _numbered(self) -> pandas.DataFrame:
        """A frame of pandas with these column labels, whose one row holds their positions: pandas looks labels up in it."""
        return pandas.DataFrame([range(len(self._names))], columns=self._names)

    def _part(self, key: Any) -> Any:
        """The columns below a label of the first of several levels."""
        if isinstance(self._names, StandIn) and not isinstance(key, tuple) and self._names.nlevels == 2:
            at = np.arange(len(self._names))[self._names.get_loc(key)]
            below = self._names.droplevel(0)
            if all(below[int(i)] != "" for i in at):  # which would stand for the part itself
                return _classes.DataFrame._new([self._columns[i] for i in at], below[at], self._index)
        found = self._numbered()[key]
        if isinstance(found, pandas.Series):
            return _classes.Series._new(self._columns[int(found.iloc[0])], self._index, found.name)
        return _classes.DataFrame._new([self._columns[i] for i in found.iloc[0]], found.columns, self._index)

    def _positions_of(self, labels: Any) -> list[int]:
        """Positions of the columns of a list of labels; KeyError as pandas' when some do not exist."""
        listed = labels.tolist() if isinstance(labels, _indexes.Index) and labels.nlevels == 1 else labels
        found = positions(self._names, listed)
        if found is not None:
            return found
        given = _fallback.to_pandas(labels)
        if not isinstance(given, (pandas.Index, pandas.Series, np.ndarray)):
            given = list(given)
        return [int(i) for i in self._names._get_indexer_strict(given, "columns")[1]]

    def get(self, key: Any, default: Any = None) -> Any:
        """The column of that label, or the default."""
        try:
            return self[key]
        except (KeyError, ValueError, IndexError):
            return default

    def __setitem__(self, key: Any, value: Any) -> None:
        check_item(sys.getrefcount(self), self)
        if type(key) is not str:
            key = apply_if_callable(key, self)
        if _is_one_column(key):
            self._set_column(key, value)
        elif (
            isinstance(key, (list, pandas.Index))
            and as_mask(key, self._index) is None
            and isinstance(value, _classes.DataFrame)
            and len(key) == value.shape[1]
        ):
            for label, i in zip(key, range(value.shape[1])):
                self._set_column(label, value._series(i))
        else:
            self._call_pandas("__setitem__", (key, value), reason="an unsupported target")

    def _set_column(self, label: Any, value: Any) -> None:
        if "_plan" in self.__dict__ and pending.assigned(self, label, value):
            return
        value = by_labels(value)
        if isinstance(value, _classes.DataFrame):
            if label in self._names:
                self._call_pandas("__setitem__", (label, value), reason="a frame in the place of columns")
                return
            if not value._columns:
                raise ValueError(f"Cannot set a DataFrame without columns to the column {label}")
            if len(value._columns) > 1:
                raise ValueError(f"Cannot set a DataFrame with multiple columns to the single column {label}")
            value = value._series(0)
        if len(self._columns) and self._gives_rows(value):
            self._call_pandas("__setitem__", (label, value), reason="new rows from the assigned value")
            return
        if self._gives_rows(value):
            index = value._index if isinstance(value, _classes.Series) else None
            if index is not None and isinstance(self._index, _indexes.RangeIndex):
                index = _indexes.evenly(index)
            if index is not None and self._index.name is not None:
                index = index.rename(self._index.name)
            column = from_values(value)
            rows = index if index is not None else _indexes.default(len(column))
            self._become(_classes.DataFrame._new([column], self._names.insert(0, label), rows))
            return
        column = self._fit(value)
        if label in self._names:
            found = self._names.get_loc(label)
            where = [found] if isinstance(found, (int, np.integer)) else list(np.arange(len(self._names))[found])
            columns = [column if i in where else c for i, c in enumerate(self._columns)]
            self.__dict__["_columns"] = columns
            return
        names = self._names.insert(len(self._names), label)
        self.__dict__.update(_columns=[*self._columns, column], _column_labels=names)

    def _gives_rows(self, value: Any) -> bool:
        """Whether this frame has no rows, so that a value decides about its rows."""
        return len(self._index) == 0 and is_list_like(value) and len(value) > 0

    def _fit(self, value: Any) -> AnyColumn:
        """A value as a column of this frame: labelled values are aligned, others taken by position."""
        value = by_labels(value)
        if isinstance(value, _classes.Series) and not (value._index is self._index or value._index.equals(self._index)):
            positions = positions_in(value._index, self._index)
            if positions is not None:
                return value._column.take(positions, True)
            return value.reindex(self._index)._column
        if isinstance(value, Iterator):
            raise TypeError(f"object of type '{type(value).__name__}' has no len()")
        if isinstance(value, (np.ndarray, ndarray)) and value.ndim == 2 and value.shape[1] == 1:
            value = value.reshape(-1)  # as scikit-learn gives one feature
        column = from_values(_nothing(value), length=len(self._index))
        if len(column) != len(self._index):
            raise ValueError(f"Length of values ({len(column)}) does not match length of index ({len(self._index)})")
        return column

    def insert(self, loc: int, column: Any, value: Any, allow_duplicates: bool = False) -> None:
        """Insert a column at a position, in place."""
        if not allow_duplicates and column in self._names:
            raise ValueError(f"cannot insert {column}, already exists")
        if loc < 0:
            raise ValueError("unbounded slice")
        value = by_labels(value)
        if isinstance(value, _classes.DataFrame):
            width = value.shape[1]
            if width > 1:
                raise ValueError(f"Expected a one-dimensional object, got a DataFrame with {width} columns instead.")
            value = value.iloc[:, 0]
        if self._gives_rows(value):
            self._call_pandas("insert", (loc, column, value), reason="new rows from the inserted value")
            return
        names = self._names.insert(loc, column)
        self.__dict__.update(
            _columns=[*self._columns[:loc], self._fit(value), *self._columns[loc:]], _column_labels=names
        )

    def pop(self, item: Any) -> Any:
        """Remove a column in place, and return it."""
        out = self[item]
        del self[item]
        return out

    def __delitem__(self, key: Any) -> None:
        found = self._names.get_loc(key)
        gone = {found} if isinstance(found, (int, np.integer)) else set(np.arange(len(self._names))[found])
        keep = [i for i in range(len(self._names)) if i not in gone]
        self._become(self._select(keep))

    def isetitem(self, loc: Any, value: Any) -> None:
        """Replace the columns at positions by another column, or by several."""
        value = by_labels(value)
        if isinstance(value, _classes.DataFrame):
            at = [loc] if isinstance(loc, (int, np.integer)) else list(loc)
            if len(at) != value.shape[1]:
                raise ValueError(f"Got {len(at)} positions but value has {value.shape[1]} columns.")
            for k, i in enumerate(at):
                self.isetitem(i, value.iloc[:, k])
            return
        if getattr(value, "ndim", 1) == 2 and not isinstance(loc, (int, np.integer)):
            for k, i in enumerate(loc):
                self.isetitem(i, value[:, k])
            return
        if self._gives_rows(value):
            self._call_pandas("isetitem", (loc, value), reason="new rows from the assigned value")
            return
        column = self._fit(value)
        columns = list(self._columns)
        for i in [loc] if isinstance(loc, (int, np.integer)) else list(loc):
            columns[i] = column
        self.__dict__["_columns"] = columns

    def query(self, expr: str, *, inplace: bool = False, **kwargs: Any) -> Any:
        """Select rows by a boolean expression given as a string.

        Parameters
        ----------
        expr : str
            Comparisons of columns with each other, with constants and with variables of the caller marked by @, combined
            by and, or and not; pandas evaluates other expressions.
        inplace : bool
            Change the frame itself, by pandas.
        **kwargs
            As of pandas' eval.

        Returns
        -------
        DataFrame or None
        """
        mask, there = self._of_text("query", expr, inplace, kwargs, condition)
        if mask is None:
            return there
        later = pending.filtered(self, mask) if "_plan" in self.__dict__ else None
        return self._filter_rows(mask._column.values) if later is None else later

    def _of_text(self, name: str, expr: Any, inplace: Any, options: dict, read: Callable[..., Any]) -> tuple[Any, Any]:
        """The value that a function reads in an expression; or else None, and the result of pandas' method of a name."""
        given = with_names((expr,), options)
        try:
            if options or inplace is not False or not isinstance(expr, str):
                raise NotNative(f"options of {name}")
            return read(expr, self, {**given["global_dict"], **given["local_dict"]}), None
        except NotNative as why:
            changed = {} if inplace is False else {"inplace": inplace}
            return None, self._call_pandas(name, (expr,), {**changed, **given}, reason=why.reason)

    def eval(self, expr: str, *, inplace: bool = False, **kwargs: Any) -> Any:
        """Compute an expression given as a string.

        Parameters
        ----------
        expr : str
            Arithmetic and conditions as for `query`; `name = expression` adds a column. pandas evaluates other expressions.
        inplace : bool
            Change the frame itself, by pandas.
        **kwargs
            As of pandas' eval.

        Returns
        -------
        Series or DataFrame

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> pd.DataFrame({"x": [1, 2]}).eval("y = x * 2").y.tolist()
        [2, 4]
        """
        made, there = self._of_text("eval", expr, inplace, kwargs, evaluated)
        return there if made is None else made

    def isin(self, values: Any) -> Any:
        """Whether each value is contained in a collection, or in that of its column in a dict."""
        if isinstance(values, (pandas.Series, pandas.DataFrame, Rows)):
            return self._call_pandas("isin", (values,), reason="labelled values")
        values = _collection(values)
        if isinstance(values, dict):
            values = {k: listed(_collection(v) if k in self._names else v) for k, v in values.items()}
        elif isinstance(values, Iterator) and not _are_one_block(self._columns):
            return self._call_pandas("isin", (values,), reason="an iterator, which the columns of one type use up")
        values = listed(values)
        by_column = values if isinstance(values, dict) else dict.fromkeys(range(len(self._columns)), values)
        labels = self._names if isinstance(values, dict) else range(len(self._columns))
        try:
            made = [c.among(by_column.get(n, ())) for n, c in zip(labels, self._columns)]
        except NotNative as why:
            return self._call_pandas("isin", (values,), reason=why.reason)
        return self._with(made, self._index)

    def iterrows(self) -> Iterator[tuple[Any, Any]]:
        """Iterate over rows as pairs of label and series; the series has the common type of the row's values."""
        height = len(self)
        labels = row_labels(self._names)
        columns = [c.without_number_categories() for c in self._columns]
        try:
            for c in columns:
                c.plain_values(why="rows of objects")
            values = by_rows(columns, height)
        except NotNative:
            objects = matrix_of_objects(columns, height)
            kind = _row_maker(columns)
            rows = (kind(objects[i]) for i in range(height))
        else:
            width = len(self._columns)
            rows = (values.slice(i * width, 1, width) for i in range(height))  # type: ignore[misc]
        for label, row in zip(self._index, rows):
            made = _classes.Series._new(row, labels, label)
            yield label, made if self._plain else finish(self, made)

    def itertuples(self, index: bool = True, name: str | None = "Pandas") -> Iterator[tuple[Any, ...]]:
        """Iterate over rows as named tuples.

        Parameters
        ----------
        index : bool
            Whether the label comes first.
        name : str or None
            Name of the tuples' class; None for plain tuples.
        """
        fields, parts = list(self._names), [c.iterated() for c in self._columns]
        if index:
            fields, parts = ["Index", *fields], [iter(self._index), *parts]
        rows = zip(*parts)
        if name is None:
            return rows
        return map(namedtuple(name, fields, rename=True)._make, rows)  # type: ignore[misc]

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
            index = from_keys(columns[0], self._names[at[0]] if names[0] is None and at[0] is not None else names[0])
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


def _are_one_block(columns: list[AnyColumn]) -> bool:
    """Whether pandas keeps all columns in one block, of one of NumPy's types."""
    return len(columns) < 2 or (columns[0].plain != "-" and len({(c.plain, c.dtype) for c in columns}) == 1)


def _collection(values: Any) -> Any:
    """Values to look among; TypeError for one value."""
    if not is_list_like(values):
        raise TypeError(
            "only list-like or dict-like objects are allowed to be passed to DataFrame.isin(), "
            f"you passed a '{type(values).__name__}'"
        )
    return values


def _is_one_column(key: Any) -> bool:
    """Whether a key of an assignment is the label of one column, which any hashable value is."""
    if isinstance(key, (str, tuple)):
        return True
    if isinstance(key, (slice, list, Rows, np.ndarray, pandas.DataFrame, pandas.Series, pandas.Index)):
        return False
    return hashes(key) and getattr(key, "ndim", 0) == 0


def _nothing(value: Any) -> Any:
    """An empty list or range as an array of the type that a column of it has."""
    if not isinstance(value, (list, tuple, range)) or len(value):
        return value
    return np.empty(0, np.int64 if isinstance(value, range) else np.float64)


def _is_mixed(row: np.ndarray) -> bool:
    """Whether strings or numbers stand among objects of other kinds, all of which stay as they are."""
    kinds = {str if isinstance(v, str) else isinstance(v, _NUMBERS) for v in row if not is_missing_scalar(v)}
    return len(kinds) > 1


_NUMBERS = (int, float, np.number, np.bool_)


def _row_maker(columns: list[AnyColumn]) -> Any:
    """The function that makes a column of a row of objects: strings and timestamps are inferred, as in pandas."""
    return (
        HostColumn,
        lambda row: inferred(row) or HostColumn(row),
        lambda row: HostColumn(row) if _is_mixed(row) else from_values(row),
    )[max((c.row_inference for c in columns), default=0)]


_KEYS = (
    'The parameter "keys" may be a column key, one-dimensional array, or a list containing only valid column keys and '
    "one-dimensional arrays."
)

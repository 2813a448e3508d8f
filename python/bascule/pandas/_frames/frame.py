"""DataFrame: columns with labels, over one index."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas
from pandas.api.types import is_list_like

from ... import _core
from ..._array.caller_warnings import warn
from .. import _classes, _fallback, _indexes
from .._base import Rows, as_mask
from .._columns.column import AnyColumn, Column, from_pandas_object
from .._columns.infer import from_values
from .._fallback.as_pandas import KindOfRows, reads
from .._fallback.carried import finish
from .._fallback.chained import check_item
from .._groupby.groupby import FrameGrouping
from .._indexes.align import positions_in
from .._indexes.arguments import is_whole
from .._indexes.search import FrameSearch
from .._io.arrow import FrameArrow
from .._labels import hashes, is_label, label_of
from .._memory import FrameMemory
from .._pipe import apply_if_callable
from .._reshape.melt import FrameMelting
from .._reshape.merge import FrameMerging
from .._reshape.pivot import FramePivots
from .._window.methods import Windows
from . import display
from .arithmetic import FrameArithmetic
from .construct import frame_parts
from .construct import names as names_of
from .cumulative import Running
from .elementwise import FrameElementwise
from .indexers import Indexing
from .indexing import refuse_sets
from .labels import FrameLabels
from .missing import FrameMissing
from .mixins import FrameVerbs
from .moments import FrameMoments
from .reductions import FrameReductions
from .series import Series
from .setting import by_labels
from .sorting import FrameOrder
from .unique import FrameDistinct

_NO_COLUMN = (
    "Pandas doesn't allow columns to be created via a new attribute name - see "
    "https://pandas.pydata.org/docs/dev/user_guide/indexing.html#attribute-access"
)
_FEW = 10_000  # rows whose copy costs less than pandas' check of each column


@_classes.entered
class DataFrame(
    FrameDistinct,
    FrameGrouping,
    Indexing,
    FrameLabels,
    FrameVerbs,
    FrameMerging,
    FrameOrder,
    FrameArrow,
    FrameArithmetic,
    FrameReductions,
    FrameMoments,
    FramePivots,
    FrameMelting,
    FrameMemory,
    FrameSearch,
    FrameMissing,
    FrameElementwise,
    Running,
    Windows,
    Rows,
    metaclass=KindOfRows,
):
    """Two-dimensional table of columns with row and column labels; labels may be duplicates.

    Parameters
    ----------
    data : dict, 2-D array, list, DataFrame, Series, optional
    index, columns : array-like, optional
    dtype : dtype, optional
    copy : bool, optional
        Columns are shared until they are changed, with either value.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> df = pd.DataFrame({"key": ["a", "b", "a"], "x": [1.0, 2.0, 3.0]})
    >>> df.groupby("key").x.sum().tolist()
    [4.0, 2.0]
    """

    __module__ = "bascule.pandas"
    _typ, _stands_for = "dataframe", pandas.DataFrame
    _accessors: set[str] = set()

    def __init__(
        self, data: Any = None, index: Any = None, columns: Any = None, dtype: Any = None, copy: bool | None = None
    ) -> None:
        object.__setattr__(self, "_columns", [])
        made = _from_own(data, index, columns, dtype)
        if made is None:
            made = _by_pandas(data, index, columns, dtype, copy)
        self._become(made)
        if isinstance(index, _indexes.Index):
            self._show(index)

    @classmethod
    def _new(cls, columns: list[AnyColumn], names: pandas.Index, index: Any) -> DataFrame:
        self = object.__new__(cls)
        self.__dict__.update(_columns=columns, _column_labels=names, _index=index)
        return self

    @classmethod
    def from_dict(cls, data: Any, orient: str = "columns", dtype: Any = None, columns: Any = None) -> DataFrame:
        """A frame of a dict: of its values as columns, or (`orient="index"`, in pandas) as rows."""
        if orient == "columns" and dtype is None and columns is None:
            return cls(data)
        called = pandas.DataFrame.from_dict
        return _fallback.run("DataFrame.from_dict", "orient=, dtype= or columns=", called, data, orient, dtype, columns)

    @classmethod
    def _from_pandas(cls, x: pandas.DataFrame) -> DataFrame:
        held = x.copy(deep=False)  # copy-on-write: later writes to x do not reach this frame
        columns = []
        for i in range(held.shape[1]):
            s = held.iloc[:, i]
            columns.append(from_pandas_object(s, held))
        return cls._new(columns, x.columns.view(), _indexes.from_pandas(x.index))._take_over(x)

    def _all_columns(self) -> list[AnyColumn]:
        return self._columns

    def _with(self, columns: list[AnyColumn], index: Any) -> DataFrame:
        return DataFrame._new(columns, self._names, index)

    def _select(self, positions: Any) -> DataFrame:
        """Columns by position."""
        return DataFrame._new([self._columns[i] for i in positions], self._names[list(positions)], self._index)

    _constructor = property(lambda self: DataFrame)
    _constructor_sliced = property(lambda self: Series)

    def to_pandas(self) -> pandas.DataFrame:
        """A copy as pandas' frame."""
        index = self._index.to_pandas()
        arrays = [c.to_pandas_array() for c in self._columns]
        if (
            arrays and len(index) <= _FEW and not any(c.dtype.kind == "S" for c in arrays)
        ):  # concatenated, bytes become objects
            made = pandas.DataFrame._from_arrays(arrays, self._names.view(), index, verify_integrity=False)
            return self._described_like(made)
        made = pandas.DataFrame(
            {i: pandas.Series(a, index, a.dtype, copy=False) for i, a in enumerate(arrays)},
            index=index,
            copy=False,
        )
        made.columns = self._names.view()
        return self._described_like(made)

    # ---- what it is
    def _columns_shown(self) -> pandas.Index:
        names, shown = self._names, self.__dict__.get("_shown_names")
        if shown is None or shown[0] is not names:
            shown = self.__dict__["_shown_names"] = (names, names.view())
        return shown[1]

    def _names_now(self) -> pandas.Index:
        labels, shown = self.__dict__["_column_labels"], self.__dict__.get("_shown_names")
        if shown is not None and shown[0] is labels and shown[1].names != labels.names:
            labels = self.__dict__["_column_labels"] = shown[1].view()
            self.__dict__["_shown_names"] = (labels, shown[1])
        return labels

    columns = property(
        _core.shown_columns,
        doc="Labels of the columns, as pandas' index: always the same object, so that a name given to it is this frame's own.",
    )
    # The labels of the columns, which never change: the user holds another object, whose names are looked at here.
    _names = property(_core.column_labels)

    @columns.setter
    def columns(self, value: Any) -> None:
        names = names_of(value)
        if len(names) != len(self._columns):
            raise ValueError(
                f"Length mismatch: Expected axis has {len(self._columns)} elements, new values have {len(names)} elements"
            )
        self._must_be_unique(names)
        labels = self.__dict__["_column_labels"] = names.view()
        self.__dict__["_shown_names"] = (labels, names)

    @property
    def dtypes(self) -> pandas.Series:
        """Type of each column, as a series of pandas."""
        return pandas.Series([c.dtype for c in self._columns], index=self._names, dtype=object)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self._index), len(self._columns)

    @property
    def size(self) -> int:
        return len(self._index) * len(self._columns)

    ndim = property(lambda self: 2)

    @property
    def axes(self) -> list[Any]:
        """The labels of the rows and of the columns."""
        return [self._index.to_pandas() if reads() else self.index, self.columns]

    @property
    def values(self) -> Any:
        """The values as one two-dimensional array: bascule's where all columns are numbers, else NumPy's."""
        if not self._is_one_block():
            return self.to_pandas().values
        dtype = np.result_type(*(c.dtype for c in self._columns))
        out = _core.empty(self.shape, dtype, self._device())
        for i, c in enumerate(self._columns):
            out[:, i] = c.values
        return out

    def _is_one_block(self) -> bool:
        """Whether all columns are numbers, or all bools."""
        kinds = {c.dtype.kind if _is_plain(c) else "" for c in self._columns}
        return bool(kinds) and (kinds <= set("iuf") or kinds == {"b"})

    def to_numpy(
        self, dtype: Any = None, copy: bool = False, na_value: Any = pandas.api.extensions.no_default
    ) -> np.ndarray:
        """The values in one NumPy array."""
        return self.to_pandas().to_numpy(dtype=dtype, copy=copy, na_value=na_value)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if self._is_one_block() and (copy is not False or len({c.dtype for c in self._columns}) == 1):
            # One block in pandas' layout that this call owns: the caller may write to it unless it asked for no copy.
            rows = np.empty((len(self._columns), len(self)), np.result_type(*(c.dtype for c in self._columns)))
            for row, c in zip(rows, self._columns):
                row[...] = c.to_numpy()
            rows.flags.writeable = copy is not False  # else it stands for the frame's own read-only memory
            return np.asarray(rows.T, dtype=dtype) if copy is not False else np.array(rows.T, dtype=dtype, copy=False)
        made = self.to_pandas()
        return (made.copy() if copy is False else made).__array__(dtype, copy)  # a copy lies in one piece

    def __repr__(self) -> str:
        return display.frame_text(self)

    def _repr_html_(self) -> str | None:
        return display.frame_html(self)

    def _ipython_key_completions_(self) -> list[Any]:
        return list(self._names)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._names)

    def keys(self) -> pandas.Index:
        """Labels of the columns."""
        return self.columns

    def __contains__(self, key: Any) -> bool:
        return key in self._names

    def items(self) -> Iterator[tuple[Any, Series]]:
        """Pairs of label and column."""
        for i, name in enumerate(self._names):
            yield name, self._series(i) if self._plain else finish(self, self._series(i))

    def __dir__(self) -> list[str]:
        return sorted({*Rows.__dir__(self), *(n for n in self._names if isinstance(n, str) and n.isidentifier())})

    # ---- columns
    def _series(self, i: int) -> Series:
        return Series._new(self._columns[i], self._index, self._names[i])

    def _is_part_of_a_label(self, label: Any) -> bool:
        """Whether a label names some levels of the columns only, and so perhaps several columns."""
        levels = self._names.nlevels
        return levels > 1 and not (isinstance(label, tuple) and len(label) == levels)

    def _position(self, label: Any) -> int:
        """Position of the only column of that label; KeyError without one, ValueError with several."""
        found = self._names.get_loc(label)
        if isinstance(found, (int, np.integer)):
            return int(found)
        raise ValueError(f"The column label {label!r} is not unique.")

    def __getattr__(self, name: str) -> Any:
        if "_column_labels" in self.__dict__ and name in self._names:
            return self[name]
        return self._asked_by_pandas(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.__dict__ and not hasattr(type(self), name) and name in self._names:
            self[name] = value
            return
        if name[0] != "_" and name not in self.__dict__ and not hasattr(type(self), name) and is_list_like(value):
            warn(_NO_COLUMN, UserWarning)
        object.__setattr__(self, name, value)

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
            if all(v is None or is_whole(v) for v in (key.start, key.stop, key.step)):
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
        if isinstance(key, Series) and key.dtype == bool and not key._index.equals(self._index):
            text = "Boolean Series key will be reindexed to match DataFrame index."
            warnings.warn(text, UserWarning, stacklevel=2)
        mask = as_mask(key, self._index)
        return self._select(self._positions_of(key)) if mask is None else self._filter_rows(mask)

    def _numbered(self) -> pandas.DataFrame:
        """A frame of pandas with these column labels, whose one row holds their positions: pandas looks labels up in it."""
        return pandas.DataFrame([range(len(self._names))], columns=self._names)

    def _part(self, key: Any) -> Any:
        """The columns below a label of the first of several levels."""
        found = self._numbered()[key]
        if isinstance(found, pandas.Series):
            return Series._new(self._columns[int(found.iloc[0])], self._index, found.name)
        return DataFrame._new([self._columns[i] for i in found.iloc[0]], found.columns, self._index)

    def _positions_of(self, labels: Any) -> list[int]:
        """Positions of the columns of a list of labels; KeyError as pandas' when some do not exist."""
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
            and isinstance(value, DataFrame)
            and len(key) == value.shape[1]
        ):
            for label, i in zip(key, range(value.shape[1])):
                self._set_column(label, value._series(i))
        else:
            self._call_pandas("__setitem__", (key, value), reason="an unsupported target")

    def _set_column(self, label: Any, value: Any) -> None:
        value = by_labels(value)
        if isinstance(value, DataFrame):
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
            index = value._index if isinstance(value, Series) else None
            if index is not None and isinstance(self._index, _indexes.RangeIndex):
                index = _indexes.evenly(index)
            if index is not None and self._index.name is not None:
                index = index.rename(self._index.name)
            column = from_values(value)
            rows = index if index is not None else _indexes.default(len(column))
            self._become(DataFrame._new([column], self._names.insert(0, label), rows))
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
        if isinstance(value, Series) and not (value._index is self._index or value._index.equals(self._index)):
            positions = positions_in(value._index, self._index)
            if positions is not None:
                return value._column.take(positions, True)
            return value.reindex(self._index)._column
        if isinstance(value, Iterator):
            raise TypeError(f"object of type '{type(value).__name__}' has no len()")
        column = from_values(_nothing(value), length=len(self._index))
        if len(column) != len(self._index):
            raise ValueError(f"Length of values ({len(column)}) does not match length of index ({len(self._index)})")
        return column

    def assign(self, **kwargs: Any) -> DataFrame:
        """A copy with columns added or replaced; a callable gets the frame with the columns added so far."""
        out = self.copy()
        for name, value in kwargs.items():
            out[name] = apply_if_callable(value, out)
        return out

    def insert(self, loc: int, column: Any, value: Any, allow_duplicates: bool = False) -> None:
        """Insert a column at a position, in place."""
        if not allow_duplicates and column in self._names:
            raise ValueError(f"cannot insert {column}, already exists")
        if loc < 0:
            raise ValueError("unbounded slice")
        value = by_labels(value)
        if isinstance(value, DataFrame):
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

    def pop(self, item: Any) -> Series:
        """Remove a column in place, and return it."""
        out = self[item]
        del self[item]
        return out

    def _get_numeric_data(self) -> DataFrame:
        """The columns of numbers and booleans; a method of pandas that other libraries call."""
        return self._select(
            [
                i
                for i, c in enumerate(self._columns)
                if pandas.api.types.is_numeric_dtype(c.dtype) and c.dtype.kind in "biufc"
            ]
        )

    def __delitem__(self, key: Any) -> None:
        found = self._names.get_loc(key)
        gone = {found} if isinstance(found, (int, np.integer)) else set(np.arange(len(self._names))[found])
        keep = [i for i in range(len(self._names)) if i not in gone]
        self._become(self._select(keep))


def _is_one_column(key: Any) -> bool:
    """Whether a key of an assignment is the label of one column, which any hashable value is."""
    if isinstance(key, (str, tuple)):
        return True
    if isinstance(key, (slice, list, Rows, np.ndarray, pandas.DataFrame, pandas.Series, pandas.Index)):
        return False
    return hashes(key) and getattr(key, "ndim", 0) == 0


def _is_plain(c: AnyColumn) -> bool:
    """Whether the values of a column are stored as an array of numbers, booleans or times."""
    return isinstance(c, Column) and not c.is_text and not c.is_masked


def _nothing(value: Any) -> Any:
    """An empty list or range as an array of the type that a column of it has."""
    if not isinstance(value, (list, tuple, range)) or len(value):
        return value
    return np.empty(0, np.int64 if isinstance(value, range) else np.float64)


def _by_pandas(data: Any, index: Any, columns: Any, dtype: Any, copy: bool | None) -> DataFrame:
    """A frame of data whose types only pandas knows; empty data, and pandas' objects, are not counted as a fallback."""
    if isinstance(data, pandas.DataFrame) and dtype is None and index is None and columns is None:
        return DataFrame._from_pandas(data)
    if data is None or (isinstance(data, (list, tuple, dict)) and not data):
        with _fallback.presented():
            empty = pandas.DataFrame(data, _fallback.to_pandas(index), _fallback.to_pandas(columns), dtype, copy)
            return DataFrame._from_pandas(empty)
    options = dict(index=index, columns=columns, dtype=dtype, copy=copy)
    return _fallback.run("DataFrame", "data of other kinds, or dtype=", pandas.DataFrame, data, **options)


def _from_own(data: Any, index: Any, columns: Any, dtype: Any) -> DataFrame | None:
    """A frame of data that need not go through pandas."""
    if isinstance(data, DataFrame) and index is None and columns is None and dtype is None:
        return data.copy()
    parts = frame_parts(data, index, columns, dtype)
    if parts is None:
        return None
    return None if any(c is None for c in parts[0]) else DataFrame._new(*parts)

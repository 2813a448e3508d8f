"""DataFrame: columns with labels, over one index."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ... import _core
from ..._array.caller_warnings import warn
from ..._core import from_numpy
from .. import _classes, _fallback, _indexes
from .._base import Rows
from .._columns.column import AnyColumn, HostColumn, from_pandas_array, plain
from .._columns.dtypes import kept
from .._fallback.as_pandas import KindOfRows, reads
from .._fallback.native import NotNative, native
from .._memory import bytes_of_labels
from .._pending import objects as pending
from .._questions import is_list_like
from .._reshape.turned import origin, row_of_origin, turned
from .._stand_ins import StandIn
from .._theirs import UNSET, is_loaded, own, pandas, unset
from . import display
from .application import Application
from .arithmetic import Arithmetic
from .combining import FrameCombining
from .construct import frame_parts
from .construct import names as names_of
from .conversion import check_errors, convert_dtypes, converted_as, infer_objects
from .indexing.frame import FrameIndexing
from .io import FrameIO
from .labels.frame import Labels
from .missing import Missing
from .reshaping import FrameReshaping
from .series import Series
from .sorting import Sorting
from .statistics.described import of_types
from .statistics.frame import FrameStatistics
from .time_series import TimeSeries

_NO_COLUMN = (
    "Pandas doesn't allow columns to be created via a new attribute name - see "
    "https://pandas.pydata.org/docs/dev/user_guide/indexing.html#attribute-access"
)
_FEW = 10_000  # rows whose copy costs less than pandas' check of each column


@_classes.entered
class DataFrame(
    FrameIndexing,
    Labels,
    Arithmetic,
    Application,
    FrameStatistics,
    Missing,
    Sorting,
    FrameReshaping,
    FrameCombining,
    TimeSeries,
    FrameIO,
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
    convert_dtypes, infer_objects = convert_dtypes, infer_objects

    def __init__(
        self, data: Any = None, index: Any = None, columns: Any = None, dtype: Any = None, copy: bool | None = None
    ) -> None:
        object.__setattr__(self, "_columns", [])
        if isinstance(data, Iterator):
            data = list(data)
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
    def _pending(cls, make: Callable[[], list[AnyColumn]], names: pandas.Index, index: Any) -> DataFrame:
        """A frame whose columns are made at their first use: of many short ones, most of the cost."""
        self = object.__new__(cls)
        self.__dict__.update(_make=make, _column_labels=names, _index=index)
        return self

    @functools.cached_property
    def _columns(self) -> list[AnyColumn]:
        pending.make_now(self)
        make = self.__dict__.get("_make")
        if make is not None:  # else another thread has just made them
            self.__dict__.setdefault("_columns", make())
            self.__dict__.pop("_make", None)
        return self.__dict__["_columns"]

    @classmethod
    def from_dict(cls, data: Any, orient: str = "columns", dtype: Any = None, columns: Any = None) -> DataFrame:
        """A frame of a dict: of its values as columns, or (`orient="index"`) as rows."""
        if orient == "columns" and dtype is None and columns is None:
            return cls(data)
        if orient == "index" and dtype is None and type(data) is dict and data:
            kinds = set(map(type, data.values()))
            if kinds <= {list, tuple} or not any(map(is_list_like, data.values())):
                return cls(list(data.values()), index=list(data), columns=columns)
            if kinds == {dict} and columns is None and all(data.values()):
                names = dict.fromkeys(name for row in data.values() for name in row)
                values = {name: [row.get(name, np.nan) for row in data.values()] for name in names}
                return cls(values, index=_indexes.Index(list(data)))
        called = pandas.DataFrame.from_dict
        return _fallback.run("DataFrame.from_dict", "orient=, dtype= or columns=", called, data, orient, dtype, columns)

    @classmethod
    def from_records(
        cls, data: Any, index: Any = None, exclude: Any = None, columns: Any = None, coerce_float: bool = False, nrows: Any = None
    ) -> DataFrame:  # fmt: skip
        """A frame of rows: of tuples, dicts or structured arrays."""
        if type(data) is list and data and index is exclude is nrows is None and not coerce_float:
            if set(map(type, data)) == {tuple} and len(set(map(len, data))) == 1:
                return cls(data, columns=columns)
        called = pandas.DataFrame.from_records
        given = (data, index, exclude, columns, coerce_float, nrows)
        return _fallback.run("DataFrame.from_records", "records that are not tuples, or options", called, *given)

    @classmethod
    def _from_pandas(cls, x: pandas.DataFrame) -> DataFrame:
        held = x.copy(deep=False)  # copy-on-write: later writes to x do not reach this frame
        columns = [from_pandas_array(held._get_column_array(i), owner=held) for i in range(held.shape[1])]
        return cls._new(columns, x.columns.view(), _indexes.from_pandas(x.index))._take_over(x)

    def _all_columns(self) -> list[AnyColumn]:
        return self._columns

    def _with(self, columns: list[AnyColumn], index: Any) -> DataFrame:
        return DataFrame._new(columns, self._names, index)

    def _select(self, positions: Any) -> DataFrame:
        """Columns by position."""
        later = pending.selected(self, positions) if "_plan" in self.__dict__ else None
        if later is not None:
            return later
        return DataFrame._new([self._columns[i] for i in positions], self._names[list(positions)], self._index)

    _constructor = property(lambda self: DataFrame)
    _constructor_sliced = property(lambda self: Series)

    def to_pandas(self) -> pandas.DataFrame:
        """A copy as pandas' frame."""
        index = self._index.to_pandas()
        if origin(self) is not None:
            return self._described_like(origin(self).to_pandas().T.set_axis(index).set_axis(self._names.view(), axis=1))
        arrays = [c.to_pandas_array() for c in self._columns]
        bytes_there = any(a.dtype.type is np.bytes_ for a in arrays)  # concatenated, they become objects
        if arrays and len(index) <= _FEW and not bytes_there:
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
            made = _indexes.from_pandas(names) if isinstance(names, StandIn) else names.view()
            shown = self.__dict__["_shown_names"] = (names, made)
        return shown[1]

    def _names_now(self) -> pandas.Index:
        labels, shown = self.__dict__["_column_labels"], self.__dict__.get("_shown_names")
        is_shown = shown is not None and shown[0] is labels
        if is_shown and list(shown[1].names if not isinstance(labels, StandIn) else shown[1]._names) != labels.names:
            labels = names_of(shown[1])
        elif isinstance(labels, StandIn) and is_loaded():
            labels = labels.theirs
        if labels is not self.__dict__["_column_labels"]:
            self.__dict__["_column_labels"] = labels
            self.__dict__["_shown_names"] = (labels, shown[1]) if is_shown else None
        return labels

    columns = property(
        _core.shown_columns,
        doc="The labels of the columns, an index. It is the same object at each access, so a name that you set on it stays.",
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
        stands_in = isinstance(names, StandIn)
        labels = self.__dict__["_column_labels"] = names if stands_in else names.view()
        self.__dict__["_shown_names"] = None if stands_in else (labels, names)

    @property
    def dtypes(self) -> Any:
        """The type of each column, as a series: pandas' own, once pandas is imported."""
        columns = pending.without_rows(self)
        types = np.empty(len(columns), dtype=object)
        types[:] = [c.dtype for c in columns]
        if is_loaded():
            return pandas.Series(types, index=self._names)
        return Series._new(HostColumn(types), _indexes.from_pandas(self._names), None)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and of columns."""
        return len(self._index), len(self._columns)

    @property
    def size(self) -> int:
        """The number of values: rows times columns."""
        return len(self._index) * len(self._columns)

    ndim = property(lambda self: 2, doc="Two: the number of axes.")

    @property
    def axes(self) -> list[Any]:
        """The labels of the rows and of the columns."""
        return [self._index.to_pandas() if reads() else self.index, self.columns]

    @property
    def values(self) -> Any:
        """The values as one two-dimensional array: bascule's where all columns are numbers, else NumPy's."""
        if origin(self) is not None:
            return origin(self).values.T
        if not self._is_one_block():
            return self.to_numpy()
        dtype = np.result_type(*(c.dtype for c in self._columns))
        out = _core.empty(self.shape, dtype, self._device())
        for i, c in enumerate(self._columns):
            out[:, i] = c.values
        return out

    def _is_one_block(self) -> bool:
        """Whether all columns are numbers, or all bools."""
        kinds = {c.plain for c in self._columns_of_origin()}
        return bool(kinds) and (kinds <= set("iuf") or kinds == {"b"})

    def _columns_of_origin(self) -> list[AnyColumn]:
        """The columns, or of a transposed frame those that it was made of, which have the same types."""
        own = origin(self)
        return self._columns if own is None else own._columns

    def to_numpy(self, dtype: Any = None, copy: bool = False, na_value: Any = UNSET) -> np.ndarray:
        """The values in one NumPy array."""
        made = self._interleaved() if dtype is None and unset(na_value) else None
        if made is None:
            return self.to_pandas().to_numpy(dtype=dtype, copy=copy, na_value=own(na_value))
        made.flags.writeable = copy or not self._is_of_one_type()
        return made

    def _is_of_one_type(self) -> bool:
        """Whether pandas shares the memory of a whole frame with its array, which can't be written to then."""
        of_one = len({c.dtype for c in self._columns_of_origin()}) == 1
        return of_one and (self._is_one_block() or len(self._columns) == 1)

    def _interleaved(self) -> np.ndarray | None:
        """The values in one array that the caller owns, with pandas' layout; None where only pandas can make it."""
        own = origin(self)
        if own is not None:
            made = own._interleaved()
            return None if made is None else made.T
        columns = self._columns
        if self._is_one_block():
            dtype = np.result_type(*(c.dtype for c in columns))
        elif columns and all(c.in_arrays for c in columns):
            dtype = np.dtype(object)
        else:
            return None
        rows = np.empty((len(columns), len(self)), dtype)
        for row, c in zip(rows, columns):
            row[...] = c.to_numpy()
        return rows.T

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        made = self._interleaved() if copy is not False or self._is_one_block() and self._is_of_one_type() else None
        if made is not None:
            made.flags.writeable = copy is not False  # else it stands for the frame's own read-only memory
            return np.asarray(made, dtype=dtype) if copy is not False else np.array(made, dtype=dtype, copy=False)
        made = self.to_pandas()
        return (made.copy() if copy is False else made).__array__(dtype, copy)  # a copy lies in one piece

    def __repr__(self) -> str:
        return display.frame_text(self)

    def _repr_html_(self) -> str | None:
        return display.frame_html(self)

    def info(
        self, verbose: bool | None = None, buf: Any = None, max_cols: int | None = None, memory_usage: bool | str | None = None,
        show_counts: bool | None = None,
    ) -> None:  # fmt: skip
        """Print the labels of the rows, and the name, the number of valid values and the type of each column.

        Parameters
        ----------
        verbose, max_cols, show_counts
            As pandas'.
        buf : file, optional
            Where the summary is written instead of standard output.
        memory_usage : bool or "deep", optional
            Whether the bytes of the frame are among it.
        """
        text = None
        if (
            verbose in (None, True)
            and max_cols is None
            and show_counts in (None, True)
            and memory_usage in (None, True, False)
        ):
            text = display.frame_info(self, memory_usage is not False)
        if text is None:
            given = dict(
                verbose=verbose, buf=buf, max_cols=max_cols, memory_usage=memory_usage, show_counts=show_counts
            )
            with _fallback.presented():
                _fallback.to_pandas(self).info(**given)
        else:
            (sys.stdout if buf is None else buf).write(text)

    def _ipython_key_completions_(self) -> list[Any]:
        return list(self._names)

    def __dir__(self) -> list[str]:
        return sorted({*Rows.__dir__(self), *(n for n in self._names if isinstance(n, str) and n.isidentifier())})

    def _slice_rows(self, key: slice) -> Any:
        own, rows = origin(self), key.indices(len(self))
        if own is None or not len(range(*rows)):
            return super()._slice_rows(key)
        return turned(own._select(range(*rows)), self._names, self._index._slice(rows[0], rows[2], len(range(*rows))))

    # ---- columns
    def _series(self, i: int) -> Series:
        later = pending.column(self, i) if "_plan" in self.__dict__ else None
        if later is not None:
            return later
        one = row_of_origin(self, i)
        return Series._new(self._columns[i] if one is None else one, self._index, self._names[i])

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
        if name == "_index" and "_plan" in self.__dict__:
            pending.make_now(self)
            return self.__dict__["_index"]
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

    def _get_numeric_data(self) -> DataFrame:
        """The columns of numbers and booleans; a method of pandas that other libraries call."""
        return self._select(kept(self._columns))

    def select_dtypes(self, include: Any = None, exclude: Any = None) -> Any:
        """Select the columns of some types."""
        try:
            return self._select(of_types(self._columns, include, exclude))
        except NotNative:  # counted as no fallback: pandas sees the types only
            empty = self.head(0).to_pandas()
        empty.columns = range(empty.shape[1])
        return self._select(list(empty.select_dtypes(include, exclude).columns))

    def memory_usage(self, index: bool = True, deep: bool = False) -> Any:
        """Bytes of each column, and of the labels.

        Parameters
        ----------
        index : bool
            Whether the labels come first.
        deep : bool
            Whether Python's objects are counted, too.
        """
        sizes = [c.memory(deep) for c in self._columns]
        names = self._names
        if index:
            sizes, names = [bytes_of_labels(self._index, deep), *sizes], pandas.Index(["Index"]).append(names)
        return _classes.Series._new(plain(from_numpy(np.array(sizes, np.int64))), _indexes.from_pandas(names))

    @native
    def astype(self, dtype: Any, copy: Any = UNSET, errors: str = "raise") -> Any:
        """Convert the values to another type, or some columns by a dict."""
        check_errors(errors)
        if isinstance(dtype, (pandas.Series, _classes.Series)) and dtype.index.is_unique:
            dtype = dict(_fallback.from_pandas(dtype).items())
        if isinstance(dtype, (pandas.Series, Rows)) or not self._names.is_unique:
            raise NotNative("repeated labels")
        if isinstance(dtype, dict):
            if any(self._is_part_of_a_label(k) for k in dtype):
                raise NotNative("labels of some levels of the columns")
            for k in dtype:
                if k not in self._names:
                    raise KeyError(
                        f"Only a column name can be used for the key in a dtype mappings argument. '{k}' not found in columns."
                    )
            wanted = [None] * len(self._columns)
            for k, named in dtype.items():
                wanted[self._position(k)] = pandas.api.types.pandas_dtype(named)
        else:
            wanted = [pandas.api.types.pandas_dtype(dtype)] * len(self._columns)
        made = []
        for i, (c, d) in enumerate(zip(self._columns, wanted)):
            try:
                made.append(c if d is None else converted_as(c, d, errors))
            except ValueError as why:
                if isinstance(dtype, dict):
                    why.args = (f"{why}: Error while type casting for column '{self._names[i]}'",)
                raise
        return self._with(made, self._index)


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

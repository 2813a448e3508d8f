"""Series: one column with labels."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas
from pandas.api.types import is_list_like, is_scalar

from ..._core import from_numpy as _from_numpy
from .. import _classes, _fallback, _indexes
from .._base import Rows, mask_of_series
from .._columns.arrow_stream import ArrowStream
from .._columns.column import AnyColumn, Column, HostColumn, from_pandas_object, iterated, ndarray
from .._columns.infer import from_values
from .._columns.numbered import OnDevice
from .._fallback.as_pandas import KindOfRows, reads
from .._fallback.carried import finish
from .._fallback.chained import check_item
from .._groupby.groupby import SeriesGrouping
from .._indexes.arguments import is_whole
from .._indexes.search import SeriesSearch
from .._labels import hashes
from .._memory import SeriesMemory
from .._pipe import apply_if_callable
from .._reshape.melt import SeriesMelting
from .._reshape.unstack import SeriesReshaping
from .._window.methods import Windows
from . import display
from .accessors import SeriesAccessors
from .arithmetic import SeriesArithmetic
from .construct import series_parts
from .cumulative import Running
from .elementwise import SeriesElementwise
from .indexers import Indexing
from .indexing import ByLabel, Positions
from .labels import SeriesLabels
from .missing import SeriesMissing
from .mixins import SeriesVerbs
from .moments import SeriesMoments
from .reductions import SeriesReductions
from .setting import put_one
from .sorting import SeriesOrder
from .unique import SeriesDistinct

_TIMES = (
    _indexes.DatetimeIndex,
    _indexes.TimedeltaIndex,
    _indexes.PeriodIndex,
)  # labels that a part may select, such as a date by its year


@_classes.entered
class Series(
    SeriesDistinct,
    SeriesGrouping,
    Indexing,
    SeriesLabels,
    SeriesVerbs,
    SeriesOrder,
    SeriesArithmetic,
    SeriesReductions,
    SeriesMoments,
    SeriesReshaping,
    SeriesMelting,
    SeriesMemory,
    SeriesSearch,
    SeriesMissing,
    SeriesElementwise,
    Running,
    Windows,
    SeriesAccessors,
    ArrowStream,
    Rows,
    metaclass=KindOfRows,
):
    """One-dimensional labelled array.

    Parameters
    ----------
    data : array-like, dict, scalar, optional
    index : array-like, optional
        Labels; 0, 1, ... by default.
    dtype : dtype, optional
    name : hashable, optional
    copy : bool, optional
        Columns are shared until they are changed, with either value.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> float(pd.Series([1.0, None, 2.0]).sum())
    3.0
    """

    __module__ = "bascule.pandas"
    _typ, _stands_for = "series", pandas.Series
    _accessors: set[str] = set()

    def __init__(
        self, data: Any = None, index: Any = None, dtype: Any = None, name: Any = None, copy: bool | None = None
    ) -> None:
        self._make_of(data, index, dtype, name, copy)
        if isinstance(index, _indexes.Index):
            self._show(index)

    def _make_of(self, data: Any, index: Any, dtype: Any, name: Any, copy: bool | None) -> None:
        if isinstance(data, pandas.Series):
            data = _fallback.from_pandas(data)
        own = (
            isinstance(data, Series)
            or type(data) is ndarray
            or (isinstance(data, _indexes.Index) and data.nlevels == 1)
        )
        if isinstance(data, Series) and dtype is not None:
            self._make_of(data, index, None, name, copy)
            self._column = self.astype(dtype)._column
            return
        if own and dtype is None:
            labels = None if index is None else _indexes.ensure(index)
            column = from_values(data)
            here = data._index if isinstance(data, Series) else _indexes.default(len(column))
            self._set(column, here, getattr(data, "name", None) if name is None else name)
            if labels is None:
                return
            if isinstance(data, Series):
                self._become(Series._new(column, here, self._name).reindex(labels))
            elif len(labels) == len(column):
                self._index = labels
            else:
                raise ValueError(f"Length of values ({len(column)}) does not match length of index ({len(labels)})")
            return
        parts = series_parts(data, index, dtype)
        if parts is not None:
            hash(name)
            self._set(*parts, getattr(data, "name", None) if name is None else name)
            return
        self._become(_by_pandas(data, index, dtype, name, copy))

    def _set(self, column: AnyColumn, index: Any, name: Any) -> None:
        self._column, self._index, self._name = column, index, name

    @classmethod
    def _new(cls, column: AnyColumn, index: Any, name: Any = None) -> Series:
        self = object.__new__(cls)
        self._set(column, index, name)
        return self

    @classmethod
    def _from_pandas(cls, x: pandas.Series) -> Series:
        held = x.copy(deep=False)  # copy-on-write: later writes to x do not reach this series
        return cls._new(from_pandas_object(held, held), _indexes.from_pandas(x.index), x.name)._take_over(x)

    def _all_columns(self) -> list[AnyColumn]:
        return [self._column]

    def _with(self, columns: list[AnyColumn], index: Any) -> Series:
        return Series._new(columns[0], index, self._name)

    def _like(self, column: AnyColumn) -> Series:
        """A series with the same labels and name over another column of the same length."""
        made = Series._new(column, self._index, self._name)
        return made if self._plain else finish(self, made)

    _constructor = property(lambda self: Series)

    @property
    def _constructor_expanddim(self) -> Any:

        return _classes.DataFrame

    def to_pandas(self) -> pandas.Series:
        """A copy as pandas' series."""
        values = self._column.to_pandas_array()
        made = pandas.Series(values, self._index.to_pandas(), values.dtype, self._name, copy=False)
        return self._described_like(made)

    # ---- what it is
    @property
    def name(self) -> Any:
        """Name of the series, or None."""
        return self._name

    @name.setter
    def name(self, value: Any) -> None:
        hash(value)
        self._name = value

    @property
    def dtype(self) -> Any:
        """Type of the values."""
        return self._column.dtype

    dtypes = dtype

    @property
    def shape(self) -> tuple[int]:
        return (len(self._index),)

    @property
    def size(self) -> int:
        return len(self._index)

    ndim = property(lambda self: 1)
    hasnans = property(lambda self: self._column.has_missing())

    @property
    def nbytes(self) -> int:
        """Bytes of the values, as pandas counts them."""
        c = self._column
        if isinstance(c, HostColumn):
            return c.numbers.nbytes if isinstance(c, OnDevice) else c.array.nbytes
        return c.to_arrow().nbytes if c.is_text else len(c) * (c.values.dtype.itemsize + c.is_masked)

    @property
    def axes(self) -> list[Any]:
        """The labels, in a list."""
        return [self._index.to_pandas() if reads() else self.index]

    @property
    def values(self) -> Any:
        """The values as an array: bascule's where it has the type, else pandas' or NumPy's."""
        c = self._column
        if isinstance(c, Column) and not c.is_text and not c.is_masked:
            return c.values
        return _for_reading(self.to_pandas().values)

    @property
    def array(self) -> Any:
        """The values as pandas' extension array, for reading only: it has memory of its own."""
        return _for_reading(self.to_pandas().array)

    @property
    def _values(self) -> Any:
        """pandas' array of the values; while a caller keeps it, assignments to the series are written to it as well."""
        held = self.__dict__.get("_held_values")
        made = None if held is None or held[1] is not self._column else held[0]()
        if made is None:
            made = self.to_pandas()._values
            if not reads():  # pandas would share it with objects of its own
                self.__dict__["_held_values"] = weakref.ref(made), self._column
        return made

    def _pass_on(self) -> None:
        """Write an assignment's changes into the pandas array that a caller still holds, where its type can hold them."""
        held = self.__dict__.get("_held_values")
        there = None if held is None or held[1] is self._column else held[0]()
        if there is not None and there.dtype == self.dtype and len(there) == len(self):
            there[:] = self._column.to_pandas_array()
            self.__dict__["_held_values"] = held[0], self._column

    def to_numpy(
        self, dtype: Any = None, copy: bool = False, na_value: Any = pandas.api.extensions.no_default
    ) -> np.ndarray:
        """The values in a NumPy array."""
        if dtype is None and na_value is pandas.api.extensions.no_default:
            c = self._column
            if isinstance(c, Column) and (c.is_text or not c.is_masked):
                made = c.to_numpy()
                made.flags.writeable = copy or c.is_text  # numbers might be the series' own
                return made
        return self.to_pandas().to_numpy(dtype=dtype, copy=copy, na_value=na_value)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        c = self._column
        if isinstance(c, Column) and not c.is_text and not c.is_masked and copy is not True:
            made = c.to_numpy()
            made.flags.writeable = False  # as in pandas: a write to it would not reach the series
            return np.array(made, dtype=dtype, copy=copy)
        return pandas.Series(c.to_pandas_array(), dtype=c.dtype, copy=False).__array__(dtype, copy)

    def __arrow_array__(self, type: Any = None) -> Any:
        """The values as an Arrow array, missing ones as null."""
        made = self._column.to_arrow()
        return made if type is None else made.cast(type)

    def tolist(self) -> list:
        """The values as Python objects."""
        return self._column.objects()

    to_list = tolist

    def __iter__(self) -> Iterator[Any]:
        return iterated(self._column)

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Pairs of label and value."""
        return zip(self._index, iterated(self._column))

    def keys(self) -> Any:
        """The index."""
        return self.index

    def __contains__(self, key: Any) -> bool:
        return key in self._index

    def __repr__(self) -> str:
        return display.series_text(self)

    def item(self) -> Any:
        """The only value; ValueError when there is not exactly one."""
        if len(self) != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self.to_pandas().item()

    def to_frame(self, name: Any = pandas.api.extensions.no_default) -> Any:
        """A frame of this one column."""

        label = (0 if self._name is None else self._name) if name is pandas.api.extensions.no_default else name
        return _classes.DataFrame._new(
            [self._column],
            pandas.Index([label])
            if self._name is not None or name is not pandas.api.extensions.no_default
            else pandas.RangeIndex(1),
            self._index,
        )

    def __getattr__(self, name: str) -> Any:
        if "_index" in self.__dict__ and self._index._column.dtype == "str":
            if name in self._index:
                return self[name]
        return self._asked_by_pandas(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name[0] == "_" or name in self.__dict__ or hasattr(type(self), name) or self._index._column.dtype != "str":
            object.__setattr__(self, name, value)
        elif name in self._index:
            self[name] = value
        else:
            object.__setattr__(self, name, value)

    # ---- parts
    def __getitem__(self, key: Any) -> Any:
        found = self._index._where_is(key)
        if type(found) is int:
            return self._column.item(found)
        if isinstance(key, np.ndarray) and key.ndim == 0:
            key = key.item()
        if isinstance(key, Rows) or type(key) is ndarray or isinstance(key, (list, np.ndarray, pandas.Series)):
            mask = mask_of_series(key, self._index)
            if mask is not None:
                return self._filter_rows(mask, asked_for=True)
        if callable(key):
            return self[apply_if_callable(key, self)]
        one_level = self._index.nlevels == 1
        if (one_level and is_scalar(key)) or isinstance(key, (bool, np.bool_)):
            return self._value_of(key)
        if not one_level and isinstance(key, (str, tuple)):
            return self._of_levels(key)
        if isinstance(key, tuple):
            return self._call_pandas("__getitem__", (key,), reason="a tuple as a label")
        if isinstance(key, slice):
            if self._cut_by_position(key):
                return self._slice_rows(key)
            self._index._refuse_slice(key)
        if one_level and is_list_like(key) and not isinstance(key, (slice, Iterator)) and hashes(key):
            try:
                return self._value_of(key)  # a hashable collection may be a label
            except (KeyError, TypeError, pandas.errors.InvalidIndexError):
                return self.loc[list(key)]
        return self.loc[key]

    def _of_levels(self, key: Any) -> Any:
        """The rows of a label in the first of several levels, or in some."""
        if isinstance(key, str):
            if self._index._columns[0].dtype.kind in "mM":
                return self._call_pandas("__getitem__", (key,), reason="a part of a date as a label of a level")
            return self.loc[key]
        if len(key) > self._index.nlevels:
            raise KeyError(f"Key length ({len(key)}) exceeds index depth ({self._index.nlevels})")
        if not any(k is None for k in key):
            return self.loc[key]
        try:
            return self.loc[key]
        except KeyError:
            return np.asarray(self.to_numpy()[key])

    def _value_of(self, label: Any) -> Any:
        """The value of a label, or the rows where it repeats."""
        found = self._index.get_loc(label)
        if isinstance(found, (int, np.integer)):
            return self._column.item(int(found))
        if isinstance(found, slice):
            return self._slice_rows(found)
        mask = found.dtype.kind == "b"
        found = _from_numpy(found) if isinstance(found, np.ndarray) else found
        return self._filter_rows(found) if mask else self._take_rows(found)

    def __setitem__(self, key: Any, value: Any) -> None:
        check_item(sys.getrefcount(self), self)
        if put_one(self, True, key, value):
            return
        by = Positions if isinstance(key, slice) and self._cut_by_position(key) else ByLabel
        if isinstance(key, slice) and by is ByLabel:
            self._index._refuse_slice(key)
        masked = mask_of_series(key, self._index) is not None
        why = by(self)._stored(key, value, masked, masked)
        if why is not None:
            self._call_pandas("__setitem__", (key, value), reason=why)
            self._pass_on()

    @staticmethod
    def _cut_by_position(key: slice) -> bool:
        """Whether a slice means positions: integers do, whatever the labels."""
        return all(v is None or is_whole(v) for v in (key.start, key.stop, key.step))


def _for_reading(values: Any) -> Any:
    """A read-only array of pandas or NumPy."""
    made = values.view()
    if isinstance(made, np.ndarray):
        made.flags.writeable = False
    else:
        made._readonly = True
    return made


def _by_pandas(data: Any, index: Any, dtype: Any, name: Any, copy: bool | None) -> Series:
    """A series of data whose type only pandas knows; empty data is not counted as a fallback."""
    options = dict(index=index, dtype=dtype, name=name, copy=copy)
    if data is None or (isinstance(data, (list, tuple, dict)) and not data):
        with _fallback.presented():
            return _fallback.from_pandas(pandas.Series(data, **_fallback.to_pandas(options)))
    return _fallback.run("Series", "data of other kinds, or dtype=", pandas.Series, data, **options)

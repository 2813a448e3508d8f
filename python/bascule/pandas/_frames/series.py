"""Series: one column with labels."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _core
from .. import _classes, _fallback, _indexes
from .._base import Rows
from .._columns.astype import converted
from .._columns.column import AnyColumn, from_pandas_object, ndarray
from .._columns.dtypes import is_numpys
from .._columns.infer import from_values
from .._columns.lazy_take import pick_made
from .._columns.selected import repeated
from .._fallback.as_pandas import KindOfRows, reads
from .._fallback.carried import finish
from .._fallback.native import NotNative, native
from .._labels import check_name
from .._memory import bytes_of_labels
from .._pending import objects as pending
from .._stand_ins import STR, labels_of
from .._text_array import ReadOnlyText
from .._theirs import UNSET, is_loaded, own, pandas, unset
from . import display
from .accessors import SeriesAccessors
from .application import SeriesApplication
from .arithmetic import SeriesArithmetic
from .combining import SeriesCombining
from .construct import series_parts
from .conversion import check_errors, convert_dtypes, infer_objects
from .indexing.series import SeriesIndexing
from .io import SeriesIO
from .labels.series import SeriesLabels
from .missing import SeriesMissing
from .reshaping import SeriesReshaping
from .sorting import SeriesSorting
from .statistics.series import SeriesStatistics
from .time_series import TimeSeries


@_classes.entered
class Series(
    SeriesIndexing,
    SeriesLabels,
    SeriesArithmetic,
    SeriesApplication,
    SeriesStatistics,
    SeriesMissing,
    SeriesSorting,
    SeriesReshaping,
    SeriesCombining,
    TimeSeries,
    SeriesIO,
    SeriesAccessors,
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
    convert_dtypes, infer_objects = convert_dtypes, infer_objects

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
            check_name(name, "Series")
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

    def _before_repeating(self, f: Callable[[Series], Series]) -> Series:
        """A function of each value: where values wait to be repeated, of these before they are."""
        found = repeated(self._column)
        if found is None:
            return f(self)
        source, rows = found
        return self._like(pick_made(f(Series._new(source, _indexes.default(len(source)), self._name))._column, rows))

    _constructor = property(lambda self: Series)

    @property
    def _constructor_expanddim(self) -> Any:

        return _classes.DataFrame

    def to_pandas(self) -> pandas.Series:
        """A copy as pandas' series."""
        values, index = self._column.to_pandas_array(), self._index.to_pandas()
        if is_numpys(values.dtype, "biuf"):  # nothing for the constructor to convert, which takes most of the time
            manager = pandas.core.internals.SingleBlockManager.from_array(values, index)
            made = pandas.Series._from_mgr(manager, axes=manager.axes)
            made._name = self._name
        else:
            made = pandas.Series(values, index, values.dtype, self._name, copy=False)
        return self._described_like(made)

    # ---- what it is
    @property
    def name(self) -> Any:
        """Name of the series, or None."""
        return self._name

    @name.setter
    def name(self, value: Any) -> None:
        check_name(value, "Series")
        self._name = value

    @property
    def dtype(self) -> Any:
        """Type of the values."""
        return (pending.without_rows(self)[0] if "_plan" in self.__dict__ else self._column).dtype

    dtypes = dtype

    @property
    def shape(self) -> tuple[int]:
        """A tuple with the number of values."""
        return (len(self._index),)

    @property
    def size(self) -> int:
        """The number of values, missing ones included."""
        return len(self._index)

    ndim = property(lambda self: 1, doc="One: the number of axes.")
    hasnans = property(lambda self: self._column.has_missing(), doc="Whether a value is missing.")

    @property
    def nbytes(self) -> int:
        """Bytes of the values, as pandas counts them."""
        return self._column.nbytes

    @property
    def axes(self) -> list[Any]:
        """The labels, in a list."""
        return [self._index.to_pandas() if reads() else self.index]

    @property
    def values(self) -> Any:
        """The values as an array: bascule's where it has the type, else pandas' or NumPy's."""
        c = self._column
        if c.dtype is STR and not is_loaded():
            return ReadOnlyText(c)
        try:
            return c.plain_values()
        except NotNative:
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

    def to_numpy(self, dtype: Any = None, copy: bool = False, na_value: Any = UNSET) -> np.ndarray:
        """The values in a NumPy array."""
        if dtype is None and unset(na_value):
            with contextlib.suppress(NotNative):
                c = self._column if self._column.in_arrays else self._column.own()
                made = c.to_numpy()
                made.flags.writeable = copy or c.plain == "-"  # numbers might be the series' own
                return made
        return self.to_pandas().to_numpy(dtype=dtype, copy=copy, na_value=own(na_value))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        c = self._column
        with contextlib.suppress(NotNative):
            made = _core.to_numpy(c.plain_values("biufmM" if copy is not True else ""))
            made.flags.writeable = False  # as in pandas: a write to it would not reach the series
            return np.array(made, dtype=dtype, copy=copy)
        if c.in_arrays and copy is not False:
            return np.array(c.to_numpy(), dtype=dtype, copy=copy)
        return pandas.Series(c.to_pandas_array(), dtype=c.dtype, copy=False).__array__(dtype, copy)

    def __arrow_array__(self, type: Any = None) -> Any:
        """The values as an Arrow array, missing ones as null."""
        made = self._column.to_arrow()
        return made if type is None else made.cast(type)

    def tolist(self) -> list:
        """The values as Python objects."""
        return self._column.objects()

    to_list = tolist

    def __repr__(self) -> str:
        return display.series_text(self)

    def to_frame(self, name: Any = UNSET) -> Any:
        """A frame of this one column."""

        label = (0 if self._name is None else self._name) if unset(name) else name
        return _classes.DataFrame._new(
            [self._column],
            labels_of([label]) if self._name is not None or not unset(name) else labels_of(range(1)),
            self._index,
        )

    def __getattr__(self, name: str) -> Any:
        if name in ("_column", "_index") and "_plan" in self.__dict__:
            pending.make_now(self)
            return self.__dict__[name]
        if "_index" in self.__dict__ and not self._index._waits and self._index._column.dtype == "str":
            if name in self._index:
                return self[name]
        return self._asked_by_pandas(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if (
            name[0] == "_"
            or name in self.__dict__
            or hasattr(type(self), name)
            or self._index._waits
            or self._index._column.dtype != "str"
        ):
            object.__setattr__(self, name, value)
        elif name in self._index:
            self[name] = value
        else:
            object.__setattr__(self, name, value)

    def memory_usage(self, index: bool = True, deep: bool = False) -> int:
        """Bytes of the values, and with `index` of the labels; with `deep` those of Python's objects too."""
        return self._column.memory(deep) + (bytes_of_labels(self._index, deep) if index else 0)

    @native
    def astype(self, dtype: Any, copy: Any = UNSET, errors: str = "raise") -> Any:
        """Convert the values to another type."""
        wanted = dtype
        if isinstance(dtype, dict):
            if any(k != self._name for k in dtype) or len(dtype) != 1:
                raise KeyError("Only the Series name can be used for the key in Series dtype mappings.")
            wanted = dtype[self._name]
        check_errors(errors)
        there = pandas.api.types.pandas_dtype(wanted)
        try:
            return self._map_columns(lambda c: converted(c, there), self._index)
        except (ValueError, TypeError):
            if errors == "raise":
                raise
            return self.copy()

    # ---- parts


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

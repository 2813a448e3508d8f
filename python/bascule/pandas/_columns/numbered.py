"""Values that only pandas has a type for, as numbers: categories by their codes, moments of a zone by their times of UTC, anything else by its place among values that the host keeps.

On a device with memory of its own the numbers lie there, and what is done to rows is done to them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
import pyarrow
from pandas.core.arrays import DatetimeArray

from ... import _core
from ..._array.ufuncs import rows as _ufuncs
from .._fallback.counted import refuse_on_gpu
from .column import AnyColumn, Column, Core, HostColumn, ndarray, plain

_select = _ufuncs["where"]["ufunc"]
_INT64 = np.dtype(np.int64)
_NAT = np.iinfo(np.int64).min


class OnDevice(HostColumn):
    """A column of a type of pandas' whose rows are numbers on a device; the values are not gathered on the host unasked."""

    __slots__ = ("_dtype", "numbers")

    def __init__(self, numbers: ndarray, dtype: Any):
        self.numbers, self._dtype = numbers, dtype

    def __len__(self) -> int:
        return len(self.numbers)

    dtype = property(lambda self: self._dtype)
    device = property(lambda self: self.numbers.device)  # type: ignore[assignment]

    @property
    def array(self) -> Any:  # type: ignore[override]
        refuse_on_gpu(f"values of type {self.dtype}", "they are looked at one by one", self.device)
        return self.to_pandas_array()

    def _with(self, numbers: ndarray) -> Any:
        raise NotImplementedError

    def take(self, positions: ndarray, holes: bool = False) -> Any:
        found = Core.plain(self.numbers).take(positions, holes)
        return self._with(_filled(found, self._nothing))

    def filter(self, mask: ndarray) -> Any:
        return self._with(Core.plain(self.numbers).filter(mask).values)

    def slice(self, start: int, step: int, count: int) -> Any:
        return self._with(Core.plain(self.numbers).slice(start, step, count).values)

    def has_missing(self) -> bool:
        return bool(self.missing().any())

    def to_numpy(self) -> np.ndarray:
        return np.array(self.to_pandas_array())

    def to_arrow(self) -> pyarrow.Array:
        return pyarrow.array(self.to_pandas_array(), from_pandas=True)

    def item(self, i: int) -> Any:
        return self.slice(i, 1, 1).to_pandas_array()[0]


def _filled(found: Any, nothing: Any) -> ndarray:
    """The elements of rows that were taken, `nothing` where there was none."""
    valid = found.valid
    values = found.values if valid is None else _select(valid, found.values, nothing)
    return values if isinstance(nothing, np.datetime64) or values.dtype == _INT64 else values.astype(_INT64)


class Numbered(OnDevice):
    """Values by their place among some that the host keeps: categories, or the objects that rows were chosen from.

    Attributes
    ----------
    numbers : ndarray of int64
        -1 is missing.
    kinds : array of NumPy or pandas
    """

    __slots__ = ("kinds",)
    _nothing = np.int64(-1)

    def __init__(self, numbers: ndarray, kinds: Any, dtype: Any):
        super().__init__(numbers, dtype)
        self.kinds = kinds

    def _with(self, numbers: ndarray) -> Numbered:
        return Numbered(numbers, self.kinds, self._dtype)

    def take(self, positions: ndarray, holes: bool = False) -> Numbered:
        if holes:  # a number at none is that of a last row
            longer = _core.concat_columns([Core.plain(self.numbers), Core.plain(_one(-1, self.device))])
            positions = _select(positions < 0, len(self), positions)
            return self._with(longer.take(positions, False).values)
        return self._with(Core.plain(self.numbers).take(positions, False).values)

    def missing(self) -> ndarray:
        if isinstance(self._dtype, pandas.CategoricalDtype):
            return self.numbers < 0
        return self.looked_up(np.append(np.asarray(pandas.isna(self.kinds)), True))

    def looked_up(self, table: np.ndarray) -> ndarray:
        """What a table says of each row's value; its last entry is what it says of missing ones."""
        there = _core.from_numpy(np.ascontiguousarray(table), self.device)
        return _core.take(there, _select(self.numbers < 0, len(table) - 1, self.numbers), 0)

    def to_pandas_array(self) -> Any:
        numbers = _core.to_numpy(self.numbers)
        if isinstance(self._dtype, pandas.CategoricalDtype):
            return pandas.Categorical.from_codes(numbers, dtype=self._dtype)
        return pandas.api.extensions.take(self.kinds, numbers, allow_fill=True)


class Moments(OnDevice):
    """Moments of a zone, by their times of UTC."""

    __slots__ = ()

    @property
    def _nothing(self) -> Any:
        return np.array("NaT", self.numbers.dtype)[()]

    def _with(self, numbers: ndarray) -> Moments:
        return Moments(numbers, self._dtype)

    def take(self, positions: ndarray, holes: bool = False) -> Moments:
        return self._with(Core.plain(self.numbers).take(positions, holes).values)

    def missing(self) -> ndarray:
        return Core.plain(self.numbers).missing()

    def to_pandas_array(self) -> Any:
        return DatetimeArray._simple_new(_core.to_numpy(self.numbers), dtype=self._dtype)


def _one(value: int, device: str) -> ndarray:
    return _core.full((1,), value, _INT64, device)


def host_column(a: Any) -> HostColumn:
    """The column of an array of a type of pandas', its numbers on the device where new arrays are made."""
    where = _core.get_default_device()
    if not where.startswith("cuda"):
        return HostColumn(a)
    if isinstance(a.dtype, pandas.CategoricalDtype):
        return categories(_core.from_numpy(np.asarray(a.codes, _INT64), where), a.dtype)
    if isinstance(a.dtype, pandas.DatetimeTZDtype):
        return Moments(_core.from_numpy(np.ascontiguousarray(a._ndarray), where), a.dtype)
    return HostColumn(a)


def categories(numbers: ndarray, dtype: Any) -> HostColumn:
    """The categories of a type by their numbers, -1 where missing, where the numbers lie."""
    if numbers.device.startswith("cuda"):
        return Numbered(numbers, dtype.categories.array, dtype)
    return HostColumn(pandas.Categorical.from_codes(_core.to_numpy(numbers), dtype=dtype))


def in_places(c: HostColumn, positions: ndarray) -> Numbered:
    """Rows of values that the host keeps, chosen on a device; what is at -1 is missing."""
    return Numbered(positions, c.array, c.dtype)


def codes_of(c: AnyColumn) -> ndarray:
    """The numbers of the categories of a column, as int64."""
    return c.numbers if isinstance(c, Numbered) else _core.from_numpy(np.asarray(c.array.codes, _INT64))


def is_categories(c: Any) -> bool:
    return isinstance(c, HostColumn) and isinstance(c.dtype, pandas.CategoricalDtype)


def is_zoned(c: Any) -> bool:
    """Whether a column has moments of a zone."""
    return isinstance(c, HostColumn) and isinstance(c.dtype, pandas.DatetimeTZDtype)


def moments(c: HostColumn) -> Column:
    """The moments of a column of a zone, as times of UTC."""
    return plain(c.numbers if isinstance(c, Moments) else _core.from_numpy(np.ascontiguousarray(c.array._ndarray)))


def in_zone(values: ndarray, tz: Any) -> HostColumn:
    """Times of UTC as moments of a zone."""
    dtype = pandas.DatetimeTZDtype(np.datetime_data(values.dtype)[0], tz)
    if values.device.startswith("cuda"):
        return Moments(values, dtype)
    return HostColumn(DatetimeArray._simple_new(_core.to_numpy(values), dtype=dtype))


def numbers_of(c: AnyColumn) -> Column | None:
    """What rows are compared, ordered and joined by: the column itself, or numbers in the order of its values; None where there are none."""
    if isinstance(c, Column):
        return c
    if is_zoned(c):
        return moments(c)
    if not is_categories(c):
        return None
    codes = codes_of(c)
    missing = codes < 0
    if not bool(missing.any()):
        return plain(codes)
    return Column(Core.plain(codes, ~missing), pandas.Int64Dtype())


def values_of(found: AnyColumn, like: AnyColumn) -> AnyColumn:
    """The values that numbers of a column stand for."""
    if isinstance(like, Column) or isinstance(found, HostColumn):
        return found
    if is_zoned(like):
        return in_zone(found.values, like.dtype.tz)
    codes = found.values
    return categories(_select(found.missing(), -1, codes) if found.has_missing() else codes, like.dtype)

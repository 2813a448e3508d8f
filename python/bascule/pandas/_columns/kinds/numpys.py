"""One class for each kind of column: what a kind does in another way than the others is a method here, and in pandas_types."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np

from .... import _core
from ...._array.ufuncs import by_name
from ...._array.ufuncs import rows as _ufuncs
from ..._fallback.native import NotNative
from ..._theirs import pandas, seen
from ..any_kind import AnyKind
from ..column import (
    RESOLUTIONS,
    AnyColumn,
    Column,
    Core,
    bools_and_nothing,
    ndarray,
    plain,
)
from ..dtypes import added, masked_dtype
from ..infer import inferred
from ..reduce import reduction
from ..time_limits import cast, sum_fits
from .membership import represented, rows_among

_INT64, _FLOAT64 = np.dtype(np.int64), np.dtype(np.float64)
_NAT = np.iinfo(np.int64).min
_select = _ufuncs["where"]["ufunc"]


def _of(*dtypes: type | str) -> Callable[[type], type]:
    """Enter a class as that of the columns of some dtypes."""

    def entered(kind: Any) -> Any:
        kind.kinds.update(dict.fromkeys(dtypes, kind))
        return kind

    return entered


def _numpys(letters: str) -> list[type]:
    return [type(np.dtype(letter)) for letter in letters]


def _is_number(x: Any) -> bool:
    """Whether a scalar is a number, and not a boolean."""
    return isinstance(x, (int, float, np.integer, np.floating)) and not isinstance(x, (bool, np.bool_, np.timedelta64))


def _limit(dtype: np.dtype, name: str) -> int:
    info = np.iinfo(dtype)
    return info.max if name == "min" else info.min


# ---- NumPy's types


class Numbers(Column, is_kind=True):
    """Booleans, integers and floats."""

    __slots__ = ()

    def nullable(self) -> Column:
        return Column(self.core, masked_dtype(self.dtype))

    among, has_ends = rows_among, True
    in_arrays = True

    def ordered(self, name: str, skipna: bool = True) -> Any:
        return reduction(name, self, skipna)

    def sought(self, there: Column) -> Column | None:
        return there.represented_in(self.dtype)

    def represented_in(self, dtype: np.dtype) -> Column | None:
        return represented(self.values, dtype)

    def in_type(self, rows: AnyColumn) -> Column:
        if not rows.is_plain("iuf"):
            return super().in_type(rows)
        self._check_range(rows)
        made = rows.values.astype(self.dtype)
        if bool(((made.astype(rows.dtype) != rows.values) & ~rows.missing()).any()):
            return super().in_type(rows)
        return Column(Core.plain(made), self.dtype)

    def _check_range(self, rows: Column) -> None:
        """NotNative for numbers that the type cannot represent, which a conversion would change without a trace."""

    def reduced_dtype(self, name: str, found: Any) -> Any:
        return np.asarray(found).dtype

    def numbers(self) -> ndarray:
        return self.values

    def holes(self) -> ndarray | None:
        return None


def _some_missing(positions: ndarray) -> bool:
    """Whether one of the positions to take is -1: only then does the type change."""
    return len(positions) > 0 and int(positions.min()) < 0


class Whole(Numbers, is_kind=True):
    """Booleans and integers, which have no value for missing ones."""

    __slots__ = ()

    def equals(self, other: Column) -> bool:
        return len(self) == 0 or bool(self._equal_rows(other).all())

    def or_missing(self, mask: ndarray) -> Column:
        return self if bool(mask.all()) else super().or_missing(mask)


@_of(*_numpys("?"))
class Booleans(Whole, is_kind=True):
    __slots__ = ()
    letter = plain = "b"
    mean_dtype = _INT64

    def _fit(self, x: Any) -> Any:
        return bool(x) if isinstance(x, (bool, np.bool_)) else super()._fit(x)

    def limit(self, name: str) -> Any:
        return name == "min"

    def in_type(self, rows: AnyColumn) -> Column:
        return AnyKind.in_type(self, rows)

    sought, represented_in = AnyKind.sought, AnyKind.represented_in

    def sought_of_list(self, values: list[Any]) -> Column | None:
        if not all(isinstance(v, (bool, np.bool_)) for v in values):
            return super().sought_of_list(values)
        return plain(_core.from_numpy(np.array(values, dtype=bool)))

    def take(self, positions: ndarray, holes: bool = False) -> AnyColumn:
        holes = holes and _some_missing(positions)
        core = self.core.take(positions, holes)
        if not holes:
            return Column(core, self.dtype)
        return bools_and_nothing(core) if core.has_missing() else Column(Core.plain(core.values), self.dtype)


@_of(*_numpys("bhilq"))
class Integers(Whole, is_kind=True):
    __slots__ = ()
    letter = plain = "i"

    def limit(self, name: str) -> Any:
        return _limit(self.values.dtype, name)

    def _fit(self, x: Any) -> Any:
        dtype = self.values.dtype
        if _is_number(x) and float(x).is_integer() and np.iinfo(dtype).min <= int(x) <= np.iinfo(dtype).max:
            return dtype.type(int(x))
        return super()._fit(x)

    converts_lists = False

    def sought_of_list(self, values: list[Any]) -> Column | None:
        if not all(map(_is_number, values)):
            return super().sought_of_list(values)
        info = np.iinfo(self.dtype)
        whole = [int(v) for v in values if v == v and abs(v) != np.inf and v == int(v)]
        made = np.array([v for v in whole if info.min <= v <= info.max], dtype=self.dtype)
        return plain(_core.from_numpy(made)) if len(made) else None

    def _check_range(self, rows: Column) -> None:
        if not len(rows):
            return
        if rows.has_missing():
            raise NotNative("missing values among whole numbers")
        limits = np.iinfo(self.dtype)
        if float(rows.values.min()) < float(limits.min) or float(rows.values.max()) >= float(limits.max):
            raise NotNative("numbers beyond the type of the column")

    def with_room(self) -> tuple[ndarray, Any]:
        return (self.values.astype(_FLOAT64), np.nan) if self.dtype == _INT64 else super().with_room()

    def missing_rows(self, count: int) -> ndarray | None:
        return _core.full((count,), np.nan, _FLOAT64, self.device)

    def take(self, positions: ndarray, holes: bool = False) -> AnyColumn:
        holes = holes and _some_missing(positions)
        core = self.core.take(positions, holes)
        return Column(core, core.values.dtype if holes else self.dtype)


@_of(*_numpys("BHILQ"))
class Unsigned(Integers, is_kind=True):
    __slots__ = ()
    letter = plain = "u"


@_of(*_numpys("efd"))
class Floats(Numbers, is_kind=True):
    __slots__ = ()
    letter = plain = "f"

    float_dtype = property(lambda self: self.values.dtype)  # type: ignore[assignment]

    @property
    def sum_dtype(self) -> np.dtype:
        """The type in which floats are added: a sum of float16 is no float16."""
        dtype = self.values.dtype
        return _FLOAT64 if dtype == np.float16 else dtype

    mean_dtype = sum_dtype  # type: ignore[assignment]

    def holes(self) -> ndarray | None:
        return by_name["isnan"](self.values)

    def sought_of_list(self, values: list[Any]) -> Column | None:
        if not all(map(_is_number, values)):
            return super().sought_of_list(values)
        return represented(_core.from_numpy(np.array(values, dtype=_FLOAT64)), self.dtype)

    def limit(self, name: str) -> Any:
        return np.inf if name == "min" else -np.inf

    def _fit(self, x: Any) -> Any:
        dtype = self.values.dtype
        if _is_number(x) and (dtype.itemsize == 8 or float(dtype.type(x)) == float(x)):
            return dtype.type(x)
        return super()._fit(x)

    def with_room(self) -> tuple[ndarray, Any]:
        return self.values, self.values.dtype.type(np.nan)

    def missing_rows(self, count: int) -> ndarray | None:
        return _core.full((count,), np.nan, self.values.dtype, self.device)


class Times(Column, is_kind=True):
    """Timestamps without time zone, and durations."""

    __slots__ = ()
    among, has_ends = rows_among, True

    def ordered(self, name: str, skipna: bool = True) -> Any:
        return reduction(name, self, skipna)

    nothing = property(lambda self: pandas.NaT)  # type: ignore[assignment]
    _scalar: Any  # the class of scalars
    _given: tuple[type, type]  # types of scalars

    def _fit(self, x: Any) -> Any:
        if isinstance(x, self._given):
            made = self._scalar(x)
            if made is not seen.NaT and getattr(made, "tzinfo", None) is None:
                exact = made.as_unit(np.datetime_data(self.dtype)[0])
                if exact == made:
                    return exact.asm8.astype(self.dtype)
        return super()._fit(x)

    def sought(self, there: Column) -> Column | None:
        raise NotNative("datetimes of other units")

    def sought_of_list(self, values: list[Any]) -> Column | None:
        if not all(isinstance(v, (np.generic, self._scalar)) for v in values):
            return super().sought_of_list(values)
        found = inferred(values)
        return self.sought(found) if found is None or found.dtype != self.dtype else found  # type: ignore[arg-type]

    def parsed(self, x: str) -> Any:
        try:
            return self._scalar(x)
        except ValueError:
            raise NotNative("strings in place of datetimes") from None

    def refuse_missing(self, x: Any) -> None:
        if x is seen.NA:
            raise NotNative("NA among times, or NaT among others")

    def with_room(self) -> tuple[ndarray, Any]:
        return self.values, np.array("NaT", dtype=self.dtype)[()]

    def missing_rows(self, count: int) -> ndarray | None:
        return _core.full((count,), _NAT, _INT64, self.device).view(self.dtype)

    def numbers(self) -> ndarray:
        return self.values.view(_INT64)

    def times(self) -> ndarray:
        return self.values

    def holes(self) -> ndarray | None:
        return self.numbers() == _NAT

    def _objects(self) -> Any:
        pandas.NaT  # noqa: B018  (imports the scalars, which the core knows then)
        return super()._objects()

    def scalar(self, x: Any) -> Any:
        x = np.int64(x)
        return pandas.NaT if x == _NAT else self._scalar(x.view(self.dtype))

    def limit(self, name: str) -> Any:
        return _limit(_INT64, name)

    def objects(self, start: int = 0, stop: int | None = None, scalars: bool = False) -> list[Any]:
        stop = len(self) if stop is None else stop
        return self.boxed(_core.to_numpy(self.core.slice(start, 1, stop - start).values)).tolist()


@_of(*_numpys("M"))
class Timestamps(Times, is_kind=True):
    __slots__ = ()
    letter = plain = "M"
    _scalar = property(lambda self: pandas.Timestamp)
    _given = datetime.datetime, np.datetime64

    def in_type(self, rows: AnyColumn) -> Column:
        """Timestamps in a unit that represents them exactly."""
        values = rows.plain_values("M", "values that are no timestamps, in a column of these")
        made = cast(values, self.dtype)
        if bool(((cast(made, rows.dtype) != values) & ~rows.missing()).any()):
            raise NotNative("datetimes outside the range of the column's unit")
        return Column(Core.plain(made), self.dtype)

    def check_sum(self, name: str) -> None:
        if name == "sum":
            raise TypeError(f"'DatetimeArray' with dtype {self.dtype} does not support operation 'sum'")

    def boxed(self, values: np.ndarray, box: str = "timestamp") -> np.ndarray:
        """Some of the values as pandas' timestamps, or Python's dates or times; NaT where one is missing."""
        unit = RESOLUTIONS[np.datetime_data(self.dtype)[0]]
        return pandas._libs.tslibs.ints_to_pydatetime(values.view(_INT64), None, box, unit)


@_of(*_numpys("m"))
class Durations(Times, is_kind=True):
    __slots__ = ()
    letter = plain = "m"
    _scalar = property(lambda self: pandas.Timedelta)
    _given = datetime.timedelta, np.timedelta64

    def check_sum(self, name: str) -> None:
        if name == "sum" and not sum_fits(self.numbers()):
            raise NotNative("sums of timedeltas that overflow")

    def boxed(self, values: np.ndarray) -> np.ndarray:
        """Some of the values as pandas' durations, NaT where one is missing."""
        return pandas._libs.tslibs.ints_to_pytimedelta(values, box=True)


# ---- types with NA


class Masked(Numbers, is_kind=True):
    """Numbers of pandas' nullable types: `core.valid` marks missing values, and NaN is a value."""

    __slots__ = ()
    is_masked, plain, in_arrays = True, "-", False
    _na = nothing = property(lambda self: pandas.NA)  # type: ignore[assignment]
    _under_mask: Any = 1  # the value that pandas keeps under its mask

    @property
    def nbytes(self) -> int:
        return len(self) * (self.values.dtype.itemsize + 1)

    def take(self, positions: ndarray, holes: bool = False) -> AnyColumn:
        here = self.core
        if holes and here.valid is None:  # missing rows are NA, not NaN
            here = Core.plain(here.values, ~here.missing())
        return Column(here.take(positions, holes), self.dtype)

    def holes(self) -> ndarray | None:
        return None if self.core.valid is None else ~self.core.valid

    equals = Column.equals

    def nullable(self) -> Column:
        return self

    def reduced_dtype(self, name: str, found: Any) -> Any:
        """The type of the result, which a masked column has even without a valid value."""
        if found is not seen.NA and found == found:
            return masked_dtype(np.asarray(found).dtype)
        if name in ("any", "all"):
            return pandas.BooleanDtype()
        if name in ("mean", "median", "var", "std", "sem", "skew", "kurt"):
            return masked_dtype(self.float_dtype)
        return masked_dtype(added(self.values.dtype)) if name in ("sum", "prod") else self.dtype

    def missing_rows(self, count: int) -> ndarray | None:
        return None

    converts_lists, among = True, AnyKind.among

    def represented_in(self, dtype: np.dtype) -> Column | None:
        return AnyKind.represented_in(self, dtype) if self.has_missing() else super().represented_in(dtype)

    def in_type(self, rows: AnyColumn) -> Column:
        return AnyKind.in_type(self, rows)

    def _valid(self) -> ndarray:
        """A copy of the mask of valid rows."""
        valid = self.core.valid
        return _core.full((len(self),), True, np.dtype(bool)) if valid is None else valid.copy()

    def put_missing(self, rows: Any) -> Column:
        valid = self._valid()
        valid[rows.at] = False
        return Column(Core.plain(self.values, valid), self.dtype)

    def _put_value(self, rows: Any, value: Any) -> Column:
        made = super()._put_value(rows, value)
        if self.core.valid is None:
            return made
        valid = self._valid()
        valid[rows.at] = True
        return Column(Core.plain(made.values, valid), self.dtype)

    def _put_values(self, rows: Any, values: Column) -> Column:
        made = super()._put_values(rows, values)
        if self.core.valid is None and values.core.valid is None:
            return made
        valid = self._valid()
        valid[rows.places] = True if values.core.valid is None else values.core.valid
        return Column(Core.plain(made.values, valid), self.dtype)

    def or_missing(self, mask: ndarray) -> Column:
        valid = mask if self.core.valid is None else self.core.valid & mask
        return Column(Core.plain(self.values, valid), self.dtype)

    def or_scalar(self, mask: ndarray, value: Any) -> Column:
        valid = self.core.valid
        valid = None if valid is None else valid | ~mask
        return Column(Core.plain(_select(mask, self.values, value), valid), self.dtype)

    def or_rows(self, mask: ndarray, other: Column) -> Column:
        a, b = self.core.valid, other.core.valid
        valid = None
        if a is not None or b is not None:
            every = _core.full((len(self),), True, np.dtype(bool), self.device)
            valid = _select(mask, every if a is None else a, every if b is None else b)
        return Column(Core.plain(_select(mask, self.values, other.values), valid), self.dtype)

    def result(self, x: Any) -> Any:
        """The result of a reduction, in which NaN from the values is NA."""
        return pandas.NA if isinstance(x, np.floating) and x != x else x

    def to_numpy(self) -> np.ndarray:
        return self.to_pandas_array().to_numpy()

    def to_pandas_array(self) -> Any:
        values, valid = _core.to_numpy(self.values), self.core.valid
        mask = np.zeros(len(values), bool) if valid is None else ~_core.to_numpy(valid)
        if valid is not None:
            values[mask] = self._under_mask
        return self.dtype.construct_array_type()(values, mask)


class _MaskedWhole(Masked, is_kind=True):
    __slots__ = ()

    def _fit(self, x: Any) -> Any:
        return AnyKind._fit(self, x) if isinstance(x, (float, np.floating)) else super()._fit(x)

    def take(self, positions: ndarray, holes: bool = False) -> AnyColumn:
        return super().take(positions, holes and _some_missing(positions))


@_of("BooleanDtype")
class MaskedBooleans(_MaskedWhole, Booleans, is_kind=True):
    __slots__ = ()
    letter, _under_mask = "b", False


@_of("Int8Dtype", "Int16Dtype", "Int32Dtype", "Int64Dtype")
class MaskedIntegers(_MaskedWhole, Integers, is_kind=True):
    __slots__ = ()
    letter = "i"


@_of("UInt8Dtype", "UInt16Dtype", "UInt32Dtype", "UInt64Dtype")
class MaskedUnsigned(_MaskedWhole, Unsigned, is_kind=True):
    __slots__ = ()
    letter = "u"


@_of("Float32Dtype", "Float64Dtype")
class MaskedFloats(Masked, Floats, is_kind=True):
    __slots__ = ()
    letter, _under_mask = "f", np.nan

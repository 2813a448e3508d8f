"""One class for each kind of column: what a kind does in another way than the others is a method here, and in pandas_types."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np

from .... import _core
from ...._array.ufuncs import by_name
from ...._array.ufuncs import rows as _ufuncs
from ....lib.arithmetic import round as _round
from ..._fallback.native import NotNative
from ..._theirs import pandas, seen
from .. import astype, concatenation, infer, where
from ..any_kind import AnyKind, is_missing_scalar
from ..column import (
    RESOLUTIONS,
    UNITS,
    AnyColumn,
    Column,
    Core,
    bools_and_nothing,
    ndarray,
    plain,
)
from ..dtypes import masked_dtype
from ..infer import inferred
from ..reduce import reduction
from ..time_limits import cast, iso_time, sum_fits
from .membership import represented, rows_among

_INT64, _FLOAT64 = np.dtype(np.int64), np.dtype(np.float64)
_NAT = np.iinfo(np.int64).min
_select = _ufuncs["where"]["ufunc"]
_COMPARED = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
_NOT_INVERTED = (
    "ufunc 'invert' not supported for the input types, and the inputs could not be safely coerced to any supported types "
    "according to the casting rule ''safe''"
)


_OF_NARROW = frozenset(
    "sum prod min max first last mean median var std sem skew kurt any all quantile".split()
)  # aggregations of groups that the core does not compute in float16


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


class Arrays(Column, is_kind=True):
    """Values of NumPy's types, or of the nullable ones."""

    __slots__ = ()
    among, has_ends = rows_among, True
    subtracts, has_ranks, maps_objects = True, True, True
    joined, chosen, filled = concatenation.joined, where.choose_own, where.fill_own
    as_objects, as_categories, of_list = astype.as_objects, astype.as_categories, staticmethod(infer.of_list)
    selected_as = property(lambda self: self.plain)

    def ordered(self, name: str, skipna: bool = True) -> Any:
        return reduction(name, self, skipna)


class Numbers(Arrays, is_kind=True):
    """Booleans, integers and floats."""

    __slots__ = ()
    family, is_numeric, rounds, row_inference = "number", True, True, 0
    as_bools = as_integers = astype.as_number
    as_floats = astype.as_float

    def sought_label(self, key: Any) -> Column:
        if not _is_number(key):
            raise KeyError(key)
        return self.one(key)

    @staticmethod
    def stores(dtype: Any) -> bool:
        return dtype.isnative

    def nullable(self) -> Column:
        return Column(self.core, masked_dtype(self.dtype))

    in_arrays = True

    def replaced_key(self, old: Any, new: Any) -> Any:
        if old is None or new is None or isinstance(old, (bool, np.bool_)) != self.selects_rows:
            raise NotNative("None or booleans replaced")
        if any(is_missing_scalar(v) and not isinstance(v, float) for v in (old, new)):
            raise NotNative("NA and NaT among numbers")
        if isinstance(old, str):
            return None
        return old if is_missing_scalar(old) else self.fitting(old)

    def negative(self) -> Column:
        return self.with_values(by_name["negative"](self.values))

    def positive(self) -> Column:
        return self

    def absolute(self) -> Column:
        return self.with_values(by_name["absolute"](self.values))

    def invert(self) -> Column:
        raise TypeError(_NOT_INVERTED)

    def rounded(self, decimals: int) -> Column:
        return self.with_values(_round(self.values, decimals))

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

    def as_numbers(self) -> ndarray:
        return self.values

    def nulls(self) -> ndarray | None:
        return None


def _some_missing(positions: ndarray) -> bool:
    """Whether one of the positions to take is -1: only then does the type change."""
    return len(positions) > 0 and int(positions.min()) < 0


class Whole(Numbers, is_kind=True):
    """Booleans and integers, which have no value for missing ones."""

    __slots__ = ()
    can_lack = False

    def invert(self) -> Column:
        return self.with_values(~self.values)

    def equals(self, other: Column) -> bool:
        return len(self) == 0 or bool(self._equal_rows(other).all())

    def or_missing(self, mask: ndarray) -> Column:
        return self if bool(mask.all()) else super().or_missing(mask)


@_of(*_numpys("?"))
class Booleans(Whole, is_kind=True):
    __slots__ = ()
    letter = plain = "b"
    converter, as_text, as_masked_bools = "as_bools", astype.written, astype.as_masked
    family, inferred_type = "bool", "boolean"

    def sought_label(self, key: Any) -> Column:
        if not isinstance(key, (bool, np.bool_)):
            raise KeyError(key)
        return self.one(key)

    mean_dtype, selects_rows, subtracts, not_aggregated = _INT64, True, False, {"skew", "kurt", "quantile"}
    of_any_rows = frozenset({"and", "or", "xor"})

    def booleans(self) -> ndarray:
        return self.values if self.core.valid is None else self.values & self.core.valid

    def negative(self) -> Column:
        return plain(~self.plain_values("b", "the negative of booleans"))

    def absolute(self) -> Column:
        return self

    def rounded(self, decimals: int) -> Column:
        return self

    def with_na(self) -> Column:
        return astype.converted(self, pandas.BooleanDtype())  # type: ignore[return-value]

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

    def take(self, positions: ndarray, nulls: bool = False) -> AnyColumn:
        nulls = nulls and _some_missing(positions)
        core = self.core.take(positions, nulls)
        if not nulls:
            return Column(core, self.dtype)
        return bools_and_nothing(core) if core.has_missing() else Column(Core.plain(core.values), self.dtype)


@_of(*_numpys("bhilq"))
class Integers(Whole, is_kind=True):
    __slots__ = ()
    letter = plain = "i"
    of_any_rows = frozenset({"add", "sub", "mul"}) | _COMPARED
    in_ranges = True
    converter, as_text = "as_integers", astype.integers_as_text
    of_list, inferred_type = staticmethod(infer.integers_of), "integer"

    def sought_label(self, key: Any) -> Column:
        whole = isinstance(key, (float, np.floating)) and float(key).is_integer()
        if isinstance(key, (float, np.floating)) and not whole:
            raise KeyError(key)
        return super().sought_label(int(key) if whole else key)

    as_masked_integers, as_masked_floats = astype.integers_as_masked, astype.as_masked

    def with_na(self) -> Column:
        return astype.converted(self, pandas.Int64Dtype())  # type: ignore[return-value]

    def rounded(self, decimals: int) -> Column:
        return self if decimals >= 0 else super().rounded(decimals)

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

    def take(self, positions: ndarray, nulls: bool = False) -> AnyColumn:
        nulls = nulls and _some_missing(positions)
        core = self.core.take(positions, nulls)
        return Column(core, core.values.dtype if nulls else self.dtype)


@_of(*_numpys("BHILQ"))
class Unsigned(Integers, is_kind=True):
    __slots__ = ()
    letter = plain = "u"

    def with_na(self) -> Column:
        raise NotNative("unsigned integers looked up for values that may be NA")


@_of(*_numpys("efd"))
class Floats(Numbers, is_kind=True):
    __slots__ = ()
    letter = plain = "f"
    of_any_rows = frozenset({"add", "sub", "mul", "truediv"}) | _COMPARED
    converter, as_text, as_integers = "as_floats", astype.floats_as_text, astype.floats_as_integers
    as_masked_integers = astype.floats_as_masked_integers
    as_masked_floats = astype.floats_as_masked
    of_list, filled = staticmethod(infer.floats_of), where.fill_floats
    nan_is_missing, inferred_type, written_as = True, "floating", "floats"
    undefined = property(lambda self: self.values.dtype.type(np.nan))  # type: ignore[assignment]

    @property
    def not_aggregated(self) -> frozenset[str]:  # type: ignore[override]
        return _OF_NARROW if self.dtype == np.float16 else frozenset()

    float_dtype = property(lambda self: self.values.dtype)  # type: ignore[assignment]

    @property
    def sum_dtype(self) -> np.dtype:
        """The type in which floats are added: a sum of float16 is no float16."""
        dtype = self.values.dtype
        return _FLOAT64 if dtype == np.float16 else dtype

    mean_dtype = sum_dtype  # type: ignore[assignment]

    def nulls(self) -> ndarray | None:
        return by_name["isnan"](self.values)

    def sought_of_list(self, values: list[Any]) -> Column | None:
        if not all(map(_is_number, values)):
            return super().sought_of_list(values)
        return represented(_core.from_numpy(np.array(values, dtype=_FLOAT64)), self.dtype)

    def with_na(self) -> Column:
        return astype.converted(self, pandas.Float64Dtype())  # type: ignore[return-value]

    def nullable(self) -> Column:
        if self.device.startswith("cuda"):
            raise NotNative("floats that may be whole numbers")
        missing = self.missing()
        known = _core.to_numpy(self.values)[~_core.to_numpy(missing)]
        valid = ~missing if self.has_missing() else None
        whole = np.isfinite(known).all() and (known == np.floor(known)).all() and (np.abs(known) < 2**53).all()
        values = self.values if valid is None else _select(missing, self.dtype.type(1), self.values)
        if whole:
            return Column(Core.plain(values.astype(_INT64), valid), pandas.Int64Dtype())
        return Column(Core.plain(values, valid), masked_dtype(self.dtype))

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


class Times(Arrays, is_kind=True):
    """Timestamps without time zone, and durations."""

    __slots__ = ()
    in_ranges = True
    not_aggregated = {"std", "sem", "skew", "kurt", "quantile"}
    nan_first, as_integers = True, astype.times_as_integers

    def replaced_key(self, old: Any, new: Any) -> Any:
        if any(is_missing_scalar(v) for v in (old, new)):
            raise NotNative("missing times replaced")
        return self.fitting(old)

    unit = property(lambda self: np.datetime_data(self.dtype)[0])

    @staticmethod
    def stores(dtype: Any) -> bool:
        return np.datetime_data(dtype) in [(u, 1) for u in UNITS]

    def sought_label(self, key: Any) -> Column:
        if isinstance(key, self._given):
            timestamp = self._scalar(key)
            if getattr(timestamp, "tzinfo", None) is not None:
                raise ValueError("a time of a zone among times of none")
            key = timestamp.as_unit(self.unit, round_ok=False).asm8
        return self.one(key)

    def as_unit(self, unit: str) -> Column:
        return plain(cast(self.values, np.dtype(f"{self.dtype.str[1:3]}[{unit}]")))

    nothing = property(lambda self: pandas.NaT)  # type: ignore[assignment]
    _scalar: Any  # the class of scalars
    _given: tuple[type, type]  # types of scalars

    def _fit(self, x: Any) -> Any:
        if isinstance(x, self._given):
            made = self._scalar(x)
            if made is not seen.NaT and getattr(made, "tzinfo", None) is None:
                exact = made.as_unit(self.unit)
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
        except (ValueError, TypeError):
            raise NotNative("strings in place of datetimes") from None

    def refuse_missing(self, x: Any) -> None:
        if x is seen.NA:
            raise NotNative("NA among times, or NaT among others")

    def with_room(self) -> tuple[ndarray, Any]:
        return self.values, np.array("NaT", dtype=self.dtype)[()]

    def missing_rows(self, count: int) -> ndarray | None:
        return _core.full((count,), _NAT, _INT64, self.device).view(self.dtype)

    def as_numbers(self) -> ndarray:
        return self.values.view(_INT64)

    def times(self) -> ndarray:
        return self.values

    def nulls(self) -> ndarray | None:
        return self.as_numbers() == _NAT

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
    dt_class, inferred_type, written_as = "DatetimeProperties", "datetime64", "dates"
    converter, as_text, as_timestamps = "as_timestamps", astype.written, astype.as_times
    _scalar = property(lambda self: pandas.Timestamp)
    _given = datetime.datetime, np.datetime64

    def means_missing(self, key: Any) -> bool:
        return not isinstance(key, np.timedelta64)

    def moved(self, offset: Any) -> Column:
        add = getattr(offset, "_add_datetime_ndarray", None) or offset._apply_array
        if offset.normalize or self.core.device != "cpu":
            self._lacks()
        try:
            found = add(self.to_numpy())
        except NotImplementedError:  # pandas adds such an offset to one timestamp after another
            self._lacks()
        values = _core.from_numpy(found.view(self.dtype) if found.dtype == _INT64 else found)
        return Column(Core.plain(values), values.dtype)

    def parsed(self, x: str) -> Any:
        time = iso_time(x)  # without pandas' scalars
        return super().parsed(x) if time is None else time

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

    def check_aggregation(self, name: str) -> None:
        if name in ("sum", "prod", "var"):
            raise TypeError(f"datetime64 type does not support operation '{name}'")
        if name in ("any", "all"):
            raise TypeError(
                f"'{name}' with datetime64 dtypes is not supported. Use (obj != pd.Timestamp(0)).{name}() instead."
            )

    def boxed(self, values: np.ndarray, box: str = "timestamp") -> np.ndarray:
        """Some of the values as pandas' timestamps, or Python's dates or times; NaT where one is missing."""
        unit = RESOLUTIONS[np.datetime_data(self.dtype)[0]]
        return pandas._libs.tslibs.ints_to_pydatetime(values.view(_INT64), None, box, unit)


@_of(*_numpys("m"))
class Durations(Times, is_kind=True):
    __slots__ = ()
    letter = plain = "m"
    dt_class, inferred_type, written_as = "TimedeltaProperties", "timedelta64", "durations"
    converter, as_durations = "as_durations", astype.as_times
    negative, positive, absolute, invert = Numbers.negative, Numbers.positive, Numbers.absolute, Numbers.invert
    _scalar = property(lambda self: pandas.Timedelta)
    _given = datetime.timedelta, np.timedelta64

    def means_missing(self, key: Any) -> bool:
        return not isinstance(key, np.datetime64)

    def check_sum(self, name: str) -> None:
        if name == "sum" and not sum_fits(self.as_numbers()):
            raise NotNative("sums of timedeltas that overflow")

    def check_aggregation(self, name: str) -> None:
        if name in ("prod", "var"):
            raise TypeError(f"timedelta64 type does not support {name} operations")
        self.check_sum(name)

    def boxed(self, values: np.ndarray) -> np.ndarray:
        """Some of the values as pandas' durations, NaT where one is missing."""
        return pandas._libs.tslibs.ints_to_pytimedelta(values, box=True)

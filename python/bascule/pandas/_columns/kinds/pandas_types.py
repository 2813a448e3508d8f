"""The kinds of columns that only pandas has types for: strings, objects, categories, timezone-aware timestamps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from .... import _core
from ...._array.ufuncs import rows as _ufuncs
from ..._fallback.native import NotNative
from ..._intervals import EdgeIntervals
from ..._questions import PLAIN
from ..._stand_ins import STR
from ..._text_array import CategoryArray, TextArray
from ..._theirs import own, pandas, pyarrow, seen
from .. import astype, concatenation, infer, where
from ..any_kind import LOOKS_UP_NA, AnyKind, are_bools
from ..by_numbers import categories_of, timestamp
from ..column import (
    AnyColumn,
    Column,
    Core,
    HostColumn,
    Numbered,
    Timestamps,
    _on_host,
    _packed,
    by_table,
    categories,
    from_pandas_array,
    in_zone,
    ndarray,
    plain,
    positions,
    text_from_arrow,
    text_of,
)
from ..dtypes import is_of_pandas, key_type
from ..reduce import reduction
from ..where import codes_among, is_missing_scalar
from .membership import rows_among
from .numpys import _numpys, _of

_INT64 = np.dtype(np.int64)
_MANY = 1 << 17  # strings; fewer are not looked at for repetitions
_SAMPLED = 1 << 12
_FEWEST_PAIRS = 8  # strings that a sample has more than once, which fewer may be by chance
_REPEATED = 8  # times that each string has to come, on average
_core_of_column = Column.__dict__["core"]
_select = _ufuncs["where"]["ufunc"]


@_of("StringDtype", "TextType")
class Strings(Column, is_kind=True):
    __slots__ = ()
    is_text, letter, moved_bytes, in_arrays = True, "t", 0, True
    row_inference, takes_none, written_as = 1, True, "text"
    joined, chosen, filled = concatenation.joined, where.choose_own, where.fill_own
    family = property(lambda self: "text or NA" if self.is_masked else "text")
    inferred_type = property(lambda self: None if self.has_missing() else "string")
    lookup_flags = property(lambda self: LOOKS_UP_NA if self.is_masked else 0)
    maps_objects = has_ranks = property(lambda self: not self.is_masked)
    selected_as = property(lambda self: "t" if self.dtype == STR else "-")
    converter, of_list, as_text = "as_text", staticmethod(infer.strings_of), astype.text_as_text
    as_integers = as_floats = astype.parsed
    not_aggregated = {"quantile", "sum", "any", "all"}

    def check_aggregation(self, name: str) -> None:
        if name in ("mean", "median", "var", "std", "sem", "skew", "kurt", "prod"):
            raise TypeError(f"dtype '{self.dtype}' does not support operation '{name}'")

    as_objects, whole, boxed_values = astype.as_objects, AnyKind.whole, AnyKind.boxed_values

    def in_codes(self) -> Any:
        """The core of the values as codes of a sorted dictionary; None where a sample shows that they repeat too seldom.

        Numbering the strings costs about as much as searching them for a pattern, so that only what costs more asks for
        it. The column has these codes from then on.
        """
        core, n = self.core.encoded(), len(self)
        if core is not None or n < _MANY or self.device.startswith("cuda"):
            return core
        sample = _core.factorize_columns([self.core.slice(0, n // _SAMPLED, _SAMPLED)], False, True)[0]
        again = int((np.bincount(_core.to_numpy(sample)) > 1).sum())
        # Of d strings that are equally frequent, a sample has about its square / 2d pairs of equal ones.
        if again < _FEWEST_PAIRS or 2 * again * n < _REPEATED * _SAMPLED**2:
            return None
        codes, first, _ = _core.factorize_columns([self.core], True, False)
        core = Core.coded(codes.view(np.dtype(np.int32)), self.core.take(first))
        _core_of_column.__set__(self, core)
        return core

    def one(self, value: Any) -> Column:
        return text_of([value], self.dtype, self.device)

    def of_core(self, core: Any) -> Column:
        return Column(core, self.dtype)

    def sought_label(self, key: Any) -> Column:
        if isinstance(key, str):
            return text_of([key], self.dtype, "cpu")
        if not is_missing_scalar(key):
            raise KeyError(key)
        return text_of([None], self.dtype)

    def means_missing(self, key: Any) -> bool:
        return True

    @staticmethod
    def of_array(a: Any, copy: bool, owner: Any) -> Column:
        if issubclass(type(a), TextArray):
            if a._theirs is None:
                return a.column
            a = own(a)
        there = getattr(a, "_pa_array", None)  # strings that are Arrow's already
        if there is None:
            there = pyarrow.array(a, type=pyarrow.large_string(), from_pandas=True)
        return text_from_arrow(there, a.dtype)

    def as_categories(self, dtype: Any) -> HostColumn:
        return self.stays(dtype) if self.is_masked else astype.as_categories(self, dtype)

    def has_strings(self) -> bool:
        return True

    def sizes_of_groups(self, sizes: Column) -> Column:
        return sizes.with_na() if self._na is seen.NA else sizes

    def replaced_key(self, old: Any, new: Any) -> Any:
        if old is None or isinstance(old, (bool, np.bool_)):
            raise NotNative("None or booleans replaced")
        return old if isinstance(old, str) else None

    def of_lookup(self, found: AnyColumn) -> AnyColumn:
        if self.is_masked and found.with_na() is not found:
            raise NotNative("booleans or numbers looked up for values that may be NA")
        return found

    @property
    def is_masked(self) -> bool:  # type: ignore[override]
        """Whether missing rows are NA rather than NaN."""
        return self.dtype.na_value is seen.NA

    @property
    def _na(self) -> Any:  # type: ignore[override]
        return self.dtype.na_value

    @property
    def nbytes(self) -> int:
        return self.to_arrow().nbytes

    def _fit(self, x: Any) -> Any:
        return x if isinstance(x, str) else super()._fit(x)

    def nullable(self) -> Column:
        return Column(self.core, pandas.StringDtype())

    among = rows_among
    few_sought = property(lambda self: 0 if self.is_masked else 3)  # type: ignore[assignment]

    def ordered(self, name: str, skipna: bool = True) -> Any:
        if self.is_masked or name == "mean":
            self._lacks()
        missing = not len(self) or (self.has_missing() and not skipna)
        on_device = self.device.startswith("cuda")
        found = (
            None if missing
            else self._ordered_by_number(name) if on_device
            else pyarrow.compute.min_max(self.to_arrow())[name].as_py()
        )  # fmt: skip
        if found is None:
            raise NotNative("missing strings")
        return found

    def _ordered_by_number(self, name: str) -> str | None:
        """The least or the greatest string, by its code among the distinct strings, whose codes are in their order."""
        core = self.core.encoded()
        if core is None:
            order = _core.order_columns([self.core], [name == "min"], False)
            return self.take(order[:1]).item(0) if int((~self.missing()).sum()) else None
        codes = core.values if name == "max" else core.values[core.values >= 0]
        at = int(codes.max() if name == "max" else codes.min()) if len(codes) else -1
        return None if at < 0 else Column(core.dictionary, self.dtype).item(at)

    def equal_to_each(self, sought: Column) -> list[ndarray]:
        return [self.core.compare(sought.core.slice(k, 1, 1), "eq") for k in range(len(sought))]

    def sought(self, there: Column) -> Column | None:
        """The strings among the values, and missing values of any type."""
        missing = there.has_missing()
        if missing and self.is_masked:
            raise NotNative("NA among strings")
        try:
            return there.strings(self.dtype)
        except NotNative:
            return self._sought_of_arrow([None]) if missing else None

    def sought_of_list(self, values: list[Any]) -> Column | None:
        some = [v for v in values if isinstance(v, str) or is_missing_scalar(v)]
        for v in values if len(some) < len(values) else ():
            pyarrow.scalar(v, from_pandas=True)  # pandas, too, refuses what Arrow has no type for
        if self.is_masked and any(map(is_missing_scalar, some)):
            raise NotNative("NA among strings")
        return self._sought_of_arrow(some) if some else None

    def _sought_of_arrow(self, values: list[Any]) -> Column:
        return text_of(values, self.dtype)

    def read(self, parse: Any) -> Any:
        return parse(self)

    def in_type(self, rows: AnyColumn) -> Column:
        return rows.strings(self.dtype)

    def strings(self, dtype: Any) -> Column:
        return Column(self.core, dtype)

    def put_missing(self, rows: Any) -> Column:
        at = positions(len(self), self.device)
        at[rows.at] = -1
        return Column(self.core.take(at, True), self.dtype)

    def _put_value(self, rows: Any, value: Any) -> Column:
        return self._put_from(rows.at, text_of([value], self.dtype, self.device), len(self))

    def _put_values(self, rows: Any, values: Column) -> Column:
        return self._put_from(rows.positions, values, positions(len(values), self.device) + len(self))

    def _put_from(self, rows: ndarray, others: Column, which: Any) -> Column:
        """The strings with some rows taken of others, which are counted on from the last row."""
        at = positions(len(self), self.device)
        at[rows] = which
        return Column(_core.concat_columns([self.core, others.core]).take(at, False), self.dtype)

    def _equal_rows(self, other: Column) -> ndarray:
        return self.core.compare(other.core, "eq")

    def or_missing(self, mask: ndarray) -> Column:
        return Column(self.core.take(_select(mask, positions(len(self), self.device), -1), True), self.dtype)

    def or_scalar(self, mask: ndarray, value: Any) -> Column:
        both = _core.concat_columns([self.core, text_of([value], self.dtype, self.device).core])
        n = len(self)
        return Column(both.take(_select(mask, positions(n, self.device), n), False), self.dtype)

    def or_rows(self, mask: ndarray, other: Column) -> Column:
        both = _core.concat_columns([self.core, other.core])
        at = positions(len(self), self.device)
        return Column(both.take(_select(mask, at, at + len(self)), False), self.dtype)

    def to_numpy(self) -> np.ndarray:
        return self._objects().into(np.empty(len(self), dtype=object))

    def values_for_argsort(self) -> np.ndarray | None:
        return self.to_numpy() if self.dtype == object else None

    def to_pandas_array(self) -> Any:
        return self.dtype.__from_arrow__(self.to_arrow())

    def to_arrow(self) -> pyarrow.Array:
        core = self.core.decoded()
        valid = None if core.valid is None else _packed(_core.to_numpy(core.valid))
        buffers = [
            valid,
            pyarrow.py_buffer(np.ascontiguousarray(_on_host(core.offsets))),
            pyarrow.py_buffer(_on_host(core.values)),
        ]
        return pyarrow.Array.from_buffers(pyarrow.large_string(), len(core), buffers)


def _check_strings(values: Any) -> bool:
    kind = pandas.api.types.infer_dtype(values, skipna=True)
    if kind not in ("string", "empty", "bytes", "mixed", "mixed-integer"):
        raise AttributeError(f"Can only use .str accessor with string values, not {kind}")
    return True


@_of("")
class Foreign(HostColumn, is_kind=True):
    """Values of any type that only pandas has."""

    __slots__ = ()
    as_bools = as_integers = as_floats = astype.objects_as_numbers
    as_text, as_objects = astype.objects_as_text, astype.host_as_objects
    has_keys = False

    def has_strings(self) -> bool:
        return _check_strings(self.array)

    maps_objects = property(lambda self: not is_of_pandas(self.dtype))


@_of(*_numpys("O"))
class Objects(Foreign, is_kind=True):
    """Python's objects."""

    __slots__ = ()
    selected_as, converter, of_list = "O", "as_objects", staticmethod(infer.objects_of)
    written_as = "objects"

    def with_replaced(self, pairs: dict[Any, Any]) -> HostColumn:
        if not all(type(k) is str for k in pairs) or any(map(is_missing_scalar, pairs.values())):
            self._lacks()
        made = self.array.copy()
        if PLAIN.issuperset(map(type, made)):
            for old, new in pairs.items():
                made[self.array == old] = new
        else:
            made[:] = [pairs.get(v, v) if type(v) is str else v for v in self.array.tolist()]
        return HostColumn(made)

    def booleans(self) -> ndarray | None:
        return _core.from_numpy(self.array.astype(bool)) if len(self) and are_bools(self.array) else None

    def constructed(self) -> AnyColumn:
        return infer.from_values(self.array)

    def memory(self, deep: bool) -> int:
        return self.array.nbytes + (pandas._libs.lib.memory_usage_of_objects(self.array) if deep else 0)

    def with_na(self) -> NoReturn:
        raise NotNative("booleans or numbers looked up for values that may be NA")

    def put(self, rows: Any, x: Any) -> HostColumn:
        made = self.array.copy()
        made[_core.to_numpy(rows.at)] = x
        return HostColumn(made)

    def put_rows(self, rows: Any, given: AnyColumn) -> HostColumn:
        if given.dtype != object:
            raise NotNative(f"values of type {self.dtype}")
        return self.put(rows, given.array)  # type: ignore[union-attr]


@_of("SparseDtype")
class Sparse(Foreign, is_kind=True):
    __slots__ = ()

    dense = AnyKind._lacks


@_of("CategoricalDtype", "CategoryType")
class Categories(HostColumn, is_kind=True):
    __slots__ = ()
    letter = selected_as = "C"
    converter, of_list, inferred_type = "as_categories", staticmethod(infer.categories_of), "categorical"
    written_as = "categories"
    joined, chosen = concatenation.joined_by_codes, where.choose_categories
    as_bools = as_integers = as_floats = as_timestamps = as_durations = astype.categories_as
    as_masked_bools = as_masked_integers = as_masked_floats = as_objects = astype.categories_as
    as_text = astype.categories_as_text
    labels_kept, has_categories, nan_first = "in the type", True, True
    categories = property(lambda self: self.dtype.categories)  # type: ignore[assignment]

    def has_strings(self) -> bool:
        return _check_strings(self.categories)

    @classmethod
    def of_array(cls, a: Any, copy: bool, owner: Any) -> HostColumn:
        if type(a) is CategoryArray and a._theirs is None:
            return a.column
        return super().of_array(own(a), copy, owner)

    @staticmethod
    def _placed(a: Any, device: str) -> HostColumn:
        if not device.startswith("cuda"):
            return HostColumn(a)
        return categories(_core.from_numpy(np.asarray(a.codes, _INT64), device), a.dtype)

    def without_number_categories(self) -> AnyColumn:
        own = self.categories.dtype.kind in "iuf" and not self.has_missing()
        return plain(_core.from_numpy(np.asarray(self.categories)[_core.to_numpy(self.codes)])) if own else self

    def stored_codes(self) -> AnyColumn:
        """The codes in the type that pandas stores."""
        return from_pandas_array(self.array.codes)

    def values_for_argsort(self) -> np.ndarray:
        return np.asarray(self.array.codes)

    def key(self) -> Column:
        codes = self.codes
        missing = codes < 0
        return Column(Core.plain(codes, ~missing), key_type(_INT64)) if bool(missing.any()) else plain(codes)

    def of_key(self, found: AnyColumn) -> AnyColumn:
        if not found.is_numeric:
            return found
        codes = found.values
        return categories(_select(found.missing(), -1, codes) if found.has_missing() else codes, self.dtype)

    def uncategorized(self) -> AnyColumn:
        """The values of the categories of each row."""
        codes = self.codes
        return categories_of(self.dtype).take(codes, bool((codes < 0).any()))

    def missing_rows(self, count: int) -> None:
        return None

    def ordered(self, name: str, skipna: bool = True) -> Any:
        if not self.dtype.ordered or name == "mean" or (self.has_missing() and not skipna):
            self._lacks()
        codes = self.codes
        codes = codes[codes >= 0]
        if not len(codes):
            raise NotNative("no categories")
        return categories_of(self.dtype).item(int(codes.max() if name == "max" else codes.min()))

    def among(self, values: Any) -> Column:
        known = (list, tuple, set, frozenset, np.ndarray, pandas.Series, pandas.Index)
        if not hasattr(values, "to_pandas") and not isinstance(values, known):
            raise NotNative("unsupported values")
        wanted = list(values)
        kinds = self.dtype.categories
        found = kinds.get_indexer_for(wanted)
        table = np.zeros(len(kinds) + 1, dtype=bool)
        table[found[found >= 0]] = True
        table[-1] = any(x is None or x is seen.NA or x is seen.NaT or x != x for x in wanted)
        return plain(by_table(self.codes, table))

    def put(self, rows: Any, x: Any) -> HostColumn:
        return self._put_codes(rows.at, codes_among(self.dtype, x))

    def put_rows(self, rows: Any, given: AnyColumn) -> HostColumn:
        return self._put_codes(rows.positions, codes_among(self.dtype, given))

    def _put_codes(self, rows: ndarray, given: Any) -> HostColumn:
        codes = self.codes.copy()
        codes[rows] = given
        return categories(codes, self.dtype)

    @property
    def codes(self) -> ndarray:
        """The codes as int64, -1 where missing."""
        return _core.from_numpy(np.asarray(self.array.codes, _INT64))

    def iterated(self, scalars: bool = True) -> Iterator[Any]:
        if not scalars and self.dtype.categories.dtype.kind in "iufb":
            return iter(np.asarray(self.array).tolist())  # integers become floats where values are missing
        return iter(self.objects(scalars=True))

    def objects(self, start: int = 0, stop: int | None = None, scalars: bool = False) -> list[Any]:
        there = self.array[start:stop]
        if there.dtype.categories.dtype.kind != "O":
            return list(there) if scalars else there.tolist()
        kinds = [*there.dtype.categories.tolist(), np.nan]  # a missing one has the code -1
        return [kinds[i] for i in there.codes.tolist()]


class NumberedCategories(Numbered, Categories, is_kind=True):
    """Categories by their codes on a device."""

    __slots__ = ()
    codes = property(lambda self: self.numbers)  # type: ignore[assignment]
    in_arrays = True

    def values_for_argsort(self) -> np.ndarray:
        return _core.to_numpy(self.stored_codes().values)

    def stored_codes(self) -> Column:
        return plain(self.numbers.astype(np.min_scalar_type(-len(self.categories) - 2)))

    def missing(self) -> ndarray:
        return self.numbers < 0

    def memory(self, deep: bool) -> int:
        kinds = categories_of(self.dtype)
        codes = np.min_scalar_type(-len(kinds) - 2)  # pandas' for them
        return len(self) * codes.itemsize + kinds.memory(deep)

    def as_read(self) -> AnyColumn:
        kinds = self.dtype.categories
        return (
            HostColumn(kinds.rows(_core.to_numpy(self.numbers)))
            if type(kinds) is EdgeIntervals
            else self.uncategorized()
        )

    def item(self, i: int) -> Any:
        return self.slice(i, 1, 1).as_read().item(0)

    def objects(self, start: int = 0, stop: int | None = None, scalars: bool = False) -> list[Any]:
        return self.as_read().objects(start, stop, scalars)

    def iterated(self, scalars: bool = True) -> Iterator[Any]:
        return self.as_read().iterated()

    def to_numpy(self) -> np.ndarray:
        return self.as_read().to_numpy()

    def to_pandas_array(self) -> Any:
        return pandas.Categorical.from_codes(_core.to_numpy(self.numbers), dtype=own(self.dtype))


Numbered._classes.update(CategoricalDtype=NumberedCategories, CategoryType=NumberedCategories)


class NumberedObjects(Numbered, Objects, is_kind=True):
    """Objects by their positions among those that rows were selected from."""

    __slots__ = ()

    def booleans(self) -> ndarray | None:
        own = len(self.entries) and are_bools(self.entries) and not self.has_missing()
        return by_table(self.numbers, np.append(self.entries, False).astype(bool)) if own else None


Numbered._classes[type(np.dtype(object))] = NumberedObjects


@_of("IntervalDtype")
class Intervals(Foreign, is_kind=True):
    __slots__ = ()
    inferred_type, selected_as = "interval", "P"


@_of("DatetimeTZDtype")
class Zoned(HostColumn, is_kind=True):
    """Timezone-aware timestamps."""

    __slots__ = ()
    letter, has_ends, dt_class, written_as = "Z", True, "DatetimeProperties", "zoned"
    subtracts, nan_first, maps_objects, inferred_type = True, True, True, "datetime64"
    joined, chosen = concatenation.joined_by_key, where.choose_zoned
    zone = property(lambda self: self.dtype.tz)
    unit = property(lambda self: self.dtype.unit)

    def as_unit(self, unit: str) -> HostColumn:
        return in_zone(self.utc().as_unit(unit).values, self.zone)

    def missing_rows(self, count: int) -> None:
        return None

    @staticmethod
    def _placed(a: Any, device: str) -> HostColumn:
        if not device.startswith("cuda"):
            return HostColumn(a)
        return Timestamps(_core.from_numpy(np.ascontiguousarray(a._ndarray), device), a.dtype)

    @property
    def in_utc(self) -> ndarray:
        """The timestamps in UTC."""
        return _core.from_numpy(np.ascontiguousarray(self.array._ndarray))

    def times(self) -> ndarray:
        return self.in_utc

    def key(self) -> Column:
        return self.utc()

    def of_key(self, found: AnyColumn) -> AnyColumn:
        return in_zone(found.values, self.dtype.tz) if found.is_plain("M") else found

    def utc(self, why: str = "") -> Column:
        return plain(self.in_utc)

    def ordered(self, name: str, skipna: bool = True) -> Any:
        found = reduction(name, self.utc(), skipna)
        return found if found is seen.NaT else found.tz_localize("UTC").tz_convert(self.dtype.tz)

    def put(self, rows: Any, x: Any) -> HostColumn:
        zone = self.dtype.tz
        return in_zone(self.utc().put(rows, x if is_missing_scalar(x) else timestamp(x, zone)).values, zone)

    def put_rows(self, rows: Any, given: AnyColumn) -> HostColumn:
        there = given.uncategorized().utc("values without a time zone in a column of one")
        return in_zone(self.utc().put_rows(rows, there).values, self.dtype.tz)


class ZonedOnDevice(Timestamps, Zoned, is_kind=True):
    """Timezone-aware timestamps, stored as timestamps in UTC on a device."""

    __slots__ = ()
    in_utc = property(lambda self: self.numbers)

    def item(self, i: int) -> Any:
        return self._zoned(plain(self.numbers).item(i))

    def iterated(self, scalars: bool = True) -> Iterator[Any]:
        return map(self._zoned, plain(self.numbers).iterated(scalars=True))

    def objects(self, start: int = 0, stop: int | None = None, scalars: bool = False) -> list[Any]:
        return [self._zoned(t) for t in plain(self.numbers).objects(start, stop, scalars=True)]

    def _zoned(self, time: Any) -> Any:
        return time if time is seen.NaT else time.tz_localize("UTC").tz_convert(self._dtype.tz)


Timestamps._classes["DatetimeTZDtype"] = ZonedOnDevice

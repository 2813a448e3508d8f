"""The class that columns of every kind derive from, and the choice of a column's class by its dtype."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from ... import _core
from ..._array.conversion import host_view
from ...lib.sorting_common import has_equal_elements, has_numpys_order
from .. import _types_asked  # noqa: F401 - answers for pandas' functions
from .._fallback.native import NotNative
from .._theirs import pandas, seen

LOOKS_UP_NA = 1


def is_missing_scalar(x: Any) -> bool:
    """Whether a scalar is a missing value."""
    return x is None or x is seen.NA or x is seen.NaT or (isinstance(x, (float, np.floating)) and bool(x != x))


def are_bools(x: Any) -> bool:
    return all(isinstance(v, (bool, np.bool_)) for v in x)


class _Classes(dict):
    """The classes of the columns that are stored in one way, by the classes of their dtypes; made on first use."""

    def __init__(self, storage: Any):
        super().__init__()
        self.storage = storage

    def __missing__(self, dtype: type) -> type:
        storage = self.storage
        if dtype.__name__ in self:
            return self[dtype.__name__]
        made = kind = storage.kinds.get(dtype) or storage.kinds.get(dtype.__name__) or storage.kinds.get("")
        if kind is None or issubclass(storage, kind):
            made = storage
        elif not issubclass(kind, storage):
            made = type(storage.__name__, (storage, kind), {"__slots__": ()}, is_kind=True)
            made.__module__ = storage.__module__
        self[dtype] = made
        return made


class AnyKind:
    """Methods of columns of every kind. A kind that lacks one raises NotNative.

    Attributes
    ----------
    letter : str
        NumPy's letter of the values, masked or not; "t" for strings, "C" for categories, "Z" for timezone-aware
        timestamps, "O" for others.
    plain : str
        The letter where the dtype is NumPy's and the memory is bascule's; else "-".
    labels_kept : str
        Where the labels of a level are: "here", "in pandas", or "in the type".
    in_arrays : bool
        Whether `to_numpy` gives the elements as an array of a whole frame has them.
    """

    __slots__ = ()
    labels_kept = "here"
    _classes: _Classes
    kinds: dict[type | str, type]  # the class of a kind by that of the dtype; by its name where it is pandas'
    is_text = is_masked = in_arrays = False
    letter, plain = "O", "-"
    dtype: Any

    def __init_subclass__(cls, is_kind: bool = False) -> None:
        if not is_kind:
            cls._classes = _Classes(cls)

    def _lacks(self, *args: Any) -> NoReturn:
        raise NotNative(f"values of type {self.dtype}")

    def in_codes(self) -> Any:
        """The core of strings that repeat as codes of a sorted dictionary, else None."""
        return None

    def is_plain(self, letters: str = "biufmM") -> bool:
        """Whether the values are bascule's, of one of NumPy's kinds and not masked."""
        return self.plain in letters

    def plain_values(self, letters: str = "biufmM", why: str = "values") -> _core.ndarray:
        """The elements of a column of one of NumPy's kinds; for others NotNative with the reason, or its first word."""
        if self.plain not in letters:
            raise NotNative(why if " " in why else f"{why} of type {self.dtype}")
        return self.values  # type: ignore[attr-defined]

    # ---- facts that callers decide by

    has_core = True  # whether the values are a column of the C++ library
    arrays: Any = ()  # of bascule, which the values are in
    can_lack = True  # whether the type has a missing value
    nan_is_missing = False  # whether missing values are NaN, which arithmetic passes on
    nan_first = False  # whether pandas orders missing values as the least, as the integers that it orders times by
    takes_none = False  # whether None in a list is a missing value, and no object
    mixes_missing = False  # whether missing values would be a group among objects of an order of their own
    selects_rows = False  # whether the values are booleans, by which rows are selected
    of_any_rows: frozenset[str] = frozenset()  # operators on numbers that no value makes raise, or choose another type
    rounds = False  # whether there are decimals to round
    subtracts = False  # whether differences of rows are numbers or times
    has_ranks = False  # whether ranks are those of the values in memory
    has_keys = True  # whether there are keys that distinguish the values
    has_categories = False
    is_arrows = False  # whether the values are in an array of Arrow's, whose kernels compute with them
    # Whether a comparison with a missing value is NA.
    keeps_na = property(lambda self: self.is_masked or self.is_arrows)
    maps_objects = False  # whether pandas maps a function over the objects of the values
    row_inference = 2  # of a row of objects with such a value: 0 keeps objects, 1 reads strings only, 2 all types
    written_as = "plain"  # the method of a CSV writer for the values
    selected_as = "-"  # letter by which select_dtypes and describe know the type; "-" where only pandas does

    @property
    def is_numeric(self) -> bool:
        """Whether numeric_only keeps the column."""
        return pandas.api.types.is_numeric_dtype(self.dtype)

    @property
    def family(self) -> Any:
        """Values that compare with each other: "number", "text", "bool", with " or NA" behind where some may be NA, or times of a unit."""
        return self.dtype

    with_replaced: Any = _lacks  # objects with others, of a dict, in place of strings
    replaced_key: Any = _lacks  # to which rows are compared that replace() changes; None where no row can equal it

    moved: Any = _lacks  # timestamps later by one of pandas' offsets

    # ---- several columns

    joined: Any = None  # the function that concatenates columns of one type; None where pandas does
    chosen: Any = _lacks  # rows where a mask is true, and those of another column, or a scalar, where it is false

    def filled(self, value: Any) -> Any:
        """Missing values replaced by a scalar that is not missing, or by the same row of another column."""
        return self.chosen(~self.missing(), value)  # type: ignore[attr-defined]

    # ---- conversion

    converter = "stays"  # the method of the others that converts to this kind

    def stays(self, dtype: Any) -> NoReturn:
        """NotNative, for conversions that only pandas has."""
        raise NotNative(f"from {self.dtype} to {dtype}")

    @staticmethod
    def of_list(x: Any, dtype: Any) -> Any:
        """The column of a list or array of values that have the type already; None where pandas has to convert."""
        return None

    as_bools = as_integers = as_floats = as_timestamps = as_durations = stays
    as_masked_bools = as_masked_integers = as_masked_floats = as_text = as_objects = as_categories = as_arrows = stays

    # ---- operators

    negative: Any = _lacks  # -x; for booleans not x
    positive: Any = _lacks  # +x
    absolute: Any = _lacks  # |x|
    invert: Any = _lacks  # not x, bitwise for integers
    rounded: Any = _lacks  # x to a number of decimals

    # ---- reductions

    nothing: Any = np.nan  # the result where there is no value
    float_dtype = np.dtype(np.float64)  # of a result that is a float
    sum_dtype: Any = None  # in which values are added; None for NumPy's own choice
    mean_dtype = np.dtype(np.float64)  # in which values are added for a mean

    as_numbers: Any = _lacks  # the values as numbers that order as they do: numbers themselves, int64 of times
    nulls: Any = _lacks  # boolean array of missing rows; None where there can be none
    not_aggregated: frozenset[str] | set[str] = frozenset()  # aggregations of groups that only pandas has for the kind

    def check_aggregation(self, name: str) -> None:
        """pandas' error where it has no such aggregation of groups of the kind."""

    def check_sum(self, name: str) -> None:
        """An error, or NotNative, where a reduction is a sum that the kind does not have."""

    def scalar(self, x: Any) -> Any:
        """A value among `as_numbers` as pandas' scalar."""
        return x

    undefined: Any = property(lambda self: self.nothing)  # the result of too few values; NaN of a float type is of it

    def result(self, x: Any) -> Any:
        """The result of a reduction as pandas' scalar."""
        return x

    ordered: Any = _lacks  # the "min", "max" or "mean", which a kind may have whose values are no numbers

    def reduced_dtype(self, name: str, found: Any) -> Any:
        """The type of the result of a reduction of numbers, by its name."""
        raise NotNative("results of several types")

    reduced: Any = _lacks  # a reduction by name of values that are Arrow's
    of_groups: Any = _lacks  # an aggregation of groups of them
    values_of_lists: Any = _lacks  # how many rows the list of each row becomes, and their values

    limit: Any = _lacks  # the value among `as_numbers` that is only their "min" or "max" where there is no other

    # ---- rows of other values

    def own(self, why: str = "values") -> Any:
        """The column, if its values are in bascule's memory; for others NotNative with the reason, or its first word."""
        raise NotNative(why if " " in why else f"{why} of type {self.dtype}")

    def boxed_values(self) -> list[Any]:
        """The values as Python's objects, None for NA."""
        values = (v.item() if isinstance(v, (np.bool_, np.integer, np.floating)) else v for v in self.objects())  # type: ignore[attr-defined]
        return [None if v is seen.NA else v for v in values]

    def sizes_of_groups(self, sizes: Any) -> Any:
        """Sizes of groups of these values: pandas gives them in the family of types that the values are of."""
        return sizes

    def dense(self) -> Any:
        """The column itself; NotNative of a sparse array, of which pandas' results are sparse, too."""
        return self

    def constructed(self) -> Any:
        """The column of a series that is created of these values: pandas infers the type of objects."""
        return self

    def whole(self, dtype: str) -> Any:
        """The elements as an array for positions or masks; ValueError where some are masked."""
        return self.to_numpy()  # type: ignore[attr-defined]

    def booleans(self) -> _core.ndarray | None:
        """The values of booleans, with missing ones as false; None for other values."""
        return None

    def as_range(self) -> tuple[int, int, int] | None:
        """The start, step and length of evenly spaced integers; None for others."""
        return None

    def of_lookup(self, found: Any) -> Any:
        """The values that were looked up for the column's rows; those of rows that may be NA have a type with NA."""
        return found

    def with_na(self) -> Any:
        """Numbers and booleans in the widest type with NA; other columns unchanged."""
        return self

    def fitting(self, x: Any) -> Any:
        """A scalar as a value of the column's type; NotNative when the type would have to change."""
        return self._fit(_core.to_numpy(x)[()] if type(x) is _core.ndarray and x.ndim == 0 else x)

    def _fit(self, x: Any) -> Any:
        raise NotNative(f"a value of type {type(x).__name__} in a column of type {self.dtype}")

    # ---- assignment; `rows` are a Target

    converts_lists = True  # whether numbers of a list are converted to the type

    def read(self, parse: Any) -> Any:
        """Strings as the values that a function reads in them; other columns unchanged."""
        return self

    def in_type(self, rows: Any) -> Any:
        """A column of another type in this one's, which can represent all of its values; NotNative where it cannot."""
        raise NotNative(f"values of type {rows.dtype} in a column of type {self.dtype}")

    strings: Any = _lacks  # strings in another type of strings; NotNative for others
    put: Any = _lacks  # the column with some rows set to a scalar
    put_rows: Any = _lacks  # the column with some rows set to those of a column

    # ---- membership

    few_sought = 8  # values that are compared one by one; a look-up in a table costs less for more
    in_ranges = False  # whether all values are integers or times, so that a table may have an entry for each in a range
    among: Any = _lacks  # whether each row is among some values

    def sought_in(self, c: Any) -> Any:
        """The values to look for in another column, in its type; None where it can hold none of them."""
        return c.sought_of_list(list(self.to_numpy()))  # type: ignore[attr-defined]

    def sought(self, there: Any) -> Any:
        """As `sought_in`, for a column of values of another type."""
        raise NotNative("values of other types")

    def represented_in(self, dtype: np.dtype) -> Any:
        """The numbers that a type of NumPy represents exactly, in that type; None where there are none."""
        raise NotNative("values of other types")

    def sought_of_list(self, values: list[Any]) -> Any:
        """As `sought_in`, for Python's objects, perhaps of several types."""
        raise NotNative("values of other types")

    # ---- missing rows and values of other types

    def refuse_missing(self, x: Any) -> None:
        """NotNative for a missing value of another kind: NA among times, NaT among other values."""
        if x is seen.NaT:
            raise NotNative("NA among times, or NaT among others")

    def with_room(self) -> tuple[_core.ndarray, Any]:
        """The values in the type that missing rows give them, and the missing value."""
        raise NotNative(f"missing values in a column of type {self.dtype}")

    missing_rows: Any = _lacks  # missing values in the type that they give the others; None where it has its own

    def parsed(self, x: str) -> Any:
        """The value that a string stands for."""
        return x

    def uncategorized(self) -> Any:
        """The values of categories, in the type of these; other columns unchanged."""
        return self

    def as_read(self) -> Any:
        """The values as a program reads them: those of categories, as objects where only pandas has their type."""
        return self.uncategorized()

    def utc(self, why: str = "") -> Any:
        """The column of the times in UTC of timezone-aware timestamps; NotNative with the reason for others."""
        raise NotNative(why or f"values of type {self.dtype}")

    # ---- times

    zone: Any = None  # of timezone-aware timestamps
    dt_class: str | None = None  # pandas' class of the members of `.dt`
    unit: Any = property(_lacks)  # of times, such as "ns"
    as_unit: Any = _lacks  # times in another unit

    def times(self) -> _core.ndarray | None:
        """The elements of timestamps and durations, in UTC where they have a time zone; None for others."""
        return None

    # ---- strings and categories

    def has_strings(self) -> bool:
        """Whether pandas' `.str` takes the values: strings, objects with strings among them, or categories of those."""
        return False

    categories: Any = property(_lacks)  # of the type, as pandas' index
    codes: Any = property(_lacks)  # of categories as int64, -1 where missing
    stored_codes: Any = _lacks  # the codes in the type that pandas stores

    def without_number_categories(self) -> Any:
        """The values of categories that are numbers, none of them missing; other columns unchanged."""
        return self

    nullable: Any = _lacks  # the column in the type that has NA for missing values, where it needs no other values

    # ---- labels

    inferred_type: str | None = None  # pandas' word for labels of the kind; None where it depends on the values
    lookup_flags = 0  # of the core's table of labels: whether NA is looked up
    sought_label: Any = _lacks  # a label as a column of one row; KeyError or ValueError for what can be none

    def means_missing(self, key: Any) -> bool:
        """Whether a missing value is looked up among the missing labels."""
        return False

    # ---- order

    moved_bytes: int | None = (
        None  # of a value that a sort may move with the keys, 0 for strings; None where it may not
    )

    @property
    def has_ends(self) -> bool:
        """Whether pandas has nlargest and nsmallest for the type: real numbers, times, periods."""
        return self.is_numeric and self.dtype.kind != "c"

    # ---- keys

    def key(self) -> Any:
        """The column that rows are compared, ordered and joined by, in the order of the values; None where there is none."""
        return None

    def values_for_argsort(self) -> np.ndarray | None:
        """The values that pandas passes to NumPy's sort, those of missing rows undefined; None where its sort is stable."""
        key = self.key()
        return None if key is None else host_view(key.values)

    def unstable_rows(
        self: Any, rows: _core.ndarray, ascending: bool, na_position: str = "last", kind: Any = None
    ) -> _core.ndarray:
        """Positions of the rows in the order that pandas finds by this kind of NumPy's sort; `rows` is the stable order.

        NumPy leaves the order of equal values open, so it sorts them here, too: see `has_numpys_order`.
        """
        if kind in ("mergesort", "stable") or not has_numpys_order(rows):
            return rows
        values = self.values_for_argsort()
        if values is None:
            return rows
        gone = host_view(self.missing()) if self.has_missing() else np.zeros(len(values), bool)
        known, lost = np.flatnonzero(~gone), np.flatnonzero(gone)
        at = host_view(rows)
        ordered = at[: len(known)] if na_position == "last" else at[len(lost) :]
        if len(known) < 2 or not has_equal_elements(values[ordered]):
            return rows
        way = slice(None, None, None if ascending else -1)
        known = known[way]
        known = known[values[known].argsort(kind=kind)][way]
        return _core.from_numpy(np.concatenate([known, lost] if na_position == "last" else [lost, known]))

    def of_key(self, found: Any) -> Any:
        """The values that those of a key stand for."""
        return found

    def label(self, found: Any) -> Any:
        """The labels of groups by the values that the column, as a key, has for them."""
        return found

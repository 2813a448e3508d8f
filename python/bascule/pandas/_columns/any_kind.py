"""The class that columns of every kind derive from, and the choice of a column's class by its dtype."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from ... import _core
from .._fallback.native import NotNative
from .._theirs import pandas, seen


def is_missing_scalar(x: Any) -> bool:
    """Whether a scalar is a missing value."""
    return x is None or x is seen.NA or x is seen.NaT or (isinstance(x, (float, np.floating)) and bool(x != x))


class _Classes(dict):
    """The classes of the columns that are stored in one way, by the classes of their dtypes; made on first use."""

    def __init__(self, storage: Any):
        super().__init__()
        self.storage = storage

    def __missing__(self, dtype: type) -> type:
        storage = self.storage
        if dtype.__name__ in self:
            return self[dtype.__name__]
        made = kind = storage.kinds.get(dtype) or storage.kinds.get(dtype.__name__)
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

    def _lacks(self) -> NoReturn:
        raise NotNative(f"values of type {self.dtype}")

    def is_plain(self, letters: str = "biufmM") -> bool:
        """Whether the values are bascule's, of one of NumPy's kinds and not masked."""
        return self.plain in letters

    def plain_values(self, letters: str = "biufmM", why: str = "values") -> _core.ndarray:
        """The elements of a column of one of NumPy's kinds; for others NotNative with the reason, or its first word."""
        if self.plain not in letters:
            raise NotNative(why if " " in why else f"{why} of type {self.dtype}")
        return self.values  # type: ignore[attr-defined]

    # ---- reductions

    nothing: Any = np.nan  # the result where there is no value
    float_dtype = np.dtype(np.float64)  # of a result that is a float
    sum_dtype: Any = None  # in which values are added; None for NumPy's own choice
    mean_dtype = np.dtype(np.float64)  # in which values are added for a mean

    def numbers(self) -> _core.ndarray:
        """The values as numbers that order as they do: numbers themselves, int64 of times."""
        self._lacks()

    def holes(self) -> _core.ndarray | None:
        """Boolean array of missing rows; None where there can be none."""
        self._lacks()

    def check_sum(self, name: str) -> None:
        """An error, or NotNative, where a reduction is a sum that the kind does not have."""

    def scalar(self, x: Any) -> Any:
        """A value among `numbers` as pandas' scalar."""
        return x

    def result(self, x: Any) -> Any:
        """The result of a reduction as pandas' scalar."""
        return x

    def ordered(self, name: str, skipna: bool = True) -> Any:
        """The "min", "max" or "mean", which a kind may have whose values are no numbers."""
        self._lacks()

    def reduced_dtype(self, name: str, found: Any) -> Any:
        """The type of the result of a reduction of numbers, by its name."""
        raise NotNative("results of several types")

    def limit(self, name: str) -> Any:
        """The value among `numbers` that is only their "min" or "max" where there is no other."""
        self._lacks()

    # ---- rows of other values

    def own(self, why: str = "") -> Any:
        """The column, if its values are in bascule's memory; NotNative with the reason for others."""
        raise NotNative(why or f"values of type {self.dtype}")

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

    def strings(self, dtype: Any) -> Any:
        """Strings in another type of strings; NotNative for others."""
        self._lacks()

    def put(self, rows: Any, x: Any) -> Any:
        """The column with some rows set to a scalar."""
        self._lacks()

    def put_rows(self, rows: Any, given: Any) -> Any:
        """The column with some rows set to those of a column."""
        self._lacks()

    # ---- membership

    few_sought = 8  # values that are compared one by one; a look-up in a table costs less for more

    def among(self, values: Any) -> Any:
        """Whether each row is among some values."""
        self._lacks()

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

    def missing_rows(self, count: int) -> _core.ndarray | None:
        """Missing values, in the type that they give the others; None where the type has an own value for them."""
        self._lacks()

    def parsed(self, x: str) -> Any:
        """The value that a string stands for."""
        return x

    def uncategorized(self) -> Any:
        """The values of categories, in the type of these; other columns unchanged."""
        return self

    def utc(self, why: str = "") -> Any:
        """The column of the times in UTC of timezone-aware timestamps; NotNative with the reason for others."""
        raise NotNative(why or f"values of type {self.dtype}")

    def times(self) -> _core.ndarray | None:
        """The elements of timestamps and durations, in UTC where they have a time zone; None for others."""
        return None

    def nullable(self) -> Any:
        """The column in the type that has NA for missing values, where it needs no other values."""
        self._lacks()

    # ---- order

    moved_bytes: int | None = (
        None  # of a value that a sort may move with the keys, 0 for strings; None where it may not
    )

    @property
    def has_ends(self) -> bool:
        """Whether pandas has nlargest and nsmallest for the type: real numbers, times, periods."""
        return pandas.api.types.is_numeric_dtype(self.dtype) and self.dtype.kind != "c"

    # ---- keys

    def key(self) -> Any:
        """The column that rows are compared, ordered and joined by, in the order of the values; None where there is none."""
        return None

    def of_key(self, found: Any) -> Any:
        """The values that those of a key stand for."""
        return found

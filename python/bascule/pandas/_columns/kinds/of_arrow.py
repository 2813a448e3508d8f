"""The kind of columns of pandas' Arrow types: the values stay in Arrow's memory, and its kernels compute with them."""

from __future__ import annotations

import decimal
from collections.abc import Sequence
from typing import Any

import numpy as np

from .... import _core
from ..._fallback.native import NotNative
from ..._theirs import pandas, pc, pyarrow, seen
from .. import arrow_bits
from ..any_kind import AnyKind, is_missing_scalar
from ..column import AnyColumn, Column, Core, HostColumn, ndarray, plain, text_from_arrow
from ..dtypes import masked_dtype
from .numpys import _of
from .pandas_types import Foreign

_INT64, _FLOAT64 = np.dtype(np.int64), np.dtype(np.float64)
_EXACT = 18  # digits of decimals that an int64 holds
_REDUCED = {
    "sum": "sum", "prod": "product", "mean": "mean", "min": "min", "max": "max", "median": "quantile", "var": "variance",
    "std": "stddev", "any": "any", "all": "all",
}  # fmt: skip
_COMPARED = {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}
_COMPUTED = {"add": "add_checked", "sub": "subtract_checked", "mul": "multiply_checked", "truediv": "divide"}
_LOGICAL = {"and": "and_kleene", "or": "or_kleene", "xor": "xor"}


@_of("ArrowDtype")
class OfArrow(Foreign, is_kind=True):
    """Values in an array of Arrow's, which its kernels compute with; results keep a type of Arrow's."""

    __slots__ = ()
    is_arrows, converter = True, "as_arrows"
    as_objects = as_bools = as_integers = as_text = AnyKind._lacks
    arrow_type = property(lambda self: self.dtype.pyarrow_dtype)

    @staticmethod
    def of_arrow(a: pyarrow.Array | pyarrow.ChunkedArray) -> HostColumn:
        """The column of an Arrow array, in pandas' type for it."""
        return HostColumn(pandas.arrays.ArrowExtensionArray(a))

    def to_arrow(self) -> pyarrow.ChunkedArray:
        return self.array._pa_array

    def _whole(self) -> pyarrow.Array:
        """The values as one Arrow array."""
        chunks = self.to_arrow().chunks
        return chunks[0] if len(chunks) == 1 else pyarrow.concat_arrays(chunks) if chunks else pyarrow.array([], self.arrow_type)  # fmt: skip

    def _check_numbers(self) -> None:
        if not _is_number(self.arrow_type):
            self._lacks()

    selects_rows = property(lambda self: pyarrow.types.is_boolean(self.arrow_type))  # type: ignore[assignment]

    def booleans(self) -> ndarray | None:
        if not self.selects_rows:
            return None
        a = self._whole()
        return _core.from_numpy(arrow_bits.booleans_of(a) & arrow_bits.are_valid(a))

    def values_for_argsort(self) -> None:
        """None, for Arrow's sort is stable."""
        return None

    # ---- several columns

    def joined(self, parts: Sequence[AnyColumn]) -> HostColumn:
        chunks = [chunk for p in parts for chunk in p.to_arrow().chunks]
        return self.of_arrow(pyarrow.chunked_array(chunks, self.arrow_type))

    def _alongside(self, other: Any) -> Any:
        """A scalar or a column of the same type as Arrow's; NotNative for others."""
        self._check_numbers()
        if isinstance(other, AnyKind):
            if other.dtype != self.dtype:
                raise NotNative("columns of two types")
            return other.to_arrow()
        try:
            return pyarrow.scalar(None if is_missing_scalar(other) else _scalar(other).as_py(), self.arrow_type)
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):
            raise NotNative("a value of another type") from None

    def filled(self, value: Any) -> HostColumn:
        return self.of_arrow(pc.coalesce(self.to_arrow(), self._alongside(value)))

    def chosen(self, mask: ndarray, other: Any) -> HostColumn:
        return self.of_arrow(
            pc.if_else(arrow_bits.booleans(_core.to_numpy(mask)), self._whole(), self._alongside(other))
        )

    # ---- numbers that stand for the values

    @property
    def has_keys(self) -> bool:  # type: ignore[override]
        if _is_text(self.arrow_type):
            return True
        dtype = _stored_as(self.arrow_type)
        return dtype is not None and _numbers(self._whole(), dtype) is not None

    def key(self) -> Column | None:
        if _is_text(self.arrow_type):
            return text_from_arrow(self._whole(), pandas.StringDtype())
        dtype = _stored_as(self.arrow_type)
        a = self._whole()
        values = None if dtype is None else _numbers(a, dtype)
        if values is None:
            return None
        valid = _core.from_numpy(arrow_bits.are_valid(a)) if a.null_count else None
        return Column(Core.plain(_core.from_numpy(values), valid), masked_dtype(values.dtype))

    def of_key(self, found: AnyColumn) -> AnyColumn:
        if _is_text(self.arrow_type):
            return self.of_arrow(found.to_arrow().cast(self.arrow_type))
        return self._restored(found, self.arrow_type) if found.is_masked else found

    def _restored(self, found: Column, t: pyarrow.DataType) -> HostColumn:
        valid = None if found.core.valid is None else _core.to_numpy(found.core.valid)
        return self.of_arrow(_from_numbers(_core.to_numpy(found.values), valid, t))

    def masked(self) -> Column | None:
        """Integers and floats in the type with NA that has the same values; None for others."""
        t = self.arrow_type
        return self.key() if pyarrow.types.is_integer(t) or pyarrow.types.is_floating(t) else None

    def sizes_of_groups(self, sizes: Column) -> HostColumn:
        return self.of_masked(sizes)

    def of_masked(self, found: Column) -> HostColumn:
        """Results that were computed from `masked`, or counts, in the Arrow type of their numbers."""
        return self._restored(found, pyarrow.from_numpy_dtype(found.values.dtype))

    # ---- conversion

    def as_arrows(self, dtype: Any) -> HostColumn:
        self._check_numbers()
        if not _is_number(dtype.pyarrow_dtype):
            self._lacks()
        return self.of_arrow(self.to_arrow().cast(dtype.pyarrow_dtype))

    def as_floats(self, dtype: np.dtype) -> Column:
        self._check_numbers()
        if dtype != _FLOAT64:
            self._lacks()
        return plain(_core.from_numpy(np.array(self.to_arrow().cast(pyarrow.float64(), safe=False))))

    # ---- computations

    def reduced(self, name: str, skipna: bool, min_count: int, ddof: int) -> Any:
        """A reduction by Arrow: sums of decimals are exact."""
        self._check_numbers()
        if name not in _REDUCED:
            self._lacks()
        a = self.to_arrow()
        if name in ("any", "all") and not pyarrow.types.is_boolean(a.type):
            a = pc.not_equal(a, 0)
        options: dict[str, Any] = {"min_count": min_count} if name in ("sum", "prod", "any", "all") else {}
        options |= {"q": 0.5} if name == "median" else {"ddof": ddof} if name in ("var", "std") else {}
        try:
            found = getattr(pc, _REDUCED[name])(a, skip_nulls=skipna, **options)
        except pyarrow.ArrowNotImplementedError:
            self._lacks()
        found = (found[0] if name == "median" else found).as_py()
        return seen.NA if found is None else found

    def of_groups(self, name: str, codes: np.ndarray, count: int, options: dict[str, Any]) -> HostColumn:
        """An aggregation of groups of decimals by Arrow, exactly; rows of no group have the code -1."""
        if name not in ("sum", "mean", "min", "max") or not pyarrow.types.is_decimal(self.arrow_type):
            raise NotNative(f"{name} of groups of {self.dtype}")
        least = max(options.get("min_count", 0), 0)
        rows = pyarrow.table({"value": self.to_arrow(), "group": codes})
        if (codes < 0).any():
            rows = rows.filter(arrow_bits.booleans(codes >= 0))
        how = pc.ScalarAggregateOptions(
            skip_nulls=options.get("skipna", True), min_count=max(least, int(name != "sum"))
        )
        found = rows.group_by("group").aggregate([("value", name, how)])
        made = found[f"value_{name}"].combine_chunks()
        try:
            made.validate(full=True)
        except pyarrow.ArrowInvalid:
            raise NotNative("sums of more digits than a decimal has") from None
        at = np.full(count, -1, np.int64)
        at[np.asarray(found["group"])] = np.arange(len(found))
        made = made.take(pyarrow.array(at, mask=at < 0))
        empty = arrow_bits.booleans(at < 0)  # groups without a row
        zero = pyarrow.scalar(0, made.type) if name == "sum" and not least else pyarrow.scalar(None, made.type)
        return self.of_arrow(pc.if_else(empty, zero, made))

    def operated(self, op: str, other: Any, turned: bool) -> HostColumn:
        """An operator by Arrow on the values and a scalar or other values, which come first if `turned`."""
        there = other.to_arrow() if isinstance(other, AnyKind) else _scalar(other)
        kernel = _kernel(op, self.arrow_type, there.type)
        pair = [self.to_arrow(), there]
        if op == "truediv" and all(pyarrow.types.is_integer(x.type) for x in pair):
            pair = [pc.cast(x, pyarrow.float64(), safe=False) for x in pair]
        try:
            made = kernel(*reversed(pair) if turned else pair)
        except pyarrow.ArrowNotImplementedError:
            self._lacks()
        if pyarrow.types.is_floating(made.type) and pc.any(gone := pc.is_nan(made)).as_py():
            made = pc.if_else(gone, pyarrow.scalar(None, made.type), made)
        return self.of_arrow(made)

    def values_of_lists(self) -> tuple[np.ndarray, HostColumn] | None:
        """How many rows the list of each row becomes, and their values; None for other values than lists."""
        if not (pyarrow.types.is_list(self.arrow_type) or pyarrow.types.is_large_list(self.arrow_type)):
            return None
        a = self.to_arrow()
        lengths = np.asarray(pc.list_value_length(a).fill_null(0), np.int64)
        counts = np.maximum(lengths, 1)
        at = np.full(counts.sum(), -1, np.int64)  # an empty list becomes a missing value
        at[np.repeat(lengths > 0, counts)] = np.arange(lengths.sum())
        return counts, self.of_arrow(pc.list_flatten(a).take(pyarrow.array(at, mask=at < 0)))


def _scalar(x: Any) -> pyarrow.Scalar:
    """A number, decimal or string as Arrow's."""
    x = _core.to_numpy(x)[()] if type(x) is ndarray and x.ndim == 0 else x
    x = x.item() if isinstance(x, (np.bool_, np.integer, np.floating)) and not isinstance(x, np.timedelta64) else x
    if type(x) not in (bool, int, float, str, decimal.Decimal) or x != x:
        raise NotNative(f"an operand of type {type(x).__name__}")
    try:
        return pyarrow.scalar(x)
    except OverflowError:
        raise NotNative("an integer of more than 63 bits") from None


def _is_text(t: pyarrow.DataType) -> bool:
    return bool(pyarrow.types.is_string(t) or pyarrow.types.is_large_string(t))


def _is_number(t: pyarrow.DataType) -> bool:
    types = pyarrow.types
    return any(of(t) for of in (types.is_integer, types.is_floating, types.is_decimal, types.is_boolean))


def _kernel(op: str, left: pyarrow.DataType, right: pyarrow.DataType) -> Any:
    """Arrow's function of an operator on two types; NotNative where pandas has more to say."""
    are_bools = pyarrow.types.is_boolean(left), pyarrow.types.is_boolean(right)
    if op in _LOGICAL and all(are_bools):
        return getattr(pc, _LOGICAL[op])
    numbers = _is_number(left) and _is_number(right) and are_bools[0] == are_bools[1]
    if op in _COMPARED and (numbers or left == right or (_is_text(left) and _is_text(right))):
        return getattr(pc, _COMPARED[op])
    if op in _COMPUTED and numbers and not any(are_bools):
        return getattr(pc, _COMPUTED[op])
    raise NotNative(f"{op} of Arrow's {left} and {right}")


def _stored_as(t: pyarrow.DataType) -> np.dtype | None:
    """NumPy's type of the numbers that values are stored as, and order and differ by; None where there are none."""
    types = pyarrow.types
    if types.is_decimal128(t):
        return _INT64
    if types.is_boolean(t):
        return np.dtype(np.int8)
    if types.is_integer(t) or (types.is_floating(t) and t.bit_width > 16):
        return np.dtype(t.to_pandas_dtype())
    return np.dtype(f"i{t.bit_width // 8}") if types.is_temporal(t) and not types.is_interval(t) else None


def _numbers(a: pyarrow.Array, dtype: np.dtype) -> np.ndarray | None:
    """The numbers that values are stored as, any where one is missing; None for large decimals, for NaN, which is no NA,
    and for -0.0, which Arrow tells from 0.0."""
    if pyarrow.types.is_boolean(a.type):
        return arrow_bits.booleans_of(a).view(dtype)
    if not pyarrow.types.is_decimal128(a.type):
        made = np.frombuffer(a.buffers()[1], dtype, len(a), a.offset * dtype.itemsize)
        odd = np.isnan(made) | ((made == 0) & np.signbit(made)) if pyarrow.types.is_floating(a.type) else np.False_
        return None if (odd & arrow_bits.are_valid(a)).any() else made
    low, high = np.frombuffer(a.buffers()[1], _INT64, 2 * len(a), a.offset * 16).reshape(-1, 2).T
    if a.type.precision > _EXACT and not ((high == low >> 63) | ~arrow_bits.are_valid(a)).all():
        return None
    return low.copy()


def _from_numbers(values: np.ndarray, valid: np.ndarray | None, t: pyarrow.DataType) -> pyarrow.Array:
    """Values of an Arrow type by the numbers that they are stored as."""
    bits = None if valid is None else pyarrow.py_buffer(np.packbits(valid, bitorder="little"))
    if pyarrow.types.is_boolean(t):
        data = np.packbits(values != 0, bitorder="little")
    elif pyarrow.types.is_decimal128(t):
        data = np.stack([values, values >> 63], axis=1)
    else:
        data = np.ascontiguousarray(values)
    return pyarrow.Array.from_buffers(t, len(values), [bits, pyarrow.py_buffer(data)])

"""The kinds of pandas' nullable numbers and booleans: `core.valid` marks missing values, and NaN is a value."""

from __future__ import annotations

from typing import Any

import numpy as np

from .... import _core
from ...._array.ufuncs import rows as _ufuncs
from ..._stand_ins import IntegersOrNA
from ..._theirs import pandas, seen
from .. import astype, infer, where
from ..any_kind import LOOKS_UP_NA, AnyKind, is_missing_scalar
from ..column import AnyColumn, Column, Core, _held, adopt, ndarray
from ..dtypes import added, masked_dtype
from .numpys import Booleans, Floats, Integers, Numbers, Unsigned, _of, _some_missing

_select = _ufuncs["where"]["ufunc"]
_INT64 = np.dtype(np.int64)


class Masked(Numbers, is_kind=True):
    """Numbers of pandas' nullable types: `core.valid` marks missing values, and NaN is a value."""

    __slots__ = ()
    in_ranges = False
    is_masked, plain, can_lack, has_ranks, in_arrays = True, "-", True, False, False
    nan_is_missing, maps_objects, family = False, False, "number or NA"
    stores, inferred_type, lookup_flags = Column.stores, None, LOOKS_UP_NA
    of_any_rows = AnyKind.of_any_rows
    undefined, filled, with_room = AnyKind.undefined, where.fill_masked, AnyKind.with_room
    as_categories, replaced_key = AnyKind.stays, AnyKind.replaced_key
    _listed: tuple[set[type], int]  # the classes of a list's values, and the value under the mask

    def of_core(self, core: Any) -> Column:
        return Column(core, self.dtype)

    def sought_label(self, key: Any) -> Column:
        if key is seen.NA:
            return self.take(_core.full((1,), -1, _INT64, self.device), True)  # type: ignore[return-value]
        if is_missing_scalar(key):
            raise KeyError(key)
        return super().sought_label(key)

    def means_missing(self, key: Any) -> bool:
        return key is seen.NA

    @staticmethod
    def of_array(a: Any, copy: bool, owner: Any) -> Column:
        dtype, mask, data = a.dtype, a._mask, a._data
        # without a mask NaN would be missing; where values may be NA, NaN is a value
        odd = not mask.any() and bool((data != data).any())
        valid = _core.from_numpy(~mask) if odd or mask.any() else None
        if data.dtype != dtype.numpy_dtype:  # pandas' reindex with a fill value leaves objects there
            data = np.where(mask, 0, data).astype(dtype.numpy_dtype)
        return Column(Core.plain(_core.from_numpy(data) if copy else adopt(_held(data, owner)), valid), dtype)

    @classmethod
    def of_list(cls, x: Any, dtype: Any) -> Column | None:
        return infer.masked_of(x, dtype, *cls._listed)

    as_bools = astype.masked_as_bools
    as_integers = astype.masked_as_integers
    as_floats = astype.masked_as_floats
    _na = nothing = property(lambda self: pandas.NA)  # type: ignore[assignment]
    _under_mask: Any = 1  # the value that pandas keeps under its mask

    @property
    def nbytes(self) -> int:
        return len(self) * (self.values.dtype.itemsize + 1)

    def take(self, positions: ndarray, nulls: bool = False) -> AnyColumn:
        here = self.core
        if nulls and here.valid is None:  # missing rows are NA, not NaN
            here = Core.plain(here.values, ~here.missing())
        return Column(here.take(positions, nulls), self.dtype)

    def nulls(self) -> ndarray | None:
        return None if self.core.valid is None else ~self.core.valid

    equals = Column.equals

    def nullable(self) -> Column:
        return self

    with_na, boxed_values = nullable, AnyKind.boxed_values

    def sizes_of_groups(self, sizes: Column) -> Column:
        return sizes.with_na()

    def whole(self, dtype: str) -> ndarray:
        if self.has_missing():
            raise ValueError(
                f"cannot convert to '{dtype}'-dtype NumPy array with missing values. Specify an appropriate 'na_value' for this dtype."
            )
        return self.values

    def of_lookup(self, found: AnyColumn) -> AnyColumn:
        return found.with_na()

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
        valid[rows.positions] = True if values.core.valid is None else values.core.valid
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
    as_text = astype.written

    def _fit(self, x: Any) -> Any:
        return AnyKind._fit(self, x) if isinstance(x, (float, np.floating)) else super()._fit(x)

    def take(self, positions: ndarray, nulls: bool = False) -> AnyColumn:
        return super().take(positions, nulls and _some_missing(positions))


@_of("BooleanDtype")
class MaskedBooleans(_MaskedWhole, Booleans, is_kind=True):
    __slots__ = ()
    letter, _under_mask = "b", False
    converter, _listed, family = "as_masked_bools", (infer.BOOLS, 0), "bool or NA"


@_of("Int8Dtype", "Int16Dtype", "Int32Dtype", "Int64Dtype", IntegersOrNA)
class MaskedIntegers(_MaskedWhole, Integers, is_kind=True):
    __slots__ = ()
    letter, converter = "i", "as_masked_integers"
    _listed = infer.INTEGERS, 1  # as in pandas, whose divisions read it


@_of("UInt8Dtype", "UInt16Dtype", "UInt32Dtype", "UInt64Dtype")
class MaskedUnsigned(_MaskedWhole, Unsigned, is_kind=True):
    __slots__ = ()
    letter, converter, _listed = "u", "as_masked_integers", MaskedIntegers._listed


@_of("Float32Dtype", "Float64Dtype")
class MaskedFloats(Masked, Floats, is_kind=True):
    __slots__ = ()
    letter, _under_mask = "f", np.nan
    _listed = infer.INTEGERS | infer.FLOATS, 0
    converter, as_text, as_masked_floats = "as_masked_floats", AnyKind.stays, astype.as_masked
    as_integers, as_masked_integers = astype.masked_floats_as_integers, AnyKind.stays

    def means_missing(self, key: Any) -> bool:
        return key is seen.NA or isinstance(key, (float, np.floating))

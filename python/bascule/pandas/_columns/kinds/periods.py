"""The kind of columns of periods, such as the months that timestamps lie in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .... import _core
from ...._array.ufuncs import rows as _ufuncs
from ..._theirs import is_loaded, pandas, seen
from .. import astype
from ..column import AnyColumn, Column, Core, HostColumn, Timestamps, ndarray, plain
from ..dtypes import key_type
from .numpys import _NAT, _of
from .pandas_types import Foreign

_INT32, _INT64, _SECONDS = np.dtype(np.int32), np.dtype(np.int64), np.dtype("M8[s]")
_select = _ufuncs["where"]["ufunc"]


@_of("PeriodDtype")
class Periods(Foreign, is_kind=True):
    """Periods of a frequency, by their numbers since 1970."""

    __slots__ = ()
    has_keys = True
    has_ends, dt_class, inferred_type, selected_as = True, "PeriodProperties", "period", "P"

    @classmethod
    def of(cls, values: ndarray, freq: Any) -> HostColumn:
        """The periods that timestamps lie in."""
        dtype = pandas.PeriodDtype(freq)
        times, unit = _core.to_numpy(values), pandas._libs.tslibs.get_unit_from_dtype(values.dtype)
        find = pandas._libs.tslibs.vectorized.dt64arr_to_periodarr
        return cls._made(find(times.view(_INT64), dtype._dtype_code, None, reso=unit), dtype)

    @staticmethod
    def _made(numbers: np.ndarray, dtype: Any) -> HostColumn:
        if not is_loaded():
            return Timestamps(_core.from_numpy(numbers.view(_SECONDS)), dtype)
        return HostColumn(pandas.core.arrays.PeriodArray(numbers, dtype=dtype))

    def ordinals(self) -> ndarray:
        """The number of each period, the least integer where missing."""
        return _core.from_numpy(self.array._ndarray.view(_INT64))

    def key(self) -> Column:
        numbers = self.ordinals()
        missing = numbers == _NAT
        return Column(Core.plain(numbers, ~missing), key_type(_INT64)) if bool(missing.any()) else plain(numbers)

    def as_text(self, dtype: Any) -> Column:
        codes, first, _ = _core.factorize_columns([self.key().core], False, True)
        written = astype.objects_as_text(self.take(first), dtype)  # each period once: many rows have the same
        return written.take(codes.view(_INT32).astype(_INT64))

    def of_key(self, found: AnyColumn) -> AnyColumn:
        if not found.is_plain("i") and not found.is_masked:
            return found
        numbers = _select(found.missing(), _NAT, found.values) if found.has_missing() else found.values
        return self._made(_core.to_numpy(numbers), self.dtype)


class PeriodsByNumber(Timestamps, Periods, is_kind=True):
    """Periods as long as pandas is not imported, whose numbers are stored as times, of which some may be missing."""

    __slots__ = ()

    def ordinals(self) -> ndarray:
        return self.numbers.view(_INT64)

    def to_pandas_array(self) -> Any:
        return pandas.core.arrays.PeriodArray(_core.to_numpy(self.ordinals()), dtype=self._dtype)

    def _period(self, number: int) -> Any:
        return seen.NaT if number == _NAT else pandas.Period(ordinal=number, freq=self._dtype.freq)

    def item(self, i: int) -> Any:
        return self.objects(i, i + 1)[0]

    def iterated(self, scalars: bool = True) -> Iterator[Any]:
        return iter(self.objects())

    def objects(self, start: int = 0, stop: int | None = None, scalars: bool = False) -> list[Any]:
        return [self._period(n) for n in _core.to_numpy(self.ordinals())[start:stop].tolist()]

    def to_numpy(self) -> np.ndarray:
        made = np.empty(len(self), dtype=object)
        made[:] = self.objects()
        return made


Timestamps._classes["PeriodDtype"] = PeriodsByNumber

"""Indexes of one kind of labels: timestamps, durations, periods, categories and intervals."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .. import _fallback
from .._columns.column import ndarray, plain
from .._columns.infer import inferred
from .._columns.where import is_missing_scalar
from .._fallback.as_pandas import Typ
from .._questions import ndim_of
from .._stand_ins import CategoryType
from .._theirs import UNSET, follow_scalars, pandas, unset
from .given_times import times
from .index import Index, from_column, register
from .times import DateMethods, LengthMethods, TimeMethods


def _made(cls: type, data: Any, **options: Any) -> Any:
    """An index as pandas makes it of values that are not labels of the kind."""
    theirs = getattr(pandas, cls.__name__)
    given = {k: v for k, v in options.items() if not unset(v)}
    made = _fallback.run(cls.__name__, "labels made of other values, or with options", theirs, data, **given)
    return made


def _same(cls: type, data: Any, name: Any) -> Any:
    """The index of data of its kind; None for other data."""
    if isinstance(data, pandas.Index):
        data = _fallback.from_pandas(data)
    if isinstance(data, cls):
        return data._view() if name is None else data.rename(name)
    column = getattr(data, "_column", None) if getattr(data, "ndim", 0) == 1 else None
    if column is None and type(data) is ndarray and data.ndim == 1:
        column = plain(data)
    if column is None and isinstance(data, (list, np.ndarray)) and ndim_of(data) == 1 and len(data):
        column = inferred(data)
    made = None if column is None else from_column(column, getattr(data, "name", None) if name is None else name)
    return made if type(made) is cls else None


def _timed(data: Any, kind: str, freq: Any, tz: Any, dtype: Any, name: Any) -> Any:
    """An index of times made of given data; None where pandas has to make it."""
    found = times(kind, data, freq, tz, dtype)
    if found is None:
        return None
    made = from_column(found[0], getattr(data, "name", None) if name is None else name)
    kept = unset(freq) and getattr(data, "_freq", None) is not None
    return made._at(data._freq if kept else found[1])


def _one_after_another(indexes: list[Any]) -> bool:
    """Whether the labels of several indexes have the frequency of the first."""
    freq = indexes[0]._freq
    some = [i for i in indexes if len(i)]
    if freq is None or any(getattr(i, "_freq", None) != freq for i in some):
        return False
    return all(a._item(len(a) - 1) + freq == b._item(0) for a, b in zip(some, some[1:]))


class EvenTimes(TimeMethods, Index):
    """Indexes of timestamps or durations, which may have a frequency."""

    _freq: Any = None
    _data = property(lambda self: self._there()._data)  # attributes that pandas' functions, and other libraries, read

    def _contains(self, key: Any) -> bool:
        return self.hasnans if is_missing_scalar(key) else super()._contains(key)

    @property
    def freq(self) -> Any:
        """The frequency of the labels as pandas' offset, or None."""
        return self._freq

    @freq.setter
    def freq(self, value: Any) -> None:
        with _fallback.in_pandas(f"{type(self).__name__}.freq", "whether labels come at a frequency", self._device()):
            there = self._there().copy()
            there.freq = value
        self._at(there.freq)._changed()

    @property
    def freqstr(self) -> str | None:
        """The frequency of the labels as a string, or None."""
        return None if self._freq is None else self._freq.freqstr

    @property
    def inferred_freq(self) -> str | None:
        """The frequency inferred from the labels, as a string, or None."""
        if len(self) < 3:  # pandas infers nothing from two
            return None
        if isinstance(self._freq, (pandas.offsets.Tick, pandas.offsets.Day)) and self._freq.n == 1:
            return self._freq.freqstr
        return _fallback.run(
            f"{type(self).__name__}.inferred_freq", "not implemented natively", getattr, self, "inferred_freq"
        )

    @property
    def unit(self) -> str:
        """The time unit of the labels."""
        return self._columns[0].unit

    def _to_pandas(self) -> pandas.Index:
        made = super()._to_pandas()
        made._freq = self._freq
        return made

    def _at(self, freq: Any) -> Any:
        self._freq = freq
        return self

    def _become(self, other: Any) -> None:
        self._freq = other._freq
        super()._become(other)

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        if isinstance(key, slice) or key is ... or not isinstance(found, EvenTimes):
            return found
        mask = getattr(getattr(key, "dtype", None), "kind", "") == "b" or (
            isinstance(key, list) and key and isinstance(key[0], bool)
        )
        return found if mask else found._at(None)  # pandas keeps it when rows are taken, but not on access

    def append(self, other: Any) -> Any:
        """Append the labels of others; with a frequency where all have it, one after another."""
        made = super().append(other)
        everyone = [self, *(other if isinstance(other, (list, tuple)) else [other])]
        return made._at(self._freq) if isinstance(made, EvenTimes) and _one_after_another(everyone) else made

    def _retyped(self, made: Any) -> Any:
        return made._at(self._freq) if type(made) is type(self) else made

    def _slice(self, start: int, step: int, count: int) -> Any:
        made = super()._slice(start, step, count)
        return made._at(None if self._freq is None else self._freq if step == 1 else self._freq * step)

    def _take(self, positions: ndarray) -> Any:
        made = super()._take(positions)
        if self._freq is None:
            return made
        even = _core.range_of(plain(_core.astype(positions, np.dtype(np.int64), False, "K")).core)
        if even is None:
            return made
        return made._at(self._freq if even[1] == 1 or even[2] < 2 else self._freq * even[1])

    def _filter(self, mask: ndarray) -> Any:
        made = super()._filter(mask)
        if self._freq is None or not len(made):
            return made._at(self._freq)
        positions = _core.nonzero(mask)[0]
        one_run = int(positions[-1]) - int(positions[0]) + 1 == len(made)
        return made._at(self._freq) if one_run else made


class DatetimeIndex(DateMethods, EvenTimes):
    """Index of datetimes.

    Parameters
    ----------
    data : array-like
    freq : str or offset, optional
        The frequency of the timestamps.
    tz : str or tzinfo, optional
        Time zone.
    ambiguous, dayfirst, yearfirst, dtype, copy
        As pandas'.
    name : hashable, optional
    """

    __module__ = "bascule.pandas"
    _typ = Typ("series", "datetimeindex")  # its frequency is taken over from pandas

    def __new__(
        cls, data: Any = None, freq: Any = UNSET, tz: Any = UNSET, ambiguous: Any = UNSET, dayfirst: Any = UNSET, yearfirst: Any = UNSET,
        dtype: Any = None, copy: bool | None = None, name: Any = None,
    ) -> Any:  # fmt: skip
        plainly = unset(freq) and unset(tz) and dtype is None
        same = _same(cls, data, name) if plainly else None
        if same is None and unset(ambiguous) and unset(dayfirst) and unset(yearfirst):
            same = _timed(data, "M", freq, tz, dtype, name)
        options = dict(freq=freq, tz=tz, ambiguous=ambiguous, dayfirst=dayfirst, yearfirst=yearfirst, dtype=dtype, copy=copy, name=name)  # fmt: skip
        return _made(cls, data, **options) if same is None else same

    @property
    def tz(self) -> Any:
        """Time zone of the labels, or None."""
        return getattr(self.dtype, "tz", None)

    tzinfo = tz


class TimedeltaIndex(LengthMethods, EvenTimes):
    """Index of timedeltas.

    Parameters
    ----------
    data : array-like
    freq : str or offset, optional
        The frequency of the labels.
    dtype, copy
        As pandas'.
    name : hashable, optional
    """

    __module__ = "bascule.pandas"
    _typ = Typ("series", "timedeltaindex")

    def __new__(
        cls, data: Any = None, freq: Any = UNSET, dtype: Any = None, copy: bool | None = None, name: Any = None
    ) -> Any:
        same = _same(cls, data, name) if unset(freq) and dtype is None else None
        same = _timed(data, "m", freq, None, dtype, name) if same is None else same
        return _made(cls, data, freq=freq, dtype=dtype, copy=copy, name=name) if same is None else same


def _part(name: str, text: str) -> property:
    """An attribute of the array of pandas that holds the labels."""
    return property(lambda self: _fallback.from_pandas(getattr(self._column.array, name)), doc=text)


class PeriodIndex(Index):
    """Index of periods.

    Parameters
    ----------
    data : array-like
    freq : str or offset, optional
        Length of the periods.
    dtype, copy
        As pandas'.
    name : hashable, optional
    """

    __module__ = "bascule.pandas"

    def __new__(
        cls, data: Any = None, freq: Any = None, dtype: Any = None, copy: bool | None = None, name: Any = None
    ) -> Any:
        same = _same(cls, data, name) if freq is None and dtype is None else None
        return _made(cls, data, freq=freq, dtype=dtype, copy=copy, name=name) if same is None else same

    _data = property(lambda self: self._values)
    _typ = Typ("series", "periodindex")  # by this, pandas recognises objects with an array of periods in `_values`
    freq = _part("freq", "Length of the periods, as pandas' offset.")
    freqstr = _part("freqstr", "Length of the periods, as text.")


class CategoricalIndex(Index):
    """Index of categoricals.

    Parameters
    ----------
    data : array-like
    categories : array-like, optional
    ordered : bool, optional
    dtype, copy
        As pandas'.
    name : hashable, optional
    """

    __module__ = "bascule.pandas"

    def __new__(
        cls, data: Any = None, categories: Any = None, ordered: Any = None, dtype: Any = None, copy: bool = False, name: Any = None
    ) -> Any:  # fmt: skip
        same = _same(cls, data, name) if categories is None and ordered is None and dtype is None else None
        options = dict(categories=categories, ordered=ordered, dtype=dtype, copy=copy, name=name)
        return _made(cls, data, **options) if same is None else same

    categories = _part("categories", "The kinds of labels.")
    ordered = _part("ordered", "Whether the kinds have an order.")
    codes = _part("codes", "The number of each label's kind; -1 for missing ones.")


class IntervalIndex(Index):
    """Index of intervals.

    Parameters
    ----------
    data : array-like of Interval
    closed : {"left", "right", "both", "neither"}, optional
    dtype, copy, verify_integrity
        As pandas'.
    name : hashable, optional
    """

    __module__ = "bascule.pandas"

    def __new__(
        cls, data: Any, closed: Any = None, dtype: Any = None, copy: bool | None = None, name: Any = None, verify_integrity: bool = True
    ) -> Any:  # fmt: skip
        same = _same(cls, data, name) if closed is None and dtype is None else None
        options = dict(closed=closed, dtype=dtype, copy=copy, name=name, verify_integrity=verify_integrity)
        return _made(cls, data, **options) if same is None else same

    closed = _part("closed", "Which ends belong to the intervals.")
    left = _part("left", "The lower ends.")
    right = _part("right", "The upper ends.")


register(type(np.dtype("M8")), DatetimeIndex)
register(type(np.dtype("m8")), TimedeltaIndex)


register(CategoryType, CategoricalIndex)


@follow_scalars
def _with_pandas() -> None:
    register(pandas.DatetimeTZDtype, DatetimeIndex)
    register(pandas.PeriodDtype, PeriodIndex)
    register(pandas.CategoricalDtype, CategoricalIndex)
    register(pandas.IntervalDtype, IntervalIndex)

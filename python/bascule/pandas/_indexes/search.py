"""Positions of values among sorted ones, and the extremes of an index."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from ... import _core
from ...lib import sorting as ordered
from .. import _fallback
from .._columns.astype import converted
from .._columns.column import AnyColumn, Column, ndarray
from .._fallback.native import NotNative, native
from .._theirs import pandas

_int64 = np.dtype(np.int64)


def _numbers(c: AnyColumn) -> ndarray:
    """The values of a column in a type that sorts in memory: numbers, and times as int64."""
    c.plain_values("iufmM")
    if c.times() is not None and c.has_missing():
        raise NotNative("NaT")
    return c.as_numbers()


def insertion_points(c: AnyColumn, among: AnyColumn, side: str) -> ndarray:
    """For each value of a column its position among the sorted values of another.

    Raises
    ------
    NotNative
        When pandas has to search.
    """
    if c.is_text and among.is_text:
        coded = c.core.encoded()
        if coded is None or c.has_missing() or among.has_missing() or c.dtype != among.dtype:
            raise NotNative("missing strings, or too many")
        words = Column(coded.dictionary, c.dtype).to_numpy()
        found = np.searchsorted(among.to_numpy(), words, side=side)
        table = _core.from_numpy(np.asarray(found, dtype=np.int64), c.device)
        return table[_core.astype(coded.values, _int64, True, "K")] if len(c) else table[:0]
    x, y = _numbers(c), _numbers(among)
    if c.family != among.family:
        raise NotNative("datetimes and timedeltas, or two units")
    return ordered.searchsorted(y, x, side)


class IndexSearch:
    """The extremes of an index, positions in a sorted one, and conversion of its labels."""

    def _end(self: Any, name: str, axis: Any, skipna: bool, args: tuple, kwargs: dict) -> Any:
        if axis in (None, 0) and skipna and not args and not kwargs and len(self) and self.nlevels == 1:
            even = None if self._own is None else self._own.as_range
            if even is not None and hasattr(self, "start"):
                start, step, count = even
                return (min if name == "min" else max)(start, start + step * (count - 1))
            with contextlib.suppress(NotNative):
                self._columns[0].plain_values()
                return getattr(self.to_series(), name)()
        # pandas' classes of indexes differ in the arguments of these methods
        given = () if axis is None and not args else (axis, skipna, *args)
        if not given and skipna is not True:
            kwargs = {"skipna": skipna, **kwargs}
        return _fallback.call(self, name, given, kwargs, "labels of this kind, or options")

    def min(self, axis: Any = None, skipna: bool = True, *args: Any, **kwargs: Any) -> Any:
        """The smallest label."""
        return self._end("min", axis, skipna, args, kwargs)

    def max(self, axis: Any = None, skipna: bool = True, *args: Any, **kwargs: Any) -> Any:
        """The largest label."""
        return self._end("max", axis, skipna, args, kwargs)

    def _retyped(self, made: Any) -> Any:
        """Convert the labels, with the attributes of the index's class."""
        return made

    @native
    def astype(self: Any, dtype: Any, copy: bool = True) -> Any:
        """Convert the labels to another type."""
        wanted = pandas.api.types.pandas_dtype(dtype)
        if wanted == self.dtype and self.nlevels == 1:
            return self._view()
        if self.nlevels > 1:
            raise NotNative("several levels")
        return self._retyped(self._of_columns([converted(self._columns[0], wanted)], [self.name]))

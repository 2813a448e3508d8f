"""Evenly spaced labels: methods computed from start, step and count."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import _core
from .. import _classes
from .._columns.column import Core, categories, ndarray
from .._fallback.native import NotNative, native
from .._questions import is_integer
from .._theirs import pandas
from .arguments import INT64, arange, array_of, is_number, same_name
from .lookup import IndexLookup
from .ordering import IndexOrder
from .rows import IndexRows, _kept
from .search import IndexSearch
from .sets import IndexSets, _check_sort, _named


class RangeMethods:
    """Methods of RangeIndex whose results are ranges, or that need no labels."""

    name: Any
    _own: Any
    _constructor = property(lambda self: _classes.Index)  # for labels that may be uneven
    _stop: int | None = None  # as given; it may be less than a step after the last label
    start = property(lambda self: self._own.as_range[0], doc="The first label, where there is one.")
    step = property(lambda self: self._own.as_range[1], doc="The difference of two neighbours.")

    @property
    def stop(self) -> int:
        """The end, which is no label."""
        start, step, count = self._own.as_range
        return start + step * count if self._stop is None else self._stop

    def _ending(self, stop: int) -> Any:
        """These labels with a stop that may be less than a step after the last one."""
        self._stop = stop
        return self

    @property
    def _range(self: Any) -> range:
        return range(self.start, self.stop, self.step)

    def _of_range(self: Any, steps: range) -> Any:
        return type(self)._of(steps.start, steps.step, len(steps), self.name)._ending(steps.stop)

    def _apart(self: Any) -> Any:
        """The labels in an index that is no range."""
        return self._of_columns(self._columns, self._names)

    # ---- other types, and others' labels
    @native
    def astype(self: Any, dtype: Any, copy: bool = True) -> Any:
        """The labels in another type; categories are stored as a range, too."""
        wanted = pandas.api.types.pandas_dtype(dtype)
        if not isinstance(wanted, pandas.CategoricalDtype) or wanted.categories is not None or wanted.ordered:
            return IndexSearch.astype(self, dtype, copy)
        steps = self._range if self.step > 0 else self._range[::-1]
        numbers = arange(len(self)) if self.step > 0 else arange(len(self))[::-1]
        kinds = pandas.CategoricalDtype(pandas.RangeIndex(steps, name=self.name))
        return self._of_columns([categories(numbers, kinds)], self._names)

    def append(self: Any, other: Any) -> Any:
        """These labels, then those of the others; with integers that are no range, this index keeps its name."""
        made = super().append(other)  # type: ignore[misc]
        others = other if isinstance(other, (list, tuple)) else [other]
        ranges = all(isinstance(o, RangeMethods) for o in others)
        return made if ranges or made.nlevels > 1 or made.dtype != np.int64 else made.rename(self.name)

    # ---- rows
    @native
    def delete(self: Any, loc: Any) -> Any:
        """Delete the labels at some positions."""
        n = len(self)
        if n == 0 and is_integer(loc) and loc in (0, -1):
            return self._view()
        keep = _kept(loc, n)
        if is_integer(loc):
            at = int(loc) % n
            if at == 0 or at == n - 1:
                return self[1:] if at == 0 else self[:-1]
            return self[::2] if n == 3 else self._apart()._filter(keep)
        if isinstance(loc, slice):
            return self._apart()._filter(keep)
        a = array_of(loc)
        a = _core.astype(a, INT64, False, "K")  # pandas takes the booleans 0 and 0, 1 as positions
        if not a.size:
            return self._view()
        even = _core.range_of(Core.plain(a))
        runs = even is not None and even[0] >= 0 and even[1] != 0 and even[0] + even[1] * (even[2] - 1) >= 0
        return self._filter(_kept(a, n)) if runs else self._apart()._filter(keep)

    @native
    def insert(self: Any, loc: int, item: Any) -> Any:
        """Insert a label at a position; the result is a range where the label continues it."""
        if not is_number(item) or not is_integer(loc):
            return self._apart().insert(loc, item)
        steps, n = self._range, len(self)
        if n == 0:
            if loc == 0 and is_integer(item):
                return self._of_range(range(int(item), int(item) + self.step, self.step))
        elif loc == 0 and item == steps[0] - self.step:
            return self._of_range(range(steps.start - steps.step, steps.stop, steps.step))
        elif loc == n and item == steps[-1] + self.step:
            return self._of_range(range(steps.start, steps.stop + steps.step, steps.step))
        elif n == 2 and item == steps[0] + self.step / 2:
            return self._of_range(range(self.start, self.stop, int(self.step / 2)))
        return self._apart().insert(loc, item)

    @native
    def round(self: Any, decimals: int = 0) -> Any:
        """Round the labels to a number of decimals."""
        if decimals >= 0 or (self.start % 10**-decimals == 0 and self.step % 10**-decimals == 0):
            return self._view()
        return self._apart().round(decimals)

    def dropna(self: Any, how: str = "any") -> Any:
        """The index itself: no label is missing."""
        return IndexRows.dropna(self, how)

    # ---- looking up
    @native
    def get_loc(self: Any, key: Any) -> Any:
        """The position of a label; KeyError where it does not exist."""
        if is_number(key):
            if key != key or math.isinf(key) or int(key) != key or int(key) not in self._range:
                raise KeyError(key)
            return self._range.index(int(key))
        try:
            hash(key)
        except TypeError:
            raise NotNative("no label") from None
        raise KeyError(key)

    @native
    def get_slice_bound(self: Any, label: Any, side: str) -> Any:
        """The position where a slice begins (side "left") or ends ("right") at a label."""
        if is_integer(label) and side in ("left", "right") and self.step > 0:
            before = (int(label) - self.start + (self.step if side == "right" else self.step - 1)) // self.step
            at = min(max(before, 0), len(self))
            return at if int(label) in self._range else np.int64(at)
        if not is_number(label) or label != label or self.step < 0:
            raise NotNative("unsupported labels, or descending ones")
        return IndexLookup.get_slice_bound(self, label, side)

    @native
    def searchsorted(self: Any, value: Any, side: str = "left", sorter: Any = None) -> Any:
        """Positions where values can be inserted so that the labels stay sorted."""
        if is_integer(value) and sorter is None and side in ("left", "right") and self.step > 0:
            return np.int64(self.get_slice_bound(value, side))
        if self.step < 0:
            raise NotNative("descending labels")
        return IndexLookup.searchsorted(self, value, side, sorter)

    # ---- order
    @native
    def argsort(self: Any, *args: Any, **kwargs: Any) -> ndarray:
        """The positions of the labels in ascending order."""
        if args or kwargs.keys() - {"ascending", "kind"}:
            return IndexOrder.argsort(self, *args, **kwargs)
        n = len(self)
        up = (self.step > 0) == bool(kwargs.get("ascending", True))
        return arange(n) if up else arange(n)[::-1].copy()

    @native
    def sort_values(
        self: Any, *, return_indexer: bool = False, ascending: bool = True, na_position: str = "last", key: Any = None
    ) -> Any:
        """Sort the labels; see Index.sort_values."""
        if key is not None:
            options = dict(return_indexer=return_indexer, ascending=ascending, na_position=na_position, key=key)
            return IndexOrder.sort_values(self, **options)
        turned = (self.step < 0) == bool(ascending)
        made = self[::-1] if turned else self
        if not return_indexer:
            return made
        rows = arange(len(self))
        return made, rows[::-1].copy() if turned else rows

    @native
    def argmin(self: Any, axis: Any = None, skipna: bool = True, *args: Any, **kwargs: Any) -> int:
        """The position of the smallest label."""
        return self._end_of("argmin", axis, args, kwargs)

    @native
    def argmax(self: Any, axis: Any = None, skipna: bool = True, *args: Any, **kwargs: Any) -> int:
        """The position of the largest label."""
        return self._end_of("argmax", axis, args, kwargs)

    def _end_of(self: Any, name: str, axis: Any, args: tuple, kwargs: dict) -> int:
        if args or kwargs or axis not in (None, 0):
            raise NotNative("options")
        if not len(self):
            raise ValueError(f"attempt to get {name} of an empty sequence")
        return 0 if (self.step > 0) == (name == "argmin") else len(self) - 1

    @native
    def any(self: Any, *args: Any, **kwargs: Any) -> bool:
        """Whether any label is true."""
        if args or kwargs:
            raise NotNative("options")
        return len(self) > 1 or (len(self) == 1 and self.start != 0)

    @native
    def all(self: Any, *args: Any, **kwargs: Any) -> bool:
        """Whether all labels are true."""
        if args or kwargs:
            raise NotNative("options")
        return 0 not in self._range

    # ---- sets
    @native
    def union(self: Any, other: Any, sort: Any = None) -> Any:
        """The union of the labels; a range where possible."""
        made = None
        if isinstance(other, RangeMethods) and len(self) and len(other) and not self.equals(other):
            _check_sort(sort)
            covers = sort is False and self.step > 0 and _within(other._range, self._range)
            made = _range_union(self, other) if sort is not False or covers else None
        if made is None:
            return IndexSets.union(self, other, sort)
        return _named(self._of_range(made), [self.name if same_name(self.name, other.name) else None])

    @native
    def intersection(self: Any, other: Any, sort: Any = False) -> Any:
        """The intersection of the labels; a range where the other is one."""
        if not isinstance(other, RangeMethods) or not len(self) or not len(other) or self.equals(other):
            return IndexSets.intersection(self, other, sort)
        _check_sort(sort)
        made = _range_shared(self, other)
        made = made[::-1] if sort is True and made.step < 0 else made
        return _named(self._of_range(made), [self.name if same_name(self.name, other.name) else None])

    @native
    def difference(self: Any, other: Any, sort: Any = None) -> Any:
        """The labels that the other does not have; a range where possible."""
        if not isinstance(other, RangeMethods) or not len(other) or self.equals(other):
            return IndexSets.difference(self, other, sort)
        _check_sort(sort)
        made = _range_rest(self[::-1] if sort is not False and self.step < 0 else self, other)
        if made is None:
            return IndexSets.difference(self, other, sort)
        return _named(self._of_range(made), [self.name if same_name(self.name, other.name) else None])

    @native
    def symmetric_difference(self: Any, other: Any, result_name: Any = None, sort: Any = None) -> Any:
        """The labels that only one of both has."""
        if not isinstance(other, RangeMethods) or sort is not None:
            return IndexSets.symmetric_difference(self, other, result_name, sort)
        made = self.difference(other).union(other.difference(self))
        if isinstance(made, RangeMethods) and made.step < 0:  # type: ignore[attr-defined]
            made = made[::-1]  # type: ignore[index]
        return made if result_name is None else made.rename(result_name)


def _within(steps: range, other: range) -> bool:
    return not len(steps) or (
        (steps.start - other.start) % other.step == 0 and steps[0] in other and steps[-1] in other
    )


def _range_union(a: Any, b: Any) -> range | None:
    """The range that is the union of two; None where it is not a range."""
    first, second = (x._range if x.step > 0 else x._range[::-1] for x in (a, b))
    start_a, step_a, end_a = first[0], first.step, first[-1]
    start_b, step_b, end_b = second[0], second.step, second[-1]
    if len(a) == 1 and len(b) == 1:
        step_a = step_b = abs(a.start - b.start)
    elif len(a) == 1:
        step_a = step_b
    elif len(b) == 1:
        step_b = step_a
    start, end = min(start_a, start_b), max(end_a, end_b)
    if step_a == step_b:
        if (start_a - start_b) % step_a == 0 and start_a - end_b <= step_a and start_b - end_a <= step_a:
            return range(start, end + step_a, step_a)
        half = step_a // 2
        if step_a % 2 == 0 and abs(start_a - start_b) == half and abs(end_a - end_b) == half:
            return range(start, end + half, half)
    elif step_b % step_a == 0:
        if (start_b - start_a) % step_a == 0 and start_b + step_a >= start_a and end_b - step_a <= end_a:
            return range(start, end + step_a, step_a)
    elif step_a % step_b == 0:
        if (start_a - start_b) % step_b == 0 and start_a + step_b >= start_b and end_a - step_b <= end_b:
            return range(start, end + step_b, step_b)
    return None


def _range_shared(a: Any, b: Any) -> range:
    """The range that is the intersection of two, ascending unless both descend."""
    first, second = (x._range if x.step > 0 else x._range[::-1] for x in (a, b))
    low, high = max(first.start, second.start), min(first.stop, second.stop)
    divisor = math.gcd(first.step, second.step)
    if high <= low or (first.start - second.start) % divisor:
        return range(0)
    step = first.step * second.step // divisor
    inverse = pow(first.step // divisor, -1, second.step // divisor) if second.step != divisor else 0
    start = first.start + (second.start - first.start) // divisor * inverse % (second.step // divisor) * first.step
    start += -((start - low) // step) * step
    made = range(start, high, step)
    return made[::-1] if a.step < 0 and b.step < 0 else made


def _range_rest(a: Any, b: Any) -> range | None:
    """The range that is the difference of two; None where it is not a range."""
    steps = a._range
    first = steps if steps.step > 0 else steps[::-1]
    shared = _range_shared(a, b)
    shared = shared if shared.step > 0 else shared[::-1]
    if not len(shared):
        return steps
    if len(shared) == len(steps):
        return steps[:0]
    if len(shared) == 1:
        if shared[0] in (steps[0], steps[-1]):
            return steps[1:] if shared[0] == steps[0] else steps[:-1]
        return steps[::2] if len(steps) == 3 and shared[0] == steps[1] else None
    if len(shared) == 2 and shared[0] == first[0] and shared[-1] == first[-1]:
        return steps[1:-1]
    made = None
    if shared.step == first.step:
        if shared[0] == first.start:
            made = range(shared[-1] + first.step, first.stop, first.step)
        elif shared[-1] == first[-1]:
            made = range(first.start, shared[0], first.step)
        elif shared == first[1:-1]:
            made = first[:: len(first) - 1]
    elif shared.step == first.step * 2 and shared[-1] in (first[-1], first[-2]):
        made = first[1::2] if shared[0] == first[0] else first[::2] if shared[0] == first[1] else None
    if made is None or first is steps:
        return made
    return made[::-1]


def joined_ranges(indexes: list) -> tuple[int, int, int] | None:
    """Start, step and count where ranges continue each other, as pandas joins them."""
    start, step, count = indexes[0]._own.as_range
    for i in indexes[1:]:
        s, t, n = i._own.as_range
        if count == 1:
            step = s - start
        if (n > 1 and t != step) or s != start + step * count or step == 0:
            return None
        count += n
    return start, step, count

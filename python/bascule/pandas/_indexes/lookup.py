"""Look-up of labels in an index: single labels, several, bounds of slices, membership."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from ...lib import sorting as ordered
from .. import _fallback
from .._columns.column import Column, ndarray
from .._columns.infer import column
from .._columns.where import is_missing_scalar
from .._fallback.native import NotNative, native
from .._labels import hashes
from .._questions import is_list_like
from .._theirs import pandas, seen
from .align import comparable, positions_in
from .arguments import INT64, arange, is_number, labels_given, own_column, with_listed_values
from .found import Finder
from .from_labels import targets
from .parts import rows_of_text
from .search import _numbers, insertion_points

_NOT_UNIQUE = "Reindexing only valid with uniquely valued Index objects"
_METHODS = {"ffill": "pad", "bfill": "backfill"}


def _exact(a: Any, b: Any) -> None:
    """NotNative where integers beyond the exact range of floats are compared with floats."""
    kinds = {c.dtype.kind for i in (a, b) for c in i._columns}
    if "f" in kinds and "u" in kinds:
        raise NotNative("unsigned integers with floats")


def wanted_in(index: Any, target: Any) -> tuple[Any, bool]:
    """The labels of a target as an index to look up, and whether any of them may exist.

    Raises
    ------
    NotNative
        When pandas has to decide which labels are equal.
    """
    wanted, _ = labels_given(target, index)
    if index._own is None or wanted._own is None or index.nlevels != wanted.nlevels:
        raise NotNative("labels of pandas extension dtypes, or of another number of levels")
    if comparable(index, wanted):
        _exact(index, wanted)
        return wanted, True
    kinds = {index._columns[0].family, wanted._columns[0].family}
    lacking = any(c.has_missing() for i in (index, wanted) for c in i._columns)
    if index.nlevels == 1 and len(kinds) == 2 and kinds <= {"text", "number", "bool"} and not lacking:
        return wanted, False
    raise NotNative("labels of two types")


class IndexLookup:
    """Methods that look labels up."""

    _of_dates = False  # whether the labels are timestamps
    _timedeltas: tuple[type, ...] = ()  # NumPy's class of labels that are durations
    _columns: list
    nlevels: int
    _where_is = Finder()

    # ---- one label
    def get_loc(self: Any, key: Any) -> Any:
        """Position of a label.

        Returns
        -------
        int, slice or bool array
            A slice where the label repeats in a sorted index, a mask in another.

        Raises
        ------
        KeyError
            The label does not exist.
        """
        found = self._where_is(key)
        if type(found) is int or type(found) is slice:
            return found
        if found is None:
            raise KeyError(pandas.Timedelta(key) if isinstance(key, self._timedeltas) else key)
        if found is not NotImplemented:
            return self._mask_of(found)
        try:
            return self._loc_of(key)
        except NotNative as why:
            return _fallback.call(self, "get_loc", (key,), {}, why.reason)

    def _loc_of(self: Any, key: Any) -> Any:
        """As `get_loc`, for a label that the table cannot look up without conversion."""
        c = own_column(self)
        if isinstance(key, slice) or not hashes(key):
            raise NotNative("unsupported labels")
        if is_missing_scalar(key) or (isinstance(key, (np.datetime64, np.timedelta64)) and np.isnat(key)):
            return self._loc_of_missing(c, key)
        if isinstance(key, np.float16) and float(key) in self:
            return self.get_loc(float(key))
        if c.times() is not None:
            return self._loc_of_time(key)
        raise KeyError(key)

    def _loc_of_time(self: Any, key: Any) -> Any:
        """As `get_loc` among times, for a label of another type that may mean one."""
        dates = self._of_dates
        if isinstance(key, np.timedelta64 if not dates else np.datetime64):  # of a unit that labels do not have
            try:
                return self.get_loc(pandas.Timestamp(key) if dates else pandas.Timedelta(key))
            except pandas.errors.OutOfBoundsDatetime:
                raise NotNative("a time beyond the labels' range") from None
            except KeyError as e:
                raise KeyError(key if dates else e.args[0]) from None
        number = isinstance(key, (int, float, complex, bytes, np.number, np.bool_)) and not isinstance(
            key, np.timedelta64
        )
        if number or (dates and type(key) is datetime.date):
            raise KeyError(key)
        if not isinstance(key, str):
            raise NotNative("labels of another type")
        try:
            said = pandas.Timestamp(key) if dates else pandas.Timedelta(key)
        except pandas.errors.OutOfBoundsDatetime:
            raise NotNative("a string that is a date beyond the labels' range") from None
        except ValueError:
            raise KeyError(key) from None
        if said is seen.NaT or (dates and not self.is_monotonic_increasing):
            raise NotNative("strings in place of datetimes, or missing labels")
        return rows_of_text(self, key) if dates else self.get_loc(said)

    def _loc_of_missing(self: Any, c: Column, key: Any) -> Any:
        """As `get_loc`, for a missing value, if it means a missing label in this index."""
        stands = c.means_missing(key)
        found = self._where_is.__self__.missing() if stands else None
        if found is None:
            raise KeyError(pandas.NaT if stands and self._timedeltas else key)
        return found if type(found) is int or type(found) is slice else self._mask_of(found)

    def _mask_of(self: Any, positions: ndarray) -> ndarray:
        mask = bc.zeros(len(self), dtype=bool)
        mask[positions] = True
        return mask

    def __contains__(self: Any, key: Any) -> bool:
        found = self._where_is(key)
        return self._contains(key) if found is NotImplemented else found is not None

    def _contains(self: Any, key: Any) -> bool:
        """Whether a label exists that the table cannot look up."""
        hash(key)
        if self._own is None:
            return self._asked("__contains__", key)
        if isinstance(key, (float, np.floating)) and key != key and self._columns[0].is_numeric:
            return False  # though get_loc takes it for NA
        try:
            self._loc_of(key)
        except KeyError:
            return False
        except NotNative:
            return self._asked("__contains__", key)
        return True

    def _label(self: Any, key: Any) -> list[Any]:
        """A label as columns of one row; KeyError for values that cannot be labels."""
        try:
            return [self._columns[0].sought_label(key).core]
        except (TypeError, ValueError, OverflowError):
            raise KeyError(key) from None

    def _find(self: Any, key: Any) -> ndarray:
        """Positions of a label, ascending; none when it does not exist."""
        found = self._where_is(key)
        if found is None:
            return _core.arange(0, 1, 0, INT64, self._device())
        if type(found) is int or type(found) is slice:
            first, last = (found, found + 1) if type(found) is int else (found.start, found.stop)
            return _core.arange(first, 1, last - first, INT64, self._device())
        if found is not NotImplemented:
            return found
        if self._own is None:
            wanted = pandas.Index([key], dtype=object, tupleize_cols=False) if isinstance(key, tuple) else [key]
            found = self._asked("get_indexer_for", wanted)
            return _core.from_numpy(found[found >= 0].astype(np.int64))
        return self._own.find(self._label(key))

    # ---- several
    @native(limit=None, tolerance=None)
    def get_indexer(self: Any, target: Any, method: Any = None, limit: Any = None, tolerance: Any = None) -> ndarray:
        """Position of each label of a target, -1 for missing ones.

        Parameters
        ----------
        target : array-like or Index
        method : {None, "pad", "ffill", "backfill", "bfill", "nearest"}
            Replacement for a label that does not exist: the one before it, or after it.
        limit, tolerance
            As pandas'.

        Returns
        -------
        int64 array

        Raises
        ------
        pandas.errors.InvalidIndexError
            Labels of this index repeat.
        """
        if method is not None and self.nlevels > 1:
            raise NotNative("method= of several levels")
        wanted, may_be = wanted_in(self, target)
        method = _METHODS.get(method, method) if isinstance(method, (str, type(None))) else "?"
        if method not in (None, "pad", "backfill"):
            raise NotNative("method= that is nearest, or wrong")
        if not self.is_unique:
            raise pandas.errors.InvalidIndexError(_NOT_UNIQUE)
        if may_be and all(c.dtype == d.dtype for c, d in zip(self._columns, wanted._columns)) and self.equals(wanted):
            return arange(len(self))
        if method is not None:
            return self._alongside(wanted, method)
        if not may_be or not len(wanted):
            return _core.full((len(wanted),), -1, INT64, wanted._device())
        found = positions_in(self, wanted)
        if found is None:
            raise NotNative("comparisons of labels that only pandas supports")
        return found

    def _alongside(self: Any, wanted: Any, method: str) -> ndarray:
        """For each wanted label the position of the last one not greater, or the first one not less."""
        if not self.is_monotonic_increasing:
            if self.is_monotonic_decreasing:
                raise NotNative("descending labels")
            raise ValueError("index must be monotonic increasing or decreasing")
        if wanted._columns[0].has_missing():
            raise NotNative("missing labels")
        if method == "pad":
            return insertion_points(wanted._columns[0], self._columns[0], "right") - 1
        found = insertion_points(wanted._columns[0], self._columns[0], "left")
        return bc.where(found == len(self), -1, found)

    @native
    def get_indexer_non_unique(self: Any, target: Any) -> tuple[ndarray, ndarray]:
        """All positions of each label of a target, -1 for missing ones; and the indices of the missing ones.

        Returns
        -------
        tuple of two int64 arrays
        """
        wanted, may_be = wanted_in(self, target)
        n = len(wanted)
        if not may_be or not n or not len(self):
            return _core.full((n,), -1, INT64), arange(n)
        if self.is_unique:
            found = positions_in(self, wanted)
            if found is None:
                raise NotNative("comparisons of labels that only pandas supports")
            return found, _core.nonzero(found < 0)[0]
        both, those = self, wanted
        if any(c.dtype != d.dtype for c, d in zip(self._columns, wanted._columns)):
            raise NotNative("labels of two types")

        rows, found = _joined(those, both)
        missing = rows[found < 0]
        return found, missing

    @native
    def get_indexer_for(self: Any, target: Any) -> ndarray:
        """All positions of each label of a target; see get_indexer_non_unique."""
        return self.get_indexer(target) if self.is_unique else self.get_indexer_non_unique(target)[0]

    @with_listed_values(Iterator)
    @native
    def isin(self: Any, values: Any, level: Any = None) -> ndarray:
        """Boolean array: which labels are among some values."""
        if level is not None:
            self._level_number(level)
        if own_column(self).is_masked:
            raise NotNative("labels that may be NA")
        if not is_list_like(values):
            raise TypeError(
                f"only list-like objects are allowed to be passed to isin(), you passed a `{type(values).__name__}`"
            )
        values = list(values) if isinstance(values, (set, frozenset)) else values
        if hasattr(values, "__len__") and not len(values):
            return bc.zeros(len(self), dtype=bool)
        return self.to_series().isin(values)._column.values

    @native
    def drop(self: Any, labels: Any, errors: str = "raise") -> Any:
        """The index without some labels.

        Raises
        ------
        KeyError
            Some labels do not exist, and errors is not "ignore".
        """
        own_column(self)
        given = [labels] if isinstance(labels, str) or np.isscalar(labels) else labels
        wanted, _ = wanted_in(self, given)
        found = self.get_indexer_for(wanted)
        lacking = _core.from_numpy(found) if isinstance(found, np.ndarray) else found
        lacking = lacking < 0
        if bool(lacking.any()):
            if errors != "ignore":
                raise KeyError(f"{wanted._filter(lacking).tolist()} not found in axis")
            found = found[~lacking]
        return self.delete(found)

    @native(level=None, limit=None, tolerance=None)
    def reindex(
        self: Any, target: Any, method: Any = None, level: Any = None, limit: Any = None, tolerance: Any = None
    ) -> tuple[Any, ndarray | None]:
        """A target as an index, and the positions of its labels here; None where they are the same."""
        own_column(self)
        wanted = wanted_in(self, targets(self, target))[0]
        if self.equals(wanted):
            found = None
        elif self.is_unique:
            found = self.get_indexer(wanted, method=method)
        else:
            raise ValueError("cannot reindex on an axis with duplicate labels")
        return wanted._view(), found

    # ---- sorted labels
    @native(side=("left", "right"), sorter=None)
    def searchsorted(self: Any, value: Any, side: str = "left", sorter: Any = None) -> Any:
        """Positions where values can be inserted so that the labels stay sorted."""
        c = own_column(self)
        one = np.isscalar(value) or isinstance(value, (datetime.datetime, datetime.timedelta))
        values = c.plain_values(why="labels")
        if one and c.times() is not None and not self._is_time(value):
            raise NotNative(f"labels of type {c.dtype}")
        if one and c.family == "number":
            if not is_number(value):
                raise NotNative(f"a value of type {type(value).__name__}")
            return ordered.searchsorted(values, value, side)
        made = self._label_column(value) if one else column(value)
        if made is None or made.family != c.family:
            raise NotNative("unsupported values")
        found = insertion_points(made, c, side)
        return _core.to_numpy(found)[0] if one else found

    def _is_time(self: Any, x: Any) -> bool:
        dates, lengths = (datetime.datetime, np.datetime64), (datetime.timedelta, np.timedelta64)
        return isinstance(x, dates if self._of_dates else lengths)

    def _label_column(self: Any, x: Any) -> Column:
        """One label as a column; NotNative for values that are not labels."""
        try:
            return Column(self._label(x)[0], self.dtype)
        except KeyError:
            raise NotNative("unsupported values") from None

    @native(side=("left", "right"))
    def get_slice_bound(self: Any, label: Any, side: str) -> Any:
        """The position where a slice begins (side "left") or ends ("right") at a label."""
        here = self._where_is(label) if self.nlevels == 1 else None
        if type(here) is int:
            return here + (side == "right")
        c = own_column(self)
        times, number = c.times() is not None, c.family == "number"
        fits = self._is_time(label) if times else is_number(label) and label == label if number else isinstance(label, str)  # fmt: skip
        if not c.has_ranks or not fits or c.has_missing():
            raise NotNative("an unsupported bound, or missing labels")
        if self.is_monotonic_increasing:
            if number:
                first, last = (ordered.searchsorted(c.values, label, s) for s in ("left", "right"))
            else:
                here = self._label_column(label).core
                first, last = self._own.between(here, here)
            at = last if side == "right" else first
            return int(at) if last > first else np.int64(at)
        found = self.get_loc(label) if not self.is_monotonic_decreasing else None
        if not isinstance(found, int):
            raise NotNative("duplicate or descending labels")
        return found + (side == "right")

    @native
    def slice_locs(self: Any, start: Any = None, end: Any = None, step: Any = None) -> tuple[int, int]:
        """The positions where a slice between two labels begins and ends."""
        forward = step is None or step >= 0
        start, end = (start, end) if forward else (end, start)
        if _zone(start) is not _zone(end) and start is not None and end is not None:
            return _fallback.call(self, "slice_locs", (start, end, step), {}, "times of two zones")
        first = 0 if start is None else self.get_slice_bound(start, "left")
        last = len(self) if end is None else self.get_slice_bound(end, "right")
        if forward:
            return first, last
        n = len(self)
        last, first = first - 1, last - 1
        return (first - n if first == -1 else first), (last - n if last == -1 else last)

    @native
    def slice_indexer(self: Any, start: Any = None, end: Any = None, step: Any = None) -> slice:
        """The slice of positions between two labels."""
        return slice(*self.slice_locs(start, end, step), step)

    @native
    def asof(self: Any, label: Any) -> Any:
        """The last label not greater than a given one; missing where there is none."""
        c = own_column(self)
        c.plain_values("iuf" if is_number(label) else "", "labels that are not ascending numbers")
        if not self.is_monotonic_increasing or c.has_missing() or label != label:
            raise NotNative("labels that are not ascending numbers")
        if not self.is_unique and label not in self:
            raise NotNative("duplicate labels")
        at = int(ordered.searchsorted(_numbers(c), label, "right"))
        return self[at - 1] if at else np.nan


def _zone(x: Any) -> Any:
    return getattr(x, "tzinfo", None) if isinstance(x, datetime.datetime) else None


def _joined(left: Any, right: Any) -> tuple[ndarray, ndarray]:
    """For each row of one index all rows of another with its labels, in order: rows there and -1 where none."""
    return _core.join_columns([c.core for c in left._columns], [c.core for c in right._columns], "left", False)

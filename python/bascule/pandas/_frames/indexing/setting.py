"""Assignment to rows of columns by labels or positions; the columns keep their types."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from .... import _core
from ... import _classes, _fallback
from ..._base import Rows
from ..._columns.any_kind import AnyKind
from ..._columns.column import AnyColumn, Column, ndarray
from ..._columns.infer import column
from ..._columns.where import is_missing_scalar
from ..._columns.written import put
from ..._datetimes.parsing import iso_dates
from ..._datetimes.zones import at_wall_times
from ..._fallback.native import NotNative
from ..._indexes.align import positions_in
from ..._questions import is_dict_like, is_list_like
from ..._theirs import pandas, seen

_BOOL = np.dtype(bool)


class Target:
    """Rows to write to.

    Attributes
    ----------
    at : bool array or int64 array
        A mask, or positions counted from the front.
    count : int
        Number of rows.
    one : bool
        Whether the key was the label or position of a single row.
    whole : bool
        Whether all rows of a frame are written to.
    """

    def __init__(self, at: ndarray, one: bool = False, whole: bool = False):
        self.at, self.one, self.whole = at, one, whole

    @cached_property
    def count(self) -> int:
        return int(self.at.sum()) if self.at.dtype == _BOOL else len(self.at)

    @cached_property
    def positions(self) -> ndarray:
        """The positions."""
        return _core.nonzero(self.at)[0] if self.at.dtype == _BOOL else self.at


def target(key: Any, found: Any, n: int) -> Target:
    """The rows of a position, or of a function that selects rows."""
    if isinstance(found, int):
        return Target(_core.from_numpy(np.array([found], dtype=np.int64)), True)
    return Target(found(RowNumbers(n)))


class RowNumbers:
    """Row numbers, from which rows are selected as from a frame."""

    def __init__(self, n: int):
        self.n = n

    def _slice_rows(self, key: slice) -> ndarray:
        return _core.arange(0, 1, self.n, np.dtype(np.int64), None)[key]

    def _take_rows(self, at: ndarray) -> ndarray:
        return at

    def _filter_rows(self, mask: ndarray) -> ndarray:
        return mask


def leaves_types(indexer: Any, key: Any, rows: Any, at: Target) -> bool:
    """Whether pandas keeps the type when a missing value is written to no row, which depends on the form of the empty key."""
    if indexer.owner.ndim == 1:
        return False
    if indexer.name == "iloc":
        return not isinstance(rows, list) and at.at.dtype != _BOOL
    return not isinstance(rows, slice) and (at.at.dtype != _BOOL or not isinstance(key, tuple))


def leaves_all(value: Any, at: Target) -> bool:
    """Whether a value is missing and is written to no row."""
    return is_missing_scalar(value) and value is not seen.NaT and at.count == 0


# ---- one value of a row or cell that stays of its type


def position(key: Any, n: int) -> int | None:
    """The row position of an integer within bounds; None for other keys."""
    return key if type(key) is int and 0 <= key < n else key + n if type(key) is int and -n <= key < 0 else None


def cell_by_position(owner: Any, row: Any, column: Any) -> tuple[int, int] | None:
    """Row and column of two integers within bounds; None for other keys."""
    i, j = position(row, len(owner)), position(column, len(owner._columns))
    return None if i is None or j is None else (i, j)


def cell_by_label(owner: Any, row: Any, column: Any) -> tuple[int, int] | None:
    """Row and column of two labels that exist once each; None for other keys."""
    if type(column) is not str and type(column) is not int:
        return None
    i = owner._index._where_is(row)
    if type(i) is not int:
        return None
    try:
        j = owner._names.get_loc(column)
    except KeyError:
        return None
    return (i, j) if type(j) is int else None


def _put_cell(owner: Any, i: int, j: int, value: Any) -> bool:
    columns = owner._columns
    made = put(columns[j], i, value)
    if made is None:
        return False
    if made is not columns[j]:
        owner.__dict__["_columns"] = [*columns[:j], made, *columns[j + 1 :]]
    return True


def put_one(owner: Any, by_label: bool, key: Any, value: Any) -> bool:
    """Try to write a number into one row or cell, which must not change the type; whether it was written."""
    if owner.ndim == 2:
        if type(key) is not tuple or len(key) != 2 or type(key[0]) is bool or (by_label and owner._index.nlevels > 1):
            return False
        cell = cell_by_label(owner, *key) if by_label else cell_by_position(owner, *key)
        return cell is not None and _put_cell(owner, *cell, value)
    if type(key) is bool:
        return False
    row = owner._index._where_is(key) if by_label else position(key, len(owner))
    made = put(owner._column, row, value) if type(row) is int else None
    if made is None:
        return False
    owner._column = made
    owner._pass_on()
    return True


# ---- values of rows


def _readable(c: AnyColumn, given: AnyColumn) -> AnyColumn:
    """A column to write into another, with strings read as timestamps where that has times: as wall times of its zone."""
    if c.times() is None:
        return given

    def read(strings: Column) -> AnyColumn:
        found = iso_dates(strings)
        if found is None:
            raise NotNative("strings in place of datetimes")
        zone = getattr(c.dtype, "tz", None)
        return found if zone is None else at_wall_times(c.utc().in_type(found).values, zone)

    return given.uncategorized().read(read)


def written(c: AnyColumn, rows: Target, x: Any) -> AnyColumn:
    """A column with some rows set to a value, or to those of a column of as many rows.

    Raises
    ------
    NotNative
        When the type would have to change, or pandas has to decide.
    """
    if isinstance(x, _Listed):
        x = x.values
        if not c.converts_lists and x.dtype != c.dtype:
            raise NotNative("a list of numbers of another type")
    if isinstance(x, AnyKind):
        return c.put_rows(rows, _readable(c, x))
    if (x is None and rows.whole) or is_list_like(x):
        raise NotNative("None in all rows, or lists in one")
    return c.put(rows, x)


# ---- values as they are given


def by_labels(value: Any) -> Any:
    """Labelled values as bascule's objects: dicts become series, pandas' objects are converted, other values unchanged."""
    if isinstance(value, (pandas.DataFrame, pandas.Series, pandas.Index)):
        return _fallback.from_pandas(value)
    return _classes.Series(dict(value)) if is_dict_like(value) and not isinstance(value, Rows) else value


def _of_rows(value: Any, rows: Target, index: Any, labelled: bool) -> AnyColumn:
    """Labelled values in the order of the rows."""
    if not labelled or value._index is index or value._index.equals(index):
        if len(value) == len(index) and labelled:
            return (
                value._column
                if rows.count == len(index) and rows.at.dtype == _BOOL
                else value._column.take(rows.positions)
            )
        if len(value) == rows.count:
            return value._column
        raise NotNative("values of another length")
    if not value._index.is_unique:
        raise NotNative("duplicate labels")
    at = positions_in(value._index, index._take(rows.positions))
    if at is None:
        raise NotNative("comparisons of labels that only pandas supports")
    return value._column.take(at, True)


class _Listed:
    """A column made of a list: integers take the column's type and no other."""

    def __init__(self, values: AnyColumn):
        self.values = values


def _listed(value: Any, rows: Target, chosen: Any) -> list[Any]:
    """One-dimensional values: one for each row of a column, or one for each column."""
    given = column(value)
    if given is None or (isinstance(value, (list, tuple)) and not given.takes_none and any(x is None for x in value)):
        raise NotNative("unsupported values")
    width = 1 if isinstance(chosen, int) else len(chosen)
    if not rows.one and width == 1 and len(given) == rows.count:
        return [_Listed(given)] if isinstance(value, (list, tuple)) else [given]
    if (rows.one or width > 1) and not isinstance(chosen, int) and len(given) == width:
        return list(value) if isinstance(value, (list, tuple)) else [given.item(i) for i in range(width)]
    raise NotNative("values of another length")


def values_for(value: Any, rows: Target, chosen: Any, index: Any, labelled: bool) -> list[Any]:
    """For each column to write to, a scalar or a column with one value for each row to write.

    Parameters
    ----------
    value : scalar or array-like
    rows : Target
    chosen : int or list of int
        Positions of the columns.
    index : Index
        The labels of all rows.
    labelled : bool
        Whether labelled values are aligned to the rows.

    Raises
    ------
    NotNative
        When pandas has to decide.
    """
    width = 1 if isinstance(chosen, int) else len(chosen)
    if isinstance(value, (pandas.DataFrame, pandas.Series, pandas.Index)):
        value = _fallback.from_pandas(value)
    if isinstance(value, Rows):
        if value.ndim != 1 or width != 1 or rows.one:
            raise NotNative("labelled values in several columns")
        return [_of_rows(value, rows, index, labelled)]
    if not is_list_like(value):
        return [value] * width
    if getattr(value, "nlevels", 1) > 1 or isinstance(value, (set, frozenset)) or is_dict_like(value):
        raise NotNative("unsupported values")
    if getattr(value, "ndim", 1) == 2 and type(value) in (np.ndarray, ndarray) and value.shape == (rows.count, width):
        if rows.one or (type(value) is np.ndarray and not np.can_cast(value.dtype, np.float64, "same_kind")):
            raise NotNative("unsupported values")
        there = value if type(value) is ndarray else _core.from_numpy(value)
        return [column(there[:, i]) for i in range(width)]
    return _listed(value, rows, chosen)

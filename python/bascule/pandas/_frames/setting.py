"""Assignment to rows of columns by labels or positions; the columns keep their types."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import pandas
from pandas.api.types import is_dict_like, is_list_like

from ... import _core
from ..._array.ufuncs import rows as functions
from .. import _classes, _fallback
from .._base import Rows
from .._columns.by_numbers import moment, values_of_categories
from .._columns.column import AnyColumn, Column, Core, HostColumn, ndarray
from .._columns.infer import column
from .._columns.numbered import categories, codes_of, in_zone, is_categories, is_zoned, moments
from .._columns.operators import _one_row
from .._columns.time_limits import cast
from .._columns.where import codes_among, fitting, is_missing_scalar, positions, refuse_missing
from .._columns.written import put
from .._datetimes.calendar import iso_dates
from .._datetimes.zones import at_wall_times
from .._fallback.native import NotNative
from .._indexes.align import positions_in

_select = functions["where"]["ufunc"]
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
    def places(self) -> ndarray:
        """The positions."""
        return _core.nonzero(self.at)[0] if self.at.dtype == _BOOL else self.at


def target(key: Any, found: Any, n: int) -> Target:
    """The rows of a position, or of a function that selects rows."""
    if isinstance(found, int):
        return Target(_core.from_numpy(np.array([found], dtype=np.int64)), True)
    return Target(found(Numbered(n)))


class Numbered:
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
    return is_missing_scalar(value) and value is not pandas.NaT and at.count == 0


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


# ---- one value


def _value(c: Column, x: Any) -> Any:
    """A scalar as a value of the column's type; a string may stand for a timestamp."""
    if isinstance(x, str) and not c.is_text and c.values.dtype.kind in "mM":
        try:
            x = pandas.Timestamp(x) if c.values.dtype.kind == "M" else pandas.Timedelta(x)
        except ValueError:
            raise NotNative("strings in place of datetimes") from None
    return fitting(c, x)


def _with_missing(c: Column, rows: Target) -> Column:
    """A column with missing rows."""
    if c.is_text:
        at = positions(len(c), c.device)
        at[rows.at] = -1
        return Column(c.core.take(at, True), c.dtype)
    if c.is_masked:
        valid = _core.full((len(c),), True, _BOOL) if c.core.valid is None else c.core.valid.copy()
        valid[rows.at] = False
        return Column(Core.plain(c.values, valid), c.dtype)
    kind = "f" if c.dtype == np.int64 else c.dtype.kind
    values = c.values.astype(np.float64) if c.dtype == np.int64 else c.values
    if kind not in "fmM":
        raise NotNative(f"missing values in a column of type {c.dtype}")
    nothing = np.array("NaT", dtype=c.dtype)[()] if kind in "mM" else values.dtype.type(np.nan)
    return _plain(values, rows, nothing, values.dtype)


def _plain(values: ndarray, rows: Target, x: Any, dtype: Any) -> Column:
    """A column of the values, with one value set in rows."""
    if rows.at.dtype == _BOOL:
        return Column(Core.plain(_select(rows.at, x, values)), dtype)
    made = values.copy()
    made[rows.at] = x
    return Column(Core.plain(made), dtype)


def _with_scalar(c: Column, rows: Target, x: Any) -> Column:
    if is_missing_scalar(x):
        refuse_missing(c, x)
        return _with_missing(c, rows)
    value = _value(c, x)
    if c.is_text:
        both = _core.concat_columns([c.core, _one_row(value, c.dtype, c.device).core])
        at = positions(len(c), c.device)
        at[rows.at] = len(c)
        return Column(both.take(at, False), c.dtype)
    made = _plain(c.values, rows, value, c.dtype)
    if c.core.valid is None:
        return made
    valid = c.core.valid.copy()
    valid[rows.at] = True
    return Column(Core.plain(made.values, valid), c.dtype)


# ---- as many values as rows


def _in_type(v: AnyColumn, c: Column) -> Column:
    """Values in the type of a column that can represent all of them; NotNative where it cannot."""
    if isinstance(v, HostColumn) and isinstance(v.dtype, pandas.CategoricalDtype):
        v = values_of_categories(v)
    if isinstance(v, HostColumn):
        raise NotNative(f"values of type {v.dtype}")
    if v.dtype == c.dtype:
        return v
    if isinstance(c.dtype, np.dtype) and c.dtype.kind == "M":
        return _as_times(v, c.dtype)
    if v.is_text and c.is_text:
        return Column(v.core, c.dtype)
    a, b = v.dtype, c.dtype
    if v.is_text or c.is_text or v.is_masked or c.is_masked or a.kind not in "iuf" or b.kind not in "iuf":
        raise NotNative(f"values of type {a} in a column of type {b}")
    if b.kind in "iu" and len(v):
        if v.has_missing():
            raise NotNative("missing values among whole numbers")
        limits = np.iinfo(b)
        if float(v.values.min()) < float(limits.min) or float(v.values.max()) >= float(limits.max):
            raise NotNative("numbers beyond the type of the column")
    made = v.values.astype(b)
    if bool(((made.astype(a) != v.values) & ~v.missing()).any()):
        raise NotNative(f"values of type {a} in a column of type {b}")
    return Column(Core.plain(made), b)


def _as_times(v: Column, dtype: np.dtype) -> Column:
    """Timestamps, or strings that contain them, in a unit that represents them exactly."""
    if v.is_text:
        found = iso_dates(v)
        if found is None:
            raise NotNative("strings in place of datetimes")
        v = found
    if not isinstance(v.dtype, np.dtype) or v.dtype.kind != "M":
        raise NotNative(f"values of type {v.dtype} in a column of type {dtype}")
    made = cast(v.values, dtype)
    if bool(((cast(made, v.dtype) != v.values) & ~v.missing()).any()):
        raise NotNative("datetimes outside the range of the column's unit")
    return Column(Core.plain(made), dtype)


def _in_zone(c: HostColumn, rows: Target, x: Any) -> HostColumn:
    """Timezone-aware timestamps with some rows set to a scalar or a column; strings are read as wall times."""
    zone, base = c.dtype.tz, moments(c)
    if isinstance(x, HostColumn) and isinstance(x.dtype, pandas.CategoricalDtype):
        x = values_of_categories(x)
    if is_zoned(x):
        x = moments(x)
    elif isinstance(x, Column) and x.is_text:
        x = moments(at_wall_times(_as_times(x, base.dtype).values, zone))
    elif isinstance(x, (Column, HostColumn)):
        raise NotNative(f"values of type {x.dtype} in a column of type {c.dtype}")
    elif not is_missing_scalar(x):
        x = moment(x, zone)
    return in_zone(written(base, rows, x).values, zone)  # type: ignore[union-attr]


def _with_column(c: Column, rows: Target, given: AnyColumn) -> Column:
    v = _in_type(given, c)
    places = rows.places
    if c.is_text:
        at = positions(len(c), c.device)
        at[places] = positions(len(v), c.device) + len(c)
        return Column(_core.concat_columns([c.core, v.core]).take(at, False), c.dtype)
    values = c.values.copy()
    values[places] = v.values
    if not c.is_masked or (c.core.valid is None and v.core.valid is None):
        return Column(Core.plain(values, c.core.valid), c.dtype)
    every = _core.full((len(c),), True, _BOOL)
    valid = every if c.core.valid is None else c.core.valid.copy()
    valid[places] = v.core.valid if v.core.valid is not None else every[: len(v)]
    return Column(Core.plain(values, valid), c.dtype)


def _in_categories(c: HostColumn, rows: Target, x: Any) -> HostColumn:
    """Categories with some rows set to one of them, or to those of a column of the same set."""
    given = codes_among(c.dtype, x)
    codes = codes_of(c).copy()
    codes[rows.places if is_categories(x) else rows.at] = given
    return categories(codes, c.dtype)


def _of_objects(c: HostColumn, rows: Target, x: Any) -> HostColumn:
    """Objects with some rows set to any values."""
    if c.dtype != object or isinstance(x, Column) or (isinstance(x, HostColumn) and x.dtype != object):
        raise NotNative(f"values of type {c.dtype}")
    made = c.array.copy()
    made[_core.to_numpy(rows.at)] = x.array if isinstance(x, HostColumn) else x
    return HostColumn(made)


def written(c: AnyColumn, rows: Target, x: Any) -> AnyColumn:
    """A column with some rows set to a value, or to those of a column of as many rows.

    Raises
    ------
    NotNative
        When the type would have to change, or pandas has to decide.
    """
    if isinstance(x, _Listed):
        x = x.values
        if isinstance(c.dtype, np.dtype) and c.dtype.kind in "iu" and x.dtype != c.dtype:
            raise NotNative("a list of numbers of another type")
    if (x is None and rows.whole) or (is_list_like(x) and not isinstance(x, (Column, HostColumn))):
        raise NotNative("None in all rows, or lists in one")
    if is_zoned(c):
        return _in_zone(c, rows, x)  # type: ignore[arg-type]
    if is_categories(c):
        return _in_categories(c, rows, x)  # type: ignore[arg-type]
    if isinstance(c, HostColumn):
        return _of_objects(c, rows, x)
    return _with_column(c, rows, x) if isinstance(x, (Column, HostColumn)) else _with_scalar(c, rows, x)


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
                else value._column.take(rows.places)
            )
        if len(value) == rows.count:
            return value._column
        raise NotNative("values of another length")
    if not value._index.is_unique:
        raise NotNative("duplicate labels")
    at = positions_in(value._index, index._take(rows.places))
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
    if given is None or (isinstance(value, (list, tuple)) and not given.is_text and any(x is None for x in value)):
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
        there = value if type(value) is ndarray else _core.from_numpy(value) if value.dtype.kind in "biuf" else None
        if there is None or rows.one:
            raise NotNative("unsupported values")
        return [column(there[:, i]) for i in range(width)]
    return _listed(value, rows, chosen)

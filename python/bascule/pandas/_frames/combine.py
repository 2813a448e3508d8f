"""Combination of two objects (combine_first, update, dot, corrwith), and interpolation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
from pandas.api.types import pandas_dtype

import bascule as bc

from ... import _core
from .. import _classes
from .._base import Rows
from .._columns.column import AnyColumn, Column, ndarray, plain
from .._columns.column import concat as concat_columns
from .._columns.infer import from_values
from .._columns.where import choose
from .._fallback.native import NotNative, native
from .._indexes.align import align, positions_in
from .._reshape.shapes import row_labels

_FLOAT64, _INT64 = np.dtype(np.float64), np.dtype(np.int64)


def _joined(left: Any, right: Any) -> tuple[Any, ndarray, ndarray]:
    """The union of the labels, and the position of each of them on either side, -1 for missing labels."""
    if (
        not left.is_unique
        or not right.is_unique
        or left._own is None
        or right._own is None
        or left.dtype != right.dtype
    ):
        raise NotNative("duplicate labels, or labels of several types")
    index, l, r = align(left, right)
    if getattr(index, "_freq", index) is None:  # in a union where one index contains the other
        index._at(next((i._freq for i in (left, right) if len(i) == len(index)), None))
    here = _core.from_numpy(np.arange(len(left), dtype=np.int64))
    return index, here if l is None else l, here if r is None else r


def _first_of(a: AnyColumn, b: AnyColumn, l: ndarray, r: ndarray) -> AnyColumn:
    """The values of one column, and those of another where they are missing."""
    if not isinstance(a, Column) or not isinstance(b, Column):
        raise NotNative("values of a pandas extension dtype")
    if a.dtype != b.dtype and not {a.dtype, b.dtype} <= {_FLOAT64, _INT64}:
        raise NotNative("values of two types")
    both = concat_columns([a, b])
    at = bc.where(l >= 0, l, np.int64(0))
    there = (l >= 0) & ~_core.take(a.missing(), at, 0) if len(a) else l >= 0
    return both.take(bc.where(there, l, bc.where(r >= 0, r + np.int64(len(a)), l)))


def _updated(c: AnyColumn, other: AnyColumn, at: ndarray) -> AnyColumn:
    """A column whose values are replaced by another's where these are not missing."""
    if not isinstance(c, Column) or not isinstance(other, Column) or c.dtype != other.dtype:
        raise NotNative("values of two types, or of a pandas extension dtype")
    if not len(other):
        return c
    there = other.take(bc.where(at >= 0, at, np.int64(0)))
    return choose(~((at >= 0) & ~there.missing()), c, there)


def _within(index: Any, other: Any) -> ndarray:
    at = positions_in(other, index) if index.dtype == other.dtype else None
    if at is None:
        raise NotNative("labels of several types")
    return at


def _numbers(c: AnyColumn) -> ndarray:
    if not isinstance(c, Column) or c.is_text or c.is_masked or c.dtype.kind not in "iuf":
        raise NotNative(f"values of type {c.dtype}")
    return c.values


def _between(c: AnyColumn, x: np.ndarray, direction: str) -> AnyColumn:
    """A column whose missing values are interpolated linearly between their neighbours."""
    if not isinstance(c, Column) or c.is_text or c.is_masked:
        raise NotNative(f"values of type {c.dtype}")
    if c.dtype.kind in "iub":
        return c
    if c.dtype != _FLOAT64:
        raise NotNative(f"values of type {c.dtype}")
    if c.device.startswith("cuda"):
        raise NotNative("interpolation on a GPU")
    missing = _core.to_numpy(c.missing())
    if not missing.any() or missing.all():
        return c
    known = np.flatnonzero(~missing)
    holes = np.flatnonzero(missing)
    if direction == "forward":
        holes = holes[holes > known[0]]
    elif direction == "backward":
        holes = holes[holes < known[-1]]
    if not len(holes):
        return c
    at, order = x[known], np.argsort(x[known])
    values = _core.to_numpy(c.values)[known]
    found = bc.interp(_core.from_numpy(x[holes]), _core.from_numpy(at[order]), _core.from_numpy(values[order]))
    out = c.values.copy()
    out[_core.from_numpy(holes)] = found
    return plain(out)


class Between(Rows):
    """Interpolation, for frames and series."""

    @native
    def interpolate(
        self, method: str = "linear", *, axis: Any = 0, limit: Any = None, inplace: bool = False, limit_direction: Any = None, limit_area: Any = None, **kwargs: Any
    ) -> Any:  # fmt: skip
        """Fill missing values by linear interpolation.

        Parameters
        ----------
        method : {"linear", "index", "values"}
            Rows are evenly spaced, or at the distances of their labels; other methods run in pandas.
        axis, limit, inplace, limit_direction, limit_area, **kwargs
            As pandas'.
        """
        if method not in ("linear", "index", "values") or kwargs or limit is not None or limit_area is not None:
            raise NotNative("a method other than linear, or limits")
        if axis not in (0, "index") or inplace or limit_direction not in (None, "forward", "backward", "both"):
            raise NotNative("axis= or inplace=")
        if method == "linear":
            x = np.arange(len(self), dtype=np.float64)
        else:
            labels = self._index._columns[0]
            if self._index.nlevels > 1 or labels.has_missing():
                raise NotNative("labels of several levels, or missing ones")
            x = _core.to_numpy(_numbers(labels)).astype(np.float64)
        return self._map_columns(lambda c: _between(c, x, limit_direction or "forward"), self._index)


class SeriesCombining(Between):
    """Combination of series."""

    def autocorr(self, lag: int = 1) -> float:
        """Correlation of the series with itself, some rows earlier."""
        return self.corr(self.shift(lag))

    @native
    def combine_first(self, other: Any) -> Any:
        """The values, and where they are missing those of another series."""
        if not isinstance(other, _classes.Series) or not len(self) or not len(other):
            raise NotNative("operands that are not two non-empty series")
        index, l, r = _joined(self._index, other._index)
        return self._with([_first_of(self._column, other._column, l, r)], index)

    @native
    def update(self, other: Any) -> None:
        """Replace values by those of another series, where these are not missing."""
        if not isinstance(other, _classes.Series) or not other._index.is_unique:
            raise NotNative("values without labels, or duplicate labels")
        made = _updated(self._column, other._column, _within(self._index, other._index))
        self._become(self._with([made], self._index))

    @native
    def dot(self, other: Any) -> Any:
        """The dot product with another series, aligned by labels."""
        if not isinstance(other, _classes.Series) or not self._index.equals(other._index):
            raise NotNative("operands that are not two series with the same labels")
        return _core.to_numpy(_numbers(self._column) @ _numbers(other._column))[()]


def _first_or_own(own: Any, other: Any, l: Any, r: Any) -> Any:
    """`_first_of`, except that a column keeps its type where the other one has no values."""
    if other.has_missing() and bool(other.take(r, True).missing().all()):
        kept = own.take(l, True)
        if kept.dtype == own.dtype:
            return kept
    return _first_of(own, other, l, r)


class FrameCombining(Between):
    """Combination of frames."""

    @native
    def combine_first(self, other: Any) -> Any:
        """The values, and where they are missing those of another frame."""
        frames = isinstance(other, _classes.DataFrame) and 0 not in self.shape and 0 not in other.shape
        if not frames or not self._names.is_unique or not other._names.is_unique:
            raise NotNative("operands that are not two non-empty frames")
        names = self._names.union(other._names, sort=False)
        index, l, r = _joined(self._index, other._index)
        columns = []
        for n in names:
            if n in self._names and n in other._names:
                columns.append(
                    _first_or_own(self._columns[self._position(n)], other._columns[other._position(n)], l, r)
                )
            else:
                x, at = (self, l) if n in self._names else (other, r)
                columns.append(x._columns[x._position(n)].take(at, True))
        return self._new(columns, names, index)

    @native
    def update(
        self, other: Any, join: str = "left", overwrite: bool = True, filter_func: Any = None, errors: str = "ignore"
    ) -> None:
        """Replace values by those of another frame, where these are not missing."""
        if join != "left":
            raise NotImplementedError("Only left join is supported")  # pandas does not have it either
        if errors not in ("ignore", "raise"):
            raise ValueError("The parameter errors must be either 'ignore' or 'raise'")
        if not isinstance(other, _classes.DataFrame) or not overwrite or filter_func is not None or errors == "raise":
            raise NotNative("an argument that is not a frame, or options")
        if not other._index.is_unique:
            raise ValueError("Update not allowed with duplicate indexes on other.")
        if not self._index.is_unique or not self._names.is_unique or not other._names.is_unique:
            raise NotNative("duplicate labels")
        at = _within(self._index, other._index)
        columns = [
            _updated(c, other._columns[other._position(n)], at) if n in other._names else c
            for n, c in zip(self._names, self._columns)
        ]
        self._become(self._with(columns, self._index))

    @native
    def dot(self, other: Any) -> Any:
        """The matrix product with another frame, a series or an array, by label."""
        left = self._matrix()
        if isinstance(other, (np.ndarray, ndarray)):
            if left.shape[1] != other.shape[0]:
                raise ValueError(f"Dot product shape mismatch, {left.shape} vs {other.shape}")
            raise NotNative("an array")
        if not isinstance(other, (_classes.DataFrame, _classes.Series)) or not self._names.is_unique:
            raise NotNative("operands that are not frames or series")
        there = row_labels(self._names)
        if not there.equals(other._index):
            raise NotNative("labels in another order")
        if other.ndim == 1:
            return _classes.Series._new(plain(left @ _numbers(other._column)), self._index)
        made = left @ other._matrix()
        return self._new([plain(made[:, i].copy()) for i in range(made.shape[1])], other._names, self._index)

    def _matrix(self) -> ndarray:
        if 0 in self.shape:
            raise NotNative("no rows or columns")
        for c in self._columns:
            _numbers(c)
        return self.values

    @native
    def corrwith(
        self, other: Any, axis: Any = 0, drop: bool = False, method: Any = "pearson", numeric_only: bool = False, min_periods: Any = None
    ) -> Any:  # fmt: skip
        """Correlation of each column with a series, or with the column of that label of another frame."""
        if (
            axis not in (0, "index")
            or method != "pearson"
            or min_periods is not None
            or numeric_only
            or 0 in self.shape
        ):
            raise NotNative("options of corrwith")
        if isinstance(other, _classes.Series):
            found = [other.corr(self._series(i)) for i in range(len(self._columns))]
        elif isinstance(other, _classes.DataFrame) and self._names.equals(other._names) and self._names.is_unique:
            if not self._index.equals(other._index):
                raise NotNative("frames of several labels")
            found = [self._series(i).corr(other._series(i)) for i in range(len(self._columns))]
        else:
            raise NotNative("frames of several labels")
        return _classes.Series._new(from_values(np.array(found, dtype=np.float64)), row_labels(self._names))


def converted_to_na(c: AnyColumn) -> AnyColumn:
    """A column in the type that has NA for missing values."""
    if not isinstance(c, Column):
        raise NotNative(f"values of type {c.dtype}")
    if c.is_masked or (not c.is_text and c.dtype.kind in "mM"):
        return c
    if c.is_text:
        return Column(c.core, pandas.StringDtype())
    kind = c.dtype.kind
    if kind != "f":
        return Column(c.core, pandas.BooleanDtype() if kind == "b" else pandas_dtype(_NULLABLE[c.dtype.name]))
    if c.device.startswith("cuda"):
        raise NotNative("floats that may be whole numbers")
    missing = c.missing()
    known = _core.to_numpy(c.values)[~_core.to_numpy(missing)]
    valid = ~missing if c.has_missing() else None
    whole = np.isfinite(known).all() and (known == np.floor(known)).all() and (np.abs(known) < 2**53).all()
    values = bc.where(missing, c.dtype.type(1), c.values) if valid is not None else c.values
    if whole:
        return Column(_core.Column.plain(values.astype(_INT64), valid), pandas.Int64Dtype())
    return Column(_core.Column.plain(values, valid), pandas_dtype(_NULLABLE[c.dtype.name]))


_NULLABLE = {
    **{f"int{b}": f"Int{b}" for b in (8, 16, 32, 64)}, **{f"uint{b}": f"UInt{b}" for b in (8, 16, 32, 64)},
    **{f"float{b}": f"Float{b}" for b in (32, 64)},
}  # fmt: skip


class Converting(Rows):
    """Conversion to types with NA, for frames and series."""

    @native
    def convert_dtypes(self, *args: Any, **kwargs: Any) -> Any:
        """Convert to the types that have NA for missing values."""
        if args or kwargs:
            raise NotNative("options of convert_dtypes")
        return self._map_columns(converted_to_na, self._index)

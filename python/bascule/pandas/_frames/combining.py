"""Two objects in one: merge, join, combine_first, update, compare, assign."""

from __future__ import annotations

from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .. import _classes
from .._base import Rows
from .._columns.column import AnyColumn, ndarray
from .._columns.concatenation import concat as concat_columns
from .._columns.where import choose
from .._fallback.native import NotNative, native
from .._indexes.align import align, positions_in
from .._labels import in_order_of_appearance
from .._pipe import apply_if_callable
from .._reshape.merge import merge
from .._theirs import UNSET, pandas, unset

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
    a, b = (c.own("values of a pandas extension dtype") for c in (a, b))
    if a.dtype != b.dtype and not {a.dtype, b.dtype} <= {_FLOAT64, _INT64}:
        raise NotNative("values of two types")
    both = concat_columns([a, b])
    at = bc.where(l >= 0, l, np.int64(0))
    there = (l >= 0) & ~_core.take(a.missing(), at, 0) if len(a) else l >= 0
    return both.take(bc.where(there, l, bc.where(r >= 0, r + np.int64(len(a)), l)))


def _updated(c: AnyColumn, other: AnyColumn, at: ndarray) -> AnyColumn:
    """A column whose values are replaced by another's where these are not missing."""
    if c.dtype != other.dtype:
        raise NotNative("values of two types")
    c.own("values of a pandas extension dtype")
    if not len(other):
        return c
    there = other.take(bc.where(at >= 0, at, np.int64(0)))
    return choose(~((at >= 0) & ~there.missing()), c, there)


def _within(index: Any, other: Any) -> ndarray:
    at = positions_in(other, index) if index.dtype == other.dtype else None
    if at is None:
        raise NotNative("labels of several types")
    return at


def _first_or_own(own: Any, other: Any, l: Any, r: Any) -> Any:
    """`_first_of`, except that a column keeps its type where the other one has no values."""
    if other.has_missing() and bool(other.take(r, True).missing().all()):
        kept = own.take(l, True)
        if kept.dtype == own.dtype:
            return kept
    return _first_of(own, other, l, r)


def _differences(mine: Any, other: Any, keep_shape: bool, keep_equal: bool) -> tuple[Any, Any]:
    """The rows (and columns) that differ; equal values are missing unless they are kept."""
    mask = ~((mine == other) | (mine.isna() & other.isna()))
    if not keep_equal:
        mine, other = mine.where(mask), other.where(mask)
    if keep_shape:
        return mine, other
    if mine.ndim == 1:
        return mine[mask], other[mask]
    rows, columns = mask.any(axis=1), [bool(x) for x in mask.any()]
    at = [i for i, found in enumerate(columns) if found]
    return mine._select(at)[rows], other._select(at)[rows]


def _labels_of_both(names: pandas.Index, both: tuple) -> pandas.Index:
    """Each label of a column, with the name of either side as a further level."""
    if len(names):
        pairs = [((*n, k) if isinstance(n, tuple) else (n, k)) for n in names for k in both]
        return pandas.MultiIndex.from_tuples(pairs, names=[*names.names, None])
    levels = [names.get_level_values(i) for i in range(names.nlevels)]
    return pandas.MultiIndex.from_arrays([*levels, pandas.Index(list(both))[:0]], names=[*names.names, None])


@native(align_axis=(1, "columns"), result_names=lambda x: isinstance(x, tuple) and len(x) == 2)
def compare(
    self: Any, other: Any, align_axis: Any = 1, keep_shape: bool = False, keep_equal: bool = False, result_names: Any = ("self", "other")
) -> Any:  # fmt: skip
    """Show the differences from another frame or series.

    Parameters
    ----------
    other : DataFrame or Series
        Of the same labels.
    align_axis : {1, 0}
        Put the values of both side by side, or (in pandas) below each other.
    keep_shape : bool
        Keep rows and columns without a difference.
    keep_equal : bool
        Keep equal values, which are missing otherwise.
    result_names : pair of str

    Returns
    -------
    DataFrame or Series

    Raises
    ------
    TypeError
        When the other is not of the same class.
    ValueError
        When labels differ.
    """
    if type(self) is not type(other):
        mine, theirs = type(self).__name__, type(other).__name__
        raise TypeError(f"can only compare '{mine}' (not '{theirs}') with '{mine}'")
    if any(c.keeps_na for x in (self, other) for c in x._all_columns()):
        raise NotNative("values with NA")
    left, right = _differences(self, other, keep_shape, keep_equal)
    if self.ndim == 1:
        return _classes.DataFrame._new([left._column, right._column], pandas.Index(list(result_names)), left._index)
    columns = [c for pair in zip(left._columns, right._columns) for c in pair]
    labels = _labels_of_both(left._names, result_names)
    return _classes.DataFrame._new(columns, labels, left._index)


class FrameCombining(Rows):
    """Combination of frames."""

    compare = compare

    @native
    def combine_first(self, other: Any) -> Any:
        """The values, and where they are missing those of another frame."""
        frames = isinstance(other, _classes.DataFrame) and 0 not in self.shape and 0 not in other.shape
        if not frames or not self._names.is_unique or not other._names.is_unique:
            raise NotNative("operands that are not two non-empty frames")
        names = in_order_of_appearance([self._names, other._names])
        names = self._names.union(other._names, sort=False) if names is None else names
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

    @native(overwrite=True, filter_func=None)
    def update(
        self, other: Any, join: str = "left", overwrite: bool = True, filter_func: Any = None, errors: str = "ignore"
    ) -> None:
        """Replace values by those of another frame, where these are not missing."""
        if join != "left":
            raise NotImplementedError("Only left join is supported")  # pandas does not have it either
        if errors not in ("ignore", "raise"):
            raise ValueError("The parameter errors must be either 'ignore' or 'raise'")
        if not isinstance(other, _classes.DataFrame) or errors == "raise":
            raise NotNative("an argument that is not a frame, or errors=")
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

    def merge(
        self, right: Any, how: str = "inner", on: Any = None, left_on: Any = None, right_on: Any = None, left_index: bool = False,
        right_index: bool = False, sort: bool = False, suffixes: Any = ("_x", "_y"), copy: Any = UNSET,
        indicator: Any = False, validate: str | None = None,
    ) -> Any:  # fmt: skip
        """Database-style join with another frame.

        Parameters
        ----------
        right : DataFrame or named Series
        how : {"inner", "left", "right", "outer", "cross", "left_anti", "right_anti"}
            "inner" and "left" keep the order of the left rows, "right" that of the right rows; "outer" sorts by key.
        on, left_on, right_on : label or list of labels
        left_index, right_index : bool
            Join on the index.
        sort : bool
            Sort the result by key.
        suffixes : pair of str or None
            Suffixes for the names of columns that both frames have.
        indicator : bool or str
            Add a column with the source of each row.
        validate : {"1:1", "1:m", "m:1", "m:m", ...}, optional

        Returns
        -------
        DataFrame

        Raises
        ------
        pandas.errors.MergeError
            Keys are not unique as required by `validate`, or there is nothing to join on.
        KeyError
            A key does not exist.
        ValueError
            Keys have dtypes that cannot be compared.

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> left = pd.DataFrame({"k": ["a", "b"], "x": [1, 2]})
        >>> left.merge(pd.DataFrame({"k": ["b", "c"], "y": [3, 4]}), on="k", how="left")
           k  x    y
        0  a  1  NaN
        1  b  2  3.0
        """
        return merge(
            self, right, how, on, left_on, right_on, left_index, right_index, sort, suffixes, copy, indicator, validate
        )

    @native
    def join(
        self, other: Any, on: Any = None, how: str = "left", lsuffix: Any = UNSET, rsuffix: Any = UNSET, sort: bool = False,
        validate: str | None = None, *, suffixes: Any = UNSET,
    ) -> Any:  # fmt: skip
        """Join columns of another frame on the index.

        Parameters
        ----------
        other : DataFrame or named Series
        on : label, optional
            Column of this frame to look up in the other's labels; by default its own labels.
        how : {"left", "right", "inner", "outer"}
        lsuffix, rsuffix : str
        sort : bool
        validate : str, optional
        suffixes : pair of str, optional
            Both at once.
        """

        if isinstance(other, (list, tuple)) or how == "cross" or not unset(suffixes):
            raise NotNative("several frames, or suffixes=")
        if isinstance(other, _classes.Series):
            if other.name is None:
                raise ValueError("Other Series must have a name")
            other = other.to_frame()
        return merge(
            self,
            other,
            how,
            left_on=on,
            left_index=on is None,
            right_index=True,
            sort=sort,
            suffixes=("" if unset(lsuffix) else lsuffix, "" if unset(rsuffix) else rsuffix),
            validate=validate,
        )

    def assign(self, **kwargs: Any) -> Any:
        """A copy with columns added or replaced; a callable gets the frame with the columns added so far."""
        out = self.copy()
        for name, value in kwargs.items():
            out[name] = apply_if_callable(value, out)
        return out


class SeriesCombining(Rows):
    """Combination of series."""

    compare = compare

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

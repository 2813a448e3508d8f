"""`compare`: the differences of two frames or series."""

from __future__ import annotations

from typing import Any

import pandas

from .. import _classes
from .._fallback.native import NotNative


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


class Comparing:
    """Comparison of frames and series that have the same labels."""

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
        options = dict(align_axis=align_axis, keep_shape=keep_shape, keep_equal=keep_equal, result_names=result_names)
        if type(self) is not type(other):
            mine, theirs = type(self).__name__, type(other).__name__
            raise TypeError(f"can only compare '{mine}' (not '{theirs}') with '{mine}'")
        try:
            if align_axis not in (1, "columns") or not isinstance(result_names, tuple) or len(result_names) != 2:
                raise NotNative("unsupported align_axis= or result_names=")
            if any(
                c.is_masked or isinstance(c.dtype, pandas.CategoricalDtype)
                for x in (self, other)
                for c in x._all_columns()
            ):
                raise NotNative("values with NA, or categories")
            left, right = _differences(self, other, keep_shape, keep_equal)
        except NotNative as why:
            return self._call_pandas("compare", (other,), options, str(why))
        if self.ndim == 1:
            return _classes.DataFrame._new([left._column, right._column], pandas.Index(list(result_names)), left._index)
        columns = [c for pair in zip(left._columns, right._columns) for c in pair]
        labels = _labels_of_both(left._names, result_names)
        return _classes.DataFrame._new(columns, labels, left._index)

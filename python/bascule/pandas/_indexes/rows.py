"""Rows of an index: take, delete, insert, repeat and replace."""

from __future__ import annotations

from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .. import _classes, _fallback
from .._columns.column import Column, Core, ndarray
from .._columns.concatenation import concat
from .._columns.infer import column, inferred
from .._columns.where import choose, filled, is_missing_scalar
from .._fallback.native import NotNative, native
from .._questions import is_integer
from .._stand_ins import STR
from .._theirs import UNSET, pandas, unset
from .arguments import INT64, arange, array_of, one_label, own_column, positions_given


def _kept(loc: Any, n: int) -> ndarray:
    """Boolean array: which of n rows stay when some are deleted."""
    keep = bc.ones(n, dtype=bool)
    if isinstance(loc, slice):
        start, stop, step = loc.indices(n)
        keep[start:stop:step] = False
        return keep
    if is_integer(loc):
        if not -n <= loc < n:
            raise IndexError(f"index {loc} is out of bounds for axis 0 with size {n}")
        keep[int(loc)] = False
        return keep
    try:
        a = array_of(loc)
    except ValueError:
        raise IndexError("arrays used as indices must be of integer (or boolean) type") from None
    if a.dtype == bool:
        if a.shape != (n,):
            raise ValueError(
                "boolean array argument obj to delete must be one dimensional and match the axis length of " + str(n)
            )
        return ~a
    if a.size:
        keep[positions_given(a, n)] = False
    return keep


class IndexRows:
    """Methods that select, repeat or replace labels."""

    _columns: list
    _names: list
    nlevels: int

    @native
    def take(
        self: Any, indices: Any, axis: Any = 0, allow_fill: Any = UNSET, fill_value: Any = UNSET, **kwargs: Any
    ) -> Any:
        """The labels at the given positions.

        Parameters
        ----------
        indices : array-like of int
            Negative ones count from the end.
        axis : 0
        allow_fill : bool, optional
            Let -1 mean a missing label; it does so where a fill_value is given.
        fill_value : scalar, optional
        """
        if kwargs or fill_value is None or not (unset(fill_value) or is_missing_scalar(fill_value)):
            raise NotNative("options, or fill_value=")
        if np.isscalar(indices):
            raise TypeError("Expected indices to be array-like")
        fills = not unset(fill_value) if unset(allow_fill) else bool(allow_fill)
        if not fills:
            return self._take(positions_given(indices, len(self)))
        a = array_of(indices)
        if a.size and a.ndim == 1 and int(a.min()) < -1:
            raise ValueError("When allow_fill=True, all indices must be >= -1")
        a = positions_given(a, len(self), -1)
        if not a.size or int(a.min()) >= 0:
            return self._take(a)
        return self._of_columns([c.take(a, True) for c in self._columns], self._names)

    @native
    def delete(self: Any, loc: Any) -> Any:
        """Delete the labels at some positions."""
        return self._filter(_kept(loc, len(self)))

    @native(loc=is_integer)
    def insert(self: Any, loc: int, item: Any) -> Any:
        """Insert a label at a position."""
        n = len(self)
        c, one = one_label(own_column(self), item)
        if not -n <= loc <= n:
            raise IndexError(
                f"loc must be an integer between -{n} and {n}"
                if not c.is_plain("biuf")
                else f"index {loc} is out of bounds for axis 0 with size {n}"
            )
        at = int(loc) + n if loc < 0 else int(loc)
        return self._of_columns([concat([c.slice(0, 1, at), one, c.slice(at, 1, n - at)])], self._names)

    @native
    def repeat(self: Any, repeats: Any, axis: None = None) -> Any:
        """Repeat each label a number of times."""
        if axis is not None:
            raise ValueError("the 'axis' parameter is not supported in the pandas implementation of repeat()")
        n = len(self)
        if is_integer(repeats):
            if repeats < 0 and n:
                raise ValueError("repeats may not contain negative values.")
            rows = arange(n * max(int(repeats), 0)) // max(int(repeats), 1)
        else:
            rows = bc.repeat(arange(n), _core.astype(array_of(repeats), INT64, False, "K"))
        return self._of_rows([c.take(rows) for c in self._columns])

    @native
    def where(self: Any, cond: Any, other: Any = None) -> Any:
        """Keep labels where a condition holds, and replace the others by a scalar or by labels of another index."""
        if self.nlevels > 1:
            raise NotImplementedError(".where is not supported for MultiIndex operations")  # pandas lacks it too
        c, mask = own_column(self), array_of(cond)
        if mask.shape != (len(c),) or mask.dtype != bool:
            raise NotNative("a condition of another type or length")
        if isinstance(other, (list, tuple, np.ndarray, ndarray)) or hasattr(other, "_column"):
            other = column(other)
            if other is None or len(other) != len(c):
                raise NotNative("other labels of another type or length")
        elif (not c.can_lack or c.times() is not None) and is_missing_scalar(other):
            one_label(c, np.nan if other is None and not c.can_lack else other)  # whether the type can hold it
        made = choose(mask, c, other)
        made.own("labels of another type")
        return self._of_columns([made], self._names)

    @native
    def putmask(self: Any, mask: Any, value: Any) -> Any:
        """Replace labels where a mask is true."""
        if self.nlevels > 1:
            raise NotNative("several levels")
        there = array_of(mask)
        there = there if there.dtype == bool else there != 0
        if there.shape != (len(self),):
            raise ValueError("putmask: mask and data must be the same size")
        if bool(there.any()):
            return self.where(~there, value)
        return self._view()._at(None) if hasattr(self, "_at") else self._view()

    @native
    def fillna(self: Any, value: Any) -> Any:
        """Replace missing labels by a value."""
        if self.nlevels > 1:
            raise NotImplementedError("fillna is not defined for MultiIndex")  # pandas lacks it too
        if pandas.api.types.is_list_like(value, allow_sets=False) and not isinstance(value, tuple):
            raise TypeError(f"'value' must be a scalar, passed: {type(value).__name__}")
        if not any(c.has_missing() for c in self._columns):
            return self._view()
        return self._of_columns([filled(own_column(self), value)], self._names)

    def dropna(self: Any, how: str = "any") -> Any:
        """Drop missing labels; of several levels, rows with any, or with only, missing labels."""
        if how not in ("any", "all"):
            raise ValueError(f"invalid how option: {how}")
        if not any(c.has_missing() for c in self._columns):
            return self._view()
        gone = self._columns[0].missing()
        for c in self._columns[1:]:
            gone = gone | c.missing() if how == "any" else gone & c.missing()
        return self._filter(~gone)

    @native
    def shift(self: Any, periods: int = 1, freq: Any = None) -> Any:
        """Shift labels in time; only timestamps and durations can be."""
        if isinstance(self.dtype, pandas.PeriodDtype):
            raise NotNative("periods")
        raise NotImplementedError(  # pandas lacks it too
            "This method is only implemented for DatetimeIndex, PeriodIndex and "
            f"TimedeltaIndex; Got type {type(self).__name__}"
        )

    @native(na_action=None)
    def map(self: Any, mapper: Any, na_action: Any = None) -> Any:
        """The result of a function, a dict or a series for each label."""
        c = own_column(self)
        if not len(c) or hasattr(type(mapper), "__missing__"):
            raise NotNative("no labels, or a dict with a default")
        if type(mapper) is _classes.Series and (c.plain != "-" or c.dtype == STR):  # others give types with NA
            if mapper._index.nlevels == 1 and mapper._index.is_unique and mapper._column.in_arrays:
                found = mapper._index.get_indexer(self)
                values = mapper._column.take(found, bool((found < 0).any()))
                return self._of_columns([values], self._names)
        if isinstance(mapper, dict):
            keys, values = list(mapper), inferred(list(mapper.values())) if mapper else None
            known = inferred(keys) if keys else None
            if values is None or known is None or known.dtype != c.dtype:
                raise NotNative("keys of other types, or values of several")
            values.own("values of a type of pandas'")
            found = _core.Labels([known.core]).positions_of(_core.Labels([c.core]))
            if bool((found >= 0).all()):
                return self._of_columns([values.take(found)], self._names)
            return self._of_columns([values.take(found, True)], self._names)
        if not callable(mapper):
            raise NotNative(f"a mapper of type {type(mapper).__name__}")
        if not (c.is_text or c.times() is not None or c.dtype in (np.bool_, np.int64, np.float64)):
            raise NotNative(f"a function of labels of type {c.dtype}")
        results = [mapper(label) for label in self.tolist()]
        made = inferred(results)
        if c.family == "text or NA" and made is not None:  # other results of such labels have Arrow's types
            made = Column(made.core, c.dtype) if made.is_text else None
        known = made is not None and made.has_core and (made.takes_none or not made.has_missing())
        if known and _plain(results):
            return self._of_columns([made], self._names)
        again = iter(results)  # the function is not called twice
        return _fallback.call(self, "map", (lambda _: next(again),), {}, "results of several types")

    @native
    def diff(self: Any, periods: int = 1) -> Any:
        """The difference of each label from the one some rows before."""
        own_column(self)
        return _classes.Index(self.to_series().diff(periods))

    @native
    def round(self: Any, decimals: int = 0) -> Any:
        """Round the labels to a number of decimals."""
        c = own_column(self)
        c.plain_values("iuf" if is_integer(decimals) else "", "labels")
        if not c.can_lack and decimals >= 0:
            return self._view()
        return _classes.Index(self.to_series().round(decimals))

    @native
    def groupby(self: Any, values: Any) -> Any:
        """The labels of each group, by the groups' names.

        Parameters
        ----------
        values : array-like
            The group of each label.

        Returns
        -------
        dict
        """
        c = column(values) if getattr(values, "nlevels", 1) == 1 else None
        if c is None or len(c) != len(self):
            raise NotNative("unsupported groups, or groups of another length")
        codes, first, _ = _core.factorize_columns([c.own("unsupported groups").core], True, False)
        order = _core.order_columns([Core.plain(codes)], [True], False)
        names = self._of_columns([c.take(first)], [None])
        counts = bc.bincount(_core.astype(codes[codes != _NONE], INT64, True, "K"), minlength=len(first))
        ends = np.cumsum(_core.to_numpy(counts)).tolist()
        starts = [0, *ends[:-1]]
        made = {k: self._take(order[s:e]) for k, s, e in zip(names, starts, ends)}
        return pandas.io.formats.printing.PrettyDict(made)


_NONE = np.uint32(0xFFFFFFFF)


def _plain(results: list) -> bool:
    kinds = set(map(type, results))
    return len(kinds) == 1 and kinds <= {int, float, str, bool}

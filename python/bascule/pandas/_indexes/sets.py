"""Indexes as sets: union, intersection, differences, and joins."""

from __future__ import annotations

from typing import Any

from ... import _core
from .. import _classes
from .._columns.column import Column, Core, ndarray
from .._fallback.native import NotNative, native
from .._theirs import pandas
from .align import align, positions_in
from .arguments import arange, common, labels_given, same_name

_SORTS = "The 'sort' keyword only takes the values of None, True, or False; {} was passed."


def _check_sort(sort: Any) -> None:
    if sort not in (None, False, True):
        raise ValueError(_SORTS.format(sort))


def _sets(index: Any, other: Any, sort: Any) -> tuple[Any, Any, list]:
    """Two indexes in one type, and the names of a result of both."""
    _check_sort(sort)
    if not pandas.api.types.is_list_like(other):
        raise TypeError("Input must be Index or array-like")
    given, name = labels_given(other, index)
    if (len(given) == 0 or len(index) == 0) and index.dtype != given.dtype:
        raise NotNative("no labels, of another type")
    a, b = common(index, given)
    if a.nlevels == 1:
        return a, b, [name]
    return a, b, [n if same_name(n, m) else None for n, m in zip(a._names, b._names)]


def _sorted(x: Any, sort: Any) -> Any:
    """An index, sorted unless sort is False."""
    return x if sort is False or x.is_monotonic_increasing else x._take(_ascending(x))


def _ascending(x: Any) -> ndarray:
    return _core.order_columns([c.core for c in x._columns], [True] * x.nlevels, False)


def _named(x: Any, names: list) -> Any:
    made = x._view()
    made._names = names
    made._pandas_copy = None
    return made


def _found(index: Any, wanted: Any) -> ndarray:
    """For each wanted label its position in an index without duplicates, -1 where there is none."""
    found = positions_in(index, wanted)
    if found is None:
        raise NotNative("comparisons of labels that only pandas supports")
    return found


class IndexSets:
    """Methods that take two indexes as sets of labels."""

    _columns: list
    nlevels: int

    @native
    def union(self: Any, other: Any, sort: Any = None) -> Any:
        """Union of the labels.

        Parameters
        ----------
        other : Index or array-like
        sort : {None, True, False}
            False: the labels of this index, then those that only the other has.
        """
        a, b, names = _sets(self, other, sort)
        a._check_sets(b)
        if not len(b) or a.equals(b):
            return _named(a.sort_values() if sort is True else a, names)
        if not len(a):
            return _named(b.sort_values() if sort is True else b, names)
        made = a._united(b, sort)
        if hasattr(a, "_evenly") and not hasattr(made, "_evenly"):
            made = a._evenly(made._columns[0])
        return a._finished(b, _named(made, names), "union", sort)

    def _check_sets(self: Any, other: Any) -> None:
        """NotNative where pandas has to decide about the result of two sets."""

    def _finished(self: Any, other: Any, made: Any, how: str, sort: Any) -> Any:
        """The result of two sets, in the class of the labels."""
        return made

    def _united(self: Any, other: Any, sort: Any) -> Any:
        a, b = self, other
        together = sort is not False and a.is_monotonic_increasing and b.is_monotonic_increasing
        if not b.is_unique:
            if not (together and a.is_unique):
                raise NotNative("duplicate labels")
            a, b = b, a
        if not a.is_unique:
            distinct = a.unique()
            lacking = b._filter(_found(distinct, b) < 0)
        else:
            lacking = b._filter(_found(a, b) < 0)
        made = a._with([_both(c, d) for c, d in zip(a._columns, lacking._columns)]) if len(lacking) else a
        return _sorted(made, sort)

    @native
    def intersection(self: Any, other: Any, sort: Any = False) -> Any:
        """Intersection of the labels, unique, in the order of this index.

        Parameters
        ----------
        other : Index or array-like
        sort : {False, None, True}
        """
        a, b, names = _sets(self, other, sort)
        a._check_sets(b)
        if a.equals(b):
            made = a if a.is_unique else a.unique()
            return _named(made.sort_values() if sort is True else made, names)
        if not len(a) or not len(b):
            return _named((a if not len(a) else b)[:0], names)
        return a._finished(b, _named(a._shared(b, sort), names), "intersection", sort)

    def _shared(self: Any, other: Any, sort: Any) -> Any:
        a, b = self.unique(), other.unique()
        if sort is None and not (self.is_monotonic_increasing and other.is_monotonic_increasing):
            found = _found(a, b)
            return _sorted(a._take(found[found >= 0]), None)
        return _sorted(a._filter(_found(b, a) >= 0), True if sort else False)

    @native
    def difference(self: Any, other: Any, sort: Any = None) -> Any:
        """The unique labels that are not in the other index.

        Parameters
        ----------
        other : Index or array-like
        sort : {None, True, False}
        """
        a, b, names = _sets(self, other, sort)
        if self.dtype != a.dtype:
            raise NotNative("labels of two types")
        if a.equals(b):
            return _named(a[:0], names)
        if not len(b):
            made = a.unique()
            return _named(made.sort_values() if sort is True else made, names)
        rest = a._filter(_found(b.unique(), a) < 0)
        rest = rest if a.is_unique else rest.unique()
        return a._finished(b, _named(_sorted(rest, sort), names), "difference", sort)

    @native
    def symmetric_difference(self: Any, other: Any, result_name: Any = None, sort: Any = None) -> Any:
        """The labels that are in only one of both.

        Parameters
        ----------
        other : Index or array-like
        result_name : hashable, optional
        sort : {None, True, False}
        """
        a, b, names = _sets(self, other, sort)
        if self.nlevels > 1:
            raise NotNative("several levels")
        a._check_sets(b)
        a, b = a.unique(), b.unique()
        left, right = a._filter(_found(b, a) < 0), b._filter(_found(a, b) < 0)
        joined = _both(left._columns[0], right._columns[0])
        made = self._evenly(joined) if hasattr(self, "_evenly") else self._of_columns([joined], names)
        made = a._finished(b, _sorted(made, sort), "symmetric_difference", sort)
        return _named(made, names if result_name is None else [result_name])

    @native(how=("left", "right", "inner", "outer"), level=None)
    def join(
        self: Any,
        other: Any,
        *,
        how: str = "left",
        level: Any = None,
        return_indexers: bool = False,
        sort: bool = False,
    ) -> Any:
        """Join the labels of two indexes.

        Parameters
        ----------
        other : Index
        how : {"left", "right", "inner", "outer"}
        level
            As pandas'.
        return_indexers : bool
            Return the positions of the labels in both too; None where they do not change.
        sort : bool

        Returns
        -------
        Index, or (Index, int64 array or None, int64 array or None)
        """
        if not isinstance(other, _classes.Index):
            raise NotNative("labels that are not an index")
        if (sort and how != "outer") or self.nlevels > 1 or other.nlevels > 1 or self.dtype != other.dtype:
            raise NotNative("sort=, several levels, or labels of two types")
        if self._own is None or not len(self) or not len(other):
            raise NotNative("labels of a pandas extension dtype, or none")
        self._check_sets(other)
        made, left, right = _joined(self, other, how)
        return (made, left, right) if return_indexers else made


def _joined(a: Any, b: Any, how: str) -> tuple[Any, ndarray | None, ndarray | None]:
    """Two indexes joined as in pandas, depending on their order and on repeated labels."""
    unique = a.is_unique, b.is_unique
    ascending = a.is_monotonic_increasing and b.is_monotonic_increasing
    if any(unique) and (ascending or how != "outer") and a.equals(b):
        return (b if how == "right" else a), None, None
    name = a.name if same_name(a.name, b.name) else None
    if (ascending and any(unique)) or not all(unique):
        if a.equals(b) or any(c.has_missing() for c in (*a._columns, *b._columns)):
            raise NotNative("duplicate or missing labels in both")
        made, left, right = align(a, b, how)
        made = made._at(None) if made is not a and hasattr(made, "_at") else made
        if hasattr(a, "_evenly") and how in ("left", "inner") and not hasattr(made, "_evenly"):
            made = a._evenly(made._columns[0])
        name = name if ascending else a.name
        if hasattr(a, "_evenly") and how in ("inner", "outer"):
            return _named(made, [name]), *(arange(len(made)) if p is None else p for p in (left, right))
        if not ascending or not any(unique):
            return _named(made, [name]), *(arange(len(made)) if p is None else p for p in (left, right))
        return _named(made, [name]), _moved(left, len(a)), _moved(right, len(b))
    made = (
        a if how == "left" else b if how == "right" else a.intersection(b) if how == "inner" else a.union(b, sort=True)
    )
    made = made if how in ("left", "right") else _named(made, list(a._names))
    return made, None if made is a else _found(a, made), None if made is b else _found(b, made)


def _moved(rows: ndarray | None, n: int) -> ndarray | None:
    """The positions, or None where they are those of all rows in order."""
    if rows is None or len(rows) != n:
        return rows
    even = _core.range_of(Core.plain(rows)) if n > 1 else None
    whole = n == 0 or (int(rows[0]) == 0 if n == 1 else even is not None and tuple(even[:2]) == (0, 1))
    return None if whole else rows


def _both(c: Column, d: Column) -> Column:
    return Column(_core.concat_columns([c.core, d.core]), c.dtype)

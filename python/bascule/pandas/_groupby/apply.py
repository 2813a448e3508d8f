"""`apply` of grouped rows: a Python function is called for each group with bascule's rows, and its results are combined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _core
from .. import _classes, _fallback, _indexes
from .._columns.column import AnyColumn
from .._columns.infer import from_values, object_array
from .._fallback.carried import bare
from .._fallback.native import NotNative, native
from .._indexes.multi import common_orders
from .._reshape.concat import concat
from .._reshape.shapes import column_labels
from .._theirs import pandas
from .agg import Request
from .in_parts import compute


def _is_indexed_like(result: Any, index: Any, ndim: int) -> bool:
    """Whether a result has the labels of the rows that were passed to the function."""
    if not isinstance(result, (_classes.Series, _classes.DataFrame)) or result.ndim < ndim:
        return False
    return result._index is index or result._index.equals(index)


class _Unusual(Exception):
    """Raised for results that pandas has to combine."""


class Applied:
    """The results of a function for the groups, in their order."""

    def __init__(self, grouped: Any, values: list[Any], like_rows: bool):
        self.grouped, self.values, self.like_rows = grouped, values, like_rows
        self.groups, self.options = grouped._groups, grouped._options

    def together(self) -> Any:
        """One frame or series.

        Raises
        ------
        _Unusual
        """
        of_frame = self.grouped._kind_of_rows() == 2
        first = next((v for v in self.values if v is not None), None) if of_frame else self.values[0]
        if first is None or isinstance(first, (dict, np.ndarray, _indexes.Index, pandas.Index, _core.ndarray)):
            raise _Unusual
        if isinstance(first, _classes.DataFrame) or (isinstance(first, _classes.Series) and not of_frame):
            return self._one_after_another()
        if isinstance(first, _classes.Series):
            return self._of_series(first)
        return self._scalars()

    def _scalars(self) -> Any:
        if not self.options["as_index"]:
            raise _Unusual
        if any(isinstance(v, (_classes.Series, _classes.DataFrame)) for v in self.values):
            raise _Unusual
        values: Any = self.values
        if any(type(v) in (list, tuple, set) for v in values):
            values = object_array(values)
        if self.grouped._kind_of_rows() == 2:
            return bare(_classes.Series(values, index=self.groups.index()))
        return _classes.Series(values, index=self.groups.index(), name=self.grouped._series._name)

    def _of_series(self, first: Any) -> Any:
        """Series of the groups of a frame: rows of the result where all have the same labels."""
        if not all(isinstance(v, _classes.Series) for v in self.values):
            raise _Unusual
        labels = first._index
        if not all(v._index is labels or v._index.equals(labels) for v in self.values):
            self.like_rows = False
            return self._one_after_another()
        values: Any = np.vstack([np.asarray(v) for v in self.values])
        mixed = values.dtype == object
        if not (mixed or np.can_cast(values.dtype, np.float64, "same_kind")) or not self.options["as_index"]:
            raise _Unusual
        if mixed:
            values = values.tolist()  # each column gets the type of its own values
        columns = column_labels(labels)
        names = {v._name for v in self.values}
        if columns.nlevels == 1 and columns.name is None and len(names) == 1:  # levels have names of their own
            columns = columns.rename(next(iter(names)))
        return _classes.DataFrame(values, index=self.groups.index(), columns=columns)

    def _one_after_another(self) -> Any:
        there = [(i, v) for i, v in enumerate(self.values) if v is not None]
        parts = [v for _, v in there]
        kind = _classes.DataFrame if isinstance(parts[0], _classes.DataFrame) else _classes.Series
        if not all(isinstance(v, kind) for v in parts) or len({v._index.nlevels for v in parts}) > 1:
            raise _Unusual
        o = self.options
        if (
            not o["group_keys"]
            and self.like_rows
            and (not self.grouped._obj._index.is_unique or len(parts) < len(self.values))
        ):
            raise _Unusual
        made = concat(parts)
        if o["group_keys"] and o["as_index"]:
            made = self._under_keys(made, [i for i, _ in there], parts)
        elif not o["group_keys"] and self.like_rows:
            rows = self.groups.order[: len(made)]
            made = made._take_rows(_core.argsort(rows, 0))
            if self.grouped._obj._index.equals(made._index):  # in its class, and at its frequency
                made = made._with(made._all_columns(), self.grouped._obj._index)
        if made.ndim == 1 and self.grouped._kind_of_rows() == 1:
            made = made._like(made._column)
            made.name = self.grouped._series._name
        elif made.ndim == 1 and self.grouped._selection is not None:
            raise _Unusual
        return made

    def _under_keys(self, made: Any, numbers: list[int], parts: list[Any]) -> Any:
        """The keys of the groups as levels in front of the labels."""
        rows = _core.from_numpy(np.repeat(np.array(numbers, np.int64), [len(v) for v in parts]))
        keys = [k.take(rows) for k in self.groups.key_columns()]
        levels = [*keys, *made._index._columns]
        index = _indexes.MultiIndex._make(levels, [*self.groups.names, *made._index._names])
        orders = [*keys, *common_orders([p._index for p in parts])]
        return made._with(made._all_columns(), index._ordered(orders))


def _one_value(found: Any) -> Any:
    """The result of a function for a group, where it is a single value."""
    if isinstance(found, (_classes.Series, _indexes.Index, pandas.Series, pandas.Index, np.ndarray, _core.ndarray)):
        if found.ndim > 1 or (found.ndim == 1 and len(found) != 1):
            raise NotNative("functions that give arrays")
        return np.asarray(found).reshape(-1)[0]
    return found


class GroupApply:
    """`apply` of grouped frames and series."""

    def _kind_of_rows(self: Any) -> int:
        """2 for frames, 1 for series."""
        return 2 if hasattr(self, "_positions") else 1

    def _rows_without_keys(self: Any) -> Any:
        if self._kind_of_rows() == 1:
            return self._series
        return self._like_rows(*self._columns())

    @native
    def apply(self: Any, func: Any, *args: Any, include_groups: bool = False, **kwargs: Any) -> Any:
        """Apply a function to the rows of each group and combine the results.

        Parameters
        ----------
        func : callable or str
            Called with a frame (or series) of one group, without the keys, whose `name` is the group's label. Python runs it
            once for each group.
        *args, **kwargs
            Passed to it.
        include_groups : bool
            Only False.

        Returns
        -------
        Series or DataFrame
            For scalars, one row for each group; for series with the same labels, a frame with one row for each group; else the
            results one after another, with the keys of their groups if `group_keys`.

        Raises
        ------
        ValueError, TypeError

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> df = pd.DataFrame({"key": ["a", "b", "a"], "x": [1, 2, 4]})
        >>> df.groupby("key").apply(lambda g: g.x.max() - g.x.min()).tolist()
        [3, 0]
        """
        if include_groups:
            raise ValueError("include_groups=True is no longer allowed.")
        if isinstance(func, str):
            if not hasattr(self, func):
                raise TypeError(f"apply func should be callable, not '{func}'")
            found = getattr(self, func)
            if callable(found):
                return found(*args, **kwargs)
            if args or kwargs:
                raise ValueError(f"Cannot pass arguments to property {func}")
            return found
        if (args or kwargs) and not callable(func):
            raise ValueError("func must be a callable if args or kwargs are supplied")
        if not self._groups.count or self._groups.may_be_empty:
            raise NotNative("no rows, or bins that may have none")
        applied = self._call_for_groups(lambda part: func(part, *args, **kwargs))
        try:
            return applied.together()
        except _Unusual:
            return self._by_pandas(applied)

    def _call_for_groups(self: Any, call: Callable) -> Applied:
        order, bounds = self._spans()
        rows = self._rows_without_keys()
        rows = rows._map_columns(lambda c: c.take(order), rows._index._take(order))  # each group is a slice of it
        values, like_rows = [], True
        for i, label in enumerate(self._group_labels()):
            part = rows._slice_rows(slice(int(bounds[i]), int(bounds[i + 1])))
            object.__setattr__(part, "name", label)
            index = part._index  # the function may give the rows other labels
            result = _fallback.from_pandas(call(part))
            like_rows = like_rows and _is_indexed_like(result, index, part.ndim)
            values.append(result)
        return Applied(self, values, like_rows)

    def _with_functions(self: Any, requests: list[Request], names: list[Any]) -> list[AnyColumn]:
        """A column for each request, with one row for each group, where some requests are Python functions."""
        named = [r for r in requests if isinstance(r.op, str)]
        if len(named) < len(requests) and (not self._groups.count or self._groups.may_be_empty):
            raise NotNative("no rows, or groups that may have none")
        made = iter(compute(self._groups, named))
        return [next(made) if isinstance(r.op, str) else self._by_function(r, name) for r, name in zip(requests, names)]

    def _by_function(self: Any, request: Request, name: Any) -> AnyColumn:
        order, bounds = self._spans()
        rows = _classes.Series._new(request.column.take(order), self._obj._index._take(order), name)
        parts = zip(bounds[:-1].tolist(), bounds[1:].tolist())
        return from_values([_one_value(request.op(rows._slice_rows(slice(*ends)))) for ends in parts])

    def _by_pandas(self: Any, applied: Applied) -> Any:
        """Have pandas combine results of unusual kinds; the function is not called again."""
        name = f"{type(self).__name__}.apply"

        def wrapped(grouped: Any, values: list[Any]) -> Any:
            return grouped._wrap_applied_output(grouped._obj_with_exclusions, values, not applied.like_rows)

        reason = "results that are neither scalars nor frames alike"
        made = _fallback.run(name, reason, wrapped, self, applied.values)
        first = next((v for v in applied.values if v is not None), None)
        rows = isinstance(first, (_classes.Series, _classes.DataFrame, pandas.Series, pandas.DataFrame))
        return made if rows or self._kind_of_rows() == 1 else bare(made)

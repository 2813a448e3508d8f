"""Grouped rows: value_counts, rank, describe, sample and filter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .. import _classes, _indexes
from .._columns.column import AnyColumn, Column, Core, HostColumn, ndarray, plain
from .._columns.concatenation import concat as concat_columns
from .._columns.grouping import NO_GROUP, Codes, Grouping, int64
from .._columns.infer import from_values
from .._columns.sampling import random_positions, random_source, sample_size
from .._fallback.calls import call
from .._fallback.native import NotNative, native
from .._indexes.multi import orders_of
from .._pipe import pipe
from .._questions import is_integer
from .._reshape.shapes import repeated_rows, tiled_rows
from .._theirs import pandas
from .agg import Request
from .in_parts import compute
from .rows import Positions

_FLOAT64 = np.dtype(np.float64)
_STATISTICS = ("count", "mean", "std", "min", "25%", "50%", "75%", "max")
_LAST = np.int64(2**62)


def _value_numbers(c: AnyColumn, ascending: bool) -> ndarray:
    """int64 in the order of the values of a column, missing ones last."""
    c.plain_values("iufmM")
    codes, _, _ = _core.factorize_columns([c.core], True, False)
    numbers = int64(codes)
    return bc.where(codes == np.uint32(NO_GROUP), _LAST, numbers if ascending else -numbers)


def _ordered(groups: Grouping, keys: list[ndarray]) -> ndarray:
    """Rows by group, then by other keys, then in row order; rows of no group last."""
    return _core.order_columns(
        [Core.plain(groups.codes), *(Core.plain(k) for k in keys)], [True] * (1 + len(keys)), False
    )


class _Runs:
    """Rows in order of group and value, and the runs of equal values.

    Attributes
    ----------
    order : int64 array
        The rows.
    first : int64 array
        Start of each run, in that order.
    size : int64 array
        Length of each run.
    start : int64 array
        Start of each row's group.
    """

    def __init__(self, groups: Grouping, values: ndarray):
        n = len(values)
        self.order = _ordered(groups, [values])
        codes, found = _core.take(groups.codes, self.order, 0), _core.take(values, self.order, 0)
        here = bc.arange(n)
        group = bc.ones(n, dtype=bool)
        group[1:] = codes[1:] != codes[:-1]
        run = group.copy()
        run[1:] = run[1:] | (found[1:] != found[:-1])
        self.number = bc.cumsum(run.astype(np.dtype(np.int64)))
        at = bc.flatnonzero(run)
        ends = bc.append(at[1:], np.int64(n))
        self.first = _core.take(at, self.number - 1, 0)
        self.size = _core.take(ends - at, self.number - 1, 0)
        self.start = bc.maximum.accumulate(bc.where(group, here, np.int64(0)))
        self.here = here

    def ranks(self, method: str) -> ndarray:
        low = self.first - self.start + 1
        if method == "average":
            return low + (self.size - 1) / 2
        if method == "min":
            return low.astype(_FLOAT64)
        if method == "max":
            return (low + self.size - 1).astype(_FLOAT64)
        if method == "first":
            return (self.here - self.start + 1).astype(_FLOAT64)
        return (self.number - _core.take(self.number, self.start, 0) + 1).astype(_FLOAT64)


def _ranked(groups: Grouping, c: AnyColumn, method: str, ascending: bool, na_option: str, pct: bool) -> Column:
    values = _value_numbers(c, ascending)
    if not len(values):
        return plain(values.astype(_FLOAT64))
    gone = values == _LAST
    if na_option == "top":
        values = bc.where(gone, -_LAST, values)
    runs = _Runs(groups, values)
    out = bc.empty(len(values), dtype=_FLOAT64)
    out[runs.order] = runs.ranks(method)
    unranked = gone if na_option == "keep" else bc.zeros(len(values), dtype=bool)
    if groups.drops:
        unranked = unranked | (groups.codes == np.uint32(NO_GROUP))
    out = bc.where(unranked, np.nan, out)
    if pct:
        call = (Core.plain(out), "max" if method == "dense" else "count", 1, -1)
        counts = _core.aggregate_columns(groups.codes, groups.count, [call])[0].values
        out = out / _core.take(counts, bc.maximum(groups.groups_of_rows(), np.int64(0)), 0)
    return plain(out)


class GroupVerbs:
    """Methods that grouped frames and grouped series share."""

    pipe = pipe

    _groups: Any
    _obj: Any
    _options: dict[str, Any]
    _foreign: str | None = None
    _columns: Callable
    _all_rows: Callable
    _like_rows: Callable

    @native(method=("average", "min", "max", "first", "dense"))
    def rank(self, method: str = "average", ascending: bool = True, na_option: str = "keep", pct: bool = False) -> Any:
        """The rank of each value in its group."""
        if na_option not in ("keep", "top", "bottom"):
            raise ValueError("na_option must be one of 'keep', 'top', or 'bottom'")
        columns, names = self._columns()
        return self._like_rows([_ranked(self._groups, c, method, ascending, na_option, pct) for c in columns], names)

    @native(fill_method=None, freq=None)
    def pct_change(self, periods: int = 1, fill_method: Any = None, freq: Any = None) -> Any:
        """The relative change of each value from the one `periods` rows before it in its group."""
        columns, names = self._columns()
        for c in columns:
            c.plain_values("if", "values that are not plain numbers")
        shown = self._like_rows(columns, names)
        return shown / self.shift(periods) - 1  # type: ignore[attr-defined]

    def _counted_with(self, labels: list[Any], columns: list[AnyColumn], options: dict[str, Any]) -> Any:
        """The number of occurrences of rows of columns in each group."""
        groups = self._groups
        if not groups.sort or not groups.dropna or not self._options["as_index"] or not options["dropna"]:
            raise NotNative("groups in order of appearance, or missing values")
        keys = [*groups.keys, *columns]
        if any(isinstance(k, (Codes, HostColumn)) for k in keys) or not len(keys[0]) or not columns:
            raise NotNative("values of a pandas extension dtype, or no rows")
        found = Grouping(keys, [*groups.names, *labels], False, True)
        rows, counts = found.first, found.sizes
        outer = [k.take(rows) for k in groups.keys]
        by = [k.core for k in outer]
        up = [True] * len(by)
        if options["sort"]:
            by, up = [*by, Core.plain(counts)], [*up, options["ascending"]]
        order = _core.order_columns(by, up, False)
        rows, counts = _core.take(rows, order, 0), _core.take(counts, order, 0)
        if not len(rows):
            raise NotNative("no rows")
        if options["normalize"]:
            part = Grouping([k.take(rows) for k in groups.keys], groups.names, False, True)
            sums = part.aggregate([(Core.plain(counts), "sum", 1, 0)])[0].values
            counts = counts / _core.take(sums, part.groups_of_rows(), 0)
        index = _indexes.MultiIndex._make([k.take(rows) for k in keys], found.names)
        return _classes.Series._new(plain(counts), index, "proportion" if options["normalize"] else "count")

    def _described(self, columns: list[AnyColumn]) -> list[AnyColumn]:
        if not self._groups.sort and any(isinstance(k, Codes) for k in self._groups.keys):
            raise NotNative("categories in order of appearance")
        for c in columns:
            values = c.plain_values("iuf", "values that are not plain numbers")
            if bool(bc.isinf(values).any()):
                raise NotNative("infinite values, between which pandas' describe interpolates by other rules")
        requests = []
        for c in columns:
            requests += [Request(c, op, {"ddof": 1} if op == "std" else {}) for op in ("count", "mean", "std", "min")]
            requests += [Request(c, "quantile", {"q": q, "interpolation": "linear"}) for q in (0.25, 0.5, 0.75)]
            requests.append(Request(c, "max"))
        return [plain(c.values.astype(_FLOAT64, copy=False)) for c in compute(self._groups, requests)]  # type: ignore[union-attr]

    @native(weights=None)
    def sample(
        self, n: Any = None, frac: Any = None, replace: bool = False, weights: Any = None, random_state: Any = None
    ) -> Any:
        """A random sample of the rows of each group, the same that pandas selects for the same `random_state`."""
        size = sample_size(n, frac, replace)
        source = random_source(random_state)
        order, bounds = self._spans()  # type: ignore[attr-defined]
        found = []
        for start, stop in zip(bounds[:-1], bounds[1:]):
            count = int(stop - start)
            wanted = size if size is not None else round(frac * count)
            found.append(start + random_positions(count, wanted, replace, None, source))
        return self._all_rows()._take_rows(_rows_at(order, found))

    def _passing(self, func: Any, args: tuple, kwargs: dict, check: Callable) -> Any:
        """The rows of the groups for which a function is true."""
        order, bounds = self._spans()  # type: ignore[attr-defined]
        rows = self._all_rows()
        parts, kept = rows._take_rows(order), []
        for start, stop in zip(bounds[:-1], bounds[1:]):
            if check(func(parts._slice_rows(slice(int(start), int(stop))), *args, **kwargs)):
                kept.append(np.arange(start, stop))
        return rows._take_rows(bc.sort(_rows_at(order, kept)))


def rows_in_turns(parts: list[Any], keys: list[Any]) -> Any:
    """The rows of several results of the same groups next to each other, with keys of the parts as the last level of labels."""
    index, n, m = parts[0]._index, len(parts[0]), len(parts)
    rows = _core.from_numpy(np.arange(n * m).reshape(m, n).T.ravel())
    columns = [concat_columns(list(same)).take(rows) for same in zip(*(p._all_columns() for p in parts))]
    outer = [c.take(repeated_rows(n, m)) for c in index._columns]
    labels = _indexes.MultiIndex._make([*outer, from_values(keys).take(tiled_rows(m, n))], [*index._names, None])
    labels._ordered([*orders_of(index, of_one=True), from_values(keys)])
    first = parts[0]
    if first.ndim == 1:
        return type(first)._new(columns[0], labels, first._name)
    return type(first)._new(columns, first._names, labels)


def _rows_at(order: ndarray, parts: list[np.ndarray]) -> ndarray:
    """The rows at some positions of an order, looked up on the device of the order."""
    at = np.concatenate(parts) if parts else np.empty(0)
    return _core.take(order, _core.from_numpy(at.astype(np.int64), order.device), 0)


def _is_true_of_frame(found: Any) -> bool:
    if isinstance(found, (bool, np.bool_)):
        return bool(found)
    if np.isscalar(found) and pandas.isna(found):
        return False
    raise TypeError(f"filter function returned a {type(found).__name__}, but expected a scalar bool")


class FrameGroupVerbs(GroupVerbs):
    """Grouped frames."""

    @native
    def value_counts(
        self,
        subset: Any = None,
        normalize: bool = False,
        sort: bool = True,
        ascending: bool = False,
        dropna: bool = True,
    ) -> Any:
        """The number of occurrences of each row in its group, most frequent first."""
        columns, names = self._columns()
        labels = list(names)
        if subset is not None:
            if isinstance(subset, str) or any(k not in labels for k in subset):
                raise NotNative("columns that are keys, or not there")
            columns, labels = [columns[labels.index(k)] for k in subset], list(subset)
        options = dict(normalize=normalize, sort=sort, ascending=ascending, dropna=dropna)
        return self._counted_with(labels, columns, options)

    @native(percentiles=None, include=None, exclude=None)
    def describe(self, percentiles: Any = None, include: Any = None, exclude: Any = None) -> Any:
        """Count, mean, standard deviation, extremes and quartiles of the numbers of each group."""
        if not self._options["as_index"]:
            raise NotNative("as_index=")
        columns, names = self._columns()
        if isinstance(names, pandas.MultiIndex) or not all(c.has_ranks for c in columns):
            raise NotNative("several levels of columns, or values of a pandas extension dtype")
        if any(c.times() is not None for c in columns):
            raise NotNative("datetimes or timedeltas")
        at = [i for i, c in enumerate(columns) if c.family == "number"]
        if not at or not self._groups.count:
            raise NotNative("no numbers, or no rows")
        made = self._described([columns[i] for i in at])
        labels = pandas.MultiIndex.from_product([names[at], list(_STATISTICS)], names=[names.name, None])
        return _classes.DataFrame._new(made, labels, self._groups.index())

    @native(func=callable, dropna=True)
    def filter(self, func: Any, dropna: bool = True, *args: Any, **kwargs: Any) -> Any:
        """The rows of the groups for which a function is true."""
        return self._passing(func, args, kwargs, _is_true_of_frame)


def _is_true_of_series(found: Any) -> bool:
    if not isinstance(found, (bool, np.bool_)) and not (np.isscalar(found) and pandas.isna(found)):
        raise TypeError("the filter must return a boolean result")
    return bool(found) and not pandas.isna(found)


class SeriesGroupVerbs(GroupVerbs):
    """Grouped series."""

    @native(bins=None)
    def value_counts(
        self, normalize: bool = False, sort: bool = True, ascending: bool = False, bins: Any = None, dropna: bool = True
    ) -> Any:
        """The number of occurrences of each value in its group, most frequent first."""
        columns, names = self._columns()
        options = dict(normalize=normalize, sort=sort, ascending=ascending, dropna=dropna)
        made = self._counted_with(list(names), columns, options)
        return made.astype("Float64" if normalize else "Int64") if columns[0].is_masked else made

    @native(percentiles=None, include=None, exclude=None)
    def describe(self, percentiles: Any = None, include: Any = None, exclude: Any = None) -> Any:
        """Count, mean, standard deviation, extremes and quartiles of each group."""
        if not self._groups.count:
            raise NotNative("no rows")
        if not self._options["as_index"]:
            raise NotNative("as_index=")
        made = self._described(self._columns()[0])
        return _classes.DataFrame._new(made, pandas.Index(list(_STATISTICS)), self._groups.index())

    @native(func=callable, dropna=True)
    def filter(self, func: Any, dropna: bool = True, *args: Any, **kwargs: Any) -> Any:
        """The rows of the groups for which a function is true."""
        return self._passing(func, args, kwargs, _is_true_of_series)

    def _ends(self, n: int, keep: str, ascending: bool) -> Any:
        if (
            keep != "first"
            or not is_integer(n)
            or n <= 0
            or not self._options["as_index"]
            or not self._options["group_keys"]
        ):
            raise NotNative("keep=, or no rows")
        groups, series = self._groups, self._all_rows()
        values = _value_numbers(series._column, ascending)
        if not len(values) or groups.count < 2:
            raise NotNative("fewer than two groups")
        order = _ordered(groups, [values])
        positions = Positions(groups)  # the groups have the same positions in that order
        chosen = positions.before < n if positions.in_group is None else (positions.before < n) & positions.in_group
        at = _core.take(order, bc.flatnonzero(chosen), 0)
        rows = groups.groups_of_rows()
        keys = [k.take(_core.take(rows, at, 0)) for k in groups.key_columns()]
        inner = series._index._take(at)
        index = _indexes.MultiIndex._make([*keys, *inner._columns], [*groups.names, *inner._names])
        index._ordered([*keys, *orders_of(inner)])
        return _classes.Series._new(series._column.take(at), index, series._name)

    @native
    def nlargest(self, n: int = 5, keep: str = "first") -> Any:
        """The n largest values of each group, largest first."""
        return self._ends(n, keep, False)

    @native
    def nsmallest(self, n: int = 5, keep: str = "first") -> Any:
        """The n smallest values of each group, smallest first."""
        return self._ends(n, keep, True)

    def _in_order(self, ascending: bool) -> Any:
        groups, c = self._groups, self._columns()[0][0]
        values = c.plain_values("iuf" if groups.count else "")
        positions = Positions(groups)
        values = _core.take(values, positions.order, 0)
        fits = values == values
        later = values[1:] >= values[:-1] if ascending else values[1:] <= values[:-1]
        fits[1:] = bc.where(positions.before[1:] > 0, later, fits[1:])
        codes = _core.take(groups.codes, positions.order, 0)
        made = _core.aggregate_columns(codes, groups.count, [(Core.plain(fits), "all", 1, -1)])[0]
        return _classes.Series._new(plain(made.values), groups.index(), self._all_rows()._name)

    @property
    def is_monotonic_increasing(self) -> Any:
        """Whether the values of each group are monotonically increasing."""
        return self._asked("is_monotonic_increasing", True)

    @property
    def is_monotonic_decreasing(self) -> Any:
        """Whether the values of each group are monotonically decreasing."""
        return self._asked("is_monotonic_decreasing", False)

    def _asked(self, name: str, ascending: bool) -> Any:
        try:
            if self._foreign is not None:
                raise NotNative(self._foreign)
            return self._in_order(ascending)
        except NotNative as why:
            return call(self, "__getattribute__", (name,), {}, str(why))

"""Group-by of frames and series by key columns."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .. import _classes, _fallback, _indexes
from .._columns.column import AnyColumn
from .._columns.dtypes import kept
from .._columns.grouping import Grouping, check_missing
from .._fallback.as_pandas import BetweenAsPandas, added_to_pandas, brings
from .._fallback.native import NotNative, native
from .._questions import is_list_like, labels_in, lists_labels
from .._stand_ins import labels_of
from .._theirs import follow, is_loaded, pandas
from .._travel import Travel
from .._window.methods import GroupWindows
from .agg import REDUCTIONS, Request, check_numeric_only, options_of
from .apply import GroupApply
from .in_parts import compute
from .keys import even_key, resolve
from .moments import FrameGroupMoments
from .resample import bins_of
from .resampled_groups import GroupsResampled
from .rows import GroupedRows, Nth
from .rows_of_groups import FrameGroupVerbs, SeriesGroupVerbs, rows_in_turns


def _reduction(op: str, doc: str) -> Callable:
    """The method that aggregates by `op`, with pandas' signature."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return self._reduce(op, options_of(op, args, kwargs, type(self).__name__))

    method.__name__, method.__doc__ = op, doc
    method.__qualname__ = f"GroupBy.{op}"
    made = native(method)

    @follow
    def signed() -> None:
        made.__signature__ = inspect.signature(getattr(pandas.core.groupby.DataFrameGroupBy, op))  # type: ignore[attr-defined]

    return made


class GroupBy(GroupWindows, GroupApply, GroupedRows, BetweenAsPandas, Travel):
    """Base of grouped frames and grouped series."""

    __module__ = "bascule.pandas"

    def __init__(self, obj: Any, options: dict[str, Any], found: Any = None, selection: Any = None):
        self._obj, self._options, self._selection = obj, options, selection
        self._foreign: str | None = None
        self._groups: Any = None
        self._own: set[int] = set()
        by = options["by"]
        if _is_plain_grouper(by) and options["level"] is None:  # which sorts the rows themselves, if at all
            options.update(by=by.key, level=by.level, sort=False, dropna=by.dropna)
            by = by.key
        if isinstance(by, GroupBy):
            self._foreign = by._foreign
            if self._foreign is not None:
                return
            found = by._groups, set()
        if found is None:
            try:
                if isinstance(by, pandas.core.resample.TimeGrouper) and options["level"] is None:
                    self._groups, self._own = bins_of(obj, by)
                    return
                keys, names, own, inside = resolve(obj, options["by"], options["level"], options["observed"])
                check_missing(keys, options["dropna"])
            except NotNative as why:
                self._foreign = str(why)
                return
            options["by"] = _by_for_pandas(obj, options["by"], names, inside)
            found = Grouping(keys, names, options["sort"], options["dropna"]), own
            found[0].even = even_key(obj._index, options["by"], options["level"], keys)
        self._groups, self._own = found

    def _device(self) -> str:
        return self._obj._device()

    def __bascule_to_pandas__(self) -> Any:
        o = dict(self._options)
        for name in ("by", "level"):
            if o[name] is None:
                del o[name]
            else:
                there = _fallback.to_pandas(o[name])
                o[name] = there._grouper if isinstance(o[name], GroupBy) else there
        grouped = self._obj.to_pandas().groupby(**o)
        return grouped if self._selection is None else grouped[self._selection]

    def __len__(self) -> int:
        return self.ngroups

    def __getattr__(self, name: str) -> Any:
        return self._private(name)

    def _private(self, name: str) -> Any:
        """A private attribute of pandas' groups, for programs that use pandas' internals."""
        if brings(name, 3):
            return getattr(self, name)
        if not is_loaded():
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        theirs = getattr(pandas.api.typing, type(self).__name__, object)
        if name.startswith("__") or "_options" not in self.__dict__ or not hasattr(theirs, name):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        added = added_to_pandas(self, theirs, name)
        if added is not None:
            return added
        return _fallback.run(f"{type(self).__name__}.{name}", "a private member", getattr, self, name)

    # ---- the groups
    @property
    def ngroups(self) -> int:
        """Number of groups."""
        if self._foreign is not None:
            return len(_fallback.call(self, "size", (), {}, self._foreign))
        return self._groups.count

    @property
    def nth(self) -> Nth:
        """Rows by their number within the group, as a method or by indexing."""
        return Nth(self)

    @property
    def _grouper(self) -> GroupBy:
        """The object that `by` accepts to group other rows of the same number in the same way."""
        return self

    # attributes of groups, and of their grouper, that pandas' functions read
    @property
    def _selected_obj(self) -> Any:
        return self._all_rows()

    def get_iterator(self, data: Any) -> Iterator[tuple[Any, Any]]:
        """Rows of the same number, group by group, each with its label."""
        return iter(data.groupby(self))

    @property
    def obj(self) -> Any:
        """The rows that are grouped."""
        return self._obj

    @property
    def as_index(self) -> bool:
        """Whether the keys become the labels of results, rather than columns."""
        return self._options["as_index"]

    def _columns(self) -> tuple[list[AnyColumn], pandas.Index]:
        """Columns to aggregate, and their labels."""
        raise NotImplementedError

    def _frame(self, columns: list[AnyColumn], names: pandas.Index) -> Any:
        """A frame with one row for each group; the keys are labels or, without as_index, columns in front."""

        if self._options["as_index"]:
            return _classes.DataFrame._new(columns, names, self._groups.index())
        keys = self._groups.key_columns()
        for i in reversed(range(len(keys))):
            name = self._groups.names[i]
            if name is None:
                name = "index" if len(keys) == 1 else f"level_{i}"
            if name in names:
                continue
            columns = [keys[i], *columns]
            if isinstance(names, pandas.MultiIndex) and not isinstance(name, tuple):
                name = (name,) + ("",) * (names.nlevels - 1)
            names = names.insert(0, name)
        return _classes.DataFrame._new(columns, names, _indexes.default(self._groups.count))

    sum = _reduction("sum", "Sum of each group; missing values do not count.")
    mean = _reduction("mean", "Mean of each group.")
    min = _reduction("min", "Least value of each group.")
    max = _reduction("max", "Greatest value of each group.")
    count = _reduction("count", "Number of values of each group that are not missing.")
    size = _reduction("size", "Number of rows of each group.")
    var = _reduction("var", "Variance of each group.")
    std = _reduction("std", "Standard deviation of each group.")
    sem = _reduction("sem", "Standard error of the mean of each group.")
    skew = _reduction("skew", "Skewness of each group.")
    kurt = _reduction("kurt", "Kurtosis of each group.")
    first = _reduction("first", "First value of each group that is not missing.")
    last = _reduction("last", "Last value of each group that is not missing.")
    prod = _reduction("prod", "Product of each group.")
    any = _reduction("any", "Whether any value of each group is true.")
    all = _reduction("all", "Whether all values of each group are true.")
    median = _reduction("median", "Median of each group.")
    _one_quantile = _reduction("quantile", "Quantile of each group.")
    nunique = _reduction("nunique", "Number of distinct values of each group.")

    @native
    def quantile(self, q: Any = 0.5, interpolation: str = "linear", numeric_only: bool = False) -> Any:
        """Quantile of each group; of several, each is a row of the group.

        Parameters
        ----------
        q : float or list of float
        interpolation : {"linear", "lower", "higher", "midpoint", "nearest"}
            pandas computes others than "linear".
        numeric_only : bool
        """
        options = {"interpolation": interpolation, "numeric_only": numeric_only}
        if not is_list_like(q) or np.ndim(q) != 1:
            return self._reduce("quantile", {"q": q, **options})
        shares = [float(v) for v in np.asarray(q).tolist()]
        if not self._options["as_index"] or len(set(shares)) != max(len(shares), 1):
            return self._reduce("quantile", {"q": shares, **options})  # which is not native
        return rows_in_turns([self._reduce("quantile", {"q": v, **options}) for v in shares], shares)

    def resample(self, rule: Any, *args: Any, **kwargs: Any) -> GroupsResampled:
        """Group the rows of each group by time bins, too.

        Parameters
        ----------
        rule : str, timedelta or offset
            Length of the bins.
        *args, **kwargs
            As of a frame's `resample`.

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> df = pd.DataFrame({"k": ["a", "b", "a"], "x": [1, 2, 4]}, pd.date_range("2024-01-01", periods=3))
        >>> df.groupby("k").x.resample("2D").sum().tolist()
        [1, 4, 2]
        """
        return GroupsResampled(self, (rule, *args), kwargs)

    def _reduce(self, op: str, options: dict[str, Any]) -> Any:
        raise NotImplementedError

    @native(engine=None, engine_kwargs=None)
    def agg(self, func: Any = None, *args: Any, engine: Any = None, engine_kwargs: Any = None, **kwargs: Any) -> Any:
        """Aggregate by one or several functions.

        Parameters
        ----------
        func : str, list of str, or dict of them by column, optional
            Names of aggregations; other functions run in pandas.
        engine, engine_kwargs : optional
            Only pandas' default engine has native code.
        **kwargs
            Named aggregations where `func` is missing, else arguments of `func`.

        Returns
        -------
        Series or DataFrame
            One row for each group.

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> df = pd.DataFrame({"key": ["a", "b", "a"], "x": [1, 2, 3]})
        >>> df.groupby("key").agg({"x": ["min", "max"]}).to_numpy().tolist()
        [[1, 3], [2, 2]]
        """
        if isinstance(func, str):
            if not hasattr(self, func) or func.startswith("_"):
                what = f"'{type(self).__name__}' object"
                of_frame = isinstance(self, DataFrameGroupBy)
                raise AttributeError(
                    f"'{func}' is not a valid function for {what}" if of_frame else f"{what} has no attribute '{func}'"
                )
            if kwargs.get("axis", 0) != 0 and isinstance(self, DataFrameGroupBy):
                raise ValueError(f"Operation {func} does not support axis=1")
            return getattr(self, func)(*args, **kwargs)
        if func is not None and (args or kwargs):
            raise NotNative("arguments for several aggregations")
        return self._aggregate(func, kwargs)

    aggregate = agg

    def _aggregate(self, func: Any, named: dict[str, Any]) -> Any:
        raise NotImplementedError


def _is_plain_grouper(by: Any) -> bool:
    """Whether a key is a Grouper that only names a column or a level."""
    return type(by) is pandas.Grouper and not by.sort and (by.key is None) != (by.level is None)


def _by_for_pandas(obj: Any, by: Any, names: list[Any], inside: list[bool]) -> Any:
    """Keys in the form for pandas: a column of the frame by its label."""
    if not any(inside):
        return by
    given = by if isinstance(by, list) else [by]
    made = [
        name if own and not isinstance(key, pandas.Grouper) else key for key, name, own in zip(given, names, inside)
    ]
    return made if isinstance(by, list) else made[0]


def _request(column: AnyColumn, how: Any, index: Any, functions: bool = False) -> Request:
    if functions and callable(how) and column.has_core and not column.is_masked:
        return Request(column, how)
    if not isinstance(how, str):
        raise NotNative(f"aggregation by a {type(how).__name__}")
    if how not in REDUCTIONS:
        if not hasattr(SeriesGroupBy, how):
            raise AttributeError(f"'SeriesGroupBy' object has no attribute '{how}'")
        raise NotNative(f"several aggregations with {how}")
    return Request(column, how, options_of(how, (), {}), index)


def _as_pair(x: Any) -> Any:
    """A NamedAgg without arguments as (column, function)."""
    if not isinstance(x, pandas.NamedAgg) or isinstance(x, tuple):
        return x
    if x.args or x.kwargs:
        raise NotNative("arguments for several aggregations")
    return x.column, x.aggfunc


def _named_functions(funcs: Any) -> list[tuple[Any, Any]]:
    """Label and function of each entry of a list of aggregations."""
    return [tuple(f) if isinstance(f, tuple) else (f, f) for f in funcs]


class SeriesGroupBy(SeriesGroupVerbs, GroupBy):
    """A series grouped by keys.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> s = pd.Series([1.0, 2.0, 4.0])
    >>> s.groupby([0, 1, 0]).mean().tolist()
    [2.5, 2.0]
    """

    __module__ = "bascule.pandas"

    @property
    def _column(self) -> AnyColumn:
        return self._series._column

    @property
    def _series(self) -> Any:
        return self._obj if self._obj.ndim == 1 else self._obj[self._selection]

    def _columns(self) -> tuple[list[AnyColumn], pandas.Index]:
        return [self._column], labels_of([self._series._name])

    def __getitem__(self, key: Any) -> Any:
        raise IndexError(f"Column(s) {self._series._name} already selected")

    def _like_rows(self, columns: list[AnyColumn], names: pandas.Index) -> Any:
        return self._series._like(columns[0])

    def _all_rows(self) -> Any:
        return self._series

    def _result(self, column: AnyColumn) -> Any:

        name = self._series._name
        if not self._options["as_index"]:
            return self._frame([column], pandas.Index([name]))
        return _classes.Series._new(column, self._groups.index(), name)

    idxmin = _reduction("idxmin", "Label of the row with the least value of each group, the first of equals.")
    idxmax = _reduction("idxmax", "Label of the row with the greatest value of each group, the first of equals.")

    def _reduce(self, op: str, options: dict[str, Any]) -> Any:
        if op == "size" and not self._options["as_index"]:
            made = compute(self._groups, [Request(self._column, "size")])
            return self._frame(made, pandas.Index(["size"]))
        check_numeric_only(op, options.get("numeric_only", False))
        if not kept([self._column], options.get("numeric_only")):
            raise TypeError(f"Cannot use numeric_only=True with SeriesGroupBy.{op} and non-numeric dtypes.")
        return self._result(compute(self._groups, [Request(self._column, op, options, self._obj._index)])[0])

    def _aggregate(self, func: Any, named: dict[str, Any]) -> Any:
        if func is None:
            if not named:
                raise TypeError("Must provide 'func' or named aggregation **kwargs.")
            pairs = list(named.items())
            for _, how in pairs:
                if isinstance(how, tuple) or not (isinstance(how, str) or callable(how)):
                    raise TypeError(f"func is expected but received {type(how).__name__} in **kwargs.")
        elif isinstance(func, dict):
            raise pandas.errors.SpecificationError("nested renamer is not supported")
        elif isinstance(func, list):
            pairs = _named_functions(func)
        elif callable(func):
            request = _request(self._column, func, self._obj._index, True)
            return self._result(self._with_functions([request], [self._series._name])[0])
        else:
            raise NotNative(f"aggregation by a {type(func).__name__}")
        requests = [_request(self._column, how, self._obj._index, func is None) for _, how in pairs]
        made = self._with_functions(requests, [self._series._name] * len(requests))
        return self._frame(made, labels_of([k for k, _ in pairs]))


class DataFrameGroupBy(FrameGroupMoments, FrameGroupVerbs, GroupBy):
    """A frame grouped by keys.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> df = pd.DataFrame({"key": ["a", "b", "a"], "x": [1.0, 2.0, 3.0]})
    >>> df.groupby("key").x.sum().tolist()
    [4.0, 2.0]
    """

    __module__ = "bascule.pandas"

    def _positions(self) -> list[int]:
        if self._selection is not None:
            return self._obj._positions_of(self._selection)
        return [i for i in range(len(self._obj._columns)) if i not in self._own]

    def _columns(self) -> tuple[list[AnyColumn], pandas.Index]:
        at = self._positions()
        return [self._obj._columns[i] for i in at], self._obj._names[at]

    def _like_rows(self, columns: list[AnyColumn], names: pandas.Index) -> Any:

        return _classes.DataFrame._new(columns, names, self._obj._index)

    def _all_rows(self) -> Any:
        return self._obj if self._selection is None else self._obj._select(self._positions())

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self._obj._names:
            return self[name]
        return self._private(name)

    def __getitem__(self, key: Any) -> Any:
        if self._selection is not None:
            raise IndexError(f"Column(s) {self._selection} already selected")
        found = None if self._groups is None else (self._groups, self._own)
        names = self._obj._names
        if lists_labels(key):
            labels = labels_in(key)
            missing = [k for k in labels if k not in names]
            if missing:
                raise KeyError(f"Columns not found: {str(missing)[1:-1]}")
            return self._part(DataFrameGroupBy, found, labels)
        if isinstance(key, tuple) and len(key) > 1:
            raise ValueError("Cannot subset columns with a tuple with more than one element. Use a list instead.")
        if key not in names:
            raise KeyError(f"Column not found: {key}")
        at = names.get_loc(key)
        if not isinstance(at, (int, np.integer)):
            return self._part(DataFrameGroupBy, found, [key])
        return self._part(SeriesGroupBy, found, key)

    def _part(self, kind: type, found: Any, selection: Any) -> Any:
        if self._foreign is None:
            return kind(self._obj, self._options, found, selection)
        part = object.__new__(kind)
        part.__dict__.update(self.__dict__, _selection=selection)
        return part

    idxmin = _reduction("idxmin", "Labels of the rows with the least value of each group, the first of equals.")
    idxmax = _reduction("idxmax", "Labels of the rows with the greatest value of each group, the first of equals.")

    def _reduce(self, op: str, options: dict[str, Any]) -> Any:
        if op == "size":
            made = compute(self._groups, [Request(None, "size")])
            if not self._options["as_index"]:
                return self._frame(made, pandas.Index(["size"]))

            return _classes.Series._new(made[0], self._groups.index(), None)
        check_numeric_only(op, options.get("numeric_only", False))
        columns, names = self._columns()
        if options.get("numeric_only"):
            keep = kept(columns)
            columns, names = [columns[i] for i in keep], names[keep]
        requests = [Request(c, op, options, self._obj._index) for c in columns]
        return self._frame(compute(self._groups, requests, together=True), names)

    def _aggregate(self, func: Any, named: dict[str, Any]) -> Any:
        if func is None:
            return self._by_names(named)
        if isinstance(func, list):
            columns, names = self._columns()
            if not func or not columns:
                raise NotNative("no aggregation")
            if len({k for k, _ in _named_functions(func)}) < len(func):
                raise pandas.errors.SpecificationError(
                    "Function names must be unique if there is no new column names assigned"
                )
            return self._several([(c, k, func) for c, k in zip(columns, names)], list(names.names))
        if isinstance(func, dict):
            return self._by_columns(func)
        raise NotNative(f"aggregation by a {type(func).__name__}")

    def _by_names(self, named: dict[str, Any]) -> Any:
        named = {k: _as_pair(v) for k, v in named.items()}
        if not named or not all(isinstance(v, tuple) and len(v) == 2 for v in named.values()):
            raise TypeError("Must provide 'func' or tuples of '(column, aggfunc).")
        self._need([column for column, _ in named.values()])
        index = self._obj._index
        at = {c: self._obj._position(c) for c, _ in named.values()}
        requests = [_request(self._obj._columns[at[c]], how, index, True) for c, how in named.values()]
        made = self._with_functions(requests, [c for c, _ in named.values()])
        return self._frame(made, labels_of(list(named)))

    def _need(self, labels: list[Any]) -> None:
        names = self._obj._names if self._selection is None else self._selection
        missing = [k for k in dict.fromkeys(labels) if k not in names]
        if missing:
            raise KeyError(f"Label(s) {missing} do not exist")
        if not self._obj._names.is_unique:
            raise NotNative("duplicate column labels")

    def _by_columns(self, func: dict[Any, Any]) -> Any:
        self._need(list(func))
        if not func:
            raise NotNative("no aggregation")
        columns = {k: self._obj._columns[self._obj._position(k)] for k in func}
        if any(isinstance(how, (list, tuple)) for how in func.values()):
            items = [(columns[k], k, how if isinstance(how, list) else [how]) for k, how in func.items()]
            return self._several(items, list(self._obj._names.names))
        index = self._obj._index
        made = self._with_functions([_request(columns[k], how, index, True) for k, how in func.items()], list(func))
        return self._frame(made, labels_of(list(func), self._obj._names.names))

    def _several(self, items: list[tuple[AnyColumn, Any, list]], names: list[Any]) -> Any:
        """Several aggregations of each column, labelled by both."""
        labels, requests = [], []
        for column, label, functions in items:
            for name, how in _named_functions(functions):
                labels.append((*label, name) if isinstance(label, tuple) else (label, name))
                requests.append(_request(column, how, self._obj._index))
        made = compute(self._groups, requests)
        return self._frame(made, pandas.MultiIndex.from_tuples(labels, names=[*names, None]))


_fallback.install(DataFrameGroupBy, lambda: pandas.core.groupby.DataFrameGroupBy)
_fallback.install(SeriesGroupBy, lambda: pandas.core.groupby.SeriesGroupBy)

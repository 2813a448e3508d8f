"""Base of all windows: the columns they take, the form of their results, their fallbacks to pandas."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .. import _classes, _fallback, _indexes
from .._columns.column import AnyColumn, ndarray, plain
from .._fallback.as_pandas import BetweenAsPandas, added_to_pandas, between_in_pandas, brings
from .._fallback.native import NotNative, native
from .._pipe import pipe
from .._questions import is_bool, is_integer, labels_in, lists_labels
from .._theirs import follow, pandas
from .._travel import Travel

FLOAT64 = np.dtype(np.float64)
INT64 = np.dtype(np.int64)


def like_theirs(own: type, find: Callable[[], type]) -> None:
    """Give the methods of a class the signatures of pandas, once pandas is imported."""

    def give() -> None:
        theirs = find()
        for name, method in vars(own).items():
            like = getattr(theirs, name, None)
            if not name.startswith("_") and inspect.isfunction(method) and inspect.isfunction(like):
                method.__signature__ = inspect.signature(like)  # type: ignore[attr-defined]

    follow(give)


def as_float64(c: AnyColumn) -> ndarray:
    """A column as float64 with NaN where values are missing; TypeError for times."""
    if c.own("windows over values that only pandas has a type for").times() is not None:
        raise TypeError(f"no windows over {c.dtype}")
    if not c.is_numeric:
        raise NotNative(f"windows over values of type {c.dtype}")
    values = _core.astype(c.values, FLOAT64, False, "K")
    return values if c.core.valid is None else bc.where(c.core.valid, values, np.nan)


def as_presence(c: AnyColumn) -> ndarray:
    """NaN where values are missing, any number where they are valid."""
    if c.is_numeric and c.has_core:
        return as_float64(c)
    return bc.where(c.missing(), np.nan, 1.0)


def is_number(c: AnyColumn) -> bool:
    """Whether numeric_only keeps a column of a frame."""
    return c.is_numeric and not c.selects_rows


class BaseWindow(BetweenAsPandas, Travel):
    """Windows over the rows of a frame or series.

    Attributes
    ----------
    obj : DataFrame or Series
    """

    pipe = pipe

    __module__ = "bascule.pandas"
    _attributes: tuple[str, ...] = ()

    def __init__(self, obj: Any, options: dict[str, Any], selection: Any = None):
        self.obj, self._options, self._selection = obj, options, selection
        self.__dict__.update(options)
        self._groups: Any = None  # see groups.py
        self._validate()

    min_periods: int | None
    method: str
    on: Any = None
    step: int | None = None
    closed: str | None = None
    center: bool = False

    # ---- what it is
    def _device(self) -> str:
        return self.obj._device()

    def _of_pandas(self, there: Any) -> Any:
        """pandas' windows over a copy of the rows."""
        raise NotImplementedError

    def __bascule_to_pandas__(self) -> Any:
        found = self._of_pandas(_fallback.to_pandas(self.obj))
        return found if self._selection is None else found[self._selection]

    def __repr__(self) -> str:
        there = ((n, getattr(self, n, None)) for n in self._attributes)
        return f"{type(self).__name__} [{','.join(f'{n}={v}' for n, v in there if v is not None)}]"

    def _validate(self) -> None:
        if self.center is not None and not is_bool(self.center):
            raise ValueError("center must be a boolean")
        if self.min_periods is not None:
            if not is_integer(self.min_periods):
                raise ValueError("min_periods must be an integer")
            if self.min_periods < 0:
                raise ValueError("min_periods must be >= 0")
            window = self.__dict__.get("window")
            if is_integer(window) and self.min_periods > window:
                raise ValueError(f"min_periods {self.min_periods} must be <= window {window}")
        if self.closed is not None and self.closed not in ("right", "both", "left", "neither"):
            raise ValueError("closed must be 'right', 'left', 'both' or 'neither'")
        if self.method not in ("table", "single"):
            raise ValueError("method must be 'table' or 'single")
        if self.step is not None:
            if not is_integer(self.step):
                raise ValueError("step must be an integer")
            if self.step < 0:
                raise ValueError("step must be >= 0")

    # ---- some of the columns
    def _part(self, selection: Any) -> Any:
        part = object.__new__(type(self))
        part.__dict__.update(self.__dict__, _selection=selection)
        return part

    def __getitem__(self, key: Any) -> Any:
        if self._selection is not None:
            raise IndexError(f"Column(s) {self._selection} already selected")
        if self.obj.ndim == 1:
            raise KeyError(f"Column not found: {key}")
        names = self.obj._names
        if isinstance(key, tuple) or lists_labels(key):
            labels = labels_in(key)
            missing = [k for k in dict.fromkeys(labels) if k not in names]
            if missing:
                raise KeyError(f"Columns not found: {str(missing)[1:-1]}")
            return self._part(labels)
        if key not in names:
            raise KeyError(f"Column not found: {key}")
        return self._part(key)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and self.obj.ndim == 2 and name in self.obj._names:
            return self[name]
        if brings(name):
            return getattr(self, name)
        added = None if name.startswith("_") else added_to_pandas(self, between_in_pandas(type(self)), name)
        if added is not None:
            return added
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        columns = self.obj._names if self.obj.ndim == 2 else []
        return sorted({*object.__dir__(self), *(n for n in columns if isinstance(n, str) and n.isidentifier())})

    @property
    def _selected_obj(self) -> Any:
        return self.obj if self._selection is None else self.obj[self._selection]

    @property
    def ndim(self) -> int:
        """1 for a series, 2 for a frame."""
        return self._selected_obj.ndim

    def _target(self, numeric_only: bool = False) -> Any:
        """The rows for the windows: without the column of times, and by group."""
        found = self._selected_obj
        if found.ndim == 2:
            keep = list(range(len(found._columns)))
            if self.on is not None and not isinstance(self.on, (_indexes.Index, pandas.Index)):
                keep = [i for i in keep if found._names[i] != self.on]
            if numeric_only:
                keep = [i for i in keep if is_number(found._columns[i])]
            if len(keep) < len(found._columns):
                found = found._select(keep)
        if self._groups is None:
            return found
        if self.on is not None and self._selection is not None:  # columns without keys are labelled by the times
            times = self.obj._columns[self.obj._position(self.on)]
            found = found._with(found._all_columns(), _indexes.from_column(times, self.on))
        return self._groups.in_order(found)

    def _check_numeric_only(self, name: str, numeric_only: bool) -> None:
        chosen = self._selected_obj
        if chosen.ndim == 1 and numeric_only and not chosen._column.is_numeric:
            raise NotImplementedError(f"{type(self).__name__}.{name} does not implement numeric_only")

    # ---- results
    def _rows(self, n: int) -> tuple:
        """The windows of n rows in the form for the core."""
        raise NotImplementedError

    def _least(self) -> int:
        """Number of values that a window needs."""
        raise NotImplementedError

    def _values(self, target: Any, read: Callable[[AnyColumn], ndarray]) -> list[ndarray]:
        made = []
        for c in target._all_columns():
            try:
                made.append(read(c))
            except TypeError as why:
                if target.ndim == 1:
                    raise pandas.errors.DataError("No numeric types to aggregate") from why
                raise pandas.errors.DataError(f"Cannot aggregate non-numeric type: {c.dtype}") from why
        return made

    def _each(self, name: str, numeric_only: bool, compute: Callable[[list[ndarray]], list[ndarray]]) -> Any:
        """Apply windows to every column separately."""
        if self.method != "single":
            raise NotNative("method='table'")
        self._check_numeric_only(name, numeric_only)
        target = self._target(numeric_only)
        arrays = self._values(target, as_presence if name == "count" else as_float64)
        made = compute(arrays) if arrays else []
        out = [plain(a) for a in made]
        index = target._index
        if out and len(out[0]) != len(index):
            index = index._slice(0, int(self.step or 1), len(out[0]))
        if target.ndim == 1:
            return self._finished(_classes.Series._new(out[0], index, target._name))
        if not out and self._selected_obj.shape[1] > 0 and numeric_only is False and self.on is None:
            raise pandas.errors.DataError("No numeric types to aggregate")
        return self._finished(self._with_on(target._with(out, index)))

    def _finished(self, result: Any) -> Any:
        return result if self._groups is None else self._groups.labelled(result)

    def _with_on(self, result: Any) -> Any:
        """The result with the column of times at its position, or last."""
        if self.on is None or isinstance(self.on, (_indexes.Index, pandas.Index)):
            return result
        if (self._groups is None and len(result) != len(self.obj)) or result._names.nlevels > 1:
            raise NotNative("on= with step= or several levels of labels")
        column = self.obj._columns[self.obj._position(self.on)]
        if self._groups is None and self._is_index(column):
            return result
        if self.on in result._index._names:
            return result
        if self._groups is not None:
            column = self._groups.in_order(self.obj._select([self.obj._position(self.on)]))._columns[0]
        names, columns = list(result._names), list(result._columns)
        chosen = list(self._selected_obj._names) if self._selected_obj.ndim == 2 else []
        before = set(chosen[: chosen.index(self.on)]) if self.on in chosen else None
        at = len(names) if before is None else sum(n in before for n in names)
        columns.insert(at, column)
        return type(result)._new(columns, result._names.insert(at, self.on), result._index)

    def _is_index(self, column: AnyColumn) -> bool:
        """Whether a column is the same as the row labels."""
        index = self.obj._index
        if index.nlevels > 1 or index._columns[0].inferred_type != column.inferred_type:
            return False
        if index.dtype != column.dtype:
            raise NotNative("on= a column of another unit than the index")
        return _indexes.from_column(column).equals(index)

    # ---- several aggregations
    def _by_name(self, func: Any, args: tuple, kwargs: dict) -> Any:
        if func.startswith("_") or not hasattr(type(self), func):
            raise AttributeError(f"'{func}' is not a valid function for '{type(self).__name__}' object")
        return getattr(self, func)(*args, **kwargs)

    @native
    def agg(self, func: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Aggregate by one or several functions.

        Parameters
        ----------
        func : str, list of str, or dict of them by column
            Names of aggregations; other functions run in pandas.
        *args, **kwargs
            Arguments of a single aggregation.

        Returns
        -------
        Series or DataFrame
            One row for each window.
        """
        if isinstance(func, str):
            return self._by_name(func, args, kwargs)
        if args or kwargs:
            raise NotNative("arguments for several aggregations")
        chosen = self._selected_obj
        if isinstance(func, dict) and chosen.ndim == 2:
            return self._by_column(func)
        if not isinstance(func, list) or not func or len({*map(str, func)}) < len(func):
            raise NotNative(f"aggregation by a {type(func).__name__}")
        _need_names(func)
        if chosen.ndim == 1:
            return _side_by_side([self._by_name(f, (), {}) for f in func], pandas.Index(func))
        if self.on is not None or not chosen._names.is_unique or chosen._names.nlevels > 1:
            raise NotNative("several aggregations with on=, or with duplicate or multi-level labels")
        columns = [n for n in chosen._names if n in self._target()._names]
        parts = [self._of_column(n)._by_name(f, (), {}) for n in columns for f in func]
        labels = [(n, f) for n in columns for f in func]
        return _side_by_side(parts, pandas.MultiIndex.from_tuples(labels, names=[*chosen._names.names, None]))

    aggregate = agg

    def _of_column(self, label: Any) -> Any:
        part = object.__new__(type(self))
        part.__dict__.update(self.__dict__, _selection=label)
        return part

    def _by_column(self, func: dict[Any, Any]) -> Any:
        chosen = self._selected_obj
        if not func or any(k not in chosen._names for k in func) or not chosen._names.is_unique:
            raise NotNative("aggregation of columns that are not there")
        several = any(isinstance(how, list) for how in func.values())
        for how in func.values():
            _need_names(how if isinstance(how, list) else [how])
        parts, labels = [], []
        for label, how in func.items():
            for f in how if isinstance(how, list) else [how]:
                parts.append(self._of_column(label)._by_name(f, (), {}))
                labels.append((label, f) if several else label)
        if any(p.ndim == 2 for p in parts) or (several and not all(isinstance(h, list) for h in func.values())):
            raise NotNative("aggregations of several shapes")
        return _side_by_side(parts, pandas.MultiIndex.from_tuples(labels) if several else pandas.Index(labels))

    def __iter__(self) -> Iterator[Any]:
        with _fallback.in_pandas(f"{type(self).__name__}.__iter__", "windows one by one", self._device()):
            parts = list(self.__bascule_to_pandas__())
        return (_fallback.from_pandas(part) for part in parts)


def _need_names(functions: list[Any]) -> None:
    for f in functions:
        if not isinstance(f, str):
            raise NotNative(f"aggregation by a {type(f).__name__}")
        if f in ("cov", "corr", "agg", "aggregate", "pipe", "apply"):
            raise NotNative(f"several aggregations with {f}")


def _side_by_side(parts: list[Any], names: pandas.Index) -> Any:
    """Results with the same labels as the columns of one frame."""
    if any(p.ndim != 1 for p in parts):
        raise NotNative("aggregations of several shapes")
    return _classes.DataFrame._new([p._column for p in parts], names, parts[0]._index)


def check_engine(engine: Any, engine_kwargs: Any) -> None:
    """NotNative for any engine other than pandas' default."""
    if engine not in (None, "cython") or engine_kwargs is not None:
        raise NotNative("engine=")

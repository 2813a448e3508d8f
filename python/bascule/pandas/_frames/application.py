"""Functions given by the user, groups and windows: apply, map, transform, agg, groupby, rolling, expanding, ewm."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _core
from .. import _classes, _fallback, _indexes
from .._base import Rows
from .._columns.column import AnyColumn
from .._columns.infer import from_values
from .._columns.results import called, mapped, of_results
from .._fallback import in_pandas
from .._fallback.calls import call as call_pandas
from .._fallback.calls import from_pandas, to_pandas
from .._fallback.carried import finish
from .._fallback.native import NotNative, native
from .._groupby.groupby import DataFrameGroupBy, SeriesGroupBy
from .._pipe import pipe
from .._questions import is_dict_like, is_list_like
from .._reshape.rows import frame_of_lists, frame_of_rows, rows_of
from .._reshape.shapes import row_labels
from .._stand_ins import labels_of
from .._theirs import pandas
from .._window.ewm import ExponentialMovingWindow
from .._window.expanding import Expanding
from .._window.methods import made_window
from .._window.rolling import Rolling
from .statistics.reductions import by_name, names_only

_KEEPING = frozenset("abs cumsum cumprod cummin cummax diff shift rank ffill bfill isna notna pct_change round".split())


def _maps(func: Any) -> bool:
    return callable(func) and not is_dict_like(func)


_RESULT_TYPES = (None, "reduce", "expand")
_REDUCING = frozenset("sum mean min max prod std var sem median count any all nunique skew kurt".split())


def _by_ufunc(x: Any, func: np.ufunc, args: tuple, kwargs: dict) -> Any:
    if args or kwargs or func.nin != 1 or func.nout != 1:
        raise NotNative("a ufunc of several operands")
    with np.errstate(all="ignore"):
        return func(x)


def _is_sequence(x: Any) -> bool:
    if isinstance(x, (str, bytes)) or getattr(x, "ndim", 1) == 0:
        return False
    return hasattr(x, "__iter__") and hasattr(x, "__len__")


def is_function(func: Any) -> bool:
    """Whether a user gives one Python function rather than a name, several, or a class."""
    return callable(func) and not is_list_like(func)


def _on_all(x: Any, func: Any, args: tuple, kwargs: dict) -> Callable[[], Any]:
    try:
        made = func(x, *args, **kwargs)
    except TypeError:
        raise
    except Exception as err:
        raise ValueError("Transform function failed") from err
    return lambda: made


class Application(Rows):
    """Functions given by the user, groups and windows of frames; SeriesApplication has those of series that differ."""

    pipe = pipe

    @native(axis=(0, 1, "index", "columns"), result_type=_RESULT_TYPES, engine=None, engine_kwargs=None)
    def apply(
        self, func: Any, axis: Any = 0, raw: bool = False, result_type: Any = None, args: tuple = (), by_row: Any = "compat", engine: Any = None, engine_kwargs: Any = None,
        **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Apply a function to each column or row: a ufunc, the name of a method, or a Python function.

        Parameters
        ----------
        func : function, str
        axis, raw, result_type, args, by_row, engine, engine_kwargs, **kwargs
            As pandas'.
        """
        if 0 in self.shape:
            raise NotNative("no rows or columns")
        across = axis in (1, "columns")
        if isinstance(func, str):
            found = self._by_name(func)
            if (across and func not in _REDUCING) or func in ("size", "agg", "apply") or not callable(found):
                raise NotNative(f"apply by {func}")
            return found(*args, **({"axis": 1} if across else {}), **kwargs)
        if not is_function(func):
            raise NotNative("several functions")
        if isinstance(func, np.ufunc):
            return _by_ufunc(self, func, args, kwargs)
        if raw:
            return self._by_arrays(func, across, args, kwargs)
        if across:
            return self._by_rows(func, args, kwargs, result_type)
        return self._called(func, args, kwargs, result_type)()

    def _called(self, func: Any, args: tuple, kwargs: dict, result_type: Any = None) -> Callable[[], Any]:
        parts = [self._series(i) for i in range(len(self._columns))]
        parts = parts if self._plain else [finish(self, p) for p in parts]
        results = [from_pandas(func(p, *args, **kwargs)) for p in parts]
        return lambda: self._of_columns(results, result_type)

    def _of_columns(self, results: list[Any], result_type: Any) -> Any:
        """The result of `apply` of what a function returned for each column."""
        if not _is_sequence(results[0]):
            return _classes.Series._new(of_results(results), row_labels(self._names))
        if result_type != "reduce" and all(isinstance(r, _classes.Series) for r in results):
            first = results[0]._index
            if all(r._index is first or r._index.equals(first) for r in results):
                return self._new([r._column for r in results], self._names, first)
        return self._combined(results, {"result_type": result_type})

    def _by_rows(self, func: Callable, args: tuple, kwargs: dict, result_type: Any) -> Any:
        rows = rows_of(self)
        if not self._plain:
            rows = (finish(self, r) for r in rows)
        results = [from_pandas(func(r, *args, **kwargs)) for r in rows]
        first = results[0]
        of_series = isinstance(first, _classes.Series)
        if not _is_sequence(first) or (not of_series and result_type != "expand"):
            return _classes.Series._new(of_results(results), self._index)
        made = frame_of_rows(results, self._index, True) if of_series else frame_of_lists(results, self._index)
        return self._combined(results, {"axis": 1, "result_type": result_type}) if made is None else made

    def _by_arrays(self, func: Callable, across: bool, args: tuple, kwargs: dict) -> Any:
        """A function that is called with NumPy's arrays."""
        values = self.to_numpy()
        if not _are_numbers(values):
            raise NotNative("arrays of several types")
        made = np.apply_along_axis(func, int(across), values, *args, **kwargs)
        if not _are_numbers(made):
            raise NotNative("results that are not numbers")
        if made.ndim == 2:
            return _classes.DataFrame(made, index=self._index, columns=self._names)
        return _classes.Series(made, index=self._index if across else row_labels(self._names))

    def _combined(self, results: list[Any], options: dict[str, Any]) -> Any:
        """Have pandas combine results of unusual kinds; the function is not called again."""
        ready = iter(results)
        reason = "results that are no columns or rows of the same labels"
        return call_pandas(self, "apply", (lambda _: to_pandas(next(ready)),), options, reason)

    @native(func=_maps, na_action=(None, "ignore"))
    def map(self, func: Any, na_action: Any = None, **kwargs: Any) -> Any:
        """Apply a function to each value."""
        if 0 in self.shape:
            raise NotNative("no rows or columns")
        floats = all(c.dtype == np.float64 for c in self._columns)
        if isinstance(func, np.ufunc) and na_action is None and floats:
            return _by_ufunc(self, func, (), kwargs)
        one = functools.partial(func, **kwargs) if kwargs else func
        return self._with([mapped(c, one, na_action == "ignore") for c in self._columns], self._index)

    def _by_name(self, name: str) -> Any:
        """The attribute of that name, which a user gives as a function."""
        if not hasattr(self, name) or name.startswith("_"):
            raise AttributeError(f"'{name}' is not a valid function for '{type(self).__name__}' object")
        return getattr(self, name)

    @native(axis=(0, "index"))
    def transform(self, func: Any, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        """Apply a ufunc or a method by its name, with one result for each value; other functions run in pandas."""
        if isinstance(func, np.ufunc):
            return _by_ufunc(self, func, args, kwargs)
        if not isinstance(func, str):
            return self._transformed(func, args, kwargs)
        if func in _REDUCING:
            raise ValueError("Function did not transform")
        if func not in _KEEPING:
            raise NotNative(f"transform by {func}")
        return getattr(self, func)(*args, **kwargs)

    def _transformed(self, func: Any, args: tuple, kwargs: dict) -> Any:
        """The results of a Python function for each value or column, or for the whole object where it fails for one."""
        if not is_function(func) or not len(self) or not self._all_columns():
            raise NotNative("several functions, or no rows or columns")
        try:
            finished = self._called(func, args, kwargs)
        except NotNative:
            raise
        except Exception:  # whatever the function raises
            finished = _on_all(self, func, args, kwargs)
        made = from_pandas(finished())
        if isinstance(made, Rows) and made.empty and not self.empty:
            raise ValueError("Transform function failed")
        if not isinstance(made, Rows) or not (made._index is self._index or made._index.equals(self._index)):
            raise ValueError("Function did not transform")
        return made

    def agg(self, func: Any = None, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        """Reduce every column by the name of a method, by several, or by a dict of column to name or names."""
        if func is not None and axis in (0, "index"):
            if isinstance(func, str):
                return by_name(self, func, args, kwargs)
            if not args and not kwargs and self._names.is_unique:
                with contextlib.suppress(NotNative):
                    return self._agg(func)
        return self._call_pandas("agg", (func, axis, *args), kwargs, reason="Python functions, or options")

    aggregate = agg

    def _agg(self, func: Any) -> Any:
        if isinstance(func, dict):
            return self._agg_by_label(func)
        for c in self._columns:
            c.plain_values("biuf")  # pandas decides about the common type of several reductions
        if not (names_only(func) and isinstance(func, list) and self._columns):
            raise NotNative("Python functions, or options")
        tables = [self._series(i).agg(func) for i in range(len(self._columns))]
        return self._new([t._column for t in tables], self._names, tables[0]._index)

    def _agg_by_label(self, func: dict[Any, Any]) -> Any:
        """Reductions of some columns by their names: a value for each column, or a column of several."""
        if not func or any(k not in self._names or self._is_part_of_a_label(k) for k in func):
            raise NotNative("labels that are none of single columns")
        for k in func:
            self._columns[self._position(k)].plain_values("biuf")
        if all(isinstance(v, str) and v in _REDUCING for v in func.values()):
            results = [getattr(self[k], v)() for k, v in func.items()]
            return self._constructor_sliced._new(from_values(results), _indexes.ensure(list(func)))
        lists = {k: v if isinstance(v, list) else [v] for k, v in func.items()}
        if not all(names_only(v) for v in lists.values()):
            raise NotNative("Python functions, or options")
        labels = list(dict.fromkeys(name for names in lists.values() for name in names))
        made = [self[k].agg(names).reindex(labels)._column for k, names in lists.items()]
        return self._new(made, labels_of(list(func)), _indexes.ensure(labels))

    def groupby(
        self,
        by: Any = None,
        level: Any = None,
        *,
        as_index: bool = True,
        sort: bool = True,
        group_keys: bool = True,
        observed: bool = True,
        dropna: bool = True,
    ) -> DataFrameGroupBy:
        """Group rows by keys.

        Parameters
        ----------
        by : label, list of labels, array-like, Series
            Keys: columns, levels of the index, values for each row, functions or dictionaries of labels, bins of time.
        level : int, label, or list of them, optional
            Levels of the index to group by.
        as_index : bool
            Keys become the labels of results, else their first columns.
        sort : bool
            Results follow the keys, else the first appearance of each.
        group_keys : bool
            Add the keys as labels to results of apply that do not have one row for each group.
        observed : bool
            Only categories with rows are groups; otherwise, where some have none, it runs in pandas.
        dropna : bool
            Rows with a missing key are left out, else they form groups, last.

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> df = pd.DataFrame({"key": ["a", "b", "a"], "x": [1.0, 2.0, 3.0]})
        >>> df.groupby("key").x.mean().tolist()
        [2.0, 2.0]
        """
        options = dict(
            by=by, level=level, as_index=as_index, sort=sort, group_keys=group_keys, observed=observed, dropna=dropna
        )
        return DataFrameGroupBy(self, options)

    def rolling(
        self, window: Any, min_periods: int | None = None, center: bool = False, win_type: str | None = None,
        on: Any = None, closed: str | None = None, step: int | None = None, method: str = "single",
    ) -> Rolling:  # fmt: skip
        """Rolling windows.

        Parameters
        ----------
        window : int, str, timedelta or offset
            Number of rows, or the duration before each row that its window spans; indexers run in pandas.
        min_periods : int, optional
            Values that a result needs: by default as many as the window has rows, or one where it spans a duration.
        center : bool
            Whether windows are centered at their row, else they end there.
        win_type : str, optional
            Weights by SciPy's windows run in pandas.
        on : label, optional
            Column of times to measure by instead of the index.
        closed : {"right", "left", "both", "neither"}, optional
            The ends that belong to the windows; the right one by default.
        step : int, optional
            Only every `step`-th window is computed.
        method : {"single", "table"}
            Windows over whole tables run in pandas.

        Returns
        -------
        Rolling

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> pd.Series([1.0, 2.0, 4.0]).rolling(2).sum().tolist()
        [nan, 3.0, 6.0]
        """
        options = dict(window=window, min_periods=min_periods, center=center, win_type=win_type, on=on, closed=closed, step=step, method=method)  # fmt: skip
        return made_window(self, "rolling", Rolling, options)

    def expanding(self, min_periods: int = 1, method: str = "single") -> Expanding:
        """Expanding windows: each row and all rows before it.

        Parameters
        ----------
        min_periods : int
            Values that a result needs.
        method : {"single", "table"}
            Windows over whole tables run in pandas.

        Returns
        -------
        Expanding

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> pd.Series([1.0, 2.0, 6.0]).expanding().mean().tolist()
        [1.0, 1.5, 3.0]
        """
        return made_window(self, "expanding", Expanding, dict(min_periods=min_periods, method=method))

    def ewm(
        self, com: float | None = None, span: float | None = None, halflife: Any = None, alpha: float | None = None,
        min_periods: int | None = 0, adjust: bool = True, ignore_na: bool = False, times: Any = None, method: str = "single",
    ) -> ExponentialMovingWindow:  # fmt: skip
        """Exponentially weighted windows of each row and all rows before it.

        Parameters
        ----------
        com, span, halflife, alpha : float, optional
            One of them determines the decay of weights; with `times`, a half-life is a duration.
        min_periods : int
            Values that a result needs.
        adjust : bool
            Whether weights are divided by their sum, else the newest value has a fixed weight.
        ignore_na : bool
            Whether missing values have no effect on the weights of others.
        times : array-like of datetime64, optional
            Time of each row.
        method : {"single", "table"}
            Windows over whole tables run in pandas.

        Returns
        -------
        ExponentialMovingWindow

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> pd.Series([1.0, 2.0]).ewm(com=1).mean().tolist()
        [1.0, 1.6666666666666667]
        """
        options = dict(com=com, span=span, halflife=halflife, alpha=alpha, min_periods=min_periods, adjust=adjust, ignore_na=ignore_na, times=times, method=method)  # fmt: skip
        return made_window(self, "ewm", ExponentialMovingWindow, options)


class SeriesApplication(Application):
    """Functions given by the user, and groups, of series."""

    @native(by_row=(False, "compat"))
    def apply(self, func: Any, args: tuple = (), *, by_row: Any = "compat", **kwargs: Any) -> Any:
        """Apply a ufunc or a method by its name to the whole series, or a Python function to each value."""
        if isinstance(func, str):
            found = self._by_name(func)
            return found(*args, **kwargs) if callable(found) else found
        if isinstance(func, np.ufunc):
            return _by_ufunc(self, func, args, kwargs)
        if not is_function(func):
            raise NotNative("several functions")
        if not len(self):
            return self._like(self._column)
        if not by_row:
            return func(self, *args, **kwargs)
        return self._called(func, args, kwargs)()

    def _called(self, func: Any, args: tuple, kwargs: dict) -> Callable[[], Any]:
        found = called(self._column, func if not args and not kwargs else lambda x: func(x, *args, **kwargs))
        if isinstance(found[0], Rows | pandas.Series):
            return lambda: self._rows_of_results(list(map(from_pandas, found)))
        return lambda: self._like(of_results(found))

    def _rows_of_results(self, found: list[Any]) -> Any:
        """A frame of the series that a function returned for each value."""
        frame = frame_of_rows(found, self._index, False)
        if frame is not None:
            return frame
        with in_pandas("Series.apply", "series of several labels or types"):
            return from_pandas(pandas.DataFrame(to_pandas(found), index=self._index.to_pandas()))

    @native(axis=(0, "index"))
    def agg(self, func: Any = None, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        """Reduce by a method's name; a list of names gives a series of results."""
        if func is None:
            raise NotNative("no function")
        if isinstance(func, str):
            return by_name(self, func, args, kwargs)
        of_numbers = "" if args or kwargs or not names_only(func) else "biuf"
        self._column.plain_values(of_numbers, "Python functions, or values that are not numbers")
        wanted = func if isinstance(func, dict) else {n: n for n in func}
        results = [getattr(self, n)() for n in wanted.values()]
        return self._new(from_values(results), _indexes.ensure(list(wanted)), self._name)

    aggregate = agg

    @native(na_action=(None, "ignore"), engine=None)
    def map(self, func: Any = None, na_action: Any = None, engine: Any = None, **kwargs: Any) -> Any:
        """Replace each value by that of a dict or series, or by the result of a function."""
        return self._like(self._mapped(func, na_action == "ignore", kwargs))

    def _mapped(self, func: Any, skip_missing: bool, kwargs: dict[str, Any]) -> AnyColumn:
        is_table = isinstance(func, (dict, pandas.Series)) or (isinstance(func, Rows) and func.ndim == 1)
        if not is_table:
            if not callable(func) or is_dict_like(func):
                raise NotNative(f"a mapper of type {type(func).__name__}")
            return mapped(self._column, functools.partial(func, **kwargs) if kwargs else func, skip_missing)
        if hasattr(type(func), "__missing__"):
            return mapped(self._column, lambda x: func[np.nan if isinstance(x, float) and x != x else x], skip_missing)
        if isinstance(func, dict):
            if not func:
                raise NotNative("an empty dict")
            func = _classes.Series(func)
        table = _fallback.from_pandas(func)
        if skip_missing:
            table = table[table.index.notna()]
        return looked_up(self._column, table._index, table._column)

    def groupby(
        self,
        by: Any = None,
        level: Any = None,
        *,
        as_index: bool = True,
        sort: bool = True,
        group_keys: bool = True,
        observed: bool = True,
        dropna: bool = True,
    ) -> SeriesGroupBy:
        """Group rows by keys; see DataFrame.groupby."""
        if not as_index:
            raise TypeError("as_index=False only valid with DataFrame")
        options = dict(
            by=by, level=level, as_index=as_index, sort=sort, group_keys=group_keys, observed=observed, dropna=dropna
        )
        return SeriesGroupBy(self, options)


def _are_numbers(a: np.ndarray) -> bool:
    return np.can_cast(a.dtype, np.float64, "same_kind")


def looked_up(c: AnyColumn, keys: _indexes.Index, values: AnyColumn) -> AnyColumn:
    """The value of each row's key; missing where the key does not exist."""
    if keys._own is None or keys.nlevels > 1 or len(c) == 0:
        raise NotNative("keys of types that only pandas has")
    c.own("keys of types that only pandas has")
    at = keys._columns[0]
    if at.dtype != c.dtype:
        raise NotNative("keys of another type")
    if not keys.is_unique:
        raise pandas.errors.InvalidIndexError("Reindexing only valid with uniquely valued Index objects")
    at = keys._own.positions_of(_core.Labels([c.core]))
    return c.of_lookup(values.take(at, bool((at < 0).any())))

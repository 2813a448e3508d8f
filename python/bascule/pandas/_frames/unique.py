"""Functions of distinct values: unique, factorize."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .. import _fallback
from .._columns.column import has_own_form, ndarray, plain
from .._columns.unique import distinct, factorized
from .._theirs import is_loaded, pandas


def _of_numpy(x: Any) -> bool:
    """Whether it is an array of NumPy with a type that bascule has."""
    return isinstance(x, np.ndarray) and x.ndim == 1 and has_own_form(x.dtype)


def unique(values: Any) -> Any:
    """Unique values of a series, index or array in order of first appearance.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.unique(pd.Series([2, 1, 2])).tolist()
    [2, 1]
    """
    if hasattr(values, "_all_columns") or hasattr(values, "get_level_values"):
        found = _fallback.from_pandas(values).unique()
        times = (pandas.arrays.DatetimeArray, pandas.arrays.TimedeltaArray) if is_loaded() else ()
        if isinstance(found, times) and getattr(found, "tz", None) is None and hasattr(values, "_all_columns"):
            return _core.from_numpy(np.asarray(found))
        return found
    if type(values) is ndarray and values.ndim == 1:
        return distinct(plain(values)).values
    if _of_numpy(values):
        return _core.to_numpy(unique(_core.from_numpy(values)))
    return _fallback.run("pandas.unique", "values of other kinds", pandas.unique, values)


def factorize(
    values: Any, sort: bool = False, use_na_sentinel: bool = True, size_hint: int | None = None
) -> tuple[Any, Any]:
    """Encode the values of a series, index or array as integers, with the unique values.

    Parameters
    ----------
    values : Series, Index or array, shape (n,)
    sort : bool
        Number in the order of the values rather than of first appearance.
    use_na_sentinel : bool
        Missing values get -1 rather than a code.
    size_hint : int, optional
        Without effect: tables grow as needed.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> codes, values = pd.factorize(pd.Series(["b", "a", "b"]))
    >>> codes.tolist(), values.tolist()
    ([0, 1, 0], ['b', 'a'])
    """
    if isinstance(values, (pandas.Series, pandas.Index)):
        values = _fallback.from_pandas(values)
    if hasattr(values, "_all_columns") or hasattr(values, "get_level_values"):
        return values.factorize(sort=sort, use_na_sentinel=use_na_sentinel)
    if type(values) is ndarray and values.ndim == 1:
        codes, found = factorized(plain(values), sort, use_na_sentinel)
        return codes, found.values
    if _of_numpy(values):
        codes, found = factorized(plain(_core.from_numpy(values)), sort, use_na_sentinel)
        return _core.to_numpy(codes), _core.to_numpy(found.values)
    options = dict(sort=sort, use_na_sentinel=use_na_sentinel, size_hint=size_hint)
    return _fallback.run("pandas.factorize", "values of other kinds", pandas.factorize, values, **options)

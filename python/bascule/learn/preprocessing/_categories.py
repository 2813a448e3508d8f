"""Columns of numbers, strings and objects by their distinct values, and each value's place among categories.

scikit-learn's rules of categories (order, missing values, unknown ones, errors) depend on the distinct values alone, so
its own functions are called with these; what reads all rows is computed here.
"""

from __future__ import annotations

import sys
from itertools import repeat
from typing import Any

import numpy as np
from sklearn.utils._encode import _check_unknown, _encode
from sklearn.utils.validation import check_array

from ... import _core, searchsorted, unique
from .._kinds import is_frame, shared, to_host


def is_table(X: Any) -> bool:
    """Whether X is a frame with rows, of bascule or of pandas."""
    if getattr(X, "ndim", 0) != 2 or not hasattr(X, "iloc") or not len(X):
        return False
    pandas = sys.modules.get("pandas")
    return is_frame(X) or (pandas is not None and isinstance(X, pandas.DataFrame))


_OF_STRINGS = ("str", "category")  # names of types


def is_strings(x: Any) -> bool:
    """Whether x is a series of bascule with strings or categories."""
    return is_frame(x) and getattr(getattr(x, "dtype", None), "name", "") in _OF_STRINGS


def column(series: Any, ensure_all_finite: Any = True) -> Any:
    """A series of strings or categories as one of bascule; of another kind, after scikit-learn's checks, as NumPy's array."""
    if is_strings(series):
        return series
    if series.dtype.name in _OF_STRINGS:
        from ...pandas import from_pandas

        return from_pandas(series)
    if is_frame(series) and type(series.values) is _core.ndarray:
        series = to_host(series.values)
    return check_array(series, ensure_2d=False, dtype=None, ensure_all_finite=ensure_all_finite)


def distinct(values: Any, counted: bool = False) -> tuple[np.ndarray, np.ndarray | None]:
    """The values of a column, each number, string of a series and counted value once, in no order, and how often they occur.

    Parameters
    ----------
    values : array or series, shape (n,)
        NumPy's array, or a series of strings or categories.
    counted : bool
        Count them, too.
    """
    if _is_numeric(values):
        found: Any = unique(_comparable(values), return_counts=counted)
        once, counts = found if counted else (found, None)
        return _as(to_host(once), values.dtype), None if counts is None else to_host(counts)
    if not is_frame(values) and not counted:
        return values, None  # a set of Python's objects, which scikit-learn makes, is as fast as can be
    once, codes = factorized(values)
    return once, np.bincount(codes, minlength=len(once)) if counted else None


def placed(values: Any, categories: np.ndarray) -> tuple[np.ndarray, np.ndarray | None, list[Any]]:
    """The place of each value among the categories, which values are known (None if all are), and the unknown ones."""
    if _is_numeric(values) and _is_numeric(categories):
        codes, known = _placed_numbers(values, categories)
        return codes, known, [] if known is None else _check_unknown(values[~known], categories)
    if not is_frame(values) and not _is_numeric(categories):
        positions = {v: k for k, v in enumerate(categories.tolist())}
        codes = np.fromiter(map(positions.get, values.tolist(), repeat(-1)), np.int64, len(values))
        if (codes >= 0).all():
            return codes, None, []
    once, codes = factorized(values)
    unknown, of_once = _check_unknown(once, categories, return_mask=True)
    table = np.zeros(len(once), np.int64)
    table[of_once] = _encode(once[of_once], uniques=categories, check_unknown=False)
    return table[codes], of_once[codes] if unknown else None, unknown


def _placed_numbers(values: np.ndarray, categories: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    rows, among = _comparable(values), _comparable(categories)
    codes = to_host(searchsorted(among, rows))
    np.minimum(codes, len(categories) - 1, out=codes)
    known = categories[codes] == values
    if values.dtype.kind == "f" and categories[-1] != categories[-1]:
        known |= values != values
    return codes, None if known.all() else known


def factorized(values: Any) -> tuple[np.ndarray, np.ndarray]:
    """The distinct values, and the place of each value among them; missing ones come last."""
    if not is_frame(values):
        items = values.tolist()
        table = {v: k for k, v in enumerate(dict.fromkeys(items))}
        return _array(table, values.dtype), np.fromiter(map(table.__getitem__, items), np.int64, len(items))
    if values.dtype.name == "category":
        codes, labels = values.cat.codes.values, values.cat.categories
    else:
        from ...pandas import factorize

        codes, labels = factorize(values)
    codes = to_host(codes).astype(np.int64)
    once = np.asarray(labels)
    once = once if once.dtype.kind in "biufcmM" else once.astype(object)
    missing = codes < 0
    if missing.any():
        codes[missing] = len(once)
        once = np.append(once.astype(float) if once.dtype.kind in "iu" else once, np.nan)
    present = np.bincount(codes, minlength=len(once)) > 0
    if present.all():
        return once, codes
    return once[present], (np.cumsum(present) - 1)[codes]  # of categories some may not occur


def _is_numeric(values: Any) -> bool:
    return type(values) is np.ndarray and values.dtype.kind in "biuf" and values.dtype.itemsize <= 8


def _comparable(values: np.ndarray) -> Any:
    """NumPy's array as one of bascule; truth values as bytes, which are ordered, too."""
    values = np.ascontiguousarray(values)
    return shared(values.view(np.uint8) if values.dtype.kind == "b" else values)


def _as(once: np.ndarray, dtype: np.dtype) -> np.ndarray:
    return once.view(dtype) if dtype.kind == "b" else once


def _array(labels: Any, dtype: np.dtype) -> np.ndarray:
    made = np.empty(len(labels), dtype)
    made[:] = list(labels)
    return made

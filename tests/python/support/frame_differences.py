"""Differences between a result of bascule and pandas' own: all that a user can see is compared."""

from __future__ import annotations

import warnings
from typing import Any

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pandas.testing
from frames import ours

_TOLERANCE = {"rtol": 1e-9, "atol": 1e-9}


def _scalars(found: Any, expected: Any) -> str:
    if type(found) is not type(expected):
        return f"type {type(found).__name__}, expected {type(expected).__name__}"
    if isinstance(expected, (float, complex, np.inexact)):
        same = found == expected or (found != found and expected != expected)
        same = same or np.isclose(found, expected, rtol=1e-5 if isinstance(expected, np.float32) else 1e-9, atol=1e-9)
        return "" if same else f"{found!r}, expected {expected!r}"
    if expected is pandas.NaT or expected is pandas.NA or expected is None:
        return "" if found is expected else f"{found!r}, expected {expected!r}"
    return "" if repr(found) == repr(expected) else f"{found!r}, expected {expected!r}"


def _of_pandas(x: Any) -> Any:
    return x.to_pandas() if type(x).__module__.startswith("bascule") else x


def _indexes(found: Any, expected: pandas.Index) -> str:
    if not isinstance(found, (pd.Index, pandas.Index)):
        return f"type {type(found).__name__}, expected {type(expected).__name__}"
    if type(found).__name__ != type(expected).__name__:
        return f"class of labels {type(found).__name__}, expected {type(expected).__name__}: {expected!r}"
    there = _of_pandas(found)
    if not all(a is b or a == b or (a != a and b != b) for a, b in zip(there.names, expected.names, strict=True)):
        return f"names {list(there.names)}, expected {list(expected.names)}"
    if getattr(found, "freq", None) != getattr(expected, "freq", None):
        return f"freq {found.freq!r}, expected {expected.freq!r}"
    if (
        expected.nlevels > 1 and not len(expected) and type(there) is type(expected)
    ):  # pandas keeps a type of gone labels
        types = [level.dtype for level in there.levels], [level.dtype for level in expected.levels]
        return "" if types[0] == types[1] and not len(there) else f"levels of types {types[0]}, expected {types[1]}"
    try:
        pandas.testing.assert_index_equal(there, expected, exact=True)
    except AssertionError as e:
        return f"labels: {str(e).splitlines()[0]}: {there!r}, expected {expected!r}"
    return _objects(list(there), list(expected)) if expected.dtype == object and expected.nlevels == 1 else ""


def _objects(found: list, expected: list) -> str:
    for a, b in zip(found, expected):
        said = difference(a, b)
        if said:
            return f"element: {said}"
    return ""


def _rows(found: Any, expected: Any) -> str:
    there = _of_pandas(found)
    if not isinstance(found, (pandas.DataFrame, pandas.Series, pd.DataFrame, pd.Series)) or found.ndim != expected.ndim:
        return f"type {type(found).__name__}, expected {type(expected).__name__}"
    if found.shape != expected.shape:
        return f"shape {found.shape}, expected {expected.shape}"
    said = _indexes(found.index, expected.index)
    if said:
        return f"rows: {said}"
    if expected.ndim == 2:
        said = _indexes(found.columns, expected.columns)
        if said:
            return f"columns: {said}"
    elif difference(found.name, expected.name):
        return f"name {found.name!r}, expected {expected.name!r}"
    if found.attrs != expected.attrs:
        return f"attrs {found.attrs}, expected {expected.attrs}"
    columns = range(expected.shape[1]) if expected.ndim == 2 else [None]
    for k in columns:
        a, b = (there, expected) if k is None else (there.iloc[:, k], expected.iloc[:, k])
        if a.dtype != b.dtype:
            return f"dtype {a.dtype}, expected {b.dtype}"
        a, b = a.reset_index(drop=True), b.reset_index(drop=True)
        small = {"rtol": 1e-5, "atol": 1e-6} if b.dtype in (np.float32, np.float16) else _TOLERANCE
        if b.dtype == object:
            said = _objects(list(a), list(b))
            if said:
                return said
            continue
        try:
            pandas.testing.assert_series_equal(a, b, check_names=False, **small)
        except AssertionError as e:
            return f"values: {str(e).splitlines()[0]}\n{there}\nexpected\n{expected}"
    return ""


def difference(found: Any, expected: Any) -> str:
    """A description of the first difference; empty if there is none."""
    if isinstance(expected, (pandas.DataFrame, pandas.Series)):
        if not hasattr(found, "iloc"):
            return f"type {type(found).__name__}, expected {type(expected).__name__}"
        return _rows(found, expected)
    if isinstance(expected, pandas.Index):
        return _indexes(found, expected)
    if isinstance(expected, dict):
        if not isinstance(found, dict) or len(found) != len(expected):
            return f"{found!r}, expected {expected!r}"
        return _objects(list(found), list(expected)) or _objects(list(found.values()), list(expected.values()))
    if isinstance(expected, (list, tuple, pandas.core.indexes.frozen.FrozenList)):
        kind = tuple if hasattr(expected, "_fields") else type(expected)
        if not isinstance(found, kind) or len(found) != len(expected):
            return f"{found!r}, expected {expected!r}"
        if getattr(found, "_fields", None) != getattr(expected, "_fields", None):
            return f"fields of {found!r}, expected {expected!r}"
        return _objects(list(found), list(expected))
    if isinstance(expected, (np.ndarray, pandas.api.extensions.ExtensionArray)):
        if isinstance(expected, pandas.api.extensions.ExtensionArray) and not isinstance(found, type(expected)):
            return f"type {type(found).__name__}, expected {type(expected).__name__}"
        return _arrays(found, expected)
    if type(expected).__module__.startswith("pandas.core"):  # a helper object, not a result
        return ""
    return _scalars(found, expected)


def _arrays(found: Any, expected: Any) -> str:
    if str(getattr(found, "dtype", None)) != str(expected.dtype) or found.shape != expected.shape:
        shown = getattr(found, "dtype", type(found).__name__), getattr(found, "shape", None)
        return f"array {shown}, expected {expected.dtype} {expected.shape}"
    a, b = np.asarray(found), np.asarray(expected)
    if b.dtype == object:
        return _objects(list(a.ravel()), list(b.ravel()))
    if b.dtype.kind in "fc":
        return "" if np.allclose(a, b, equal_nan=True, rtol=1e-5) else f"array {a}, expected {b}"
    return "" if a.tobytes() == b.tobytes() or repr(a) == repr(b) else f"array {a}, expected {b}"


def _attempt(call: Any, frame: Any, library: Any) -> tuple[Any, Exception | None, Any]:
    d = frame.copy()
    made: Any = None
    try:
        e = d.iloc[1:]
        made = call(d=d, s=d["a"], t=d["b"], i=d.index, e=e, p=library)
    except Exception as error:  # pandas may raise any error
        return None, error, d
    return made, None, d


_compiled: dict[str, Any] = {}


def compiled(text: str) -> Any:
    """A call, compiled to a function of the names that it uses."""
    if text not in _compiled:
        _compiled[text] = eval(f"lambda *, d, s, t, i, e, p: {text}", {"np": np})
    return _compiled[text]


def outcome(text: str, frame: pandas.DataFrame, strings_of_errors: bool = False) -> str:
    """A description of the difference between a call on a frame of pandas' and on bascule's."""
    call = compiled(text)
    with bc.config.set(fallback="silent"), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        expected, wrong, after = _attempt(call, frame, pandas)
        found, error, mine = _attempt(call, ours(frame), pd)
        if wrong is not None or error is not None:
            if type(wrong) is not type(error):
                return f"raises {type(error).__name__}: {error}; expected {type(wrong).__name__}: {wrong}"
            if strings_of_errors and str(wrong) != str(error):
                return f"text {error}; expected {wrong}"
            return ""
        said = difference(found, expected)
        if said:
            return said
        said = difference(mine, after)
        return f"the frame itself: {said}" if said else ""

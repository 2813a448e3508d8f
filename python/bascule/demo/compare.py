"""Comparison of two results: index, columns, dtypes and order exactly, floats within a relative difference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas

TOLERANCE = 1e-12
_LONGEST = 300  # characters of pandas' description of a difference


def host(x: Any) -> Any:
    """A result of bascule as pandas' or NumPy's; others unchanged."""
    from .._array import conversion

    if type(x) is conversion.ndarray:
        return conversion.to_numpy(x)
    return x.to_pandas() if hasattr(x, "__bascule_to_pandas__") else x


def difference(ours: Any, theirs: Any) -> str:
    """The difference of two results, both pandas' or NumPy's; empty if they are equal."""
    if isinstance(theirs, (pandas.DataFrame, pandas.Series, pandas.Index)):
        return _labelled(ours, theirs)
    return _arrays(np.asarray(ours), np.asarray(theirs))


def _labelled(ours: Any, theirs: Any) -> str:
    if type(ours) is not type(theirs):
        return f"{type(ours).__name__} instead of {type(theirs).__name__}"
    kind = "frame" if isinstance(theirs, pandas.DataFrame) else "series"
    options: dict[str, Any] = dict(check_index_type="exact", check_freq=False, rtol=TOLERANCE, atol=0.0)
    if kind == "frame":
        options["check_column_type"] = "exact"
    try:
        if isinstance(theirs, pandas.Index):
            pandas.testing.assert_index_equal(ours, theirs, exact=True)
            return ""
        for mine, yours in zip(ours.axes, theirs.axes):
            pandas.testing.assert_index_equal(mine, yours, exact=True)
        if not ours.equals(theirs) or (kind == "series" and ours.name != theirs.name):
            getattr(pandas.testing, f"assert_{kind}_equal")(ours, theirs, **options)
    except AssertionError as error:
        text = " ".join(str(error).split())
        return text if len(text) <= _LONGEST else text[:_LONGEST] + " …"
    return ""


def _arrays(ours: np.ndarray, theirs: np.ndarray) -> str:
    """Compare dtype, shape and integers exactly, and floats relative to the largest of them."""
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return f"{ours.dtype}{ours.shape} instead of {theirs.dtype}{theirs.shape}"
    if theirs.dtype.kind != "f":
        wrong = int(np.count_nonzero(ours != theirs))
        return f"{wrong:,} of {theirs.size:,} values differ" if wrong else ""
    unlike = ~((ours == theirs) | (np.isnan(ours) & np.isnan(theirs)))
    if not unlike.any():
        return ""
    finite = np.isfinite(theirs)
    scale = float(np.max(np.abs(theirs), where=finite, initial=0)) or 1.0
    with np.errstate(invalid="ignore"):
        error = float(np.max(np.where(unlike, np.abs(ours - theirs), 0))) / scale
    return "" if error <= TOLERANCE else f"relative difference {error:.2g}, allowed {TOLERANCE:g}"

"""The common part of scalers: the kinds of their inputs, and one pass that scales."""

from __future__ import annotations

from inspect import signature
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ... import _core
from .._checks import check_array, validate_data
from .._chunks import aligned, checked, is_chunked, mapped
from .._estimator import NativeEstimator
from .._kinds import Kind, is_sparse, shared, to_host

_HALF = "X is of float16"  # scikit-learn's results are rounded from float64
LARGE = 1 << 15  # elements from which a fused pass on all threads is faster than NumPy's passes


class Scaler(NativeEstimator):
    """Scalers whose transformations are expressions of X and of fitted rows."""

    _HOW = {"dtype": [np.float64, np.float32], "ensure_all_finite": "allow-nan"}  # of scikit-learn's checks of X

    def _not_native(self, X: Any) -> str | None:
        return _HALF if getattr(X, "dtype", None) == np.float16 else super()._not_native(X)

    def _checked(self, X: Any, reset: bool, **options: Any) -> Any:
        """X after scikit-learn's checks; of Dask's arrays they run with each chunk."""
        if not is_chunked(X):
            return validate_data(self, X, reset=reset, **self._HOW | options)
        validate_data(self, X, skip_check_array=True, reset=reset)
        return checked(check_array, *aligned(X), estimator=type(self).__name__, **self._HOW)

    def _applied(self, name: str, expression: Any, X: Any, rows: tuple[Any, ...], copy: bool) -> Any:
        """``expression(X, *rows)``, which the method `name` returns, after scikit-learn's checks, in the kind of X."""
        check_is_fitted(self)
        half = getattr(X, "dtype", None) == np.float16
        if half or is_sparse(X):
            takes_copy = "copy" in signature(getattr(self._theirs, name)).parameters
            return self._by_parent(name, X, _HALF if half else "X is sparse", **({"copy": copy} if takes_copy else {}))
        if is_chunked(X):
            validate_data(self, X, skip_check_array=True, reset=False)
            (X,) = aligned(X)
            given = [None if r is None else to_host(r) for r in rows]
            return mapped(_of_chunk, X, expression, given, columns=X.shape[1], dtype=_real_type(X))
        kind = Kind.of(X)
        options = {**self._HOW, "force_writeable": not copy}
        taken = kind.take(X, "X")
        if name == "transform":
            found = validate_data(self, taken, reset=False, **options)
        else:
            found = check_array(taken, estimator=self, **options)
        given = [None if r is None else to_host(r).astype(found.dtype, copy=False) for r in rows]
        if type(found) is _core.ndarray:
            return expression(found, *(None if r is None else _core.from_numpy(r, kind.device, False) for r in given))
        if not copy and not kind.ours:
            found[...] = expression(found, *given)
            return found
        if found.size < LARGE and not kind.ours:
            return expression(found, *given)
        held = map(shared, given)
        lazy = expression(X if type(X) is _core.ndarray and found is taken else shared(found), *held)
        return lazy if kind.ours else np.asarray(lazy)


def standardized(X: Any, centre: Any, scale: Any) -> Any:
    if centre is not None:
        X = X - centre
    return X if scale is None else X / scale


def restored(X: Any, centre: Any, scale: Any) -> Any:
    if scale is not None:
        X = X * scale
    return X if centre is None else X + centre


def clipped(found: Any, limits: tuple[float, float]) -> Any:
    """A result within limits; one of NumPy is written to."""
    return np.clip(found, *limits, out=found) if isinstance(found, np.ndarray) else found.clip(*limits)


def _of_chunk(X: Any, expression: Any, rows: list[Any]) -> Any:
    kind, dtype = Kind.of(X), _real_type(X)
    X = kind.take(X, "a chunk").astype(dtype, copy=False)
    return kind.give(expression(X, *(None if r is None else r.astype(dtype, copy=False) for r in rows)))


def _real_type(X: Any) -> Any:
    return X.dtype if X.dtype in (np.float64, np.float32) else np.dtype(np.float64)

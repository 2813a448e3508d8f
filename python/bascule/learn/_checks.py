"""scikit-learn's checks of rows; NaN and infinity among many numbers are looked for on all threads."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import sklearn
from sklearn.utils import validation

from ._device_checks import checked_array, checked_weights, validated
from ._estimator import OddValues
from ._kinds import is_on_device, shared

_MANY = 1 << 16  # elements from which threads are worth their start


def known_finite(*arrays: Any) -> AbstractContextManager:
    """A context in which scikit-learn does not look for NaN and infinity, where none is in these arrays."""
    many = [x for x in arrays if is_long(x)]
    if not many or not all(x is None or is_long(x) or _is_exact(x) for x in arrays):
        return nullcontext()
    return sklearn.config_context(assume_finite=True) if all(map(_is_finite, many)) else nullcontext()


def values_of(X: Any) -> Any:
    """The array that holds the elements of rows, sparse ones, too; None where it is not a single one."""
    return X if isinstance(X, np.ndarray) else X.data if getattr(X, "format", "") in ("csr", "csc") else None


def validate_data(estimator: Any, X: Any = "no_validation", y: Any = "no_validation", **options: Any) -> Any:
    """scikit-learn's function of this name."""
    if is_on_device(X) or is_on_device(y):
        return validated(estimator, X, y, options)
    looked_for = options.get("ensure_all_finite", True) is not False
    with known_finite(*(x for x in (X, y) if looked_for and not isinstance(x, str))):
        return validation.validate_data(estimator, X, y, **options)


def check_array(x: Any, **options: Any) -> Any:
    """scikit-learn's function of this name."""
    return checked_array(x, options) if is_on_device(x) else validation.check_array(x, **options)


def check_sample_weight(w: Any, X: Any, dtype: Any = None, ensure_non_negative: bool = False, **options: Any) -> Any:
    """scikit-learn's function of this name, which is private there."""
    if is_on_device(X):
        return checked_weights(w, X, dtype, ensure_non_negative)
    return validation._check_sample_weight(w, X, dtype=dtype, ensure_non_negative=ensure_non_negative, **options)


def check_weights(w: Any) -> None:
    """Leave the call to scikit-learn where some weight is below 0; None stands for equal ones."""
    if w is not None and w.min() < 0:
        raise OddValues("weights below 0")


def is_long(x: Any) -> bool:
    """Whether a check of each element takes time."""
    return type(x) is np.ndarray and x.dtype in (np.float64, np.float32) and x.size >= _MANY


def _is_exact(x: Any) -> bool:
    return type(x) is np.ndarray and x.dtype.kind in "iub"


def _is_finite(x: np.ndarray) -> bool:
    """Whether the sum is finite, which it may fail to be by overflow alone."""
    with np.errstate(all="ignore"):
        return bool(np.isfinite(float(shared(x).sum())))

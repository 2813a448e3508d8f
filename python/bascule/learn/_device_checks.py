"""scikit-learn's checks of arrays on a device: it sees shapes and types, and values are looked at where they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import sklearn
from sklearn.utils import validation

from .. import full, ones
from ._kinds import is_on_device

_OF_MEMORY = {"order", "copy", "force_writeable"}  # options that arrays on a device have no need of


def stand_in(x: Any, dtype: Any = None, value: float = 0) -> Any:
    """An array over one element on the host with the shape of x, and the type that scikit-learn's check gives it."""
    return np.broadcast_to(np.asarray(value, _type_for(x.dtype, dtype)), x.shape) if is_on_device(x) else x


def _type_for(given: np.dtype, wanted: Any) -> np.dtype:
    if given.kind == "c" or wanted is None or isinstance(wanted, str):
        return given
    if isinstance(wanted, (list, tuple)):
        return given if given in wanted else np.dtype(wanted[0])
    return np.dtype(wanted)


def _like(x: Any, seen: Any) -> Any:
    """The array with the type and the shape that its stand-in came to have."""
    if not is_on_device(x):
        return seen
    x = x.astype(seen.dtype, copy=False)
    return x if x.shape == seen.shape else x.reshape(seen.shape)


def validated(estimator: Any, X: Any, y: Any, options: dict[str, Any]) -> Any:
    """`sklearn.utils.validation.validate_data` where X or y is on a device."""
    options = {k: v for k, v in options.items() if k not in _OF_MEMORY}
    of_X, of_y = options.get("validate_separately") or (options, {})
    if of_y:
        options["validate_separately"] = tuple({k: v for k, v in o.items() if k not in _OF_MEMORY} for o in (of_X, of_y))  # fmt: skip
    pairs = [
        (X, "X", of_X.get("dtype", "numeric"), of_X.get("ensure_all_finite", True)),
        (y, "y", of_y.get("dtype"), True),
    ]
    with sklearn.config_context(assume_finite=True):
        found = validation.validate_data(estimator, *(stand_in(x, dtype) for x, _, dtype, _ in pairs), **options)
    pairs = [p for p in pairs if p[0] is not None and not isinstance(p[0], str)]
    if options.get("skip_check_array"):
        results = [p[0] for p in pairs]
    else:
        seen = found if isinstance(found, tuple) else (found,)
        results = [_like(p[0], s) for p, s in zip(pairs, seen)]
        check_values(type(estimator).__name__, [(x, name, allowed) for x, (_, name, _, allowed) in zip(results, pairs)])
    return tuple(results) if isinstance(found, tuple) else results[0]


def checked_array(x: Any, options: dict[str, Any]) -> Any:
    """`sklearn.utils.check_array` of an array on a device."""
    options = {k: v for k, v in options.items() if k not in _OF_MEMORY}
    with sklearn.config_context(assume_finite=True):
        found = _like(x, validation.check_array(stand_in(x, options.get("dtype", "numeric")), **options))
    named = options.get("estimator")
    name = named if named is None or isinstance(named, str) else type(named).__name__
    check_values(name, [(found, options.get("input_name", ""), options.get("ensure_all_finite", True))])
    return found


def check_values(estimator: str | None, arrays: Iterable[tuple[Any, str, Any]]) -> None:
    """Raise scikit-learn's error for NaN and infinity, of which one sum over all arrays says whether there may be any.

    Parameters
    ----------
    estimator : str or None
        Its name, for the words of the error.
    arrays : iterable of (array, str, bool or "allow-nan")
        With their names, and what `ensure_all_finite` says of them.
    """
    real = [(x, name, allowed) for x, name, allowed in arrays if allowed is not False and x.dtype.kind == "f"]
    with np.errstate(all="ignore"):
        sums = [x.sum(dtype=np.float64) for x, _, allowed in real if allowed is True]
        if len(sums) == len(real) and (not sums or np.isfinite(float(sum(sums)))):
            return
        for x, name, allowed in real:
            wrong = [np.inf] if bool(np.isinf(x).any()) else []
            if allowed is True and bool(np.isnan(x).any()):
                wrong = [np.nan]
            validation.assert_all_finite(np.array(wrong, x.dtype), allow_nan=allowed is not True, estimator_name=estimator, input_name=name)  # fmt: skip


def checked_weights(w: Any, X: Any, dtype: Any, ensure_non_negative: bool) -> Any:
    """`sklearn.utils.validation._check_sample_weight` for rows on a device; weights that are missing or one number fill an
    array there."""
    dtype = dtype if dtype in (np.float32, np.float64) else np.float64
    if w is None or np.ndim(w) == 0:
        return ones(X.shape[0], dtype, device=X.device) if w is None else full(X.shape[0], w, dtype, device=X.device)
    with sklearn.config_context(assume_finite=True):
        validation._check_sample_weight(stand_in(w, dtype, 1), stand_in(X, np.float64))
    w = w.astype(dtype, copy=False)
    check_values(None, [(w, "sample_weight", True)])
    least, most = float(w.min()), float(w.max())
    if least < 0 and ensure_non_negative:
        validation.check_non_negative(np.array([least]), "`sample_weight`")
    if least == most == 0:
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return w

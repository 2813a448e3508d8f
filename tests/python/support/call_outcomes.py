"""The outcome of one call on pandas' objects and on bascule's: results compared strictly, errors by class."""

from __future__ import annotations

import warnings
from typing import Any

import bascule as bc
import numpy as np
import pandas
from frames import assert_same


def outcome(call: Any, given: Any) -> tuple[Any, Exception | None]:
    with bc.config.set(fallback="silent"), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return call(given), None
        except Exception as e:  # pandas may raise any error
            return None, e


def compare(found: Any, expected: Any) -> None:
    """Classes, types, labels, names, order and values are equal; floats within 1e-12."""
    if isinstance(expected, pandas.api.extensions.ExtensionArray):
        assert type(found) is type(expected), f"{type(found)}, expected {type(expected)}"
        pandas.testing.assert_series_equal(pandas.Series(found), pandas.Series(expected))
    elif isinstance(expected, np.ndarray) and expected.dtype == object:
        assert np.asarray(found).dtype == object and np.shape(found) == expected.shape
        compare(np.asarray(found).ravel().tolist(), expected.ravel().tolist())
    elif isinstance(expected, dict):
        compare(list(found.items()), list(expected.items()))
    elif isinstance(expected, (list, tuple)):
        assert type(found) is type(expected) or not isinstance(expected, tuple), (
            f"{type(found)}, expected {type(expected)}"
        )
        assert len(found) == len(expected), f"{len(found)} items, expected {len(expected)}"
        for a, b in zip(found, expected):
            compare(a, b)
    elif isinstance(expected, np.float32):
        assert type(found) is np.float32 and np.isclose(found, expected, rtol=1e-6), f"{found!r}, expected {expected!r}"
    elif isinstance(expected, (pandas.DataFrame, pandas.Series, pandas.Index, np.ndarray, float, np.floating)):
        assert_same(found, expected, exact=False)
        if isinstance(expected, np.ndarray):
            assert np.asarray(found).dtype == expected.dtype, f"{found.dtype}, expected {expected.dtype}"
    else:
        assert type(found) is type(expected), f"{type(found)}, expected {type(expected)}"
        assert found is expected or found == expected, f"{found!r}, expected {expected!r}"


def difference(call: Any, ours: Any, theirs: Any) -> str | None:
    """The difference between a call's outcomes on our objects and on pandas'; None if there is none."""
    expected, error = outcome(call, theirs)
    found, own_error = outcome(call, ours)
    if error is not None:
        if type(own_error) in type(error).__mro__[:2]:
            return None
        return f"{found!r} {own_error!r}, expected {error!r}"
    if own_error is not None:
        return f"raised {own_error!r}, expected {expected!r}"
    try:
        compare(found, expected)
    except AssertionError as e:
        return f"{e}\nfound {found!r}\nexpected {expected!r}"
    return None

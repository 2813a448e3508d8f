"""Running the same call on pandas' objects and on bascule's, and comparing."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pandas.testing


def ours(x: Any) -> Any:
    """A pandas object converted to bascule's; also within containers."""
    if isinstance(x, (pandas.DataFrame, pandas.Series, pandas.Index)):
        return pd.from_pandas(x)
    if isinstance(x, list):
        return [ours(v) for v in x]
    if isinstance(x, dict):
        return {k: ours(v) for k, v in x.items()}
    return x


def assert_same(found: Any, expected: Any, exact: bool = True, atol: float = 0) -> None:
    """Labels, names, types, order and values are equal; floats within 1e-12 relative and `atol` unless `exact`.

    The `freq` of timestamps is not compared: bascule's indexes hold labels, not the rule that made them.
    """
    tolerance: dict[str, Any] = {"check_exact": True} if exact else {"rtol": 1e-12, "atol": atol}
    if isinstance(expected, pandas.DataFrame):
        assert type(found) is pd.DataFrame, type(found)
        there = found.to_pandas()
        assert (type(there.index) is pandas.RangeIndex) == (type(expected.index) is pandas.RangeIndex), (
            there.index,
            expected.index,
        )
        pandas.testing.assert_frame_equal(there, expected, check_freq=False, **tolerance)
    elif isinstance(expected, pandas.Series):
        assert type(found) is pd.Series, type(found)
        pandas.testing.assert_series_equal(found.to_pandas(), expected, check_freq=False, **tolerance)
    elif isinstance(expected, pandas.Index):
        assert isinstance(found, pd.Index), type(found)
        pandas.testing.assert_index_equal(found.to_pandas(), expected, exact=True)
    elif isinstance(expected, (list, tuple)):
        assert len(found) == len(expected)
        for a, b in zip(found, expected):
            assert_same(a, b, exact, atol)
    elif isinstance(expected, np.ndarray):
        np.testing.assert_array_equal(np.asarray(found), expected)
    else:
        missing = pandas.isna(expected)
        assert type(found) is type(expected), (type(found), type(expected))
        assert (
            pandas.isna(found)
            if missing
            else (found == expected if exact else np.isclose(found, expected, rtol=1e-12, atol=atol))
        )


def both(f: Callable[..., Any], *objects: Any, exact: bool = True, atol: float = 0, fallback: str = "error") -> None:
    """Check that f has the same outcome for bascule's objects as for pandas'; errors must have the same class."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", pandas.errors.Pandas4Warning
            )  # features that pandas has deprecated still work
            expected = f(*objects)
    except Exception as e:  # pandas may raise any error
        expected_error = e
    else:
        with bc.config.set(fallback=fallback), warnings.catch_warnings():
            warnings.simplefilter("ignore", pandas.errors.Pandas4Warning)
            assert_same(f(*ours(list(objects))), expected, exact, atol)
        return
    with bc.config.set(fallback=fallback), warnings.catch_warnings():
        warnings.simplefilter("ignore", pandas.errors.Pandas4Warning)
        try:
            f(*ours(list(objects)))
        except type(expected_error):
            return
        except Exception as e:
            raise AssertionError(
                f"expected {type(expected_error).__name__}: {expected_error}; got {type(e).__name__}: {e}"
            ) from e
    raise AssertionError(f"expected {type(expected_error).__name__}: {expected_error}; nothing was raised")

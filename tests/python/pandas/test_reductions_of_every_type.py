"""Reductions and quantiles of columns of every type: pandas' values, scalars' types and warnings."""

from __future__ import annotations

import warnings
from typing import Any

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same, ours
from pandas import DataFrame, Series

_BASE = np.array([3, 1, 2, 5, 0, 4, 2])
COLUMNS: dict[str, Series] = {t: Series(_BASE.astype(t)) for t in ("i1", "i8", "u8", "f2", "f4", "f8", "bool")}
COLUMNS |= {f"{t} with NaN": Series(np.where(_BASE == 5, np.nan, _BASE + 0.1).astype(t)) for t in ("f2", "f4", "f8")}
COLUMNS |= {
    "large f2": Series([6e4, 6e4, 6e4], dtype="f2"),
    "large f4": Series([3e38, 3e38, 1], dtype="f4"),
    "infinite f8": Series([np.inf, 1, -np.inf, 2]),
    "large i8": Series([2**53 + 1, 2**53 + 3, 2**53 + 5]),
    "large u8": Series([2**64 - 1, 2**64 - 3, 5], dtype="u8"),
    "wide i1": Series([-100, 100, 127, -128], dtype="i1"),
    "constant": Series([0.1] * 10),
    "missing f4": Series([np.nan, np.nan], dtype="f4"),
    "missing f8": Series([np.nan, np.nan]),
    "empty f4": Series([], dtype="f4"),
    "Int64": Series([3, None, 2, 5], dtype="Int64"),
    "one Int64": Series([5, None], dtype="Int64"),
    "equal Int64": Series([5, 5], dtype="Int64"),
    "Float32": Series([3, None, 2, 5.5], dtype="Float32"),
    "dates": Series(pandas.to_datetime(["2020-01-01", None, "2021-05-05"]).as_unit("s")),
    "durations": Series(pandas.to_timedelta(["1D", None, "3h"])),
    "zone": Series(pandas.to_datetime(["2020-01-01", None, "2021-05-05"]).tz_localize("Asia/Tokyo")),
    "ordered categories": Series(pandas.Categorical([3, 1, None], categories=[3, 2, 1], ordered=True)),
}
REDUCTIONS = {
    "sum": [{}, {"min_count": 3}, {"skipna": False}],
    "prod": [{}, {"min_count": 3}],
    "mean": [{}, {"skipna": False}],
    "median": [{}],
    "min": [{}],
    "max": [{}],
    "var": [{}, {"ddof": 0}, {"ddof": 4}],
    "std": [{}, {"ddof": 4}],
    "sem": [{}, {"ddof": 4}],
    "skew": [{}],
    "kurt": [{}],
    "mode": [{}, {"dropna": False}],
}


def outcome(f: Any, *objects: Any) -> tuple[Any, str, set[str]]:
    """The result, the class of the error, and the classes of pandas' and NumPy's warnings."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            found, error = f(*objects), ""
        except Exception as e:
            found, error = None, type(e).__name__
    return found, error, {w.category.__name__ for w in said}


def assert_as_pandas(f: Any, *objects: Any) -> None:
    """The same result, error and warnings, natively or counted; floats within a few units in the last place."""
    expected, error, reported = outcome(f, *objects)
    with bc.config.set(fallback="silent"):
        found, own_error, own_reported = outcome(f, *ours(list(objects)))
    assert own_error == error
    assert own_reported == reported
    if not error:
        loose = isinstance(expected, (float, Series, DataFrame, np.floating))
        assert_same(found, expected, exact=not loose, atol=1e-13)


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("kind", COLUMNS)
def test_series(kind, name):
    for options in REDUCTIONS[name]:
        assert_as_pandas(lambda s: getattr(s, name)(**options), COLUMNS[kind])


@pytest.mark.parametrize("name", [n for n in REDUCTIONS if n != "mode"])
@pytest.mark.parametrize("kind", [k for k in COLUMNS if not k.startswith("large f")])
def test_frames(kind, name):
    s = COLUMNS[kind]
    assert_as_pandas(lambda f: getattr(f, name)(), s.to_frame("a"))


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var", "std", "sem", "min"])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1"])
def test_rows(dtype, name):
    f = DataFrame({"a": _BASE, "b": _BASE[::-1], "c": _BASE * 3}).astype(dtype)
    for options in ({}, {"skipna": False}, *([{"min_count": 2}] if name in ("sum", "prod") else [])):
        assert_as_pandas(lambda f: getattr(f, name)(axis=1, **options), f)
    if dtype != "i1":
        assert_as_pandas(lambda f: getattr(f, name)(axis=1), f.where(f > 1))


@pytest.mark.parametrize("interpolation", ["linear", "lower", "higher", "nearest", "midpoint"])
@pytest.mark.parametrize("kind", COLUMNS)
def test_quantiles(kind, interpolation):
    s = COLUMNS[kind]
    if kind == "wide i1" and interpolation == "linear":
        return  # NumPy's differences of int8 overflow there
    for q in (0.3, [0.2, 0.5]):
        assert_as_pandas(lambda s: s.quantile(q, interpolation), s)
    f = DataFrame({"a": s, "b": np.arange(len(s))})
    assert_as_pandas(lambda f: f.quantile(0.3, interpolation=interpolation), f)


def test_quantiles_keep_the_digits_of_integers():
    f = pd.DataFrame({"a": [2**53 + 1, 2**53 + 3, 2**53 + 5]})
    with bc.config.set(fallback="error"):
        assert f.quantile(0.5, interpolation="lower").tolist() == [2**53 + 3]
        assert f.quantile([0.5], interpolation="nearest").dtypes.tolist() == [np.dtype(np.int64)]


@pytest.mark.parametrize("alongside", ["f4", "f2", "f8", "i8"])
@pytest.mark.parametrize("dtype", ["f2", "f4"])
def test_quantiles_of_narrow_floats_depend_on_the_columns_alongside(dtype, alongside):
    f = DataFrame({"a": Series([np.nan, 1, 2, 4], dtype=dtype), "b": Series([1, 2, 3, 7], dtype=alongside)})
    for interpolation in ("linear", "lower"):
        for q in (0.5, [0.2, 0.5]):
            assert_as_pandas(lambda f: f.quantile(q, interpolation=interpolation), f)

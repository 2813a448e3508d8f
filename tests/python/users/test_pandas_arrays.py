"""pandas' own series and frames together with bascule arrays, in NumPy's functions and in pandas' methods, give the
results for NumPy's arrays."""

import importlib
import types

import bascule as bc
import numpy as np
import pandas as pd
import pytest
from bascule.interop import other_libraries

pytestmark = pytest.mark.usefixtures("accelerated")

SERIES = pd.Series([1.0, 2.0, 3.0], index=list("abc"))
FRAME = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
DATES = pd.date_range("2020-01-01", periods=3)

FUNCTIONS = {
    "where with a series": lambda m: m.where(m.array([True, False, True]), SERIES, 0),
    "where on a series": lambda m: m.where(SERIES > 1, SERIES, m.array([7.0, 8, 9])),
    "where on a frame": lambda m: m.where(FRAME > 1, FRAME, m.nan),
    "a ufunc of both": lambda m: m.maximum(m.array([2.0, 2, 2]), SERIES),
    "a ufunc of both, the series first": lambda m: m.logaddexp(SERIES, m.array([2.0, 2, 2])),
    "a ufunc of a frame and two axes": lambda m: m.arctan2(m.ones((2, 2)), FRAME),
    "an operator and two axes": lambda m: m.full((2, 2), 3.0) * FRAME,
    "clip": lambda m: m.clip(SERIES, 0, 2),
    "round": lambda m: m.round(FRAME / 3, 2),
    "cumsum": lambda m: m.cumsum(SERIES),
    "cumprod": lambda m: m.cumprod(SERIES),
    "mean of columns": lambda m: m.mean(FRAME, axis=0),
    "std of rows": lambda m: m.std(FRAME, axis=1, ddof=1),
    "sum by keyword": lambda m: m.sum(a=FRAME, axis=0),
    "max": lambda m: m.max(FRAME, axis=0),
    "any": lambda m: m.any(FRAME > 3, axis=0),
    "argsort": lambda m: m.argsort(SERIES),
    "repeat": lambda m: m.repeat(SERIES, 2),
    "squeeze": lambda m: m.squeeze(SERIES),
    "transpose": lambda m: m.transpose(FRAME),
    "take": lambda m: m.take(FRAME, [1], axis=0),
    "searchsorted": lambda m: m.searchsorted(SERIES, 2),
    "a method that takes less": lambda m: m.sum(DATES.day_of_year),
    "reshape has no method": lambda m: m.reshape(SERIES, (3, 1)),
}

METHODS = {
    "a mask": lambda m: SERIES[m.array([True, False, True])],
    "loc by a mask": lambda m: FRAME.loc[m.array([True, False])],
    "loc by a mask and a name": lambda m: FRAME.loc[m.array([True, False]), "a"],
    "loc by positions": lambda m: FRAME.set_index("a").loc[m.array([2.0])],
    "iloc": lambda m: FRAME.iloc[m.array([1]), m.array([0])],
    "where": lambda m: SERIES.where(m.array([True, False, True]), m.zeros(3)),
    "groups": lambda m: SERIES.groupby(m.array([1, 0, 1])).sum(),
    "groups by two": lambda m: SERIES.groupby([m.array([1, 0, 1]), m.array([1, 0, 2])]).sum(),
    "unique": lambda m: pd.unique(m.array([2, 1, 2])),
    "factorize": lambda m: pd.factorize(m.array([2, 1, 2]))[0],
    "an operand of two axes": lambda m: FRAME - m.ones((2, 2)),
    "dates and durations": lambda m: DATES + pd.to_timedelta(m.array([1.0, 2, 3]), unit="h"),
    "columns": lambda m: pd.DataFrame({"x": m.arange(3), "y": m.ones(3)}, index=DATES),
}


def same(got, expected):
    assert type(got) is (bc.ndarray if type(expected) is np.ndarray else type(expected))
    if isinstance(expected, (pd.Series, pd.DataFrame, pd.Index)):
        check = "index" if isinstance(expected, pd.Index) else type(expected).__name__.lower().removeprefix("data")
        getattr(pd.testing, f"assert_{check}_equal")(got, expected)
    else:
        np.testing.assert_array_equal(np.asarray(got), expected)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_take_what_is_pandas(name):
    same(FUNCTIONS[name](bc), FUNCTIONS[name](np))


@pytest.mark.parametrize("name", METHODS)
def test_pandas_takes_arrays_where_it_takes_numpys(name):
    got, expected = METHODS[name](bc), METHODS[name](np)
    same(bc.asarray(got) if type(expected) is np.ndarray else got, expected)


def test_a_series_is_written_by_a_mask():
    for m in (bc, np):
        s, f = SERIES.copy(), FRAME.copy()
        s[m.array([True, False, True])] = 0.0
        f.loc[m.array([True, False]), "a"] = 9.0
        assert s.tolist() == [0.0, 2.0, 0.0] and f.a.tolist() == [9.0, 2.0]


def test_pandas_is_reported_once_and_keeps_its_names():
    common = importlib.import_module("pandas.core.common")
    assert common.apply_if_callable.__name__ == "apply_if_callable"
    assert common.apply_if_callable(len, [1, 2]) == 2


@pytest.mark.parametrize("name", ["gone", "DataFrame.gone", "Gone.method"])
def test_another_version_is_left_as_it_is(name):
    module = types.ModuleType("another")
    module.DataFrame = type("DataFrame", (), {})
    before = dict(vars(module))
    other_libraries._taking_arrays(1, name)(module, other_libraries.Changes())
    assert vars(module) == before

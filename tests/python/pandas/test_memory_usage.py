"""The bytes that frames and series say they take."""

from __future__ import annotations

import bascule.pandas as pd
import numpy as np
import pandas
import pytest

COLUMNS = {
    "a": np.arange(4),
    "f": np.arange(4, dtype=np.float32),
    "s": ["x", None, "long é", ""],
    "o": np.array([1, "a", 2.5, None], dtype=object),
    "c": pandas.Categorical(["a", "b", "a", None]),
    "m": pandas.array([1, None, 2, 3], dtype="Int64"),
    "d": pandas.date_range("2020", periods=4),
    "z": pandas.date_range("2020", periods=4, tz="UTC"),
}
INDEXES = {
    "default": None,
    "integers": [5, 3, 1, 2],
    "text": list("wxyz"),
    "dates": pandas.date_range("2020", periods=4),
    "categories": pandas.CategoricalIndex(list("abca")),
    "levels": pandas.MultiIndex.from_product([[1, 2], ["a", "b"]]),
}


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("index", INDEXES)
def test_bytes_are_those_that_pandas_counts(index, deep):
    made = INDEXES[index]
    made = made if made is None else pandas.Index(made)
    them = pandas.DataFrame(COLUMNS).set_axis(pandas.RangeIndex(4) if made is None else made)
    us = pd.DataFrame(them.copy())
    for with_index in (True, False):
        expected = them.memory_usage(index=with_index, deep=deep)
        pandas.testing.assert_series_equal(us.memory_usage(index=with_index, deep=deep).to_pandas(), expected)
        for name in COLUMNS:
            assert us[name].memory_usage(index=with_index, deep=deep) == them[name].memory_usage(with_index, deep)


def test_bytes_of_no_columns():
    them, us = pandas.DataFrame(index=range(3)), pd.DataFrame(index=range(3))
    pandas.testing.assert_series_equal(us.memory_usage().to_pandas(), them.memory_usage())

"""diff of integers is made as integers: none is rounded, and those of unsigned ones wrap as pandas' do."""

from __future__ import annotations

import bascule
import bascule.pandas as pd
import numpy as np
import pandas
import pytest

TYPES = [
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint32",
    "uint64",
    "Int8",
    "Int64",
    "UInt64",
    "Float32",
    "float64",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", TYPES)
def test_as_in_pandas(dtype):
    values = pandas.Series([1, 0, 1, 1, 0], dtype="int64").astype(dtype)
    if dtype[0] in "iu":
        values[0], values[1] = np.iinfo(dtype).max, np.iinfo(dtype).min
    elif dtype[0] != "f":
        values[1] = pandas.NA
    with bascule.config.set(fallback="error"):
        for periods in (1, 2, -1, -3, 0, 9, -9):
            pandas.testing.assert_series_equal(pd.from_pandas(values).diff(periods).to_pandas(), values.diff(periods))


def test_neighbours_beyond_what_floats_hold():
    assert pd.Series([10**16, 10**16 + 1]).diff().tolist()[1] == 1

"""Data of Python becomes a frame, a series or an index as in pandas, whatever type is asked for."""

from __future__ import annotations

import datetime
import decimal

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same

pytestmark = pytest.mark.filterwarnings("ignore")
NOW = datetime.datetime(2020, 1, 1)
DATA = {
    "integers": [1, 2, 3], "floats": [1.5, None, 2], "one missing": [1, None], "bools": [True, False], "bools and None": [True, None],
    "texts": ["a", "b"], "texts and None": ["a", None], "nothing": [], "Nones": [None, None], "NaN": [np.nan], "datetimes": [NOW, NOW],
    "NaT": [pandas.NaT, None], "zoned": [pandas.Timestamp("2020", tz="UTC")], "mixed": [1, "a"], "tuples": [(1, 2), (3, 4)],
    "lists": [[1, 2], [3, 4]], "NA": [pandas.NA, 1], "complex": [1 + 2j], "decimals": [decimal.Decimal(1)], "period": [pandas.Period("2020")],
    "large": [2**63], "numbers as texts": ["1", "2"], "range": range(3), "empty range": range(0), "tuple": (1, 2), "empty tuple": (),
    "array": np.array([1, 2]), "array with NaN": np.array([1.5, np.nan]), "small": np.array([1, 2], "i2"), "array of texts": np.array(["a", "b"]),
    "objects": np.array([1, "a"], object), "empty array": np.array([], "i8"), "days": np.array(["2020"], "M8[D]"), "seconds": np.array(["2020"], "M8[s]"),
    "halves": np.array([1.5], "f2"), "matrix": np.zeros((2, 2)), "one number": np.array(5), "masked": pandas.array([1, None]),
    "categories": pandas.Categorical(list("ab")), "zoned array": pandas.date_range("2020", periods=2, tz="UTC").array,
    "periods": pandas.period_range("2020", periods=2).array, "named index": pandas.Index([1, 2], name="k"), "series": pandas.Series(["a", "b"], name="s"),
    "dates": pandas.date_range("2020", periods=2, name="d"), "number": 1, "text": "x", "None": None, "datetime": NOW, "dict": {"a": [1]}, "empty dict": {},
}  # fmt: skip
TYPES = [None, "int64", "float64", "object", "str", "Int64", "string", "category", "uint8", "Float64", "datetime64[ns]"]
MADE = {
    "Index": lambda m, x, t: m.Index(x, dtype=t, name="z"),
    "Series": lambda m, x, t: m.Series(x, dtype=t),
    "DataFrame": lambda m, x, t: m.DataFrame(x, dtype=t),
    "of a dict": lambda m, x, t: m.DataFrame({"a": x, "b": 1}, dtype=t),
    "of rows": lambda m, x, t: m.DataFrame([x, x], dtype=t),
    "of one value": lambda m, x, t: m.DataFrame(x, index=[1, 2], columns=list("ab"), dtype=t),
}


def outcome(f):
    try:
        with bc.config.set(fallback="silent"):
            return f()
    except Exception as error:  # compared by its class
        return error


@pytest.mark.parametrize("how", MADE)
@pytest.mark.parametrize("data", DATA)
def test_as_pandas(how, data):
    for dtype in TYPES:
        here, there = (outcome(lambda m=m: MADE[how](m, DATA[data], dtype)) for m in (pd, pandas))
        assert type(here).__name__ == type(there).__name__, dtype
        if not isinstance(there, Exception):
            assert_same(here, there)


def test_common_data_need_no_pandas():
    with bc.config.set(fallback="error"):
        assert pd.Index([1.5, np.nan, None]).dtype == np.float64
        assert pd.Index([1, 2], dtype="float64").dtype == np.float64
        assert pd.Index([], dtype="int64").dtype == np.int64
        assert pd.Index(("a", "b"), name="n").name == "n"
        assert pd.DataFrame({"a": [1, None]}, dtype="Int64").a.isna().tolist() == [False, True]
        assert pd.DataFrame({"a": [1, 2], "b": NOW}).b.tolist() == [NOW, NOW]
        assert pd.DataFrame(0.0, index=[1, 2], columns=["a", "b"]).shape == (2, 2)
        assert pd.DataFrame(pd.date_range("2020", periods=2), columns=["d"]).d.dtype == "datetime64[us]"
        assert pd.DataFrame([range(3), range(3)]).shape == (2, 3)
        assert pd.DataFrame(np.array([[1, 2]]), dtype="float32").dtypes.tolist() == [np.dtype("f4")] * 2

"""describe and select_dtypes, by every type that can be asked for, are pandas'."""

import warnings

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal

N = 20
WHOLE = pandas.DataFrame(
    {
        "i": np.arange(N),
        "f": np.where(np.arange(N) % 3 == 0, np.nan, np.arange(N) * 0.5),
        "b": np.arange(N) % 2 == 0,
        "t": [["a", "b", None][i % 3] for i in range(N)],
        "d": pandas.date_range("2020", periods=N),
        "o": [1, "x"] * (N // 2),
        "u": np.arange(N).astype("u1"),
        "g": np.arange(N).astype("f4"),
        "m": pandas.to_timedelta(np.arange(N), "h"),
        "e": [None] * N,
        "j": np.arange(N).astype("i4"),
    }
)
FRAMES = ["ifbt", "if", "tb", "ifbtdougmj", "ifd", "e", "ot", "ju", "g", "mi"]
TYPES = ["number", np.number, "bool", bool, "str", str, "int", int, "float", float, "datetime", "datetime64", np.datetime64,
         "timedelta", np.float32, "int64", np.int32, "object", object, "category", "uint8", np.integer]  # fmt: skip
PERCENTILES = [None, [0.1, 0.9], [0.5, 0.05, 0.95], [], [0.333], [2], [0.5, 0.5]]


def outcome(call, x):
    """The result, or the class and text of the error."""
    try:
        return call(x)
    except (TypeError, ValueError) as error:
        return type(error).__name__, str(error)


def compare(call, theirs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted, found = outcome(call, theirs), outcome(call, pd.from_pandas(theirs))
    if isinstance(wanted, tuple):
        assert found == wanted
    else:
        (assert_frame_equal if wanted.ndim == 2 else assert_series_equal)(found.to_pandas(), wanted)


@pytest.mark.parametrize("kind", TYPES, ids=str)
@pytest.mark.parametrize("names", ["ifbtdugmj", "tb", "ot", "ifd"])
def test_types(names, kind):
    theirs = WHOLE[list(names)]
    for given in (
        {"include": kind},
        {"exclude": [kind]},
        {"include": ["number"], "exclude": [kind]},
        {"include": [kind, "bool"]},
    ):
        compare(lambda x: x.select_dtypes(**given), theirs)
        compare(lambda x: x.describe(**given), theirs)


@pytest.mark.parametrize("names", FRAMES)
def test_percentiles(names):
    theirs = WHOLE[list(names)]
    for percentiles in PERCENTILES:
        for given in ({}, {"include": "all"}, {"include": "all", "exclude": "str"}):
            compare(lambda x: x.describe(percentiles, **given), theirs)
        for name in names:
            compare(lambda x: x[name].describe(percentiles), theirs)
    compare(lambda x: x.head(0).describe(), theirs)


@pytest.mark.parametrize(
    "values",
    [
        np.array([1j, 2.0, 3.0]),
        pandas.arrays.SparseArray([0, 0, 1]),
        pandas.array([1, None, 3], dtype="int64[pyarrow]"),
        pandas.period_range("2020", periods=3, freq="M"),
        pandas.interval_range(0, 3),
    ],
    ids=["complex", "sparse", "arrow", "period", "interval"],
)
def test_types_that_only_pandas_has(values):
    theirs = pandas.DataFrame({"n": [1, 2, 3], "v": values})
    for kind in ("number", "object", "datetime"):
        compare(lambda x: x.select_dtypes(kind), theirs)
    compare(lambda x: x.describe(), theirs)


def test_usual_descriptions_are_native():
    frame, before = pd.from_pandas(WHOLE[list("ifbtd")]), bc.fallbacks()
    frame.describe(include="all")
    frame.describe(percentiles=[0.1])
    frame.t.describe()
    assert list(frame.select_dtypes(["number", "str"]).columns) == ["i", "f", "t"]
    assert bc.fallbacks() == before

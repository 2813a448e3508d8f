"""Values in bins, and a column for each value: cut, qcut and get_dummies against pandas."""

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import both

SERIES = {
    "floats": pandas.Series([1.5, np.nan, 3.0, -0.0, 2.0, 7.25], list("abcdef"), name="v"), "integers": pandas.Series([1, 7, 5, 4, 6, 3]),
    "bools": pandas.Series([True, False, True]), "Int64": pandas.Series([1, None, 3], dtype="Int64"), "one": pandas.Series([4.0]),
    "zero": pandas.Series([0, 0]), "small": pandas.Series([0.0012, 0.0013, 0.00131]), "infinite": pandas.Series([1.0, np.inf]),
    "large": pandas.Series([1e9, 2e9, 2.5e9]), "int8": pandas.Series(np.array([100, -100, 3], np.int8)),
}  # fmt: skip


def p(x):
    return pd if isinstance(x, (pd.Series, pd.DataFrame)) and type(x).__module__.startswith("bascule") else pandas


@pytest.mark.parametrize("kind", SERIES)
@pytest.mark.parametrize("options", [
    {"bins": 3}, {"bins": 3, "right": False}, {"bins": [0, 2, 4, 8]}, {"bins": [0, 2, 4, 8], "include_lowest": True}, {"bins": [0.5, 2.25, 8.125], "right": False},
    {"bins": 2, "labels": ["low", "high"]}, {"bins": 3, "labels": False}, {"bins": [0, 5, 5, 9]}, {"bins": [0, 5, 5, 9], "duplicates": "drop"}, {"bins": [5, 1]},
    {"bins": 0}, {"bins": 3, "labels": ["a", "b"]}, {"bins": 3, "labels": ["a", "a", "b"]}, {"bins": 3, "labels": ["a", "a", "b"], "ordered": False},
    {"bins": 3, "ordered": False}, {"bins": 4, "precision": 1}, {"bins": 3, "duplicates": "no"}, {"bins": [1, 5], "labels": False},
    {"bins": [-np.inf, 2, np.inf]}, {"bins": 3, "labels": [1, 2, 3]}, {"bins": np.array([1, 3, 9])}, {"bins": range(0, 10, 3)},
])  # fmt: skip
def test_cut(kind, options):
    both(lambda x: p(x).cut(x, **options), SERIES[kind])
    both(lambda x: p(x).cut(x, retbins=True, **options), SERIES[kind])


@pytest.mark.parametrize("kind", SERIES)
@pytest.mark.parametrize("options", [
    {"q": 2}, {"q": 4}, {"q": [0, 0.1, 0.5, 1]}, {"q": 2, "labels": ["low", "high"]}, {"q": 3, "labels": False}, {"q": 4, "duplicates": "drop"}, {"q": 0},
    {"q": "no"}, {"q": [0, 2]}, {"q": 2, "precision": 1},
])  # fmt: skip
def test_qcut(kind, options):
    silent = "silent" if kind == "infinite" or (kind in ("one", "zero") and options.get("duplicates")) else "error"
    both(lambda x: p(x).qcut(x, **options), SERIES[kind], fallback=silent)
    both(lambda x: p(x).qcut(x, retbins=True, **options), SERIES[kind], fallback=silent)


def test_what_pandas_bins():
    both(lambda x: p(x).cut(x, 3), pandas.Series(pandas.date_range("2020-01-01", periods=5)), fallback="silent")
    both(lambda x: p(x).cut(x, 3), pandas.Series([], dtype=float), fallback="silent")
    both(lambda x: p(x).qcut(x, 3), pandas.Series([np.nan, np.nan]), fallback="silent")
    with bc.config.set(fallback="silent"):
        assert repr(pd.cut([1, 2, 3], 2)) == repr(pandas.cut([1, 2, 3], 2))


FRAME = pandas.DataFrame(
    {"t": ["x", None, "z", "x"], "n": [1, 2, 1, 3], "f": [1.5, 2.0, np.nan, 1.5], "u": list("abca")}, index=[3, 3, 1, 2]
)


@pytest.mark.parametrize("options", [
    {}, {"prefix": "p"}, {"prefix": ["p", "q"]}, {"prefix": {"t": "p", "u": "q"}}, {"prefix": ["p"]}, {"prefix_sep": "/"}, {"prefix_sep": ["/", "-"]},
    {"dummy_na": True}, {"columns": ["n"]}, {"columns": ["f", "t"]}, {"columns": ["no"]}, {"drop_first": True}, {"dtype": int}, {"dtype": "float32"}, {"dtype": object},
    {"drop_first": True, "dummy_na": True},
])  # fmt: skip
def test_get_dummies(options):
    both(lambda x: p(x).get_dummies(x, **options), FRAME)
    if (
        "columns" not in options
        and not isinstance(options.get("prefix"), (list, dict))
        and not isinstance(options.get("prefix_sep"), list)
    ):
        for name in FRAME:
            both(lambda x: p(x).get_dummies(x[name], **options), FRAME)


def test_get_dummies_of_categories():
    s = pandas.Series(pandas.Categorical(["b", "a", None], categories=["b", "a", "c"]))
    both(lambda x: p(x).get_dummies(x, prefix="k"), s)
    both(lambda x: p(x).get_dummies(x), s.to_frame("k"))
    both(lambda x: p(x).get_dummies(x), s, fallback="silent")
    both(lambda x: p(x).get_dummies(x, sparse=True).shape, FRAME, fallback="silent")
    both(lambda x: p(x).get_dummies(x), FRAME[["n"]], fallback="silent")
    both(lambda x: p(x).get_dummies(x), pandas.Series([None, None], dtype="str"), fallback="silent")

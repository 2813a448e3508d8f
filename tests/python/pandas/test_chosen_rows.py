"""Labels and lengths after rows are selected, and functions and expressions in the place of values."""

from __future__ import annotations

import functools

import numpy as np
import pandas
import pytest
from frame_samples import native_or_same
from frames import both
from pandas import DataFrame, Series, date_range

CHOSEN = {
    "one": [3],
    "first": [0],
    "run": [1, 2],
    "every third": [0, 3],
    "none": [],
    "uneven": [0, 1, 3],
    "even": [0, 2, 4],
}
WAYS = {
    "frame[mask]": lambda f, m, p: f[m],
    "frame.loc[mask]": lambda f, m, p: f.loc[m],
    "frame.iloc[mask]": lambda f, m, p: f.iloc[m],
    "frame.iloc[positions]": lambda f, m, p: f.iloc[p],
    "frame.iloc[positions, reversed]": lambda f, m, p: f.iloc[p[::-1]],
    "frame.loc[labels]": lambda f, m, p: f.loc[f.index[p]],
    "frame.loc[list of labels]": lambda f, m, p: f.loc[list(f.index[p])],
    "frame.reindex": lambda f, m, p: f.reindex(f.index[p]),
    "frame.drop": lambda f, m, p: f.drop(f.index[m]),
    "series[mask]": lambda f, m, p: f.a[m],
    "series.loc[mask]": lambda f, m, p: f.a.loc[m],
    "series.iloc[mask]": lambda f, m, p: f.a.iloc[m],
    "index[mask]": lambda f, m, p: f.index[m],
    "index.take": lambda f, m, p: f.index.take(p),
    "query": lambda f, m, p: f.query(" or ".join(f"a == {i}" for i in p)) if p else f,
}


@pytest.mark.parametrize("rows", [6, 5000])
@pytest.mark.parametrize("chosen", CHOSEN)
@pytest.mark.parametrize("way", WAYS)
def test_frequency_of_chosen_rows(way, chosen, rows):
    positions = CHOSEN[chosen]
    mask = np.isin(np.arange(rows), positions)
    f = DataFrame({"a": np.arange(rows)}, index=date_range("2013-01-01", periods=rows))
    native_or_same(lambda f: WAYS[way](f, mask, positions), f, exact=True)


def test_frequency_of_a_shortened_series_is_printed():
    s = Series(np.arange(200.0), date_range("2020", periods=200, freq="6h"), name="x")
    both(repr, s)
    both(lambda s: repr(s.rename(None)), s)


@pytest.mark.parametrize("freq", ["BYS", "BME", "BQS", "YS-APR", "MS", "D"])
@pytest.mark.parametrize("name", ["is_year_start", "is_month_end", "is_quarter_start"])
def test_starts_and_ends_by_the_frequency(freq, name):
    native_or_same(lambda s: getattr(s.index, name).tolist(), Series(1, date_range("2020-10-30", periods=6, freq=freq)))


def test_labels_moved_by_another_frequency():
    for freq in ("MS", "D", "3D"):
        s = Series(1, date_range("2011-01-01", periods=4, freq=freq))
        native_or_same(lambda s: s.index.shift(10, freq="D"), s, exact=True)
        native_or_same(lambda s: s.index.shift(2), s, exact=True)


def test_expressions_of_columns():
    f = DataFrame({"one": [1, 4], "two": [2, 5], "name": ["x", "y"]})
    col = pandas.col
    both(lambda f: f.assign(q=col("one") * 2, r=col("q") + 1, s=col("name").str.upper()), f)
    both(lambda f: f.loc[col("two") > 2], f)
    both(lambda f: f.loc[col("two") > 2, "one"], f)
    both(lambda f: f[col("two") > 2], f)
    both(lambda f: f.filter(col("two") > 2), f) if hasattr(f, "select") else None
    native_or_same(lambda f: f[["one", "two"]].where(col("one") > 1, 0), f)
    both(lambda f: f.assign(q=col("three")), f)  # ValueError


def test_a_dict_is_a_series_of_its_values():
    f = DataFrame({"a": [1, 2]}, index=["x", "y"])
    both(lambda f: f.assign(b={"y": 1.5, "x": 2.5, "z": 3.5}), f)


@pytest.mark.filterwarnings("ignore")
def test_partial_methods_of_classes():
    import bascule.pandas as bpd

    f = DataFrame({"a": [1.0, 2.0, 4.0], "b": [3.0, 4.0, 6.0]})

    def quarter(pd):
        q = functools.partial(pd.Series.quantile, q=0.25)
        q.__name__ = "25%"
        return q

    found = bpd.DataFrame(f).agg(["mean", quarter(bpd)])
    pandas.testing.assert_frame_equal(found.to_pandas(), f.agg(["mean", quarter(pandas)]))


@pytest.mark.filterwarnings("ignore")
def test_methods_of_classes_as_functions():
    f = DataFrame({"a": ["x", "x", "y"], "d": [1, 1, 2]})
    import bascule.pandas as bpd

    for name in ("mode", "sum", "nunique"):
        wanted = f.groupby("a")["d"].agg(getattr(pandas.Series, name))
        found = bpd.DataFrame(f).groupby("a")["d"].agg(getattr(bpd.Series, name))
        pandas.testing.assert_series_equal(found.to_pandas(), wanted)


def test_ambiguous_times_by_an_array():
    s = Series(pandas.to_datetime(["2018-10-28 01:20:00", "2018-10-28 02:36:00", "2018-10-28 03:46:00"]))
    flags = np.array([True, True, False])
    native_or_same(lambda s: s.dt.tz_localize("CET", ambiguous=flags), s)


def test_extremes_of_categories():
    s = Series(1, pandas.CategoricalIndex(list("abca"), ordered=True))
    native_or_same(lambda s: s.index.max(), s)
    native_or_same(lambda s: s.index.min(), s)


def test_distinct_times_are_an_array():
    import bascule.pandas as bpd

    for values in (pandas.to_datetime(["2016", "2016"]), pandas.to_timedelta([1, 1], "D")):
        found = bpd.unique(bpd.Series(values))
        wanted = pandas.unique(Series(values))
        np.testing.assert_array_equal(np.asarray(found), wanted, strict=True)


def test_correlation_of_one_row_is_a_python_float():
    for x in (Series([1.0]), Series([1.0, 1.0])):
        both(lambda x: (x.corr(x), type(x.corr(x)).__name__), x)


def test_periods_by_a_part_of_them():
    s = Series(range(24), index=pandas.period_range("2011", "2012-12", freq="M"))
    for key in ("2011", "2011-05"):
        native_or_same(lambda s: s[key], s)
        native_or_same(lambda s: s.loc[key], s)
    native_or_same(lambda s: s["2011":"2012-02"], s)


def test_arguments_by_position_while_pandas_takes_them():
    f = DataFrame({"a": [1.0, 2.0, np.nan], "b": [3.0, 4.0, 6.0]})
    for name in ("sum", "mean", "min", "max", "prod", "median", "skew", "kurt"):
        native_or_same(lambda f: getattr(f, name)(1), f)
        native_or_same(lambda f: getattr(f, name)(0, False), f)
    for name in ("std", "var", "sem"):
        both(lambda f: getattr(f, name)(1, True, 0), f)
        both(lambda f: getattr(f["a"], name)(0, True, 0), f)
    both(lambda f: f.groupby("a", None, False).sum(), f)
    native_or_same(lambda f: f.mean(0, axis=1), f)  # TypeError
    native_or_same(lambda f: f.mean(0, True, False, 1, 2), f)  # TypeError


def test_attributes_of_a_series_that_are_labels():
    def change(s):
        s.a, s.other = 5, 6
        return s

    native_or_same(change, Series([1, 2, 3], index=list("abc")))


def test_a_frame_of_one_column_is_a_column():
    f = DataFrame({"a": [1, 2], "b": [3, 4]})
    native_or_same(lambda f: f.assign(c=f[["a"]]), f)
    native_or_same(lambda f: f.assign(c=f[["a", "b"]]), f)  # ValueError


def test_sizes_in_a_pivot_table():
    f = DataFrame({"row": [0, 1, 0, 1], "col": ["a", "a", "b", "b"], "v": [1, 2, 3, 4]})
    for options in (
        {"aggfunc": "size"},
        {"aggfunc": ["size", "sum"], "values": "v"},
        {"aggfunc": "size", "fill_value": 0},
    ):
        native_or_same(lambda f: f.pivot_table(index="row", columns="col", **options), f)
    native_or_same(lambda f: f.pivot_table(index="row", aggfunc="size"), f)


def test_names_of_extracted_labels():
    s = Series(1, index=["A1", "B2"])
    native_or_same(lambda s: s.index.str.extract("(?P<letter>[a-zA-Z])", expand=False), s)

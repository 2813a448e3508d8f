"""Distinct values: unique, value_counts, duplicated, factorize and mode against pandas."""

import warnings

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frame_samples import native_or_same
from frames import both, ours
from hypothesis import given, settings
from hypothesis import strategies as st

SERIES = {
    "int": pandas.Series([3, 1, 3, 2, 1, 9], name="n"),
    "float": pandas.Series([3.0, np.nan, 1, 3, np.nan, -0.0, 0.0]),
    "text": pandas.Series(["b", None, "a", "b", ""], name="s"),
    "Int64": pandas.Series([1, None, 1, 0], dtype="Int64"),
    "bool": pandas.Series([True, False, True]),
    "time": pandas.Series(pandas.to_datetime(["2020", None, "2020", "1960"])),
    "delta": pandas.Series(pandas.to_timedelta([5, None, 5, 1], unit="h")),
    "string": pandas.Series(["b", None, "b"], dtype="string"),
    "empty": pandas.Series([], dtype="float64"),
    "missing": pandas.Series([np.nan, np.nan]),
}
FRAME = pandas.DataFrame({"a": [1, 1, 2, 1, 2], "b": ["x", "x", None, "y", None], "c": [1.0, 1, np.nan, 2, np.nan]})


@pytest.mark.parametrize("name", SERIES)
def test_value_counts(name):
    s = SERIES[name]
    for options in (
        {},
        {"normalize": True},
        {"dropna": False},
        {"sort": False},
        {"ascending": True},
        {"normalize": True, "dropna": False, "ascending": True},
    ):
        both(lambda x: x.value_counts(**options), s, fallback="silent" if name == "string" else "error")
    both(lambda x: x.value_counts(), pandas.Index(s), fallback="silent" if name == "string" else "error")


@pytest.mark.parametrize("name", SERIES)
def test_duplicates(name):
    s = SERIES[name]
    for keep in ("first", "last", False):
        both(lambda x: x.duplicated(keep=keep), s)
        both(lambda x: x.drop_duplicates(keep=keep), s)
        both(lambda x: x.drop_duplicates(keep=keep, ignore_index=True), s)
        both(lambda x: x.duplicated(keep=keep), pandas.Index(s))
        both(lambda x: x.drop_duplicates(keep=keep), pandas.Index(s))
    both(lambda x: x.duplicated(keep="x"), s)


@pytest.mark.parametrize("name", SERIES)
def test_unique(name):
    s = SERIES[name]
    with bc.config.set(fallback="error"):
        found = ours(s).unique()
        expected = s.unique()
        if isinstance(expected, np.ndarray) and expected.dtype != object:
            assert type(found) is bc.ndarray
            np.testing.assert_array_equal(np.asarray(found), expected, strict=True)
        else:
            pandas.testing.assert_extension_array_equal(found, expected)
        theirs = type(pandas.unique(s))
        assert type(pd.unique(ours(s))) is (bc.ndarray if theirs is np.ndarray and expected.dtype != object else theirs)
    both(lambda x: x.unique(), pandas.Index(s))
    both(lambda x: x.nunique(), pandas.Index(s))


@pytest.mark.parametrize("name", SERIES)
def test_factorize(name):
    s = SERIES[name]
    for sort in (False, True):
        for sentinel in (False, True):
            both(lambda x: x.factorize(sort=sort, use_na_sentinel=sentinel), s)
            both(lambda x: x.factorize(sort=sort, use_na_sentinel=sentinel), pandas.Index(s))
            codes, values = pd.factorize(ours(s), sort=sort, use_na_sentinel=sentinel)
            expected_codes, expected = pandas.factorize(s, sort=sort, use_na_sentinel=sentinel)
            np.testing.assert_array_equal(np.asarray(codes), expected_codes)
            pandas.testing.assert_index_equal(values.to_pandas(), expected, exact=True)


@pytest.mark.parametrize("name", SERIES)
def test_mode(name):
    both(lambda x: x.mode(), SERIES[name])
    both(lambda x: x.mode(dropna=False), SERIES[name])


def test_arrays():
    a = bc.asarray([2.0, 1.0, 2.0])
    assert pd.unique(a).tolist() == [2.0, 1.0]
    codes, values = pd.factorize(a, sort=True)
    assert codes.tolist() == [1, 0, 1] and values.tolist() == [1.0, 2.0]
    assert pd.unique(np.array([2, 2])).tolist() == [2]
    assert pd.factorize(np.array([2, 2]))[0].tolist() == [0, 0]


@pytest.mark.parametrize("subset", [None, "a", ["a"], ["b", "c"], "zz", ["a", "zz"], []], ids=str)
def test_rows_of_frames(subset):
    fallback = "silent" if subset == [] else "error"
    for keep in ("first", "last", False):
        both(lambda d: d.duplicated(subset, keep=keep), FRAME, fallback=fallback)
        if subset != []:
            both(lambda d: d.drop_duplicates(subset, keep=keep), FRAME)
            both(lambda d: d.drop_duplicates(subset, keep=keep, ignore_index=True), FRAME)
    for options in ({}, {"normalize": True}, {"dropna": False}, {"sort": False}, {"ascending": True}):
        both(lambda d: d.value_counts(subset, **options), FRAME, fallback="silent" if subset == [] else "error")


def test_other_frames():
    both(lambda d: d.duplicated(), FRAME.iloc[:0])
    both(lambda d: d.drop_duplicates(), FRAME.iloc[:0])
    both(lambda d: d.drop_duplicates(), FRAME.set_axis(list("pqrst")))
    both(lambda d: d.value_counts(), FRAME[["a"]])
    both(lambda d: d.drop_duplicates(keep="x"), FRAME)
    both(lambda d: d.drop_duplicates(inplace=True), FRAME)
    frame = ours(FRAME)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of inplace=, as pandas
        frame.drop_duplicates(inplace=True)
    pandas.testing.assert_frame_equal(frame.to_pandas(), FRAME.drop_duplicates())


def test_several_levels():
    index = pandas.MultiIndex.from_frame(FRAME[["a", "b"]])
    both(lambda i: i.unique(), index)
    both(lambda i: i.duplicated(), index)
    both(lambda i: i.drop_duplicates(), index)
    both(lambda i: i.unique("b"), index)
    both(lambda i: i.value_counts(), index, fallback="silent")


def test_a_range_stays_a_range():
    for f in (lambda i: i.unique(), lambda i: i.drop_duplicates(), lambda i: i.duplicated()):
        both(f, pandas.RangeIndex(2, 8, 2, name="r"))
    both(lambda i: i.value_counts(), pandas.RangeIndex(3), fallback="silent")


def test_bins_run_in_pandas():
    both(lambda s: s.value_counts(bins=2), SERIES["int"], fallback="silent")


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(-2, 2), st.sampled_from([None, "a", "é", ""]), st.sampled_from([0.0, -0.0, np.nan, 1.5])),
        max_size=30,
    ),
    st.sampled_from(["first", "last", False]),
    st.booleans(),
)
def test_random_frames(rows, keep, dropna):
    frame = pandas.DataFrame(rows, columns=["i", "s", "x"]).astype({"i": "int64", "s": "str", "x": "float64"})
    both(lambda d: d.duplicated(keep=keep), frame)
    both(lambda d: d.drop_duplicates(["i", "x"], keep=keep), frame)
    both(lambda d: d.value_counts(dropna=dropna), frame)
    both(lambda d: d.s.value_counts(dropna=dropna), frame)
    both(lambda d: d.x.value_counts(dropna=dropna, ascending=True), frame)
    both(lambda d: d.x.mode(dropna), frame)


CATEGORIES = pandas.Categorical(["x", "y", "x"])


def test_rows_of_categories_counted():
    """pandas counts categories, and combinations of them, that no row has."""
    unused = CATEGORIES.add_categories(["z"])
    other = pandas.Categorical(["u", "w", "w"])
    assert native_or_same(lambda d: d.value_counts(), pandas.DataFrame({"a": CATEGORIES}))
    for columns in ({"a": unused}, {"a": CATEGORIES, "b": other}, {"a": CATEGORIES, "b": [1, 2, 2]}):
        native_or_same(lambda d: d.value_counts(), pandas.DataFrame(columns))
        native_or_same(lambda d: d.value_counts("a"), pandas.DataFrame(columns))


@pytest.mark.parametrize("how", ("dropna", "drop_duplicates"))
def test_frequencies_of_what_is_left(how):
    for values in ([1.0, None, 1.0], [1.0, 2.0, 3.0]):
        s = pandas.Series(values, pandas.date_range("2024", periods=3))
        both(lambda s: str(getattr(s, how)().index.freq), s)
        both(lambda s: str(getattr(s.to_frame("a"), how)().index.freq), s)

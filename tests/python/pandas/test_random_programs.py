"""Random programs on random frames: every call gives what pandas gives, and changes nothing else.

BASCULE_TEST_PROGRAMS=5000 runs so many programs besides those that are always the same; what they found once is a test of its own below.
"""

from __future__ import annotations

import os
import random

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frame_samples import native_or_same
from frames import both
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pandas import DataFrame, Index, MultiIndex, RangeIndex, Series
from random_frames import Source
from run_programs import run_program

PROGRAMS = int(os.environ.get("BASCULE_TEST_PROGRAMS", "0"))
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("batch", range(4))
def test_programs(batch):
    for number in range(100 * batch, 100 * batch + 100):
        run_program(Source(random.Random(number)))


@pytest.mark.skipif(
    not PROGRAMS, reason="BASCULE_TEST_PROGRAMS says how many programs nobody has run before are to be run"
)
@settings(max_examples=max(PROGRAMS, 1), deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_new_programs(source):
    run_program(Source(source))


# ---- what random programs have found

LEVELS = MultiIndex.from_arrays([[0, 0, 1], ["a", "b", "a"]], names=[1, 0])  # names that are numbers of other levels


def test_levels_named_by_numbers():
    both(lambda x: x.reset_index(drop=False).to_numpy(), Series([1, 2, 3], LEVELS), fallback="silent")
    both(lambda x: x, LEVELS)
    both(lambda x: x, Series([1, 2, 3], LEVELS))


@pytest.mark.parametrize("dtype", ["i4", "u1", "f4", "bool", "Int64", "str"])
def test_types_stay_where_no_label_is_missing(dtype):
    s = Series([1, 0, 1]).astype(dtype)
    both(lambda s: s.reindex(RangeIndex(2, -1, -1)), s)
    both(lambda s: s.reindex([2, 0]), s)
    native_or_same(lambda s: s.reindex([]), s, exact=True)
    f = DataFrame({"a": s})
    both(lambda f, s: f.assign(b=s), f, s.iloc[::-1])
    native_or_same(lambda f, s: f.assign(b=s), f, s.iloc[1:], exact=True)


def test_fill_value_of_rows_in_another_order():
    a, b = Series([84, -34], dtype="i2"), Series([16, 32], index=[1, 0], dtype="i2")
    both(lambda a, b: a.rfloordiv(b, fill_value=1), a, b)


def test_labels_of_several_types():
    f = DataFrame({"a": [1, 2]}, index=["x", "y"])
    native_or_same(lambda f, s: f.assign(b=s), f, Series([1, 2, 3]), exact=True)
    flags = Series([1.0, 2.0], index=[True, False])
    native_or_same(lambda s: s.reindex([0, 1, 99]), flags, exact=True)
    native_or_same(lambda s, t: s + t, flags, Series([1.0, 2.0]), exact=True)


def test_rows_of_a_value_in_a_frame_without_rows():
    f = DataFrame({"a": np.array([], "i8"), "b": np.array([], "f4")})
    native_or_same(lambda f: f.assign(b=np.array([3, 2])), f, exact=True)
    native_or_same(lambda f, s: f.assign(b=s), f, Series([1, 2], index=["x", "y"]), exact=True)


def test_none_is_an_object():
    both(lambda f: f.assign(b=None), DataFrame({"a": [1, 2]}))


def test_masks_of_arrow_bools():
    f = DataFrame({"a": Series(["b", "a", None], dtype="string"), "b": [1, 2, 3]})
    native_or_same(lambda f: f[f["a"].gt("a")], f, exact=True)
    native_or_same(lambda f: f[f["a"].gt("a")], f.iloc[:0], exact=True)


def test_counts_and_extremes_of_odd_frames():
    native_or_same(lambda f: f.count(), DataFrame({}, index=[1, 2]), exact=True)
    native_or_same(lambda f: f.count(numeric_only=True), DataFrame({"a": ["x"]}), exact=True)
    native_or_same(lambda f: f.idxmax(), DataFrame({"a": [1, 2, 3]}, LEVELS), exact=True)
    native_or_same(lambda f: f.nlargest(1, "a"), DataFrame([[1, 2.0]], columns=["a", "a"]), exact=True)
    native_or_same(lambda f: f.nsmallest(0, []), DataFrame({"a": [1]}), exact=True)
    native_or_same(lambda f: f.iloc[0], DataFrame({}, index=[1, 2]), exact=True)
    native_or_same(lambda f: f.drop_duplicates(ignore_index=True), DataFrame({}, LEVELS), exact=True)
    native_or_same(lambda f: f.value_counts(), DataFrame([[1, 2.0]], columns=["a", "a"]), exact=True)


def test_quantiles_of_float32_are_float64():
    s = Series([1, 2, 4.5], dtype="f4", name="a")
    both(lambda s: s.quantile(0.3), s)
    both(lambda s: s.quantile([0.3, 0.7]), s)
    both(lambda f: f.quantile(0.3), s.to_frame())
    both(lambda f: f.quantile([0.3, 0.7]), s.to_frame())


def test_several_reductions_of_other_than_numbers():
    f = DataFrame({"a": ["x", "y"], "b": pandas.to_datetime(["2020-01-01", None])})
    native_or_same(lambda f: f.agg(["min", "max"]), f, exact=True)
    native_or_same(lambda f: f.agg(["count"]), f, exact=True)
    native_or_same(lambda s: s.agg(["min", "count"]), f["a"], exact=True)


def test_aggregations_that_pandas_refuses():
    f = DataFrame({"a": [1, 1], "b": [1, 2], "c": [3, 4]})
    for how in (
        lambda f: f.groupby("a")["b"].agg(x=("b", "max")),
        lambda f: f.groupby("a").agg(["count", "count"]),
        lambda f: f.groupby(["a", "b", "c"]).agg(["sum"]),
        lambda f: f.groupby("a")["b"].agg(["count", "count"]),
    ):
        both(how, f, fallback="silent")


def test_concatenation():
    text, numbers = Series(["x"], name="t"), Series([1, 2], name=0)
    frame = DataFrame({"a": [0.5, 1.5]}, index=[3, 5])
    none = DataFrame({"a": np.array([], "M8[ns]"), "b": np.array([], bool)})
    for parts, options in [
        ([text, frame], {"join": "inner"}),
        ([numbers, frame], {}),
        ([frame, numbers], {"ignore_index": True, "keys": ["u", "v"]}),
        ([none, frame], {}),
        ([frame, none], {"join": "inner"}),
        ([frame, Series([], dtype="f8", name="x")], {}),
        ([DataFrame({"a": pandas.to_timedelta(["1s"])}), frame, DataFrame({"b": [1]})], {}),
        ([Series([pandas.NaT, np.nan], dtype=object), numbers], {}),
        ([frame, DataFrame({0: [1]})], {}),
    ]:
        try:
            expected = pandas.concat(parts, **options)
        except ValueError:
            with pytest.raises(ValueError):
                pd.concat([pd.from_pandas(p) for p in parts], **options)
            continue
        found = pd.concat([pd.from_pandas(p) for p in parts], **options).to_pandas()
        check = pandas.testing.assert_frame_equal if expected.ndim == 2 else pandas.testing.assert_series_equal
        check(found, expected)


def test_merges_of_odd_names():
    a = DataFrame([[1, 2.0, 3.0, 5]], columns=["b", "b", "c", "a"])
    native_or_same(lambda a, b: a.merge(b, on="a"), a, DataFrame({"a": [5], "b": [1]}), exact=True)
    x, y = DataFrame({3: [1.0, 2.0]}), DataFrame({0: [1.0, 3.0], 3: [5, 6]})
    for how in ("left", "right", "inner"):
        native_or_same(lambda x, y: x.merge(y, how=how, left_on=3, right_on=0), x, y, exact=True)
    named, other = DataFrame({"p": [1, 2]}, index=Index([0, 1], name="n")), DataFrame({"q": [1, 2]}, index=[1, 1])
    for how in ("left", "right", "inner", "outer"):
        native_or_same(lambda x, y: x.join(y, how=how), named, other, exact=True)


def test_what_pandas_holds_is_not_written_to():
    """Values kept as pandas' arrays are copied before anything writes to them."""
    s = pd.Series(pandas.Categorical(["a", "b", "a"]))
    before = s.copy()
    with bc.config.set(fallback="silent"):
        s.iloc[0] = "b"
    assert before.tolist() == ["a", "b", "a"] and s.tolist() == ["b", "b", "a"]
    o = pd.Series([1, "a", None], dtype=object)
    there = o.to_pandas()
    there.iloc[0] = 5
    assert o.tolist()[:2] == [1, "a"]
    f = pd.DataFrame({"a": o})
    there = f.to_pandas()
    there.loc[0, "a"] = 5
    assert f["a"].tolist()[:2] == [1, "a"]


@pytest.mark.parametrize(
    "labels",
    [RangeIndex(3), Index([2, 1, 2]), Index(["a", "b", None], dtype="str"), Index([1.5, np.nan, 2]), LEVELS,
     pandas.DatetimeIndex(["2020-01-01", None, "2021-01-01"]), pandas.CategoricalIndex(["a", "b", "a"]), Index([], dtype="i8")],
    ids=lambda i: f"{type(i).__name__}-{i.dtype}-{len(i)}",
)  # fmt: skip
def test_comparisons_of_labels(labels):
    others = [
        labels.copy(),
        labels[::-1],
        1,
        "a",
        pandas.Timestamp("2020-01-01"),
        [1, 2, 3],
        np.array(["a", "b", "c"], object),
    ]
    for other in [*others, Index([1, 2]), None, Series(range(len(labels)))]:
        for op in ("__eq__", "__ne__", "__lt__", "__ge__"):
            import operator

            f = lambda x, y: getattr(operator, op)(x, y)
            both(lambda x, y: np.asarray(f(x, y)), labels, other, fallback="silent")


def test_labels_of_a_column_that_steps_evenly():
    for values in ([3, 2], [0, 1, 2], [1], [], [1, 1], [2, 5, 8]):
        for dtype in ("i1", "i8", "u1", "f8"):
            f = DataFrame({"a": np.array(values, dtype), "b": range(len(values))})
            both(lambda f: f.set_index("a"), f)
    native_or_same(lambda f: f.set_index("a"), DataFrame([[1, 2.0]], columns=["a", "a"]), exact=True)


def test_powers_that_operators_know():
    s = Series([-np.inf, -0.0, 4.0, np.nan])
    both(lambda s: np.signbit(s**0.5).tolist() == [False, True, False, False] and s**0.5, s)
    both(lambda s: s.pow(0.5), s)
    both(lambda s: s**s, s)
    both(lambda f, s: f**s, DataFrame({"a": s}), Series([0.5], index=["a"]))


def test_no_rows_by_zero():
    for op in ("mod", "floordiv", "truediv"):
        for value in (0, 2):
            both(lambda s: getattr(s, op)(value), Series([], dtype="i4"))


def test_dropna_of_frames_without_columns():
    f = DataFrame({}, index=["a", "b"])
    for options in ({}, {"how": "all"}, {"thresh": 0}, {"thresh": 1}, {"how": None}):
        both(lambda f: f.dropna(**options), f)


@pytest.mark.parametrize("op", ["iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "iand", "ior", "ixor"])
def test_operators_in_place_change_the_object_itself(op):
    import operator

    def changed(x, y):
        x = x.copy()
        other, view, again = x, x.copy(), x.iloc[1:]
        x = getattr(operator, op)(x, y)
        assert x is other
        return [x, view, again]

    for s in (
        Series([5, 7, 9], name="x"),
        Series([1.5, np.nan, 2], index=["a", "b", "b"]),
        Series([True, False, True]),
    ):
        for y in (2, 0.5, True, s, s.iloc[::-1], s.iloc[1:]):
            both(changed, s, y, fallback="silent")
            if not isinstance(y, Series):
                both(changed, DataFrame({"p": s, "q": s}), y, fallback="silent")
    both(changed, DataFrame({"p": [1, 2], "q": [3, 4]}), DataFrame({"q": [1, 1], "r": [2, 2]}), fallback="silent")


def test_frames_alongside_rows_of_repeated_labels():
    f, s = DataFrame({"a": [1, 2, 3]}, index=[2, 2, 3]), Series([1, 2], index=["x", "y"])
    both(lambda f, s: f.mul(s, axis=0), f, s, fallback="silent")


def test_labels_of_two_units_of_time():
    days = pandas.DatetimeIndex(["2020-01-01", "2020-01-02"])
    f, s = DataFrame({"a": [1, 2]}, index=days.as_unit("us")), Series([5, 6], index=days.as_unit("ns"))
    for other in (s, s.iloc[::-1]):
        native_or_same(lambda f, s: f.assign(b=s), f, other, exact=True)
        native_or_same(lambda f, s: f["a"] + s, f, other, exact=True)
        native_or_same(lambda f, s: f["a"].reindex(s.index), f, other, exact=True)
        native_or_same(lambda f, s: f.join(s.rename("c")), f, other, exact=True)
    native_or_same(lambda f, s: f.index.equals(s.index), f, s, exact=True)


@pytest.mark.parametrize("dtype", ["i8", "f4", "bool", "M8[ns]", "O"])
@pytest.mark.parametrize("n", [3, 5000])
def test_arrays_of_the_user_are_copied(n, dtype):
    a = np.ones(n, "i8").astype(dtype)
    made = [pd.Series(a), pd.DataFrame({"x": a})["x"], pd.Index(a), pd.DataFrame({"x": range(n)}).assign(x=a)["x"]]
    a[:] = np.zeros(n, "i8").astype(dtype)
    for x in made:
        assert (np.asarray(x.to_pandas()) == np.ones(n, "i8").astype(dtype)).all()


def test_ranges_that_run_against_each_other_meet_ascending():
    left = DataFrame({"a": [1, 2, 3]}, index=RangeIndex(2, -1, -1))
    right = DataFrame({"b": [1.0, 2.0]}, index=RangeIndex(2))
    for f, g in [(left, right), (right, left), (left, right.set_index(RangeIndex(1, -1, -1)))]:
        both(lambda f, g: f.merge(g, left_index=True, right_index=True), f, g)


def test_flags_that_pandas_filled_with_a_number():
    f = DataFrame({"a": [True, False], "b": pandas.array([None, True], dtype="boolean")})
    found = pd.from_pandas(f).reindex(Index(["b", "a"]), fill_value=0)
    expected = f.reindex(Index(["b", "a"]), fill_value=0)
    assert found.to_pandas()["b"].tolist() == expected["b"].tolist()


@pytest.mark.parametrize("unit", ["s", "us", "ns"])
def test_times_are_looked_up_to_the_last_digit(unit):
    times = np.array(["2001-12-13T00:25:38.000000260", "2001-12-13T00:25:38"], dtype=f"M8[{unit}]")
    s, spans = Series([1, 2], index=times), Series([1, 2], index=times - times[1] + np.timedelta64(1, "D"))
    for key in [pandas.Timestamp("2001-12-13 00:25:38.000000260"), times[0], times[1], pandas.Timestamp(times[1])]:
        both(lambda s: s.loc[key], s)
    for key in [pandas.Timedelta(1, "D"), pandas.Timedelta("1D 1ns"), np.timedelta64(1, "D")]:
        both(lambda s: s.loc[key], spans)

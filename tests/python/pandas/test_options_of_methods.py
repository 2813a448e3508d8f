"""Options that used to run in pandas: limits of filling, values for new labels, bins of counts, decimals by column and others."""

from __future__ import annotations

import datetime
import warnings
from typing import Any

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same, both

COLUMNS = {
    "floats": pandas.Series([1.5, np.nan, np.nan, 4.0, np.nan, -0.0, np.inf]),
    "integers": pandas.Series([3, 1, 2, 2, 5, -1, 0]),
    "strings": pandas.Series(["a", None, None, "", "b", None, "nan"]),
    "booleans": pandas.Series([True, False, True, True, False, False, True]),
    "dates": pandas.Series(pandas.to_datetime(["2020-01-01", None, None, "2021-05-06 07:08:09", None, "1969-01-01", None], format="ISO8601")),
    "durations": pandas.Series(pandas.to_timedelta([1, None, None, 3, None, 5, None], unit="h")),
    "categories": pandas.Series(["a", None, None, "b", "a", None, "a"], dtype="category"),
    "numbers as categories": pandas.Series([3, 1, 1, 2, 3, None, 1], dtype="category"),
    "masked": pandas.Series([1, None, None, 4, None, 6, None], dtype="Int64"),
    "masked floats": pandas.Series([1.5, None, None, 4, None, 6, None], dtype="Float64"),
    "masked booleans": pandas.Series([True, None, None, False, None, True, None], dtype="boolean"),
    "float32": pandas.Series([0.1, np.nan, 1e20, 4, 1e-7, -0.0, 3], dtype="f4"),
    "objects": pandas.Series([1, "a", None, 2.5, True, datetime.date(2020, 1, 2), (1, 2)], dtype=object),
    "digits": pandas.Series(["1", "2", "3", "4", "5", "6", "7"], dtype=object),
    "in a zone": pandas.Series(pandas.date_range("2020", periods=7, tz="Europe/Berlin")),
    "periods": pandas.Series(pandas.period_range("2020-01", periods=7, freq="M")),
}  # fmt: skip


def outcome(f: Any, x: Any) -> Any:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return f(x)
        except Exception as e:
            return type(e)


def alike(f: Any, x: Any) -> None:
    """The result of pandas, or the class of its error; natively or by a counted fallback."""
    expected = outcome(f, x)
    with bc.config.set(fallback="silent"):
        found = outcome(f, pd.from_pandas(x))
    if isinstance(expected, type):
        assert found is expected
    else:
        assert_same(found, expected)


@pytest.mark.parametrize(
    "dtype", ["str", "string", object, "f8", "i8", "i4", bool, "category", "M8[ns]", "Int64", "u1", "Float64"]
)
@pytest.mark.parametrize("kind", COLUMNS)
def test_other_types(kind, dtype):
    alike(lambda s: s.astype(dtype), COLUMNS[kind])
    alike(lambda s: s.dropna().astype(dtype), COLUMNS[kind])
    alike(lambda s: s.iloc[:0].astype(dtype), COLUMNS[kind])
    alike(lambda s: s.to_frame("x").astype(dtype), COLUMNS[kind])


def test_random_numbers_as_strings():
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**64, 3000, dtype=np.uint64).view(np.float64)
    for values in (
        bits,
        rng.normal(size=500),
        rng.integers(-(10**6), 10**6, 500) / 100,
        10.0 ** rng.integers(-30, 30, 200),
    ):
        both(lambda s: s.astype(str), pandas.Series(values))
    seconds = rng.integers(-(10**10), 10**10, 500)
    for unit in ("s", "ms", "us", "ns"):
        for step in (1, 3600, 86400):
            times = (seconds // step * step).astype("M8[s]").astype(f"M8[{unit}]")
            both(lambda s: s.astype(str), pandas.Series(times))


@pytest.mark.parametrize("kind", COLUMNS)
def test_limits_of_filling(kind):
    for limit in (1, 2, 3, 100, 0, -1, 1.5, None):
        alike(lambda s, limit=limit: s.ffill(limit=limit), COLUMNS[kind])
        alike(lambda s, limit=limit: s.bfill(limit=limit), COLUMNS[kind])
    frame = pandas.DataFrame({k: COLUMNS[k] for k in ("floats", "strings", "dates", "integers")})
    both(lambda f: f.ffill(limit=1), frame)
    both(lambda f: f.bfill(limit=2), frame)


@pytest.mark.parametrize("kind", sorted(set(COLUMNS) - {"masked booleans"}))  # pandas puts 1.5 among their bits
def test_values_for_new_labels(kind):
    s = COLUMNS[kind].set_axis(list("abcdefg"))
    for value in (0, 1.5, np.inf, "x", True, None, np.nan, pandas.NaT, pandas.Timestamp("2020"), -1):
        for labels in (list("gzab"), list("abcdefg"), [], list("zyx")):
            alike(lambda s, labels=labels, value=value: s.reindex(labels, fill_value=value), s)
            alike(lambda s, labels=labels, value=value: s.to_frame("x").reindex(labels, fill_value=value), s)
            alike(
                lambda s, labels=labels, value=value: s.to_frame("x").reindex(columns=["x", "y"], fill_value=value), s
            )
    both(lambda s: s.reindex(range(4), fill_value=0), pandas.Series([1, 2], index=[1, 5]))


@pytest.mark.parametrize("kind", COLUMNS)
def test_replaced_values(kind):
    values = [
        np.nan,
        None,
        "",
        "a",
        "nan",
        True,
        False,
        1,
        2.5,
        0,
        pandas.Timestamp("2020-01-01"),
        pandas.NaT,
        pandas.NA,
        np.inf,
    ]
    for old in values:
        for new in values:
            alike(lambda s, old=old, new=new: s.replace(old, new), COLUMNS[kind])
    alike(lambda s: s.replace({"a": np.nan, np.nan: "b"}), COLUMNS[kind])
    alike(lambda s: s.replace({1.5: np.nan, np.nan: 0}), COLUMNS[kind])


def test_common_replacements_are_native():
    both(lambda s: s.replace("", np.nan), COLUMNS["strings"])
    both(lambda s: s.replace(np.inf, np.nan), COLUMNS["floats"])
    both(lambda s: s.replace(np.nan, 0.0), COLUMNS["floats"])
    both(lambda f: f.replace(np.inf, np.nan), COLUMNS["floats"].to_frame("x"))
    both(lambda s: s.replace({True: False, False: True}), COLUMNS["booleans"])


@pytest.mark.parametrize("bins", [1, 2, 3, 7, [0, 1, 2], [-1, 0, 5], [10, 20], 0, [3, 1], (0, 2, 4)], ids=repr)
@pytest.mark.parametrize("kind", ["floats", "integers", "strings", "masked", "float32", "dates"])
def test_counts_in_bins(kind, bins):
    s = COLUMNS[kind].replace(np.inf, 9.0).rename("n") if kind == "floats" else COLUMNS[kind].rename("n")
    for options in ({}, {"sort": False}, {"normalize": True}, {"ascending": True}, {"dropna": False}):
        alike(lambda s, options=options: s.value_counts(bins=bins, **options), s)
    if kind == "integers" and bins == 3:
        both(lambda s: s.value_counts(bins=3), s)


def test_decimals_by_column():
    frame = pandas.DataFrame(
        {"a": [1.234, 5.678], "b": [11, 25], "c": ["x", "y"], "d": [0.5, np.nan], "e": [True, False]}
    )
    for decimals in ({"a": 1}, {"a": 0, "b": -1, "z": 2}, {"c": 1, "e": 1}, {}):
        both(lambda f, decimals=decimals: f.round(decimals), frame)
    both(lambda f: f.round(pandas.Series({"a": 2, "d": 0})), frame)
    for wrong in ({"a": 1.5}, {"a": "x"}, pandas.Series([1, 2], index=["a", "a"])):
        alike(lambda f, wrong=wrong: f.round(wrong), frame)


@pytest.mark.parametrize("kind", ["floats", "integers", "dates", "strings", "masked", "booleans"])
def test_positions_of_values(kind):
    s = COLUMNS[kind].dropna().sort_values(ignore_index=True)
    for value in (
        0,
        1.5,
        -10,
        np.inf,
        True,
        "b",
        pandas.Timestamp("2020"),
        [0, 2],
        [1.5],
        np.array([3, 0]),
        [],
        np.int8(3),
        None,
    ):
        for side in ("left", "right", "middle"):
            alike(lambda s, value=value, side=side: s.searchsorted(value, side), s)
    both(lambda s: s.searchsorted(2), COLUMNS["integers"].sort_values())


@pytest.mark.parametrize(
    "values", [[1, 5, 9], np.array([1.5, np.nan, 3]), (1, 2, 3), np.array([1, 2], "f4"), ["a"], [], np.eye(2)], ids=repr
)
def test_bins_of_arrays(values):
    for call in ("cut", "qcut"):
        for bins in (2, [0, 2, 10] if call == "cut" else [0, 0.5, 1]):
            for options in ({}, {"labels": False}, {"labels": ["p", "q"]}, {"retbins": True}):
                expected = outcome(
                    lambda m, call=call, bins=bins, options=options: getattr(m, call)(values, bins, **options), pandas
                )
                with bc.config.set(fallback="silent"):
                    found = outcome(
                        lambda m, call=call, bins=bins, options=options: getattr(m, call)(values, bins, **options), pd
                    )
                if isinstance(expected, type):
                    assert found is expected
                    continue
                if options == {"retbins": True}:
                    np.testing.assert_array_equal(found[1], expected[1])
                    expected, found = expected[0], found[0]
                assert type(found) is type(expected)
                assert_same(pd.Series(found), pandas.Series(expected))
    with bc.config.set(fallback="error"):
        assert list(pd.cut(np.array([1, 5]), [0, 2, 6]).codes) == [0, 1]


LISTS = {
    "lists": [[1, 2], [], [3]], "of strings": [["a", "b"], [], None], "tuples and scalars": [(1, 2), "ab", 3.5], "sets": [{1}, np.array([1, 2]), [None]], "none": [None, None, 1],
    "dicts": [{"a": 1}, [{"b": 2}], []],
}  # fmt: skip


@pytest.mark.parametrize("kind", LISTS)
def test_lists_of_objects(kind):
    objects = np.empty(3, dtype=object)
    objects[:] = [np.nan if v is None and kind == "none" else v for v in LISTS[kind]]
    frame = pandas.DataFrame({"n": [1.5, 2, 3], "k": list("xyz")}, index=[5, 6, 7])
    frame["l"] = pandas.Series(objects, index=frame.index, dtype=object)
    both(lambda f: f.explode("l"), frame)
    both(lambda f: f.explode("l", ignore_index=True), frame)
    both(lambda f: f["l"].explode(), frame)
    both(lambda f: f["l"].explode(ignore_index=True), frame)


def test_orders_of_categories():
    for values in (list("abc"), list("cba"), list("aab"), ["a", None, "b"], [None, "a"], []):
        index = pandas.CategoricalIndex(values, categories=["a", "b", "c"], name="n")
        alike(lambda i: i.is_monotonic_increasing, index)
        alike(lambda i: i.is_monotonic_decreasing, index)
        alike(lambda i: i.argsort(), index)
        alike(lambda i: i.sort_values(), index)
        alike(lambda i: i.sort_values(ascending=False, na_position="first"), index)
        alike(lambda s: s.sort_index(), pandas.Series(range(len(index)), index=index))


def test_columns_of_numpys_strings_and_masked_arrays():
    data = {
        "s": [np.str_("a"), "b", np.str_("c")],
        "m": np.ma.MaskedArray([1, 2, 3], [False, True, False]),
        "f": np.ma.MaskedArray([1.0, 2, 3], [False, True, False], dtype="f4"),
        "b": np.ma.MaskedArray([True, False, True], [False, True, False]),
        "o": np.ma.MaskedArray(np.array(["x", 1, None], dtype=object), [False, True, False]),
        "n": np.ma.MaskedArray([1, 2, 3]),
    }
    for name, column in data.items():
        with bc.config.set(fallback="error"):
            assert_same(pd.DataFrame({name: column}), pandas.DataFrame({name: column}))
            assert_same(pd.Series(column), pandas.Series(column))


def test_periods():
    both(lambda s: s.dt.to_period("M"), COLUMNS["dates"])
    alike(lambda s: s.dt.to_period(), COLUMNS["dates"])
    alike(lambda s: s.dt.to_period("nonsense"), COLUMNS["dates"])
    for kind in ("in a zone", "strings", "durations"):
        alike(lambda s: s.dt.to_period("M"), COLUMNS[kind])
    for call in ("isna", "nunique", "value_counts", "sort_values", "duplicated", "drop_duplicates"):
        alike(lambda s, call=call: getattr(s, call)(), pandas.concat([COLUMNS["periods"], COLUMNS["periods"][:2]]).sample(frac=1, random_state=1))  # fmt: skip

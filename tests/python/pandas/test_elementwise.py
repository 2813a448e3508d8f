"""Missing values, replacements, types, look-ups, cumulative operations, shifts and ranks, against pandas."""

from __future__ import annotations

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frame_samples import SERIES, native_or_same
from frames import both
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas import DataFrame, Series

pytestmark = pytest.mark.filterwarnings("ignore")
NUMBERS = ("float64", "float32", "int64", "int8")
OWN = (*NUMBERS, "bool", "datetime64", "timedelta64", "str")
VALUES = [0, 1.5, -1, "x", True, pandas.Timestamp("2020-06-01"), pandas.Timedelta("2s"), np.nan, None, 300]
PLAIN = ("isna", "notna", "isnull", "notnull", "dropna", "ffill", "bfill", "shift", "infer_objects")
ORDERED = ("cumsum", "cumprod", "cummin", "cummax", "diff", "pct_change", "rank")


def parts(kind: str) -> list[Series]:
    s = SERIES[kind]
    return [s, s.iloc[:0], s.iloc[1:2], s.iloc[2:], Series(s.array, index=list("abcab"), name="q")]


@pytest.mark.parametrize("name", [*PLAIN, *ORDERED, "interpolate", "convert_dtypes"])
@pytest.mark.parametrize("kind", SERIES)
def test_methods_without_arguments(name, kind):
    for s in parts(kind):
        native = native_or_same(lambda s: getattr(s, name)(), s)
        if len(s) and ((name in PLAIN and kind in OWN) or (name in ORDERED and kind in NUMBERS)):
            assert native or (name in ("cummin", "cummax") and kind == "bool")


@pytest.mark.parametrize("kind", SERIES)
def test_shifts_differences_and_ranks(kind):
    for s in parts(kind):
        for k in (2, -1, 0, -9, 9):
            native_or_same(lambda s: s.shift(k), s)
            native_or_same(lambda s: s.diff(k), s)
        for method in ("average", "min", "max", "first", "dense"):
            native_or_same(lambda s: s.rank(method=method, ascending=False), s)
            native_or_same(lambda s: s.rank(method=method, pct=True), s)
        native_or_same(lambda s: s.cumsum(skipna=False), s)
        native_or_same(lambda s: s.ffill(limit=1), s)


def test_ranks_of_equal_values():
    s = Series([3, 1, 3, 2, 1, 2.0, np.nan])
    for method in ("average", "min", "max", "first", "dense"):
        for up in (True, False):
            both(lambda s: s.rank(method=method, ascending=up), s)
            both(lambda s: s.rank(method=method, ascending=up, pct=True), s, exact=False)


@pytest.mark.parametrize("x", VALUES, ids=repr)
@pytest.mark.parametrize("kind", SERIES)
def test_values_put_in(kind, x):
    for s in parts(kind):
        native_or_same(lambda s: s.fillna(x), s)
        native_or_same(lambda s: s.shift(1, fill_value=x), s)
        native_or_same(lambda s: s.where(s.notna(), x), s)
        native_or_same(lambda s: s.mask(s.isna(), x), s)
        native_or_same(lambda s: s.where(np.arange(len(s)) % 2 == 0, x), s)
        native_or_same(lambda s: s.clip(x), s)
        native_or_same(lambda s: s.clip(x, 1), s)
        native_or_same(lambda s: s.isin([x, 2, "a"]), s)
        native_or_same(lambda s: s.isin([x]), s)
        native_or_same(lambda s: s.between(x, x), s)
    for y in VALUES:
        native_or_same(lambda s: s.replace(x, y), SERIES[kind])


def test_what_needs_no_pandas():
    f, i, t, m = (SERIES[k] for k in ("float64", "int64", "str", "datetime64"))
    both(lambda s: s.fillna(0), f)
    both(lambda s: s.fillna("none"), t)
    both(lambda s: s.fillna(pandas.Timestamp("2000-01-01")), m)
    both(lambda s: s.where(s > 0), i)
    both(lambda s: s.where(s > 0, -1), i)
    both(lambda s: s.mask(s == "a", "z"), t)
    both(lambda s: s.clip(0, 1), f)
    both(lambda s: s.replace({1: 2, 2: 1, 7: 0}), i)
    both(lambda s: s.replace({"a": "b", "b": "a"}), t)
    both(lambda s: s.isin(list(range(20))), i)
    both(lambda s: s.isin(["a", None]), t)
    both(lambda s: s.map({"a": 1, "b": 2}), t)
    both(lambda s: s.map(Series(["x", "y"], index=[1, 3])), i)
    both(lambda s: s.where(s.notna(), s.shift(1)), f)
    both(lambda s: s.fillna(s.shift(-1)), f)
    both(lambda s: s.combine_first(s.shift(1)), f)


@pytest.mark.parametrize(
    "dtype",
    ["i8", "f8", "f4", "i1", "u1", "b1", "str", "string", "Int64", "Float64", "boolean", "Int8", "category", "M8[s]",
     "M8[ns]", "m8[ms]", "object", "f2"],
)  # fmt: skip
@pytest.mark.parametrize("kind", SERIES)
def test_astype(kind, dtype):
    for s in parts(kind):
        native_or_same(lambda s: s.astype(dtype), s)


def test_astype_of_text_and_numbers():
    both(lambda s: s.astype("i8"), Series(["1", "-20", "300"]))
    both(lambda s: s.astype("f8"), Series(["1.5", "-2e3", None]))
    both(lambda s: s.astype(str), Series([1, -2, 300]))
    both(lambda s: s.astype("category"), Series(["b", "a", None, "b"]))
    both(lambda f: f.astype({"a": "f4"}), DataFrame({"a": [1, 2], "b": [3, 4]}))
    both(lambda f: f.astype({"c": "f4"}), DataFrame({"a": [1, 2], "b": [3, 4]}))


@pytest.mark.parametrize(
    "table",
    [
        {1: "x", 2: "y"},
        {"a": 1, "b": 2.5},
        {1.5: True, 0.0: False},
        {True: 1},
        Series([1, 2, 3], index=["a", "b", "ü"]),
        {},
    ],
    ids=repr,
)
@pytest.mark.parametrize("kind", SERIES)
def test_map(kind, table):
    for s in parts(kind):
        native_or_same(lambda s: s.map(table), s)


FRAME = DataFrame(
    {"a": [1.0, np.nan, 3, np.nan], "b": ["x", None, "y", None], "c": [1, 2, 3, 4],
     "d": pandas.to_datetime(["2020-01-01", None, "2020-01-03", None])}, index=[3, 1, 2, 1],
)  # fmt: skip


@pytest.mark.parametrize(
    "f",
    [
        lambda f: f.isna(),
        lambda f: f.dropna(),
        lambda f: f.dropna(how="all"),
        lambda f: f.dropna(thresh=3),
        lambda f: f.dropna(subset=["a"]),
        lambda f: f.dropna(subset="b", ignore_index=True),
        lambda f: f.dropna(axis=1),
        lambda f: f.dropna(subset=["q"]),
        lambda f: f.fillna({"a": 0, "b": "none"}),
        lambda f: f[["a", "c"]].fillna(0),
        lambda f: f[["a", "c"]].fillna(f[["a", "c"]].mean()),
        lambda f: f.ffill(),
        lambda f: f.bfill(),
        lambda f: f.shift(1),
        lambda f: f[["a", "c"]].diff(),
        lambda f: f[["a", "c"]].cumsum(),
        lambda f: f[["a", "c"]].where(f[["a", "c"]] > 2),
        lambda f: f[["a", "c"]].mask(f[["a", "c"]] > 2, 0),
        lambda f: f[["a", "c"]].clip(2, 3),
        lambda f: f.isin([1, 3]),
        lambda f: f[["a", "c"]].isin([1, 3]),
        lambda f: f[["a", "c"]].rank(),
        lambda f: f[["a", "c"]].replace(3, 30),
        lambda f: f.equals(f.copy()),
        lambda f: f.equals(f.fillna({"a": 0})),
    ],
)
def test_frames(f):
    native_or_same(f, FRAME)


def test_in_place():
    def changed(s):
        t = s.copy()
        t.fillna(0, inplace=True)
        t.clip(0, 1, inplace=True)
        return t

    both(changed, SERIES["float64"])


def test_functions_of_the_namespace():
    s = Series([1.0, np.nan])
    assert pd.isna(pd.from_pandas(s)).tolist() == [False, True] and pd.notna(pd.from_pandas(s)).tolist() == [
        True,
        False,
    ]
    assert pd.isna(None) is True and pd.isnull(1.5) is False and pd.notnull("a") is True
    assert pd.isna(bc.asarray([1.0, np.nan])).tolist() == [False, True]


numbers = st.one_of(st.none(), st.floats(-1e6, 1e6, allow_subnormal=False))


@settings(max_examples=60, deadline=None)
@given(st.lists(numbers, max_size=12), st.integers(-3, 3), st.lists(st.integers(0, 3), min_size=12, max_size=12))
def test_random_columns(values, k, labels):
    s = Series(values, index=labels[: len(values)], dtype="f8")
    for f in (
        lambda s: s.shift(k), lambda s: s.diff(k), lambda s: s.ffill(), lambda s: s.bfill(), lambda s: s.fillna(k),
        lambda s: s.rank(), lambda s: s.cummax(), lambda s: s.where(s > k), lambda s: s.clip(-k, k), lambda s: s.dropna(),
        lambda s: s.isin([1.0, 0.0, k]), lambda s: s.max(), lambda s: s.count(), lambda s: -s + k,
    ):  # fmt: skip
        native_or_same(f, s)


WANTED = [
    np.array([1, 3, 300, -1]), np.array([1, 3], np.uint8), np.array([2**63 + 1, 3], np.uint64), np.array([1.5, 3.0, np.nan, np.inf]),
    np.array([0.1, 1.5], np.float32), [1, 3], [1, 2.5], [], (3,), {1, 3}, range(3), np.array([True]), [2**53 + 1, 0.5], [True, 1],
    np.array(["x", "a"]), np.array(["a", None], object), [None], [np.nan], ["a", np.nan], ["a", 1], np.array(["2020-01-01"], "M8[ns]"),
    [pandas.Timestamp("2020-01-01")], pandas.array([1, 3], dtype="Int64"), pandas.array([1, None], dtype="Int64"),
    pandas.Series([1, 3]), pandas.Index(["a", "b"]), pandas.Series([1, 3], dtype="category"), {"a": 1}, [1e300, 1],
]  # fmt: skip


@pytest.mark.parametrize("kind", [*SERIES, "uint64", "int16"])
@pytest.mark.parametrize("wanted", WANTED, ids=str)
def test_isin_of_values_of_every_type(kind, wanted):
    s = SERIES.get(kind)
    if s is None:
        s = Series(np.array([1, 3, 300, 2**15 - 1], kind))
    both(lambda s, w: s.isin(w), s, wanted, fallback="silent")
    if isinstance(wanted, (pandas.Series, pandas.Index)):
        both(lambda s: s.isin(wanted), s, fallback="silent")


@pytest.mark.parametrize("values", [np.arange(5000), np.arange(5000.0), np.arange(5000).astype("M8[s]")], ids=str)
def test_isin_makes_no_objects_of_values(values, monkeypatch):
    s = Series(values[::-1].copy())
    monkeypatch.setattr(type(pd.Series(s)._column), "sought_of_list", None)
    both(lambda s: s.isin(values[::2]), s)
    assert pd.Series(s).isin(bc.asarray(values[::2])).sum() == 2500


@pytest.mark.parametrize("dtype", ["i1", "i4", "i8", "u2", "u8", "M8[s]", "m8[us]"])
@pytest.mark.parametrize("sizes", [(30_000, 100), (100, 30_000), (20_000, 20_000)])
@pytest.mark.parametrize("least, most", [(-60, 60), (0, 60_000), (2**62, 2**62 + 60_000), (-(2**62), 2**62)])
def test_many_values_among_many(dtype, sizes, least, most):
    rng, kind = np.random.default_rng(7), np.dtype(dtype)
    if kind.kind not in "mM":
        least, most = max(least, np.iinfo(kind).min), min(most, np.iinfo(kind).max)
    if least >= most:
        least, most = 0, 100
    rows, values = (pandas.Series(rng.integers(least, most, n).astype(kind)) for n in sizes)
    values[:50] = rows[:50]
    both(lambda a, b: a.isin(b), rows, values)
    both(lambda a, b: a.isin(b.to_numpy()), rows, values)
    if dtype == "i8":
        both(lambda a, b: a.isin(b), rows.astype("Int64").mask(rows % 7 == 0), values, fallback="silent")
    if dtype == "u8":
        both(lambda a, b: a.isin(b), rows + 2**63, values + 2**63)
        both(lambda a, b: a.isin(b), rows, values + 2**63)
    if kind.kind in "mM":
        rows[3] = pandas.NaT
        both(lambda a, b: a.isin(b), rows, values)
        values[7] = pandas.NaT
        both(lambda a, b: a.isin(b), rows, values)


ONES = [
    "", "a", "MAIL", "SHIP", "DELIVERX", "DELIVERY", "123456789", "1234567890123456", "1234567890123457", "DELIVER IN PERSON",
    "DELIVER IN PERSOM", "x" * 32, "x" * 31 + "y", "x" * 33, "x" * 40, "é", "zürich", "a\0", "\0",
]  # fmt: skip


@pytest.mark.parametrize("last", [None, "", "a", "x" * 33])
@pytest.mark.parametrize("rows", [1, 30, 3000])
@pytest.mark.parametrize("missing", [False, True])
def test_strings_compared_with_one(last, rows, missing):
    strings = np.random.default_rng(rows).choice(np.array(ONES, object), rows)
    strings[-2:] = strings[-1] if last is None else last
    column = pandas.Series(strings, dtype="str")
    if missing:
        column[::7] = None
    for word in ONES:
        both(lambda s: s == word, column)
        both(lambda s: s != word, column)
        both(lambda s: s.iloc[1:-1] == word, column)

"""Methods of indexes do what pandas' do, for all kinds of labels; those that the library has types for need no pandas."""

from __future__ import annotations

import datetime
import warnings

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same, ours

nan, nat = np.nan, pandas.NaT
DAYS = ["2020-01-03", "2020-01-01", "2020-01-02"]
OWN = {
    "int": pandas.Index([3, 1, 2], name="n"),
    "sorted int": pandas.Index([1, 3, 7, 9]),
    "repeated int": pandas.Index([2, 1, 2, 3, 1], name="n"),
    "sorted repeats": pandas.Index([1, 1, 2, 3, 3, 3]),
    "one int": pandas.Index([4]),
    "int32": pandas.Index([5, -1, 3], dtype="int32"),
    "uint8": pandas.Index([5, 1, 3], dtype="uint8"),
    "float": pandas.Index([2.5, 1.0, -0.5], name="f"),
    "missing float": pandas.Index([2.5, nan, 1.0, nan]),
    "bool": pandas.Index([True, False, True]),
    "text": pandas.Index(["b", "a", "c"], name="t"),
    "sorted text": pandas.Index(["a", "b", "d"]),
    "repeated text": pandas.Index(["b", "a", "b"]),
    "missing text": pandas.Index(["b", nan, "a"], dtype="str"),
    "range": pandas.RangeIndex(5, name="r"),
    "stepped range": pandas.RangeIndex(1, 10, 3),
    "falling range": pandas.RangeIndex(6, 0, -2),
    "one row": pandas.RangeIndex(3, 4),
    "dates": pandas.DatetimeIndex(DAYS, name="d"),
    "sorted dates": pandas.DatetimeIndex(sorted(DAYS)).as_unit("ns"),
    "missing dates": pandas.DatetimeIndex([DAYS[0], None, DAYS[1]]),
    "even dates": pandas.date_range("2020-01-01 12:00", periods=4),
    "even hours": pandas.date_range("2020-01-01 12:00", periods=4, freq="2h", name="h"),
    "lengths": pandas.TimedeltaIndex(["2h", "1h", "3h"], name="l"),
    "even lengths": pandas.timedelta_range("1h", periods=4, freq="h"),
    "missing lengths": pandas.TimedeltaIndex(["2h", None, "1D"]),
}
OTHER = {
    "empty int": pandas.Index([], dtype="int64"),
    "empty range": pandas.RangeIndex(0),
    "empty text": pandas.Index([], dtype="str"),
    "empty dates": pandas.DatetimeIndex([]),
    "Int64": pandas.Index([3, None, 1], dtype="Int64"),
    "objects": pandas.Index([1, "a", None], dtype=object),
    "zoned": pandas.DatetimeIndex(DAYS, tz="Europe/Berlin"),
    "categories": pandas.CategoricalIndex(list("bab"), categories=list("abc")),
    "intervals": pandas.IntervalIndex.from_breaks([0, 1, 2, 3]),
    "periods": pandas.PeriodIndex(DAYS, freq="D"),
    "levels": pandas.MultiIndex.from_tuples([("b", 2), ("a", 1), ("b", 1)], names=["x", "y"]),
    "sorted levels": pandas.MultiIndex.from_product([["a", "b"], [1, 2, 3]]),
    "repeated levels": pandas.MultiIndex.from_tuples([("b", 2), ("a", 1), ("b", 2)]),
    "missing levels": pandas.MultiIndex.from_arrays([["b", nan, "a"], [1.5, nan, nan]], names=["x", None]),
}
KINDS = OWN | OTHER


def label(i, at=0):
    return i[at] if len(i) > at else 0


def of(i):
    """The library that an index is of."""
    return pd if hasattr(i, "to_pandas") else pandas


CALLS = {
    # rows
    "take": lambda i: i.take([0, 0]),
    "take last": lambda i: i.take([-1, 0]),
    "take all": lambda i: i.take(np.arange(len(i))),
    "take backwards": lambda i: i.take(np.arange(len(i))[::-1]),
    "take one": lambda i: i.take([0]),
    "take none": lambda i: i.take(np.array([], dtype=int)),
    "take outside": lambda i: i.take([100]),
    "take with holes": lambda i: i.take([0, -1, 0], allow_fill=True, fill_value=np.nan),
    "take allow_fill": lambda i: i.take([-1, 0], allow_fill=True),
    "take below -1": lambda i: i.take([-2, 0], allow_fill=True),
    "take scalar": lambda i: i.take(0),
    "delete first": lambda i: i.delete(0),
    "delete second": lambda i: i.delete(1),
    "delete last": lambda i: i.delete(-1),
    "delete some": lambda i: i.delete([0, 2]),
    "delete two": lambda i: i.delete([1, 2]),
    "delete none": lambda i: i.delete([]),
    "delete slice": lambda i: i.delete(slice(0, 2)),
    "delete mask": lambda i: i.delete(np.arange(len(i)) == 1),
    "delete outside": lambda i: i.delete(100),
    "insert first": lambda i: i.insert(0, label(i, 1)),
    "insert second": lambda i: i.insert(1, label(i)),
    "insert last": lambda i: i.insert(len(i), label(i)),
    "insert -1": lambda i: i.insert(-1, label(i)),
    "insert nan": lambda i: i.insert(1, np.nan),
    "insert None": lambda i: i.insert(1, None),
    "insert NaT": lambda i: i.insert(1, pandas.NaT),
    "insert 1.5": lambda i: i.insert(0, 1.5),
    "insert 300": lambda i: i.insert(0, 300),
    "insert x": lambda i: i.insert(0, "x"),
    "insert outside": lambda i: i.insert(100, label(i)),
    "repeat": lambda i: i.repeat(2),
    "repeat 0": lambda i: i.repeat(0),
    "repeat each": lambda i: i.repeat(np.arange(len(i))),
    "repeat -1": lambda i: i.repeat(-1),
    "where": lambda i: i.where(np.arange(len(i)) != 1),
    "where other": lambda i: i.where(np.arange(len(i)) != 1, label(i)),
    "where all": lambda i: i.where(np.ones(len(i), bool)),
    "where short": lambda i: i.where([True]),
    "putmask": lambda i: i.putmask(np.arange(len(i)) == 1, label(i)),
    "putmask none": lambda i: i.putmask(np.zeros(len(i), bool), label(i)),
    "putmask short": lambda i: i.putmask([True] * 20, label(i)),
    "fillna": lambda i: i.fillna(label(i)),
    "fillna list": lambda i: i.fillna([1]),
    "dropna": lambda i: i.dropna(),
    "dropna all": lambda i: i.dropna("all"),
    "dropna x": lambda i: i.dropna("x"),
    "shift": lambda i: i.shift(2),
    "shift back": lambda i: i.shift(-1),
    "shift 0": lambda i: i.shift(0),
    "shift freq": lambda i: i.shift(1, freq="3h"),
    "shift days": lambda i: i.shift(2, freq="D"),
    "shift months": lambda i: i.shift(1, freq="ME"),
    "map str": lambda i: i.map(str),
    "map id": lambda i: i.map(lambda x: x),
    "map constant": lambda i: i.map(lambda x: 1.5),
    "map tuple": lambda i: i.map(lambda x: (1, 2)),
    "map mixed": lambda i: i.map(lambda x: 1 if x == label(i) else "a"),
    "map dict": lambda i: i.map({label(i): 1}),
    "diff": lambda i: i.diff(),
    "round": lambda i: i.round(),
    "round -1": lambda i: i.round(-1),
    "groupby": lambda i: dict(i.groupby(np.arange(len(i)) % 2)),
    # order
    "argsort": lambda i: i.argsort(),
    "sort_values": lambda i: i.sort_values(),
    "sort_values down": lambda i: i.sort_values(ascending=False),
    "sort_values with rows": lambda i: i.sort_values(return_indexer=True),
    "sort_values down with rows": lambda i: i.sort_values(return_indexer=True, ascending=False),
    "sort_values na first": lambda i: i.sort_values(na_position="first"),
    "sort_values wrong": lambda i: i.sort_values(na_position="x"),
    "sort_values key": lambda i: i.sort_values(key=lambda x: x[::-1]),
    "sortlevel": lambda i: i.sortlevel(),
    "sortlevel down": lambda i: i.sortlevel(ascending=False),
    "sortlevel wrong": lambda i: i.sortlevel(ascending="x"),
    "argmin": lambda i: i.argmin(),
    "argmax": lambda i: i.argmax(),
    "argmin skipna": lambda i: i.argmin(skipna=False),
    # looking up
    "get_loc": lambda i: i.get_loc(label(i)),
    "get_loc second": lambda i: i.get_loc(label(i, 1)),
    "get_loc absent": lambda i: i.get_loc(77),
    "get_loc text": lambda i: i.get_loc("nothing"),
    "get_loc bool": lambda i: i.get_loc(True),
    "get_loc nan": lambda i: i.get_loc(np.nan),
    "get_loc float": lambda i: i.get_loc(3.0),
    "get_loc inf": lambda i: i.get_loc(np.inf),
    "get_loc list": lambda i: i.get_loc([1]),
    "get_indexer": lambda i: i.get_indexer(i),
    "get_indexer some": lambda i: i.get_indexer(i[1:]),
    "get_indexer others": lambda i: i.get_indexer([9, 1, 3]),
    "get_indexer texts": lambda i: i.get_indexer(["a", "q"]),
    "get_indexer pad": lambda i: i.get_indexer(i, method="pad"),
    "get_indexer ffill": lambda i: i.get_indexer([0, 2, 100], method="ffill"),
    "get_indexer bfill": lambda i: i.get_indexer([0, 2, 100], method="bfill"),
    "get_indexer wrong": lambda i: i.get_indexer(i, method="x"),
    "get_indexer_for": lambda i: i.get_indexer_for(i[:2]),
    "get_indexer_for others": lambda i: i.get_indexer_for([1, 77]),
    "get_indexer_non_unique": lambda i: i.get_indexer_non_unique(i),
    "get_indexer_non_unique others": lambda i: i.get_indexer_non_unique([1, 77, 2]),
    "isin": lambda i: i.isin(i[:1]),
    "isin list": lambda i: i.isin([1, 3]),
    "isin texts": lambda i: i.isin({"a", "z"}),
    "isin none": lambda i: i.isin([]),
    "isin scalar": lambda i: i.isin(3),
    "drop": lambda i: i.drop(i[:1]),
    "drop list": lambda i: i.drop([label(i)]),
    "drop absent": lambda i: i.drop([77]),
    "drop ignored": lambda i: i.drop([77], errors="ignore"),
    "reindex": lambda i: i.reindex(i[::-1]),
    "reindex same": lambda i: i.reindex(i),
    "reindex list": lambda i: i.reindex([1, 77]),
    "reindex none": lambda i: i.reindex([]),
    "searchsorted": lambda i: i.searchsorted(label(i)),
    "searchsorted right": lambda i: i.searchsorted(label(i), side="right"),
    "searchsorted several": lambda i: i.searchsorted(i[:2]),
    "get_slice_bound": lambda i: i.get_slice_bound(label(i, 1), "left"),
    "get_slice_bound right": lambda i: i.get_slice_bound(label(i, 1), "right"),
    "get_slice_bound wrong": lambda i: i.get_slice_bound(label(i, 1), "x"),
    "slice_locs": lambda i: i.slice_locs(label(i), label(i, 1)),
    "slice_locs open": lambda i: i.slice_locs(label(i, 1)),
    "slice_locs back": lambda i: i.slice_locs(label(i, 1), label(i), step=-1),
    "slice_locs absent": lambda i: i.slice_locs(2, 5),
    "slice_indexer": lambda i: i.slice_indexer(label(i), label(i, 1), 1),
    "asof": lambda i: i.asof(label(i, 1)),
    "asof between": lambda i: i.asof(2.7),
    "contains": lambda i: [label(i) in i, 77 in i, "a" in i, True in i, 1.5 in i, 1.0 in i],
    # sets
    "union": lambda i: i.union(i[1:]),
    "union unsorted": lambda i: i.union(i[::-1], sort=False),
    "union other": lambda i: i[:2].union(i[1:].rename(None)),
    "union list": lambda i: i.union([1, 77]),
    "union texts": lambda i: i.union(["q", "a"]),
    "union next": lambda i: i.union([5, 6]),
    "union next text": lambda i: i.union(["c"], sort=False),
    "union missing": lambda i: i.union([np.nan]),
    "union of another unit": lambda i: i.union(pandas.DatetimeIndex(DAYS).as_unit("ms")),
    "union float": lambda i: i.union(of(i).Index([1.0, 7.5])),
    "intersection float": lambda i: i.intersection(of(i).Index([1.0, 7.5])),
    "difference float": lambda i: i.difference(of(i).Index([1.0, 7.5])),
    "union range": lambda i: i.union(of(i).RangeIndex(4, 8)),
    "intersection range": lambda i: i.intersection(of(i).RangeIndex(4, -3, -2)),
    "difference range": lambda i: i.difference(of(i).RangeIndex(1, 8, 2)),
    "union none": lambda i: i.union(i[:0]),
    "union to none": lambda i: i[:0].union(i),
    "union wrong": lambda i: i.union(i, sort="x"),
    "union sorted": lambda i: i.union(i, sort=True),
    "union scalar": lambda i: i.union(3),
    "intersection": lambda i: i.intersection(i[1:]),
    "intersection back": lambda i: i.intersection(i[::-1][:2]),
    "intersection sorted": lambda i: i.intersection(i[::-1][:2], sort=None),
    "intersection same": lambda i: i.intersection(i),
    "intersection none": lambda i: i.intersection(i[:0]),
    "intersection list": lambda i: i.intersection([1, 3, 77]),
    "difference": lambda i: i.difference(i[:1]),
    "difference unsorted": lambda i: i.difference(i[1:2], sort=False),
    "difference same": lambda i: i.difference(i),
    "difference none": lambda i: i.difference(i[:0]),
    "difference list": lambda i: i.difference([1, 3]),
    "symmetric_difference": lambda i: i[:2].symmetric_difference(i[1:]),
    "symmetric_difference named": lambda i: i[:2].symmetric_difference(i[1:], result_name="z"),
    "symmetric_difference list": lambda i: i.symmetric_difference([1, 77], sort=False),
    "join left": lambda i: i.join(i[1:], return_indexers=True),
    "join right": lambda i: i.join(i[::-1], how="right", return_indexers=True),
    "join inner": lambda i: i.join(i[:2].rename(None), how="inner", return_indexers=True),
    "join outer": lambda i: i[:2].join(i[1:], how="outer", return_indexers=True),
    "join": lambda i: i[:2].join(i[1:], how="outer"),
    "join wrong": lambda i: i.join(i, how="x"),
    # times
    "floor": lambda i: i.floor("D"),
    "ceil": lambda i: i.ceil("2h"),
    "round to": lambda i: i.round("D"),
    "round to months": lambda i: i.round("ME"),
    "floor ambiguous": lambda i: i.floor("D", ambiguous="NaT"),
    "as_unit": lambda i: i.as_unit("s"),
    "as_unit ns": lambda i: i.as_unit("ns"),
    "as_unit wrong": lambda i: i.as_unit("D"),
    "mean": lambda i: i.mean(),
    "mean skipna": lambda i: i.mean(skipna=False),
    "std": lambda i: i.std(),
    "sum": lambda i: i.sum(),
    "median": lambda i: i.median(),
    "normalize": lambda i: i.normalize(),
    "strftime": lambda i: i.strftime("%Y/%m"),
    "day_name": lambda i: i.day_name(),
    "month_name": lambda i: i.month_name(),
    "isocalendar": lambda i: i.isocalendar(),
    "is_normalized": lambda i: i.is_normalized,
    "resolution": lambda i: i.resolution,
    "asi8": lambda i: i.asi8,
    "to_pydatetime": lambda i: i.to_pydatetime(),
    "date": lambda i: i.date,
    "time": lambda i: i.time,
    "timetz": lambda i: i.timetz,
    "indexer_at_time": lambda i: i.indexer_at_time(datetime.time(12)),
    "indexer_at_time text": lambda i: i.indexer_at_time("14:00"),
    "indexer_between_time": lambda i: i.indexer_between_time("13:00", "16:00"),
    "indexer_between_time open": lambda i: i.indexer_between_time(datetime.time(14), datetime.time(16), include_start=False),
    "indexer_between_time night": lambda i: i.indexer_between_time("16:00", "12:00", include_end=False),
    "to_julian_date": lambda i: i.to_julian_date(),
    "total_seconds": lambda i: i.total_seconds(),
    "components": lambda i: i.components,
    "to_pytimedelta": lambda i: i.to_pytimedelta(),
    "tz_localize": lambda i: i.tz_localize("UTC"),
    "snap": lambda i: i.snap("h"),
    "inferred_freq": lambda i: i.union(i[1:2]).inferred_freq,
    # levels
    "levels": lambda i: list(i.levels),
    "codes": lambda i: [list(c) for c in i.codes],
    "levshape": lambda i: i.levshape,
    "dtypes": lambda i: i.dtypes,
    "swaplevel": lambda i: i.swaplevel(),
    "swaplevel by name": lambda i: i.swaplevel("x", "y"),
    "reorder_levels": lambda i: i.reorder_levels([1, 0]),
    "reorder_levels short": lambda i: i.reorder_levels([1]),
    "remove_unused_levels": lambda i: i.remove_unused_levels(),
    "equal_levels": lambda i: [i.equal_levels(i[::-1]), i.equal_levels(i.swaplevel())],
    "get_loc first level": lambda i: i.get_loc("b"),
    "get_loc of levels": lambda i: i.get_loc(("b", 1)),
    "get_locs": lambda i: i.get_locs(["a"]),
    "get_locs lists": lambda i: i.get_locs([["a", "b"], [1]]),
    "get_locs slice": lambda i: i.get_locs([slice(None), 1]),
    "isin tuples": lambda i: i.isin([("b", 1), ("q", 7)]),
    "isin level": lambda i: i.isin(["b"], level=0),
    "sortlevel 1": lambda i: i.sortlevel(1),
    "sortlevel list": lambda i: i.sortlevel([1, 0], ascending=[False, True]),
    "sortlevel alone": lambda i: i.sortlevel(1, sort_remaining=False),
    "truncate": lambda i: i.truncate("a", "a"),
    "drop tuple": lambda i: i.drop([("b", 1)]),
    "drop level": lambda i: i.drop("b", level=0),
    "drop absent in level": lambda i: i.drop("q", level=0),
    "insert tuple": lambda i: i.insert(1, ("c", 9)),
    "insert short tuple": lambda i: i.insert(1, ("c",)),
    "droplevel 1": lambda i: i.droplevel(1),
    "droplevel all": lambda i: i.droplevel([0, 1]),
    "difference tuples": lambda i: i.difference([("b", 1)]),
    # facts
    "T": lambda i: i.T,
    "transpose": lambda i: i.transpose(),
    "ravel": lambda i: i.ravel(),
    "view": lambda i: i.view(),
    "item": lambda i: i.item(),
    "item of one": lambda i: i[:1].item(),
    "is_": lambda i: [i.is_(i), i.is_(i.view()), i.is_(i[:]), i.view().is_(i), i.is_(i.copy()), i.is_(i.rename(None)), i.is_(3)],
    "notna": lambda i: i.notna(),
    "notnull": lambda i: i.notnull(),
    "infer_objects": lambda i: i.infer_objects(),
    "to_flat_index": lambda i: i.to_flat_index(),
    "inferred_type": lambda i: i.inferred_type,
    "nbytes": lambda i: i.nbytes,
    "any": lambda i: i.any(),
    "all": lambda i: i.all(),
    "droplevel": lambda i: i.droplevel(0),
    "droplevel none": lambda i: i.droplevel([]),
    "getitem last": lambda i: i[[-1]],
    "getitem outside": lambda i: i[[50]],
}  # fmt: skip
# Results that pandas does not define: the order of equal labels, positions among unsorted labels; of levels, the type
# with missing values, and the memory; and errors of pandas' own.
OPEN = {
    "argsort": "repeat", "sort_values with rows": "repeat", "sort_values down with rows": "repeat", "sort_values key": "repeats",
    "sortlevel": "repeat", "sortlevel down": "repeat", "take allow_fill": "levels", "take with holes": "levels", "take scalar": "levels empty",
    "putmask": "levels", "nbytes": "levels", "to_flat_index": "missing levels", "sort_values wrong": "objects",
    "isin tuples": "text",
}  # fmt: skip


def is_open(kind, call):
    if call.startswith("sortlevel") and "repeat" in kind:
        return True
    if call.startswith("searchsorted"):
        return not KINDS[kind].is_monotonic_increasing
    return any(word in kind for word in OPEN.get(call, "").split()) if call != "to_flat_index" else kind == OPEN[call]


def outcome(call, index, fallback):
    with bc.config.set(fallback=fallback), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call(index), None
        except Exception as e:  # the oracle's answer may be any error
            return None, e


def compare(found, expected):
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        for k, v in expected.items():
            compare(found[k], v)
        return
    if isinstance(expected, np.ndarray) and expected.dtype == object:
        pandas.testing.assert_series_equal(pandas.Series(found, dtype=object), pandas.Series(expected, dtype=object))
        return
    if isinstance(expected, pandas.api.extensions.ExtensionArray):
        pandas.testing.assert_extension_array_equal(found, expected)
        return
    assert_same(found, expected)
    if isinstance(expected, (pandas.DatetimeIndex, pandas.TimedeltaIndex)):
        assert found.freq == expected.freq
    if isinstance(expected, tuple):
        for a, b in zip(found, expected):
            if isinstance(b, pandas.Index):
                compare(a, b)
            else:
                assert (a is None) == (b is None)
    if isinstance(expected, np.ndarray) and expected.dtype != object:
        assert np.asarray(found).dtype == expected.dtype


def check(call, there, fallback):
    expected, error = outcome(call, there, "silent")
    found, own_error = outcome(call, ours(there), fallback)
    if error is None:
        if own_error is not None:
            raise own_error
        compare(found, expected)
        return
    assert own_error is not None, (found, error)
    assert type(own_error) in type(error).__mro__[:2], (own_error, error)


def wrong(call, kinds, fallback):
    """The differences of a call from pandas', by the kinds of labels."""
    found = {}
    for kind in kinds:
        try:
            check(CALLS[call], KINDS[kind], fallback)
        except Exception as e:  # whatever it is, it is reported with its kind
            found[kind] = e
    return found


@pytest.mark.parametrize("call", CALLS)
def test_as_pandas(call):
    assert not wrong(call, [k for k in KINDS if not is_open(k, call)], "silent")


# Calls that fall back to pandas for some labels of the library's own types.
PARTLY = """
insert nan, insert None, insert NaT, insert 1.5, insert 300, insert x, where, where all, shift freq, shift days,
shift months, map str, map id, map constant, map tuple, map mixed, map dict, diff, round, round -1, argmin, argmax,
argmin skipna, get_loc second, get_loc nan, get_indexer others, get_indexer texts, get_indexer ffill, get_indexer
bfill, get_indexer_for others, get_indexer_non_unique others, isin list, isin texts, drop list, drop ignored,
reindex list, searchsorted, searchsorted right, searchsorted several, get_slice_bound, get_slice_bound right,
slice_locs, slice_locs open, slice_locs back, slice_locs absent, slice_indexer, asof, asof between, union, union
unsorted, union other, union list, union texts, union next, union next text, union missing, union of another unit,
union float, intersection float, difference float, union range, intersection range, difference range, union none,
union to none, union sorted, intersection, intersection back, intersection sorted, intersection same, intersection
none, intersection list, difference list, symmetric_difference, symmetric_difference named, symmetric_difference list, join left, join right, join inner, join outer,
join, round to, round to months, floor ambiguous, std, median, indexer_at_time text, components, tz_localize, snap,
inferred_freq, isin tuples, isin level, insert tuple, insert short tuple, difference tuples, inferred_type, nbytes,
any, all
"""
PARTS = {" ".join(name.split()) for name in PARTLY.split(",")}
WHOLE = [call for call in CALLS if call not in PARTS]


@pytest.mark.parametrize("call", WHOLE)
def test_without_pandas(call):
    assert not wrong(call, [k for k in OWN if not is_open(k, call) and answers(call, k)], "error")


# Of those, calls that need no pandas for the plainest labels.
PLAIN = """
insert None, where, where all, shift freq, shift days, map str, map constant, map dict, diff, get_loc second,
get_loc nan, get_indexer ffill, get_indexer bfill, drop list, get_slice_bound, get_slice_bound right, slice_locs,
slice_locs open, slice_locs back, slice_locs absent, slice_indexer, asof between, union, union unsorted, union
other, union none, union to none, union sorted, intersection, intersection back, intersection sorted, intersection
same, intersection none, join left, join right, join inner, join outer, join, median, components, inferred_freq,
inferred_type
"""


@pytest.mark.parametrize("call", [" ".join(name.split()) for name in PLAIN.split(",")])
def test_plain_labels_without_pandas(call):
    kinds = ("sorted int", "sorted text", "sorted dates")
    assert not wrong(call, [k for k in kinds if not is_open(k, call) and answers(call, k)], "error")


def answers(call, kind):
    """Whether pandas gives an answer rather than an error, whose words may be pandas' own."""
    return outcome(CALLS[call], KINDS[kind], "silent")[1] is None

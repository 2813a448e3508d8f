"""Labels of every kind looked up in indexes of every kind: membership, position, value, lists of labels."""

from __future__ import annotations

import datetime
import decimal
import threading
from fractions import Fraction

import bascule
import bascule.pandas as pd
import numpy as np
import pandas
import pytest

ROWS = 40


def _shuffled(values, rng):
    out = list(values)
    rng.shuffle(out)
    return out


def _dates(unit, rng):
    days = pandas.date_range("2020-01-01", periods=ROWS, freq="7h").as_unit(unit)
    return days[rng.permutation(ROWS)]


def _words(rng, n=ROWS):
    return [f"w{int(i)}é" if i % 7 == 0 else f"w{int(i)}" for i in rng.permutation(n)]


KINDS = {
    "range": lambda r: pandas.RangeIndex(3, 3 + 2 * ROWS, 2),
    "range down": lambda r: pandas.RangeIndex(30, -10, -3),
    "int64": lambda r: pandas.Index(r.permutation(ROWS) - 5),
    "int64 sorted": lambda r: pandas.Index(np.arange(ROWS) * 3),
    "int64 repeated": lambda r: pandas.Index(r.integers(0, 12, ROWS)),
    "int64 sorted, repeated": lambda r: pandas.Index(np.sort(r.integers(0, 12, ROWS))),
    "int64 large": lambda r: pandas.Index(2**53 + r.permutation(ROWS)),
    "int8": lambda r: pandas.Index(r.permutation(ROWS).astype(np.int8)),
    "uint64": lambda r: pandas.Index(np.array([2**63 + 1, 0, 1, 5, 2**64 - 1], np.uint64)),
    "float64": lambda r: pandas.Index(r.permutation(ROWS) / 2),
    "float64 with NaN": lambda r: pandas.Index([0.0, 1.0, np.nan, 2.5, np.inf, -np.inf, 2.0**53]),
    "float64 with two NaN": lambda r: pandas.Index([-0.0, np.nan, 2.5, np.nan, 2.5]),
    "float32": lambda r: pandas.Index(np.array([0.1, 1.0, 2.5, 16777216.0], np.float32)),
    "bool": lambda r: pandas.Index([True, False]),
    "bool repeated": lambda r: pandas.Index([True, False, True]),
    "str": lambda r: pandas.Index(_words(r)),
    "str sorted": lambda r: pandas.Index(sorted(_words(r))),
    "str repeated": lambda r: pandas.Index([f"w{i}" for i in r.integers(0, 9, ROWS)]),
    "str with missing": lambda r: pandas.Index(["a", None, "b", "", "w1"], dtype="str"),
    "string": lambda r: pandas.Index(["a", None, "b", "w1"], dtype="string"),
    "Int64": lambda r: pandas.Index([3, None, 1, 2], dtype="Int64"),
    "Int64 without missing": lambda r: pandas.Index([3, 1, 2], dtype="Int64"),
    "Float64": lambda r: pandas.Index([3.0, None, 1.5], dtype="Float64"),
    "boolean": lambda r: pandas.Index([True, None, False], dtype="boolean"),
    "datetime64[ns]": lambda r: _dates("ns", r),
    "datetime64[us]": lambda r: _dates("us", r),
    "datetime64[s] sorted": lambda r: _dates("s", r).sort_values(),
    "datetime64 with NaT": lambda r: pandas.DatetimeIndex(["2020-01-02", None, "2020-01-01"]),
    "datetime64 repeated": lambda r: _dates("us", r)[r.integers(0, 5, ROWS)],
    "timedelta64": lambda r: pandas.to_timedelta(r.permutation(ROWS), unit="h"),
    "zoned": lambda r: _dates("us", r).tz_localize("Europe/Berlin"),
    "categories": lambda r: pandas.CategoricalIndex(["b", "a", "c", None]),
    "categories repeated": lambda r: pandas.CategoricalIndex(["b", "a", "b", "c"]),
    "categories of integers": lambda r: pandas.CategoricalIndex([3, 1, 2]),
    "objects": lambda r: pandas.Index([1, "a", None, 2.5, (1, 2), b"x", decimal.Decimal("1.5")], dtype=object),
    "objects repeated": lambda r: pandas.Index([1, "a", True, "a", 0, np.nan, "b"], dtype=object),
    "periods": lambda r: pandas.period_range("2020-01", periods=6, freq="M"),
    "levels": lambda r: pandas.MultiIndex.from_arrays([r.integers(0, 5, ROWS), _words(r)]),
    "levels sorted": lambda r: pandas.MultiIndex.from_product([range(4), list("abcd")]),
    "levels repeated": lambda r: pandas.MultiIndex.from_arrays([[1, 2, 1, 2], ["a", "b", "a", "c"]]),
    "levels with dates": lambda r: pandas.MultiIndex.from_arrays([_dates("ns", r), r.permutation(ROWS)]),
}

KEYS = [
    None, np.nan, pandas.NaT, pandas.NA, True, False, np.True_, np.False_, 0, 1, 5, -1, -5, 11, 10**30, -(10**30), 2**53 + 1, 2**63, 2**63 + 1,
    2**64 - 1, 2**53, 0.0, -0.0, 1.0, 2.0, 2.5, 0.1, 1e300, np.inf, float(2**63), float(2**53), np.int8(3), np.uint64(2**63 + 1),
    np.uint8(5), np.int64(7), np.float32(0.1), np.float32(2.5), np.float64(1.0), np.float16(2.5), 3 + 0j,
    "a", "b", "", "w1", "w0é", "é", "\ud800", np.str_("a"), b"x", "2020", "2020-01", "2020-01-03", "2020-01-02T07:00", "1h", "3 hours",
    pandas.Timestamp("2020-01-02"), pandas.Timestamp("2020-01-01T07:00"), pandas.Timestamp("2020-01-01T00:00:00.000000001"),
    pandas.Timestamp("2020-01-01T07:00", tz="Europe/Berlin"), pandas.Timestamp("2020-01-01T06:00", tz="UTC"),
    datetime.datetime(2020, 1, 1, 7), datetime.date(2020, 1, 2), datetime.time(7), datetime.timedelta(hours=3),
    np.datetime64("2020-01-02"), np.datetime64("2020-01-01T07:00:00"), np.datetime64("2020-01-01T07", "ns"), np.datetime64("NaT", "s"),
    pandas.Timedelta("3h"), pandas.Timedelta(1, "ns"), np.timedelta64(3, "h"), np.timedelta64(5, "s"), np.timedelta64(5, "ns"),
    pandas.Period("2020-03", "M"), pandas.Period("2020-03-01", "D"), (1, "a"), (1, 2), (2, "b"), (7, "zz"), (True, "a"), (1.0, "a"), (1, None),
    (None, "a"), (np.nan, "a"), (1, "a", 2), frozenset([1]), decimal.Decimal("1.5"), decimal.Decimal(1), Fraction(1), Fraction(5, 2),
]  # fmt: skip


def _outcome(f):
    try:
        found = f()
    except Exception as e:
        return type(e).__name__, str(e) if isinstance(e, KeyError) else ""
    return _seen(found)


def _seen(x):
    if isinstance(x, (pandas.Series, pd.Series)):
        return "Series", list(map(_seen, x.tolist())), list(map(repr, x.index.tolist()))
    if isinstance(x, (np.ndarray, bascule.ndarray)):
        return "array", str(x.dtype), np.asarray(x).tolist()
    if isinstance(x, slice):  # pandas' bounds may be NumPy's
        return "slice", *(v if v is None else int(v) for v in (x.start, x.stop, x.step))
    return type(x).__name__, repr(x)


WAYS = {
    "in": lambda i, s, k: k in i,
    "get_loc": lambda i, s, k: i.get_loc(k),
    "[]": lambda i, s, k: s[k],
    "at": lambda i, s, k: s.at[k],
    "get": lambda i, s, k: s.get(k),
    "loc": lambda i, s, k: s.loc[k],
}


def differences(kind, seed, keys, ways=WAYS):
    """Of one index what pandas says and what bascule says, where that is not the same."""
    rng = np.random.default_rng(seed)
    theirs = KINDS[kind](rng)
    values = np.arange(len(theirs)) * 1.5
    them = pandas.Series(values, theirs)
    mine = pd.Index(theirs)
    us = pd.Series(values, mine)
    here = [theirs[int(i)] for i in rng.integers(0, len(theirs), 12)]
    found = []
    for key in [*keys, *here]:
        for name, way in ways.items():
            one, other = _outcome(lambda: way(theirs, them, key)), _outcome(lambda: way(mine, us, key))
            if one != other:
                found.append((name, key, one, other))
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
def test_labels_are_found_as_pandas_finds_them(kind):
    with bascule.config.set(fallback="silent"):
        assert differences(kind, 0, KEYS) == []


LONG = 5_000  # more than are hashed at once where they are sorted


@pytest.mark.parametrize("order", ["sorted", "shuffled", "repeated"])
@pytest.mark.parametrize("kind", ["int64", "float64", "str", "datetime64[ns]", "uint8 beside str"])
def test_lists_of_labels_are_found_as_pandas_finds_them(kind, order):
    rng = np.random.default_rng(3)
    numbers = {"sorted": np.arange(LONG), "shuffled": rng.permutation(LONG), "repeated": rng.integers(0, 900, LONG)}[
        order
    ]
    made = {
        "int64": lambda: pandas.Index(numbers * 3),
        "float64": lambda: pandas.Index(numbers / 4),
        "str": lambda: pandas.Index([f"k{i:05}" for i in numbers]),
        "datetime64[ns]": lambda: pandas.DatetimeIndex(numbers.astype("M8[m]").astype("M8[ns]")),
        "uint8 beside str": lambda: pandas.MultiIndex.from_arrays(
            [(numbers % 200).astype(np.uint8), [f"k{i}" for i in numbers]]
        ),
    }[kind]()
    wanted = made[[5, 4000, 5, 77]].append(made[:1].repeat(3))
    absent = (
        wanted if kind == "uint8 beside str" else made[:3].append(made[-1:] + made[-1:]) if kind == "str" else wanted
    )
    mine = pd.Index(made)
    for target in (wanted, absent, made[:0]):
        assert list(mine.get_indexer_for(target)) == list(made.get_indexer_for(target))
        if order != "repeated":
            assert list(mine.get_indexer(target)) == list(made.get_indexer(target))
            them = pandas.Series(np.arange(LONG), made)
            pandas.testing.assert_series_equal(pd.Series(them).reindex(target).to_pandas(), them.reindex(target))
    for key in made[::617]:
        assert _outcome(lambda: mine.get_loc(key)) == _outcome(lambda: made.get_loc(key))
        assert key in mine


def test_searched_labels_are_hashed_after_many_look_ups():
    made = pd.Index(np.arange(LONG) * 2)
    assert [made.get_loc(2 * i) for i in range(LONG)] == list(range(LONG))
    assert not any(2 * i + 1 in made for i in range(LONG))
    repeated = pd.Index(np.repeat(np.arange(LONG), 3))
    for _ in range(2):
        assert all(repeated.get_loc(i) == slice(3 * i, 3 * i + 3) for i in range(LONG))


@pytest.mark.parametrize("kind", ["int64", "str", "levels"])
def test_eight_threads_build_one_table(kind):
    numbers = np.random.default_rng(5).permutation(200_000)
    made = {
        "int64": lambda: pd.Index(numbers),
        "str": lambda: pd.Index([f"k{i}" for i in numbers]),
        "levels": lambda: pd.MultiIndex.from_arrays([numbers % 7, numbers]),
    }[kind]()
    keys = {"int64": lambda i: i, "str": lambda i: f"k{i}", "levels": lambda i: (i % 7, i)}[kind]
    there = np.argsort(numbers)
    start, wrong = threading.Barrier(8), []

    def look(seed):
        mine = made.rename(["a", "b"]) if kind == "levels" else made.rename("view")
        start.wait()
        for i in np.random.default_rng(seed).integers(0, 200_000, 200).tolist():
            if mine.get_loc(keys(i)) != there[i]:
                wrong.append(i)

    threads = [threading.Thread(target=look, args=(s,)) for s in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not wrong

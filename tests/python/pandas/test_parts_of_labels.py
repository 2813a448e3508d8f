"""Rows selected by a part of their labels: dates by strings, and levels by some of them, against pandas."""

from __future__ import annotations

import datetime

import numpy as np
import pandas
import pytest
from frames import both

DATES = {
    "days": pandas.date_range("2020-01-30", periods=6),
    "hours": pandas.date_range("2020-01-31 20:00", periods=8, freq="h"),
    "unsorted": pandas.DatetimeIndex(["2020-03-01", "2020-01-05", "2020-01-05", "2021-01-01"]),
    "none": pandas.DatetimeIndex([]),
    "missing": pandas.DatetimeIndex(["2020-01-01", None]),
    "seconds": pandas.date_range("2020-01-01", periods=4, unit="s"),
    "repeated": pandas.DatetimeIndex(["2020-01-01", "2020-01-01", "2020-01-02"]),
    "zone": pandas.date_range("2020-01-30", periods=6, tz="UTC"),
    "descending": pandas.date_range("2020-01-30", periods=6)[::-1],
}
TIMES = [
    "2020", "2020-01", "2020-01-31", "2020-02-01 01", "2020-01-31 22:00", "2020-01-31 22:00:00", "2019", "2020-01-05", "2020Q1", "junk", "2020-01-31 22:00+00:00",
    slice("2020-01", "2020-01"), slice("2020-01-31", "2020-02-01"), slice(None, "2020-02"), slice("2021", None), slice(pandas.Timestamp("2020-01-31 21:30"), None),
    slice(datetime.datetime(2020, 1, 31), "2020-02-01"), slice("2020-02", "2020-01"), slice("2020", "2020", 2), datetime.time(22, 0), datetime.date(2020, 1, 31),
    datetime.datetime(2020, 1, 31), ["2020-01-31"], slice(1, 2), 5, slice(pandas.Timestamp("2020-01-31", tz="UTC"), None),
]  # fmt: skip
LEVELS = {
    "sorted": pandas.MultiIndex.from_product([["a", "b", "c"], [1, 2]], names=["x", "y"]),
    "unsorted": pandas.MultiIndex.from_tuples([("b", 1), ("a", 2), ("c", 1), ("a", 1), ("b", 2), ("c", 2)]),
    "three": pandas.MultiIndex.from_product([["a", "b"], [1, 2], [0.5, 1.5]], names=list("xyz")),
    "repeated": pandas.MultiIndex.from_tuples([("a", 1), ("a", 1), ("b", 1)]),
    "integers": pandas.MultiIndex.from_product([[1, 2], ["p", "q"]]),
    "dates": pandas.MultiIndex.from_product([pandas.date_range("2020", periods=2), [1, 2]]),
    "missing": pandas.MultiIndex.from_arrays([["a", None, "b"], [1, 2, 3]]),
}
KEYS = [
    "a", "z", 1, 2, ("a",), ("a", 1), ("a", 3), ("a", 1, 0.5), ("a", 2), ["a"], ["b", "a"], ["a", "z"], [("b", 1), ("a", 1)], [("a", 9)], slice("a", "b"),
    slice("b", None), slice(1, 2), ("a", slice(None)), (["a", "b"], [1]), (slice(None), 1), [], True, None, np.nan, ("a", "p"), (1, "p"), [2, 1], "2020-01-01",
    slice(("a", 1), ("b", 1)), ("a", 1.0), ["a", "a"],
]  # fmt: skip


def put(key):
    """A call that writes to rows of a copy."""

    def call(x):
        x = x.copy()
        x.loc[key] = 7
        return x

    return call


def check(labels, keys):
    values = pandas.DataFrame({"a": range(len(labels)), "p": 1.5}, index=labels)
    wrong = []
    for key in keys:
        calls = {"loc": lambda x, k=key: x.loc[k], "column": lambda x, k=key: x.loc[k, "a"], "set": put(key)}
        for name, call in calls.items():
            for x in (values, values.a) if name != "column" else (values,):
                try:
                    both(call, x, fallback="silent")
                except (AssertionError, NotImplementedError) as e:
                    wrong.append(f"{name} {key!r} of {type(x).__name__}: {' '.join(str(e).split())[:150]}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("labels", DATES)
@pytest.mark.filterwarnings("ignore")
def test_dates_by_strings(labels):
    check(DATES[labels], TIMES)


@pytest.mark.parametrize("labels", LEVELS)
@pytest.mark.filterwarnings("ignore")
def test_some_of_several_levels(labels):
    check(LEVELS[labels], KEYS)


NATIVE = [
    ("days", "2020-02"), ("days", "2020-01-31"), ("hours", slice("2020-01-31 22", "2020-02-01")), ("hours", datetime.time(22, 0)), ("unsorted", "2020-01"),
    ("sorted", "a"), ("sorted", ("a", 1)), ("sorted", ["b", "a"]), ("sorted", [("b", 1), ("a", 2)]), ("sorted", slice("a", "b")), ("three", ("a", 2)),
    ("unsorted", "b"),
]  # fmt: skip


@pytest.mark.parametrize("labels, key", NATIVE, ids=str)
def test_parts_that_need_no_pandas(labels, key):
    index = DATES[labels] if isinstance(key, datetime.time) or "2020" in str(key) else LEVELS[labels]
    frame = pandas.DataFrame({"a": range(len(index))}, index=index)
    both(lambda x: x.loc[key], frame)
    both(lambda x: x.loc[key], frame.a)
    both(put(key), frame)

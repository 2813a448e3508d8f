"""The labels of joined frames: their class, type, order and frequency, and the labels of the columns."""

from __future__ import annotations

import itertools

import bascule.pandas as pd
import pandas
import pandas.testing
import pytest
from frame_samples import native_or_same

INTEGERS = {
    "whole": pandas.Index([2, 3, 4]),
    "unordered": pandas.Index([3, 1, 4]),
    "repeated": pandas.Index([2, 2, 3]),
    "bytes": pandas.Index([2, 3, 4], dtype="int8"),
    "apart": pandas.Index([9]),
    "range": pandas.RangeIndex(3),
    "falling": pandas.RangeIndex(4, 0, -1),
}
_DAYS = pandas.date_range("2020-01-01", periods=3)
DATES = {
    "days": _DAYS,
    "next": pandas.date_range("2020-01-02", periods=3),
    "none": _DAYS[:0],
    "hours": pandas.date_range("2020-01-01", periods=3, freq="h"),
    "repeated": pandas.DatetimeIndex(["2020-01-01", "2020-01-01", "2020-01-03"]),
    "falling": _DAYS[::-1],
    "every second": pandas.date_range("2020-01-01", periods=3, freq="2D"),
}


def _check(left: pandas.Index, right: pandas.Index, how: str, sort: bool) -> None:
    a = pandas.DataFrame({"a": range(len(left))}, index=left)
    b = pandas.DataFrame({"b": range(len(right))}, index=right)
    options = {"left_index": True, "right_index": True, "how": how, "sort": sort}
    expected = a.merge(b, **options)
    found = pd.from_pandas(a).merge(pd.from_pandas(b), **options).to_pandas()
    pandas.testing.assert_frame_equal(found, expected, check_index_type="exact", check_freq=True)


@pytest.mark.parametrize("how", ["inner", "left", "right", "outer"])
@pytest.mark.parametrize("kind", ["integers", "dates"])
def test_labels_of_merged_labels(kind: str, how: str) -> None:
    labels = INTEGERS if kind == "integers" else DATES
    wrong = []
    for i, ((one, left), (two, right)) in enumerate(itertools.product(labels.items(), labels.items())):
        sort = bool(i % len(labels) % 2)
        try:
            _check(left, right, how, sort)
        except AssertionError as error:
            wrong.append((one, two, sort, str(error).splitlines()[-2:]))
    assert not wrong


NAMES = {
    "texts": pandas.Index(["a", "b"]),
    "named": pandas.Index(["a", "c"], name="columns"),
    "range": pandas.RangeIndex(2),
    "next": pandas.RangeIndex(2, 4),
    "whole": pandas.Index([0, 5]),
    "floats": pandas.Index([0.5, 1.5]),
    "mixed": pandas.Index(["a", 1], dtype=object),
}


@pytest.mark.parametrize("one", NAMES)
def test_labels_of_columns(one: str) -> None:
    a = pandas.DataFrame([[1, 2], [3, 4]], columns=NAMES[one])
    for names in NAMES.values():
        b = pandas.DataFrame([[1, 6], [3, 8]], columns=names)
        options = {"left_index": True, "right_index": True, "suffixes": ("", "_r")}
        expected = a.merge(b, **options)
        found = pd.from_pandas(a).merge(pd.from_pandas(b), **options).to_pandas()
        pandas.testing.assert_frame_equal(found, expected, check_column_type="exact")
        assert found.columns.name == expected.columns.name


def test_falling_days_have_a_frequency() -> None:
    dates = pandas.date_range("2020-01-03 12:00", periods=5)[::-2]
    assert pd.from_pandas(dates).normalize().freq == dates.normalize().freq == pandas.offsets.Day(-2)


@pytest.mark.parametrize("how", ["left", "right", "inner", "outer"])
def test_labels_of_several_levels_that_share_a_name(how):
    left = pandas.MultiIndex.from_tuples([("K0", "X0"), ("K0", "X1"), ("K1", "X2")], names=["key", "X"])
    right = pandas.MultiIndex.from_tuples([("K0", "Y0"), ("K1", "Y1"), ("K2", "Y2")], names=["key", "Y"])
    a, b = pandas.DataFrame({"A": [0, 1, 2]}, left), pandas.DataFrame({"B": [0, 1, 2]}, right)
    native_or_same(lambda a, b: a.join(b, how=how), a, b)
    native_or_same(lambda a, b: a.join(b.rename_axis(["key", "X"]), how=how), a, b)

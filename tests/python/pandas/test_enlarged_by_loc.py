"""Assignments by `loc` to labels that do not exist add rows and columns as in pandas."""

import warnings

import bascule
import bascule.pandas as bpd
import numpy as np
import pandas
import pytest

INDEXES = {
    "range": pandas.RangeIndex(3), "integers": pandas.Index([4, 1, 7], name="i"), "text": pandas.Index(list("xyz"), name="t"),
    "objects": pandas.Index([1, "b", 2.5], dtype=object), "floats": pandas.Index([0.5, 1.5, 2.5]),
    "times": pandas.date_range("2024-01-01", periods=3), "levels": pandas.MultiIndex.from_tuples([("a", 1), ("b", 2), ("c", 3)]),
}  # fmt: skip
COLUMNS = {"s": ["a", None, "c"], "i": [1, 2, 3], "f": [0.5, np.nan, 2.5], "b": [True, False, True]}
ROWS = {
    "list": ["z", 9, 1.0, True], "floats for integers": ["z", 9.5, 1, 2], "whole floats": ["z", 9.0, 1.0, True], "integers": [1, 2, 3, 4], "floats": [1.5, 2.0, 3.5, 4.0], "scalar": 5,
    "text": "t", "dict": {"s": "q", "i": 4}, "all of a dict": {"s": "q", "i": 4, "f": 1.0, "b": 2}, "other keys": {"q": 1}, "tuple": ("t", 1, 2, 3),
    "none": None, "nan": np.nan, "missing": [None] * 4, "some missing": ["z", np.nan, 1.5, 0], "too short": [1, 2], "empty": [],
    "series": pandas.Series({"s": "a", "f": 3.0}), "numbers of a series": pandas.Series({"s": 1, "i": 2, "f": 3, "b": 4}), "array": np.arange(4),
    "time": pandas.Timestamp("2024-01-01"), "nested": [["z"], 1, 2, 3],
}  # fmt: skip
VALUES = [1, 2.5, 3.0, 2.0**60, 2.0**63, "t", True, None, np.nan, [1], np.int64(4), pandas.Timestamp("2024-01-01")]
LABELS = [3, 99, "n", 2.5, True, ("d", 4), pandas.Timestamp("2024-02-01")]


def _described(x):
    x = x.to_pandas() if hasattr(x, "to_pandas") else x
    labels = type(x.index).__name__, x.index.dtype, x.index.names, [(type(k), str(k)) for k in x.index]
    columns = [x] if x.ndim == 1 else [x.iloc[:, i] for i in range(x.shape[1])]
    return labels, [(c.name, c.dtype, [(type(v), str(v)) for v in c]) for c in columns]


def _after(x, change):
    """The object after an assignment, with its error and its warnings."""
    error = None
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            change(x)
        except Exception as e:
            error = type(e), str(e)
    return error, _described(x), [str(w.message) for w in said if w.category is not bascule.FallbackWarning]


def _compare(there, here, key, value):
    own = bpd.Series(value) if isinstance(value, pandas.Series) else value
    assert _after(here, lambda x: x.loc.__setitem__(key, own)) == _after(there, lambda x: x.loc.__setitem__(key, value))


@pytest.mark.parametrize("label", LABELS, ids=str)
@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("index", INDEXES)
def test_rows_are_added(index, row, label):
    there = pandas.DataFrame(COLUMNS, index=INDEXES[index])
    _compare(there, bpd.DataFrame(there), label, ROWS[row])


@pytest.mark.parametrize(
    "row",
    [[3, 4], [3, 4.5], [3.0, 4], [3.5, 4], [2.0**60, 1], [2.0**63, 1], [np.nan, 1], 7.0, 7.5, {"i": 3.0}, pandas.Series({"f": 1.0, "i": 2}),
     pandas.Series({"f": 1.0, "q": 2.0})],
    ids=str,
)  # fmt: skip
def test_whole_numbers_stay_integers(row):
    there = pandas.DataFrame({"i": [1, 2], "f": [0.5, 1.5], "j": [4, 5]}).iloc[
        :, : len(row) if isinstance(row, list) else 3
    ]
    _compare(there, bpd.DataFrame(there), 2, row)


@pytest.mark.parametrize("label", LABELS, ids=str)
@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("index", INDEXES)
def test_values_are_added(index, column, value, label):
    there = pandas.Series(COLUMNS[column], index=INDEXES[index], name="n")
    _compare(there, bpd.Series(there), label, value)


@pytest.mark.parametrize("name", ["new", 5, ("a", "b")], ids=str)
@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("rows", ["mask", "no row", "label", "labels", "slice", "absent", "short mask"])
@pytest.mark.parametrize("index", INDEXES)
def test_columns_are_added(index, rows, value, name):
    there = pandas.DataFrame(COLUMNS, index=INDEXES[index])
    labels = list(there.index)
    key = {
        "mask": np.array([True, False, True]), "no row": np.zeros(3, bool), "label": labels[1], "labels": labels[:2],
        "slice": slice(labels[0], labels[1]), "absent": 77, "short mask": [True, False],
    }[rows]  # fmt: skip
    _compare(there, bpd.DataFrame(there), (key, name), value)


NUMBERS = [2, 2.0, 2.5, -0.0, 1e300, 2.0**60, np.nan, True, None]


@pytest.mark.parametrize("kinds", ["i", "if", "ii", "ib", "fs"])
@pytest.mark.parametrize(
    "form", [lambda v, n: v, lambda v, n: [v] * len(n), lambda v, n: {n[0]: v}], ids=["scalar", "list", "dict"]
)
@pytest.mark.parametrize("value", NUMBERS, ids=repr)
def test_numbers_keep_the_types_that_hold_them(value, form, kinds):
    there = pandas.DataFrame({f"{k}{i}": COLUMNS[k] for i, k in enumerate(kinds)})
    _compare(there, bpd.DataFrame(there), 3, form(value, list(there)))


def test_the_usual_ways_are_native():
    frame, series = bpd.DataFrame(COLUMNS), bpd.Series([1, 2, 3])
    bascule.fallbacks(reset=True)
    frame.loc[len(frame)] = ["z", 4, 1.5, True]
    frame.loc[frame["i"] > 2, "size"] = "large"
    frame.loc[frame["i"] <= 2, "size"] = "small"
    frame.loc[frame["i"] > 2, "half"] = 1.5
    frame.loc[frame["b"], "count"] = 1
    series.loc[3] = 4
    series[4] = 5
    assert bascule.fallbacks() == []
    assert frame["size"].tolist() == ["small", "small", "large", "large"] and series.tolist() == [1, 2, 3, 4, 5]

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
    "list": ["z", 9, 1.0, True], "floats for integers": ["z", 9.5, 1, 2], "integers": [1, 2, 3, 4], "floats": [1.5, 2.0, 3.5, 4.0], "scalar": 5,
    "text": "t", "dict": {"s": "q", "i": 4}, "all of a dict": {"s": "q", "i": 4, "f": 1.0, "b": 2}, "other keys": {"q": 1}, "tuple": ("t", 1, 2, 3),
    "none": None, "nan": np.nan, "missing": [None] * 4, "some missing": ["z", np.nan, 1.5, 0], "too short": [1, 2], "empty": [],
    "series": pandas.Series({"s": "a", "f": 3.0}), "numbers of a series": pandas.Series({"s": 1, "i": 2, "f": 3, "b": 4}), "array": np.arange(4),
    "time": pandas.Timestamp("2024-01-01"), "nested": [["z"], 1, 2, 3],
}  # fmt: skip
VALUES = [1, 2.5, 3.0, "t", True, None, np.nan, [1], np.int64(4), pandas.Timestamp("2024-01-01")]
LABELS = [3, 99, "n", 2.5, True, ("d", 4), pandas.Timestamp("2024-02-01")]


def _described(x):
    x = x.to_pandas() if hasattr(x, "to_pandas") else x
    labels = type(x.index).__name__, x.index.dtype, x.index.names, [(type(k), str(k)) for k in x.index]
    columns = [x] if x.ndim == 1 else [x.iloc[:, i] for i in range(x.shape[1])]
    return labels, [(c.name, c.dtype, [(type(v), str(v)) for v in c]) for c in columns]


def _after(x, change):
    try:
        change(x)
    except Exception as e:
        return type(e), str(e), _described(x)
    return _described(x)


def _compare(there, here, key, value):
    own = bpd.Series(value) if isinstance(value, pandas.Series) else value
    assert _after(here, lambda x: x.loc.__setitem__(key, own)) == _after(there, lambda x: x.loc.__setitem__(key, value))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("label", LABELS, ids=str)
@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("index", INDEXES)
def test_rows_are_added(index, row, label):
    there = pandas.DataFrame(COLUMNS, index=INDEXES[index])
    _compare(there, bpd.DataFrame(there), label, ROWS[row])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("label", LABELS, ids=str)
@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("index", INDEXES)
def test_values_are_added(index, column, value, label):
    there = pandas.Series(COLUMNS[column], index=INDEXES[index], name="n")
    _compare(there, bpd.Series(there), label, value)


@pytest.mark.filterwarnings("ignore")
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


@pytest.mark.filterwarnings("ignore:.*ran in pandas")
@pytest.mark.parametrize("kinds", ["i", "if", "ii", "ib", "fs"])
@pytest.mark.parametrize(
    "form", [lambda v, n: v, lambda v, n: [v] * len(n), lambda v, n: {n[0]: v}], ids=["scalar", "list", "dict"]
)
@pytest.mark.parametrize("value", NUMBERS, ids=repr)
def test_numbers_keep_the_types_that_hold_them(value, form, kinds):
    there = pandas.DataFrame({f"{k}{i}": COLUMNS[k] for i, k in enumerate(kinds)})
    row, found = form(value, list(there)), []
    for x in (there, bpd.DataFrame(there)):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            after = _after(x, lambda x: x.loc.__setitem__(3, row))
        found.append((after, {str(w.message) for w in seen if "ran in pandas" not in str(w.message)}))
    assert found[0] == found[1]


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

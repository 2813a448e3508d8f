"""Frames of dicts in dicts, frames of labels alone, and lists as results of groups, as in pandas."""

import bascule
import bascule.pandas as bpd
import numpy as np
import pandas
import pytest

DATA = {
    "keys in turn": {"a": {"x": 1}, "b": {"y": 2}, "c": {"y": 3}, "d": {"x": 4, "z": 2.5}},
    "numbers": {"a": {"x": 1, "y": 2}, "b": {"x": 3, "y": 4}}, "a key that lacks": {"a": {"x": 1, "y": 2}, "b": {"x": 3}},
    "another order": {"a": {"x": 1, "y": 2}, "b": {"y": 3, "z": 4}}, "text": {"a": {"x": "s", "y": "t"}, "b": {"x": None}},
    "booleans": {"a": {"x": True, "y": False}, "b": {"x": True}}, "integers as keys": {"a": {0: 1, 1: 2}, "b": {1: 2.5}},
    "text of integers": {"a": {"0": 1, "1": 2}}, "mixed keys": {"a": {"x": 1, 2: 2}}, "tuples as keys": {"a": {("p", 1): 1, ("p", 2): 2}},
    "mixed values": {"a": {"x": 1, "y": "t"}, "b": {"x": 2.5, "y": None}}, "no keys": {"a": {}, "b": {}}, "one without keys": {"a": {"x": 1}, "b": {}},
    "none": {"a": {"x": None, "y": None}}, "numbers as names": {1: {"x": 1}, 2: {"x": 2}}, "tuples as names": {("a", 1): {"x": 1}},
    "times": {"a": {"x": pandas.Timestamp("2024-01-01")}, "b": {"y": pandas.Timestamp("2024-01-02")}}, "lists": {"a": {"x": [1, 2]}, "b": {"x": [3]}},
    "times as keys": {"a": {pandas.Timestamp("2024-01-01"): 1, pandas.Timestamp("2024-01-02"): 2}}, "not only dicts": {"a": {"x": 1}, "b": [1]},
}  # fmt: skip


def _described(x):
    x = x.to_pandas() if hasattr(x, "to_pandas") else x
    columns = [x] if x.ndim == 1 else [x.iloc[:, i] for i in range(x.shape[1])]
    names = None if x.ndim == 1 else (x.columns.dtype, list(x.columns))
    return (
        type(x),
        names,
        (type(x.index), x.index.dtype, x.index.names, list(x.index)),
        [(c.name, c.dtype, [(type(v), str(v)) for v in c]) for c in columns],
    )


def _outcome(f):
    try:
        return _described(f())
    except Exception as e:
        return type(e), str(e)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("options", [{}, {"index": ["x", "y"]}, {"columns": ["a"]}, {"dtype": float}], ids=str)
@pytest.mark.parametrize("data", DATA)
def test_dicts_in_dicts_are_columns(data, options):
    assert _outcome(lambda: bpd.DataFrame(DATA[data], **options)) == _outcome(
        lambda: pandas.DataFrame(DATA[data], **options)
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("orient", ["columns", "index"])
@pytest.mark.parametrize("data", DATA)
def test_dicts_in_dicts_are_rows(data, orient):
    def made(there):
        return lambda: there.DataFrame.from_dict(DATA[data], orient=orient)

    assert _outcome(made(bpd)) == _outcome(made(pandas))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("index", [None, [], [1, 2], ["x"]], ids=str)
@pytest.mark.parametrize(
    "columns", [[], ["a", "b"], [1, 2], ("a", "b"), ["a", "a"], [("a", 1), ("b", 2)], ["a", 1]], ids=str
)
def test_frames_of_labels_alone(columns, index):
    made = [_outcome(lambda t=t: t.DataFrame(columns=columns, index=index)) for t in (bpd, pandas)]
    assert made[0] == made[1]
    if columns and index is None:
        first, second = bpd.DataFrame(columns=columns), pandas.DataFrame(columns=columns)
        assert repr(first) == repr(second) and len(first) == 0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "function", [list, tuple, set, lambda v: [len(v)], lambda v: list(v) if len(v) > 2 else 0, lambda v: []]
)
@pytest.mark.parametrize("by", ["k", ["k", "g"], lambda i: i % 2], ids=str)
@pytest.mark.parametrize("values", ["v", "t", "f", "k"])
def test_lists_as_results_of_groups(values, by, function):
    there = pandas.DataFrame(
        {"k": list("abcab"), "g": [1, 1, 2, 2, 1], "v": range(5), "t": list("pqrst"), "f": [0.5, 1.0, 1.5, 2.0, 3.0]}
    )
    here = bpd.DataFrame(there)
    results = [_outcome(lambda x=x: x.groupby(by)[values].apply(function)) for x in (here, there)]
    assert results[0] == results[1]


def test_the_usual_ways_are_native():
    bascule.fallbacks(reset=True)
    bpd.DataFrame({"a": {"x": 1, "y": 2}, "b": {"x": 3}})
    bpd.DataFrame.from_dict({"x": {"a": 1, "b": "s"}, "y": {"a": 2}}, orient="index")
    bpd.DataFrame(columns=["a", "b"])
    frame = bpd.DataFrame({"k": list("aba"), "v": np.arange(3)})
    assert frame.groupby("k")["v"].apply(list).tolist() == [[0, 2], [1]]
    assert bascule.fallbacks() == []

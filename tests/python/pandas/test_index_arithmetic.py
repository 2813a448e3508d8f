"""Operators and universal functions of indexes, labels that users give, and what an index says that it is."""

from __future__ import annotations

import operator

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same

pytestmark = pytest.mark.filterwarnings("ignore")
INDEXES = {
    "integers": lambda m: m.Index([3, 1, 2], name="n"),
    "floats": lambda m: m.Index([1.5, np.nan, -2.0]),
    "bools": lambda m: m.Index([True, False, True]),
    "texts": lambda m: m.Index(["a", "b", "c"]),
    "range": lambda m: m.RangeIndex(2, 8, 2, name="n"),
    "falling": lambda m: m.RangeIndex(9, 3, -2),
    "small": lambda m: m.Index(np.array([1, 2, 3], np.uint8)),
    "dates": lambda m: m.date_range("2020", periods=3, name="n"),
    "lengths": lambda m: m.to_timedelta([1, 2, 3], unit="h"),
    "zoned": lambda m: m.date_range("2020", periods=3, tz="UTC"),
    "categories": lambda m: m.CategoricalIndex(list("aba")),
    "Int64": lambda m: m.Index([1, None, 3], dtype="Int64"),
    "objects": lambda m: m.Index([1, "a", None], dtype=object),
    "levels": lambda m: m.MultiIndex.from_tuples([(1, 2), (3, 4), (5, 6)]),
}
SCALARS = [2, -1, 1.5, True, np.int64(3), pandas.Timedelta("1D"), np.array([1, 2, 3])]
BINARY = "add sub mul truediv floordiv mod and_ or_ xor lt eq".split()
UNARY = [
    operator.neg,
    operator.pos,
    abs,
    operator.invert,
    np.sin,
    np.isnan,
    np.sqrt,
    np.abs,
    np.negative,
    np.floor,
    np.modf,
]


def outcome(f):
    try:
        with bc.config.set(fallback="silent"):
            return f()
    except Exception as error:  # compared by its class
        return error


def compare(here, there):
    if isinstance(there, Exception):
        assert isinstance(here, Exception) and (isinstance(there, type(here)) or isinstance(here, type(there)))
        return
    if isinstance(there, tuple):
        assert len(here) == len(there)
        for a, b in zip(here, there):
            compare(a, b)
        return
    if isinstance(there, pandas.Index):
        assert type(here).__name__ == type(there).__name__
        assert_same(here, there)
        return
    assert type(here).__name__ in ("ndarray", type(there).__name__)
    assert [repr(x) for x in np.asarray(here, object)] == [repr(x) for x in np.asarray(there, object)]


@pytest.mark.parametrize("kind", INDEXES)
@pytest.mark.parametrize("name", BINARY)
def test_operators_of_two(kind, name):
    op = getattr(operator, name)
    for other in SCALARS:
        compare(outcome(lambda: op(INDEXES[kind](pd), other)), outcome(lambda: op(INDEXES[kind](pandas), other)))
        if not isinstance(other, list):
            compare(outcome(lambda: op(other, INDEXES[kind](pd))), outcome(lambda: op(other, INDEXES[kind](pandas))))
    for second in INDEXES.values():
        if (kind, name) != ("texts", "lt") and kind != "falling" and second is not INDEXES["falling"]:
            two = outcome(lambda: op(INDEXES[kind](pd), second(pd)))
            compare(two, outcome(lambda: op(INDEXES[kind](pandas), second(pandas))))


@pytest.mark.parametrize("kind", INDEXES)
@pytest.mark.parametrize("op", UNARY, ids=lambda f: f.__name__)
def test_operators_of_one(kind, op):
    compare(outcome(lambda: op(INDEXES[kind](pd))), outcome(lambda: op(INDEXES[kind](pandas))))


def test_operators_of_numbers_are_no_fallbacks():
    with bc.config.set(fallback="error"):
        for kind in ("integers", "floats", "range"):
            i = pd.Index([3, 1, 2], name="n") if kind == "integers" else INDEXES[kind](pd)
            for made in (i + 1, 2 - i, i * i, i / 3, -i, np.sqrt(i), np.add(i, 1)):
                assert isinstance(made, pd.Index)
    assert isinstance(pd.RangeIndex(3) * 2 + 1, pd.RangeIndex)


LABELS = {
    "levels": lambda m: m.MultiIndex.from_tuples([("a", ""), ("b", "x")], names=["p", "q"]),
    "tuples": lambda m: [("a", ""), ("b", "x")],
    "lists": lambda m: [["a", "b"], ["x", "y"]],
    "arrays": lambda m: [np.array(["a", "b"]), np.array([1, 2])],
    "too few": lambda m: [["a"], ["b"]],
    "series": lambda m: m.Series(["u", "v"], name="nm"),
    "index": lambda m: m.Index(["u", "v"], name="k"),
    "tuple": lambda m: ("u", "v"),
    "iterator": lambda m: iter(["u", "v"]),
    "dates": lambda m: m.date_range("2020", periods=2),
    "categories": lambda m: m.CategoricalIndex(["u", "v"]),
    "range": lambda m: range(2),
    "keys": lambda m: {"u": 1, "v": 2}.keys(),
    "mixed": lambda m: ["u", ("a", "b")],
}
USES = {
    "columns=": lambda m, x: m.DataFrame([[1, 2]], columns=x).columns,
    "columns= of a dict": lambda m, x: m.DataFrame({"u": [1], "v": [2]}, columns=x).columns,
    "columns= of a matrix": lambda m, x: m.DataFrame(np.zeros((2, 2)), columns=x).columns,
    "index=": lambda m, x: m.DataFrame({"a": [1, 2]}, index=x).index,
    "index= of a series": lambda m, x: m.Series([1, 2], index=x).index,
    "set_axis": lambda m, x: m.DataFrame({"u": [1, 3], "v": [2, 3]}).set_axis(x, axis=1).columns,
    "set_axis of rows": lambda m, x: m.DataFrame({"u": [1, 3], "v": [2, 3]}).set_axis(x).index,
}


def put(attribute):
    def use(m, x):
        frame = m.DataFrame({"u": [1, 3], "v": [2, 3]})
        setattr(frame, attribute, x)
        return getattr(frame, attribute)

    return use


USES |= {"columns": put("columns"), "index": put("index")}


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("use", USES)
def test_labels_that_users_give(labels, use):
    here, there = (outcome(lambda m=m: USES[use](m, LABELS[labels](m))) for m in (pd, pandas))
    if isinstance(there, Exception):
        assert type(here) is type(there)
    else:
        assert type(here).__name__ == type(there).__name__
        assert list(here.names) == list(there.names)
        assert here.tolist() == there.tolist() and here.dtype == there.dtype


def test_labels_of_columns_are_indexes_to_users():
    frame = pd.DataFrame({"a": [1]})
    assert isinstance(frame.columns, pd.Index) and not isinstance(frame.columns, pd.MultiIndex)
    frame.columns = pd.MultiIndex.from_tuples([("a", "b")])
    assert isinstance(frame.columns, pd.MultiIndex) and isinstance(frame.index, pd.RangeIndex)
    assert not isinstance(frame, pd.Index) and not isinstance(["a"], pd.Index)


def test_private_members_are_those_of_a_copy_and_counted():
    dates = pd.date_range("2020", periods=3)
    with bc.config.set(fallback="silent"):
        assert isinstance(dates._with_freq(None), pd.DatetimeIndex) and dates._with_freq(None).freq is None
        assert dates.freq == "D"
    with bc.config.set(fallback="error"), pytest.raises(NotImplementedError):
        dates._with_freq(None)
    with pytest.raises(AttributeError):
        dates._no_such_member

"""Tables turned: unstack and pivot_table against pandas."""

import numpy as np
import pandas
import pytest
from frames import both
from hypothesis import given, settings
from hypothesis import strategies as st

VALUES = {
    "floats": [1.5, np.nan, 3.0, -0.0, 2.0, 7.0],
    "integers": [1, 2, 3, 4, 5, 6],
    "small integers": np.array([1, 2, 3, 4, 5, 6], np.int8),
    "texts": ["a", None, "c", "", "e", "f"],
    "dates": pandas.to_datetime(["2013-01-01", None, "2013-01-03", "2013-01-04", "2013-01-05", "2013-01-06"]),
}
LABELS = {
    "texts": ["x", "x", "y", "y", "z", "z"],
    "integers": [3, 3, 1, 1, 2, 2],
    "range": [0, 0, 1, 1, 2, 2],
    "dates": pandas.to_datetime(["2013-01-02"] * 2 + ["2013-01-01"] * 2 + ["2013-01-03"] * 2),
}


def indexed(labels, values, names=("r", "c")):
    index = pandas.MultiIndex.from_arrays([labels, ["b", "a"] * 3], names=names)
    return pandas.Series(values, index, name="v")


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("rows", [slice(None), slice(0, 5), slice(5, None, -1), slice(1, 2)])
@pytest.mark.parametrize("level", [-1, 0, "r", "c"])
def test_unstack(kind, labels, rows, level):
    s = indexed(LABELS[labels], VALUES[kind])[rows]
    both(lambda x: x.unstack(level), s)


def test_unstack_with_names_that_are_numbers_or_missing():
    both(lambda x: x.unstack(0), indexed(LABELS["texts"], VALUES["floats"], names=(1, 0)))
    both(lambda x: x.unstack(), indexed(LABELS["texts"], VALUES["floats"], names=(None, None)))


def test_repeated_labels_are_refused():
    s = indexed(LABELS["texts"], VALUES["floats"])
    both(lambda x: x.unstack(), pandas.concat([s, s.head(1)]))


@pytest.mark.parametrize(
    ("kind", "options"),
    [("floats", {"fill_value": 0}), ("floats", {"sort": False}), ("floats", {"level": ["r", "c"]}), ("floats", {"level": 5}),
     ("floats", {"level": "no"}), ("bools", {}), ("Int64", {})],
)  # fmt: skip
def test_the_rest_is_pandas(kind, options):
    values = {"bools": [True, False, True, True, False, True], "Int64": pandas.array([1, None, 3, 4, 5, 6], "Int64")}
    s = indexed(LABELS["texts"], {**VALUES, **values}[kind]).head(5)
    both(lambda x: x.unstack(**options), s, fallback="silent")


@st.composite
def tables(draw):
    n = draw(st.integers(0, 40))
    pick = lambda values: draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))
    return pandas.DataFrame({
        "a": pandas.Series(pick([1, 2, 5]), dtype="int64"), "b": pandas.Series(pick(["x", "y", "zz", None]), dtype="str"),
        "f": pandas.Series(pick([0.1, 2.5, np.nan, -3.0]), dtype="float64"), "i": pandas.Series(pick([1, -7, 3]), dtype="int64"),
    })  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(tables(), st.sampled_from(["mean", "sum", "min", "max", "count", "std", "median"]), st.sampled_from(["f", "i"]))
def test_pivot_table(frame, how, values):
    wanted = lambda x: x.pivot_table(values=values, index="a", columns="b", aggfunc=how)
    both(wanted, frame, exact=False, fallback="silent")
    both(lambda x: x.pivot_table(values, ["b"], "a", how), frame, exact=False, fallback="silent")


def test_pivot_table_is_native():
    frame = pandas.DataFrame({"a": [1, 2, 1, 2], "b": list("xyxx"), "f": [1.0, 2.0, 4.0, np.nan]})
    both(lambda x: x.pivot_table(values="f", index="a", columns="b"), frame)
    both(lambda x: x.pivot_table(values="f", index="a", columns="b", aggfunc="count"), frame)


@pytest.mark.parametrize(
    "options",
    [{"margins": True}, {"fill_value": 0.0}, {"aggfunc": ["mean", "sum"]}, {"values": ["f"]}, {"columns": None}, {"dropna": False},
     {"index": ["a", "c"]}, {"sort": False}, {"values": "no"}, {"index": "a", "columns": "a"}],
)  # fmt: skip
def test_other_pivot_tables_are_pandas(options):
    frame = pandas.DataFrame({"a": [1, 2, 1, 2], "b": list("xyxx"), "c": [1, 1, 1, 2], "f": [1.0, 2.0, 4.0, 8.0]})
    both(lambda x: x.pivot_table(**{"values": "f", "index": "a", "columns": "b", **options}), frame, fallback="silent")

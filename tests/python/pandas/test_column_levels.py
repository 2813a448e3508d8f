"""Columns with labels of several levels, chosen as pandas chooses them."""

import bascule
import bascule.pandas
import numpy as np
import pandas
import pytest
from frames import both

LEVELS = pandas.MultiIndex.from_tuples(
    [("a", "x"), ("b", "y"), ("a", "y"), ("c", ""), ("d", "x"), ("d", "x"), ("e", ""), ("e", "z")], names=["one", "two"]
)
FRAME = pandas.DataFrame(np.arange(24.0).reshape(3, 8), columns=LEVELS, index=[5, 3, 3])
DEEP = pandas.DataFrame([[1, 2.0, "t"]], columns=pandas.MultiIndex.from_tuples([(1, 2, 3), (1, 2, 4), (2, 2, 3)]))


@pytest.mark.parametrize(
    "key",
    ["a", "b", "c", "d", "e", "no", ("a", "x"), ("d", "x"), ("a", "no"), ["a"], ["c", "a"], ["a", "no"], [("a", "y"), ("b", "y")], [("a", "y"), ("no", "y")],
     [("d", "x")], []],
)  # fmt: skip
def test_columns_of_two_levels(key):
    both(lambda f: f[key], FRAME)


UNIQUE = pandas.DataFrame(
    np.arange(12.0).reshape(3, 4), columns=pandas.MultiIndex.from_product([["u", "v"], ["x", "y"]])
)


@pytest.mark.parametrize(
    "key", ["u", ["u"], ["v", "u"], ["u", "no"], ["x"], [("u", "x")], [("v", "y"), ("u", "x")], []]
)
def test_columns_of_levels_without_repeated_labels(key):
    both(lambda f: f[key], UNIQUE)
    both(lambda f: f.loc[:, key], UNIQUE, fallback="silent")
    both(lambda f: f.drop(columns=key), UNIQUE, fallback="silent")


@pytest.mark.parametrize("key", [1, 2, (1, 2), (1, 2, 4), [1], [(1, 2, 3)], 3, (2, 3)])
def test_columns_of_three_levels(key):
    both(lambda f: f[key], DEEP)


def test_columns_of_groups_by_level():
    frame = FRAME[["a", "b"]].reset_index(drop=True)
    both(lambda f: f.groupby([1, 1, 0])[[("a", "x"), ("b", "y")]].sum(), frame, fallback="silent")
    both(lambda f: f.loc[:, [("b", "y"), ("a", "x")]], frame, fallback="silent")


MISSING = pandas.DataFrame(
    [[1, 3, np.nan], [np.nan, np.nan, 1], [2, 4, np.nan]],
    columns=pandas.MultiIndex.from_tuples([("x", "p"), ("x", "q"), ("y", "p")]),
)
BY_PART = {
    "fillna": lambda f: f.fillna({"x": 9}),
    "fillna both": lambda f: f.fillna({("x", "p"): 1, "y": 2}),
    "fillna no": lambda f: f.fillna({"no": 1}),
    "fillna whole": lambda f: f.fillna({("x", "q"): 1}),
    "fillna series": lambda f: f.fillna(type(f)({"v": {"x": 1.5}}).v),
    "astype": lambda f: f.astype({"x": "f4"}),
    "astype whole": lambda f: f.astype({("x", "p"): "f4"}),
    "astype no": lambda f: f.astype({"no": "f4"}),
    "agg": lambda f: f.agg({"x": "sum"}),
    "agg whole": lambda f: f.agg({("x", "p"): "sum"}),
    "drop_duplicates": lambda f: f.drop_duplicates("x"),
    "drop_duplicates whole": lambda f: f.drop_duplicates([("x", "p")]),
    "duplicated": lambda f: f.duplicated(["x"]),
    "sort_values": lambda f: f.sort_values("x"),
    "replace": lambda f: f.replace({"x": {1: 7}}),
    "round": lambda f: f.round({"x": 0}),
    "isin": lambda f: f.isin({"x": [1]}),
    "dropna": lambda f: f.dropna(subset="x"),
    "transform": lambda f: f.transform({("x", "p"): "cumsum"}),
}


@pytest.mark.parametrize("call", BY_PART.values(), ids=BY_PART)
def test_labels_of_some_levels(call):
    """A label of the first level may name several columns: the result is pandas', or its error in the same words."""
    try:
        call(MISSING)
    except Exception as error:
        with pytest.raises(type(error)) as found, bascule.config.set(fallback="silent"):
            call(bascule.pandas.from_pandas(MISSING))
        assert str(found.value) == str(error)
    else:
        both(call, MISSING, fallback="silent")


def test_at_takes_whole_labels_of_rows():
    """`at` names one value, so a label of the first level is none; where labels repeat, it selects as `loc` does."""
    unique = pandas.DataFrame({"v": [1.0, 2.0]}, index=pandas.MultiIndex.from_tuples([("a", 1), ("a", 2)]))
    repeated = pandas.concat([unique, unique])
    for frame in (unique, bascule.pandas.from_pandas(unique)):
        assert frame.at[("a", 2), "v"] == 2.0
        for label in ("a", "no", 5):
            with pytest.raises(KeyError) as found:
                frame.at[label, "v"]
            assert found.value.args == (label,)
    both(lambda f: f.at["a", "v"], repeated, fallback="silent")

"""Columns with labels of several levels, chosen as pandas chooses them."""

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


@pytest.mark.parametrize("key", [1, 2, (1, 2), (1, 2, 4), [1], [(1, 2, 3)], 3, (2, 3)])
def test_columns_of_three_levels(key):
    both(lambda f: f[key], DEEP)


def test_columns_of_groups_by_level():
    frame = FRAME[["a", "b"]].reset_index(drop=True)
    both(lambda f: f.groupby([1, 1, 0])[[("a", "x"), ("b", "y")]].sum(), frame, fallback="silent")
    both(lambda f: f.loc[:, [("b", "y"), ("a", "x")]], frame, fallback="silent")

"""joblib's hashes of bascule's objects are those of NumPy's and pandas', so that results kept by one are found by the other."""

import bascule as bc
import bascule.pandas as pd
import joblib
import numpy as np
import pandas
import pytest

pytestmark = pytest.mark.usefixtures("accelerated")


def frame(lib, np_):
    return lib.DataFrame({"x": np_.arange(4.0), "y": np_.arange(4), "g": ["a", "b", "a", "c"]})


OBJECTS = {
    "an array": lambda np_, lib: np_.arange(5),
    "an array in another order": lambda np_, lib: np_.arange(6.0).reshape(2, 3).T,
    "a view with a step": lambda np_, lib: np_.arange(10)[::2],
    "dates": lambda np_, lib: np_.arange(3).astype("M8[D]"),
    "arrays in a dict": lambda np_, lib: {"a": np_.arange(3), "b": [np_.ones(2)]},
    "a frame": lambda np_, lib: frame(lib, np_),
    "a frame twice": lambda np_, lib: [frame(lib, np_)] * 2,
    "a series": lambda np_, lib: lib.Series([1.0, 2.0], name="s"),
    "an index": lambda np_, lib: lib.Index([3, 1]),
    "a method of an array": lambda np_, lib: np_.arange(3).sum,
    "a method of a series": lambda np_, lib: lib.Series([1, 2]).sum,
    "a class": lambda np_, lib: lib.DataFrame,
    "the class of an object": lambda np_, lib: lib.Series([1]).__class__,
    "a function": lambda np_, lib: np_.sum,
}


@pytest.mark.parametrize("what", OBJECTS)
def test_hashes(what):
    assert joblib.hash(OBJECTS[what](bc, pd)) == joblib.hash(OBJECTS[what](np, pandas))


def test_hashes_differ_by_value():
    assert joblib.hash(pd.Series([1, 2])) != joblib.hash(pd.Series([1, 3]))

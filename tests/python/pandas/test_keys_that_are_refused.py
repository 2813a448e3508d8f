"""Keys that pandas refuses are refused with its errors and its words; parts of dates are found."""

from __future__ import annotations

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same

pytestmark = pytest.mark.filterwarnings("ignore")


def frame(m):
    return m.DataFrame({"a": [1, 2], "b": [3.0, 4.0]}, index=["x", "y"])


def times(m):
    return m.Series(range(90), index=m.date_range("2013-04-01", periods=90))


CASES = {
    "set": lambda m: frame(m)[{"a"}],
    "dict": lambda m: frame(m)[{"a": 1}],
    "loc of a set": lambda m: frame(m).loc[{"x"}],
    "loc of a set of columns": lambda m: frame(m).loc[:, {"a"}],
    "loc of a dict": lambda m: frame(m).loc["x", {"a": 1}],
    "iloc of a set": lambda m: frame(m).iloc[{0}],
    "series loc of a set": lambda m: frame(m).a.loc[{"x"}],
    "iloc of a tuple from a function": lambda m: frame(m).iloc[lambda x: (0, 1)],
    "loc of a tuple from a function": lambda m: frame(m).loc[lambda x: ("x", "a")],
    "bool": lambda m: frame(m).loc[True],
    "bool in a series": lambda m: frame(m).a.loc[False],
    "bool of columns": lambda m: frame(m).loc[:, True],
    "bool among bools": lambda m: m.Series([1, 2], index=[True, False]).loc[True],
    "bool among numbers": lambda m: m.Series([1, 2]).loc[np.True_],
    "two dots": lambda m: frame(m).loc[..., ...],
    "two dots and a key": lambda m: frame(m).loc[..., ["x"], ...],
    "a key and two dots": lambda m: frame(m).loc["x", ..., ...],
    "too many": lambda m: frame(m).iloc[0, 0, 0],
    "a month": lambda m: times(m)["2013-05"],
    "a month by loc": lambda m: times(m).loc["2013-05"],
    "a day": lambda m: times(m)["2013-5-3"],
    "a year": lambda m: times(m)["2013"],
    "another year": lambda m: times(m)["2014"],
    "no date": lambda m: times(m)["q"],
    "a change of labels": lambda m: operator_set(frame(m).index),
    "a change of columns": lambda m: operator_set(frame(m).columns),
    "str of numbers": lambda m: m.Series([1.5]).str,
    "dt of texts": lambda m: m.Series(["a"]).dt,
    "cat of texts": lambda m: m.Series(["a"]).cat,
    "an index as a class": lambda m: m.RangeIndex(3).view(m.Index),
}


def operator_set(labels):
    labels[0] = 1


def outcome(m, name):
    try:
        with bc.config.set(fallback="silent"):
            return CASES[name](m)
    except Exception as error:  # compared by its class and words
        return type(error), str(error)


@pytest.mark.parametrize("name", CASES)
def test_as_pandas(name):
    here, there = outcome(pd, name), outcome(pandas, name)
    if isinstance(there, tuple):
        assert here == there
    else:
        assert_same(here, there)


def test_lists_that_refuse_changes_are_read():
    names = pandas.MultiIndex.from_tuples([("a", 1)]).names
    assert bc.fallback.with_items(names, str) == ["None", "None"]

"""Reductions of rows, and of whole frames to one bool, are pandas'."""

from __future__ import annotations

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same

pytestmark = pytest.mark.filterwarnings("ignore")
NAN = np.nan
FRAMES = {
    "floats": {"a": [1.5, NAN, -2.0, NAN], "b": [0.5, 4.0, NAN, NAN], "c": [2.0, -1.0, 3.0, NAN]},
    "whole": {"a": [1.5, 2.0], "b": [0.5, 4.0], "c": [2.0, -1.0]},
    "integers": {"a": [3, 1, 2], "b": [3, 5, -2]},
    "mixed": {"a": [3, 1, 2], "b": [3.5, NAN, 2.0]},
    "small": {"a": np.array([3, 1], "i2"), "b": np.array([100, 7], "i2")},
    "single": {"a": np.array([3, NAN], "f4"), "b": np.array([1.5, 7], "f4")},
    "unsigned": {"a": np.array([3, 1], "u1"), "b": np.array([200, 7], "u1")},
    "bools": {"a": [True, False], "b": [False, False]},
    "one column": {"a": [1.0, NAN, 3.0]},
    "no rows": {"a": np.array([], float), "b": np.array([], float)},
    "texts": {"a": ["x", "y"], "b": ["z", "u"]},
    "NA": {"a": pandas.array([1, None], "Int64"), "b": pandas.array([1, 2], "Int64")},
}
NAMES = "sum prod mean min max var std sem any all idxmin idxmax".split()


def outcome(m, data, name, options):
    try:
        with bc.config.set(fallback="silent"):
            return getattr(m.DataFrame(FRAMES[data]), name)(**options)
    except Exception as error:  # compared by its class
        return error


def compare(here, there):
    if isinstance(there, Exception):
        assert type(here) is type(there)
    elif np.ndim(there) == 0:
        assert type(here) is type(there) and (here is there or here == there)
    else:
        assert_same(here, there, exact=False)


@pytest.mark.parametrize("data", FRAMES)
@pytest.mark.parametrize("name", NAMES)
def test_rows(data, name):
    extra = {
        "sum": [{"min_count": 2}],
        "prod": [{"min_count": 2}, {"min_count": 9}],
        "var": [{"ddof": 0}, {"ddof": 3}],
        "sem": [{"ddof": 0}],
    }
    for options in ({}, {"skipna": False}, *extra.get(name, [])):
        options = options | {"axis": 1}
        compare(outcome(pd, data, name, options), outcome(pandas, data, name, options))


@pytest.mark.parametrize("data", FRAMES)
@pytest.mark.parametrize("name", ["any", "all"])
def test_whole_frames(data, name):
    for options in ({"axis": None}, {"axis": None, "skipna": False}):
        compare(outcome(pd, data, name, options), outcome(pandas, data, name, options))


def test_numbers_need_no_pandas():
    frame = pd.DataFrame(FRAMES["floats"])
    with bc.config.set(fallback="error"):
        for name in ("prod", "var", "std", "sem", "min", "max"):
            assert len(getattr(frame, name)(axis=1)) == 4
            assert len(getattr(frame, name)(axis=1, skipna=False)) == 4
        assert pd.DataFrame(FRAMES["whole"]).idxmax(axis=1).tolist() == ["c", "b"]
        assert (frame > 0).any(axis=None)

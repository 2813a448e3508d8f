"""Warnings of pandas point at the program's line, whichever way a call takes into pandas."""

from __future__ import annotations

import datetime
import os
import warnings
from typing import Any

import bascule.pandas as pd
import numpy as np
import pandas
import pytest

NUMPY = os.path.dirname(np.__file__)
PROGRAMS: dict[str, Any] = {
    "a keyword of a method": lambda lib: lib.Series([1, 2]).convert_dtypes(convert_integer=False),
    "an operator": lambda lib: lib.DataFrame(np.arange(6).reshape(3, 2)) == (2, 2),
    "an operator of a series": lambda lib: lib.Series([1, 2, 3]) == (1, 2, 3),
    "an attribute of an accessor": lambda lib: lib.Series(pandas.date_range("2020", periods=3, tz="CET")).dt.freq,
    "a row that is added": lambda lib: lib.Series([1, 0], dtype="Int64").loc.__setitem__(2, "foo"),
    "labels without an order": lambda lib: lib.DataFrame(
        1.0, lib.MultiIndex.from_tuples([("Z", datetime.datetime(2019, 5, 31))]), ["A"]
    ).add(lib.DataFrame(2.0, lib.MultiIndex.from_tuples([("Z", datetime.datetime(2019, 5, 31)), ("Z", "2019-05-31")]), ["A"]), fill_value=0),
    "a sum that overflows": lambda lib: lib.Series([1e308, 1e308]).sum(),
    "a variance that overflows": lambda lib: lib.Series([1e308, -1e308]).var(),
    "infinities apart": lambda lib: lib.Series([np.inf, -np.inf]).sum(),
    "no degrees of freedom": lambda lib: lib.DataFrame({"a": [1.0], "b": [2.0]}).cov(ddof=3),
}  # fmt: skip


def said(program: Any, lib: Any) -> set:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", pd_fallback())
        program(lib)
    return {(w.category, str(w.message), w.filename) for w in seen}


def pd_fallback() -> type[Warning]:
    from bascule.fallback import FallbackWarning

    return FallbackWarning


@pytest.mark.parametrize("name", PROGRAMS)
def test_points_at_the_program(name):
    theirs = said(PROGRAMS[name], pandas)
    assert {w[0] for w in said(PROGRAMS[name], pd)} == {w[0] for w in theirs} != set()
    assert {w[2] for w in said(PROGRAMS[name], pd) if not w[2].startswith(NUMPY)} == {__file__}

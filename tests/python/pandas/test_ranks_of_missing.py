"""Ranks of missing values: none, before all others or behind them, of columns and within groups."""

from __future__ import annotations

import itertools

import numpy as np
import pandas
import pytest
from frames import both

FRAME = pandas.DataFrame(
    {
        "f": [3, np.nan, 1, np.inf, -np.inf, 3, np.nan],
        "i": [3, 1, 2, 2, 1, 3, 3],
        "n": [np.nan] * 7,
        "d": pandas.to_datetime(["2020-01-01", None, "2020-01-02", "2020-01-01", None, "2019-01-01", "2020-01-01"]),
        "s": ["b", None, "a", "b", "c", None, "a"],
        "k": list("aabbaab"),
    }
)


@pytest.mark.parametrize("method", ["average", "min", "max", "first", "dense"])
def test_ranks(method: str) -> None:
    for ascending, na_option, pct in itertools.product((True, False), ("keep", "top", "bottom"), (False, True)):
        options = {"method": method, "ascending": ascending, "na_option": na_option, "pct": pct}
        for column in "find":
            both(lambda s: s.rank(**options), FRAME[column])
        both(lambda f: f.groupby("k")[["f", "i", "n", "d"]].rank(**options), FRAME)
        both(lambda f: f.groupby("s").f.rank(**options), FRAME)
        both(lambda s: s.rank(**options), FRAME["f"][:0])
    both(lambda s: s.rank(method=method, na_option="no such"), FRAME["f"], fallback="silent")

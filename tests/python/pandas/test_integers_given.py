"""Booleans, durations, floats and NumPy's integers in place of an integer: taken where pandas takes them, refused where it refuses."""

from __future__ import annotations

from typing import Any

import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from call_outcomes import difference
from frames import ours

pytestmark = pytest.mark.filterwarnings("ignore")
FRAME = pandas.DataFrame({"a": [1.25, 2.5, 3.125, 4.0], "b": [1, 2, 3, 4], "c": list("abba")})
GIVEN = [True, np.True_, False, np.timedelta64(1, "s"), 1.0, np.int8(1), np.float64(1), "1", None, 1, -1]


def library(x: Any) -> Any:
    return pd if isinstance(x, pd.DataFrame) else pandas


def inserted(x: Any, at: Any) -> Any:
    made = x.copy()
    made.insert(at, "z", 1)
    return made


CALLS: dict[str, Any] = {
    "round": lambda x, v: x.round(v), "round by a dict": lambda x, v: x.round({"a": v}), "round by a series": lambda x, v: x.round(library(x).Series({"a": v})),
    "round of a series": lambda x, v: x.a.round(v), "round of an index": lambda x, v: library(x).Index([1.25, 2.5]).round(v),
    "shift": lambda x, v: x.shift(v), "diff": lambda x, v: x.a.diff(v), "diff of a frame": lambda x, v: x[["a", "b"]].diff(v), "pct_change": lambda x, v: x.a.pct_change(v),
    "shift in groups": lambda x, v: x.groupby("c").shift(v), "diff in groups": lambda x, v: x.groupby("c").a.diff(v), "pct_change in groups": lambda x, v: x.groupby("c").a.pct_change(v),
    "nth": lambda x, v: x.groupby("c").nth(v), "nth of several": lambda x, v: x.groupby("c").nth([v, 0]), "head in groups": lambda x, v: x.groupby("c").head(v),
    "tail in groups": lambda x, v: x.groupby("c").tail(v), "head": lambda x, v: x.head(v), "tail": lambda x, v: x.a.tail(v), "nlargest": lambda x, v: x.nlargest(v, "a"),
    "nsmallest of a series": lambda x, v: x.a.nsmallest(v), "nlargest in groups": lambda x, v: x.groupby("c").a.nlargest(v),
    "str.get": lambda x, v: x.c.str.get(v), "str.repeat": lambda x, v: x.c.str.repeat(v), "str.zfill": lambda x, v: x.c.str.zfill(v), "str.pad": lambda x, v: x.c.str.pad(v),
    "str.slice": lambda x, v: x.c.str.slice(v), "str.split": lambda x, v: x.c.str.split("b", n=v), "str.rsplit": lambda x, v: x.c.str.rsplit("b", n=v), "str.find": lambda x, v: x.c.str.find("a", v),
    "str.replace": lambda x, v: x.c.str.replace("b", "x", n=v), "rolling": lambda x, v: x.a.rolling(v).sum(), "min_periods": lambda x, v: x.a.rolling(2, min_periods=v).sum(),
    "expanding": lambda x, v: x.a.expanding(v).sum(), "qcut": lambda x, v: library(x).qcut(x.a, v), "cut": lambda x, v: library(x).cut(x.a, v),
    "sample": lambda x, v: len(x.sample(v)), "take": lambda x, v: x.take([v]), "repeat": lambda x, v: x.a.repeat(v), "iloc": lambda x, v: x.iloc[v], "iat": lambda x, v: x.iat[v, 0],
    "iloc of a slice": lambda x, v: x.iloc[:v], "insert": inserted, "ffill": lambda x, v: x.a.ffill(limit=v), "ddof in groups": lambda x, v: x.groupby("c").a.std(ddof=v),
    "min_count": lambda x, v: x.a.sum(min_count=v), "min_count in groups": lambda x, v: x.groupby("c").a.sum(min_count=v), "thresh": lambda x, v: x.dropna(thresh=v),
    "quantile": lambda x, v: x.a.quantile(v), "periods": lambda x, v: library(x).date_range("2020", periods=v), "an index": lambda x, v: x.index[v],
    "an index by an array of no axes": lambda x, v: x.index[np.array(v)], "delete": lambda x, v: x.index.delete(v), "insert in an index": lambda x, v: x.index.insert(v, 9),
    "level": lambda x, v: x.groupby(level=v).sum(), "reset_index": lambda x, v: x.reset_index(level=v), "get_level_values": lambda x, v: x.index.get_level_values(v),
    "rank": lambda x, v: x.rank(axis=v), "clip": lambda x, v: x.a.clip(v), "shift of dates": lambda x, v: library(x).DatetimeIndex(["2020", "2021"]).shift(v, freq="D"),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_what_stands_for_an_integer(name):
    for value in GIVEN:
        wrong = difference(lambda x, v=value: CALLS[name](x, v), ours(FRAME), FRAME)
        assert not wrong, f"{value!r} of {type(value).__name__}: {wrong}"

"""Conditions in text, descriptions with dates, tables of categories: what ordinary programs ask for, without pandas."""

from __future__ import annotations

import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import both

FRAME = pandas.DataFrame(
    {
        "a": [1, 5, 3, 2],
        "b": [1.5, np.nan, 2.5, 0.5],
        "s": ["x", "y", None, "x"],
        "d": pandas.to_datetime(["2020-01-03", "2020-01-01", None, "2020-02-01"]),
        "c": pandas.Categorical(["u", "v", "u", "w"], categories=["w", "v", "u", "z"]),
        "k": pandas.Categorical(["q", "p", "q", "p"]),
    }
)
NATIVE = [
    "a > 1", "a > @limit", "a>1 and b<2", "a>1 & b<2", "(a>1) | (b<2)", "not a>1", "~(a>1)", "1<a<4", "s=='x'", "s!='x'", "s in ['x','y']",
    "s not in @names", "a in [1,2]", "a+b>3", "a*2==b", "'x'==s", "b!=b", "s=='x' and a in (1,3)", "a>-1", "a > @limit+1", "a/2>1", "s>'x'",
]  # fmt: skip
OTHER = [
    "a", "index>1", "a>nosuch", "d>'2020-01-02'", "c=='u'", "-a>-2", "`a`>1", "a==[1,2]", "s.str.len()>0", "a=1", "", "a>1 or", "a > @nosuch",
    "s > 1", "b", "a % 2 == 1",
]  # fmt: skip


def _ask(frame, text):
    limit, names = 2, ["x"]
    assert limit and names
    return frame.query(text)


@pytest.mark.parametrize("text", NATIVE)
def test_conditions(text):
    both(lambda f: _ask(f, text), FRAME)


@pytest.mark.parametrize("text", OTHER)
def test_expressions_that_pandas_reads(text):
    both(lambda f: _ask(f, text), FRAME, fallback="silent")


def test_descriptions_with_dates():
    both(lambda f: f.describe(), FRAME)
    both(lambda f: f.describe(), FRAME[["d", "a"]])
    both(lambda f: f.describe(), FRAME[["d"]], fallback="silent")


@pytest.mark.parametrize("unit", ["s", "us", "ns"])
def test_quantiles_of_times(unit):
    dates = FRAME["d"].dt.as_unit(unit)
    for q in (0.3, [0, 0.1, 0.25, 0.5, 0.9, 1]):
        both(lambda s: s.quantile(q), dates)
        both(lambda s: s.quantile(q), dates - dates.min())
    both(lambda f: f.quantile([0.1, 0.3]), FRAME[["d", "a"]], fallback="silent")


def test_tables_of_categories():
    both(lambda f: pd.crosstab(f.c, f.k) if isinstance(f, pd.DataFrame) else pandas.crosstab(f.c, f.k), FRAME)
    both(lambda f: pd.crosstab(f.a, f.c) if isinstance(f, pd.DataFrame) else pandas.crosstab(f.a, f.c), FRAME)
    both(lambda f: f.pivot_table(index="c", columns="k", values="a"), FRAME)
    both(lambda f: f.pivot_table(index="a", columns="c", values="b"), FRAME)
    both(lambda f: f.groupby(["c", "k"], observed=True).a.sum().unstack(), FRAME, fallback="silent")
    both(lambda f: f.set_index(["a", "c"]).b.unstack(), FRAME, fallback="silent")
    both(lambda f: f.pivot(index="a", columns="c", values="b"), FRAME, fallback="silent")


def test_bounds_of_each_column():
    floats = pandas.DataFrame({"a": [1.0, 5, 3, 2], "b": [1.5, np.nan, 2.5, 0.5]})
    both(lambda f: f.clip(f.quantile(0.1), f.quantile(0.9), axis=1), floats)
    low = pandas.Series([2.0, 1.0], index=["a", "b"])
    both(lambda f, low: f.clip(low, axis=1), floats, low)
    both(lambda f, low: f.clip(low, axis=1), floats, low[::-1], fallback="silent")
    both(lambda f, low: f.clip(low, low[::-1].set_axis(["a", "b"]), axis="columns"), floats, low, fallback="silent")
